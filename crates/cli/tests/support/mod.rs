//! Runs the binary in a folder of its own, and many tests at the same time.

#![allow(dead_code, reason = "each test uses a part")]

use base::parallel;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The binary.
pub const UNBRAID: &str = env!("CARGO_BIN_EXE_unbraid");

/// A folder that goes away with its contents.
pub struct Folder {
    pub path: PathBuf,
    _held: base::Folder,
}

impl Folder {
    pub fn new() -> Self {
        let held = base::Folder::new().unwrap();
        Folder { path: held.path().into(), _held: held }
    }
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
    /// `unbraid` with these words, run in this folder.
    pub fn run(&self, words: &str) -> Ran {
        let mut command = Command::new(UNBRAID);
        Ran::from(command.args(words.split_whitespace()).current_dir(&self.path).output().unwrap())
    }
}

/// What a run of the binary left behind.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    pub fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or("")
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The files with this extension in the folder and those below it, in order.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let found = base::files(folder, extension).unwrap();
    assert!(!found.is_empty(), "no files in {}", folder.display());
    found
}

/// Calls `check` for each, several at a time; what fails is told.
pub fn in_parallel<T: Sync>(all: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) {
    let mut failures = Vec::new();
    parallel::each(all, parallel::processors(), check, |_, result| failures.extend(result.err()));
    failures.sort();
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), all.len(), failures.join("\n"));
}
