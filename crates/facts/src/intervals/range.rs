//! A range of integers of a fixed width, seen unsigned and signed at once.
//!
//! Both views are plain intervals of the same bits, each computed in its own order and then tightened by the other where that
//! is unambiguous.  An operation that may wrap in one view gives that view up, unless everything wraps the same way; so
//! results are exact sets of machine numbers, never of mathematical ones.

use ir::{BinOp, CastOp, UnOp};

/// The numbers of `bits` bits that are in both intervals.  Never empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub bits: u32,
    pub umin: u128,
    pub umax: u128,
    pub smin: i128,
    pub smax: i128,
}

/// Wider integers are not followed, so that products fit.
pub const WIDEST: u32 = 64;

impl Range {
    /// All numbers of that width (1 to [`WIDEST`] bits).
    pub fn any(bits: u32) -> Self {
        let half = 1i128 << (bits - 1);
        Range { bits, umin: 0, umax: (1 << bits) - 1, smin: -half, smax: half - 1 }
    }

    pub fn exact(bits: u32, value: u128) -> Self {
        let value = ir::mask(value, bits);
        let signed = ir::signed(value, bits);
        Range { bits, umin: value, umax: value, smin: signed, smax: signed }
    }

    pub fn unsigned(bits: u32, min: u128, max: u128) -> Self {
        let any = Range::any(bits);
        Range { umin: min.max(any.umin), umax: max.min(any.umax), ..any }.tightened().unwrap_or(any)
    }

    pub fn signed(bits: u32, min: i128, max: i128) -> Self {
        let any = Range::any(bits);
        Range { smin: min.max(any.smin), smax: max.min(any.smax), ..any }.tightened().unwrap_or(any)
    }

    pub fn is_any(&self) -> bool {
        *self == Range::any(self.bits)
    }

    pub fn constant(&self) -> Option<u128> {
        (self.umin == self.umax).then_some(self.umin)
    }

    pub fn contains(&self, value: u128) -> bool {
        let signed = ir::signed(value, self.bits);
        self.umin <= value && value <= self.umax && self.smin <= signed && signed <= self.smax
    }

    /// At least as many numbers as there are in it.
    pub fn count(&self) -> u128 {
        (self.umax - self.umin).min((self.smax - self.smin) as u128).saturating_add(1)
    }

    /// The numbers in it, ascending in unsigned order, if there are at most `most` candidates.
    pub fn values(&self, most: u128) -> Option<Vec<u128>> {
        if self.umax - self.umin < most {
            return Some((self.umin..=self.umax).filter(|value| self.contains(*value)).collect());
        }
        if ((self.smax - self.smin) as u128) < most {
            let bits = self.bits;
            let mut all: Vec<u128> = (self.smin..=self.smax).map(|value| ir::mask(value as u128, bits)).collect();
            all.retain(|value| self.contains(*value));
            all.sort_unstable();
            return Some(all);
        }
        None
    }

    /// Lets each view learn from the other; `None` if nothing is left.
    fn tightened(mut self) -> Option<Range> {
        let half = 1u128 << (self.bits - 1);
        let whole = 1i128 << self.bits;
        for _ in 0..2 {
            if self.umin > self.umax || self.smin > self.smax {
                return None;
            }
            // One half only: both orders agree there.
            if self.umax < half {
                self.smin = self.smin.max(self.umin as i128);
                self.smax = self.smax.min(self.umax as i128);
            } else if self.umin >= half {
                self.smin = self.smin.max(self.umin as i128 - whole);
                self.smax = self.smax.min(self.umax as i128 - whole);
            }
            if self.smin > self.smax {
                return None;
            }
            if self.smin >= 0 {
                self.umin = self.umin.max(self.smin as u128);
                self.umax = self.umax.min(self.smax as u128);
            } else if self.smax < 0 {
                self.umin = self.umin.max((self.smin + whole) as u128);
                self.umax = self.umax.min((self.smax + whole) as u128);
            }
        }
        (self.umin <= self.umax && self.smin <= self.smax).then_some(self)
    }

    pub fn join(self, other: Range) -> Range {
        Range {
            bits: self.bits,
            umin: self.umin.min(other.umin),
            umax: self.umax.max(other.umax),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
        }
    }

    pub fn meet(self, other: Range) -> Option<Range> {
        Range {
            bits: self.bits,
            umin: self.umin.max(other.umin),
            umax: self.umax.min(other.umax),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
        }
        .tightened()
    }

    /// Lets the ends that `next` pushes outward jump to the next threshold (sorted constants, read at this width).
    pub fn widened(self, next: Range, thresholds: &[i128]) -> Range {
        let any = Range::any(self.bits);
        let below =
            |at: i128, floor: i128| thresholds.iter().rev().find(|t| **t <= at).map_or(floor, |t| (*t).max(floor));
        let above =
            |at: i128, ceiling: i128| thresholds.iter().find(|t| at <= **t).map_or(ceiling, |t| (*t).min(ceiling));
        Range {
            bits: self.bits,
            umin: if next.umin < self.umin { below(next.umin as i128, 0) as u128 } else { self.umin },
            umax: if next.umax > self.umax { above(next.umax as i128, any.umax as i128) as u128 } else { self.umax },
            smin: if next.smin < self.smin { below(next.smin, any.smin) } else { self.smin },
            smax: if next.smax > self.smax { above(next.smax, any.smax) } else { self.smax },
        }
    }

    /// From mathematical bounds of a result: each view keeps its bounds if they fit, or all wrap alike.
    fn wrapped(bits: u32, unsigned: Option<(i128, i128)>, signed: Option<(i128, i128)>) -> Range {
        let mut range = Range::any(bits);
        let whole = 1i128 << bits;
        if let Some((min, max)) = unsigned
            && min.div_euclid(whole) == max.div_euclid(whole)
        {
            range.umin = min.rem_euclid(whole) as u128;
            range.umax = max.rem_euclid(whole) as u128;
        }
        if let Some((min, max)) = signed {
            let half = whole / 2;
            if (min + half).div_euclid(whole) == (max + half).div_euclid(whole) {
                range.smin = (min + half).rem_euclid(whole) - half;
                range.smax = (max + half).rem_euclid(whole) - half;
            }
        }
        // Both views are true of every result, so they cannot contradict each other.
        range.tightened().unwrap_or(Range::any(bits))
    }

    pub fn un(op: UnOp, range: Range) -> Range {
        let bits = range.bits;
        match op {
            UnOp::Not => Range::wrapped(
                bits,
                Some((-1 - range.umax as i128, -1 - range.umin as i128)),
                Some((-1 - range.smax, -1 - range.smin)),
            ),
            UnOp::Neg => Range::wrapped(
                bits,
                Some((-(range.umax as i128), -(range.umin as i128))),
                Some((-range.smax, -range.smin)),
            ),
            UnOp::PopCount | UnOp::LeadingZeros | UnOp::TrailingZeros => Range::unsigned(bits, 0, u128::from(bits)),
            UnOp::ByteSwap
            | UnOp::BitReverse
            | UnOp::FNeg
            | UnOp::FAbs
            | UnOp::FSqrt
            | UnOp::FFloor
            | UnOp::FCeil
            | UnOp::FTrunc
            | UnOp::FRound
            | UnOp::FRint
            | UnOp::FIsNan => Range::any(bits),
        }
    }

    /// Operators on integers of the same width, but for comparisons.
    pub fn bin(op: BinOp, a: Range, b: Range) -> Range {
        let bits = a.bits;
        let any = Range::any(bits);
        let (ua, ub) = ((a.umin as i128, a.umax as i128), (b.umin as i128, b.umax as i128));
        let (sa, sb) = ((a.smin, a.smax), (b.smin, b.smax));
        match op {
            BinOp::Add => Range::wrapped(bits, Some((ua.0 + ub.0, ua.1 + ub.1)), Some((sa.0 + sb.0, sa.1 + sb.1))),
            BinOp::Sub => Range::wrapped(bits, Some((ua.0 - ub.1, ua.1 - ub.0)), Some((sa.0 - sb.1, sa.1 - sb.0))),
            BinOp::Mul => {
                // Two numbers below 2^64 may exceed 127 bits: then the unsigned view is lost.
                let unsigned = ua.1.checked_mul(ub.1).map(|max| (ua.0 * ub.0, max));
                Range::wrapped(bits, unsigned, Some(corners(sa, sb, |x, y| x * y)))
            }
            BinOp::UDiv if b.umin > 0 => Range::unsigned(bits, a.umin / b.umax, a.umax / b.umin),
            BinOp::URem if b.umin > 0 => match a.umax < b.umin {
                true => a,
                false => Range::unsigned(bits, 0, a.umax.min(b.umax - 1)),
            },
            // Division truncates toward zero; -1 as divisor may overflow, which ends the execution.
            BinOp::SDiv if b.smin > 0 || b.smax < -1 => {
                let (min, max) = corners(sa, sb, |x, y| x / y);
                Range::signed(bits, min, max)
            }
            BinOp::SRem if b.smin > 0 => {
                let most = b.smax - 1;
                let low = if a.smin >= 0 { 0 } else { a.smin.max(-most) };
                let high = if a.smax <= 0 { 0 } else { a.smax.min(most) };
                Range::signed(bits, low, high)
            }
            BinOp::Shl => match b.constant() {
                Some(by) if by < u128::from(bits) => {
                    let by = by as u32;
                    let shift = |x: i128| x << by;
                    Range::wrapped(
                        bits,
                        (bits + by <= 126).then(|| (shift(ua.0), shift(ua.1))),
                        (bits + by <= 126).then(|| (shift(sa.0), shift(sa.1))),
                    )
                }
                _ => any,
            },
            BinOp::LShr => match (b.umin, b.umax) {
                (least, most) if most < u128::from(bits) => Range::unsigned(bits, a.umin >> most, a.umax >> least),
                _ => any,
            },
            BinOp::AShr => match (b.umin, b.umax) {
                (least, most) if most < u128::from(bits) => {
                    let ends = [a.smin >> least, a.smin >> most, a.smax >> least, a.smax >> most];
                    let min = ends.iter().copied().min().unwrap_or(any.smin);
                    let max = ends.iter().copied().max().unwrap_or(any.smax);
                    Range::signed(bits, min, max)
                }
                _ => any,
            },
            BinOp::And => Range::unsigned(bits, 0, a.umax.min(b.umax)),
            BinOp::Or => Range::unsigned(bits, a.umin.max(b.umin), ones(a.umax | b.umax)),
            BinOp::Xor => Range::unsigned(bits, 0, ones(a.umax | b.umax)),
            BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem => any,
            BinOp::PtrAdd
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::ULt
            | BinOp::ULe
            | BinOp::SLt
            | BinOp::SLe
            | BinOp::FAdd
            | BinOp::FSub
            | BinOp::FMul
            | BinOp::FDiv
            | BinOp::FRem
            | BinOp::FMin
            | BinOp::FMax
            | BinOp::FCopySign
            | BinOp::FOeq
            | BinOp::FOne
            | BinOp::FOlt
            | BinOp::FOle
            | BinOp::FOrd => any,
        }
    }

    /// The outcome of a comparison where it is the same for all numbers.
    pub fn compare(op: BinOp, a: Range, b: Range) -> Option<bool> {
        match op {
            BinOp::Eq => match (a.constant(), b.constant()) {
                (Some(x), Some(y)) => Some(x == y),
                _ => a.meet(b).is_none().then_some(false),
            },
            BinOp::Ne => Range::compare(BinOp::Eq, a, b).map(|equal| !equal),
            BinOp::ULt => decided(a.umax < b.umin, a.umin >= b.umax),
            BinOp::ULe => decided(a.umax <= b.umin, a.umin > b.umax),
            BinOp::SLt => decided(a.smax < b.smin, a.smin >= b.smax),
            BinOp::SLe => decided(a.smax <= b.smin, a.smin > b.smax),
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::PtrAdd
            | BinOp::FAdd
            | BinOp::FSub
            | BinOp::FMul
            | BinOp::FDiv
            | BinOp::FRem
            | BinOp::FMin
            | BinOp::FMax
            | BinOp::FCopySign
            | BinOp::FOeq
            | BinOp::FOne
            | BinOp::FOlt
            | BinOp::FOle
            | BinOp::FOrd => None,
        }
    }

    /// The numbers of `self` for which `self op other` can hold (or, with `holds` false, fail); `None` if there are none.
    pub fn given(self, op: BinOp, other: Range, holds: bool) -> Option<Range> {
        let any = Range::any(self.bits);
        let bound = match (op, holds) {
            (BinOp::Eq, true) | (BinOp::Ne, false) => other,
            (BinOp::Ne, true) | (BinOp::Eq, false) => return self.without(other.constant()),
            (BinOp::ULt, true) => Range { umax: other.umax.checked_sub(1)?, ..any },
            (BinOp::ULe, true) => Range { umax: other.umax, ..any },
            (BinOp::ULt, false) => Range { umin: other.umin, ..any },
            (BinOp::ULe, false) => Range { umin: other.umin + 1, ..any },
            (BinOp::SLt, true) => Range { smax: other.smax - 1, ..any },
            (BinOp::SLe, true) => Range { smax: other.smax, ..any },
            (BinOp::SLt, false) => Range { smin: other.smin, ..any },
            (BinOp::SLe, false) => Range { smin: other.smin + 1, ..any },
            // Not an order of integers: nothing is learnt.
            _ => any,
        };
        self.meet(bound)
    }

    fn without(self, value: Option<u128>) -> Option<Range> {
        let Some(value) = value else { return Some(self) };
        let signed = ir::signed(value, self.bits);
        let mut rest = self;
        rest.umin += u128::from(rest.umin == value);
        rest.smin += i128::from(rest.smin == signed);
        // Ends that meet mean the value was all there was.
        rest.umax = if rest.umax == value { rest.umax.checked_sub(1)? } else { rest.umax };
        rest.smax -= i128::from(rest.smax == signed);
        rest.tightened()
    }

    pub fn cast(op: CastOp, from: Range, bits: u32) -> Range {
        match op {
            CastOp::ZExt => Range::unsigned(bits, from.umin, from.umax),
            CastOp::SExt => Range::signed(bits, from.smin, from.smax),
            CastOp::Trunc => {
                Range::wrapped(bits, Some((from.umin as i128, from.umax as i128)), Some((from.smin, from.smax)))
            }
            CastOp::Bits
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Float
            | CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::SignedToFloat
            | CastOp::UnsignedToFloat => Range::any(bits),
        }
    }
}

fn decided(yes: bool, no: bool) -> Option<bool> {
    if yes {
        Some(true)
    } else if no {
        Some(false)
    } else {
        None
    }
}

fn corners(a: (i128, i128), b: (i128, i128), f: impl Fn(i128, i128) -> i128) -> (i128, i128) {
    let all = [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
    all.iter().fold((all[0], all[0]), |(min, max), x| (min.min(*x), max.max(*x)))
}

/// The smallest `2^k - 1` that is not less.
fn ones(value: u128) -> u128 {
    match value {
        0 => 0,
        _ => u128::MAX >> value.leading_zeros(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: u32 = 3;
    const COUNT: u128 = 1 << BITS;

    /// All ranges of three bits that come from two numbers, in either order, and some joins.
    fn ranges() -> Vec<Range> {
        let mut all = Vec::new();
        let half = COUNT as i128 / 2;
        for a in 0..COUNT {
            for b in a..COUNT {
                all.push(Range::unsigned(BITS, a, b));
                all.push(Range::signed(BITS, a as i128 - half, b as i128 - half));
            }
        }
        all
    }

    fn numbers(range: Range) -> Vec<u128> {
        (0..COUNT).filter(|value| range.contains(*value)).collect()
    }

    /// Every result of every pair of numbers is in the range of results.
    #[test]
    fn operators_lose_nothing() {
        use BinOp::*;
        let all = ranges();
        for op in [Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor] {
            for a in &all {
                for b in &all {
                    let result = Range::bin(op, *a, *b);
                    for x in numbers(*a) {
                        for y in numbers(*b) {
                            let Ok(z) = ir::eval::binary(op, ir::Ty::Int(BITS as u8), BITS, x, y) else { continue };
                            assert!(result.contains(z), "{op:?} {x} {y} = {z} not in {result:?} from {a:?} {b:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn comparisons_lose_nothing() {
        use BinOp::*;
        let all = ranges();
        for op in [Eq, Ne, ULt, ULe, SLt, SLe] {
            for a in &all {
                for b in &all {
                    let known = Range::compare(op, *a, *b);
                    let given = [false, true].map(|holds| a.given(op, *b, holds));
                    for x in numbers(*a) {
                        for y in numbers(*b) {
                            let Ok(z) = ir::eval::binary(op, ir::Ty::Int(BITS as u8), BITS, x, y) else { continue };
                            assert!(known.is_none_or(|known| known == (z != 0)));
                            let rest = given[usize::from(z != 0)];
                            assert!(
                                rest.is_some_and(|rest| rest.contains(x)),
                                "{op:?} {x} {y}: {rest:?} from {a:?} {b:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn casts_and_joins_lose_nothing() {
        for a in ranges() {
            for x in numbers(a) {
                for bits in [1, 2, 6] {
                    let op = if bits < BITS { CastOp::Trunc } else { CastOp::ZExt };
                    assert!(Range::cast(op, a, bits).contains(ir::mask(x, bits)));
                }
                let wide = ir::mask(ir::signed(x, BITS) as u128, 6);
                assert!(Range::cast(CastOp::SExt, a, 6).contains(wide));
                for op in [UnOp::Not, UnOp::Neg, UnOp::PopCount, UnOp::LeadingZeros, UnOp::TrailingZeros] {
                    let result = ir::eval::unary(op, ir::Ty::Int(BITS as u8), BITS, x);
                    assert!(Range::un(op, a).contains(result), "{op:?} {x}");
                }
            }
            for b in ranges() {
                let joined = a.join(b);
                let wider = a.widened(joined, &[-2, 0, 3]);
                for x in numbers(a).into_iter().chain(numbers(b)) {
                    assert!(joined.contains(x) && wider.contains(x), "{x}: {a:?} {b:?} {wider:?}");
                }
                for x in numbers(a).into_iter().filter(|x| b.contains(*x)) {
                    assert!(a.meet(b).is_some_and(|both| both.contains(x)));
                }
            }
        }
    }
}
