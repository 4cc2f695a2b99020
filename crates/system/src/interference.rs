//! Which variables other threads may still change, where a thread is.
//!
//! What is known of the others' locations at a location (`ranges`) tells which of their edges are still to come: a thread
//! that was started only after an array was filled need not expect that to happen again.

use crate::ranges::Known;
use crate::{Location, System, ThreadId};
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
        let coming_from = |thread: ThreadId, location: Location, other: ThreadId| {
            let places = system.threads[other].graph.locations.ids().filter(|_| other != thread);
            let places = places.filter(|place| together(thread, location, other, *place));
            places.flat_map(|place| coming[other][place].iter().copied()).collect()
        };
        let at = |thread: ThreadId, location: Location| {
            system.threads.ids().map(|other| coming_from(thread, location, other)).collect()
        };
        let still = system.threads.iter();
        let still =
            still.map(|(thread, data)| data.graph.locations.ids().map(|location| at(thread, location)).collect());
        let still = still.collect();
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
