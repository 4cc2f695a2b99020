//! The budget of a run: wall time, memory and cancellation, and the pace of its reports.  Engines read no clock of their own;
//! they ask here.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a run must stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spent {
    Time,
    Memory,
    Cancelled,
}

impl Spent {
    pub fn word(self) -> &'static str {
        match self {
            Spent::Time => "timeout",
            Spent::Memory => "memory",
            Spent::Cancelled => "interrupted",
        }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What a run may use.  Cheap to clone; clones share the cancellation flag, branches have their own.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    cancelled: Arc<Flag>,
}

/// Whether a run was told to stop.
#[derive(Debug, Default)]
struct Flag {
    set: AtomicBool,
    /// The run that this one is a part of.
    above: Option<Arc<Flag>>,
}

impl Flag {
    fn is_set(&self) -> bool {
        self.set.load(Ordering::Relaxed) || self.above.as_ref().is_some_and(|above| above.is_set())
    }
}

impl Budget {
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Self {
        let start = Instant::now();
        Budget { start, deadline: time.map(|t| start + t), memory, cancelled: Arc::default() }
    }
    pub fn unlimited() -> Self {
        Budget::new(None, None)
    }
    /// The same budget with an earlier end: at most `time` from now.
    pub fn within(&self, time: Duration) -> Self {
        let end = Instant::now() + time;
        Budget { deadline: Some(self.deadline.map_or(end, |d| d.min(end))), ..self.clone() }
    }
    /// The same budget for a part of the run: cancelling the branch leaves the rest alone, cancelling the whole ends it too.
    pub fn branch(&self) -> Self {
        let flag = Flag { set: AtomicBool::new(false), above: Some(self.cancelled.clone()) };
        Budget { cancelled: Arc::new(flag), ..self.clone() }
    }
    /// The same budget, spent when the process has this many percent of the memory it may have.
    pub fn with_memory_share(&self, percent: u32) -> Self {
        let share = |limit: u64| (u128::from(limit) * u128::from(percent) / 100) as u64;
        Budget { memory: self.memory.map(share), ..self.clone() }
    }
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }
    pub fn cancel(&self) {
        self.cancelled.set.store(true, Ordering::Relaxed);
    }
    /// An error if it is spent.
    pub fn check(&self) -> Result<(), Spent> {
        self.spent().map_or(Ok(()), Err)
    }
    /// Ask this every few thousand steps: it reads the clock and the process's resident size.
    pub fn spent(&self) -> Option<Spent> {
        if self.cancelled.is_set() {
            return Some(Spent::Cancelled);
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Some(Spent::Time);
        }
        // A little early: what is under way goes on growing until the engine has stopped.
        self.memory.filter(|limit| resident_bytes() >= limit - limit / 20).map(|_| Spent::Memory)
    }
}

/// Says now and then that it is time to tell how far one is.  What is computed must not depend on it.
#[derive(Debug)]
pub struct Pace {
    every: Duration,
    last: Instant,
}

impl Pace {
    /// From now on, at most once in `every`.
    pub fn new(every: Duration) -> Self {
        Pace { every, last: Instant::now() }
    }
    /// Has the time passed since it was last due?
    pub fn is_due(&mut self) -> bool {
        let due = self.last.elapsed() > self.every;
        if due {
            self.last = Instant::now();
        }
        due
    }
}

/// Resident memory of this process, 0 where the system does not say.
pub fn resident_bytes() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/statm") else { return 0 };
    let pages: u64 = text.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    pages * 4096
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_cancelled_alone_or_with_the_whole() {
        let whole = Budget::unlimited();
        let (one, two) = (whole.branch(), whole.branch().within(Duration::from_secs(60)));
        one.cancel();
        assert_eq!((whole.spent(), one.spent(), two.spent()), (None, Some(Spent::Cancelled), None));
        whole.cancel();
        assert_eq!((whole.spent(), two.spent()), (Some(Spent::Cancelled), Some(Spent::Cancelled)));
    }

    #[test]
    fn a_share_of_the_memory_is_spent_first() {
        // Resident memory is neither nothing nor a terabyte.
        let budget = Budget::new(None, Some(1 << 40));
        assert_eq!(budget.spent(), None);
        assert_eq!(budget.with_memory_share(0).spent(), Some(Spent::Memory));
    }

    #[test]
    fn a_pace_is_due_once_in_its_time() {
        assert!(!Pace::new(Duration::from_secs(3600)).is_due());
        let mut pace = Pace::new(Duration::ZERO);
        std::thread::sleep(Duration::from_millis(1));
        assert!(pace.is_due());
        pace.every = Duration::from_secs(3600);
        assert!(!pace.is_due());
    }
}
