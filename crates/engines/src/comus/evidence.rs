//! What a finished run has to show: the proof, or the execution.

use super::Steps;
use super::level::LevelProgram;
use super::search::{Search, Shown};
use base::{Budget, Id};
use claim::modular::{Ints, Invariants, Modular};
use claim::{Outcome, Proof, Reason};
use formula::{Formula, Linear, Var};
use ir::interp::Code;
use smt::{Answer, Solver};
use system::{Location, Prepared, Taken, Translated};
use transition::{Joined, State};

impl Search<'_> {
    pub fn proof(&mut self, ints: Ints) -> Proof {
        let knowledge = &self.knowledge;
        let ranges = knowledge.ranges().map_or_else(Vec::new, |known| {
            known
                .values()
                .map(|places| {
                    places.values().map(|r| r.as_ref().map(|r| r.state.values().copied().collect())).collect()
                })
                .collect()
        });
        Proof::Modular(Box::new(Modular {
            ints,
            order: knowledge.order.iter().map(|thread| thread.index()).collect(),
            ranges,
            lemmas: knowledge.history.clone(),
            main: self.main.take(),
        }))
    }

    /// The checker's invariants as a proof has them.
    pub fn show(&self, built: &LevelProgram, invariants: &checkers::Invariants) -> Shown {
        let space = self.knowledge.space;
        let at = |node: Location| {
            invariants[node].rename(&mut |var| if space.is_start(var) { space.old(space.base(var)) } else { var })
        };
        let before = |node: &(Option<Location>, Location)| node.0.map_or(Formula::True, at);
        Shown {
            invariants: Invariants {
                before: built.places.iter().map(before).collect(),
                during: built.places.iter().map(|node| at(node.1)).collect(),
            },
            judged: at(built.judge),
        }
    }
}

/// The execution of the program that takes these steps of the prepared system.
pub fn counterexample(
    translated: &Translated,
    prepared: &Prepared,
    code: &Code<'_>,
    steps: &Steps,
    budget: &Budget,
) -> Outcome {
    let unconfirmed = |why: String| {
        let why = match translated.notes.first() {
            Some(note) => format!("{why} ({} is approximated)", note.what),
            None => why,
        };
        Outcome::Unknown(Reason::Approximation(format!("a violation was found that the program may not have: {why}")))
    };
    let system = &prepared.system;
    let mut next = system.vars.len();
    let mut fresh = || {
        next += 1;
        Var::new(next - 1)
    };
    // Forwards from any initial state: terms over its values and the inputs.
    let mut state = State::default();
    let mut conditions = vec![system.initial.clone()];
    conditions.extend(system.vars.ids().map(|var| system.in_range(var)));
    let mut asked: Vec<Vec<Var>> = Vec::new();
    for &(thread, edge) in steps {
        let step = &system.threads[thread].graph.edges[edge].step;
        let inputs: Vec<Var> = step.inputs.iter().map(|_| fresh()).collect();
        let terms: Vec<Linear> = inputs.iter().copied().map(Linear::var).collect();
        let after = step.post(&mut |var| state.get(&var).cloned(), &terms).with_names(&mut fresh);
        conditions.push(after.possible);
        state.extend(after.values);
        asked.push(inputs);
    }
    let model = match Solver::of(&Formula::and(conditions)).check(&[], budget) {
        Answer::Sat(model) => model,
        Answer::Unsat(_) => return unconfirmed("its steps do not follow each other".into()),
        Answer::Unknown => return unconfirmed("the solver gives no values".into()),
    };
    let mut taken = Vec::new();
    for (&(thread, edge), inputs) in steps.iter().zip(&asked) {
        let values: Vec<i128> = inputs.iter().map(|input| model.value(*input)).collect();
        let whole = &system.threads[thread].graph.edges[edge].step;
        let originals = &translated.system.threads[thread].graph.edges;
        let parts = &prepared.parts[thread][edge];
        for (&edge, inputs) in parts.iter().zip(Joined::split_inputs(parts, whole, originals, &values)) {
            taken.push(Taken { thread, edge, inputs });
        }
    }
    match translated.trace(code, &|var| model.value(var), &taken) {
        Ok(trace) => Outcome::Unsafe(trace),
        Err(why) => unconfirmed(why),
    }
}
