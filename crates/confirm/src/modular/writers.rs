//! What the other threads may still write, where a thread is.
//!
//! The ranges say which locations of two threads go together.  While the one stays at its location, the other starts from
//! one of those that go with it, and writes no more than what edges from there on write.

use super::scene::Set;
use base::{Id, IdVec, Interval};
use claim::modular::Modular;
use system::{Location, System, ThreadId};

/// By thread, location and other thread.
pub struct Writers(IdVec<ThreadId, IdVec<Location, IdVec<ThreadId, Set>>>);

impl Writers {
    pub fn new(proof: &Modular, system: &System) -> Self {
        let coming: IdVec<ThreadId, _> = system.threads.ids().map(|thread| coming(system, thread)).collect();
        let meanwhile = |thread: ThreadId, location: Location, other: ThreadId| {
            let places = coming[other].iter().filter(|_| thread != other);
            let places = places.filter(|(place, _)| together(proof, system, (thread, location), (other, *place)));
            union(places.map(|(_, written)| written))
        };
        let of = |thread: ThreadId, location: Location| {
            system.threads.ids().map(|other| meanwhile(thread, location, other)).collect()
        };
        let threads = system.threads.iter();
        Writers(
            threads
                .map(|(thread, data)| data.graph.locations.ids().map(|location| of(thread, location)).collect())
                .collect(),
        )
    }

    /// By location of the thread, what these others may write while it is there.
    pub fn meanwhile(&self, thread: ThreadId, others: &[ThreadId]) -> IdVec<Location, Set> {
        let by_location = self.0[thread].values();
        by_location.map(|by_other| union(others.iter().map(|other| &by_other[*other]))).collect()
    }
}

fn union<'s>(sets: impl Iterator<Item = &'s Set>) -> Set {
    let mut all = Set::new();
    sets.for_each(|set| _ = all.union_with(set));
    all
}

/// Whether the ranges allow that the two threads are at these locations at the same time.
fn together(proof: &Modular, system: &System, one: (ThreadId, Location), two: (ThreadId, Location)) -> bool {
    if proof.ranges.is_empty() {
        return true;
    }
    let ranges = |(thread, location): (ThreadId, Location)| proof.ranges[thread.index()][location.index()].as_ref();
    let (Some(first), Some(second)) = (ranges(one), ranges(two)) else { return false };
    let at = |ranges: &[Interval], (thread, location): (ThreadId, Location)| {
        ranges[system.threads[thread].pc.index()].has(location.index() as i128)
    };
    let mut both = first.iter().zip(second);
    at(first, two) && at(second, one) && both.all(|(first, second)| first.intersect(*second).is_some())
}

/// By location, what the thread may write from there on, its `pc` among it.
fn coming(system: &System, thread: ThreadId) -> IdVec<Location, Set> {
    let data = &system.threads[thread];
    let written = data.graph.still_written().into_values();
    let mut written: IdVec<Location, Set> = written.map(|vars| vars.iter().map(|var| var.index()).collect()).collect();
    data.graph.edges.iter().for_each(|edge| _ = written[edge.from].insert(data.pc.index()));
    written
}
