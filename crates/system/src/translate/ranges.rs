//! What is known of the size of terms, and the formulas that become simple by it.
//!
//! Every variable has a range (its type's, or what the facts know of it), which the conditions along a path narrow.  From
//! these the range of a term is computed, and a comparison that it decides is decided.

use super::values::Vars;
use base::Interval;
use formula::interval::{Known, evaluate, refine};
use formula::{Atom, Formula, Linear, Var};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// How a path has narrowed the ranges of variables.
#[derive(Clone, Default)]
pub struct Ranges {
    narrowed: FxHashMap<Var, Interval>,
    /// The conditions contradict each other.
    pub empty: bool,
}

/// The ranges of variables on a path.
struct OnPath<'a> {
    vars: &'a Vars,
    narrowed: Cow<'a, FxHashMap<Var, Interval>>,
}

impl Known for OnPath<'_> {
    fn range(&self, var: Var) -> Interval {
        self.narrowed.get(&var).copied().unwrap_or_else(|| self.vars.all[var].range)
    }
    fn set(&mut self, var: Var, range: Interval) {
        if range != self.range(var) {
            self.narrowed.to_mut().insert(var, range);
        }
    }
}

impl Ranges {
    pub fn of(&self, vars: &Vars, term: &Linear) -> Interval {
        evaluate(term, &OnPath { vars, narrowed: Cow::Borrowed(&self.narrowed) })
    }

    /// Learns that a formula holds.
    pub fn narrow(&mut self, vars: &Vars, formula: &Formula) {
        let mut path = OnPath { vars, narrowed: Cow::Owned(std::mem::take(&mut self.narrowed)) };
        self.empty |= !refine(&mut path, formula);
        self.narrowed = path.narrowed.into_owned();
    }

    /// Where the term is at most 0.
    pub fn le_zero(&self, vars: &Vars, term: Linear) -> Formula {
        lift(term, &mut |term| self.decide(vars, Formula::at_most_zero(term)))
    }
    /// Where the term is 0.
    pub fn eq_zero(&self, vars: &Vars, term: Linear) -> Formula {
        lift(term, &mut |term| self.decide(vars, Formula::is_zero(term)))
    }

    /// The formula without the parts that the ranges decide.
    pub fn decide(&self, vars: &Vars, formula: Formula) -> Formula {
        match &formula {
            Formula::True | Formula::False => formula,
            Formula::Le(term) => match self.of(vars, term) {
                range if range.high <= 0 => Formula::True,
                range if range.low > 0 => Formula::False,
                _ => formula,
            },
            Formula::Eq(term) | Formula::Ne(term) => match self.of(vars, term) {
                range if !range.has(0) => Formula::of(matches!(formula, Formula::Ne(_))),
                range if range.constant() == Some(0) => Formula::of(matches!(formula, Formula::Eq(_))),
                _ => formula,
            },
            Formula::Divides(by, term) | Formula::NotDivides(by, term) => {
                // No other multiple is within reach: it is divided only if it is zero.
                if Interval::between(1 - by, by - 1).contains(self.of(vars, term)) {
                    let zero = self.decide(vars, Formula::is_zero(term.clone()));
                    return if matches!(formula, Formula::Divides(..)) { zero } else { zero.not() };
                }
                formula
            }
            Formula::And(parts) => Formula::and(parts.iter().map(|part| self.decide(vars, part.clone()))),
            Formula::Or(parts) => Formula::or(parts.iter().map(|part| self.decide(vars, part.clone()))),
        }
    }
}

/// So many alternatives of a term are compared one by one.
const MOST_ALTERNATIVES: usize = 160;

/// The formula of a term, for each of the alternatives that the term chooses from.
fn lift(term: Linear, formula: &mut dyn FnMut(Linear) -> Formula) -> Formula {
    let mut left = MOST_ALTERNATIVES;
    lift_some(term, formula, &mut left)
}

fn lift_some(term: Linear, formula: &mut dyn FnMut(Linear) -> Formula, left: &mut usize) -> Formula {
    let choice = term.terms().iter().find_map(|(atom, factor)| match atom {
        Atom::Choice(choice) => Some((choice.clone(), *factor)),
        Atom::Var(_) | Atom::Div(_) | Atom::Mod(_) => None,
    });
    let Some((choice, factor)) = choice else { return formula(term) };
    if *left == 0 {
        return formula(term);
    }
    *left -= 1;
    let rest = term.plus_multiple(&Linear::atom(Atom::Choice(choice.clone())), -factor);
    let then = lift_some(rest.plus_multiple(&choice.then, factor), formula, left);
    let other = lift_some(rest.plus_multiple(&choice.other, factor), formula, left);
    either(choice.condition.clone(), then, other)
}

/// `condition ? then : other`
pub fn either(condition: Formula, then: Formula, other: Formula) -> Formula {
    if then == other {
        return then;
    }
    let not = condition.not();
    match (&then, &other) {
        (Formula::True, _) => Formula::or([condition, other]),
        (_, Formula::True) => Formula::or([not, then]),
        _ => Formula::or([Formula::and([condition, then]), Formula::and([not, other])]),
    }
}
