//! Arithmetic on words of gates: the circuits of the operations.  The lowest bit comes first.

use crate::gates::{Gates, Lit};
use crate::meaning::ones;

pub type Word = Vec<Lit>;

pub fn constant(width: u32, value: u128) -> Word {
    (0..width).map(|bit| Lit::constant(value >> bit & 1 == 1)).collect()
}

pub fn complement(a: &[Lit]) -> Word {
    a.iter().map(|&lit| !lit).collect()
}

pub fn bitwise(gates: &mut Gates, a: &[Lit], b: &[Lit], gate: fn(&mut Gates, Lit, Lit) -> Lit) -> Word {
    a.iter().zip(b).map(|(&a, &b)| gate(gates, a, b)).collect()
}

pub fn ite(gates: &mut Gates, condition: Lit, yes: &[Lit], no: &[Lit]) -> Word {
    yes.iter().zip(no).map(|(&yes, &no)| gates.ite(condition, yes, no)).collect()
}

/// The sum of the two and a carry, and the carry out of the highest bit.
pub fn add(gates: &mut Gates, a: &[Lit], b: &[Lit], carry: Lit) -> (Word, Lit) {
    let mut carry = carry;
    let mut sum = Word::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let half = gates.xor(a, b);
        sum.push(gates.xor(half, carry));
        carry = gates.majority(a, b, carry);
    }
    (sum, carry)
}

/// The difference, and whether there was none to borrow: `a >= b` without signs.
pub fn subtract(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
    let b = complement(b);
    add(gates, a, &b, Lit::TRUE)
}

pub fn equal(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    a.iter().zip(b).fold(Lit::TRUE, |equal, (&a, &b)| {
        let different = gates.xor(a, b);
        gates.and(equal, !different)
    })
}

pub fn less(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    a.iter().zip(b).fold(Lit::FALSE, |less, (&a, &b)| gates.majority(!a, b, less))
}

/// Two's complement numbers are ordered like unsigned ones whose highest bits are exchanged.
pub fn signed_less(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Lit {
    let top = a.len() - 1;
    let low = less(gates, &a[..top], &b[..top]);
    gates.majority(a[top], !b[top], low)
}

/// Shift-and-add, with one row for each bit of the factor that has more constant bits.
pub fn multiply(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> Word {
    let known = |word: &[Lit]| word.iter().filter(|&&lit| lit == Lit::FALSE || lit == Lit::TRUE).count();
    let (a, b) = if known(a) > known(b) { (b, a) } else { (a, b) };
    if let Some(value) = as_constant(b) {
        return multiply_constant(gates, a, value);
    }
    let width = a.len();
    let mut product = vec![Lit::FALSE; width];
    for (shift, &bit) in b.iter().enumerate() {
        if bit == Lit::FALSE {
            continue;
        }
        let row: Word = a[..width - shift].iter().map(|&lit| gates.and(lit, bit)).collect();
        let (sum, _) = add(gates, &product[shift..], &row, Lit::FALSE);
        product.truncate(shift);
        product.extend(sum);
    }
    product
}

/// A run of ones in the factor is one subtraction and one addition (Booth).
fn multiply_constant(gates: &mut Gates, a: &[Lit], factor: u128) -> Word {
    let width = a.len();
    let mut product = vec![Lit::FALSE; width];
    let mut rest = factor;
    let mut shift = 0;
    while rest != 0 && shift < width {
        let zeros = rest.trailing_zeros() as usize;
        rest >>= zeros;
        shift += zeros;
        if shift >= width {
            break;
        }
        // Digit -1 where at least two ones follow each other.
        let minus = rest & 3 == 3;
        let row = &a[..width - shift];
        let (sum, _) = if minus {
            subtract(gates, &product[shift..], row)
        } else {
            add(gates, &product[shift..], row, Lit::FALSE)
        };
        product.truncate(shift);
        product.extend(sum);
        rest = if minus { (rest >> 1) + 1 } else { rest >> 1 };
        shift += 1;
    }
    product
}

/// Quotient and remainder, as one divides on paper.  By zero: all ones, and the dividend.
pub fn divide(gates: &mut Gates, a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len();
    let mut wide_b = b.to_vec();
    wide_b.push(Lit::FALSE);
    let mut rest = vec![Lit::FALSE; width];
    let mut quotient = vec![Lit::FALSE; width];
    for i in (0..width).rev() {
        let mut next = Vec::with_capacity(width + 1);
        next.push(a[i]);
        next.extend_from_slice(&rest);
        let (difference, fits) = subtract(gates, &next, &wide_b);
        quotient[i] = fits;
        rest = ite(gates, fits, &difference[..width], &next[..width]);
    }
    (quotient, rest)
}

/// Shifts toward the high end, zeros coming in.
pub fn shift_left(gates: &mut Gates, a: &[Lit], amount: &[Lit]) -> Word {
    let reversed: Word = a.iter().rev().copied().collect();
    let mut result = shift_right(gates, &reversed, amount, Lit::FALSE);
    result.reverse();
    result
}

/// Shifts toward the low end, `fill` coming in.  The amount is below the width.
pub fn shift_right(gates: &mut Gates, a: &[Lit], amount: &[Lit], fill: Lit) -> Word {
    let mut word = a.to_vec();
    for (stage, &bit) in amount.iter().enumerate() {
        let by = 1usize << stage;
        let moved: Word = (0..word.len()).map(|i| word.get(i + by).copied().unwrap_or(fill)).collect();
        word = ite(gates, bit, &moved, &word);
    }
    word
}

fn as_constant(word: &[Lit]) -> Option<u128> {
    let mut value = 0;
    for (bit, &lit) in word.iter().enumerate() {
        if lit == Lit::TRUE {
            value |= 1 << bit;
        } else if lit != Lit::FALSE {
            return None;
        }
    }
    debug_assert!(value <= ones(word.len() as u32));
    Some(value)
}
