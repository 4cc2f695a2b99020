//! The bounded engine: lazy sequentialization, and all schedules at once.
//!
//! The program is unfolded (`passes::unfold`): loops unwound as often as the bounds allow, calls inlined, every thread its own
//! copy.  Of that two formulas are made and given to a SAT solver:
//!
//! * `rounds`: the executions in which the threads take turns, K rounds long.  Quick to find what few switches show.
//! * `orders`: the executions under every schedule.  If it has no solution, and none that exceeds a bound either, the program is
//!   safe.
//!
//! A solution is stepped through the interpreter and becomes a counterexample.  Where executions exceed bounds, those bounds grow.

mod guide;
mod orders;
mod reads;
mod rounds;
mod search;
mod space;
mod symbols;
mod walk;

use crate::{Bounds, Engine, Observer, Problem};
use base::Budget;
use claim::Outcome;
use facts::Facts;

/// The engine.
pub struct Lazy {
    bounds: Bounds,
}

impl Lazy {
    pub fn new(bounds: Bounds) -> Self {
        Lazy { bounds }
    }
}

impl Engine for Lazy {
    fn name(&self) -> &'static str {
        "lazy"
    }

    fn run(&mut self, problem: Problem<'_>, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
        let facts = Facts::compute(problem.program);
        search::Search::new(problem, &facts, &self.bounds, budget, observer).run()
    }
}
