//! The project's own chores: measuring on a set of programs, measuring speed, and keeping the house tidy.

mod bench;
mod build;
mod check;
mod family;
mod faults;
mod lower;
mod rows;
mod run;
mod speed;
mod summary;
mod tables;
mod tidy;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a list of programs with known verdicts and print a table
    Bench(Box<bench::Args>),
    /// Write a program of a family: mat, pas, long, pet, chain, ring
    Family(family::Args),
    /// Measure the explicit engine's states per second
    Speed(speed::Args),
    /// Repeat the experiments of the Lazy-CSeq paper (table1, fig6, fig7) and of CoMuS (thesis, orders)
    Tables(Box<tables::Args>),
    /// Put faults into a copy of the program, and see whether wrong claims are refused
    Faults(faults::Args),
    /// Check what no compiler checks: module docs, file lengths, stray paths
    Tidy,
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Bench(args) => bench::run(&args),
        Command::Family(args) => family::run(&args),
        Command::Speed(args) => speed::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::Faults(args) => faults::run(&args),
        Command::Tidy => tidy::run(),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
