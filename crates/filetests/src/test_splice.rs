//! `test splice`: the program after every direct call of the entry was replaced by the body of what it calls.

use crate::{Case, Command, Outcome};
use ir::splice::{Show, splice_calls};

pub struct Splice;

impl Command for Splice {
    fn name(&self) -> &'static str {
        "splice"
    }

    fn run(&self, case: &Case) -> Outcome {
        let mut program = case.program().clone();
        let entry = program.entry;
        splice_calls(&mut program, entry, |_, _| Some(Show::Inside));
        let mut out = String::new();
        for invalid in ir::validate::validate(&program) {
            out.push_str(&format!("invalid: {}\n", invalid.describe(&program)));
        }
        out.push_str(&ir::text::print(&program));
        Ok(Some(out))
    }
}
