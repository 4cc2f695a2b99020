//! What has been established so far, and what of it may be used where.

use super::graph::Graph;
use super::question::{Question, solver_of};
use super::scene::Scene;
use super::writers::Writers;
use base::{Budget, Id};
use claim::modular::{Invariants, Modular};
use formula::{Formula, Var};
use system::{System, ThreadId};

pub struct Lemmas<'p> {
    proof: &'p Modular,
    system: &'p System,
    order: &'p [ThreadId],
    writers: Writers,
    /// What holds in every state that can be reached.
    always: Vec<Formula>,
    /// By level, what holds between the first and the last state of every computation of its environment, and whether it is
    /// transitive.
    moves: Vec<Vec<(Formula, bool)>>,
}

impl<'p> Lemmas<'p> {
    pub fn new(proof: &'p Modular, system: &'p System, order: &'p [ThreadId]) -> Self {
        let writers = Writers::new(proof, system);
        Lemmas { proof, system, order, writers, always: Vec::new(), moves: vec![Vec::new(); order.len()] }
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
        let transitive = self.is_transitive(lemma.level, &lemma.formula, budget);
        self.moves[lemma.level].push((lemma.formula.clone(), transitive));
    }

    /// Whether two moves of the environment are as good as one; what it does not write is the same in all three states.
    fn is_transitive(&self, level: usize, relation: &Formula, budget: &Budget) -> bool {
        let count = self.system.vars.len();
        let mentioned = relation.vars().into_iter().map(|var| var.index() % count).collect();
        let below = self.order[level + 1..].iter();
        let environment = below.flat_map(|thread| self.system.written_by(*thread)).map(Var::index).collect();
        let mut scene = Scene::new(self.system, mentioned);
        let first = scene.unknown();
        let second = scene.disturbed(&first, &environment);
        let third = scene.disturbed(&second, &environment);
        let mut solver = solver_of(&mut scene);
        solver.assert(&second.since(&first, relation));
        solver.assert(&third.since(&second, relation));
        solver.implies(&third.since(&first, relation), budget) == Some(true)
    }
}
