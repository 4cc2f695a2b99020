//! All executions of a program within a small range of values, one by one: what tests compare the checkers with.

use crate::interpret::{Path, Values, execute};
use crate::{Node, Sequential, Statement};
use formula::Var;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// What was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explored {
    /// No assertion fails as long as all values that are chosen lie within the range.
    Safe,
    Unsafe(Path),
    /// More states than were allowed, or values beyond 128 bits.
    TooMany,
}

/// A state with where it came from: the state before, the arc, and what was chosen on it.
struct Visit {
    node: Node,
    values: Values,
    from: Option<(usize, usize, Vec<i128>)>,
}

/// Follows all executions that begin with values of the range and choose values of the range.
pub fn explore(program: &Sequential, range: Range<i128>, most_states: usize) -> Explored {
    let leaving = program.leaving();
    let mut visits: Vec<Visit> = Vec::new();
    let mut seen: FxHashSet<(Node, Values)> = FxHashSet::default();
    let vars: Vec<Var> = program.vars.iter().map(|(var, _)| *var).collect();
    for values in all_values(&vars, &range) {
        seen.insert((program.entry, values.clone()));
        visits.push(Visit { node: program.entry, values, from: None });
        if visits.len() > most_states {
            return Explored::TooMany;
        }
    }
    let mut next = 0;
    while next < visits.len() {
        for &arc in &leaving[visits[next].node] {
            // Executions through this arc: at a statement, with values, having chosen.
            let mut running = vec![(0, visits[next].values.clone(), Vec::new())];
            while let Some((place, mut values, chosen)) = running.pop() {
                let value = |var: Var| values[&var];
                match program.edges[arc].statements.get(place) {
                    None => {
                        let node = program.edges[arc].to;
                        if seen.insert((node, values.clone())) {
                            visits.push(Visit { node, values, from: Some((next, arc, chosen)) });
                        }
                    }
                    Some(Statement::Assign(var, term)) => {
                        let Some(result) = term.checked_eval(&value) else { return Explored::TooMany };
                        values.insert(*var, result);
                        running.push((place + 1, values, chosen));
                    }
                    Some(Statement::Havoc(var)) => {
                        for choice in range.clone() {
                            let (mut values, mut chosen) = (values.clone(), chosen.clone());
                            values.insert(*var, choice);
                            chosen.push(choice);
                            running.push((place + 1, values, chosen));
                        }
                    }
                    Some(Statement::Assume(condition)) => match condition.checked_eval(&value) {
                        Some(true) => running.push((place + 1, values, chosen)),
                        Some(false) => {}
                        None => return Explored::TooMany,
                    },
                    Some(Statement::Assert(condition)) => match condition.checked_eval(&value) {
                        Some(true) => running.push((place + 1, values, chosen)),
                        Some(false) => return Explored::Unsafe(way_to(program, &visits, next, arc, chosen)),
                        None => return Explored::TooMany,
                    },
                }
            }
            if visits.len() > most_states {
                return Explored::TooMany;
            }
        }
        next += 1;
    }
    Explored::Safe
}

fn all_values(vars: &[Var], range: &Range<i128>) -> Vec<Values> {
    let mut all = vec![Values::new()];
    for var in vars {
        let with = |values: &Values, value: i128| {
            let mut values = values.clone();
            values.insert(*var, value);
            values
        };
        all = all.iter().flat_map(|values| range.clone().map(move |value| with(values, value))).collect();
    }
    all
}

/// The path that ends with this arc out of that state.
fn way_to(program: &Sequential, visits: &[Visit], last: usize, arc: usize, chosen: Vec<i128>) -> Path {
    let (mut arcs, mut choices, mut at) = (vec![arc], vec![chosen], last);
    while let Some((before, arc, chosen)) = &visits[at].from {
        arcs.push(*arc);
        choices.push(chosen.clone());
        at = *before;
    }
    arcs.reverse();
    choices.reverse();
    execute(program, &arcs, &visits[at].values, &choices).expect("what was explored can be executed")
}
