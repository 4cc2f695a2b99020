//! Confirms what an engine claims, and only then writes it down for people and programs.
//!
//! This crate does not know the engines: it could confirm the claim of a stranger.  "Unsafe" counts when the interpreter
//! arrives at the violation along the trace, "safe" when the proof is checked anew on the program.  A claim that cannot
//! be confirmed becomes [`Reason::Unconfirmed`] with the engine's name: that is a bug report.

mod closed_states;
pub mod json;
pub mod modular;
mod prepared;
pub mod product;
pub mod schedule;
mod simplify;
pub mod story;
pub mod text;
pub mod told;
pub mod trace_file;
mod unrolling;

pub use simplify::simplify;

use base::Budget;
use ir::interp::{Code, Pc, Replay, Tid, Unwatched, replay};
use ir::modular::Ints;
use ir::{Followed, Outcome, Program, Proof, Reason, Trace};

/// A confirmed answer.
pub enum Verdict {
    /// No execution violates the property.  The proof is kept: it may be large, and whoever prints the verdict and ends
    /// the process has no time to spend on taking it apart.
    Safe(Proof),
    Unsafe(Violation),
    Unknown(Reason),
}

/// An execution that the interpreter has followed to a violation.
pub struct Violation {
    pub trace: Trace,
    pub thread: Tid,
    /// The violated assertion.
    pub pc: Pc,
}

/// Checks the evidence of what `engine` claims of the program.
pub fn confirm(engine: &str, outcome: Outcome, code: &Code<'_>, budget: &Budget) -> Verdict {
    let unconfirmed = |why: String| Verdict::Unknown(Reason::Unconfirmed { engine: engine.to_string(), why });
    match outcome {
        Outcome::Unknown(reason) => Verdict::Unknown(reason),
        Outcome::Unsafe(trace) => match replay(code, &trace, &mut Unwatched) {
            Replay::Violated { thread, pc } => Verdict::Unsafe(Violation { trace, thread, pc }),
            Replay::Diverged(why) => unconfirmed(why),
        },
        Outcome::Safe(proof) => {
            let checked = formula::within_width(|| match &proof {
                Proof::ClosedStates(states) => closed_states::check(states, code, budget),
                Proof::Unrolling(bounds) => unrolling::check(bounds, code, budget),
                Proof::Modular(proof) => prepared::system(code.program, proof.ints, budget)
                    .and_then(|system| modular::check(proof, &system, budget)),
                Proof::Product(proof) => prepared::system(code.program, proof.ints, budget)
                    .and_then(|system| product::check(proof, &system, budget)),
            });
            let checked = checked.unwrap_or_else(|too_wide| Err(too_wide.to_string()));
            match (checked, budget.spent()) {
                (Ok(()), _) => Verdict::Safe(proof),
                // A check that ran out of time says nothing about the claim.
                (Err(_), Some(spent)) => Verdict::Unknown(Reason::Budget(spent)),
                (Err(why), None) => unconfirmed(why),
            }
        }
    }
}

/// What a proof of "safe" consists of, in words.
pub fn describe_proof(proof: &Proof) -> String {
    match proof {
        Proof::ClosedStates(states) => {
            let some = states.followed.iter().filter(|followed| matches!(followed, Followed::Only(_))).count();
            format!(
                "a closed set of {} states, at {some} of which not every thread is followed; a thread runs alone for at most \
                 {} instructions",
                states.store.len(),
                states.patience
            )
        }
        Proof::Unrolling(bounds) => {
            let own = match bounds.loops.len() {
                0 => String::new(),
                1 => ", one loop with a bound of its own".to_string(),
                several => format!(", {several} loops with bounds of their own"),
            };
            format!(
                "all schedules of the complete unrolling: no loop goes round more than {} times where nothing known decides it{own}, \
                 and there are at most {} threads and {} instructions",
                bounds.unwind, bounds.threads, bounds.size
            )
        }
        Proof::Modular(proof) => {
            format!(
                "a proof thread by thread, with {} lemmas about what the threads do to each other{}",
                proof.lemmas.len(),
                describe_ints(proof.ints)
            )
        }
        Proof::Product(proof) => {
            format!(
                "an inductive invariant for each of {} combinations of locations of the threads{}",
                proof.states.len(),
                describe_ints(proof.ints)
            )
        }
    }
}

/// What a proof takes integers for, where that is not simply what they are.
fn describe_ints(ints: Ints) -> &'static str {
    match ints {
        Ints::Machine => "",
        Ints::Unwrapped => ", which also shows that no signed sum wraps",
        Ints::Mathematical => ", for integers without limits, which those of C are not",
    }
}

/// The reason in words, on one line.
pub fn explain(reason: &Reason, program: &Program) -> String {
    let text = match reason {
        Reason::Budget(spent) => return spent_words(*spent).to_string(),
        Reason::Unsupported { what, pos } => match program.files.get(pos.file) {
            Some(file) if !pos.is_none() => format!("not supported: {what} at {file}:{}", pos.line),
            _ => format!("not supported: {what}"),
        },
        Reason::Inputs(text) => format!("inputs not exhausted: {text}"),
        Reason::Bound(text) => format!("bound reached: {text}"),
        Reason::Approximation(text) => format!("not precise enough: {text}"),
        Reason::Unconfirmed { engine, why } => format!("unconfirmed claim of engine {engine}: {why}"),
    };
    text.replace(['\n', '\r'], " ")
}

/// What a spent budget is called.
pub fn spent_words(spent: base::Spent) -> &'static str {
    match spent {
        base::Spent::Time => "timeout",
        base::Spent::Memory => "memory",
        base::Spent::Cancelled => "interrupted",
    }
}

/// The kind of a reason, as one word for programs to read.
pub fn reason_kind(reason: &Reason) -> &'static str {
    match reason {
        Reason::Budget(spent) => spent_words(*spent),
        Reason::Unsupported { .. } => "unsupported",
        Reason::Inputs(_) => "inputs",
        Reason::Bound(_) => "bound",
        Reason::Approximation(_) => "approximation",
        Reason::Unconfirmed { .. } => "unconfirmed",
    }
}
