//! What the operations mean on values: a value is a `u128` that is zero above its width, as in the interpreter.
//!
//! Both constant folding and evaluation come here, so that the two cannot disagree.

/// The low `width` bits of `value`.
pub fn mask(value: u128, width: u32) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

/// All ones.
pub fn ones(width: u32) -> u128 {
    mask(u128::MAX, width)
}

/// The value read in two's complement.
pub fn signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

/// Division by zero gives all ones, as SMT-LIB has it and as a restoring divider does by itself.
pub fn udiv(left: u128, right: u128, width: u32) -> u128 {
    if right == 0 {
        return ones(width);
    }
    // Division of 128 bits is a call into a library; of 64 bits, an instruction.
    if width <= 64 { u128::from(left as u64 / right as u64) } else { left / right }
}

/// The remainder of a division by zero is the dividend.
pub fn urem(left: u128, right: u128, width: u32) -> u128 {
    if right == 0 {
        return left;
    }
    if width <= 64 { u128::from(left as u64 % right as u64) } else { left % right }
}

pub fn shl(value: u128, amount: u128, width: u32) -> u128 {
    mask(value << modulo(amount, width), width)
}

pub fn lshr(value: u128, amount: u128, width: u32) -> u128 {
    value >> modulo(amount, width)
}

pub fn ashr(value: u128, amount: u128, width: u32) -> u128 {
    mask((signed(value, width) >> modulo(amount, width)) as u128, width)
}

/// Shifts take their amount modulo the width.
pub fn modulo(amount: u128, width: u32) -> u32 {
    (amount % u128::from(width)) as u32
}
