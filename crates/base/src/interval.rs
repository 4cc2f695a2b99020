//! Intervals of integers: the one domain in which facts, translations, systems and proofs say where a number lies.
//!
//! The numbers are mathematical ones.  Each operation gives an interval around all results for numbers of its operands,
//! rather too large than too small; an end that would not fit into 128 bits becomes infinite.  Numbers of the machine are a
//! layer on top: compute as if nothing wrapped, then [wrap](Interval::wrapped) into the numbers of the type.

/// The integers from `low` to `high`, ends included.  The least number there is stands for no lower end, the greatest for no
/// upper end, so that ends can be compared without looking whether they are infinite.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval {
    pub low: i128,
    pub high: i128,
}

impl Interval {
    pub const ALL: Interval = Interval::between(i128::MIN, i128::MAX);
    /// A truth value.
    pub const BIT: Interval = Interval::between(0, 1);

    pub const fn between(low: i128, high: i128) -> Self {
        Interval { low, high }
    }
    pub const fn exactly(value: i128) -> Self {
        Interval::between(value, value)
    }
    pub const fn at_least(low: i128) -> Self {
        Interval::between(low, i128::MAX)
    }
    pub const fn at_most(high: i128) -> Self {
        Interval::between(i128::MIN, high)
    }
    /// The signed numbers of so many bits (1 to 126).
    pub const fn signed(bits: u32) -> Self {
        let half = 1 << (bits - 1);
        Interval::between(-half, half - 1)
    }
    /// The unsigned numbers of so many bits (at most 126).
    pub const fn unsigned(bits: u32) -> Self {
        Interval::between(0, (1 << bits) - 1)
    }
    /// An end that is missing is infinite.
    fn of(low: Option<i128>, high: Option<i128>) -> Self {
        Interval::between(low.unwrap_or(i128::MIN), high.unwrap_or(i128::MAX))
    }

    /// The lower end, if there is one.
    pub fn least(self) -> Option<i128> {
        (self.low != i128::MIN).then_some(self.low)
    }
    /// The upper end, if there is one.
    pub fn most(self) -> Option<i128> {
        (self.high != i128::MAX).then_some(self.high)
    }
    /// Both ends, if there are both.
    pub fn ends(self) -> Option<(i128, i128)> {
        self.least().zip(self.most())
    }
    /// The only number in it.
    pub fn constant(self) -> Option<i128> {
        self.ends().filter(|(low, high)| low == high).map(|(value, _)| value)
    }
    /// How many numbers there are, if they are finitely many and can be counted.
    pub fn count(self) -> Option<u128> {
        self.ends().map(|(low, high)| high.abs_diff(low).saturating_add(1))
    }

    /// The number in it that is closest.
    pub fn nearest(self, value: i128) -> i128 {
        value.clamp(self.low, self.high)
    }
    pub fn has(self, value: i128) -> bool {
        self.low <= value && value <= self.high
    }
    pub fn contains(self, other: Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }
    /// What lies in both, if anything does.
    pub fn intersect(self, other: Interval) -> Option<Interval> {
        let both = Interval::between(self.low.max(other.low), self.high.min(other.high));
        (both.low <= both.high).then_some(both)
    }
    /// The smallest interval around both.
    pub fn hull(self, other: Interval) -> Interval {
        Interval::between(self.low.min(other.low), self.high.max(other.high))
    }
    /// What is left without the number: only an end can be cut off.
    pub fn without(self, value: i128) -> Option<Interval> {
        let low = self.low.saturating_add(i128::from(self.least() == Some(value)));
        let high = self.high.saturating_sub(i128::from(self.most() == Some(value)));
        (low <= high).then_some(Interval::between(low, high))
    }
    /// Lets the ends that `next` pushes outward jump to the next threshold (they are sorted), or to the end of `limits`.
    pub fn widened(self, next: Interval, thresholds: &[i128], limits: Interval) -> Interval {
        let below = thresholds.iter().rev().find(|t| **t <= next.low).map_or(limits.low, |t| limits.low.max(*t));
        let above = thresholds.iter().find(|t| next.high <= **t).map_or(limits.high, |t| limits.high.min(*t));
        let low = if next.low < self.low { below } else { self.low };
        Interval::between(low, if self.high < next.high { above } else { self.high })
    }

    pub fn plus(self, other: Interval) -> Interval {
        let add = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
        Interval::of(add(self.least(), other.least()), add(self.most(), other.most()))
    }
    pub fn minus(self, other: Interval) -> Interval {
        self.plus(other.times(-1))
    }
    pub fn times(self, factor: i128) -> Interval {
        let times = |end: Option<i128>| end.and_then(|end| end.checked_mul(factor));
        match factor < 0 {
            true => Interval::of(times(self.most()), times(self.least())),
            false => Interval::of(times(self.least()), times(self.most())),
        }
    }
    pub fn product(self, other: Interval) -> Interval {
        match (self.constant(), other.constant()) {
            (_, Some(factor)) => self.times(factor),
            (Some(factor), _) => other.times(factor),
            (None, None) => self.corners(other, i128::checked_mul),
        }
    }
    /// The quotients, rounded towards zero, by numbers other than 0.
    pub fn quotient(self, by: Interval) -> Interval {
        if by.has(0) { Interval::ALL } else { self.corners(by, i128::checked_div) }
    }
    /// What such quotients leave, with the sign of the dividend.
    pub fn remainder(self, by: Interval) -> Interval {
        let Some((low, high)) = by.ends().filter(|_| !by.has(0)) else { return Interval::ALL };
        let (least, most) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
        let around = |size: i128| Interval::between(1 - size, size - 1);
        if around(least).contains(self) {
            return self;
        }
        let most = around(most);
        Interval::between(self.low.clamp(most.low, 0), self.high.clamp(0, most.high))
    }
    /// Quotients rounded down, by a positive number.
    pub fn floor_div(self, by: i128) -> Interval {
        let divide = |end: Option<i128>| end.map(|end| end.div_euclid(by));
        Interval::of(divide(self.least()), divide(self.most()))
    }
    /// What such quotients leave: from 0 to less than the number.
    pub fn floor_mod(self, by: i128) -> Interval {
        self.wrapped(Interval::between(0, by - 1))
    }
    /// Times powers of two: those of exponents from 0 to 63.
    pub fn shifted_left(self, by: Interval) -> Interval {
        match Interval::unsigned(6).contains(by) {
            true => self.product(Interval::between(1 << by.low, 1 << by.high)),
            false => Interval::ALL,
        }
    }
    /// Divided by such powers, rounded down.
    pub fn shifted_right(self, by: Interval) -> Interval {
        if Interval::unsigned(6).contains(by) { self.corners(by, |value, by| Some(value >> by)) } else { Interval::ALL }
    }
    /// What the bits of numbers of both can make that are not negative: none is above the highest of them.
    pub fn bits(self, other: Interval) -> Interval {
        let most = self.high.max(other.high).max(0);
        Interval::between(0, i128::MAX >> (most.leading_zeros() - 1))
    }
    /// The numbers of `home` that differ from these by multiples of its size.
    pub fn wrapped(self, home: Interval) -> Interval {
        let shifted = |end: i128| {
            let beyond = end.checked_sub(home.low)?;
            let size = home.high - home.low + 1;
            Some((beyond.div_euclid(size), home.low + beyond.rem_euclid(size)))
        };
        match self.ends().and_then(|(low, high)| shifted(low).zip(shifted(high))) {
            Some(((one, low), (other, high))) if one == other => Interval::between(low, high),
            _ => home,
        }
    }

    /// For operations that are largest and least where both operands are at an end.
    fn corners(self, other: Interval, op: impl Fn(i128, i128) -> Option<i128>) -> Interval {
        let (Some((a, b)), Some((c, d))) = (self.ends(), other.ends()) else { return Interval::ALL };
        let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| op(x, y).map(Interval::exactly));
        corners.into_iter().reduce(|all, one| Some(all?.hull(one?))).flatten().unwrap_or(Interval::ALL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBERS: std::ops::RangeInclusive<i128> = -8..=7;

    /// All intervals of four bits, and those that have no end on one side or both.
    fn intervals() -> Vec<Interval> {
        let closed = NUMBERS.flat_map(|low| (low..=*NUMBERS.end()).map(move |high| Interval::between(low, high)));
        let open = NUMBERS.flat_map(|end| [Interval::at_least(end), Interval::at_most(end)]);
        closed.chain(open).chain([Interval::ALL]).collect()
    }
    /// Some of the numbers in it; all where it has ends.
    fn numbers(interval: Interval) -> impl Iterator<Item = i128> + Clone {
        interval.low.max(-10)..=interval.high.min(10)
    }

    /// Every result of numbers of the operands is in the result for the operands.
    fn holds(name: &str, of: impl Fn(Interval, Interval) -> Interval, op: impl Fn(i128, i128) -> Option<i128>) {
        for a in intervals() {
            for b in intervals() {
                let result = of(a, b);
                for x in numbers(a) {
                    for value in numbers(b).filter_map(|y| op(x, y)) {
                        assert!(result.has(value), "{value} is not in {a:?} {name} {b:?} = {result:?}");
                    }
                }
            }
        }
    }

    /// The same for operations on one number.
    fn holds_of_one(name: &str, of: impl Fn(Interval) -> Interval, op: impl Fn(i128) -> i128) {
        for a in intervals() {
            let result = of(a);
            assert!(numbers(a).all(|x| result.has(op(x))), "{a:?} {name} is not {result:?}");
        }
    }

    #[test]
    fn arithmetic_loses_nothing() {
        let shift = |y: i128| (0..=63).contains(&y);
        holds("plus", Interval::plus, i128::checked_add);
        holds("minus", Interval::minus, i128::checked_sub);
        holds("product", Interval::product, i128::checked_mul);
        holds("quotient", Interval::quotient, i128::checked_div);
        holds("remainder", Interval::remainder, i128::checked_rem);
        holds("shifted_left", Interval::shifted_left, |x, y| shift(y).then(|| x << y));
        holds("shifted_right", Interval::shifted_right, |x, y| shift(y).then(|| x >> y));
        holds("bits", Interval::bits, |x, y| (x >= 0 && y >= 0).then_some(x | y));
        holds("bits", Interval::bits, |x, y| (x >= 0 && y >= 0).then_some(x ^ y));
        for by in 1..=9 {
            holds_of_one("floor_div", |a| a.floor_div(by), |x| x.div_euclid(by));
            holds_of_one("floor_mod", |a| a.floor_mod(by), |x| x.rem_euclid(by));
            holds_of_one("times", |a| a.times(by - 5), |x| x * (by - 5));
        }
        for bits in 1..=4 {
            for home in [Interval::signed(bits), Interval::unsigned(bits)] {
                let wrap = |x: i128| (x - home.low).rem_euclid(1 << bits) + home.low;
                holds_of_one("wrapped", |a| a.wrapped(home), wrap);
            }
        }
    }

    #[test]
    fn sets_lose_nothing() {
        holds("hull", Interval::hull, |x, _| Some(x));
        holds("hull", Interval::hull, |_, y| Some(y));
        let limits = Interval::between(-10, 10);
        holds("widened", |a, b| a.widened(a.hull(b), &[-9, 0, 3, 20], limits.hull(a)), |x, _| Some(x));
        holds("widened", |a, b| a.widened(a.hull(b), &[-9, 0, 3, 20], limits.hull(b)), |_, y| Some(y));
        for a in intervals() {
            for b in intervals() {
                let both = a.intersect(b);
                for x in -10..=10 {
                    assert_eq!(both.is_some_and(|both| both.has(x)), a.has(x) && b.has(x));
                }
                assert_eq!(a.contains(b), a.intersect(b) == Some(b));
            }
            for hole in -10..=10 {
                let rest = a.without(hole);
                assert!(numbers(a).filter(|x| *x != hole).all(|x| rest.is_some_and(|rest| rest.has(x))));
                assert!(rest.is_none_or(|rest| a.contains(rest)));
                assert!(a.has(a.nearest(hole)) && (!a.has(hole) || a.nearest(hole) == hole));
            }
            let few = a.count().is_some();
            assert!(!few || a.count() == Some(numbers(a).count() as u128));
            assert_eq!(a.constant().is_some(), few && numbers(a).count() == 1);
        }
    }

    #[test]
    fn ends_that_do_not_fit_become_infinite() {
        let large = Interval::between(-(1 << 100), 1 << 100);
        assert_eq!(large.product(large), Interval::ALL);
        assert_eq!(large.times(1 << 30), Interval::ALL);
        assert_eq!(Interval::at_least(1 << 100).times(1 << 30), Interval::ALL);
        assert_eq!(Interval::between(1, i128::MAX - 1).plus(Interval::exactly(2)), Interval::at_least(3));
        assert_eq!(Interval::exactly(i128::MAX - 1).wrapped(Interval::signed(8)), Interval::signed(8));
        assert_eq!(Interval::exactly(i128::MIN + 1).wrapped(Interval::unsigned(8)), Interval::exactly(1));
        assert_eq!(Interval::ALL.wrapped(Interval::signed(8)), Interval::signed(8));
    }
}
