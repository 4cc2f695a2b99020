//! A thread as a graph of the locations where it can be.

use base::{Id, IdVec, graph};
use claim::modular::Modular;
use system::{Edge, Location, System, ThreadId};

pub struct Graph<'s> {
    pub thread: ThreadId,
    pub entry: Location,
    /// The locations that can be reached, in an order in which every edge goes forward if there is such.
    pub order: Vec<Location>,
    pub cyclic: bool,
    /// By location, the edges that leave it.
    pub leaving: IdVec<Location, Vec<&'s Edge>>,
}

impl<'s> Graph<'s> {
    /// Where the ranges (which are established first) say that a thread cannot be, it is not followed.  Neither is an edge
    /// that changes nothing: what the others do before and after it is one computation of theirs.
    pub fn new(system: &'s System, proof: &Modular, thread: ThreadId) -> Self {
        let system::Graph { locations, entry, edges } = &system.threads[thread].graph;
        let possible = |location: Location| {
            proof.ranges.get(thread.index()).is_none_or(|by_location| by_location[location.index()].is_some())
        };
        let idle = |edge: &Edge| edge.from == edge.to && edge.step.updates.is_empty();
        let mut leaving = IdVec::filled(Vec::new(), locations.len());
        let mut successors = IdVec::filled(Vec::new(), locations.len());
        for edge in edges.iter().filter(|edge| possible(edge.from) && possible(edge.to) && !idle(edge)) {
            leaving[edge.from].push(edge);
            successors[edge.from].push(edge.to);
        }
        let order = graph::reverse_postorder(*entry, &successors);
        Graph { thread, entry: *entry, order, cyclic: !graph::is_acyclic(*entry, &successors), leaving }
    }
}
