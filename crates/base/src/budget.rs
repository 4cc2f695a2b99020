//! The budget of a run: wall time, memory and cancellation.  Engines read no clock of their own; they ask here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why a run must stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spent {
    Time,
    Memory,
    Cancelled,
}

/// What a run may use.  Cheap to clone; clones share the cancellation flag.
#[derive(Clone, Debug)]
pub struct Budget {
    start: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    cancelled: Arc<AtomicBool>,
    /// Resident bytes when last read: the reading costs a system call, so it is shared and rationed.
    resident: Arc<AtomicU64>,
}

impl Budget {
    pub fn new(time: Option<Duration>, memory: Option<u64>) -> Self {
        let start = Instant::now();
        Budget { start, deadline: time.map(|t| start + t), memory, cancelled: Arc::default(), resident: Arc::default() }
    }
    pub fn unlimited() -> Self {
        Budget::new(None, None)
    }
    /// The same budget with an earlier end: at most `time` from now.
    pub fn within(&self, time: Duration) -> Self {
        let end = Instant::now() + time;
        Budget { deadline: Some(self.deadline.map_or(end, |d| d.min(end))), ..self.clone() }
    }
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(Instant::now()))
    }
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
    /// Ask this every few thousand steps: it reads the clock and the process's resident size.
    pub fn spent(&self) -> Option<Spent> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Some(Spent::Cancelled);
        }
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Some(Spent::Time);
        }
        if let Some(limit) = self.memory {
            let resident = resident_bytes();
            self.resident.store(resident, Ordering::Relaxed);
            // A little early: what is under way goes on growing until the engine has stopped.
            if resident >= limit - limit / 20 {
                return Some(Spent::Memory);
            }
        }
        None
    }
}

/// Resident memory of this process, 0 where the system does not say.
fn resident_bytes() -> u64 {
    let Ok(text) = std::fs::read_to_string("/proc/self/statm") else { return 0 };
    let pages: u64 = text.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    pages * 4096
}
