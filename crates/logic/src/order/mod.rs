//! The theory of order inside the SAT solver: a graph whose edges depend on literals, and that must be acyclic.
//!
//! Clauses that forbid every cycle would be far too many.  Instead CaDiCaL tells us of each assignment (its external
//! propagator interface, IPASIR-UP); an edge that closes a cycle is answered with the clause that forbids this cycle, and
//! an edge that would close one is propagated to be absent, with the reason given when the solver asks.  Whatever is
//! missed on the way, each model is checked as a whole before it counts.
//!
//! The solver's view is a stack: levels are opened and taken back, assignments of a level go with it.  Assignments that
//! outlive their level are told again, those at the root may be told more than once.

mod graph;

use cadical_sys::ExternalPropagator;
use graph::{Edge, Graph};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};

/// How many edges are looked at, in each direction, to find edges that must be absent.
const EFFORT: usize = 200;

#[derive(Default)]
pub struct Order {
    graph: Graph,
    placed: Vec<bool>,
    /// The edges of each literal.
    edges_of: FxHashMap<i32, Vec<u32>>,
    /// Edges that depend on literals, by their sources.
    candidates: Vec<Vec<u32>>,
    /// Edges that are always there but could not be placed yet, because of edges that will go.
    waiting: Vec<u32>,
    /// For each variable 1, -1, or 0 for unassigned.
    values: Vec<i8>,
    trail: Vec<i32>,
    /// The length of the trail where each level began.
    levels: Vec<usize>,
    /// Clauses that forbid cycles that have appeared.
    conflicts: VecDeque<Vec<i32>>,
    /// The clause being handed over, from its end.
    handing: Option<Vec<i32>>,
    /// Literals that must hold, with their reasons.
    implied: VecDeque<(i32, Vec<i32>)>,
    reasons: FxHashMap<i32, Vec<i32>>,
    explaining: Option<Vec<i32>>,
}

impl Order {
    pub fn add_node(&mut self) -> u32 {
        self.candidates.push(Vec::new());
        self.graph.add_node()
    }
    pub fn nodes(&self) -> usize {
        self.graph.nodes()
    }

    /// An edge that is always there.
    pub fn add_fixed(&mut self, from: u32, to: u32) {
        let edge = self.add(from, to, 0);
        self.place_fixed(edge);
    }

    /// An edge that is there when the solver's literal holds.
    pub fn add_conditional(&mut self, label: i32, from: u32, to: u32) {
        let edge = self.add(from, to, label);
        self.edges_of.entry(label).or_default().push(edge);
        self.candidates[from as usize].push(edge);
        if self.value(label) > 0 {
            self.place(edge);
        }
    }

    fn add(&mut self, from: u32, to: u32, label: i32) -> u32 {
        let edge = self.graph.edges.len() as u32;
        self.graph.edges.push(Edge { from, to, label });
        self.placed.push(false);
        edge
    }

    fn value(&self, lit: i32) -> i8 {
        let value = self.values.get(lit.unsigned_abs() as usize).copied().unwrap_or(0);
        if lit < 0 { -value } else { value }
    }
    fn assign(&mut self, lit: i32, value: i8) {
        let variable = lit.unsigned_abs() as usize;
        if self.values.len() <= variable {
            self.values.resize(variable + 1, 0);
        }
        self.values[variable] = if lit < 0 { -value } else { value };
    }

    fn place(&mut self, edge: u32) {
        let mut cycle = Vec::new();
        if self.graph.place(edge, &mut cycle) {
            self.placed[edge as usize] = true;
            self.find_implied(edge);
        } else {
            let clause = self.refutation(&cycle);
            self.conflicts.push_back(clause);
        }
    }

    fn place_fixed(&mut self, edge: u32) {
        self.place(edge);
        if !self.placed[edge as usize] {
            self.waiting.push(edge);
        }
    }

    /// Not all of the edges at once.
    fn refutation(&self, edges: &[u32]) -> Vec<i32> {
        let mut clause: Vec<i32> =
            edges.iter().map(|&edge| -self.graph.edges[edge as usize].label).filter(|&lit| lit != 0).collect();
        clause.sort_unstable();
        clause.dedup();
        clause
    }

    /// Edges that would lead back from what the new edge reaches to what reaches it.
    fn find_implied(&mut self, edge: u32) {
        self.graph.explore(edge, EFFORT);
        let mut found = Vec::new();
        for &node in self.graph.reached() {
            for &candidate in &self.candidates[node as usize] {
                let Edge { to, label, .. } = self.graph.edges[candidate as usize];
                if self.value(label) == 0 && self.graph.leads_to(to) {
                    found.push(candidate);
                }
            }
        }
        for candidate in found {
            let Edge { from, to, .. } = self.graph.edges[candidate as usize];
            let mut cycle = vec![candidate];
            self.graph.path_through(edge, to, from, &mut cycle);
            let reason = self.refutation(&cycle);
            self.implied.push_back((-self.graph.edges[candidate as usize].label, reason));
        }
    }

    /// A cycle among the edges that are always there and those whose literals satisfy `holds`.
    fn cycle(&self, holds: impl Fn(i32) -> bool) -> Option<Vec<u32>> {
        let (_, incoming) = self.sorted(&holds);
        let start = incoming.iter().position(|&count| count > 0)?;
        // Each node that is left has a predecessor that is left: going back must come to a node for the second time.
        let mut before = vec![None; self.nodes()];
        for (number, edge) in self.graph.edges.iter().enumerate() {
            let left = incoming[edge.from as usize] > 0 && incoming[edge.to as usize] > 0;
            if left && (edge.label == 0 || holds(edge.label)) {
                before[edge.to as usize] = Some(number as u32);
            }
        }
        let mut seen = vec![false; self.nodes()];
        let mut node = start;
        while !seen[node] {
            seen[node] = true;
            node = self.graph.edges[before[node]? as usize].from as usize;
        }
        let mut cycle = Vec::new();
        let last = node;
        loop {
            let edge = before[node]?;
            cycle.push(edge);
            node = self.graph.edges[edge as usize].from as usize;
            if node == last {
                return Some(cycle);
            }
        }
    }

    /// The nodes in an order that all edges agree with, the lowest number first where there is a choice.
    pub fn topological(&self, holds: impl FnMut(i32) -> bool) -> Vec<usize> {
        let (order, _) = self.sorted(holds);
        assert_eq!(order.len(), self.nodes(), "a model has no cycle");
        order
    }

    /// As many nodes as have such an order, and for each node from how many of the others edges lead to it.
    fn sorted(&self, mut holds: impl FnMut(i32) -> bool) -> (Vec<usize>, Vec<u32>) {
        let mut incoming = vec![0u32; self.nodes()];
        let mut outgoing = vec![Vec::new(); self.nodes()];
        for edge in &self.graph.edges {
            if edge.label == 0 || holds(edge.label) {
                incoming[edge.to as usize] += 1;
                outgoing[edge.from as usize].push(edge.to as usize);
            }
        }
        let mut free: BTreeSet<usize> = (0..self.nodes()).filter(|&node| incoming[node] == 0).collect();
        let mut order = Vec::with_capacity(self.nodes());
        while let Some(node) = free.pop_first() {
            order.push(node);
            for &to in &outgoing[node] {
                incoming[to] -= 1;
                if incoming[to] == 0 {
                    free.insert(to);
                }
            }
        }
        (order, incoming)
    }
}

impl ExternalPropagator for Order {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        for &lit in lits {
            if self.value(lit) > 0 {
                continue;
            }
            self.assign(lit, 1);
            self.trail.push(lit);
            let edges = self.edges_of.remove(&lit);
            for &edge in edges.iter().flatten() {
                self.place(edge);
            }
            if let Some(edges) = edges {
                self.edges_of.insert(lit, edges);
            }
        }
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        let Some(&length) = self.levels.get(new_level) else { return };
        self.levels.truncate(new_level);
        while self.trail.len() > length {
            let Some(lit) = self.trail.pop() else { break };
            self.assign(lit, 0);
            for &edge in self.edges_of.get(&lit).into_iter().flatten().rev() {
                if std::mem::take(&mut self.placed[edge as usize]) {
                    self.graph.remove(edge);
                }
            }
        }
        self.implied.clear();
        for edge in std::mem::take(&mut self.waiting) {
            self.place_fixed(edge);
        }
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        let mut holds = vec![false; self.values.len()];
        for &lit in model {
            let variable = lit.unsigned_abs() as usize;
            if holds.len() <= variable {
                holds.resize(variable + 1, false);
            }
            holds[variable] = lit > 0;
        }
        let cycle = self.cycle(|lit| holds.get(lit.unsigned_abs() as usize).is_some_and(|&value| value == (lit > 0)));
        let clause = cycle.as_ref().map(|cycle| self.refutation(cycle));
        self.conflicts.extend(clause);
        cycle.is_none()
    }

    fn cb_propagate(&mut self) -> i32 {
        if !self.conflicts.is_empty() {
            return 0;
        }
        while let Some((lit, reason)) = self.implied.pop_front() {
            // A reason found later must not replace the one by which the solver has assigned the literal.
            if self.value(lit) <= 0 {
                self.reasons.insert(lit, reason);
                return lit;
            }
        }
        0
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        let reasons = &self.reasons;
        let reason = self.explaining.get_or_insert_with(|| reasons[&propagated].clone());
        match reason.pop() {
            Some(lit) => lit,
            None => {
                self.explaining = None;
                0
            }
        }
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = true;
        if self.handing.is_none() {
            self.handing = self.conflicts.pop_front();
        }
        self.handing.is_some()
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        match self.handing.as_mut().and_then(Vec::pop) {
            Some(lit) => lit,
            None => {
                self.handing = None;
                0
            }
        }
    }
}
