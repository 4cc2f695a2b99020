//! The search: which bounds, which formula, and what its solution means.

use super::guide::{self, Action, ActionKind};
use super::orders::{Orders, Stop};
use super::reads;
use super::rounds::{Beyond, Rounds};
use super::space::TooHard;
use crate::{Bounds, Observer, Problem, Progress};
use base::{Budget, Spent};
use facts::{Facts, Point};
use ir::{InstKind, Outcome, Proof, Reason};
use logic::{Answer, Solver, Statistics};
use passes::{CutKind, Unfolded};
use std::time::Duration;

/// Rounds tried before all schedules are.
const ROUNDS: u32 = 3;

pub struct Search<'a> {
    problem: Problem<'a>,
    facts: &'a Facts,
    wanted: &'a Bounds,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
    /// What has been covered so far, in words.
    covered: Option<String>,
}

/// What a formula had to say.
enum Said {
    /// Done.
    Outcome(Outcome),
    /// No violation; executions go beyond these bounds.
    Beyond(Vec<Beyond>),
    /// No violation in what it describes, which is not everything.
    Nothing,
    /// Not within the time it was given.
    NotYet,
}

impl<'a> Search<'a> {
    pub fn new(
        problem: Problem<'a>,
        facts: &'a Facts,
        wanted: &'a Bounds,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Search { problem, facts, wanted, budget, observer, statistics: Statistics::default(), covered: None }
    }

    pub fn run(mut self) -> Outcome {
        let outcome = self.search();
        self.observer.statistic("variables", self.statistics.variables);
        self.observer.statistic("clauses", self.statistics.clauses);
        self.observer.statistic("conflicts", self.statistics.conflicts);
        outcome
    }

    fn search(&mut self) -> Outcome {
        let mut bounds = passes::Bounds::new(self.wanted.unwind.unwrap_or(1));
        if self.wanted.unwind.is_none() {
            bounds.threads = 128;
            bounds.size = 50_000;
        }
        loop {
            let unfolded = match passes::unfold(self.problem.program, self.facts, &bounds, self.budget) {
                Ok(unfolded) => unfolded,
                Err(spent) => return Outcome::Unknown(Reason::Budget(spent)),
            };
            let beyond = match self.bounded(&unfolded, &bounds) {
                Ok(Said::Outcome(outcome)) => return outcome,
                Ok(Said::Beyond(beyond)) => beyond,
                // We do not know what limits us: all bounds may.
                Ok(Said::Nothing | Said::NotYet) => unfolded.cuts.iter().map(|cut| Beyond::Cut(cut.kind)).collect(),
                Err(Stop::Spent(spent)) => return self.spent(spent),
                Err(Stop::TooHard(hard)) => return too_hard(&unfolded, &hard),
            };
            let grown = self.wanted.unwind.is_none() && grow(&mut bounds, &beyond);
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

    fn spent(&self, spent: Spent) -> Outcome {
        Outcome::Unknown(Reason::Budget(spent))
    }

    /// Everything within the bounds.
    fn bounded(&mut self, unfolded: &Unfolded, bounds: &passes::Bounds) -> Result<Said, Stop> {
        let facts = Facts::compute(&unfolded.program);
        if let Some(spent) = self.budget.spent() {
            return Err(Stop::Spent(spent));
        }
        let rounds = self.wanted.rounds.unwrap_or(ROUNDS);
        match self.rounds(unfolded, &facts, rounds, bounds)? {
            Said::Nothing | Said::NotYet if self.wanted.rounds.is_none_or(|rounds| rounds == 0) => {
                self.orders(unfolded, &facts, bounds)
            }
            said => Ok(said),
        }
    }

    /// A part of what is left of the budget.
    fn slice(&self) -> Budget {
        let left = self.budget.remaining().unwrap_or(Duration::from_secs(600));
        self.budget.within((left / 4).max(Duration::from_secs(2)))
    }

    fn tell(&mut self, what: String, count: u64) {
        self.observer.progress(&Progress { what: "unwindings", count, detail: what });
    }

    fn rounds(&mut self, unfolded: &Unfolded, facts: &Facts, most: u32, bounds: &passes::Bounds) -> Result<Said, Stop> {
        let mut rounds = Rounds::new(unfolded, facts)?;
        let mut solver = Solver::new();
        let mut asserted = 0;
        let slice = self.slice();
        for round in 1..=most {
            rounds.round()?;
            for constraint in &rounds.constraints[asserted..] {
                solver.assert(&rounds.symbols.terms, *constraint);
            }
            asserted = rounds.constraints.len();
            let violations: Vec<_> = rounds.violations.iter().map(|(when, _)| *when).collect();
            let any = rounds.symbols.terms.any(&violations);
            let goal = solver.literal(&rounds.symbols.terms, any);
            let within = !solver.literal(&rounds.symbols.terms, rounds.may_exceed);
            self.tell(format!("{round} rounds of {} instructions", unfolded.size()), u64::from(bounds.unwind));
            let answer = solver.solve(&[goal, within], if self.wanted.rounds.is_some() { self.budget } else { &slice });
            self.statistics = solver.statistics();
            match answer {
                Answer::Satisfiable => {
                    let actions = round_actions(&mut rounds, &mut solver);
                    return Ok(match guide::follow(self.problem.code, &actions) {
                        Ok(trace) => Said::Outcome(Outcome::Unsafe(trace)),
                        // The other encoding knows more constants, and so may follow what this one could not.
                        Err(why) if self.wanted.rounds.is_none() && rounds.symbols.approximate => {
                            self.tell(why, u64::from(bounds.unwind));
                            Said::NotYet
                        }
                        Err(why) => self.no_execution(why, rounds.symbols.approximate),
                    });
                }
                Answer::Unsatisfiable => {
                    self.covered =
                        Some(format!("no violation with up to {round} rounds and {} unwindings", bounds.unwind));
                }
                Answer::Spent(spent) => {
                    return if self.budget.spent().is_some() { Err(Stop::Spent(spent)) } else { Ok(Said::NotYet) };
                }
            }
        }
        Ok(Said::Nothing)
    }

    fn orders(&mut self, unfolded: &Unfolded, facts: &Facts, bounds: &passes::Bounds) -> Result<Said, Stop> {
        let slice = self.slice();
        let mut orders = Orders::new(unfolded, facts, self.budget)?;
        let mut solver = Solver::new();
        reads::constrain(&mut orders, &mut solver, self.budget)?;
        let violations: Vec<_> = orders.violations.iter().map(|(when, _)| *when).collect();
        let any = orders.symbols.terms.any(&violations);
        let goal = solver.literal(&orders.symbols.terms, any);
        let within = !solver.literal(&orders.symbols.terms, orders.may_exceed);
        self.tell(format!("all schedules of {} instructions", unfolded.size()), u64::from(bounds.unwind));
        let last = unfolded.cuts.is_empty() || self.wanted.unwind.is_some();
        let answer = solver.solve(&[goal, within], if last { self.budget } else { &slice });
        self.statistics = solver.statistics();
        match answer {
            Answer::Satisfiable => {
                let actions = order_actions(&mut orders, &mut solver);
                return Ok(match guide::follow(self.problem.code, &actions) {
                    Ok(trace) => Said::Outcome(Outcome::Unsafe(trace)),
                    Err(why) => self.no_execution(why, orders.symbols.approximate),
                });
            }
            Answer::Unsatisfiable => {
                self.covered = Some(format!("no violation under any schedule with up to {} unwindings", bounds.unwind));
            }
            Answer::Spent(spent) => {
                return if self.budget.spent().is_some() { Err(Stop::Spent(spent)) } else { Ok(Said::NotYet) };
            }
        }
        self.exceeded(&mut orders, &mut solver, bounds, if last { self.budget } else { &slice })
    }

    /// There is no violation: which bounds do executions exceed?
    fn exceeded(
        &mut self,
        orders: &mut Orders<'_>,
        solver: &mut Solver,
        bounds: &passes::Bounds,
        budget: &Budget,
    ) -> Result<Said, Stop> {
        let mut beyond: Vec<Beyond> = Vec::new();
        loop {
            // Of each only once: whether it is exceeded, not how often.
            let left = orders.beyond.iter().filter(|(_, what)| !beyond.contains(what)).map(|(when, _)| *when);
            let left: Vec<_> = left.collect();
            let any = orders.symbols.terms.any(&left);
            let goal = solver.literal(&orders.symbols.terms, any);
            let answer = solver.solve(&[goal], budget);
            self.statistics = solver.statistics();
            match answer {
                Answer::Satisfiable => {
                    for (when, what) in &orders.beyond {
                        if solver.value_of(&orders.symbols.terms, *when) != 0 && !beyond.contains(what) {
                            beyond.push(what.clone());
                        }
                    }
                }
                Answer::Unsatisfiable if beyond.is_empty() => {
                    return Ok(Said::Outcome(Outcome::Safe(Proof::Unrolling(bounds.into()))));
                }
                Answer::Unsatisfiable => return Ok(Said::Beyond(beyond)),
                Answer::Spent(spent) if self.budget.spent().is_some() => return Err(Stop::Spent(spent)),
                Answer::Spent(_) if beyond.is_empty() => return Ok(Said::NotYet),
                Answer::Spent(_) => return Ok(Said::Beyond(beyond)),
            }
        }
    }

    /// A solution that the program does not follow.
    fn no_execution(&self, why: String, approximate: bool) -> Said {
        let why = match approximate {
            true => format!("{why}; the program computes with floats, which the encoding does not follow"),
            false => why,
        };
        Said::Outcome(Outcome::Unknown(Reason::Unconfirmed { engine: "lazy".into(), why }))
    }
}

/// Lets the bounds grow that executions were seen to exceed.
fn grow(bounds: &mut passes::Bounds, beyond: &[Beyond]) -> bool {
    let mut grown = false;
    let mut deeper = false;
    for what in beyond {
        match what {
            Beyond::Cut(CutKind::Loop(func, head)) => {
                let bound = bounds.of(*func, *head);
                bounds.loops.insert((*func, *head), bound.saturating_mul(2).max(bound + 1));
                grown = true;
            }
            Beyond::Cut(CutKind::Recursion(_)) => deeper = true,
            Beyond::Cut(CutKind::Threads) => {
                grown |= bounds.threads < 400;
                bounds.threads = bounds.threads * 2;
            }
            Beyond::Cut(CutKind::Size) => {
                grown |= bounds.size < 2_000_000;
                bounds.size *= 4;
            }
            Beyond::Unsupported(_) | Beyond::Size(_) => (),
        }
    }
    if deeper {
        // The bound of recursion is that of all loops without one of their own.
        bounds.unwind += 1;
    }
    grown || deeper
}

fn too_hard(unfolded: &Unfolded, hard: &TooHard) -> Outcome {
    let pos = position(unfolded, hard.point);
    Outcome::Unknown(Reason::Unsupported { what: hard.what.clone(), pos })
}

fn unsupported_at(unfolded: &Unfolded, point: Point) -> Outcome {
    let block = &unfolded.program.functions[point.func].blocks[point.block];
    let what = match block.insts.get(point.inst as usize).map(|inst| &inst.kind) {
        Some(InstKind::Unsupported { what }) => what.clone(),
        _ => "an allocation of many bytes, of a number that is not constant".into(),
    };
    Outcome::Unknown(Reason::Unsupported { what, pos: position(unfolded, point) })
}

fn position(unfolded: &Unfolded, point: Point) -> base::Pos {
    let block = &unfolded.program.functions[point.func].blocks[point.block];
    block.insts.get(point.inst as usize).map_or(block.term_pos, |inst| inst.pos)
}

/// What an instruction of the unfolded program is to the interpreter.
fn action(unfolded: &Unfolded, thread: usize, point: Point, violation: bool, value: u128) -> Action {
    let block = &unfolded.program.functions[point.func].blocks[point.block];
    let inst = block.insts.get(point.inst as usize);
    let kind = match inst {
        None => ActionKind::End,
        Some(_) if violation => ActionKind::Violation,
        Some(_) => ActionKind::Instruction,
    };
    let starts = match inst.map(|inst| &inst.kind) {
        Some(InstKind::Spawn { callee: ir::Callee::Direct(func), .. }) => {
            unfolded.threads.iter().position(|thread| thread.func == *func)
        }
        _ => None,
    };
    Action { thread, starts, value, kind }
}

fn round_actions(rounds: &mut Rounds<'_>, solver: &mut Solver) -> Vec<Action> {
    let terms = &rounds.symbols.terms;
    let violated: Vec<usize> = rounds.violations.iter().map(|(_, at)| *at).collect();
    let mut actions = Vec::new();
    for (i, entry) in rounds.log.iter().enumerate() {
        if solver.value_of(terms, entry.when) == 0 {
            continue;
        }
        let value = entry.value.map_or(0, |value| solver.value_of(terms, value));
        let violation = violated.binary_search(&i).is_ok();
        actions.push(action(rounds.symbols.unfolded, entry.thread, entry.point, violation, value));
        if violation {
            break;
        }
    }
    actions
}

fn order_actions(orders: &mut Orders<'_>, solver: &mut Solver) -> Vec<Action> {
    let terms = &orders.symbols.terms;
    let mut actions = Vec::new();
    for id in solver.order() {
        let node = &orders.nodes[id];
        for entry in &node.log {
            if solver.value_of(terms, entry.when) == 0 {
                continue;
            }
            let value = entry.value.map_or(0, |value| solver.value_of(terms, value));
            actions.push(action(orders.symbols.unfolded, node.thread, entry.point, entry.violation, value));
            if entry.violation {
                return actions;
            }
        }
    }
    actions
}
