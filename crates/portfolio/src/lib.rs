//! Several engines on one program, side by side: what `auto` means.
//!
//! A [`Schedule`] says which engine begins when and what it may use; it is a table in a text file, so that it can be read
//! and changed.  [`run`] carries it out: every row in a thread of its own, its claim confirmed in that thread, the others
//! cancelled once a verdict is confirmed.  [`judge`] says what comes of all that was reported.
//!
//! This crate prints nothing and ends nothing: a panic of one engine becomes part of its report, and the rest go on.

mod judge;
mod panics;
mod run;
mod schedule;

pub use judge::{Judgement, judge};
pub use panics::keep_panic;
pub use run::{End, Follower, Member, Report, Watch, run};
pub use schedule::{Row, Schedule, Start, Time};
