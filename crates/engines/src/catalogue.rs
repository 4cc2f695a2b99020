//! The engines by name, one line for each.  Whoever adds an engine adds it here; the command line, the portfolio and the
//! tests that ask every engine read this table.

use crate::comus::Comus;
use crate::explicit::Explicit;
use crate::lazy::Lazy;
use crate::options::{About, Made};
use crate::product::Product;

/// An engine that can be asked for, as it describes itself.
#[derive(Debug)]
pub struct Entry {
    pub name: &'static str,
    /// What it does, in a few words.
    pub what: &'static str,
    pub options: fn() -> Vec<About>,
    pub(crate) make: fn(&[(String, String)]) -> Made,
}

pub const ENGINES: &[Entry] =
    &[Entry::of::<Explicit>(), Entry::of::<Lazy>(), Entry::of::<Comus>(), Entry::of::<Product>()];

/// The engine of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    ENGINES.iter().find(|entry| entry.name == name)
}
