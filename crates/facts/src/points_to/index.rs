//! What is known of an integer that is added to an address: a remainder and a range.
//!
//! `base + k * stride` over the mathematical integers, for the value read as a signed number, together with an interval it
//! lies in.  An operation that may leave its type's range wraps; a wrapped value keeps its remainder only modulo what divides
//! both the stride and two to the width.  So `i * 12` has stride 12 where `i` is a 32-bit index widened to 64 bits, and only
//! stride 4 where `i` could be any 64-bit number.

use super::target::{Offsets, gcd};
use base::Interval;
use ir::{BinOp, CastOp, Expr, Function, Program, Reg, Ty, UnOp};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Index {
    base: i128,
    /// 0: exactly `base`.
    stride: u128,
    /// Where it lies.
    pub range: Interval,
}

/// Numbers of more bits than this are not followed, so that nothing here can overflow.
const WIDEST: u32 = 64;

impl Index {
    pub fn any(bits: u32) -> Self {
        Index::within(Interval::signed(bits.clamp(1, 126)))
    }

    pub fn within(range: Interval) -> Self {
        range.constant().map_or(Index { base: 0, stride: 1, range }, Index::exact)
    }

    fn exact(value: i128) -> Self {
        Index { base: value, stride: 0, range: Interval::exactly(value) }
    }

    pub fn offsets(self) -> Offsets {
        Offsets::new(self.base, self.stride)
    }

    /// The value after being cut to `bits`, at most [`WIDEST`].
    fn wrapped(self, bits: u32) -> Self {
        self.moved(Interval::signed(bits), bits)
    }

    /// What the value becomes among the numbers of so many bits that are in `home`.
    fn moved(self, home: Interval, bits: u32) -> Self {
        if home.contains(self.range) {
            return self;
        }
        if self.stride == 0 {
            return Index::exact(Interval::exactly(self.base).wrapped(home).low);
        }
        let stride = wide_gcd(self.stride, 1 << bits);
        Index { base: self.base.rem_euclid(stride as i128), stride, range: self.range.wrapped(home) }
    }

    fn add(self, other: Index) -> Index {
        let stride = wide_gcd(self.stride, other.stride);
        Index { base: self.base + other.base, stride, range: self.range.plus(other.range) }
    }

    fn times(self, factor: i128) -> Index {
        let stride = self.stride * factor.unsigned_abs();
        Index { base: self.base * factor, stride, range: self.range.times(factor) }
    }
}

fn wide_gcd(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => u128::from(gcd(a, b)),
        _ => {
            let (mut a, mut b) = (a, b);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        }
    }
}

/// Evaluates an expression; `old` is the type of the cell in an update, `reg` says what is known of the registers.
pub fn evaluate(
    program: &Program,
    function: &Function,
    expr: &Expr,
    old: Option<Ty>,
    reg: &mut dyn FnMut(Reg) -> Index,
) -> Index {
    let ty = function.type_of(program, expr, old);
    let bits = program.bits_of(ty);
    let any = Index::any(bits);
    let Ty::Int(_) = ty else { return any };
    if bits > WIDEST {
        return any;
    }
    match expr {
        Expr::Const(_, value) => Index::exact(ir::signed(*value, bits)),
        Expr::Reg(id) => reg(*id),
        Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread | Expr::Old => any,
        Expr::Un(UnOp::Neg, inner) => evaluate(program, function, inner, old, reg).times(-1).wrapped(bits),
        Expr::Un(..) => any,
        Expr::Bin(op, left, right) => {
            let mut side = |expr: &Expr| evaluate(program, function, expr, old, reg);
            use BinOp::*;
            match op {
                Add => side(left).add(side(right)).wrapped(bits),
                Sub => side(left).add(side(right).times(-1)).wrapped(bits),
                Mul => match (side(left), side(right)) {
                    (Index { stride: 0, base, .. }, other) | (other, Index { stride: 0, base, .. })
                        if base.unsigned_abs() < 1 << 48 =>
                    {
                        // At most 2^48 times 2^64 in size: no overflow here.
                        other.times(base).wrapped(bits)
                    }
                    _ => any,
                },
                Shl => match **right {
                    Expr::Const(_, by) if by < 48 => side(left).times(1 << by).wrapped(bits),
                    _ => any,
                },
                And => match (side(left), side(right)) {
                    // A mask that is not negative bounds the result.
                    (Index { stride: 0, base, .. }, _) | (_, Index { stride: 0, base, .. }) if 0 <= base => {
                        let low_zeros = (base as u128).trailing_zeros().min(bits - 1);
                        Index { base: 0, stride: 1 << low_zeros, range: Interval::between(0, base) }
                    }
                    _ => any,
                },
                URem => match side(right) {
                    Index { stride: 0, base, .. } if 0 < base => Index::within(Interval::between(0, base - 1)),
                    _ => any,
                },
                SRem => match (side(left), side(right).range) {
                    (left, by) if !by.has(0) => Index::within(left.range.remainder(by)),
                    _ => any,
                },
                UDiv | SDiv | LShr | AShr | Or | Xor | PtrAdd | Eq | Ne | ULt | ULe | SLt | SLe | FAdd | FSub
                | FMul | FDiv | FRem | FMin | FMax | FCopySign | FOeq | FOne | FOlt | FOle | FOrd => any,
            }
        }
        Expr::Cast(op, _, inner) => {
            let from = program.bits_of(function.type_of(program, inner, old));
            match op {
                CastOp::SExt if from <= WIDEST => evaluate(program, function, inner, old, reg),
                // Negative numbers become large ones: they move by two to the width.
                CastOp::ZExt if from <= WIDEST => {
                    evaluate(program, function, inner, old, reg).moved(Interval::unsigned(from), from)
                }
                CastOp::Trunc if from <= WIDEST => evaluate(program, function, inner, old, reg).wrapped(bits),
                _ => any,
            }
        }
        Expr::Select(parts) => {
            let then = evaluate(program, function, &parts[1], old, reg);
            let other = evaluate(program, function, &parts[2], old, reg);
            let apart = then.base.abs_diff(other.base);
            let stride = wide_gcd(wide_gcd(then.stride, other.stride), apart);
            let base = if stride == 0 { then.base } else { then.base.rem_euclid(stride as i128) };
            Index { base, stride, range: then.range.hull(other.range) }
        }
    }
}
