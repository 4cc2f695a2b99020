//! What engines share that decide systems over integers: in which ways integers are read, and the way from steps of a system
//! to an execution of the program.

use crate::{Problem, Symbolic};
use base::{Budget, Id};
use claim::modular::Ints;
use claim::{Outcome, Reason};
use formula::{Formula, Linear, Var};
use smt::{Answer, Solver};
use system::{Edge, Step, System, Taken, ThreadId, location_value};
use transition::{Joined, State};

/// A computation: who moves along which of their edges.
pub type Steps = Vec<(ThreadId, usize)>;

/// Decides by one way to read integers after the other.  An attempt gives the steps to a violation, or else what there is to
/// say.
pub fn decide(
    ints: Ints,
    problem: &Problem<'_>,
    budget: &Budget,
    attempt: &mut dyn FnMut(Ints, &Symbolic) -> Result<Steps, Outcome>,
) -> Outcome {
    let ways: &[Ints] = match ints {
        // It is simpler to show that nothing wraps than to follow what wraps.
        Ints::Machine => &[Ints::Unwrapped, Ints::Machine],
        Ints::Unwrapped => &[Ints::Unwrapped],
        Ints::Mathematical => &[Ints::Mathematical],
    };
    let mut last = Reason::Approximation("numbers wrap".into());
    for way in ways {
        let outcome = formula::within_width(|| {
            let made = match problem.system(*way, budget) {
                Ok(made) => made,
                Err(refused) => return Some(Outcome::Unknown(refused.into())),
            };
            let steps = match attempt(*way, &made) {
                Ok(steps) => steps,
                Err(outcome) => return Some(outcome),
            };
            let wraps = steps.last().is_some_and(|(thread, edge)| made.prepared.system.wraps(*thread, *edge));
            (!wraps).then(|| counterexample(problem, &made, &steps, budget))
        });
        match outcome {
            // Something wraps that must not: what it wraps to matters.
            Ok(None) => {}
            Ok(Some(Outcome::Unknown(reason))) if !matches!(reason, Reason::Budget(_) | Reason::Unsupported { .. }) => {
                last = reason;
            }
            Ok(Some(outcome)) => return outcome,
            // Numbers in formulas grow too large to be computed with.
            Err(wide) => last = Reason::Approximation(wide.to_string()),
        }
    }
    Outcome::Unknown(last)
}

/// A way to read integers, for people.
pub fn words(ints: Ints) -> &'static str {
    match ints {
        Ints::Machine => "as C has them",
        Ints::Unwrapped => "as C has them, and that no signed sum wraps is proved along",
        Ints::Mathematical => "mathematical",
    }
}

/// The step of an edge, with where the thread is.
pub fn own_step(system: &System, thread: ThreadId, edge: &Edge) -> Step {
    edge.step.clone().assign(system.threads[thread].pc, &Linear::constant(location_value(edge.to)))
}

/// The execution of the program that takes these steps of the prepared system.
fn counterexample(problem: &Problem<'_>, symbolic: &Symbolic, steps: &Steps, budget: &Budget) -> Outcome {
    let Symbolic { translated, prepared } = symbolic;
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
        let split = Joined::split_inputs(parts, whole, originals, &values);
        taken.extend(parts.iter().zip(split).map(|(&edge, inputs)| Taken { thread, edge, inputs }));
    }
    match translated.trace(problem.code, &|var| model.value(var), &taken) {
        Ok(trace) => Outcome::Unsafe(trace),
        Err(why) => unconfirmed(why),
    }
}
