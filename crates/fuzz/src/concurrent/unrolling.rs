//! Compares the check of complete unrollings with what is known of random programs.
//!
//! A claim that the program is safe within bounds may be confirmed only if it is; and must be confirmed if it is safe and the
//! unfolding cuts nothing, unless the check gives a reason that `docs/unrolling.md` lists.

use super::compare::{self, Disagreement};
use super::shrink;
use crate::naive::{self, Verdict};
use base::Budget;
use claim::{Proof, Unrolling};
use facts::Facts;
use ir::interp::Code;
use ir::{Goal, Program};
use passes::Bounds;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

/// What a run found.
#[derive(Debug, Default)]
pub struct Summary {
    pub compared: u64,
    pub safe: u64,
    pub confirmed: u64,
    /// Safe programs whose unfolding has cuts, and that are not confirmed.
    pub cut: u64,
    /// Safe programs that are not confirmed, by the reason.
    pub refused: BTreeMap<String, u64>,
    pub disagreements: Vec<(u64, Disagreement)>,
}

impl Summary {
    pub fn print(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: u64| _ = writeln!(text, "{name:40}{value:>8}");
        line("programs compared", self.compared);
        line("safe", self.safe);
        line("confirmed", self.confirmed);
        line("not confirmed, the unfolding has cuts", self.cut);
        for (why, count) in &self.refused {
            line(&format!("not confirmed: {why}"), *count);
        }
        line("disagreements", self.disagreements.len() as u64);
        text
    }
}

/// What became of the claim that a program is safe.
enum Claim {
    Confirmed,
    /// Why not, and whether the unfolding has cuts.
    Refused(String, bool),
}

fn claim(program: &Program, unwind: u32) -> Claim {
    let bounds = Bounds { threads: 20, size: 20_000, ..Bounds::new(unwind) };
    let budget = Budget::new(Some(Duration::from_secs(30)), None);
    let code = Code::new(program);
    let proof = Proof::Unrolling(Unrolling::from(&bounds));
    match (confirm::check(&proof, &code, &budget), budget.spent()) {
        (Ok(()), _) => Claim::Confirmed,
        (Err(_), Some(spent)) => Claim::Refused(spent.to_string(), false),
        (Err(why), None) => {
            let unfolded = passes::unfold(program, &Facts::compute(program), Goal::Assertion, &bounds, &budget);
            Claim::Refused(why, unfolded.is_ok_and(|unfolded| !unfolded.cuts.is_empty()))
        }
    }
}

/// Reasons that are no disagreement.
pub const LIMITS: &[&str] = &["is not known, and can be more", "may go anywhere", "in several places", "not supported"];

fn judge(program: &Program, unwind: u32) -> Result<Option<Claim>, Disagreement> {
    let naive = naive::check(program, compare::STATES);
    let safe = match naive.verdict {
        Verdict::GaveUp(_) => return Ok(None),
        Verdict::Safe => true,
        // What is not supported must not be confirmed either.
        Verdict::Unsafe(_) | Verdict::Unsupported => false,
    };
    let said = catch_unwind(AssertUnwindSafe(|| claim(program, unwind)));
    let Ok(said) = said else {
        return Err(Disagreement { kind: "panic".into(), detail: String::new() });
    };
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

/// Compares `count` programs.
pub fn run(seed: u64, start: u64, count: u64, unwind: u32, out: &Path) -> Summary {
    std::panic::set_hook(Box::new(|_| ()));
    let mut summary = Summary::default();
    let mut index = start;
    while summary.compared < count && summary.disagreements.len() < 5 {
        if let Some(case) = compare::case(seed, index) {
            summary.compared += 1;
            match judge(&case.program, unwind) {
                Ok(None) => (),
                Ok(Some(Claim::Confirmed)) => {
                    summary.safe += 1;
                    summary.confirmed += 1;
                }
                Ok(Some(Claim::Refused(why, cut))) => {
                    summary.safe += 1;
                    let why = LIMITS.iter().find(|limit| why.contains(**limit));
                    match why {
                        Some(why) => *summary.refused.entry(why.to_string()).or_default() += 1,
                        None => summary.cut += u64::from(cut),
                    }
                }
                Err(found) if summary.disagreements.iter().any(|(_, known)| known.kind == found.kind) => (),
                Err(found) => {
                    let shows = &mut |program: &Program| judge(program, unwind).is_err_and(|it| it.kind == found.kind);
                    let small = shrink::shrink(&case.program, shows);
                    let text = format!(";; {}: {}\n\n{}", found.kind, found.detail, ir::text::print(&small));
                    let path = out.join(format!("unrolling-{seed}-{index}.ir"));
                    if std::fs::create_dir_all(out).and_then(|()| std::fs::write(&path, text)).is_ok() {
                        eprintln!("{} (in {})", found.kind, path.display());
                    }
                    summary.disagreements.push((index, found));
                }
            }
        }
        index += 1;
    }
    summary
}
