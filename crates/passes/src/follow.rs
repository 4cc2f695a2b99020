//! From an execution of the unfolded program to one of the original: steps the interpreter the way that goes.
//!
//! What an engine has found says which instructions of the unfolded threads are executed, in which order, and with which inputs.  Every
//! instruction that touches memory, another thread or an input has its counterpart in the original, in the same order; what
//! lies between them follows by itself.  So each thread is stepped from one such instruction to the next.
//! Instructions that unfolding has put in have no counterpart and are left out.

use crate::unfold::Reuse;
use crate::{ThreadId, Unfolded};
use base::Id;
use claim::Trace;
use facts::Point;
use ir::InstKind;
use ir::interp::{Code, End, Machine, Next, Open, Stepped};
use rustc_hash::FxHashMap;

/// One instruction of the solution.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    pub thread: ThreadId,
    /// It starts this thread.
    pub starts: Option<ThreadId>,
    /// What it reads, or its input.
    pub value: u128,
    pub kind: ActionKind,
    /// What it does with a freed block.
    pub place: Option<Reuse>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ActionKind {
    /// An instruction with a counterpart.
    Instruction,
    /// The thread returns.
    End,
    /// The assertion that fails.
    Violation,
}

/// No thread goes on alone for so long between two instructions of the solution.
const PATIENCE: u32 = 1_000_000;

/// Why the program does not go the way of a solution.
pub struct Astray {
    pub why: String,
    /// The execution ends in an error of memory: objects that live on in the unfolded program have died.
    pub died: bool,
}

impl<W: Into<String>> From<W> for Astray {
    fn from(why: W) -> Self {
        Astray { why: why.into(), died: false }
    }
}

/// The execution, or why the program does not go that way.
pub fn follow(code: &Code<'_>, actions: &[Action]) -> Result<Trace, Astray> {
    let mut machine = Machine::new(code);
    let mut trace = Trace::default();
    // By thread of the unfolded program, its number here.
    let mut number = vec![Some(0)];
    let mut freed: FxHashMap<usize, u64> = FxHashMap::default();
    for action in actions {
        let thread = number.get(action.thread.index()).copied().flatten();
        let thread = thread.ok_or_else(|| format!("thread {} has not been started", action.thread.0))?;
        let mut patience = PATIENCE;
        loop {
            patience = patience.checked_sub(1).ok_or("a thread does not come to its next step")?;
            if !machine.is_running(thread) {
                return Err(format!("thread {thread} has ended").into());
            }
            let pc = machine.pc(thread);
            // Is the instruction one that a solution lists?
            let counts = code.inst(pc).is_some_and(|inst| is_listed(&inst.kind));
            let before: Vec<bool> = (0..machine.thread_count()).map(|tid| machine.is_running(tid)).collect();
            // The blocks have other names here.  One that is not among the places has no pointer left to it: a new name will do.
            let mut place = 0;
            if let Some(Reuse::Freed(number)) = action.place
                && let Next::Free { address: address @ 1.. } = machine.next(thread)
            {
                freed.insert(number, address);
            }
            if let Some(Reuse::Taken(number)) = action.place {
                let places = machine.places(thread);
                let found = places.iter().position(|place| freed.get(&number) == Some(place));
                place = found.map_or(0, |found| found as u128 + 1);
            }
            trace.push(thread);
            let mut inputs = Vec::new();
            let step = machine.step(thread, &mut |choice| {
                let value = match choice.what {
                    Open::Place(_) => place,
                    // Threads of the unfolded program have handles of their own.
                    Open::Handle(_) => 0,
                    Open::Input | Open::Uninit => ir::mask(action.value, choice.bits),
                };
                inputs.push(value);
                value
            });
            trace.inputs.extend(inputs);
            match (step, action.kind) {
                // An earlier violation is as good, and the solution need not have seen it.
                (Stepped::Violated, _) => return Ok(trace),
                (Stepped::Done, ActionKind::Violation) if counts => return Err("the assertion is not reached".into()),
                (Stepped::Done, ActionKind::End) if !machine.is_running(thread) => break,
                (Stepped::Done, ActionKind::End) if counts => return Err("a thread does not end".into()),
                (Stepped::Done, ActionKind::Instruction) if counts => {
                    if let Some(child) = action.starts {
                        let is_new = |tid: &usize| machine.is_running(*tid) && before.get(*tid) != Some(&true);
                        let started = (0..machine.thread_count()).find(is_new);
                        number.resize(number.len().max(child.index() + 1), None);
                        number[child.index()] = started;
                    }
                    break;
                }
                (Stepped::Done, _) => (),
                (Stepped::Blocked, _) => return Err(format!("thread {thread} is blocked").into()),
                (Stepped::Ended(end), _) => {
                    let died = matches!(end, End::Memory(_));
                    let how = end.describe().map_or_else(|| format!("{end:?}"), str::to_string);
                    return Err(Astray { why: format!("the execution ends: {how}"), died });
                }
                (Stepped::Unsupported(what), _) => return Err(format!("{what} is not supported").into()),
            }
        }
    }
    Err("no assertion fails".into())
}

/// Instructions that unfolding keeps one for one, and that solutions list.
pub fn is_listed(kind: &InstKind) -> bool {
    use InstKind::*;
    !matches!(kind, Assign { .. } | Assume { .. } | Assert { .. } | Call { .. } | Unsupported { .. })
}

impl Action {
    /// What an instruction of the unfolded program is to the interpreter; `None` if the pass has put it in.
    pub fn new(unfolded: &Unfolded, thread: ThreadId, point: Point, violation: bool, value: u128) -> Option<Self> {
        let inst = unfolded.program.inst(point);
        if inst.is_some() && unfolded.origin(point).is_none() {
            return None;
        }
        let kind = match inst {
            None => ActionKind::End,
            Some(_) if violation => ActionKind::Violation,
            Some(_) => ActionKind::Instruction,
        };
        let spawn = inst.filter(|inst| matches!(inst.kind, InstKind::Spawn { .. }));
        let started = spawn.and_then(|inst| inst.kind.direct_callee());
        let starts = started.and_then(|func| unfolded.thread_of(func));
        Some(Action { thread, starts, value, kind, place: unfolded.reuses.get(&point).copied() })
    }
}
