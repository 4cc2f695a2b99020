//! What matters: the variables that decide whether steps can be taken, or fail.

use crate::{Edge, Graph, Location};
use base::{BitSet, Id, IdVec};
use formula::Var;
use rustc_hash::FxHashSet;

/// The variables on which a guard or a failure depends, however indirectly, and these.
pub fn that_matter<'e>(edges: impl Iterator<Item = &'e Edge> + Clone, also: &[Var]) -> FxHashSet<Var> {
    let mut matters: FxHashSet<Var> = also.iter().copied().collect();
    for edge in edges.clone() {
        edge.step.guard.visit_vars(&mut |var| _ = matters.insert(var));
        edge.step.fails.visit_vars(&mut |var| _ = matters.insert(var));
    }
    loop {
        let before = matters.len();
        for (var, value) in edges.clone().flat_map(|edge| &edge.step.updates) {
            if matters.contains(var) {
                value.visit_vars(&mut |var| _ = matters.insert(var));
            }
        }
        if matters.len() == before {
            return matters;
        }
    }
}

/// What can still be part of a failing execution, by location.
#[derive(Clone, Debug)]
pub struct Live {
    /// Whether an execution comes here (as far as the graph tells) that may still fail.
    locations: IdVec<Location, bool>,
    /// The variables whose values may decide whether an execution from here fails.
    vars: IdVec<Location, BitSet>,
}

impl Live {
    pub fn of(graph: &Graph) -> Self {
        let order = graph.reverse_postorder();
        let leaving = graph.leaving();
        let count = graph.locations.len();
        let mut live = Live { locations: IdVec::filled(false, count), vars: IdVec::filled(BitSet::new(), count) };
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &location in order.iter().rev() {
                for edge in leaving[location].iter().map(|edge| &graph.edges[*edge]) {
                    if live.matters(edge) {
                        changed |= !std::mem::replace(&mut live.locations[location], true);
                        let before = live.before(edge);
                        changed |= live.vars[location].union_with(&before);
                    }
                }
            }
        }
        live
    }
    /// Whether the location is on a path through the graph from the entry to a failure.
    pub fn has(&self, location: Location) -> bool {
        self.locations[location]
    }
    /// The variables that matter at a location, ascending.
    pub fn vars(&self, location: Location) -> Vec<Var> {
        self.vars[location].iter().map(Var::new).collect()
    }
    /// Whether the edge can be part of a failing execution.
    pub fn matters(&self, edge: &Edge) -> bool {
        self.locations[edge.to] || edge.step.fails != formula::Formula::False
    }
    /// The variables that matter before the edge.
    fn before(&self, edge: &Edge) -> BitSet {
        let mut live = BitSet::new();
        let mut see = |var: Var| {
            if var.as_input().is_none() {
                live.insert(var.index());
            }
        };
        edge.step.fails.visit_vars(&mut see);
        if self.locations[edge.to] {
            edge.step.guard.visit_vars(&mut see);
            let after = &self.vars[edge.to];
            let needed = edge.step.updates.iter().filter(|(var, _)| after.contains(var.index()));
            needed.for_each(|(_, value)| value.visit_vars(&mut see));
            after.iter().map(Var::new).filter(|var| !edge.step.writes(*var)).for_each(&mut see);
        }
        live
    }
}
