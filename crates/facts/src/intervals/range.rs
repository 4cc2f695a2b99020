//! A range of integers of a fixed width, seen unsigned and signed at once.
//!
//! Both views are intervals of the same bits, each computed in its own order and then tightened by the other where that is
//! unambiguous.  Operations are those of mathematical numbers ([`Interval`]), wrapped into the type: a view is given up where
//! some results wrap and others do not.  So results are exact sets of machine numbers, never of mathematical ones.

use base::Interval;
use ir::{BinOp, CastOp, Comparison, Relation, UnOp};

/// The numbers of `bits` bits that are in both intervals.  Neither is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub bits: u32,
    pub unsigned: Interval,
    pub signed: Interval,
}

/// Wider integers are not followed.
pub const WIDEST: u32 = 64;

impl Range {
    /// All numbers of that width (1 to [`WIDEST`] bits).
    pub fn any(bits: u32) -> Self {
        Range { bits, unsigned: Interval::unsigned(bits), signed: Interval::signed(bits) }
    }

    pub fn exact(bits: u32, value: u128) -> Self {
        let value = ir::mask(value, bits);
        let (unsigned, signed) = (Interval::exactly(value as i128), Interval::exactly(ir::signed(value, bits)));
        Range { bits, unsigned, signed }
    }

    /// The numbers of the width that lie in the interval; all if none does.
    pub fn unsigned(bits: u32, numbers: Interval) -> Self {
        let any = Range::any(bits);
        any.within(false, numbers).unwrap_or(any)
    }

    pub fn signed(bits: u32, numbers: Interval) -> Self {
        let any = Range::any(bits);
        any.within(true, numbers).unwrap_or(any)
    }

    pub fn constant(&self) -> Option<u128> {
        self.unsigned.constant().map(|value| value as u128)
    }

    pub fn contains(&self, value: u128) -> bool {
        self.unsigned.has(value as i128) && self.signed.has(ir::signed(value, self.bits))
    }

    /// The numbers in it, ascending in unsigned order, if there are at most `most` candidates.
    pub fn values(&self, most: u128) -> Option<Vec<u128>> {
        let view = if self.unsigned.count() <= self.signed.count() { self.unsigned } else { self.signed };
        view.count().filter(|count| *count <= most)?;
        let all = (view.low..=view.high).map(|value| ir::mask(value as u128, self.bits));
        let mut all: Vec<u128> = all.filter(|value| self.contains(*value)).collect();
        all.sort_unstable();
        Some(all)
    }

    /// Lets each view learn from the other; `None` if nothing is left.
    fn tightened(mut self) -> Option<Range> {
        let any = Range::any(self.bits);
        for _ in 0..2 {
            // Numbers of one half only wrap alike.
            self.signed = self.signed.intersect(self.unsigned.wrapped(any.signed))?;
            self.unsigned = self.unsigned.intersect(self.signed.wrapped(any.unsigned))?;
        }
        Some(self)
    }

    /// Those of the numbers that lie, read as signed ones or not, in the interval.
    pub fn within(mut self, signed: bool, numbers: Interval) -> Option<Range> {
        let view = if signed { &mut self.signed } else { &mut self.unsigned };
        *view = view.intersect(numbers)?;
        self.tightened()
    }

    pub fn join(self, other: Range) -> Range {
        let (unsigned, signed) = (self.unsigned.hull(other.unsigned), self.signed.hull(other.signed));
        Range { unsigned, signed, ..self }
    }

    pub fn meet(self, other: Range) -> Option<Range> {
        self.within(false, other.unsigned)?.within(true, other.signed)
    }

    /// Lets the ends that `next` pushes outward jump to the next threshold (sorted constants, read at this width).
    pub fn widened(self, next: Range, thresholds: &[i128]) -> Range {
        let any = Range::any(self.bits);
        let unsigned = self.unsigned.widened(next.unsigned, thresholds, any.unsigned);
        Range { unsigned, signed: self.signed.widened(next.signed, thresholds, any.signed), ..self }
    }

    /// The numbers that these become in so many bits.
    fn wrapped(bits: u32, unsigned: Interval, signed: Interval) -> Range {
        let any = Range::any(bits);
        let range = Range { bits, unsigned: unsigned.wrapped(any.unsigned), signed: signed.wrapped(any.signed) };
        // Both views are true of every result, so they cannot contradict each other.
        range.tightened().unwrap_or(any)
    }

    pub fn un(op: UnOp, range: Range) -> Range {
        use UnOp::*;
        let bits = range.bits;
        let minus = |from: i128| {
            let from = Interval::exactly(from);
            Range::wrapped(bits, from.minus(range.unsigned), from.minus(range.signed))
        };
        match op {
            Not => minus(-1),
            Neg => minus(0),
            PopCount | LeadingZeros | TrailingZeros => Range::unsigned(bits, Interval::between(0, i128::from(bits))),
            ByteSwap | BitReverse | FNeg | FAbs | FSqrt | FFloor | FCeil | FTrunc | FRound | FRint | FIsNan => {
                Range::any(bits)
            }
        }
    }

    /// Operators on integers of the same width, but for comparisons.
    pub fn bin(op: BinOp, a: Range, b: Range) -> Range {
        use BinOp::*;
        let (bits, all) = (a.bits, Interval::ALL);
        let by = b.unsigned;
        let ones = a.unsigned.bits(b.unsigned);
        match op {
            Add => Range::wrapped(bits, a.unsigned.plus(b.unsigned), a.signed.plus(b.signed)),
            Sub => Range::wrapped(bits, a.unsigned.minus(b.unsigned), a.signed.minus(b.signed)),
            Mul => Range::wrapped(bits, a.unsigned.product(b.unsigned), a.signed.product(b.signed)),
            UDiv => Range::wrapped(bits, a.unsigned.quotient(b.unsigned), all),
            SDiv => Range::wrapped(bits, all, a.signed.quotient(b.signed)),
            URem if a.unsigned.high < b.unsigned.low => a,
            URem => Range::wrapped(bits, a.unsigned.remainder(b.unsigned), all),
            SRem => Range::wrapped(bits, all, a.signed.remainder(b.signed)),
            // Shifts by more are not followed.
            Shl | LShr | AShr if by.high >= i128::from(bits) => Range::any(bits),
            Shl => Range::wrapped(bits, a.unsigned.shifted_left(by), a.signed.shifted_left(by)),
            LShr => Range::wrapped(bits, a.unsigned.shifted_right(by), all),
            AShr => Range::wrapped(bits, all, a.signed.shifted_right(by)),
            And => Range::unsigned(bits, Interval::between(0, a.unsigned.high.min(b.unsigned.high))),
            Or => Range::unsigned(bits, Interval { low: a.unsigned.low.max(b.unsigned.low), ..ones }),
            Xor => Range::unsigned(bits, ones),
            PtrAdd | Eq | Ne | ULt | ULe | SLt | SLe | FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopySign
            | FOeq | FOne | FOlt | FOle | FOrd => Range::any(bits),
        }
    }

    /// The outcome of a comparison where it is the same for all numbers.
    pub fn compare(comparison: Comparison, a: Range, b: Range) -> Option<bool> {
        match (a.given(comparison, b), a.given(comparison.negated(), b)) {
            (None, _) => Some(false),
            (_, None) => Some(true),
            (Some(_), Some(_)) => None,
        }
    }

    /// The numbers for which the comparison with the other can hold; `None` if there are none.
    pub fn given(self, comparison: Comparison, other: Range) -> Option<Range> {
        let Comparison { relation, signed } = comparison;
        let to = if signed { other.signed } else { other.unsigned };
        let numbers = match relation {
            Relation::Equal => return self.meet(other),
            Relation::Different => return self.without(other.constant()),
            Relation::Less => Interval::at_most(to.high - 1),
            Relation::AtMost => Interval::at_most(to.high),
            Relation::Greater => Interval::at_least(to.low + 1),
            Relation::AtLeast => Interval::at_least(to.low),
        };
        self.within(signed, numbers)
    }

    fn without(self, value: Option<u128>) -> Option<Range> {
        let Some(value) = value else { return Some(self) };
        let unsigned = self.unsigned.without(value as i128)?;
        Range { unsigned, signed: self.signed.without(ir::signed(value, self.bits))?, ..self }.tightened()
    }

    pub fn cast(op: CastOp, from: Range, bits: u32) -> Range {
        use CastOp::*;
        match op {
            ZExt => Range::unsigned(bits, from.unsigned),
            SExt => Range::signed(bits, from.signed),
            Trunc => Range::wrapped(bits, from.unsigned, from.signed),
            Bits | PtrToInt | IntToPtr | Float | FloatToSigned | FloatToUnsigned | SignedToFloat | UnsignedToFloat => {
                Range::any(bits)
            }
        }
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
        let (count, half) = (COUNT as i128, COUNT as i128 / 2);
        for a in 0..count {
            for b in a..count {
                let numbers = Interval::between(a, b);
                all.push(Range::unsigned(BITS, numbers));
                all.push(Range::signed(BITS, numbers.plus(Interval::exactly(-half))));
            }
        }
        all
    }

    fn numbers(range: Range) -> Vec<u128> {
        (0..COUNT).filter(|value| range.contains(*value)).collect()
    }

    /// Calls `f` with the result of the operator for each pair of numbers of each pair of ranges.
    fn for_each_result(op: BinOp, f: impl Fn(Range, Range, u128, u128, u128)) {
        let all = ranges();
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
            for (x, y) in numbers(a).into_iter().flat_map(|x| numbers(b).into_iter().map(move |y| (x, y))) {
                let result = ir::eval::binary(op, ir::Ty::Int(BITS as u8), BITS, x, y);
                result.iter().for_each(|z| f(a, b, x, y, *z));
            }
        }
    }

    /// Every result of every pair of numbers is in the range of results.
    #[test]
    fn operators_lose_nothing() {
        use BinOp::*;
        for op in [Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor] {
            for_each_result(op, |a, b, x, y, z| {
                let result = Range::bin(op, a, b);
                assert!(result.contains(z), "{op:?} {x} {y} = {z} not in {result:?} from {a:?} {b:?}");
            });
        }
    }

    #[test]
    fn comparisons_lose_nothing() {
        use BinOp::*;
        for op in [Eq, Ne, ULt, ULe, SLt, SLe] {
            let comparison = op.comparison().unwrap();
            for_each_result(op, |a, b, x, y, z| {
                let holds = z != 0;
                assert!(Range::compare(comparison, a, b).is_none_or(|known| known == holds));
                assert!(!holds || b.given(comparison.mirrored(), a).is_some_and(|rest| rest.contains(y)));
                let rest = a.given(if holds { comparison } else { comparison.negated() }, b);
                assert!(rest.is_some_and(|rest| rest.contains(x)), "{op:?} {x} {y}: {rest:?} from {a:?} {b:?}");
            });
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
