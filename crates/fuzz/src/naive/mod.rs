//! The naive enumerator: every interleaving of every instruction, breadth first, every state kept whole.
//!
//! It is the oracle of the random tests.  It shares nothing with the interpreter, the reductions or the engines but the
//! data type of programs: where they agree with it, they do not agree by having the same mistake.

mod state;
mod step;
mod value;

pub use state::{Byte, Frame, Origin as Maker, State, Status, Storage, Thread, from_bytes};
pub use step::{Next, Successor, evaluate, places, successors};
pub use value::{Target, Value};

use ir::program::*;
use ir::validate;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::rc::Rc;

/// What the enumeration found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Safe,
    /// With one of the shortest executions that violate an assertion.
    Unsafe(Vec<Taken>),
    /// Safe but for executions that reach something not supported.
    Unsupported,
    /// Too many states, or something that is not modelled here.
    GaveUp(&'static str),
}

/// One step of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    pub handle: u32,
    pub input: Option<u128>,
    /// The freed block whose place a new one takes.
    pub place: Option<Target>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub verdict: Verdict,
    /// States seen.
    pub states: usize,
}

/// Decides a valid program, unless it has more states than `limit`.
pub fn check(program: &Program, limit: usize) -> Answer {
    search(program, limit, &mut ())
}

/// Someone who sees all states as they are found.
pub trait Observer {
    /// A state is about to be left.
    fn state(&mut self, _state: &State) {}
    /// A step of a thread leads from one state to another.
    fn step(&mut self, _before: &State, _handle: u32, _after: &State) {}
    /// A thread is about to check an assertion.
    fn assertion(&mut self, _frame: &Frame) -> Asserted {
        Asserted::Look
    }
}

/// What to do at an assertion.
pub enum Asserted {
    /// A violation if it is false.
    Look,
    /// Go on as if it held.
    Pass,
}

/// Nobody looks.
impl Observer for () {}

/// The enumeration, watched.
pub fn search(program: &Program, limit: usize, observer: &mut dyn Observer) -> Answer {
    debug_assert!(validate(program).is_empty());
    if program.handle_names != HandleNames::Lowest || program.block_names == ir::BlockNames::Kept {
        return Answer { verdict: Verdict::GaveUp("handles are used again"), states: 0 };
    }
    let mut search = Explorer::default();
    search.add(State::initial(program), None);
    let mut unsupported = false;
    while let Some(number) = search.queue.pop_front() {
        let state = Rc::clone(&search.states[number].0);
        observer.state(&state);
        for handle in state.threads.keys() {
            if let Some(passed) = pass_assertion(program, &state, *handle, observer) {
                let taken = Taken { handle: *handle, input: None, place: None };
                search.add(passed, Some(Origin { parent: number, taken }));
                continue;
            }
            let successors = match successors(program, &state, *handle) {
                Ok(successors) => successors,
                Err(why) => return search.answer(Verdict::GaveUp(why)),
            };
            for Successor { input, place, next } in successors {
                let origin = Origin { parent: number, taken: Taken { handle: *handle, input, place } };
                match next {
                    Next::State(next) => {
                        observer.step(&state, *handle, &next);
                        search.add(*next, Some(origin));
                    }
                    Next::Violated => return search.answer(Verdict::Unsafe(search.steps(origin))),
                    Next::Unsupported => unsupported = true,
                }
            }
            if search.states.len() > limit {
                return search.answer(Verdict::GaveUp("too many states"));
            }
        }
    }
    search.answer(if unsupported { Verdict::Unsupported } else { Verdict::Safe })
}

/// The state after an assertion that the observer lets pass.
fn pass_assertion(program: &Program, state: &State, handle: u32, observer: &mut dyn Observer) -> Option<State> {
    let frame = state.threads[&handle].frames.last()?;
    let is_assertion = matches!(frame.inst(program)?, InstKind::Assert { .. });
    if !is_assertion || state.atomic_owner().is_some_and(|owner| owner != handle) {
        return None;
    }
    match observer.assertion(frame) {
        Asserted::Look => None,
        Asserted::Pass => {
            let mut state = state.clone();
            state.threads.get_mut(&handle)?.frames.last_mut()?.inst += 1;
            Some(state)
        }
    }
}

/// Where a state came from.
#[derive(Clone, Copy)]
struct Origin {
    parent: usize,
    taken: Taken,
}

#[derive(Default)]
struct Explorer {
    states: Vec<(Rc<State>, Option<Origin>)>,
    known: FxHashSet<Rc<State>>,
    queue: VecDeque<usize>,
}

impl Explorer {
    fn add(&mut self, state: State, origin: Option<Origin>) {
        let state = Rc::new(state);
        if self.known.insert(Rc::clone(&state)) {
            self.queue.push_back(self.states.len());
            self.states.push((state, origin));
        }
    }

    fn answer(&self, verdict: Verdict) -> Answer {
        Answer { verdict, states: self.states.len() }
    }

    /// The execution that ends with a step from a known state.
    fn steps(&self, last: Origin) -> Vec<Taken> {
        let mut steps = vec![last.taken];
        let mut at = last.parent;
        while let Some(origin) = self.states[at].1 {
            steps.push(origin.taken);
            at = origin.parent;
        }
        steps.reverse();
        steps
    }
}
