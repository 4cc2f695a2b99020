//! Numbers of threads, in a program that asks for them.
//!
//! A thread of the unfolded program has its handle by where it is started, one of the original by when: after how many others.
//! These are the same where only the first thread starts others, and all ways to the start of one have started the same ones.  Elsewhere it
//! is not supported to start a thread.

use super::{ThreadId, Unfolded};
use base::{Id, IdVec};
use ir::{BlockId, Function, Inst, InstKind};

/// How many threads have been started: nothing where control does not come; no number if by different ways different ones.
type Started = Option<Option<usize>>;

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
                let in_order = now.flatten().zip(child).is_some_and(|(count, child)| child.index() == count + 1);
                if thread != ThreadId::FIRST || !in_order {
                    refused.push((block, number));
                }
                now = now.map(|count| count.map(|count| count + 1));
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

/// By block.
fn started(function: &Function) -> IdVec<BlockId, Started> {
    let mut before: IdVec<BlockId, Started> = IdVec::filled(None, function.blocks.len());
    before[Function::ENTRY] = Some(Some(0));
    let mut work = vec![Function::ENTRY];
    while let Some(block) = work.pop() {
        let data = &function.blocks[block];
        let spawns = data.insts.iter().filter(|inst| matches!(inst.kind, InstKind::Spawn { .. })).count();
        let now = before[block].map(|count| count.map(|count| count + spawns));
        data.term.for_each_target(&mut |to| {
            let there = if before[to].is_none() || before[to] == now { now } else { Some(None) };
            if there != before[to] {
                before[to] = there;
                work.push(to);
            }
        });
    }
    before
}
