//! How long typical questions take: `cargo run --release -p smt --example smt_speed`.

use base::Budget;
use formula::{Formula, Linear, Var};
use smt::{Application, Horn, HornAnswer, HornOptions, Predicate, Solver, project, simplify};
use std::time::{Duration, Instant};

fn main() {
    small_questions();
    maxima();
    projections();
    for (name, horn) in [
        ("counter to 100", counter(100)),
        ("two counters to 1000", counter(1000)),
        ("Peterson", peterson()),
        ("fib3", fib(3)),
        ("locked increment", locked()),
    ] {
        for global in [false, true] {
            let start = Instant::now();
            let budget = Budget::new(Some(Duration::from_secs(20)), None);
            let answer = match horn.solve(&HornOptions { global, seed: 0 }, &budget) {
                HornAnswer::Safe(_) => "safe".to_string(),
                HornAnswer::Unsafe(derivation) => format!("unsafe in {} steps", derivation.steps.len()),
                HornAnswer::Unknown(why) => format!("unknown: {why}"),
            };
            println!("{name}, global {global}: {answer} in {:?}", start.elapsed());
        }
    }
}

fn v(number: u32) -> Linear {
    Linear::var(Var(number))
}
fn n(value: i128) -> Linear {
    Linear::constant(value)
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
    let mut parts = vec![];
    for at in 0..length {
        parts.push(Formula::eq(&var(0, at), &n(1)));
    }
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

fn counter(end: i128) -> Horn {
    let mut horn = Horn::new();
    let at = horn.add_predicate("loop", 2);
    horn.add_rule(Some(Application::new(at, [n(0), n(0)])), vec![], Formula::True);
    let state = || vec![Application::new(at, [v(0), v(1)])];
    let next = Application::new(at, [v(0).plus_constant(1), v(1).plus_constant(1)]);
    horn.add_rule(Some(next), state(), Formula::lt(&v(0), &n(end)));
    horn.add_rule(None, state(), Formula::and([Formula::eq(&v(0), &n(end)), Formula::ne(&v(1), &n(end))]));
    horn
}

/// Threads as lists of steps between locations; the product has a predicate for each tuple of locations.
struct Edge {
    from: usize,
    to: usize,
    guard: Formula,
    update: Vec<(usize, Linear)>,
}

fn product(vars: usize, initial: Vec<Linear>, threads: &[Vec<Edge>], bad: &dyn Fn(&[usize]) -> Formula) -> Horn {
    let mut horn = Horn::new();
    let sizes: Vec<usize> =
        threads.iter().map(|edges| edges.iter().map(|edge| edge.from.max(edge.to) + 1).max().unwrap_or(1)).collect();
    let count: usize = sizes.iter().product();
    let predicates: Vec<Predicate> = (0..count).map(|at| horn.add_predicate(format!("at{at}"), vars)).collect();
    let state: Vec<Linear> = (0..vars as u32).map(v).collect();
    horn.add_rule(Some(Application::new(predicates[0], initial)), vec![], Formula::True);
    for at in 0..count {
        let mut rest = at;
        let locations: Vec<usize> = sizes
            .iter()
            .map(|size| {
                let location = rest % size;
                rest /= size;
                location
            })
            .collect();
        let body = || vec![Application::new(predicates[at], state.clone())];
        let mut weight = 1;
        for (thread, edges) in threads.iter().enumerate() {
            for edge in edges.iter().filter(|edge| edge.from == locations[thread]) {
                let next = at - edge.from * weight + edge.to * weight;
                let mut after = state.clone();
                edge.update.iter().for_each(|(var, term)| after[*var] = term.clone());
                horn.add_rule(Some(Application::new(predicates[next], after)), body(), edge.guard.clone());
            }
            weight *= sizes[thread];
        }
        let bad = bad(&locations);
        if bad != Formula::False {
            horn.add_rule(None, body(), bad);
        }
    }
    horn
}

fn peterson() -> Horn {
    let thread = |own: usize| {
        let other = 1 - own;
        let wait = Formula::or([Formula::eq(&v(other as u32), &n(0)), Formula::eq(&v(2), &n(own as i128))]);
        vec![
            Edge { from: 0, to: 1, guard: Formula::True, update: vec![(own, n(1))] },
            Edge { from: 1, to: 2, guard: Formula::True, update: vec![(2, n(other as i128))] },
            Edge { from: 2, to: 3, guard: wait, update: vec![] },
            Edge { from: 3, to: 0, guard: Formula::True, update: vec![(own, n(0))] },
        ]
    };
    product(3, vec![n(0), n(0), n(0)], &[thread(0), thread(1)], &|at| Formula::of(at == [3, 3]))
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
