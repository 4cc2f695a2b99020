//! What most analyses start from: the facts that are found first, together.

use crate::flow::Flow;
use crate::{Calls, Cfg, Parallel, Point, Points, PointsTo, Regions, Targets, Threads, Values};
use base::IdVec;
use ir::{Expr, FuncId, InstKind, Program};

/// What is known of each function by itself.
#[derive(Clone, Copy)]
pub struct Functions<'a> {
    pub program: &'a Program,
    pub points: &'a Points,
    pub cfgs: &'a IdVec<FuncId, Cfg>,
    pub values: &'a IdVec<FuncId, Values>,
}

impl<'a> Functions<'a> {
    /// The instructions of the function that control may reach.
    pub fn insts(self, func: FuncId) -> impl Iterator<Item = (Point, &'a InstKind)> {
        self.cfgs[func].order.iter().flat_map(move |block| {
            let insts = self.program.functions[func].blocks[*block].insts.iter().enumerate();
            insts.map(move |(i, inst)| (Point::new(func, *block, i), &inst.kind))
        })
    }
}

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
        functions: Functions<'a>,
        regions: &'a Regions,
        found: &'a (PointsTo, Calls, Threads, Parallel),
    ) -> Self {
        let Functions { program, points, cfgs, values } = functions;
        let (points_to, calls, threads, parallel) = found;
        Basis { program, points, cfgs, values, regions, points_to, calls, threads, parallel }
    }

    pub fn functions(&self) -> Functions<'a> {
        Functions { program: self.program, points: self.points, cfgs: self.cfgs, values: self.values }
    }

    /// A forward analysis with states that take in others so.
    pub fn flow<S: Clone>(&self, merge: fn(&mut S, &S) -> bool) -> Flow<'a, S> {
        Flow::new(self.functions(), self.calls, merge)
    }

    /// Calls `f` for each expression that is evaluated at the point.
    pub fn for_each_expr_at(&self, point: Point, f: &mut impl FnMut(&'a Expr)) {
        self.program.block(point).for_each_expr_at(point.inst as usize, f);
    }

    /// Where the value may come from, if it is in a register, or what an update finds.
    pub fn targets(&self, point: Point, expr: &Expr) -> Option<&'a Targets> {
        match expr {
            Expr::Reg(reg) => Some(self.points_to.value(point.func, self.values[point.func].used(point, *reg)?)),
            Expr::Old => self.points_to.found(point),
            _ => None,
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

    /// The points of the instructions for which it holds, of those that control may reach.
    pub fn points_where(&self, holds: impl Fn(&InstKind) -> bool) -> Vec<Point> {
        let mut found = Vec::new();
        self.for_each_inst(&mut |point, kind| found.extend(holds(kind).then_some(point)));
        found
    }
}
