//! What has been established so far, and what of it may be used where.

use super::graph::Graph;
use super::question::{Question, assert_facts};
use super::scene::Scene;
use super::writers::Writers;
use base::{Budget, Id};
use claim::modular::{Invariants, Modular};
use formula::Formula;
use smt::Solver;
use system::{System, ThreadId};

pub struct Lemmas<'p> {
    proof: &'p Modular,
    system: &'p System,
    order: &'p [ThreadId],
    writers: Writers<'p>,
    /// What holds in every state that can be reached.
    always: Vec<Formula>,
    /// By level, what holds between the first and the last state of every computation of its environment.
    moves: Vec<Vec<Formula>>,
    /// Those of them that are transitive.
    transitive: Vec<Vec<Formula>>,
}

impl<'p> Lemmas<'p> {
    pub fn new(proof: &'p Modular, system: &'p System, order: &'p [ThreadId]) -> Self {
        let none = vec![Vec::new(); order.len()];
        Lemmas {
            proof,
            system,
            order,
            writers: Writers::new(proof, system),
            always: Vec::new(),
            moves: none.clone(),
            transitive: none,
        }
    }

    /// What is asked about the thread of a level, with what has been established.
    pub fn question(
        &self,
        level: usize,
        goal: Formula,
        invariants: Option<&'p Invariants>,
        anywhere: bool,
    ) -> Question<'p> {
        let thread = self.order[level];
        let others: Vec<ThreadId> = self.order.iter().copied().filter(|other| *other != thread).collect();
        Question {
            system: self.system,
            proof: self.proof,
            graph: Graph::new(self.system, self.proof, thread),
            others: self.writers.meanwhile(thread, &others),
            environment: self.writers.meanwhile(thread, &self.order[level + 1..]),
            above: self.writers.meanwhile(thread, &self.order[..level]),
            always: self.always.clone(),
            moves: self.moves[level].clone(),
            transitive: self.transitive[level].clone(),
            goal,
            invariants,
            anywhere,
        }
    }

    /// The lemma of this number has been established.
    pub fn established(&mut self, number: usize, budget: &Budget) {
        let lemma = &self.proof.lemmas[number];
        let count = self.system.vars.len();
        let mentions_old = lemma.formula.vars().iter().any(|var| var.index() >= count);
        if !mentions_old {
            // Of a computation without steps it says that it holds where that starts.
            self.always.push(lemma.formula.clone());
            return;
        }
        self.moves[lemma.level].push(lemma.formula.clone());
        if self.is_transitive(lemma.level, &lemma.formula, budget) {
            self.transitive[lemma.level].push(lemma.formula.clone());
        }
    }

    /// Whether two moves of the environment are as good as one; what it does not write is the same in all three states.
    fn is_transitive(&self, level: usize, relation: &Formula, budget: &Budget) -> bool {
        let count = self.system.vars.len();
        let mut mentioned = vec![false; count];
        relation.visit_vars(&mut |var| mentioned[var.index() % count] = true);
        let environment = self.writers.ever(&self.order[level + 1..]);
        let mut scene = Scene::new(self.system, mentioned);
        let first = scene.unknown();
        let second = scene.disturbed(&first, &environment);
        let third = scene.disturbed(&second, &environment);
        let mut solver = Solver::new();
        assert_facts(&mut solver, &mut scene);
        solver.assert(&second.since(&first, relation));
        solver.assert(&third.since(&second, relation));
        solver.implies(&third.since(&first, relation), budget) == Some(true)
    }
}
