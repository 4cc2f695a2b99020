//! Numbers of threads, in a program that asks for them.
//!
//! A thread of the unfolded program has its handle by where it is started, one of the original by when: after how many others.
//! These are the same where only the first thread starts others, and all ways to the start of one have started the same ones.  Elsewhere it
//! is not supported to start a thread.

use super::{ThreadId, Unfolded};
use base::{Id, IdVec};
use ir::{BlockId, Function, Inst, InstKind};

/// How many threads have been started: nothing where control does not come, or by different ways different numbers.
#[derive(Clone, Copy, PartialEq)]
enum Started {
    Nowhere,
    Exactly(usize),
    Unclear,
}

pub fn refuse_others(unfolded: &mut Unfolded) {
    for thread in unfolded.threads.ids() {
        let func = unfolded.threads[thread].func;
        let before = started(&unfolded.program.functions[func]);
        let mut refused = Vec::new();
        for (block, data) in unfolded.program.functions[func].blocks.iter() {
            let mut now = before[block];
            for (number, inst) in data.insts.iter().enumerate() {
                if !matches!(inst.kind, InstKind::Spawn { .. }) {
                    continue;
                }
                let child = inst.kind.direct_callee().and_then(|child| unfolded.thread_of(child));
                let in_order =
                    matches!((now, child), (Started::Exactly(count), Some(child)) if child.index() == count + 1);
                if thread != ThreadId::FIRST || !in_order {
                    refused.push((block, number));
                }
                now = after(now);
            }
        }
        // From the last to the first, so that the numbers stay right.
        for (block, number) in refused.into_iter().rev() {
            let what = "a thread that may get another handle, in a program that asks for the numbers of handles";
            let insts = &mut unfolded.program.functions[func].blocks[block].insts;
            let pos = insts[number].pos;
            insts.insert(number, Inst { kind: InstKind::Unsupported { what: what.into() }, pos });
            if let Some(origins) = unfolded.origins.get_mut(&func) {
                origins[block.index()].insert(number, None);
            }
        }
    }
}

fn after(before: Started) -> Started {
    match before {
        Started::Exactly(count) => Started::Exactly(count + 1),
        Started::Nowhere | Started::Unclear => before,
    }
}

/// By block.
fn started(function: &Function) -> IdVec<BlockId, Started> {
    let mut before = IdVec::filled(Started::Nowhere, function.blocks.len());
    before[Function::ENTRY] = Started::Exactly(0);
    let mut work = vec![Function::ENTRY];
    while let Some(block) = work.pop() {
        let data = &function.blocks[block];
        let spawns = data.insts.iter().filter(|inst| matches!(inst.kind, InstKind::Spawn { .. })).count();
        let now = (0..spawns).fold(before[block], |now, _| after(now));
        data.term.for_each_target(&mut |to| {
            let there = match before[to] {
                Started::Nowhere => now,
                same if same == now => same,
                _ => Started::Unclear,
            };
            if there != before[to] {
                before[to] = there;
                work.push(to);
            }
        });
    }
    before
}
