//! The command for the long runs; `docs/testing.md` has the list.

use fuzz::args::Args;
use fuzz::concurrent::{self, compare, run};
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "\
fuzz concurrent --count 10000 --seed 1 [--start 0] [--out DIR]   random concurrent programs, decided in every way
fuzz c --count 1000 --seed 1 [--start 0] [--out DIR]             the same programs as C, through the front end
fuzz show --seed 1 --start 7 [--c]                               one of them, as text";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("", &[][..]),
    };
    let result = match command {
        "concurrent" => run_concurrent(rest),
        "c" => c(rest),
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

fn run_concurrent(args: &[String]) -> Result<ExitCode, String> {
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

fn c(args: &[String]) -> Result<ExitCode, String> {
    let args = Args::read(args, &["count", "seed", "start", "out"])?;
    let out = args.text("out", ".");
    let count = args.number("count", 200)?;
    let summary = concurrent::c::run(args.number("seed", 1)?, args.number("start", 0)?, count, out.as_ref())?;
    println!("programs compared {:>8}", summary.compared);
    println!("unsafe            {:>8}", summary.unsafe_);
    println!("left out          {:>8}", summary.left_out);
    println!("disagreements     {:>8}", summary.disagreements.len());
    Ok(if summary.disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn show(args: &[String]) -> Result<ExitCode, String> {
    let args = Args::read(args, &["seed", "start", "c"])?;
    let case = compare::case(args.number("seed", 1)?, args.number("start", 0)?);
    let case = case.ok_or("this program is left out: it has too many states")?;
    if args.has("c") {
        print!("{}", concurrent::to_c::to_c(&case.source));
    } else {
        print!("{}", ir::text::print(&case.program));
    }
    Ok(ExitCode::SUCCESS)
}
