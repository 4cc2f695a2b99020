//! One variable less in a conjunction of literals, in the neighbourhood of a model.
//!
//! The integer case of Loos and Weispfenning's virtual substitution, led by a model (Bjørner and Janota, LPAR 2015): the
//! variable is put a little above its greatest lower bound, or below its least upper one, where "a little" is less than the
//! least common multiple of all divisors.  There are finitely many such places, one of them is right for each model, and the
//! value of the variable is a term over the others, which makes the result easy to check.

use crate::Model;
use crate::decode::scaled;
use formula::{Formula, Linear, Var};

/// Multiplied coefficients stay below this, so that terms can be computed in models.
const LARGEST: u128 = 1 << 58;

/// What is left, and a term for the variable that makes the literals true wherever what is left holds.
pub struct Eliminated {
    pub literals: Vec<Formula>,
    pub witness: Linear,
}

/// The literals are `Le`, `Eq` and `Divides`, hold in the model, and have the variable in no atom.  `None` if numbers get too large.
pub fn eliminate(literals: &[Formula], var: Var, model: &Model) -> Option<Eliminated> {
    let mut sorted = Sorted { common: 1, ..Sorted::default() };
    for literal in literals {
        sorted.common = lcm(sorted.common, coefficient(literal, var).unsigned_abs().max(1))?;
    }
    for literal in literals {
        sorted.add(literal, var)?;
    }
    let place = sorted.place(var, model)?;
    // The multiple of the variable is `place`; what is said about it is said about that.
    let mut left = sorted.others;
    left.extend(sorted.lower.iter().map(|bound| Formula::le(bound, &place)));
    left.extend(sorted.upper.iter().map(|bound| Formula::le(&place, bound)));
    left.extend(sorted.equal.iter().map(|value| Formula::eq(value, &place)));
    for (divisor, term) in &sorted.divided {
        left.push(divides(*divisor, &place.plus(term)));
    }
    let common = i128::try_from(sorted.common).ok()?;
    left.push(divides(common, &place));
    left.retain(|literal| *literal != Formula::True);
    left.sort_unstable();
    left.dedup();
    Some(Eliminated { literals: left, witness: place.floor_div(common) })
}

/// How much work it is to eliminate the variable; the least first.
pub fn cost(literals: &[Formula], var: Var) -> (u128, usize) {
    let mut cost: (u128, usize) = (1, 0);
    for literal in literals {
        let factor = coefficient(literal, var).unsigned_abs();
        match literal {
            _ if factor == 0 => {}
            Formula::Eq(_) if factor == 1 => return (0, 0),
            Formula::Divides(divisor, _) => cost = (cost.0.saturating_mul(divisor.unsigned_abs()), cost.1 + 1),
            _ => cost = (cost.0.max(factor), cost.1 + 1),
        }
    }
    cost
}

fn coefficient(literal: &Formula, var: Var) -> i128 {
    match literal {
        Formula::Le(term) | Formula::Eq(term) | Formula::Divides(_, term) => term.coefficient(var),
        _ => 0,
    }
}

/// Literals by what they say of `common * variable`.
#[derive(Default)]
struct Sorted {
    /// A multiple of all coefficients of the variable.
    common: u128,
    lower: Vec<Linear>,
    upper: Vec<Linear>,
    equal: Vec<Linear>,
    /// The number divides the multiple of the variable plus the term.
    divided: Vec<(i128, Linear)>,
    others: Vec<Formula>,
}

impl Sorted {
    fn add(&mut self, literal: &Formula, var: Var) -> Option<()> {
        let factor = coefficient(literal, var);
        if factor == 0 {
            self.others.push(literal.clone());
            return Some(());
        }
        let by = i128::try_from(self.common / factor.unsigned_abs()).ok()?;
        let sign = factor.signum();
        // factor * var + rest, times by: sign * common * var + by * rest
        let rest = |term: &Linear| {
            let rest = term.plus_multiple(&Linear::var(var), -factor);
            if by == 1 { Some(rest) } else { scaled(&rest, by, LARGEST) }
        };
        match literal {
            Formula::Le(term) if sign > 0 => self.upper.push(rest(term)?.scale(-1)),
            Formula::Le(term) => self.lower.push(rest(term)?),
            Formula::Eq(term) => self.equal.push(rest(term)?.scale(-sign)),
            Formula::Divides(divisor, term) => {
                let divisor = divisor.checked_mul(by)?;
                self.divided.push((divisor, rest(term)?.scale(sign)));
            }
            _ => return None,
        }
        Some(())
    }

    /// A term that the multiple of the variable may be, as in the model or nearer to a bound.
    fn place(&self, var: Var, model: &Model) -> Option<Linear> {
        if let Some(value) = self.equal.iter().min_by_key(|value| value.terms().len()) {
            return Some(value.clone());
        }
        let mut period = self.common;
        for (divisor, _) in &self.divided {
            period = lcm(period, divisor.unsigned_abs())?;
        }
        let period = i128::try_from(period).ok()?;
        let value = model.value(var).checked_mul(i128::try_from(self.common).ok()?)?;
        let greatest = self.lower.iter().max_by_key(|bound| model.eval_term(bound));
        let least = self.upper.iter().min_by_key(|bound| model.eval_term(bound));
        Some(match (greatest, least) {
            (Some(bound), None) => above(bound, value, period, model),
            (None, Some(bound)) => below(bound, value, period, model),
            (Some(bound), Some(_)) if self.lower.len() <= self.upper.len() => above(bound, value, period, model),
            (Some(_), Some(bound)) => below(bound, value, period, model),
            (None, None) => Linear::constant(value.rem_euclid(period)),
        })
    }
}

fn above(bound: &Linear, value: i128, period: i128, model: &Model) -> Linear {
    bound.plus_constant((value - model.eval_term(bound)).rem_euclid(period))
}
fn below(bound: &Linear, value: i128, period: i128, model: &Model) -> Linear {
    bound.plus_constant(-(model.eval_term(bound) - value).rem_euclid(period))
}

/// The divisor divides the term, with coefficients below the divisor and without common factors.
fn divides(divisor: i128, term: &Linear) -> Formula {
    let reduced = each_number(term, |number| number.rem_euclid(divisor));
    let shared = gcd(reduced.gcd().unsigned_abs(), divisor.unsigned_abs()) as i128;
    match shared {
        ..=1 => Formula::divides(divisor, reduced),
        _ if reduced.offset() % shared != 0 => Formula::False,
        _ => Formula::divides(divisor / shared, each_number(&reduced, |number| number / shared)),
    }
}

/// The term with each of its numbers changed.
fn each_number(term: &Linear, change: impl Fn(i128) -> i128) -> Linear {
    let constant = Linear::constant(change(term.offset()));
    term.terms().iter().fold(constant, |sum, (atom, c)| sum.plus_multiple(&Linear::atom(atom.clone()), change(*c)))
}

/// `None` if it is too large to compute with.
fn lcm(a: u128, b: u128) -> Option<u128> {
    (a / gcd(a, b)).checked_mul(b).filter(|product| *product < 1 << 64)
}

fn gcd(a: u128, b: u128) -> u128 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}
