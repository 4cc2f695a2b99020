//! `test splice`: the program after every direct call of the entry was replaced by the body of what it calls.

use crate::{Case, Outcome, invalid};
use ir::splice::{Show, splice_calls};

pub fn splice(case: &Case) -> Outcome {
    let mut program = case.program().clone();
    let entry = program.entry;
    splice_calls(&mut program, entry, |_, _| Some(Show::Inside));
    Ok(Some(format!("{}{}", invalid(&program), ir::text::print(&program))))
}
