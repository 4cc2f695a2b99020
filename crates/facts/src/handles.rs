//! Thread handles: whether the program looks at them, and where one that was used before may be given out again.
//!
//! A program that only joins and detaches threads cannot tell which numbers their handles are.  It *looks* at handles if it
//! compares one with anything but 0, or computes with one.  Which values may be handles is known by where they come from
//! (`points_to`), the words of locks among them, which hold the handles of their owners.  The question whether a handle is that
//! of the thread itself is no looking, so that a lock may ask who has it: only a handle that was joined can be wrong about that.
//! Nor is a place in a table of a library's model, which the model keeps right when a handle is given out again.
//!
//! Whether two handles are the same, or a handle is 0, does not depend on which numbers they are.  A program that does more than that,
//! be it that it compares a handle with what may be something else, asks for *numbers*, which are given out in the order in
//! which threads are started, whichever they are.
//!
//! Looking errs towards yes, being given out again too.

use crate::after::After;
use crate::{Basis, Facts, Offsets, Point, RegionKind, Target, Targets};
use ir::{BinOp, CastOp, Expr, HandleNames, InstKind, Program, Term, Ty};
use rustc_hash::FxHashSet;

#[derive(Clone, Debug)]
pub struct Handles {
    pub looked_at: bool,
    /// It also asks which number a handle is: compares one with something that is none, or computes with one.
    pub numbers: bool,
    /// Some lock asks whether the thread itself has taken it: the handle of one that has ended may still be in there.
    owners: bool,
    /// Each `spawn` that may come after a thread was joined or detached.
    again: FxHashSet<Point>,
}

impl Handles {
    pub fn compute(basis: &Basis<'_>) -> Self {
        let ends = basis.points_where(|kind| kind.handle().is_some());
        let spawns = basis.points_where(|kind| matches!(kind, InstKind::Spawn { .. }));
        let ((looked_at, numbers), owners) = (looks(basis), asks_for_owners(basis));
        if ends.is_empty() || spawns.is_empty() || !(looked_at || owners) {
            return Handles { looked_at: false, numbers, owners: false, again: FxHashSet::default() };
        }
        let mut again = FxHashSet::default();
        for end in ends {
            let after = After::new(basis, end);
            let is_later = |spawn: &&Point| after.contains(basis, **spawn) || basis.parallel.together(end, **spawn);
            again.extend(spawns.iter().filter(is_later));
        }
        Handles { looked_at, numbers, owners, again }
    }

    /// May the `spawn` give a handle that was used before, where that can be seen?
    pub fn again(&self, spawn: Point) -> bool {
        self.looked_at && self.again.contains(&spawn)
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
    let ends = program.insts().any(|inst| inst.kind.handle().is_some());
    let frees = program.insts().any(|inst| matches!(inst.kind, InstKind::Free { .. }));
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

/// Does some lock ask whether the thread itself has taken it?  A word of the model's own is taken for good, by a thread that goes on
/// to end the program.
fn asks_for_owners(basis: &Basis<'_>) -> bool {
    let mentions = |expr: &Expr, wanted: &Expr| expr.any(&mut |part| part == wanted);
    let asks = |expr: &Expr| {
        matches!(expr, Expr::Bin(BinOp::Eq | BinOp::Ne, ..))
            && mentions(expr, &Expr::Old)
            && mentions(expr, &Expr::CurrentThread)
    };
    let mut found = false;
    for_each_expr(basis, &mut |_, kind, expr| {
        let Some(InstKind::Update { addr, .. }) = kind else { return };
        let asked = !matches!(addr, Expr::Object(object, _) if basis.program.objects[*object].internal);
        found |= asked && expr.any(&mut |part| asks(part));
    });
    found
}

/// Whether it looks at handles at all, and at which numbers they are.
fn looks(basis: &Basis<'_>) -> (bool, bool) {
    let mut seen = Seen::default();
    for_each_expr(basis, &mut |point, kind, expr| {
        let look = Look { basis, point };
        look.note(expr, &mut seen);
        seen.numbers |= matches!(kind, Some(InstKind::Alloc { .. })) && look.is_handle(expr);
    });
    (seen.handles || seen.numbers, seen.numbers)
}

/// What a program looks at.
#[derive(Default)]
struct Seen {
    handles: bool,
    numbers: bool,
}

/// Calls `f` for each expression of the program that can be evaluated, with its place and the instruction that evaluates it.
fn for_each_expr(basis: &Basis<'_>, f: &mut dyn FnMut(Point, Option<&InstKind>, &Expr)) {
    basis.for_each_point(&mut |at, kind| {
        basis.for_each_expr_at(at, &mut |expr| f(at, kind, expr));
        if let (None, Term::Switch { value, cases, .. }) = (kind, &basis.program.block(at).term) {
            for (case, _) in cases {
                // The same as comparing with each case.
                let case = Expr::Const(Ty::BOOL, *case);
                f(at, kind, &Expr::bin(BinOp::Eq, value.clone(), case));
            }
        }
    });
}

struct Look<'a> {
    basis: &'a Basis<'a>,
    point: Point,
}

impl Look<'_> {
    /// Notes whether it compares a handle, perhaps with what is none, or computes with one.
    fn note(&self, expr: &Expr, seen: &mut Seen) {
        match expr {
            // A place in a table of the library's model.
            Expr::Bin(BinOp::PtrAdd, base, _) if self.is_internal(base) => return,
            Expr::Bin(op, left, right) => {
                let nothing = |side: &Expr| is_zero(side) || is_own(side);
                let compared = |one: &Expr, other: &Expr| self.is_handle(one) && !is_own(one) && !nothing(other);
                seen.handles |= compared(left, right) || compared(right, left);
                let fits = |one: &Expr, other: &Expr| self.is_whole(one, is_zero(other));
                let same = matches!(op, BinOp::Eq | BinOp::Ne) && fits(left, right) && fits(right, left);
                seen.numbers |= (self.is_handle(left) || self.is_handle(right)) && !same;
            }
            Expr::Un(_, inner) => seen.numbers |= self.is_handle(inner),
            Expr::Cast(op, ty, inner) => seen.numbers |= !self.keeps(*op, *ty) && self.is_handle(inner),
            _ => (),
        }
        expr.children().for_each(|child| self.note(child, seen));
    }

    fn is_internal(&self, base: &Expr) -> bool {
        matches!(base, Expr::Object(object, _) if self.basis.program.objects[*object].internal)
    }

    fn is_thread(&self, target: &Target) -> bool {
        matches!(self.basis.regions.all[target.region].kind, RegionKind::Thread(_))
    }

    /// May the value be a handle, or come from one?
    fn is_handle(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Reg(_) | Expr::Old => {
                let may_be = |targets: &Targets| targets.all || targets.iter().any(|target| self.is_thread(target));
                self.basis.targets(self.point, expr).is_some_and(may_be)
            }
            Expr::CurrentThread => true,
            Expr::Un(_, inner) | Expr::Cast(_, _, inner) => self.is_handle(inner),
            Expr::Bin(op, left, right) => !op.is_comparison() && (self.is_handle(left) || self.is_handle(right)),
            Expr::Select(parts) => parts[1..].iter().any(|part| self.is_handle(part)),
            Expr::Const(..) | Expr::Object(..) | Expr::Func(_) => false,
        }
    }

    /// Is the value a handle, all of it, or 0; or, if it may be that, another number?
    fn is_whole(&self, expr: &Expr, or_number: bool) -> bool {
        match expr {
            Expr::Reg(_) | Expr::Old => self.basis.targets(self.point, expr).is_some_and(|targets| {
                let whole = |target: &Target| match self.is_thread(target) {
                    true => target.offsets == Offsets::exact(0),
                    false => or_number,
                };
                !targets.all && (or_number || !targets.number && !targets.wild) && targets.iter().all(whole)
            }),
            Expr::CurrentThread => true,
            Expr::Cast(op, ty, inner) => self.keeps(*op, *ty) && self.is_whole(inner, or_number),
            Expr::Select(parts) => parts[1..].iter().all(|part| self.is_whole(part, or_number)),
            Expr::Const(..) => or_number || is_zero(expr),
            Expr::Object(..) | Expr::Func(_) => or_number,
            Expr::Un(..) | Expr::Bin(..) => or_number && !self.is_handle(expr),
        }
    }

    /// Does the cast leave a handle as it is?
    fn keeps(&self, op: CastOp, ty: Ty) -> bool {
        match op {
            CastOp::ZExt | CastOp::SExt | CastOp::Bits | CastOp::PtrToInt | CastOp::IntToPtr => true,
            CastOp::Trunc => self.basis.program.bits_of(ty) >= 32,
            CastOp::Float | CastOp::FloatToSigned | CastOp::FloatToUnsigned => false,
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => false,
        }
    }
}

fn is_zero(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(_, 0))
}

/// Is the value the thread's own handle?
fn is_own(expr: &Expr) -> bool {
    match expr {
        Expr::CurrentThread => true,
        Expr::Cast(_, _, inner) => is_own(inner),
        Expr::Select(parts) => parts[1..].iter().any(is_own),
        Expr::Un(..) | Expr::Bin(..) => false,
        Expr::Const(..) | Expr::Reg(_) | Expr::Object(..) | Expr::Func(_) | Expr::Old => false,
    }
}
