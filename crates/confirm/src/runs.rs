//! A second opinion: runs the program before a proof is believed.
//!
//! A proof is checked by reasoning, and reasoning may share a mistake with the engine that found it.  The interpreter does not
//! reason.  So some thousands of executions are run in it, with schedules of few switches (most bugs need one or two) and
//! inputs at the boundaries of what the program distinguishes.  One of them that violates an assertion, or comes to what is
//! not supported, refutes every proof; one that comes to a limit of the interpreter leaves it open.  The runs are the same each time: how many there are depends on steps, not on time.

use crate::Refusal;
use base::{Budget, Rng};
use ir::interp::{Choice, Code, Machine, Next, Open, Stepped, Tid};
use ir::{Expr, InstKind, Ty};
use std::collections::BTreeSet;

/// The most executions.
const RUNS: u64 = 4_000;
/// The most steps of all executions together: some tens of milliseconds.
const ALL_STEPS: u64 = 500_000;
/// The most steps of one execution.
const STEPS: u64 = 20_000;
/// A thread that has gone on for so long may be waiting for another in a loop.
const PATIENCE: u64 = 300;

/// Runs the program; the error tells what a run came to that no execution of a safe program comes to.
pub fn check(code: &Code<'_>, budget: &Budget) -> Result<(), Refusal> {
    let constants = constants(code);
    let mut left = ALL_STEPS;
    let mut visible = 20;
    for number in 0..RUNS {
        let mut run = Run::new(code, Rng::of_case(1, number), visible, &constants);
        let result = run.go(left.min(STEPS));
        left = left.saturating_sub(run.steps);
        result.map_err(|refusal| match refusal {
            Refusal::Wrong(why) => Refusal::Wrong(format!("run {number} of the interpreter: {why}")),
            limit @ Refusal::Unsupported { .. } => limit,
        })?;
        if !run.chose || left == 0 || budget.spent().is_some() {
            break;
        }
        // How long executions are is learnt from those there were.
        visible = (3 * visible + run.visible).div_ceil(4).max(2);
    }
    Ok(())
}

/// The numbers that the program mentions: what it compares with is among them.
fn constants(code: &Code<'_>) -> Vec<u128> {
    let mut found = BTreeSet::new();
    let mut note = |expr: &Expr| {
        expr.for_each(&mut |expr| {
            if let Expr::Const(Ty::Int(_), value) = expr {
                found.insert(*value);
            }
        });
    };
    for function in code.program.functions.values().filter(|function| !function.model) {
        function.for_each_expr(&mut note);
    }
    found.into_iter().collect()
}

/// When threads are switched though the one that runs could go on.
enum Switches {
    /// After these numbers of visible steps, descending.
    At(Vec<u64>),
    /// At one visible step in so many.
    OneIn(u64),
}

/// One execution.
struct Run<'c> {
    code: &'c Code<'c>,
    machine: Machine<'c>,
    rng: Rng,
    constants: &'c [u128],
    /// The inputs so far: some are equal only if one takes the same again.
    given: Vec<u128>,
    switches: Switches,
    steps: u64,
    visible: u64,
    /// Were there two threads, or inputs?  If not, all runs are the same.
    chose: bool,
}

impl<'c> Run<'c> {
    fn new(code: &'c Code<'c>, mut rng: Rng, visible: u64, constants: &'c [u128]) -> Self {
        let switches = match rng.below(8) {
            0 => Switches::OneIn(2),
            1 => Switches::OneIn(6),
            few => {
                let mut at: Vec<u64> = (0..few.div_ceil(2)).map(|_| rng.below(visible as usize) as u64).collect();
                at.sort_unstable_by(|a, b| b.cmp(a));
                Switches::At(at)
            }
        };
        let machine = Machine::new(code);
        Run { code, machine, rng, constants, given: Vec::new(), switches, steps: 0, visible: 0, chose: false }
    }

    /// Runs until the execution ends, or for so many steps.
    fn go(&mut self, most: u64) -> Result<(), Refusal> {
        let mut thread = 0;
        let mut since = 0;
        while self.steps < most {
            // Within an atomic section nobody else moves, and an execution that is blocked there does not exist.
            if self.machine.atomic_owner().is_some() {
                if !self.machine.enabled(thread) {
                    return Ok(());
                }
            } else if !self.machine.enabled(thread) {
                let Some(next) = self.another(thread) else { return Ok(()) };
                thread = next;
                since = 0;
            } else if self.machine.next(thread) != Next::Local {
                self.visible += 1;
                if self.wants_switch(since)
                    && let Some(next) = self.another(thread)
                {
                    thread = next;
                    since = 0;
                }
            }
            let pc = self.machine.pc(thread);
            self.chose |= self.machine.thread_count() > 1;
            self.steps += 1;
            since += 1;
            match self.step(thread) {
                Stepped::Done => (),
                Stepped::Blocked | Stepped::Ended(_) => return Ok(()),
                Stepped::Violated => {
                    return Err(Refusal::Wrong(format!("thread {thread} violates the assertion{}", self.place(pc))));
                }
                Stepped::Unsupported(what) => {
                    let said = self.code.inst(pc).is_some_and(|inst| matches!(inst.kind, InstKind::Unsupported { .. }));
                    return Err(match said {
                        true => Refusal::Wrong(format!("{what} is not supported{}", self.place(pc))),
                        false => Refusal::Unsupported { what, pos: self.code.pos(pc) },
                    });
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, thread: Tid) -> Stepped {
        let Run { machine, rng, constants, given, chose, .. } = self;
        machine.step(thread, &mut |choice| {
            *chose = true;
            let value = input(rng, choice, constants, given);
            given.push(value);
            value
        })
    }

    fn wants_switch(&mut self, since: u64) -> bool {
        if since > PATIENCE && self.rng.chance(25) {
            return true;
        }
        match &mut self.switches {
            Switches::OneIn(n) => self.rng.below(*n as usize) == 0,
            Switches::At(at) => {
                let due = at.last().is_some_and(|next| *next <= self.visible);
                if due {
                    at.pop();
                }
                due
            }
        }
    }

    /// A thread other than this one that can move.
    fn another(&mut self, thread: Tid) -> Option<Tid> {
        let others = (0..self.machine.thread_count()).filter(|other| *other != thread && self.machine.enabled(*other));
        let others: Vec<Tid> = others.collect();
        self.rng.pick(&others).copied()
    }

    fn place(&self, pc: u32) -> String {
        let place = self.code.program.place(self.code.pos(pc));
        place.map_or_else(String::new, |place| format!(" at {place}"))
    }
}

/// A value for what the program leaves open.
fn input(rng: &mut Rng, choice: Choice, constants: &[u128], given: &[u128]) -> u128 {
    let value = match choice.what {
        Open::Place(n) | Open::Handle(n) => return rng.below(n as usize + 1) as u128,
        Open::Input | Open::Uninit => match rng.below(8) {
            0 | 1 => rng.below(6) as u128,
            2 => [u128::MAX, 1 << (choice.bits - 1), (1 << (choice.bits - 1)) - 1][rng.below(3)],
            3 | 4 => rng.pick(constants).copied().unwrap_or(0),
            5 => rng.pick(constants).copied().unwrap_or(0).wrapping_add([1, u128::MAX][rng.below(2)]),
            6 => rng.pick(given).copied().unwrap_or(0),
            _ => u128::from(rng.next()) | u128::from(rng.next()) << 64,
        },
    };
    ir::mask(value, choice.bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs two threads that add 1 each, of which the last one checks the sum; `update` is how they do it.
    fn found(update: &str) -> Result<(), Refusal> {
        let text = include_str!("../tests/adders.ir").replace("UPDATE", update);
        let program = ir::text::parse(&text, "test.ir").unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
        check(&Code::new(&program), &Budget::unlimited())
    }

    #[test]
    fn a_lost_update_is_run_into() {
        let why = found("%v = load i32 @x\n  store i32 @x, %v + 1").unwrap_err().to_string();
        assert!(why.contains("violates the assertion"), "{why}");
    }

    #[test]
    fn what_does_not_happen_is_not_found() {
        assert!(found("%v = update i32 @x set old + 1").is_ok());
    }
}
