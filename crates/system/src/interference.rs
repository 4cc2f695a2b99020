//! Which variables other threads may still change, where a thread is.
//!
//! What is known of the others' locations at a location (`ranges`) tells which of their edges are still to come: a thread
//! that was started only after an array was filled need not expect that to happen again.

use crate::ranges::{Known, Range};
use crate::{Location, System, ThreadId, location_value};
use base::{Id, IdVec};
use formula::Var;
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
        let at = |thread: ThreadId, location: Location| {
            let here = known.map(|known| &known[thread][location]);
            system
                .threads
                .iter()
                .map(|(other, data)| {
                    let range = match here {
                        _ if other == thread => return FxHashSet::default(),
                        None => (None, None),
                        // Nobody comes here.
                        Some(None) => return FxHashSet::default(),
                        Some(Some(here)) => here[data.pc],
                    };
                    let places = data.locations.ids().filter(|place| contains(range, location_value(*place)));
                    places.flat_map(|place| coming[other][place].iter().copied()).collect()
                })
                .collect()
        };
        let still = system
            .threads
            .iter()
            .map(|(thread, data)| data.locations.ids().map(|location| at(thread, location)).collect())
            .collect();
        Interference { still }
    }

    /// Whether the other thread may change the variable while this one is there.
    pub fn changes(&self, thread: ThreadId, at: Location, other: ThreadId, var: Var) -> bool {
        self.still[thread][at][other].contains(&var)
    }
}

fn contains(range: Range, value: i128) -> bool {
    range.0.is_none_or(|low| low <= value) && range.1.is_none_or(|high| value <= high)
}

/// By location: what the thread may write from there on.
fn written_from(system: &System, thread: ThreadId) -> IdVec<Location, FxHashSet<Var>> {
    let data = &system.threads[thread];
    let mut written: IdVec<Location, FxHashSet<Var>> = IdVec::filled(FxHashSet::default(), data.locations.len());
    loop {
        let mut changed = false;
        for edge in &data.edges {
            let mut more: Vec<Var> = edge.updates.iter().map(|(var, _)| *var).collect();
            more.push(data.pc);
            more.extend(written[edge.to].iter().copied());
            let here = &mut written[edge.from];
            let before = here.len();
            here.extend(more);
            changed |= here.len() > before;
        }
        if !changed {
            debug_assert!(data.locations.len() > data.entry.index());
            return written;
        }
    }
}
