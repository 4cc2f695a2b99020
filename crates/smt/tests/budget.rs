//! Hard questions are given up soon after the budget is spent, and the next question is answered as if nothing had been.

use base::Budget;
use formula::{Formula, Linear, Var};
use smt::{Answer, Application, Bound, Horn, HornAnswer, Solver, project};
use std::time::{Duration, Instant};

fn v(number: u32) -> Linear {
    Linear::var(Var(number))
}

/// Pigeons: each in a hole, no two in one; one hole is missing.
fn pigeons(count: u32) -> Formula {
    let inside = (0..count).map(|at| Formula::between(1, &v(at), i128::from(count) - 1));
    let apart = (0..count).flat_map(|a| (0..a).map(move |b| Formula::ne(&v(a), &v(b))));
    Formula::and(inside.chain(apart))
}

fn soon(what: &str, work: impl FnOnce(&Budget)) {
    let start = Instant::now();
    work(&Budget::new(Some(Duration::from_millis(500)), None));
    assert!(start.elapsed() < Duration::from_millis(1500), "{what}: {:?}", start.elapsed());
    let mut solver = Solver::of(&pigeons(3));
    assert_eq!(solver.check(&[], &Budget::unlimited()), Answer::Unsat(vec![]), "after {what}");
    let found = Solver::of(&Formula::le(&v(0), &Linear::constant(4))).maximise(&v(0), &Budget::unlimited());
    assert_eq!(found, Some(Bound::Value(4)), "after {what}");
}

#[test]
fn checks_end_with_the_budget() {
    soon("check", |budget| assert_eq!(Solver::of(&pigeons(24)).check(&[], budget), Answer::Unknown));
}

#[test]
fn checks_end_when_cancelled() {
    let budget = Budget::unlimited();
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(300));
            budget.cancel();
        });
        assert_eq!(Solver::of(&pigeons(24)).check(&[], &budget), Answer::Unknown);
    });
    assert!(start.elapsed() < Duration::from_millis(1300), "{:?}", start.elapsed());
}

#[test]
fn a_solver_goes_on_after_it_was_stopped() {
    let mut solver = Solver::of(&pigeons(24));
    assert_eq!(solver.check(&[], &Budget::new(Some(Duration::from_millis(200)), None)), Answer::Unknown);
    let one = Formula::eq(&v(0), &v(1));
    assert_eq!(
        solver.check(&[Formula::eq(&v(3), &v(3).plus_constant(0)), one], &Budget::unlimited()),
        Answer::Unsat(vec![1])
    );
}

#[test]
fn projections_end_with_the_budget() {
    soon("project", |budget| assert_eq!(project(&pigeons(24), &|var| var == Var(0), budget), None));
}

#[test]
fn horn_systems_end_with_the_budget() {
    // Needs y = x * x, which is not linear.
    let mut horn = Horn::new();
    let at = horn.add_predicate("loop", 3);
    let zero = Linear::constant(0);
    horn.add_rule(Some(Application::new(at, [zero.clone(), zero.clone(), zero.clone()])), None, Formula::True);
    let body = || Some(Application::new(at, [v(0), v(1), v(2)]));
    let next = [v(0).plus_constant(1), v(1).plus(&v(0)).plus(&v(0)).plus_constant(1), v(2).plus(&v(1))];
    horn.add_rule(Some(Application::new(at, next)), body(), Formula::True);
    let bad = [Formula::lt(&v(2).scale(7), &v(1)), Formula::lt(&Linear::constant(100), &v(0))];
    horn.add_rule(None, body(), Formula::and(bad));
    soon("horn", |budget| {
        let answer = horn.solve(budget);
        assert!(matches!(answer, HornAnswer::Unknown(_)), "{answer:?}");
    });
}
