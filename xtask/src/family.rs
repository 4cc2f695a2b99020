//! `cargo xtask family`: writes a program of one of the families on which CoMuS was measured.

use families::{Parameters, generate};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub parameters: Parameters,
    /// Where it goes; printed by default
    #[arg(long, short)]
    pub output: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<bool, String> {
    let program = generate(&args.parameters)?;
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
            let program = generate(&line.args.parameters).unwrap();
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
