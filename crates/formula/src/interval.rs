//! Where terms lie when their variables lie in intervals, and what a formula leaves of those.  Both are rather too much than
//! too little.

use crate::{Atom, Choice, Formula, Linear, Quotient, Var};
use base::{IdVec, Interval};
use std::ops::{Index, IndexMut};

/// Where variables lie.
pub trait Known {
    fn range(&self, var: Var) -> Interval;
    fn set(&mut self, var: Var, range: Interval);
    /// Where a choice lies.  Whoever can afford it looks at the condition.
    fn choice(&self, choice: &Choice) -> Interval {
        evaluate(&choice.then, self).hull(evaluate(&choice.other, self))
    }
    /// Narrows the ranges to where one of the parts can hold; false where none can.  Whoever can afford it looks at each.
    fn either(&mut self, _parts: &[Formula]) -> bool {
        true
    }
}

/// A range for each variable of a state, and for the inputs of the step that is looked at.  None of them is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranges {
    pub state: IdVec<Var, Interval>,
    pub inputs: Vec<Interval>,
}

impl Ranges {
    pub fn new(state: IdVec<Var, Interval>) -> Self {
        Ranges { state, inputs: Vec::new() }
    }
    /// The same state with these inputs.
    pub fn with_inputs(mut self, inputs: impl IntoIterator<Item = Interval>) -> Self {
        self.inputs = inputs.into_iter().collect();
        self
    }
    fn hull(mut self, other: Ranges) -> Ranges {
        self.state.iter_mut().zip(other.state.values()).for_each(|((_, a), b)| *a = a.hull(*b));
        self.inputs.iter_mut().zip(&other.inputs).for_each(|(a, b)| *a = a.hull(*b));
        self
    }
}

impl Index<Var> for Ranges {
    type Output = Interval;
    fn index(&self, var: Var) -> &Interval {
        match var.as_input() {
            Some(input) => &self.inputs[input],
            None => &self.state[var],
        }
    }
}

impl IndexMut<Var> for Ranges {
    fn index_mut(&mut self, var: Var) -> &mut Interval {
        match var.as_input() {
            Some(input) => &mut self.inputs[input],
            None => &mut self.state[var],
        }
    }
}

/// Where both hold, if they can.
pub fn meet(a: &Ranges, b: &Ranges) -> Option<Ranges> {
    let both = a.state.values().zip(b.state.values()).map(|(a, b)| a.intersect(*b));
    both.collect::<Option<_>>().map(Ranges::new)
}

impl Known for Ranges {
    fn range(&self, var: Var) -> Interval {
        self[var]
    }
    fn set(&mut self, var: Var, range: Interval) {
        self[var] = range;
    }
    fn choice(&self, choice: &Choice) -> Interval {
        if choice.condition.size() + choice.then.size() + choice.other.size() > LARGE {
            return Interval::ALL;
        }
        let branch = |condition: &Formula, value: &Linear| {
            let mut there = self.clone();
            refine_once(&mut there, condition).then(|| evaluate(value, &there))
        };
        let branches = [branch(&choice.condition, &choice.then), branch(&choice.condition.not(), &choice.other)];
        branches.into_iter().flatten().reduce(Interval::hull).unwrap_or(Interval::ALL)
    }
    fn either(&mut self, parts: &[Formula]) -> bool {
        let possible = parts.iter().filter_map(|part| {
            let mut there = self.clone();
            refine_once(&mut there, part).then_some(there)
        });
        let all = possible.reduce(Ranges::hull);
        all.map(|all| *self = all).is_some()
    }
}

/// Where the term's values lie.
pub fn evaluate<K: Known + ?Sized>(term: &Linear, known: &K) -> Interval {
    term.terms().iter().fold(Interval::exactly(term.offset()), |total, (atom, factor)| {
        let range = match atom {
            Atom::Var(var) => known.range(*var),
            Atom::Choice(choice) => known.choice(choice),
            Atom::Div(quotient) => evaluate(&quotient.dividend, known).floor_div(quotient.divisor),
            Atom::Mod(quotient) => evaluate(&quotient.dividend, known).floor_mod(quotient.divisor),
        };
        total.plus(range.times(*factor))
    })
}

/// Alternatives and choices larger than this are not looked into: it would be done again and again, and tell little.
const LARGE: usize = 120;

/// Narrows the ranges to where the formula can hold; false where it cannot.
pub fn refine<K: Known>(known: &mut K, formula: &Formula) -> bool {
    match formula {
        // Twice: a later part may help an earlier one.
        Formula::And(parts) => (0..2).all(|_| parts.iter().all(|part| refine_once(known, part))),
        other => refine_once(known, other),
    }
}

fn refine_once<K: Known>(known: &mut K, formula: &Formula) -> bool {
    match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::Le(term) => refine_at_most(known, term),
        Formula::Eq(term) => refine_at_most(known, term) && refine_at_most(known, &term.scale(-1)),
        Formula::Ne(term) => refine_different(known, term),
        // What is left of the ranges is not followed.
        Formula::Divides(divisor, term) => evaluate(term, known).floor_mod(*divisor).has(0),
        Formula::NotDivides(divisor, term) => evaluate(term, known).floor_mod(*divisor) != Interval::exactly(0),
        Formula::And(parts) => parts.iter().all(|part| refine_once(known, part)),
        Formula::Or(_) if formula.size() > LARGE => true,
        Formula::Or(parts) => known.either(parts),
    }
}

/// `term <= 0`
fn refine_at_most<K: Known>(known: &mut K, term: &Linear) -> bool {
    if evaluate(term, known).low > 0 {
        return false;
    }
    term.terms().iter().all(|(atom, factor)| {
        // factor * atom <= -rest
        let rest = term.plus_multiple(&Linear::atom(atom.clone()), -factor);
        let Some(most) = evaluate(&rest, known).least().and_then(i128::checked_neg) else { return true };
        let bound = match *factor > 0 {
            true => Interval::at_most(most.div_euclid(*factor)),
            // atom >= most / factor, rounded up
            false => Interval::at_least(-most.div_euclid(-factor)),
        };
        refine_atom(known, atom, bound)
    })
}

/// The atom lies within the bound.
fn refine_atom<K: Known>(known: &mut K, atom: &Atom, bound: Interval) -> bool {
    match atom {
        Atom::Var(var) => known.range(*var).intersect(bound).map(|range| known.set(*var, range)).is_some(),
        Atom::Div(quotient) => refine_quotient(known, quotient, bound),
        Atom::Mod(quotient) => refine_remainder(known, quotient, bound),
        Atom::Choice(choice) => refine_choice(known, choice, |side| side.intersect(bound).is_some()),
    }
}

/// The choice is one for which its side lies where it may.
fn refine_choice<K: Known>(known: &mut K, choice: &Choice, may: impl Fn(Interval) -> bool) -> bool {
    let Choice { condition, then, other } = choice;
    if condition.size() + then.size() + other.size() > LARGE {
        return true;
    }
    match (may(evaluate(then, known)), may(evaluate(other, known))) {
        (true, true) => true,
        (true, false) => refine_once(known, condition),
        (false, true) => refine_once(known, &condition.not()),
        (false, false) => false,
    }
}

/// What `dividend / divisor`, rounded down, leaves lies within the bound.
fn refine_remainder<K: Known>(known: &mut K, quotient: &Quotient, bound: Interval) -> bool {
    let Quotient { dividend, divisor } = quotient;
    let Some(bound) = bound.intersect(Interval::between(0, divisor - 1)) else { return false };
    let Some((low, high)) = evaluate(dividend, known).ends() else { return true };
    // The first and the last of the dividends that leave such a remainder.
    let least = match low.rem_euclid(*divisor) {
        rest if rest > bound.high => low.checked_add(divisor - rest + bound.low),
        rest => low.checked_add((bound.low - rest).max(0)),
    };
    let most = match high.rem_euclid(*divisor) {
        rest if rest < bound.low => high.checked_sub(rest + divisor - bound.high),
        rest => high.checked_sub((rest - bound.high).max(0)),
    };
    refine_between(known, least, dividend, most)
}

/// `dividend / divisor`, rounded down, lies within the bound.
fn refine_quotient<K: Known>(known: &mut K, quotient: &Quotient, bound: Interval) -> bool {
    let Quotient { dividend, divisor } = quotient;
    let least = bound.least().and_then(|low| low.checked_mul(*divisor));
    let most = bound.most().and_then(|high| high.checked_add(1)?.checked_mul(*divisor)?.checked_sub(1));
    refine_between(known, least, dividend, most)
}

/// `least <= term <= most`, as far as there are such.
fn refine_between<K: Known>(known: &mut K, least: Option<i128>, term: &Linear, most: Option<i128>) -> bool {
    least.is_none_or(|least| refine_at_most(known, &Linear::constant(least).minus(term)))
        && most.is_none_or(|most| refine_at_most(known, &term.minus(&Linear::constant(most))))
}

/// `term != 0`
fn refine_different<K: Known>(known: &mut K, term: &Linear) -> bool {
    if evaluate(term, known) == Interval::exactly(0) {
        return false;
    }
    let [(atom, factor)] = term.terms() else { return true };
    if term.offset() % factor != 0 {
        return true;
    }
    let value = -term.offset() / factor;
    if let Atom::Choice(choice) = atom {
        return refine_choice(known, choice, |side| side != Interval::exactly(value));
    }
    // At the end of its range.
    let rest = evaluate(&Linear::atom(atom.clone()), known).without(value);
    rest.is_some_and(|range| refine_atom(known, atom, range))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ranges of two variables, of which only what must be is followed.
    struct Plain([Interval; 2]);

    impl Known for Plain {
        fn range(&self, var: Var) -> Interval {
            self.0[var.0 as usize]
        }
        fn set(&mut self, var: Var, range: Interval) {
            self.0[var.0 as usize] = range;
        }
    }

    /// Terms and formulas of every kind over two variables.
    fn samples() -> (Vec<Linear>, Vec<Formula>) {
        let (x, y) = (Linear::var(Var(0)), Linear::var(Var(1)));
        let mut terms = vec![x.clone(), x.scale(2).minus(&y), y.scale(-3).plus(&x).plus_constant(1)];
        let mut formulas = vec![Formula::True, Formula::False];
        for by in [1, 2, 3] {
            let term = x.plus_multiple(&y, -by).plus_constant(1);
            terms.extend([term.clone().floor_div(by), term.clone().floor_mod(by), y.clone().floor_mod(by).scale(-2)]);
            formulas.extend([Formula::divides(by, term.clone()), Formula::divides(by, term).not()]);
        }
        for constant in -2..=2 {
            let number = Linear::constant(constant);
            for term in [&x, &y.scale(-1), &x.scale(2).minus(&y), &y.clone().floor_div(2), &x.clone().floor_mod(2)] {
                formulas.extend([Formula::le(term, &number), Formula::eq(term, &number), Formula::ne(term, &number)]);
            }
        }
        let simple = formulas.clone();
        for (at, one) in simple.iter().enumerate() {
            let other = simple[(at * 7 + 3) % simple.len()].clone();
            terms.push(Linear::choice(one.clone(), x.clone(), y.scale(-1)).plus(&Linear::truth(other.clone())));
            formulas.extend([Formula::and([one.clone(), other.clone()]), Formula::or([one.clone(), other])]);
        }
        formulas.extend(terms.clone().into_iter().map(Formula::at_most_zero));
        (terms, formulas)
    }

    /// All pairs of intervals of numbers from -3 to 3.
    fn boxes() -> impl Iterator<Item = [Interval; 2]> {
        let all = || (-3..=3).flat_map(|low| (low..=3).map(move |high| Interval::between(low, high)));
        all().flat_map(move |x| all().map(move |y| [x, y]))
    }

    #[test]
    fn no_value_and_no_model_is_lost() {
        let (terms, formulas) = samples();
        for ranges in boxes() {
            let [x, y] = ranges;
            let (plain, full) = (Plain(ranges), Ranges::new(IdVec::from_vec(ranges.to_vec())));
            let values: Vec<[i128; 2]> = (x.low..=x.high).flat_map(|x| (y.low..=y.high).map(move |y| [x, y])).collect();
            for term in &terms {
                let found = [evaluate(term, &plain), evaluate(term, &full)];
                for at in &values {
                    let value = term.eval(&|var| at[var.0 as usize]);
                    assert!(found.iter().all(|found| found.has(value)), "{term:?} is {value} at {at:?}, not {found:?}");
                }
            }
            for formula in &formulas {
                let (mut plain, mut full) = (Plain(ranges), full.clone());
                let possible = [refine(&mut plain, formula), refine(&mut full, formula)];
                for at in values.iter().filter(|at| formula.eval(&|var| at[var.0 as usize])) {
                    let kept = |known: &dyn Known| (0..2).all(|var| known.range(Var(var)).has(at[var as usize]));
                    assert_eq!(possible, [true, true], "{formula:?} holds at {at:?}");
                    assert!(kept(&plain) && kept(&full), "{formula:?} holds at {at:?}: {full:?}");
                }
            }
        }
    }
}
