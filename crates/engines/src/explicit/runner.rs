//! Runs of one thread: the edges of the state graph, for whichever search walks it.

use super::Config;
use super::inputs::{Inputs, Script};
use super::reduction::Reduction;
use crate::Observer;
use base::Pos;
use facts::Facts;
use ir::Trace;
use ir::interp::{Code, End, Machine, Step, Tid};
use rustc_hash::FxHashSet;

/// The longest atomic section, in instructions.
const ATOMIC_LIMIT: u32 = 10_000_000;

pub struct Runner<'c> {
    pub code: &'c Code<'c>,
    pub reduction: Reduction<'c>,
    pub machine: Machine<'c>,
    pub patience: u32,
    inputs: Inputs<'c>,
    /// The first thing met that cannot be interpreted.
    pub unsupported: Option<(String, Pos)>,
    /// Ends of executions that speak of a defect of the program.
    pub ends: FxHashSet<(Pos, &'static str)>,
}

/// How a run of one thread ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// At a state to be kept.
    Stopped,
    Violated,
    /// No execution goes on from here.
    Pruned,
}

impl<'c> Runner<'c> {
    pub fn new(code: &'c Code<'c>, facts: &'c Facts, config: &Config) -> Self {
        Runner {
            code,
            reduction: Reduction::new(code, facts, config.reduce),
            machine: Machine::new(code),
            patience: config.patience,
            inputs: Inputs::new(code, facts),
            unsupported: None,
            ends: FxHashSet::default(),
        }
    }

    /// Runs a thread from the machine's state to the next one that is to be kept.
    pub fn run(&mut self, thread: Tid, script: &mut Script) -> RunEnd {
        self.run_recorded(thread, script, None)
    }

    /// The same, writing the steps to a trace.
    fn run_recorded(&mut self, thread: Tid, script: &mut Script, mut trace: Option<&mut Trace>) -> RunEnd {
        let mut steps = 0;
        script.rewind();
        loop {
            let pc = self.machine.pc(thread);
            let inputs = &mut self.inputs;
            let step = self.machine.step(thread, &mut |choice| {
                let value = script.choose(inputs.domain(choice));
                if let Some(trace) = &mut trace {
                    trace.inputs.push(value);
                }
                value
            });
            if let Some(trace) = &mut trace {
                trace.push(thread);
            }
            steps += 1;
            match step {
                Step::Done => (),
                Step::Violated => return RunEnd::Violated,
                // Only inside an atomic section: elsewhere a thread is asked before it moves.
                Step::Blocked => return RunEnd::Pruned,
                Step::Ended(end) => {
                    self.note_end(pc, end);
                    return RunEnd::Pruned;
                }
                Step::Unsupported(what) => {
                    let pos = self.code.pos(pc);
                    self.unsupported.get_or_insert((what, pos));
                    return RunEnd::Pruned;
                }
            }
            if !self.machine.is_running(thread) {
                return RunEnd::Stopped;
            }
            if self.machine.in_atomic(thread) {
                if steps > ATOMIC_LIMIT {
                    let pos = self.code.pos(pc);
                    self.unsupported.get_or_insert(("an atomic section that does not end".into(), pos));
                    return RunEnd::Pruned;
                }
                continue;
            }
            if steps >= self.patience || !self.reduction.runs_on(&self.machine, thread) || !self.machine.enabled(thread)
            {
                return RunEnd::Stopped;
            }
        }
    }

    fn note_end(&mut self, pc: u32, end: End) {
        if let Some(text) = end.describe() {
            self.ends.insert((self.code.pos(pc), text));
        }
    }

    /// The execution made of these runs from the initial state, instruction by instruction.
    pub fn trace(&mut self, runs: impl IntoIterator<Item = (Tid, Script)>) -> Trace {
        let mut trace = Trace::default();
        self.machine = Machine::new(self.code);
        for (thread, mut script) in runs {
            self.run_recorded(thread, &mut script, Some(&mut trace));
        }
        trace
    }

    /// Where values were only sampled, in words for the user.
    pub fn sampled(&self) -> Option<String> {
        self.inputs.sampled()
    }

    /// Tells the observer what the runs have met.
    pub fn report(&self, observer: &mut dyn Observer) {
        let mut ends: Vec<_> = self.ends.iter().collect();
        ends.sort();
        for (pos, text) in ends {
            observer.note(*pos, text);
        }
    }
}
