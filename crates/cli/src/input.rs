//! From the files on the command line to a program.

use crate::answer::about_file;
use crate::options::{self, DataModelName, ExternsName, InputArgs};
use crate::session::Session;
use base::Diagnostic;
use front::model::{Externs, LinkOptions};
use ir::{DataModel, Program};
use std::path::{Path, PathBuf};

/// What the input is and how it is to be read.
#[derive(Clone, Debug)]
pub struct InputOptions {
    pub files: Vec<PathBuf>,
    /// As asked for on the command line; 64 bits where nothing was said.
    pub data_model: Option<DataModel>,
    /// Passed on to the C compiler.
    pub cc_args: Vec<String>,
    /// What functions without a body do, where something was said about it.
    pub externs: Option<ExternsName>,
    /// Further functions whose being called is a violation.
    pub error_functions: Vec<String>,
}

impl InputOptions {
    pub fn new(args: &InputArgs) -> Self {
        let data_model = match args.data_model {
            Some(DataModelName::Ilp32) => Some(DataModel::Ilp32),
            Some(DataModelName::Lp64) => Some(DataModel::Lp64),
            None if args.narrow => Some(DataModel::Ilp32),
            None if args.wide => Some(DataModel::Lp64),
            None => None,
        };
        InputOptions {
            files: args.files.clone(),
            data_model,
            cc_args: args.cc_args.clone(),
            externs: args.externs,
            error_functions: args.error_functions.clone(),
        }
    }

    pub fn file_names(&self) -> Vec<String> {
        self.files.iter().map(|file| file.to_string_lossy().into_owned()).collect()
    }

    pub fn externs_name(&self) -> String {
        self.externs.as_ref().map_or_else(|| "careful".into(), options::name_of)
    }

    pub fn data_model_name(&self) -> &'static str {
        data_model_name(self.data_model.unwrap_or(DataModel::Lp64))
    }
}

pub fn data_model_name(data_model: DataModel) -> &'static str {
    match data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    }
}

/// Reads the program.
pub fn load(options: &InputOptions, session: &Session) -> Result<Program, Vec<Diagnostic>> {
    let is_ir = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "ir");
    if options.files.iter().any(is_ir) {
        return match options.files.as_slice() {
            [file] => load_ir(file, options),
            _ => Err(vec![Diagnostic::error("an .ir file is a whole program: it cannot be linked with other files")]),
        };
    }
    load_c(options, session)
}

fn load_ir(file: &Path, options: &InputOptions) -> Result<Program, Vec<Diagnostic>> {
    let name = file.to_string_lossy();
    let fail = |message: String| vec![about_file(file, message)];
    let bytes = std::fs::read(file).map_err(|error| fail(format!("cannot be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|_| fail("is not text".into()))?;
    let (program, map) = ir::text::parse_with_map(&without_tests(text), &name).map_err(|error| vec![error])?;
    let invalid = ir::validate::validate(&program);
    if !invalid.is_empty() {
        return Err(invalid.iter().map(|error| error.diagnostic(&map)).collect());
    }
    if let Some(wanted) = options.data_model.filter(|wanted| *wanted != program.data_model) {
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

fn load_c(options: &InputOptions, session: &Session) -> Result<Program, Vec<Diagnostic>> {
    let externs = match options.externs {
        Some(ExternsName::Error) => Externs::Error,
        Some(ExternsName::Havoc) => Externs::Havoc,
        Some(ExternsName::Pure) => Externs::Pure,
        None => Externs::Careful,
    };
    let front_options = front::Options {
        data_model: options.data_model.unwrap_or(DataModel::Lp64),
        clang_args: options.cc_args.clone(),
        clang: None,
        limit: session.budget.remaining(),
        link: LinkOptions { externs, error_functions: options.error_functions.clone() },
    };
    let loaded = front::load(&options.files, &front_options)?;
    loaded.notes.into_iter().for_each(|note| session.note(note));
    Ok(loaded.program)
}
