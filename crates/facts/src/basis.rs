//! What most analyses start from: the facts that are found first, together.

use crate::calls::Calls;
use crate::cfg::{Cfg, Point, Points};
use crate::parallel::Parallel;
use crate::points_to::PointsTo;
use crate::regions::Regions;
use crate::threads::Threads;
use crate::values::Values;
use base::{IdVec, Pos};
use ir::{Block, Expr, FuncId, InstKind, Program};

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

    /// The block of the point.
    pub fn block(&self, point: Point) -> &'a Block {
        &self.program.functions[point.func].blocks[point.block]
    }

    /// The instruction at the point; none for a terminator.
    pub fn kind(&self, point: Point) -> Option<&'a InstKind> {
        self.block(point).insts.get(point.inst as usize).map(|inst| &inst.kind)
    }

    /// Where the point stands in the source.
    pub fn pos(&self, point: Point) -> Pos {
        let block = self.block(point);
        block.insts.get(point.inst as usize).map_or(block.term_pos, |inst| inst.pos)
    }

    /// Calls `f` for each expression that is evaluated at the point.
    pub fn for_each_expr_at(&self, point: Point, f: &mut impl FnMut(&'a Expr)) {
        match self.kind(point) {
            Some(kind) => kind.for_each_expr(f),
            None => self.block(point).term.for_each_expr(f),
        }
    }

    /// Calls `f` for each point that control may reach, with its instruction; those of terminators have none.
    pub fn for_each_point(&self, f: &mut impl FnMut(Point, Option<&'a InstKind>)) {
        for func in self.calls.functions() {
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
