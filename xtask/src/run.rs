//! Runs programs one by one in processes of their own, several at a time.

use base::{parallel, process};
use std::io::ErrorKind;
use std::process::Command;
use std::time::{Duration, Instant};

/// What a process did.
pub struct Ran {
    /// `None` if it was killed.
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub wall: Duration,
}

/// Runs a command; kills it after `limit`, which is meant never to happen.
pub fn run(command: Command, limit: Duration) -> Result<Ran, String> {
    let start = Instant::now();
    let program = command.get_program().display().to_string();
    let (status, stdout, stderr) = match process::run(command, None, Some(start + limit)) {
        Ok(output) => (output.status.code(), output.stdout, output.stderr),
        Err(error) if error.kind() == ErrorKind::TimedOut => (None, Vec::new(), Vec::new()),
        Err(error) => return Err(format!("{program}: {error}")),
    };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(Ran { status, stdout: text(stdout), stderr: text(stderr), wall: start.elapsed() })
}

/// Does `work` for each item, `jobs` at a time; `done` sees the results as they come, one at a time.  The first failure is
/// what comes of it, after all others are done.
pub fn each<T: Sync, R>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> Result<R, String> + Sync,
    mut done: impl FnMut(&T, R) -> Result<(), String> + Send,
) -> Result<(), String> {
    let mut outcome = Ok(());
    parallel::each(items, jobs, work, |item, result| {
        let kept = result.and_then(|result| done(item, result));
        outcome = std::mem::replace(&mut outcome, Ok(())).and(kept);
    });
    outcome
}
