//! Where a thread may be stopped: before each step where the facts say that a switch must be considered.

use facts::{Facts, Point};
use ir::BlockId;
use passes::Unfolded;

/// By thread, the places in the order of the text; the first is where the thread starts.
pub fn labels(unfolded: &Unfolded, facts: &Facts) -> Vec<Vec<(BlockId, u32)>> {
    let of_thread = |thread: &passes::Instance| {
        let mut places = vec![(BlockId(0), 0)];
        for (block, data) in unfolded.program.functions[thread.func].blocks.iter() {
            for at in 0..=data.insts.len() {
                let start = block.0 == 0 && at == 0;
                let point = Point::new(thread.func, block, at);
                let inside = facts.atomic.surely_inside(point);
                if !start && !inside && facts.movers.is_switch(thread.func, block, at) {
                    places.push((block, at as u32));
                }
            }
        }
        places
    };
    unfolded.threads.iter().map(of_thread).collect()
}
