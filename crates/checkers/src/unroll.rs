//! A program without cycles that has the executions of another which go back no more than a number of times.

use crate::Sequential;
use crate::interpret::{Path, execute};
use base::{Id, IdVec, graph};
use transition::{Edge, Graph, Location, LocationData};

pub struct Unrolled {
    pub program: Sequential,
    /// By edge: the edge of the original program.
    originals: Vec<usize>,
}

impl Unrolled {
    /// The executions that take at most `times` edges that lead back.
    pub fn of(program: &Sequential, times: usize) -> Self {
        let graph = &program.graph;
        let count = graph.locations.len();
        let rank = graph::ranks(&graph.reverse_postorder(), count);
        let copy = |location: Location, round: usize| Location::new(round * count + location.index());
        let mut locations = IdVec::new();
        let (mut edges, mut originals) = (Vec::new(), Vec::new());
        for round in 0..=times {
            for data in graph.locations.values() {
                locations.push(LocationData::named(format!("{}_{round}", data.name)));
            }
            for (index, edge) in graph.edges.iter().enumerate().filter(|(_, edge)| rank[edge.from].is_some()) {
                let back = usize::from(rank[edge.to] <= rank[edge.from]);
                // The last round ends where another would begin, but not before what fails on the way there.
                let to = copy(edge.to, round + back);
                edges.push(Edge { from: copy(edge.from, round), to, step: edge.step.clone() });
                originals.push(index);
            }
        }
        // Where the round after the last one would be.
        for data in graph.locations.values() {
            locations.push(LocationData::named(format!("{}_end", data.name)));
        }
        let notes = originals.iter().map(|edge| program.notes[*edge].clone()).collect();
        let graph = Graph { locations, entry: graph.entry, edges };
        Unrolled { program: Sequential { vars: program.vars.clone(), graph, notes }, originals }
    }

    pub fn original_path(&self, original: &Sequential, path: &Path) -> Result<Path, String> {
        let edges: Vec<usize> = path.edges.iter().map(|edge| self.originals[*edge]).collect();
        let initial = path.states.first().ok_or("the path has no states")?;
        execute(original, &edges, initial, &path.choices)
    }
}
