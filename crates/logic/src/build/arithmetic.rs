//! Sums, differences and products, modulo a power of two.  A sum keeps its constant on the right and at the top.

use crate::meaning::ones;
use crate::term::{Node, Term, Terms};

impl Terms {
    /// Two's complement.
    pub fn neg(&mut self, a: Term) -> Term {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        match self.view(a) {
            Node::Neg(inner) => inner,
            // -(x + c) = -x - c
            Node::Add(x, c) if self.is_constant(c) => {
                let (x, c) = (self.neg(x), self.neg(c));
                self.add(x, c)
            }
            _ => self.folded(a, width, u128::wrapping_neg).unwrap_or_else(|| self.node(width, Node::Neg(a))),
        }
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let b = self.neg(b);
        self.add(a, b)
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.xor(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(right) = self.as_constant(b) {
            if right == 0 {
                return a;
            }
            if let Some((x, c)) = self.constant_summand(a) {
                let sum = self.add(c, b);
                return self.add(x, sum);
            }
            let folded = self.folded(a, width, |value| value.wrapping_add(right));
            return folded.unwrap_or_else(|| self.node(width, Node::Add(a, b)));
        }
        if self.is_neg_of(a, b) || self.is_neg_of(b, a) {
            return self.zero(width);
        }
        // x + !x = -1
        if self.complementary(a, b) {
            return self.ones(width);
        }
        if let Some(rest) = self.cancelled(a, b).or_else(|| self.cancelled(b, a)) {
            return rest;
        }
        // Constants rise, to meet those above.
        if let Some((x, c)) = self.constant_summand(a) {
            return self.risen(x, b, c);
        }
        if let Some((x, c)) = self.constant_summand(b) {
            return self.risen(a, x, c);
        }
        // 2x, as a product would have it.
        if a == b {
            let one = self.constant(self.shift_width(width), 1);
            return self.shl(a, one);
        }
        self.node(width, Node::Add(a, b))
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if width == 1 {
            return self.and(a, b);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(right) = self.as_constant(b) {
            if right == 0 {
                return b;
            }
            if right == 1 {
                return a;
            }
            if right.is_power_of_two() {
                let amount = self.constant(self.shift_width(width), u128::from(right.trailing_zeros()));
                return self.shl(a, amount);
            }
            if right == ones(width) {
                return self.neg(a);
            }
            if let Node::Mul(x, c) = self.view(a)
                && self.is_constant(c)
            {
                let product = self.mul(c, b);
                return self.mul(x, product);
            }
            if let Some(result) = self.folded(a, width, |value| value.wrapping_mul(right)) {
                return result;
            }
        }
        self.node(width, Node::Mul(a, b))
    }

    fn is_neg_of(&self, a: Term, b: Term) -> bool {
        self.view(a) == Node::Neg(b)
    }

    /// `(x + y) + b` where `b` is `-x` or `-y`.
    fn cancelled(&self, sum: Term, b: Term) -> Option<Term> {
        let Node::Add(x, y) = self.view(sum) else { return None };
        if self.is_neg_of(b, x) || self.is_neg_of(x, b) {
            Some(y)
        } else if self.is_neg_of(b, y) || self.is_neg_of(y, b) {
            Some(x)
        } else {
            None
        }
    }

    pub(crate) fn constant_summand(&self, sum: Term) -> Option<(Term, Term)> {
        match self.view(sum) {
            Node::Add(x, c) if self.is_constant(c) => Some((x, c)),
            _ => None,
        }
    }

    fn risen(&mut self, x: Term, y: Term, constant: Term) -> Term {
        let sum = self.add(x, y);
        self.add(sum, constant)
    }
}
