//! A panic in the thread of one engine concerns that engine only.
//!
//! The message and the place of a panic are known to the process's panic hook alone, which may be somebody else's and
//! usually ends the process.  So the hook asks here first.

use base::process::panic_text;
use std::cell::RefCell;

thread_local! {
    /// What an engine's thread panicked over; `None` in threads that are not engines'.
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// To be called by a panic hook: keeps the message if this thread is an engine's.  Otherwise the panic is the hook's.
pub fn keep_panic(message: &str) -> bool {
    MESSAGE.with_borrow_mut(|kept| match kept {
        Some(kept) => {
            *kept = message.to_string();
            true
        }
        None => false,
    })
}

/// Does the work of an engine; the error is what it panicked over.
pub fn contained<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    MESSAGE.set(Some(String::new()));
    // What the work leaves half done is dropped with it: nobody looks at it again.
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    let kept = MESSAGE.take().filter(|message| !message.is_empty());
    result.map_err(|payload| kept.unwrap_or_else(|| panic_text(payload.as_ref()).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_kept_where_an_engine_works() {
        assert!(!keep_panic("not an engine's"));
        let result = contained(|| assert!(keep_panic("with its place")));
        assert_eq!(result, Ok(()));
        let result: Result<(), String> = contained(|| {
            assert!(keep_panic("with its place"));
            panic!("bare")
        });
        assert_eq!(result, Err("with its place".into()));
        assert_eq!(contained(|| panic!("bare {}", 7)), Err::<(), _>("bare 7".into()));
        assert!(!keep_panic("not an engine's"));
    }
}
