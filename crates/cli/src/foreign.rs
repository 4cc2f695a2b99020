//! `--backend`: a foreign verifier decides the sequential program.
//!
//! What a stranger says is no verdict.  A violation counts when the engine of our own finds it too within the same bounds,
//! since then there is an execution that can be replayed; "none" is said of the bounds and with the stranger's name.

use crate::answer::{Answer, Exit};
use crate::session::Session;
use backend::{Backend, BoundedSearch, Bounds, Finding};
use base::Diagnostic;

/// Searches with the verifier.  `emit` writes the sequential program with some bounds, `own` searches with an engine of our
/// own within these.
pub fn decide(
    backend: &Backend,
    (rounds, unwind): (Option<u32>, Option<u32>),
    session: &Session,
    emit: &dyn Fn(Bounds) -> Result<String, String>,
    own: &dyn Fn(Bounds) -> Answer,
) -> Answer {
    let search = BoundedSearch { backend, rounds, unwind, emit };
    // The last line is one line.
    let command = backend.command().replace(['\n', '\r'], " ");
    match session.phase("backend", || search.run(&session.budget)) {
        Finding::Violated(bounds) => {
            let found = format!("`{command}` found a violation with up to {bounds}");
            session.note(Diagnostic::note(found.clone()));
            let answer = own(bounds);
            match answer.exit {
                Exit::Unsafe | Exit::Internal => answer,
                // A proof of our own is worth more than a stranger's word, but one of the two is mistaken.
                Exit::Safe => Answer::unknown("backend", format!("{found}, but engine lazy says SAFE")),
                Exit::Unknown | Exit::Usage | Exit::Input => {
                    let why = answer.reason.map_or_else(String::new, |why| format!(": {}", why.text));
                    Answer::unknown("backend", format!("{found}, which is not confirmed{why}"))
                }
            }
        }
        Finding::NotViolated(bounds, further) => {
            if let Some(why) = further {
                session.note(Diagnostic::note(format!("`{command}` gave no answer with larger bounds: {why}")));
            }
            Answer::unknown("bound", format!("no violation with up to {bounds} (by {command})"))
        }
        Finding::Nothing(why) => Answer::unknown("backend", format!("`{command}` gave no answer: {why}")),
        Finding::Spent(spent) => Answer::spent(spent),
    }
}
