//! Runs programs one by one in processes of their own, several at a time.

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
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
pub fn run(mut command: Command, limit: Duration) -> Result<Ran, String> {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let stdout = child.stdout.take().map(collect);
    let stderr = child.stderr.take().map(collect);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.code(),
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(2)),
            Ok(None) | Err(_) => {
                // It may have ended just now, which is as good.
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    let wall = start.elapsed();
    let text = |pipe: Option<std::thread::JoinHandle<String>>| pipe.and_then(|t| t.join().ok()).unwrap_or_default();
    Ok(Ran { status, stdout: text(stdout), stderr: text(stderr), wall })
}

fn collect(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is still worth having.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Does `work` for each item, `jobs` at a time; `done` sees the results as they come, one at a time.  The first failure is
/// what comes of it, after all others are done.
pub fn each<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> Result<R, String> + Sync,
    done: impl FnMut(&T, R) -> Result<(), String> + Send,
) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((done, Ok(())));
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = work(item);
                    // A panic in `done` has been reported already; the others go on.
                    let mut shared = shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    let (done, outcome) = &mut *shared;
                    let kept = result.and_then(|result| done(item, result));
                    *outcome = std::mem::replace(outcome, Ok(())).and(kept);
                }
            });
        }
    });
    shared.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).1
}

/// As many jobs as processors.
pub fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}
