//! Comparisons of floating-point numbers in the interchange formats of IEEE 754, in terms of operations on their bits.
//!
//! Such a number is a sign, an exponent and a fraction, from high to low; without the sign, larger numbers have larger bits,
//! infinity has all bits of the exponent set, and whatever is beyond it is no number.

use crate::term::{Term, Terms};

impl Terms {
    /// Is it no number?
    pub fn float_is_nan(&mut self, a: Term, exponent_bits: u32) -> Term {
        let rest = self.width(a) - 1;
        let infinity = self.constant(rest, ((1 << exponent_bits) - 1) << (rest - exponent_bits));
        let magnitude = self.extract(a, 0, rest);
        self.ult(infinity, magnitude)
    }

    pub fn float_neg(&mut self, a: Term) -> Term {
        let sign = self.constant(self.width(a), 1 << (self.width(a) - 1));
        self.xor(a, sign)
    }
    pub fn float_abs(&mut self, a: Term) -> Term {
        let rest = self.constant(self.width(a), !(1 << (self.width(a) - 1)));
        self.and(a, rest)
    }
    /// The first with the sign of the second.
    pub fn float_copysign(&mut self, a: Term, b: Term) -> Term {
        let rest = self.width(a) - 1;
        let (sign, magnitude) = (self.extract(b, rest, 1), self.extract(a, 0, rest));
        self.concat(sign, magnitude)
    }

    /// Are both numbers?
    pub fn float_ordered(&mut self, a: Term, b: Term, exponent_bits: u32) -> Term {
        let (a, b) = (self.float_is_nan(a, exponent_bits), self.float_is_nan(b, exponent_bits));
        let any = self.or(a, b);
        self.not(any)
    }

    fn float_both_zero(&mut self, a: Term, b: Term) -> Term {
        let rest = self.width(a) - 1;
        let (a, b) = (self.extract(a, 0, rest), self.extract(b, 0, rest));
        let (any, zero) = (self.or(a, b), self.constant(rest, 0));
        self.eq(any, zero)
    }

    /// Are they equal numbers?
    pub fn float_eq(&mut self, a: Term, b: Term, exponent_bits: u32) -> Term {
        let ordered = self.float_ordered(a, b, exponent_bits);
        let (same, zeros) = (self.eq(a, b), self.float_both_zero(a, b));
        let equal = self.or(same, zeros);
        self.and(ordered, equal)
    }

    /// Are they numbers, the first less than the second?
    pub fn float_lt(&mut self, a: Term, b: Term, exponent_bits: u32) -> Term {
        let rest = self.width(a) - 1;
        let ordered = self.float_ordered(a, b, exponent_bits);
        let zeros = self.float_both_zero(a, b);
        let (a_negative, b_negative) = (self.extract(a, rest, 1), self.extract(b, rest, 1));
        let (a, b) = (self.extract(a, 0, rest), self.extract(b, 0, rest));
        let (closer, farther) = (self.ult(a, b), self.ult(b, a));
        let (yes, no) = (self.bool(true), self.bool(false));
        let if_negative = self.ite(b_negative, farther, yes);
        let if_positive = self.ite(b_negative, no, closer);
        let less = self.ite(a_negative, if_negative, if_positive);
        let differ = self.not(zeros);
        self.all(&[ordered, differ, less])
    }

    /// Are they numbers, the first at most the second?
    pub fn float_le(&mut self, a: Term, b: Term, exponent_bits: u32) -> Term {
        let (less, equal) = (self.float_lt(a, b, exponent_bits), self.float_eq(a, b, exponent_bits));
        self.or(less, equal)
    }
}

#[cfg(test)]
mod tests {
    use crate::term::Terms;

    /// The machine's numbers, with all that is special among them.
    #[test]
    fn are_those_of_the_machine() {
        let positive = [0.0f32, f32::from_bits(1), f32::MIN_POSITIVE, 0.5, 1.0, 1.5, 3e9, f32::MAX, f32::INFINITY];
        let nans = [f32::NAN, f32::from_bits(0x7f80_0001), f32::from_bits(0xffff_ffff)];
        let numbers: Vec<f32> = positive.iter().flat_map(|x| [*x, -*x]).chain(nans).collect();
        for a in &numbers {
            for b in &numbers {
                let mut terms = Terms::new();
                let x = terms.constant(32, u128::from(a.to_bits()));
                let y = terms.constant(32, u128::from(b.to_bits()));
                let found = [
                    terms.float_eq(x, y, 8),
                    terms.float_lt(x, y, 8),
                    terms.float_le(x, y, 8),
                    terms.float_ordered(x, y, 8),
                    terms.float_is_nan(x, 8),
                ];
                let expected = [a == b, a < b, a <= b, !a.is_nan() && !b.is_nan(), a.is_nan()];
                for (found, expected) in found.into_iter().zip(expected) {
                    assert_eq!(terms.as_constant(found), Some(u128::from(expected)), "{a} and {b}");
                }
            }
        }
    }
}
