//! Atomic sections: no label may be inside one, for there the thread cannot be stopped.

use base::IdVec;
use ir::{BlockId, Function};

/// A label at which the thread may be inside an atomic section, if there is one.  That happens only where a section is open
/// on some of the ways to a place and not on others.
pub fn label_inside(function: &Function, labels: &[(BlockId, u32)]) -> Option<(BlockId, u32)> {
    let mut deepest: IdVec<BlockId, u32> = IdVec::filled(0, function.blocks.len());
    let mut labels = labels.iter().peekable();
    // Blocks stand in topological order: what leads to a block has been seen before it.
    for (id, block) in function.blocks.iter() {
        let mut depth = deepest[id];
        for at in 0..=block.insts.len() {
            if let Some(label) = labels.next_if(|label| **label == (id, at as u32))
                && depth > 0
            {
                return Some(*label);
            }
            if let Some(inst) = block.insts.get(at) {
                depth = depth.saturating_add_signed(inst.kind.nesting());
            }
        }
        block.term.for_each_target(&mut |to| deepest[to] = deepest[to].max(depth));
    }
    None
}
