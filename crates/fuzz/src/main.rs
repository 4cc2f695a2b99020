//! The command for the long runs; `docs/testing.md` has the list.

use fuzz::args::Args;
use fuzz::concurrent::{compare, run};
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "\
fuzz concurrent --count 10000 --seed 1 [--start 0] [--out DIR]   random concurrent programs, decided in every way
fuzz show --seed 1 --start 7                                     one of them, as text";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("", &[][..]),
    };
    let result = match command {
        "concurrent" => concurrent(rest),
        "show" => show(rest),
        _ => Err(USAGE.to_string()),
    };
    match result {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn concurrent(args: &[String]) -> Result<ExitCode, String> {
    let args = Args::read(args, &["count", "seed", "start", "out", "verbose"])?;
    let options = run::Options {
        seed: args.number("seed", 1)?,
        start: args.number("start", 0)?,
        count: args.number("count", 1000)?,
        out: args.text("out", ".").into(),
        verbose: args.has("verbose"),
    };
    let start = Instant::now();
    let summary = run::run(&options);
    print!("{}", summary.print());
    println!("{:24}{:>10.1} s", "time", start.elapsed().as_secs_f64());
    Ok(if summary.disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn show(args: &[String]) -> Result<ExitCode, String> {
    let args = Args::read(args, &["seed", "start"])?;
    let case = compare::case(args.number("seed", 1)?, args.number("start", 0)?);
    let case = case.ok_or("this program is left out: it has too many states")?;
    print!("{}", ir::text::print(&case.program));
    Ok(ExitCode::SUCCESS)
}
