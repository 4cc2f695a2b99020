//! Carries a schedule out: every row in a thread of its own, until one has a confirmed verdict or none has anything left
//! to try.

use crate::panics;
use crate::schedule::{Row, Start, Time};
use base::{Budget, Pos};
use claim::Outcome;
use confirm::Verdict;
use engines::{Made, Observer, Problem, Progress};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;
use std::time::Duration;

/// Stack of a row's thread: programs nest deeply, and so do the functions that walk over them.
const STACK: usize = 1 << 30;
/// How long rows that were cancelled may take to report what they had found.  Two that finish at almost the same time
/// must agree, and this is what notices when they do not.
const GRACE: Duration = Duration::from_millis(50);

/// Makes an engine, in the thread it works in.
type Make = Box<dyn FnOnce() -> Made + Send>;

/// A row and the engine for it.
pub struct Member {
    pub row: Row,
    pub make: Make,
}

impl Member {
    /// The row with the engine it names.
    pub fn of(row: &Row) -> Self {
        let command = row.command.clone();
        Member { row: row.clone(), make: Box::new(move || command.make()) }
    }
}

/// What the rows need from whoever runs them; called from their threads.
pub struct Watch<'a> {
    /// Is told how a row is going.
    pub progress: &'a (dyn Fn(&Row, &Progress) + Sync),
    /// Is told what a row does and why, if its engine is to tell.
    pub follower: &'a dyn Follower,
    /// Checks what the engine of this name claims.
    pub confirm: &'a (dyn Fn(&str, Outcome, &Budget) -> Verdict + Sync),
}

/// Someone who wants to know what engines do; `Observer` has what the parts mean.
pub trait Follower: Sync {
    fn program(&self, row: &Row, name: &str, text: &str);
    fn explain(&self, row: &Row, text: &str);
}

/// What became of a row.
pub struct Report {
    pub row: Row,
    pub end: End,
    pub notes: Vec<(Pos, String)>,
    pub statistics: Vec<(&'static str, u64)>,
    /// How long the engine took, and the check of its claim.
    pub engine_time: Duration,
    pub confirm_time: Duration,
}

pub enum End {
    /// A confirmed answer, or why there is none.
    Verdict(Verdict),
    /// A defect: the engine panicked, or could not be started.
    Failed(String),
    /// It was stopped because another row had a verdict.
    Stopped,
    NotStarted,
}

impl Report {
    fn new(row: Row, end: End) -> Self {
        let (notes, statistics) = (Vec::new(), Vec::new());
        Report { row, end, notes, statistics, engine_time: Duration::ZERO, confirm_time: Duration::ZERO }
    }

    fn decides(&self) -> bool {
        matches!(self.end, End::Verdict(Verdict::Safe(_) | Verdict::Unsafe(_)))
    }
}

/// Where a row is.
enum Status {
    Waiting(Make),
    Running(Budget),
    Ended(Box<Report>),
}

/// Runs the rows, `cores` at a time, and calls `conclude` with a report of each.
///
/// The reports are handed over before the last thread has ended, since a search that was cancelled may take seconds to put
/// its tables away; this function returns when all have.
pub fn run<T>(
    members: Vec<Member>,
    cores: usize,
    problem: &Problem<'_>,
    budget: &Budget,
    watch: &Watch<'_>,
    conclude: impl FnOnce(Vec<Report>) -> T,
) -> T {
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let (rows, statuses): (Vec<Row>, Vec<Status>) =
            members.into_iter().map(|member| (member.row, Status::Waiting(member.make))).unzip();
        let mut running = Running { rows, statuses, cores, budget, began: budget.elapsed(), sender, receiver };
        while !running.is_decided() && running.start_what_is_due(scope, problem, watch) {
            running.wait();
        }
        conclude(running.stop())
    })
}

struct Running<'b> {
    rows: Vec<Row>,
    statuses: Vec<Status>,
    cores: usize,
    budget: &'b Budget,
    /// When the first row began, on the budget's clock.
    began: Duration,
    sender: Sender<(usize, Report)>,
    receiver: Receiver<(usize, Report)>,
}

impl Running<'_> {
    fn count(&self) -> usize {
        self.statuses.iter().filter(|status| matches!(status, Status::Running(_))).count()
    }

    fn is_decided(&self) -> bool {
        self.statuses.iter().any(|status| matches!(status, Status::Ended(report) if report.decides()))
    }

    /// A row may begin now.
    fn is_due(&self, index: usize) -> bool {
        if self.count() >= self.cores || self.budget.spent().is_some() {
            return false;
        }
        match &self.rows[index].start {
            Start::At(time) => self.count() == 0 || self.budget.elapsed() >= self.began + *time,
            Start::After(engine) => {
                let above = self.rows[..index].iter().zip(&self.statuses);
                above
                    .filter(|(row, _)| row.command.engine == *engine)
                    .all(|(_, status)| matches!(status, Status::Ended(_)))
            }
        }
    }

    /// Starts the rows whose time has come, in the order of the table.  False if there is nothing left to wait for.
    fn start_what_is_due<'scope, 'env>(
        &mut self,
        scope: &'scope Scope<'scope, 'env>,
        problem: &'env Problem<'env>,
        watch: &'env Watch<'_>,
    ) -> bool {
        for index in 0..self.rows.len() {
            if !matches!(self.statuses[index], Status::Waiting(_)) || !self.is_due(index) {
                continue;
            }
            let row = self.rows[index].clone();
            let branch = self.budget.branch();
            let Status::Waiting(make) = std::mem::replace(&mut self.statuses[index], Status::Running(branch.clone()))
            else {
                continue;
            };
            let (sender, thread_row) = (self.sender.clone(), row.clone());
            let work = move || {
                let report = work(thread_row, make, problem, &branch, watch);
                // Nobody listens any more once there is a verdict and the grace is over.
                let _ = sender.send((index, report));
            };
            let name = format!("engine {}", row.command.engine);
            let started = std::thread::Builder::new().name(name).stack_size(STACK).spawn_scoped(scope, work);
            if let Err(error) = started {
                let failed = End::Failed(format!("no thread can be started: {error}"));
                self.statuses[index] = Status::Ended(Box::new(Report::new(row, failed)));
            }
        }
        self.count() > 0
    }

    /// Waits for a report, or until the next row is due.
    fn wait(&mut self) {
        let waiting = self.rows.iter().zip(&self.statuses).filter_map(|(row, status)| match (status, &row.start) {
            (Status::Waiting(_), Start::At(time)) => Some(*time),
            _ => None,
        });
        let now = self.budget.elapsed();
        let due = waiting.map(|time| (self.began + time).saturating_sub(now)).filter(|left| !left.is_zero()).min();
        let received = match due {
            Some(left) => self.receiver.recv_timeout(left).ok(),
            None => self.receiver.recv().ok(),
        };
        self.keep(received);
    }

    fn keep(&mut self, received: Option<(usize, Report)>) -> bool {
        let Some((index, report)) = received else { return false };
        self.statuses[index] = Status::Ended(Box::new(report));
        true
    }

    /// Cancels what is still running and collects what there is.
    fn stop(mut self) -> Vec<Report> {
        for status in &self.statuses {
            if let Status::Running(budget) = status {
                budget.cancel();
            }
        }
        let end = self.budget.elapsed() + GRACE;
        while self.count() > 0 {
            let received = self.receiver.recv_timeout(end.saturating_sub(self.budget.elapsed())).ok();
            if !self.keep(received) {
                break;
            }
        }
        let report = |(row, status)| match status {
            Status::Ended(report) => *report,
            Status::Running(_) => Report::new(row, End::Stopped),
            Status::Waiting(_) => Report::new(row, End::NotStarted),
        };
        self.rows.into_iter().zip(self.statuses).map(report).collect()
    }
}

/// What the thread of a row does.
fn work(row: Row, make: Make, problem: &Problem<'_>, budget: &Budget, watch: &Watch<'_>) -> Report {
    let mut listener = Listener { row: &row, watch, notes: Vec::new(), statistics: Vec::new() };
    let start = budget.elapsed();
    let mut engine_time = Duration::ZERO;
    let result = panics::contained(|| {
        let mut engine = make()?;
        let outcome = engine.run(problem, &limited(budget, &row), &mut listener);
        engine_time = budget.elapsed() - start;
        // A claim made in the last moment of the row's time is still worth a check.
        Ok((watch.confirm)(&row.command.engine, outcome, budget))
    });
    let Listener { notes, statistics, .. } = listener;
    let confirm_time = budget.elapsed() - start - engine_time;
    let end = match result.and_then(|decided| decided) {
        // It would have gone on.
        Ok(Verdict::Unknown(claim::Reason::Budget(base::Spent::Cancelled))) => End::Stopped,
        Ok(verdict) => End::Verdict(verdict),
        Err(message) => End::Failed(message),
    };
    Report { row, end, notes, statistics, engine_time, confirm_time }
}

/// The part of the budget that a row may use.
fn limited(budget: &Budget, row: &Row) -> Budget {
    let budget = budget.with_memory_share(row.memory);
    match (row.time, budget.remaining()) {
        (Time::For(time), _) => budget.within(time),
        (Time::Share(share), Some(left)) if share < 100 => budget.within(left * share / 100),
        (Time::Share(_), _) => budget,
    }
}

/// Listens to an engine on behalf of its row.
struct Listener<'a> {
    row: &'a Row,
    watch: &'a Watch<'a>,
    notes: Vec<(Pos, String)>,
    statistics: Vec<(&'static str, u64)>,
}

impl Observer for Listener<'_> {
    fn progress(&mut self, progress: &Progress) {
        (self.watch.progress)(self.row, progress);
    }
    fn note(&mut self, pos: Pos, text: &str) {
        if !self.notes.iter().any(|(at, known)| *at == pos && known == text) {
            self.notes.push((pos, text.to_string()));
        }
    }
    fn statistic(&mut self, name: &'static str, value: u64) {
        // An engine that tries several ways tells at the end of each; the last counts.
        match self.statistics.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.statistics.push((name, value)),
        }
    }
    fn program(&mut self, name: &str, text: &str) {
        self.watch.follower.program(self.row, name, text);
    }
    fn explain(&mut self, text: &str) {
        self.watch.follower.explain(self.row, text);
    }
}
