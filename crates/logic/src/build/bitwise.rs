//! Complement, conjunction, disjunction, exclusive or; on one bit these are the booleans.

use crate::meaning::ones;
use crate::term::{Node, Term, Terms};

/// How deep a conjunction is searched for a literal.
const LOOK: u32 = 3;

impl Terms {
    /// Each bit turned around.
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.view(a) {
            Node::Not(inner) => inner,
            Node::Concat(high, low) => {
                let (high, low) = (self.not(high), self.not(low));
                self.concat(high, low)
            }
            Node::Sext(inner) => {
                let inner = self.not(inner);
                self.sext(inner, width)
            }
            _ => self.folded(a, width, |value| !value).unwrap_or_else(|| self.node(width, Node::Not(a))),
        }
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if let Some(right) = self.as_constant(b) {
            if right == 0 {
                return b;
            }
            if right == ones(width) {
                return a;
            }
            if let Some(result) = self.masked(a, right) {
                return result;
            }
        }
        if self.complementary(a, b) {
            return self.zero(width);
        }
        if let Some(result) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
            return result;
        }
        self.by_parts(a, b, Terms::and, Terms::concat).unwrap_or_else(|| self.node(width, Node::And(a, b)))
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.zero(width);
        }
        if let Some(right) = self.as_constant(b) {
            if right == 0 {
                return a;
            }
            if right == ones(width) {
                return self.not(a);
            }
            if let Some(result) = self.folded(a, width, |value| value ^ right) {
                return result;
            }
        }
        for (a, b) in [(a, b), (b, a)] {
            match self.view(a) {
                // Complements go to the top, where they meet and cancel.
                Node::Not(a) => {
                    let same = self.xor(a, b);
                    return self.not(same);
                }
                Node::Xor(x, y) if x == b => return y,
                Node::Xor(x, y) if y == b => return x,
                _ => (),
            }
        }
        self.by_parts(a, b, Terms::xor, Terms::concat).unwrap_or_else(|| self.node(width, Node::Xor(a, b)))
    }

    /// `a & mask` where the mask is a run of low ones: the upper bits are zero, which extraction and concatenation show to
    /// every other rule.
    fn masked(&mut self, a: Term, mask: u128) -> Option<Term> {
        let width = self.width(a);
        if let Some(result) = self.folded(a, width, |value| value & mask) {
            return Some(result);
        }
        let kept = 128 - mask.leading_zeros();
        let dropped = mask.trailing_zeros();
        let run = kept - dropped;
        if mask >> dropped != ones(run) {
            return None;
        }
        self.nested(|terms| {
            let middle = terms.extract(a, dropped, run);
            let with_low = if dropped == 0 {
                middle
            } else {
                let zeros = terms.zero(dropped);
                terms.concat(middle, zeros)
            };
            terms.zext(with_low, width)
        })
    }

    /// `a & b` where one says something about the other.
    fn absorbed(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        match self.view(b) {
            Node::And(x, y) => {
                if self.has_conjunct(b, a, LOOK) {
                    return Some(b);
                }
                if self.has_opposite(b, a, LOOK) {
                    return Some(self.zero(width));
                }
                // Constants meet.
                if self.is_constant(a) && self.is_constant(y) {
                    return self.nested(|terms| {
                        let both = terms.and(a, y);
                        terms.and(x, both)
                    });
                }
                None
            }
            Node::Not(inner) => {
                let Node::And(x, y) = self.view(inner) else { return None };
                // a & !(.. & !a & ..) = a
                if self.has_opposite(inner, a, LOOK) {
                    return Some(a);
                }
                // a & !(a & y) = a & !y
                let other = if x == a { y } else { (y == a).then_some(x)? };
                self.nested(|terms| {
                    let other = terms.not(other);
                    terms.and(a, other)
                })
            }
            _ => None,
        }
    }

    fn has_conjunct(&self, tree: Term, literal: Term, look: u32) -> bool {
        if tree == literal {
            return true;
        }
        match self.view(tree) {
            Node::And(x, y) if look > 0 => {
                self.has_conjunct(x, literal, look - 1) || self.has_conjunct(y, literal, look - 1)
            }
            _ => false,
        }
    }
    fn has_opposite(&self, tree: Term, literal: Term, look: u32) -> bool {
        match self.view(tree) {
            Node::And(x, y) if look > 0 => {
                self.has_opposite(x, literal, look - 1) || self.has_opposite(y, literal, look - 1)
            }
            _ => self.complementary(tree, literal),
        }
    }
}
