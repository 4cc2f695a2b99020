//! A thread as a graph of the locations where it can be.

use base::{Id, IdVec};
use claim::modular::Modular;
use system::{Edge, Location, System, ThreadId};

pub struct Graph<'s> {
    pub thread: ThreadId,
    pub entry: Location,
    /// The locations that can be reached, in an order in which every edge goes forward if there is such.
    pub order: Vec<Location>,
    pub cyclic: bool,
    /// By location, the edges that leave it.
    leaving: Vec<Vec<&'s Edge>>,
}

impl<'s> Graph<'s> {
    /// Where the ranges (which are established first) say that a thread cannot be, it is not followed.  Neither is an edge
    /// that changes nothing: what the others do before and after it is one computation of theirs.
    pub fn new(system: &'s System, proof: &Modular, thread: ThreadId) -> Self {
        let data = &system.threads[thread];
        let possible = |location: Location| {
            proof.ranges.get(thread.index()).is_none_or(|by_location| by_location[location.index()].is_some())
        };
        let mut leaving = vec![Vec::new(); data.graph.locations.len()];
        for edge in &data.graph.edges {
            let idle = edge.from == edge.to && edge.step.updates.is_empty();
            if possible(edge.from) && possible(edge.to) && !idle {
                leaving[edge.from.index()].push(edge);
            }
        }
        let entry = data.graph.entry;
        let successors: IdVec<Location, Vec<Location>> =
            leaving.iter().map(|edges: &Vec<&Edge>| edges.iter().map(|edge| edge.to).collect()).collect();
        let order = base::graph::reverse_postorder(entry, &successors);
        Graph { thread, entry, order, cyclic: !base::graph::is_acyclic(entry, &successors), leaving }
    }
    pub fn leaving(&self, location: Location) -> &[&'s Edge] {
        &self.leaving[location.index()]
    }
}
