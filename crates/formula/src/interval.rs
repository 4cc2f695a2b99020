//! Intervals: where terms lie when their variables lie in ranges, and what a formula leaves of the ranges.  Both are rather too
//! much than too little.

use crate::{Atom, Formula, Linear, Var};
use base::IdVec;
use std::ops::{Index, IndexMut};

/// From the first to the second, ends included; an end that is missing is infinite.
pub type Range = (Option<i128>, Option<i128>);

pub const ALL: Range = (None, None);

pub fn exactly(value: i128) -> Range {
    (Some(value), Some(value))
}
/// A range that may be missing, with both its ends.
pub fn limits(range: Option<(i128, i128)>) -> Range {
    range.map_or(ALL, |(low, high)| (Some(low), Some(high)))
}
pub fn contains(outer: Range, inner: Range) -> bool {
    let low = outer.0.is_none_or(|low| inner.0.is_some_and(|inner| low <= inner));
    low && outer.1.is_none_or(|high| inner.1.is_some_and(|inner| inner <= high))
}
/// The variable lies in the range.
pub fn within(range: Range, var: Var) -> Formula {
    let var = Linear::var(var);
    let low = range.0.map_or(Formula::True, |low| Formula::le(&Linear::constant(low), &var));
    let high = range.1.map_or(Formula::True, |high| Formula::le(&var, &Linear::constant(high)));
    Formula::and([low, high])
}

/// A range for each variable of a state, and for the inputs of the step that is looked at.  None of them is empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranges {
    pub state: IdVec<Var, Range>,
    pub inputs: Vec<Range>,
}

impl Ranges {
    pub fn new(state: IdVec<Var, Range>) -> Self {
        Ranges { state, inputs: Vec::new() }
    }
    /// The same state with these inputs.
    pub fn with_inputs(mut self, inputs: impl IntoIterator<Item = Range>) -> Self {
        self.inputs = inputs.into_iter().collect();
        self
    }
    fn hull(mut self, other: Ranges) -> Ranges {
        self.state.iter_mut().zip(other.state.values()).for_each(|((_, a), b)| *a = hull(*a, *b));
        self.inputs.iter_mut().zip(&other.inputs).for_each(|(a, b)| *a = hull(*a, *b));
        self
    }
}

impl Index<Var> for Ranges {
    type Output = Range;
    fn index(&self, var: Var) -> &Range {
        match var.as_input() {
            Some(input) => &self.inputs[input],
            None => &self.state[var],
        }
    }
}

impl IndexMut<Var> for Ranges {
    fn index_mut(&mut self, var: Var) -> &mut Range {
        match var.as_input() {
            Some(input) => &mut self.inputs[input],
            None => &mut self.state[var],
        }
    }
}

/// Where both hold, if they can.
pub fn meet(a: &Ranges, b: &Ranges) -> Option<Ranges> {
    let both = a.state.values().zip(b.state.values()).map(|(a, b)| intersect(*a, *b));
    both.collect::<Option<Vec<_>>>().map(|state| Ranges { state: IdVec::from_vec(state), inputs: Vec::new() })
}

/// What lies in both, if anything does.
pub fn intersect(a: Range, b: Range) -> Option<Range> {
    let low = match (a.0, b.0) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
    let high = match (a.1, b.1) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    match (low, high) {
        (Some(low), Some(high)) if low > high => None,
        range => Some(range),
    }
}

/// The smallest range around both.
pub fn hull(a: Range, b: Range) -> Range {
    let low = a.0.zip(b.0).map(|(a, b)| a.min(b));
    (low, a.1.zip(b.1).map(|(a, b)| a.max(b)))
}

fn sum(a: Range, b: Range) -> Range {
    let add = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
    (add(a.0, b.0), add(a.1, b.1))
}

fn multiple(range: Range, factor: i128) -> Range {
    let times = |end: Option<i128>| end.and_then(|end| end.checked_mul(factor));
    match factor < 0 {
        true => (times(range.1), times(range.0)),
        false => (times(range.0), times(range.1)),
    }
}

/// Where the term's values lie.
pub fn evaluate(term: &Linear, ranges: &Ranges) -> Range {
    term.terms().iter().fold(exactly(term.offset()), |total, (atom, factor)| {
        sum(total, multiple(evaluate_atom(atom, ranges), *factor))
    })
}

fn evaluate_atom(atom: &Atom, ranges: &Ranges) -> Range {
    match atom {
        Atom::Var(var) => ranges[*var],
        Atom::Choice(choice) => {
            let looked_into = choice.condition.size() + choice.then.size() + choice.other.size() <= LARGE;
            let branch = |condition: &Formula, value: &Linear| match looked_into {
                true => {
                    let mut there = ranges.clone();
                    refine_once(&mut there, condition).then(|| evaluate(value, &there))
                }
                false => Some(ALL),
            };
            let then = branch(&choice.condition, &choice.then);
            match (then, branch(&choice.condition.not(), &choice.other)) {
                (Some(then), Some(other)) => hull(then, other),
                (Some(range), None) | (None, Some(range)) => range,
                (None, None) => ALL,
            }
        }
        Atom::Div(quotient) => {
            let range = evaluate(&quotient.dividend, ranges);
            let divide = |end: Option<i128>| end.map(|end| end.div_euclid(quotient.divisor));
            (divide(range.0), divide(range.1))
        }
        Atom::Mod(quotient) => match evaluate(&quotient.dividend, ranges) {
            (Some(low), Some(high)) if low.div_euclid(quotient.divisor) == high.div_euclid(quotient.divisor) => {
                (Some(low.rem_euclid(quotient.divisor)), Some(high.rem_euclid(quotient.divisor)))
            }
            _ => (Some(0), Some(quotient.divisor - 1)),
        },
    }
}

/// Alternatives and choices larger than this are not looked into: it would be done again and again, and tell little.
const LARGE: usize = 120;

/// Narrows the ranges to where the formula can hold; false where it cannot.
pub fn refine(ranges: &mut Ranges, formula: &Formula) -> bool {
    match formula {
        // Twice: a later part may help an earlier one.
        Formula::And(parts) => (0..2).all(|_| parts.iter().all(|part| refine_once(ranges, part))),
        other => refine_once(ranges, other),
    }
}

fn refine_once(ranges: &mut Ranges, formula: &Formula) -> bool {
    match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::Le(term) => refine_at_most(ranges, term),
        Formula::Eq(term) => refine_at_most(ranges, term) && refine_at_most(ranges, &term.scale(-1)),
        Formula::Ne(term) => refine_different(ranges, term),
        // What divides what is not followed.
        Formula::Divides(..) | Formula::NotDivides(..) => true,
        Formula::And(parts) => parts.iter().all(|part| refine_once(ranges, part)),
        Formula::Or(_) if formula.size() > LARGE => true,
        Formula::Or(parts) => {
            let possible = parts.iter().filter_map(|part| {
                let mut there = ranges.clone();
                refine_once(&mut there, part).then_some(there)
            });
            match possible.reduce(Ranges::hull) {
                Some(all) => {
                    *ranges = all;
                    true
                }
                None => false,
            }
        }
    }
}

/// `term <= 0`
fn refine_at_most(ranges: &mut Ranges, term: &Linear) -> bool {
    if evaluate(term, ranges).0.is_some_and(|low| low > 0) {
        return false;
    }
    for (atom, factor) in term.terms() {
        let Atom::Var(var) = atom else { continue };
        // factor * var <= -rest
        let rest = term.plus_multiple(&Linear::var(*var), -factor);
        let Some(most) = evaluate(&rest, ranges).0.and_then(i128::checked_neg) else { continue };
        let bound = match *factor > 0 {
            true => (None, Some(most.div_euclid(*factor))),
            // var >= most / factor, rounded up
            false => (Some(-most.div_euclid(-factor)), None),
        };
        match intersect(ranges[*var], bound) {
            Some(range) => ranges[*var] = range,
            None => return false,
        }
    }
    true
}

/// `term != 0`
fn refine_different(ranges: &mut Ranges, term: &Linear) -> bool {
    if evaluate(term, ranges) == exactly(0) {
        return false;
    }
    // A variable that differs from a constant at the end of its range.
    let [(Atom::Var(var), factor)] = term.terms() else { return true };
    if term.offset() % factor == 0 {
        let hole = -term.offset() / factor;
        let (low, high) = ranges[*var];
        ranges[*var] = match (low, high) {
            (Some(low), _) if low == hole => (Some(low + 1), high),
            (_, Some(high)) if high == hole => (low, Some(high - 1)),
            range => range,
        };
        return intersect(ranges[*var], ALL).is_some();
    }
    true
}
