//! The bounded engine: lazy sequentialization, and all schedules at once.
//!
//! The program is unfolded (`passes::unfold`): loops unwound as often as the bounds allow, calls inlined, every thread its own
//! copy.  Its threads are executed symbolically by one walk (`walk`), over one of two memories (`walk::Memory`); each makes a
//! formula for a SAT solver:
//!
//! * `rounds`: the executions in which the threads take turns, K rounds long.  Quick to find what few switches show.
//! * `orders`: the executions under every schedule.  If it has no solution, and none that exceeds a bound either, the program is
//!   safe.
//!
//! A solution is stepped through the interpreter and becomes a counterexample.  Where executions exceed bounds, those bounds grow.

mod encoding;
mod orders;
mod posed;
mod reads;
mod rounds;
mod search;
mod space;
mod symbols;
mod walk;

use crate::options::{Configured, Setting, number};
use crate::{Engine, Observer, Problem};
use base::Budget;
use claim::Outcome;

/// The engine: how far it searches.  Nothing means that it finds out by itself.
#[derive(Default)]
pub struct Lazy {
    /// Rounds of a schedule in which the threads take turns.
    pub rounds: Option<u32>,
    /// Turns of a loop, and calls within calls of a function.
    pub unwind: Option<u32>,
}

impl Configured for Lazy {
    const NAME: &'static str = "lazy";
    const WHAT: &'static str = "unrolls the program into a formula for a SAT solver";
    const OPTIONS: &'static [Setting<Lazy>] = &[
        Setting::new(
            "rounds",
            "N",
            "",
            "look at schedules of up to N rounds only (0: at all, without rounds)",
            |lazy, value| number(value, 0).map(|rounds| lazy.rounds = Some(rounds)),
        ),
        Setting::new("unwind", "N", "", "look at N turns of a loop only", |lazy, value| {
            number(value, 1).map(|unwind| lazy.unwind = Some(unwind))
        }),
    ];
}

impl Engine for Lazy {
    fn decide(&mut self, problem: &Problem<'_>, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
        search::Search::new(problem, self, budget, observer).run()
    }
}
