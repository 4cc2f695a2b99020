//! The theory of order against brute force: all assignments of the literals tried, each graph looked at.

mod common;

use base::{Budget, Rng};
use common::{Clause, holds, random_clause, with_sign};
use logic::{Answer, Lit, Solver};

/// An edge with the literal it depends on.
type Edge = (Option<(usize, bool)>, usize, usize);

fn acyclic(nodes: usize, edges: &[(usize, usize)]) -> bool {
    let mut left: Vec<usize> = (0..nodes).collect();
    loop {
        let before = left.len();
        let snapshot = left.clone();
        left.retain(|&node| edges.iter().any(|&(from, to)| to == node && snapshot.contains(&from)));
        if left.is_empty() {
            return true;
        }
        if left.len() == before {
            return false;
        }
    }
}

fn present(edges: &[Edge], assignment: u32) -> Vec<(usize, usize)> {
    let there = |condition: &Option<(usize, bool)>| {
        condition.is_none_or(|(variable, sign)| (assignment >> variable & 1 == 1) == sign)
    };
    edges.iter().filter(|(condition, ..)| there(condition)).map(|&(_, from, to)| (from, to)).collect()
}

/// One solver through several rounds, in each of which nodes, edges and clauses are added; all models counted.
fn check(seed: u64) {
    let mut random = Rng::new(seed);
    let mut solver = Solver::new();
    let variables = 4 + random.below(5);
    let lits: Vec<Lit> = (0..variables).map(|_| solver.fresh()).collect();
    let mut nodes = solver.order_nodes(3).len();
    let mut edges: Vec<Edge> = Vec::new();
    let mut clauses: Vec<Clause> = Vec::new();
    for round in 0..4 {
        nodes += solver.order_nodes(random.below(3)).len();
        for _ in 0..2 + random.below(6) {
            let (from, to) = (random.below(nodes), random.below(nodes));
            if from == to && !random.one_in(10) {
                continue;
            }
            let variable = random.below(variables);
            match random.below(8) {
                0 => {
                    solver.order_edge(from, to);
                    edges.push((None, from, to));
                }
                1..4 => {
                    // Either before or after.
                    solver.order_edge_if(lits[variable], from, to);
                    solver.order_edge_if(!lits[variable], to, from);
                    edges.push((Some((variable, true)), from, to));
                    edges.push((Some((variable, false)), to, from));
                }
                _ => {
                    let sign = random.one_in(2);
                    solver.order_edge_if(with_sign(lits[variable], sign), from, to);
                    edges.push((Some((variable, sign)), from, to));
                }
            }
        }
        for _ in 0..random.below(4) {
            let length = 1 + random.below(3);
            clauses.push(random_clause(&mut random, length, &lits, &mut solver));
        }
        let mut expected: Vec<u32> = (0..1u32 << variables)
            .filter(|&assignment| holds(&clauses, assignment) && acyclic(nodes, &present(&edges, assignment)))
            .collect();
        // All models, each one excluded by a clause that counts in this round only.
        let active = solver.fresh();
        let mut found = Vec::new();
        loop {
            match solver.solve(&[active], &Budget::unlimited()) {
                Answer::Unsatisfiable => break,
                Answer::Spent(spent) => panic!("{spent:?} of an unlimited budget"),
                Answer::Satisfiable => {
                    let model = (0..variables).fold(0, |sum, v| sum | u32::from(solver.value(lits[v])) << v);
                    let order = solver.order();
                    let mut place = vec![usize::MAX; nodes];
                    for (position, &node) in order.iter().enumerate() {
                        place[node] = position;
                    }
                    for (from, to) in present(&edges, model) {
                        assert!(place[from] < place[to], "seed {seed} round {round}: {from} is not before {to}");
                    }
                    let mut other: Vec<Lit> = (0..variables).map(|v| with_sign(lits[v], model >> v & 1 == 0)).collect();
                    other.push(!active);
                    solver.clause(&other);
                    found.push(model);
                }
            }
        }
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "seed {seed} round {round}");
    }
}

#[test]
fn models_are_those_with_acyclic_graphs() {
    for seed in 0..400 {
        check(seed);
    }
}

/// Permutations of `n` things by pairwise literals: n! models exist, and a cycle of three is refused.
#[test]
fn pairwise_literals_make_a_total_order() {
    let n = 30;
    let mut solver = Solver::new();
    let mut random = Rng::new(7);
    let nodes = solver.order_nodes(n);
    let mut before = vec![vec![Lit::FALSE; n]; n];
    for (i, j) in nodes.clone().flat_map(|i| (i + 1..n).map(move |j| (i, j))) {
        let lit = solver.fresh();
        solver.order_edge_if(lit, i, j);
        solver.order_edge_if(!lit, j, i);
        (before[i][j], before[j][i]) = (lit, !lit);
    }
    assert_eq!(
        solver.solve(&[before[3][9], before[9][17], before[17][3]], &Budget::unlimited()),
        Answer::Unsatisfiable
    );
    // A hidden permutation, told by neighbours only, is found as a whole.
    let mut hidden: Vec<usize> = nodes.collect();
    for i in (1..n).rev() {
        hidden.swap(i, random.below(i + 1));
    }
    let assumptions: Vec<Lit> = hidden.windows(2).map(|pair| before[pair[0]][pair[1]]).collect();
    assert_eq!(solver.solve(&assumptions, &Budget::unlimited()), Answer::Satisfiable);
    assert_eq!(solver.order(), hidden);
}

/// Edges on literals that the solver has worked with before, and may have eliminated.
#[test]
fn edges_may_come_after_the_literal_was_solved() {
    for seed in 0..30 {
        let mut random = Rng::new(seed);
        let mut solver = Solver::new();
        let lits: Vec<Lit> = (0..40).map(|_| solver.fresh()).collect();
        for _ in 0..150 {
            random_clause(&mut random, 3, &lits, &mut solver);
        }
        if solver.solve(&[], &Budget::unlimited()) != Answer::Satisfiable {
            continue;
        }
        solver.order_nodes(3);
        for (i, &lit) in lits[..3].iter().enumerate() {
            solver.order_edge_if(lit, i, (i + 1) % 3);
        }
        assert_eq!(solver.solve(&lits[..3], &Budget::unlimited()), Answer::Unsatisfiable);
    }
}

/// The theory against clauses that say that an order is transitive, on demands that are hard to meet.
#[test]
fn the_theory_agrees_with_transitivity_in_clauses() {
    let mut answers = [0; 2];
    for seed in 0..60 {
        let mut random = Rng::new(seed);
        let n = 10 + random.below(6);
        let pairs = || (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)));
        let (mut theory, mut clauses) = (Solver::new(), Solver::new());
        theory.order_nodes(n);
        let mut before = [vec![vec![Lit::FALSE; n]; n], vec![vec![Lit::FALSE; n]; n]];
        for (i, j) in pairs() {
            for (solver, before) in [&mut theory, &mut clauses].into_iter().zip(&mut before) {
                let lit = solver.fresh();
                (before[i][j], before[j][i]) = (lit, !lit);
            }
            theory.order_edge_if(before[0][i][j], i, j);
            theory.order_edge_if(before[0][j][i], j, i);
        }
        for (i, j) in pairs() {
            for k in (0..n).filter(|&k| k != i && k != j) {
                let b = &before[1];
                clauses.clause(&[!b[i][j], !b[j][k], b[i][k]]);
                clauses.clause(&[!b[j][i], !b[i][k], b[j][k]]);
            }
        }
        // One is between two others; a few more in each round, until it cannot be.
        for round in 0..12 {
            for _ in 0..n / 3 {
                let (a, b, c) = (random.below(n), random.below(n), random.below(n));
                if a == b || b == c || a == c {
                    continue;
                }
                for (solver, before) in [&mut theory, &mut clauses].into_iter().zip(&before) {
                    solver.clause(&[before[a][b], before[c][b]]);
                    solver.clause(&[before[b][a], before[b][c]]);
                }
            }
            let first = with_sign(before[0][0][1], round % 2 == 0);
            let second = with_sign(before[1][0][1], round % 2 == 0);
            let answer = theory.solve(&[first], &Budget::unlimited());
            assert_eq!(answer, clauses.solve(&[second], &Budget::unlimited()), "seed {seed} round {round}");
            answers[usize::from(answer == Answer::Satisfiable)] += 1;
            if answer == Answer::Satisfiable {
                let order = theory.order();
                let place = |node| order.iter().position(|&other| other == node);
                assert!(pairs().all(|(i, j)| theory.value(before[0][i][j]) == (place(i) < place(j))));
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 100), "{answers:?}: both answers must be tried");
}
