//! Random formulas over few variables with small numbers, so that all values can be tried.

use base::Rng;
use formula::{Formula, Linear, Var};

pub fn term(random: &mut Rng, vars: usize, depth: usize) -> Linear {
    let mut sum = Linear::constant(random.number(-5, 5));
    for var in 0..vars {
        if random.below(3) == 0 {
            sum = sum.plus_multiple(&variable(var), random.number(-3, 3));
        }
    }
    if depth > 0 && random.below(4) == 0 {
        let inner = term(random, vars, depth - 1);
        let divisor = random.number(2, 4);
        let atom = match random.below(3) {
            0 => inner.floor_div(divisor),
            1 => inner.floor_mod(divisor),
            _ => Linear::choice(formula(random, vars, depth - 1), inner, term(random, vars, depth - 1)),
        };
        sum = sum.plus_multiple(&atom, random.number(-2, 2));
    }
    sum
}

pub fn formula(random: &mut Rng, vars: usize, depth: usize) -> Formula {
    let part = |random: &mut Rng| formula(random, vars, depth - 1);
    if depth > 0 && random.below(4) != 0 {
        let parts: Vec<Formula> = (0..2 + random.below(2)).map(|_| part(random)).collect();
        return if random.below(2) == 0 { Formula::and(parts) } else { Formula::or(parts) };
    }
    let term = term(random, vars, depth.min(2));
    let literal = match random.below(8) {
        0..=3 => Formula::at_most_zero(term),
        4..=5 => Formula::is_zero(term),
        _ => Formula::divides(random.number(2, 5), term),
    };
    if random.below(3) == 0 { literal.not() } else { literal }
}

pub fn variable(number: usize) -> Linear {
    Linear::var(Var(number as u32))
}

/// All variables are within these limits.
pub fn limits(vars: std::ops::Range<usize>, low: i128, high: i128) -> Formula {
    Formula::and(vars.map(|var| Formula::between(low, &variable(var), high)))
}

/// All ways to give so many variables values within the limits.
pub fn all_values(vars: usize, low: i128, high: i128) -> Vec<Vec<i128>> {
    let mut all = vec![Vec::new()];
    for _ in 0..vars {
        all = all.iter().flat_map(|values| (low..=high).map(|value| [values.as_slice(), &[value]].concat())).collect();
    }
    all
}

pub fn holds(formula: &Formula, values: &[i128]) -> bool {
    formula.eval(&|var| values[base::Id::index(var)])
}
