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
        while let Some(&t) = stack.last() {
            if !self.values.contains_key(&t) {
                let Some(value) = self.computed(terms, t, variable) else {
                    let unknown = |operand: &Term| !self.values.contains_key(operand);
                    match terms.view(t) {
                        // Of a choice only the arm that is chosen.
                        Node::Ite(c, yes, no) => {
                            let arm = self.values.get(&c).map(|value| if *value == 1 { yes } else { no });
                            stack.push(arm.unwrap_or(c));
                        }
                        _ => stack.extend(terms.operands(t).filter(unknown)),
                    }
                    continue;
                };
                self.values.insert(t, value);
            }
            stack.pop();
        }
        self.values[&t]
    }

    /// The value of a term from those of its operands, if they are known.
    fn computed(&self, terms: &Terms, t: Term, variable: &mut dyn FnMut(Term) -> u128) -> Option<u128> {
        use Node::*;
        let width = terms.width(t);
        let value = |t: Term| self.values.get(&t).copied();
        let number = |t: Term| value(t).map(|value| signed(value, terms.width(t)));
        Some(match terms.view(t) {
            Constant(..) | WideConstant(_) => terms.as_constant(t)?,
            Variable(_) => mask(variable(t), width),
            Ite(c, yes, no) => value(if value(c)? == 1 { yes } else { no })?,
            Not(a) => mask(!value(a)?, width),
            Neg(a) => mask(value(a)?.wrapping_neg(), width),
            Extract { of, low } => mask(value(of)? >> low, width),
            Sext(a) => mask(number(a)? as u128, width),
            And(a, b) => value(a)? & value(b)?,
            Xor(a, b) => value(a)? ^ value(b)?,
            Add(a, b) => mask(value(a)?.wrapping_add(value(b)?), width),
            Mul(a, b) => mask(value(a)?.wrapping_mul(value(b)?), width),
            Udiv(a, b) => udiv(value(a)?, value(b)?, width),
            Urem(a, b) => urem(value(a)?, value(b)?, width),
            Shl(a, b) => shl(value(a)?, value(b)?, width),
            Lshr(a, b) => lshr(value(a)?, value(b)?, width),
            Ashr(a, b) => ashr(value(a)?, value(b)?, width),
            Eq(a, b) => u128::from(value(a)? == value(b)?),
            Ult(a, b) => u128::from(value(a)? < value(b)?),
            Slt(a, b) => u128::from(number(a)? < number(b)?),
            Concat(a, b) => value(a)? << terms.width(b) | value(b)?,
        })
    }
}
