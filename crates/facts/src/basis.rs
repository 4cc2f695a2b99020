//! What most analyses start from: the facts that are found first, together.

use crate::calls::Calls;
use crate::cfg::{Cfg, Point, Points};
use crate::parallel::Parallel;
use crate::points_to::PointsTo;
use crate::regions::Regions;
use crate::threads::Threads;
use crate::values::Values;
use base::{Id, IdVec};
use ir::{FuncId, InstKind, Program};

#[derive(Clone, Copy)]
pub struct Basis<'a> {
    pub program: &'a Program,
    pub points: &'a Points,
    pub cfgs: &'a IdVec<FuncId, Cfg>,
    pub values: &'a IdVec<FuncId, Values>,
    pub regions: &'a Regions,
    pub points_to: &'a PointsTo,
    pub calls: &'a Calls,
    pub threads: &'a Threads,
    pub parallel: &'a Parallel,
}

impl<'a> Basis<'a> {
    pub fn new(
        program: &'a Program,
        points: &'a Points,
        cfgs: &'a IdVec<FuncId, Cfg>,
        values: &'a IdVec<FuncId, Values>,
        regions: &'a Regions,
        (points_to, calls, threads, parallel): &'a (PointsTo, Calls, Threads, Parallel),
    ) -> Self {
        Basis { program, points, cfgs, values, regions, points_to, calls, threads, parallel }
    }

    /// Calls `f` for each point that control may reach, with its instruction; those of terminators have none.
    pub fn for_each_point(&self, f: &mut impl FnMut(Point, Option<&'a InstKind>)) {
        for func in self.calls.active.iter().map(FuncId::new) {
            for block in &self.cfgs[func].order {
                let insts = &self.program.functions[func].blocks[*block].insts;
                for i in 0..=insts.len() {
                    f(Point::new(func, *block, i), insts.get(i).map(|inst| &inst.kind));
                }
            }
        }
    }

    /// Calls `f` for each instruction that control may reach.
    pub fn for_each_inst(&self, f: &mut impl FnMut(Point, &'a InstKind)) {
        self.for_each_point(&mut |point, kind| kind.into_iter().for_each(|kind| f(point, kind)));
    }
}
