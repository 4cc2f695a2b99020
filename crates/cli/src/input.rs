//! From the files on the command line to a program.

use crate::answer::about_file;
use crate::options::{ExternsName, InputArgs, data_model_name};
use crate::session::Session;
use base::Diagnostic;
use front::model::{Externs, LinkOptions};
use ir::{DataModel, Program};
use std::path::{Path, PathBuf};

/// Reads the program.
pub fn load(input: &InputArgs, session: &Session) -> Result<Program, Vec<Diagnostic>> {
    let is_ir = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "ir");
    if input.files.iter().any(is_ir) {
        return match input.files.as_slice() {
            [file] => load_ir(file, input),
            _ => Err(vec![Diagnostic::error("an .ir file is a whole program: it cannot be linked with other files")]),
        };
    }
    load_c(input, session)
}

fn load_ir(file: &Path, input: &InputArgs) -> Result<Program, Vec<Diagnostic>> {
    let name = file.to_string_lossy();
    let fail = |message: String| vec![about_file(file, message)];
    let bytes = std::fs::read(file).map_err(|error| fail(format!("cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| fail("is not text".into()))?;
    let (program, map) = ir::text::parse_with_map(&without_tests(text), &name).map_err(|error| vec![error])?;
    let invalid = ir::validate::validate(&program);
    if !invalid.is_empty() {
        return Err(invalid.iter().map(|error| error.diagnostic(&map)).collect());
    }
    if let Some(wanted) = input.data_model().filter(|wanted| *wanted != program.data_model) {
        let (is, wanted) = (data_model_name(program.data_model), data_model_name(wanted));
        return Err(fail(format!("is a program for {is}, but {wanted} was asked for")));
    }
    Ok(program)
}

/// The files of `tests/ir` begin with lines `test ...`; they are no part of the program.  Lines keep their numbers.
fn without_tests(text: String) -> String {
    if !text.starts_with("test ") {
        return text;
    }
    let blank = |line: &str| if line.starts_with("test ") { String::new() } else { line.to_string() };
    text.lines().map(|line| blank(line) + "\n").collect()
}

fn load_c(input: &InputArgs, session: &Session) -> Result<Program, Vec<Diagnostic>> {
    let externs = match input.externs {
        Some(ExternsName::Error) => Externs::Error,
        Some(ExternsName::Havoc) => Externs::Havoc,
        Some(ExternsName::Pure) => Externs::Pure,
        None => Externs::Careful,
    };
    let options = front::Options {
        data_model: input.data_model().unwrap_or(DataModel::Lp64),
        clang_args: input.cc_args.clone(),
        clang: None,
        limit: session.budget.remaining(),
        link: LinkOptions { externs, error_functions: input.error_functions.clone() },
    };
    let loaded = front::load(&input.files, &options)?;
    loaded.notes.into_iter().for_each(|note| session.note(note));
    Ok(loaded.program)
}
