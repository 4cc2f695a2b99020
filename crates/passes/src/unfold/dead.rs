//! Takes out what the walk leaves behind: assignments whose value nobody reads, since constants have been put in where they are
//! used, and jumps from one block to another that only it leads to.

use super::Unfolded;
use base::{BitSet, Id, IdVec};
use ir::{Block, BlockId, Function, InstKind, Term};
use rustc_hash::FxHashMap;

pub fn remove(unfolded: &mut Unfolded) {
    remove_assignments(unfolded);
    merge_blocks(unfolded);
}

/// Puts blocks together where control can only go from the one to the other.
fn merge_blocks(unfolded: &mut Unfolded) {
    let mut new_starts = FxHashMap::default();
    for thread in unfolded.threads.values() {
        let function = &mut unfolded.program.functions[thread.func];
        let Some(origins) = unfolded.origins.get_mut(&thread.func) else { continue };
        let count = function.blocks.len();
        let mut ways = IdVec::filled(0u32, count);
        function.blocks.values().for_each(|block| block.term.for_each_target(&mut |to| ways[to] += 1));
        let is_cut: BitSet =
            unfolded.cuts.iter().filter(|cut| cut.func == thread.func).map(|cut| cut.block.index()).collect();
        // Where the instructions of each block go: into the block they follow, if that is possible.
        let mut into: IdVec<BlockId, BlockId> = function.blocks.ids().collect();
        for (id, block) in function.blocks.iter() {
            // An edge back leads to a block that has another way in.
            if let Term::Jump(to) = block.term
                && id < to
                && ways[to] == 1
                && !is_cut.contains(to.index())
            {
                into[to] = into[id];
            }
        }
        let mut number = IdVec::filled(BlockId(0), count);
        let mut blocks: IdVec<BlockId, Block> = IdVec::new();
        let mut places: Vec<Vec<super::Origin>> = Vec::new();
        let old_blocks = std::mem::take(&mut function.blocks);
        // A block comes after the one it is put into, and blocks of one chain in order.
        for ((old, block), origin) in old_blocks.ids().zip(old_blocks.into_values()).zip(std::mem::take(origins)) {
            if into[old] == old {
                number[old] = blocks.push(Block { name: format!("b{}", blocks.len()), ..block });
                places.push(origin);
                let start = unfolded.starts.get(&(thread.func, old));
                new_starts.extend(start.map(|start| ((thread.func, number[old]), *start)));
            } else {
                let target = number[into[old]];
                let chain = &mut blocks[target];
                chain.insts.extend(block.insts);
                (chain.term, chain.term_pos) = (block.term, block.term_pos);
                places[target.index()].pop();
                places[target.index()].extend(origin);
            }
        }
        for (_, block) in blocks.iter_mut() {
            block.term.for_each_target_mut(&mut |to| *to = number[*to]);
        }
        function.blocks = blocks;
        *origins = places;
        for cut in unfolded.cuts.iter_mut().filter(|cut| cut.func == thread.func) {
            cut.block = number[cut.block];
        }
    }
    unfolded.starts = new_starts;
}

fn remove_assignments(unfolded: &mut Unfolded) {
    for thread in unfolded.threads.values() {
        let function = &mut unfolded.program.functions[thread.func];
        let Some(origins) = unfolded.origins.get_mut(&thread.func) else { continue };
        let live_in = live(function);
        for (id, block) in function.blocks.iter_mut() {
            let needed = live_before(block, &live_in).1;
            let mut next = needed.iter();
            block.insts.retain(|_| next.next() != Some(&false));
            // The terminator, which comes last, has one too.
            let mut next = needed.iter();
            origins[id.index()].retain(|_| next.next() != Some(&false));
        }
    }
}

/// The registers whose value at the start of each block somebody reads; to compute a value that nobody reads is no reading.
/// So the least solution is taken: a register that a loop only counts up is not live.
fn live(function: &Function) -> Vec<BitSet> {
    let mut live_in: Vec<BitSet> = vec![BitSet::new(); function.blocks.len()];
    // Only edges back, which lead to a block that is not done yet, can make going through them once more necessary.
    let mut again = true;
    while std::mem::take(&mut again) {
        let mut changed = BitSet::new();
        for (id, block) in function.blocks.iter().rev() {
            let live = live_before(block, &live_in).0;
            if live_in[id.index()].union_with(&live) {
                changed.insert(id.index());
            }
        }
        for (id, block) in function.blocks.iter() {
            block.term.for_each_target(&mut |to| again |= to <= id && changed.contains(to.index()));
        }
    }
    live_in
}

/// The registers live at the start of a block, and which of its instructions are needed.
fn live_before(block: &Block, live_in: &[BitSet]) -> (BitSet, Vec<bool>) {
    let mut live = BitSet::new();
    block.term.for_each_target(&mut |to| _ = live.union_with(&live_in[to.index()]));
    block.term.for_each_expr(&mut |expr| expr.for_each_reg(&mut |reg| _ = live.insert(reg.index())));
    let mut keep = vec![true; block.insts.len()];
    for (i, inst) in block.insts.iter().enumerate().rev() {
        if let Some(dst) = inst.kind.dst() {
            let dead = !live.contains(dst.index());
            if let (InstKind::Assign { value, .. }, true) = (&inst.kind, dead)
                && !value.can_fault()
            {
                keep[i] = false;
                continue;
            }
            live.remove(dst.index());
        }
        inst.kind.for_each_expr(&mut |expr| expr.for_each_reg(&mut |reg| _ = live.insert(reg.index())));
    }
    (live, keep)
}
