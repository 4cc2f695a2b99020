//! `cargo xtask speed`: states per second of the explicit engine on programs of our own.

use crate::build;
use crate::rows::{Table, write};
use crate::run::run as run_process;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Args {
    /// Where the results go
    #[arg(long, default_value = "out/speed.tsv")]
    pub out: PathBuf,
    /// Results of an earlier run to compare with
    #[arg(long)]
    pub compare: Option<PathBuf>,
    /// Take the best of this many runs
    #[arg(long, default_value_t = 3)]
    pub runs: u32,
    /// Measure this binary instead of building one
    #[arg(long)]
    pub binary: Option<PathBuf>,
}

struct Measured {
    name: String,
    states: u64,
    seconds: f64,
    megabytes: f64,
}

impl Measured {
    fn rate(&self) -> f64 {
        self.states as f64 / self.seconds.max(1e-6)
    }
}

/// True if every program was decided.
pub fn run(args: &Args) -> Result<bool, String> {
    let binary = build::binary(args.binary.as_deref())?;
    let folder = build::root().join("tests/speed");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut programs: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    programs.sort();
    let old = args.compare.as_ref().map(|path| Table::read(path)).transpose()?;
    let mut out = String::from("program\tstates\tseconds\tmegabytes\tstates_per_second\n");
    let mut fine = true;
    println!("{:24} {:>12} {:>9} {:>7} {:>12}", "program", "states", "seconds", "MB", "states/s");
    for program in &programs {
        let name = program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut best: Option<Measured> = None;
        for _ in 0..args.runs.max(1) {
            let measured = measure(&binary, program, &name)?;
            if best.as_ref().is_none_or(|best| measured.seconds < best.seconds) {
                best = Some(measured);
            }
        }
        let Some(best) = best else { continue };
        fine &= best.states > 0;
        let Measured { states, seconds, megabytes, .. } = &best;
        let before = old.as_ref().and_then(|table| {
            let row = table.rows().find(|row| row.get("program") == best.name)?;
            row.get("states_per_second").parse::<f64>().ok()
        });
        let change = before.map_or(String::new(), |before| format!("  {:+.0} %", (best.rate() / before - 1.0) * 100.0));
        println!("{name:24} {states:>12} {seconds:>9.2} {megabytes:>7.0} {:>12.0}{change}", best.rate());
        let _ = writeln!(out, "{name}\t{states}\t{seconds:.3}\t{megabytes:.0}\t{:.0}", best.rate());
    }
    write(&args.out, &out)?;
    Ok(fine)
}

fn measure(binary: &std::path::Path, program: &std::path::Path, name: &str) -> Result<Measured, String> {
    let mut command = Command::new(binary);
    command.args(["check", "--json", "--engine", "explicit", "--timeout", "60s"]).arg(program);
    let ran = run_process(command, Duration::from_secs(120))?;
    let json: serde_json::Value =
        serde_json::from_str(&ran.stdout).map_err(|error| format!("{name}: no answer ({error}): {}", ran.stderr))?;
    if json["verdict"] != "SAFE" {
        eprintln!("{name}: {} {}", json["verdict"], json["reason"]);
    }
    Ok(Measured {
        name: name.into(),
        states: json["statistics"]["states"].as_u64().unwrap_or(0),
        // The search alone: reading the program and checking the proof are other people's time.
        seconds: json["phases"]["engine"].as_f64().unwrap_or(0.0),
        megabytes: json["memory_bytes"].as_f64().unwrap_or(0.0) / 1e6,
    })
}
