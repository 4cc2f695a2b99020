//! Where executions may end early, and whether there is anything to violate.
//!
//! An engine that proves assertions without executing the program does not know whether an execution runs into a memory
//! error before it gets to one; what comes after such an error was never looked at.  Here are the places at which that
//! is not ruled out: accesses that are not surely within an object that is alive (`stops`, and for indices `intervals`),
//! divisions by what may be 0, calls through what may be no function, every `free`, and places that C says control does
//! not reach.  A place too many is possible, one too few is not, but for one kind: that a handle still holds no thread
//! when it is joined is not looked for, because hardly any join could be shown to be right.

use crate::points_to::index::{Index, evaluate};
use crate::stops::surely_valid;
use crate::{Basis, Facts, Point};
use base::{Interval, Pos};
use ir::{BinOp, Callee, Expr, InstKind, Program, Term, Ty};

/// Places where an execution may end early, each with what may be wrong there; in the order of positions.
pub fn possible(program: &Program, facts: &Facts) -> Vec<(Pos, &'static str)> {
    let look = Look { basis: facts.basis(program), facts };
    let mut found = Vec::new();
    look.basis.for_each_point(&mut |point, kind| {
        found.extend(look.end(point, kind).map(|what| (program.pos(point), what)));
    });
    found.sort();
    found.dedup();
    found
}

/// Can control reach an assertion, as far as the graph of the program tells?
pub fn has_assertion(program: &Program, facts: &Facts) -> bool {
    !facts.basis(program).points_where(|kind| matches!(kind, InstKind::Assert { .. })).is_empty()
}

struct Look<'a> {
    basis: Basis<'a>,
    facts: &'a Facts,
}

impl Look<'_> {
    /// Why an execution may end at the point.
    fn end(&self, point: Point, kind: Option<&InstKind>) -> Option<&'static str> {
        let mut divides = false;
        self.basis.for_each_expr_at(point, &mut |expr| divides |= self.may_divide_wrongly(point, expr));
        if divides {
            return Some("a division by zero or that overflows");
        }
        let Some(kind) = kind else { return self.end_of_block(point) };
        match kind {
            InstKind::Load { .. } | InstKind::Store { .. } | InstKind::Update { .. } => {
                let ir::Access { addr, ty, writes, .. } = kind.access()?;
                let valid = surely_valid(&self.basis, point, addr, ty, writes)
                    || self.is_within_object(point, addr, ty, writes);
                (!valid).then_some("a memory error")
            }
            InstKind::Call { callee, .. } | InstKind::Spawn { callee, .. } => match callee {
                Callee::Direct(_) | Callee::Indirect(Expr::Func(_)) => None,
                Callee::Indirect(_) => Some("a call of what is no function"),
            },
            InstKind::Free { .. } => Some("a block that is freed wrongly"),
            InstKind::Join { .. } | InstKind::Detach { .. } => {
                let targets = self.facts.points_to.address(point)?;
                (targets.anywhere() || targets.is_empty()).then_some("a join of what is no thread")
            }
            InstKind::Assign { .. } | InstKind::Havoc { .. } | InstKind::Assume { .. } => None,
            InstKind::Assert { .. } | InstKind::Alloc { .. } | InstKind::AtomicBegin | InstKind::AtomicEnd => None,
            InstKind::Fence { .. } | InstKind::Unsupported { .. } => None,
        }
    }

    /// Only what cannot be reached ends an execution here; not if the block ends before its end: at a failing assertion, or in
    /// a function that does not return.
    fn end_of_block(&self, point: Point) -> Option<&'static str> {
        let block = self.basis.program.block(point);
        let returns = |block: &ir::Block| matches!(block.term, Term::Return(_));
        let never_gets_past = |inst: &ir::Inst| {
            if let InstKind::Call { callee: Callee::Direct(callee), .. } = &inst.kind {
                return !self.basis.program.functions[*callee].blocks.values().any(returns);
            }
            matches!(inst.kind, InstKind::Assert { cond: Expr::Const(_, 0), .. } | InstKind::Unsupported { .. })
        };
        let reached = matches!(block.term, Term::Unreachable) && !block.insts.iter().any(never_gets_past);
        reached.then_some("undefined behaviour")
    }

    /// Is it an element of a static object, at an index that is surely in bounds?
    fn is_within_object(&self, point: Point, mut addr: &Expr, ty: Ty, write: bool) -> bool {
        let mut offsets = Interval::exactly(0);
        while let Expr::Bin(BinOp::PtrAdd, base, term) = addr {
            offsets = offsets.plus(self.number(point, term).range);
            addr = base;
        }
        let Expr::Object(object, offset) = addr else { return false };
        let object = &self.basis.program.objects[*object];
        let fits = Interval::between(0, i128::from(object.size) - i128::from(self.basis.program.size_of(ty)));
        fits.contains(offsets.plus(Interval::exactly(i128::from(*offset)))) && !(write && object.constant)
    }

    fn number(&self, point: Point, expr: &Expr) -> Index {
        let function = &self.basis.program.functions[point.func];
        evaluate(self.basis.program, function, expr, None, &mut |reg| {
            let known = self.facts.intervals.at(&self.facts.values, point, reg);
            let any = || Index::any(self.basis.program.bits_of(function.ty(reg)));
            known.map_or_else(any, |range| Index::within(range.signed))
        })
    }

    fn may_divide_wrongly(&self, point: Point, expr: &Expr) -> bool {
        expr.any(&mut |expr| {
            let Expr::Bin(op, _, by) = expr else { return false };
            let may_be = |number: i128| self.number(point, by).range.has(number);
            match op {
                BinOp::UDiv | BinOp::URem => may_be(0),
                BinOp::SDiv | BinOp::SRem => may_be(0) || may_be(-1),
                _ => false,
            }
        })
    }
}
