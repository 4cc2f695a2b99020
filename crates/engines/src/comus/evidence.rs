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
use system::{Prepared, Taken, Translated};
use system::{VarKind, location_value};

impl Search<'_> {
    pub fn proof(&mut self, ints: Ints) -> Proof {
        let knowledge = &self.knowledge;
        let ranges = knowledge.ranges().map_or_else(Vec::new, |known| {
            known
                .values()
                .map(|places| places.values().map(|r| r.as_ref().map(|r| r.values().copied().collect())).collect())
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
        let at = |node: checkers::Node| {
            invariants[node].rename(&mut |var| if space.is_start(var) { space.old(space.base(var)) } else { var })
        };
        let before = |node: &(Option<checkers::Node>, checkers::Node)| node.0.map_or(Formula::True, at);
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
    let mut state: Vec<Linear> = system.vars.ids().map(Linear::var).collect();
    let mut conditions = vec![system.initial.clone()];
    conditions.extend(
        system.vars.ids().filter(|var| system.vars[*var].kind != VarKind::Input).map(|var| system.in_range(var)),
    );
    for thread in system.threads.values() {
        state[thread.pc.index()] = Linear::constant(location_value(thread.entry));
    }
    let mut asked: Vec<Vec<(Var, Var)>> = Vec::new();
    for &(thread, edge) in steps {
        let edge = &system.threads[thread].edges[edge];
        let inputs: Vec<(Var, Var)> = edge.inputs.iter().map(|input| (*input, fresh())).collect();
        for (input, new) in &inputs {
            conditions.push(system.in_range(*input).rename(&mut |var| if var == *input { *new } else { var }));
            state[input.index()] = Linear::var(*new);
        }
        conditions.push(edge.guard.substitute(&mut |var| Some(state[var.index()].clone())));
        let mut values = Vec::new();
        for (var, value) in &edge.updates {
            let value = value.substitute(&mut |var| Some(state[var.index()].clone()));
            // Large terms have a name, lest they double at each step.
            values.push((
                *var,
                if value.size() <= 8 {
                    value
                } else {
                    let name = Linear::var(fresh());
                    conditions.push(Formula::eq(&name, &value));
                    name
                },
            ));
        }
        values.into_iter().for_each(|(var, value)| state[var.index()] = value);
        asked.push(inputs);
    }
    let model = match Solver::of(&Formula::and(conditions)).check(&[], budget) {
        Answer::Sat(model) => model,
        Answer::Unsat(_) => return unconfirmed("its steps do not follow each other".into()),
        Answer::Unknown => return unconfirmed("the solver gives no values".into()),
    };
    let mut taken = Vec::new();
    for (&(thread, edge), inputs) in steps.iter().zip(&asked) {
        for &part in &prepared.parts[thread][edge] {
            let asks = &translated.system.threads[thread].edges[part].inputs;
            let inputs = inputs.iter().filter(|(input, _)| asks.contains(input));
            let inputs = inputs.map(|(input, new)| (*input, model.value(*new))).collect();
            taken.push(Taken { thread, edge: part, inputs });
        }
    }
    match translated.trace(code, &|var| model.value(var), &taken) {
        Ok(trace) => Outcome::Unsafe(trace),
        Err(why) => unconfirmed(why),
    }
}
