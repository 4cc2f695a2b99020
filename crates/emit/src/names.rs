//! Names: every name of the program becomes an identifier of C, the user's own where that is one, and no two are the same.

use base::{Names, identifier};

/// The keywords of C.
const KEYWORDS: &str = include_str!("keywords.txt");
/// What else no variable may be called: what the output itself defines, and functions that compilers know.
const RESERVED: &str = include_str!("reserved.txt");

/// No names but those that cannot be used.
pub fn unused() -> Names {
    Names::without(KEYWORDS.split_whitespace().chain(RESERVED.split_whitespace()))
}

/// The identifier for a member of a structure: only keywords are in the way.
pub fn member(name: &str) -> String {
    let name = identifier(name);
    if KEYWORDS.split_whitespace().any(|word| word == name) { name + "_" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_c_are_no_names() {
        let mut names = unused();
        assert_eq!(["for", "cs", "sqrt", "fore"].map(|name| names.fresh(name)), ["for_2", "cs_2", "sqrt_2", "fore"]);
        assert_eq!(["long", "main"].map(member), ["long_", "main"]);
    }
}
