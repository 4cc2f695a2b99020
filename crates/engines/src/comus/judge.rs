//! The sequential checker that is asked, with what some checkers can tell besides.

use base::Budget;
use checkers::{Acyclic, Checked, Checker, Foreign, Sequential, Spacer};
use formula::{Linear, Var};
use smt::Bound;
use std::time::Duration;

/// Programs without cycles are one question to the solver, the others go to Spacer or to the checker that the user named.
#[derive(Default)]
pub struct Judge {
    acyclic: Acyclic,
    spacer: Spacer,
    /// The user's.
    pub other: Option<Foreign>,
}

impl Judge {
    pub fn check(&mut self, program: &Sequential, budget: &Budget) -> Checked {
        match &mut self.other {
            Some(other) => other.check(program, budget),
            None if program.graph.is_acyclic() => self.acyclic.check(program, budget),
            None => self.spacer.check(program, &budget.within(Duration::from_secs(20))),
        }
    }

    /// The switches that must be on for the program to be safe, by place.
    pub fn needed(&mut self, program: &Sequential, switches: &[Var], budget: &Budget) -> Option<Vec<usize>> {
        self.acyclic.check_with(program, switches, budget).ok()
    }

    /// The greatest value of the term where the goal is reached.
    pub fn maximise(&mut self, program: &Sequential, term: &Linear, budget: &Budget) -> Option<i128> {
        match self.acyclic.maximise(program, term, &budget.within(Duration::from_secs(2)))? {
            Bound::Value(value) => Some(value),
            Bound::Unbounded | Bound::Empty => None,
        }
    }
}
