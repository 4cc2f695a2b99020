//! Writes down what was confirmed, for people and programs.
//!
//! A counterexample is made easier to follow ([`simplify`]), told in the user's names ([`story`]) and laid out as text, as
//! JSON and as a file that can be replayed; a proof is told thread by thread ([`told`]).  Nothing here decides anything:
//! whatever is written, the verdict is that of `confirm`.

pub mod json;
pub mod schedule;
mod simplify;
pub mod story;
pub mod text;
pub mod told;
pub mod trace_file;

pub use simplify::simplify;
pub use told::describe_proof;
