//! Atomic sections: the points at which a thread surely is inside one.
//!
//! Forward over the least number of sections that are open, over all paths; a callee starts with the least of its callers, a
//! call changes it by the least the callee can make of it.  Threads start outside.  "Surely inside" is never claimed wrongly:
//! all unknowns count downward.

use crate::flow::{Flow, Place, summaries};
use crate::{Basis, Point, Points};
use base::{BitSet, IdVec};
use ir::{FuncId, Inst, InstKind};

#[derive(Clone, Debug)]
pub struct Atomic {
    inside: BitSet,
    points: Points,
}

/// Depths are followed up to here, and changes down to minus this, which undoes any depth that is followed.
const DEEPEST: i32 = 8;

/// By function, the least change a call of it makes; nothing while no return is known.
type Changes = IdVec<FuncId, Option<i32>>;

impl Atomic {
    pub fn compute(basis: &Basis<'_>) -> Self {
        let Basis { program, points, calls, threads, .. } = *basis;
        let mut inside = BitSet::new();
        let begins = |inst: &Inst| matches!(inst.kind, InstKind::AtomicBegin);
        if !calls.functions().any(|func| program.functions[func].insts().any(begins)) {
            return Atomic { inside, points: points.clone() };
        }
        let flow: Flow<'_, i32> = basis.flow(|known, other| {
            let less = *other < *known;
            *known = *other.min(known);
            less
        });
        let changes = summaries(calls, IdVec::filled(None, program.functions.len()), |func, changes: &Changes| {
            let mut least = None;
            flow.walk(func, &0, &|place, depth| step(changes, -DEEPEST, place, depth), &mut |place, depth| {
                if place.returns {
                    flow.merge(&mut least, depth);
                }
            });
            least
        });
        let step = |place: Place<'_>, depth: i32| step(&changes, 0, place, depth);
        let ends = flow.through_calls(&threads.starts(), &0, false, |func, start, _, see| {
            flow.walk(func, start, &step, see);
        });
        for func in calls.functions() {
            let Some(start) = &ends.entry[func] else { continue };
            flow.walk(func, start, &step, &mut |place, depth| {
                if *depth > 0 {
                    inside.insert(place.at);
                }
            });
        }
        Atomic { inside, points: points.clone() }
    }

    /// Is a thread at the point surely inside an atomic section?
    pub fn surely_inside(&self, point: Point) -> bool {
        self.inside.contains(self.points.of(point))
    }
}

/// The least depth after the point, not below `floor`.
fn step(changes: &Changes, floor: i32, place: Place<'_>, depth: i32) -> Option<i32> {
    let change = match place.callees {
        Some(callees) => callees.iter().filter_map(|callee| changes[*callee]).min()?,
        None => place.kind.map_or(0, InstKind::nesting),
    };
    Some((depth + change).clamp(floor, DEEPEST))
}
