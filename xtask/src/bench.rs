//! `cargo xtask bench`: verdicts on programs whose verdict is known.
//!
//! Results are written row by row, so a run that is interrupted goes on where it stopped when it is started again with
//! the same binary and settings.

use crate::check::{Settings, check};
use crate::rows::{Table, Task, start, tasks};
use crate::run::{default_jobs, each};
use crate::{build, lower, summary};
use std::collections::HashMap;
use std::fs;
use std::io::{IsTerminal, Write};
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

/// The columns of the results.
const COLUMNS: [&str; 10] =
    ["path", "property", "expected", "tier", "verdict", "result", "seconds", "megabytes", "reason_kind", "reason"];

/// What came of one task.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub task: Task,
    /// SAFE, UNSAFE, UNKNOWN or ERROR.
    pub verdict: String,
    pub result: Grade,
    pub seconds: f64,
    pub megabytes: f64,
    pub reason_kind: String,
    pub reason: String,
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
    pub fn word(self) -> &'static str {
        match self {
            Grade::Right => "right",
            Grade::Wrong => "wrong",
            Grade::Disputed => "disputed",
            Grade::Unknown => "unknown",
            Grade::Error => "error",
        }
    }
    fn of(verdict: &str, task: &Task) -> Self {
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
    let mut results = if args.fresh { HashMap::new() } else { earlier(&args.out, &settings, &tasks) };
    let todo: Vec<Task> = tasks.iter().filter(|task| !results.contains_key(&task.key())).cloned().collect();
    if !results.is_empty() {
        eprintln!("{} of {} rows are there already", results.len(), tasks.len());
    }
    let mut file = start(&args.out, &settings, &COLUMNS, results.values().map(line).collect())?;
    let stubs = args.stubs()?;
    let Args { engine, timeout, memory, .. } = args;
    let told = Settings { binary: &binary, engine, timeout, memory };
    let (mut count, total) = (0, todo.len());
    each(
        &todo,
        args.jobs.unwrap_or_else(default_jobs),
        |task| decide(&told, args, &folder, &stubs, task),
        |task, outcome| {
            count += 1;
            progress(count, total, &outcome);
            let written = writeln!(file, "{}", line(&outcome)).and_then(|()| file.flush());
            results.insert(task.key(), outcome);
            written.map_err(|error| error.to_string())
        },
    )?;
    let outcomes: Vec<&Outcome> = tasks.iter().filter_map(|task| results.get(&task.key())).collect();
    print!("{}", summary::table(&outcomes));
    if let Some(old) = &args.compare {
        print!("{}", summary::comparison(&outcomes, &read(old, &tasks)?));
    }
    println!("\nwritten to {}", args.out.display());
    let (text, fine) = summary::wrong(&outcomes);
    print!("{text}");
    Ok(fine)
}

fn decide(settings: &Settings, args: &Args, folder: &Path, stubs: &Path, task: &Task) -> Result<Outcome, String> {
    let mut options = ["--property", property_name(&task.property), "--data-model", &task.data_model, "-I"]
        .map(String::from)
        .to_vec();
    options.push(stubs.display().to_string());
    options.extend(args.options.iter().cloned());
    let said = check(settings, &options, &folder.join(&task.path))?;
    Ok(Outcome {
        task: task.clone(),
        result: Grade::of(&said.verdict, task),
        megabytes: said.json["memory_bytes"].as_f64().unwrap_or(0.0) / 1e6,
        verdict: said.verdict,
        seconds: said.seconds,
        reason_kind: said.reason_kind,
        reason: said.reason,
    })
}

/// The index shortens one name.
fn property_name(name: &str) -> &str {
    if name == "memsafety" { "valid-memsafety" } else { name }
}

fn line(outcome: &Outcome) -> String {
    let Outcome { task, verdict, result, seconds, megabytes, reason_kind, reason } = outcome;
    [
        task.path.clone(),
        task.property.clone(),
        task.expected.to_string(),
        task.tier.clone(),
        verdict.clone(),
        result.word().into(),
        format!("{seconds:.2}"),
        format!("{megabytes:.0}"),
        reason_kind.clone(),
        reason.clone(),
    ]
    .join("\t")
}

/// Results that can be kept: of the same binary with the same settings.
fn earlier(path: &Path, settings: &str, tasks: &[Task]) -> HashMap<String, Outcome> {
    let same = fs::read_to_string(path).is_ok_and(|text| text.lines().next() == Some(settings));
    if same { read(path, tasks).unwrap_or_default() } else { HashMap::new() }
}

/// The results of a run, by task.
pub fn read(path: &Path, tasks: &[Task]) -> Result<HashMap<String, Outcome>, String> {
    let known: HashMap<String, &Task> = tasks.iter().map(|task| (task.key(), task)).collect();
    let table = Table::read(path)?;
    let outcomes = table.rows().filter_map(|row| {
        let key = format!("{}\t{}", row.get("path"), row.get("property"));
        let task = (*known.get(&key)?).clone();
        let outcome = Outcome {
            verdict: row.get("verdict").into(),
            result: Grade::of(row.get("verdict"), &task),
            task,
            seconds: row.get("seconds").parse().ok()?,
            megabytes: row.get("megabytes").parse().ok()?,
            reason_kind: row.get("reason_kind").into(),
            reason: row.get("reason").into(),
        };
        Some((key, outcome))
    });
    Ok(outcomes.collect())
}

fn progress(count: usize, total: usize, outcome: &Outcome) {
    let mark = if outcome.result == Grade::Wrong { "  <<< WRONG" } else { "" };
    let text = format!("{count}/{total} {} {} {:.1} s{mark}", outcome.task.path, outcome.verdict, outcome.seconds);
    if !mark.is_empty() {
        eprintln!("{text}");
    } else if std::io::stderr().is_terminal() {
        eprint!("\r\x1b[K{}\r", text.chars().take(100).collect::<String>());
    }
}
