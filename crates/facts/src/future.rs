//! The future: from each point, the sites that may still be executed in this activation of the function, by its callees, and
//! by the threads that are started on the way.
//!
//! A thread at a point `p` of its innermost function, with callers waiting at `q1, q2, ...` (the points after their calls),
//! can from now on only execute sites of `after(p) + after(q1) + after(q2) + ...`, itself or through threads it starts.
//! Paths are those of the control-flow graph, so the sets are never too small.
//!
//! The points of one loop share a set.  Sets are kept once.  In programs with very many sites, points of one block share the
//! set of the block's start (a superset), and in still larger ones all points of a function share one.

use crate::basis::Basis;
use crate::cfg::{Cfg, Points};
use crate::pool::SetPool;
use crate::sites::{SiteId, Sites};
use base::graph::Components;
use base::{BitSet, Id, IdVec};
use ir::{BlockId, FuncId, Program};

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
        let Basis { program, points, cfgs, calls, .. } = *basis;
        let whole = whole_functions(basis, sites);
        let blocks: usize = calls.active.iter().map(|f| program.functions[FuncId::new(f)].blocks.len()).sum();
        let changing = sites.len() + calls.calls.len() + calls.spawns.len();
        let n = sites.len();
        let grain = if (blocks + changing).saturating_mul(n) <= MOST_BITS {
            Grain::Instruction
        } else if blocks.saturating_mul(n) <= MOST_BITS {
            Grain::Block
        } else {
            Grain::Function
        };
        let mut pool = SetPool::new();
        let none = pool.intern(&BitSet::new());
        let mut res = Future {
            pool,
            set: vec![none; points.len()],
            thread_ops: vec![false; points.len()],
            points: points.clone(),
        };
        let mut at_point: Vec<Vec<(usize, FuncId)>> = vec![Vec::new(); program.functions.len()];
        for (point, to) in calls.calls.iter().chain(&calls.spawns) {
            for func in to {
                at_point[point.func.index()].push((points.of(*point), *func));
            }
        }
        for func in calls.functions() {
            let steps = &mut at_point[func.index()];
            steps.sort_unstable();
            res.fill(program, func, &cfgs[func], sites, &whole, steps, grain);
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

    #[allow(clippy::too_many_arguments)]
    fn fill(
        &mut self,
        program: &Program,
        func: FuncId,
        cfg: &Cfg,
        sites: &Sites,
        whole: &IdVec<FuncId, Effect>,
        steps: &[(usize, FuncId)],
        grain: Grain,
    ) {
        let function = &program.functions[func];
        if grain == Grain::Function {
            let id = self.pool.intern(&whole[func].sites);
            for (block_id, block) in function.blocks.iter() {
                let start = self.points.index(func, block_id, 0);
                self.set[start..=start + block.insts.len()].fill(id);
                self.thread_ops[start..=start + block.insts.len()].fill(whole[func].thread_ops);
            }
            return;
        }
        // Component by component, those without a way out first; the effect of a cyclic one is that of all its blocks.
        let mut members: Vec<Vec<BlockId>> = vec![Vec::new(); cfg.components.len()];
        for block in &cfg.order {
            members[cfg.components.of[block.index()] as usize].push(*block);
        }
        let mut at_start: IdVec<BlockId, Effect> = IdVec::filled(Effect::default(), function.blocks.len());
        for (component, members) in members.iter().enumerate() {
            let mut after = Effect::default();
            for block in members {
                for to in &cfg.successors[*block] {
                    if cfg.components.of[to.index()] != component as u32 {
                        after.add(&at_start[*to]);
                    }
                }
            }
            if cfg.components.cyclic[component] {
                for block in members {
                    let size = function.blocks[*block].insts.len();
                    for inst in 0..=size {
                        after.add(&self.effect(program, func, *block, inst, sites, whole, steps));
                    }
                }
                let id = self.pool.intern(&after.sites);
                for block in members {
                    let start = self.points.index(func, *block, 0);
                    let end = start + function.blocks[*block].insts.len();
                    self.set[start..=end].fill(id);
                    self.thread_ops[start..=end].fill(after.thread_ops);
                    at_start[*block] = after.clone();
                }
                continue;
            }
            for block in members {
                let mut now = after.clone();
                let size = function.blocks[*block].insts.len();
                let mut id = None;
                for inst in (0..=size).rev() {
                    let at = self.points.index(func, *block, inst);
                    if now.add(&self.effect(program, func, *block, inst, sites, whole, steps)) {
                        id = None;
                    }
                    if grain == Grain::Instruction {
                        let known = id.unwrap_or_else(|| self.pool.intern(&now.sites));
                        id = Some(known);
                        self.set[at] = known;
                    }
                    self.thread_ops[at] = now.thread_ops;
                }
                if grain == Grain::Block {
                    let id = self.pool.intern(&now.sites);
                    let start = self.points.index(func, *block, 0);
                    self.set[start..=start + size].fill(id);
                }
                at_start[*block] = now;
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn effect(
        &self,
        program: &Program,
        func: FuncId,
        block: BlockId,
        inst: usize,
        sites: &Sites,
        whole: &IdVec<FuncId, Effect>,
        steps: &[(usize, FuncId)],
    ) -> Effect {
        let mut effect = Effect::default();
        let insts = &program.functions[func].blocks[block].insts;
        effect.thread_ops = insts.get(inst).is_some_and(|inst| inst.kind.is_thread_op());
        if let Some(site) = sites.at(func, block, inst) {
            effect.sites.insert(site.index());
        }
        let at = self.points.index(func, block, inst);
        let first = steps.partition_point(|(point, _)| *point < at);
        for (_, to) in steps[first..].iter().take_while(|(point, _)| *point == at) {
            effect.add(&whole[*to]);
        }
        effect
    }
}

/// All that each function may do with its callees and the threads it starts.
fn whole_functions(basis: &Basis<'_>, sites: &Sites) -> IdVec<FuncId, Effect> {
    let Basis { program, points, cfgs, calls, .. } = *basis;
    let mut whole: IdVec<FuncId, Effect> = IdVec::filled(Effect::default(), program.functions.len());
    for (id, site) in sites.all.iter() {
        debug_assert!(points.of(site.point) < points.len());
        whole[site.point.func].sites.insert(SiteId::index(id));
    }
    for func in calls.functions() {
        for block in &cfgs[func].order {
            let insts = &program.functions[func].blocks[*block].insts;
            whole[func].thread_ops |= insts.iter().any(|inst| inst.kind.is_thread_op());
        }
    }
    let graph: Vec<Vec<u32>> = program
        .functions
        .ids()
        .map(|func| {
            let mut to = calls.callees[func].clone();
            to.union_with(&calls.starts[func]);
            to.iter().map(|callee| callee as u32).collect()
        })
        .collect();
    let components = Components::of_graph(&graph);
    let mut members: Vec<Vec<FuncId>> = vec![Vec::new(); components.len()];
    for func in program.functions.ids() {
        members[components.of[func.index()] as usize].push(func);
    }
    for members in members {
        let mut all = Effect::default();
        for func in &members {
            all.add(&whole[*func].clone());
            for to in &graph[func.index()] {
                all.add(&whole[FuncId(*to)]);
            }
        }
        members.iter().for_each(|func| whole[*func] = all.clone());
    }
    whole
}
