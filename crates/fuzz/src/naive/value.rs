//! Values and arithmetic.  An address is not a number here but an object and an offset: what a program computes must not
//! depend on how addresses are numbered, and where it does we give up rather than guess.

use ir::program::*;

/// What an address points into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Target {
    Static(ObjectId),
    Function(FuncId),
    /// Made at run time: the n-th object that threads with this handle made.  Used again only for a block that takes its
    /// place.
    Made {
        handle: u16,
        n: u16,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    Number(u128),
    Address(Target, i32),
}

/// Why the value of an expression is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The execution ends: division by zero, division overflow.
    Fault,
    /// Not modelled here.
    GiveUp(&'static str),
}

const LOOKS_AT_ADDRESS: Trouble = Trouble::GiveUp("the program looks at the bits of an address");
const FLOATS: Trouble = Trouble::GiveUp("floating point");

pub type Computed = Result<Value, Trouble>;

fn number(value: Value) -> Result<u128, Trouble> {
    match value {
        Value::Number(n) => Ok(n),
        Value::Address(..) => Err(LOOKS_AT_ADDRESS),
    }
}

fn truth(condition: bool) -> Computed {
    Ok(Value::Number(u128::from(condition)))
}

/// Keeps the low `width` bits.
pub fn low_bits(n: u128, width: u32) -> u128 {
    if width == 128 { n } else { n % (1u128 << width) }
}

fn as_signed(n: u128, width: u32) -> i128 {
    let negative = (n >> (width - 1)) & 1 == 1;
    let half = 1i128 << (width - 1);
    if negative && width < 128 { n as i128 - half - half } else { n as i128 }
}

fn from_signed(n: i128, width: u32) -> u128 {
    low_bits(n as u128, width)
}

pub fn unary(op: UnOp, width: u32, value: Value) -> Computed {
    let n = number(value)?;
    let bit = |i: u32| (n >> i) & 1;
    let result = match op {
        UnOp::Not => (0..width).fold(0, |sum, i| sum | (1 - bit(i)) << i),
        UnOp::Neg => low_bits(0u128.wrapping_sub(n), width),
        UnOp::PopCount => (0..width).map(bit).sum(),
        UnOp::LeadingZeros => (0..width).rev().take_while(|i| bit(*i) == 0).count() as u128,
        UnOp::TrailingZeros => (0..width).take_while(|i| bit(*i) == 0).count() as u128,
        UnOp::ByteSwap => (0..width / 8).fold(0, |sum, i| sum | ((n >> (8 * i)) & 0xff) << (width - 8 - 8 * i)),
        UnOp::BitReverse => (0..width).fold(0, |sum, i| sum | bit(i) << (width - 1 - i)),
        _ => return Err(FLOATS),
    };
    // A count can be wider than a tiny type.
    Ok(Value::Number(low_bits(result, width)))
}

pub fn binary(op: BinOp, width: u32, left: Value, right: Value) -> Computed {
    use BinOp::*;
    if let (Value::Address(..), _) | (_, Value::Address(..)) = (left, right) {
        return with_address(op, width, left, right);
    }
    let (a, b) = (number(left)?, number(right)?);
    let (sa, sb) = (as_signed(a, width), as_signed(b, width));
    let shift = (b % u128::from(width)) as u32;
    let result = match op {
        Add | PtrAdd => low_bits(a.wrapping_add(b), width),
        Sub => low_bits(a.wrapping_sub(b), width),
        Mul => low_bits(a.wrapping_mul(b), width),
        UDiv | URem | SDiv | SRem if b == 0 => return Err(Trouble::Fault),
        SDiv | SRem if sb == -1 && a == 1 << (width - 1) => return Err(Trouble::Fault),
        UDiv => a / b,
        URem => a % b,
        SDiv => from_signed(sa / sb, width),
        SRem => from_signed(sa % sb, width),
        Shl => (0..shift).fold(a, |n, _| low_bits(n << 1, width)),
        LShr => (0..shift).fold(a, |n, _| n / 2),
        AShr => from_signed((0..shift).fold(sa, |n, _| n.div_euclid(2)), width),
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Eq => return truth(a == b),
        Ne => return truth(a != b),
        ULt => return truth(a < b),
        ULe => return truth(a <= b),
        SLt => return truth(sa < sb),
        SLe => return truth(sa <= sb),
        _ => return Err(FLOATS),
    };
    Ok(Value::Number(result))
}

fn with_address(op: BinOp, width: u32, left: Value, right: Value) -> Computed {
    let moved = |target, offset: i32, by: u128| match i32::try_from(i128::from(offset) + as_signed(by, width)) {
        Ok(offset) => Ok(Value::Address(target, offset)),
        Err(_) => Err(Trouble::GiveUp("an address far outside its object")),
    };
    match (op, left, right) {
        (BinOp::PtrAdd | BinOp::Add, Value::Address(target, offset), Value::Number(by)) => moved(target, offset, by),
        (BinOp::Add, Value::Number(by), Value::Address(target, offset)) => moved(target, offset, by),
        (BinOp::Sub, Value::Address(target, offset), Value::Number(by)) => {
            moved(target, offset, low_bits(0u128.wrapping_sub(by), width))
        }
        // No object is at null.
        (BinOp::Eq | BinOp::Ne, Value::Address(..) | Value::Number(0), Value::Address(..) | Value::Number(0)) => {
            truth((left == right) == (op == BinOp::Eq))
        }
        (op, Value::Address(a, x), Value::Address(b, y)) if a == b && x >= 0 && y >= 0 => match op {
            BinOp::Sub => Ok(Value::Number(from_signed(i128::from(x) - i128::from(y), width))),
            BinOp::ULt => truth(x < y),
            BinOp::ULe => truth(x <= y),
            _ => Err(LOOKS_AT_ADDRESS),
        },
        _ => Err(LOOKS_AT_ADDRESS),
    }
}

pub fn cast(op: CastOp, from: u32, to: u32, value: Value) -> Computed {
    if let Value::Address(..) = value {
        let same = matches!(op, CastOp::PtrToInt | CastOp::IntToPtr) && from == to;
        return if same { Ok(value) } else { Err(LOOKS_AT_ADDRESS) };
    }
    let n = number(value)?;
    Ok(Value::Number(match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Bits => low_bits(n, to),
        CastOp::SExt => from_signed(as_signed(n, from), to),
        _ => return Err(FLOATS),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both arithmetics agree on all numbers of small widths, and on corners of large ones.
    #[test]
    fn agrees_with_the_interpreters_arithmetic() {
        use BinOp::*;
        let ops = [Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor, Eq, Ne, ULt, ULe, SLt, SLe];
        let unary_ops =
            [UnOp::Not, UnOp::Neg, UnOp::PopCount, UnOp::LeadingZeros, UnOp::TrailingZeros, UnOp::BitReverse];
        for width in [1u32, 3, 5, 8, 24, 32, 64, 65, 127, 128] {
            let ty = Ty::Int(width as u8);
            let values: Vec<u128> = if width <= 5 {
                (0..1 << width).collect()
            } else {
                let top = 1u128 << (width - 1);
                let corners =
                    [0, 1, 2, 3, 5, 7, 31, 32, 63, 64, top - 2, top - 1, top, top + 1, u128::MAX - 1, u128::MAX];
                corners.iter().map(|n| low_bits(*n, width)).collect()
            };
            for a in &values {
                for op in unary_ops {
                    let ours = unary(op, width, Value::Number(*a));
                    assert_eq!(ours, Ok(Value::Number(ir::eval::unary(op, ty, width, *a))), "{op:?} i{width} {a}");
                }
                for b in &values {
                    for op in ops {
                        let ours = binary(op, width, Value::Number(*a), Value::Number(*b));
                        let theirs = ir::eval::binary(op, ty, width, *a, *b);
                        let theirs = theirs.map(Value::Number).map_err(|_| Trouble::Fault);
                        assert_eq!(ours, theirs, "{a} {op:?} {b} i{width}");
                    }
                }
            }
        }
    }
}
