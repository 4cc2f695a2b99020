//! How long typical questions take: `cargo run --release -p smt --example smt_speed`.

#[path = "../tests/common/systems.rs"]
mod systems;

use base::Budget;
use formula::Formula;
use smt::{Horn, HornAnswer, Solver, project, simplify};
use std::time::{Duration, Instant};
use systems::{Edge, counter, may_enter, n, peterson, product, v};

fn main() {
    small_questions();
    maxima();
    projections();
    for (name, horn) in [
        ("counter to 100", counter(100, 1, Formula::ne(&v(1), &n(100)))),
        ("two counters to 1000", counter(1000, 1, Formula::ne(&v(1), &n(1000)))),
        ("Peterson", peterson(may_enter)),
        ("fib3", fib(3)),
        ("locked increment", locked()),
    ] {
        let start = Instant::now();
        let budget = Budget::new(Some(Duration::from_secs(20)), None);
        let answer = match horn.solve(&budget) {
            HornAnswer::Safe(_) => "safe".to_string(),
            HornAnswer::Unsafe(derivation) => format!("unsafe in {} steps", derivation.steps.len()),
            HornAnswer::Unknown(why) => format!("unknown: {why}"),
        };
        println!("{name}: {answer} in {:?}", start.elapsed());
    }
}

fn small_questions() {
    let budget = Budget::unlimited();
    let start = Instant::now();
    for _ in 0..1000 {
        Solver::of(&Formula::between(0, &v(0), 5)).check(&[], &budget);
    }
    println!("a new solver and a check: {:?}", start.elapsed() / 1000);
    let mut solver = Solver::of(&Formula::between(0, &v(0), 5));
    let start = Instant::now();
    for i in 0..1000 {
        solver.refutes(&Formula::eq(&v(0), &n(i % 10)), &budget);
    }
    println!("a check in a solver: {:?}", start.elapsed() / 1000);
    let start = Instant::now();
    for i in 0..1000 {
        solver.check(&[Formula::eq(&v(0), &n(i % 10)), Formula::le(&v(1), &v(0))], &budget);
    }
    println!("a check with two assumptions: {:?}", start.elapsed() / 1000);
}

/// A chain of guarded updates, as the environments of threads are: x_i is x_{i+1} added or not, in rounds.
fn chain(length: u32) -> Formula {
    let var = |step: u32, at: u32| v(step * length + at);
    let mut parts: Vec<Formula> = (0..length).map(|at| Formula::eq(&var(0, at), &n(1))).collect();
    for step in 0..2 * length {
        let moves = (0..length).map(|mover| {
            Formula::and((0..length).map(|at| {
                let old = var(step, at);
                let new = if at == mover { old.plus(&var(step, (at + 1) % length)) } else { old };
                Formula::eq(&var(step + 1, at), &new)
            }))
        });
        parts.push(Formula::or(moves));
    }
    Formula::and(parts)
}

fn maxima() {
    for length in 2..5 {
        let mut solver = Solver::of(&chain(length));
        let last = v(2 * length * length);
        let start = Instant::now();
        let found = solver.maximise(&last, &Budget::new(Some(Duration::from_secs(30)), None));
        println!("maximum over {} steps of {length} variables: {found:?} in {:?}", 2 * length, start.elapsed());
    }
}

fn projections() {
    for length in 2..5 {
        let formula = chain(length);
        let first = 2 * length * length;
        let start = Instant::now();
        let budget = Budget::new(Some(Duration::from_secs(30)), None);
        let found = project(&formula, &|var| var.0 >= first, &budget);
        let size = found.as_ref().map(Formula::size);
        println!(
            "projection of {} steps of {length} variables to the last: size {size:?} in {:?}",
            2 * length,
            start.elapsed()
        );
        if let Some(found) = found {
            let start = Instant::now();
            let simple = simplify(&found, &Formula::True, &budget);
            println!("  simplified: size {} in {:?}", simple.size(), start.elapsed());
        }
    }
}

/// Two threads add to each other's variable so many times; the largest Fibonacci number is not passed.
fn fib(rounds: i128) -> Horn {
    let thread = |own: usize| {
        let sum = v(own as u32).plus(&v(1 - own as u32));
        let count = v(own as u32 + 2);
        vec![Edge {
            from: 0,
            to: 0,
            guard: Formula::lt(&count, &n(rounds)),
            update: vec![(own, sum), (own + 2, count.plus_constant(1))],
        }]
    };
    let mut limit = (1, 1);
    for _ in 0..2 * rounds {
        limit = (limit.1, limit.0 + limit.1);
    }
    product(4, vec![n(1), n(1), n(0), n(0)], &[thread(0), thread(1)], &|_| {
        Formula::or([Formula::lt(&n(limit.1), &v(0)), Formula::lt(&n(limit.1), &v(1))])
    })
}

fn locked() -> Horn {
    // lock, counter, copies of the two threads
    let thread = |own: usize| {
        let copy = own + 2;
        vec![
            Edge { from: 0, to: 1, guard: Formula::eq(&v(0), &n(0)), update: vec![(0, n(1))] },
            Edge { from: 1, to: 2, guard: Formula::True, update: vec![(copy, v(1))] },
            Edge { from: 2, to: 3, guard: Formula::True, update: vec![(1, v(copy as u32).plus_constant(1))] },
            Edge { from: 3, to: 4, guard: Formula::True, update: vec![(0, n(0))] },
        ]
    };
    product(4, vec![n(0), n(0), n(0), n(0)], &[thread(0), thread(1)], &|at| match at {
        [4, 4] => Formula::ne(&v(1), &n(2)),
        _ => Formula::False,
    })
}
