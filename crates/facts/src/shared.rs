//! Sharing: which cells two threads may touch at the same time, one of them writing.
//!
//! A region *escapes* when another thread than the one that made it may have its address: static objects do (anybody can name
//! them); other objects do when their address is handed to a new thread, is a thread's result, or is held by an escaped
//! region; or when another thread may take its place once it is freed (`reuse`).  If any access of the program may go anywhere, every region escapes.  Objects that do not escape are touched by
//! their own thread only.
//!
//! An access *matters* at a cell of an escaping region if another access to the cell may happen in parallel and one of the two
//! writes, and the object is not `fresh`; a cell is *shared* when some access matters at it.  A step with no access that matters commutes with every step of
//! another thread that can come next to it: what would conflict with it only happens before its thread can be there, or after.

use crate::{Access, Basis, CellId, Cells, RegionId, RegionKind, Reuse, RootId};
use base::{BitSet, Id, graph};
use ir::FuncId;
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
    pub fn compute(basis: &Basis<'_>, cells: &Cells, accesses: &[Access], reuse: &Reuse) -> Self {
        let parallel = basis.parallel;
        let escaped = escaped(basis, &taken_by_others(basis, reuse));
        // What matters of an access is the class of its place; there are few classes.
        let mut by_cell: Vec<(BitSet, BitSet)> = vec![Default::default(); cells.all.len()];
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
        let matters = |cell: &usize| {
            let (reads, writes) = &self.mattering[cell];
            if write { writes } else { reads }.contains(class as usize)
        };
        shared.iter().filter(matters).collect()
    }
}

/// Regions of which another thread than the one that made a block may take it.
fn taken_by_others(basis: &Basis<'_>, reuse: &Reuse) -> BitSet {
    let Basis { regions, threads, .. } = *basis;
    // The only thread in which a function runs.
    let only_thread = |func: FuncId| {
        let mut roots = threads.roots_of[func].iter().map(RootId::new);
        match (roots.next(), roots.next()) {
            (Some(root), None) if threads.roots[root].single => Some(root),
            _ => None,
        }
    };
    let mut found = BitSet::new();
    for (alloc, _) in &reuse.pairs {
        for region in reuse.at(*alloc).into_iter().flat_map(BitSet::iter) {
            let RegionKind::Heap(made) = regions.all[RegionId::new(region)].kind else { continue };
            if only_thread(alloc.func).is_none() || only_thread(alloc.func) != only_thread(made.func) {
                found.insert(region);
            }
        }
    }
    found
}

fn escaped(basis: &Basis<'_>, taken: &BitSet) -> BitSet {
    let Basis { regions, points_to, .. } = *basis;
    let leaves = |id: RegionId| {
        taken.contains(id.index())
            || points_to.handed_to_threads.contains(id.index())
            || points_to.thread_result.all
            || points_to.thread_result.iter().any(|target| target.region == id)
    };
    let named_by_all = |id: RegionId| matches!(regions.all[id].kind, RegionKind::Static(_));
    let first = regions.all.ids().filter(|id| named_by_all(*id) || leaves(*id) || points_to.wild_access);
    graph::closure(first, |region| points_to.contents(region).iter().map(RegionId::new))
}
