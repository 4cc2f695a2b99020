//! Equality and order.  Only `=`, unsigned `<` and signed `<` are kept; equality of single bits is exclusive or.

use crate::meaning::{ones, signed};
use crate::term::{Node, Term, Terms};

impl Terms {
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.bool(true);
        }
        if width == 1 {
            let different = self.xor(a, b);
            return self.not(different);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(right) = self.as_constant(b) {
            if self.is_constant(a) {
                // Different constants are different terms.
                return self.bool(false);
            }
            return self.eq_constant(a, b, right);
        }
        if self.complementary(a, b) {
            return self.bool(false);
        }
        for (whole, part) in [(a, b), (b, a)] {
            match self.view(whole) {
                Node::Add(x, y) if x == part => return self.eq_zero(y),
                Node::Add(x, y) if y == part => return self.eq_zero(x),
                Node::Ite(c, x, y) if x == part || y == part => return self.eq_arm(c, x, y, part),
                _ => (),
            }
        }
        match (self.view(a), self.view(b)) {
            (Node::Not(x), Node::Not(y)) | (Node::Neg(x), Node::Neg(y)) => return self.eq(x, y),
            (Node::Add(x, y), Node::Add(u, v)) => {
                let rest = [(x, u, y, v), (x, v, y, u), (y, u, x, v), (y, v, x, u)];
                if let Some(&(_, _, left, right)) = rest.iter().find(|(p, q, _, _)| p == q) {
                    if let Some(result) = self.nested(|terms| terms.eq(left, right)) {
                        return result;
                    }
                } else if self.is_constant(y) && self.is_constant(v) {
                    // x + c = u + d: one constant is enough.
                    let difference = self.sub(v, y);
                    let right = self.add(u, difference);
                    return self.equation(x, right);
                }
            }
            (Node::Sext(x), Node::Sext(y)) if self.width(x) == self.width(y) => return self.eq(x, y),
            (Node::Concat(..), Node::Concat(..)) => {
                if let Some(result) = self.by_parts(a, b, Terms::eq, Terms::and) {
                    return result;
                }
            }
            _ => (),
        }
        self.equation(a, b)
    }

    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.bool(false);
        }
        if width == 1 {
            let low = self.not(a);
            return self.and(low, b);
        }
        let simpler = match (self.as_constant(a), self.as_constant(b)) {
            (_, Some(0)) => Some(self.bool(false)),
            (_, Some(1)) => Some(self.eq_zero(a)),
            (_, Some(right)) if right == ones(width) => Some(self.ne(a, b)),
            (_, Some(right)) => self.folded(a, 1, |value| u128::from(value < right)),
            (Some(left), None) if left == ones(width) => Some(self.bool(false)),
            (Some(0), None) => Some(self.ne(b, a)),
            (Some(left), None) if left == ones(width) - 1 => {
                let last = self.ones(width);
                Some(self.eq(b, last))
            }
            (Some(left), None) => self.folded(b, 1, |value| u128::from(left < value)),
            (None, None) => None,
        };
        if let Some(result) = simpler {
            return result;
        }
        if let Some(((high_a, low_a), (high_b, low_b))) = self.split_alike(a, b) {
            if high_a == high_b {
                return self.ult(low_a, low_b);
            }
            if low_a == low_b || (self.is_constant(high_a) && self.is_constant(high_b)) {
                return self.ult(high_a, high_b);
            }
        }
        self.node(1, Node::Ult(a, b))
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.same_width(a, b);
        if a == b {
            return self.bool(false);
        }
        if width == 1 {
            // -1 < 0
            let high = self.not(b);
            return self.and(a, high);
        }
        let least = 1u128 << (width - 1);
        let value = |bits: u128| signed(bits, width);
        let simpler = match (self.as_constant(a), self.as_constant(b)) {
            (_, Some(0)) => Some(self.sign(a)),
            (_, Some(right)) if right == least => Some(self.bool(false)),
            (_, Some(right)) if right == least - 1 => Some(self.ne(a, b)),
            (_, Some(right)) if right == least + 1 => {
                let least = self.constant(width, least);
                Some(self.eq(a, least))
            }
            (_, Some(right)) => self.folded(a, 1, |left| u128::from(value(left) < value(right))),
            (Some(left), None) if left == least - 1 => Some(self.bool(false)),
            (Some(left), None) if left == ones(width) => {
                let negative = self.sign(b);
                Some(self.not(negative))
            }
            (Some(left), None) if left == least => Some(self.ne(b, a)),
            (Some(left), None) => self.folded(b, 1, |right| u128::from(value(left) < value(right))),
            (None, None) => None,
        };
        if let Some(result) = simpler {
            return result;
        }
        // With known signs the order is the unsigned one, or decided.
        let (sign_a, sign_b) = (self.known_sign(a), self.known_sign(b));
        if let (Some(negative_a), Some(negative_b)) = (sign_a, sign_b) {
            if negative_a == negative_b {
                return self.ult(a, b);
            }
            return self.bool(negative_a);
        }
        self.slt_of_extensions(a, b).unwrap_or_else(|| self.node(1, Node::Slt(a, b)))
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    fn eq_zero(&mut self, a: Term) -> Term {
        let zero = self.zero(self.width(a));
        self.eq(a, zero)
    }

    /// `(if c then x else y) = other` where `other` is one of the arms.
    fn eq_arm(&mut self, c: Term, x: Term, y: Term, other: Term) -> Term {
        let result = self.nested(|terms| {
            let (taken, rest) = if x == other { (c, y) } else { (terms.not(c), x) };
            let same = terms.eq(rest, other);
            terms.or(taken, same)
        });
        result.unwrap_or_else(|| {
            let choice = self.ite(c, x, y);
            self.equation(choice, other)
        })
    }

    /// The node itself, without further rules.
    fn equation(&mut self, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(true);
        }
        if self.is_constant(a) && self.is_constant(b) {
            return self.bool(false);
        }
        let (a, b) = self.ordered(a, b);
        self.node(1, Node::Eq(a, b))
    }

    /// `a = b` where `b` is the constant `value`: pushed down to where something is known of `a`.
    fn eq_constant(&mut self, a: Term, b: Term, value: u128) -> Term {
        let width = self.width(a);
        // What is done to `x` is undone on both sides.
        let undone = match self.view(a) {
            Node::Not(x) => Some((x, !value)),
            Node::Neg(x) => Some((x, value.wrapping_neg())),
            Node::Add(x, c) => self.as_constant(c).map(|c| (x, value.wrapping_sub(c))),
            Node::Xor(x, c) => self.as_constant(c).map(|c| (x, value ^ c)),
            _ => None,
        };
        if let Some((x, value)) = undone {
            let value = self.constant(width, value);
            // A counter is a chain of choices and sums: each comparison would go down all of it, with another constant at
            // each step.
            let counter = matches!((self.view(a), self.view(x)), (Node::Add(..), Node::Ite(..)));
            if counter && !self.constant_leaves(x) {
                return self.equation(x, value);
            }
            return self.nested(|terms| terms.eq(x, value)).unwrap_or_else(|| self.equation(a, b));
        }
        let simpler = match self.view(a) {
            // x - y = 0
            Node::Add(x, y) if value == 0 => match (self.view(x), self.view(y)) {
                (Node::Neg(x), _) => self.nested(|terms| terms.eq(x, y)),
                (_, Node::Neg(y)) => self.nested(|terms| terms.eq(x, y)),
                _ => None,
            },
            Node::Xor(x, y) if value == 0 => self.nested(|terms| terms.eq(x, y)),
            Node::Concat(..) => self.by_parts(a, b, Terms::eq, Terms::and),
            Node::Sext(x) => {
                let inner = self.width(x);
                let low = self.constant(inner, value);
                if self.sext(low, width) == b { self.nested(|terms| terms.eq(x, low)) } else { Some(self.bool(false)) }
            }
            Node::Ite(_, yes, no) if self.pushable(yes, no) => Some(self.eq_choice(a, b)),
            _ => None,
        };
        simpler.unwrap_or_else(|| self.equation(a, b))
    }

    /// Does an equality with a constant get simpler in the arms?
    fn pushable(&self, yes: Term, no: Term) -> bool {
        self.is_constant(yes) || self.is_constant(no) || (self.constant_leaves(yes) && self.constant_leaves(no))
    }

    /// Pushes an equality with a constant through nested choices.  These can be long chains, the value of a variable after
    /// many assignments: hence a stack of our own, and a table, because chains share their tails.
    fn eq_choice(&mut self, a: Term, b: Term) -> Term {
        let mut stack = vec![a];
        while let Some(&t) = stack.last() {
            if self.pushed.contains_key(&(t, b)) {
                stack.pop();
                continue;
            }
            let Node::Ite(c, yes, no) = self.view(t) else { unreachable!("only choices are on the stack") };
            match (self.eq_in_arm(yes, b), self.eq_in_arm(no, b)) {
                (Ok(yes), Ok(no)) => {
                    let result = self.ite(c, yes, no);
                    self.pushed.insert((t, b), result);
                    stack.pop();
                }
                (yes, no) => {
                    stack.extend([yes.err(), no.err()].into_iter().flatten());
                }
            }
        }
        self.pushed[&(a, b)]
    }

    /// The equality for an arm, or the choice that must be looked at first.
    fn eq_in_arm(&mut self, arm: Term, b: Term) -> Result<Term, Term> {
        if let Some(&known) = self.pushed.get(&(arm, b)) {
            return Ok(known);
        }
        match self.view(arm) {
            Node::Ite(_, yes, no) if self.pushable(yes, no) => Err(arm),
            _ => Ok(self.nested(|terms| terms.eq(arm, b)).unwrap_or_else(|| self.equation(arm, b))),
        }
    }

    /// True if it is negative, false if not, where the term shows it.
    fn known_sign(&self, t: Term) -> Option<bool> {
        let top = if let Node::Concat(high, _) = self.view(t) { high } else { t };
        self.as_constant(top).map(|value| value >> (self.width(top) - 1) == 1)
    }

    /// Signed order of two sign extensions, or of one and a constant that fits the narrower width.
    fn slt_of_extensions(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let inner = match (self.view(a), self.view(b)) {
            (Node::Sext(x), Node::Sext(y)) => self.width(x).max(self.width(y)),
            (Node::Sext(x), _) if self.is_constant(b) => self.width(x),
            (_, Node::Sext(x)) if self.is_constant(a) => self.width(x),
            _ => return None,
        };
        let (narrow_a, narrow_b) = (self.extract(a, 0, inner), self.extract(b, 0, inner));
        if self.sext(narrow_a, width) != a || self.sext(narrow_b, width) != b {
            return None;
        }
        self.nested(|terms| terms.slt(narrow_a, narrow_b))
    }
}
