//! Statements executed on terms instead of values.

use crate::Statement;
use formula::{Atom, Formula, Linear, Var};
use rustc_hash::FxHashMap;

/// A term with choices or quotients that is larger than this gets a variable of its own.
const LARGE_TERM: usize = 24;

/// Terms for the variables that are not what they were at first.
pub type State = FxHashMap<Var, Linear>;

pub fn value_in(state: &State, var: Var) -> Linear {
    state.get(&var).cloned().unwrap_or_else(|| Linear::var(var))
}

/// Executions that have come to one place.
pub struct Run {
    pub state: State,
    /// What has held on the way.
    conditions: Vec<Formula>,
    /// What the `Havoc` statements chose.
    pub chosen: Vec<Var>,
}

impl Run {
    pub fn new(state: State, condition: Formula) -> Self {
        Run { state, conditions: vec![condition], chosen: Vec::new() }
    }

    /// Executes a statement.  Of an assertion it says under which condition executions fail at it.
    pub fn step(&mut self, statement: &Statement, fresh: &mut dyn FnMut() -> Var) -> Option<Formula> {
        let mut value = |var: Var| self.state.get(&var).cloned();
        match statement {
            Statement::Assign(var, term) => {
                let mut result = term.substitute(&mut value);
                if is_large(&result) {
                    let own = Linear::var(fresh());
                    self.conditions.push(Formula::eq(&own, &result));
                    result = own;
                }
                self.state.insert(*var, result);
                None
            }
            Statement::Havoc(var) => {
                let choice = fresh();
                self.chosen.push(choice);
                self.state.insert(*var, Linear::var(choice));
                None
            }
            Statement::Assume(condition) => {
                let condition = condition.substitute(&mut value);
                self.conditions.push(condition);
                None
            }
            Statement::Assert(condition) => {
                let condition = condition.substitute(&mut value);
                let fails = Formula::and(self.conditions.iter().cloned().chain([condition.not()]));
                self.conditions.push(condition);
                Some(fails)
            }
        }
    }

    /// Whether the last statement plainly let nothing pass.
    pub fn is_over(&self) -> bool {
        self.conditions.last() == Some(&Formula::False)
    }
    pub fn condition(&self) -> Formula {
        Formula::and(self.conditions.iter().cloned())
    }
}

/// Whether it should not be written again and again.
fn is_large(term: &Linear) -> bool {
    term.terms().iter().any(|(atom, _)| !matches!(atom, Atom::Var(_))) && term.size() > LARGE_TERM
}
