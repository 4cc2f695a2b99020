//! The call graph: who may call and who may start whom.
//!
//! Callees of indirect calls come from `points_to`, which falls back to all functions whose address is taken.  Only functions
//! that can be reached from the entry, by calls and spawns, are *active*; the others cannot run.

use crate::{Functions, Point, PointsTo};
use base::graph::{self, Components};
use base::{BitSet, Id, IdVec};
use ir::{FuncId, InstKind};

#[derive(Clone, Default, Debug)]
pub struct Calls {
    /// Functions that can be reached from the entry.
    pub active: BitSet,
    /// Calls in active functions, with where they may go.
    pub calls: Vec<(Point, Vec<FuncId>)>,
    /// Spawns in active functions, with where they may go.
    pub spawns: Vec<(Point, Vec<FuncId>)>,
    /// Functions each function may call, in one step.
    pub callees: IdVec<FuncId, BitSet>,
    /// Functions each function may start as a thread, in one step.
    pub starts: IdVec<FuncId, BitSet>,
    /// Components of the graph of calls.
    pub components: Components,
}

impl Calls {
    pub fn compute(functions: Functions<'_>, points_to: &PointsTo) -> Self {
        let none = IdVec::filled(BitSet::new(), functions.cfgs.len());
        let mut res = Calls { callees: none.clone(), starts: none, ..Calls::default() };
        let mut work = vec![functions.program.entry];
        res.active.insert(functions.program.entry.index());
        while let Some(func) = work.pop() {
            for (point, kind) in functions.insts(func) {
                if kind.callee().is_none() {
                    continue;
                }
                let is_call = matches!(kind, InstKind::Call { .. });
                let to = points_to.callees(point).to_vec();
                for callee in &to {
                    if res.active.insert(callee.index()) {
                        work.push(*callee);
                    }
                    let edges = if is_call { &mut res.callees } else { &mut res.starts };
                    edges[func].insert(callee.index());
                }
                if is_call { &mut res.calls } else { &mut res.spawns }.push((point, to));
            }
        }
        res.calls.sort();
        res.spawns.sort();
        let graph: Vec<Vec<u32>> =
            res.callees.values().map(|callees| callees.iter().map(|callee| callee as u32).collect()).collect();
        res.components = Components::of_graph(&graph);
        res
    }

    /// The active functions.
    pub fn functions(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.active.iter().map(FuncId::new)
    }

    /// The function itself and all it may call, in any number of steps.
    pub fn closure(&self, from: &[FuncId]) -> BitSet {
        graph::closure(from.iter().copied(), |func| self.callees[func].iter().map(FuncId::new))
    }
}
