//! Random programs through the front end: the C text of a program must be decided as the program itself is.

use super::campaign::Summary;
use super::compare::{self, Disagreement, Said, run_engine};
use super::plain;
use super::{to_c, to_ir};
use crate::sequential::load;
use engines::explicit::Config;
use ir::interp::Code;
use std::path::Path;

/// Compares `count` programs that were not bent, from `start` on; C text that shows a disagreement stays in `folder`.
pub fn run(seed: u64, start: u64, count: u64, folder: &Path) -> Result<Summary, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut summary = Summary::default();
    for index in start.. {
        if summary.compared >= count || summary.disagreements.len() >= 10 {
            break;
        }
        let Some(case) = compare::case(seed, index).filter(|case| !case.bent) else {
            summary.left_out += 1;
            continue;
        };
        let path = folder.join(format!("c-{seed}-{index}.c"));
        std::fs::write(&path, to_c::to_c(&case.source)).map_err(|error| format!("{}: {error}", path.display()))?;
        match compare_one(&to_ir::to_ir(&case.source), &path) {
            Ok(None) => summary.left_out += 1,
            Ok(Some(is_unsafe)) => {
                summary.compared += 1;
                summary.count("", "unsafe", u64::from(is_unsafe));
            }
            Err(detail) => {
                eprintln!("{}: {detail}", path.display());
                summary.disagreements.push((index, Disagreement { kind: "front end".into(), detail }));
                continue;
            }
        }
        _ = std::fs::remove_file(&path);
    }
    Ok(summary)
}

/// Is it unsafe?  `None` if that takes too long to find out.
fn compare_one(program: &ir::Program, path: &Path) -> Result<Option<bool>, String> {
    let expected = match compare::known(program) {
        Some(known @ (plain::Verdict::Safe | plain::Verdict::Unsafe)) => known,
        Some(plain::Verdict::Unknown) | None => return Ok(None),
    };
    let program = load(path, program.data_model, &[])?;
    let code = Code::new(&program);
    match run_engine(&code, Config::default()) {
        Said::EndlessSection => Ok(None),
        Said::Verdict(Err(why), _) => Err(format!("a claim is not confirmed: {why}")),
        Said::Verdict(Ok(answer), _) if answer == expected => Ok(Some(expected == plain::Verdict::Unsafe)),
        Said::Verdict(Ok(answer), states) => {
            Err(format!("should be {expected:?}, the engine says {answer:?} after {states} states"))
        }
    }
}
