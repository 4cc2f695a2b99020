//! The model of the C library: what `pthread_mutex_lock`, `malloc` or `__VERIFIER_nondet_int` do.
//!
//! The model is a table that can be read: the `.ir` files beside this one hold one function each for every function
//! modelled, in the text form of programs, headed by what it does and how it follows POSIX or C.  [`link`] puts them into
//! the user's program where it calls functions that it does not define.

mod computing;
mod flavour;
mod how_often;
mod library;
mod link;
mod mentions;
mod misfits;
mod mutex_kinds;
mod prototype;
mod signature;
mod threads;

pub(crate) use flavour::mentions_beyond_null;
pub use library::{Entry, entries, files};
pub(crate) use library::{Flavour, Library};
pub use link::{Externs, LinkOptions, link};
pub(crate) use link::{
    REPLACEABLE, is_error_function, is_input, more_than_a_value, other_function, refuse_other, violation_body,
};
pub(crate) use mentions::address_taken;
pub(crate) use prototype::{Kind, Use};
pub use signature::{LIST, sign_is_lost};

#[cfg(test)]
mod tests;
