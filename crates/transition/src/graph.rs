//! Graphs of locations, with steps on their edges.

use crate::Step;
use base::{IdVec, Pos, graph};
use formula::Var;
use rustc_hash::FxHashSet;

base::id!(
    /// A location of one graph; of a thread of a system its number is the value of the thread's `pc`.
    pub struct Location, "l"
);

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocationData {
    pub name: String,
    pub pos: Pos,
}

impl LocationData {
    /// One that is nowhere in the user's program.
    pub fn named(name: impl Into<String>) -> Self {
        LocationData { name: name.into(), pos: Pos::NONE }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub from: Location,
    pub to: Location,
    pub step: Step,
}

/// Control starts at the entry, and chooses freely among the edges that leave a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    pub locations: IdVec<Location, LocationData>,
    pub entry: Location,
    pub edges: Vec<Edge>,
}

/// An edge made of others.
#[derive(Clone, Debug)]
pub struct Joined {
    pub edge: Edge,
    /// The edges that it consists of, in order.  Its inputs are theirs, one after the other, but for names of terms.
    pub parts: Vec<usize>,
}

impl Graph {
    /// The indices of the edges that leave each location, in the order of the graph.
    pub fn leaving(&self) -> IdVec<Location, Vec<usize>> {
        self.grouped(|edge| edge.from)
    }
    /// The indices of the edges that enter each location.
    pub fn entering(&self) -> IdVec<Location, Vec<usize>> {
        self.grouped(|edge| edge.to)
    }
    fn grouped(&self, by: impl Fn(&Edge) -> Location) -> IdVec<Location, Vec<usize>> {
        let mut groups = IdVec::filled(Vec::new(), self.locations.len());
        for (index, edge) in self.edges.iter().enumerate() {
            groups[by(edge)].push(index);
        }
        groups
    }
    fn successors(&self) -> IdVec<Location, Vec<Location>> {
        let mut next = IdVec::filled(Vec::new(), self.locations.len());
        self.edges.iter().for_each(|edge| next[edge.from].push(edge.to));
        next
    }
    /// The locations that the entry leads to, in an order in which every edge goes forward unless it closes a cycle.
    pub fn reverse_postorder(&self) -> Vec<Location> {
        graph::reverse_postorder(self.entry, &self.successors())
    }
    /// Whether control comes to no location twice.
    pub fn is_acyclic(&self) -> bool {
        graph::is_acyclic(self.entry, &self.successors())
    }
    /// By location: what may be written from there on.
    pub fn still_written(&self) -> IdVec<Location, FxHashSet<Var>> {
        let mut written: IdVec<Location, FxHashSet<Var>> = IdVec::filled(FxHashSet::default(), self.locations.len());
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for edge in &self.edges {
                let more: Vec<Var> = edge.step.written().chain(written[edge.to].iter().copied()).collect();
                let here = &mut written[edge.from];
                more.into_iter().for_each(|var| changed |= here.insert(var));
            }
        }
        written
    }
}

impl Joined {
    /// The edges of a graph, each by itself.
    pub fn all(graph: &Graph) -> Vec<Joined> {
        let edges = graph.edges.iter().enumerate();
        edges.map(|(index, edge)| Joined { edge: edge.clone(), parts: vec![index] }).collect()
    }
    /// Both edges, one after the other.
    pub fn then(&self, next: &Joined) -> Joined {
        let step = self.edge.step.then(&next.edge.step);
        let edge = Edge { from: self.edge.from, to: next.edge.to, step };
        Joined { edge, parts: [self.parts.as_slice(), &next.parts].concat() }
    }
    /// The same without failing.
    pub fn unchecked(&self) -> Joined {
        let edge = Edge { step: self.edge.step.unchecked(), ..self.edge.clone() };
        Joined { edge, parts: self.parts.clone() }
    }
    /// The values of the inputs of each part, from those of the whole.
    pub fn split_inputs<T: Copy>(parts: &[usize], whole: &Step, edges: &[Edge], values: &[T]) -> Vec<Vec<T>> {
        let mut chosen = whole.inputs.iter().zip(values).filter(|(input, _)| !input.named).map(|(_, value)| *value);
        let mut of = |part: &usize| {
            let inputs = &edges[*part].step.inputs;
            inputs.iter().filter_map(|input| if input.named { None } else { chosen.next() }).collect()
        };
        parts.iter().map(&mut of).collect()
    }
}
