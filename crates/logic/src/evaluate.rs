//! The value of a term when the variables have values.  No recursion: terms can be very deep.

use crate::meaning::{ashr, lshr, mask, shl, signed, udiv, urem};
use crate::term::{Node, Term, Terms};
use rustc_hash::FxHashMap;

/// Values of terms under one model, remembered between questions.
#[derive(Default)]
pub struct Evaluation {
    values: FxHashMap<Term, u128>,
}

impl Terms {
    /// The value of `t`, where `value` gives those of the variables.
    pub fn evaluate(&self, t: Term, value: &mut dyn FnMut(Term) -> u128) -> u128 {
        Evaluation::default().value(self, t, value)
    }
}

impl Evaluation {
    /// The value of `t`, where `variable` gives those of the variables, the same ones each time.
    pub fn value(&mut self, terms: &Terms, t: Term, variable: &mut dyn FnMut(Term) -> u128) -> u128 {
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            if !self.values.contains_key(&t) {
                self.visit(terms, t, variable, &mut stack);
            }
        }
        self.values[&t]
    }

    fn visit(&mut self, terms: &Terms, t: Term, variable: &mut dyn FnMut(Term) -> u128, stack: &mut Vec<Term>) {
        let width = terms.width(t);
        let node = terms.view(t);
        // Of a choice only the arm that is chosen.
        let value = match node {
            Node::Constant(value) => Some(value),
            Node::Variable => Some(mask(variable(t), width)),
            Node::Ite(c, yes, no) => match self.known(c, t, stack) {
                Some(condition) => self.known(if condition == 1 { yes } else { no }, t, stack),
                None => None,
            },
            Node::Not(a) => self.known(a, t, stack).map(|a| mask(!a, width)),
            Node::Neg(a) => self.known(a, t, stack).map(|a| mask(a.wrapping_neg(), width)),
            Node::Extract { of, low } => self.known(of, t, stack).map(|value| mask(value >> low, width)),
            Node::Sext(a) => self.known(a, t, stack).map(|value| mask(signed(value, terms.width(a)) as u128, width)),
            Node::And(a, b) => self.both(a, b, t, stack).map(|(a, b)| a & b),
            Node::Xor(a, b) => self.both(a, b, t, stack).map(|(a, b)| a ^ b),
            Node::Add(a, b) => self.both(a, b, t, stack).map(|(a, b)| mask(a.wrapping_add(b), width)),
            Node::Mul(a, b) => self.both(a, b, t, stack).map(|(a, b)| mask(a.wrapping_mul(b), width)),
            Node::Udiv(a, b) => self.both(a, b, t, stack).map(|(a, b)| udiv(a, b, width)),
            Node::Urem(a, b) => self.both(a, b, t, stack).map(|(a, b)| urem(a, b, width)),
            Node::Shl(a, b) => self.both(a, b, t, stack).map(|(a, b)| shl(a, b, width)),
            Node::Lshr(a, b) => self.both(a, b, t, stack).map(|(a, b)| lshr(a, b, width)),
            Node::Ashr(a, b) => self.both(a, b, t, stack).map(|(a, b)| ashr(a, b, width)),
            Node::Eq(a, b) => self.both(a, b, t, stack).map(|(a, b)| u128::from(a == b)),
            Node::Ult(a, b) => self.both(a, b, t, stack).map(|(a, b)| u128::from(a < b)),
            Node::Slt(a, b) => {
                let operand = terms.width(a);
                self.both(a, b, t, stack).map(|(a, b)| u128::from(signed(a, operand) < signed(b, operand)))
            }
            Node::Concat(a, b) => {
                let low = terms.width(b);
                self.both(a, b, t, stack).map(|(a, b)| a << low | b)
            }
        };
        if let Some(value) = value {
            self.values.insert(t, value);
        }
    }

    /// The value of an operand, or `t` again after it.
    fn known(&self, operand: Term, t: Term, stack: &mut Vec<Term>) -> Option<u128> {
        let value = self.values.get(&operand).copied();
        if value.is_none() {
            stack.push(t);
            stack.push(operand);
        }
        value
    }

    fn both(&self, a: Term, b: Term, t: Term, stack: &mut Vec<Term>) -> Option<(u128, u128)> {
        match (self.values.get(&a), self.values.get(&b)) {
            (Some(&a), Some(&b)) => Some((a, b)),
            (left, right) => {
                stack.push(t);
                if left.is_none() {
                    stack.push(a);
                }
                if right.is_none() {
                    stack.push(b);
                }
                None
            }
        }
    }
}
