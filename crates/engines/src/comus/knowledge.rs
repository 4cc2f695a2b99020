//! What a run has learnt.

use super::space::{Fresh, Space};
use crate::symbolic::own_step;
use formula::{Formula, Var};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use system::ranges::Known;
use system::{Interference, Location, System, Thread, ThreadId, VarKind, location_value};

/// What no move of the environment of a level does.
#[derive(Clone, Debug)]
pub struct Lemma {
    /// Holds of the states before (as old) and after each of its moves.
    pub formula: Formula,
    /// Also of any number of moves, where nobody else moves what it speaks of.
    pub transitive: bool,
}

/// What is known so far.
pub struct Knowledge<'s> {
    pub system: &'s System,
    pub space: Space,
    /// Who is main at which level.
    pub order: Vec<ThreadId>,
    /// By level.
    pub lemmas: Vec<Vec<Lemma>>,
    /// Hold in every reachable state.
    pub invariants: Vec<Formula>,
    /// All of it in the order in which it was proved.
    pub history: Vec<claim::modular::Lemma>,
    /// By thread and location, if they were computed.
    pub ranges: Option<Known>,
    interference: Interference,
    /// By level: what its thread writes, and reads.
    written: Vec<FxHashSet<Var>>,
    read: Vec<FxHashSet<Var>>,
    /// By level: its thread has no cycle.
    pub acyclic: Vec<bool>,
}

impl<'s> Knowledge<'s> {
    pub fn new(system: &'s System, order: Vec<ThreadId>, ranges: Option<Known>) -> Self {
        let written = order.iter().map(|thread| system.written_by(*thread).collect()).collect();
        let read = order.iter().map(|thread| read_by(system, *thread)).collect();
        let acyclic = order.iter().map(|thread| system.threads[*thread].graph.is_acyclic()).collect();
        Knowledge {
            system,
            space: Space::new(system),
            lemmas: vec![Vec::new(); order.len()],
            order,
            invariants: Vec::new(),
            history: Vec::new(),
            interference: Interference::new(system, ranges.as_ref()),
            ranges,
            written,
            read,
            acyclic,
        }
    }
    /// Whether threads below the level, or else all others, may change the variable while the level's thread is there.
    pub fn changes_at(&self, level: usize, at: Location, var: Var, below: bool) -> bool {
        let thread = self.order[level];
        let changes = |other: &ThreadId| self.interference.changes(thread, at, *other, var);
        self.order[level + 1..].iter().any(changes) || !below && self.changes_above_at(level, at, var)
    }
    /// Whether threads above the level may change the variable while the level's thread is there.
    pub fn changes_above_at(&self, level: usize, at: Location, var: Var) -> bool {
        let thread = self.order[level];
        self.order[..level].iter().any(|other| self.interference.changes(thread, at, *other, var))
    }
    /// Whether threads below the level may change the variable.
    pub fn changes(&self, level: usize, var: Var) -> bool {
        self.written[level + 1..].iter().any(|written| written.contains(&var))
    }
    /// What the threads below the level write or read.
    pub fn relevant_below(&self, level: usize) -> BTreeSet<Var> {
        self.written[level + 1..].iter().chain(&self.read[level + 1..]).flatten().copied().collect()
    }
    /// Lemmas about what is below the level's environment are given up.
    pub fn forget_below(&mut self, level: usize) {
        self.lemmas[level + 1..].iter_mut().for_each(Vec::clear);
    }
    pub fn is_pc(&self, var: Var) -> bool {
        self.system.vars.get(var).is_some_and(|data| matches!(data.kind, VarKind::Pc(_)))
    }
    /// What is known of the variable where the thread is at the location.
    pub fn range_at(&self, thread: ThreadId, at: Location, var: Var) -> Formula {
        match &self.ranges {
            Some(known) => {
                known[thread][at].as_ref().map_or(Formula::False, |known| Formula::within(known[var], &var.into()))
            }
            None => self.system.in_range(var),
        }
    }
    /// Where the thread's edge leads to states as described, with the inputs it asks for, which are new variables.
    pub fn precondition(
        &self,
        (thread, edge): (ThreadId, usize),
        after: &Formula,
        fresh: &mut Fresh,
    ) -> (Formula, Vec<Var>) {
        let Thread { pc, graph, .. } = &self.system.threads[thread];
        let edge = &graph.edges[edge];
        let inputs: Vec<Var> = edge.step.inputs.iter().map(|_| fresh.var()).collect();
        let here = Formula::is(&(*pc).into(), location_value(edge.from));
        let before = Formula::and([here, own_step(self.system, thread, edge).pre(after)]);
        (before.rename(&mut |var| var.as_input().map_or(var, |input| inputs[input])), inputs)
    }
    pub fn add(&mut self, level: usize, lemma: Lemma, invariants: Option<claim::modular::Invariants>) {
        self.history.push(claim::modular::Lemma { level, formula: lemma.formula.clone(), invariants });
        // What does not depend on the state before holds of moves of length zero too: always.
        match self.space.mentions_old(&lemma.formula) {
            true => self.lemmas[level].push(lemma),
            false => self.invariants.push(lemma.formula),
        }
    }
}

/// The variables that the thread reads, its `pc` among them.
pub fn read_by(system: &System, thread: ThreadId) -> FxHashSet<Var> {
    let mut read = FxHashSet::default();
    for edge in &system.threads[thread].graph.edges {
        edge.step.visit_reads(&mut |var| _ = read.insert(var));
    }
    read.insert(system.threads[thread].pc);
    read
}
