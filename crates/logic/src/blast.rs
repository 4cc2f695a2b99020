//! Bit-blasting: terms to words of gates.  Each term once; no recursion, since terms can be very deep.

use crate::gates::{Gates, Lit};
use crate::term::{Node, Term, Terms};
use crate::words::{self, Word};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Blaster {
    pub gates: Gates,
    /// Where the bits of a term begin in `bits`; `NONE` for terms without.
    starts: Vec<u32>,
    bits: Vec<Lit>,
    /// Quotient and remainder by operands: programs often want both.
    divisions: FxHashMap<(Term, Term), (Word, Word)>,
    stack: Vec<(Term, bool)>,
}

const NONE: u32 = u32::MAX;

impl Blaster {
    /// The bits of a term, lowest first.
    pub fn word(&mut self, terms: &Terms, t: Term) -> &[Lit] {
        if self.starts.len() < terms.len() {
            self.starts.resize(terms.len(), NONE);
        }
        if self.starts[t.index()] == NONE {
            self.blast(terms, t);
        }
        self.done(terms, t)
    }

    /// The bits of a term that has been blasted.
    pub fn known(&self, terms: &Terms, t: Term) -> Option<&[Lit]> {
        match self.starts.get(t.index()) {
            None | Some(&NONE) => None,
            Some(_) => Some(self.done(terms, t)),
        }
    }

    fn done(&self, terms: &Terms, t: Term) -> &[Lit] {
        let start = self.starts[t.index()] as usize;
        &self.bits[start..start + terms.width(t) as usize]
    }

    fn blast(&mut self, terms: &Terms, root: Term) {
        let mut stack = std::mem::take(&mut self.stack);
        stack.push((root, false));
        while let Some((t, ready)) = stack.pop() {
            if self.starts[t.index()] != NONE {
                continue;
            }
            if !ready {
                stack.push((t, true));
                stack.extend(terms.operands(t).map(|operand| (operand, false)));
                continue;
            }
            let word = self.circuit(terms, t);
            self.starts[t.index()] = u32::try_from(self.bits.len()).expect("fewer than 2^32 bits fit into memory");
            self.bits.extend(word);
        }
        self.stack = stack;
    }

    /// The circuit of a term whose operands are done.
    fn circuit(&mut self, terms: &Terms, t: Term) -> Word {
        let width = terms.width(t);
        if let Some(value) = terms.as_constant(t) {
            return words::constant(width, value);
        }
        match terms.view(t) {
            Node::Constant(..) | Node::WideConstant(_) => unreachable!("returned above"),
            Node::Variable(_) => (0..width).map(|_| self.gates.input()).collect(),
            Node::Not(a) => words::complement(self.done(terms, a)),
            Node::Neg(a) => {
                let a = self.done(terms, a).to_vec();
                words::subtract(&mut self.gates, &words::constant(width, 0), &a).0
            }
            Node::And(a, b) => self.of_both(terms, a, b, |gates, a, b| words::bitwise(gates, a, b, Gates::and)),
            Node::Xor(a, b) => self.of_both(terms, a, b, |gates, a, b| words::bitwise(gates, a, b, Gates::xor)),
            Node::Add(a, b) => self.sum(terms, a, b),
            Node::Mul(a, b) => self.of_both(terms, a, b, words::multiply),
            Node::Udiv(a, b) => self.division(terms, a, b).0.clone(),
            Node::Urem(a, b) => self.division(terms, a, b).1.clone(),
            Node::Shl(a, b) => self.of_both(terms, a, b, words::shift_left),
            Node::Lshr(a, b) => self.of_both(terms, a, b, |gates, a, b| words::shift_right(gates, a, b, Lit::FALSE)),
            Node::Ashr(a, b) => {
                self.of_both(terms, a, b, |gates, a, b| words::shift_right(gates, a, b, a[a.len() - 1]))
            }
            Node::Eq(a, b) => self.of_both(terms, a, b, |gates, a, b| vec![words::equal(gates, a, b)]),
            Node::Ult(a, b) => self.of_both(terms, a, b, |gates, a, b| vec![words::less(gates, a, b)]),
            Node::Slt(a, b) => self.of_both(terms, a, b, |gates, a, b| vec![words::signed_less(gates, a, b)]),
            Node::Ite(c, a, b) => {
                let c = self.done(terms, c)[0];
                self.of_both(terms, a, b, |gates, a, b| words::ite(gates, c, a, b))
            }
            Node::Concat(a, b) => [self.done(terms, b), self.done(terms, a)].concat(),
            Node::Extract { of, low } => self.done(terms, of)[low as usize..(low + width) as usize].to_vec(),
            Node::Sext(a) => {
                let mut word = self.done(terms, a).to_vec();
                word.resize(width as usize, word[word.len() - 1]);
                word
            }
        }
    }

    /// A circuit that reads the words of two operands.
    fn of_both<T>(
        &mut self,
        terms: &Terms,
        a: Term,
        b: Term,
        circuit: impl FnOnce(&mut Gates, &[Lit], &[Lit]) -> T,
    ) -> T {
        let (a, b) = (self.done(terms, a).to_vec(), self.done(terms, b).to_vec());
        circuit(&mut self.gates, &a, &b)
    }

    /// A sum; with an operand that is itself a difference's, one row of adders instead of two.
    fn sum(&mut self, terms: &Terms, a: Term, b: Term) -> Word {
        let (a, b) = if matches!(terms.view(a), Node::Neg(_)) { (b, a) } else { (a, b) };
        match terms.view(b) {
            Node::Neg(subtracted) => self.of_both(terms, a, subtracted, words::subtract).0,
            _ => self.of_both(terms, a, b, |gates, a, b| words::add(gates, a, b, Lit::FALSE)).0,
        }
    }

    fn division(&mut self, terms: &Terms, a: Term, b: Term) -> &(Word, Word) {
        if !self.divisions.contains_key(&(a, b)) {
            let result = self.of_both(terms, a, b, words::divide);
            self.divisions.insert((a, b), result);
        }
        &self.divisions[&(a, b)]
    }
}
