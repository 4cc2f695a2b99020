//! Thread handles: whether the program looks at them, and where one that was used before may be given out again.
//!
//! A program that only joins and detaches threads cannot tell which numbers their handles are.  It *looks* at handles if it
//! compares one with anything but 0, or computes with one.  Which values may be handles is known by where they come from; but
//! if a thread gets its own as a value, any number that the program has not written down may be one.  That a lock's word is
//! compared with the own handle, inside an expression, is no looking: it says who has the lock.  Neither is the question
//! whether a handle is that of the thread itself: only a handle that was joined can be wrong about that.  Nor is
//! a place in a table of a library's model, which the model keeps right when a handle is given out again.
//!
//! Whether two handles are the same does not depend on which numbers they are.  A program that does more than that asks for *numbers*, which
//! are given out in the order in which threads are started, whichever they are.
//!
//! Looking errs towards yes, being given out again too.

use crate::Facts;
use crate::after::After;
use crate::basis::Basis;
use crate::cfg::Point;
use crate::points_to::{Offsets, Target};
use crate::regions::RegionKind;
use crate::values::Values;
use base::BitSet;
use ir::{BinOp, Expr, HandleNames, InitValue, InstKind, Program, Term, Ty};

#[derive(Clone, Debug)]
pub struct Handles {
    pub looked_at: bool,
    /// It also asks which number a handle is: compares one with something that is none, or computes with one.
    pub numbers: bool,
    /// Some lock asks whether the thread itself has taken it: the handle of one that has ended may still be in there.
    owners: bool,
    /// Numbers of the points of each `spawn` that may come after a thread was joined or detached.
    again: BitSet,
}

impl Handles {
    pub fn compute(basis: &Basis<'_>) -> Self {
        let mut ends = Vec::new();
        let mut spawns = Vec::new();
        basis.for_each_inst(&mut |point, kind| {
            if kind.handle().is_some() {
                ends.push(point);
            }
            if matches!(kind, InstKind::Spawn { .. }) {
                spawns.push(point);
            }
        });
        let ((looked_at, numbers), owners) = (looks(basis), asks_for_owners(basis));
        if ends.is_empty() || spawns.is_empty() || !(looked_at || owners) {
            return Handles { looked_at: false, numbers, owners: false, again: BitSet::new() };
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
        Handles { looked_at, numbers, owners, again }
    }

    /// May the `spawn` with this number of its point give a handle that was used before, where that can be seen?
    pub fn again(&self, spawn: usize) -> bool {
        self.looked_at && self.again.contains(spawn)
    }

    /// Which handles threads get, as far as it makes a difference.
    fn names(&self) -> HandleNames {
        match (self.looked_at, self.owners) {
            _ if self.again.is_empty() => HandleNames::Lowest,
            (false, false) => HandleNames::Lowest,
            (true, false) => HandleNames::Reused,
            (false, true) => HandleNames::Unique,
            (true, true) => HandleNames::Refused,
        }
    }
}

/// Says in the program whether it makes a difference which handles threads get, and whether it can keep pointers unseen.
pub fn settle(program: &mut Program) {
    let insts =
        || program.functions.values().flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts);
    let ends = insts().any(|inst| inst.kind.handle().is_some());
    let frees = insts().any(|inst| matches!(inst.kind, InstKind::Free { .. }));
    if !(ends || frees) {
        return;
    }
    let facts = Facts::without_numbers(program);
    let (handles, hides) = (facts.handles.names(), frees && crate::hidden::hides_pointers(program, &facts));
    program.handle_names = handles;
    if hides {
        program.block_names = ir::BlockNames::Kept;
    }
}

/// Does some lock ask whether the thread itself has taken it?
fn asks_for_owners(basis: &Basis<'_>) -> bool {
    let mentions = |expr: &Expr, wanted: &Expr| expr.any(&mut |part| part == wanted);
    let asks = |expr: &Expr| {
        matches!(expr, Expr::Bin(BinOp::Eq | BinOp::Ne, ..))
            && mentions(expr, &Expr::Old)
            && mentions(expr, &Expr::CurrentThread)
    };
    let mut found = false;
    for_each_expr(basis, &mut |_, in_update, expr| found |= in_update && expr.any(&mut |part| asks(part)));
    found
}

/// Whether it looks at handles at all, and at which numbers they are.
fn looks(basis: &Basis<'_>) -> (bool, bool) {
    let mut own_escapes = false;
    for_each_expr(basis, &mut |_, in_update, expr| own_escapes |= !in_update && is_own(expr));
    let (mut found, mut numbers) = (false, false);
    for_each_expr(basis, &mut |point, _, expr| {
        let look = Look { basis, values: &basis.values[point.func], point, own_escapes };
        found |= look.looks(expr);
        numbers |= look.asks_for_number(expr);
    });
    (found || numbers, numbers)
}

/// Calls `f` for each expression of the program that can be evaluated, with its place and whether an update evaluates it.
fn for_each_expr(basis: &Basis<'_>, f: &mut dyn FnMut(Point, bool, &Expr)) {
    basis.for_each_point(&mut |at, kind| {
        let in_update = matches!(kind, Some(InstKind::Update { .. }));
        basis.for_each_expr_at(at, &mut |expr| f(at, in_update, expr));
        if let (None, Term::Switch { value, cases, .. }) = (kind, &basis.block(at).term) {
            for (case, _) in cases {
                // The same as comparing with each case.
                let case = Expr::Const(Ty::BOOL, *case);
                f(at, false, &Expr::bin(BinOp::Eq, value.clone(), case));
            }
        }
    });
}

#[derive(Clone, Copy)]
struct Look<'a> {
    basis: &'a Basis<'a>,
    values: &'a Values,
    point: Point,
    /// A thread may get its own handle as a value: any number that was not written down may be one.
    own_escapes: bool,
}

impl Look<'_> {
    /// Does it compare a handle, or compute with one?
    fn looks(&self, expr: &Expr) -> bool {
        let looks = match expr {
            // A place in a table of the library's model.
            Expr::Bin(BinOp::PtrAdd, base, _) if self.is_internal(base) => return false,
            Expr::Bin(_, left, right) => {
                let nothing = |side: &Expr| matches!(side, Expr::Const(_, 0)) || is_own(side);
                let compared = |one: &Expr, other: &Expr| self.is_handle(one) && !nothing(other);
                compared(left, right) || compared(right, left)
            }
            Expr::Un(_, inner) => self.is_handle(inner),
            _ => false,
        };
        looks || expr.children().any(|child| self.looks(child))
    }

    /// Does it compare a handle with what is none, or compute with one?
    fn asks_for_number(&self, expr: &Expr) -> bool {
        let asks = match expr {
            Expr::Bin(BinOp::PtrAdd, base, _) if self.is_internal(base) => return false,
            Expr::Bin(op, left, right) => {
                let any = [left, right].into_iter().any(|side| self.is_handle(side) || is_own(side));
                let fits = |side: &Expr| {
                    // The old content of a lock says who has it.
                    let lock = side.any(&mut |part| *part == Expr::Old) || self.is_old_content(side);
                    matches!(side, Expr::Const(_, 0)) || lock || self.is_handle(side) || is_own(side)
                };
                any && !(matches!(op, BinOp::Eq | BinOp::Ne) && fits(left) && fits(right))
            }
            Expr::Un(_, inner) => self.is_handle(inner) || is_own(inner),
            _ => false,
        };
        asks || expr.children().any(|child| self.asks_for_number(child))
    }

    /// A register that only gets what is in the words of locks: zero, or the handle of whoever has taken one.
    fn is_old_content(&self, expr: &Expr) -> bool {
        let Expr::Reg(reg) = expr else { return false };
        let (mut any, mut all) = (false, true);
        self.basis.for_each_inst(&mut |point, kind| {
            if point.func == self.point.func && kind.dst() == Some(*reg) {
                any = true;
                all &= kind.access().is_some_and(|access| self.is_lock(point, access.ty));
            }
        });
        any && all
    }

    /// Is nothing but zero and handles ever written to what the access at the point reads?
    fn is_lock(&self, point: Point, ty: Ty) -> bool {
        let (program, points_to) = (self.basis.program, self.basis.points_to);
        let Some(read) = points_to.address(point).filter(|read| !read.anywhere()) else { return false };
        let size = program.size_of(ty);
        let begins_otherwise = read.iter().any(|target| match self.basis.regions.all[target.region].kind {
            RegionKind::Static(object) | RegionKind::ThreadLocal(object) => {
                program.objects[object].init.iter().any(|init| {
                    let bytes = match &init.value {
                        InitValue::Scalar(_, 0) => return false,
                        InitValue::Scalar(ty, _) => program.size_of(*ty),
                        InitValue::Bytes(bytes) => bytes.len() as u64,
                        InitValue::Object(..) | InitValue::Function(_) => program.size_of(Ty::Ptr),
                    };
                    target.offsets.overlaps(size, Offsets::exact(init.offset as i64), bytes)
                })
            }
            RegionKind::Stack(_) | RegionKind::Heap(_) | RegionKind::Function(_) | RegionKind::Thread(_) => false,
        });
        let mut only_handles = !begins_otherwise;
        self.basis.for_each_inst(&mut |at, kind| {
            let (InstKind::Store { ty, value, .. } | InstKind::Update { ty, set: Some(value), .. }) = kind else {
                return;
            };
            let meets = points_to.address(at).is_none_or(|written| {
                let touches = |one: &Target, other: &Target| {
                    one.region == other.region && one.offsets.overlaps(size, other.offsets, program.size_of(*ty))
                };
                written.anywhere() || written.iter().any(|other| read.iter().any(|one| touches(one, other)))
            });
            let writer = Look { values: &self.basis.values[at.func], point: at, ..*self };
            only_handles &= !meets || writer.is_owner(value);
        });
        only_handles
    }

    /// What the word of a lock may hold.
    fn is_owner(&self, value: &Expr) -> bool {
        match value {
            Expr::Const(_, 0) | Expr::Old => true,
            Expr::Select(parts) => parts[1..].iter().all(|part| self.is_owner(part)),
            other => is_own(other) || self.is_handle(other),
        }
    }

    fn is_internal(&self, base: &Expr) -> bool {
        matches!(base, Expr::Object(object, _) if self.basis.program.objects[*object].internal)
    }

    /// May the value be a handle?
    fn is_handle(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Reg(reg) => {
                let value = self.values.used(self.point.block, self.point.inst as usize, *reg);
                value.is_some_and(|value| {
                    let targets = self.basis.points_to.value(self.point.func, value);
                    let kind = |region| self.basis.regions.all[region].kind;
                    let own = self.own_escapes && targets.wild;
                    own || targets.all
                        || targets.iter().any(|target| matches!(kind(target.region), RegionKind::Thread(_)))
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
}

/// Is the value the thread's own handle?
fn is_own(expr: &Expr) -> bool {
    match expr {
        Expr::CurrentThread => true,
        Expr::Cast(_, _, inner) => is_own(inner),
        Expr::Select(parts) => parts[1..].iter().any(is_own),
        Expr::Const(..)
        | Expr::Reg(_)
        | Expr::Object(..)
        | Expr::Func(_)
        | Expr::Old
        | Expr::Un(..)
        | Expr::Bin(..) => false,
    }
}
