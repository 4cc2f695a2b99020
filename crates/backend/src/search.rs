//! A search with a foreign verifier: with the bounds that were given, or with bounds that grow.

use crate::{Backend, Said};
use base::{Budget, Spent};
use std::fmt;

/// How far a sequential file goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    pub rounds: u32,
    pub unwind: u32,
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let some = |number: u32, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        write!(f, "{} and {}", some(self.rounds, "round"), some(self.unwind, "unwinding"))
    }
}

/// What to try where nothing is said: a foreign verifier does not tell which bound was in the way, so both grow.
const STEPS: [Bounds; 5] = [
    Bounds { rounds: 1, unwind: 1 },
    Bounds { rounds: 2, unwind: 2 },
    Bounds { rounds: 3, unwind: 4 },
    Bounds { rounds: 4, unwind: 8 },
    Bounds { rounds: 5, unwind: 16 },
];

/// What a search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The verifier says so; there is no execution to look at.
    Violated(Bounds),
    /// No violation within the first bounds, and why it went no further.
    NotViolated(Bounds, Option<String>),
    /// Nothing is known.
    Nothing(String),
    Spent(Spent),
}

/// What is to be searched.
pub struct BoundedSearch<'a> {
    pub backend: &'a Backend,
    /// `None` where it is to be found out.
    pub rounds: Option<u32>,
    pub unwind: Option<u32>,
    /// Writes the program as sequential C with these bounds, or says why not.
    pub emit: &'a dyn Fn(Bounds) -> Result<String, String>,
}

impl BoundedSearch<'_> {
    pub fn run(&self, budget: &Budget) -> Finding {
        let mut covered = None;
        for bounds in self.steps() {
            let said = (self.emit)(bounds).map(|text| self.backend.run("sequential.c", &text, budget));
            let why = match said.unwrap_or_else(Said::Nothing) {
                Said::Violated => return Finding::Violated(bounds),
                Said::NotViolated => {
                    covered = Some(bounds);
                    continue;
                }
                Said::Nothing(why) => why,
            };
            return match (covered, budget.spent()) {
                (Some(covered), _) => Finding::NotViolated(covered, Some(why)),
                (None, Some(spent)) => Finding::Spent(spent),
                (None, None) => Finding::Nothing(why),
            };
        }
        covered
            .map_or_else(|| Finding::Nothing("there is nothing to try".into()), |last| Finding::NotViolated(last, None))
    }

    /// The bounds to try, each of which covers those before it.
    fn steps(&self) -> Vec<Bounds> {
        let fixed = |step: &Bounds| Bounds {
            rounds: self.rounds.unwrap_or(step.rounds),
            unwind: self.unwind.unwrap_or(step.unwind),
        };
        let mut steps: Vec<Bounds> = STEPS.iter().map(fixed).collect();
        steps.dedup();
        steps
    }
}
