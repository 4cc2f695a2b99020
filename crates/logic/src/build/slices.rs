//! Concatenation, extraction, extension.  Concatenations nest to the right: the highest piece is on top.

use super::Operation;
use crate::meaning::signed;
use crate::term::{Node, Term, Terms};

impl Terms {
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let (high_width, low_width) = (self.width(high), self.width(low));
        let width = high_width + low_width;
        assert!(width <= 128, "a bit-vector of {width} bits");
        if let Node::Concat(first, second) = self.view(high) {
            let rest = self.concat(second, low);
            return self.concat(first, rest);
        }
        if let Some(joined) = self.joined(high, low) {
            return joined;
        }
        if let Node::Concat(next, rest) = self.view(low)
            && let Some(joined) = self.joined(high, next)
        {
            return self.concat(joined, rest);
        }
        self.node(width, Node::Concat(high, low))
    }

    /// `width` bits of `t` from bit `low` up.
    pub fn extract(&mut self, t: Term, low: u32, width: u32) -> Term {
        let whole = self.width(t);
        assert!(width >= 1 && low + width <= whole, "bits {low}..{} of {whole}", low + width);
        if width == whole {
            return t;
        }
        let simpler = match self.view(t) {
            Node::Extract { of, low: inner } => Some(self.extract(of, inner + low, width)),
            Node::Concat(above, below) => {
                let border = self.width(below);
                Some(if low >= border {
                    self.extract(above, low - border, width)
                } else if low + width <= border {
                    self.extract(below, low, width)
                } else {
                    let above = self.extract(above, 0, low + width - border);
                    let below = self.extract(below, low, border - low);
                    self.concat(above, below)
                })
            }
            Node::Sext(inner) => {
                let border = self.width(inner);
                Some(if low + width <= border {
                    self.extract(inner, low, width)
                } else {
                    let from = low.min(border - 1);
                    let kept = self.extract(inner, from, border - from);
                    self.sext(kept, width)
                })
            }
            Node::Not(inner) => self.nested(|terms| {
                let inner = terms.extract(inner, low, width);
                terms.not(inner)
            }),
            Node::And(a, b) => self.extract_both(a, b, low, width, Terms::and),
            Node::Xor(a, b) => self.extract_both(a, b, low, width, Terms::xor),
            // The low bits of a sum or product depend on low bits only.
            Node::Add(a, b) if low == 0 => self.extract_both(a, b, low, width, Terms::add),
            Node::Mul(a, b) if low == 0 => self.extract_both(a, b, low, width, Terms::mul),
            Node::Neg(a) if low == 0 => self.nested(|terms| {
                let a = terms.extract(a, 0, width);
                terms.neg(a)
            }),
            _ => self.folded(t, width, |value| value >> low),
        };
        simpler.unwrap_or_else(|| self.node(width, Node::Extract { of: t, low }))
    }

    /// Zeros in front; `width` is the width of the result.
    pub fn zext(&mut self, t: Term, width: u32) -> Term {
        let inner = self.width(t);
        assert!(inner <= width, "extension of {inner} bits to {width}");
        if inner == width {
            return t;
        }
        let zeros = self.zero(width - inner);
        self.concat(zeros, t)
    }

    /// Cut, or with zeros in front; `width` is the width of the result.
    pub fn resize(&mut self, t: Term, width: u32) -> Term {
        if self.width(t) > width { self.extract(t, 0, width) } else { self.zext(t, width) }
    }

    /// Copies of the sign in front; `width` is the width of the result.
    pub fn sext(&mut self, t: Term, width: u32) -> Term {
        let inner = self.width(t);
        assert!(inner <= width, "extension of {inner} bits to {width}");
        if inner == width {
            return t;
        }
        match self.view(t) {
            Node::Sext(t) => return self.sext(t, width),
            Node::Concat(high, low) => {
                // A sign that is known.
                if self.is_constant(high) {
                    let low_width = self.width(low);
                    let high = self.sext(high, width - low_width);
                    return self.concat(high, low);
                }
            }
            _ => {
                if let Some(result) = self.folded(t, width, |value| signed(value, inner) as u128) {
                    return result;
                }
            }
        }
        self.node(width, Node::Sext(t))
    }

    /// The highest bit.
    pub(crate) fn sign(&mut self, t: Term) -> Term {
        let width = self.width(t);
        self.extract(t, width - 1, 1)
    }

    /// Two neighbours that are one piece: constants, or parts of one term that lie side by side.
    fn joined(&mut self, high: Term, low: Term) -> Option<Term> {
        let low_width = self.width(low);
        let width = self.width(high) + low_width;
        if let (Some(above), Some(below)) = (self.as_constant(high), self.as_constant(low)) {
            return Some(self.constant(width, above << low_width | below));
        }
        match (self.view(high), self.view(low)) {
            (Node::Extract { of, low: from }, Node::Extract { of: other, low: start })
                if of == other && from == start + low_width =>
            {
                Some(self.extract(of, start, width))
            }
            (Node::Not(above), Node::Not(below)) => {
                let (Node::Extract { .. }, Node::Extract { .. }) = (self.view(above), self.view(below)) else {
                    return None;
                };
                let joined = self.joined(above, below)?;
                Some(self.not(joined))
            }
            _ => None,
        }
    }

    /// Does an extraction from `t` go on into its operands?
    fn comes_apart(&self, t: Term) -> bool {
        self.is_constant(t) || matches!(self.view(t), Node::Concat(..) | Node::Extract { .. } | Node::Sext(_))
    }

    /// The operation on the extracted operands, if that goes on into one of them.
    fn extract_both(&mut self, a: Term, b: Term, low: u32, width: u32, operation: Operation) -> Option<Term> {
        if !self.comes_apart(a) && !self.comes_apart(b) {
            return None;
        }
        self.nested(|terms| {
            let (a, b) = (terms.extract(a, low, width), terms.extract(b, low, width));
            operation(terms, a, b)
        })
    }
}
