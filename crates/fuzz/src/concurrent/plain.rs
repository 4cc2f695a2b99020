//! A search over the interpreter's states without any reduction: what the engines would be if they did nothing clever.
//!
//! Between the naive enumerator and the engines it tells whose mistake a disagreement is: the interpreter's, if this
//! search agrees with the engines, or the engines'.

use crate::naive;
use ir::interp::{Code, Machine, Open, StateStore, Stepped};
use ir::program::Program;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Safe,
    Unsafe,
    Unknown,
}

impl Verdict {
    /// What the enumerator says; `None` if it gives up.
    pub fn known(of: &naive::Verdict) -> Option<Verdict> {
        match of {
            naive::Verdict::Safe => Some(Verdict::Safe),
            naive::Verdict::Unsafe(_) => Some(Verdict::Unsafe),
            naive::Verdict::Unsupported => Some(Verdict::Unknown),
            naive::Verdict::GaveUp(_) => None,
        }
    }
}

/// The verdict, and how many states were seen.
pub fn check(program: &Program, limit: usize) -> (Verdict, usize) {
    search(program, limit, |_, _| false)
}

/// `Unknown` if there is too much to look at.  After a step, `goes_on` says whether the thread must go on before another may
/// move.
pub(super) fn search(
    program: &Program,
    limit: usize,
    goes_on: impl Fn(&Machine<'_>, usize) -> bool,
) -> (Verdict, usize) {
    let code = Code::new(program);
    let mut machine = Machine::new(&code);
    let mut store = StateStore::new();
    let mut seen: FxHashSet<(u32, Option<usize>)> = FxHashSet::default();
    // What is near comes first: some programs have no end of states.
    let mut work = VecDeque::from([(store.save(&mut machine).0, None)]);
    let mut unsupported = false;
    while let Some((state, busy)) = work.pop_front() {
        if !seen.insert((state, busy)) {
            continue;
        }
        if seen.len() > limit {
            return (Verdict::Unknown, store.len());
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
                    Some(Stepped::Violated) => return (Verdict::Unsafe, store.len()),
                    Some(Stepped::Done) => {
                        let busy = goes_on(&machine, thread).then_some(thread);
                        work.push_back((store.save(&mut machine).0, busy));
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
    (if unsupported { Verdict::Unknown } else { Verdict::Safe }, store.len())
}

/// An input: its value and how many it can have; `None` if they are too many to be enumerated.
type Chosen = (u128, Option<u128>);

/// Takes a step with these inputs; those it asks for beyond them are 0.  `None` if one is too wide to be enumerated.
fn step(machine: &mut Machine<'_>, thread: usize, inputs: &mut Vec<Chosen>) -> Option<Stepped> {
    let mut asked = 0;
    let step = machine.step(thread, &mut |choice| {
        if asked == inputs.len() {
            let count = match choice.what {
                Open::Place(count) | Open::Handle(count) => Some(u128::from(count) + 1),
                Open::Input | Open::Uninit => (choice.bits <= 8).then(|| 1 << choice.bits),
            };
            inputs.push((0, count));
        }
        asked += 1;
        inputs[asked - 1].0
    });
    inputs.iter().all(|(_, count)| count.is_some()).then_some(step)
}

/// The next combination of inputs; false after the last.
fn next(inputs: &mut Vec<Chosen>) -> bool {
    while let Some((value, count)) = inputs.pop() {
        if count.is_some_and(|count| value + 1 < count) {
            inputs.push((value + 1, count));
            return true;
        }
    }
    false
}
