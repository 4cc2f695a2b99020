//! Steps and their algebra.

use base::Interval;
use formula::{Atom, Formula, Linear, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// A value that a step chooses.  Within the step it is `Var::input(n)`, with its place in the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// For people.
    pub name: String,
    /// The guard says so too.
    pub range: Interval,
    /// It is no choice but a name for a large term, which the guard says it equals.
    pub named: bool,
}

/// What happens between two locations: for values of the inputs with which the guard holds all variables that are listed get
/// new values, computed from the old ones; for values with which `fails` holds the program fails here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub inputs: Vec<Input>,
    pub guard: Formula,
    pub fails: Formula,
    /// Each variable at most once; what is not listed keeps its value.
    pub updates: Vec<(Var, Linear)>,
}

/// Terms for the variables that are not what they were at first.
pub type State = FxHashMap<Var, Linear>;

/// The value of a variable in a state.
pub fn value_in(state: &State, var: Var) -> Linear {
    state.get(&var).cloned().unwrap_or_else(|| Linear::var(var))
}

/// What a step does in a state.
pub struct After {
    /// When it can be taken.
    pub possible: Formula,
    /// When it fails.
    pub fails: Formula,
    /// The variables that it writes.
    pub values: Vec<(Var, Linear)>,
}

impl After {
    /// The same, with large terms named by variables that `fresh` makes.
    pub fn with_names(mut self, fresh: &mut dyn FnMut() -> Var) -> Self {
        for (_, value) in &mut self.values {
            if is_large(value) {
                let name = Linear::var(fresh());
                self.possible = Formula::and([self.possible, Formula::eq(&name, value)]);
                *value = name;
            }
        }
        self
    }
}

/// A term with choices or quotients that is larger than this gets a name, lest it be written again and again.
const LARGE_TERM: usize = 24;

impl Default for Step {
    /// Nothing happens, always.
    fn default() -> Self {
        Step { inputs: Vec::new(), guard: Formula::True, fails: Formula::False, updates: Vec::new() }
    }
}

/// Made one thing after the other.
impl Step {
    /// Goes on only where the condition holds of what the variables are by now.
    pub fn assume(mut self, condition: &Formula) -> Self {
        let condition = condition.substitute(&mut |var| self.update(var).cloned());
        self.guard = Formula::and([self.guard, condition]);
        self
    }
    /// Fails where the condition does not hold of what the variables are by now.
    pub fn check(mut self, condition: &Formula) -> Self {
        let condition = condition.substitute(&mut |var| self.update(var).cloned());
        self.fails = Formula::or([self.fails, Formula::and([self.guard.clone(), condition.not()])]);
        self.guard = Formula::and([self.guard, condition]);
        self
    }
    pub fn assign(mut self, var: Var, value: &Linear) -> Self {
        let value = value.substitute(&mut |var| self.update(var).cloned());
        self.set(var, value);
        self
    }
    /// The variable gets any value.
    pub fn havoc(mut self, var: Var, name: String) -> Self {
        let input = Linear::var(Var::input(self.inputs.len()));
        self.inputs.push(Input { name, range: Interval::ALL, named: false });
        self.set(var, input);
        self
    }
    fn set(&mut self, var: Var, value: Linear) {
        match self.updates.iter_mut().find(|(updated, _)| *updated == var) {
            Some((_, old)) => *old = value,
            None => self.updates.push((var, value)),
        }
    }
}

impl Step {
    /// The new value of a variable, if it is written.
    pub fn update(&self, var: Var) -> Option<&Linear> {
        self.updates.iter().find(|(updated, _)| *updated == var).map(|(_, value)| value)
    }
    pub fn writes(&self, var: Var) -> bool {
        self.update(var).is_some()
    }
    pub fn written(&self) -> impl Iterator<Item = Var> + '_ {
        self.updates.iter().map(|(var, _)| *var)
    }
    /// Calls `visit` with each variable of the state that is read.
    pub fn visit_reads(&self, visit: &mut dyn FnMut(Var)) {
        let mut of_state = |var: Var| {
            if var.as_input().is_none() {
                visit(var);
            }
        };
        self.guard.visit_vars(&mut of_state);
        self.fails.visit_vars(&mut of_state);
        self.updates.iter().for_each(|(_, value)| value.visit_vars(&mut of_state));
    }
    /// The variables of the state that it reads or writes.
    pub fn mentioned(&self) -> FxHashSet<Var> {
        let mut vars: FxHashSet<Var> = self.written().collect();
        self.visit_reads(&mut |var| _ = vars.insert(var));
        vars
    }
    /// The ranges of the inputs.
    pub fn input_ranges(&self) -> impl Iterator<Item = Interval> + '_ {
        self.inputs.iter().map(|input| input.range)
    }
    /// The same without failing.
    pub fn unchecked(&self) -> Step {
        Step { fails: Formula::False, ..self.clone() }
    }
    /// Leaves out updates of other variables.
    pub fn keep_updates(&mut self, matters: &dyn Fn(Var) -> bool) {
        self.updates.retain(|(var, _)| matters(*var));
    }

    /// This step, then the other, as one.  Each keeps its inputs.
    pub fn then(&self, next: &Step) -> Step {
        let mut inputs = self.inputs.clone();
        let first_of_next = inputs.len();
        inputs.extend(next.inputs.iter().cloned());
        let mut guards = vec![self.guard.clone()];
        // What the next step sees of this one.
        let mut between: State = State::default();
        for (var, value) in &self.updates {
            let mut seen = value.clone();
            if is_large(value) {
                seen = Linear::var(Var::input(inputs.len()));
                inputs.push(Input { name: "term".into(), range: Interval::ALL, named: true });
                guards.push(Formula::eq(&seen, value));
            }
            between.insert(*var, seen);
        }
        let mut see = |var: Var| match var.as_input() {
            Some(number) => Some(Linear::var(Var::input(first_of_next + number))),
            None => between.get(&var).cloned(),
        };
        let passed = Formula::and(guards);
        let fails = Formula::and([passed.clone(), next.fails.substitute(&mut see)]);
        let guard = Formula::and([passed.clone(), next.guard.substitute(&mut see)]);
        let later = next.updates.iter().map(|(var, value)| (*var, value.substitute(&mut see)));
        let kept = self.written().filter(|var| !next.writes(*var));
        let updates = kept.map(|var| (var, between[&var].clone())).chain(later).collect();
        Step { inputs, guard, fails: Formula::or([self.fails.clone(), fails]), updates }
    }

    /// Forwards: what the step does where the variables are as `value` says (`None` for what is as it was at first), with
    /// these terms for its inputs.
    pub fn post(&self, value: &mut dyn FnMut(Var) -> Option<Linear>, inputs: &[Linear]) -> After {
        let mut see = |var: Var| match var.as_input() {
            Some(number) => Some(inputs[number].clone()),
            None => value(var),
        };
        After {
            possible: self.guard.substitute(&mut see),
            fails: self.fails.substitute(&mut see),
            values: self.updates.iter().map(|(var, term)| (*var, term.substitute(&mut see))).collect(),
        }
    }

    /// Backwards: where the step can be taken, for the inputs as they are, and the formula holds after it.
    pub fn pre(&self, after: &Formula) -> Formula {
        let after = after.substitute(&mut |var| self.update(var).cloned());
        Formula::and([self.guard.clone(), after])
    }
    /// Where, for the inputs as they are, the step fails or leads to where the formula does not hold.
    pub fn escape(&self, after: &Formula) -> Formula {
        Formula::or([self.fails.clone(), self.pre(&after.not())])
    }
}

/// Whether it should not be written again and again.
fn is_large(term: &Linear) -> bool {
    term.terms().iter().any(|(atom, _)| !matches!(atom, Atom::Var(_))) && term.size() > LARGE_TERM
}
