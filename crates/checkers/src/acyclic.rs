//! The checker of programs without cycles: one question to the solver.

use crate::symbolic::Encoding;
use crate::{Checked, Checker, Sequential, Statement};
use base::{Budget, Id};
use formula::{Formula, Linear, Var};
use smt::{Answer, Bound, Solver};

/// Decides acyclic programs with one SMT query.
#[derive(Default)]
pub struct Acyclic;

/// The answer to [`Acyclic::check_with`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Needed {
    /// No assertion can fail, by these of the optional assumptions, as positions in their list.
    Safe(Vec<usize>),
    /// The other answers of a checker.
    Otherwise(Checked),
}

const CYCLIC: &str = "the program has cycles";

impl Checker for Acyclic {
    fn name(&self) -> &str {
        "acyclic"
    }

    fn check(&mut self, program: &Sequential, budget: &Budget) -> Checked {
        match self.check_with(program, &[], budget) {
            Needed::Safe(_) => Checked::Safe(None),
            Needed::Otherwise(other) => other,
        }
    }
}

impl Acyclic {
    /// Decides the program and says, if it is safe, which of the optional assumptions are needed for that.  Each of these
    /// is a set of `Assume` statements that come and go together, each given by its arc and its place on the arc.
    pub fn check_with(&mut self, program: &Sequential, optional: &[Vec<(usize, usize)>], budget: &Budget) -> Needed {
        let unknown = |why: &str| Needed::Otherwise(Checked::Unknown(why.into()));
        if !program.is_acyclic() {
            return unknown(CYCLIC);
        }
        let mut free = program.first_free();
        let mut switched = None;
        let mut switches = Vec::new();
        for statements in optional {
            // A variable without meaning for the program: where it is positive the assumptions are there.
            let on = Formula::le(&Linear::constant(1), &Linear::var(free));
            free = Var::new(free.index() + 1);
            for &(arc, place) in statements {
                let statements = &mut switched.get_or_insert_with(|| program.clone()).edges[arc].statements;
                match &mut statements[place] {
                    Statement::Assume(condition) => *condition = Formula::or([on.not(), condition.clone()]),
                    Statement::Assign(..) | Statement::Havoc(_) | Statement::Assert(_) => {
                        return unknown("an optional statement is not an assumption");
                    }
                }
            }
            switches.push(on);
        }
        let encoding = Encoding::of(switched.as_ref().unwrap_or(program), free);
        if encoding.formula == Formula::False {
            return Needed::Safe(Vec::new());
        }
        match Solver::of(&encoding.formula).check(&switches, budget) {
            Answer::Unsat(needed) => Needed::Safe(needed),
            Answer::Unknown => unknown("the solver gave no answer"),
            Answer::Sat(model) => match encoding.path(program, &|var| model.value(var)) {
                Ok(path) => Needed::Otherwise(Checked::Unsafe(path)),
                Err(why) => unknown(&why),
            },
        }
    }

    /// The largest value that the term has at any assertion that an execution comes to, whether it holds there or not;
    /// earlier assertions have held.  Nothing if that was not found out.
    pub fn maximise(&mut self, program: &Sequential, objective: &Linear, budget: &Budget) -> Option<Bound> {
        if !program.is_acyclic() {
            return None;
        }
        // An execution of this program fails exactly where the term has the value of the variable.
        let value = program.first_free();
        let free = Var::new(value.index() + 1);
        let differs = Formula::ne(objective, &Linear::var(value));
        let mut asking = program.clone();
        for arc in &mut asking.edges {
            let replaced = |statement: &Statement| match statement {
                Statement::Assert(condition) => {
                    vec![Statement::Assert(differs.clone()), Statement::Assume(condition.clone())]
                }
                Statement::Assign(..) | Statement::Havoc(_) | Statement::Assume(_) => vec![statement.clone()],
            };
            arc.statements = arc.statements.iter().flat_map(replaced).collect();
        }
        let encoding = Encoding::of(&asking, free);
        Solver::of(&encoding.formula).maximise(&Linear::var(value), budget)
    }
}
