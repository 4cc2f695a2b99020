//! The logic layer of the bounded engine: terms, their translation into clauses, and the solver behind it.
//! See `docs/logic.md`.

mod blast;
mod build;
mod cnf;
mod computed;
mod evaluate;
mod gates;
mod meaning;
mod mixed;
mod order;
mod sat;
mod solver;
mod term;
mod words;

pub use computed::Computed;
pub use gates::Lit;
pub use solver::{Answer, Solver, Statistics};
pub use term::{Node, Term, Terms};
