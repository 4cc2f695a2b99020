//! Intervals: what a term can be and what a formula leaves of a box, both rather too much than too little.

use base::Id;
use claim::modular::Range;
use formula::{Atom, Formula, Linear, Var};

pub const ALL: Range = (None, None);

pub fn exactly(value: i128) -> Range {
    (Some(value), Some(value))
}
pub fn contains(outer: Range, inner: Range) -> bool {
    let low = outer.0.is_none_or(|low| inner.0.is_some_and(|inner| low <= inner));
    low && outer.1.is_none_or(|high| inner.1.is_some_and(|inner| inner <= high))
}
pub fn intersection(a: Range, b: Range) -> Range {
    let tighter = |a: Option<i128>, b: Option<i128>, choose: fn(i128, i128) -> i128| match (a, b) {
        (Some(a), Some(b)) => Some(choose(a, b)),
        (one, None) | (None, one) => one,
    };
    (tighter(a.0, b.0, i128::max), tighter(a.1, b.1, i128::min))
}
pub fn is_empty(range: Range) -> bool {
    matches!(range, (Some(low), Some(high)) if low > high)
}

/// Where the term lies when each variable lies in its range; none of the ranges is empty.
pub fn term(term: &Linear, ranges: &[Range]) -> Range {
    term.terms().iter().fold(exactly(term.offset()), |sum, (atom, factor)| {
        let (low, high) = self::atom(atom, ranges);
        let (low, high) = if *factor < 0 { (high, low) } else { (low, high) };
        let add = |sum: Option<i128>, end: Option<i128>| sum?.checked_add(end?.checked_mul(*factor)?);
        (add(sum.0, low), add(sum.1, high))
    })
}

fn atom(atom: &Atom, ranges: &[Range]) -> Range {
    match atom {
        Atom::Var(var) => ranges[var.index()],
        Atom::Choice(choice) => {
            let branch = |condition: &Formula, value: &Linear| {
                let mut there = ranges.to_vec();
                narrow(condition, &mut there).then(|| term(value, &there))
            };
            match (branch(&choice.condition, &choice.then), branch(&choice.condition.not(), &choice.other)) {
                (Some((a, b)), Some((c, d))) => (a.zip(c).map(|(a, c)| a.min(c)), b.zip(d).map(|(b, d)| b.max(d))),
                (Some(range), None) | (None, Some(range)) => range,
                (None, None) => ALL,
            }
        }
        Atom::Div(quotient) => {
            let (low, high) = term(&quotient.dividend, ranges);
            let divide = |end: i128| end.div_euclid(quotient.divisor);
            (low.map(divide), high.map(divide))
        }
        Atom::Mod(quotient) => (Some(0), Some(quotient.divisor - 1)),
    }
}

/// Leaves out values with which the formula cannot hold; false if there are no others.
pub fn narrow(formula: &Formula, ranges: &mut [Range]) -> bool {
    match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::Le(term) => narrow_at_most(term, ranges),
        Formula::Eq(term) => narrow_at_most(term, ranges) && narrow_at_most(&term.scale(-1), ranges),
        Formula::Ne(different) => narrow_different(different, ranges),
        Formula::Divides(..) | Formula::NotDivides(..) => true,
        Formula::And(parts) => parts.iter().all(|part| narrow(part, ranges)),
        // Not followed further than to see that none of them can hold.
        Formula::Or(parts) => parts.iter().any(|part| narrow(part, &mut ranges.to_vec())),
    }
}

/// `whole <= 0`
fn narrow_at_most(whole: &Linear, ranges: &mut [Range]) -> bool {
    if self::term(whole, ranges).0.is_some_and(|low| low > 0) {
        return false;
    }
    for (atom, factor) in whole.terms() {
        let Atom::Var(var) = atom else { continue };
        let rest = whole.plus_multiple(&Linear::var(*var), -factor);
        // factor * var <= most
        let Some(most) = self::term(&rest, ranges).0.and_then(i128::checked_neg) else { continue };
        let bound = match *factor > 0 {
            true => (None, Some(most.div_euclid(*factor))),
            // var >= -(most / -factor), rounded up
            false => (Some(-most.div_euclid(-factor)), None),
        };
        let narrowed = intersection(ranges[var.index()], bound);
        if is_empty(narrowed) {
            return false;
        }
        ranges[var.index()] = narrowed;
    }
    true
}

/// `whole != 0`
fn narrow_different(whole: &Linear, ranges: &mut [Range]) -> bool {
    if self::term(whole, ranges) == exactly(0) {
        return false;
    }
    if let [(Atom::Var(var), factor)] = whole.terms()
        && whole.offset() % factor == 0
    {
        // An end of the range that is left out.
        let hole = -(whole.offset() / factor);
        let range = &mut ranges[var.index()];
        if range.0 == Some(hole) {
            range.0 = Some(hole + 1);
        } else if range.1 == Some(hole) {
            range.1 = Some(hole - 1);
        }
        return !is_empty(*range);
    }
    true
}

/// The range as a formula.
pub fn within(var: Var, range: Range) -> Formula {
    let var = Linear::var(var);
    let low = range.0.map_or(Formula::True, |low| Formula::le(&Linear::constant(low), &var));
    let high = range.1.map_or(Formula::True, |high| Formula::le(&var, &Linear::constant(high)));
    Formula::and([low, high])
}
