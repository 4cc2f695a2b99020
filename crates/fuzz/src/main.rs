//! The command for the long runs; `docs/testing.md` has the list.

use fuzz::args::Args;
use fuzz::concurrent::campaign::Campaign;
use fuzz::concurrent::{self, compare};
use fuzz::readers::{self, corpus::Kind};
use fuzz::sequential::{self, csmith::Compared};
use ir::DataModel;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "\
fuzz concurrent --count 10000 --seed 1 [--start 0] [--out DIR]   random concurrent programs, decided in every way;
    [--milliseconds 1000] [--kinds 5] [--all] [--quick]          time of the bounded engine for each; stop after so many
                                                                 kinds of disagreements, or disagreements; do not make
                                                                 programs small
    [--idiom 'several waits']                                    only programs built around this; the next three have these
                                                                 options, too
fuzz unrolling --count 1000 --seed 1 [--unwind 4] [--start 0] [--out DIR]  claims of safety by complete unrolling
fuzz threads --count 1000 --seed 1 [--start 0] [--out DIR]       programs unfolded into threads with their loops kept;
    [--milliseconds 1000]                                        time of the engine for each
fuzz systems --count 1000 --seed 1 [--start 0] [--out DIR]       programs as systems over integers, searched state by state;
    [--milliseconds 1000]                                        time of the translation of each
fuzz c --count 1000 --seed 1 [--start 0] [--out DIR]             the same programs as C, through the front end
fuzz show --seed 1 --start 7 [--c]                               one of them, as text
fuzz csmith --count 100 --seed 1 [--m32] [--steps N] [--out DIR] Csmith's programs, run and interpreted
fuzz seq FILE.c...                                               hand-written ones, for both data models
fuzz ll --seconds 3600 [--seed 1] [--out DIR]                    damaged LLVM text through the front end
fuzz ir --seconds 3600 [--seed 1] [--out DIR]                    damaged text of programs
fuzz ll|ir --file FILE                                           one such text";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match args.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("", &[][..]),
    };
    let result = match command {
        "concurrent" | "unrolling" | "threads" | "systems" => campaign(command, rest),
        "c" => c(rest),
        "show" => show(rest),
        "csmith" => csmith(rest),
        "seq" => seq(rest),
        "ll" => readers(Kind::Llvm, rest),
        "ir" => readers(Kind::Ir, rest),
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

/// A campaign of programs that are judged in one way, or in all.
fn campaign(command: &str, args: &[String]) -> Result<ExitCode, String> {
    let own = if command == "unrolling" { "unwind" } else { "milliseconds" };
    let known = ["count", "seed", "start", "out", own, "idiom", "kinds", "all", "quick", "verbose"];
    let args = Args::read(args, &known)?;
    let campaign = Campaign {
        seed: args.number("seed", 1)?,
        start: args.number("start", 0)?,
        count: args.number("count", 1000)?,
        out: args.text("out", ".").into(),
        idiom: args.text("idiom", ""),
        kinds: args.number("kinds", 5)? as usize,
        all: args.has("all"),
        quick: args.has("quick"),
        verbose: args.has("verbose"),
    };
    let time = Duration::from_millis(args.number("milliseconds", 1000)?);
    let unwind = args.number("unwind", 4)? as u32;
    let start = Instant::now();
    let summary = match command {
        "concurrent" => concurrent::run::run(&campaign, time),
        "unrolling" => concurrent::unrolling::run(&campaign, unwind),
        "threads" => concurrent::kept::run(&campaign, time),
        _ => concurrent::systems::run(&campaign, time),
    };
    println!("{}{:60}{:>10.1} s", summary.print(), "time", start.elapsed().as_secs_f64());
    Ok(if summary.disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn c(args: &[String]) -> Result<ExitCode, String> {
    let args = Args::read(args, &["count", "seed", "start", "out"])?;
    let out = args.text("out", ".");
    let count = args.number("count", 200)?;
    let summary = concurrent::c::run(args.number("seed", 1)?, args.number("start", 0)?, count, out.as_ref())?;
    print!("{}", summary.print());
    Ok(if summary.disagreements.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn csmith(args: &[String]) -> Result<ExitCode, String> {
    let args = Args::read(args, &["count", "seed", "steps", "m32", "out"])?;
    let data_model = if args.has("m32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let (seed, count, steps) = (args.number("seed", 1)?, args.number("count", 100)?, args.number("steps", 20_000_000)?);
    let out = PathBuf::from(args.text("out", "."));
    std::fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let (mut same, mut left_out, mut unsupported, mut differs) = (0, 0, 0, 0);
    for seed in seed..seed + count {
        match sequential::csmith::compare(seed, data_model, steps, &out) {
            Compared::Same => same += 1,
            Compared::LeftOut => left_out += 1,
            Compared::Unsupported(what) => {
                unsupported += 1;
                println!("seed {seed}: not supported: {what}");
            }
            Compared::Differs(why) => {
                differs += 1;
                println!("seed {seed}: {why}");
            }
        }
    }
    println!("same {same}, left out (too long) {left_out}, not supported {unsupported}, different {differs}");
    Ok(if differs == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn seq(args: &[String]) -> Result<ExitCode, String> {
    let mut wrong = false;
    let scratch = std::env::temp_dir().join(format!("unbraid-seq-{}", std::process::id()));
    for file in args {
        for data_model in [DataModel::Lp64, DataModel::Ilp32] {
            let bits = data_model.pointer_bits();
            match sequential::outputs::compare(file.as_ref(), data_model, &scratch) {
                Ok(count) => println!("{file}, {bits} bits: {count} values agree"),
                Err(why) => {
                    wrong = true;
                    println!("{file}, {bits} bits: {why}");
                }
            }
        }
    }
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn readers(kind: Kind, args: &[String]) -> Result<ExitCode, String> {
    let args = Args::read(args, &["seconds", "seed", "out", "file", "worker", "scratch"])?;
    let time = Duration::from_secs(args.number("seconds", 60)?);
    let seed = args.number("seed", 1)?;
    let out = PathBuf::from(args.text("out", "."));
    if args.has("file") {
        let file = args.text("file", "");
        let bytes = std::fs::read(&file).map_err(|error| format!("{file}: {error}"))?;
        let came = readers::try_one(kind, &String::from_utf8_lossy(&bytes));
        println!("{came:?}");
        return Ok(if came.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if args.has("worker") {
        let counts = readers::work(kind, seed, time, args.text("scratch", "scratch").as_ref(), &out);
        println!("{} texts, {} of them became programs", counts.cases, counts.ran);
        return Ok(ExitCode::SUCCESS);
    }
    let found = readers::supervise(kind, seed, time, &out)?;
    Ok(if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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
