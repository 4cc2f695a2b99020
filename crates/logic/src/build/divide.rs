//! Division.  Signed division is unsigned division of absolute values, so that only one divider has to be right.
//! Division by zero has the meaning that falls out; callers guard it.

use crate::meaning::{udiv, urem};
use crate::term::{Node, Term, Terms};

impl Terms {
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(right) = self.as_constant(b) {
            if right == 1 {
                return a;
            }
            if right.is_power_of_two() {
                let by = right.trailing_zeros();
                let kept = self.extract(a, by, width - by);
                return self.zext(kept, width);
            }
            if let Some(result) = self.folded(a, width, |value| udiv(value, right, width)) {
                return result;
            }
        }
        self.node(width, Node::Udiv(a, b))
    }

    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if let Some(right) = self.as_constant(b) {
            if right == 1 {
                return self.zero(width);
            }
            if right.is_power_of_two() {
                let kept = self.extract(a, 0, right.trailing_zeros());
                return self.zext(kept, width);
            }
            if let Some(result) = self.folded(a, width, |value| urem(value, right, width)) {
                return result;
            }
        }
        self.node(width, Node::Urem(a, b))
    }

    /// Rounds toward zero.  The most negative number divided by -1 is itself.
    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        let (left_sign, right_sign) = (self.sign(a), self.sign(b));
        let (left, right) = (self.absolute(a), self.absolute(b));
        let quotient = self.udiv(left, right);
        let negative = self.xor(left_sign, right_sign);
        self.negated_if(negative, quotient)
    }

    /// The sign is the dividend's.
    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let sign = self.sign(a);
        let (left, right) = (self.absolute(a), self.absolute(b));
        let rest = self.urem(left, right);
        self.negated_if(sign, rest)
    }

    fn absolute(&mut self, a: Term) -> Term {
        let sign = self.sign(a);
        self.negated_if(sign, a)
    }
    fn negated_if(&mut self, condition: Term, a: Term) -> Term {
        let negated = self.neg(a);
        self.ite(condition, negated, a)
    }
}
