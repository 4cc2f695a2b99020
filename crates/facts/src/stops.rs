//! Steps that surely go on: they neither wait for another thread nor end the execution.
//!
//! An access goes on if its address surely is within an object that is alive: a static object at a fixed offset, an object
//! the same activation has on its stack, the thread's own copy of a thread-local one.  An update with a guard, a `join` and
//! taking a lock may wait; an `assume` may end the execution, so may a division by what may be 0, a call through a pointer
//! that may be no function, a `free`.  A failing `assert` is not a stop: it is what we look for.
//!
//! "May stop" is the answer whenever we do not know.

use crate::points_to::local_place;
use crate::{Basis, Point, RegionKind};
use ir::{Callee, Expr, InstKind, Term, Ty};

/// May the step at the point wait, or end the execution without a violation?
pub fn may_stop(basis: &Basis<'_>, point: Point) -> bool {
    let mut divides = false;
    basis.for_each_expr_at(point, &mut |expr| divides |= expr.can_fault());
    let Some(kind) = basis.program.kind(point) else {
        return divides
            || match basis.program.block(point).term {
                Term::Halt | Term::Unreachable => true,
                // The return of the first thread's first function ends the program.
                Term::Return(_) => point.func == basis.program.entry,
                Term::Jump(_) | Term::Branch { .. } | Term::Switch { .. } | Term::ExitThread(_) => false,
            };
    };
    let wrong = kind.access().is_some_and(|access| !surely_valid(basis, point, access.addr, access.ty, access.writes));
    divides
        || wrong
        || match kind {
            InstKind::Update { when, .. } => when.is_some(),
            InstKind::Call { callee, .. } | InstKind::Spawn { callee, .. } => match callee {
                Callee::Direct(_) | Callee::Indirect(Expr::Func(_)) => false,
                // The value of a function pointer may be null, or any other function's when the analysis had to guess.
                Callee::Indirect(_) => true,
            },
            InstKind::Assume { .. } | InstKind::Free { .. } | InstKind::Join { .. } => true,
            InstKind::Detach { .. } | InstKind::Unsupported { .. } => true,
            InstKind::Assign { .. } | InstKind::Load { .. } | InstKind::Store { .. } => false,
            InstKind::Havoc { .. } | InstKind::Assert { .. } | InstKind::Alloc { .. } => false,
            InstKind::AtomicBegin | InstKind::AtomicEnd | InstKind::Fence { .. } => false,
        }
}

/// Is the address surely within an object that is alive, and may the bytes there be written if they are?
pub fn surely_valid(basis: &Basis<'_>, point: Point, addr: &Expr, ty: Ty, write: bool) -> bool {
    let Basis { program, regions, points_to, values, .. } = *basis;
    let size = program.size_of(ty);
    let within = |offset: i128, object: Option<u64>| {
        object.is_some_and(|object| 0 <= offset && offset + i128::from(size) <= i128::from(object))
    };
    // Named directly: also right for thread-local objects, whose copy lives as long as the thread.
    if let Expr::Object(object, offset) = addr {
        let object = &program.objects[*object];
        return within(i128::from(*offset), Some(object.size)) && !(write && object.constant);
    }
    if let Some((alloc, offset)) = local_place(program, &values[point.func], point, addr) {
        // Only stack objects live as long as the activation, and the register must hold this very object.
        let region = regions.of_point(alloc);
        return region.is_some_and(|region| {
            let region = &regions.all[region];
            matches!(region.kind, RegionKind::Stack(_)) && within(offset, region.size)
        });
    }
    let Some(targets) = points_to.address(point) else { return false };
    if targets.may_be_number() || targets.all || targets.is_empty() {
        return false;
    }
    targets.iter().all(|target| {
        let region = &regions.all[target.region];
        let RegionKind::Static(object) = region.kind else { return false };
        target.offsets.is_exact()
            && within(i128::from(target.offsets.base), region.size)
            && !(write && program.objects[object].constant)
    })
}
