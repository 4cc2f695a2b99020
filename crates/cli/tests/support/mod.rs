//! Runs the binary in a folder of its own.

#![allow(dead_code, reason = "each test uses a part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that goes away with its contents.
pub struct Folder {
    pub path: PathBuf,
}

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("unbraid-test-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder { path }
    }
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
    /// `unbraid` with these words, run in this folder.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_unbraid")));
        command.args(words.split_whitespace()).current_dir(&self.path);
        command
    }
    pub fn run(&self, words: &str) -> Ran {
        Ran::from(self.command(words).output().unwrap())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
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
    /// Exit status and last line are these.
    #[track_caller]
    pub fn expect(&self, status: i32, last_line: &str) -> &Self {
        assert_eq!((self.status, self.last_line()), (Some(status), last_line), "{self:#?}");
        self
    }
    #[track_caller]
    pub fn complains(&self, words: &str) -> &Self {
        assert!(self.stderr.contains(words), "no `{words}` in {self:#?}");
        self
    }
}
