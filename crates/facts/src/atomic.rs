//! Atomic sections: the points at which a thread surely is inside one, and those at which it may be.
//!
//! Forward over the least number of sections that are open, over all paths, and over the largest; a callee starts with the least of its
//! callers, a call changes it by the least the callee can make of it.  Threads start outside.  "Surely inside" is never claimed wrongly:
//! all unknowns count downward, and upward where it is asked who may be inside.

use crate::flow::{Flow, Place, summaries};
use crate::{Basis, Point, Points};
use base::{BitSet, Id, IdVec};
use ir::{FuncId, Inst, InstKind};

#[derive(Clone, Debug)]
pub struct Atomic {
    surely: BitSet,
    maybe: BitSet,
    /// By function: a call of it may leave more sections open than it found.
    opens: BitSet,
    points: Points,
}

/// Depths are followed up to here, and changes down to minus this, which undoes any depth that is followed.
const DEEPEST: i32 = 8;

/// By function, the least change a call of it makes; nothing while no return is known.
type Changes = IdVec<FuncId, Option<i32>>;

impl Atomic {
    pub fn compute(basis: &Basis<'_>) -> Self {
        let Basis { program, points, calls, .. } = *basis;
        let begins = |inst: &Inst| matches!(inst.kind, InstKind::AtomicBegin);
        let any = calls.functions().any(|func| program.functions[func].insts().any(begins));
        let follow = |sign| if any { within(basis, sign) } else { (BitSet::new(), IdVec::new()) };
        let ((surely, _), (maybe, most)) = (follow(1), follow(-1));
        let opens = most.iter().filter(|(_, change)| change.is_some_and(|less| less < 0));
        Atomic { surely, maybe, opens: opens.map(|(func, _)| func.index()).collect(), points: points.clone() }
    }

    /// Is a thread at the point surely inside an atomic section?
    pub fn surely_inside(&self, point: Point) -> bool {
        self.surely.contains(self.points.of(point))
    }

    /// May a thread at the point be inside an atomic section?
    pub fn maybe_inside(&self, point: Point) -> bool {
        self.maybe.contains(self.points.of(point))
    }

    /// May a call of the function leave more sections open than it found?
    pub fn opens(&self, func: FuncId) -> bool {
        self.opens.contains(func.index())
    }
}

/// The points at which the least number of open sections is not 0, and what calls make of it; with a sign of -1 the largest, which is
/// followed as the least of the opposite numbers.
fn within(basis: &Basis<'_>, sign: i32) -> (BitSet, Changes) {
    let Basis { program, calls, threads, .. } = *basis;
    let flow: Flow<'_, i32> = basis.flow(|known, other| {
        let less = *other < *known;
        *known = *other.min(known);
        less
    });
    // After the point, within the limits.
    let step = |changes: &Changes, (low, high): (i32, i32), place: Place<'_>, depth: i32| {
        let change = match place.callees {
            Some(callees) => callees.iter().filter_map(|callee| changes[*callee]).min()?,
            None => sign * place.kind.map_or(0, InstKind::nesting),
        };
        // Once the largest is too large to be followed, it stays so.
        let lost = sign < 0 && depth == -DEEPEST;
        Some(if lost { depth } else { (depth + change).clamp(low, high) })
    };
    let changes = summaries(calls, IdVec::filled(None, program.functions.len()), |func, changes: &Changes| {
        let mut least = None;
        let step = |place: Place<'_>, depth: i32| step(changes, (-DEEPEST, DEEPEST), place, depth);
        flow.walk(func, &0, &step, &mut |place, depth| {
            if place.returns {
                flow.merge(&mut least, depth);
            }
        });
        least
    });
    let limits = if sign > 0 { (0, DEEPEST) } else { (-DEEPEST, 0) };
    let step = |place: Place<'_>, depth: i32| step(&changes, limits, place, depth);
    let ends = flow.through_calls(&threads.starts(), &0, false, |func, start, _, see| {
        flow.walk(func, start, &step, see);
    });
    let mut inside = BitSet::new();
    for func in calls.functions() {
        let Some(start) = &ends.entry[func] else { continue };
        flow.walk(func, start, &step, &mut |place, depth| {
            if *depth != 0 {
                inside.insert(place.at);
            }
        });
    }
    (inside, changes)
}
