//! `test validate`: the errors of the parser and of `ir::validate`, each annotated on its line as `; error: message`.
//!
//! The parser stops at its first error, so a file that does not parse has one.  An error about the program as a whole
//! has no line; it is annotated on any line, as `; error-anywhere: message`.

use crate::{Case, Command, Outcome};
use ir::text::parse_with_map;
use ir::validate::validate;

pub struct Validate;

impl Command for Validate {
    fn name(&self) -> &'static str {
        "validate"
    }

    fn validate_first(&self) -> bool {
        false
    }

    fn keys(&self) -> &'static [&'static str] {
        &["error", "error-anywhere"]
    }

    fn run(&self, case: &Case) -> Outcome {
        let errors: Vec<(u32, String)> = match parse_with_map(case.text, case.name) {
            Err(error) => vec![(error.line, error.message)],
            Ok((program, map)) => {
                let found = validate(&program).into_iter();
                found.map(|invalid| (invalid.diagnostic(&map).line, invalid.message)).collect()
            }
        };
        let (nowhere, located): (Vec<_>, Vec<_>) = errors.into_iter().partition(|(line, _)| *line == 0);
        // What has no line matches wherever it is annotated.
        let annotated = case.annotations.iter().filter(|a| a.key == "error-anywhere");
        let lines = annotated.map(|a| a.line).chain(std::iter::repeat(0));
        let nowhere: Vec<_> = nowhere.into_iter().zip(lines).map(|((_, message), line)| (line, message)).collect();
        case.check_annotations("error", &located)?;
        case.check_annotations("error-anywhere", &nowhere)?;
        Ok(None)
    }
}
