//! The solver against brute force: assumptions, failed ones, models, budgets, arrays, depth.

mod common;

use base::{Budget, Spent};
use common::Random;
use logic::{Answer, Lit, Solver, Term, Terms};
use std::time::{Duration, Instant};

type Clause = Vec<(usize, bool)>;

fn holds(clauses: &[Clause], assignment: u32) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|&(variable, sign)| (assignment >> variable & 1 == 1) == sign))
}

fn with_sign(lit: Lit, sign: bool) -> Lit {
    if sign { lit } else { !lit }
}

#[test]
fn random_clauses_are_decided_as_by_trying_all() {
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let variables = 8;
        let mut solver = Solver::new();
        let lits: Vec<Lit> = (0..variables).map(|_| solver.fresh()).collect();
        let mut clauses: Vec<Clause> = Vec::new();
        for _ in 0..12 {
            for _ in 0..random.below(6) {
                let clause: Clause = (0..3).map(|_| (random.below(variables), random.chance(2))).collect();
                let as_lits: Vec<Lit> = clause.iter().map(|&(v, sign)| with_sign(lits[v], sign)).collect();
                solver.clause(&as_lits);
                clauses.push(clause);
            }
            let assumed: Clause = (0..random.below(4)).map(|_| (random.below(variables), random.chance(2))).collect();
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
                Answer::Unsatisfiable => {
                    assert!(!expected, "seed {seed}");
                    let failed: Clause =
                        (0..assumed.len()).filter(|&i| solver.failed(as_lits[i])).map(|i| assumed[i]).collect();
                    let mut core = clauses.clone();
                    core.extend(failed.iter().map(|&literal| vec![literal]));
                    let refuted = !(0..1u32 << variables).any(|assignment| holds(&core, assignment));
                    assert!(refuted, "seed {seed}: the failed assumptions do not explain the answer");
                }
                Answer::Spent(spent) => panic!("{spent:?} of an unlimited budget"),
            }
        }
    }
}

#[test]
fn constants_can_be_assumed_and_can_fail() {
    let mut solver = Solver::new();
    let (yes, no) = (solver.constant_literal(true), solver.constant_literal(false));
    assert_eq!(solver.solve(&[yes], &Budget::unlimited()), Answer::Satisfiable);
    assert!(solver.value(yes) && !solver.value(no));
    assert_eq!(solver.solve(&[yes, no], &Budget::unlimited()), Answer::Unsatisfiable);
    assert!(solver.failed(no) && !solver.failed(yes));
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

/// Arrays against a table: random reads and writes at indices that only the solver knows.
#[test]
fn arrays_hold_what_was_written() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let initial = random.chance(2).then(|| random.value(8));
        let array = match initial {
            Some(value) => {
                let element = terms.constant(8, value);
                terms.array_constant(3, element)
            }
            None => terms.array_variable(3, 8, "a"),
        };
        let mut solver = Solver::new();
        let mut arrays = vec![(array, [initial; 8])];
        let mut known: Vec<(Term, u128)> = Vec::new();
        let given = |terms: &mut Terms, solver: &mut Solver, width: u32, value: u128| {
            let constant = terms.constant(width, value);
            if value.is_multiple_of(3) {
                return constant;
            }
            let variable = terms.variable(width, "v");
            let same = terms.eq(variable, constant);
            solver.assert(terms, same);
            variable
        };
        for _ in 0..20 {
            let (array, content) = arrays[random.below(arrays.len())];
            let place = random.below(8);
            let index = given(&mut terms, &mut solver, 3, place as u128);
            match random.below(3) {
                0 => {
                    let value = random.value(8);
                    let element = given(&mut terms, &mut solver, 8, value);
                    let mut content = content;
                    content[place] = Some(value);
                    arrays.push((terms.store(array, index, element), content));
                }
                1 => {
                    let (other, other_content) = arrays[random.below(arrays.len())];
                    let choice = random.chance(2);
                    let condition = given(&mut terms, &mut solver, 1, u128::from(choice));
                    let chosen = terms.ite(condition, array, other);
                    arrays.push((chosen, if choice { content } else { other_content }));
                }
                _ => {
                    let read = terms.select(array, index);
                    if let Some(value) = content[place] {
                        known.push((read, value));
                    } else {
                        // Whatever it is, another read at the same place gives the same.
                        let again = given(&mut terms, &mut solver, 3, place as u128);
                        let other = terms.select(array, again);
                        let same = terms.eq(read, other);
                        let differs = terms.not(same);
                        let assumption = solver.literal(&terms, differs);
                        assert_eq!(solver.solve(&[assumption], &Budget::unlimited()), Answer::Unsatisfiable);
                    }
                }
            }
        }
        for &(read, _) in &known {
            solver.literals(&terms, read);
        }
        assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Satisfiable);
        for &(read, value) in &known {
            assert_eq!(solver.value_of(&terms, read), value, "seed {seed}");
            let constant = terms.constant(8, value);
            let other = terms.ne(read, constant);
            let assumption = solver.literal(&terms, other);
            assert_eq!(solver.solve(&[assumption], &Budget::unlimited()), Answer::Unsatisfiable, "seed {seed}");
            assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Satisfiable);
        }
    }
}

/// A model that was found does not depend on what is asked about afterwards.
#[test]
fn reads_of_a_variable_array_agree_with_the_model() {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let array = terms.array_variable(8, 8, "a");
    let (i, j) = (terms.variable(8, "i"), terms.variable(8, "j"));
    let (at_i, at_j) = (terms.select(array, i), terms.select(array, j));
    let (five, nine) = (terms.constant(8, 5), terms.constant(8, 9));
    let (first, second) = (terms.eq(at_i, five), terms.eq(at_j, nine));
    solver.assert(&terms, first);
    solver.assert(&terms, second);
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Satisfiable);
    let (place_i, place_j) = (solver.value_of(&terms, i), solver.value_of(&terms, j));
    assert_ne!(place_i, place_j);
    let index = terms.constant(8, place_i);
    let again = terms.select(array, index);
    assert_eq!(solver.value_of(&terms, again), 5);
    let elsewhere = (0..256).find(|place| *place != place_i && *place != place_j).expect("more than two places");
    let index = terms.constant(8, elsewhere);
    let nothing = terms.select(array, index);
    assert_eq!(solver.value_of(&terms, nothing), 0);
}

#[test]
fn very_deep_terms_need_no_stack() {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let zero = terms.constant(32, 0);
    let mut counter = zero;
    let mut chain = zero;
    let mut array = terms.array_constant(32, zero);
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
        // A read is a comparison with each place that was written.
        if step % 100 == 99 {
            array = terms.store(array, other, constant);
        }
    }
    let place = terms.constant(32, 3);
    let read = terms.select(array, place);
    assert_eq!(terms.evaluate(counter, &mut |t| u128::from(terms.width(t) == 1)), count);
    assert_eq!(terms.evaluate(read, &mut |_| 3), 99_999);
    terms.evaluate(value, &mut |_| 1);
    let last = terms.constant(32, 99_999);
    let assigned = terms.eq(chain, last);
    let reached = terms.eq(read, last);
    let narrow = terms.extract(value, 0, 1);
    let all = terms.all(&[assigned, reached, narrow]);
    solver.assert(&terms, all);
    // Nothing is asked of the counter, so that the answer comes at once.
    assert_eq!(solver.solve(&[], &Budget::unlimited()), Answer::Satisfiable);
    assert_eq!(solver.value_of(&terms, all), 1);
}
