//! A thread without cycles is followed to its end, for each place where the computation in question may start.
//!
//! Every location is visited at most once, so that one moment for each of them is enough.  A location is visited only if an
//! edge to it was taken from one that was: read backwards from the end, the formula is a path.

use super::question::{Question, assert_facts, must_refute};
use super::scene::{Scene, State};
use base::{Budget, Id};
use formula::Formula;
use smt::Solver;
use system::Location;

pub fn check(question: &Question<'_>, budget: &Budget) -> Result<(), String> {
    let mut scene = question.scene();
    let initial = scene.initial();
    let mut solver = Solver::new();
    let entry = question.graph.entry;
    if !question.anywhere {
        assert_facts(&mut solver, &mut scene);
        return from_start(question, &mut scene, &mut solver, entry, initial, budget);
    }
    let visits = prefix(question, &mut scene, initial);
    assert_facts(&mut solver, &mut scene);
    for (location, visited, state) in visits {
        solver.push();
        solver.assert(&visited);
        let found = from_start(question, &mut scene, &mut solver, location, state, budget);
        solver.pop();
        found?;
    }
    Ok(())
}

/// What comes before the computation: for each location that can be visited the condition under which it is, and the state
/// after the others have moved.
fn prefix(question: &Question<'_>, scene: &mut Scene<'_>, initial: State) -> Vec<(Location, Formula, State)> {
    let mut ways = vec![Vec::new(); question.system.threads[question.graph.thread].graph.locations.len()];
    ways[question.graph.entry.index()].push((Formula::True, initial));
    let mut visits = Vec::new();
    for &location in &question.graph.order {
        let ways_here = std::mem::take(&mut ways[location.index()]);
        if ways_here.is_empty() {
            continue;
        }
        let (visited, arrived) = scene.joined(ways_here);
        let (known, after) = question.interference(scene, location, &arrived);
        scene.add(visited.clone().implies(known));
        leave(question, scene, location, &visited, &after, &mut ways);
        visits.push((location, visited, after));
    }
    visits
}

/// The computation starts at the location in the state.
fn from_start(
    question: &Question<'_>,
    scene: &mut Scene<'_>,
    solver: &mut Solver,
    start: Location,
    state: State,
    budget: &Budget,
) -> Result<(), String> {
    let mut ways = vec![Vec::new(); question.system.threads[question.graph.thread].graph.locations.len()];
    ways[start.index()].push((Formula::True, state.clone()));
    let mut violated = Vec::new();
    for &location in &question.graph.order {
        let ways_here = std::mem::take(&mut ways[location.index()]);
        if ways_here.is_empty() {
            continue;
        }
        let (visited, arrived) = scene.joined(ways_here);
        let (known, after) = question.environment_move(scene, location, &arrived);
        scene.add(visited.clone().implies(known));
        violated.push(Formula::and([visited.clone(), after.since(&state, &question.goal).not()]));
        leave(question, scene, location, &visited, &after, &mut ways);
    }
    assert_facts(solver, scene);
    let what = || match question.anywhere {
        true => format!("a computation that starts with {} can violate it", question.place(start)),
        false => "it can be violated".to_string(),
    };
    must_refute(solver, &Formula::or(violated), budget, what)
}

/// The edges that leave the location.
fn leave(
    question: &Question<'_>,
    scene: &mut Scene<'_>,
    location: Location,
    visited: &Formula,
    state: &State,
    ways: &mut [Vec<(Formula, State)>],
) {
    for edge in question.graph.leaving(location) {
        let (possible, after) = scene.step(question.graph.thread, edge, state);
        if possible != Formula::False {
            ways[edge.to.index()].push((Formula::and([visited.clone(), possible]), after));
        }
    }
}
