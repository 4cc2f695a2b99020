//! Executions as they are recorded: in what order the threads move, and what the inputs are.

use ir::interp::{Pc, Tid};
use serde::{Deserialize, Serialize};

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

/// An execution that the interpreter has followed to a violation.
pub struct Violation {
    pub trace: Trace,
    pub at: Violated,
}

/// A thread at an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    pub thread: Tid,
    pub pc: Pc,
}

/// Where an execution violates the property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Violated {
    /// An assertion fails, with the last instruction.
    Place(Site),
    /// What these two do next conflicts.
    Places([Site; 2]),
    /// These wait, and nobody will wake them.
    Waiting(Vec<Site>),
    /// What comes after so many instructions can be repeated for ever.
    Lasso(u64),
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
