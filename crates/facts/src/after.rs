//! What may come after a step.  After it comes what
//!
//! * its thread may come to: further on in its function, in what that calls, after its return in whatever may have called it,
//!   and so on;
//! * threads do that are started there, directly or not;
//! * comes after a `join`, if the thread of the step is not the first one, or a thread is started afterwards.
//!
//! What may happen in parallel may come after it too, and is not looked at here: a thread that has not surely been joined is
//! taken to be alive by `parallel`.

use crate::{Basis, Point, Threads};
use base::{BitSet, Id};
use ir::{FuncId, InstKind, Term};

/// What may come after a point, in its thread or a thread that is started or joined.
pub struct After {
    /// Numbers of points.
    points: BitSet,
    /// Functions that may be entered: all their points.
    entered: BitSet,
}

impl After {
    pub fn new(basis: &Basis<'_>, from: Point) -> Self {
        let mut after = After { points: BitSet::new(), entered: BitSet::new() };
        let mut work = vec![from.next()];
        let mut joins = basis.points_where(|kind| matches!(kind, InstKind::Join { .. }));
        if basis.threads.roots_of[from.func].iter().any(|root| root != Threads::FIRST.index()) {
            work.extend(joins.drain(..).map(Point::next));
        }
        while let Some(point) = work.pop() {
            if !after.points.insert(basis.points.of(point)) {
                continue;
            }
            let Some(kind) = basis.program.kind(point) else {
                if matches!(basis.program.block(point).term, Term::Return(_)) {
                    let calls = basis.calls.calls.iter().filter(|(_, to)| to.contains(&point.func));
                    work.extend(calls.map(|(call, _)| call.next()));
                }
                let next = &basis.cfgs[point.func].successors[point.block];
                work.extend(next.iter().map(|to| Point::new(point.func, *to, 0)));
                continue;
            };
            if kind.callee().is_some() && after.enter(basis, point) {
                work.extend(joins.drain(..).map(Point::next));
            }
            work.push(point.next());
        }
        after
    }

    /// Enters all that a call or spawn may lead to; tells whether a thread may be started.
    fn enter(&mut self, basis: &Basis<'_>, point: Point) -> bool {
        let mut starts = basis.calls.spawns.iter().any(|(spawn, _)| *spawn == point);
        let mut work = basis.points_to.callees(point).to_vec();
        while let Some(func) = work.pop() {
            starts |= !basis.calls.starts[func].is_empty();
            if self.entered.insert(func.index()) {
                work.extend(basis.calls.callees[func].iter().chain(basis.calls.starts[func].iter()).map(FuncId::new));
            }
        }
        starts
    }

    pub fn contains(&self, basis: &Basis<'_>, point: Point) -> bool {
        self.entered.contains(point.func.index()) || self.points.contains(basis.points.of(point))
    }
}
