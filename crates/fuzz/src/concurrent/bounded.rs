//! The engines that reason in formulas and the unfolding they rest on, compared with what is known of a program.
//!
//! They may say UNKNOWN; how often they do is counted.  What they do say is taken as the engine says it: a SAFE before its
//! proof is checked, since the check shares the unfolding with the engine.  Then the claim is confirmed as it is for users: that
//! may take too long, but must not fail.

use super::compare::Disagreement;
use super::{gone, kept, plain, unrolling};
use base::Budget;
use claim::{Outcome, Reason};
use confirm::Refusal;
use engines::{Command, Problem, Unobserved};
use facts::Facts;
use ir::interp::Code;
use ir::{Program, Spec};
use std::time::Duration;

/// The ways in which engines are run: the bounded one with all schedules at once, as it is by default, with many rounds; the
/// modular one; the product.
pub const WAYS: [(&str, &str); 5] = [
    ("orders", "lazy rounds=0"),
    ("default", "lazy"),
    ("rounds", "lazy rounds=6"),
    ("modular", "comus"),
    ("product", "product"),
];

/// Beyond this the programs would be too large for the time.
const UNWIND: u32 = 2;

/// What an engine says of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Safe,
    Unsafe,
    /// Why, in few words.
    Unknown(String),
}

/// Runs the engine in every way, each with so much time; what it says must agree with `expected`.
pub fn check(
    program: &Program,
    code: &Code<'_>,
    expected: plain::Verdict,
    time: Duration,
) -> Result<Vec<Said>, Disagreement> {
    let mut all = Vec::new();
    for (name, engine) in WAYS {
        let (said, doubt) = run(code, engine, time);
        let agrees = match &said {
            Said::Safe => expected == plain::Verdict::Safe,
            Said::Unsafe => expected == plain::Verdict::Unsafe,
            Said::Unknown(_) => true,
        };
        if !agrees {
            let kind = format!("naive says {expected:?}, engine {engine} ({name}) says {said:?}");
            return Err(Disagreement { kind, detail: String::new() });
        }
        match doubt {
            None => all.push(said),
            // Objects and threads do not die in the formulas, so that some of what they describe is not an execution.
            Some(_) if gone::is_touched(program) => all.push(Said::Unknown("touches what is gone".into())),
            // What the check of unrollings refuses it refuses knowingly.
            Some(why) if said == Said::Safe && unrolling::LIMITS.iter().any(|limit| why.contains(limit)) => {
                all.push(Said::Unknown("beyond the check of proofs".into()));
            }
            Some(why) => {
                let kind = format!("engine {engine} ({name}) makes a claim that is not confirmed");
                return Err(Disagreement { kind, detail: why });
            }
        }
    }
    Ok(all)
}

/// What the engine says, and why that is not confirmed.
fn run(code: &Code<'_>, engine: &str, time: Duration) -> (Said, Option<String>) {
    let budget = Budget::new(Some(time), None);
    let mut made = match Command::parse(engine).and_then(|command| command.make()) {
        Ok(made) => made,
        Err(why) => return (Said::Unknown(why), None),
    };
    let outcome = made.run(&Problem::new(code, Spec::default()), &budget, &mut Unobserved);
    let said = match &outcome {
        Outcome::Safe(_) => Said::Safe,
        Outcome::Unsafe(_) => Said::Unsafe,
        Outcome::Unknown(Reason::Unsupported { what, .. }) => Said::Unknown(format!("not supported: {what}")),
        Outcome::Unknown(reason) => Said::Unknown(reason.kind().to_string()),
    };
    let budget = Budget::new(Some(2 * time), None);
    match outcome {
        // Without the runs that come before every other check, which would hide what those overlook.
        Outcome::Safe(proof) => match confirm::check(&proof, code, &budget) {
            Err(Refusal::Wrong(why)) if budget.spent().is_none() => (said, Some(why)),
            // Counted by what it is that the check does not go into.
            Err(Refusal::Unsupported { what, .. }) => (said, Some(format!("not supported: {what}"))),
            Ok(()) | Err(Refusal::Wrong(_)) => (said, None),
        },
        outcome => match confirm::confirm(engine, outcome, code, Spec::default(), &budget) {
            // A violation that is none says nothing about the program.
            confirm::Verdict::Unknown(Reason::Unconfirmed { why, .. }) => {
                (Said::Unknown("unconfirmed".into()), Some(why))
            }
            confirm::Verdict::Safe(_) | confirm::Verdict::Unsafe(_) | confirm::Verdict::Unknown(_) => (said, None),
        },
    }
}

/// The program with its loops unwound, which is what the engines work on.
pub fn check_unfolding(program: &Program, expected: plain::Verdict, time: Duration) -> Result<(), Disagreement> {
    let bounds = passes::Bounds { threads: 20, size: 20_000, ..passes::Bounds::new(UNWIND) };
    kept::unfold(program, &Facts::compute(program), &bounds, expected, time, 5 * time).map(|_| ())
}
