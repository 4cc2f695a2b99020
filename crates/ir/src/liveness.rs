//! Which registers may still be read: backward dataflow over one function.
//!
//! It lives beside the interpreter because a state's identity depends on it: two states that differ in dead registers
//! only are one state, and an address held only by a dead register does not keep a dead object's name in use.

use crate::program::*;
use base::{BitSet, Id, IdVec};

pub struct Liveness {
    /// Live where the block ends, before its terminator's successors begin.
    out: IdVec<BlockId, BitSet>,
}

impl Liveness {
    pub fn compute(function: &Function) -> Self {
        let count = function.blocks.len();
        let mut predecessors: Vec<Vec<BlockId>> = vec![Vec::new(); count];
        for (id, block) in function.blocks.iter() {
            block.term.for_each_target(&mut |to| predecessors[to.index()].push(id));
        }
        let mut live = Liveness { out: IdVec::filled(BitSet::new(), count) };
        let mut work: Vec<BlockId> = function.blocks.ids().collect();
        let mut queued = vec![true; count];
        while let Some(id) = work.pop() {
            queued[id.index()] = false;
            let mut entry = live.out[id].clone();
            live.walk_back(function, id, |index, before, _| {
                if index == 0 {
                    entry = before.clone();
                }
            });
            for from in &predecessors[id.index()] {
                if live.out[*from].union_with(&entry) && !queued[from.index()] {
                    queued[from.index()] = true;
                    work.push(*from);
                }
            }
        }
        live
    }

    /// Visits the instructions of a block from its terminator (index = number of instructions) to its first, with the
    /// registers live before and after each.
    pub fn walk_back(&self, function: &Function, id: BlockId, mut visit: impl FnMut(usize, &BitSet, &BitSet)) {
        let block = &function.blocks[id];
        let mut after = self.out[id].clone();
        let mut before = after.clone();
        block.term.for_each_expr(&mut |expr| {
            expr.for_each_reg(&mut |reg| {
                before.insert(reg.index());
            })
        });
        visit(block.insts.len(), &before, &after);
        for (index, inst) in block.insts.iter().enumerate().rev() {
            after.clone_from(&before);
            if let Some(dst) = inst.kind.dst() {
                before.remove(dst.index());
            }
            inst.kind.for_each_expr(&mut |expr| {
                expr.for_each_reg(&mut |reg| {
                    before.insert(reg.index());
                })
            });
            visit(index, &before, &after);
        }
    }
}
