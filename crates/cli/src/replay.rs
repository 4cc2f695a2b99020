//! `unbraid replay`: steps a counterexample through the interpreter.

use crate::answer::{Answer, Exit, about_file};
use crate::check::Refusal;
use crate::input;
use crate::options::{ExternsName, InputArgs, ReplayArgs, TraceFormat};
use crate::present;
use crate::session::{Session, Task};
use base::Diagnostic;
use claim::Trace;
use clap::ValueEnum;
use ir::interp::Code;
use ir::{DataModel, Property};
use report::schedule;
use report::story::{End, Failure, Position, Sources, Story};
use report::trace_file::TraceFile;
use std::path::Path;

/// What is to be replayed.
pub struct Plan {
    pub input: InputArgs,
    pub property: Property,
    pub trace: Trace,
    /// Where the violation stood when the trace was saved.
    pub recorded: Option<Position>,
    pub format: TraceFormat,
}

impl Plan {
    pub fn new(args: ReplayArgs) -> Result<Self, Refusal> {
        let mut input = args.input;
        let mut property = Property::UnreachCall;
        let mut recorded = None;
        let trace = match (&args.trace, &args.schedule) {
            (Some(path), _) => {
                let file = read(path).map_err(Refusal::Input)?;
                adopt(&mut input, &file);
                property = Property::from_name(&file.property).ok_or_else(|| {
                    Refusal::Input(about_file(path, format!("`{}` is not a property", file.property)))
                })?;
                recorded = Some(file.violation);
                file.trace
            }
            (None, Some(text)) => schedule::parse(text).map_err(Refusal::Usage)?,
            (None, None) => return Err(Refusal::Usage("there is nothing to replay".into())),
        };
        Ok(Plan { input, property, trace, recorded, format: args.output.trace_format })
    }

    pub fn task(&self) -> Task {
        Task { property: self.property.to_string(), engine: "replay".into(), ..self.input.task() }
    }
}

fn read(path: &Path) -> Result<TraceFile, Diagnostic> {
    let bytes = std::fs::read(path).map_err(|error| about_file(path, format!("cannot be read: {error}")))?;
    TraceFile::parse(&String::from_utf8_lossy(&bytes)).map_err(|message| about_file(path, message))
}

/// The program is read as it was when the trace was made, unless the command line says otherwise.
fn adopt(input: &mut InputArgs, file: &TraceFile) {
    let program = &file.program;
    // The default needs no mention: a file that is not C has its own.
    if input.data_model().is_none() && program.data_model == "ILP32" {
        input.set_data_model(DataModel::Ilp32);
    }
    if input.externs.is_none() {
        // The default has a name there that it has not on the command line.
        input.externs = ExternsName::from_str(&program.externs, false).ok();
    }
    if input.error_functions.is_empty() {
        input.error_functions = program.error_functions.clone();
    }
    if input.cc_args.is_empty() {
        input.cc_args = program.cc_args.clone();
    }
}

pub fn run(plan: &Plan, session: &Session) -> Answer {
    let program = match input::load(&plan.input, session) {
        Ok(program) => program,
        Err(errors) => return Answer::input(errors),
    };
    let code = Code::new(&program);
    let story = Story::new(&code, &plan.trace, &mut Sources::new());
    let mut answer = match &story.end {
        End::Violated(failure) if failure.check.property() == plan.property => {
            compare(plan, failure, session);
            Answer::new(Exit::Unsafe)
        }
        End::Violated(_) => Answer::unknown("replay", format!("what the trace violates is not {}", plan.property)),
        End::Diverged(why) => Answer::unknown("replay", format!("the trace does not reproduce: {why}")),
    };
    answer.report = present::layout(&story, plan.format);
    present::add_fields(&mut answer, &story, &plan.trace);
    answer
}

/// A violation elsewhere than recorded: the program has changed since, if only by a line.
fn compare(plan: &Plan, failure: &Failure, session: &Session) {
    let Some(recorded) = plan.recorded.as_ref().filter(|recorded| recorded.line != failure.at.line) else { return };
    let message = format!("when the trace was saved, the violation was at {}:{}", recorded.file, recorded.line);
    session.note(Diagnostic::note(message).at(failure.at.file.as_str(), failure.at.line, failure.at.column));
}
