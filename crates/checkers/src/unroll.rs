//! A program without cycles that has the executions of another which go back no more than a number of times.

use crate::interpret::{Path, execute};
use crate::{Arc, Node, Sequential};
use base::{Id, IdVec};

pub struct Unrolled {
    pub program: Sequential,
    /// By arc: the arc of the original program.
    originals: Vec<usize>,
}

impl Unrolled {
    /// The executions that take at most `times` arcs that lead back.
    pub fn of(program: &Sequential, times: usize) -> Self {
        let count = program.nodes.len();
        let mut rank: IdVec<Node, Option<usize>> = IdVec::filled(None, count);
        for (place, node) in program.reverse_postorder().into_iter().enumerate() {
            rank[node] = Some(place);
        }
        let copy = |node: Node, round: usize| Node::new(round * count + node.index());
        let mut nodes = IdVec::new();
        let (mut edges, mut originals) = (Vec::new(), Vec::new());
        for round in 0..=times {
            for name in program.nodes.values() {
                nodes.push(format!("{name}_{round}"));
            }
            for (index, arc) in program.edges.iter().enumerate().filter(|(_, arc)| rank[arc.from].is_some()) {
                let back = usize::from(rank[arc.to] <= rank[arc.from]);
                // The last round ends where another would begin, but not before the assertions on the way there.
                let to = copy(arc.to, round + back);
                edges.push(Arc { from: copy(arc.from, round), to, ..arc.clone() });
                originals.push(index);
            }
        }
        // Where the round after the last one would be.
        program.nodes.values().for_each(|name| {
            nodes.push(format!("{name}_end"));
        });
        let vars = program.vars.clone();
        Unrolled { program: Sequential { vars, nodes, entry: program.entry, edges }, originals }
    }

    pub fn original_path(&self, original: &Sequential, path: &Path) -> Result<Path, String> {
        let arcs: Vec<usize> = path.arcs.iter().map(|arc| self.originals[*arc]).collect();
        let initial = path.states.first().ok_or("the path has no states")?;
        execute(original, &arcs, initial, &path.choices)
    }
}
