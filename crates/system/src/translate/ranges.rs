//! What is known of the size of terms, and the formulas that become simple by it.
//!
//! Every variable has a range (its type's, or what the facts know of it), which the conditions along a path narrow.  From
//! these the range of a term is computed, and a comparison that it decides is decided.

use formula::{Atom, Formula, Linear, Var};
use rustc_hash::FxHashMap;

/// The least and the greatest value.
pub type Range = (i128, i128);

/// As good as no bound; sums of a few such numbers still fit.
pub const FAR: i128 = 1 << 120;
pub const UNBOUNDED: Range = (-FAR, FAR);

/// The ranges of variables: those they always have, and how a path has narrowed them.
#[derive(Clone, Default)]
pub struct Ranges {
    narrowed: FxHashMap<Var, Range>,
    /// The conditions contradict each other.
    pub empty: bool,
}

/// Ranges that variables always have.
pub trait Always {
    fn range(&self, var: Var) -> Range;
}

impl Ranges {
    pub fn of_var(&self, always: &dyn Always, var: Var) -> Range {
        self.narrowed.get(&var).copied().unwrap_or_else(|| always.range(var))
    }

    pub fn of(&self, always: &dyn Always, term: &Linear) -> Range {
        let mut sum = (term.offset(), term.offset());
        for (atom, factor) in term.terms() {
            sum = plus(sum, times(self.of_atom(always, atom), *factor));
        }
        sum
    }

    fn of_atom(&self, always: &dyn Always, atom: &Atom) -> Range {
        match atom {
            Atom::Var(var) => self.of_var(always, *var),
            Atom::Choice(choice) => {
                let (then, other) = (self.of(always, &choice.then), self.of(always, &choice.other));
                (then.0.min(other.0), then.1.max(other.1))
            }
            Atom::Div(quotient) => {
                let (low, high) = self.of(always, &quotient.dividend);
                (far(low, low.div_euclid(quotient.divisor)), far(high, high.div_euclid(quotient.divisor)))
            }
            Atom::Mod(quotient) => {
                let (low, high) = self.of(always, &quotient.dividend);
                let by = quotient.divisor;
                match low > -FAR && high < FAR && low.div_euclid(by) == high.div_euclid(by) {
                    true => (low.rem_euclid(by), high.rem_euclid(by)),
                    false => (0, by - 1),
                }
            }
        }
    }

    /// Learns that a formula holds.
    pub fn narrow(&mut self, always: &dyn Always, formula: &Formula) {
        match formula {
            Formula::True | Formula::Or(_) | Formula::Divides(..) | Formula::NotDivides(..) => (),
            Formula::False => self.empty = true,
            Formula::Le(term) => self.at_most_zero(always, term),
            Formula::Eq(term) => {
                self.at_most_zero(always, term);
                self.at_most_zero(always, &term.scale(-1));
            }
            Formula::Ne(term) => {
                // Only the ends of a range can be cut off.
                let [(Atom::Var(var), factor)] = term.terms() else { return };
                if term.offset() % factor != 0 {
                    return;
                }
                let (value, (low, high)) = (-term.offset() / factor, self.of_var(always, *var));
                let range = (if value == low { low + 1 } else { low }, if value == high { high - 1 } else { high });
                self.set(*var, range);
            }
            Formula::And(parts) => parts.iter().for_each(|part| self.narrow(always, part)),
        }
    }

    fn set(&mut self, var: Var, range: Range) {
        self.empty |= range.0 > range.1;
        self.narrowed.insert(var, range);
    }

    fn at_most_zero(&mut self, always: &dyn Always, term: &Linear) {
        for (atom, factor) in term.terms() {
            let Atom::Var(var) = atom else { continue };
            let rest = term.plus_multiple(&Linear::var(*var), -factor);
            let least = self.of(always, &rest).0;
            if least <= -FAR {
                continue;
            }
            // factor * var <= -least
            let (low, high) = self.of_var(always, *var);
            let range = match *factor > 0 {
                true => (low, high.min((-least).div_euclid(*factor))),
                false => (low.max(-((-least).div_euclid(-factor))), high),
            };
            if range != (low, high) {
                self.set(*var, range);
            }
        }
        if term.as_constant().is_some_and(|value| value > 0) {
            self.empty = true;
        }
    }

    /// Where the term is at most 0.
    pub fn le_zero(&self, always: &dyn Always, term: Linear) -> Formula {
        lift(term, &mut |term| self.decide(always, Formula::at_most_zero(term)))
    }
    /// Where the term is 0.
    pub fn eq_zero(&self, always: &dyn Always, term: Linear) -> Formula {
        lift(term, &mut |term| self.decide(always, Formula::is_zero(term)))
    }

    /// The formula without the parts that the ranges decide.
    pub fn decide(&self, always: &dyn Always, formula: Formula) -> Formula {
        match &formula {
            Formula::True | Formula::False => formula,
            Formula::Le(term) => match self.of(always, term) {
                (_, high) if high <= 0 => Formula::True,
                (low, _) if low > 0 => Formula::False,
                _ => formula,
            },
            Formula::Eq(term) | Formula::Ne(term) => match self.of(always, term) {
                (low, high) if low > 0 || high < 0 => Formula::of(matches!(formula, Formula::Ne(_))),
                (0, 0) => Formula::of(matches!(formula, Formula::Eq(_))),
                _ => formula,
            },
            Formula::Divides(by, term) | Formula::NotDivides(by, term) => {
                let (low, high) = self.of(always, term);
                // No other multiple is within reach: it is divided only if it is zero.
                if -by < low && high < *by {
                    let zero = self.decide(always, Formula::is_zero(term.clone()));
                    return if matches!(formula, Formula::Divides(..)) { zero } else { zero.not() };
                }
                formula
            }
            Formula::And(parts) => Formula::and(parts.iter().map(|part| self.decide(always, part.clone()))),
            Formula::Or(parts) => Formula::or(parts.iter().map(|part| self.decide(always, part.clone()))),
        }
    }
}

/// Bounds that are none stay so.
fn far(before: i128, after: i128) -> i128 {
    if before.abs() >= FAR { before } else { after }
}

fn plus(a: Range, b: Range) -> Range {
    let clamp = |value: i128| value.clamp(-FAR, FAR);
    (
        if a.0 <= -FAR || b.0 <= -FAR { -FAR } else { clamp(a.0 + b.0) },
        if a.1 >= FAR || b.1 >= FAR { FAR } else { clamp(a.1 + b.1) },
    )
}

pub fn times(range: Range, factor: i128) -> Range {
    let end = |value: i128| value.saturating_mul(factor).clamp(-FAR, FAR);
    let (a, b) = (end(range.0), end(range.1));
    (a.min(b), a.max(b))
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
