//! Values that are only carried: loaded and stored again, as the padding of a structure that is copied, and never looked at.
//!
//! A byte that was never written may hold anything.  Where one is only carried it need not be tried with all values: nothing
//! but the content of other memory that nobody looks at depends on it.  A value is *looked at* by everything but being
//! stored, assigned, handed to a function and returned; a cell by an update, and by a load whose value is looked at.  A
//! value that is stored where a cell is looked at is looked at too, and so is one that is loaded from there: a load
//! settles what the next one finds.
//!
//! Errs towards looked at.

use crate::{Facts, Origin, Point, ValueId};
use base::{BitSet, Id, IdVec};
use ir::{Expr, FuncId, InstKind, Program, Term};

/// All loads whose value is only carried.
pub fn loads(program: &Program, facts: &Facts) -> Vec<Point> {
    if facts.points_to.wild_access {
        return Vec::new();
    }
    let mut look = Look {
        program,
        facts,
        cells: BitSet::new(),
        values: IdVec::filled(BitSet::new(), program.functions.len()),
        results: BitSet::new(),
        grown: true,
    };
    look.results = facts.calls.spawns.iter().flat_map(|(_, targets)| targets).map(|target| target.index()).collect();
    while std::mem::take(&mut look.grown) {
        facts.calls.functions().for_each(|func| look.function(func));
    }
    let mut loads = facts.basis(program).points_where(|kind| matches!(kind, InstKind::Load { .. }));
    loads.retain(|load| {
        let value = facts.values[load.func].written(*load);
        // What one load finds is what the next one finds there.
        let found_again = facts.access(*load).is_none_or(|access| access.reads.intersects(&look.cells));
        value.is_some_and(|value| !look.sees(load.func, value)) && !found_again
    });
    loads
}

struct Look<'a> {
    program: &'a Program,
    facts: &'a Facts,
    /// What is looked at: cells, values of each function, results of functions.
    cells: BitSet,
    values: IdVec<FuncId, BitSet>,
    results: BitSet,
    /// More than before.
    grown: bool,
}

impl Look<'_> {
    fn sees(&self, func: FuncId, value: ValueId) -> bool {
        self.values[func].contains(value.index())
    }

    fn value(&mut self, func: FuncId, value: ValueId) {
        self.grown |= self.values[func].insert(value.index());
    }

    /// Backwards, so that what comes of a value is known before the value.
    fn function(&mut self, func: FuncId) {
        let facts = self.facts;
        for block in facts.cfgs[func].order.iter().rev() {
            let count = self.program.functions[func].blocks[*block].insts.len();
            (0..=count).rev().for_each(|i| self.point(Point::new(func, *block, i)));
        }
        for (id, value) in facts.values[func].values.iter() {
            if let Origin::Meet(_, operands) = &value.origin
                && self.sees(func, id)
            {
                operands.iter().for_each(|(_, operand)| self.value(func, *operand));
            }
        }
    }

    fn point(&mut self, point: Point) {
        let (facts, program) = (self.facts, self.program);
        let written = facts.values[point.func].written(point);
        let is_seen = written.is_some_and(|value| self.sees(point.func, value));
        let Some(kind) = program.kind(point) else {
            let term = &program.block(point).term;
            if let Term::Return(Some(value)) = term {
                return self.carries(point, value, self.results.contains(point.func.index()));
            }
            return term.for_each_expr(&mut |expr| self.expr(point, expr));
        };
        if let InstKind::Assign { value, .. } = kind {
            self.carries(point, value, is_seen);
        } else if let InstKind::Load { addr, .. } = kind {
            self.expr(point, addr);
            if is_seen {
                self.reads(point);
            }
        } else if let InstKind::Store { addr, value, .. } = kind {
            self.expr(point, addr);
            let is_seen = facts.access(point).is_none_or(|access| access.writes.intersects(&self.cells));
            self.carries(point, value, is_seen);
        } else if let InstKind::Call { args, callee, .. } = kind {
            if let ir::Callee::Indirect(callee) = callee {
                self.expr(point, callee);
            }
            let targets = facts.points_to.callees(point);
            for (i, arg) in args.iter().enumerate() {
                // The parameters are the first values of a function.
                let is_seen = targets.iter().any(|target| self.sees(*target, ValueId::new(i)));
                self.carries(point, arg, is_seen);
            }
            if is_seen {
                targets.iter().for_each(|target| self.grown |= self.results.insert(target.index()));
            }
        } else {
            // All others look at what they evaluate, and at what they read.
            kind.for_each_expr(&mut |expr| self.expr(point, expr));
            self.reads(point);
        }
    }

    /// The cells that the instruction reads are looked at.
    fn reads(&mut self, point: Point) {
        let facts = self.facts;
        if let Some(access) = facts.access(point) {
            access.reads.iter().for_each(|cell| self.grown |= self.cells.insert(cell));
        }
    }

    /// The value of the expression goes on, to where it is looked at or not.
    fn carries(&mut self, point: Point, expr: &Expr, is_seen: bool) {
        if is_seen || !matches!(expr, Expr::Reg(_)) {
            self.expr(point, expr);
        }
    }

    /// All registers of the expression are looked at.
    fn expr(&mut self, point: Point, expr: &Expr) {
        let values = &self.facts.values[point.func];
        expr.for_each_reg(&mut |reg| {
            values.used(point, reg).iter().for_each(|value| self.value(point.func, *value));
        });
    }
}
