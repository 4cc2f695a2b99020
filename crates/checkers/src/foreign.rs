//! Any model checker of sequential C as a checker.
//!
//! It gets the program as C and says whether an assertion can fail; that is believed as far as it says *no* ([`Checked::Safe`]
//! without invariants, over the tool's own integers).  A tool's *yes* comes without a path that could be run, so the path is
//! found by our own checkers: in unrollings of the program that grow, then by Horn clauses.

use crate::unroll::Unrolled;
use crate::{Acyclic, Checked, Checker, Sequential, Spacer, to_c};
use backend::{Backend, Said};
use base::Budget;
use std::time::Duration;

/// How often cycles are gone through in search of the path that a tool says there is.
const ROUNDS: [usize; 5] = [1, 2, 4, 8, 16];
/// What each of these may take: a longer path is better found by Horn clauses.
const TIME_PER_SEARCH: Duration = Duration::from_secs(10);

/// A foreign model checker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foreign {
    backend: Backend,
}

impl Foreign {
    /// The tool that a command runs; see [`Backend::new`].
    pub fn new(command: &str, violated: Option<&str>, not_violated: Option<&str>) -> Result<Self, String> {
        Ok(Foreign { backend: Backend::new(command, violated, not_violated)? })
    }

    /// Only what the tool says, for uses that need no path.
    pub fn verdict(&self, program: &Sequential, budget: &Budget) -> Said {
        match to_c(program, &[]) {
            Ok(text) => self.backend.run("program.c", &text, budget),
            Err(why) => Said::Nothing(format!("the program cannot be written as C: {why}")),
        }
    }

    /// A path that fails, which there should be.
    fn path(&self, program: &Sequential, budget: &Budget) -> Checked {
        if program.graph.is_acyclic() {
            return Acyclic.check(program, budget);
        }
        for times in ROUNDS {
            let unrolled = Unrolled::of(program, times);
            if let Checked::Unsafe(path) = Acyclic.check(&unrolled.program, &budget.within(TIME_PER_SEARCH)) {
                return match unrolled.original_path(program, &path) {
                    Ok(path) => Checked::Unsafe(path),
                    Err(why) => Checked::Unknown(why),
                };
            }
        }
        Spacer::default().check(program, budget)
    }
}

impl Checker for Foreign {
    fn check(&mut self, program: &Sequential, budget: &Budget) -> Checked {
        let command = self.backend.command();
        match self.verdict(program, budget) {
            Said::NotViolated => Checked::Safe(None),
            Said::Nothing(why) => Checked::Unknown(format!("`{command}`: {why}")),
            Said::Violated => match self.path(program, budget) {
                Checked::Unsafe(path) => Checked::Unsafe(path),
                Checked::Safe(_) => Checked::Unknown(format!(
                    "`{command}` says that an assertion can fail, which is not so over the integers"
                )),
                Checked::Unknown(why) => Checked::Unknown(format!(
                    "`{command}` says that an assertion can fail, but no path was found: {why}"
                )),
            },
        }
    }
}
