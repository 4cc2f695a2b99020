//! Confirms what an engine claims before anyone is told.
//!
//! This crate does not know the engines: it could confirm the claim of a stranger.  "Unsafe" counts when the interpreter
//! arrives at the violation along the trace, "safe" when the proof is checked anew on the program.  A claim that cannot
//! be confirmed becomes [`Reason::Unconfirmed`] with the engine's name: that is a bug report; unless the program has something
//! that the check does not go into ([`Refusal::Unsupported`]).

mod closed_states;
pub mod modular;
mod prepared;
pub mod product;
pub mod runs;
pub mod translation;
pub mod unfolding;
mod unrolling;

use base::{Budget, Pos};
use claim::{Outcome, Proof, Reason, Replay, Unwatched, Violated, Violation, replay};
use ir::interp::Code;
use ir::{BlockId, Function, Goal, InstKind, MemoryModel, Spec};
use rustc_hash::FxHashSet;
use std::fmt;

/// Why nothing was checked to its end.
const SPENT: &str = "the budget is spent";

/// A confirmed answer.
pub enum Verdict {
    /// No execution violates the property.  The proof is kept: it may be large, and whoever prints the verdict and ends
    /// the process has no time to spend on taking it apart.
    Safe(Proof),
    Unsafe(Violation),
    Unknown(Reason),
}

/// Why a proof is not accepted.
#[derive(Debug)]
pub enum Refusal {
    /// What it claims may be so, but the program has something that its check does not go into.
    Unsupported { what: String, pos: Pos },
    /// What does not hold.
    Wrong(String),
}

impl Refusal {
    /// The same, in what is named.
    fn within(self, what: &str) -> Self {
        match self {
            Refusal::Wrong(why) => Refusal::Wrong(format!("{what}: {why}")),
            unsupported @ Refusal::Unsupported { .. } => unsupported,
        }
    }
}

impl From<&str> for Refusal {
    fn from(why: &str) -> Self {
        Refusal::Wrong(why.into())
    }
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Refusal::Wrong(why)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Refusal::Unsupported { what: text, .. } | Refusal::Wrong(text)) = self;
        f.write_str(text)
    }
}

/// Checks the evidence of what `engine` claims of the program.
pub fn confirm(engine: &str, outcome: Outcome, code: &Code<'_>, spec: Spec, budget: &Budget) -> Verdict {
    let unconfirmed = |why: String| Verdict::Unknown(Reason::Unconfirmed { engine: engine.to_string(), why });
    let goal = spec.property.goal();
    match outcome {
        Outcome::Unknown(reason) => Verdict::Unknown(reason),
        // Replays and proofs are about interleaved steps, and about assertions.
        _ if (goal, spec.memory) != (Some(Goal::Assertion), MemoryModel::SequentiallyConsistent) => {
            unconfirmed(format!("nobody can check claims about {}, {}", spec.property, spec.memory))
        }
        Outcome::Unsafe(trace) => match replay(code, &trace, &mut Unwatched) {
            Replay::Violated(site) => {
                let inst = code.inst(site.pc).map(|inst| &inst.kind);
                if let Some(InstKind::Assert { check, .. }) = inst
                    && check.property() == spec.property
                {
                    return Verdict::Unsafe(Violation { trace, at: Violated::Place(site) });
                }
                unconfirmed(format!("what is violated is not {}", spec.property))
            }
            Replay::Diverged(why) => unconfirmed(why),
        },
        Outcome::Safe(proof) => {
            let checked = runs::check(code, budget).and_then(|()| check(&proof, code, budget));
            match (checked, budget.spent()) {
                (Ok(()), _) => Verdict::Safe(proof),
                // A check that ran out of time says nothing about the claim.
                (Err(_), Some(spent)) => Verdict::Unknown(Reason::Budget(spent)),
                (Err(Refusal::Unsupported { what, pos }), None) => Verdict::Unknown(Reason::Unsupported { what, pos }),
                (Err(Refusal::Wrong(why)), None) => unconfirmed(why),
            }
        }
    }
}

/// What must be so, or else why the claim is not accepted.
fn ensure(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}

/// Can control come back to the block?
fn comes_back(function: &Function, block: BlockId) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![block];
    while let Some(from) = work.pop() {
        function.blocks[from].term.for_each_target(&mut |to| work.extend(seen.insert(to).then_some(to)));
    }
    seen.contains(&block)
}

/// Checks a proof anew on the program, by reasoning alone; the error says what does not hold.
pub fn check(proof: &Proof, code: &Code<'_>, budget: &Budget) -> Result<(), Refusal> {
    let system = |ints| prepared::system(code.program, ints, budget);
    let checked = formula::within_width(|| match proof {
        Proof::ClosedStates(states) => Ok(closed_states::check(states, code, budget)?),
        Proof::Unrolling(bounds) => unrolling::check(bounds, code, budget),
        Proof::Modular(proof) => Ok(modular::check(proof, &system(proof.ints)?, budget)?),
        Proof::Product(proof) => Ok(product::check(proof, &system(proof.ints)?, budget)?),
    });
    checked.unwrap_or_else(|too_wide| Err(Refusal::Wrong(too_wide.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use claim::Trace;
    use ir::Property;

    #[test]
    fn a_claim_is_about_the_property_that_was_asked_for() {
        let text = "target 64\nentry main\n\nfunc main() -> i32 {\nb0:\n  assert false error\n  return 0\n}\n";
        let program = ir::text::parse(text, "test.ir").unwrap();
        let code = Code::new(&program);
        for property in Property::ALL {
            let mut trace = Trace::default();
            trace.push(0);
            let spec = Spec { property, ..Spec::default() };
            let verdict = confirm("some", Outcome::Unsafe(trace), &code, spec, &Budget::unlimited());
            assert_eq!(matches!(verdict, Verdict::Unsafe(_)), property == Property::UnreachCall, "{property}");
        }
    }
}
