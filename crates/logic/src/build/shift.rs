//! Shifts.  The amount counts modulo the width and may have a width of its own.  A constant amount needs no shifter:
//! it is extraction and concatenation.

use crate::meaning::{ashr, lshr, modulo, ones, shl};
use crate::term::{Node, Term, Terms};

/// A shift as the rules need it: the whole operation, the node, and what it means.
type Shift = (fn(&mut Terms, Term, Term) -> Term, fn(Term, Term) -> Node, fn(u128, u128, u32) -> u128);

impl Terms {
    pub fn shl(&mut self, a: Term, amount: Term) -> Term {
        let width = self.width(a);
        if let Some(amount) = self.as_constant(amount) {
            let by = modulo(amount, width);
            if by == 0 {
                return a;
            }
            let kept = self.extract(a, 0, width - by);
            let zeros = self.zero(by);
            return self.concat(kept, zeros);
        }
        self.shifted(a, amount, (Terms::shl, Node::Shl, shl))
    }

    pub fn lshr(&mut self, a: Term, amount: Term) -> Term {
        let width = self.width(a);
        if let Some(amount) = self.as_constant(amount) {
            let by = modulo(amount, width);
            let kept = self.extract(a, by, width - by);
            return self.zext(kept, width);
        }
        self.shifted(a, amount, (Terms::lshr, Node::Lshr, lshr))
    }

    pub fn ashr(&mut self, a: Term, amount: Term) -> Term {
        let width = self.width(a);
        if let Some(amount) = self.as_constant(amount) {
            let by = modulo(amount, width);
            let kept = self.extract(a, by, width - by);
            return self.sext(kept, width);
        }
        if self.as_constant(a) == Some(ones(width)) {
            return a;
        }
        self.shifted(a, amount, (Terms::ashr, Node::Ashr, ashr))
    }

    /// How many bits the amounts below `width` need; at least one, because a term has at least one.
    pub(crate) fn shift_width(&self, width: u32) -> u32 {
        (u32::BITS - (width - 1).leading_zeros()).max(1)
    }

    fn shifted(&mut self, a: Term, amount: Term, (shift, node, meaning): Shift) -> Term {
        let width = self.width(a);
        if width == 1 || self.as_constant(a) == Some(0) {
            return a;
        }
        let amount = self.reduced(amount, width);
        if self.is_constant(amount) {
            return shift(self, a, amount);
        }
        if let Some(value) = self.as_constant(a)
            && let Some(result) = self.folded(amount, width, |amount| meaning(value, amount, width))
        {
            return result;
        }
        if self.constant_arms(amount).is_some()
            && let Node::Ite(condition, yes, no) = self.view(amount)
        {
            let (yes, no) = (shift(self, a, yes), shift(self, a, no));
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
