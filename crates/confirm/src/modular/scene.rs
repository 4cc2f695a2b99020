//! Moments of an execution as terms, and what leads from one to the next.
//!
//! A query speaks of several moments.  At each of them a variable is a term over variables that are made here, each of them
//! free but for the range that the translation has declared.

use base::{BitSet, Id, Interval};
use formula::{Formula, Linear, Var};
use system::{Edge, Location, System, ThreadId, location_value};

/// Terms that are larger get a name, so that they do not multiply along a path.
const LARGEST: usize = 12;

/// Which variables of the system, by number.
pub type Set = BitSet;

/// The values of the variables at one moment; `None` for those that do not matter to the question.
#[derive(Clone)]
pub struct State(Vec<Option<Linear>>);

impl State {
    /// What a question asks about is closed under all that is said of it, so that the value is there.
    pub fn value(&self, var: Var) -> &Linear {
        self.0[var.index()].as_ref().expect("the variable matters to the question")
    }
    /// The same with a thread at the location.
    pub fn with_thread_at(mut self, pc: Var, location: Location) -> State {
        self.0[pc.index()] = Some(Linear::constant(location_value(location)));
        self
    }
    /// The formula of this moment.
    pub fn holds(&self, formula: &Formula) -> Formula {
        formula.substitute(&mut |var| Some(self.value(var).clone()))
    }
    /// The formula about a move from `old` to this moment.
    pub fn since(&self, old: &State, formula: &Formula) -> Formula {
        let count = self.0.len();
        formula.substitute(&mut |var| {
            let before = var.index().checked_sub(count);
            Some(before.map_or_else(|| self.value(var), |var| old.value(Var::new(var))).clone())
        })
    }
}

/// Where the terms of a query are made.
pub struct Scene<'s> {
    pub system: &'s System,
    /// The variables that matter.
    matters: Set,
    next: usize,
    /// What holds of the variables that were made, not yet handed over.
    facts: Vec<Formula>,
}

impl<'s> Scene<'s> {
    pub fn new(system: &'s System, matters: Set) -> Self {
        Scene { system, matters, next: 0, facts: Vec::new() }
    }
    pub fn add(&mut self, fact: Formula) {
        self.facts.push(fact);
    }
    pub fn take_facts(&mut self) -> Vec<Formula> {
        std::mem::take(&mut self.facts)
    }

    fn new_var(&mut self) -> Var {
        self.next += 1;
        Var::new(self.next - 1)
    }
    /// Any value in the range.
    fn within(&mut self, range: Interval) -> Linear {
        let value = Linear::var(self.new_var());
        self.facts.push(Formula::within(range, &value));
        value
    }
    /// Any value that the variable may have.
    fn any(&mut self, var: Var) -> Linear {
        self.within(self.system.vars[var].range)
    }
    /// Something that is true or false.
    pub fn switch(&mut self) -> Formula {
        Formula::lt(&Linear::constant(0), &Linear::var(self.new_var()))
    }
    /// The same value, small.
    fn named(&mut self, value: Linear) -> Linear {
        if value.size() <= LARGEST {
            return value;
        }
        let name = Linear::var(self.new_var());
        self.facts.push(Formula::eq(&name, &value));
        name
    }

    fn state(&mut self, mut value: impl FnMut(&mut Self, Var) -> Option<Linear>) -> State {
        let all: Vec<Var> = self.system.vars.ids().collect();
        State(all.into_iter().map(|var| value(self, var)).collect())
    }

    /// The state in which the program starts.
    pub fn initial(&mut self) -> State {
        let state = self.state(|scene, var| Some(scene.any(var)));
        let threads = self.system.threads.values();
        let state = threads.fold(state, |state, thread| state.with_thread_at(thread.pc, thread.graph.entry));
        self.facts.push(state.holds(&self.system.initial));
        state
    }
    /// Any state in which the thread is at the location.
    pub fn anywhere(&mut self, thread: ThreadId, location: Location) -> State {
        self.unknown().with_thread_at(self.system.threads[thread].pc, location)
    }
    /// Any state.
    pub fn unknown(&mut self) -> State {
        self.state(|scene, var| scene.wanted(var).then(|| scene.any(var)))
    }
    /// Whether it is part of the states here.
    pub fn wanted(&self, var: Var) -> bool {
        self.matters.contains(var.index())
    }
    /// The state after a move that may change these variables.
    pub fn disturbed(&mut self, state: &State, changing: &Set) -> State {
        self.state(|scene, var| match (scene.wanted(var), changing.contains(var.index())) {
            (false, _) => None,
            (true, true) => Some(scene.any(var)),
            (true, false) => Some(state.value(var).clone()),
        })
    }
    /// When the thread can take the edge in the state, and the state after it.
    pub fn step(&mut self, thread: ThreadId, edge: &Edge, state: &State) -> (Formula, State) {
        let inputs: Vec<Linear> = edge.step.input_ranges().map(|range| self.within(range)).collect();
        let mut step = edge.step.clone();
        step.keep_updates(&|var| self.wanted(var));
        let result = step.post(&mut |var| Some(state.value(var).clone()), &inputs);
        let mut conditions = vec![result.possible];
        let mut after = state.0.clone();
        for (var, value) in result.values {
            let value = self.named(value);
            conditions.push(Formula::within(self.system.vars[var].range, &value));
            after[var.index()] = Some(value);
        }
        let after = State(after).with_thread_at(self.system.threads[thread].pc, edge.to);
        (Formula::and(conditions), after)
    }
    /// The state that is one of these when its condition holds; when it is any of them at all.
    pub fn joined(&mut self, ways: Vec<(Formula, State)>) -> (Formula, State) {
        let here = self.switch();
        if let [(condition, state)] = ways.as_slice() {
            self.facts.push(here.clone().implies(condition.clone()));
            return (here, state.clone());
        }
        let state = self.state(|scene, var| {
            let value = ways[0].1.0[var.index()].clone()?;
            let same = ways.iter().all(|(_, state)| state.0[var.index()].as_ref() == Some(&value));
            Some(if same { value } else { scene.any(var) })
        });
        let mut any = Vec::new();
        for (condition, from) in ways {
            let taken = self.switch();
            let values = state.0.iter().zip(&from.0).map(|(joined, from)| match (joined, from) {
                (Some(joined), Some(from)) => Formula::eq(joined, from),
                (None, _) | (_, None) => Formula::True,
            });
            self.facts.push(taken.clone().implies(Formula::and(values.chain([condition]))));
            any.push(taken);
        }
        self.facts.push(here.clone().implies(Formula::or(any)));
        (here, state)
    }
}
