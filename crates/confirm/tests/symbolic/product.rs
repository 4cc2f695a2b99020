//! Invariants by the locations of all threads.

use crate::systems::{Builder, exact_product, is_safe, number, reachable};
use base::Budget;
use claim::modular::{Ints, Product};
use formula::{Formula, Linear};
use system::System;

fn check(proof: &Product, system: &System) -> Result<(), String> {
    confirm::product::check(proof, system, &Budget::unlimited())
}

/// Peterson's algorithm, over and over; with `polite`, a thread gives the turn to the other one.
fn peterson(polite: bool) -> System {
    let mut b = Builder::new();
    let flags = [b.var("flag0", 0), b.var("flag1", 0)];
    let (turn, inside) = (b.var("turn", 0), b.var("inside", 0));
    for me in 0..2 {
        let other = 1 - me;
        let thread = b.thread(&format!("t{me}"), 5);
        b.edge(thread, 0, 1, Formula::True, &[(&flags[me], number(1))]);
        let next = if polite { other } else { me };
        b.edge(thread, 1, 2, Formula::True, &[(&turn, number(next as i128))]);
        let free = Formula::or([Formula::is(&flags[other], 0), Formula::is(&turn, me as i128)]);
        b.edge(thread, 2, 3, free, &[(&inside, inside.plus_constant(1))]);
        b.assertion(thread, 3, 4, Formula::is(&inside, 1));
        b.edge(thread, 4, 0, Formula::True, &[(&inside, inside.plus_constant(-1)), (&flags[me], number(0))]);
    }
    b.done()
}

#[test]
fn peterson_is_confirmed_and_nothing_less() {
    let system = peterson(true);
    let states = reachable(&system);
    assert!(is_safe(&system, &states));
    let right = exact_product(&system, &states);
    assert_eq!(check(&right, &system), Ok(()));

    // All states are needed, one by one and by places.
    for without in 0..states.len() {
        let mut less = states.clone();
        less.remove(without);
        assert!(check(&exact_product(&system, &less), &system).is_err(), "without {:?}", states[without]);
    }
    for without in 0..right.states.len() {
        let mut less = right.clone();
        less.states.remove(without);
        assert!(check(&less, &system).is_err());
        let mut twice = right.clone();
        twice.states.push(right.states[without].clone());
        assert!(check(&twice, &system).unwrap_err().contains("twice"));
        let mut more = right.clone();
        more.states[without].1 = Formula::True;
        assert!(check(&more, &system).is_err());
    }
    // Of places where nobody comes anything may be said that is closed, or nothing can be.
    let mut more = right.clone();
    more.states.push((vec![3, 3], Formula::False));
    assert_eq!(check(&more, &system), Ok(()));
    for formula in [Formula::is(&Linear::var(system.failed), 0), Formula::True] {
        let mut wrong = right.clone();
        wrong.states.push((vec![3, 3], formula));
        assert!(check(&wrong, &system).is_err());
    }
    // What is no combination of locations, or no formula about states.
    for places in [vec![0], vec![0, 0, 0], vec![0, 5]] {
        let mut wrong = right.clone();
        wrong.states.push((places, Formula::False));
        assert!(check(&wrong, &system).is_err());
    }
    let mut wrong = right.clone();
    wrong.states[0].1 = Formula::is(&Linear::var(formula::Var(system.vars.len() as u32)), 0);
    assert!(check(&wrong, &system).is_err());
    assert!(check(&Product { ints: Ints::Machine, states: Vec::new() }, &system).is_err());
    let budget = Budget::unlimited();
    budget.cancel();
    assert!(confirm::product::check(&right, &system, &budget).is_err());
}

#[test]
fn an_impolite_peterson_has_no_proof() {
    let system = peterson(false);
    let states = reachable(&system);
    assert!(!is_safe(&system, &states));
    assert!(check(&exact_product(&system, &states), &system).unwrap_err().contains("violated"));
    let only_safe: Vec<_> = states.into_iter().filter(|state| state[system.failed.0 as usize] == 0).collect();
    assert!(check(&exact_product(&system, &only_safe), &system).unwrap_err().contains("does not keep"));
    assert!(check(&exact_product(&peterson(true), &reachable(&peterson(true))), &system).is_err());
}
