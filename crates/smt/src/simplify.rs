//! Simplification in a context: what follows from the rest is left out.

use crate::{Answer, Model, Solver};
use base::Budget;
use formula::Formula;

/// A formula that means the same wherever `context` holds, without parts that make no difference there.
/// When the budget is spent, what was not looked at stays as it is.
pub fn simplify(formula: &Formula, context: &Formula, budget: &Budget) -> Formula {
    Simplifier { solver: Solver::of(context), models: Vec::new(), budget }.simplify(formula)
}

struct Simplifier<'b> {
    solver: Solver,
    /// Models that were found on the way: often one of them answers the next question.
    models: Vec<Model>,
    budget: &'b Budget,
}

/// So many models are kept: looking through them must cost less than asking.
const KEPT: usize = 24;

impl Simplifier<'_> {
    fn simplify(&mut self, formula: &Formula) -> Formula {
        match formula {
            Formula::True | Formula::False => formula.clone(),
            Formula::And(parts) => Formula::and(self.each_among(parts, &|other| other.clone())),
            Formula::Or(parts) => Formula::or(self.each_among(parts, &Formula::not)),
            literal if self.impossible(literal) => Formula::False,
            literal if self.impossible(&literal.not()) => Formula::True,
            literal => literal.clone(),
        }
    }

    /// Each part simplified where it matters: where the others are as `given` says.
    fn each_among(&mut self, parts: &[Formula], given: &dyn Fn(&Formula) -> Formula) -> Vec<Formula> {
        let mut parts = parts.to_vec();
        // The larger one of two that would do goes.
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(parts[*at].size()));
        for at in order {
            if self.budget.spent().is_some() {
                break;
            }
            self.solver.push();
            for (_, other) in parts.iter().enumerate().filter(|(i, _)| *i != at) {
                self.solver.assert(&given(other));
            }
            parts[at] = self.simplify(&parts[at]);
            self.solver.pop();
        }
        parts
    }

    /// For sure no model of what is asserted satisfies the formula.
    fn impossible(&mut self, formula: &Formula) -> bool {
        let asserted = self.solver.asserted();
        if self.models.iter().any(|model| model.eval(formula) && model.eval(&asserted)) {
            return false;
        }
        self.solver.push();
        self.solver.assert(formula);
        let answer = self.solver.check(&[], self.budget);
        self.solver.pop();
        match answer {
            Answer::Unsat(_) => true,
            Answer::Unknown => false,
            Answer::Sat(model) => {
                if self.models.len() == KEPT {
                    self.models.remove(0);
                }
                self.models.push(model);
                false
            }
        }
    }
}
