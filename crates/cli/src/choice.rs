//! Which engines run: from the options to a schedule.

use crate::check::Refusal;
use crate::options::{CheckArgs, IntsName};
use backend::Backend;
use base::Diagnostic;
use checkers::Foreign;
use claim::modular::Ints;
use engines::{Bounds, ENGINES, Entry, comus};
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
        return Err(usage(no_use(args, "--rounds and --unwind")));
    }
    schedule.set_comus(&modular(args, &schedule)?);
    Ok(schedule)
}

/// How threads are proved one at a time.
fn modular(args: &CheckArgs, schedule: &Schedule) -> Result<comus::Settings, Refusal> {
    let options = &args.modular;
    let mut settings = comus::Settings { order: options.order.clone(), ..comus::Settings::default() };
    if let Some(ints) = options.ints {
        // The verdict speaks of these integers, so whoever may give it must know them.
        let other = engines_of(schedule).find(|engine| !engine.integers);
        if let Some(other) = other {
            return Err(usage(format!("--ints is for engines comus and product, not for {}", other.name)));
        }
        settings.ints = match ints {
            IntsName::Machine => Ints::Machine,
            IntsName::Math => Ints::Mathematical,
        };
    }
    for words in &options.comus {
        settings.switch(words).map_err(usage)?;
    }
    if let Some(command) = &options.checker {
        let texts = (options.checker_unsafe.as_deref(), options.checker_safe.as_deref());
        let backend = Backend::new(command, texts.0, texts.1).map_err(usage)?;
        settings.checker = Some(Foreign::new(backend));
    }
    let of_comus: [(&str, bool); 3] = [
        ("--order", !options.order.is_empty()),
        ("--comus", !options.comus.is_empty()),
        ("--checker", options.checker.is_some()),
    ];
    let of_both = [("--explain", options.explain), ("--emit-dir", options.emit_dir.is_some())];
    let unused = |given: &[(&'static str, bool)], used: bool| {
        given.iter().find(|(_, given)| *given && !used).map(|(option, _)| *option)
    };
    let modular = engines_of(schedule).any(|engine| engine.modular);
    let integers = engines_of(schedule).any(|engine| engine.integers);
    match unused(&of_comus, modular).or_else(|| unused(&of_both, integers)) {
        Some(option) => Err(usage(no_use(args, option))),
        None => Ok(settings),
    }
}

fn engines_of(schedule: &Schedule) -> impl Iterator<Item = &'static Entry> {
    schedule.rows.iter().filter_map(|row| engines::find(&row.engine))
}

/// Nobody who runs looks at the option.
fn no_use(args: &CheckArgs, option: &str) -> String {
    match args.engine.as_str() {
        "auto" => format!("no engine of the portfolio has a use for {option}"),
        name => format!("engine {name} has no use for {option}"),
    }
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
