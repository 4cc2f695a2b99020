//! Shifts.  The amount counts modulo the width and may have a width of its own.  A constant amount needs no shifter:
//! it is extraction and concatenation.

use crate::meaning::{ashr, lshr, modulo, shl};
use crate::term::{Op, Term, Terms};

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
        self.shifted(Op::Shl, a, amount, shl)
    }

    pub fn lshr(&mut self, a: Term, amount: Term) -> Term {
        let width = self.width(a);
        if let Some(amount) = self.as_constant(amount) {
            let by = modulo(amount, width);
            let kept = self.extract(a, by, width - by);
            return self.zext(kept, width);
        }
        self.shifted(Op::Lshr, a, amount, lshr)
    }

    pub fn ashr(&mut self, a: Term, amount: Term) -> Term {
        let width = self.width(a);
        if let Some(amount) = self.as_constant(amount) {
            let by = modulo(amount, width);
            let kept = self.extract(a, by, width - by);
            return self.sext(kept, width);
        }
        if self.as_constant(a) == Some(crate::meaning::ones(width)) {
            return a;
        }
        self.shifted(Op::Ashr, a, amount, ashr)
    }

    /// How many bits the amounts below `width` need; at least one, because a term has at least one.
    pub(crate) fn shift_width(&self, width: u32) -> u32 {
        (u32::BITS - (width - 1).leading_zeros()).max(1)
    }

    fn shifted(&mut self, op: Op, a: Term, amount: Term, meaning: fn(u128, u128, u32) -> u128) -> Term {
        let width = self.width(a);
        if width == 1 || self.as_constant(a) == Some(0) {
            return a;
        }
        let amount = self.reduced(amount, width);
        if self.is_constant(amount) {
            return self.shifted_by_constant(op, a, amount);
        }
        if let Some(value) = self.as_constant(a)
            && let Some(result) = self.over_arms(amount, width, |amount| meaning(value, amount, width))
        {
            return result;
        }
        if let Some((condition, yes, no)) = self.constant_arms(amount) {
            let amount_width = self.width(amount);
            let yes = self.constant(amount_width, yes);
            let no = self.constant(amount_width, no);
            let (yes, no) = (self.shifted_by_constant(op, a, yes), self.shifted_by_constant(op, a, no));
            return self.ite(condition, yes, no);
        }
        self.node(op, width, a, amount)
    }

    fn shifted_by_constant(&mut self, op: Op, a: Term, amount: Term) -> Term {
        match op {
            Op::Shl => self.shl(a, amount),
            Op::Lshr => self.lshr(a, amount),
            _ => self.ashr(a, amount),
        }
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
