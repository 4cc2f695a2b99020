//! The hash of two words, for the tables of terms and gates.
//!
//! Their keys are small dense numbers in fixed places.  `FxHasher` maps a million of such keys to so few values that the
//! tables became a hundred times slower; the two halves of one long product, folded together, do not.

pub fn mixed(a: u64, b: u64) -> u64 {
    // Digits of pi: odd, and without a pattern.
    let product = u128::from(a ^ 0x243f_6a88_85a3_08d3) * u128::from(b ^ 0x1319_8a2e_0370_7345);
    product as u64 ^ (product >> 64) as u64
}
