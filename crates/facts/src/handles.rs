//! Thread handles: whether the program looks at them, and where one that was used before may be given out again.
//!
//! A program that only joins and detaches threads cannot tell which numbers their handles are.  It *looks* at handles if it
//! compares one with anything but 0 or computes with one, or if a thread gets its own as a value.  That a lock's word is
//! compared with the own handle, inside an expression, is no looking: it says who has the lock.  Neither is the question
//! whether a handle is that of the thread itself: only a handle that was joined can be wrong about that.
//!
//! Looking errs towards yes, being given out again too.

use crate::Facts;
use crate::after::After;
use crate::cfg::Point;
use crate::regions::RegionKind;
use crate::reuse::Basis;
use crate::values::Values;
use base::{BitSet, Id, IdVec};
use ir::{Expr, FuncId, HandleNames, InstKind, Program};

#[derive(Clone, Debug)]
pub struct Handles {
    pub looked_at: bool,
    /// Numbers of the points of each `spawn` that may come after a thread was joined or detached.
    again: BitSet,
}

impl Handles {
    pub fn compute(basis: &Basis<'_>, values: &IdVec<FuncId, Values>) -> Self {
        let mut ends = Vec::new();
        let mut spawns = Vec::new();
        basis.for_each_inst(&mut |point, kind| {
            if matches!(kind, InstKind::Join { .. } | InstKind::Detach { .. }) {
                ends.push(point);
            }
            if matches!(kind, InstKind::Spawn { .. }) {
                spawns.push(point);
            }
        });
        if ends.is_empty() || spawns.is_empty() || !looks(basis, values) {
            return Handles { looked_at: false, again: BitSet::new() };
        }
        let mut again = BitSet::new();
        for end in ends {
            let after = After::new(basis, end);
            for spawn in &spawns {
                if after.contains(basis, *spawn) || basis.parallel.together(end, *spawn) {
                    again.insert(basis.points.of(*spawn));
                }
            }
        }
        Handles { looked_at: true, again }
    }

    /// May the `spawn` with this number of its point give a handle that was used before, where that can be seen?
    pub fn again(&self, spawn: usize) -> bool {
        self.again.contains(spawn)
    }

    /// Does it make a difference which handles threads get?
    pub fn matter(&self) -> bool {
        self.looked_at && !self.again.is_empty()
    }
}

/// Says in the program whether it makes a difference which handles threads get.
pub fn settle(program: &mut Program) {
    let insts =
        || program.functions.values().flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts);
    let ends = insts().any(|inst| matches!(inst.kind, InstKind::Join { .. } | InstKind::Detach { .. }));
    if ends && Facts::without_numbers(program).handles.matter() {
        program.handle_names = HandleNames::Reused;
    }
}

fn looks(basis: &Basis<'_>, values: &IdVec<FuncId, Values>) -> bool {
    for func in basis.calls.active.iter().map(FuncId::new) {
        for block_id in &basis.cfgs[func].order {
            let block = &basis.program.functions[func].blocks[*block_id];
            for inst in 0..=block.insts.len() {
                let look = Look { basis, values: &values[func], point: Point::new(func, *block_id, inst) };
                let mut found = false;
                match block.insts.get(inst).map(|inst| &inst.kind) {
                    Some(kind @ InstKind::Update { .. }) => kind.for_each_expr(&mut |expr| found |= look.looks(expr)),
                    Some(kind) => kind.for_each_expr(&mut |expr| found |= look.looks(expr) || look.is_own(expr)),
                    None => {
                        block.term.for_each_expr(&mut |expr| found |= look.looks(expr) || look.is_own(expr));
                        if let ir::Term::Switch { value, .. } = &block.term {
                            found |= look.is_handle(value);
                        }
                    }
                }
                if found {
                    return true;
                }
            }
        }
    }
    false
}

struct Look<'a> {
    basis: &'a Basis<'a>,
    values: &'a Values,
    point: Point,
}

impl Look<'_> {
    /// Does it compare a handle, or compute with one?
    fn looks(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(..) | Expr::Reg(_) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread | Expr::Old => {
                false
            }
            Expr::Un(_, inner) => self.is_handle(inner) || self.looks(inner),
            Expr::Cast(_, _, inner) => self.looks(inner),
            Expr::Select(parts) => parts.iter().any(|part| self.looks(part)),
            Expr::Bin(_, left, right) => {
                let nothing = |side: &Expr| matches!(side, Expr::Const(_, 0)) || self.is_own(side);
                let compared = |one: &Expr, other: &Expr| self.is_handle(one) && !nothing(other);
                compared(left, right) || compared(right, left) || self.looks(left) || self.looks(right)
            }
        }
    }

    /// May the value be a handle that a `spawn` gave?
    fn is_handle(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Reg(reg) => {
                let value = self.values.used(self.point.block, self.point.inst as usize, *reg);
                value.is_some_and(|value| {
                    let targets = self.basis.points_to.value(self.point.func, value);
                    let kind = |region| self.basis.regions.all[region].kind;
                    targets.all || targets.iter().any(|target| matches!(kind(target.region), RegionKind::Thread(_)))
                })
            }
            Expr::Cast(_, _, inner) => self.is_handle(inner),
            Expr::Select(parts) => parts[1..].iter().any(|part| self.is_handle(part)),
            Expr::Const(..)
            | Expr::Object(..)
            | Expr::Func(_)
            | Expr::CurrentThread
            | Expr::Old
            | Expr::Un(..)
            | Expr::Bin(..) => false,
        }
    }

    /// Is the value the thread's own handle?
    fn is_own(&self, expr: &Expr) -> bool {
        match expr {
            Expr::CurrentThread => true,
            Expr::Cast(_, _, inner) => self.is_own(inner),
            Expr::Select(parts) => parts[1..].iter().any(|part| self.is_own(part)),
            Expr::Const(..)
            | Expr::Reg(_)
            | Expr::Object(..)
            | Expr::Func(_)
            | Expr::Old
            | Expr::Un(..)
            | Expr::Bin(..) => false,
        }
    }
}
