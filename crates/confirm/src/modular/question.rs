//! What is asked about one thread: whether a relation holds of all computations of it and of its environment.

use super::graph::Graph;
use super::scene::{Scene, Set, State};
use base::{Budget, Id, IdVec};
use claim::modular::{Invariants, Modular};
use formula::{Formula, Var};
use smt::Solver;
use system::{Location, System};

/// One thread, what is known of the others, and the relation in question.
pub struct Question<'p> {
    pub system: &'p System,
    pub proof: &'p Modular,
    pub graph: Graph<'p>,
    /// By location of the thread: what any other thread may write meanwhile, what the environment may, what the threads above.
    pub others: IdVec<Location, Set>,
    pub environment: IdVec<Location, Set>,
    pub above: IdVec<Location, Set>,
    /// What holds in every state that can be reached.
    pub always: Vec<Formula>,
    /// What holds between the first and the last state of every computation of the environment, and whether it is transitive.
    pub moves: Vec<(Formula, bool)>,
    /// Between the start of the computation and where it has come.
    pub goal: Formula,
    pub invariants: Option<&'p Invariants>,
    /// The computation starts in any state that can be reached, not only in the first one.
    pub anywhere: bool,
}

impl<'p> Question<'p> {
    pub fn scene(&self) -> Scene<'p> {
        Scene::new(self.system, self.matters())
    }

    /// The variables that the answer may depend on.
    fn matters(&self) -> Set {
        let count = self.system.vars.len();
        let mut also = Set::new();
        let mut mark = |formula: &Formula| formula.visit_vars(&mut |var| _ = also.insert(var.index() % count));
        mark(&self.goal);
        self.always.iter().chain(self.moves.iter().map(|(relation, _)| relation)).for_each(&mut mark);
        if let Some(invariants) = self.invariants {
            invariants.before.iter().chain(&invariants.during).for_each(&mut mark);
        }
        let also: Vec<Var> = also.iter().map(Var::new).collect();
        let edges = self.graph.order.iter().flat_map(|location| &self.graph.leaving[*location]).copied();
        let matters = transition::that_matter(edges, &also).into_iter().filter(|var| var.as_input().is_none());
        matters.map(Var::index).collect()
    }

    /// What is known of any state that can be reached in which the thread is at the location.
    fn known(&self, scene: &Scene<'_>, location: Location, state: &State) -> Vec<Formula> {
        let mut known: Vec<Formula> = self.always.iter().map(|formula| state.holds(formula)).collect();
        if let Some(by_location) = self.proof.ranges.get(self.graph.thread.index()) {
            let ranges = by_location[location.index()].iter().flatten().enumerate();
            let wanted = ranges.map(|(var, range)| (Var::new(var), range)).filter(|(var, _)| scene.wanted(*var));
            known.extend(wanted.map(|(var, range)| Formula::within(*range, state.value(var))));
        }
        known
    }

    /// The others move before the computation has started: the state after that, and what is known of it.
    pub fn interference(&self, scene: &mut Scene<'_>, location: Location, state: &State) -> (Formula, State) {
        let after = scene.disturbed(state, &self.others[location]);
        let mut known = self.known(scene, location, &after);
        let transitive = self.moves.iter().filter(|(_, transitive)| *transitive).map(|(relation, _)| relation);
        let stable = transitive.filter(|relation| self.is_undisturbed(relation, location));
        known.extend(stable.map(|relation| after.since(state, relation)));
        (Formula::and(known), after)
    }
    /// No thread above the level writes what the relation mentions while the thread is at the location.
    fn is_undisturbed(&self, relation: &Formula, location: Location) -> bool {
        let (above, count) = (&self.above[location], self.system.vars.len());
        !relation.vars().iter().any(|var| above.contains(var.index() % count))
    }
    /// The environment moves.
    pub fn environment_move(&self, scene: &mut Scene<'_>, location: Location, state: &State) -> (Formula, State) {
        let after = scene.disturbed(state, &self.environment[location]);
        let mut known = self.known(scene, location, &after);
        known.extend(self.moves.iter().map(|(relation, _)| after.since(state, relation)));
        (Formula::and(known), after)
    }

    pub fn place(&self, location: Location) -> String {
        let thread = &self.system.threads[self.graph.thread];
        format!("{} at {}", thread.name, thread.graph.locations[location].name)
    }
}

/// Hands over what holds of the terms that were made.
pub fn assert_facts(solver: &mut Solver, scene: &mut Scene<'_>) {
    scene.take_facts().iter().for_each(|fact| solver.assert(fact));
}

/// A solver that knows what holds of the terms that were made.
pub fn solver_of(scene: &mut Scene<'_>) -> Solver {
    let mut solver = Solver::new();
    assert_facts(&mut solver, scene);
    solver
}

/// The formula must contradict what is asserted; `what` says what is the case otherwise.
pub fn must_refute(
    solver: &mut Solver,
    formula: &Formula,
    budget: &Budget,
    what: impl FnOnce() -> String,
) -> Result<(), String> {
    match solver.refutes(formula, budget) {
        Some(true) => Ok(()),
        Some(false) => Err(what()),
        None => Err("could not be re-established: the solver has no answer".into()),
    }
}

/// The same where the condition holds, with what has been made in the meantime.
pub fn must_refute_where(
    (scene, solver): (&mut Scene<'_>, &mut Solver),
    condition: &Formula,
    formula: &Formula,
    budget: &Budget,
    what: impl FnOnce() -> String,
) -> Result<(), String> {
    solver.push();
    assert_facts(solver, scene);
    solver.assert(condition);
    let found = must_refute(solver, formula, budget, what);
    solver.pop();
    found
}
