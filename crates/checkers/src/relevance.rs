//! What matters for the assertions: the arcs that can be part of a failing execution, and the variables that such an
//! execution depends on, by node.  Everything else is left out of formulas, which decides how fast they are.

use crate::{Arc, Node, Sequential, Statement};
use base::{BitSet, Id, IdVec};
use formula::Var;

/// The parts of a program that its assertions depend on.
#[derive(Clone, Debug)]
pub struct Relevance {
    /// By node: whether an execution comes here (as far as the graph tells) that may still fail.
    nodes: IdVec<Node, bool>,
    /// By node: the variables whose values may decide whether an execution from here fails.
    live: IdVec<Node, BitSet>,
}

impl Relevance {
    pub fn of(program: &Sequential) -> Self {
        let order = program.reverse_postorder();
        let leaving = program.leaving();
        let mut nodes = IdVec::filled(false, program.nodes.len());
        let mut live: IdVec<Node, BitSet> = IdVec::filled(BitSet::new(), program.nodes.len());
        let mut relevance = Relevance { nodes: nodes.clone(), live: live.clone() };
        loop {
            let mut changed = false;
            for &node in order.iter().rev() {
                for &arc in &leaving[node] {
                    let arc = &program.edges[arc];
                    if relevance.matters(arc).is_none() {
                        continue;
                    }
                    changed |= !std::mem::replace(&mut nodes[node], true);
                    changed |= live[node].union_with(&relevance.live_before(arc, 0));
                }
            }
            if !changed {
                return relevance;
            }
            relevance = Relevance { nodes: nodes.clone(), live: live.clone() };
        }
    }

    /// Whether the node is part of a path through the graph from the entry to an assertion.
    pub fn has_node(&self, node: Node) -> bool {
        self.nodes[node]
    }
    /// The variables that matter at a node, ascending.
    pub fn vars(&self, node: Node) -> Vec<Var> {
        self.live[node].iter().map(Var::new).collect()
    }

    /// How many statements of the arc matter, from its first one; nothing if the arc does not.
    pub fn matters(&self, arc: &Arc) -> Option<usize> {
        if self.nodes[arc.to] {
            return Some(arc.statements.len());
        }
        let last = arc.statements.iter().rposition(|statement| matches!(statement, Statement::Assert(_)));
        last.map(|last| last + 1)
    }

    /// The variables that matter on the arc before its statement `place`.
    pub fn live_before(&self, arc: &Arc, place: usize) -> BitSet {
        let mut live = if self.nodes[arc.to] { self.live[arc.to].clone() } else { BitSet::new() };
        let end = self.matters(arc).unwrap_or(0).max(place);
        for statement in arc.statements[place..end].iter().rev() {
            let needed = match statement.written() {
                Some(var) => {
                    let was_live = live.contains(var.index());
                    live.remove(var.index());
                    was_live
                }
                None => true,
            };
            if needed {
                statement.visit_reads(&mut |var| {
                    live.insert(var.index());
                });
            }
        }
        live
    }
}
