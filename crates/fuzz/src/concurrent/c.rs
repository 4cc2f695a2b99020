//! Random programs through the front end: the C text of a program must be decided as the program itself is.

use super::compare::{self, Said, run_engine};
use super::plain;
use super::{to_c, to_ir};
use engines::explicit::Explicit;
use front::Options;
use ir::interp::Code;
use std::path::Path;

/// How many programs there were, and of which kind.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub compared: u64,
    pub left_out: u64,
    pub unsafe_: u64,
    /// Seed, index and what is wrong.
    pub disagreements: Vec<(u64, u64, String)>,
}

/// Compares `count` programs that were not bent, from `start` on; C text that shows a disagreement stays in `folder`.
pub fn run(seed: u64, start: u64, count: u64, folder: &Path) -> Result<Summary, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut summary = Summary::default();
    let mut index = start;
    while summary.compared < count && summary.disagreements.len() < 10 {
        let case = compare::case(seed, index).filter(|case| !case.bent);
        match case {
            None => summary.left_out += 1,
            Some(case) => {
                let source = case.source;
                let path = folder.join(format!("c-{seed}-{index}.c"));
                let program = to_ir::to_ir(&source);
                let text = to_c::to_c(&source);
                std::fs::write(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
                match compare_one(&program, &path) {
                    Ok(None) => summary.left_out += 1,
                    Ok(Some(is_unsafe)) => {
                        summary.compared += 1;
                        summary.unsafe_ += u64::from(is_unsafe);
                    }
                    Err(why) => {
                        eprintln!("{}: {why}", path.display());
                        summary.disagreements.push((seed, index, why));
                        index += 1;
                        continue;
                    }
                }
                _ = std::fs::remove_file(&path);
            }
        }
        index += 1;
    }
    Ok(summary)
}

/// Is it unsafe?  `None` if that takes too long to find out.
fn compare_one(program: &ir::Program, path: &Path) -> Result<Option<bool>, String> {
    let expected = match compare::known(program) {
        Some(known @ (plain::Verdict::Safe | plain::Verdict::Unsafe)) => known,
        Some(plain::Verdict::Unknown) | None => return Ok(None),
    };
    let options = Options { data_model: program.data_model, ..Options::default() };
    let loaded = front::load(&[path.to_path_buf()], &options).map_err(|errors| {
        let first = errors.first().map(ToString::to_string);
        format!("not accepted: {}", first.unwrap_or_default())
    })?;
    let program = &loaded.program;
    if let Some(wrong) = ir::validate(program).first() {
        return Err(format!("not valid: {}", wrong.describe(program)));
    }
    let code = Code::new(program);
    match run_engine(&code, Explicit::default()) {
        Said::EndlessSection => Ok(None),
        Said::Verdict(Err(why), _) => Err(format!("a claim is not confirmed: {why}")),
        Said::Verdict(Ok(answer), _) if answer == expected => Ok(Some(expected == plain::Verdict::Unsafe)),
        Said::Verdict(Ok(answer), states) => {
            Err(format!("should be {expected:?}, the engine says {answer:?} after {states} states"))
        }
    }
}
