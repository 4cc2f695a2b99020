//! Which variables other threads may still change, where a thread is.
//!
//! What is known of the others' locations at a location (`ranges`) tells which of their edges are still to come: a thread
//! that was started only after an array was filled need not expect that to happen again.

use crate::ranges::Known;
use crate::{Location, System, Thread, ThreadId};
use base::IdVec;
use formula::Var;
use formula::interval::meet;
use rustc_hash::FxHashSet;

/// By thread and location, by other thread: what that may still write, its `pc` among it.
#[derive(Clone, Debug)]
pub struct Interference {
    still: IdVec<ThreadId, IdVec<Location, IdVec<ThreadId, FxHashSet<Var>>>>,
}

impl Interference {
    /// With what is known of the locations, if anything is.
    pub fn new(system: &System, known: Option<&Known>) -> Self {
        let coming: IdVec<ThreadId, IdVec<Location, FxHashSet<Var>>> =
            system.threads.ids().map(|thread| written_from(system, thread)).collect();
        // Where the other thread may be while this one is at the location.
        let together = |thread: ThreadId, location: Location, other: ThreadId, place: Location| match known {
            None => true,
            Some(known) => match (&known[thread][location], &known[other][place]) {
                (Some(here), Some(there)) => meet(here, there).is_some(),
                (None, _) | (_, None) => false,
            },
        };
        let at = |thread: ThreadId, location: Location| {
            let of = |(other, data): (ThreadId, &Thread)| {
                let places = data.graph.locations.ids().filter(|place| together(thread, location, other, *place));
                places.flat_map(|place| coming[other][place].iter().copied()).collect()
            };
            let others = system.threads.iter();
            others.map(|(other, data)| if other == thread { FxHashSet::default() } else { of((other, data)) }).collect()
        };
        let still = system
            .threads
            .iter()
            .map(|(thread, data)| data.graph.locations.ids().map(|location| at(thread, location)).collect())
            .collect();
        Interference { still }
    }

    /// Whether the other thread may change the variable while this one is there.
    pub fn changes(&self, thread: ThreadId, at: Location, other: ThreadId, var: Var) -> bool {
        self.still[thread][at][other].contains(&var)
    }
}

/// By location: what the thread may write from there on.
fn written_from(system: &System, thread: ThreadId) -> IdVec<Location, FxHashSet<Var>> {
    let data = &system.threads[thread];
    let mut written = data.graph.still_written();
    data.graph.edges.iter().for_each(|edge| _ = written[edge.from].insert(data.pc));
    written
}
