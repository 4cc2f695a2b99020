//! Identifiers: any names as most languages allow them, the same where they are identifiers, and no two alike.

use std::collections::{HashMap, HashSet};

/// The identifiers that are in use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    /// By name, the number that is tried next.
    next: HashMap<String, u32>,
}

impl Names {
    /// None of these words will be given.
    pub fn without<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        Names { taken: words.into_iter().map(String::from).collect(), next: HashMap::new() }
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
    let name = name.trim_end_matches(|c| !fits(c));
    let mut text: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        text.insert(0, 'v');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_each_is_given_once() {
        let mut names = Names::without(["int", "for"]);
        let wanted = ["x", "x", "x.1", "x_1", "a[3]", "a_3", "int", "2nd", "7", ".str", "é", "x@0", "y_"];
        let given = wanted.map(|name| names.fresh(name));
        let expected = ["x", "x_2", "x_1", "x_1_2", "a_3", "a_3_2", "int_2", "v2nd", "v7", "_str", "v", "x_0", "y_"];
        assert_eq!(given, expected);
    }
}
