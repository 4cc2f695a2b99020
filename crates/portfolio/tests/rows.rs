//! Rows of engines that are not engines: they sleep, answer, contradict each other, panic.

use base::{Budget, Spent};
use claim::{ClosedStates, Outcome, Proof, Reason, Site, Trace, Violated};
use confirm::Verdict;
use engines::{Command, Engine, Observer, Problem, Progress};
use ir::interp::{Code, StateStore};
use ir::{Goal, MemoryModel, Spec};
use portfolio::{End, Follower, Judgement, Member, Report, Row, Start, Time, Watch, judge, run};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const PROGRAM: &str = "target 64\nentry main\n\nfunc main() -> i32 {\nb0:\n  assert false \"never\"\n  return 0\n}\n";

/// What a fake engine says in the end.
#[derive(Clone)]
enum Say {
    Safe,
    Unsafe,
    /// A trace that leads nowhere.
    Nonsense,
    Unknown(Reason),
    Panic,
}

struct Fake {
    wait: Duration,
    say: Say,
}

impl Engine for Fake {
    fn decides(&self, _: Goal, _: MemoryModel) -> bool {
        true
    }
    fn decide(&mut self, _: &Problem<'_>, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
        let start = Instant::now();
        observer.progress(&Progress { what: "naps", count: 1, detail: String::new() });
        while start.elapsed() < self.wait {
            if let Some(spent) = budget.spent() {
                return Outcome::Unknown(Reason::Budget(spent));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        observer.statistic("naps", 1);
        match &self.say {
            Say::Safe => Outcome::Safe(Proof::ClosedStates(Box::new(ClosedStates {
                store: StateStore::new(),
                followed: Vec::new(),
                patience: 1,
            }))),
            Say::Unsafe => {
                let mut trace = Trace::default();
                trace.push(0);
                Outcome::Unsafe(trace)
            }
            Say::Nonsense => Outcome::Unsafe(Trace::default()),
            Say::Unknown(reason) => Outcome::Unknown(reason.clone()),
            Say::Panic => panic!("on purpose"),
        }
    }
}

fn millis(n: u64) -> Duration {
    Duration::from_millis(n)
}

/// A row of the fake engine `name` that begins at once and answers after some milliseconds.
fn row(name: &str, wait: u64, say: Say) -> Member {
    let row =
        Row { command: Command::new(name), start: Start::At(Duration::ZERO), time: Time::Share(100), memory: 100 };
    Member { row, make: Box::new(move || Ok(Box::new(Fake { wait: millis(wait), say }))) }
}

fn starting(start: Start, member: Member) -> Member {
    Member { row: Row { start, ..member.row }, ..member }
}

fn after(engine: &str, member: Member) -> Member {
    starting(Start::After(engine.into()), member)
}

fn lasting(time: Time, member: Member) -> Member {
    Member { row: Row { time, ..member.row }, ..member }
}

struct Deaf;

impl Follower for Deaf {
    fn program(&self, _: &Row, _: &str, _: &str) {}
    fn explain(&self, _: &Row, _: &str) {}
}

/// Believes everything.
fn believe(_: &str, outcome: Outcome, _: &Budget) -> Verdict {
    match outcome {
        Outcome::Safe(proof) => Verdict::Safe(proof),
        Outcome::Unsafe(trace) => {
            Verdict::Unsafe(claim::Violation { trace, at: Violated::Place(Site { thread: 0, pc: 0 }) })
        }
        Outcome::Unknown(reason) => Verdict::Unknown(reason),
    }
}

struct Ran {
    judgement: Judgement,
    reports: Vec<Report>,
    took: Duration,
    /// Who began, in this order.
    began: Vec<String>,
}

impl Ran {
    fn end(&self, index: usize) -> &End {
        &self.reports[index].end
    }
}

fn run_with(members: Vec<Member>, cores: usize, budget: &Budget, gullible: bool) -> Ran {
    let program = ir::text::parse(PROGRAM, "test.ir").unwrap();
    let code = Code::new(&program);
    let began = Mutex::new(Vec::new());
    let start = Instant::now();
    let check = |engine: &str, outcome: Outcome, budget: &Budget| {
        confirm::confirm(engine, outcome, &code, Spec::default(), budget)
    };
    let watch = Watch {
        progress: &|row, _| began.lock().unwrap().push(row.to_string()),
        follower: &Deaf,
        confirm: if gullible { &believe } else { &check },
    };
    let problem = Problem::new(&code, Spec::default());
    let (judgement, reports) =
        run(members, cores, &problem, budget, &watch, |mut reports| (judge(&mut reports), reports));
    Ran { judgement, reports, took: start.elapsed(), began: began.into_inner().unwrap() }
}

fn run_rows(members: Vec<Member>) -> Ran {
    run_with(members, 2, &Budget::unlimited(), false)
}

#[test]
fn a_confirmed_verdict_stops_the_others() {
    let ran = run_rows(vec![row("slow", 60_000, Say::Safe), row("quick", 20, Say::Unsafe)]);
    assert!(matches!(ran.judgement, Judgement::Unsafe { by: 1, .. }));
    assert!(matches!(ran.end(0), End::Stopped));
    assert_eq!(ran.reports[1].statistics, [("naps", 1)]);
    assert!(ran.took < Duration::from_secs(20), "{:?}", ran.took);
}

#[test]
fn a_claim_that_is_not_confirmed_stops_nobody() {
    let ran = run_rows(vec![row("liar", 0, Say::Nonsense), after("liar", row("honest", 0, Say::Unsafe))]);
    assert!(matches!(ran.judgement, Judgement::Unsafe { by: 1, .. }));
    assert!(
        matches!(ran.end(0), End::Verdict(Verdict::Unknown(Reason::Unconfirmed { engine, .. })) if engine == "liar")
    );
    // The real check does not believe the fake's proof either.
    let ran = run_rows(vec![row("liar", 0, Say::Safe)]);
    assert!(matches!(ran.judgement, Judgement::Unknown { by: 0, reason: Reason::Unconfirmed { .. } }));
}

#[test]
fn two_that_disagree_are_a_contradiction() {
    let rows = vec![row("one", 30, Say::Unsafe), row("two", 30, Say::Safe)];
    let ran = run_with(rows, 2, &Budget::unlimited(), true);
    // On a busy machine one may be so late that it is cancelled; then there is no contradiction to see.
    match ran.judgement {
        Judgement::Contradiction { safe_by: 1, unsafe_by: 0, violation, .. } => assert_eq!(violation.trace.len(), 1),
        Judgement::Unsafe { by: 0, .. } => assert!(matches!(ran.reports[1].end, End::Stopped)),
        Judgement::Safe { by: 1, .. } => assert!(matches!(ran.reports[0].end, End::Stopped)),
        _ => panic!("neither spoke"),
    }
}

#[test]
fn reports_that_disagree_are_judged_a_contradiction() {
    let report = |say| {
        let mut ran = run_with(vec![row("one", 0, say)], 1, &Budget::unlimited(), true);
        let mut report = ran.reports.remove(0);
        report.end = End::Verdict(match ran.judgement {
            Judgement::Safe { proof, .. } => Verdict::Safe(proof),
            Judgement::Unsafe { violation, .. } => Verdict::Unsafe(violation),
            _ => panic!("an engine that answers"),
        });
        report
    };
    let mut reports = [report(Say::Unsafe), report(Say::Safe), report(Say::Unsafe)];
    assert!(matches!(judge(&mut reports), Judgement::Contradiction { safe_by: 1, unsafe_by: 0, .. }));
    // Those who agree do not contradict each other.
    let mut reports = [report(Say::Unsafe), report(Say::Unsafe)];
    assert!(matches!(judge(&mut reports), Judgement::Unsafe { by: 0, .. }));
}

#[test]
fn a_panic_loses_nobody_elses_verdict() {
    let ran = run_rows(vec![row("clumsy", 0, Say::Panic), after("clumsy", row("careful", 0, Say::Unsafe))]);
    assert!(matches!(ran.judgement, Judgement::Unsafe { by: 1, .. }));
    assert!(matches!(ran.end(0), End::Failed(message) if message == "on purpose"));
    let ran = run_rows(vec![row("clumsy", 0, Say::Panic)]);
    assert!(matches!(ran.judgement, Judgement::Nothing));
}

#[test]
fn rows_begin_when_their_time_has_come() {
    let bound = |text: &str| Say::Unknown(Reason::Bound(text.into()));
    // Later than an hour, or at once when nothing else is running.
    let later = Start::At(Duration::from_secs(3600));
    let ran = run_rows(vec![row("first", 20, bound("a")), starting(later, row("second", 0, Say::Unsafe))]);
    assert!(matches!(ran.judgement, Judgement::Unsafe { by: 1, .. }));
    assert_eq!(ran.began, ["first", "second"]);
    // While something is running, only after its time.
    let soon = Start::At(millis(60));
    let ran = run_rows(vec![row("first", 60_000, Say::Unsafe), starting(soon, row("second", 0, Say::Unsafe))]);
    assert!(matches!(ran.judgement, Judgement::Unsafe { by: 1, .. }));
    assert!(ran.took >= millis(60));
    // After another has given up, though there would be room before.
    let rows = vec![
        row("first", 60_000, Say::Unsafe),
        row("second", 40, bound("b")),
        after("second", row("third", 0, Say::Unsafe)),
    ];
    let ran = run_with(rows, 3, &Budget::unlimited(), false);
    assert_eq!(ran.began.last().unwrap(), "third");
    assert!(matches!(ran.judgement, Judgement::Unsafe { by: 2, .. }));
}

#[test]
fn no_more_rows_run_than_there_are_cores() {
    let bound = || Say::Unknown(Reason::Bound("a".into()));
    let rows = vec![row("one", 30, bound()), row("two", 30, bound()), row("three", 30, bound())];
    let ran = run_with(rows, 1, &Budget::unlimited(), false);
    assert_eq!(ran.began, ["one", "two", "three"]);
    assert!(ran.took >= millis(90), "{:?}", ran.took);
}

#[test]
fn a_row_has_its_own_time() {
    let budget = Budget::new(Some(Duration::from_secs(60)), None);
    let short = lasting(Time::For(millis(30)), row("short", 60_000, Say::Safe));
    let ran = run_with(vec![short, row("long", 100, Say::Unsafe)], 1, &budget, false);
    assert!(matches!(ran.judgement, Judgement::Unsafe { by: 1, .. }));
    assert!(matches!(ran.end(0), End::Verdict(Verdict::Unknown(Reason::Budget(Spent::Time)))));
    let share = lasting(Time::Share(1), row("share", 60_000, Say::Safe));
    let budget = Budget::new(Some(Duration::from_secs(3)), None);
    let ran = run_with(vec![share, row("long", 100, Say::Unsafe)], 1, &budget, false);
    assert!(matches!(ran.judgement, Judgement::Unsafe { by: 1, .. }));
    // No row begins when the time of all is spent.
    let budget = Budget::new(Some(millis(40)), None);
    let ran = run_with(vec![row("one", 60_000, Say::Safe), row("two", 0, Say::Unsafe)], 1, &budget, false);
    assert!(matches!(ran.judgement, Judgement::Unknown { by: 0, reason: Reason::Budget(Spent::Time) }));
    assert!(matches!(ran.end(1), End::NotStarted));
}

#[test]
fn memory_that_is_spent_stops_only_those_with_less_of_it() {
    // What this process has is more than a hundredth of a megabyte, and less than a terabyte.
    let budget = Budget::new(None, Some(100 << 20));
    let mut hungry = row("hungry", 60_000, Say::Safe);
    hungry.row.memory = 1;
    let ran = run_with(vec![hungry, after("hungry", row("modest", 0, Say::Unsafe))], 2, &budget, false);
    assert!(matches!(ran.judgement, Judgement::Unsafe { by: 1, .. }));
    assert!(matches!(ran.end(0), End::Verdict(Verdict::Unknown(Reason::Budget(Spent::Memory)))));
}

#[test]
fn the_reason_that_says_most_is_given() {
    let unknown = |reason| Say::Unknown(reason);
    let ran = run_rows(vec![
        row("one", 0, unknown(Reason::Budget(Spent::Memory))),
        row("two", 10, unknown(Reason::Bound("3 rounds".into()))),
        row("three", 0, unknown(Reason::Inputs("x".into()))),
    ]);
    assert!(matches!(ran.judgement, Judgement::Unknown { by: 1, reason: Reason::Bound(_) }));
    assert!(ran.reports.iter().all(|report| matches!(report.end, End::Verdict(Verdict::Unknown(_)))));
}
