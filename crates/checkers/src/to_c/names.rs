//! Identifiers: the program's names as C allows them, each once.

use rustc_hash::FxHashSet;

/// Words that mean something in the file already.
const TAKEN: &str = include_str!("taken.txt");

#[derive(Default)]
pub struct Names {
    used: FxHashSet<String>,
}

impl Names {
    /// An identifier like `name` that was not given before.
    pub fn fresh(&mut self, name: &str) -> String {
        let mut base: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        // Names that begin with an underscore or a capital after it are the implementation's.
        if !base.starts_with(|c: char| c.is_ascii_alphabetic()) {
            base.insert(0, 'v');
        }
        let base = base.trim_end_matches('_');
        let free = |name: &String| !self.used.contains(name) && !TAKEN.split_whitespace().any(|word| word == name);
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        let name = std::iter::once(base.to_string()).chain(numbered).find(free).expect("numbers do not end");
        self.used.insert(name.clone());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_each_is_given_once() {
        let mut names = Names::default();
        let given: Vec<String> =
            ["x", "x", "a[3]", "a_3", "int", "2nd", "_", "é", "x@0"].iter().map(|name| names.fresh(name)).collect();
        assert_eq!(given, ["x", "x_2", "a_3", "a_3_2", "int_2", "v2nd", "v", "v_2", "x_0"]);
    }
}
