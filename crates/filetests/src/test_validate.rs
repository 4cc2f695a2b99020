//! `test validate`: the errors of the parser and of `ir::validate`, each annotated on its line as `; error: message`.
//!
//! An error about the program as a whole has no line; it is annotated on any line, as `; error-anywhere: message`.
//!
//! The parser stops at its first error.  `test validate split` takes the file as several programs, separated by lines
//! `;;---`, so that one file can show many of them; what comes before the first separator belongs to each program.

use crate::{Case, Outcome, fail};
use ir::text::parse_with_map;

pub fn validate(case: &Case) -> Outcome {
    let programs = match case.args {
        [] => vec![case.file.text.to_string()],
        [arg] if arg == "split" => split(&case.file.text),
        _ => return fail("the only argument is `split`"),
    };
    let errors = programs.iter().flat_map(|text| errors(text, case.file.name));
    let (nowhere, located): (Vec<_>, Vec<_>) = errors.partition(|(line, _)| *line == 0);
    // What has no line matches wherever it is annotated, in order.
    let annotated = case.file.annotations.iter().filter(|a| a.key == "error-anywhere");
    let lines = annotated.map(|a| a.line).chain(std::iter::repeat(0));
    let nowhere: Vec<_> = nowhere.into_iter().zip(lines).map(|((_, message), line)| (line, message)).collect();
    case.check_annotations("error", &located)?;
    case.check_annotations("error-anywhere", &nowhere)?;
    Ok(None)
}

/// All errors of one program, with their lines.
fn errors(text: &str, name: &str) -> Vec<(u32, String)> {
    match parse_with_map(text, name) {
        Err(error) => vec![(error.line, error.message)],
        Ok((program, map)) => {
            let found = ir::validate::validate(&program).into_iter();
            found.map(|invalid| (invalid.diagnostic(&map).line, invalid.message)).collect()
        }
    }
}

/// The programs of a file, each with all its lines at their place: the lines of the others are empty.
fn split(text: &str) -> Vec<String> {
    let is_separator = |line: &str| line.starts_with(";;---");
    let count = text.lines().filter(|line| is_separator(line)).count();
    let mut programs = vec![String::new(); count];
    let mut part = 0;
    for line in text.lines() {
        part += usize::from(is_separator(line));
        for (i, program) in programs.iter_mut().enumerate() {
            if part == 0 || part == i + 1 {
                program.push_str(line);
            }
            program.push('\n');
        }
    }
    programs
}
