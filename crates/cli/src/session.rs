//! What is known about a run while it goes on.  Shared with the guard, who must be able to answer at any moment.

use base::{Budget, Diagnostic, Pos};
use claim::modular::Ints;
use ir::Program;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Task {
    pub files: Vec<String>,
    pub property: String,
    pub engine: String,
    pub data_model: &'static str,
    pub integers: Ints,
}

/// One run of a command.
pub struct Session {
    pub task: Task,
    pub budget: Budget,
    told: Mutex<Told>,
}

/// What there is to be told besides the answer.
#[derive(Clone, Debug, Default)]
pub struct Told {
    pub notes: Vec<Diagnostic>,
    pub statistics: Vec<(String, u64)>,
    /// How long the parts of the work took, in seconds.
    pub phases: Vec<(&'static str, f64)>,
}

impl Session {
    pub fn new(task: Task, budget: Budget) -> Self {
        Session { task, budget, told: Mutex::default() }
    }

    fn tell(&self, tell: impl FnOnce(&mut Told)) {
        if let Some(mut told) = hold(&self.told) {
            tell(&mut told);
        }
    }

    /// Remembers something the user should know; the same thing is kept once.
    pub fn note(&self, note: Diagnostic) {
        self.tell(|told| {
            if !told.notes.contains(&note) {
                told.notes.push(note);
            }
        });
    }

    pub fn note_at(&self, program: &Program, pos: Pos, text: &str) {
        self.note(program.located(Diagnostic::note(text), pos));
    }

    pub fn statistic(&self, name: String, value: u64) {
        self.tell(|told| told.statistics.push((name, value)));
    }

    /// Does a part of the work and notes how long it takes.
    pub fn phase<T>(&self, name: &'static str, work: impl FnOnce() -> T) -> T {
        let start = self.budget.elapsed();
        let result = work();
        self.add_phase(name, self.budget.elapsed() - start);
        result
    }

    /// Notes how long a part of the work took.
    pub fn add_phase(&self, name: &'static str, time: Duration) {
        self.tell(|told| told.phases.push((name, time.as_secs_f64())));
    }

    pub fn told(&self) -> Told {
        hold(&self.told).map_or_else(Told::default, |told| told.clone())
    }
}

/// Takes the lock, but does not wait for ever: the holder may be the thread that just panicked and is now reporting it.
fn hold<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    for _ in 0..200 {
        match mutex.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_micros(500)),
        }
    }
    None
}
