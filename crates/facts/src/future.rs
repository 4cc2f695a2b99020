//! The future: from each point, the sites that may still be executed in this activation of the function, by its callees, and
//! by the threads that are started on the way.
//!
//! A thread at a point `p` of its innermost function, with callers waiting at `q1, q2, ...` (the points after their calls),
//! can from now on only execute sites of `after(p) + after(q1) + after(q2) + ...`, itself or through threads it starts.
//! Paths are those of the control-flow graph, so the sets are never too small.
//!
//! The points of one loop share a set.  Sets are kept once.  In programs with very many sites, points of one block share the
//! set of the block's start (a superset), and in still larger ones all points of a function share one.

use crate::pool::SetPool;
use crate::{Basis, Point, Points, SiteId, Sites};
use base::graph::Components;
use base::{BitSet, Id, IdVec};
use ir::{BlockId, FuncId, InstKind};

#[derive(Clone, Debug)]
pub struct Future {
    pool: SetPool,
    /// By point.
    set: Vec<u32>,
    thread_ops: Vec<bool>,
    points: Points,
}

/// At most so many bits of sets, all in all.
const MOST_BITS: usize = 1 << 29;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Grain {
    Instruction,
    Block,
    Function,
}

/// What one instruction, or a whole function, may do.
#[derive(Clone, Debug, Default)]
struct Effect {
    sites: BitSet,
    thread_ops: bool,
}

impl Effect {
    fn add(&mut self, other: &Effect) -> bool {
        let thread_ops = other.thread_ops && !self.thread_ops;
        self.thread_ops |= other.thread_ops;
        self.sites.union_with(&other.sites) | thread_ops
    }
}

impl Future {
    pub fn compute(basis: &Basis<'_>, sites: &Sites) -> Self {
        let Basis { program, points, calls, .. } = *basis;
        let whole = whole_functions(basis, sites);
        let blocks: usize = calls.active.iter().map(|f| program.functions[FuncId::new(f)].blocks.len()).sum();
        let n = sites.all.len();
        let changing = n + calls.calls.len() + calls.spawns.len();
        let grain = match [blocks + changing, blocks].map(|sets| sets.saturating_mul(n) <= MOST_BITS) {
            [true, _] => Grain::Instruction,
            [false, true] => Grain::Block,
            [false, false] => Grain::Function,
        };
        let mut pool = SetPool::default();
        let none = pool.intern(&BitSet::new());
        let (set, thread_ops) = (vec![none; points.total], vec![false; points.total]);
        let mut res = Future { pool, set, thread_ops, points: points.clone() };
        for func in calls.functions() {
            res.fill(basis, func, sites, &whole, grain);
        }
        res
    }

    /// Sites that may be executed from the point on (its own instruction included) to the end of this activation, also by
    /// callees and by threads started on the way.
    #[inline]
    pub fn sites(&self, func: FuncId, block: BlockId, inst: usize) -> &BitSet {
        self.pool.get(self.set[self.points.index(func, block, inst)])
    }

    /// May threads be started, joined or detached from the point on, within this activation and by threads it starts?
    #[inline]
    pub fn thread_ops(&self, func: FuncId, block: BlockId, inst: usize) -> bool {
        self.thread_ops[self.points.index(func, block, inst)]
    }

    /// From each point of the block the same.
    fn fill_block(&mut self, func: FuncId, block: BlockId, insts: usize, effect: &Effect) {
        let id = self.pool.intern(&effect.sites);
        let start = self.points.index(func, block, 0);
        self.set[start..=start + insts].fill(id);
        self.thread_ops[start..=start + insts].fill(effect.thread_ops);
    }

    fn fill(&mut self, basis: &Basis<'_>, func: FuncId, sites: &Sites, whole: &IdVec<FuncId, Effect>, grain: Grain) {
        let (function, cfg) = (&basis.program.functions[func], &basis.cfgs[func]);
        let last = |block: BlockId| function.blocks[block].insts.len();
        if grain == Grain::Function {
            function.blocks.ids().for_each(|block| self.fill_block(func, block, last(block), &whole[func]));
            return;
        }
        let effect = |block: BlockId, inst: usize| effect(basis, Point::new(func, block, inst), sites, whole);
        // Component by component, those without a way out first; the effect of a cyclic one is that of all its blocks.
        let mut members: Vec<Vec<BlockId>> = vec![Vec::new(); cfg.components.cyclic.len()];
        for block in &cfg.order {
            members[cfg.components.of[block.index()] as usize].push(*block);
        }
        let mut at_start: IdVec<BlockId, Effect> = IdVec::filled(Effect::default(), function.blocks.len());
        for (component, members) in members.iter().enumerate() {
            let mut after = Effect::default();
            for to in members.iter().flat_map(|block| &cfg.successors[*block]) {
                if cfg.components.of[to.index()] != component as u32 {
                    after.add(&at_start[*to]);
                }
            }
            if cfg.components.cyclic[component] {
                for block in members {
                    (0..=last(*block)).for_each(|inst| _ = after.add(&effect(*block, inst)));
                }
                for block in members {
                    self.fill_block(func, *block, last(*block), &after);
                    at_start[*block] = after.clone();
                }
                continue;
            }
            for block in members {
                let mut now = after.clone();
                let mut id = None;
                for inst in (0..=last(*block)).rev() {
                    let at = self.points.index(func, *block, inst);
                    if now.add(&effect(*block, inst)) {
                        id = None;
                    }
                    if grain == Grain::Instruction {
                        self.set[at] = *id.get_or_insert_with(|| self.pool.intern(&now.sites));
                    }
                    self.thread_ops[at] = now.thread_ops;
                }
                if grain == Grain::Block {
                    let id = self.pool.intern(&now.sites);
                    let start = self.points.index(func, *block, 0);
                    self.set[start..=start + last(*block)].fill(id);
                }
                at_start[*block] = now;
            }
        }
    }
}

/// What the instruction does, with what it calls or starts.
fn effect(basis: &Basis<'_>, point: Point, sites: &Sites, whole: &IdVec<FuncId, Effect>) -> Effect {
    let thread_ops = basis.program.kind(point).is_some_and(InstKind::is_thread_op);
    let mut effect = Effect { sites: sites.at_point(point).into_iter().map(SiteId::index).collect(), thread_ops };
    basis.points_to.callees(point).iter().for_each(|to| _ = effect.add(&whole[*to]));
    effect
}

/// All that each function may do with its callees and the threads it starts.
fn whole_functions(basis: &Basis<'_>, sites: &Sites) -> IdVec<FuncId, Effect> {
    let Basis { program, points, calls, .. } = *basis;
    let mut whole: IdVec<FuncId, Effect> = IdVec::filled(Effect::default(), program.functions.len());
    for (id, site) in sites.all.iter() {
        debug_assert!(points.of(site.point) < points.total);
        whole[site.point.func].sites.insert(SiteId::index(id));
    }
    basis.for_each_inst(&mut |point, kind| whole[point.func].thread_ops |= kind.is_thread_op());
    let next = |func| calls.callees[func].iter().chain(calls.starts[func].iter()).map(|to| to as u32).collect();
    let graph: Vec<Vec<u32>> = program.functions.ids().map(next).collect();
    for members in Components::of_graph(&graph).members() {
        let mut all = Effect::default();
        for func in &members {
            all.add(&whole[FuncId::new(*func)]);
            for to in &graph[*func] {
                all.add(&whole[FuncId(*to)]);
            }
        }
        members.into_iter().for_each(|func| whole[FuncId::new(func)] = all.clone());
    }
    whole
}
