//! Floating-point literals, turned into bit patterns.
//!
//! LLVM prints `float` constants as the hexadecimal bits of the `double` with
//! the same value, and the formats Rust lacks in forms of their own.

use crate::keywords::FloatKind;

/// The bit pattern of a decimal literal.
pub(super) fn decimal(text: &str, kind: FloatKind) -> Option<u128> {
    let value: f64 = text.strip_prefix('+').unwrap_or(text).parse().ok()?;
    from_double(value.to_bits(), kind)
}

/// The bit pattern of a literal `0x...`, given without `0x`.
pub(super) fn hexadecimal(text: &str, kind: FloatKind) -> Option<u128> {
    let form = text.bytes().next()?;
    let digits = match form {
        b'K' | b'L' | b'M' | b'H' | b'R' => &text[1..],
        _ => text,
    };
    if digits.is_empty() || digits.len() > 32 {
        return None;
    }
    let bits = u128::from_str_radix(digits, 16).ok()?;
    let fits = |width: u32| width == 128 || bits >> width == 0;
    match (form, kind) {
        (b'K', FloatKind::X86Fp80) => fits(80).then_some(bits),
        // These two are written with the low word first.
        (b'L', FloatKind::Fp128) | (b'M', FloatKind::PpcFp128) => Some(bits.rotate_left(64)),
        (b'H', FloatKind::Half) | (b'R', FloatKind::BFloat) => fits(16).then_some(bits),
        (b'K' | b'L' | b'M' | b'H' | b'R', _) => None,
        _ => from_double(u64::try_from(bits).ok()?, kind),
    }
}

/// The bits of a double converted to another format, if LLVM allows that.
fn from_double(bits: u64, kind: FloatKind) -> Option<u128> {
    let narrow = |exponent, mantissa| u128::from(narrow(bits, exponent, mantissa));
    match kind {
        FloatKind::Double => Some(u128::from(bits)),
        FloatKind::Float => Some(narrow(8, 23)),
        FloatKind::Half => Some(narrow(5, 10)),
        FloatKind::BFloat => Some(narrow(8, 7)),
        FloatKind::X86Fp80 | FloatKind::Fp128 | FloatKind::PpcFp128 => None,
    }
}

/// Rounds a double to a format with fewer exponent and mantissa bits, to
/// nearest with ties to even.  Done on bits so that the payload of a NaN is
/// kept, which a cast would not promise.
fn narrow(bits: u64, exponent_bits: u32, mantissa_bits: u32) -> u64 {
    let sign = (bits >> 63) << (exponent_bits + mantissa_bits);
    let exponent = (bits >> 52 & 0x7ff) as i64;
    let mantissa = bits & ((1 << 52) - 1);
    let max_exponent = (1i64 << exponent_bits) - 1;
    let infinity = (max_exponent as u64) << mantissa_bits;
    if exponent == 0x7ff {
        if mantissa == 0 {
            return sign | infinity;
        }
        // Conversion makes a NaN quiet.
        let quiet = 1 << (mantissa_bits - 1);
        return sign | infinity | quiet | mantissa >> (52 - mantissa_bits);
    }
    if exponent == 0 {
        // A subnormal double is less than half the smallest of the others.
        return sign;
    }
    let bias = max_exponent / 2;
    let target = exponent - 1023 + bias;
    if target >= max_exponent {
        return sign | infinity;
    }
    let full = mantissa | 1 << 52;
    let mut shift = i64::from(52 - mantissa_bits);
    let base = if target > 0 {
        // The implicit bit adds one to the exponent.
        ((target - 1) as u64) << mantissa_bits
    } else {
        shift += 1 - target;
        0
    };
    if shift > 53 {
        return sign;
    }
    let kept = full >> shift;
    let rest = full & ((1 << shift) - 1);
    let half = 1u64 << (shift - 1);
    let up = rest > half || rest == half && kept & 1 == 1;
    // A carry out of the mantissa correctly raises the exponent.
    sign | (base + kept + u64::from(up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_agrees_with_the_hardware() {
        let values = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            0.1,
            1e-40,
            1e-45,
            7e-46,
            3.4e38,
            3.5e38,
            1e300,
            -1e-300,
            f64::INFINITY,
            16777217.0,
            1.1754943508222875e-38,
            5e-324,
        ];
        for value in values {
            let bits = narrow(f64::to_bits(value), 8, 23);
            assert_eq!(bits, u64::from((value as f32).to_bits()), "{value}");
        }
    }

    #[test]
    fn forms() {
        assert_eq!(hexadecimal("3FF8000000000000", FloatKind::Double), Some(0x3FF8 << 48));
        assert_eq!(hexadecimal("3FF8000000000000", FloatKind::Float), Some(0x3FC0_0000));
        assert_eq!(hexadecimal("7FF8000020000000", FloatKind::Float), Some(0x7FC0_0001));
        assert_eq!(hexadecimal("K3FFF8000000000000000", FloatKind::X86Fp80), Some(0x3FFF_8000_0000_0000_0000));
        assert_eq!(
            hexadecimal("L00000000000000013FFF000000000000", FloatKind::Fp128),
            Some(0x3FFF_0000_0000_0000_0000_0000_0000_0001)
        );
        assert_eq!(hexadecimal("H3C00", FloatKind::Half), Some(0x3C00));
        assert_eq!(hexadecimal("R3F80", FloatKind::BFloat), Some(0x3F80));
        assert_eq!(decimal("1.000000e+00", FloatKind::Half), Some(0x3C00));
        assert_eq!(decimal("65520.0", FloatKind::Half), Some(0x7C00));
        assert_eq!(decimal("1.000000e+00", FloatKind::Float), Some(0x3F80_0000));
        assert_eq!(decimal("1.0", FloatKind::Fp128), None);
        assert_eq!(hexadecimal("H3C00", FloatKind::Double), None);
        assert_eq!(hexadecimal("", FloatKind::Double), None);
        assert_eq!(hexadecimal("ZZ", FloatKind::Double), None);
    }
}
