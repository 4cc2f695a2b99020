//! Checkers of sequential programs over integers, behind one trait.
//!
//! A proof by learned environments checks one thread at a time as a sequential program.  Which checker does that is of no
//! importance to the method: here are the program, what a checker answers, and (`docs/checkers.md`) several checkers.
//! A path that fails counts only when the interpreter of this crate can run it.

mod acyclic;
mod blocks;
mod encoding;
mod foreign;
mod interpret;
mod program;
mod spacer;
mod to_c;
mod unroll;

pub use acyclic::{Acyclic, is_on};
pub use blocks::certify;
pub use foreign::Foreign;
pub use interpret::{Path, Values, execute, replay};
pub use program::Sequential;
pub use spacer::Spacer;
pub use to_c::to_c;

use base::{Budget, IdVec};
use formula::Formula;
use transition::Location;

/// Decides sequential programs.
pub trait Checker {
    fn check(&mut self, program: &Sequential, budget: &Budget) -> Checked;
}

/// What holds at each location whenever it is reached.
pub type Invariants = IdVec<Location, Formula>;

/// What a checker found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checked {
    /// Nothing can fail.  The invariants prove it: they hold at first, every edge preserves them, and no edge fails where
    /// they hold.  Without them where the checker gives none.
    Safe(Option<Invariants>),
    /// An execution that fails, run again by the interpreter.
    Unsafe(Path),
    /// Why there is no answer, on one line.
    Unknown(String),
}
