//! The rules of an analysis that wait to be run, each at most once at a time.

use std::collections::VecDeque;
use std::ops::Range;

pub struct Queue {
    waiting: VecDeque<u32>,
    /// By rule: it waits already, or does not count yet.
    held: Vec<bool>,
}

impl Queue {
    /// For so many rules, none of which counts before it is started.
    pub fn new(rules: usize) -> Self {
        Queue { waiting: VecDeque::new(), held: vec![true; rules] }
    }

    /// From now on these count; they are run for the first time.
    pub fn start(&mut self, rules: Range<u32>) {
        self.waiting.extend(rules);
    }

    /// Something that these rules read has changed.
    pub fn wake(&mut self, rules: &[u32]) {
        for rule in rules {
            if !std::mem::replace(&mut self.held[*rule as usize], true) {
                self.waiting.push_back(*rule);
            }
        }
    }

    /// The next rule to run.
    pub fn pop(&mut self) -> Option<u32> {
        let rule = self.waiting.pop_front()?;
        self.held[rule as usize] = false;
        Some(rule)
    }
}
