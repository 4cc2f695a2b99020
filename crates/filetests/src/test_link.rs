//! `test link`: the program after linking with the model of the C library, notes first.  `test link error`
//! and `pure` and `havoc` are as `--extern` says.

use crate::{Case, Failure, Outcome, invalid};
use front::model::{self, Externs, LinkOptions};
use ir::text::print_without_positions;

/// Before linking, functions without a body have no blocks, which is not valid.
pub fn link(case: &Case) -> Outcome {
    let mut program = ir::text::parse(&case.file.text, case.file.name)
        .map_err(|error| vec![Failure::new(Some(error.line), error.message)])?;
    let asked = |name: &str| case.args.iter().any(|arg| arg == name);
    let externs = match () {
        () if asked("error") => Externs::Error,
        () if asked("pure") => Externs::Pure,
        () if asked("havoc") => Externs::Havoc,
        () => Externs::Careful,
    };
    let notes = model::link(&mut program, &LinkOptions { externs, ..LinkOptions::default() });
    let notes: String = notes.iter().map(|note| format!("note: {}\n", note.message)).collect();
    Ok(Some(format!("{notes}{}{}", invalid(&program), print_without_positions(&program))))
}
