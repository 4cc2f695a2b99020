//! Names: every name of the program becomes an identifier of C, the user's own where that is one, and no two are the same.

use rustc_hash::{FxHashMap, FxHashSet};

/// The identifiers that are in use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: FxHashSet<String>,
    /// By name, the number that is tried next.
    next: FxHashMap<String, u32>,
}

/// The keywords of C.
const KEYWORDS: &str = include_str!("keywords.txt");
/// What else no variable may be called: what the output itself defines, and functions that compilers know.
const RESERVED: &str = include_str!("reserved.txt");

impl Names {
    pub fn new() -> Self {
        let words = KEYWORDS.split_whitespace().chain(RESERVED.split_whitespace());
        let taken = words.map(str::to_string).collect();
        Names { taken, next: FxHashMap::default() }
    }

    /// An identifier that nobody else has, as close to the wanted one as can be.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let base = identifier(wanted);
        if self.taken.insert(base.clone()) {
            return base;
        }
        let next = self.next.entry(base.clone()).or_insert(2);
        loop {
            let name = format!("{base}_{next}");
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The nearest identifier.
pub fn identifier(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut text: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if text.starts_with(|c: char| c.is_ascii_digit()) || text.is_empty() {
        text.insert(0, '_');
    }
    text
}

/// The same for a member of a structure: only keywords are in the way.
pub fn member(name: &str) -> String {
    let name = identifier(name);
    if KEYWORDS.split_whitespace().any(|word| word == name) { name + "_" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_differ() {
        let mut names = Names::new();
        assert_eq!(names.fresh("x"), "x");
        assert_eq!(names.fresh("x"), "x_2");
        assert_eq!(names.fresh("x.1"), "x_1");
        assert_eq!(names.fresh("x_1"), "x_1_2");
        assert_eq!(names.fresh("for"), "for_2");
        assert_eq!(names.fresh(".str"), "_str");
        assert_eq!(names.fresh("7"), "_7");
        assert_eq!(member("long"), "long_");
        assert_eq!(member("main"), "main");
    }
}
