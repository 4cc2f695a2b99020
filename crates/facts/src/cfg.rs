//! Control flow: program points, and per function the predecessors, a reverse postorder and the loops.
//!
//! A *point* is the place before an instruction; the point before a block's terminator has the index `insts.len()`.
//! Points are numbered densely over the whole program, so that facts about points are flat tables.
//!
//! A block is *reachable* when a path of jumps leads to it from the function's entry; conditions are not looked at, so the
//! answer is never too small.  A *loop* is a strongly connected component with a cycle; its *heads* are the targets of edges
//! that go backward in the reverse postorder.  Each cycle contains a head, also in irreducible graphs.

use base::graph::{self, Components};
use base::{Id, IdVec};
use ir::{BlockId, Function};
pub use ir::{Point, Points};

/// The control flow of one function.
#[derive(Clone, Debug)]
pub struct Cfg {
    pub successors: IdVec<BlockId, Vec<BlockId>>,
    /// Each predecessor once per block, reachable ones only.
    pub predecessors: IdVec<BlockId, Vec<BlockId>>,
    /// The reachable blocks, each before its successors as far as there is no loop.
    pub order: Vec<BlockId>,
    /// The place of each block in `order`; `None` for unreachable ones.
    pub rank: IdVec<BlockId, Option<u32>>,
    /// Components of the graph of blocks.
    pub components: Components,
    /// Targets of edges that go backward in `order`.
    pub heads: IdVec<BlockId, bool>,
}

impl Cfg {
    pub fn new(function: &Function) -> Self {
        let n = function.blocks.len();
        let mut successors: IdVec<BlockId, Vec<BlockId>> = IdVec::filled(Vec::new(), n);
        for (id, block) in function.blocks.iter() {
            let out = &mut successors[id];
            block.term.for_each_target(&mut |to| {
                if !out.contains(&to) {
                    out.push(to);
                }
            });
        }
        let order = graph::reverse_postorder(Function::ENTRY, &successors);
        let rank = graph::ranks(&order, n);
        let mut predecessors: IdVec<BlockId, Vec<BlockId>> = IdVec::filled(Vec::new(), n);
        let mut heads = IdVec::filled(false, n);
        for block in &order {
            for to in &successors[*block] {
                predecessors[*to].push(*block);
                if rank[*to] <= rank[*block] {
                    heads[*to] = true;
                }
            }
        }
        let numbers: Vec<Vec<u32>> = successors.values().map(|out| out.iter().map(|to| to.0).collect()).collect();
        Cfg { successors, predecessors, order, rank, components: Components::of_graph(&numbers), heads }
    }

    pub fn reachable(&self, block: BlockId) -> bool {
        self.rank[block].is_some()
    }

    /// May control come back to the block within the same activation?
    pub fn in_loop(&self, block: BlockId) -> bool {
        self.components.on_cycle(block.index())
    }

    /// Immediate dominators of the reachable blocks; the entry is its own.
    pub fn dominators(&self) -> IdVec<BlockId, Option<BlockId>> {
        graph::dominators(&self.order, &self.predecessors)
    }
}
