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
    // What comes before the computation.
    let visits = visits(question, &mut scene, entry, initial, |scene, location, arrived| {
        question.interference(scene, location, arrived)
    });
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

/// The computation starts at the location in the state.
fn from_start(
    question: &Question<'_>,
    scene: &mut Scene<'_>,
    solver: &mut Solver,
    start: Location,
    state: State,
    budget: &Budget,
) -> Result<(), String> {
    let visits = visits(question, scene, start, state.clone(), |scene, location, arrived| {
        question.environment_move(scene, location, arrived)
    });
    let violated = visits
        .into_iter()
        .map(|(_, visited, after)| Formula::and([visited, after.since(&state, &question.goal).not()]));
    let violated = Formula::or(violated);
    assert_facts(solver, scene);
    must_refute(solver, &violated, budget, || match question.anywhere {
        true => format!("a computation that starts with {} can violate it", question.place(start)),
        false => "it can be violated".to_string(),
    })
}

/// For each location that can be visited from the start the condition under which it is, and the state after the others have
/// moved there.
fn visits<'s>(
    question: &Question<'_>,
    scene: &mut Scene<'s>,
    start: Location,
    state: State,
    others_move: impl Fn(&mut Scene<'s>, Location, &State) -> (Formula, State),
) -> Vec<(Location, Formula, State)> {
    let thread = question.graph.thread;
    let mut ways = vec![Vec::new(); question.system.threads[thread].graph.locations.len()];
    ways[start.index()].push((Formula::True, state));
    let mut visits = Vec::new();
    for &location in &question.graph.order {
        let ways_here = std::mem::take(&mut ways[location.index()]);
        if ways_here.is_empty() {
            continue;
        }
        let (visited, arrived) = scene.joined(ways_here);
        let (known, state) = others_move(scene, location, &arrived);
        scene.add(visited.clone().implies(known));
        for edge in &question.graph.leaving[location] {
            let (possible, after) = scene.step(thread, edge, &state);
            if possible != Formula::False {
                ways[edge.to.index()].push((Formula::and([visited.clone(), possible]), after));
            }
        }
        visits.push((location, visited, state));
    }
    visits
}
