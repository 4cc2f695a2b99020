//! Runs the engines of a plan, and turns what they report into an answer.

use crate::answer::{Answer, Exit, Why, about_file};
use crate::caveats;
use crate::check::Plan;
use crate::evidence;
use crate::guard::defect;
use crate::output::Mode;
use crate::present;
use crate::progress::{Display, grouped};
use crate::session::Session;
use crate::trail::Trail;
use base::{Diagnostic, Pos, Spent};
use claim::Violation;
use claim::{Proof, Reason};
use confirm::Verdict;
use engines::Problem;
use ir::interp::Code;
use ir::{Program, Spec};
use portfolio::{End, Judgement, Member, Report, Schedule, Watch};
use report::story::{Sources, Story};
use serde_json::json;
use std::sync::{Mutex, PoisonError};

/// Decides; the answer is confirmed.
pub fn decide(
    plan: &Plan,
    spec: Spec,
    schedule: &Schedule,
    program: &Program,
    session: &Session,
    display: &mut dyn Display,
    finish: &dyn Fn(Answer) -> Answer,
) -> Answer {
    let code = Code::new(program);
    let several = schedule.rows.len() > 1;
    let display = Mutex::new(display);
    let trail = match Trail::begin(plan, several, &display) {
        Ok(trail) => trail,
        Err(error) => return Answer::input(vec![error]),
    };
    let watch = Watch {
        progress: &|row, progress| {
            let name = if several { row.to_string() } else { String::new() };
            display.lock().unwrap_or_else(PoisonError::into_inner).show(&name, progress);
        },
        follower: &trail,
        confirm: &|engine, outcome, budget| confirm::confirm(engine, outcome, &code, spec, budget),
    };
    let members = schedule.rows.iter().map(Member::of).collect();
    let problem = Problem::new(&code, spec);
    portfolio::run(members, schedule.cores, &problem, &session.budget, &watch, |mut reports| {
        let judgement = portfolio::judge(&mut reports);
        let mut answer = Conclusion { plan, code: &code, session, reports }.answer(judgement);
        // The verdict stands all the same.
        answer.errors.extend(trail.error());
        finish(answer)
    })
}

/// What the engines have reported.
struct Conclusion<'a> {
    plan: &'a Plan,
    code: &'a Code<'a>,
    session: &'a Session,
    reports: Vec<Report>,
}

impl Conclusion<'_> {
    fn answer(&self, judgement: Judgement) -> Answer {
        let mut answer = match judgement {
            Judgement::Safe { by, proof } => {
                self.tell(Some(by));
                let mut answer = Answer { report: self.summary(Some(by)), ..Answer::new(Exit::Safe) };
                self.show_proof(&proof, &mut answer);
                caveats::add(&mut answer, self.code.program, &proof, &self.reports[by].notes);
                // The process is about to end, and a large proof takes seconds to take apart.
                std::mem::forget(proof);
                self.signed(answer, by)
            }
            Judgement::Unsafe { by, violation } => {
                let violation = report::simplify(self.code, violation);
                self.tell(Some(by));
                self.signed(self.explain(&violation, by), by)
            }
            Judgement::Contradiction { safe_by, proof, unsafe_by, violation } => {
                let names = (self.name(safe_by), self.name(unsafe_by));
                Answer::internal(evidence::contradiction(self.plan, self.code, &names, &proof, &violation))
            }
            Judgement::Unknown { by, reason } => {
                let alone = self.reports.len() == 1;
                self.tell(alone.then_some(by));
                self.unknown(reason, alone.then_some(by))
            }
            Judgement::Nothing => Answer::spent(self.session.budget.spent().unwrap_or(Spent::Cancelled)),
        };
        self.add_failures(&mut answer);
        answer
    }

    fn name(&self, index: usize) -> String {
        self.reports[index].row.to_string()
    }

    /// With the name of the engine that answered.
    fn signed(&self, mut answer: Answer, by: usize) -> Answer {
        answer.fields.insert("answered_by".into(), json!(self.name(by)));
        answer
    }

    /// Puts into the session what the engines had to say: the one that answered, or all of them.
    fn tell(&self, by: Option<usize>) {
        let program = self.code.program;
        for (index, report) in self.reports.iter().enumerate() {
            let name = report.row.to_string();
            let answered = by.is_none_or(|by| by == index);
            if answered {
                report.notes.iter().for_each(|(pos, text)| self.session.note_at(program, *pos, text));
            }
            for (statistic, value) in &report.statistics {
                let prefix = if by == Some(index) { String::new() } else { format!("{name}.") };
                self.session.statistic(format!("{prefix}{statistic}"), *value);
            }
            let End::Verdict(Verdict::Unknown(reason)) = &report.end else { continue };
            // A claim that was not confirmed is a defect, whatever the others say.
            if by.is_none() || by != Some(index) && matches!(reason, Reason::Unconfirmed { .. }) {
                let text = format!("engine {name}: {}", reason.explain(program));
                self.session.note_at(program, Pos::NONE, &text);
            }
        }
        if let Some(report) = by.map(|by| &self.reports[by]) {
            self.session.add_phase("engine", report.engine_time);
            self.session.add_phase("confirm", report.confirm_time);
        }
    }

    fn unknown(&self, reason: Reason, by: Option<usize>) -> Answer {
        let text = reason.explain(self.code.program);
        let why = Why { kind: reason.kind(), text };
        Answer { reason: Some(why), report: self.summary(by), ..Answer::new(Exit::Unknown) }
    }

    /// Engines that failed.  Where another one has a verdict it stands; otherwise the failure is the answer.
    fn add_failures(&self, answer: &mut Answer) {
        let failures: Vec<Diagnostic> = self
            .reports
            .iter()
            .filter_map(|report| match &report.end {
                End::Failed(message) => Some(defect(&format!("internal error in engine {}", report.row), message)),
                End::Verdict(_) | End::Stopped | End::NotStarted => None,
            })
            .map(Diagnostic::error)
            .collect();
        if !failures.is_empty() && answer.exit == Exit::Unknown {
            *answer = Answer { errors: Vec::new(), ..Answer::internal(String::new()) };
        }
        answer.errors.extend(failures);
    }

    /// Writes the proof to the file that was asked for, and into the JSON.
    fn show_proof(&self, proof: &Proof, answer: &mut Answer) {
        if self.plan.args.proof.is_none() && self.plan.args.output.mode() != Mode::Json {
            return;
        }
        let told = report::told::tell(proof, self.code.program, &self.session.budget);
        answer.fields.insert("proof".into(), told.json());
        if let Some(path) = &self.plan.args.proof
            && let Err(error) = std::fs::write(path, told.text())
        {
            // The verdict stands all the same.
            answer.errors.push(about_file(path, format!("the proof cannot be written: {error}")));
        }
    }

    /// The counterexample, told and saved.
    fn explain(&self, violation: &Violation, by: usize) -> Answer {
        let story = Story::new(self.code, &violation.trace, &mut Sources::new());
        let mut answer = Answer::new(Exit::Unsafe);
        let mut saved = None;
        if let Some(path) = &self.plan.args.trace {
            match std::fs::write(path, evidence::trace_text(self.plan, violation, &story)) {
                Ok(()) => saved = Some(path.as_path()),
                // The verdict stands all the same.
                Err(error) => answer.errors.push(about_file(path, format!("the trace cannot be saved: {error}"))),
            }
        }
        let plan = self.plan;
        let replay = present::replay_line(&plan.program, &plan.args.input, saved, &violation.trace);
        answer.report =
            format!("{}{}{replay}", present::layout(&story, plan.args.output.trace_format), self.summary(Some(by)));
        present::add_fields(&mut answer, &story, &violation.trace);
        answer
    }

    /// Who decided, and what it took.
    fn summary(&self, by: Option<usize>) -> String {
        let mut parts = match by {
            Some(by) => vec![format!("engine {}", self.name(by))],
            None => vec![format!("engine {}", self.session.task.engine)],
        };
        let counted = by.iter().flat_map(|by| &self.reports[*by].statistics).filter(|(_, value)| *value != 0);
        parts.extend(counted.map(|(name, value)| format!("{} {name}", grouped(*value))));
        parts.push(format!("{:.2} s", self.session.budget.elapsed().as_secs_f64()));
        format!("{}\n", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Refusal;
    use crate::options::{Command, parse};
    use engines::Command as Engine;
    use std::time::Duration;

    fn report(engine: &str, end: End) -> Report {
        let row = Schedule::alone(Engine::new(engine)).rows.remove(0);
        let (engine_time, confirm_time) = (Duration::ZERO, Duration::ZERO);
        Report { row, end, notes: Vec::new(), statistics: vec![("naps", 7)], engine_time, confirm_time }
    }

    /// The answer that comes of two reports, and the notes.
    fn answer(ends: [End; 2], judgement: Judgement) -> (Answer, Vec<String>) {
        let words = ["unbraid", "check", "test.ir"].into_iter().map(Into::into);
        let Command::Check(args) = parse(words).unwrap().command else { panic!("another command") };
        let Ok(plan) = Plan::new(*args).map_err(|_: Refusal| ()) else { panic!("no plan") };
        let text = "target 64\nentry main\n\nfunc main() -> i32 {\nb0:\n  return 0\n}\n";
        let program = ir::text::parse(text, "test.ir").unwrap();
        let code = Code::new(&program);
        let session = Session::new(plan.task(), plan.limits.budget());
        let reports = ["one", "two"].into_iter().zip(ends).map(|(name, end)| report(name, end)).collect();
        let answer = Conclusion { plan: &plan, code: &code, session: &session, reports }.answer(judgement);
        (answer, session.told().notes.iter().map(ToString::to_string).collect())
    }

    fn proof() -> claim::Proof {
        let (store, followed) = (ir::interp::StateStore::new(), Vec::new());
        claim::Proof::ClosedStates(Box::new(claim::ClosedStates { store, followed, patience: 1 }))
    }

    #[test]
    fn a_failure_is_reported_beside_a_verdict() {
        let ends = [End::Failed("index out of bounds".into()), End::Stopped];
        let (answer, _) = answer(ends, Judgement::Safe { by: 1, proof: proof() });
        assert_eq!(answer.exit, Exit::Safe);
        assert_eq!(answer.fields["answered_by"], "two");
        assert!(answer.report.starts_with("engine two, 7 naps, "), "{}", answer.report);
        let errors: Vec<String> = answer.errors.iter().map(ToString::to_string).collect();
        assert!(errors[0].starts_with("error: internal error in engine one: index out of bounds\n"), "{errors:?}");
    }

    #[test]
    fn a_failure_is_the_answer_where_there_is_no_verdict() {
        let bound = || Reason::Bound("2 rounds".into());
        let ends = || [End::Failed("oh".into()), End::Verdict(Verdict::Unknown(bound()))];
        let (unknown, notes) = answer(ends(), Judgement::Unknown { by: 1, reason: bound() });
        assert_eq!((unknown.exit, unknown.errors.len()), (Exit::Internal, 1));
        assert_eq!(notes, ["note: engine two: bound reached: 2 rounds"]);
        let (nothing, _) = answer([End::Failed("oh".into()), End::Failed("no".into())], Judgement::Nothing);
        assert_eq!((nothing.exit, nothing.errors.len()), (Exit::Internal, 2));
    }

    #[test]
    fn a_claim_that_was_not_confirmed_is_noted_beside_a_verdict() {
        let reason = |engine: &str| Reason::Unconfirmed { engine: engine.into(), why: "it ends early".into() };
        let ends = [End::Verdict(Verdict::Unknown(reason("one"))), End::Stopped];
        let (answer, notes) = answer(ends, Judgement::Safe { by: 1, proof: proof() });
        assert_eq!(answer.exit, Exit::Safe);
        assert_eq!(notes, ["note: engine one: unconfirmed claim of engine one: it ends early"]);
    }
}
