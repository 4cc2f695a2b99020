//! Where executions may end early, and whether there is anything to violate.
//!
//! An engine that proves assertions without executing the program does not know whether an execution runs into a memory
//! error before it gets to one; what comes after such an error was never looked at.  Here are the places at which that
//! is not ruled out: accesses that are not surely within an object that is alive (`stops`, and for indices `intervals`),
//! divisions by what may be 0, calls through what may be no function, every `free`, and places that C says control does
//! not reach.  A place too many is possible, one too few is not, but for one kind: that a handle still holds no thread
//! when it is joined is not looked for, because hardly any join could be shown to be right.

use crate::Facts;
use crate::cfg::Point;
use crate::points_to::index::{Index, evaluate};
use crate::stops::Stops;
use base::{Interval, Pos};
use ir::{BinOp, Callee, Expr, InstKind, Program, Term, Ty};

/// Places where an execution may end early, each with what may be wrong there; in the order of positions.
pub fn possible(program: &Program, facts: &Facts) -> Vec<(Pos, &'static str)> {
    let stops = Stops { program, regions: &facts.regions, points_to: &facts.points_to, values: &facts.values };
    let look = Look { program, facts, stops };
    let mut found = Vec::new();
    for (func, function) in program.functions.iter().filter(|(func, _)| facts.calls.is_active(*func)) {
        for (block, code) in function.blocks.iter().filter(|(block, _)| facts.cfgs[func].reachable(*block)) {
            for (inst, at) in code.insts.iter().enumerate() {
                found.extend(look.inst(Point::new(func, block, inst)).map(|what| (at.pos, what)));
            }
            found.extend(look.term(Point::new(func, block, code.insts.len())).map(|what| (code.term_pos, what)));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Can control reach an assertion, as far as the graph of the program tells?
pub fn has_assertion(program: &Program, facts: &Facts) -> bool {
    let functions = program.functions.iter().filter(|(func, _)| facts.calls.is_active(*func));
    let mut blocks = functions.flat_map(|(func, function)| {
        function.blocks.iter().filter(move |(block, _)| facts.cfgs[func].reachable(*block))
    });
    blocks.any(|(_, block)| block.insts.iter().any(|inst| matches!(inst.kind, InstKind::Assert { .. })))
}

const ACCESS: &str = "a memory error";
const FREE: &str = "a block that is freed wrongly";
const CALL: &str = "a call of what is no function";
const DIVISION: &str = "a division by zero or that overflows";
const UNREACHABLE: &str = "undefined behaviour";

struct Look<'a> {
    program: &'a Program,
    facts: &'a Facts,
    stops: Stops<'a>,
}

impl Look<'_> {
    fn inst(&self, point: Point) -> Option<&'static str> {
        let inst = &self.program.functions[point.func].blocks[point.block].insts[point.inst as usize];
        let mut divides = false;
        inst.kind.for_each_expr(&mut |expr| divides |= self.may_divide_wrongly(point, expr));
        if divides {
            return Some(DIVISION);
        }
        match &inst.kind {
            InstKind::Load { ty, addr, .. } => self.access(point, addr, *ty, false),
            InstKind::Store { ty, addr, .. } => self.access(point, addr, *ty, true),
            InstKind::Update { ty, addr, set, .. } => self.access(point, addr, *ty, set.is_some()),
            InstKind::Call { callee, .. } | InstKind::Spawn { callee, .. } => match callee {
                Callee::Direct(_) | Callee::Indirect(Expr::Func(_)) => None,
                Callee::Indirect(_) => Some(CALL),
            },
            InstKind::Free { .. } => Some(FREE),
            InstKind::Join { .. } | InstKind::Detach { .. } => {
                let targets = self.facts.points_to.address(point)?;
                (targets.anywhere() || targets.is_empty()).then_some("a join of what is no thread")
            }
            InstKind::Assign { .. }
            | InstKind::Havoc { .. }
            | InstKind::Assume { .. }
            | InstKind::Assert { .. }
            | InstKind::Alloc { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd
            | InstKind::Fence { .. }
            | InstKind::Unsupported { .. } => None,
        }
    }

    fn term(&self, point: Point) -> Option<&'static str> {
        let block = &self.program.functions[point.func].blocks[point.block];
        let mut divides = false;
        block.term.for_each_expr(&mut |expr| divides |= self.may_divide_wrongly(point, expr));
        if divides {
            return Some(DIVISION);
        }
        match block.term {
            Term::Unreachable => (!self.never_gets_past(point)).then_some(UNREACHABLE),
            Term::Jump(_)
            | Term::Branch { .. }
            | Term::Switch { .. }
            | Term::Return(_)
            | Term::ExitThread(_)
            | Term::Halt => None,
        }
    }

    /// Does the block end before its end: at a failing assertion, or in a function that does not return?
    fn never_gets_past(&self, point: Point) -> bool {
        let block = &self.program.functions[point.func].blocks[point.block];
        let returns = |block: &ir::Block| matches!(block.term, Term::Return(_));
        block.insts.iter().any(|inst| {
            if let InstKind::Call { callee: Callee::Direct(callee), .. } = &inst.kind {
                return !self.program.functions[*callee].blocks.values().any(returns);
            }
            matches!(inst.kind, InstKind::Assert { cond: Expr::Const(_, 0), .. } | InstKind::Unsupported { .. })
        })
    }

    fn access(&self, point: Point, addr: &Expr, ty: Ty, write: bool) -> Option<&'static str> {
        let valid = self.stops.surely_valid(point, addr, ty, write) || self.is_within_object(point, addr, ty, write);
        (!valid).then_some(ACCESS)
    }

    /// Is it an element of a static object, at an index that is surely in bounds?
    fn is_within_object(&self, point: Point, mut addr: &Expr, ty: Ty, write: bool) -> bool {
        let mut offsets = Interval::exactly(0);
        while let Expr::Bin(BinOp::PtrAdd, base, term) = addr {
            offsets = offsets.plus(self.number(point, term).range());
            addr = base;
        }
        let Expr::Object(object, offset) = addr else { return false };
        let object = &self.program.objects[*object];
        let fits = Interval::between(0, i128::from(object.size) - i128::from(self.program.size_of(ty)));
        fits.contains(offsets.plus(Interval::exactly(i128::from(*offset)))) && !(write && object.constant)
    }

    fn number(&self, point: Point, expr: &Expr) -> Index {
        let function = &self.program.functions[point.func];
        evaluate(self.program, function, expr, None, &mut |reg| match self.facts.intervals.at(
            &self.facts.values,
            point,
            reg,
        ) {
            Some(range) => Index::within(range.signed),
            None => Index::any(self.program.bits_of(function.ty(reg))),
        })
    }

    fn may_divide_wrongly(&self, point: Point, expr: &Expr) -> bool {
        expr.any(&mut |expr| {
            let Expr::Bin(op, _, by) = expr else { return false };
            let may_be = |number: i128| self.number(point, by).range().has(number);
            match op {
                BinOp::UDiv | BinOp::URem => may_be(0),
                BinOp::SDiv | BinOp::SRem => may_be(0) || may_be(-1),
                _ => false,
            }
        })
    }
}
