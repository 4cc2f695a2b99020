//! All executions of a program within a small range of values, one by one: what tests compare the checkers with.

use checkers::{Path, Sequential, Values, execute};
use formula::Var;
use rustc_hash::FxHashSet;
use std::ops::Range;
use transition::Location;

/// What was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explored {
    /// No assertion fails as long as all values that are chosen lie within the range.
    Safe,
    Unsafe(Path),
    /// More states than were allowed, or values beyond 128 bits.
    TooMany,
}

/// A state with where it came from: the state before, the edge, and what was chosen on it.
struct Visit {
    location: Location,
    values: Values,
    from: Option<(usize, usize, Vec<i128>)>,
}

/// Follows all executions that begin with values of the range and choose values of the range.
pub fn explore(program: &Sequential, range: Range<i128>, most_states: usize) -> Explored {
    let graph = &program.graph;
    let leaving = graph.leaving();
    let mut visits: Vec<Visit> = Vec::new();
    let mut seen: FxHashSet<(Location, Values)> = FxHashSet::default();
    let vars: Vec<Var> = program.vars.iter().map(|(var, _)| *var).collect();
    for values in all_choices(vars.len(), &range) {
        let values: Values = vars.iter().copied().zip(values).collect();
        seen.insert((graph.entry, values.clone()));
        visits.push(Visit { location: graph.entry, values, from: None });
        if visits.len() > most_states {
            return Explored::TooMany;
        }
    }
    let mut next = 0;
    while next < visits.len() {
        for &edge in &leaving[visits[next].location] {
            let step = &graph.edges[edge].step;
            for chosen in all_choices(step.inputs.len(), &range) {
                let before = visits[next].values.clone();
                let value = |var: Var| var.as_input().map_or_else(|| before[&var], |input| chosen[input]);
                let (Some(fails), Some(possible)) = (step.fails.checked_eval(&value), step.guard.checked_eval(&value))
                else {
                    return Explored::TooMany;
                };
                if fails {
                    return Explored::Unsafe(way_to(program, &visits, next, edge, chosen));
                }
                if !possible {
                    continue;
                }
                let mut values = before.clone();
                for (var, term) in &step.updates {
                    let Some(result) = term.checked_eval(&value) else { return Explored::TooMany };
                    values.insert(*var, result);
                }
                let location = graph.edges[edge].to;
                if seen.insert((location, values.clone())) {
                    visits.push(Visit { location, values, from: Some((next, edge, chosen)) });
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

/// All values of so many variables or inputs.
fn all_choices(inputs: usize, range: &Range<i128>) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for _ in 0..inputs {
        let with = |some: &Vec<i128>, value| [some.as_slice(), &[value]].concat();
        all = all.iter().flat_map(|some| range.clone().map(move |value| with(some, value))).collect();
    }
    all
}

/// The path that ends with this edge out of that state.
fn way_to(program: &Sequential, visits: &[Visit], last: usize, edge: usize, chosen: Vec<i128>) -> Path {
    let (mut edges, mut choices, mut at) = (vec![edge], vec![chosen], last);
    while let Some((before, edge, chosen)) = &visits[at].from {
        edges.push(*edge);
        choices.push(chosen.clone());
        at = *before;
    }
    edges.reverse();
    choices.reverse();
    execute(program, &edges, &visits[at].values, &choices).expect("what was explored can be executed")
}
