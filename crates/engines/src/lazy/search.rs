//! The search: which bounds, which formula, and what its solution means.

use super::Lazy;
use super::encoding::{Beyond, Encoding};
use super::orders::Orders;
use super::posed::{Posed, too_many_clauses};
use super::reads;
use super::rounds::Rounds;
use super::symbols::Symbols;
use crate::{Observer, Problem, Progress};
use base::{Budget, Spent};
use claim::{Outcome, Proof, Reason, Trace};
use facts::{Facts, Point};
use ir::{Goal, InstKind};
use logic::{Answer, Solver, Statistics};
use passes::follow::{Astray, follow};
use passes::{CutKind, Preserves, ThreadId, Unfolded};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// Rounds tried before all schedules are.
const ROUNDS: u32 = 3;

pub struct Search<'a> {
    problem: &'a Problem<'a>,
    facts: &'a Facts,
    wanted: &'a Lazy,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    bounds: passes::Bounds,
    statistics: Statistics,
    /// What has been covered so far, in words.
    covered: Option<String>,
    /// The last round was not decided.
    undecided_round: bool,
    /// All schedules were too many for a part of the time already.
    hopeless: bool,
    /// The threads of the last solution found among all schedules, as they move.
    schedule: Vec<ThreadId>,
}

fn in_rounds<'u>(unfolded: &'u Unfolded, facts: &'u Facts, order: Vec<ThreadId>) -> Result<Posed<'u, Rounds>, Outcome> {
    let mut encoding = Encoding::new(unfolded, facts)?;
    let rounds = Rounds::new(&mut encoding, order);
    Ok(Posed::new(encoding, rounds))
}

/// What a formula had to say, if that is not the end.
enum Said {
    /// No violation; executions go beyond these bounds.
    Beyond(Vec<Beyond>),
    /// No violation in what it describes, which is not everything.
    Nothing,
    /// Not within the time it was given.
    NotYet,
}

impl<'a> Search<'a> {
    pub fn new(problem: &'a Problem<'a>, wanted: &'a Lazy, budget: &'a Budget, observer: &'a mut dyn Observer) -> Self {
        let bounds = match wanted.unwind {
            Some(unwind) => passes::Bounds::new(unwind),
            None => passes::Bounds { counted: 12, threads: 128, size: 50_000, ..passes::Bounds::new(1) },
        };
        Search {
            problem,
            facts: problem.facts(),
            wanted,
            budget,
            observer,
            bounds,
            statistics: Statistics::default(),
            covered: None,
            undecided_round: false,
            hopeless: false,
            schedule: Vec::new(),
        }
    }

    pub fn run(mut self) -> Outcome {
        let outcome = self.search();
        self.observer.statistic("variables", self.statistics.variables);
        self.observer.statistic("clauses", self.statistics.clauses);
        self.observer.statistic("conflicts", self.statistics.conflicts);
        outcome
    }

    fn search(&mut self) -> Outcome {
        loop {
            let program = self.problem.program;
            let unfolded = match passes::unfold(program, self.facts, Goal::Assertion, &self.bounds, self.budget) {
                Ok(unfolded) => unfolded,
                Err(spent) => return spent.into(),
            };
            let beyond = match self.bounded(&unfolded) {
                Ok(Said::Beyond(beyond)) => beyond,
                // We do not know what limits us: all bounds may.
                Ok(Said::Nothing | Said::NotYet) => unfolded.cuts.iter().map(|cut| Beyond::Cut(cut.kind)).collect(),
                Err(outcome) => return outcome,
            };
            let grown = self.wanted.unwind.is_none() && grow(&mut self.bounds, &beyond);
            if !grown {
                let unsupported = beyond.iter().find_map(|beyond| match beyond {
                    Beyond::Unsupported(point) | Beyond::Size(point) => Some(*point),
                    Beyond::Cut(_) => None,
                });
                if let Some(point) = unsupported {
                    return unsupported_at(&unfolded, point);
                }
                return Outcome::Unknown(Reason::Bound(self.covered.clone().unwrap_or("nothing was covered".into())));
            }
        }
    }

    /// Everything within the bounds.
    fn bounded(&mut self, unfolded: &Unfolded) -> Result<Said, Outcome> {
        let facts = Facts::without_numbers(&unfolded.program);
        self.budget.check()?;
        self.undecided_round = false;
        let mut turns = unfolded.turns();
        if let Some(wanted) = self.wanted.rounds.filter(|wanted| *wanted > 0) {
            return self.given_rounds(unfolded, &facts, wanted);
        }
        let mut rounds = in_rounds(unfolded, &facts, turns.swap_remove(0))?;
        if self.wanted.rounds.is_none() {
            self.rounds(&mut rounds, ROUNDS, &self.slice(25))?;
        }
        let mut orders = self.encode_orders(unfolded, &facts)?;
        // Where nothing more can be unwound, the two take turns until one of them is done.
        let last = unfolded.cuts.is_empty() || self.wanted.unwind.is_some();
        let mut share = if self.hopeless { 6 } else { 25 };
        loop {
            let slice = if self.wanted.rounds.is_some() && last { self.budget.clone() } else { self.slice(share) };
            match &mut orders {
                Some(orders) => match self.orders(orders, &slice)? {
                    Said::NotYet => self.hopeless = true,
                    said => return Ok(said),
                },
                None if rounds.too_large() || self.wanted.rounds.is_some() => return Ok(Said::NotYet),
                None => (),
            }
            if !last {
                return Ok(Said::NotYet);
            }
            share = 33;
            if self.wanted.rounds.is_none() {
                let more = rounds.memory.rounds + 1;
                self.rounds(&mut rounds, more, &self.slice(share))?;
            }
        }
    }

    /// The executions of a given number of rounds, for each order of turns.
    ///
    /// All schedules at once are sometimes easier: a violation found there counts if its schedule has no more rounds, and if there
    /// is none there is none here.
    fn given_rounds(&mut self, unfolded: &Unfolded, facts: &Facts, wanted: u32) -> Result<Said, Outcome> {
        let labels: usize = passes::labels(unfolded, facts).values().map(Vec::len).sum();
        let mut undecided = Vec::new();
        for order in unfolded.turns() {
            let mut rounds = in_rounds(unfolded, facts, order)?;
            self.undecided_round = false;
            match self.rounds(&mut rounds, wanted, &self.slice(4))? {
                Said::NotYet => undecided.push(rounds),
                _ if wanted as usize >= labels => return self.covered_by_rounds(&mut rounds),
                _ => (),
            }
        }
        if undecided.is_empty() {
            return Ok(Said::Nothing);
        }
        let mut orders = self.encode_orders(unfolded, facts)?;
        loop {
            if let Some(encoded) = &mut orders {
                let said = self.orders(encoded, &self.slice(75));
                let fits = |order: &Vec<ThreadId>| rounds_of(&self.schedule, order) <= wanted;
                match said {
                    Err(Outcome::Unknown(reason)) if !matches!(reason, Reason::Budget(_)) => orders = None,
                    Err(Outcome::Unsafe(_)) if !unfolded.turns().iter().any(fits) => orders = None,
                    // No violation under any schedule, so none in these rounds.
                    Ok(Said::Beyond(_) | Said::Nothing) => return Ok(Said::Nothing),
                    said => _ = said?,
                }
            }
            let mut left = Vec::new();
            for mut rounds in undecided {
                self.undecided_round = true;
                match self.rounds(&mut rounds, wanted, &self.slice(50))? {
                    Said::NotYet if rounds.too_large() && orders.is_none() => return Ok(Said::NotYet),
                    Said::NotYet => left.push(rounds),
                    _ => (),
                }
            }
            if left.is_empty() {
                return Ok(Said::Nothing);
            }
            undecided = left;
        }
    }

    /// There is no violation in as many rounds as there are labels.  These are all executions: threads stop at labels only, at each
    /// at most once since nothing goes back, so no schedule has more turns than there are labels.
    fn covered_by_rounds(&mut self, rounds: &mut Posed<'_, Rounds>) -> Result<Said, Outcome> {
        let exceeded: Vec<_> = rounds.encoding.beyond.iter().map(|(when, _)| *when).collect();
        let goal = rounds.any(&exceeded);
        match rounds.solve(&[goal], self.budget) {
            Answer::Unsatisfiable => Err(self.safe()),
            Answer::Satisfiable => Ok(Said::Nothing),
            Answer::Spent(spent) => self.out_of(spent),
        }
    }

    /// No execution goes beyond the bounds, and none within them violates anything.
    fn safe(&self) -> Outcome {
        Outcome::Safe(Proof::Unrolling((&self.bounds).into()))
    }

    /// A part of what is left of the budget.
    fn slice(&self, percent: u32) -> Budget {
        let left = self.budget.remaining().unwrap_or(Duration::from_secs(600));
        self.budget.within((left * percent / 100).max(Duration::from_secs(1)))
    }

    fn tell(&mut self, detail: String) {
        self.observer.progress(&Progress { what: "unwindings", count: self.bounds.unwind.into(), detail });
    }

    /// Was it the whole budget that is spent, or only a part?
    fn out_of(&self, spent: Spent) -> Result<Said, Outcome> {
        match self.budget.spent() {
            Some(_) => Err(spent.into()),
            None => Ok(Said::NotYet),
        }
    }

    /// Looks at the executions of up to `most` rounds.
    fn rounds(&mut self, rounds: &mut Posed<'_, Rounds>, most: u32, slice: &Budget) -> Result<Said, Outcome> {
        // A round that was not decided comes first.
        let mut undecided = self.undecided_round;
        while undecided || rounds.memory.rounds < most {
            if !undecided {
                if rounds.too_many_bits() {
                    return Ok(Said::NotYet);
                }
                rounds.memory.round(&mut rounds.encoding, self.budget)?;
            }
            undecided = false;
            let round = rounds.memory.rounds;
            // With a number given there is no need to look at less first.
            if self.wanted.rounds.is_some_and(|wanted| round < wanted) {
                continue;
            }
            rounds.assert_constraints();
            if rounds.too_many_bits() {
                return Ok(Said::NotYet);
            }
            let violation = rounds.violation();
            self.tell(format!("{round} rounds of {} instructions", rounds.encoding.symbols.unfolded.size()));
            if too_many_clauses(&rounds.solver) {
                return Ok(Said::NotYet);
            }
            let answer = rounds.solve(&violation, slice);
            self.statistics = rounds.solver.statistics();
            self.undecided_round = matches!(answer, Answer::Spent(_));
            match answer {
                Answer::Satisfiable => match follow(self.problem.code, &rounds.actions()) {
                    // The other encoding knows more constants, and so may follow what this one could not.
                    Err(astray) if self.wanted.rounds.is_none() && !rounds.encoding.symbols.floats.is_empty() => {
                        self.tell(astray.why);
                        return Ok(Said::NotYet);
                    }
                    followed => return Err(solution(followed, &rounds.encoding.symbols)),
                },
                Answer::Unsatisfiable => {
                    let unwind = self.bounds.unwind;
                    self.covered = Some(format!("no violation with up to {round} rounds and {unwind} unwindings"));
                }
                Answer::Spent(spent) => return self.out_of(spent),
            }
        }
        Ok(Said::Nothing)
    }

    /// The formula for all schedules; None if it is too large.
    fn encode_orders<'u>(
        &mut self,
        unfolded: &'u Unfolded,
        facts: &'u Facts,
    ) -> Result<Option<Posed<'u, Orders>>, Outcome> {
        let mut encoding = Encoding::new(unfolded, facts)?;
        let memory = Orders::new(&mut encoding, self.budget)?;
        let mut orders = Posed::new(encoding, memory);
        if orders.too_many_bits() {
            return Ok(None);
        }
        orders.assert_constraints();
        let Posed { encoding, memory, solver, .. } = &mut orders;
        let small_enough = reads::constrain(encoding, memory, solver, self.budget)?;
        for violated in &encoding.violations {
            if too_many_clauses(solver) {
                return Ok(None);
            }
            solver.literal(&encoding.symbols.terms, *violated);
        }
        Ok(small_enough.then_some(orders))
    }

    fn orders(&mut self, orders: &mut Posed<'_, Orders>, slice: &Budget) -> Result<Said, Outcome> {
        let violation = orders.violation();
        self.tell(format!("all schedules of {} instructions", orders.encoding.symbols.unfolded.size()));
        let answer = orders.solve(&violation, slice);
        self.count(&orders.solver);
        match answer {
            Answer::Satisfiable => {
                let actions = orders.actions();
                self.schedule = actions.iter().map(|action| action.thread).collect();
                Err(solution(follow(self.problem.code, &actions), &orders.encoding.symbols))
            }
            Answer::Unsatisfiable => {
                let unwind = self.bounds.unwind;
                self.covered = Some(format!("no violation under any schedule with up to {unwind} unwindings"));
                self.exceeded(orders, slice)
            }
            Answer::Spent(spent) => self.out_of(spent),
        }
    }

    /// The numbers to be told are those of the formula that was asked for.
    fn count(&mut self, solver: &Solver) {
        if self.wanted.rounds.is_none_or(|rounds| rounds == 0) {
            self.statistics = solver.statistics();
        }
    }

    /// There is no violation: which bounds do executions exceed?
    fn exceeded(&mut self, orders: &mut Posed<'_, Orders>, budget: &Budget) -> Result<Said, Outcome> {
        let mut beyond: Vec<Beyond> = Vec::new();
        loop {
            // Of each only once: whether it is exceeded, not how often.
            let all = orders.encoding.beyond.iter();
            let left: Vec<_> = all.filter(|(_, what)| !beyond.contains(what)).map(|(when, _)| *when).collect();
            let goal = orders.any(&left);
            if too_many_clauses(&orders.solver) {
                return Ok(if beyond.is_empty() { Said::NotYet } else { Said::Beyond(beyond) });
            }
            let answer = orders.solve(&[goal], budget);
            self.count(&orders.solver);
            match answer {
                Answer::Satisfiable => {
                    let Encoding { symbols, beyond: all, .. } = &orders.encoding;
                    for (when, what) in all {
                        if orders.solver.value_of(&symbols.terms, *when) != 0 && !beyond.contains(what) {
                            beyond.push(what.clone());
                        }
                    }
                }
                Answer::Unsatisfiable if beyond.is_empty() => return Err(self.safe()),
                Answer::Spent(spent) if beyond.is_empty() => return self.out_of(spent),
                Answer::Unsatisfiable | Answer::Spent(_) => return Ok(Said::Beyond(beyond)),
            }
        }
    }
}

/// A solution, which the program follows or not.
fn solution(followed: Result<Trace, Astray>, symbols: &Symbols<'_>) -> Outcome {
    followed.map_or_else(|astray| Outcome::Unknown(no_execution(astray, symbols)), Outcome::Unsafe)
}

/// Why the program does not follow a solution.
fn no_execution(astray: Astray, symbols: &Symbols<'_>) -> Reason {
    let Astray { why, died } = astray;
    let lasting = !matches!(symbols.unfolded.preserves(), Some(Preserves::Exact | Preserves::Fewer));
    let more = if !symbols.floats.is_empty() {
        "the arithmetic of floats is approximated"
    } else if died || lasting {
        "what has died lives on in the encoding"
    } else if !symbols.unfolded.reuses.is_empty() {
        "which places blocks take, and their numbers, are approximated"
    } else if joined_again(symbols) {
        "a thread that is joined or detached once more is approximated"
    } else {
        return Reason::Unconfirmed { engine: "lazy".into(), why };
    };
    Reason::Approximation(format!("a violation was found that the program may not have: {why} ({more})"))
}

/// May some thread be joined or detached at more than one place?
fn joined_again(symbols: &Symbols<'_>) -> bool {
    let mut seen = FxHashSet::default();
    let mut again = false;
    symbols.unfolded.for_each_instruction(&mut |point, kind| {
        if kind.handle().is_some() {
            match symbols.facts.points_to.address(point) {
                Some(targets) if !targets.anywhere() => {
                    let threads: FxHashSet<_> = targets.iter().map(|target| target.region).collect();
                    again |= threads.into_iter().any(|thread| !seen.insert(thread));
                }
                _ => again = true,
            }
        }
    });
    again
}

/// How many rounds a schedule takes if the threads take turns in this order, after a turn of the first thread.
fn rounds_of(schedule: &[ThreadId], order: &[ThreadId]) -> u32 {
    let place = |thread: ThreadId| order.iter().position(|other| *other == thread).unwrap_or(0);
    let (mut rounds, mut current) = (0, ThreadId::FIRST);
    for thread in schedule.iter().copied() {
        if thread != current {
            rounds += u32::from(place(thread) < place(current));
            current = thread;
        }
    }
    rounds
}

/// Lets the bounds grow that executions were seen to exceed.
fn grow(bounds: &mut passes::Bounds, beyond: &[Beyond]) -> bool {
    let mut grown = false;
    let (mut deeper, mut longer) = (false, false);
    for what in beyond {
        match what {
            Beyond::Cut(CutKind::Loop(func, head)) => {
                let bound = bounds.of(*func, *head);
                bounds.loops.insert((*func, *head), bound.saturating_mul(2).max(bound + 1));
                grown = true;
            }
            Beyond::Cut(CutKind::Count(..)) => longer = true,
            Beyond::Cut(CutKind::Recursion(_)) => deeper = true,
            Beyond::Cut(CutKind::Threads) => {
                grown |= bounds.threads < 400;
                bounds.threads *= 2;
            }
            Beyond::Cut(CutKind::Size) => {
                grown |= bounds.size < 2_000_000;
                bounds.size *= 4;
            }
            // These two are cut only where loops are kept, which they are not here.
            Beyond::Cut(CutKind::ThreadsInLoop | CutKind::Irreducible(..) | CutKind::Sections(..)) => (),
            Beyond::Unsupported(_) | Beyond::Size(_) => (),
        }
    }
    if longer {
        bounds.counted = bounds.counted.saturating_mul(8);
    }
    if deeper {
        // The bound of recursion is that of all loops without one of their own.
        bounds.unwind += 1;
    }
    grown || deeper || longer
}

fn unsupported_at(unfolded: &Unfolded, point: Point) -> Outcome {
    let kind = unfolded.program.inst(point).map(|inst| &inst.kind);
    let what = if let Some(InstKind::Unsupported { what }) = kind {
        what.clone()
    } else if matches!(kind, Some(InstKind::Alloc { .. })) {
        "an allocation of many bytes, of a number that is not constant".into()
    } else {
        "an access with an address that may be anything".into()
    };
    Outcome::Unknown(Reason::Unsupported { what, pos: unfolded.program.pos(point) })
}
