//! Arithmetic: the meaning of every operator on values given by their bits.
//!
//! A value is a `u128` that is zero above its width.  Integers wrap in two's complement.  Shifts by the width or more
//! take the amount modulo the width, as the machines we compare with do.  Floats of 32 and 64 bits are the machine's;
//! wider formats are computed by the software floats of `rustc_apfloat`.

use crate::program::{BinOp, CastOp, Ty, UnOp, mask, signed};
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::ops::{Add, Div, Mul, Rem, Sub};

/// Does something with the format of a type as the software floats have it.
macro_rules! in_format {
    ($ty:expr, $format:ident => $result:expr) => {
        match $ty {
            Ty::F32 => {
                type $format = Single;
                $result
            }
            Ty::F64 => {
                type $format = Double;
                $result
            }
            Ty::F80 => {
                type $format = X87DoubleExtended;
                $result
            }
            Ty::F128 | Ty::Int(_) | Ty::Ptr => {
                type $format = Quad;
                $result
            }
        }
    };
}

/// Why an expression has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    DivisionByZero,
    /// The most negative number divided by -1, which the hardware refuses.
    DivisionOverflow,
}

/// An operator with the types of its operands (and of its result, if that is another), and how many bits they have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    Un(UnOp, Ty, u32),
    Bin(BinOp, Ty, u32),
    Cast(CastOp, (Ty, u32), (Ty, u32)),
}

impl Operator {
    pub fn result_bits(self) -> u32 {
        match self {
            Operator::Un(UnOp::FIsNan, ..) => 1,
            Operator::Bin(op, ..) if op.is_comparison() => 1,
            Operator::Un(_, _, bits) | Operator::Bin(_, _, bits) | Operator::Cast(_, _, (_, bits)) => bits,
        }
    }
    /// What it gives; 0 where it has a fault, which operators on floats never have.
    pub fn apply(self, a: u128, b: u128) -> u128 {
        match self {
            Operator::Un(op, ty, bits) => unary(op, ty, bits, a),
            Operator::Bin(op, ty, bits) => binary(op, ty, bits, a, b).unwrap_or(0),
            Operator::Cast(op, (from, from_bits), (to, to_bits)) => cast(op, from, from_bits, to, to_bits, a),
        }
    }
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
            Ty::F80 | Ty::F128 | Ty::Int(_) | Ty::Ptr => in_format!(ty, F => square_root(F::from_bits(value))),
        },
        UnOp::FFloor => round_to(ty, value, Round::TowardNegative),
        UnOp::FCeil => round_to(ty, value, Round::TowardPositive),
        UnOp::FTrunc => round_to(ty, value, Round::TowardZero),
        UnOp::FRound => round_to(ty, value, Round::NearestTiesToAway),
        UnOp::FRint => round_to(ty, value, Round::NearestTiesToEven),
        UnOp::FIsNan => u128::from(in_format!(ty, F => F::from_bits(value).is_nan())),
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
        CastOp::FloatToSigned => in_format!(from, F => float_to_signed(F::from_bits(value), to_bits)),
        CastOp::FloatToUnsigned => in_format!(from, F => float_to_unsigned(F::from_bits(value), to_bits)),
        CastOp::SignedToFloat => in_format!(to, F => F::from_i128(signed(value, from_bits)).value.to_bits()),
        CastOp::UnsignedToFloat => in_format!(to, F => F::from_u128(value).value.to_bits()),
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
    f64_of(convert_float(ty, Ty::F64, value))
}

/// The nearest value of `ty` to a double.
pub fn from_double(ty: Ty, value: f64) -> u128 {
    convert_float(Ty::F64, ty, from_f64(value))
}

fn convert_float(from: Ty, to: Ty, value: u128) -> u128 {
    fn convert<F: FloatConvert<T>, T: Float>(value: F) -> u128 {
        value.convert(&mut false).value.to_bits()
    }
    if from == to {
        return value;
    }
    in_format!(from, F => in_format!(to, T => convert::<F, T>(F::from_bits(value))))
}

fn round_to(ty: Ty, value: u128, round: Round) -> u128 {
    in_format!(ty, F => F::from_bits(value).round_to_integral(round).value.to_bits())
}

fn float_binary(op: BinOp, ty: Ty, left: u128, right: u128) -> u128 {
    match ty {
        Ty::F32 => from_f32(hard_binary(op, f32_of(left), f32_of(right), f32::min, f32::max)),
        Ty::F64 => from_f64(hard_binary(op, f64_of(left), f64_of(right), f64::min, f64::max)),
        Ty::F80 | Ty::F128 | Ty::Int(_) | Ty::Ptr => {
            in_format!(ty, F => soft_binary(op, F::from_bits(left), F::from_bits(right)))
        }
    }
}

fn hard_binary<F>(op: BinOp, a: F, b: F, min: fn(F, F) -> F, max: fn(F, F) -> F) -> F
where
    F: Add<Output = F> + Sub<Output = F> + Mul<Output = F> + Div<Output = F> + Rem<Output = F>,
{
    match op {
        BinOp::FAdd => a + b,
        BinOp::FSub => a - b,
        BinOp::FMul => a * b,
        BinOp::FDiv => a / b,
        BinOp::FRem => a % b,
        BinOp::FMin => min(a, b),
        _ => max(a, b),
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
        Ty::F80 | Ty::F128 | Ty::Int(_) | Ty::Ptr => {
            in_format!(ty, F => compare(op, F::from_bits(left), F::from_bits(right)))
        }
    }
}

/// Out of range is undefined in C; we give what x86 does: the most negative number of the conversion's width.
fn float_to_signed<F: Float>(value: F, bits: u32) -> u128 {
    let result = value.to_i128_r(bits as usize, Round::TowardZero, &mut false);
    match result.status.contains(Status::INVALID_OP) {
        false => mask(result.value as u128, bits),
        // Small widths are converted as 32 bits and truncated.
        true if bits < 32 => 0,
        true => 1 << (bits - 1),
    }
}

/// The same for unsigned numbers.
fn float_to_unsigned<F: Float>(value: F, bits: u32) -> u128 {
    let result = value.to_u128_r(bits as usize, Round::TowardZero, &mut false);
    if !result.status.contains(Status::INVALID_OP) {
        return mask(result.value, bits);
    }
    // Negative numbers wrap: they are converted as signed ones of the next width.
    let result = value.to_i128_r(bits.max(64) as usize, Round::TowardZero, &mut false);
    let invalid = result.status.contains(Status::INVALID_OP);
    mask(if invalid { 1 << 63 } else { result.value as u128 }, bits)
}
