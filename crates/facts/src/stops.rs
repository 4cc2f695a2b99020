//! Steps that surely go on: they neither wait for another thread nor end the execution.
//!
//! An access goes on if its address surely is within an object that is alive: a static object at a fixed offset, an object
//! the same activation has on its stack, the thread's own copy of a thread-local one.  An update with a guard, a `join` and
//! taking a lock may wait; an `assume` may end the execution, so may a division by what may be 0, a call through a pointer
//! that may be no function, a `free`.  A failing `assert` is not a stop: it is what we look for.
//!
//! "May stop" is the answer whenever we do not know.

use crate::cfg::Point;
use crate::points_to::{PointsTo, Targets, local_place};
use crate::regions::{RegionKind, Regions};
use crate::values::Values;
use ir::{Callee, Expr, InstKind, Program, Term, Ty};

pub struct Stops<'a> {
    pub program: &'a Program,
    pub regions: &'a Regions,
    pub points_to: &'a PointsTo,
    pub values: &'a base::IdVec<ir::FuncId, Values>,
}

impl Stops<'_> {
    /// May the step at the point wait, or end the execution without a violation?
    pub fn may_stop(&self, point: Point) -> bool {
        let block = &self.program.functions[point.func].blocks[point.block];
        let mut divides = false;
        let Some(inst) = block.insts.get(point.inst as usize) else {
            block.term.for_each_expr(&mut |expr| divides |= expr.can_fault());
            return divides
                || match block.term {
                    Term::Halt | Term::Unreachable => true,
                    // The return of the first thread's first function ends the program.
                    Term::Return(_) => point.func == self.program.entry,
                    Term::Jump(_) | Term::Branch { .. } | Term::Switch { .. } | Term::ExitThread(_) => false,
                };
        };
        inst.kind.for_each_expr(&mut |expr| divides |= expr.can_fault());
        divides
            || match &inst.kind {
                InstKind::Load { ty, addr, .. } => !self.surely_valid(point, addr, *ty, false),
                InstKind::Store { ty, addr, .. } => !self.surely_valid(point, addr, *ty, true),
                InstKind::Update { ty, addr, when, set, .. } => {
                    when.is_some() || !self.surely_valid(point, addr, *ty, set.is_some())
                }
                InstKind::Call { callee, .. } | InstKind::Spawn { callee, .. } => match callee {
                    Callee::Direct(_) => false,
                    Callee::Indirect(Expr::Func(_)) => false,
                    // The value of a function pointer may be null, or any other function's when the analysis had to guess.
                    Callee::Indirect(_) => true,
                },
                InstKind::Assume { .. }
                | InstKind::Free { .. }
                | InstKind::Join { .. }
                | InstKind::Detach { .. }
                | InstKind::Unsupported { .. } => true,
                InstKind::Assign { .. }
                | InstKind::Havoc { .. }
                | InstKind::Assert { .. }
                | InstKind::Alloc { .. }
                | InstKind::AtomicBegin
                | InstKind::AtomicEnd
                | InstKind::Fence { .. } => false,
            }
    }

    /// Is the address surely within an object that is alive, and may the bytes there be written if they are?
    pub fn surely_valid(&self, point: Point, addr: &Expr, ty: Ty, write: bool) -> bool {
        let size = self.program.size_of(ty);
        let within = |offset: i128, object: Option<u64>| {
            object.is_some_and(|object| 0 <= offset && offset + i128::from(size) <= i128::from(object))
        };
        // Named directly: also right for thread-local objects, whose copy lives as long as the thread.
        if let Expr::Object(object, offset) = addr {
            let object = &self.program.objects[*object];
            return within(i128::from(*offset), Some(object.size)) && !(write && object.constant);
        }
        let function = &self.program.functions[point.func];
        let at = (point.block, point.inst);
        if let Some((alloc, offset)) = local_place(self.program, function, &self.values[point.func], at, addr, 16) {
            // Only stack objects live as long as the activation, and the register must hold this very object.
            let region = self.regions.of_point(Point { func: point.func, block: alloc.0, inst: alloc.1 });
            return region.is_some_and(|region| {
                let region = &self.regions.all[region];
                matches!(region.kind, RegionKind::Stack(_)) && within(offset, region.size)
            });
        }
        let Some(targets) = self.points_to.address(point) else { return false };
        self.all_valid(targets, &within, write)
    }

    fn all_valid(&self, targets: &Targets, within: &impl Fn(i128, Option<u64>) -> bool, write: bool) -> bool {
        if targets.may_be_number() || targets.all || targets.is_empty() {
            return false;
        }
        targets.iter().all(|target| {
            let region = &self.regions.all[target.region];
            let RegionKind::Static(object) = region.kind else { return false };
            target.offsets.is_exact()
                && within(i128::from(target.offsets.base), region.size)
                && !(write && self.program.objects[object].constant)
        })
    }
}
