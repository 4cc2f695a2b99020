//! What may be claimed of a program, each claim with its evidence.
//!
//! An engine returns an [`Outcome`]; `confirm` checks it before anyone is told.

use crate::modular::{Modular, Product};
use crate::{Reason, Trace};
use base::Spent;
use ir::interp::StateStore;
use ir::{BlockId, FuncId};

/// The answer of an engine.
pub enum Outcome {
    /// No execution violates the property.
    Safe(Proof),
    /// This one does.
    Unsafe(Trace),
    Unknown(Reason),
}

impl From<Spent> for Outcome {
    fn from(spent: Spent) -> Self {
        Outcome::Unknown(Reason::Budget(spent))
    }
}

/// Evidence for "safe".
pub enum Proof {
    ClosedStates(Box<ClosedStates>),
    Unrolling(Unrolling),
    Modular(Box<Modular>),
    Product(Box<Product>),
}

/// A set of states that contains the first one and is closed under the steps that matter.
///
/// From each state some threads are followed, either all that can move or a set of threads whose next steps commute with
/// everything the others may do first (a persistent set).  A thread that is followed runs on alone as long as it alone
/// would be such a set, at most `patience` instructions and until its inputs have had [`MOST_COMBINATIONS`], and then
/// arrives at a state of the set again.
pub struct ClosedStates {
    pub store: StateStore,
    /// For each state of the store, by its number, the threads that are followed.
    pub followed: Vec<Followed>,
    pub patience: u32,
}

/// A run ends where the inputs it has asked for have this many combinations of values: a loop that asks at every turn would
/// have as many runs as there are combinations of all its turns.
pub const MOST_COMBINATIONS: u64 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Followed {
    /// Every thread that can move.
    All,
    /// The threads whose bits are set (only threads below 64 are ever singled out).
    Only(u64),
}

/// Bounds within which every execution stays: the program unfolded so far has no violation under any schedule, and none of
/// its executions comes to a place where more would have been needed.
///
/// The fields are those of the bounds that `passes::unfold` takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unrolling {
    /// The most times round a loop.
    pub unwind: u32,
    /// Loops, by function and head, with a bound of their own; ascending.
    pub loops: Vec<(FuncId, BlockId, u32)>,
    /// The most times round a loop that a constant ends.
    pub counted: u32,
    /// The most threads.
    pub threads: usize,
    /// The most instructions in all.
    pub size: usize,
}
