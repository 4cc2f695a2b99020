//! Which engines run: from the options to a schedule.

use crate::check::Refusal;
use crate::options::CheckArgs;
use backend::Backend;
use base::Diagnostic;
use engines::{Bounds, ENGINES};
use portfolio::Schedule;
use std::path::Path;

/// Engines that the design names and nobody has written yet.
const PLANNED: [&str; 2] = ["impact", "redcomp"];

/// Who runs when.
pub fn schedule(args: &CheckArgs) -> Result<Schedule, Refusal> {
    let bounds = bounds(args);
    let mut schedule = match (args.engine.as_str(), &args.portfolio) {
        ("auto", Some(path)) => read(path).map_err(Refusal::Input)?,
        ("auto", None) => Schedule::parse(Schedule::default_text(), "default.portfolio").map_err(Refusal::Input)?,
        (name, Some(_)) => return Err(usage(format!("--portfolio is for --engine auto, not for {name}"))),
        (name, None) if engines::find(name).is_some() => Schedule::alone(name, Bounds::default()),
        (name, None) => return Err(usage(no_engine(name))),
    };
    if bounds != Bounds::default() && !schedule.set_bounds(bounds) {
        let who = match args.engine.as_str() {
            "auto" => "no engine of the portfolio has a use".into(),
            name => format!("engine {name} has no use"),
        };
        return Err(usage(format!("{who} for --rounds and --unwind")));
    }
    Ok(schedule)
}

pub fn bounds(args: &CheckArgs) -> Bounds {
    Bounds { rounds: args.rounds, unwind: args.unwind }
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

fn no_engine(name: &str) -> String {
    let what = if PLANNED.contains(&name) { "is planned but does not exist yet" } else { "does not exist" };
    let names: Vec<&str> = ENGINES.iter().map(|entry| entry.name).collect();
    format!("engine `{name}` {what}; the engines are auto, {}", names.join(", "))
}

fn read(path: &Path) -> Result<Schedule, Diagnostic> {
    let name = path.to_string_lossy();
    let bytes = std::fs::read(path)
        .map_err(|error| Diagnostic::error(format!("the portfolio cannot be read: {error}")).at(name.as_ref(), 0, 0))?;
    Schedule::parse(&String::from_utf8_lossy(&bytes), &name)
}
