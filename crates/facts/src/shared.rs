//! Sharing: which cells two threads may touch at the same time, one of them writing.
//!
//! A region *escapes* when another thread than the one that made it may have its address: static objects do (anybody can name
//! them); other objects do when their address is handed to a new thread, is a thread's result, or is held by an escaped
//! region.  If any access of the program may go anywhere, every region escapes.  Objects that do not escape are touched by
//! their own thread only.
//!
//! An access *matters* at a cell of an escaping region if another access to the cell may happen in parallel and one of the two
//! writes, and the object is not `fresh`; a cell is *shared* when some access matters at it.  A step with no access that matters commutes with every step of
//! another thread that can come next to it: what would conflict with it only happens before its thread can be there, or after.

use crate::accesses::Access;
use crate::cells::{CellId, Cells};
use crate::parallel::Parallel;
use crate::points_to::PointsTo;
use crate::regions::{RegionId, RegionKind, Regions};
use base::{BitSet, Id};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Shared {
    /// Escaping regions.
    pub regions: BitSet,
    /// Shared cells.
    pub cells: BitSet,
    /// For each shared cell, at which classes of places a read and at which a write of it matters.
    mattering: FxHashMap<usize, (BitSet, BitSet)>,
}

impl Shared {
    pub fn compute(
        regions: &Regions,
        points_to: &PointsTo,
        cells: &Cells,
        parallel: &Parallel,
        accesses: &[Access],
    ) -> Self {
        let escaped = escaped(regions, points_to);
        // What matters of an access is the class of its place; there are few classes.
        let mut by_cell: Vec<(BitSet, BitSet)> = vec![Default::default(); cells.len()];
        for access in accesses.iter().filter(|access| !access.private) {
            let class = parallel.class_of(access.point) as usize;
            access.reads.iter().for_each(|cell| _ = by_cell[cell].0.insert(class));
            access.writes.iter().for_each(|cell| _ = by_cell[cell].1.insert(class));
        }
        let mut res = Shared { regions: escaped, cells: BitSet::new(), mattering: FxHashMap::default() };
        for (cell, (readers, writers)) in by_cell.iter().enumerate() {
            if !res.regions.contains(cells.all[CellId::new(cell)].region.index()) || writers.is_empty() {
                continue;
            }
            let meets = |class: usize, others: &BitSet| parallel.meets(class as u32, others);
            let reads: BitSet = readers.iter().filter(|class| meets(*class, writers)).collect();
            let writes: BitSet =
                writers.iter().filter(|class| meets(*class, writers) || meets(*class, readers)).collect();
            if !reads.is_empty() || !writes.is_empty() {
                res.cells.insert(cell);
                res.mattering.insert(cell, (reads, writes));
            }
        }
        res
    }

    /// Of the cells an access in a place of the class reads, or writes, those at which that matters.
    pub fn mattering(&self, class: u32, cells: &BitSet, write: bool) -> BitSet {
        let mut shared = cells.clone();
        shared.intersect_with(&self.cells);
        shared.iter().filter(|cell| self.matters(class, CellId::new(*cell), write)).collect()
    }

    /// Does reading, or writing, the cell matter at a place of the class?
    pub fn matters(&self, class: u32, cell: CellId, write: bool) -> bool {
        let classes = self.mattering.get(&cell.index());
        classes.is_some_and(|(reads, writes)| if write { writes } else { reads }.contains(class as usize))
    }
}

fn escaped(regions: &Regions, points_to: &PointsTo) -> BitSet {
    let mut escaped = BitSet::new();
    let mut work: Vec<RegionId> = Vec::new();
    for (id, region) in regions.all.iter() {
        let named_by_all = matches!(region.kind, RegionKind::Static(_));
        let leaves = points_to.handed_to_threads.contains(id.index())
            || points_to.thread_result.all
            || points_to.thread_result.iter().any(|target| target.region == id);
        if named_by_all || leaves || points_to.wild_access {
            escaped.insert(id.index());
            work.push(id);
        }
    }
    while let Some(region) = work.pop() {
        for held in points_to.contents(region).iter() {
            if escaped.insert(held) {
                work.push(RegionId::new(held));
            }
        }
    }
    escaped
}
