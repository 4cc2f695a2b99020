//! `test link`: the program after linking with the model of the C library, notes first.  `test link error` makes functions
//! without a body an error.

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
        let error = case.args.iter().any(|arg| arg == "error");
        let externs = if error { Externs::Error } else { Externs::Havoc };
        let notes = link(&mut program, &LinkOptions { externs });
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
