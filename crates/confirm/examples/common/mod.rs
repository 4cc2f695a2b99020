//! Reads the program of a file, C or text of a program.

use ir::{DataModel, Program};

/// `None` if it cannot be read, which is said.
pub fn load(file: &str, data_model: DataModel) -> Option<Program> {
    if file.ends_with(".ir") {
        let text = std::fs::read_to_string(file).expect("a file");
        return Some(ir::text::parse(&text, file).expect("a program"));
    }
    match front::load(&[file.into()], &front::Options { data_model, ..front::Options::default() }) {
        Ok(loaded) => Some(loaded.program),
        Err(errors) => {
            println!("{file}: cannot be read: {:?}", errors.first());
            None
        }
    }
}
