//! Compares the check of complete unrollings with what is known of random programs.
//!
//! A claim that the program is safe within bounds may be confirmed only if it is; and must be confirmed if it is safe and the
//! unfolding cuts nothing, unless the check gives a reason that `docs/unrolling.md` lists.

use super::campaign::{Campaign, Summary};
use super::compare::{self, Disagreement};
use super::plain::Verdict;
use base::Budget;
use claim::{Proof, Unrolling};
use facts::Facts;
use ir::interp::Code;
use ir::{Goal, Program};
use passes::Bounds;
use std::time::Duration;

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
    // Programs of which nothing can be said count as well.
    campaign.run(
        "unrolling",
        |case| judge(&case.program, unwind).map(Some),
        |claim, _, summary| {
            let mut count = |name: &str| summary.count("", name, 1);
            let Some(claim) = claim else { return };
            count("safe");
            match claim {
                Claim::Confirmed => count("confirmed"),
                Claim::Refused(why, cut) => match LIMITS.iter().find(|limit| why.contains(**limit)) {
                    Some(why) => count(&format!("not confirmed: {why}")),
                    None if cut => count("not confirmed, the unfolding has cuts"),
                    None => (),
                },
            }
        },
    )
}
