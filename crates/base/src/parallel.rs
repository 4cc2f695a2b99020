//! The same work for many things, several at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Room for deep recursion.
const STACK: usize = 256 << 20;

/// Does `work` for each item, `jobs` at a time; `done` sees the results as they come, one at a time.
pub fn each<T: Sync, R>(items: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync, done: impl FnMut(&T, R) + Send) {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(done);
    let worker = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = work(item);
            // A panic in `done` has been reported already; the others go on.
            done.lock().unwrap_or_else(PoisonError::into_inner)(item, result);
        }
    };
    std::thread::scope(|scope| {
        let start = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).is_ok();
        // Where the system gives no thread for the first one, this one does the work.
        if !(0..jobs.max(1)).map(start).fold(false, |any, started| any | started) {
            worker();
        }
    });
}

/// As many jobs as there are processors.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}
