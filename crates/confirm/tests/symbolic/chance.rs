//! Systems and lemmas by chance: what is confirmed must be true of all states, which are few.

use crate::systems::{Builder, exact_product, is_safe, is_true, number, ranges, ranges_hold, reachable};
use base::{Budget, Id, Rng};
use claim::modular::{Ints, Invariants, Lemma, Modular};
use formula::{Formula, Linear, Var};
use system::{System, ThreadId};

/// Values of shared variables are 0, 1 and 2.
const VALUES: i128 = 3;

fn literal(chance: &mut Rng, vars: &[Linear]) -> Formula {
    let (a, b) = (chance.one_of(vars), chance.one_of(vars));
    let value = number(chance.below(VALUES as usize) as i128);
    match chance.below(6) {
        0 => Formula::eq(&a, &value),
        1 => Formula::ne(&a, &value),
        2 => Formula::le(&a, &value),
        3 => Formula::le(&value, &a),
        4 => Formula::le(&a, &b),
        _ => Formula::eq(&a, &b),
    }
}

fn system(chance: &mut Rng) -> System {
    let mut b = Builder::new();
    let vars: Vec<Linear> = ["x", "y", "z"][..2 + chance.below(2)].iter().map(|name| b.var(name, 0)).collect();
    for thread in 0..2 + chance.below(2) {
        let locations = 2 + chance.below(3);
        let id = b.thread(&format!("t{thread}"), locations);
        for from in 0..locations - usize::from(!chance.one_in(8)) {
            for _ in 0..=chance.below(2) {
                // Seldom backwards.
                let to = if chance.one_in(12) { chance.below(locations) } else { (from + 1).min(locations - 1) };
                let guard = if chance.one_in(2) { Formula::True } else { literal(chance, &vars) };
                let target = chance.one_of(&vars);
                let (some, other) = (chance.one_of(&vars), chance.one_of(&vars));
                let value = match chance.below(5) {
                    0 => number(chance.below(VALUES as usize) as i128),
                    1 => target.plus_constant(1).floor_mod(VALUES),
                    2 => some,
                    3 => Linear::choice(literal(chance, &vars), some, number(1)),
                    _ => some.plus(&other).floor_mod(VALUES),
                };
                match chance.below(5) {
                    0 => b.edge(id, from as u32, to as u32, guard, &[]),
                    1 => b.assertion(id, from as u32, to as u32, Formula::or([literal(chance, &vars), guard])),
                    _ => b.edge(id, from as u32, to as u32, guard, &[(&target, value)]),
                }
            }
        }
    }
    b.done()
}

fn order(chance: &mut Rng, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    (1..count).for_each(|at| order.swap(at, chance.below(at + 1)));
    order
}

/// A formula over the state, or over two of them.
fn relation(chance: &mut Rng, system: &System, states: usize) -> Formula {
    let count = system.vars.len();
    let var = |chance: &mut Rng| {
        // Two of the same are likelier to say something.
        let var = chance.below(count);
        (Linear::var(Var::new(var)), Linear::var(Var::new(var + if states == 2 { count } else { 0 })))
    };
    let one = |chance: &mut Rng| {
        let (new, old) = var(chance);
        let value = number(chance.below(VALUES as usize) as i128);
        match chance.below(8) {
            0 => Formula::eq(&new, &old),
            1 => Formula::le(&old, &new),
            2 => Formula::le(&new, &old),
            3 => Formula::eq(&old, &value),
            4 => Formula::ne(&new, &value),
            5 => Formula::le(&new, &value),
            6 => Formula::eq(&new, &value),
            _ => Formula::le(&new, &var(chance).0),
        }
    };
    let parts: Vec<Formula> = (0..=chance.below(3)).map(|_| one(chance)).collect();
    Formula::or(parts)
}

/// Invariants that might do.
fn invariants(chance: &mut Rng, system: &System, thread: ThreadId, goal: &Formula) -> Option<Invariants> {
    let count = system.vars.len();
    let locations = system.threads[thread].graph.locations.len();
    let about_one = goal.vars().iter().all(|var| var.index() < count);
    let before = (0..locations).map(|_| match chance.below(4) {
        0 => relation(chance, system, 1),
        1 => Formula::True,
        _ if about_one => goal.clone(),
        _ => Formula::True,
    });
    let before = before.collect();
    let during = (0..locations).map(|_| if chance.one_in(6) { relation(chance, system, 2) } else { goal.clone() });
    let invariants = Invariants { before, during: during.collect() };
    (!chance.one_in(4)).then_some(invariants)
}

/// What the checker accepts of a system by chance.
#[derive(Default, Debug)]
struct Found {
    lemmas: usize,
    /// Those that have old values, or are about cyclic threads.
    of_moves: usize,
    by_invariants: usize,
    refused: usize,
    refused_though_true: usize,
    safe: usize,
}

fn explore(seed: u64, found: &mut Found) {
    let chance = &mut Rng::new(seed);
    let system = system(chance);
    let states = reachable(&system);
    let safe = is_safe(&system, &states);
    let order = order(chance, system.threads.len());
    let mut proof = Modular { ints: Ints::Machine, order, ranges: Vec::new(), lemmas: Vec::new(), main: None };
    if chance.one_in(2) {
        proof.ranges = ranges(&system);
    }
    for _ in 0..12 {
        let level = chance.below(system.threads.len() - 1);
        let states_mentioned = if chance.one_in(3) { 1 } else { 2 };
        let formula = relation(chance, &system, states_mentioned);
        let thread = ThreadId::new(proof.order[level + 1]);
        let invariants = if chance.one_in(2) { None } else { invariants(chance, &system, thread, &formula) };
        proof.lemmas.push(Lemma { level, formula, invariants });
        proof.main = chance.one_in(2).then(|| {
            let main = &system.threads[ThreadId::new(proof.order[0])];
            let none_failed = Formula::eq(&system.failed.into(), &number(0));
            Invariants { before: Vec::new(), during: vec![none_failed; main.graph.locations.len()] }
        });
        let answer = confirm::modular::check(&proof, &system, &Budget::unlimited());
        let newest = proof.lemmas.last().unwrap();
        let holds = is_true(&system, &proof.order, level, &newest.formula, &states);
        match answer {
            Ok(()) => {
                assert!(safe, "seed {seed}: confirmed, and not safe: {proof:?}\n{system:?}");
                found.safe += 1;
            }
            // Then all lemmas were confirmed.
            Err(why) if why.starts_with("the property") => {}
            Err(why) => {
                assert!(why.starts_with("lemma"), "seed {seed}: {why}");
                found.refused += 1;
                found.refused_though_true += usize::from(holds);
                proof.lemmas.pop();
                continue;
            }
        }
        assert!(holds, "seed {seed}: confirmed, and not true: {newest:?}\n{proof:?}\n{system:?}");
        found.lemmas += 1;
        found.of_moves += usize::from(newest.formula.vars().iter().any(|var| var.index() >= system.vars.len()));
        found.by_invariants += usize::from(newest.invariants.is_some());
    }
}

#[test]
fn what_is_confirmed_is_true() {
    let mut found = Found::default();
    let count = std::env::var("UNBRAID_CHANCE").ok().and_then(|count| count.parse().ok()).unwrap_or(60);
    (0..count).for_each(|seed| explore(seed, &mut found));
    println!("{found:?}");
    assert!(found.lemmas > 100 && found.of_moves > 40 && found.by_invariants > 20 && found.safe > 20, "{found:?}");
}

/// Ranges with one end changed by chance.
#[test]
fn ranges_that_are_confirmed_hold() {
    let mut confirmed = 0;
    let mut refused = 0;
    for seed in 0..150 {
        let chance = &mut Rng::new(seed + 1000);
        let system = system(chance);
        let states = reachable(&system);
        let mut order: Vec<usize> = (0..system.threads.len()).collect();
        let known = ranges(&system);
        for _ in 0..10 {
            let mut proof =
                Modular { ints: Ints::Machine, order, ranges: known.clone(), lemmas: Vec::new(), main: None };
            let thread = chance.below(known.len());
            let location = chance.below(known[thread].len());
            let value = chance.below(VALUES as usize) as i128;
            match (&mut proof.ranges[thread][location], chance.below(4)) {
                (place, 0) => *place = None,
                (Some(ranges), end) => {
                    let range = &mut ranges[chance.below(system.vars.len())];
                    if end == 1 { range.low = value } else { range.high = value }
                }
                (None, _) => {}
            }
            order = proof.order.clone();
            let answer = confirm::modular::check(&proof, &system, &Budget::unlimited());
            if answer.is_err_and(|why| why.starts_with("ranges")) {
                refused += 1;
                continue;
            }
            confirmed += 1;
            let wrong = states.iter().find(|state| !ranges_hold(&system, &proof.ranges, state));
            assert_eq!(wrong, None, "seed {seed}");
        }
    }
    assert!(confirmed > 100 && refused > 100, "{confirmed} {refused}");
}

#[test]
fn products_are_confirmed_exactly_if_safe() {
    for seed in 0..60 {
        let system = system(&mut Rng::new(seed + 2000));
        let states = reachable(&system);
        let exact = exact_product(&system, &states);
        let answer = confirm::product::check(&exact, &system, &Budget::unlimited());
        assert_eq!(answer.is_ok(), is_safe(&system, &states), "seed {seed}: {answer:?}");
        let mut less = exact.clone();
        less.states.pop();
        assert!(confirm::product::check(&less, &system, &Budget::unlimited()).is_err(), "seed {seed}");
    }
}
