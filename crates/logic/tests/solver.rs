//! The solver against brute force: assumptions, failed ones, models, budgets, depth.

mod common;

use base::{Budget, Rng, Spent};
use common::{Clause, holds, random_clause, with_sign};
use logic::{Answer, Lit, Solver, Terms};
use std::time::{Duration, Instant};

#[test]
fn random_clauses_are_decided_as_by_trying_all() {
    for seed in 0..200 {
        let mut random = Rng::new(seed);
        let variables = 8;
        let mut solver = Solver::new();
        let lits: Vec<Lit> = (0..variables).map(|_| solver.fresh()).collect();
        let mut clauses: Vec<Clause> = Vec::new();
        for _ in 0..12 {
            for _ in 0..random.below(6) {
                clauses.push(random_clause(&mut random, 3, &lits, &mut solver));
            }
            let assumed: Clause = (0..random.below(4)).map(|_| (random.below(variables), random.one_in(2))).collect();
            let as_lits: Vec<Lit> = assumed.iter().map(|&(v, sign)| with_sign(lits[v], sign)).collect();
            let mut all = clauses.clone();
            all.extend(assumed.iter().map(|&literal| vec![literal]));
            let expected = (0..1u32 << variables).any(|assignment| holds(&all, assignment));
            match solver.solve(&as_lits, &Budget::unlimited()) {
                Answer::Satisfiable => {
                    assert!(expected, "seed {seed}");
                    // Still readable after more was said.
                    let extra = solver.fresh();
                    solver.clause(&[extra]);
                    let model = (0..variables).fold(0, |sum, v| sum | u32::from(solver.value(lits[v])) << v);
                    assert!(holds(&all, model), "seed {seed}: not a model");
                }
                Answer::Unsatisfiable => assert!(!expected, "seed {seed}"),
                Answer::Spent(spent) => panic!("{spent:?} of an unlimited budget"),
            }
        }
    }
}

#[test]
fn constants_can_be_assumed() {
    let mut solver = Solver::new();
    let (yes, no) = (Lit::TRUE, Lit::FALSE);
    assert_eq!(solver.solve(&[yes], &Budget::unlimited()), Answer::Satisfiable);
    assert!(solver.value(yes) && !solver.value(no));
    assert_eq!(solver.solve(&[yes, no], &Budget::unlimited()), Answer::Unsatisfiable);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Satisfiable);
    solver.clause(&[no]);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Unsatisfiable);
}

/// Factors of a large number: far beyond the budget.
fn factoring(solver: &mut Solver) {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(60, "x"), terms.variable(60, "y"));
    let (wide_x, wide_y) = (terms.zext(x, 120), terms.zext(y, 120));
    let product = terms.mul(wide_x, wide_y);
    let target = terms.constant(120, 0x9e_3779_b97f_4a7c_15f3_9cc0_605c_edc9);
    let same = terms.eq(product, target);
    let one = terms.constant(60, 1);
    let (above_x, above_y) = (terms.ult(one, x), terms.ult(one, y));
    let all = terms.all(&[same, above_x, above_y]);
    solver.assert(&terms, all);
}

#[test]
fn a_budget_ends_the_search_and_another_call_may_follow() {
    let mut solver = Solver::new();
    factoring(&mut solver);
    let start = Instant::now();
    let budget = Budget::new(Some(Duration::from_millis(200)), None);
    assert_eq!(solver.solve(&[], &budget), Answer::Spent(Spent::Time));
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    let budget = Budget::unlimited();
    let other = budget.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        other.cancel();
    });
    assert_eq!(solver.solve(&[], &budget), Answer::Spent(Spent::Cancelled));
    canceller.join().expect("it only waits");
    solver.clause(&[]);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Unsatisfiable);
}

#[test]
fn solvers_run_in_several_threads() {
    let threads: Vec<_> = (0..4u64)
        .map(|seed| {
            std::thread::spawn(move || {
                for round in 0..20 {
                    let mut terms = Terms::new();
                    let mut solver = Solver::new();
                    let x = terms.variable(16, "x");
                    let product = terms.mul(x, x);
                    let target = u128::from(seed * 20 + round + 1);
                    let square = terms.constant(16, target * target);
                    let same = terms.eq(product, square);
                    solver.assert(&terms, same);
                    assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Satisfiable);
                    let root = solver.value_of(&terms, x);
                    assert_eq!((root * root) & 0xffff, (target * target) & 0xffff);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("no solver disturbs another");
    }
}

/// A model that was found does not depend on what is asked about afterwards.
#[test]
fn what_is_made_later_is_zero_in_the_model() {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let (x, five) = (terms.variable(8, "x"), terms.constant(8, 5));
    let same = terms.eq(x, five);
    solver.assert(&terms, same);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Satisfiable);
    let y = terms.variable(8, "y");
    let sum = terms.add(x, y);
    solver.literals(&terms, sum);
    assert_eq!(solver.value_of(&terms, sum), 5);
}

#[test]
fn very_deep_terms_need_no_stack() {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let zero = terms.constant(32, 0);
    let mut counter = zero;
    let mut chain = zero;
    let mut value = terms.variable(32, "x");
    let mut count = 0u128;
    for step in 0..100_000u128 {
        let c = terms.variable(1, "c");
        let one = terms.constant(32, 1);
        let next = terms.add(counter, one);
        counter = terms.ite(c, next, counter);
        count += 1;
        let constant = terms.constant(32, step);
        chain = terms.ite(c, constant, chain);
        let other = terms.variable(32, "y");
        let product = terms.xor(value, other);
        value = terms.add(product, counter);
    }
    assert_eq!(terms.evaluate(counter, &mut |t| u128::from(terms.width(t) == 1)), count);
    terms.evaluate(value, &mut |_| 1);
    let last = terms.constant(32, 99_999);
    let assigned = terms.eq(chain, last);
    let narrow = terms.extract(value, 0, 1);
    let all = terms.all(&[assigned, narrow]);
    solver.assert(&terms, all);
    // Nothing is asked of the counter, so that the answer comes at once.
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Satisfiable);
    assert_eq!(solver.value_of(&terms, all), 1);
}
