//! A system without what its ranges decide: constants put in, choices that go one way taken, conditions that hold left out.

use crate::System;
use crate::ranges::Known;
use base::Interval;
use formula::interval::{self, Ranges};
use formula::{Atom, Formula, Linear};

/// The same edges between the same locations, said shorter.  The number and order of the edges stay.
pub fn refine(system: &System, known: &Known) -> System {
    let mut refined = system.clone();
    for (id, thread) in refined.threads.iter_mut() {
        for edge in &mut thread.graph.edges {
            let step = &mut edge.step;
            let Some(here) = known[id][edge.from].clone() else {
                step.guard = Formula::False;
                continue;
            };
            let mut here = here.with_inputs(step.input_ranges());
            step.guard = formula(&step.guard, &here);
            // The values are computed where the guard holds.
            if !interval::refine(&mut here, &step.guard) {
                step.guard = Formula::False;
                continue;
            }
            for (_, value) in &mut step.updates {
                *value = term(value, &here);
            }
        }
    }
    refined
}

/// What is larger stays as it is.
const LARGE: usize = 400;

/// The formula where the ranges hold.
fn formula(of: &Formula, known: &Ranges) -> Formula {
    if of.size() > LARGE {
        return of.clone();
    }
    if !interval::refine(&mut known.clone(), of) {
        return Formula::False;
    }
    if !interval::refine(&mut known.clone(), &of.not()) {
        // Ranges of inputs are said with them.
        return if of.vars().into_iter().any(|var| var.as_input().is_some()) { of.clone() } else { Formula::True };
    }
    match of {
        Formula::And(parts) => Formula::and(parts.iter().map(|part| formula(part, known))),
        Formula::Or(parts) => Formula::or(parts.iter().map(|part| formula(part, known))),
        literal => literal.with_term(|of| term(of, known)),
    }
}

/// The term where the ranges hold.
fn term(of: &Linear, known: &Ranges) -> Linear {
    let mut sum = Linear::constant(of.offset());
    for (atom, factor) in of.terms() {
        let value = match atom {
            Atom::Var(var) => {
                let constant = known[*var].constant().filter(|_| var.as_input().is_none());
                constant.map_or_else(|| Linear::var(*var), Linear::constant)
            }
            Atom::Choice(choice) => {
                let condition = formula(&choice.condition, known);
                let branch = |condition: &Formula, value: &Linear| {
                    let mut there = known.clone();
                    interval::refine(&mut there, condition).then(|| term(value, &there))
                };
                match (branch(&condition, &choice.then), branch(&condition.not(), &choice.other)) {
                    (Some(then), Some(other)) => Linear::choice(condition, then, other),
                    (Some(only), None) | (None, Some(only)) => only,
                    (None, None) => Linear::atom(atom.clone()),
                }
            }
            Atom::Div(quotient) => term(&quotient.dividend, known).floor_div(quotient.divisor),
            Atom::Mod(quotient) => {
                let dividend = term(&quotient.dividend, known);
                let is_rest = Interval::between(0, quotient.divisor - 1).contains(interval::evaluate(&dividend, known));
                if is_rest { dividend } else { dividend.floor_mod(quotient.divisor) }
            }
        };
        sum = sum.plus_multiple(&value, *factor);
    }
    sum
}
