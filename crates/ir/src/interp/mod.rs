//! The interpreter: what a program means, executable.
//!
//! [`Code`] is the program made ready to run, [`Machine`] one state of it.  `Machine::step` takes one thread one
//! instruction further.  Whoever drives it, a recorded schedule or a search, decides which thread moves and which values
//! the inputs take; the interpreter alone decides what the step does.  It is the judge of every engine: a violation
//! counts only when this code arrives at it.

mod code;
mod machine;
mod memory;
mod next;
mod snapshot;

pub use crate::Point;
pub use code::{Code, Op, Pc};
pub use machine::{Choice, Choose, End, Machine, Open, Stepped, ThreadStatus, Tid};
pub use memory::{LARGEST_ALLOCATION, Location, MemoryError, ObjectInfo, Space, read_bytes, write_init};
pub use next::Next;
pub use snapshot::StateStore;
