//! Linear terms: a constant plus multiples of atoms.

use crate::width::fitting;
use crate::{Formula, Var};
use std::sync::Arc;

/// `constant + sum of coefficient * atom`; atoms ascending, each once, no coefficient zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Linear {
    constant: i128,
    terms: Vec<(Atom, i128)>,
}

/// What a linear term is made of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    Var(Var),
    /// If-then-else.
    Choice(Arc<Choice>),
    /// Rounded towards minus infinity.
    Div(Arc<Quotient>),
    /// What is left of that division: not negative.
    Mod(Arc<Quotient>),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Choice {
    pub condition: Formula,
    pub then: Linear,
    pub other: Linear,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Quotient {
    pub dividend: Linear,
    /// Positive.
    pub divisor: i128,
}

impl Linear {
    pub fn constant(value: i128) -> Self {
        Linear { constant: value, terms: Vec::new() }
    }
    pub fn var(var: Var) -> Self {
        Linear::atom(Atom::Var(var))
    }
    pub fn atom(atom: Atom) -> Self {
        Linear { constant: 0, terms: vec![(atom, 1)] }
    }
    /// If-then-else.
    pub fn choice(condition: Formula, then: Linear, other: Linear) -> Self {
        match condition {
            Formula::True => then,
            Formula::False => other,
            _ if then == other => then,
            _ => Linear::atom(Atom::Choice(Arc::new(Choice { condition, then, other }))),
        }
    }
    /// The last of these whose condition holds; if none does, the first of all.
    pub fn last_of(ways: impl IntoIterator<Item = (Formula, Linear)>) -> Self {
        let mut ways = ways.into_iter();
        let first = ways.next().map_or_else(Linear::default, |(_, term)| term);
        ways.fold(first, |other, (when, term)| Linear::choice(when, term, other))
    }
    /// 1 where the condition holds, else 0.
    pub fn truth(condition: Formula) -> Self {
        Linear::choice(condition, Linear::constant(1), Linear::constant(0))
    }
    /// Division by a positive constant, rounded towards minus infinity.
    pub fn floor_div(self, divisor: i128) -> Self {
        assert!(divisor > 0, "the divisor is positive");
        match self.as_constant() {
            _ if divisor == 1 => self,
            Some(value) => Linear::constant(value.div_euclid(divisor)),
            None => Linear::atom(Atom::Div(Arc::new(Quotient { dividend: self, divisor }))),
        }
    }
    /// Remainder of division by a positive constant, from 0 up.
    pub fn floor_mod(self, divisor: i128) -> Self {
        assert!(divisor > 0, "the divisor is positive");
        match self.as_constant() {
            _ if divisor == 1 => Linear::constant(0),
            Some(value) => Linear::constant(value.rem_euclid(divisor)),
            None => Linear::atom(Atom::Mod(Arc::new(Quotient { dividend: self, divisor }))),
        }
    }

    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }
    /// The variable that it is, if that is all.
    pub fn as_var(&self) -> Option<Var> {
        match (self.constant, self.terms.as_slice()) {
            (0, [(Atom::Var(var), 1)]) => Some(*var),
            _ => None,
        }
    }
    pub fn offset(&self) -> i128 {
        self.constant
    }
    pub fn terms(&self) -> &[(Atom, i128)] {
        &self.terms
    }
    pub fn coefficient(&self, var: Var) -> i128 {
        self.terms.iter().find(|(atom, _)| *atom == Atom::Var(var)).map_or(0, |(_, factor)| *factor)
    }

    pub fn plus(&self, other: &Linear) -> Linear {
        self.plus_multiple(other, 1)
    }
    pub fn minus(&self, other: &Linear) -> Linear {
        self.plus_multiple(other, -1)
    }
    pub fn plus_constant(&self, value: i128) -> Linear {
        Linear { constant: fitting(self.constant.checked_add(value)), terms: self.terms.clone() }
    }
    pub fn scale(&self, factor: i128) -> Linear {
        Linear::constant(0).plus_multiple(self, factor)
    }
    /// `self + factor * other`
    pub fn plus_multiple(&self, other: &Linear, factor: i128) -> Linear {
        if factor == 0 {
            return self.clone();
        }
        let product = |a: i128| fitting(a.checked_mul(factor));
        let constant = fitting(self.constant.checked_add(product(other.constant)));
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some((a, _)), Some((b, _))) => a.cmp(b),
            };
            let mine = left.next_if(|_| order.is_le());
            let theirs = right.next_if(|_| order.is_ge());
            let sum = fitting(mine.map_or(0, |(_, c)| *c).checked_add(theirs.map_or(0, |(_, c)| product(*c))));
            if let Some((atom, _)) = mine.or(theirs).filter(|_| sum != 0) {
                terms.push((atom.clone(), sum));
            }
        }
        Linear { constant, terms }
    }

    /// The greatest common divisor of the coefficients, 0 if there are none.
    pub fn gcd(&self) -> i128 {
        self.terms.iter().fold(0, |a, (_, c)| gcd(a, c.unsigned_abs() as i128))
    }
    /// All coefficients and the constant divided, the constant rounded down; `by` divides the coefficients.
    pub(crate) fn divide_floor(&self, by: i128) -> Linear {
        let terms = self.terms.iter().map(|(atom, c)| (atom.clone(), c / by)).collect();
        Linear { constant: self.constant.div_euclid(by), terms }
    }

    /// Each variable replaced by what `map` gives for it.
    pub fn substitute(&self, map: &mut dyn FnMut(Var) -> Option<Linear>) -> Linear {
        let mut sum = Linear::constant(self.constant);
        let mut same: Vec<(Atom, i128)> = Vec::new();
        for (atom, factor) in &self.terms {
            let replaced = match atom {
                Atom::Var(var) => {
                    let Some(term) = map(*var) else {
                        same.push((atom.clone(), *factor));
                        continue;
                    };
                    term
                }
                Atom::Choice(choice) => Linear::choice(
                    choice.condition.substitute(map),
                    choice.then.substitute(map),
                    choice.other.substitute(map),
                ),
                Atom::Div(quotient) => quotient.dividend.substitute(map).floor_div(quotient.divisor),
                Atom::Mod(quotient) => quotient.dividend.substitute(map).floor_mod(quotient.divisor),
            };
            sum = sum.plus_multiple(&replaced, *factor);
        }
        // What stays is sorted already.
        if same.is_empty() { sum } else { sum.plus(&Linear { constant: 0, terms: same }) }
    }
    pub fn visit_vars(&self, visit: &mut dyn FnMut(Var)) {
        for (atom, _) in &self.terms {
            match atom {
                Atom::Var(var) => visit(*var),
                Atom::Choice(choice) => {
                    choice.condition.visit_vars(visit);
                    choice.then.visit_vars(visit);
                    choice.other.visit_vars(visit);
                }
                Atom::Div(quotient) | Atom::Mod(quotient) => quotient.dividend.visit_vars(visit),
            }
        }
    }
    pub fn eval(&self, value: &dyn Fn(Var) -> i128) -> i128 {
        fitting(self.checked_eval(value))
    }
    /// Its value, `None` if that or a part of it is beyond 128 bits.
    pub fn checked_eval(&self, value: &dyn Fn(Var) -> i128) -> Option<i128> {
        self.terms.iter().try_fold(self.constant, |sum, (atom, factor)| {
            let atom = match atom {
                Atom::Var(var) => value(*var),
                Atom::Choice(choice) => match choice.condition.checked_eval(value)? {
                    true => choice.then.checked_eval(value)?,
                    false => choice.other.checked_eval(value)?,
                },
                Atom::Div(quotient) => quotient.dividend.checked_eval(value)?.div_euclid(quotient.divisor),
                Atom::Mod(quotient) => quotient.dividend.checked_eval(value)?.rem_euclid(quotient.divisor),
            };
            sum.checked_add(atom.checked_mul(*factor)?)
        })
    }
    /// How many variables and constants it has, written out.
    pub fn size(&self) -> usize {
        1 + self.terms.iter().map(|(atom, _)| atom.size()).sum::<usize>()
    }
}

impl Atom {
    fn size(&self) -> usize {
        match self {
            Atom::Var(_) => 1,
            Atom::Choice(choice) => choice.condition.size() + choice.then.size() + choice.other.size(),
            Atom::Div(quotient) | Atom::Mod(quotient) => 1 + quotient.dividend.size(),
        }
    }
}

/// The greatest common divisor; 0 has every number.
pub fn gcd(a: i128, b: i128) -> i128 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}

impl From<Var> for Linear {
    fn from(var: Var) -> Self {
        Linear::var(var)
    }
}
impl From<i128> for Linear {
    fn from(value: i128) -> Self {
        Linear::constant(value)
    }
}
