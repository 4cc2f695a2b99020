//! Sharing: which cells two threads may touch at the same time, one of them writing.
//!
//! A region *escapes* when another thread than the one that made it may have its address: static objects do (anybody can name
//! them); other objects do when their address is handed to a new thread, is a thread's result, or is held by an escaped
//! region.  If any access of the program may go anywhere, every region escapes.  Objects that do not escape are touched by
//! their own thread only.
//!
//! A cell is *shared* when its region escapes and two accesses to it, one of them a write, may happen in parallel.  A step
//! that touches no shared cell commutes with every step of another thread that can come next to it.

use crate::accesses::Access;
use crate::cells::Cells;
use crate::parallel::Parallel;
use crate::points_to::PointsTo;
use crate::regions::{RegionId, RegionKind, Regions};
use base::{BitSet, Id};

#[derive(Clone, Debug)]
pub struct Shared {
    /// Escaping regions.
    pub regions: BitSet,
    /// Shared cells.
    pub cells: BitSet,
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
        let mut by_cell: Vec<Vec<u32>> = vec![Vec::new(); cells.len()];
        for (i, access) in accesses.iter().enumerate() {
            let mut touched = access.reads.clone();
            touched.union_with(&access.writes);
            for cell in touched.iter() {
                if escaped.contains(cells.all[crate::cells::CellId::new(cell)].region.index()) {
                    by_cell[cell].push(i as u32);
                }
            }
        }
        let mut shared = BitSet::new();
        for (cell, touching) in by_cell.iter().enumerate() {
            if conflicting(cell, touching, accesses, parallel) {
                shared.insert(cell);
            }
        }
        Shared { regions: escaped, cells: shared }
    }
}

/// Is there a write among these accesses that may happen in parallel with another?
fn conflicting(cell: usize, touching: &[u32], accesses: &[Access], parallel: &Parallel) -> bool {
    // What matters of an access is the place's class; there are few classes.
    let classes = |writes_only: bool| {
        let mut found: Vec<u32> = touching
            .iter()
            .map(|i| &accesses[*i as usize])
            .filter(|access| !writes_only || access.writes.contains(cell))
            .map(|access| parallel.class_of(access.point))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let writers = classes(true);
    let all = classes(false);
    writers.iter().any(|writer| all.iter().any(|other| parallel.classes_together(*writer, *other)))
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
