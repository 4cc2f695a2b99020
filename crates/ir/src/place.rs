//! Positions of a program in the user's words.

use crate::Program;
use base::{Diagnostic, Pos};

impl Program {
    /// The file that a position is in, if it is one of the user's text.
    pub fn file_of(&self, pos: Pos) -> Option<&str> {
        self.files.get(pos.file).filter(|_| !pos.is_none()).map(String::as_str)
    }

    /// A position in the user's words: `a.c:3`.
    pub fn place(&self, pos: Pos) -> Option<String> {
        self.file_of(pos).map(|file| format!("{file}:{}", pos.line))
    }

    /// The diagnostic, at that position if it is one of the user's text.
    pub fn located(&self, diagnostic: Diagnostic, pos: Pos) -> Diagnostic {
        match self.file_of(pos) {
            Some(file) => diagnostic.at(file, pos.line, pos.column),
            None => diagnostic,
        }
    }
}
