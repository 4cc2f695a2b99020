//! Csmith's random programs.  They fold all their variables into a checksum, which is printed natively and left in a
//! variable of Csmith's header when interpreted.

use super::{Stopped, bytes_of, interpret, load, native};
use crate::process::{self, Ran};
use base::Rng;
use ir::DataModel;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Where Debian puts Csmith's headers.
const INCLUDE: &str = "-I/usr/include/csmith";

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    Same,
    /// It runs too long, natively or interpreted.
    LeftOut,
    /// The interpreter says that it does not know something the program does.
    Unsupported(String),
    Differs(String),
}

/// Makes the program of a seed and compares; the text stays in `folder` if there is a difference.
pub fn compare(seed: u64, data_model: DataModel, steps: u64, folder: &Path) -> Compared {
    let file = folder.join(format!("csmith-{seed}.c"));
    let to = folder.join(format!("csmith-{seed}-{}", data_model.pointer_bits()));
    let mut generate = Command::new("csmith");
    // It leaves a file about the platform where it runs.
    generate.current_dir(folder);
    generate.args(options(seed)).args(["--seed", &seed.to_string(), "--output", &format!("csmith-{seed}.c")]);
    match process::run(generate, Duration::from_secs(30)) {
        Ran::Output(_) => (),
        Ran::Failed(why) => return Compared::Differs(format!("csmith: {why}")),
        Ran::TimedOut => return Compared::LeftOut,
    }
    let include = vec![INCLUDE.to_string(), "-fgnu89-inline".to_string()];
    let natively = native(&file, &to, data_model, &include, Duration::from_secs(3));
    _ = std::fs::remove_file(&to);
    let compared = match natively {
        Ran::TimedOut => Compared::LeftOut,
        Ran::Failed(why) => Compared::Differs(format!("natively: {why}")),
        Ran::Output(text) => match checksum(&text) {
            None => Compared::Differs(format!("natively no checksum: {text}")),
            Some(expected) => interpreted(&file, data_model, steps, &include, expected),
        },
    };
    if !matches!(compared, Compared::Differs(_)) {
        _ = std::fs::remove_file(&file);
    }
    compared
}

/// What kind of program a seed stands for.
fn options(seed: u64) -> Vec<&'static str> {
    let mut rng = Rng::new(seed);
    // Small enough to end within some million instructions, most of the time.
    let mut options = vec!["--no-argc", "--max-funcs", "5", "--max-block-depth", "3", "--max-array-len-per-dim", "5"];
    for (option, percent) in
        [("--float", 25), ("--no-packed-struct", 50), ("--no-volatiles", 30), ("--inline-function", 30)]
    {
        if rng.chance(percent) {
            options.push(option);
        }
    }
    options
}

fn checksum(text: &str) -> Option<u32> {
    let hex = text.lines().find_map(|line| line.strip_prefix("checksum = "))?;
    u32::from_str_radix(hex.trim(), 16).ok()
}

fn interpreted(file: &Path, data_model: DataModel, steps: u64, args: &[String], expected: u32) -> Compared {
    let program = match load(file, data_model, args) {
        Ok(program) => program,
        Err(why) => return Compared::Differs(why),
    };
    let found = interpret(&program, steps, |machine| bytes_of(machine, "crc32_context"));
    match found {
        Err(Stopped::TooLong) => Compared::LeftOut,
        Err(Stopped::Unsupported(what)) => Compared::Unsupported(what),
        Err(Stopped::Wrong(why)) => Compared::Differs(why),
        Ok(None) => Compared::Differs("there is no checksum".into()),
        Ok(Some(bytes)) => {
            let found = !bytes.try_into().map_or(0, u32::from_le_bytes);
            if found == expected {
                Compared::Same
            } else {
                Compared::Differs(format!("checksum {found:X}, should be {expected:X}"))
            }
        }
    }
}
