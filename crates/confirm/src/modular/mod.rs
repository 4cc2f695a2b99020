//! Confirms a proof thread by thread ([`claim::modular::Modular`]): everything that it states is shown anew, with questions to
//! the solver that are made here.  `docs/modular-proofs.md` argues why that is enough.
//!
//! 1. The order is one of all threads, formulas speak of variables that there are.
//! 2. The ranges hold (`boxes`).
//! 3. Each lemma holds, given the ranges and the lemmas before it.  One thread is looked at (`graph`), as a sequential
//!    program in which the other threads move at every location as far as what is known of them allows (`question`, `writers`).  If it has no cycle
//!    it is followed to its end (`follow`), else its invariants are checked (`inductive`).
//! 4. `failed == 0` holds in the same sense of the first thread and all others.
//!
//! **What is taken for granted.**  The system: that it can do whatever violation the program can, and that the declared ranges of its
//! variables hold in every state that can be reached.  `docs/trust.md` says what of that is shown elsewhere, and what is believed.
//! Answers of the solver that a question has no solution are trusted as well.  An answer that does not come is no answer:
//! the proof is refused.

pub(crate) mod boxes;
mod follow;
mod graph;
mod inductive;
mod lemmas;
pub(crate) mod question;
pub(crate) mod scene;
mod writers;

use crate::ensure;
use base::{Budget, Id};
use claim::modular::{Invariants, Modular};
use formula::Formula;
use lemmas::Lemmas;
use question::Question;
use system::{System, ThreadId};

/// Shows that no execution of the system sets `failed`, along the proof.
pub fn check(proof: &Modular, system: &System, budget: &Budget) -> Result<(), String> {
    well_formed(proof, system)?;
    match proof.ranges.is_empty() {
        true => boxes::check_failing(system, budget)?,
        false => boxes::check(&proof.ranges, system, budget)?,
    }
    let order: Vec<ThreadId> = proof.order.iter().map(|thread| ThreadId::new(*thread)).collect();
    let mut lemmas = Lemmas::new(proof, system, &order);
    for (number, lemma) in proof.lemmas.iter().enumerate() {
        let question = lemmas.question(lemma.level + 1, lemma.formula.clone(), lemma.invariants.as_ref(), true);
        answer(&question, budget).map_err(|why| {
            let name = |var| system.name_in_move(var);
            format!("lemma {} ({}): {why}", number + 1, lemma.formula.display(&name))
        })?;
        lemmas.established(number, budget);
    }
    let safe = Formula::is(&system.failed.into(), 0);
    let question = lemmas.question(0, safe, proof.main.as_ref(), false);
    answer(&question, budget).map_err(|why| format!("the property: {why}"))
}

fn answer(question: &Question<'_>, budget: &Budget) -> Result<(), String> {
    budget.check().map_err(|_| crate::SPENT)?;
    match question.invariants {
        Some(invariants) => inductive::check(question, invariants, budget),
        None if question.graph.cyclic => Err(format!(
            "{} has a cycle, and there are no invariants",
            question.system.threads[question.graph.thread].name
        )),
        None => follow::check(question, budget),
    }
}

fn well_formed(proof: &Modular, system: &System) -> Result<(), String> {
    let mut sorted = proof.order.clone();
    sorted.sort_unstable();
    let are_all = !sorted.is_empty() && sorted.into_iter().eq(0..system.threads.len());
    ensure(are_all, "the order of the threads is not one of all of them")?;
    for lemma in &proof.lemmas {
        if lemma.level + 1 >= system.threads.len() {
            return Err(format!("a lemma of level {}, at which there are no other threads", lemma.level));
        }
        about_states(&lemma.formula, system, 2)?;
        lemma.invariants.iter().try_for_each(|invariants| invariants_about_states(invariants, system))?;
    }
    proof.main.iter().try_for_each(|invariants| invariants_about_states(invariants, system))
}

fn invariants_about_states(invariants: &Invariants, system: &System) -> Result<(), String> {
    invariants.before.iter().try_for_each(|formula| about_states(formula, system, 1))?;
    invariants.during.iter().try_for_each(|formula| about_states(formula, system, 2))
}

/// The formula mentions no variables but those of so many states.
pub(crate) fn about_states(formula: &Formula, system: &System, states: usize) -> Result<(), String> {
    let are_there = formula.vars().into_iter().all(|var| var.index() < states * system.vars.len());
    ensure(are_there, "a formula mentions a variable that is not part of the state")
}
