//! Sites: the places with an access that matters (see `shared`): it may touch a cell that another thread may touch in
//! parallel, one of the two writing.  Every other step is local: it commutes with all steps of other threads that can come
//! next to it.
//!
//! Mind what commuting does not say: a step can also end the execution (a failing assertion or assumption, an error of
//! memory, `halt`, the return of the first thread), and then the others' steps do not come after it.

use crate::{Access, CellId, Parallel, Point, Points, Shared};
use base::{BitSet, Id, IdVec};
use ir::{BlockId, FuncId};
use rustc_hash::FxHashMap;

base::id!(
    /// A place that may touch a shared cell.
    pub struct SiteId, "site"
);

#[derive(Clone, Debug)]
pub struct Sites {
    /// The accesses, with the shared cells that they may read and write where that matters.
    pub all: IdVec<SiteId, Access>,
    /// By point.
    at: Vec<Option<SiteId>>,
    points: Points,
    writes: IdVec<CellId, BitSet>,
    accesses: IdVec<CellId, BitSet>,
    /// For each class of places (see `parallel`), the sites that may happen in parallel with it.
    beside: FxHashMap<u32, BitSet>,
}

impl Sites {
    pub fn compute(points: &Points, cells: usize, shared: &Shared, parallel: &Parallel, accesses: &[Access]) -> Self {
        let mut res = Sites {
            all: IdVec::new(),
            at: vec![None; points.total],
            points: points.clone(),
            writes: IdVec::filled(BitSet::new(), cells),
            accesses: IdVec::filled(BitSet::new(), cells),
            beside: FxHashMap::default(),
        };
        for access in accesses.iter().filter(|access| !access.private) {
            let class = parallel.class_of(access.point);
            let reads = shared.mattering(class, &access.reads, false);
            let writes = shared.mattering(class, &access.writes, true);
            if reads.is_empty() && writes.is_empty() {
                continue;
            }
            let site = res.all.next_id();
            res.at[points.of(access.point)] = Some(site);
            reads.iter().chain(writes.iter()).for_each(|cell| _ = res.accesses[CellId::new(cell)].insert(site.index()));
            writes.iter().for_each(|cell| _ = res.writes[CellId::new(cell)].insert(site.index()));
            res.all.push(Access { reads, writes, ..*access });
        }
        let mut by_class: FxHashMap<u32, BitSet> = FxHashMap::default();
        for (id, site) in res.all.iter() {
            by_class.entry(parallel.class_of(site.point)).or_default().insert(id.index());
        }
        for class in by_class.keys() {
            let mut beside = BitSet::new();
            let others = by_class.iter().filter(|(other, _)| parallel.classes_together(*class, **other));
            others.for_each(|(_, sites)| _ = beside.union_with(sites));
            res.beside.insert(*class, beside);
        }
        res
    }

    /// The sites that may happen in parallel with this one.
    pub fn beside(&self, parallel: &Parallel, site: SiteId) -> &BitSet {
        &self.beside[&parallel.class_of(self.all[site].point)]
    }

    /// The site of an instruction (of the terminator with `inst == insts.len()`); `None` means a local step.
    #[inline]
    pub fn at(&self, func: FuncId, block: BlockId, inst: usize) -> Option<SiteId> {
        self.at[self.points.index(func, block, inst)]
    }

    pub fn at_point(&self, point: Point) -> Option<SiteId> {
        self.at(point.func, point.block, point.inst as usize)
    }

    /// Sites that may write the cell.
    pub fn writes(&self, cell: CellId) -> &BitSet {
        &self.writes[cell]
    }

    /// Sites that may touch the cell.
    pub fn accesses(&self, cell: CellId) -> &BitSet {
        &self.accesses[cell]
    }

    /// May the two touch the same cell, one of them writing?
    pub fn conflict(&self, a: SiteId, b: SiteId) -> bool {
        let (a, b) = (&self.all[a], &self.all[b]);
        a.writes.intersects(&b.writes) || a.writes.intersects(&b.reads) || a.reads.intersects(&b.writes)
    }

    /// All sites that conflict with this one, in whatever thread (itself included, if it writes).
    pub fn conflicts(&self, site: SiteId) -> BitSet {
        let mut found = BitSet::new();
        self.conflicts_by_cell(site).for_each(|sites| _ = found.union_with(sites));
        found
    }

    /// The same for each cell that the site touches.
    pub fn conflicts_by_cell(&self, site: SiteId) -> impl Iterator<Item = &BitSet> {
        let Access { reads, writes, .. } = &self.all[site];
        let read = reads.iter().map(|cell| self.conflicts_at(CellId::new(cell), false));
        read.chain(writes.iter().map(|cell| self.conflicts_at(CellId::new(cell), true)))
    }

    /// All sites that conflict with one that reads the cell, or writes it.
    pub fn conflicts_at(&self, cell: CellId, write: bool) -> &BitSet {
        if write { self.accesses(cell) } else { self.writes(cell) }
    }
}
