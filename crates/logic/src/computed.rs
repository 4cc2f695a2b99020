//! Operations that no term stands for: their results are variables, and where a model has another value for one of them than the
//! operation gives, that one is learnt and the next model looked for.

use crate::{Answer, Lit, Solver, Term, Terms};
use base::Budget;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// So many models are looked at.
const MOST_MODELS: usize = 100;

/// The results of operations of the kind `K` on one or two terms.
pub struct Computed<K> {
    compute: fn(K, u128, u128) -> u128,
    results: FxHashMap<(K, Term, Option<Term>), Term>,
}

impl<K: Copy + Eq + Hash> Computed<K> {
    /// The operation on one value gets 0 for the other.
    pub fn new(compute: fn(K, u128, u128) -> u128) -> Self {
        Computed { compute, results: FxHashMap::default() }
    }

    /// Are all results constants?
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// What the operation gives, of so many bits: the same for the same operands.
    pub fn result(&mut self, terms: &mut Terms, (what, width): (K, u32), left: Term, right: Option<Term>) -> Term {
        let constants = (terms.as_constant(left), right.map_or(Some(0), |right| terms.as_constant(right)));
        if let (Some(a), Some(b)) = constants {
            return terms.constant(width, (self.compute)(what, a, b));
        }
        *self.results.entry((what, left, right)).or_insert_with(|| terms.variable(width, "computed"))
    }

    /// Looks for a model in which the assumptions hold.  One that is found may have wrong results if there were many such.
    pub fn solve(&self, terms: &mut Terms, solver: &mut Solver, assumptions: &[Lit], budget: &Budget) -> Answer {
        let mut answer = solver.solve(assumptions, budget);
        for _ in 0..MOST_MODELS {
            if answer != Answer::Satisfiable {
                break;
            }
            let facts = self.wrong_in(terms, solver);
            if facts.is_empty() {
                break;
            }
            facts.into_iter().for_each(|fact| solver.assert(terms, fact));
            answer = solver.solve(assumptions, budget);
        }
        answer
    }

    /// For each result that is wrong in the model, what it is for these operands.
    fn wrong_in(&self, terms: &mut Terms, solver: &mut Solver) -> Vec<Term> {
        let mut facts = Vec::new();
        for ((what, left, right), result) in &self.results {
            let a = solver.value_of(terms, *left);
            let b = right.map(|right| (right, solver.value_of(terms, right)));
            let value = (self.compute)(*what, a, b.map_or(0, |(_, b)| b));
            if solver.value_of(terms, *result) != value {
                let same = terms.is(*left, a);
                let also = b.map_or(terms.bool(true), |(right, b)| terms.is(right, b));
                let (operands, computed) = (terms.and(same, also), terms.is(*result, value));
                facts.push(terms.implies(operands, computed));
            }
        }
        facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Is there a number below the bound that gives the result, and then the other?
    fn found(bound: u128, results: [u128; 2]) -> Answer {
        let (mut terms, mut solver) = (Terms::new(), Solver::new());
        let mut computed = Computed::new(|factor: u128, a: u128, _| a * factor % 256);
        let number = terms.variable(8, "number");
        let twice = computed.result(&mut terms, (2, 8), number, None);
        let sixfold = computed.result(&mut terms, (3, 8), twice, None);
        assert_eq!(computed.result(&mut terms, (2, 8), number, None), twice);
        let limit = terms.constant(8, bound);
        let conditions = [terms.ult(number, limit), terms.is(twice, results[0]), terms.is(sixfold, results[1])];
        let wanted = conditions.map(|condition| solver.literal(&terms, condition));
        computed.solve(&mut terms, &mut solver, &wanted, &Budget::unlimited())
    }

    #[test]
    fn results_are_what_is_computed() {
        assert_eq!(found(20, [10, 30]), Answer::Satisfiable);
        assert_eq!(found(20, [10, 31]), Answer::Unsatisfiable);
        assert_eq!(found(5, [10, 30]), Answer::Unsatisfiable);
    }

    #[test]
    fn constants_are_computed_at_once() {
        let (mut terms, mut computed) = (Terms::new(), Computed::new(|(), a, b| a + b));
        let [two, three] = [2, 3].map(|number| terms.constant(8, number));
        let sum = computed.result(&mut terms, ((), 8), two, Some(three));
        assert_eq!(terms.as_constant(sum), Some(5));
        assert!(computed.is_empty());
    }
}
