//! Diagnostics: one shape for every message about the input, written `file:line:column: error: message` as compilers do.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Note,
}

/// A message about the user's input.  The file is a name, not an id: some errors come before there is a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub file: Option<String>,
    /// Counted from 1; 0 means the file as a whole.
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl Diagnostic {
    pub fn error(message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, file: None, line: 0, column: 0, message: message.into() }
    }
    /// Something the user should know.
    pub fn note(message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Note, ..Diagnostic::error(message) }
    }
    pub fn at(mut self, file: impl Into<String>, line: u32, column: u32) -> Self {
        self.file = Some(file.into());
        self.line = line;
        self.column = column;
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
            for number in [self.line, self.column].into_iter().take_while(|number| *number != 0) {
                write!(f, "{number}:")?;
            }
            write!(f, " ")?;
        }
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Note => "note",
        };
        write!(f, "{severity}: {}", self.message)
    }
}

impl std::error::Error for Diagnostic {}
