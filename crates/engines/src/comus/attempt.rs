//! Attempts: which path the checker finds first decides how long a run takes, so no attempt gets more than its share.

use super::level::Question;
use super::search::{Search, Stop};
use crate::symbolic::Steps;
use formula::{Formula, Linear};

/// The calls of the first attempt; each gets half as many again as the one before.
const FIRST: u64 = 300;

impl Search<'_> {
    /// The steps to a failing assertion, or `None` if none can fail.
    pub fn attempts(&mut self) -> Result<Option<Steps>, Stop> {
        let failed = self.knowledge.system.failed;
        let goal = Formula::eq(&failed.into(), &Linear::constant(1));
        let question = Question { level: 0, goal, initially: true };
        let exact = self.settings.exact_projection;
        let mut calls = FIRST;
        loop {
            self.attempts += 1;
            if self.attempts > 1 {
                self.note_attempt();
            }
            self.most_calls = if self.settings.restarts { self.calls + calls } else { u64::MAX };
            match self.reach(&question) {
                Err(Stop::Calls) => {}
                answer => return answer,
            }
            // What was learnt stays; promises are forgotten, and questions are put in the other way.
            self.settings.exact_projection = exact ^ (self.attempts % 2 == 1);
            calls += calls / 2;
        }
    }
}
