//! Confirms an invariant by the locations of all threads ([`claim::modular::Product`]): it holds at first, every step of every
//! thread keeps it, and wherever it holds nothing has failed.
//!
//! The system is taken for granted, as in `modular`, and so are the solver's answers.

use crate::ensure;
use crate::modular::about_states;
use crate::modular::question::{must_refute, must_refute_where, solver_of};
use crate::modular::scene::{Scene, State};
use base::{Budget, Id};
use claim::modular::Product;
use formula::Formula;
use rustc_hash::FxHashMap;
use system::{Location, System};

/// Shows that no execution of the system sets `failed`.
pub fn check(proof: &Product, system: &System, budget: &Budget) -> Result<(), String> {
    let mut listed: FxHashMap<&[usize], &Formula> = FxHashMap::default();
    for (places, formula) in &proof.states {
        let fits = places.len() == system.threads.len()
            && places.iter().zip(system.threads.values()).all(|(place, thread)| *place < thread.graph.locations.len());
        ensure(fits, "a combination is not one of a location for each thread")?;
        about_states(formula, system, 1)?;
        if listed.insert(places, formula).is_some() {
            return Err(format!("{} is listed twice", shown(system, places)));
        }
    }
    let checker = Checker { system, listed, budget };
    checker.initial()?;
    proof.states.iter().try_for_each(|(places, formula)| checker.closed(places, formula))
}

struct Checker<'p> {
    system: &'p System,
    listed: FxHashMap<&'p [usize], &'p Formula>,
    budget: &'p Budget,
}

impl Checker<'_> {
    fn scene(&self) -> Scene<'_> {
        Scene::new(self.system, (0..self.system.vars.len()).collect())
    }

    fn initial(&self) -> Result<(), String> {
        let places: Vec<usize> = self.system.threads.values().map(|thread| thread.graph.entry.index()).collect();
        let Some(formula) = self.listed.get(places.as_slice()) else {
            return Err("the place where the program starts is not listed".into());
        };
        let mut scene = self.scene();
        let fails = scene.initial().holds(formula).not();
        must_refute(&mut solver_of(&mut scene), &fails, self.budget, || "the invariant does not hold at first".into())
    }

    /// Nothing has failed here, and every step leads to where the invariant holds again.
    fn closed(&self, places: &[usize], formula: &Formula) -> Result<(), String> {
        let mut scene = self.scene();
        let state = self.state_at(&mut scene, places);
        scene.add(state.holds(formula));
        let mut solver = solver_of(&mut scene);
        let safe = Formula::is(&self.system.failed.into(), 0);
        must_refute(&mut solver, &state.holds(&safe).not(), self.budget, || {
            format!("the property can be violated at {}", shown(self.system, places))
        })?;
        for (mover, thread) in self.system.threads.iter() {
            for edge in thread.graph.edges.iter().filter(|edge| edge.from.index() == places[mover.index()]) {
                let mut target = places.to_vec();
                target[mover.index()] = edge.to.index();
                let (possible, after) = scene.step(mover, edge, &state);
                let kept = self.listed.get(target.as_slice()).map_or(Formula::False, |formula| after.holds(formula));
                must_refute_where((&mut scene, &mut solver), &possible, &kept.not(), self.budget, || {
                    let name = |var| self.system.name_in_move(var);
                    let (from, to) = (shown(self.system, places), shown(self.system, &target));
                    format!("a step from {from}, where {}, to {to} does not keep the invariant", formula.display(&name))
                })?;
            }
        }
        Ok(())
    }

    fn state_at(&self, scene: &mut Scene<'_>, places: &[usize]) -> State {
        let threads = self.system.threads.values().zip(places);
        threads.fold(scene.unknown(), |state, (thread, place)| state.with_thread_at(thread.pc, Location::new(*place)))
    }
}

/// A combination of locations in words.
fn shown(system: &System, places: &[usize]) -> String {
    let one = |(thread, place): (&system::Thread, &usize)| {
        format!("{} at {}", thread.name, thread.graph.locations[Location::new(*place)].name)
    };
    system.threads.values().zip(places).map(one).collect::<Vec<_>>().join(", ")
}
