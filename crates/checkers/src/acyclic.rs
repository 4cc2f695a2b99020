//! The checker of programs without cycles: one question to the solver.

use crate::encoding::Encoding;
use crate::{Checked, Checker, Sequential};
use base::{Budget, Id};
use formula::{Formula, Linear, Var};
use smt::{Answer, Bound, Solver};

/// Decides acyclic programs with one SMT query.
#[derive(Default)]
pub struct Acyclic;

impl Checker for Acyclic {
    fn check(&mut self, program: &Sequential, budget: &Budget) -> Checked {
        self.check_with(program, &[], budget).map_or_else(|other| other, |_| Checked::Safe(None))
    }
}

impl Acyclic {
    /// Decides the program and says, if it is safe, which of the switches are needed for that, as positions in their list:
    /// variables that the program only reads, in guards that hold wherever the switch is not positive.  The error is any other answer.
    pub fn check_with(
        &mut self,
        program: &Sequential,
        switches: &[Var],
        budget: &Budget,
    ) -> Result<Vec<usize>, Checked> {
        let unknown = |why: &str| Err(Checked::Unknown(why.into()));
        if !program.graph.is_acyclic() {
            return unknown("the program has cycles");
        }
        // Also those that the program does not mention are taken.
        let after_switches = switches.iter().map(|switch| Var::new(switch.index() + 1)).max();
        let free = after_switches.map_or(program.first_free(), |after| after.max(program.first_free()));
        let switches: Vec<Formula> = switches.iter().map(|switch| is_on(*switch)).collect();
        let encoding = Encoding::of(program, free);
        if encoding.formula == Formula::False {
            return Ok(Vec::new());
        }
        match Solver::of(&encoding.formula).check(&switches, budget) {
            Answer::Unsat(needed) => Ok(needed),
            Answer::Unknown => unknown("the solver gave no answer"),
            Answer::Sat(model) => match encoding.path(program, &|var| model.value(var)) {
                Ok(path) => Err(Checked::Unsafe(path)),
                Err(why) => unknown(&why),
            },
        }
    }

    /// The largest value that the term has before any edge that fails.  `None` if that was not found out.
    pub fn maximise(&mut self, program: &Sequential, objective: &Linear, budget: &Budget) -> Option<Bound> {
        if !program.graph.is_acyclic() {
            return None;
        }
        // An execution of this program fails only where the term has the value of the variable.
        let value = program.first_free();
        let equals = Formula::eq(objective, &Linear::var(value));
        let mut asking = program.clone();
        for edge in &mut asking.graph.edges {
            edge.step.fails = Formula::and([edge.step.fails.clone(), equals.clone()]);
        }
        let encoding = Encoding::of(&asking, Var::new(value.index() + 1));
        Solver::of(&encoding.formula).maximise(&Linear::var(value), budget)
    }
}

/// The switch is on.
pub fn is_on(switch: Var) -> Formula {
    Formula::le(&Linear::constant(1), &Linear::var(switch))
}
