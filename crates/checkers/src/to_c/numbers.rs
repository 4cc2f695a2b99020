//! Whether the numbers of a program can be written with the types of C that stand for integers.

use formula::{Atom, Formula, Linear};
use transition::Step;

/// Nothing to complain about, or the number that is too large.
pub fn fit(step: &Step) -> Result<(), String> {
    formula(&step.guard)?;
    formula(&step.fails)?;
    step.updates.iter().try_for_each(|(_, value)| linear(value))
}

fn formula(condition: &Formula) -> Result<(), String> {
    match condition {
        Formula::True | Formula::False => Ok(()),
        Formula::Le(term) | Formula::Eq(term) | Formula::Ne(term) => linear(term),
        Formula::Divides(divisor, term) | Formula::NotDivides(divisor, term) => {
            number(*divisor)?;
            linear(term)
        }
        Formula::And(parts) | Formula::Or(parts) => parts.iter().try_for_each(formula),
    }
}

fn linear(term: &Linear) -> Result<(), String> {
    number(term.offset())?;
    for (atom, factor) in term.terms() {
        number(*factor)?;
        match atom {
            Atom::Var(_) => {}
            Atom::Choice(choice) => {
                formula(&choice.condition)?;
                linear(&choice.then)?;
                linear(&choice.other)?;
            }
            Atom::Div(quotient) | Atom::Mod(quotient) => {
                linear(&quotient.dividend)?;
                number(quotient.divisor)?;
            }
        }
    }
    // A sum without variables has the type `int` in C, and must not leave it.
    match magnitude_as_int(term) {
        Some(magnitude) if magnitude > i128::from(i32::MAX) => {
            Err(format!("a sum up to {magnitude} would be an `int` in C"))
        }
        Some(_) | None => Ok(()),
    }
}

fn number(value: i128) -> Result<(), String> {
    match i64::try_from(value) {
        Ok(value) if value != i64::MIN => Ok(()),
        Ok(_) | Err(_) => Err(format!("{value} is not a `long` of C")),
    }
}

/// How far from 0 those parts of the term get that C computes as `int`: choices between constants.  `None` where there is
/// none.
fn magnitude_as_int(term: &Linear) -> Option<i128> {
    let mut sum = None;
    for (atom, factor) in term.terms() {
        match atom {
            Atom::Var(_) | Atom::Div(_) | Atom::Mod(_) => {}
            Atom::Choice(choice) => {
                // `c ? 1 : x` is a `long`, as is a product with a factor that is one.
                let side = |side: &Linear| match side.as_constant() {
                    Some(value) => value.saturating_abs(),
                    None => magnitude_as_int(side).unwrap_or(0).saturating_add(side.offset().saturating_abs()),
                };
                let most = side(&choice.then).max(side(&choice.other)).saturating_mul(factor.saturating_abs());
                let is_long = |number: i128| number.saturating_abs() > i128::from(i32::MAX);
                if !is_long(*factor) && !is_long(side(&choice.then)) && !is_long(side(&choice.other)) {
                    sum = Some(most.saturating_add(sum.unwrap_or(0)));
                }
            }
        }
    }
    sum
}
