//! `cargo xtask bench`: verdicts on programs whose verdict is known.
//!
//! Results are written row by row, so a run that is interrupted goes on where it stopped when it is started again with
//! the same binary and settings.

use crate::check::{Said, Settings, check};
use crate::rows::{Results, Table, Task, tasks};
use crate::run::each;
use crate::{build, lower, summary};
use base::parallel::processors;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Args {
    /// The folder with the programs, index.tsv and the lists
    #[arg(long)]
    pub suite: PathBuf,
    /// Which rows: a list of the suite, or index.tsv for all
    #[arg(long, default_value = "core.tsv")]
    pub list: String,
    #[arg(long, default_value = "auto")]
    pub engine: String,
    /// Time for each program
    #[arg(long, default_value = "10s")]
    pub timeout: String,
    /// Memory for each program
    #[arg(long, default_value = "4G")]
    pub memory: String,
    /// How many at a time; all processors by default
    #[arg(long)]
    pub jobs: Option<usize>,
    /// Only paths that contain this
    #[arg(long)]
    pub filter: Option<String>,
    /// Only rows with this property
    #[arg(long, default_value = "unreach-call")]
    pub property: String,
    /// Where the results go
    #[arg(long, default_value = "out/bench.tsv")]
    pub out: PathBuf,
    /// Results of an earlier run to compare with
    #[arg(long)]
    pub compare: Option<PathBuf>,
    /// Start again even if there are results of this binary with these settings
    #[arg(long)]
    pub fresh: bool,
    /// Only print each program of the index as the engines would see it, and list those that cannot be read
    #[arg(long)]
    pub lower_only: bool,
    /// Measure this binary instead of building one
    #[arg(long)]
    pub binary: Option<PathBuf>,
    /// Headers that programs include and the suite lacks; they are taken as empty.  SCTBench has one.
    #[arg(long, default_value = "common.inc")]
    pub stub: Vec<String>,
    /// Further options for `unbraid check`
    #[arg(last = true)]
    pub options: Vec<String>,
}

/// What came of one task.
pub struct Outcome<'t> {
    pub task: &'t Task,
    pub said: Said,
    pub result: Grade,
}

impl<'t> Outcome<'t> {
    fn new(task: &'t Task, said: &Said) -> Self {
        Outcome { task, said: said.clone(), result: Grade::of(&said.verdict, task) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grade {
    Right,
    Wrong,
    /// Against a label that was looked into and found wrong.
    Disputed,
    Unknown,
    /// The input was refused, or the program failed.
    Error,
}

impl Grade {
    pub fn word(self) -> String {
        format!("{self:?}").to_lowercase()
    }
    pub fn of(verdict: &str, task: &Task) -> Self {
        match verdict {
            _ if task.disputed.as_ref().is_some_and(|(ours, _)| ours == verdict) => Grade::Disputed,
            "SAFE" | "UNSAFE" if (verdict == "SAFE") == task.expected => Grade::Right,
            "SAFE" | "UNSAFE" => Grade::Wrong,
            "UNKNOWN" => Grade::Unknown,
            _ => Grade::Error,
        }
    }
}

impl Args {
    /// A folder with the empty headers.
    pub fn stubs(&self) -> Result<PathBuf, String> {
        let folder = self.out.with_file_name("stubs");
        let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(fail)?;
        for name in &self.stub {
            fs::write(folder.join(name), "").map_err(fail)?;
        }
        Ok(folder)
    }
}

/// True unless a verdict is wrong whose label can be trusted.
pub fn run(args: &Args) -> Result<bool, String> {
    let binary = build::binary(args.binary.as_deref())?;
    if args.lower_only {
        return lower::run(args, &binary);
    }
    let (folder, mut tasks) = tasks(&args.suite, &args.list)?;
    tasks.retain(|task| {
        task.property == args.property && args.filter.as_ref().is_none_or(|filter| task.path.contains(filter))
    });
    if tasks.is_empty() {
        return Err("no rows are left".into());
    }
    let settings = format!(
        "# engine={} timeout={} memory={} binary={} options={}",
        args.engine,
        args.timeout,
        args.memory,
        build::identity(&binary),
        args.options.join(" ")
    );
    let mut results = Results::open(&args.out, &settings, &Task::OF, args.fresh)?;
    let todo: Vec<&Task> = tasks.iter().filter(|task| results.get(&task.key()).is_none()).collect();
    if todo.len() < tasks.len() {
        eprintln!("{} of {} rows are there already", tasks.len() - todo.len(), tasks.len());
    }
    let stubs = args.stubs()?;
    let Args { engine, timeout, memory, .. } = args;
    let told = Settings { binary: &binary, engine, timeout, memory };
    let (mut count, total) = (0, todo.len());
    each(
        &todo,
        args.jobs.unwrap_or_else(processors),
        |task| decide(&told, args, &folder, &stubs, task),
        |task, said| {
            count += 1;
            let outcome = Outcome::new(task, &said);
            progress(count, total, &outcome);
            results.keep(task.key(), Said { result: outcome.result.word(), ..said })
        },
    )?;
    let outcomes: Vec<Outcome> =
        tasks.iter().filter_map(|task| Some(Outcome::new(task, results.get(&task.key())?))).collect();
    let all: Vec<&Outcome> = outcomes.iter().collect();
    print!("{}", summary::table(&all));
    if let Some(old) = &args.compare {
        print!("{}", summary::comparison(&all, &Table::read(old)?.results(&Task::OF)));
    }
    println!("\nwritten to {}", args.out.display());
    let (text, fine) = summary::wrong(&all);
    print!("{text}");
    Ok(fine)
}

fn decide(settings: &Settings, args: &Args, folder: &Path, stubs: &Path, task: &Task) -> Result<Said, String> {
    // The index shortens one name.
    let property = if task.property == "memsafety" { "valid-memsafety" } else { &task.property };
    let mut options = ["--property", property, "--data-model", &task.data_model, "-I"].map(String::from).to_vec();
    options.push(stubs.display().to_string());
    options.extend(args.options.iter().cloned());
    check(settings, &options, &folder.join(&task.path))
}

fn progress(count: usize, total: usize, outcome: &Outcome) {
    let mark = if outcome.result == Grade::Wrong { "  <<< WRONG" } else { "" };
    let text =
        format!("{count}/{total} {} {} {:.1} s{mark}", outcome.task.path, outcome.said.verdict, outcome.said.seconds);
    if !mark.is_empty() {
        eprintln!("{text}");
    } else if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{}\r", text.chars().take(100).collect::<String>());
    }
}
