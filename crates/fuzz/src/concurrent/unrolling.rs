//! Compares the check of complete unrollings with what is known of random programs.
//!
//! A claim that the program is safe within bounds may be confirmed only if it is; and must be confirmed if it is safe and the
//! unfolding cuts nothing, unless the check gives a reason that `docs/unrolling.md` lists.

use super::campaign::{Campaign, Found};
use super::compare::{self, Disagreement};
use super::plain::Verdict;
use base::Budget;
use claim::{Proof, Unrolling};
use facts::Facts;
use ir::interp::Code;
use ir::{Goal, Program};
use passes::Bounds;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// What a run found.
#[derive(Debug, Default)]
pub struct Summary {
    pub found: Found,
    pub safe: u64,
    pub confirmed: u64,
    /// Safe programs whose unfolding has cuts, and that are not confirmed.
    pub cut: u64,
    /// Safe programs that are not confirmed, by the reason.
    pub refused: BTreeMap<String, u64>,
}

impl Summary {
    pub fn print(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: u64| _ = writeln!(text, "{name:40}{value:>8}");
        line("programs compared", self.found.compared);
        line("safe", self.safe);
        line("confirmed", self.confirmed);
        line("not confirmed, the unfolding has cuts", self.cut);
        for (why, count) in &self.refused {
            line(&format!("not confirmed: {why}"), *count);
        }
        line("disagreements", self.found.disagreements.len() as u64);
        text
    }
}

/// What became of the claim that a program is safe.
enum Claim {
    Confirmed,
    /// Why not, and whether the unfolding has cuts or is too large for the time.
    Refused(String, bool),
}

fn claim(program: &Program, unwind: u32) -> Claim {
    let bounds = Bounds { threads: 20, size: 20_000, ..Bounds::new(unwind) };
    let budget = Budget::new(Some(Duration::from_secs(10)), None);
    let code = Code::new(program);
    let proof = Proof::Unrolling(Unrolling::from(&bounds));
    match (confirm::check(&proof, &code, &budget), budget.spent()) {
        (Ok(()), _) => Claim::Confirmed,
        (Err(_), Some(spent)) => Claim::Refused(spent.to_string(), true),
        (Err(why), None) => {
            let unfolded = passes::unfold(program, &Facts::compute(program), Goal::Assertion, &bounds, &budget);
            Claim::Refused(why.to_string(), unfolded.is_ok_and(|unfolded| !unfolded.cuts.is_empty()))
        }
    }
}

/// Reasons that are no disagreement.
pub const LIMITS: &[&str] = &["is not known, and can be more", "may go anywhere", "in several places", "not supported"];

/// What became of the claim, if the program is safe.
fn judge(program: &Program, unwind: u32) -> Result<Option<Claim>, Disagreement> {
    let Some(known) = compare::known(program) else { return Ok(None) };
    // What is not supported must not be confirmed either.
    let safe = known == Verdict::Safe;
    let said = claim(program, unwind);
    match (safe, &said) {
        (false, Claim::Confirmed) => {
            Err(Disagreement { kind: "confirmed, though it is not safe".into(), detail: format!("unwind {unwind}") })
        }
        (true, Claim::Refused(why, false)) if !LIMITS.iter().any(|limit| why.contains(limit)) => {
            let kind = why.split(" at ").next().unwrap_or_default();
            Err(Disagreement { kind: format!("safe, but not confirmed: {kind}"), detail: why.clone() })
        }
        _ => Ok(safe.then_some(said)),
    }
}

pub fn run(campaign: &Campaign, unwind: u32) -> Summary {
    let mut summary = Summary::default();
    // Programs of which nothing can be said count as well.
    let found = campaign.run(
        "unrolling",
        |program| judge(program, unwind).map(Some),
        |claim, _| {
            summary.safe += u64::from(claim.is_some());
            match claim {
                None => (),
                Some(Claim::Confirmed) => summary.confirmed += 1,
                Some(Claim::Refused(why, cut)) => match LIMITS.iter().find(|limit| why.contains(**limit)) {
                    Some(why) => *summary.refused.entry(why.to_string()).or_default() += 1,
                    None => summary.cut += u64::from(cut),
                },
            }
        },
    );
    Summary { found, ..summary }
}
