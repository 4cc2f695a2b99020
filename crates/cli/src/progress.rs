//! Tells the terminal, if there is one, how a run is going.

use crate::guard::Guard;
use crate::session::Session;
use base::Pace;
use engines::Progress;
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

/// Where the line of progress goes.
pub trait Display: Send {
    /// Engines that run side by side have a name, one that runs alone has an empty one.
    fn show(&mut self, engine: &str, progress: &Progress);
    /// Lines on what is done and why.
    fn explain(&mut self, text: &str);
}

/// Nobody looks.
pub struct Nobody;

impl Display for Nobody {
    fn show(&mut self, _: &str, _: &Progress) {}
    fn explain(&mut self, _: &str) {}
}

/// One line on the terminal, redrawn.
pub struct Terminal {
    guard: Guard,
    session: Arc<Session>,
    is_terminal: bool,
    pace: Pace,
    /// What each engine said last.
    latest: Vec<(String, String)>,
}

impl Terminal {
    pub fn new(guard: Guard, session: Arc<Session>, wanted: bool) -> Self {
        let is_terminal = wanted && std::io::stderr().is_terminal();
        Terminal { guard, session, is_terminal, pace: Pace::new(Duration::from_millis(200)), latest: Vec::new() }
    }
}

impl Display for Terminal {
    fn show(&mut self, engine: &str, progress: &Progress) {
        let detail = if progress.detail.is_empty() { String::new() } else { format!(", {}", progress.detail) };
        let name = if engine.is_empty() { String::new() } else { format!("{engine}: ") };
        let text = format!("{name}{} {}{detail}", grouped(progress.count), progress.what);
        match self.latest.iter_mut().find(|(known, _)| known == engine) {
            Some((_, latest)) => *latest = text,
            None => self.latest.push((engine.into(), text)),
        }
        if !self.is_terminal || !self.pace.is_due() {
            return;
        }
        let seconds = self.session.budget.elapsed().as_secs_f64();
        let latest: Vec<&str> = self.latest.iter().map(|(_, text)| text.as_str()).collect();
        let line = format!("{seconds:.0} s, {}", latest.join(" | "));
        self.guard.draw_progress(&line.chars().take(78).collect::<String>());
    }

    fn explain(&mut self, text: &str) {
        self.guard.say(text);
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
