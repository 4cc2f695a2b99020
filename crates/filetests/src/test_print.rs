//! `test print`: the canonical text of a program that is written in some other way.

use crate::{Case, Command, Outcome};

pub struct Print;

impl Command for Print {
    fn name(&self) -> &'static str {
        "print"
    }

    fn run(&self, case: &Case) -> Outcome {
        Ok(Some(ir::text::print(case.program())))
    }
}
