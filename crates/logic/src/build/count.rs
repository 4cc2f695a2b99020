//! Counting and reordering bits, in terms of the other operations.

use crate::term::{Term, Terms};

impl Terms {
    /// How many bits are set; as wide as the operand.
    pub fn popcount(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let mut counts: Vec<Term> = (0..width).map(|bit| self.extract(a, bit, 1)).collect();
        // Pairwise, in sums just wide enough.
        while counts.len() > 1 {
            let mut sums = Vec::with_capacity(counts.len().div_ceil(2));
            for pair in counts.chunks(2) {
                sums.push(match *pair {
                    [x, y] => {
                        let wider = self.width(x).max(self.width(y)) + 1;
                        let (x, y) = (self.zext(x, wider), self.zext(y, wider));
                        self.add(x, y)
                    }
                    _ => pair[0],
                });
            }
            counts = sums;
        }
        self.fitted(counts[0], width)
    }

    /// As wide as the operand; its width if no bit is set.
    pub fn leading_zeros(&mut self, a: Term) -> Term {
        let width = self.width(a);
        // The last choice made is the outermost: the highest bit.
        self.first_set(a, (0..width).map(|bit| (bit, width - 1 - bit)))
    }

    /// As wide as the operand; its width if no bit is set.
    pub fn trailing_zeros(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.first_set(a, (0..width).rev().map(|bit| (bit, bit)))
    }

    /// The bytes in the opposite order; bits beyond whole bytes go as the interpreter has them go.
    pub fn byte_swap(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.reordered(a, |bit| {
            let swapped = bit + 128 - width;
            (15 - swapped / 8) * 8 + swapped % 8
        })
    }

    pub fn bit_reverse(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.reordered(a, |bit| width - 1 - bit)
    }

    fn first_set(&mut self, a: Term, choices: impl Iterator<Item = (u32, u32)>) -> Term {
        let width = self.width(a);
        // Eight bits hold every count: a narrow choice is cheap.
        let mut count = self.constant(8, u128::from(width));
        for (bit, value) in choices {
            let (set, value) = (self.extract(a, bit, 1), self.constant(8, u128::from(value)));
            count = self.ite(set, value, count);
        }
        self.fitted(count, width)
    }

    /// Bit `i` of the result is bit `source(i)` of the operand, zero where there is none.
    fn reordered(&mut self, a: Term, source: impl Fn(u32) -> u32) -> Term {
        let width = self.width(a);
        let mut result = None;
        for bit in 0..width {
            let from = source(bit);
            let piece = if from < width { self.extract(a, from, 1) } else { self.zero(1) };
            result = Some(match result {
                None => piece,
                Some(low) => self.concat(piece, low),
            });
        }
        result.unwrap_or(a)
    }

    fn fitted(&mut self, t: Term, width: u32) -> Term {
        if self.width(t) > width { self.extract(t, 0, width) } else { self.zext(t, width) }
    }
}
