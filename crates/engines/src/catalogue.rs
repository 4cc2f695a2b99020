//! The engines by name, one line for each.  Whoever adds an engine adds it here; the command line, the portfolio and the
//! tests that ask every engine read this table.

use crate::comus::Comus;
use crate::explicit::{self, Explicit};
use crate::lazy::Lazy;
use crate::product::Product;
use crate::{Engine, Settings};

/// An engine that can be asked for.
pub struct Entry {
    pub name: &'static str,
    /// It has a use for [`crate::Bounds`].
    pub bounded: bool,
    /// It is for programs of some kinds: no answer from it is nothing special.
    pub special: bool,
    /// It works over integers in general, so that they can be mathematical, and shows the programs it makes.
    pub integers: bool,
    /// It proves thread by thread, and has a use for all of [`crate::comus::Settings`].
    pub modular: bool,
    pub make: fn(&Settings) -> Box<dyn Engine>,
}

pub const ENGINES: &[Entry] = &[
    Entry {
        name: "explicit",
        bounded: false,
        special: false,
        integers: false,
        modular: false,
        make: |_| Box::new(Explicit::new(explicit::Config::default())),
    },
    Entry {
        name: "lazy",
        bounded: true,
        special: false,
        integers: false,
        modular: false,
        make: |settings| Box::new(Lazy::new(settings.bounds)),
    },
    Entry {
        name: "comus",
        bounded: false,
        special: true,
        integers: true,
        modular: true,
        make: |settings| Box::new(Comus::new(settings.comus.clone())),
    },
    Entry {
        name: "product",
        bounded: false,
        special: true,
        integers: true,
        modular: false,
        make: |settings| Box::new(Product::new(settings.comus.clone())),
    },
];

/// The engine of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    ENGINES.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_engines() {
        for entry in ENGINES {
            assert_eq!((entry.make)(&Settings::default()).name(), entry.name);
            assert!(find(entry.name).is_some());
        }
    }
}
