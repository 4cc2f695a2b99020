//! Live registers: at each point, the registers whose content may still be read by this activation of the function.
//!
//! The usual backward analysis.  A register that is not live can be set to anything, for instance to zero in a stored state,
//! without a difference in any later step: nothing reads it before it is written.  Both ways of a branch are taken as
//! possible, so the sets are never too small.
//!
//! Very large functions get one set per block, the union over the block, to keep the tables small.

use crate::cfg::{Cfg, Points};
use crate::pool::SetPool;
use base::{BitSet, Id, IdVec};
use ir::{BlockId, FuncId, Function, InstKind, Program, Reg};

/// Above this many bits (registers times points) a function gets one set per block.
const FINE_LIMIT: usize = 1 << 27;

#[derive(Clone, Debug)]
pub struct Liveness {
    pool: SetPool,
    /// The set of each point.
    at: Vec<u32>,
    points: Points,
    /// Live at the start of each block; empty for unreachable ones.
    block_in: IdVec<FuncId, IdVec<BlockId, BitSet>>,
}

impl Liveness {
    pub fn compute(program: &Program, points: &Points, cfgs: &IdVec<FuncId, Cfg>) -> Self {
        let mut pool = SetPool::new();
        let none = pool.intern(&BitSet::new());
        let mut res = Liveness { pool, at: vec![none; points.len()], points: points.clone(), block_in: IdVec::new() };
        for (func, function) in program.functions.iter() {
            let live_in = blocks(function, &cfgs[func]);
            res.fill(func, function, &cfgs[func], &live_in);
            res.block_in.push(live_in);
        }
        res
    }

    /// Registers whose content before the instruction may still be read.
    #[inline]
    pub fn before(&self, func: FuncId, block: BlockId, inst: usize) -> &BitSet {
        self.pool.get(self.at[self.points.index(func, block, inst)])
    }

    /// Registers live at the start of the block.
    pub fn at_block(&self, func: FuncId, block: BlockId) -> &BitSet {
        &self.block_in[func][block]
    }

    fn fill(&mut self, func: FuncId, function: &Function, cfg: &Cfg, live_in: &IdVec<BlockId, BitSet>) {
        let size: usize = function.blocks.values().map(|b| b.insts.len() + 1).sum();
        let fine = size.saturating_mul(function.regs.len()) <= FINE_LIMIT;
        for block_id in &cfg.order {
            let block = &function.blocks[*block_id];
            let mut live = live_out(cfg, *block_id, live_in);
            let mut whole = live.clone();
            block.term.for_each_expr(&mut |expr| expr.for_each_reg(&mut |reg| _ = live.insert(reg.index())));
            let end = self.points.index(func, *block_id, block.insts.len());
            let mut id = self.pool.intern(&live);
            self.at[end] = id;
            for (i, inst) in block.insts.iter().enumerate().rev() {
                let at = self.points.index(func, *block_id, i);
                if step_back(&inst.kind, &mut live) && fine {
                    id = self.pool.intern(&live);
                }
                whole.union_with(&live);
                self.at[at] = id;
            }
            if !fine {
                let id = self.pool.intern(&whole);
                let start = self.points.index(func, *block_id, 0);
                self.at[start..=end].fill(id);
            }
        }
    }
}

fn live_out(cfg: &Cfg, block: BlockId, live_in: &IdVec<BlockId, BitSet>) -> BitSet {
    let mut live = BitSet::new();
    for to in &cfg.successors[block] {
        live.union_with(&live_in[*to]);
    }
    live
}

/// From after the instruction to before it; tells whether the set may have changed.
fn step_back(kind: &InstKind, live: &mut BitSet) -> bool {
    let mut changed = false;
    if let Some(dst) = kind.dst() {
        changed |= live.contains(dst.index());
        live.remove(dst.index());
    }
    kind.for_each_expr(&mut |expr| expr.for_each_reg(&mut |reg: Reg| changed |= live.insert(reg.index())));
    changed
}

/// The fixpoint over blocks.
fn blocks(function: &Function, cfg: &Cfg) -> IdVec<BlockId, BitSet> {
    // Per block: what it reads before writing, and what it writes.
    let mut reads: IdVec<BlockId, BitSet> = IdVec::filled(BitSet::new(), function.blocks.len());
    let mut writes = reads.clone();
    for (id, block) in function.blocks.iter() {
        let (reads, writes) = (&mut reads[id], &mut writes[id]);
        for inst in &block.insts {
            inst.kind.for_each_expr(&mut |expr| {
                expr.for_each_reg(&mut |reg: Reg| {
                    if !writes.contains(reg.index()) {
                        reads.insert(reg.index());
                    }
                });
            });
            if let Some(dst) = inst.kind.dst() {
                writes.insert(dst.index());
            }
        }
        block.term.for_each_expr(&mut |expr| {
            expr.for_each_reg(&mut |reg: Reg| {
                if !writes.contains(reg.index()) {
                    reads.insert(reg.index());
                }
            });
        });
    }
    let mut live_in = reads;
    let mut queued: IdVec<BlockId, bool> = IdVec::filled(false, function.blocks.len());
    // Last blocks first: a stack filled in order is emptied from the end.
    let mut work: Vec<BlockId> = cfg.order.clone();
    work.iter().for_each(|block| queued[*block] = true);
    while let Some(block) = work.pop() {
        queued[block] = false;
        let mut live = live_out(cfg, block, &live_in);
        live.subtract(&writes[block]);
        if live_in[block].union_with(&live) {
            for pred in &cfg.predecessors[block] {
                if !std::mem::replace(&mut queued[*pred], true) {
                    work.push(*pred);
                }
            }
        }
    }
    live_in
}
