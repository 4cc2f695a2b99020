//! What `system::translate` makes of the test programs is validated; what is made from it by leaving out or exchanging is not.

mod common;

use base::{Budget, Id};
use common::Loaded;
use formula::{Formula, Linear, Var};
use smt::Solver;
use std::time::Duration;
use system::meaning::Home;
use system::ranges::Known;
use system::{Edge, Location, Options, System, ThreadId, Translated};

/// Makes something wrong in one edge, if that is possible there.
type Fault = fn(&mut Edge, usize) -> Option<()>;

/// Another conjunct of the guard in the place of the last that `change` finds one for.
fn change_guard(edge: &mut Edge, change: impl Fn(&Formula) -> Option<Formula>) -> Option<()> {
    let mut parts = edge.step.guard.conjuncts().to_vec();
    parts.iter_mut().rev().find_map(|part| change(part).map(|new| *part = new))?;
    edge.step.guard = Formula::and(parts);
    Some(())
}

/// Nearly all of them take something away from what the system can do.
const FAULTS: [(&str, Fault); 9] = [
    ("an edge left out", |edge, _| {
        edge.step.guard = Formula::False;
        Some(())
    }),
    ("one more", |edge, _| edge.step.updates.last_mut().map(|(_, value)| *value = value.plus_constant(1))),
    ("an update left out", |edge, _| edge.step.updates.pop().map(|_| ())),
    ("the value of another variable", |edge, _| {
        let [.., (_, first), (_, second)] = &mut edge.step.updates[..] else { return None };
        (first != second).then(|| std::mem::swap(first, second))
    }),
    ("a bound by one", |edge, _| {
        change_guard(edge, |part| match part {
            Formula::Le(term) => Some(Formula::at_most_zero(term.plus_constant(1))),
            _ => None,
        })
    }),
    ("one case of several", |edge, _| {
        change_guard(edge, |part| match part {
            Formula::Or(parts) => parts.first().cloned(),
            _ => None,
        })
    }),
    ("another way", |edge, locations| {
        let to = Location::new((edge.to.index() + 1) % locations);
        (to != edge.to).then(|| edge.to = to)
    }),
    ("one input for two", |edge, _| {
        let [first, second, ..] = &edge.step.inputs[..] else { return None };
        let shared = &mut |var: Var| (var == Var::input(1)).then(|| Linear::var(Var::input(0)));
        (first.range == second.range).then(|| {
            edge.step.guard = edge.step.guard.substitute(shared);
            edge.step.updates.iter_mut().for_each(|(_, value)| *value = value.substitute(shared));
        })
    }),
    ("an input that is never the largest", |edge, _| {
        let high = edge.step.inputs.first()?.range.most()?;
        let less = Formula::lt(&Linear::var(Var::input(0)), &Linear::constant(high));
        edge.step.guard = Formula::and([edge.step.guard.clone(), less]);
        Some(())
    }),
];

fn check(translated: &Translated) -> Result<(), String> {
    let budget = Budget::new(Some(Duration::from_secs(20)), None);
    confirm::translation::check(translated, &budget).map_err(|why| why.to_string())
}

/// Whether the fault takes something away: a step of the right edge, from a state that can be reached as far as the ranges
/// tell, that the wrong one does not take with the same inputs, or that leaves memory otherwise.
fn matters(translated: &Translated, thread: ThreadId, right: &Edge, wrong: &Edge, known: &Known) -> bool {
    let Some(here) = &known[thread][right.from] else { return false };
    let mut solver = Solver::new();
    for (var, range) in here.state.iter() {
        solver.assert(&Formula::within(*range, &var.into()));
    }
    solver.assert(&right.step.guard);
    let fails = right.step.writes(translated.system.failed);
    let mut same = vec![Formula::of(right.to == wrong.to), wrong.step.guard.clone()];
    for (var, stands) in translated.meaning.vars.iter() {
        // A register may be one that nobody reads.
        if !fails && !matches!(stands.home, Home::Register(..)) {
            let value = |edge: &Edge| edge.step.update(var).cloned().unwrap_or_else(|| var.into());
            same.push(Formula::eq(&value(right), &value(wrong)));
        }
    }
    solver.refutes(&Formula::and(same).not(), &Budget::unlimited()) == Some(false)
}

/// Faults that are not refused.
fn accepted(translated: &mut Translated, most: usize, safe: bool) -> (usize, Vec<String>) {
    let (mut tried, mut wrong) = (0, Vec::new());
    let good: System = translated.system.clone();
    let budget = Budget::unlimited();
    let Some(known) = system::ranges::ranges(&good, &budget) else { return (0, Vec::new()) };
    for (id, thread) in good.threads.iter() {
        let every = thread.graph.edges.len().div_ceil(most).max(1);
        for (what, fault) in FAULTS {
            for at in (tried % every..thread.graph.edges.len()).step_by(every) {
                let edge = &mut translated.system.threads[id].graph.edges[at];
                let made = fault(edge, thread.graph.locations.len()).is_some();
                let wrong_edge = edge.clone();
                if made && matters(translated, id, &thread.graph.edges[at], &wrong_edge, &known) {
                    tried += 1;
                    // No execution of a safe program takes an edge that fails.
                    let makes_none = safe && thread.graph.edges[at].step.writes(good.failed);
                    if check(translated).is_ok() && !makes_none {
                        wrong.push(format!("{what}: {}", good.show_edge(id, &thread.graph.edges[at])));
                    }
                }
                translated.system.threads[id].graph.edges[at] = thread.graph.edges[at].clone();
            }
        }
    }
    (tried, wrong)
}

#[test]
fn programs_in_c() {
    let (mut tried, mut passed) = (0, Vec::new());
    let mut wrong = Vec::new();
    for Loaded { name, text, program } in common::programs_in_c() {
        let options = Options { raw: true, ..Options::default() };
        let Ok(mut translated) = system::translate(&program, &options, &Budget::unlimited()) else { continue };
        if let Err(why) = check(&translated) {
            // Pointers that are moved along a string or list of any length are not followed; words that are put together from bytes,
            // taken apart and compared are too much for the solver; a number computed from a pointer leads elsewhere; and pointers in
            // two halves are followed only where both halves are written with one value.
            let hard = [
                "string/tokens",
                "calls/variable-arguments-to-the-end",
                "atomics/increments-of-padded",
                "pointers/number-in-a-section-wrong",
                "pointers/halves-",
            ];
            if !hard.iter().any(|hard| name.starts_with(hard)) {
                wrong.push(format!("{name}: {why}"));
            }
            continue;
        }
        if translated.system.threads.values().map(|thread| thread.graph.edges.len()).sum::<usize>() < 30 {
            let (faults, accepted) = accepted(&mut translated, 1, text.contains("//@ assert: safe"));
            tried += faults;
            passed.extend(accepted.into_iter().map(|what| format!("{name}: {what}")));
        }
    }
    assert!(wrong.is_empty(), "{} programs\n{}", wrong.len(), wrong.join("\n"));
    // Some make no difference, since no execution comes there, or to a round that changes nothing.
    assert!(100 * passed.len() < tried, "{} of {tried} faults accepted\n{}", passed.len(), passed.join("\n"));
}
