//! Floating-point constants as text.
//!
//! A constant is its bits.  It prints as a decimal number only where reading that number gives the same bits back; not a
//! number, infinities and what decimal digits would make unreadable print as hexadecimal bits.

use crate::eval::to_double;
use crate::program::Ty;
use rustc_apfloat::ieee::{Quad, X87DoubleExtended};
use rustc_apfloat::{Float, Round};

/// More digits than this are not significant in any of the formats, and reading them takes quadratic time.
const MAX_DIGITS: usize = 200;

/// The shortest decimal spelling that reads back as these bits, if there is a sensible one.
pub fn decimal(ty: Ty, bits: u128) -> Option<String> {
    let text = match ty {
        Ty::F32 => format!("{:?}", f32::from_bits(u32::try_from(bits).ok()?)),
        Ty::F64 => format!("{:?}", f64::from_bits(u64::try_from(bits).ok()?)),
        // The wide formats borrow the digits of `f64`: most constants in programs are exact there.
        Ty::F80 | Ty::F128 => format!("{:?}", to_double(ty, bits)),
        Ty::Int(_) | Ty::Ptr => return None,
    };
    // What is infinite, not a number or loses digits when narrowed shows here.
    (read_decimal(ty, &text) == Some(bits)).then_some(text)
}

/// The bits of the number of this type nearest to the decimal `text`; `None` where that is not finite.
pub fn read_decimal(ty: Ty, text: &str) -> Option<u128> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    match ty {
        Ty::F32 => text.parse().ok().filter(|x: &f32| x.is_finite()).map(|x| u128::from(x.to_bits())),
        Ty::F64 => text.parse().ok().filter(|x: &f64| x.is_finite()).map(|x| u128::from(x.to_bits())),
        Ty::F80 => read_wide::<X87DoubleExtended>(text),
        Ty::F128 => read_wide::<Quad>(text),
        Ty::Int(_) | Ty::Ptr => None,
    }
}

fn read_wide<F: Float>(text: &str) -> Option<u128> {
    if text.len() > MAX_DIGITS {
        return None;
    }
    // Beyond this the result is 0 or infinite anyway, and the exponent must not overflow on the way.
    let exponent = text.split_once('e').map_or("0", |(_, exponent)| exponent);
    if exponent.parse::<i32>().ok()?.abs() > 10_000 {
        return None;
    }
    let value = F::from_str_r(text, Round::NearestTiesToEven).ok()?.value;
    value.is_finite().then(|| value.to_bits())
}
