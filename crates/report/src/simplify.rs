//! Makes a counterexample easier to follow: fewer switches between threads, and no steps that do not matter.
//!
//! A search gives the first schedule it meets, which may jump between threads for no reason.  Here runs of threads are
//! left out or moved next to another run of the same thread, and whatever still ends in the same violation is kept.  The
//! interpreter is the only judge, so nothing can go wrong but that a trace stays as it was.

use claim::{Replay, Site, Trace, Unwatched, Violated, Violation, Watcher, replay};
use ir::interp::{Code, Machine, Pc, Stepped, Tid};

/// Instructions to spend on trying; a count, not a time, so that the same program gives the same trace.
const EFFORT: u64 = 4_000_000;

/// Some steps in a row of one thread, each with the inputs it asked for.
#[derive(Clone)]
struct Run {
    thread: Tid,
    steps: Vec<Vec<u128>>,
}

/// A violation of the same assertion that is no harder to follow.
pub fn simplify(code: &Code<'_>, violation: Violation) -> Violation {
    // Of the other kinds nobody can tell yet whether they are left when steps are.
    let Violated::Place(Site { pc, .. }) = violation.at else { return violation };
    let mut search = Simplifier { code, pc, effort: EFFORT };
    let mut scribe = Scribe::default();
    replay(code, &violation.trace, &mut scribe);
    let mut runs = scribe.runs;
    loop {
        let before = runs.len();
        search.leave_out(&mut runs);
        search.join(&mut runs);
        if runs.len() == before || search.effort == 0 {
            break;
        }
    }
    let trace = trace_of(&runs);
    // The claim that was confirmed is the old trace; the new one must stand by itself.
    match replay(code, &trace, &mut Unwatched) {
        Replay::Violated(site) => Violation { trace, at: Violated::Place(site) },
        Replay::Diverged(_) => violation,
    }
}

/// Notes which step asks for which inputs.
#[derive(Default)]
struct Scribe {
    runs: Vec<Run>,
}

impl Watcher for Scribe {
    fn before(&mut self, _: &Machine<'_>, _: Tid) {}
    fn after(&mut self, _: &Machine<'_>, thread: Tid, _: Pc, _: &Stepped, inputs: &[u128]) {
        push(&mut self.runs, thread, inputs.to_vec());
    }
}

fn push(runs: &mut Vec<Run>, thread: Tid, inputs: Vec<u128>) {
    match runs.last_mut() {
        Some(run) if run.thread == thread => run.steps.push(inputs),
        _ => runs.push(Run { thread, steps: vec![inputs] }),
    }
}

fn trace_of(runs: &[Run]) -> Trace {
    let mut trace = Trace::default();
    for run in runs {
        for inputs in &run.steps {
            trace.push(run.thread);
            trace.inputs.extend(inputs);
        }
    }
    trace
}

struct Simplifier<'c> {
    code: &'c Code<'c>,
    pc: Pc,
    effort: u64,
}

impl Simplifier<'_> {
    /// Follows the runs; if the violation is reached, returns them as they really went.
    fn attempt(&mut self, runs: &[Run]) -> Option<Vec<Run>> {
        let mut machine = Machine::new(self.code);
        let mut went: Vec<Run> = Vec::new();
        for run in runs {
            let thread = run.thread;
            for given in &run.steps {
                self.effort = self.effort.checked_sub(1)?;
                let may_move = thread < machine.thread_count()
                    && machine.is_running(thread)
                    && machine.atomic_owner().is_none_or(|owner| owner == thread);
                if !may_move {
                    return None;
                }
                let mut given = given.iter();
                let mut used = Vec::new();
                let pc = machine.pc(thread);
                let step = machine.step(thread, &mut |_| {
                    // A step may ask for other inputs than it did before; any value will do.
                    let value = given.next().copied().unwrap_or(0);
                    used.push(value);
                    value
                });
                push(&mut went, thread, used);
                match step {
                    Stepped::Done => (),
                    Stepped::Violated if pc == self.pc => return Some(went),
                    Stepped::Violated | Stepped::Blocked | Stepped::Ended(_) | Stepped::Unsupported(_) => return None,
                }
            }
        }
        None
    }

    /// Leaves out runs that the violation does not need, the latest first.
    fn leave_out(&mut self, runs: &mut Vec<Run>) {
        let mut index = runs.len();
        while index > 0 && self.effort > 0 {
            index -= 1;
            let mut fewer = runs.clone();
            fewer.remove(index);
            if let Some(went) = self.attempt(&fewer) {
                *runs = went;
                index = index.min(runs.len());
            }
        }
    }

    /// Moves a run next to another of the same thread, past what comes between.
    fn join(&mut self, runs: &mut Vec<Run>) {
        let mut index = 0;
        while index + 2 < runs.len() && self.effort > 0 {
            let thread = runs[index].thread;
            let next = (index + 2..runs.len()).find(|later| runs[*later].thread == thread);
            let better = next.and_then(|next| {
                let mut earlier = runs.clone();
                let moved = earlier.remove(next);
                earlier.insert(index + 1, moved);
                let mut later = runs.clone();
                let moved = later.remove(index);
                later.insert(next - 1, moved);
                [earlier, later]
                    .into_iter()
                    .find_map(|order| self.attempt(&order).filter(|went| went.len() < runs.len()))
            });
            match better {
                Some(went) => *runs = went,
                None => index += 1,
            }
        }
    }
}
