//! The engines: each decides a program, or says why not.  One engine, one folder.
//!
//! An engine does no input or output, reads no clock and no environment: it is given a [`Problem`], a [`Budget`] and an
//! [`Observer`], and its answer carries the evidence that `confirm` checks without it.

mod catalogue;
pub mod comus;
pub mod explicit;
pub mod lazy;
pub mod product;

pub use catalogue::{ENGINES, Entry, find};

use base::{Budget, Pos};
use claim::Outcome;
use ir::Program;
use ir::interp::Code;

/// What is to be decided: no assertion of the program fails.
#[derive(Clone, Copy)]
pub struct Problem<'p> {
    pub program: &'p Program,
    pub code: &'p Code<'p>,
}

/// Decides problems.
pub trait Engine {
    fn name(&self) -> &'static str;
    /// Decides `problem`, or says why not.  Returns soon after `budget` is spent.
    fn run(&mut self, problem: Problem<'_>, budget: &Budget, observer: &mut dyn Observer) -> Outcome;
}

/// How far a bounded search goes.  Nothing means that the engine finds out by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// Rounds of a schedule in which the threads take turns.
    pub rounds: Option<u32>,
    /// Turns of a loop, and calls within calls of a function.
    pub unwind: Option<u32>,
}

/// What engines may be told, each of which looks at its own part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    pub bounds: Bounds,
    pub comus: comus::Settings,
}

impl From<Bounds> for Settings {
    fn from(bounds: Bounds) -> Self {
        Settings { bounds, ..Settings::default() }
    }
}

/// Someone who is told how a run is going.
pub trait Observer {
    /// Called a few times a second at most.
    fn progress(&mut self, progress: &Progress);
    /// Something about the program that the user should know whatever the verdict; the same thing may be told again.
    fn note(&mut self, pos: Pos, text: &str);
    /// Numbers about the finished run, for statistics.
    fn statistic(&mut self, name: &'static str, value: u64);
    /// Whether programs that the engine makes on the way are of interest: to write them down takes time.
    fn wants_programs(&self) -> bool {
        false
    }
    /// A program in C that the engine is about to check, with a name that sorts.
    fn program(&mut self, _name: &str, _text: &str) {}
    /// Whether it is of interest what the engine does and why.
    fn wants_explanations(&self) -> bool {
        false
    }
    /// What the engine does and why, in one or more lines.
    fn explain(&mut self, _text: &str) {}
}

/// How far a run is.
pub struct Progress {
    /// What is counted, in words: "states".
    pub what: &'static str,
    pub count: u64,
    /// Anything else worth a few words.
    pub detail: String,
}
