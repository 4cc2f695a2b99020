//! Shifts.  The amount counts modulo the width and may have a width of its own.  A constant amount needs no shifter:
//! it is extraction and concatenation.

use crate::meaning::{ashr, lshr, modulo, shl};
use crate::term::{Node, Term, Terms};

/// A shift as the rules need it: by a constant, which is less than the width, the node, and what it means.
type Shift = (fn(&mut Terms, Term, u32) -> Term, fn(Term, Term) -> Node, fn(u128, u128, u32) -> u128);

impl Terms {
    pub fn shl(&mut self, a: Term, amount: Term) -> Term {
        let by_constant = |terms: &mut Terms, a, by| {
            if by == 0 {
                return a;
            }
            let kept = terms.extract(a, 0, terms.width(a) - by);
            let zeros = terms.zero(by);
            terms.concat(kept, zeros)
        };
        self.shifted(a, amount, (by_constant, Node::Shl, shl))
    }

    pub fn lshr(&mut self, a: Term, amount: Term) -> Term {
        let by_constant = |terms: &mut Terms, a, by| {
            let kept = terms.extract(a, by, terms.width(a) - by);
            terms.zext(kept, terms.width(a))
        };
        self.shifted(a, amount, (by_constant, Node::Lshr, lshr))
    }

    pub fn ashr(&mut self, a: Term, amount: Term) -> Term {
        let by_constant = |terms: &mut Terms, a, by| {
            let kept = terms.extract(a, by, terms.width(a) - by);
            terms.sext(kept, terms.width(a))
        };
        self.shifted(a, amount, (by_constant, Node::Ashr, ashr))
    }

    /// How many bits the amounts below `width` need; at least one, because a term has at least one.
    pub(crate) fn shift_width(&self, width: u32) -> u32 {
        (u32::BITS - (width - 1).leading_zeros()).max(1)
    }

    fn shifted(&mut self, a: Term, amount: Term, shift: Shift) -> Term {
        let width = self.width(a);
        let (by_constant, node, meaning) = shift;
        if let Some(amount) = self.as_constant(amount) {
            return by_constant(self, a, modulo(amount, width));
        }
        // What is the same after one step is so after any.
        if width == 1 || self.as_constant(a).is_some_and(|value| meaning(value, 1, width) == value) {
            return a;
        }
        let amount = self.reduced(amount, width);
        if let Some(amount) = self.as_constant(amount) {
            return by_constant(self, a, modulo(amount, width));
        }
        if let Some(value) = self.as_constant(a)
            && let Some(result) = self.folded(amount, width, |amount| meaning(value, amount, width))
        {
            return result;
        }
        if self.constant_arms(amount).is_some()
            && let Node::Ite(condition, yes, no) = self.view(amount)
        {
            let (yes, no) = (self.shifted(a, yes, shift), self.shifted(a, no, shift));
            return self.ite(condition, yes, no);
        }
        self.node(width, node(a, amount))
    }

    /// The amount modulo the shifted width, in as few bits as that needs.
    fn reduced(&mut self, amount: Term, width: u32) -> Term {
        let needed = self.shift_width(width);
        let given = self.width(amount);
        let rest = if width.is_power_of_two() || given < needed {
            amount
        } else {
            let modulus = self.constant(given, u128::from(width));
            self.urem(amount, modulus)
        };
        if given < needed { self.zext(rest, needed) } else { self.extract(rest, 0, needed) }
    }
}
