//! Random sequential programs: few variables, small numbers, every kind of statement.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod explore;

use base::Rng;
use checkers::Sequential;
use formula::{Formula, Linear, Var};
use transition::{Edge, Graph, Location, LocationData, Step};

/// A step that does nothing yet.
pub fn step() -> Step {
    Step::default()
}

/// A program with these variables and edges between locations that are numbers; 0 is the entry.
pub fn sequential(vars: &[&str], edges: Vec<(u32, u32, Step, &str)>) -> Sequential {
    let count = edges.iter().map(|(from, to, ..)| from.max(to) + 1).max().unwrap_or(1);
    let notes = edges.iter().map(|(.., note)| note.to_string()).collect();
    let edge = |(from, to, step, _): (u32, u32, Step, &str)| Edge { from: Location(from), to: Location(to), step };
    Sequential {
        vars: vars.iter().enumerate().map(|(var, name)| (Var(var as u32), name.to_string())).collect(),
        graph: Graph {
            locations: (0..count).map(|number| LocationData::named(format!("at_{number}"))).collect(),
            entry: Location(0),
            edges: edges.into_iter().map(edge).collect(),
        },
        notes,
    }
}

/// The values that variables keep to, where a program keeps them.
pub const RANGE: std::ops::Range<i128> = -2..3;

/// A program; without cycles or with some.  Variables stay within the range where it has cycles, so that there are few
/// states.
pub fn program(random: &mut Rng, cyclic: bool) -> Sequential {
    let vars = random.number(1, 3) as u32;
    let nodes = random.number(2, 6) as u32;
    // The range holds at first.
    let at_first = (0..vars).map(Var).fold(step(), |step, var| match random.one_in(2) {
        true => step.assign(var, &Linear::constant(random.number(-2, 2))),
        false => kept(step, var),
    });
    let mut edges = vec![(0, 1, at_first, "at first")];
    for number in 0..random.number(2, 10) {
        let (mut from, mut to) = (random.below(nodes as usize) as u32, random.below(nodes as usize) as u32);
        if !cyclic && from == to {
            to = (to + 1) % nodes;
        }
        if !cyclic && from > to || number == 0 && from > 1 {
            (from, to) = (to, from);
        }
        if number == 0 {
            from = 0;
            to = to.max(1);
        }
        let all = (0..random.number(0, 4)).fold(step(), |step, _| statements(step, random, vars, cyclic));
        edges.push((from + 1, to + 1, all, "an edge"));
    }
    sequential(&["x[0]", "x[1]", "x[2]"][..vars as usize], edges)
}

/// An acyclic program in which several ways lead from each location to the next, and at last to one claim.
pub fn layered(random: &mut Rng) -> Sequential {
    let vars = 3;
    let last = random.number(2, 4) as u32;
    let mut edges = Vec::new();
    for from in 0..last {
        let ends = from + 1 == last;
        let ways = if ends { 1 } else { random.number(1, 3) };
        for _ in 0..ways {
            let mut step = if from == 0 { (0..vars).map(Var).fold(step(), kept) } else { step() };
            for _ in 0..if ends { 1 } else { random.number(1, 3) } {
                let var = Var(random.below(vars as usize) as u32);
                let other = Var(random.below(vars as usize) as u32);
                step = match random.below(5) {
                    0 | 1 if ends => any(step, var),
                    0 | 1 => kept(any(step, var), var).assign(other, &Linear::var(var)),
                    2 => step.assign(var, &Linear::constant(random.number(-2, 2))),
                    3 => step.assign(var, &term(random, vars, 0)),
                    _ => step.assume(&condition(random, vars, 0)),
                };
            }
            if ends {
                step = step.check(&Formula::or([condition(random, vars, 0), condition(random, vars, 0)]));
            }
            edges.push((from, from + 1, step, "a way"));
        }
    }
    sequential(&["x[0]", "x[1]", "x[2]"], edges)
}

pub fn any(step: Step, var: Var) -> Step {
    step.havoc(var, "any".into())
}

fn kept(step: Step, var: Var) -> Step {
    step.assume(&Formula::between(RANGE.start, &Linear::var(var), RANGE.end - 1))
}

fn statements(step: Step, random: &mut Rng, vars: u32, cyclic: bool) -> Step {
    let var = Var(random.below(vars as usize) as u32);
    match random.below(11) {
        // A choice that two variables have.
        9 => {
            let other = Var(random.below(vars as usize) as u32);
            kept(any(step, var), var).assign(other, &Linear::var(var))
        }
        10 => step.assign(var, &Linear::constant(random.number(-2, 2))),
        0..=3 => {
            let assigned = step.assign(var, &term(random, vars, 2));
            if cyclic { kept(assigned, var) } else { assigned }
        }
        4 => kept(any(step, var), var),
        5 | 6 => step.assume(&condition(random, vars, 2)),
        _ => {
            // Mostly true, so that not all programs fail.
            let parts: Vec<Formula> = (0..random.number(1, 4)).map(|_| condition(random, vars, 2)).collect();
            step.check(&Formula::or(parts))
        }
    }
}

fn term(random: &mut Rng, vars: u32, depth: u32) -> Linear {
    let mut sum = Linear::constant(random.number(-2, 2));
    for _ in 0..random.number(0, 2) {
        let part = match (depth, random.below(8)) {
            (1.., 0) => Linear::choice(condition(random, vars, 0), term(random, vars, 0), term(random, vars, 0)),
            (1.., 1) => term(random, vars, 0).floor_div(random.number(2, 3)),
            (1.., 2) => term(random, vars, 0).floor_mod(random.number(2, 3)),
            _ => Linear::var(Var(random.below(vars as usize) as u32)),
        };
        sum = sum.plus_multiple(&part, random.number(-2, 2));
    }
    sum
}

fn condition(random: &mut Rng, vars: u32, depth: u32) -> Formula {
    let (a, b) = (term(random, vars, depth.min(1)), term(random, vars, 0));
    match (depth, random.below(9)) {
        (1.., 0) => Formula::and([condition(random, vars, depth - 1), condition(random, vars, depth - 1)]),
        (1.., 1) => Formula::or([condition(random, vars, depth - 1), condition(random, vars, depth - 1)]),
        (_, 2 | 3) => Formula::eq(&a, &b),
        (_, 4) => Formula::ne(&a, &b),
        (_, 5) => Formula::divides(random.number(2, 3), a),
        (_, 6) => Formula::divides(random.number(2, 3), a).not(),
        _ => Formula::le(&a, &b),
    }
}
