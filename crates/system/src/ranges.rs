//! Ranges of the variables by thread and location: what holds of each variable whenever the thread is at the location,
//! whatever the others do.
//!
//! Thread-modular intervals, with one refinement that makes counters and flags work: a step of another thread is applied to
//! what is known at a location only as far as that thread's own location agrees with it.  So a thread that has seen the
//! counter at 3 does not believe that the owner, which has it at 1 where it writes 2, could write 2 now.  Every range
//! errs towards too large.

use crate::{Edge, Location, System, ThreadId, location_value};
use base::{Budget, Id, IdVec, Interval};
use formula::interval::{Ranges, evaluate, meet, refine};
use formula::{Atom, Formula, Linear, Var};
use rustc_hash::FxHashMap;

/// By thread and location; nothing where the thread cannot come.
pub type Known = IdVec<ThreadId, IdVec<Location, Option<Ranges>>>;

/// So many times a range may grow by a little before it grows to the limits of the variable.
const PATIENCE: u32 = 60;

/// Beyond that, it grows to the next number that guards compare with, if those are no more than this.
const MOST_THRESHOLDS: usize = 96;

/// So many cases of a guard are looked at one by one.
const MOST_CASES: usize = 4;

/// So many comparisons of ranges are made before it is given up: a count and not a time, so that everyone who computes them
/// gets the same.
const MOST_WORK: u64 = 1_000_000_000;

/// As proofs state them.
pub fn table(known: &Known) -> Vec<Vec<Option<Vec<Interval>>>> {
    let at = |here: &Option<Ranges>| here.as_ref().map(|here| here.state.values().copied().collect());
    known.values().map(|thread| thread.values().map(at).collect()).collect()
}

/// The ranges, or nothing if the system is too large or the budget is spent.
pub fn ranges(system: &System, budget: &Budget) -> Option<Known> {
    let limits = (declared(system), thresholds(system));
    let mut first = limits.0.clone();
    if !refine(&mut first, &system.initial) {
        return None;
    }
    for thread in system.threads.values() {
        first[thread.pc] = Interval::exactly(location_value(thread.graph.entry));
    }
    let mut known: Known = system.threads.values().map(|t| IdVec::filled(None, t.graph.locations.len())).collect();
    let mut grown: IdVec<ThreadId, IdVec<Location, Vec<u32>>> =
        system.threads.values().map(|t| IdVec::filled(vec![0; system.vars.len()], t.graph.locations.len())).collect();
    for (id, thread) in system.threads.iter() {
        known[id][thread.graph.entry] = Some(first.clone());
    }
    // How often each of them has changed, and how often they had when an edge was last applied: with the same ranges it has nothing
    // new to say.
    let mut changes: IdVec<ThreadId, IdVec<Location, u32>> =
        system.threads.values().map(|t| IdVec::filled(1, t.graph.locations.len())).collect();
    let mut applied: FxHashMap<(ThreadId, usize, ThreadId, Location), (u32, u32)> = FxHashMap::default();
    let mut work = 0;
    loop {
        let mut changed = false;
        for mover in system.threads.ids() {
            for (number, edge) in system.threads[mover].graph.edges.iter().enumerate() {
                if work > MOST_WORK || budget.spent().is_some() {
                    return None;
                }
                let Some(own) = known[mover][edge.from].clone() else { continue };
                let version = changes[mover][edge.from];
                let mut is_new = |watcher: ThreadId, location: Location, seen: u32| {
                    applied.insert((mover, number, watcher, location), (version, seen)) != Some((version, seen))
                };
                if is_new(mover, edge.from, 0)
                    && let Some(after) = step(system, mover, edge, own.clone())
                    && join(&mut known[mover][edge.to], &mut grown[mover][edge.to], &after, &limits, None)
                {
                    changes[mover][edge.to] += 1;
                    changed = true;
                }
                let written: Vec<Var> = edge.step.written().chain([system.threads[mover].pc]).collect();
                for watcher in system.threads.ids().filter(|thread| *thread != mover) {
                    for location in system.threads[watcher].graph.locations.ids() {
                        let Some(seen) = &known[watcher][location] else { continue };
                        if !is_new(watcher, location, changes[watcher][location]) {
                            continue;
                        }
                        work += system.vars.len() as u64;
                        let Some(both) = meet(seen, &own) else { continue };
                        if let Some(after) = step(system, mover, edge, both) {
                            let (slot, count) = (&mut known[watcher][location], &mut grown[watcher][location]);
                            if join(slot, count, &after, &limits, Some(&written)) {
                                changes[watcher][location] += 1;
                                changed = true;
                            }
                        }
                    }
                }
            }
        }
        if !changed {
            return Some(known);
        }
    }
}

/// The numbers that guards compare variables with, and those beside them, in order.
fn thresholds(system: &System) -> Vec<i128> {
    let mut found = Vec::new();
    let edges = system.threads.values().flat_map(|thread| &thread.graph.edges);
    let mut work: Vec<&Formula> = edges.map(|edge| &edge.step.guard).collect();
    while let Some(formula) = work.pop() {
        match formula {
            Formula::And(parts) | Formula::Or(parts) => work.extend(parts.iter()),
            Formula::Le(term) | Formula::Eq(term) | Formula::Ne(term) => {
                if let [(Atom::Var(_), 1 | -1)] = term.terms() {
                    let with = -term.offset() * term.terms()[0].1;
                    found.extend([with - 1, with, with + 1]);
                }
            }
            Formula::True | Formula::False | Formula::Divides(..) | Formula::NotDivides(..) => (),
        }
    }
    found.sort_unstable();
    found.dedup();
    if found.len() > MOST_THRESHOLDS { Vec::new() } else { found }
}

/// What the system says of its variables, whatever happens.
pub fn declared(system: &System) -> Ranges {
    Ranges::new(system.vars.values().map(|data| data.range).collect())
}

/// What holds after the step, if it can be taken.
pub fn step(system: &System, mover: ThreadId, edge: &Edge, before: Ranges) -> Option<Ranges> {
    let mut before = before.with_inputs(edge.step.input_ranges());
    before[system.threads[mover].pc] = Interval::exactly(location_value(edge.from));
    if !refine(&mut before, &edge.step.guard) {
        return None;
    }
    let mut after = before.clone();
    for (var, value) in &edge.step.updates {
        let range = updated(&before, &edge.step.guard, value);
        let range = by_cases(&before, &edge.step.guard, value, told(&edge.step.guard, value, range));
        after[*var] = range.intersect(system.vars[*var].range).unwrap_or(Interval::ALL);
    }
    after[system.threads[mover].pc] = Interval::exactly(location_value(edge.to));
    Some(after.with_inputs([]))
}

/// The range of the value, narrowed by what the guard says of this very value.
fn told(guard: &Formula, value: &Linear, range: Interval) -> Interval {
    let mut all = range;
    for part in guard.conjuncts() {
        let narrower = match part {
            Formula::Eq(term) | Formula::Ne(term) => {
                let number = value.minus(term).as_constant().or_else(|| value.plus(term).as_constant());
                number.and_then(|number| match part {
                    Formula::Ne(_) => all.without(number),
                    _ => all.intersect(Interval::exactly(number)),
                })
            }
            Formula::Le(term) => {
                let most = value.minus(term).as_constant().map(Interval::at_most);
                let told = most.or_else(|| value.plus(term).as_constant().map(Interval::at_least));
                told.and_then(|told| all.intersect(told))
            }
            Formula::True | Formula::False | Formula::And(_) | Formula::Or(_) => None,
            Formula::Divides(..) | Formula::NotDivides(..) => None,
        };
        all = narrower.unwrap_or(all);
    }
    all
}

/// The range of the value, narrowed by looking at each case that the guard leaves.  Of a single variable it says as much without.
fn by_cases(before: &Ranges, guard: &Formula, value: &Linear, range: Interval) -> Interval {
    let mut of_value = Vec::new();
    value.visit_vars(&mut |var| of_value.push(var));
    let mut all = range;
    for part in guard.conjuncts() {
        let Formula::Or(cases) = part else { continue };
        let mut mentioned = 0;
        part.visit_vars(&mut |var| mentioned += usize::from(of_value.contains(&var)));
        if of_value.len() < 2 || cases.len() > MOST_CASES || mentioned < 2 {
            continue;
        }
        let in_cases = cases.iter().filter_map(|case| {
            let mut there = before.clone();
            refine(&mut there, case).then(|| evaluate(value, &there))
        });
        let hull = in_cases.reduce(Interval::hull);
        all = hull.and_then(|hull| all.intersect(hull)).unwrap_or(all);
    }
    all
}

/// Where the new value lies; if it is one of two, then each as far as the guard allows that it is chosen.
fn updated(before: &Ranges, guard: &Formula, value: &Linear) -> Interval {
    let tells = |part: &Formula| match part {
        Formula::Or(_) => true,
        Formula::Le(term) | Formula::Eq(term) | Formula::Ne(term) => {
            term.terms().iter().any(|(atom, _)| matches!(atom, Atom::Choice(_)))
        }
        Formula::True | Formula::False | Formula::And(_) | Formula::Divides(..) | Formula::NotDivides(..) => false,
    };
    let ([(Atom::Choice(choice), 1)], 0, true) = (value.terms(), value.offset(), guard.conjuncts().iter().any(tells))
    else {
        return evaluate(value, before);
    };
    let chosen = |condition: &Formula, value: &Linear| {
        let mut there = before.clone();
        (refine(&mut there, condition) && refine(&mut there, guard)).then(|| updated(&there, guard, value))
    };
    let sides = [chosen(&choice.condition, &choice.then), chosen(&choice.condition.not(), &choice.other)];
    sides.into_iter().flatten().reduce(Interval::hull).unwrap_or_else(|| evaluate(value, before))
}

/// Widens what is known by what else can be, of these variables only; says whether that was news.
fn join(
    slot: &mut Option<Ranges>,
    grown: &mut [u32],
    more: &Ranges,
    limits: &(Ranges, Vec<i128>),
    only: Option<&[Var]>,
) -> bool {
    let (limits, thresholds) = limits;
    let Some(known) = slot else {
        *slot = Some(more.clone());
        return true;
    };
    let mut changed = false;
    let mut one = |var: Var| {
        let (old, hull) = (known[var], known[var].hull(more[var]));
        if hull != old {
            changed = true;
            grown[var.index()] += 1;
            known[var] = if grown[var.index()] > PATIENCE { old.widened(hull, thresholds, limits[var]) } else { hull };
        }
    };
    match only {
        Some(vars) => vars.iter().for_each(|var| one(*var)),
        None => more.state.ids().for_each(one),
    }
    changed
}
