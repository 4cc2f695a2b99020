//! The C programs of `tests/c`, as the command line would read them.

use front::model::LinkOptions;
use ir::Program;
use std::path::Path;

/// A program with its name, and the text that it was made from.
pub struct Loaded {
    pub name: String,
    #[allow(dead_code)] // Not every test asks for it.
    pub text: String,
    pub program: Program,
}

/// All of them, in the order of their names.
pub fn programs_in_c() -> impl Iterator<Item = Loaded> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let files = base::files(&root, "c").expect("there are tests");
    files.into_iter().map(move |file| {
        let text = std::fs::read_to_string(&file).expect("a file");
        let name = file.strip_prefix(&root).expect("below the root").display().to_string();
        let words = text.lines().find_map(|line| line.strip_prefix("//@ args:")).unwrap_or("");
        let standard = words.split_whitespace().filter_map(|word| word.strip_prefix("--std="));
        let options = front::Options {
            clang_args: standard.map(|standard| format!("-std={standard}")).collect(),
            link: LinkOptions::from_words(words),
            ..front::Options::default()
        };
        let loaded = front::load(std::slice::from_ref(&file), &options);
        let program = loaded.unwrap_or_else(|errors| panic!("{name}: {errors:?}")).program;
        Loaded { name, text, program }
    })
}
