//! Coefficients that grow beyond 128 bits.
//!
//! They have no use, but a program can be written that leads to them.  The work on a formula that needs one is given up as a
//! whole: it is unwound to whoever began it with [`within_width`], without the noise of a panic, which would be a defect.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A number did not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooWide;

impl std::fmt::Display for TooWide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("coefficients grow beyond 128 bits")
    }
}

/// Does the work, or says that a coefficient grew too wide for it.
pub fn within_width<T>(work: impl FnOnce() -> T) -> Result<T, TooWide> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|reason| match reason.downcast::<TooWide>() {
        Ok(too_wide) => *too_wide,
        Err(other) => resume_unwind(other),
    })
}

/// The number, if it did fit.
pub(crate) fn fitting(number: Option<i128>) -> i128 {
    number.unwrap_or_else(|| resume_unwind(Box::new(TooWide)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Linear, Var};

    #[test]
    fn wide_numbers_end_the_work_and_nothing_else() {
        let large = Linear::var(Var(0)).scale(1 << 100);
        assert_eq!(within_width(|| large.scale(1 << 100)), Err(TooWide));
        assert_eq!(within_width(|| large.scale(2).coefficient(Var(0))), Ok(1 << 101));
    }
}
