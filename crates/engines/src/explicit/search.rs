//! The depth-first search.

use super::Explicit;
use super::reduction::Tids;
use super::runner::{Run, RunEnd, Runner};
use super::shallow;
use crate::{Observer, Progress};
use base::Budget;
use claim::{ClosedStates, Followed, Outcome, Proof, Reason};
use facts::Facts;
use ir::interp::{Code, StateStore};

/// How many runs between two reports of progress.
const REPORT: u64 = 1 << 18;
/// How many states are looked at breadth first before the depth-first search begins.
const SHALLOW_STATES: usize = 20_000;

pub struct Search<'c> {
    runner: Runner<'c>,
    store: StateStore,
    /// For each state which threads are tried.
    followed: Vec<Followed>,
    /// For each state whether it is on the stack.
    on_stack: Vec<bool>,
    stack: Vec<Node>,
}

/// A state being expanded.
struct Node {
    state: u32,
    /// Threads still to be tried.
    todo: Tids,
    /// The next run of the thread being tried.
    current: Option<Run>,
    /// The run that led to the node above on the stack.
    taken: Option<Run>,
    /// No run could begin so far.
    refused: bool,
}

impl<'c> Search<'c> {
    pub fn new(code: &'c Code<'c>, facts: &'c Facts, config: &Explicit) -> Self {
        Search {
            runner: Runner::new(code, facts, config),
            store: StateStore::new(),
            followed: Vec::new(),
            on_stack: Vec::new(),
            stack: Vec::new(),
        }
    }

    pub fn run(mut self, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
        let found = match shallow::search(&mut self.runner, &mut self.store, SHALLOW_STATES, budget) {
            Some(trace) => Err(Outcome::Unsafe(trace)),
            None => {
                self.store = StateStore::new();
                self.search(budget, observer)
            }
        };
        observer.statistic("states", self.store.len() as u64);
        observer.statistic("runs", self.runner.runs);
        self.runner.report(observer);
        let Search { store, followed, runner, .. } = self;
        found.err().unwrap_or_else(|| {
            Outcome::Safe(Proof::ClosedStates(Box::new(ClosedStates { store, followed, patience: runner.patience })))
        })
    }

    /// Afterwards all states that matter are in the store, unless there is something else to say.
    fn search(&mut self, budget: &Budget, observer: &mut dyn Observer) -> Result<(), Outcome> {
        self.runner.machine = ir::interp::Machine::new(self.runner.code);
        let (first, _) = self.store.save(&mut self.runner.machine);
        self.push(first);
        while let Some(node) = self.stack.last_mut() {
            let Some(mut run) = node.current.take() else {
                match node.todo.pop() {
                    Some(thread) => node.current = Some(Run::new(thread)),
                    // The threads chosen cannot move after all.
                    None if node.refused => {
                        node.refused = false;
                        self.try_all(self.stack.len() - 1);
                    }
                    None => self.pop(),
                }
                continue;
            };
            let state = node.state;
            if self.runner.is_due() {
                budget.check()?;
            }
            if self.runner.runs.is_multiple_of(REPORT) {
                let detail = format!("depth {}", self.stack.len());
                observer.progress(&Progress { what: "states", count: self.store.len() as u64, detail });
            }
            let end = self.runner.run(&self.store, state, &mut run);
            let at = self.stack.len() - 1;
            self.stack[at].taken = Some(run.clone());
            self.stack[at].current = run.next();
            self.stack[at].refused &= end == RunEnd::Refused;
            match end {
                RunEnd::Violated => {
                    let runs: Vec<_> = self.stack.iter_mut().filter_map(|node| node.taken.take()).collect();
                    return Err(Outcome::Unsafe(self.runner.trace(runs)));
                }
                RunEnd::Stopped => {
                    let (state, new) = self.store.save(&mut self.runner.machine);
                    if new {
                        self.push(state);
                    } else if self.on_stack[state as usize] {
                        self.try_all(at);
                    }
                }
                RunEnd::Refused | RunEnd::Before(_) => (),
            }
        }
        let unsupported = self.runner.unsupported.take().map(|(what, pos)| Reason::Unsupported { what, pos });
        let reason = unsupported.or_else(|| self.runner.inputs.sampled.take().map(Reason::Inputs));
        reason.map_or(Ok(()), |reason| Err(Outcome::Unknown(reason)))
    }

    /// Puts a new state, which the machine is in, on the stack.
    fn push(&mut self, state: u32) {
        let (todo, followed) = self.runner.reduction.choose(&self.runner.machine);
        self.on_stack.push(true);
        self.followed.push(followed);
        debug_assert_eq!(self.followed.len(), state as usize + 1);
        self.stack.push(Node { state, todo, current: None, taken: None, refused: true });
    }

    fn pop(&mut self) {
        if let Some(node) = self.stack.pop() {
            self.on_stack[node.state as usize] = false;
        }
    }

    /// The cycle proviso: a run from this node led back to the stack, so every thread is tried here.
    fn try_all(&mut self, at: usize) {
        let state = self.stack[at].state;
        let Followed::Only(tried) = self.followed[state as usize] else { return };
        self.followed[state as usize] = Followed::All;
        self.store.load(state, &mut self.runner.machine);
        let machine = &self.runner.machine;
        for thread in 0..machine.thread_count() {
            let done = thread < 64 && tried & (1 << thread) != 0;
            if !done && machine.enabled(thread) {
                self.stack[at].todo.push(thread);
            }
        }
    }
}
