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
        let mut predecessors: IdVec<BlockId, Vec<BlockId>> = IdVec::filled(Vec::new(), count);
        for (id, block) in function.blocks.iter() {
            block.term.for_each_target(&mut |to| predecessors[to].push(id));
        }
        let mut live = Liveness { out: IdVec::filled(BitSet::new(), count) };
        let mut work: Vec<BlockId> = function.blocks.ids().collect();
        let mut queued = IdVec::filled(true, count);
        while let Some(id) = work.pop() {
            queued[id] = false;
            let mut entry = BitSet::new();
            live.walk_back(function, id, |index, before, _| {
                if index == 0 {
                    entry.clone_from(before);
                }
            });
            for from in &predecessors[id] {
                if live.out[*from].union_with(&entry) && !std::mem::replace(&mut queued[*from], true) {
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
        let mut before = self.out[id].clone();
        for index in (0..=block.insts.len()).rev() {
            let after = before.clone();
            if let Some(dst) = block.insts.get(index).and_then(|inst| inst.kind.dst()) {
                before.remove(dst.index());
            }
            block.for_each_expr_at(index, &mut |expr| {
                expr.for_each_reg(&mut |reg| _ = before.insert(reg.index()));
            });
            visit(index, &before, &after);
        }
    }
}
