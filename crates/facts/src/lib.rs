//! Static facts: read-only analyses of a [`ir::Program`].
//!
//! Facts live outside the program, in tables indexed by its ids and points; a pass that changes the program throws them away.
//! Every fact errs on one side only, and each file says on which: engines build proofs on them.  `docs/facts.md` is the
//! overview.

pub mod accesses;
pub mod calls;
pub mod cells;
pub mod cfg;
pub mod future;
pub mod graph;
pub mod inputs;
pub mod liveness;
pub mod locks;
mod names;
pub mod parallel;
pub mod points_to;
pub mod pool;
pub mod regions;
pub mod shared;
pub mod sites;
pub mod threads;
pub mod values;

use base::IdVec;
use ir::{FuncId, Program};

pub use accesses::{Access, AccessKind};
pub use calls::Calls;
pub use cells::{CellId, Cells};
pub use cfg::{Cfg, Point, Points};
pub use future::Future;
pub use inputs::Inputs;
pub use liveness::Liveness;
pub use locks::{LockId, Locks};
pub use parallel::Parallel;
pub use points_to::PointsTo;
pub use regions::{RegionId, Regions};
pub use shared::Shared;
pub use sites::{Site, SiteId, Sites};
pub use threads::{RootId, Threads};
pub use values::Values;

/// All facts about one program.
#[derive(Clone, Debug)]
pub struct Facts {
    pub points: Points,
    pub cfgs: IdVec<FuncId, Cfg>,
    pub liveness: Liveness,
    pub values: IdVec<FuncId, Values>,
    pub regions: Regions,
    pub points_to: PointsTo,
    pub calls: Calls,
    pub threads: Threads,
    pub cells: Cells,
    pub accesses: Vec<Access>,
    pub parallel: Parallel,
    pub shared: Shared,
    pub sites: Sites,
    pub future: Future,
    pub locks: Locks,
    pub inputs: Inputs,
}

impl Facts {
    /// The program must be valid (`ir::validate`).
    pub fn compute(program: &Program) -> Facts {
        let points = Points::new(program);
        let cfgs: IdVec<FuncId, Cfg> = program.functions.values().map(Cfg::new).collect();
        let liveness = Liveness::compute(program, &points, &cfgs);
        let values: IdVec<FuncId, Values> = program
            .functions
            .iter()
            .map(|(func, function)| Values::new(func, function, &cfgs[func], &liveness))
            .collect();
        let regions = Regions::new(program, &points, &cfgs);
        let points_to = PointsTo::compute(program, &points, &cfgs, &values, &regions);
        let calls = Calls::compute(program, &cfgs, &points_to);
        let threads = Threads::compute(program, &cfgs, &calls);
        let cells = accesses::cells(program, &cfgs, &calls, &regions, &points_to);
        let accesses = accesses::collect(program, &cfgs, &calls, &threads, &regions, &points_to, &cells);
        let parallel = Parallel::compute(program, &points, &cfgs, &calls, &threads, &regions, &points_to);
        let shared = Shared::compute(&regions, &points_to, &cells, &parallel, &accesses);
        let sites = Sites::compute(&points, cells.len(), &shared, &parallel, &accesses);
        let future = Future::compute(program, &points, &cfgs, &calls, &sites);
        let locks =
            Locks::compute(program, &points, &cfgs, &calls, &regions, &points_to, &cells, &accesses, &parallel, &sites);
        let inputs = Inputs::compute(program, &points, &cfgs, &values);
        Facts {
            points,
            cfgs,
            liveness,
            values,
            regions,
            points_to,
            calls,
            threads,
            cells,
            accesses,
            parallel,
            shared,
            sites,
            future,
            locks,
            inputs,
        }
    }
}
