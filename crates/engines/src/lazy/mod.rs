//! Bounded search by lazy sequentialization.
//!
//! The program is unfolded (`passes::unfold`), encoded as a formula, and the formula given to a SAT solver.  A solution is stepped
//! through the interpreter and becomes a counterexample.

mod guide;
mod rounds;
mod space;
mod symbols;

use crate::{Engine, Observer, Problem, Progress};
use base::Budget;
use facts::Facts;
use guide::{Action, ActionKind};
use ir::{InstKind, Outcome, Reason, Trace};
use logic::{Answer, Solver};
use passes::{Bounds, Unfolded};
use rounds::Rounds;
use space::TooHard;

pub struct Lazy {
    bounds: crate::Bounds,
}

impl Lazy {
    pub fn new(bounds: crate::Bounds) -> Self {
        Lazy { bounds }
    }
}

impl Engine for Lazy {
    fn name(&self) -> &'static str {
        "lazy"
    }

    fn run(&mut self, problem: Problem<'_>, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
        let facts = Facts::compute(problem.program);
        let mut search = Search { problem, budget, observer, original: &facts, reason: None };
        search.run(&self.bounds)
    }
}

struct Search<'a> {
    problem: Problem<'a>,
    budget: &'a Budget,
    observer: &'a mut dyn Observer,
    original: &'a Facts,
    reason: Option<Reason>,
}

impl Search<'_> {
    fn run(&mut self, config: &crate::Bounds) -> Outcome {
        let mut unwind = config.unwind.unwrap_or(1);
        loop {
            let mut bounds = Bounds::new(unwind);
            bounds.threads = 4 + 2 * unwind as usize;
            let unfolded = match passes::unfold(self.problem.program, self.original, &bounds, self.budget) {
                Ok(unfolded) => unfolded,
                Err(spent) => return Outcome::Unknown(Reason::Budget(spent)),
            };
            let most = config.rounds.unwrap_or(4);
            if let Some(outcome) = self.rounds(&unfolded, unwind, most) {
                return outcome;
            }
            if config.unwind.is_some() || (unfolded.cuts.is_empty()) {
                return Outcome::Unknown(Reason::Bound(format!(
                    "no violation with up to {most} rounds and {unwind} unwindings"
                )));
            }
            unwind *= 2;
        }
    }

    fn rounds(&mut self, unfolded: &Unfolded, unwind: u32, most: u32) -> Option<Outcome> {
        let facts = Facts::compute(&unfolded.program);
        let mut rounds = match Rounds::new(unfolded, &facts) {
            Ok(rounds) => rounds,
            Err(hard) => return Some(too_hard(unfolded, &hard)),
        };
        let mut solver = Solver::new();
        let mut asserted = 0;
        for round in 1..=most {
            if let Err(hard) = rounds.round() {
                return Some(too_hard(unfolded, &hard));
            }
            for constraint in &rounds.constraints[asserted..] {
                solver.assert(&rounds.symbols.terms, *constraint);
            }
            asserted = rounds.constraints.len();
            let violations: Vec<_> = rounds.violations.iter().map(|(when, _)| *when).collect();
            let any = rounds.symbols.terms.any(&violations);
            let goal = solver.literal(&rounds.symbols.terms, any);
            let detail = format!("unwind {unwind}, round {round}, {} instructions", unfolded.size());
            self.observer.progress(&Progress { what: "rounds", count: u64::from(round), detail });
            let within = !solver.literal(&rounds.symbols.terms, rounds.may_exceed);
            match solver.solve(&[goal, within], self.budget) {
                Answer::Satisfiable => match self.trace(&mut rounds, &mut solver) {
                    Ok(trace) => return Some(Outcome::Unsafe(trace)),
                    Err(why) => {
                        self.reason = Some(Reason::Unconfirmed { engine: "lazy".into(), why: why.clone() });
                        return Some(Outcome::Unknown(Reason::Unconfirmed { engine: "lazy".into(), why }));
                    }
                },
                Answer::Unsatisfiable => (),
                Answer::Spent(spent) => return Some(Outcome::Unknown(Reason::Budget(spent))),
            }
        }
        let statistics = solver.statistics();
        self.observer.statistic("variables", statistics.variables);
        self.observer.statistic("clauses", statistics.clauses);
        None
    }

    fn trace(&self, rounds: &mut Rounds<'_>, solver: &mut Solver) -> Result<Trace, String> {
        let terms = &rounds.symbols.terms;
        let mut actions = Vec::new();
        let violated: Vec<usize> = rounds.violations.iter().map(|(_, at)| *at).collect();
        for (i, entry) in rounds.log.iter().enumerate() {
            if solver.value_of(terms, entry.when) == 0 {
                continue;
            }
            let function = &rounds.symbols.unfolded.program.functions[entry.point.func];
            let inst = function.blocks[entry.point.block].insts.get(entry.point.inst as usize);
            let kind = match inst {
                None => ActionKind::End,
                Some(_) if violated.binary_search(&i).is_ok() => ActionKind::Violation,
                Some(_) => ActionKind::Instruction,
            };
            let starts = match inst.map(|inst| &inst.kind) {
                Some(InstKind::Spawn { callee: ir::Callee::Direct(func), .. }) => {
                    rounds.symbols.unfolded.threads.iter().position(|thread| thread.func == *func)
                }
                _ => None,
            };
            let value = entry.value.map_or(0, |value| solver.value_of(terms, value));
            actions.push(Action { thread: entry.thread, starts, value, kind });
            if kind == ActionKind::Violation {
                break;
            }
        }
        guide::follow(self.problem.code, &actions)
    }
}

fn too_hard(unfolded: &Unfolded, hard: &TooHard) -> Outcome {
    let block = &unfolded.program.functions[hard.point.func].blocks[hard.point.block];
    let pos = block.insts.get(hard.point.inst as usize).map_or(block.term_pos, |inst| inst.pos);
    Outcome::Unknown(Reason::Unsupported { what: hard.what.clone(), pos })
}
