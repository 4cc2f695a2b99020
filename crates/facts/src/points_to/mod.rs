//! Points-to: which objects, at which offsets, an address may mean; which functions a call may reach; whose handle a join may
//! get.
//!
//! Andersen's analysis: inclusion constraints between values, function results and the contents of memory, solved to the
//! least solution.  Registers are split into values first (`values`), so it is flow-sensitive for registers; it is
//! insensitive to flow for memory and to calling contexts.  Arguments flow to parameters, results back; threads likewise, and
//! any `join` may deliver what any thread returned.  Indirect calls are resolved while solving.  An `alloc` may also give a block
//! whose place it takes (`reuse`).
//!
//! A target is a region with offsets `base + k * stride`.  Integers carry targets just as pointers do: arithmetic on them
//! keeps the objects and loses the offset where it is not a plain addition.  Memory is kept per region and per offsets stored
//! to; a load gets what was stored to any bytes it may overlap, with any offset unless it reads exactly what was stored.
//!
//! **Sound** because every way a value can come about is an inclusion, under these assumptions on the meaning of programs:
//!
//! * an access outside its object, to a dead object or to none ends the execution, and adding to a pointer never leads to
//!   another object, so a pointer into A never touches B;
//! * a literal number is not the address of anything, nor is what an object holds before it is written, nor a number put
//!   together in memory from pieces (pieces of *pointers* are followed);
//! * any other number that reaches an address, by `havoc` or by computation, may be the address of anything ("wild").
//!
//! A value with very many targets becomes wild, and a region with very many separate stores becomes one: large programs get
//! coarser answers, not slower ones.

pub(crate) mod index;
mod memory;
mod solve;
mod target;
mod written;

pub use target::{Offsets, Target, Targets};
pub use written::local_place;

use crate::{Functions, Point, RegionId, Regions, Reuse, ValueId};
use base::{BitSet, IdVec};
use ir::FuncId;
use rustc_hash::FxHashMap;

/// The answer.
#[derive(Clone, Default, Debug)]
pub struct PointsTo {
    values: IdVec<FuncId, IdVec<ValueId, Targets>>,
    results: IdVec<FuncId, Targets>,
    /// What threads hand to those who join them.
    pub thread_result: Targets,
    /// The address of a load, store, update or free; the handle of a join or detach.
    addresses: FxHashMap<Point, Targets>,
    /// What an update finds.
    found: FxHashMap<Point, Targets>,
    /// Where a call or spawn may go.
    callees: FxHashMap<Point, Vec<FuncId>>,
    /// For each region, the regions whose addresses its bytes may hold.
    contents: IdVec<RegionId, BitSet>,
    /// Regions whose addresses were handed to a new thread.
    pub handed_to_threads: BitSet,
    /// Some access may go anywhere.
    pub wild_access: bool,
}

impl PointsTo {
    pub fn compute(functions: Functions<'_>, regions: &Regions, reuse: &Reuse) -> Self {
        solve::Solver::new(functions, regions, reuse).solve()
    }

    pub fn value(&self, func: FuncId, value: ValueId) -> &Targets {
        &self.values[func][value]
    }

    /// What the function may return.
    pub fn result(&self, func: FuncId) -> &Targets {
        &self.results[func]
    }

    /// The address of the load, store, update or free, or the handle of the join or detach, at the point.
    pub fn address(&self, point: Point) -> Option<&Targets> {
        self.addresses.get(&point)
    }

    /// What the update at the point may find.
    pub fn found(&self, point: Point) -> Option<&Targets> {
        self.found.get(&point)
    }

    /// The functions a call or spawn at the point may reach, in ascending order.
    pub fn callees(&self, point: Point) -> &[FuncId] {
        self.callees.get(&point).map_or(&[], Vec::as_slice)
    }

    /// The regions whose addresses the bytes of `region` may hold.
    pub fn contents(&self, region: RegionId) -> &BitSet {
        &self.contents[region]
    }
}
