//! Random programs through the front end: the C text of a program must be decided as the program itself is.

use super::campaign::{Campaign, Summary};
use super::compare::{self, Case, Disagreement, Said, run_engine};
use super::{plain, to_c};
use crate::sequential::load;
use engines::explicit::Explicit;
use ir::interp::Code;
use std::path::Path;

/// Compares programs that were not bent; C text that shows a disagreement stays.
pub fn run(campaign: &Campaign) -> Summary {
    // A smaller program is not the one whose text is wrong.
    let campaign = Campaign { quick: true, ..campaign.clone() };
    let judge = |case: &Case| {
        let path = campaign.out.join(format!("c-{}-{}.c", campaign.seed, case.index));
        let compared = if case.bent { None } else { compare_one(case, &path)? };
        _ = std::fs::remove_file(&path);
        Ok(compared)
    };
    campaign.run("c", judge, |is_unsafe, _, summary| summary.count("", "unsafe", u64::from(is_unsafe)))
}

/// Is it unsafe?  `None` if that takes too long to find out.
fn compare_one(case: &Case, path: &Path) -> Result<Option<bool>, Disagreement> {
    let disagree = |kind: &str, detail: String| Disagreement { kind: format!("front end: {kind}"), detail };
    let expected = match compare::known(&case.program) {
        Some(known @ (plain::Verdict::Safe | plain::Verdict::Unsafe)) => known,
        Some(plain::Verdict::Unknown) | None => return Ok(None),
    };
    let written = std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")));
    let written = written.and_then(|()| std::fs::write(path, to_c::to_c(&case.source)));
    written.map_err(|error| disagree("the text is not written", format!("{}: {error}", path.display())))?;
    let program = load(path, case.program.data_model, &[]).map_err(|why| disagree("the text is refused", why))?;
    let code = Code::new(&program);
    match run_engine(&code, Explicit::default()) {
        Said::EndlessSection => Ok(None),
        Said::Verdict(Err(why), _) => Err(disagree("a claim is not confirmed", why)),
        Said::Verdict(Ok(answer), _) if answer == expected => Ok(Some(expected == plain::Verdict::Unsafe)),
        Said::Verdict(Ok(answer), states) => {
            let kind = format!("should be {expected:?}, the engine says {answer:?}");
            Err(disagree(&kind, format!("{states} states")))
        }
    }
}
