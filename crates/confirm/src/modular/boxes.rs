//! The ranges of a proof: whenever a thread is at a location, each variable lies within the range stated there.
//!
//! All of them are shown at once, by induction over the steps of an execution: they hold at first, the edge that is taken leads into the
//! ranges of its target, and does not lead out of those of the places where the other threads are.  Of the state before the step both the ranges
//! of the thread that moves and of the one that looks on are known.  Most of that is seen from the intervals alone; what is not
//! is asked, each question once, about the variables that the edge mentions.
//!
//! That the declared ranges of variables hold is taken for granted but for steps that fail: there it would be a way not to see them.

use crate::ensure;
use base::{Budget, Id, Interval};
use formula::interval::{Ranges, evaluate, refine};
use formula::{Formula, Linear, Var};
use rustc_hash::FxHashSet;
use smt::Solver;
use system::ranges::Known;
use system::{Edge, Location, System, ThreadId, location_value};

/// By thread, location and variable.
pub type Boxes = [Vec<Option<Vec<Interval>>>];

pub fn check(boxes: &Boxes, system: &System, budget: &Budget) -> Result<(), String> {
    fits(boxes, system)?;
    let mut checker = Checker::new(boxes, system, budget);
    checker.initial()?;
    for (mover, edge) in edges(system) {
        let Some(step) = checker.step(mover, edge) else { continue };
        checker.failing(&step)?;
        checker.own(&step)?;
        checker.seen_by_others(&step)?;
    }
    Ok(())
}

/// The same for ranges as they are computed.
pub fn check_known(known: &Known, system: &System, budget: &Budget) -> Result<(), String> {
    check(&system::ranges::table(known), system, budget)
}

/// Without boxes: steps that fail do not lead out of the declared ranges.
pub fn check_failing(system: &System, budget: &Budget) -> Result<(), String> {
    let anything = vec![Interval::ALL; system.vars.len()];
    let threads = system.threads.values();
    let boxes: Vec<_> = threads.map(|thread| vec![Some(anything.clone()); thread.graph.locations.len()]).collect();
    let mut checker = Checker::new(&boxes, system, budget);
    let mut failing = edges(system).filter(|(_, edge)| edge.step.writes(system.failed));
    failing.try_for_each(|(mover, edge)| checker.step(mover, edge).map_or(Ok(()), |step| checker.failing(&step)))
}

fn edges(system: &System) -> impl Iterator<Item = (ThreadId, &Edge)> {
    system.threads.iter().flat_map(|(id, thread)| thread.graph.edges.iter().map(move |edge| (id, edge)))
}

/// One range for each variable at each location of each thread.
fn fits(boxes: &Boxes, system: &System) -> Result<(), String> {
    let mut fits = boxes.len() == system.threads.len();
    for (thread, by_location) in system.threads.values().zip(boxes) {
        fits &= by_location.len() == thread.graph.locations.len();
        fits &= by_location.iter().flatten().all(|ranges| ranges.len() == system.vars.len());
    }
    ensure(fits, "the ranges are not those of the threads, locations and variables")
}

struct Checker<'p> {
    boxes: &'p Boxes,
    system: &'p System,
    declared: Ranges,
    solver: Solver,
    /// What was found to be impossible.
    shown: FxHashSet<Formula>,
    budget: &'p Budget,
}

/// A step that the ranges of where it starts do not exclude.
struct Move<'p> {
    mover: ThreadId,
    edge: &'p Edge,
    /// What holds before it, of its inputs as well.
    before: Ranges,
    /// What it writes, the `pc` of its thread among it.
    written: Vec<(Var, Linear)>,
}

impl<'p> Checker<'p> {
    fn new(boxes: &'p Boxes, system: &'p System, budget: &'p Budget) -> Self {
        let declared = system::ranges::declared(system);
        Checker { boxes, system, declared, solver: Solver::new(), shown: FxHashSet::default(), budget }
    }
    /// What is stated of the place; `None` if the thread cannot be there.
    fn stated(&self, thread: ThreadId, location: Location) -> Option<&'p [Interval]> {
        self.boxes[thread.index()][location.index()].as_deref()
    }
    /// The ranges hold, and what is stated of the thread at the location, where it is; `None` if that cannot be.
    fn before(&self, mut ranges: Ranges, thread: ThreadId, location: Location) -> Option<Ranges> {
        for ((_, range), more) in ranges.state.iter_mut().zip(self.stated(thread, location)?) {
            *range = range.intersect(*more)?;
        }
        let pc = self.system.threads[thread].pc;
        ranges[pc] = ranges[pc].intersect(Interval::exactly(location_value(location)))?;
        Some(ranges)
    }
    fn step(&self, mover: ThreadId, edge: &'p Edge) -> Option<Move<'p>> {
        let ranges = self.declared.clone().with_inputs(edge.step.input_ranges());
        let before = self.before(ranges, mover, edge.from)?;
        Some(Move { mover, edge, before, written: self.written(mover, edge) })
    }

    fn initial(&mut self) -> Result<(), String> {
        let system = self.system;
        let mut ranges = self.declared.clone();
        for thread in system.threads.values() {
            ranges[thread.pc] = Interval::exactly(location_value(thread.graph.entry));
        }
        let after = self.unchanged();
        for (id, thread) in system.threads.iter() {
            let Some(stated) = self.stated(id, thread.graph.entry) else {
                return Err(format!("ranges: {} is said never to be where it starts", thread.name));
            };
            self.leads_into(&ranges, &system.initial, &after, stated, true, || {
                format!("ranges: those of {} do not hold at first", thread.name)
            })?;
        }
        Ok(())
    }

    /// An edge that fails leads into the declared ranges.
    fn failing(&mut self, Move { mover, edge, before, written }: &Move<'_>) -> Result<(), String> {
        if !edge.step.writes(self.system.failed) {
            return Ok(());
        }
        let declared: Vec<Interval> = self.declared.state.values().copied().collect();
        let thread = &self.system.threads[*mover];
        let name = &thread.graph.locations[edge.from].name;
        self.leads_into(before, &edge.step.guard, written, &declared, false, || {
            format!("ranges: a step of {} from {name} fails and leaves a declared range", thread.name)
        })
    }

    /// The edge leads into the ranges of its target.
    fn own(&mut self, Move { mover, edge, before, written }: &Move<'_>) -> Result<(), String> {
        let thread = &self.system.threads[*mover];
        let what = || {
            let [from, to] = [edge.from, edge.to].map(|location| &thread.graph.locations[location].name);
            format!("ranges: those of {} at {to} do not hold after the step from {from}", thread.name)
        };
        let Some(target) = self.stated(*mover, edge.to) else {
            return self.impossible(before, &edge.step.guard, what);
        };
        let mut after = self.unchanged();
        written.iter().for_each(|(var, value)| after[var.index()].1 = value.clone());
        self.leads_into(before, &edge.step.guard, &after, target, true, what)
    }

    /// The edge does not lead out of the ranges of places where the others can be.
    fn seen_by_others(&mut self, Move { mover, edge, before, written }: &Move<'_>) -> Result<(), String> {
        let system = self.system;
        // Where the mover arrives, its own ranges hold, as was shown.
        let arrival = self.stated(*mover, edge.to);
        for (watcher, thread) in system.threads.iter().filter(|(id, _)| id != mover) {
            for location in thread.graph.locations.ids() {
                let Some(seen) = self.stated(watcher, location) else { continue };
                let kept = |(var, _): &(Var, Linear)| {
                    let declared = self.declared[*var];
                    let there = arrival.map_or(Some(declared), |own| own[var.index()].intersect(declared));
                    there.is_none_or(|there| seen[var.index()].contains(there))
                };
                let rest: Vec<_> = written.iter().filter(|update| !kept(update)).cloned().collect();
                if rest.is_empty() {
                    continue;
                }
                let Some(ranges) = self.before(before.clone(), watcher, location) else { continue };
                self.leads_into(&ranges, &edge.step.guard, &rest, seen, true, || {
                    let name = &thread.graph.locations[location].name;
                    let other = &system.threads[*mover];
                    format!(
                        "ranges: those of {} at {name} do not hold after a step of {} from {}",
                        thread.name, other.name, other.graph.locations[edge.from].name
                    )
                })?;
            }
        }
        Ok(())
    }

    /// Each variable with its own value.
    fn unchanged(&self) -> Vec<(Var, Linear)> {
        self.system.vars.ids().map(|var| (var, Linear::var(var))).collect()
    }

    fn written(&self, mover: ThreadId, edge: &Edge) -> Vec<(Var, Linear)> {
        let pc = (self.system.threads[mover].pc, Linear::constant(location_value(edge.to)));
        let mut written: Vec<(Var, Linear)> = Vec::new();
        for (var, value) in [pc].iter().chain(&edge.step.updates) {
            // The first that is listed counts.
            if !written.iter().any(|(known, _)| known == var) {
                written.push((*var, value.clone()));
            }
        }
        written
    }

    /// From the ranges, where the guard holds, the new values lie in the target, perhaps given that they lie in the declared ranges.
    fn leads_into(
        &mut self,
        ranges: &Ranges,
        guard: &Formula,
        after: &[(Var, Linear)],
        target: &[Interval],
        within_declared: bool,
        what: impl FnOnce() -> String,
    ) -> Result<(), String> {
        let mut narrowed = ranges.clone();
        if !refine(&mut narrowed, guard) {
            return Ok(());
        }
        let outside = after.iter().filter_map(|(var, value)| {
            let declared = if within_declared { self.declared[*var] } else { Interval::ALL };
            let goal = target[var.index()];
            let leaves = evaluate(value, &narrowed).intersect(declared).is_some_and(|there| !goal.contains(there));
            leaves.then(|| Formula::and([Formula::within(declared, value), Formula::within(goal, value).not()]))
        });
        match Formula::or(outside) {
            Formula::False => Ok(()),
            outside => self.impossible(ranges, &Formula::and([guard.clone(), outside]), what),
        }
    }

    /// The formula cannot hold within the ranges.
    fn impossible(&mut self, ranges: &Ranges, formula: &Formula, what: impl FnOnce() -> String) -> Result<(), String> {
        if !refine(&mut ranges.clone(), formula) {
            return Ok(());
        }
        // No range is empty, so that those of other variables do not matter.
        let mut vars: Vec<Var> = formula.vars().into_iter().collect();
        vars.sort_unstable();
        let limits = vars.into_iter().map(|var| Formula::within(ranges[var], &var.into()));
        let question = Formula::and(limits.chain([formula.clone()]));
        if self.shown.contains(&question) {
            return Ok(());
        }
        match self.solver.refutes(&question, self.budget) {
            Some(true) => {
                self.shown.insert(question);
                Ok(())
            }
            Some(false) => Err(what()),
            None => Err("ranges: could not be re-established: the solver has no answer".into()),
        }
    }
}
