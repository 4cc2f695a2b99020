//! What the other threads may still write, where a thread is.
//!
//! The ranges say which locations of two threads go together.  While the one stays at its location, the other starts from
//! one of those that go with it, and writes no more than what edges from there on write.

use super::scene::Set;
use base::{Id, Interval};
use claim::modular::Modular;
use formula::Var;
use rustc_hash::FxHashSet;
use system::{Location, System, ThreadId};

pub struct Writers<'p> {
    system: &'p System,
    /// By thread, location and other thread.
    still: Vec<Vec<Vec<Set>>>,
}

impl<'p> Writers<'p> {
    pub fn new(proof: &Modular, system: &'p System) -> Self {
        let coming: Vec<Vec<Set>> = system.threads.ids().map(|thread| coming(system, thread)).collect();
        let meanwhile = |thread: ThreadId, location: Location, other: ThreadId| {
            let mut set = vec![false; system.vars.len()];
            if thread != other {
                let places = system.threads[other].graph.locations.ids();
                for place in places.filter(|place| together(proof, system, (thread, location), (other, *place))) {
                    add(&mut set, &coming[other.index()][place.index()]);
                }
            }
            set
        };
        let of = |thread: ThreadId, location: Location| {
            system.threads.ids().map(|other| meanwhile(thread, location, other)).collect()
        };
        let threads = system.threads.iter();
        let still = threads
            .map(|(thread, data)| data.graph.locations.ids().map(|location| of(thread, location)).collect())
            .collect();
        Writers { system, still }
    }

    /// By location of the thread, what these others may write while it is there.
    pub fn meanwhile(&self, thread: ThreadId, others: &[ThreadId]) -> Vec<Set> {
        let at = |by_other: &Vec<Set>| {
            let mut set = vec![false; self.system.vars.len()];
            others.iter().for_each(|other| add(&mut set, &by_other[other.index()]));
            set
        };
        self.still[thread.index()].iter().map(at).collect()
    }

    /// All that these threads may write.
    pub fn ever(&self, threads: &[ThreadId]) -> Set {
        let mut set = vec![false; self.system.vars.len()];
        for thread in threads {
            self.system.written_by(*thread).for_each(|var| set[var.index()] = true);
        }
        set
    }
}

fn add(set: &mut Set, more: &Set) {
    set.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
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
fn coming(system: &System, thread: ThreadId) -> Vec<Set> {
    let data = &system.threads[thread];
    let set = |vars: &FxHashSet<Var>| {
        let mut set = vec![false; system.vars.len()];
        vars.iter().for_each(|var| set[var.index()] = true);
        set
    };
    let mut written: Vec<Set> = data.graph.still_written().values().map(set).collect();
    data.graph.edges.iter().for_each(|edge| written[edge.from.index()][data.pc.index()] = true);
    written
}
