//! A search over the interpreter's states without any reduction: what the engines would be if they did nothing clever.
//!
//! Between the naive enumerator and the engines it tells whose mistake a disagreement is: the interpreter's, if this
//! search agrees with the engines, or the engines'.

use ir::interp::{Code, Machine, StateStore, Step};
use ir::program::Program;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Safe,
    Unsafe,
    Unknown,
}

pub fn check(program: &Program, limit: usize) -> (Verdict, usize) {
    let code = Code::new(program);
    let mut machine = Machine::new(&code);
    let mut store = StateStore::new();
    let mut work = vec![store.save(&mut machine).0];
    let mut unsupported = false;
    while let Some(state) = work.pop() {
        if store.len() > limit {
            return (Verdict::Unknown, store.len());
        }
        store.load(state, &mut machine);
        for thread in 0..machine.thread_count() {
            let mut inputs = Vec::new();
            loop {
                store.load(state, &mut machine);
                let others = machine.atomic_owner().is_some_and(|owner| owner != thread);
                if others || !machine.is_running(thread) {
                    break;
                }
                match step(&mut machine, thread, &mut inputs) {
                    Some(Step::Violated) => return (Verdict::Unsafe, store.len()),
                    Some(Step::Done) => {
                        let (number, new) = store.save(&mut machine);
                        if new {
                            work.push(number);
                        }
                    }
                    Some(Step::Blocked | Step::Ended(_)) => (),
                    Some(Step::Unsupported(_)) | None => unsupported = true,
                }
                if !next(&mut inputs) {
                    break;
                }
            }
        }
    }
    (if unsupported { Verdict::Unknown } else { Verdict::Safe }, store.len())
}

/// An input: its value and how many bits it has.
pub(super) type Chosen = (u128, u32);

/// Takes a step with these inputs; those it asks for beyond them are 0.  Nothing if one is too wide to be enumerated.
pub(super) fn step(machine: &mut Machine<'_>, thread: usize, inputs: &mut Vec<Chosen>) -> Option<Step> {
    let mut asked = 0;
    let step = machine.step(thread, &mut |choice| {
        if asked == inputs.len() {
            inputs.push((0, choice.bits));
        }
        asked += 1;
        inputs[asked - 1].0
    });
    inputs.iter().all(|(_, bits)| *bits <= 8).then_some(step)
}

/// The next combination of inputs; false after the last.
pub(super) fn next(inputs: &mut Vec<Chosen>) -> bool {
    while let Some((value, bits)) = inputs.pop() {
        if bits <= 8 && value + 1 < 1 << bits {
            inputs.push((value + 1, bits));
            return true;
        }
    }
    false
}
