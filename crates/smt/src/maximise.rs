//! The largest value of a term.
//!
//! Models with larger and larger values are asked for, in growing steps and then by halving.  A term without a bound is
//! recognised by the cube around a model: if the cube goes on for ever in a direction in which the term grows, so does the
//! term.  There are finitely many cubes, so that the search ends.  Z3's own optimiser was not more robust (`docs/smt.md`).

use crate::cube::Cube;
use crate::{Answer, Model, Solver};
use base::Budget;
use formula::{Formula, Linear};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    Value(i128),
    Unbounded,
    /// Nothing satisfies what is asserted.
    Empty,
}

/// Steps from here on are large.
const LARGE: i128 = 1 << 14;

impl Solver {
    /// The largest value of the objective under what is asserted; `None` if it was not found within the budget.
    pub fn maximise(&mut self, objective: &Linear, budget: &Budget) -> Option<Bound> {
        self.push();
        let bound = self.climb(objective, budget);
        self.pop();
        bound
    }

    fn climb(&mut self, objective: &Linear, budget: &Budget) -> Option<Bound> {
        let mut best = match self.value_from(objective, None, false, budget)? {
            Bound::Value(value) => value,
            other => return Some(other),
        };
        // From here on there is nothing, once that is known.
        let mut end: Option<i128> = None;
        let mut step = 1;
        loop {
            let target = match end {
                Some(end) if end == best + 1 => return Some(Bound::Value(best)),
                Some(end) => best + (end - best) / 2,
                None => best.checked_add(step)?,
            };
            // Most objectives end soon: whether one ends at all is asked when it has become large.
            match self.value_from(objective, Some(target), end.is_none() && step >= LARGE, budget)? {
                Bound::Value(value) => best = value,
                Bound::Empty => end = Some(target),
                Bound::Unbounded => return Some(Bound::Unbounded),
            }
            step = step.saturating_mul(2);
        }
    }

    /// Some value of the objective that is not below `from`, unless there is none or, if that is asked, there is no bound.
    fn value_from(&mut self, objective: &Linear, from: Option<i128>, endless: bool, budget: &Budget) -> Option<Bound> {
        // As an assumption and not in a scope: what is learnt from one target helps with the next.
        let target = from.map(|from| Formula::le(&Linear::constant(from), objective));
        let answer = self.check_roughly(target.as_slice(), budget);
        match answer {
            Answer::Unknown => None,
            Answer::Unsat(_) => Some(Bound::Empty),
            Answer::Sat(model) => {
                let value = model.eval_term(objective);
                Some(match endless && unbounded_around(&self.asserted(), objective, model, budget)? {
                    true => Bound::Unbounded,
                    false => Bound::Value(value),
                })
            }
        }
    }
}

/// Does the objective grow without end in the cube around the model?
fn unbounded_around(formula: &Formula, objective: &Linear, model: Model, budget: &Budget) -> Option<bool> {
    let mut vars = formula.vars();
    objective.visit_vars(&mut |var| {
        vars.insert(var);
    });
    let mut cube = Cube::of(formula, vars, model);
    let objective = cube.flat(objective);
    // A direction that keeps all literals, however far one goes: divisibility comes back again and again.
    let direction = |term: &Linear| term.plus_constant(-term.offset());
    let mut solver = Solver::of(&Formula::le(&Linear::constant(1), &direction(&objective)));
    for literal in &cube.literals {
        match literal {
            Formula::Le(term) => solver.assert(&Formula::at_most_zero(direction(term))),
            Formula::Eq(term) => solver.assert(&Formula::is_zero(direction(term))),
            _ => {}
        }
    }
    match solver.check(&[], budget) {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => Some(false),
        Answer::Unknown => None,
    }
}
