//! The engines: each decides a program, or says why not.  One engine, one folder.
//!
//! An engine does no input or output and reads no environment: it is given a [`Problem`], a [`Budget`] and an
//! [`Observer`], and its answer carries the evidence that `confirm` checks without it.

mod catalogue;
pub mod comus;
pub mod explicit;
pub mod lazy;
mod options;
mod problem;
pub mod product;
mod symbolic;

pub use catalogue::{ENGINES, Entry, find};
pub use options::{About, Command, Made, SWITCH, TELL, words};
pub use problem::{Problem, Symbolic};

use base::{Budget, Pos};
use claim::modular::Ints;
use claim::{Outcome, Reason};
use ir::{Goal, MemoryModel, Program, Spec};

/// Decides problems.
pub trait Engine {
    /// Whether it knows how to look for the goal under the memory model.
    fn decides(&self, goal: Goal, memory: MemoryModel) -> bool {
        (goal, memory) == (Goal::Assertion, MemoryModel::SequentiallyConsistent)
    }
    /// Decides a problem of a kind that it decides, or says why not.  Returns soon after `budget` is spent.
    fn decide(&mut self, problem: &Problem<'_>, budget: &Budget, observer: &mut dyn Observer) -> Outcome;
    /// Decides any problem.
    fn run(&mut self, problem: &Problem<'_>, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
        let Spec { property, memory } = problem.spec;
        match property.goal() {
            Some(goal) if self.decides(goal, memory) => self.decide(problem, budget, observer),
            _ => Outcome::Unknown(Reason::Property(property)),
        }
    }
    /// The integers that its verdict speaks of.
    fn ints(&self) -> Ints {
        Ints::Machine
    }
    /// What is wrong with its options for this program, where that can be told without deciding it.
    fn misfit(&self, _program: &Program, _budget: &Budget) -> Option<String> {
        None
    }
}

/// Someone who is told how a run is going, and listens to what he likes.
pub trait Observer {
    /// Called a few times a second at most.
    fn progress(&mut self, _progress: &Progress) {}
    /// Something about the program that the user should know whatever the verdict; the same thing may be told again.
    fn note(&mut self, _pos: Pos, _text: &str) {}
    /// Numbers about the finished run, for statistics.
    fn statistic(&mut self, _name: &'static str, _value: u64) {}
    /// A program in C that the engine is about to check, with a name that sorts.
    fn program(&mut self, _name: &str, _text: &str) {}
    /// What the engine does and why, in one or more lines.
    fn explain(&mut self, _text: &str) {}
}

/// Nobody listens.
pub struct Unobserved;

impl Observer for Unobserved {}

/// How far a run is.
pub struct Progress {
    /// What is counted, in words: "states".
    pub what: &'static str,
    pub count: u64,
    /// Anything else worth a few words.
    pub detail: String,
}
