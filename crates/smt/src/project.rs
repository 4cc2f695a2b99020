//! Quantifier elimination over the integers.
//!
//! Exact: models of the formula are projected one after the other, each to a formula that contains it, until there are no
//! others.  Each part comes with terms for the eliminated variables, so that it is checked by a question without
//! quantifiers; the last answer of the solver says that nothing is missing.

use crate::cube::Cube;
use crate::eliminate;
use crate::{Answer, Model, Solver};
use base::Budget;
use formula::{Atom, Formula, Linear, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// More parts than this are of no use to anybody.
const MOST_PARTS: usize = 512;

/// A formula over the kept variables that holds exactly where the others can be chosen to make `formula` true.
/// `None` if it was not found within the budget, or has no reasonable size.
pub fn project(formula: &Formula, keep: &dyn Fn(Var) -> bool, budget: &Budget) -> Option<Formula> {
    let formula = substitute_equalities(formula.clone(), keep);
    match &formula {
        Formula::Or(parts) => {
            let parts: Option<Vec<Formula>> = parts.iter().map(|part| project(part, keep, budget)).collect();
            Some(Formula::or(parts?))
        }
        Formula::And(parts) => {
            let groups = independent(parts, keep);
            let groups: Option<Vec<Formula>> =
                groups.into_iter().map(|group| project_parts(group, keep, budget)).collect();
            Some(Formula::and(groups?))
        }
        literal => project_by_models(literal, keep, budget),
    }
}

/// A formula over the kept variables that holds in the model, and wherever it holds the others can be chosen to make `formula` true.
/// The model satisfies `formula`.  `None` if numbers get too large.
pub fn project_under(formula: &Formula, keep: &dyn Fn(Var) -> bool, model: &Model) -> Option<Formula> {
    part_around(formula, gone(formula, keep), model).map(|part| part.formula)
}

/// A conjunction whose parts hang together.
fn project_parts(group: Vec<Formula>, keep: &dyn Fn(Var) -> bool, budget: &Budget) -> Option<Formula> {
    match group.as_slice() {
        [Formula::Or(_)] => project(&group[0], keep, budget),
        _ => project_by_models(&Formula::and(group), keep, budget),
    }
}

fn project_by_models(formula: &Formula, keep: &dyn Fn(Var) -> bool, budget: &Budget) -> Option<Formula> {
    let gone = gone(formula, keep);
    if gone.is_empty() {
        return Some(formula.clone());
    }
    let (mut solver, mut checker) = (Solver::of(formula), Solver::new());
    let mut parts: Vec<Formula> = Vec::new();
    while parts.len() < MOST_PARTS {
        match solver.check(&[], budget) {
            Answer::Unknown => return None,
            Answer::Unsat(_) => return Some(Formula::or(parts)),
            Answer::Sat(model) => {
                let part = part_around(formula, gone.clone(), &model)?;
                let claimed = formula.substitute(&mut |var| part.witnesses.get(&var).cloned());
                let right = model.eval(&part.formula)
                    && checker.refutes(&Formula::and([part.formula.clone(), claimed.not()]), budget)?;
                assert!(right, "a projection is an under-approximation that contains its model");
                solver.assert(&part.formula.not());
                parts.push(part.formula);
            }
        }
    }
    None
}

struct Part {
    formula: Formula,
    /// What each eliminated variable may be where the formula holds, over the kept variables.
    witnesses: FxHashMap<Var, Linear>,
}

fn part_around(formula: &Formula, gone: FxHashSet<Var>, model: &Model) -> Option<Part> {
    let mut cube = Cube::of(formula, gone, model.clone());
    let mut order = Vec::new();
    while let Some(var) = cube.vars.iter().copied().min_by_key(|var| (eliminate::cost(&cube.literals, *var), *var)) {
        let eliminated = eliminate::eliminate(&cube.literals, var, &cube.model)?;
        cube.literals = eliminated.literals;
        cube.vars.remove(&var);
        order.push((var, eliminated.witness));
    }
    // A witness speaks of variables that were eliminated after its own.
    let mut witnesses: FxHashMap<Var, Linear> = FxHashMap::default();
    for (var, witness) in order.into_iter().rev() {
        let witness = witness.substitute(&mut |other| witnesses.get(&other).cloned());
        witnesses.insert(var, witness);
    }
    Some(Part { formula: Formula::and(cube.rest.into_iter().chain(cube.literals)), witnesses })
}

fn gone(formula: &Formula, keep: &dyn Fn(Var) -> bool) -> FxHashSet<Var> {
    formula.vars().into_iter().filter(|var| !keep(*var)).collect()
}

/// Replaces variables that an equation determines: where it is `var = term` the variable is needed no more, and nothing has
/// to be taken apart for its sake.
pub fn substitute_equalities(mut formula: Formula, keep: &dyn Fn(Var) -> bool) -> Formula {
    loop {
        let parts = formula.conjuncts();
        let solved = parts.iter().enumerate().find_map(|(at, part)| match part {
            Formula::Eq(term) => solve(term, keep).map(|(var, value)| (at, var, value)),
            _ => None,
        });
        let Some((at, var, value)) = solved else { return formula };
        let others = parts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, part)| part);
        formula = Formula::and(others.map(|part| part.substitute(&mut |v| (v == var).then(|| value.clone()))));
    }
}

/// The variable to be eliminated that is determined by the term's being 0, and its value.
fn solve(term: &Linear, keep: &dyn Fn(Var) -> bool) -> Option<(Var, Linear)> {
    term.terms().iter().find_map(|(atom, factor)| match atom {
        Atom::Var(var) if factor.abs() == 1 && !keep(*var) => {
            let rest = term.plus_multiple(&Linear::var(*var), -factor);
            let mut inside = false;
            rest.visit_vars(&mut |other| inside |= other == *var);
            (!inside).then(|| (*var, rest.scale(-factor)))
        }
        _ => None,
    })
}

/// The parts in groups that share no variable to be eliminated.
fn independent(parts: &[Formula], keep: &dyn Fn(Var) -> bool) -> Vec<Vec<Formula>> {
    let mut groups: Vec<(FxHashSet<Var>, Vec<Formula>)> = Vec::new();
    for part in parts {
        let mut vars = gone(part, keep);
        let mut joined = vec![part.clone()];
        let (touching, apart) = groups.into_iter().partition(|(other, _)| !other.is_disjoint(&vars));
        groups = apart;
        for (other, members) in touching {
            vars.extend(other);
            joined.extend(members);
        }
        groups.push((vars, joined));
    }
    groups.into_iter().map(|(_, members)| members).collect()
}
