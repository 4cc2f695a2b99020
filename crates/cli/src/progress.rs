//! Tells the terminal, if there is one, how a run is going.

use crate::guard::Guard;
use crate::session::Session;
use base::Pos;
use engines::{Observer, Progress};
use ir::Program;
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where the line of progress goes.
pub trait Display {
    fn show(&mut self, progress: &Progress);
}

/// Nobody looks.
pub struct Nobody;

impl Display for Nobody {
    fn show(&mut self, _: &Progress) {}
}

/// One line on the terminal, redrawn.
pub struct Terminal {
    guard: Guard,
    session: Arc<Session>,
    is_terminal: bool,
    last: Option<Instant>,
}

impl Terminal {
    pub fn new(guard: Guard, session: Arc<Session>, wanted: bool) -> Self {
        let is_terminal = wanted && std::io::stderr().is_terminal();
        Terminal { guard, session, is_terminal, last: None }
    }
}

impl Display for Terminal {
    fn show(&mut self, progress: &Progress) {
        let recently = |last: Instant| last.elapsed() < Duration::from_millis(200);
        if !self.is_terminal || self.last.is_some_and(recently) {
            return;
        }
        self.last = Some(Instant::now());
        let seconds = self.session.budget.elapsed().as_secs_f64();
        let detail = if progress.detail.is_empty() { String::new() } else { format!(", {}", progress.detail) };
        let line = format!("{} {}{detail}, {seconds:.0} s", grouped(progress.count), progress.what);
        self.guard.draw_progress(&line.chars().take(78).collect::<String>());
    }
}

/// `1,234,567`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i != 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Listens to an engine on behalf of a session.
pub struct Listener<'a> {
    pub program: &'a Program,
    pub session: &'a Session,
    pub display: &'a mut dyn Display,
}

impl Observer for Listener<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.display.show(progress);
    }
    fn note(&mut self, pos: Pos, text: &str) {
        self.session.note_at(self.program, pos, text);
    }
    fn statistic(&mut self, name: &'static str, value: u64) {
        self.session.statistic(name, value);
    }
}
