//! Runs of one thread: the edges of the state graph, for whichever search walks it.

use super::Explicit;
use super::inputs::{Inputs, Script};
use super::reduction::Reduction;
use crate::Observer;
use base::Pos;
use claim::{MOST_COMBINATIONS, Trace};
use facts::Facts;
use ir::interp::{Code, Machine, StateStore, Stepped, Tid};
use rustc_hash::FxHashSet;

/// How much work between two looks at the clock: about a millisecond.
const BREATH: u64 = 20_000;
/// The longest atomic section, in instructions.
const ATOMIC_LIMIT: u32 = 100_000;

pub struct Runner<'c> {
    pub code: &'c Code<'c>,
    pub reduction: Reduction<'c>,
    pub machine: Machine<'c>,
    pub patience: u32,
    pub inputs: Inputs<'c>,
    /// How many runs there were.
    pub runs: u64,
    /// The first thing met that cannot be interpreted.
    pub unsupported: Option<(String, Pos)>,
    /// Ends of executions that speak of a defect of the program.
    pub ends: FxHashSet<(Pos, &'static str)>,
    /// Work done since the clock was last looked at, about as many instructions.
    effort: u64,
}

/// An edge of the state graph: a run of one thread.
#[derive(Clone)]
pub struct Run {
    pub thread: Tid,
    pub script: Script,
    /// Stop after so many steps: the run ends before an atomic section that cannot be completed.
    most: u32,
}

impl Run {
    pub fn new(thread: Tid) -> Self {
        Run { thread, script: Script::default(), most: u32::MAX }
    }
    /// The run of the same thread with the next choice of inputs, if there is one.
    pub fn next(self) -> Option<Run> {
        Some(Run { script: self.script.next()?, most: u32::MAX, ..self })
    }
}

/// How a run of one thread ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// At a state to be kept.
    Stopped,
    Violated,
    /// It cannot begin: it starts with an atomic section that cannot be completed.
    Refused,
    /// Before an atomic section that cannot be completed, after so many steps.
    Before(u32),
}

impl<'c> Runner<'c> {
    pub fn new(code: &'c Code<'c>, facts: &'c Facts, config: &Explicit) -> Self {
        Runner {
            code,
            reduction: Reduction::new(code, facts, config.reduce),
            machine: Machine::new(code),
            patience: config.patience,
            inputs: Inputs::new(code, facts),
            runs: 0,
            unsupported: None,
            ends: FxHashSet::default(),
            effort: 0,
        }
    }

    /// Runs a thread from a stored state to the next one that is to be kept.
    pub fn run(&mut self, store: &StateStore, state: u32, run: &mut Run) -> RunEnd {
        self.runs += 1;
        self.effort += 40 + store.parts_of(state) as u64;
        store.load(state, &mut self.machine);
        match self.walk(run, None) {
            RunEnd::Before(steps) => {
                run.most = steps;
                store.load(state, &mut self.machine);
                self.walk(run, None)
            }
            end => end,
        }
    }

    /// Is it time to look at the clock?  Runs are counted by what they cost: some states are large, some runs long.
    pub fn is_due(&mut self) -> bool {
        let due = self.effort >= BREATH;
        if due {
            self.effort = 0;
        }
        due
    }

    /// Takes the steps of a run; writes them to the trace if there is one.
    fn walk(&mut self, run: &mut Run, mut trace: Option<&mut Trace>) -> RunEnd {
        let thread = run.thread;
        let mut steps = 0;
        let mut section_start = 0;
        let mut section_choices = 0;
        run.script.rewind();
        loop {
            let pc = self.machine.pc(thread);
            let inputs = &mut self.inputs;
            let script = &mut run.script;
            let inputs_before = trace.as_ref().map_or(0, |trace| trace.inputs.len());
            let in_section = self.machine.in_atomic(thread);
            let step = self.machine.step(thread, &mut |choice| {
                let value = script.choose(inputs.domain(choice));
                if let Some(trace) = &mut trace {
                    trace.inputs.push(value);
                }
                value
            });
            match step {
                Stepped::Done | Stepped::Violated => {
                    if let Some(trace) = &mut trace {
                        trace.push(thread);
                    }
                    if step == Stepped::Violated {
                        return RunEnd::Violated;
                    }
                }
                // A section that cannot be completed is one that cannot begin.
                Stepped::Blocked => return before_section(section_start),
                Stepped::Ended(_) | Stepped::Unsupported(_) => {
                    let pos = self.code.pos(pc);
                    if let Stepped::Ended(end) = step {
                        self.ends.extend(end.describe().map(|text| (pos, text)));
                    } else if let Stepped::Unsupported(what) = step {
                        self.unsupported.get_or_insert((what, pos));
                    }
                    if in_section {
                        return before_section(section_start);
                    }
                    // What it asked for belongs to a step that is not taken.
                    if let Some(trace) = &mut trace {
                        trace.inputs.truncate(inputs_before);
                    }
                    self.machine.give_up(thread);
                    return RunEnd::Stopped;
                }
            }
            if !in_section && self.machine.is_running(thread) && self.machine.in_atomic(thread) {
                section_start = steps;
                section_choices = run.script.position();
            }
            steps += 1;
            self.effort += 1;
            if !self.machine.is_running(thread) || steps >= run.most {
                return RunEnd::Stopped;
            }
            if self.machine.in_atomic(thread) {
                if steps > ATOMIC_LIMIT {
                    let pos = self.code.pos(pc);
                    self.unsupported.get_or_insert(("an atomic section that does not end".into(), pos));
                    // Nothing can be proved any more, and a loop that asks for inputs has no end of combinations.
                    run.script.forget_from(section_choices);
                    return before_section(section_start);
                }
                continue;
            }
            if steps >= self.patience
                || run.script.combinations() >= MOST_COMBINATIONS
                || !self.reduction.runs_on(&self.machine, thread)
                || !self.machine.enabled(thread)
            {
                return RunEnd::Stopped;
            }
        }
    }

    /// The execution made of these runs from the initial state, instruction by instruction.
    pub fn trace(&mut self, runs: impl IntoIterator<Item = Run>) -> Trace {
        let mut trace = Trace::default();
        self.machine = Machine::new(self.code);
        for mut run in runs {
            self.walk(&mut run, Some(&mut trace));
        }
        trace
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

/// A section that began after so many steps cannot be completed: the run ends before it, or does not begin.
fn before_section(steps: u32) -> RunEnd {
    if steps == 0 { RunEnd::Refused } else { RunEnd::Before(steps) }
}
