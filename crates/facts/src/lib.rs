//! Static facts: read-only analyses of a [`ir::Program`].
//!
//! Facts live outside the program, in tables indexed by its ids and points; a pass that changes the program throws them away.
//! Every fact errs on one side only, and each file says on which: engines build proofs on them.  `docs/facts.md` is the
//! overview.

pub mod accesses;
mod after;
pub mod atomic;
pub mod basis;
pub mod calls;
pub mod carried;
pub mod cells;
pub mod cfg;
pub mod ends;
mod flow;
mod fresh;
pub mod future;
pub mod handles;
pub mod hidden;
pub mod inputs;
pub mod intervals;
pub mod liveness;
pub mod locks;
pub mod movers;
pub mod names;
pub mod parallel;
pub mod points_to;
mod pool;
pub mod regions;
pub mod reuse;
mod rules;
pub mod shared;
pub mod sites;
mod stops;
pub mod threads;
pub mod together;
pub mod values;

use base::{Id, IdVec};
use ir::{FuncId, Program};

pub use accesses::{Access, AccessKind};
pub use atomic::Atomic;
pub use basis::{Basis, Functions};
pub use calls::Calls;
pub use cells::{CellId, Cells};
pub use cfg::{Cfg, Point, Points};
pub use future::Future;
pub use handles::Handles;
pub use inputs::Inputs;
pub use intervals::Intervals;
pub use liveness::Liveness;
pub use locks::{Lock, LockId, LockObject, Locks};
pub use movers::{Mover, Movers};
pub use parallel::Parallel;
pub use points_to::{Offsets, PointsTo, Target, Targets};
pub use regions::{Region, RegionId, RegionKind, Regions};
pub use reuse::Reuse;
pub use shared::Shared;
pub use sites::{SiteId, Sites};
pub use threads::{RootId, Threads};
pub use together::Together;
pub use values::{Origin, ValueId, Values};

/// All facts about one program.
#[derive(Clone, Debug)]
pub struct Facts {
    pub points: Points,
    pub cfgs: IdVec<FuncId, Cfg>,
    pub liveness: Liveness,
    pub values: IdVec<FuncId, Values>,
    pub regions: Regions,
    pub reuse: Reuse,
    pub points_to: PointsTo,
    pub calls: Calls,
    pub threads: Threads,
    pub cells: Cells,
    pub accesses: Vec<Access>,
    /// By point, the index of its access.
    access_at: Vec<Option<u32>>,
    pub parallel: Parallel,
    pub handles: Handles,
    pub shared: Shared,
    pub sites: Sites,
    pub future: Future,
    pub locks: Locks,
    pub atomic: Atomic,
    pub movers: Movers,
    pub intervals: Intervals,
    pub inputs: Inputs,
}

impl Facts {
    /// The program must be valid (`ir::validate`).
    pub fn compute(program: &Program) -> Facts {
        let mut facts = Facts::without_numbers(program);
        facts.intervals = intervals::compute(program, &facts);
        facts.inputs = Inputs::compute(program, &facts);
        facts
    }

    /// All facts but those about numbers (`intervals`, `inputs`), which say nothing: for large programs that are to be
    /// executed symbolically, where half of the time would go into them.
    pub fn without_numbers(program: &Program) -> Facts {
        let points = Points::new(program);
        let cfgs: IdVec<FuncId, Cfg> = program.functions.values().map(Cfg::new).collect();
        let liveness = Liveness::compute(program, &points, &cfgs);
        let values = |(func, function)| Values::new(func, function, &cfgs[func], &liveness);
        let values: IdVec<FuncId, Values> = program.functions.iter().map(values).collect();
        let functions = Functions { program, points: &points, cfgs: &cfgs, values: &values };
        let mut regions = Regions::new(functions);
        let mut reuse = Reuse::default();
        let found = loop {
            let points_to = PointsTo::compute(functions, &regions, &reuse);
            let calls = Calls::compute(functions, &points_to);
            let threads = Threads::compute(functions, &calls);
            let parallel = Parallel::compute(functions, &calls, &threads, &regions, &points_to);
            let found = (points_to, calls, threads, parallel);
            if !reuse.grow(&Basis::new(functions, &regions, &found)) {
                break found;
            }
            // Blocks of these regions may be used again, with any content.
            reuse.taken.iter().for_each(|region| regions.all[RegionId::new(region)].initialised = false);
        };
        let basis = Basis::new(functions, &regions, &found);
        let handles = Handles::compute(&basis);
        let cells = accesses::cells(&basis);
        // An address out of nowhere may be that of any object, however new.
        let private = match basis.points_to.wild_access {
            true => Default::default(),
            false => fresh::private_accesses(&basis, &reuse),
        };
        let accesses = accesses::collect(&basis, &cells, &private, &reuse);
        let mut access_at = vec![None; points.total];
        accesses.iter().zip(0..).for_each(|(access, i)| access_at[points.of(access.point)] = Some(i));
        let shared = Shared::compute(&basis, &cells, &accesses, &reuse);
        let sites = Sites::compute(&points, cells.all.len(), &shared, basis.parallel, &accesses);
        let future = Future::compute(&basis, &sites);
        let locks = Locks::compute(&basis, &cells, &accesses, &sites);
        let atomic = Atomic::compute(&basis);
        let together = Together { parallel: basis.parallel, sites: &sites, locks: &locks };
        let movers = Movers::compute(&basis, &together, &atomic, &handles);
        let (intervals, inputs) = (Intervals::default(), Inputs::default());
        let (points_to, calls, threads, parallel) = found;
        Facts {
            points,
            cfgs,
            liveness,
            values,
            regions,
            reuse,
            points_to,
            calls,
            threads,
            cells,
            accesses,
            access_at,
            parallel,
            handles,
            shared,
            sites,
            future,
            locks,
            atomic,
            movers,
            intervals,
            inputs,
        }
    }

    /// What most analyses start from, for further ones.
    pub fn basis<'a>(&'a self, program: &'a Program) -> Basis<'a> {
        let Facts { points, cfgs, values, regions, points_to, calls, threads, parallel, .. } = self;
        Basis { program, points, cfgs, values, regions, points_to, calls, threads, parallel }
    }

    /// Which sites may happen in parallel, and which may race.
    pub fn together(&self) -> Together<'_> {
        Together { parallel: &self.parallel, sites: &self.sites, locks: &self.locks }
    }

    /// What the instruction at the place may touch.
    pub fn access(&self, point: Point) -> Option<&Access> {
        let index = self.access_at.get(self.points.of(point)).copied().flatten()?;
        self.accesses.get(index as usize)
    }

    /// Did the facts foresee this access: of `size` bytes at `offset` of an object of the region, by the instruction at the
    /// place?  They must have, for every step of every execution; an engine that asks at each step turns a wrong fact into an
    /// error instead of a wrong verdict.
    #[inline]
    pub fn foresaw(&self, point: Point, region: RegionId, offset: u64, size: u64, write: bool) -> bool {
        let Some(access) = self.access(point) else { return false };
        let foreseen = if write { &access.writes } else { &access.reads };
        let mut fine = true;
        self.cells.at(region, offset, size, &mut |cell| fine &= foreseen.contains(cell.index()));
        fine
    }
}
