//! Random formulas over few variables with small numbers, so that all values can be tried.

use formula::{Formula, Linear, Var};

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    /// From 0 up to the limit, which is not reached.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
    pub fn between(&mut self, low: i128, high: i128) -> i128 {
        low + i128::from(self.below((high - low + 1) as u64))
    }

    pub fn term(&mut self, vars: usize, depth: usize) -> Linear {
        let mut sum = Linear::constant(self.between(-5, 5));
        for var in 0..vars {
            if self.below(3) == 0 {
                sum = sum.plus_multiple(&variable(var), self.between(-3, 3));
            }
        }
        if depth > 0 && self.below(4) == 0 {
            let inner = self.term(vars, depth - 1);
            let divisor = self.between(2, 4);
            let atom = match self.below(3) {
                0 => inner.floor_div(divisor),
                1 => inner.floor_mod(divisor),
                _ => Linear::choice(self.formula(vars, depth - 1), inner, self.term(vars, depth - 1)),
            };
            sum = sum.plus_multiple(&atom, self.between(-2, 2));
        }
        sum
    }

    pub fn formula(&mut self, vars: usize, depth: usize) -> Formula {
        let part = |random: &mut Random| random.formula(vars, depth - 1);
        if depth > 0 && self.below(4) != 0 {
            let parts: Vec<Formula> = (0..2 + self.below(2)).map(|_| part(self)).collect();
            return if self.below(2) == 0 { Formula::and(parts) } else { Formula::or(parts) };
        }
        let term = self.term(vars, depth.min(2));
        let literal = match self.below(8) {
            0..=3 => Formula::at_most_zero(term),
            4..=5 => Formula::is_zero(term),
            _ => Formula::divides(self.between(2, 5), term),
        };
        if self.below(3) == 0 { literal.not() } else { literal }
    }
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
