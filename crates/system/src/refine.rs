//! A system without what its ranges decide: constants put in, choices that go one way taken, conditions that hold left out.

use crate::ranges::{self, Known, Ranges};
use crate::{System, VarKind};
use formula::{Atom, Formula, Linear, Var};

/// The same edges between the same locations, said shorter.  The number and order of the edges stay.
pub fn refine(system: &System, known: &Known) -> System {
    let mut refined = system.clone();
    for (id, thread) in refined.threads.iter_mut() {
        for edge in &mut thread.edges {
            let Some(mut here) = known[id][edge.from].clone() else {
                edge.guard = Formula::False;
                continue;
            };
            for input in &edge.inputs {
                here[*input] = system.vars[*input].range.map_or((None, None), |(low, high)| (Some(low), Some(high)));
            }
            edge.guard = formula(&edge.guard, &here, system);
            // The values are computed where the guard holds.
            if !ranges::refine(&mut here, &edge.guard) {
                edge.guard = Formula::False;
                continue;
            }
            for (_, value) in &mut edge.updates {
                *value = term(value, &here, system);
            }
        }
    }
    refined
}

/// What is larger stays as it is.
const LARGE: usize = 400;

/// The formula where the ranges hold.
fn formula(of: &Formula, known: &Ranges, system: &System) -> Formula {
    if of.size() > LARGE {
        return of.clone();
    }
    if !ranges::refine(&mut known.clone(), of) {
        return Formula::False;
    }
    if !ranges::refine(&mut known.clone(), &of.not()) {
        // Ranges of inputs are said with them.
        return if of.vars().into_iter().any(|var| system.vars[var].kind == VarKind::Input) {
            of.clone()
        } else {
            Formula::True
        };
    }
    match of {
        Formula::And(parts) => Formula::and(parts.iter().map(|part| formula(part, known, system))),
        Formula::Or(parts) => Formula::or(parts.iter().map(|part| formula(part, known, system))),
        Formula::True | Formula::False => of.clone(),
        Formula::Le(t) => Formula::at_most_zero(term(t, known, system)),
        Formula::Eq(t) => Formula::is_zero(term(t, known, system)),
        Formula::Ne(t) => Formula::is_zero(term(t, known, system)).not(),
        Formula::Divides(divisor, t) => Formula::divides(*divisor, term(t, known, system)),
        Formula::NotDivides(divisor, t) => Formula::divides(*divisor, term(t, known, system)).not(),
    }
}

/// The term where the ranges hold.
fn term(of: &Linear, known: &Ranges, system: &System) -> Linear {
    let mut sum = Linear::constant(of.offset());
    for (atom, factor) in of.terms() {
        let value = match atom {
            Atom::Var(var) => constant(known, *var, system).map_or_else(|| Linear::var(*var), Linear::constant),
            Atom::Choice(choice) => {
                let condition = formula(&choice.condition, known, system);
                let branch = |condition: &Formula, value: &Linear| {
                    let mut there = known.clone();
                    ranges::refine(&mut there, condition).then(|| term(value, &there, system))
                };
                match (branch(&condition, &choice.then), branch(&condition.not(), &choice.other)) {
                    (Some(then), Some(other)) => Linear::choice(condition, then, other),
                    (Some(only), None) | (None, Some(only)) => only,
                    (None, None) => Linear::atom(atom.clone()),
                }
            }
            Atom::Div(quotient) => term(&quotient.dividend, known, system).floor_div(quotient.divisor),
            Atom::Mod(quotient) => {
                let dividend = term(&quotient.dividend, known, system);
                match ranges::evaluate(&dividend, known) {
                    (Some(low), Some(high)) if low >= 0 && high < quotient.divisor => dividend,
                    _ => dividend.floor_mod(quotient.divisor),
                }
            }
        };
        sum = sum.plus_multiple(&value, *factor);
    }
    sum
}

fn constant(known: &Ranges, var: Var, system: &System) -> Option<i128> {
    match (known[var], system.vars[var].kind) {
        (_, VarKind::Input) => None,
        ((Some(low), Some(high)), VarKind::Shared | VarKind::Local(_) | VarKind::Pc(_)) if low == high => Some(low),
        _ => None,
    }
}
