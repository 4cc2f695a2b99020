//! What comes of the reports of all rows.

use crate::run::{End, Report};
use base::Spent;
use claim::Violation;
use claim::{Proof, Reason};
use confirm::Verdict;

/// What comes of the reports.  The numbers are those of the rows.
pub enum Judgement {
    Safe {
        by: usize,
        proof: Proof,
    },
    Unsafe {
        by: usize,
        violation: Violation,
    },
    /// One says safe and one unsafe, and both have evidence that was checked: a defect of ours.
    Contradiction {
        safe_by: usize,
        proof: Proof,
        unsafe_by: usize,
        violation: Violation,
    },
    /// Nobody knows; this row has the most to say about why.
    Unknown {
        by: usize,
        reason: Reason,
    },
    /// Nobody has anything to say: every row failed, or none was started.
    Nothing,
}

/// Judges, and takes the evidence out of the reports.  Where several rows agree, the first of the table speaks.
pub fn judge(reports: &mut [Report]) -> Judgement {
    let mut safe: Option<(usize, Proof)> = None;
    let mut violated: Option<(usize, Violation)> = None;
    let mut unknown: Option<(usize, Reason)> = None;
    for (index, report) in reports.iter_mut().enumerate() {
        match std::mem::replace(&mut report.end, End::Stopped) {
            End::Verdict(Verdict::Safe(proof)) => safe = safe.or(Some((index, proof))),
            End::Verdict(Verdict::Unsafe(violation)) => violated = violated.or(Some((index, violation))),
            End::Verdict(Verdict::Unknown(reason)) => {
                if unknown.as_ref().is_none_or(|(_, other)| weight(&reason) > weight(other)) {
                    unknown = Some((index, reason.clone()));
                }
                // The other reasons are told too.
                report.end = End::Verdict(Verdict::Unknown(reason));
            }
            other => report.end = other,
        }
    }
    match (safe, violated, unknown) {
        (Some((safe_by, proof)), Some((unsafe_by, violation)), _) => {
            Judgement::Contradiction { safe_by, proof, unsafe_by, violation }
        }
        (Some((by, proof)), None, _) => Judgement::Safe { by, proof },
        (None, Some((by, violation)), _) => Judgement::Unsafe { by, violation },
        (None, None, Some((by, reason))) => Judgement::Unknown { by, reason },
        (None, None, None) => Judgement::Nothing,
    }
}

/// How much a reason says.  A claim that was not confirmed is a defect, which must not be hidden behind anything; then what
/// stands in the way of any answer, then what was covered, then what ran out.
fn weight(reason: &Reason) -> u32 {
    match reason {
        Reason::Unconfirmed { .. } => 8,
        Reason::Unsupported { .. } => 7,
        Reason::Bound(_) => 6,
        Reason::Approximation(_) => 5,
        Reason::Inputs(_) => 4,
        Reason::Budget(Spent::Memory) => 3,
        Reason::Budget(Spent::Time) => 2,
        Reason::Budget(Spent::Cancelled) => 1,
        // Somebody else may have tried.
        Reason::Property(_) => 0,
    }
}
