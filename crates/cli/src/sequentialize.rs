//! `unbraid sequentialize`: prints a bounded program as sequential C, for other verifiers.

use crate::answer::{Answer, Exit, about_file};
use crate::input;
use crate::options::InputArgs;
use crate::session::Session;
use base::{Budget, Diagnostic, FileId, Spent};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use emit::Flavour;
use ir::{Goal, Program};
use std::path::PathBuf;

/// Where nothing is said about them.
const ROUNDS: u32 = 3;
const UNWIND: u32 = 2;

/// Print the program as sequential C that simulates the schedules of so many rounds
#[derive(Args, Debug)]
pub struct SequentializeArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// How often each thread gets its turn [default: 3]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    rounds: Option<u32>,
    /// How often each loop goes round, where nothing else decides [default: 2]
    #[arg(long, value_name = "U")]
    unwind: Option<u32>,
    /// Where to write it; to standard output by default
    #[arg(long, short, value_name = "FILE.c")]
    output: Option<PathBuf>,
    /// Which verifier it is for
    #[arg(long = "for", value_name = "VERIFIER", value_parser = flavours(), default_value = Flavour::SvComp.name())]
    flavour: Flavour,
}

/// The verifiers by name.
fn flavours() -> impl TypedValueParser<Value = Flavour> {
    PossibleValuesParser::new(Flavour::ALL.map(Flavour::name)).map(|name| flavour(&name))
}

fn flavour(name: &str) -> Flavour {
    Flavour::ALL.into_iter().find(|known| known.name() == name).unwrap_or(Flavour::SvComp)
}

impl SequentializeArgs {
    /// For the verifier whose flavour has this name.
    pub fn for_backend(input: &InputArgs, (rounds, unwind): (u32, u32), flavour: &str) -> Self {
        let flavour = self::flavour(flavour);
        SequentializeArgs { input: input.clone(), rounds: Some(rounds), unwind: Some(unwind), output: None, flavour }
    }

    fn bounds(&self) -> (u32, u32) {
        (self.rounds.unwrap_or(ROUNDS), self.unwind.unwrap_or(UNWIND))
    }
}

pub fn run(args: &SequentializeArgs, session: &Session) -> Answer {
    let program = match input::load(&args.input, session) {
        Ok(program) => program,
        Err(errors) => return Answer::input(errors),
    };
    if args.rounds.is_none() || args.unwind.is_none() {
        let (rounds, unwind) = args.bounds();
        session.note(Diagnostic::note(format!(
            "--rounds {rounds} --unwind {unwind}: executions with more are not in the output"
        )));
    }
    let (text, cuts) = match text(args, &program, &session.budget) {
        Ok(written) => written,
        Err(Failure::Spent(spent)) => return Answer::spent(spent),
        Err(Failure::Unsupported(errors)) => {
            return Answer { errors, ..Answer::unknown("unsupported", "the program cannot be said in C") };
        }
    };
    if cuts > 0 {
        session.note(Diagnostic::note(format!("executions that go beyond the bounds are cut off in {cuts} places")));
    }
    match &args.output {
        None => Answer { report: text, ..Answer::new(Exit::Safe) },
        Some(path) => match std::fs::write(path, text) {
            Ok(()) => Answer::new(Exit::Safe),
            Err(error) => Answer::input(vec![about_file(path, format!("cannot be written: {error}"))]),
        },
    }
}

/// Why there is no sequential program.
pub enum Failure {
    Spent(Spent),
    /// It cannot be said in C.
    Unsupported(Vec<Diagnostic>),
}

/// The sequential program, and in how many places executions that go beyond the bounds are cut off.
pub fn text(args: &SequentializeArgs, program: &Program, budget: &Budget) -> Result<(String, usize), Failure> {
    let facts = facts::Facts::compute(program);
    let (rounds, unwind) = args.bounds();
    let unfolded = passes::unfold(program, &facts, Goal::Assertion, &passes::Bounds::new(unwind), budget)
        .map_err(Failure::Spent)?;
    let labels = passes::labels(&unfolded, &facts::Facts::compute(&unfolded.program));
    let lines = source_lines(program);
    let source = |file: FileId, line: u32| -> Option<String> {
        lines.get(base::Id::index(file))?.get(line.checked_sub(1)? as usize).cloned()
    };
    let options =
        emit::Options { rounds, flavour: args.flavour, source: &source, heading: &heading(args), check_layouts: false };
    let text = emit::emit(&unfolded, &labels, &options).map_err(Failure::Unsupported)?;
    Ok((text, unfolded.cuts.len()))
}

fn heading(args: &SequentializeArgs) -> String {
    let files = args.input.file_names();
    let names: Vec<&str> = files.iter().map(|file| file.rsplit('/').next().unwrap_or(file)).collect();
    let ((rounds, unwind), flavour) = (args.bounds(), args.flavour.name());
    format!(
        "{} as a sequential program, for {flavour} ({}): all schedules of {rounds} rounds,\nwith loops going round up to \
         {unwind} times.\n\nEach thread is a function that goes on where it was stopped; one_round() lets each of them run to a \
         label\nthat is guessed.  What would block is pruned by assume().  See docs/lazy.md of Unbraid.",
        names.join(", "),
        args.input.data_model_name()
    )
}

/// The user's files, as far as they can be read: they are only quoted.
fn source_lines(program: &Program) -> Vec<Vec<String>> {
    let lines = |file: &String| match std::fs::read(file) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).lines().map(|line| line.trim().to_string()).collect(),
        Err(_) => Vec::new(),
    };
    program.files.values().map(lines).collect()
}
