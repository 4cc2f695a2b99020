//! Whose place a heap block may take: at each `alloc`, the regions that have a freed block there whose name it may get.
//!
//! A block keeps the region of the instruction that first allocated it, whoever uses its name again, so pointers that were
//! left over need no second look; but what an `alloc` returns may be a block of any region found here, its content is then
//! forgotten, and the step is one that others can notice (`accesses`).
//!
//! An `alloc` may take a block of a region if a `free` that may get one of its blocks may come before it, and the sizes may be
//! equal.  A `free` may come before an `alloc` that comes after it (`after`) or that may happen in parallel.
//!
//! Which `free` gets which block, and what may happen in parallel, in turn depends on what is found here.  So it is computed in
//! rounds, starting with nothing, until a round finds nothing new.  The last round is right: were there an execution in which
//! a block takes a place that was not found, look at the first time it does.  Up to there the facts hold, since nothing was
//! taken that they do not know of, and so the `free` before it has been found, with what it frees.

use crate::after::After;
use crate::points_to::{Offsets, Target};
use crate::{Basis, Point, PointsTo, Region, RegionId, RegionKind, Regions};
use base::{BitSet, Id};
use ir::{BlockNames, InstKind};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default)]
pub struct Reuse {
    /// By `alloc`, the regions of which it may take a freed block.
    at: FxHashMap<Point, BitSet>,
    /// Each `alloc` with a `free` after which it may take the block that was freed there; ascending.
    pub pairs: BTreeSet<(Point, Point)>,
    /// All these regions.
    pub taken: BitSet,
}

impl Reuse {
    /// The regions of which the `alloc` may take a freed block.
    pub fn at(&self, alloc: Point) -> Option<&BitSet> {
        self.at.get(&alloc)
    }

    /// One round; tells whether something new was found.
    pub fn grow(&mut self, basis: &Basis<'_>) -> bool {
        if basis.program.block_names == BlockNames::Unique {
            return false;
        }
        let alloc = |(region, data): (RegionId, &Region)| match data.kind {
            RegionKind::Heap(point) if basis.calls.active.contains(point.func.index()) => Some((point, region)),
            _ => None,
        };
        let allocs: Vec<(Point, RegionId)> = basis.regions.all.iter().filter_map(alloc).collect();
        let mut grown = false;
        for free in basis.points_where(|kind| matches!(kind, InstKind::Free { .. })) {
            let freed = freed(basis.regions, basis.points_to, free);
            let mut after = None;
            for (alloc, region) in &allocs {
                let size = basis.regions.all[*region].size;
                let fits = |other: RegionId| match (size, basis.regions.all[other].size) {
                    (Some(size), Some(other)) => size == other,
                    _ => true,
                };
                let fitting: BitSet = freed.iter().filter(|other| fits(**other)).map(|other| other.index()).collect();
                if fitting.is_empty() {
                    continue;
                }
                let mut may_come_before = || {
                    let after = after.get_or_insert_with(|| After::new(basis, free));
                    after.contains(basis, *alloc) || basis.parallel.together(free, *alloc)
                };
                if self.pairs.contains(&(*alloc, free)) || may_come_before() {
                    grown |= self.pairs.insert((*alloc, free));
                    grown |= self.at.entry(*alloc).or_default().union_with(&fitting);
                    self.taken.union_with(&fitting);
                }
            }
        }
        grown
    }
}

/// The regions of the blocks that the `free` at the point may get: all of them, unless what is freed are starts of objects.  A
/// number computed from one address may be another (A3), and where accesses are checked one by one, what is freed is not.
pub fn freed(regions: &Regions, points_to: &PointsTo, free: Point) -> Vec<RegionId> {
    let is_heap = |region: &RegionId| matches!(regions.all[*region].kind, RegionKind::Heap(_));
    let is_start = |target: &Target| target.offsets == Offsets::exact(0);
    match points_to.address(free) {
        Some(targets) if !targets.anywhere() && targets.iter().all(is_start) => {
            targets.iter().map(|target| target.region).filter(is_heap).collect()
        }
        _ => regions.all.ids().filter(is_heap).collect(),
    }
}
