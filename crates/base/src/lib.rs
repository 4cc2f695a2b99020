//! What every layer shares and none owns: source positions, diagnostics, typed ids with their maps and sets,
//! graphs, intervals, random numbers and the damage they do to texts, the budget that bounds a run, quantities as people write
//! them, names, and what is done with files and other programs.

mod bits;
mod budget;
mod damage;
mod diag;
#[cfg(feature = "faults")]
pub mod faults;
mod folder;
pub mod graph;
mod id;
mod interval;
mod names;
pub mod parallel;
pub mod process;
pub mod quantity;
mod rng;
mod span;

pub use bits::BitSet;
pub use budget::{Budget, Pace, Spent, resident_bytes};
pub use damage::damage;
pub use diag::{Diagnostic, Severity};
pub use folder::{Folder, files};
pub use id::{Id, IdVec};
pub use interval::Interval;
pub use names::{Names, identifier};
pub use rng::Rng;
pub use span::{FileId, Pos};
