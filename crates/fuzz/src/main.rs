//! The command for the long runs; `docs/testing.md` has the list.

use fuzz::args::Args;
use fuzz::concurrent::{self, compare, run};
use fuzz::readers::{self, Reader};
use fuzz::sequential::{self, csmith::Compared};
use ir::DataModel;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "\
fuzz concurrent --count 10000 --seed 1 [--start 0] [--out DIR]   random concurrent programs, decided in every way
fuzz c --count 1000 --seed 1 [--start 0] [--out DIR]             the same programs as C, through the front end
fuzz show --seed 1 --start 7 [--c]                               one of them, as text
fuzz csmith --count 100 --seed 1 [--m32] [--steps N] [--out DIR] Csmith's programs, run and interpreted
fuzz seq FILE.c...                                               hand-written ones, for both data models
fuzz ll --seconds 3600 --seed 1 [--out DIR] [--tests tests]      damaged LLVM text through the whole front end
fuzz ir --seconds 3600 --seed 1 [--out DIR] [--tests tests]      damaged programs in their own text";

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
        "csmith" => csmith(rest),
        "seq" => seq(rest),
        "ll" => readers(rest, Reader::Llvm),
        "ir" => readers(rest, Reader::Ir),
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

fn readers(args: &[String], reader: Reader) -> Result<ExitCode, String> {
    let args = Args::read(args, &["seconds", "seed", "out", "tests"])?;
    let tests = std::path::PathBuf::from(args.text("tests", "tests"));
    let corpus = match reader {
        Reader::Llvm => readers::llvm_corpus(&tests.join("c"), 80),
        Reader::Ir => readers::ir_corpus(&tests.join("ir")),
    };
    let options = readers::Options {
        reader,
        seed: args.number("seed", 1)?,
        time: Duration::from_secs(args.number("seconds", 60)?),
        cases: u64::MAX,
        out: args.text("out", ".").into(),
    };
    let summary = readers::run(&options, &corpus);
    println!("{:24}{:>10}", "texts to break", corpus.len());
    println!("{:24}{:>10}", "cases", summary.cases);
    println!("{:24}{:>10}", "read without an error", summary.accepted);
    println!("{:24}{:>10}", "valid, and run", summary.ran);
    println!("{:24}{:>10.2} s", "slowest", summary.slowest.as_secs_f64());
    println!("{:24}{:>10}", "failures", summary.failures.len());
    for failure in &summary.failures {
        println!("{failure}");
    }
    Ok(if summary.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
