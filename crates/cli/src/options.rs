//! The options, as the help prints them.

use crate::output::Mode;
use crate::sequentialize::SequentializeArgs;
use crate::session::Task;
use base::quantity;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use engines::{About, ENGINES, Entry};
use ir::DataModel;
use portfolio::Schedule;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const EXIT_STATUS: &str = "\
Exit status:
  0   SAFE      no execution violates the property
  10  UNSAFE    an execution does; it is shown
  5   UNKNOWN   neither, and why
  1   the command line is wrong
  2   the input cannot be read or parsed
  6   internal error

The last line on standard output is SAFE, UNSAFE(property) or UNKNOWN(reason).";

/// Verifies multithreaded C: proves that no interleaving violates a property, or shows the schedule that does.
#[derive(Parser, Debug)]
#[command(name = "unbraid", version, after_help = EXIT_STATUS, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    Check(Box<CheckArgs>),
    Ir(IrArgs),
    Replay(ReplayArgs),
    Sequentialize(SequentializeArgs),
}

/// Decide a program and print one verdict
#[derive(Args, Debug)]
#[command(after_help = EXIT_STATUS)]
pub struct CheckArgs {
    #[command(flatten)]
    pub input: InputArgs,
    // The help is made from the table of engines.
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub engine: String,
    /// Print the engines with their options, and decide nothing
    #[arg(long)]
    pub show_engines: bool,
    /// Look at schedules of up to this many rounds only (0: at all schedules, without rounds); found out by default
    #[arg(long, value_name = "K")]
    pub rounds: Option<u32>,
    /// Look at this many turns of a loop only; found out by default
    #[arg(long, value_name = "U", value_parser = clap::value_parser!(u32).range(1..))]
    pub unwind: Option<u32>,
    /// Which engines auto runs, and when; a table as --show-portfolio prints it
    #[arg(long, value_name = "FILE")]
    pub portfolio: Option<PathBuf>,
    /// Print the table of engines that auto runs, and decide nothing
    #[arg(long, conflicts_with = "portfolio")]
    pub show_portfolio: bool,
    /// For --engine lazy: run this verifier on the sequential C instead, as in "cbmc {file}"
    #[arg(long, value_name = "COMMAND")]
    pub backend: Option<String>,
    /// What the verifier prints when it has found a violation; known for CBMC, ESBMC and CPAchecker, else exit status 10
    #[arg(long, value_name = "TEXT", requires = "backend")]
    pub backend_unsafe: Option<String>,
    /// What the verifier prints when there is none; else exit status 0
    #[arg(long, value_name = "TEXT", requires = "backend")]
    pub backend_safe: Option<String>,
    #[command(flatten)]
    pub modular: ModularArgs,
    /// A property by name (unreach-call) or a property file of SV-COMP
    #[arg(
        long,
        short,
        value_name = "NAME|FILE.prp",
        default_value = "unreach-call",
        visible_aliases = ["spec", "propertyfile"]
    )]
    pub property: String,
    /// Give up after this much time, as in 60s, 500ms or 2m
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub timeout: Option<Duration>,
    /// Give up beyond this much memory, as in 4G or 512M; 80 % of what there is by default
    #[arg(long, value_name = "SIZE", value_parser = quantity::bytes)]
    pub memory: Option<u64>,
    /// Save the counterexample to this file, for `unbraid replay`
    #[arg(long, value_name = "FILE.json")]
    pub trace: Option<PathBuf>,
    /// Write the proof that the program is safe to this file: per thread, what it relies on and what it guarantees
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Options of proofs thread by thread.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine comus (proofs thread by thread)")]
pub struct ModularArgs {
    /// Tell on standard error what is done and why: the order of the threads, lemmas, promises
    #[arg(long)]
    pub explain: bool,
    /// Write every sequential program that is checked as C to this folder, with the course of the run in run.txt
    #[arg(long, value_name = "FOLDER")]
    pub emit_dir: Option<PathBuf>,
    /// The threads from the first level down, as in t1,t0; found from the data flow by default
    #[arg(long, value_name = "THREADS", value_delimiter = ',')]
    pub order: Vec<String>,
    /// What integers are: C's, or those of mathematics, of which the verdict then speaks (also for engine product)
    #[arg(long, value_name = "WHICH", value_enum)]
    pub ints: Option<IntsName>,
    // The help is made from the table of switches.
    #[arg(long, value_name = "SWITCHES")]
    pub comus: Vec<String>,
    /// Print the switches of --comus with how they are and what they do, and decide nothing
    #[arg(long)]
    pub show_switches: bool,
    /// Let this verifier decide the sequential programs, as in "cbmc --unwind 9 {file}"
    #[arg(long, value_name = "COMMAND")]
    pub checker: Option<String>,
    /// What it prints when an assertion can fail; known for CBMC, ESBMC and CPAchecker, else exit status 10
    #[arg(long, value_name = "TEXT", requires = "checker")]
    pub checker_unsafe: Option<String>,
    /// What it prints when none can; else exit status 0
    #[arg(long, value_name = "TEXT", requires = "checker")]
    pub checker_safe: Option<String>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntsName {
    /// As C has them
    Machine,
    /// Without bounds
    Math,
}

/// Print the program as the engines see it
#[derive(Args, Debug)]
pub struct IrArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Leave out the source positions
    #[arg(long)]
    pub no_positions: bool,
    /// Print it as the bounded engine sees it: every thread a function of its own, loops unwound at most this often
    #[arg(long, value_name = "N")]
    pub unwind: Option<u32>,
    /// Print every thread as a function of its own, with the loops that no constant ends
    #[arg(long, conflicts_with = "unwind")]
    pub threads: bool,
    /// Print it as the symbolic engines see it: guarded steps between the places where a switch of threads is considered
    #[arg(long)]
    pub system: bool,
}

/// Step a counterexample through the interpreter
#[derive(Args, Debug)]
#[command(after_help = EXIT_STATUS)]
pub struct ReplayArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// A trace saved by `unbraid check --trace`
    #[arg(long, value_name = "FILE.json", required_unless_present = "schedule", conflicts_with = "schedule")]
    pub trace: Option<PathBuf>,
    /// A schedule as `unbraid check` prints it
    #[arg(long, value_name = "SCHEDULE")]
    pub schedule: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Args, Debug)]
pub struct OutputArgs {
    /// Print one JSON object and nothing else on standard output
    #[arg(long)]
    pub json: bool,
    /// Print the verdict only
    #[arg(long, short)]
    pub quiet: bool,
    /// How a counterexample is laid out
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TraceFormat::List)]
    pub trace_format: TraceFormat,
}

impl OutputArgs {
    pub fn mode(&self) -> Mode {
        match (self.json, self.quiet) {
            (true, _) => Mode::Json,
            (false, true) => Mode::Quiet,
            (false, false) => Mode::Text,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceFormat {
    /// One line for each step
    List,
    /// The threads side by side
    Columns,
}

#[derive(Args, Clone, Debug)]
pub struct InputArgs {
    /// The program: .c, .i (preprocessed), .ll (LLVM) or .ir (as printed by `unbraid ir`); several C files are linked
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// 32-bit data model (ILP32)
    #[arg(long = "32", conflicts_with = "wide")]
    narrow: bool,
    /// 64-bit data model (LP64), the default
    #[arg(long = "64")]
    wide: bool,
    /// The data model by name
    #[arg(long, value_name = "MODEL", value_parser = data_models(), ignore_case = true, conflicts_with_all = ["narrow", "wide"])]
    data_model: Option<DataModel>,
    /// What functions without a body do that get pointers; without this, reaching such a call makes the answer UNKNOWN
    #[arg(long = "extern", value_name = "HOW", value_enum)]
    pub externs: Option<ExternsName>,
    /// A function whose being called is a violation, whether or not it has a body; may be given several times
    #[arg(long = "error-function", value_name = "NAME")]
    pub error_functions: Vec<String>,
    #[command(flatten)]
    cc: CcArgs,
    /// What is passed on to the C compiler, in the order of the command line.
    #[arg(skip)]
    pub cc_args: Vec<String>,
}

/// Options of the C compiler.  Their order matters, so [`InputArgs::cc_args`] is what counts.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Passed on to the C compiler")]
struct CcArgs {
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,
    /// Look for headers here
    #[arg(short = 'I', value_name = "FOLDER")]
    search: Vec<String>,
    /// Look for system headers here (also -isystem)
    #[arg(long, value_name = "FOLDER")]
    isystem: Vec<String>,
    /// Include this file first (also -include)
    #[arg(long, value_name = "FILE")]
    include: Vec<String>,
    /// The C standard (also -std=)
    #[arg(long, value_name = "STANDARD")]
    std: Vec<String>,
}

/// The data models by name.
fn data_models() -> impl TypedValueParser<Value = DataModel> {
    let of = |name: String| if name.eq_ignore_ascii_case("ILP32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    PossibleValuesParser::new([DataModel::Ilp32, DataModel::Lp64].map(data_model_name)).map(of)
}

pub fn data_model_name(data_model: DataModel) -> &'static str {
    match data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    }
}

impl InputArgs {
    /// As asked for; 64 bits where nothing was said.
    pub fn data_model(&self) -> Option<DataModel> {
        let by_flag = [(self.narrow, DataModel::Ilp32), (self.wide, DataModel::Lp64)];
        self.data_model.or_else(|| by_flag.into_iter().find(|(said, _)| *said).map(|(_, model)| model))
    }

    pub fn set_data_model(&mut self, data_model: DataModel) {
        self.data_model = Some(data_model);
    }

    pub fn data_model_name(&self) -> &'static str {
        data_model_name(self.data_model().unwrap_or(DataModel::Lp64))
    }

    pub fn file_names(&self) -> Vec<String> {
        self.files.iter().map(|file| file.to_string_lossy().into_owned()).collect()
    }

    pub fn externs_name(&self) -> String {
        self.externs.as_ref().map_or_else(|| "careful".into(), name_of)
    }

    /// What is known of a command by its input.
    pub fn task(&self) -> Task {
        Task { files: self.file_names(), data_model: self.data_model_name(), ..Task::default() }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExternsName {
    /// Write anything to what they get pointers to, and return any value
    Havoc,
    /// Leave memory alone, and return any value
    Pure,
    /// Make the answer UNKNOWN where they are called, also those that get no pointers
    Error,
}

/// As it is written on the command line.
pub fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
}

/// The compiler's options with a single dash and a long name, which the parser of the command line does not know.
const SINGLE_DASH: [&str; 3] = ["include", "isystem", "std"];

/// All that can be said on the command line.
fn command() -> clap::Command {
    // There is nothing to decide where only a table is wanted.
    let tables = ["show_engines", "show_portfolio", "show_switches"];
    let optional = |files: clap::Arg| files.required(false).required_unless_present_any(tables);
    let engines: Vec<&str> = ENGINES.iter().map(|entry| entry.name).collect();
    let engines = format!(
        "Who decides: {}, each with options if you like (\"lazy rounds=3\"), or auto for all of them side by side",
        engines.join(", ")
    );
    let switches = switches().map(|about| about.name).collect::<Vec<_>>().join(", ");
    let switches = format!("Switch optimisations on and off, as in no-ranges,inductive=on; there are {switches}");
    Cli::command().mut_subcommand("check", |check| {
        let check = check.mut_arg("files", optional);
        check.mut_arg("engine", |engine| engine.help(engines)).mut_arg("comus", |comus| comus.help(switches))
    })
}

/// What `--comus` switches.
pub fn switches() -> impl Iterator<Item = About> {
    let options = engines::find("comus").map_or(Vec::new(), |comus| (comus.options)());
    options.into_iter().filter(|about| about.values == engines::SWITCH)
}

/// The table that is wanted instead of a verdict.
pub fn table(args: &CheckArgs) -> Option<String> {
    let switch = |about: About| format!("{:18} {:3}  {}\n", about.name, about.default, about.what);
    match args {
        CheckArgs { show_portfolio: true, .. } => Some(Schedule::default_text().into()),
        CheckArgs { show_engines: true, .. } => Some(ENGINES.iter().map(describe).collect()),
        args => args.modular.show_switches.then(|| switches().map(switch).collect()),
    }
}

/// An engine and its options, one on a line: its name with the values, what it is by default, what it does.
fn describe(engine: &Entry) -> String {
    let options = (engine.options)().into_iter().map(|About { name, values, default, what }| {
        let default = if default.is_empty() { "-" } else { default };
        format!("  {:28} {default:8} {what}\n", format!("{name}={values}"))
    });
    format!("{}: {}\n{}", engine.name, engine.what, options.collect::<String>())
}

/// Reads the command line.
pub fn parse(args: impl Iterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let matches = command().try_get_matches_from(normalise(args))?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    let input = match &mut cli.command {
        Command::Check(args) => &mut args.input,
        Command::Ir(args) => &mut args.input,
        Command::Replay(args) => &mut args.input,
        Command::Sequentialize(args) => &mut args.input,
    };
    if let Some((_, matches)) = matches.subcommand() {
        input.cc_args = ordered(matches);
    }
    for file in &input.files {
        if file.as_os_str().is_empty() {
            return Err(command().error(ErrorKind::InvalidValue, "the name of a file is empty"));
        }
    }
    Ok(cli)
}

/// The compiler's options as they stood on the command line.
fn ordered(matches: &ArgMatches) -> Vec<String> {
    let mut found: Vec<(usize, Vec<String>)> = Vec::new();
    let mut collect = |id: &str, write: &dyn Fn(&str) -> Vec<String>| {
        let (Some(values), Some(indices)) = (matches.get_many::<String>(id), matches.indices_of(id)) else { return };
        found.extend(indices.zip(values).map(|(index, value)| (index, write(value))));
    };
    collect("define", &|value| vec![format!("-D{value}")]);
    collect("undefine", &|value| vec![format!("-U{value}")]);
    collect("search", &|value| vec![format!("-I{value}")]);
    collect("isystem", &|value| vec!["-isystem".into(), value.into()]);
    collect("include", &|value| vec!["-include".into(), value.into()]);
    collect("std", &|value| vec![format!("-std={value}")]);
    found.sort();
    found.into_iter().flat_map(|(_, args)| args).collect()
}

/// Gives the compiler's single-dash long options two dashes.
fn normalise(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut rest = false;
    args.map(|arg| {
        rest |= arg == "--";
        let Some(text) = arg.to_str().filter(|_| !rest) else { return arg };
        match text {
            "-m32" => return "--32".into(),
            "-m64" => return "--64".into(),
            _ => (),
        }
        let Some(name) = text.strip_prefix('-') else { return arg };
        let known = SINGLE_DASH.iter().any(|option| name == *option || name.starts_with(&format!("{option}=")));
        if known { format!("-{text}").into() } else { arg }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_options_is_sound() {
        command().debug_assert();
    }
}
