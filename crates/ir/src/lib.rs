//! The one program representation: what a program is, how it is written as text, and what it means.
//!
//! A [`Program`] is static objects and functions; a function is a control-flow graph of small instructions over mutable
//! registers.  One instruction is one atomic step and touches memory at most once.  Everything above this crate, every
//! engine and the interpreter, interleaves at the same places.

mod comparison;
pub mod eval;
pub mod fold;
mod inst;
pub mod interp;
pub mod layout;
pub mod liveness;
mod place;
mod point;
pub mod program;
mod property;
pub mod splice;
pub mod text;
pub mod tidy;
pub mod unused;
pub mod validate;

pub use comparison::{Comparison, Relation};
pub use inst::Access;
pub use layout::{Field, Layout, LayoutId};
pub use point::{Point, Points};
pub use program::*;
pub use property::{Check, Goal, MemoryModel, Property, Spec};
pub use validate::validate;
