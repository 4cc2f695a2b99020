//! Foreign verifiers: runs one on a sequential C file and reads what it says.
//!
//! A verifier is a command with `{file}` in it.  What it prints or its exit status is read by a table of known tools
//! (`tools.tsv`), or by texts that the user gives.  Nothing a stranger says is a verdict here: "violated" comes without an
//! execution that could be replayed, and "not violated" speaks of the bounds of the file it was given.

mod process;
mod search;
mod tools;

pub use process::end_all;
pub use search::{BoundedSearch, Bounds, Finding};
pub use tools::{Said, Signs};

use base::{Budget, Folder};

/// A foreign verifier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Backend {
    command: String,
    signs: Signs,
}

impl Backend {
    /// The verifier that `command` runs, where `{file}` stands for the C file.  The texts, where given, are what its output
    /// contains when it has found a violation, and when there is none.  The error is one of usage.
    pub fn new(command: &str, violated: Option<&str>, not_violated: Option<&str>) -> Result<Self, String> {
        if !command.contains("{file}") {
            return Err(format!("the command `{command}` does not say where the file goes: {{file}} is missing"));
        }
        let signs = Signs::of(command).with_texts(violated, not_violated);
        Ok(Backend { command: command.into(), signs })
    }

    /// The command as it was given.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The C it reads best, by the names of `unbraid sequentialize --for`.
    pub fn flavour(&self) -> &str {
        &self.signs.flavour
    }

    /// Runs the verifier on a C program, which is in a file of this name; it is killed, with all it has started, when the budget
    /// is spent.
    pub fn run(&self, name: &str, program: &str, budget: &Budget) -> Said {
        let written = Folder::new().and_then(|folder| {
            std::fs::write(folder.file(name), program)?;
            Ok(folder)
        });
        let folder = match written {
            Ok(folder) => folder,
            Err(error) => return Said::Nothing(format!("the program cannot be written to a file: {error}")),
        };
        let command = self.command.replace("{file}", &quoted(&folder.file(name).to_string_lossy()));
        process::run(&command, budget).map_or_else(Said::Nothing, |output| self.signs.read(&output))
    }
}

/// A word as a shell wants it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
