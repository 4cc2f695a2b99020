//! What may be claimed of a program, each claim with its evidence.
//!
//! Engines make claims ([`Outcome`]), `confirm` checks them, `report` writes them down.  Those three know each other only
//! by what is here: executions and how they are followed again ([`replay`]), proofs, and reasons for having neither.

pub mod modular;
mod outcome;
mod reason;
mod replay;
mod trace;

pub use outcome::{ClosedStates, Followed, MOST_COMBINATIONS, Outcome, Proof, Unrolling};
pub use reason::Reason;
pub use replay::{Replay, Unwatched, Watcher, replay};
pub use trace::{Run, Site, Trace, Violated, Violation};
