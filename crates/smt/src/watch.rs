//! Z3 under a budget: a thread beside it asks the budget and interrupts.
//!
//! Z3's own time limits are not used: they are not respected everywhere, know nothing of cancellation or of the memory of
//! the whole process, and cost a thread as well.

use base::Budget;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use z3::Context;

const INTERVAL: Duration = Duration::from_millis(5);

/// Runs `work`, which calls Z3 in this thread's context; `None` if the budget was spent before it or meanwhile.
/// What an interrupted call returned must not be used, since Z3 does not always say that it was interrupted.
pub fn watched<T>(budget: &Budget, work: impl FnOnce() -> T) -> Option<T> {
    if budget.spent().is_some() {
        return None;
    }
    let context = Context::thread_local();
    let handle = context.handle();
    let (done, told) = channel::<()>();
    std::thread::scope(|scope| {
        let watcher = scope.spawn(move || {
            let mut interrupted = false;
            while let Err(RecvTimeoutError::Timeout) = told.recv_timeout(INTERVAL) {
                // Again and again: an interrupt between two phases of Z3 can be lost.
                if interrupted || budget.spent().is_some() {
                    interrupted = true;
                    handle.interrupt();
                }
            }
            interrupted
        });
        let result = work();
        drop(done);
        let interrupted = watcher.join().unwrap_or(true);
        (!interrupted).then_some(result)
    })
}
