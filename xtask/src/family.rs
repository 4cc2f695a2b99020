//! `cargo xtask family`: writes a program of one of the families on which CoMuS was measured.

use families::{Family, Loops, Parameters, Storage, generate};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    /// mat, pas, long, pet, chain or ring
    #[arg(value_parser = family)]
    pub family: Family,
    #[arg(long)]
    pub threads: usize,
    /// The twin with a mistake
    #[arg(long = "unsafe")]
    pub is_unsafe: bool,
    /// Columns of the matrix; as many as threads by default
    #[arg(long)]
    pub columns: Option<usize>,
    /// How often the threads of pet, chain and ring go round
    #[arg(long, conflicts_with = "endless")]
    pub iterations: Option<u32>,
    /// The threads of pet, chain and ring go round without end
    #[arg(long)]
    pub endless: bool,
    /// Who makes the claim: the first thread, or main after all have ended
    #[arg(long, value_enum, default_value = "thread")]
    pub assert: Claimant,
    /// A variable for each cell and no loops over columns, instead of arrays
    #[arg(long)]
    pub scalars: bool,
    /// Other names and another order of creation of the threads, by this seed
    #[arg(long)]
    pub shuffle: Option<u64>,
    /// Where it goes; printed by default
    #[arg(long, short)]
    pub output: Option<PathBuf>,
}

#[derive(clap::ValueEnum, Clone, Copy)]
pub enum Claimant {
    Thread,
    Main,
}

fn family(name: &str) -> Result<Family, String> {
    Family::find(name).ok_or_else(|| "there are mat, pas, long, pet, chain and ring".into())
}

impl Args {
    fn parameters(&self) -> Parameters {
        let loops = match (self.iterations, self.endless) {
            (Some(count), _) => Loops::Bounded(count),
            (None, true) => Loops::Endless,
            (None, false) => Loops::Usual,
        };
        let place = match self.assert {
            Claimant::Thread => families::Claimant::Thread,
            Claimant::Main => families::Claimant::Main,
        };
        Parameters {
            columns: self.columns,
            loops,
            place,
            storage: if self.scalars { Storage::Scalars } else { Storage::Arrays },
            shuffle: self.shuffle,
            ..Parameters::new(self.family, self.threads, !self.is_unsafe)
        }
    }
}

pub fn run(args: &Args) -> Result<bool, String> {
    let program = generate(&args.parameters())?;
    match &args.output {
        Some(path) => std::fs::write(path, program.text).map_err(|error| format!("{}: {error}", path.display()))?,
        None => print!("{}", program.text),
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    /// The programs in `tests/c/families` say with which options they were written, below the header of the test.
    #[test]
    fn the_test_programs_are_what_is_generated() {
        let folder = build::root().join("tests/c/families");
        let mut count = 0;
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let header: String = text.split_inclusive('\n').take_while(|line| line.starts_with("//@")).collect();
            let body = text[header.len()..].trim_start_matches('\n');
            let options = body.lines().next().and_then(|line| line.strip_prefix("// cargo xtask family ")).unwrap();
            let line = Line::parse_from(["family"].into_iter().chain(options.split(' ')));
            let program = generate(&line.args.parameters()).unwrap();
            assert_eq!(body, program.text, "{}", path.display());
            let claim = if program.safe { "//@ assert: safe\n" } else { "//@ assert: unsafe\n" };
            assert!(header.starts_with(claim), "{}", path.display());
            if let Some(because) = program.because {
                assert!(header.contains(&format!("//@ because: {because}\n")), "{}", path.display());
            }
            count += 1;
        }
        assert!(count > 5, "{count} programs in {}", folder.display());
    }
}
