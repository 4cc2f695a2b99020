//! Floating-point literals, turned into bit patterns.
//!
//! LLVM prints `float` constants as the hexadecimal bits of the `double` with
//! the same value, and the formats Rust lacks in forms of their own.

use crate::keywords::FloatKind;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert};

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
    fn converted<To: Float>(double: Double) -> u128
    where
        Double: FloatConvert<To>,
    {
        double.convert(&mut false).value.to_bits()
    }
    let double = Double::from_bits(u128::from(bits));
    match kind {
        FloatKind::Double => Some(u128::from(bits)),
        FloatKind::Float => Some(converted::<Single>(double)),
        FloatKind::Half => Some(converted::<Half>(double)),
        FloatKind::BFloat => Some(converted::<BFloat>(double)),
        FloatKind::X86Fp80 | FloatKind::Fp128 | FloatKind::PpcFp128 => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn float_agrees_with_the_hardware() {
        for value in [0.1, -1.5, 1e-40, 7e-46, 3.4e38, 3.5e38, 16777217.0, -1e-300, f64::INFINITY, 5e-324] {
            let bits = from_double(value.to_bits(), FloatKind::Float);
            assert_eq!(bits, Some((value as f32).to_bits().into()), "{value}");
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
