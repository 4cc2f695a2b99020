//! A thread with cycles is proved by invariants at its locations, each step of which is checked.

use super::question::{Question, must_refute, must_refute_where, solver_of};
use super::scene::{Scene, State};
use crate::ensure;
use base::{Budget, Id};
use claim::modular::Invariants;
use formula::Formula;
use smt::Solver;
use system::Location;

pub fn check(question: &Question<'_>, invariants: &Invariants, budget: &Budget) -> Result<(), String> {
    let locations = question.system.threads[question.graph.thread].graph.locations.len();
    let before_fits = !question.anywhere || invariants.before.len() == locations;
    let fits = before_fits && invariants.during.len() == locations;
    ensure(fits, "its invariants are not those of the locations of the thread")?;
    first(question, invariants, budget)?;
    for &location in &question.graph.order {
        if question.anywhere {
            before(question, invariants, location, budget)?;
        }
        during(question, invariants, location, budget)?;
    }
    Ok(())
}

/// At first the invariant of the entry holds.
fn first(question: &Question<'_>, invariants: &Invariants, budget: &Budget) -> Result<(), String> {
    let mut scene = question.scene();
    let state = scene.initial();
    let entry = question.graph.entry.index();
    let holds = match question.anywhere {
        true => state.holds(&invariants.before[entry]),
        false => state.since(&state, &invariants.during[entry]),
    };
    must_refute(&mut solver_of(&mut scene), &holds.not(), budget, || "its invariant does not hold at first".into())
}

/// Before the computation has started: where the thread goes from here, and the start.
fn before(question: &Question<'_>, invariants: &Invariants, location: Location, budget: &Budget) -> Result<(), String> {
    let mut scene = question.scene();
    let arrived = scene.anywhere(question.graph.thread, location);
    scene.add(arrived.holds(&invariants.before[location.index()]));
    let (known, state) = question.interference(&mut scene, location, &arrived);
    scene.add(known);
    let mut solver = solver_of(&mut scene);
    let started = state.since(&state, &invariants.during[location.index()]);
    must_refute(&mut solver, &started.not(), budget, || {
        format!("its invariant need not hold when the computation starts with {}", question.place(location))
    })?;
    let kept = |after: &State, to: Location| after.holds(&invariants.before[to.index()]);
    steps_keep(question, (&mut scene, &mut solver), location, &state, kept, "its invariant before the start", budget)
}

/// After the start: the environment moves, then the goal holds, then the thread goes on.
fn during(question: &Question<'_>, invariants: &Invariants, location: Location, budget: &Budget) -> Result<(), String> {
    let mut scene = question.scene();
    let start = scene.unknown();
    let arrived = scene.anywhere(question.graph.thread, location);
    scene.add(arrived.since(&start, &invariants.during[location.index()]));
    let (known, state) = question.environment_move(&mut scene, location, &arrived);
    scene.add(known);
    let mut solver = solver_of(&mut scene);
    let reached = state.since(&start, &question.goal);
    must_refute(&mut solver, &reached.not(), budget, || format!("it need not hold with {}", question.place(location)))?;
    let kept = |after: &State, to: Location| after.since(&start, &invariants.during[to.index()]);
    steps_keep(question, (&mut scene, &mut solver), location, &state, kept, "its invariant", budget)
}

/// Whichever edge the thread takes from the location in the state, what is kept holds after it.
fn steps_keep(
    question: &Question<'_>,
    (scene, solver): (&mut Scene<'_>, &mut Solver),
    location: Location,
    state: &State,
    kept: impl Fn(&State, Location) -> Formula,
    what: &str,
    budget: &Budget,
) -> Result<(), String> {
    question.graph.leaving[location].iter().try_for_each(|edge| {
        let (possible, after) = scene.step(question.graph.thread, edge, state);
        must_refute_where((scene, solver), &possible, &kept(&after, edge.to).not(), budget, || {
            format!("{what} is not kept by the step to {}", question.place(edge.to))
        })
    })
}
