//! Choices: `if c then a else b`.

use crate::term::{Node, Term, Terms};

impl Terms {
    /// Both arms are of one width.
    pub fn ite(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        let width = self.same_width(yes, no);
        assert_eq!(self.width(condition), 1, "a condition is one bit");
        if self.is_true(condition) || yes == no {
            return yes;
        }
        if self.is_false(condition) {
            return no;
        }
        if let Node::Not(opposite) = self.view(condition) {
            return self.ite(opposite, no, yes);
        }
        // What is known in an arm.
        if let Node::Ite(c, inner, _) = self.view(yes)
            && c == condition
        {
            return self.ite(condition, inner, no);
        }
        if let Node::Ite(c, _, inner) = self.view(no)
            && c == condition
        {
            return self.ite(condition, yes, inner);
        }
        if width == 1
            && let Some(result) = self.boolean_choice(condition, yes, no)
        {
            return result;
        }
        if let Some(result) = self.merged_choice(condition, yes, no) {
            return result;
        }
        if let Some(result) = self.choice_by_parts(condition, yes, no) {
            return result;
        }
        self.node(width, Node::Ite(condition, yes, no))
    }

    /// A choice between truth values that is a simpler connective.
    fn boolean_choice(&mut self, c: Term, yes: Term, no: Term) -> Option<Term> {
        if self.is_true(yes) || yes == c {
            return Some(self.or(c, no));
        }
        if self.is_false(no) || no == c {
            return Some(self.and(c, yes));
        }
        if self.is_false(yes) || self.is_not_of(yes, c) {
            let refuted = self.not(c);
            return Some(self.and(refuted, no));
        }
        if self.is_true(no) || self.is_not_of(no, c) {
            let refuted = self.not(c);
            return Some(self.or(refuted, yes));
        }
        if self.complementary(yes, no) {
            return Some(self.xor(c, no));
        }
        None
    }

    /// A choice whose arm is a choice with the same other arm.
    fn merged_choice(&mut self, c: Term, yes: Term, no: Term) -> Option<Term> {
        for (arm, other) in [(yes, no), (no, yes)] {
            if let Node::Ite(d, x, y) = self.view(arm)
                && (x == other || y == other)
            {
                // if c then (if d then kept else other) else other
                return self.nested(|terms| {
                    let c = if arm == yes { c } else { terms.not(c) };
                    let (d, kept) = if y == other { (d, x) } else { (terms.not(d), y) };
                    let both = terms.and(c, d);
                    terms.ite(both, kept, other)
                });
            }
        }
        None
    }

    /// A choice between concatenations that share a part leaves that part outside.
    fn choice_by_parts(&mut self, c: Term, yes: Term, no: Term) -> Option<Term> {
        let ((yes_high, yes_low), (no_high, no_low)) = self.split_alike(yes, no)?;
        if yes_high != no_high && yes_low != no_low {
            return None;
        }
        self.nested(|terms| {
            let high = terms.ite(c, yes_high, no_high);
            let low = terms.ite(c, yes_low, no_low);
            terms.concat(high, low)
        })
    }
}
