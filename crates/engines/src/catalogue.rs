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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Command, Problem, Unobserved};
    use base::Budget;
    use claim::{Outcome, Reason};
    use ir::{Property, Spec};

    #[test]
    fn no_engine_answers_what_it_was_not_asked() {
        let text = "target 64\nentry main\n\nfunc main() -> i32 {\nb0:\n  return 0\n}\n";
        let program = ir::text::parse(text, "test.ir").unwrap();
        let code = ir::interp::Code::new(&program);
        for (entry, property) in ENGINES.iter().flat_map(|entry| Property::ALL.map(|property| (entry, property))) {
            let problem = Problem::new(&code, Spec { property, ..Spec::default() });
            let mut engine = Command::new(entry.name).make().unwrap();
            match engine.run(&problem, &Budget::unlimited(), &mut Unobserved) {
                Outcome::Unknown(reason) => assert_eq!(reason, Reason::Property(property), "{}", entry.name),
                _ => assert_eq!(property, Property::UnreachCall, "{}", entry.name),
            }
        }
    }
}
