//! Making terms.  Each function gives the simplest form it can find by looking a few operands deep.
//!
//! Some rules lead to others on the operands; operands can be 100,000 deep, so that a rule which goes down must come to
//! an end on its own account: `nested` counts how deep rules are inside each other, and beyond a limit the term is made as
//! it stands.  That costs a simplification and never the meaning.

mod arithmetic;
mod bitwise;
mod choice;
mod compare;
mod count;
mod divide;
mod floats;
mod shift;
mod slices;

use crate::meaning::ones;
use crate::term::{Node, Term, Terms};

/// How deep rules may be inside each other.  Concatenations alone can nest to 128.
const DEEPEST: u32 = 160;

type Operation = fn(&mut Terms, Term, Term) -> Term;

impl Terms {
    pub fn all(&mut self, terms: &[Term]) -> Term {
        terms.iter().fold(self.bool(true), |all, &t| self.and(all, t))
    }
    pub fn any(&mut self, terms: &[Term]) -> Term {
        terms.iter().fold(self.bool(false), |any, &t| self.or(any, t))
    }
    /// The last of these whose condition holds; if none does, the first of all.
    pub fn last_of(&mut self, ways: impl IntoIterator<Item = (Term, Term)>) -> Option<Term> {
        let chosen = ways.into_iter().reduce(|(_, other), (when, term)| (when, self.ite(when, term, other)));
        chosen.map(|(_, term)| term)
    }
    pub fn implies(&mut self, condition: Term, conclusion: Term) -> Term {
        let refuted = self.not(condition);
        self.or(refuted, conclusion)
    }
    /// The first and not the second.
    pub fn and_not(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(b);
        self.and(a, not)
    }
    /// Is the term this number?
    pub fn is(&mut self, term: Term, value: u128) -> Term {
        let number = self.constant(self.width(term), value);
        self.eq(term, number)
    }

    /// Runs a rule that goes down into operands, unless too many are under way.
    pub(crate) fn nested(&mut self, rule: impl FnOnce(&mut Self) -> Term) -> Option<Term> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        Some(result)
    }

    /// The common width of two operands.
    fn same_width(&self, a: Term, b: Term) -> u32 {
        let (left, right) = (self.width(a), self.width(b));
        assert_eq!(left, right, "operands of different widths");
        left
    }
    /// Operands of a commutative operation in the order in which they are kept: constants last, else the older first.
    fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        if self.is_constant(a) || (!self.is_constant(b) && b < a) { (b, a) } else { (a, b) }
    }
    fn zero(&mut self, width: u32) -> Term {
        self.constant(width, 0)
    }
    fn ones(&mut self, width: u32) -> Term {
        self.constant(width, ones(width))
    }
    /// Is one the complement of the other?
    fn complementary(&self, a: Term, b: Term) -> bool {
        self.is_not_of(a, b) || self.is_not_of(b, a)
    }
    fn is_not_of(&self, a: Term, b: Term) -> bool {
        self.view(a) == Node::Not(b)
    }
    /// The arms of an `Ite` between two constants.
    fn constant_arms(&self, t: Term) -> Option<(Term, u128, u128)> {
        let Node::Ite(condition, yes, no) = self.view(t) else { return None };
        Some((condition, self.as_constant(yes)?, self.as_constant(no)?))
    }
    /// `operation(t)` where `t` is a constant, or a choice between two: then one between the results.
    fn folded(&mut self, t: Term, width: u32, operation: impl Fn(u128) -> u128) -> Option<Term> {
        if let Some(value) = self.as_constant(t) {
            return Some(self.constant(width, operation(value)));
        }
        let (condition, yes, no) = self.constant_arms(t)?;
        let (yes, no) = (self.constant(width, operation(yes)), self.constant(width, operation(no)));
        Some(self.ite(condition, yes, no))
    }
    /// An operation on concatenations, part by part.
    fn by_parts(&mut self, a: Term, b: Term, operation: Operation, together: Operation) -> Option<Term> {
        let ((high_a, low_a), (high_b, low_b)) = self.split_alike(a, b)?;
        self.nested(|terms| {
            let high = operation(terms, high_a, high_b);
            let low = operation(terms, low_a, low_b);
            together(terms, high, low)
        })
    }
    /// Two terms of one width, one of them a concatenation, each as a high and a low part, if their parts can be of the same width.
    fn split_alike(&mut self, a: Term, b: Term) -> Option<((Term, Term), (Term, Term))> {
        let low = self.common_split(a, b)?;
        Some((self.split(a, low)?, self.split(b, low)?))
    }
    /// High and low part, `low` bits wide, of a concatenation or a constant.
    fn split(&mut self, t: Term, low: u32) -> Option<(Term, Term)> {
        let width = self.width(t);
        match self.view(t) {
            Node::Concat(above, below) if self.width(below) == low => Some((above, below)),
            // Somewhere in a constant on top.
            Node::Concat(above, below) if self.width(below) < low => {
                let value = self.as_constant(above)?;
                let taken = low - self.width(below);
                let high = self.constant(width - low, value >> taken);
                let rest = self.constant(taken, value);
                Some((high, self.concat(rest, below)))
            }
            _ => {
                let value = self.as_constant(t)?;
                let high = self.constant(width - low, value >> low);
                Some((high, self.constant(low, value)))
            }
        }
    }
    /// The low width at which two terms of one width can both be split, one of them being a concatenation.
    fn common_split(&self, a: Term, b: Term) -> Option<u32> {
        // The low part's width, and whether a constant is on top.
        let parts = |t: Term| match self.view(t) {
            Node::Concat(above, below) => Some((self.width(below), self.is_constant(above))),
            _ => None,
        };
        match (parts(a), parts(b)) {
            (Some((left, left_constant)), Some((right, right_constant))) => {
                let possible = left == right || if left < right { left_constant } else { right_constant };
                possible.then_some(left.max(right))
            }
            (Some((left, _)), None) => self.is_constant(b).then_some(left),
            (None, Some((right, _))) => self.is_constant(a).then_some(right),
            (None, None) => None,
        }
    }
}
