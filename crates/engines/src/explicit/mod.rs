//! Explicit states: every schedule, every small input, each state once.
//!
//! A depth-first search over the states of the reference interpreter.  What makes it finish:
//!
//! * **Runs instead of steps.**  A thread that has been chosen runs on alone while its next instruction concerns nobody
//!   else, and stops where another thread could make a difference.  Only the states where it stops are kept.
//! * **Persistent sets.**  At a state not every thread need be tried: a set of threads is enough if nothing the others may
//!   do first can conflict with what the set does next (Godefroid 1996).  What the others may do comes from the static
//!   facts, what the set does next is known exactly.  See `reduction`.
//! * **No thread is forgotten.**  Where a step leads back to a state on the search stack, every thread is tried (the cycle
//!   proviso), so that no thread is put off for ever round a loop.
//! * **Exact state matching.**  Stored states are compared in full; see `ir::interp::StateStore`.
//!
//! Why these go together is argued in `docs/explicit.md`.  There are no sleep sets: with stored states they save steps, not
//! states, and their interplay with matching and the proviso is where others went wrong.
//!
//! Inputs are tried exhaustively where that is possible: a value of at most eight bits, or one that is only ever compared
//! with constants, for which one value of each class is enough.  Otherwise a sample is tried; that can find a violation
//! but never proves there is none.
//!
//! Answers safe, unsafe or unknown.  Complete for programs with finitely many states.

mod inputs;
mod reduction;
mod runner;
mod search;
mod shallow;

use crate::options::{Configured, Setting, number};
use crate::{Engine, Observer, Problem};
use base::Budget;
use claim::Outcome;
use passes::Preserves;

/// The engine.
#[derive(Clone, Debug)]
pub struct Explicit {
    /// Use the static facts to try fewer schedules.  Off, every access to memory is a place to switch.
    pub reduce: bool,
    /// The most instructions a run of one thread has before its state is kept all the same: this is what notices a thread
    /// that loops without ever meeting another.
    pub patience: u32,
}

impl Default for Explicit {
    fn default() -> Self {
        Explicit { reduce: true, patience: 4096 }
    }
}

impl Configured for Explicit {
    const NAME: &'static str = "explicit";
    const WHAT: &'static str = "searches all states";
    const OPTIONS: &'static [Setting<Explicit>] = &[
        Setting::on("reduce", "try fewer schedules where the others make no difference", |engine| &mut engine.reduce),
        Setting::new(
            "patience",
            "N",
            "4096",
            "keep a state after N instructions of one thread at the latest",
            |engine, value| number(value, 1).map(|patience| engine.patience = patience),
        ),
    ];
}

impl Engine for Explicit {
    fn decide(&mut self, problem: &Problem<'_>, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
        let facts = problem.facts();
        let kept = problem.spec.property.goal().and_then(reduction::preserves) == Some(Preserves::Exact);
        let config = Explicit { reduce: self.reduce && kept, ..*self };
        search::Search::new(problem.code, facts, &config).run(budget, observer)
    }
}
