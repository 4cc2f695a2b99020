//! Keeps the limits, whatever the work does, and lets exactly one answer out.
//!
//! The work runs in a thread with a large stack.  The main thread watches the clock and the memory; engines watch them
//! too and answer in time, with what they know, so that the guard speaks only when they do not.  Signals and panics end
//! in an answer as well.

use crate::answer::Answer;
use crate::output::{self, Mode};
use crate::session::Session;
use base::process::panic_text;
use base::{Budget, Spent};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Stack of the thread that works: programs nest deeply, and so do the functions that walk over them.
const STACK: usize = 1 << 30;
/// How often memory is looked at: at a few gigabytes a second this is some tens of megabytes.
const LOOK: Duration = Duration::from_millis(10);

/// The one who answers.
#[derive(Clone)]
pub struct Guard {
    inner: Arc<Inner>,
}

struct Inner {
    session: Arc<Session>,
    mode: Mode,
    /// Someone is writing an answer, or has done so.
    answered: AtomicBool,
    /// There is a line of progress on the terminal.
    progress: AtomicBool,
    limits: Limits,
}

/// The limits as the user gave them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    pub time: Option<Duration>,
    pub memory: Option<u64>,
}

impl Limits {
    pub fn budget(self) -> Budget {
        Budget::new(self.time, self.memory)
    }
}

impl Guard {
    pub fn new(session: Arc<Session>, mode: Mode, limits: Limits) -> Self {
        let inner = Inner { session, mode, answered: AtomicBool::new(false), progress: AtomicBool::new(false), limits };
        Guard { inner: Arc::new(inner) }
    }

    /// Does the work, writes the answer and ends the process.
    pub fn run(self, work: impl FnOnce(&Guard) -> Answer + Send + 'static) -> ! {
        self.catch_panics();
        self.catch_signals();
        let guard = self.clone();
        let worker = std::thread::Builder::new().name("work".into()).stack_size(STACK).spawn(move || {
            let answer = work(&guard);
            guard.answer(&answer)
        });
        if let Err(error) = worker {
            self.answer(&Answer::internal(format!("no thread can be started: {error}")));
        }
        loop {
            std::thread::sleep(LOOK);
            if let Some(spent) = self.overdue() {
                self.answer(&Answer::spent(spent));
            }
        }
    }

    /// A limit has passed, and the grace given to engines to notice it by themselves.
    fn overdue(&self) -> Option<Spent> {
        let limits = &self.inner.limits;
        if limits.memory.is_some_and(|limit| base::resident_bytes() > limit + limit / 25) {
            return Some(Spent::Memory);
        }
        let late = |limit: Duration| limit + (limit / 20).clamp(Duration::from_millis(10), Duration::from_secs(2));
        limits.time.is_some_and(|limit| self.inner.session.budget.elapsed() > late(limit)).then_some(Spent::Time)
    }

    /// Writes the answer, unless another is being written, and ends the process.
    pub fn answer(&self, answer: &Answer) -> ! {
        if self.inner.answered.swap(true, Ordering::SeqCst) {
            loop {
                std::thread::park();
            }
        }
        self.clear_progress();
        output::write(answer, &self.inner.session, self.inner.mode);
        backend::end_all();
        // Without taking anything apart: a large state space would take seconds.
        std::process::exit(answer.exit.code())
    }

    /// Replaces the line of progress.
    pub fn draw_progress(&self, line: &str) {
        if !self.inner.answered.load(Ordering::SeqCst) {
            self.inner.progress.store(true, Ordering::SeqCst);
            output::complain(&format!("\r\x1b[K{line}"));
        }
    }

    /// Writes something for people that stays, above the line of progress.
    pub fn say(&self, text: &str) {
        if !self.inner.answered.load(Ordering::SeqCst) {
            self.clear_progress();
            output::complain(&format!("{text}\n"));
        }
    }

    fn clear_progress(&self) {
        if self.inner.progress.swap(false, Ordering::SeqCst) {
            output::complain("\r\x1b[K");
        }
    }

    fn catch_panics(&self) {
        let guard = self.clone();
        std::panic::set_hook(Box::new(move |info| {
            let place = info.location().map_or(String::new(), |at| format!(" ({}:{})", at.file(), at.line()));
            let trace = std::backtrace::Backtrace::capture();
            let trace = match trace.status() {
                std::backtrace::BacktraceStatus::Captured => format!("\n{trace}"),
                _ => String::new(),
            };
            let message = format!("{}{place}{trace}", panic_text(info.payload()));
            // An engine that panics leaves the others alone; its report has the message.
            if !portfolio::keep_panic(&message) {
                guard.answer(&Answer::internal(defect("internal error", &message)));
            }
        }));
    }

    fn catch_signals(&self) {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let guard = self.clone();
        // Where signals cannot be caught they end the process, as they do by default.
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
        std::thread::spawn(move || {
            if signals.forever().next().is_some() {
                guard.answer(&Answer::spent(Spent::Cancelled));
            }
        });
    }
}

/// What is said about a defect of ours.
pub fn defect(what: &str, message: &str) -> String {
    format!("{what}: {message}\nThis is a defect of Unbraid; please report it.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Task;

    /// Runs this very test in another process, where `work` is guarded.
    fn in_another_process(name: &str, limits: Limits, work: fn() -> Answer) -> Option<(Option<i32>, String)> {
        const MARK: &str = "UNBRAID_GUARDED";
        if std::env::var(MARK).is_ok_and(|value| value == name) {
            let task = Task { property: "unreach-call".into(), ..Task::default() };
            let session = Session::new(task, limits.budget());
            Guard::new(Arc::new(session), Mode::Text, limits).run(move |_| work());
        }
        let output = std::process::Command::new(std::env::current_exe().ok()?)
            .args(["--exact", &format!("guard::tests::{name}"), "--nocapture"])
            .env(MARK, name)
            .output()
            .ok()?;
        Some((output.status.code(), String::from_utf8_lossy(&output.stdout).lines().last()?.to_string()))
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        let result = in_another_process("a_panic_is_an_internal_error", Limits::default(), || panic!("on purpose"));
        assert_eq!(result, Some((Some(6), "UNKNOWN(internal error)".into())));
    }

    #[test]
    fn a_panic_of_another_thread_is_one_too() {
        let result = in_another_process("a_panic_of_another_thread_is_one_too", Limits::default(), || {
            let helper = std::thread::spawn(|| panic!("on purpose"));
            assert!(helper.join().is_err());
            Answer::new(crate::answer::Exit::Safe)
        });
        assert_eq!(result, Some((Some(6), "UNKNOWN(internal error)".into())));
    }

    #[test]
    fn work_that_does_not_look_at_the_clock_is_stopped() {
        let limits = Limits { time: Some(Duration::from_millis(200)), memory: None };
        let result = in_another_process("work_that_does_not_look_at_the_clock_is_stopped", limits, || {
            loop {
                std::thread::sleep(Duration::from_secs(1));
            }
        });
        assert_eq!(result, Some((Some(5), "UNKNOWN(timeout)".into())));
    }

    #[test]
    fn work_that_eats_the_memory_is_stopped() {
        let limits = Limits { time: Some(Duration::from_secs(60)), memory: Some(200 << 20) };
        let result = in_another_process("work_that_eats_the_memory_is_stopped", limits, || {
            let mut eaten = Vec::new();
            loop {
                eaten.push(vec![1u8; 1 << 20]);
                std::thread::sleep(Duration::from_micros(200));
            }
        });
        assert_eq!(result, Some((Some(5), "UNKNOWN(memory)".into())));
    }
}
