//! `test link`: the program after linking with the model of the C library, notes first.  `test link error`
//! and `pure` and `havoc` are as `--extern` says.

use crate::{Case, Command, Failure, Outcome};
use front::model::{Externs, LinkOptions, link};
use ir::text::print_without_positions;
use std::fmt::Write;

pub struct Link;

impl Command for Link {
    fn name(&self) -> &'static str {
        "link"
    }

    /// Before linking, functions without a body have no blocks, which is not valid.
    fn validate_first(&self) -> bool {
        false
    }

    fn run(&self, case: &Case) -> Outcome {
        let mut program = ir::text::parse(case.text, case.name)
            .map_err(|error| vec![Failure::new(Some(error.line), error.message)])?;
        let asked = |name: &str| case.args.iter().any(|arg| arg == name);
        let externs = match () {
            () if asked("error") => Externs::Error,
            () if asked("pure") => Externs::Pure,
            () if asked("havoc") => Externs::Havoc,
            () => Externs::Careful,
        };
        let notes = link(&mut program, &LinkOptions { externs, ..LinkOptions::default() });
        let mut out = String::new();
        for note in notes {
            writeln!(out, "note: {}", note.message).ok();
        }
        for invalid in ir::validate::validate(&program) {
            writeln!(out, "invalid: {}", invalid.describe(&program)).ok();
        }
        out.push_str(&print_without_positions(&program));
        Ok(Some(out))
    }
}
