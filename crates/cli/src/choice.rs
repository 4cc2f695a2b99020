//! Which engines run, and how: from the options of the command line to a schedule, whose rows are commands of engines.

use crate::answer::about_file;
use crate::check::Refusal;
use crate::options::{self, CheckArgs};
use backend::Backend;
use base::Diagnostic;
use engines::{Command, ENGINES, TELL};
use portfolio::Schedule;
use std::path::Path;

/// Engines that the design names and nobody has written yet.
const PLANNED: [&str; 2] = ["impact", "redcomp"];

/// Who runs when.
pub fn schedule(args: &CheckArgs) -> Result<Schedule, Refusal> {
    let mut schedule = match (args.engine.as_str(), &args.portfolio) {
        ("auto", Some(path)) => read(path).map_err(Refusal::Input)?,
        ("auto", None) => Schedule::parse(Schedule::default_text(), "default.portfolio").map_err(Refusal::Input)?,
        (name, Some(_)) => return Err(usage(format!("--portfolio is for --engine auto, not for {name}"))),
        (command, None) => Schedule::alone(alone(command).map_err(usage)?),
    };
    for Flag { flag, engine, option, value } in flags(args).map_err(usage)? {
        if !schedule.set(engine, &option, &value) {
            return Err(usage(match args.engine.as_str() {
                "auto" => format!("no engine of the portfolio has a use for {flag}"),
                _ => format!("engine {} has no use for {flag}", schedule.rows[0].command.engine),
            }));
        }
    }
    // This also looks at what was set.
    schedule.ints().map_err(usage)?;
    Ok(schedule)
}

/// An option of the command line as an option of engines: of one, or of all that have it.
struct Flag {
    flag: &'static str,
    engine: Option<&'static str>,
    option: String,
    value: String,
}

fn flags(args: &CheckArgs) -> Result<Vec<Flag>, String> {
    let modular = &args.modular;
    let order = (!modular.order.is_empty()).then(|| modular.order.join(","));
    let said = |said: bool, what: &str| said.then(|| what.to_string());
    let given = [
        ("--rounds", "rounds", args.rounds.map(|number| number.to_string())),
        ("--unwind", "unwind", args.unwind.map(|number| number.to_string())),
        ("--order", "order", order),
        ("--ints", "ints", modular.ints.as_ref().map(options::name_of)),
        ("--checker", "checker", modular.checker.clone()),
        ("--checker-unsafe", "checker-unsafe", modular.checker_unsafe.clone()),
        ("--checker-safe", "checker-safe", modular.checker_safe.clone()),
        ("--explain", TELL, said(modular.explain, "course")),
        // What is written has the course in it, so this is more than --explain.
        ("--emit-dir", TELL, said(modular.emit_dir.is_some(), "programs")),
    ];
    let given = given
        .into_iter()
        .filter_map(|(flag, option, value)| Some(Flag { flag, engine: None, option: option.into(), value: value? }));
    let words = modular.comus.iter().flat_map(|words| words.split(','));
    given.map(Ok).chain(words.map(switch)).collect()
}

/// A word of `--comus`: `ranges=off`, or `no-ranges` for short.
fn switch(word: &str) -> Result<Flag, String> {
    let (option, value) = match (word.split_once('='), word.strip_prefix("no-")) {
        (Some(parts), _) => parts,
        (None, Some(name)) => (name, "off"),
        (None, None) => (word, "on"),
    };
    let switches: Vec<&str> = options::switches().map(|about| about.name).collect();
    if !switches.contains(&option) {
        return Err(format!("`{option}` is not a switch of comus; there are {}", switches.join(", ")));
    }
    Ok(Flag { flag: "--comus", engine: Some("comus"), option: option.into(), value: value.into() })
}

/// The foreign verifier, if one is to be used.
pub fn backend(args: &CheckArgs) -> Result<Option<Backend>, Refusal> {
    let Some(command) = &args.backend else { return Ok(None) };
    if args.engine != "lazy" {
        return Err(usage(format!("--backend is for --engine lazy, not for {}", args.engine)));
    }
    if args.rounds == Some(0) {
        return Err(usage("the sequential program for --backend needs rounds: --rounds 0 has none".into()));
    }
    Backend::new(command, args.backend_unsafe.as_deref(), args.backend_safe.as_deref()).map(Some).map_err(usage)
}

fn usage(message: String) -> Refusal {
    Refusal::Usage(message)
}

/// The command of the one engine that was asked for.
fn alone(text: &str) -> Result<Command, String> {
    let name = text.split_whitespace().next().unwrap_or(text);
    if engines::find(name).is_none() {
        let what = if PLANNED.contains(&name) { "is planned but does not exist yet" } else { "does not exist" };
        let names: Vec<&str> = ENGINES.iter().map(|entry| entry.name).collect();
        return Err(format!("engine `{name}` {what}; the engines are auto, {}", names.join(", ")));
    }
    Command::parse(text)
}

fn read(path: &Path) -> Result<Schedule, Diagnostic> {
    let unreadable = |error| about_file(path, format!("the portfolio cannot be read: {error}"));
    let bytes = std::fs::read(path).map_err(unreadable)?;
    Schedule::parse(&String::from_utf8_lossy(&bytes), &path.to_string_lossy())
}
