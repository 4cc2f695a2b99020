//! The command for the long runs; `docs/testing.md` has the list.

use clap::{Args, Parser, Subcommand};
use fuzz::concurrent::campaign::{Campaign, Summary};
use fuzz::concurrent::{self, compare};
use fuzz::readers::{self, corpus::Kind};
use fuzz::sequential::{self, csmith::Compared};
use ir::DataModel;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(name = "fuzz")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Random concurrent programs, decided in every way
    Concurrent(Timed),
    /// Claims of safety by complete unrolling
    Unrolling {
        #[command(flatten)]
        campaign: Campaign,
        #[arg(long, default_value_t = 4)]
        unwind: u32,
    },
    /// Programs unfolded into threads with their loops kept
    Threads(Timed),
    /// Programs as systems over integers, searched state by state
    Systems(Timed),
    /// The same programs as C, through the front end
    C(Campaign),
    /// One of them, as text
    Show {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 0)]
        start: u64,
        /// As C
        #[arg(long)]
        c: bool,
    },
    /// Csmith's programs, run and interpreted
    Csmith {
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 100)]
        count: u64,
        #[arg(long)]
        m32: bool,
        /// Of the interpreter
        #[arg(long, default_value_t = 20_000_000)]
        steps: u64,
        #[arg(long, default_value = ".")]
        out: PathBuf,
    },
    /// Hand-written ones, for both data models
    Seq { files: Vec<PathBuf> },
    /// Damaged LLVM text through the front end
    Ll(Damaged),
    /// Damaged text of programs
    Ir(Damaged),
    /// Wrong claims of engines with faults in them, in a build that has faults
    #[cfg(feature = "faults")]
    Faults(fuzz::faults::Args),
}

#[derive(Args)]
struct Timed {
    #[command(flatten)]
    campaign: Campaign,
    /// Time of the engine, or of the translation, for each
    #[arg(long, default_value_t = 1000)]
    milliseconds: u64,
}

#[derive(Args)]
struct Damaged {
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value = ".")]
    out: PathBuf,
    /// Only this text
    #[arg(long)]
    file: Option<PathBuf>,
    /// The side that tries texts, with the one being tried in this file
    #[arg(long, hide = true)]
    worker: Option<PathBuf>,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Concurrent(timed) => campaign(&timed, concurrent::run::run),
        Command::Threads(timed) => campaign(&timed, concurrent::kept::run),
        Command::Systems(timed) => campaign(&timed, concurrent::systems::run),
        Command::Unrolling { campaign, unwind } => told(|| concurrent::unrolling::run(&campaign, unwind)),
        Command::C(campaign) => told(|| concurrent::c::run(&campaign)),
        Command::Show { seed, start, c } => show(seed, start, c),
        Command::Csmith { seed, count, m32, steps, out } => csmith(seed..seed + count, m32, steps, &out),
        Command::Seq { files } => Ok(seq(&files)),
        Command::Ll(damaged) => read(Kind::Llvm, &damaged),
        Command::Ir(damaged) => read(Kind::Ir, &damaged),
        #[cfg(feature = "faults")]
        Command::Faults(args) => fuzz::faults::run(&args),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// A campaign with a time for each program.
fn campaign(timed: &Timed, run: fn(&Campaign, Duration) -> Summary) -> Result<bool, String> {
    told(|| run(&timed.campaign, Duration::from_millis(timed.milliseconds)))
}

/// Prints what was found.
fn told(run: impl FnOnce() -> Summary) -> Result<bool, String> {
    let start = Instant::now();
    let summary = run();
    println!("{}{:60}{:>10.1} s", summary.print(), "time", start.elapsed().as_secs_f64());
    Ok(summary.disagreements.is_empty())
}

fn csmith(seeds: Range<u64>, m32: bool, steps: u64, out: &Path) -> Result<bool, String> {
    let data_model = if m32 { DataModel::Ilp32 } else { DataModel::Lp64 };
    std::fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let (mut same, mut left_out, mut unsupported, mut differs) = (0, 0, 0, 0);
    for seed in seeds {
        match sequential::csmith::compare(seed, data_model, steps, out) {
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
    Ok(differs == 0)
}

fn seq(files: &[PathBuf]) -> bool {
    let mut fine = true;
    let scratch = std::env::temp_dir().join(format!("unbraid-seq-{}", std::process::id()));
    for (file, data_model) in files.iter().flat_map(|file| [DataModel::Lp64, DataModel::Ilp32].map(|it| (file, it))) {
        let compared = sequential::outputs::compare(file, data_model, &scratch);
        fine &= compared.is_ok();
        let said = compared.map_or_else(|why| why, |count| format!("{count} values agree"));
        println!("{}, {} bits: {said}", file.display(), data_model.pointer_bits());
    }
    fine
}

fn read(kind: Kind, damaged: &Damaged) -> Result<bool, String> {
    let Damaged { seconds, seed, out, .. } = damaged;
    let time = Duration::from_secs(*seconds);
    if let Some(file) = &damaged.file {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let came = readers::try_one(kind, &String::from_utf8_lossy(&bytes));
        println!("{came:?}");
        return Ok(came.is_ok());
    }
    if let Some(scratch) = &damaged.worker {
        let counts = readers::work(kind, *seed, time, scratch, out);
        println!("{} texts, {} of them became programs", counts.cases, counts.ran);
        return Ok(true);
    }
    readers::supervise(kind, *seed, time, out).map(|found| found.is_empty())
}

fn show(seed: u64, start: u64, c: bool) -> Result<bool, String> {
    let case = compare::case(seed, start).ok_or("this program is left out: it has too many states")?;
    print!("{}", if c { concurrent::to_c::to_c(&case.source) } else { ir::text::print(&case.program) });
    Ok(true)
}
