//! Arithmetic: the meaning of every operator on values given by their bits.
//!
//! A value is a `u128` that is zero above its width.  Integers wrap in two's complement.  Shifts by the width or more
//! take the amount modulo the width, as the machines we compare with do.  Floats of 32 and 64 bits are the machine's;
//! wider formats are computed by the software floats of `rustc_apfloat`.

use crate::program::{BinOp, CastOp, Ty, UnOp, mask, signed};
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    DivisionByZero,
    /// The most negative number divided by -1, which the hardware refuses.
    DivisionOverflow,
}

/// `op` applied to a value of type `ty` that is `bits` wide.
pub fn unary(op: UnOp, ty: Ty, bits: u32, value: u128) -> u128 {
    match op {
        UnOp::Not => mask(!value, bits),
        UnOp::Neg => mask(value.wrapping_neg(), bits),
        UnOp::PopCount => u128::from(value.count_ones()),
        UnOp::LeadingZeros => u128::from(value.leading_zeros() - (128 - bits)),
        UnOp::TrailingZeros => u128::from(value.trailing_zeros().min(bits)),
        UnOp::ByteSwap => value.swap_bytes() >> (128 - bits),
        UnOp::BitReverse => value.reverse_bits() >> (128 - bits),
        UnOp::FNeg => value ^ (1 << (bits - 1)),
        UnOp::FAbs => value & !(1 << (bits - 1)),
        UnOp::FSqrt => match ty {
            Ty::F32 => from_f32(f32_of(value).sqrt()),
            Ty::F64 => from_f64(f64_of(value).sqrt()),
            Ty::F80 => square_root(X87DoubleExtended::from_bits(value)),
            Ty::F128 | Ty::Int(_) | Ty::Ptr => square_root(Quad::from_bits(value)),
        },
        UnOp::FFloor => round_to(ty, value, Round::TowardNegative),
        UnOp::FCeil => round_to(ty, value, Round::TowardPositive),
        UnOp::FTrunc => round_to(ty, value, Round::TowardZero),
        UnOp::FRound => round_to(ty, value, Round::NearestTiesToAway),
        UnOp::FRint => round_to(ty, value, Round::NearestTiesToEven),
        UnOp::FIsNan => u128::from(is_nan(ty, value)),
    }
}

/// `left op right`, both of type `ty` (for shifts and pointer addition the left one) and `bits` wide.
pub fn binary(op: BinOp, ty: Ty, bits: u32, left: u128, right: u128) -> Result<u128, Fault> {
    use BinOp::*;
    Ok(match op {
        Add | PtrAdd => mask(left.wrapping_add(right), bits),
        Sub => mask(left.wrapping_sub(right), bits),
        Mul => mask(left.wrapping_mul(right), bits),
        UDiv | URem | SDiv | SRem => return divide(op, bits, left, right),
        Shl => mask(left << amount(right, bits), bits),
        LShr => left >> amount(right, bits),
        AShr => mask((signed(left, bits) >> amount(right, bits)) as u128, bits),
        And => left & right,
        Or => left | right,
        Xor => left ^ right,
        Eq => u128::from(left == right),
        Ne => u128::from(left != right),
        ULt => u128::from(left < right),
        ULe => u128::from(left <= right),
        SLt => u128::from(signed(left, bits) < signed(right, bits)),
        SLe => u128::from(signed(left, bits) <= signed(right, bits)),
        FAdd | FSub | FMul | FDiv | FRem | FMin | FMax => float_binary(op, ty, left, right),
        FCopySign => {
            let sign = 1 << (bits - 1);
            (left & !sign) | (right & sign)
        }
        FOeq | FOne | FOlt | FOle | FOrd => u128::from(float_compare(op, ty, left, right)),
    })
}

/// `value`, of type `from`, turned into `to`.
pub fn cast(op: CastOp, from: Ty, from_bits: u32, to: Ty, to_bits: u32, value: u128) -> u128 {
    match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::Bits | CastOp::PtrToInt | CastOp::IntToPtr => mask(value, to_bits),
        CastOp::SExt => mask(signed(value, from_bits) as u128, to_bits),
        CastOp::Float => convert_float(from, to, value),
        CastOp::FloatToSigned => float_to_int(from, value, to_bits, true),
        CastOp::FloatToUnsigned => float_to_int(from, value, to_bits, false),
        CastOp::SignedToFloat => int_to_float(to, signed(value, from_bits), false, value),
        CastOp::UnsignedToFloat => int_to_float(to, 0, true, value),
    }
}

fn divide(op: BinOp, bits: u32, left: u128, right: u128) -> Result<u128, Fault> {
    if right == 0 {
        return Err(Fault::DivisionByZero);
    }
    let narrow = bits <= 64;
    Ok(match op {
        BinOp::UDiv if narrow => u128::from(left as u64 / right as u64),
        BinOp::URem if narrow => u128::from(left as u64 % right as u64),
        BinOp::UDiv => left / right,
        BinOp::URem => left % right,
        _ => {
            let (left, right) = (signed(left, bits), signed(right, bits));
            if right == -1 && left == signed(1 << (bits - 1), bits) {
                return Err(Fault::DivisionOverflow);
            }
            let value = match (op, narrow) {
                (BinOp::SDiv, true) => i128::from(left as i64 / right as i64),
                (BinOp::SDiv, false) => left / right,
                (_, true) => i128::from(left as i64 % right as i64),
                (_, false) => left % right,
            };
            mask(value as u128, bits)
        }
    })
}

fn amount(value: u128, bits: u32) -> u32 {
    (value % u128::from(bits)) as u32
}

fn f32_of(value: u128) -> f32 {
    f32::from_bits(value as u32)
}

fn f64_of(value: u128) -> f64 {
    f64::from_bits(value as u64)
}

fn from_f32(value: f32) -> u128 {
    u128::from(value.to_bits())
}

fn from_f64(value: f64) -> u128 {
    u128::from(value.to_bits())
}

/// The nearest double of a float value.
pub fn to_double(ty: Ty, value: u128) -> f64 {
    match ty {
        Ty::F32 => f64::from(f32_of(value)),
        Ty::F64 => f64_of(value),
        _ => f64_of(convert_float(ty, Ty::F64, value)),
    }
}

/// The nearest value of `ty` to a double.
pub fn from_double(ty: Ty, value: f64) -> u128 {
    match ty {
        Ty::F32 => from_f32(value as f32),
        Ty::F64 => from_f64(value),
        _ => convert_float(Ty::F64, ty, from_f64(value)),
    }
}

fn convert_float(from: Ty, to: Ty, value: u128) -> u128 {
    fn into<
        T: Float + FloatConvert<Single> + FloatConvert<Double> + FloatConvert<X87DoubleExtended> + FloatConvert<Quad>,
    >(
        value: T,
        to: Ty,
    ) -> u128 {
        let mut loses = false;
        match to {
            Ty::F32 => {
                let value: Single = value.convert(&mut loses).value;
                value.to_bits()
            }
            Ty::F64 => {
                let value: Double = value.convert(&mut loses).value;
                value.to_bits()
            }
            Ty::F80 => {
                let value: X87DoubleExtended = value.convert(&mut loses).value;
                value.to_bits()
            }
            Ty::F128 | Ty::Int(_) | Ty::Ptr => {
                let value: Quad = value.convert(&mut loses).value;
                value.to_bits()
            }
        }
    }
    match from {
        _ if from == to => value,
        Ty::F32 => into(Single::from_bits(value), to),
        Ty::F64 => into(Double::from_bits(value), to),
        Ty::F80 => into(X87DoubleExtended::from_bits(value), to),
        Ty::F128 | Ty::Int(_) | Ty::Ptr => into(Quad::from_bits(value), to),
    }
}

fn is_nan(ty: Ty, value: u128) -> bool {
    match ty {
        Ty::F32 => f32_of(value).is_nan(),
        Ty::F64 => f64_of(value).is_nan(),
        Ty::F80 => X87DoubleExtended::from_bits(value).is_nan(),
        Ty::F128 | Ty::Int(_) | Ty::Ptr => Quad::from_bits(value).is_nan(),
    }
}

fn round_to(ty: Ty, value: u128, round: Round) -> u128 {
    match ty {
        Ty::F32 => Single::from_bits(value).round_to_integral(round).value.to_bits(),
        Ty::F64 => Double::from_bits(value).round_to_integral(round).value.to_bits(),
        Ty::F80 => X87DoubleExtended::from_bits(value).round_to_integral(round).value.to_bits(),
        Ty::F128 | Ty::Int(_) | Ty::Ptr => Quad::from_bits(value).round_to_integral(round).value.to_bits(),
    }
}

fn float_binary(op: BinOp, ty: Ty, left: u128, right: u128) -> u128 {
    match ty {
        Ty::F32 => {
            let (a, b) = (f32_of(left), f32_of(right));
            from_f32(match op {
                BinOp::FAdd => a + b,
                BinOp::FSub => a - b,
                BinOp::FMul => a * b,
                BinOp::FDiv => a / b,
                BinOp::FRem => a % b,
                BinOp::FMin => a.min(b),
                _ => a.max(b),
            })
        }
        Ty::F64 => {
            let (a, b) = (f64_of(left), f64_of(right));
            from_f64(match op {
                BinOp::FAdd => a + b,
                BinOp::FSub => a - b,
                BinOp::FMul => a * b,
                BinOp::FDiv => a / b,
                BinOp::FRem => a % b,
                BinOp::FMin => a.min(b),
                _ => a.max(b),
            })
        }
        Ty::F80 => soft_binary(op, X87DoubleExtended::from_bits(left), X87DoubleExtended::from_bits(right)),
        Ty::F128 | Ty::Int(_) | Ty::Ptr => soft_binary(op, Quad::from_bits(left), Quad::from_bits(right)),
    }
}

fn soft_binary<F: Float>(op: BinOp, a: F, b: F) -> u128 {
    let value = match op {
        BinOp::FAdd => (a + b).value,
        BinOp::FSub => (a - b).value,
        BinOp::FMul => (a * b).value,
        BinOp::FDiv => (a / b).value,
        BinOp::FRem => a.c_fmod(b).value,
        BinOp::FMin => a.min(b),
        _ => a.max(b),
    };
    value.to_bits()
}

/// The root, rounded to the nearest: one digit more than the format has, found one by one, and whether something remains.
fn square_root<F: Float>(value: F) -> u128 {
    if value.is_nan() || value.is_zero() || value == F::INFINITY {
        return value.to_bits();
    }
    if value.is_negative() {
        return F::NAN.to_bits();
    }
    let digits = F::PRECISION as i32;
    let exponent = value.ilogb();
    // An even power of two times a number from 1 to 4, which has two digits before the point and `digits - 1` behind it.
    let odd = exponent.rem_euclid(2);
    let number = value.scalbn(digits - 1 - exponent).to_u128(128).value << odd;
    let (mut root, mut rest) = (0u128, 0u128);
    for pair in 0..=digits {
        let behind = digits - 1 - 2 * pair;
        let next = if behind >= 0 { number >> behind } else { number << -behind.max(-2) };
        rest = (rest << 2) | (next & 3);
        root <<= 1;
        let trial = (root << 1) | 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    let half = root & 1;
    root >>= 1;
    if half == 1 && (rest != 0 || root & 1 == 1) {
        root += 1;
    }
    F::from_u128(root).value.scalbn((exponent - odd) / 2 - (digits - 1)).to_bits()
}

fn float_compare(op: BinOp, ty: Ty, left: u128, right: u128) -> bool {
    fn compare<F: PartialOrd>(op: BinOp, a: F, b: F) -> bool {
        match op {
            BinOp::FOeq => a == b,
            BinOp::FOne => a < b || b < a,
            BinOp::FOlt => a < b,
            BinOp::FOle => a <= b,
            _ => a.partial_cmp(&b).is_some(),
        }
    }
    match ty {
        Ty::F32 => compare(op, f32_of(left), f32_of(right)),
        Ty::F64 => compare(op, f64_of(left), f64_of(right)),
        Ty::F80 => compare(op, X87DoubleExtended::from_bits(left), X87DoubleExtended::from_bits(right)),
        Ty::F128 | Ty::Int(_) | Ty::Ptr => compare(op, Quad::from_bits(left), Quad::from_bits(right)),
    }
}

/// Out of range is undefined in C; we give what x86 does: the most negative number of the conversion's width.
fn float_to_int(from: Ty, value: u128, bits: u32, is_signed: bool) -> u128 {
    fn convert<F: Float>(value: F, bits: u32, is_signed: bool) -> u128 {
        let mut exact = false;
        let width = bits as usize;
        if is_signed {
            let result = value.to_i128_r(width, Round::TowardZero, &mut exact);
            if !result.status.contains(Status::INVALID_OP) {
                return mask(result.value as u128, bits);
            }
            // Small widths are converted as 32 bits and truncated.
            return if bits < 32 { 0 } else { 1 << (bits - 1) };
        }
        let result = value.to_u128_r(width, Round::TowardZero, &mut exact);
        if !result.status.contains(Status::INVALID_OP) {
            return mask(result.value, bits);
        }
        // Negative numbers wrap: they are converted as signed ones of the next width.
        let result = value.to_i128_r(64.max(width), Round::TowardZero, &mut exact);
        if result.status.contains(Status::INVALID_OP) { mask(1 << 63, bits) } else { mask(result.value as u128, bits) }
    }
    match from {
        Ty::F32 => convert(Single::from_bits(value), bits, is_signed),
        Ty::F64 => convert(Double::from_bits(value), bits, is_signed),
        Ty::F80 => convert(X87DoubleExtended::from_bits(value), bits, is_signed),
        Ty::F128 | Ty::Int(_) | Ty::Ptr => convert(Quad::from_bits(value), bits, is_signed),
    }
}

fn int_to_float(to: Ty, value: i128, is_unsigned: bool, raw: u128) -> u128 {
    fn convert<F: Float>(value: i128, is_unsigned: bool, raw: u128) -> u128 {
        if is_unsigned {
            F::from_u128_r(raw, Round::NearestTiesToEven).value.to_bits()
        } else {
            F::from_i128_r(value, Round::NearestTiesToEven).value.to_bits()
        }
    }
    match to {
        Ty::F32 => convert::<Single>(value, is_unsigned, raw),
        Ty::F64 => convert::<Double>(value, is_unsigned, raw),
        Ty::F80 => convert::<X87DoubleExtended>(value, is_unsigned, raw),
        Ty::F128 | Ty::Int(_) | Ty::Ptr => convert::<Quad>(value, is_unsigned, raw),
    }
}
