//! What a value may point to: regions, each with the offsets `base + k * stride`.

use crate::RegionId;

/// Offsets `base + k * stride` for all whole `k`; a stride of 0 means exactly `base`, of 1 any offset.
/// With a stride, `0 <= base < stride`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Offsets {
    pub base: i64,
    pub stride: u64,
}

pub const ANY: Offsets = Offsets { base: 0, stride: 1 };

/// Offsets beyond this are not told apart: no object is that large.
const FAR: i128 = 1 << 48;

impl Offsets {
    pub fn exact(base: i64) -> Self {
        Offsets::new(i128::from(base), 0)
    }

    pub fn new(base: i128, stride: u128) -> Self {
        if stride == 0 {
            return if base.abs() < FAR { Offsets { base: base as i64, stride: 0 } } else { ANY };
        }
        // Two multiples of such a stride are never in one object, but one may be: keep what divides.
        let stride = if stride < FAR as u128 { stride } else { 1 << stride.trailing_zeros().min(40) };
        Offsets { base: base.rem_euclid(stride as i128) as i64, stride: stride as u64 }
    }

    pub fn is_exact(self) -> bool {
        self.stride == 0
    }

    /// The smallest such set that contains both.
    pub fn join(self, other: Offsets) -> Offsets {
        let apart = self.base.abs_diff(other.base);
        let stride = gcd(gcd(self.stride, other.stride), apart);
        Offsets::new(i128::from(self.base), u128::from(stride))
    }

    pub fn includes(self, other: Offsets) -> bool {
        self.join(other) == self
    }

    /// Adds `other`'s offsets to each of these.
    pub fn plus(self, other: Offsets) -> Offsets {
        let stride = gcd(self.stride, other.stride);
        Offsets::new(i128::from(self.base) + i128::from(other.base), u128::from(stride))
    }

    /// May an access of `size` bytes at these offsets and one of `other_size` at `other`'s touch a common byte?
    pub fn overlaps(self, size: u64, other: Offsets, other_size: u64) -> bool {
        // The distances `other - self` are `apart + k * step`; we look for one in `-other_size < d < size`.
        let step = i128::from(gcd(self.stride, other.stride));
        let apart = i128::from(other.base) - i128::from(self.base);
        let (size, other_size) = (i128::from(size), i128::from(other_size));
        if step == 0 {
            return -other_size < apart && apart < size;
        }
        let above = apart.rem_euclid(step);
        above < size || step - above < other_size
    }

    /// Do two accesses of the same size at these offsets touch either the same bytes or none in common?
    pub fn aligned_with(self, other: Offsets, size: u64) -> bool {
        let step = gcd(self.stride, other.stride);
        let apart = self.base.abs_diff(other.base);
        if step == 0 { apart == 0 || apart >= size } else { apart.is_multiple_of(step) && step >= size }
    }

    /// May an access of `size` bytes be within an object of `object_size` bytes?
    pub fn may_be_within(self, size: u64, object_size: u64) -> bool {
        // The smallest offset that is not negative is the base itself where there is a stride.
        0 <= self.base && i128::from(self.base) + i128::from(size) <= i128::from(object_size)
    }
}

pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Target {
    pub region: RegionId,
    pub offsets: Offsets,
}

/// A set of targets, with what else the value may be; by default nothing.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Targets {
    /// Sorted, at most [`MOST_OFFSETS`] of one region, none included in another.
    pub(super) list: Vec<Target>,
    /// May be 0.
    pub zero: bool,
    /// May be a number other than 0 that does not come from an address or a handle.
    pub number: bool,
    /// May be a number that happens to be the address of anything.
    pub wild: bool,
    /// May be the address of every region, with any offset: there were too many to list.
    pub all: bool,
}

/// So many sets of offsets of one region are kept apart.
const MOST_OFFSETS: usize = 8;
/// A value with more targets than this may point to everything.
const MOST_TARGETS: usize = 600;

impl Targets {
    pub fn one(region: RegionId, offsets: Offsets) -> Self {
        Targets { list: vec![Target { region, offsets }], ..Targets::default() }
    }
    /// The first bytes of the regions.
    pub fn starts_of(regions: impl IntoIterator<Item = RegionId>) -> Self {
        let mut all = Targets::default();
        regions.into_iter().for_each(|region| _ = all.insert(Target { region, offsets: Offsets::exact(0) }));
        all
    }
    pub fn zero() -> Self {
        Targets { zero: true, ..Targets::default() }
    }
    pub fn number() -> Self {
        Targets { number: true, ..Targets::default() }
    }
    /// Any value at all.
    pub fn anything() -> Self {
        Targets { zero: true, number: true, wild: true, ..Targets::default() }
    }

    pub fn iter(&self) -> std::slice::Iter<'_, Target> {
        self.list.iter()
    }

    /// How many targets are listed.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Makes it a value that may point to everything.
    pub fn give_up(&mut self) {
        self.list.clear();
        self.all = true;
    }

    /// Does it surely not come from any address or handle?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && !self.all
    }

    /// Used as an address, may it lead anywhere?
    pub fn anywhere(&self) -> bool {
        self.wild || self.all
    }

    /// May it be something that is neither an address nor a handle?
    pub fn may_be_number(&self) -> bool {
        self.zero || self.number || self.wild
    }

    /// The only target, where a handle cannot be anything else (but may be 0, which is no handle).
    pub fn only_handle(&self) -> Option<Target> {
        self.only_address().filter(|_| !self.number)
    }

    /// The only target, where an address cannot be anything else (but may be a number that is the address of nothing).
    pub fn only_address(&self) -> Option<Target> {
        match self.list.as_slice() {
            [target] if !self.anywhere() => Some(*target),
            _ => None,
        }
    }

    /// Adds a target; tells whether anything changed.
    pub fn insert(&mut self, target: Target) -> bool {
        if self.all {
            return false;
        }
        let start = self.list.partition_point(|t| t.region < target.region);
        let len = self.list[start..].iter().take_while(|t| t.region == target.region).count();
        let same = &self.list[start..start + len];
        if same.iter().any(|t| t.offsets.includes(target.offsets)) {
            return false;
        }
        let mut kept: Vec<Target> =
            same.iter().filter(|t| !target.offsets.includes(t.offsets)).copied().chain([target]).collect();
        if kept.len() > MOST_OFFSETS {
            let joined = kept.iter().map(|t| t.offsets).reduce(Offsets::join).unwrap_or(ANY);
            kept = vec![Target { region: target.region, offsets: joined }];
        }
        kept.sort_unstable();
        self.list.splice(start..start + len, kept);
        if self.list.len() > MOST_TARGETS {
            self.give_up();
        }
        true
    }

    pub fn join(&mut self, other: &Targets) -> bool {
        let before = (self.zero, self.number, self.wild, self.all);
        self.zero |= other.zero;
        self.number |= other.number;
        self.wild |= other.wild;
        if other.all && !self.all {
            self.give_up();
        }
        let mut changed = before != (self.zero, self.number, self.wild, self.all);
        other.list.iter().for_each(|target| changed |= self.insert(*target));
        changed
    }

    /// The same regions with offsets changed.
    pub fn map(&self, mut f: impl FnMut(&Target) -> Offsets) -> Targets {
        let mut res = Targets { list: Vec::new(), ..*self };
        for target in &self.list {
            res.insert(Target { region: target.region, offsets: f(target) });
        }
        res
    }

    /// The same regions with any offset.
    pub fn blurred(&self) -> Targets {
        self.map(|_| ANY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_array_elements_do_not_overlap() {
        let len = Offsets::new(8, 16);
        let data = Offsets::new(0, 16);
        assert!(!len.overlaps(4, data, 8));
        assert!(len.overlaps(4, data, 9));
        assert!(len.overlaps(4, Offsets::exact(24), 1));
        assert!(!len.overlaps(4, Offsets::exact(28), 4));
        assert!(len.overlaps(4, Offsets::exact(25), 1));
    }

    #[test]
    fn joins_are_least() {
        assert_eq!(Offsets::exact(4).join(Offsets::exact(20)), Offsets::new(4, 16));
        assert_eq!(Offsets::new(4, 16).join(Offsets::exact(8)), Offsets::new(0, 4));
        assert_eq!(Offsets::exact(3).join(Offsets::exact(3)), Offsets::exact(3));
    }
}
