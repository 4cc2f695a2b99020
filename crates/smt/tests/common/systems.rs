//! Horn systems of small programs, for the tests and for measuring.

use formula::{Formula, Linear, Var};
use smt::{Application, Horn, Predicate};

pub fn v(number: u32) -> Linear {
    Linear::var(Var(number))
}
pub fn n(value: i128) -> Linear {
    Linear::constant(value)
}

/// x and y start at 0; x counts to the end, y by so much each time; at the end it must not be `bad`.
pub fn counter(end: i128, by: i128, bad: Formula) -> Horn {
    let mut horn = Horn::new();
    let at = horn.add_predicate("loop", 2);
    horn.add_rule(Some(Application::new(at, [n(0), n(0)])), None, Formula::True);
    let state = || Some(Application::new(at, [v(0), v(1)]));
    let next = Application::new(at, [v(0).plus_constant(1), v(1).plus_constant(by)]);
    horn.add_rule(Some(next), state(), Formula::lt(&v(0), &n(end)));
    horn.add_rule(None, state(), Formula::and([Formula::eq(&v(0), &n(end)), bad]));
    horn
}

/// Threads as lists of steps between locations; the product has a predicate for each tuple of locations.
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub guard: Formula,
    pub update: Vec<(usize, Linear)>,
}

pub fn product(vars: usize, initial: Vec<Linear>, threads: &[Vec<Edge>], bad: &dyn Fn(&[usize]) -> Formula) -> Horn {
    let mut horn = Horn::new();
    let sizes: Vec<usize> =
        threads.iter().map(|edges| edges.iter().map(|edge| edge.from.max(edge.to) + 1).max().unwrap_or(1)).collect();
    let count: usize = sizes.iter().product();
    let predicates: Vec<Predicate> = (0..count).map(|at| horn.add_predicate(format!("at{at}"), vars)).collect();
    let state: Vec<Linear> = (0..vars as u32).map(v).collect();
    horn.add_rule(Some(Application::new(predicates[0], initial)), None, Formula::True);
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
        let body = || Some(Application::new(predicates[at], state.clone()));
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

/// Peterson's algorithm over two flags and the turn, with what a thread waits for.
pub fn peterson(wait: impl Fn(usize) -> Formula) -> Horn {
    let thread = |own: usize| {
        let other = 1 - own;
        vec![
            Edge { from: 0, to: 1, guard: Formula::True, update: vec![(own, n(1))] },
            Edge { from: 1, to: 2, guard: Formula::True, update: vec![(2, n(other as i128))] },
            Edge { from: 2, to: 3, guard: wait(own), update: vec![] },
            Edge { from: 3, to: 0, guard: Formula::True, update: vec![(own, n(0))] },
        ]
    };
    product(3, vec![n(0), n(0), n(0)], &[thread(0), thread(1)], &|at| Formula::of(at == [3, 3]))
}

/// The other does not want to, or it is this one's turn.
pub fn may_enter(own: usize) -> Formula {
    Formula::or([Formula::eq(&v(1 - own as u32), &n(0)), Formula::eq(&v(2), &n(own as i128))])
}
