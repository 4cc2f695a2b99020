//! The value of a term when the variables have values.  No recursion: terms can be very deep.

use crate::meaning::{ashr, lshr, mask, shl, signed, udiv, urem};
use crate::term::{Node, Term, Terms};
use rustc_hash::FxHashMap;

/// Values of variables.
pub trait Model {
    fn variable(&mut self, variable: Term) -> u128;
    /// The element at `index` of an array variable.
    fn element(&mut self, array: Term, index: u128) -> u128;
}

/// Values of terms under one model, remembered between questions.
#[derive(Default)]
pub struct Evaluation {
    values: FxHashMap<Term, u128>,
}

/// What is under way.
enum Step {
    Visit(Term),
    /// The read `read`, that has come down to `array`.
    Read {
        read: Term,
        array: Term,
    },
}

impl Terms {
    /// The value of `t`, where `value` gives those of the variables.  Array variables are zero everywhere.
    pub fn evaluate(&self, t: Term, value: &mut dyn FnMut(Term) -> u128) -> u128 {
        struct OfVariables<'a>(&'a mut dyn FnMut(Term) -> u128);
        impl Model for OfVariables<'_> {
            fn variable(&mut self, variable: Term) -> u128 {
                (self.0)(variable)
            }
            fn element(&mut self, _: Term, _: u128) -> u128 {
                0
            }
        }
        Evaluation::default().value(self, t, &mut OfVariables(value))
    }
}

impl Evaluation {
    pub fn value(&mut self, terms: &Terms, t: Term, model: &mut dyn Model) -> u128 {
        let mut stack = vec![Step::Visit(t)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Visit(t) => {
                    if !self.values.contains_key(&t) {
                        self.visit(terms, t, model, &mut stack);
                    }
                }
                Step::Read { read, array } => self.read(terms, read, array, model, &mut stack),
            }
        }
        self.values[&t]
    }

    pub fn clear(&mut self) {
        self.values.clear();
    }

    fn visit(&mut self, terms: &Terms, t: Term, model: &mut dyn Model, stack: &mut Vec<Step>) {
        let width = terms.width(t);
        let node = terms.view(t);
        // Of a choice only the arm that is chosen; a read looks for itself.
        let value = match node {
            Node::Constant(value) => Some(value),
            Node::Variable => Some(mask(model.variable(t), width)),
            Node::Ite(c, yes, no) => match self.known(c, t, stack) {
                Some(condition) => self.known(if condition == 1 { yes } else { no }, t, stack),
                None => None,
            },
            Node::Select(array, index) => {
                if self.known(index, t, stack).is_some() {
                    stack.push(Step::Read { read: t, array });
                }
                None
            }
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
            Node::ArrayConstant(_) | Node::ArrayVariable | Node::Store(..) => panic!("an array has no single value"),
        };
        if let Some(value) = value {
            self.values.insert(t, value);
        }
    }

    /// Goes down the writes until one of them, or what lies beneath, answers.
    fn read(&mut self, terms: &Terms, read: Term, array: Term, model: &mut dyn Model, stack: &mut Vec<Step>) {
        let Node::Select(_, index) = terms.view(read) else { unreachable!("only reads come here") };
        let at = self.values[&index];
        let mut array = array;
        let value = loop {
            let need = match terms.view(array) {
                Node::Store(base, index, element) => match self.values.get(&index) {
                    Some(&other) if other != at => {
                        array = base;
                        continue;
                    }
                    Some(_) => element,
                    None => index,
                },
                Node::Ite(c, yes, no) => match self.values.get(&c) {
                    Some(&condition) => {
                        array = if condition == 1 { yes } else { no };
                        continue;
                    }
                    None => c,
                },
                Node::ArrayConstant(element) => element,
                _ => break mask(model.element(array, at), terms.width(array)),
            };
            // A need that is known can only be the answer: conditions and indices were looked up above.
            match self.values.get(&need) {
                Some(&value) => break value,
                None => {
                    stack.push(Step::Read { read, array });
                    stack.push(Step::Visit(need));
                    return;
                }
            }
        };
        self.values.insert(read, value);
    }

    /// The value of an operand, or `t` again after it.
    fn known(&self, operand: Term, t: Term, stack: &mut Vec<Step>) -> Option<u128> {
        let value = self.values.get(&operand).copied();
        if value.is_none() {
            stack.push(Step::Visit(t));
            stack.push(Step::Visit(operand));
        }
        value
    }

    fn both(&self, a: Term, b: Term, t: Term, stack: &mut Vec<Step>) -> Option<(u128, u128)> {
        match (self.values.get(&a), self.values.get(&b)) {
            (Some(&a), Some(&b)) => Some((a, b)),
            (left, right) => {
                stack.push(Step::Visit(t));
                if left.is_none() {
                    stack.push(Step::Visit(a));
                }
                if right.is_none() {
                    stack.push(Step::Visit(b));
                }
                None
            }
        }
    }
}
