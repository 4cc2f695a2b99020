//! What a command has to say in the end.

use base::{Diagnostic, Spent};
use serde_json::{Map, Value};
use std::path::Path;

/// Exit status.  CBMC's numbers, because scripts know them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Exit {
    Safe = 0,
    Usage = 1,
    /// The input cannot be read or parsed.
    Input = 2,
    #[default]
    Unknown = 5,
    Internal = 6,
    Unsafe = 10,
}

impl Exit {
    pub fn code(self) -> i32 {
        self as i32
    }
}

/// What is wrong with a file as a whole.
pub fn about_file(path: &Path, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(message).at(path.to_string_lossy(), 0, 0)
}

/// The answer of a command.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub exit: Exit,
    /// Why not, where the answer is unknown.
    pub reason: Option<Why>,
    /// What is wrong with the input.
    pub errors: Vec<Diagnostic>,
    /// Text for people, above the last line.
    pub report: String,
    /// What the verdict does not say, one line each, right above it.
    pub caveats: Vec<String>,
    /// Further fields of the JSON object.
    pub fields: Map<String, Value>,
}

/// Why the answer is unknown.
#[derive(Clone, Debug)]
pub struct Why {
    /// One word, for programs.
    pub kind: &'static str,
    /// On one line.
    pub text: String,
}

impl Answer {
    pub fn new(exit: Exit) -> Self {
        Answer { exit, ..Answer::default() }
    }
    pub fn unknown(kind: &'static str, text: impl Into<String>) -> Self {
        Answer { reason: Some(Why { kind, text: text.into() }), ..Answer::new(Exit::Unknown) }
    }
    pub fn spent(spent: Spent) -> Self {
        let word = spent.word();
        Answer::unknown(word, word)
    }
    /// The input is at fault.
    pub fn input(errors: Vec<Diagnostic>) -> Self {
        Answer { exit: Exit::Input, errors, ..Answer::unknown("input", "input error") }
    }
    /// The command line is at fault.
    pub fn usage(message: String) -> Self {
        Answer { errors: vec![Diagnostic::error(message)], ..Answer::new(Exit::Usage) }
    }
    /// We are at fault.
    pub fn internal(message: String) -> Self {
        let errors = vec![Diagnostic::error(message)];
        Answer { exit: Exit::Internal, errors, ..Answer::unknown("internal", "internal error") }
    }
    /// The last line on standard output.
    pub fn last_line(&self, property: &str) -> String {
        match (self.exit, &self.reason) {
            (Exit::Safe, _) => "SAFE".into(),
            (Exit::Unsafe, _) => format!("UNSAFE({property})"),
            (_, Some(why)) => format!("UNKNOWN({})", why.text),
            (_, None) => "UNKNOWN".into(),
        }
    }
    /// The verdict without its details.
    pub fn word(&self) -> &'static str {
        match self.exit {
            Exit::Safe => "SAFE",
            Exit::Unsafe => "UNSAFE",
            Exit::Usage | Exit::Input | Exit::Unknown | Exit::Internal => "UNKNOWN",
        }
    }
}
