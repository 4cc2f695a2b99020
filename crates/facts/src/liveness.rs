//! Live registers: at each point, the registers whose content may still be read by this activation of the function.
//!
//! From the analysis of the interpreter (`ir::liveness`), for all points.  A register that is not live can be set to anything, for instance to zero in a stored state,
//! without a difference in any later step: nothing reads it before it is written.  Both ways of a branch are taken as
//! possible, so the sets are never too small.
//!
//! Very large functions get one set per block, the union over the block, to keep the tables small.

use crate::pool::SetPool;
use crate::{Cfg, Points};
use base::{BitSet, IdVec};
use ir::{BlockId, FuncId, Function, Program};

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
        let mut pool = SetPool::default();
        let none = pool.intern(&BitSet::new());
        let block_in = cfgs.values().map(|cfg| IdVec::filled(BitSet::new(), cfg.successors.len())).collect();
        let mut res = Liveness { pool, at: vec![none; points.total], points: points.clone(), block_in };
        program.functions.iter().for_each(|(func, function)| res.fill(func, function, &cfgs[func]));
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

    /// Notes the sets of all points of the function.
    fn fill(&mut self, func: FuncId, function: &Function, cfg: &Cfg) {
        let liveness = ir::liveness::Liveness::compute(function);
        let size: usize = function.blocks.values().map(|b| b.insts.len() + 1).sum();
        let fine = size.saturating_mul(function.regs.len()) <= FINE_LIMIT;
        for block in &cfg.order {
            let start = self.points.index(func, *block, 0);
            let end = start + function.blocks[*block].insts.len();
            let mut whole = BitSet::new();
            liveness.walk_back(function, *block, |inst, before, after| {
                if !fine {
                    whole.union_with(before);
                } else if start + inst == end || before != after {
                    self.at[start + inst] = self.pool.intern(before);
                } else {
                    self.at[start + inst] = self.at[start + inst + 1];
                }
                if inst == 0 {
                    self.block_in[func][*block].clone_from(before);
                }
            });
            if !fine {
                let id = self.pool.intern(&whole);
                self.at[start..=end].fill(id);
            }
        }
    }
}
