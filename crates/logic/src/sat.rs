//! CaDiCaL in this process.  Its interface is safe as `cadical-sys` wraps it; here it learns of our budget.

use crate::solver::Answer;
use base::{Budget, Pace, Spent};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

#[derive(Default)]
pub struct Sat {
    pub cadical: CaDiCal,
}

impl Sat {
    /// Adds clauses, each ended by 0.
    pub fn add(&mut self, clauses: &[i32]) {
        for clause in clauses.split_inclusive(|&lit| lit == 0) {
            match clause {
                [a, 0] => self.cadical.clause1(*a),
                [a, b, 0] => self.cadical.clause2(*a, *b),
                [a, b, c, 0] => self.cadical.clause3(*a, *b, *c),
                _ => clause.iter().for_each(|&lit| self.cadical.add(lit)),
            }
        }
    }

    pub fn solve(&mut self, assumptions: impl Iterator<Item = i32>, budget: &Budget) -> Answer {
        if let Some(spent) = budget.spent() {
            return Answer::Spent(spent);
        }
        for lit in assumptions {
            self.cadical.assume(lit);
        }
        let reason = Rc::new(Cell::new(None));
        let pace = Pace::new(INTERVAL);
        self.cadical.connect_terminator(Watch { budget: budget.clone(), pace, reason: reason.clone() });
        let status = self.cadical.solve();
        self.cadical.disconnect_terminator();
        match status {
            Status::SATISFIABLE => Answer::Satisfiable,
            Status::UNSATISFIABLE => Answer::Unsatisfiable,
            // Nothing else stops it: we set no limits.
            Status::UNKNOWN => Answer::Spent(reason.get().unwrap_or(Spent::Cancelled)),
        }
    }
}

/// Asks the budget now and then; the solver calls far more often than the budget should be asked.
struct Watch {
    budget: Budget,
    pace: Pace,
    reason: Rc<Cell<Option<Spent>>>,
}

const INTERVAL: Duration = Duration::from_millis(5);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        if self.reason.get().is_none() && self.pace.is_due() {
            self.reason.set(self.budget.spent());
        }
        self.reason.get().is_some()
    }
}
