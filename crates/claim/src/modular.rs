//! Proofs of the symbolic engines: what they state, in formulas over the integers.

use base::Interval;
use formula::Formula;

/// How the integers of a program were read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ints {
    /// As the machine has them.
    #[default]
    Machine,
    /// As the machine has them; that no signed sum wraps is part of what is proved.
    Unwrapped,
    /// Without limits: not what C means, but what the papers compute with.
    Mathematical,
}

/// A proof thread by thread.
///
/// Threads, locations and variables are those of the program as `system::translate` gives it, by their numbers.  With `n`
/// variables, the variable `v + n` in a formula about a move is the value of `v` before the move, `v` the one after it.
///
/// The threads are ordered; the *environment* of a level are the threads after it.  A lemma of level k says: no computation
/// of the environment of level k, however long, that starts in a reachable state relates its first and last state otherwise
/// than the formula says.  Each is proved with the ranges and the lemmas before it, by checking the thread at level k + 1 with
/// its own environment abstracted by the lemmas of level k + 1.  In the end the first thread is checked in the same way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Modular {
    pub ints: Ints,
    /// The threads by level.
    pub order: Vec<usize>,
    /// By thread and location what is known of each variable whenever the thread is there, whatever the others do; nothing
    /// where it cannot come.
    pub ranges: Vec<Vec<Option<Vec<Interval>>>>,
    /// In the order in which they are proved.
    pub lemmas: Vec<Lemma>,
    /// What proves the first thread.
    pub main: Option<Invariants>,
}

/// What is known of all moves of an environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lemma {
    pub level: usize,
    pub formula: Formula,
    /// What proves it; `None` where the thread has no cycle, so that it can be followed to its end.
    pub invariants: Option<Invariants>,
}

/// What holds at each location of a thread, by its number, in the program that proves a lemma.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariants {
    /// Before the computation that is asked about has started, when the thread arrives (before others move).
    pub before: Vec<Formula>,
    /// After it has started, when the thread arrives: `v + n` is the value at the start.
    pub during: Vec<Formula>,
}

/// An invariant of the whole program by the locations of all threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Product {
    pub ints: Ints,
    /// For each combination of locations, by thread, that can be reached: what holds there.
    pub states: Vec<(Vec<usize>, Formula)>,
}
