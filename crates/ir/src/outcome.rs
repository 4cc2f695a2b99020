//! What may be claimed of a program, each claim with its evidence.
//!
//! An engine returns an [`Outcome`]; `verdict` confirms it before anyone is told.

use crate::interp::StateStore;
use crate::modular::{Modular, Product};
use crate::program::{BlockId, FuncId};
use base::{Pos, Spent};
use serde::{Deserialize, Serialize};

/// The answer of an engine.
pub enum Outcome {
    /// No execution violates the property.
    Safe(Proof),
    /// This one does.
    Unsafe(Trace),
    Unknown(Reason),
}

/// An execution: who moves for how many instructions, and what the inputs are.
///
/// The last instruction of the last run is the violated assertion.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trace {
    pub runs: Vec<Run>,
    /// Every value the program leaves open, in the order in which it is asked for; decimal, since JSON numbers are too
    /// small for the widest.
    #[serde(with = "decimal")]
    pub inputs: Vec<u128>,
}

/// Some instructions in a row of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Index of the thread: 0 is the first, others as they are numbered when they start.
    pub thread: u32,
    pub steps: u32,
}

impl Trace {
    /// Appends one instruction of a thread.
    pub fn push(&mut self, thread: usize) {
        match self.runs.last_mut() {
            Some(run) if run.thread as usize == thread => run.steps += 1,
            _ => self.runs.push(Run { thread: thread as u32, steps: 1 }),
        }
    }
    /// How many instructions it has.
    pub fn len(&self) -> u64 {
        self.runs.iter().map(|run| u64::from(run.steps)).sum()
    }
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    Budget(Spent),
    /// An execution reaches something that is not supported.
    Unsupported {
        what: String,
        pos: Pos,
    },
    /// No violation among the executions looked at, but not all inputs were tried: the text names them.
    Inputs(String),
    /// No violation within these bounds.
    Bound(String),
    /// What the engine reasons about does more than the program, or it learns too little: the text says where.
    Approximation(String),
    /// The engine made a claim that did not stand up to the check: a defect of ours.
    Unconfirmed {
        engine: String,
        why: String,
    },
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

mod decimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(values: &[u128], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(u128::to_string))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u128>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
    }
}
