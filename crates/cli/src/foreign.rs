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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Task;
    use base::Budget;

    /// The last line of the answer, and the notes.
    fn ask(command: &str, own: Answer) -> (String, Vec<String>) {
        let backend = Backend::new(command, None, None).unwrap();
        let session = Session::new(Task::default(), Budget::unlimited());
        let emit = |bounds: Bounds| Ok(format!("// {bounds}\n"));
        let answer = decide(&backend, (Some(2), Some(3)), &session, &emit, &|_| own.clone());
        (answer.last_line("unreach-call"), session.notes().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_violation_counts_when_it_is_found_again() {
        let command = "grep -q '2 rounds and 3 unwindings' {file} && exit 10";
        let found = format!("`{command}` found a violation with up to 2 rounds and 3 unwindings");
        let (last, notes) = ask(command, Answer::new(Exit::Unsafe));
        assert_eq!((last, notes), ("UNSAFE(unreach-call)".into(), vec![format!("note: {found}")]));
        let (last, _) = ask(command, Answer::unknown("timeout", "timeout"));
        assert_eq!(last, format!("UNKNOWN({found}, which is not confirmed: timeout)"));
        let (last, _) = ask(command, Answer::new(Exit::Safe));
        assert_eq!(last, format!("UNKNOWN({found}, but engine lazy says SAFE)"));
        assert_eq!(ask(command, Answer::internal("oh".into())).0, "UNKNOWN(internal error)");
    }

    #[test]
    fn none_is_said_of_the_bounds() {
        let nobody = Answer::internal("nobody asks".into());
        let (last, _) = ask("true {file}", nobody.clone());
        assert_eq!(last, "UNKNOWN(no violation with up to 2 rounds and 3 unwindings (by true {file}))");
        let (last, _) = ask("echo oh; exit 3; true {file}", nobody);
        assert_eq!(last, "UNKNOWN(`echo oh; exit 3; true {file}` gave no answer: exit status 3: oh)");
    }
}
