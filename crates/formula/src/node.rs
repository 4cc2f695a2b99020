//! Formulas.

use crate::width::fitting;
use crate::{Linear, Var};
use base::Interval;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A formula in negation normal form.  Made by the functions below, which decide what is constant, flatten and sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    True,
    False,
    /// The term is at most 0.
    Le(Linear),
    /// The term is 0.
    Eq(Linear),
    Ne(Linear),
    /// The number, which is greater than 1, divides the term.
    Divides(i128, Linear),
    NotDivides(i128, Linear),
    /// At least two, ascending, none of them an `And` or constant.
    And(Arc<[Formula]>),
    /// At least two, ascending, none of them an `Or` or constant.
    Or(Arc<[Formula]>),
}

impl Formula {
    pub fn of(value: bool) -> Formula {
        if value { Formula::True } else { Formula::False }
    }
    /// `a <= b`
    pub fn le(a: &Linear, b: &Linear) -> Formula {
        Formula::at_most_zero(a.minus(b))
    }
    /// `a < b`
    pub fn lt(a: &Linear, b: &Linear) -> Formula {
        Formula::at_most_zero(a.minus(b).plus_constant(1))
    }
    pub fn eq(a: &Linear, b: &Linear) -> Formula {
        Formula::is_zero(a.minus(b))
    }
    /// The term has this value.
    pub fn is(term: &Linear, value: i128) -> Formula {
        Formula::is_zero(term.plus_constant(-value))
    }
    pub fn ne(a: &Linear, b: &Linear) -> Formula {
        Formula::is_zero(a.minus(b)).not()
    }
    pub fn between(low: i128, term: &Linear, high: i128) -> Formula {
        Formula::within(Interval::between(low, high), term)
    }
    /// The term lies in the interval.
    pub fn within(range: Interval, term: &Linear) -> Formula {
        let low = range.least().map_or(Formula::True, |low| Formula::le(&Linear::constant(low), term));
        let high = range.most().map_or(Formula::True, |high| Formula::le(term, &Linear::constant(high)));
        Formula::and([low, high])
    }

    pub fn at_most_zero(term: Linear) -> Formula {
        match (term.as_constant(), term.gcd()) {
            (Some(value), _) => Formula::of(value <= 0),
            (None, 1) => Formula::Le(term),
            // c + g*t <= 0 iff t <= floor(-c / g)
            (None, gcd) => {
                let bound = (-term.offset()).div_euclid(gcd);
                let without = term.plus_constant(-term.offset()).divide_floor(gcd);
                Formula::Le(without.plus_constant(-bound))
            }
        }
    }
    pub fn is_zero(term: Linear) -> Formula {
        let gcd = term.gcd();
        match term.as_constant() {
            Some(value) => Formula::of(value == 0),
            None if term.offset() % gcd != 0 => Formula::False,
            None => {
                let term = term.divide_floor(gcd);
                // One of the two ways to write it.
                Formula::Eq(if term.terms()[0].1 < 0 { term.scale(-1) } else { term })
            }
        }
    }
    pub fn divides(divisor: i128, term: Linear) -> Formula {
        assert!(divisor > 0, "the divisor is positive");
        match term.as_constant() {
            _ if divisor == 1 => Formula::True,
            Some(value) => Formula::of(value % divisor == 0),
            None => Formula::Divides(divisor, term),
        }
    }

    pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::joined(parts, Formula::True, Formula::And)
    }
    pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::joined(parts, Formula::False, Formula::Or)
    }
    /// `neutral` is the constant that makes no difference among the parts; the other one decides.
    fn joined(
        parts: impl IntoIterator<Item = Formula>,
        neutral: Formula,
        join: fn(Arc<[Formula]>) -> Formula,
    ) -> Formula {
        let (is_and, decisive) = (neutral == Formula::True, neutral.not());
        let mut all = Vec::new();
        for part in parts {
            match part {
                Formula::And(inner) if is_and => all.extend(inner.iter().cloned()),
                Formula::Or(inner) if !is_and => all.extend(inner.iter().cloned()),
                part if part == decisive => return decisive,
                part if part == neutral => {}
                other => all.push(other),
            }
        }
        match all.len() {
            _ if contradictory(&mut all) => decisive,
            0 => neutral,
            1 => all.remove(0),
            _ => join(all.into()),
        }
    }
    pub fn implies(self, other: Formula) -> Formula {
        Formula::or([self.not(), other])
    }
    pub fn iff(self, other: Formula) -> Formula {
        let (no, other_no) = (self.not(), other.not());
        Formula::and([Formula::or([no, other]), Formula::or([self, other_no])])
    }
    pub fn not(&self) -> Formula {
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::Le(term) => Formula::Le(term.scale(-1).plus_constant(1)),
            Formula::Eq(term) => Formula::Ne(term.clone()),
            Formula::Ne(term) => Formula::Eq(term.clone()),
            Formula::Divides(divisor, term) => Formula::NotDivides(*divisor, term.clone()),
            Formula::NotDivides(divisor, term) => Formula::Divides(*divisor, term.clone()),
            Formula::And(parts) => Formula::or(parts.iter().map(Formula::not)),
            Formula::Or(parts) => Formula::and(parts.iter().map(Formula::not)),
        }
    }

    /// The parts of a conjunction; of any other formula itself, of `True` nothing.
    pub fn conjuncts(&self) -> &[Formula] {
        match self {
            Formula::True => &[],
            Formula::And(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// Each literal replaced by what `map` gives for it.
    pub fn map_literals(&self, map: &mut dyn FnMut(&Formula) -> Formula) -> Formula {
        match self {
            Formula::And(parts) => Formula::and(parts.iter().map(|part| part.map_literals(map))),
            Formula::Or(parts) => Formula::or(parts.iter().map(|part| part.map_literals(map))),
            literal => map(literal),
        }
    }
    /// A literal with another term in the place of its own.
    pub fn with_term(&self, map: impl FnOnce(&Linear) -> Linear) -> Formula {
        match self {
            Formula::Le(term) => Formula::at_most_zero(map(term)),
            Formula::Eq(term) => Formula::is_zero(map(term)),
            Formula::Ne(term) => Formula::is_zero(map(term)).not(),
            Formula::Divides(divisor, term) => Formula::divides(*divisor, map(term)),
            Formula::NotDivides(divisor, term) => Formula::divides(*divisor, map(term)).not(),
            Formula::True | Formula::False | Formula::And(_) | Formula::Or(_) => self.clone(),
        }
    }
    /// Each variable replaced by what `map` gives for it.
    pub fn substitute(&self, map: &mut dyn FnMut(Var) -> Option<Linear>) -> Formula {
        self.map_literals(&mut |literal| literal.with_term(|term| term.substitute(map)))
    }
    /// Each variable replaced by another.
    pub fn rename(&self, map: &mut dyn FnMut(Var) -> Var) -> Formula {
        self.substitute(&mut |var| Some(Linear::var(map(var))))
    }
    pub fn visit_vars(&self, visit: &mut dyn FnMut(Var)) {
        match self {
            Formula::True | Formula::False => {}
            Formula::Le(term) | Formula::Eq(term) | Formula::Ne(term) => term.visit_vars(visit),
            Formula::Divides(_, term) | Formula::NotDivides(_, term) => term.visit_vars(visit),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| part.visit_vars(visit)),
        }
    }
    pub fn vars(&self) -> FxHashSet<Var> {
        let mut vars = FxHashSet::default();
        self.visit_vars(&mut |var| _ = vars.insert(var));
        vars
    }
    pub fn eval(&self, value: &dyn Fn(Var) -> i128) -> bool {
        self.checked_eval(value).unwrap_or_else(|| fitting(None) != 0)
    }
    /// Whether it holds, `None` if a value on the way is beyond 128 bits.
    pub fn checked_eval(&self, value: &dyn Fn(Var) -> i128) -> Option<bool> {
        Some(match self {
            Formula::True => true,
            Formula::False => false,
            Formula::Le(term) => term.checked_eval(value)? <= 0,
            Formula::Eq(term) => term.checked_eval(value)? == 0,
            Formula::Ne(term) => term.checked_eval(value)? != 0,
            Formula::Divides(divisor, term) => term.checked_eval(value)? % divisor == 0,
            Formula::NotDivides(divisor, term) => term.checked_eval(value)? % divisor != 0,
            // What comes after the part that decides is not looked at.
            Formula::And(parts) => {
                let mut all = parts.iter().map(|part| part.checked_eval(value));
                all.find(|holds| *holds != Some(true)).unwrap_or(Some(true))?
            }
            Formula::Or(parts) => {
                let mut all = parts.iter().map(|part| part.checked_eval(value));
                all.find(|holds| *holds != Some(false)).unwrap_or(Some(false))?
            }
        })
    }
    /// How many variables and constants it has, written out.
    pub fn size(&self) -> usize {
        match self {
            Formula::True | Formula::False => 1,
            Formula::Le(term) | Formula::Eq(term) | Formula::Ne(term) => term.size(),
            Formula::Divides(_, term) | Formula::NotDivides(_, term) => 1 + term.size(),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().map(Formula::size).sum(),
        }
    }
}

/// Sorts, leaves each part once, and says whether a part and its negation (a literal's) are both there.
fn contradictory(parts: &mut Vec<Formula>) -> bool {
    parts.sort_unstable();
    parts.dedup();
    let opposite = |part: &Formula| match part {
        Formula::True | Formula::False | Formula::And(_) | Formula::Or(_) => None,
        Formula::Le(_) | Formula::Eq(_) | Formula::Divides(..) => Some(part.not()),
        // Found from the other side.
        Formula::Ne(_) | Formula::NotDivides(..) => None,
    };
    parts.len() > 1 && parts.iter().filter_map(opposite).any(|no| parts.binary_search(&no).is_ok())
}
