//! Random testing: programs nobody would write, decided in ways that share no code.
//!
//! Everything here is reproducible: a case is made from a seed, and the seed is printed when something is wrong.
//! `docs/testing.md` says how to run it.

pub mod concurrent;
#[cfg(feature = "faults")]
pub mod faults;
pub mod naive;
pub mod process;
pub mod readers;
pub mod sequential;
