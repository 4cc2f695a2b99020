//! Runs a program along a recorded execution.

use crate::{Site, Trace};
use ir::interp::{Code, Machine, Stepped, Tid};

/// What came of a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replay {
    /// The last step violates the assertion there.
    Violated(Site),
    /// The execution does not go the way the trace says, or does not end in a violation; the text says where.
    Diverged(String),
}

/// Someone who watches a replay: told before and after each instruction.
pub trait Watcher {
    fn before(&mut self, machine: &Machine<'_>, thread: Tid);
    /// `inputs` are the values chosen by this instruction.
    fn after(&mut self, machine: &Machine<'_>, thread: Tid, pc: u32, step: &Stepped, inputs: &[u128]);
}

/// A watcher who looks away.
pub struct Unwatched;

impl Watcher for Unwatched {
    fn before(&mut self, _: &Machine<'_>, _: Tid) {}
    fn after(&mut self, _: &Machine<'_>, _: Tid, _: u32, _: &Stepped, _: &[u128]) {}
}

/// Steps `trace` through the interpreter.
pub fn replay(code: &Code<'_>, trace: &Trace, watcher: &mut dyn Watcher) -> Replay {
    let mut machine = Machine::new(code);
    let mut inputs = trace.inputs.iter();
    let total = trace.len();
    let mut done = 0;
    for run in &trace.runs {
        let thread = run.thread as Tid;
        for _ in 0..run.steps {
            done += 1;
            let at = || format!("at step {done} of {total}");
            if thread >= machine.thread_count() || !machine.is_running(thread) {
                return Replay::Diverged(format!("thread {thread} is not running {}", at()));
            }
            if machine.atomic_owner().is_some_and(|owner| owner != thread) {
                return Replay::Diverged(format!("thread {thread} moves during another's atomic section {}", at()));
            }
            let pc = machine.pc(thread);
            watcher.before(&machine, thread);
            let mut chosen = Vec::new();
            let mut short = false;
            let step = machine.step(thread, &mut |_| match inputs.next() {
                Some(value) => {
                    chosen.push(*value);
                    *value
                }
                None => {
                    short = true;
                    0
                }
            });
            watcher.after(&machine, thread, pc, &step, &chosen);
            if short {
                return Replay::Diverged(format!("the trace has too few inputs {}", at()));
            }
            match step {
                Stepped::Done => (),
                Stepped::Violated if done == total => return Replay::Violated(Site { thread, pc }),
                Stepped::Violated => return Replay::Diverged(format!("a violation comes early, {}", at())),
                Stepped::Blocked => return Replay::Diverged(format!("thread {thread} is blocked {}", at())),
                Stepped::Ended(_) => return Replay::Diverged(format!("the execution ends {}", at())),
                Stepped::Unsupported(what) => return Replay::Diverged(format!("{what} is not supported {}", at())),
            }
        }
    }
    Replay::Diverged("the trace ends without a violation".into())
}
