//! How fast terms are made, blasted and solved: `cargo run --release -p logic --example logic_speed`.

use base::{Budget, Rng};
use logic::{Lit, Solver, Term, Terms};
use std::time::Instant;

/// A made-up program: variables that are assigned under conditions, as an unrolled program does.
fn program(terms: &mut Terms, steps: u32) -> Term {
    let mut random = Rng::new(1);
    let mut next = |below: usize| random.below(below);
    let mut values: Vec<Term> = (0..16).map(|_| terms.variable(32, "x")).collect();
    let mut failed = terms.bool(false);
    for _ in 0..steps {
        let (a, b) = (values[next(16)], values[next(16)]);
        let constant = terms.constant(32, next(50) as u128);
        let (sum, less) = (terms.add(a, constant), terms.slt(a, b));
        let (same, both) = (terms.eq(b, constant), terms.and(a, b));
        let guard = terms.or(less, same);
        let result = if next(4) == 0 { both } else { sum };
        let target = next(16);
        values[target] = terms.ite(guard, result, values[target]);
        let bad = terms.eq(values[target], a);
        let here = terms.and(bad, same);
        failed = terms.or(failed, here);
    }
    failed
}

fn rate(count: usize, start: Instant) -> f64 {
    count as f64 / start.elapsed().as_secs_f64() / 1e6
}

fn main() {
    let steps = 20_000;
    let start = Instant::now();
    let mut terms = Terms::new();
    let root = program(&mut terms, steps);
    println!("terms: {} kept, {:.1} million constructions/s", terms.len(), rate(steps as usize * 10, start));
    let start = Instant::now();
    terms.evaluate(root, &mut |variable| u128::from(variable.index() as u32) * 77);
    println!("evaluated in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    let start = Instant::now();
    let mut solver = Solver::new();
    let lit = solver.literal(&terms, root);
    let gates = solver.statistics().gates;
    let blasted = start.elapsed();
    solver.clause(&[lit]);
    let statistics = solver.statistics();
    println!(
        "blasted in {:.0} ms: {gates} gates; clauses in {:.0} ms: {} variables, {} clauses",
        blasted.as_secs_f64() * 1e3,
        (start.elapsed() - blasted).as_secs_f64() * 1e3,
        statistics.variables,
        statistics.clauses
    );
    drop(solver);
    solve_product(20);
    solve_order(60);
}

/// A hard little problem: the factors of a product.
fn solve_product(width: u32) {
    let mut terms = Terms::new();
    let mut solver = Solver::new();
    let (x, y) = (terms.variable(width, "x"), terms.variable(width, "y"));
    let (wide_x, wide_y) = (terms.zext(x, 2 * width), terms.zext(y, 2 * width));
    let product = terms.mul(wide_x, wide_y);
    let target = terms.constant(2 * width, 1_000_003 * 786_433);
    let one = terms.constant(width, 1);
    let same = terms.eq(product, target);
    let (above_x, above_y) = (terms.ult(one, x), terms.ult(one, y));
    let all = terms.all(&[same, above_x, above_y]);
    solver.assert(&terms, all);
    let start = Instant::now();
    let answer = solver.solve(&[], &Budget::unlimited());
    let conflicts = solver.statistics().conflicts;
    println!("factors of {width} bits: {answer:?} in {:.2} s, {conflicts} conflicts", start.elapsed().as_secs_f64());
}

/// Total orders of `n` things, with random demands that nearly contradict each other.
fn solve_order(n: usize) {
    let mut solver = Solver::new();
    solver.order_nodes(n);
    let mut before = vec![vec![Lit::FALSE; n]; n];
    for (i, j) in (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
        let lit = solver.fresh();
        solver.order_edge_if(lit, i, j);
        solver.order_edge_if(!lit, j, i);
        (before[i][j], before[j][i]) = (lit, !lit);
    }
    let mut random = Rng::new(5);
    // Betweenness: b between a and c.
    for _ in 0..n * 3 / 2 {
        let [a, b, c] = [0; 3].map(|_| random.below(n));
        if a != b && b != c && a != c {
            solver.clause(&[before[a][b], before[c][b]]);
            solver.clause(&[before[b][a], before[b][c]]);
        }
    }
    let start = Instant::now();
    let answer = solver.solve(&[], &Budget::unlimited());
    let conflicts = solver.statistics().conflicts;
    println!("orders of {n} things: {answer:?} in {:.2} s, {conflicts} conflicts", start.elapsed().as_secs_f64());
}
