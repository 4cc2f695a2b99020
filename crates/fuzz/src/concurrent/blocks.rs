//! A search that switches threads only where `facts::movers` says a switch must be considered.
//!
//! A thread that has begun a block goes on until the next such place.  One that cannot go on within a block has no step that
//! matters here: its block moves to the right, past everything, and does not happen.  If a violation is lost by that, a step
//! was called a mover that is none, or a switch is missing.

use super::plain::{Verdict, next, step};
use facts::Facts;
use ir::interp::{Code, Machine, StateStore, Stepped};
use ir::program::Program;
use std::collections::HashSet;

/// `Safe` or `Unsafe`; `Unknown` if there is too much to look at.
pub fn check(program: &Program, limit: usize) -> Verdict {
    let facts = Facts::compute(program);
    let code = Code::new(program);
    let mut machine = Machine::new(&code);
    let mut store = StateStore::new();
    let mut seen: HashSet<(u32, Option<usize>)> = HashSet::new();
    let mut work = vec![(store.save(&mut machine).0, None)];
    let mut unsupported = false;
    while let Some((state, busy)) = work.pop() {
        if !seen.insert((state, busy)) {
            continue;
        }
        if seen.len() > limit {
            return Verdict::Unknown;
        }
        store.load(state, &mut machine);
        let threads = match busy {
            Some(thread) => thread..thread + 1,
            None => 0..machine.thread_count(),
        };
        for thread in threads {
            let mut inputs = Vec::new();
            loop {
                store.load(state, &mut machine);
                let others = machine.atomic_owner().is_some_and(|owner| owner != thread);
                if others || !machine.is_running(thread) {
                    break;
                }
                match step(&mut machine, thread, &mut inputs) {
                    Some(Stepped::Violated) => return Verdict::Unsafe,
                    Some(Stepped::Done) => {
                        let inside = in_block(&machine, &facts, thread);
                        work.push((store.save(&mut machine).0, inside.then_some(thread)));
                    }
                    Some(Stepped::Blocked | Stepped::Ended(_)) => (),
                    Some(Stepped::Unsupported(_)) | None => unsupported = true,
                }
                if !next(&mut inputs) {
                    break;
                }
            }
        }
    }
    if unsupported { Verdict::Unknown } else { Verdict::Safe }
}

/// Must the thread go on before another may move?
fn in_block(machine: &Machine<'_>, facts: &Facts, thread: usize) -> bool {
    if thread >= machine.thread_count() || !machine.is_running(thread) {
        return false;
    }
    let at = machine.code.points[machine.pc(thread) as usize];
    !facts.movers.is_switch(at.func, at.block, at.inst as usize)
}
