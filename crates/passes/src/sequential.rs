//! Where the threads of a bounded program may be switched, for all who run it in rounds.

use crate::{ThreadId, Unfolded};
use base::IdVec;
use facts::Facts;
use ir::{BlockId, Function};

/// By thread, the places before which it may be stopped, in the order of the text: its start, and wherever the reduction says
/// that a switch must be considered.  An index as large as the number of instructions is the place before the terminator.
pub fn labels(unfolded: &Unfolded, facts: &Facts) -> IdVec<ThreadId, Vec<(BlockId, u32)>> {
    let of_thread = |thread: &crate::Instance| {
        let mut places = vec![(Function::ENTRY, 0)];
        for (block, data) in unfolded.program.functions[thread.func].blocks.iter() {
            for at in 0..=data.insts.len() {
                if facts.movers.is_switch(thread.func, block, at) && (block, at) != (Function::ENTRY, 0) {
                    places.push((block, at as u32));
                }
            }
        }
        places
    };
    unfolded.threads.values().map(of_thread).collect()
}
