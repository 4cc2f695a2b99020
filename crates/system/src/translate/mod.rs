//! From a program to a system.
//!
//! The program is unfolded first (`passes::unfold`): every thread a function of its own, without calls.  Then each thread is
//! walked from cut-point to cut-point (`walk`), where expressions become terms (`exprs`) over integers (`values`), and memory
//! becomes variables (`memory`, `access`).  Last, constants are put in (`constants`) and what nobody looks at
//! is left out (`finish`).
//!
//! **What the system is to the program.**  For every execution of the program, cut where a switch need not be considered
//! (`facts::movers`), there is one of the system that takes the corresponding edges: exact numbers are the machine's, ring
//! numbers congruent to them.  So a system that cannot set `failed` is the system of a program without violation, where in
//! addition the ranges of the variables may be assumed: they hold of the program, by its facts.  The other way round the
//! system may do more than the program where [`Translated::notes`] says so, and in that objects and threads do not die: an
//! access through a dangling pointer goes on where the program's execution would end.

mod access;
mod constants;
mod context;
mod exprs;
mod finish;
pub mod meaning;
mod memory;
mod modes;
mod names;
mod ranges;
mod trace;
mod values;
mod walk;

use crate::System;
use base::{Budget, IdVec, Pos, Spent};
use claim::Reason;
use claim::modular::Ints;
use facts::Facts;
use ir::{Goal, Program};
use passes::{Bounds, Unfolded};

pub use meaning::Meaning;
pub use trace::Taken;

#[derive(Clone, Debug)]
pub struct Options {
    /// How far to unwind.  What is cut is refused.
    pub bounds: Bounds,
    /// Where nothing may wrap, signed sums that do are violations, at a location called `wraps`: simpler to reason about than what
    /// they wrap to.
    pub ints: Ints,
    /// Ring numbers are different only where they differ in the machine, and not wherever the integers that stand for them
    /// differ: exact, but harder to reason about.
    pub exact_differences: bool,
    /// All variables and edges as they were walked, without what follows from constants or is not looked at.
    pub raw: bool,
}

/// Loops that a constant ends sooner are unwound.
const COUNTED: u32 = 64;

impl From<Ints> for Options {
    fn from(ints: Ints) -> Self {
        Options { ints, ..Options::default() }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options { bounds: Bounds::keeping_loops(COUNTED), ints: Ints::Machine, exact_differences: false, raw: false }
    }
}

/// Something worth knowing about a place in the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    pub pos: Pos,
    pub what: String,
}

/// Why there is no system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    Spent(Spent),
    Unsupported(Note),
}

impl From<Refused> for Reason {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Spent(spent) => Reason::Budget(spent),
            Refused::Unsupported(Note { pos, what }) => Reason::Unsupported { what, pos },
        }
    }
}

/// The system of a program, with the way back.
pub struct Translated {
    pub system: System,
    /// Where the system does more than the program.
    pub notes: Vec<Note>,
    unfolded: Unfolded,
    pub meaning: Meaning,
}

impl Translated {
    /// The program that was translated.
    pub fn unfolded(&self) -> &Unfolded {
        &self.unfolded
    }
}

/// The system of a valid program.
pub fn translate(program: &Program, options: &Options, budget: &Budget) -> Result<Translated, Refused> {
    translate_with(program, &Facts::compute(program), options, budget)
}

/// The same with the facts of the program, where somebody has them.
pub fn translate_with(
    program: &Program,
    facts: &Facts,
    options: &Options,
    budget: &Budget,
) -> Result<Translated, Refused> {
    // A system says whether an assertion fails, and nothing else.
    let unfolded = passes::unfold(program, facts, Goal::Assertion, &options.bounds, budget).map_err(Refused::Spent)?;
    let facts = Facts::compute(&unfolded.program);
    budget.check().map_err(Refused::Spent)?;
    let mut context = context::Context::new(&unfolded, &facts, options);
    if let Some(place) = context.memory.too_large() {
        let what = format!("an object of {} bytes", place.size.unwrap_or_default());
        return Err(Refused::Unsupported(Note { pos: Pos::NONE, what }));
    }
    let mut threads = IdVec::new();
    for thread in unfolded.threads.ids() {
        threads.push(walk::Walk::new(&mut context, thread).run(budget)?);
    }
    let (system, notes, meaning) = finish::finish(context, threads, options);
    Ok(Translated { system, notes, unfolded, meaning })
}
