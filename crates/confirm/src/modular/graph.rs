//! A thread as a graph of the locations where it can be.

use base::Id;
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
        let mut leaving = vec![Vec::new(); data.locations.len()];
        for edge in &data.edges {
            let idle = edge.from == edge.to && edge.updates.is_empty();
            if possible(edge.from) && possible(edge.to) && !idle {
                leaving[edge.from.index()].push(edge);
            }
        }
        let mut graph = Graph { thread, entry: data.entry, order: Vec::new(), cyclic: false, leaving };
        graph.sort();
        graph
    }
    pub fn leaving(&self, location: Location) -> &[&'s Edge] {
        &self.leaving[location.index()]
    }

    /// Depth first; the order in which the locations are left, turned round.
    fn sort(&mut self) {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            No,
            Inside,
            Left,
        }
        let mut seen = vec![Seen::No; self.leaving.len()];
        let mut path = vec![(self.entry, 0)];
        seen[self.entry.index()] = Seen::Inside;
        while let Some((location, next)) = path.last_mut() {
            match self.leaving[location.index()].get(*next) {
                Some(edge) => {
                    *next += 1;
                    match seen[edge.to.index()] {
                        Seen::No => {
                            seen[edge.to.index()] = Seen::Inside;
                            path.push((edge.to, 0));
                        }
                        Seen::Inside => self.cyclic = true,
                        Seen::Left => {}
                    }
                }
                None => {
                    seen[location.index()] = Seen::Left;
                    self.order.push(*location);
                    path.pop();
                }
            }
        }
        self.order.reverse();
    }
}
