//! Running a path with variables in place of the values it chooses.

use super::space::Space;
use base::Id;
use checkers::Path;
use formula::{Formula, Linear, Var};
use rustc_hash::FxHashMap;
use smt::Model;
use system::Step;

/// The state on a path, as terms over its choices.
pub struct Walked<'p> {
    path: &'p Path,
    values: FxHashMap<Var, Linear>,
    /// What was assumed on the way.
    pub conditions: Vec<Formula>,
    /// What the path chose.
    pub model: Model,
    /// The variables that stand for the values at first, and for what was chosen in each run.
    pub first: Vec<(Var, Var)>,
    pub chosen: Vec<Vec<Var>>,
    next: usize,
}

impl<'p> Walked<'p> {
    pub fn new(space: Space, path: &'p Path) -> Self {
        // Inputs of what comes after the path are numbered from below.
        let next = space.fresh() + (1 << 20);
        Walked {
            path,
            values: FxHashMap::default(),
            conditions: Vec::new(),
            model: Model::default(),
            first: Vec::new(),
            chosen: Vec::new(),
            next,
        }
    }

    fn choose(&mut self, value: i128) -> Var {
        let var = Var::new(self.next);
        self.next += 1;
        self.model.set(var, value);
        var
    }

    /// The variable's value; one that nothing was written to has the value that the path begins with.
    pub fn value(&mut self, var: Var) -> Linear {
        if let Some(value) = self.values.get(&var) {
            return value.clone();
        }
        let first = self.path.states[0].get(&var).copied().unwrap_or(0);
        let chosen = self.choose(first);
        self.first.push((var, chosen));
        self.values.insert(var, Linear::var(chosen));
        Linear::var(chosen)
    }

    /// Takes the step, with these values for its inputs.
    pub fn run(&mut self, step: &Step, inputs: &[i128]) {
        let chosen: Vec<Var> = inputs.iter().map(|value| self.choose(*value)).collect();
        let inputs: Vec<Linear> = chosen.iter().copied().map(Linear::var).collect();
        let after = step.post(&mut |var| Some(self.value(var)), &inputs);
        self.conditions.extend(after.possible.conjuncts().to_vec());
        self.values.extend(after.values);
        self.chosen.push(chosen);
    }
    /// The step is about to be taken, and does not fail.
    pub fn does_not_fail(&mut self, step: &Step) {
        let fails = step.post(&mut |var| Some(self.value(var)), &vec![Linear::constant(0); step.inputs.len()]).fails;
        self.conditions.extend(fails.not().conjuncts().to_vec());
        self.chosen.push(Vec::new());
    }
}

/// A conjunction of literals that holds in the model and implies the formula.
pub fn implicant(formula: &Formula, model: &Model) -> Formula {
    match formula {
        Formula::And(parts) => Formula::and(parts.iter().map(|part| implicant(part, model))),
        Formula::Or(parts) => {
            let holds = parts.iter().filter(|part| model.eval(part)).min_by_key(|part| part.size());
            holds.map_or(Formula::False, |part| implicant(part, model))
        }
        literal => literal.clone(),
    }
}
