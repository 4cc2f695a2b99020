//! Ranges of the variables by thread and location: what holds of each variable whenever the thread is at the location,
//! whatever the others do.
//!
//! Thread-modular intervals, with one refinement that makes counters and flags work: a step of another thread is applied to
//! what is known at a location only as far as that thread's own location agrees with it.  So a thread that has seen the
//! counter at 3 does not believe that the owner, which has it at 1 where it writes 2, could write 2 now.  Every range
//! errs towards too large.

use crate::{Edge, Location, System, ThreadId, VarKind, location_value};
use base::{Budget, Id, IdVec};
use formula::{Atom, Formula, Linear, Var};

/// From the first to the second, ends included; an end that is missing is infinite.
pub type Range = (Option<i128>, Option<i128>);

const ALL: Range = (None, None);

/// By variable.
pub type Ranges = IdVec<Var, Range>;

/// By thread and location; nothing where the thread cannot come.
pub type Known = IdVec<ThreadId, IdVec<Location, Option<Ranges>>>;

/// So many times a range may grow by a little before it grows to the limits of the variable.
const PATIENCE: u32 = 60;

/// So many comparisons of ranges are made before it is given up: a count and not a time, so that everyone who computes them
/// gets the same.
const MOST_WORK: u64 = 1_000_000_000;

/// The ranges, or nothing if the system is too large or the budget is spent.
pub fn ranges(system: &System, budget: &Budget) -> Option<Known> {
    let limits: Ranges = system.vars.values().map(|data| limits(data.range)).collect();
    let mut first = limits.clone();
    if !refine(&mut first, &system.initial) {
        return None;
    }
    for thread in system.threads.values() {
        first[thread.pc] = exactly(location_value(thread.entry));
    }
    let mut known: Known = system.threads.values().map(|t| IdVec::filled(None, t.locations.len())).collect();
    let mut grown: IdVec<ThreadId, IdVec<Location, Vec<u32>>> =
        system.threads.values().map(|t| IdVec::filled(vec![0; system.vars.len()], t.locations.len())).collect();
    for (id, thread) in system.threads.iter() {
        known[id][thread.entry] = Some(first.clone());
    }
    let mut work = 0;
    loop {
        let mut changed = false;
        for mover in system.threads.ids() {
            for edge in &system.threads[mover].edges {
                if work > MOST_WORK || budget.spent().is_some() {
                    return None;
                }
                let Some(own) = known[mover][edge.from].clone() else { continue };
                if let Some(after) = step(system, mover, edge, own.clone()) {
                    changed |= join(&mut known[mover][edge.to], &mut grown[mover][edge.to], &after, &limits, None);
                }
                let written = written(system, mover, edge);
                for watcher in system.threads.ids().filter(|thread| *thread != mover) {
                    for location in system.threads[watcher].locations.ids() {
                        let Some(seen) = &known[watcher][location] else { continue };
                        work += system.vars.len() as u64;
                        let Some(both) = meet(seen, &own) else { continue };
                        if let Some(after) = step(system, mover, edge, both) {
                            let (slot, count) = (&mut known[watcher][location], &mut grown[watcher][location]);
                            changed |= join(slot, count, &after, &limits, Some(&written));
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

/// What is known of the variable at the place, as a formula.
pub fn range_formula(range: Range, var: Var) -> Formula {
    let var = Linear::var(var);
    let low = range.0.map_or(Formula::True, |low| Formula::le(&Linear::constant(low), &var));
    let high = range.1.map_or(Formula::True, |high| Formula::le(&var, &Linear::constant(high)));
    Formula::and([low, high])
}

fn limits(range: Option<(i128, i128)>) -> Range {
    range.map_or(ALL, |(low, high)| (Some(low), Some(high)))
}
fn exactly(value: i128) -> Range {
    (Some(value), Some(value))
}
fn written(system: &System, mover: ThreadId, edge: &Edge) -> Vec<Var> {
    edge.updates.iter().map(|(var, _)| *var).chain([system.threads[mover].pc]).collect()
}

/// What holds after the step, if it can be taken.
pub fn step(system: &System, mover: ThreadId, edge: &Edge, mut before: Ranges) -> Option<Ranges> {
    before[system.threads[mover].pc] = exactly(location_value(edge.from));
    for input in &edge.inputs {
        before[*input] = limits(system.vars[*input].range);
    }
    if !refine(&mut before, &edge.guard) {
        return None;
    }
    let mut after = before.clone();
    for (var, value) in &edge.updates {
        after[*var] = intersect(evaluate(value, &before), limits(system.vars[*var].range)).unwrap_or(ALL);
    }
    after[system.threads[mover].pc] = exactly(location_value(edge.to));
    for input in &edge.inputs {
        after[*input] = limits(system.vars[*input].range);
    }
    Some(after)
}

/// Widens what is known by what else can be, of these variables only; says whether that was news.
fn join(slot: &mut Option<Ranges>, grown: &mut [u32], more: &Ranges, limits: &Ranges, only: Option<&[Var]>) -> bool {
    let Some(known) = slot else {
        *slot = Some(more.clone());
        return true;
    };
    let mut changed = false;
    let mut one = |var: Var| {
        let (old, hull) = (known[var], hull(known[var], more[var]));
        if hull != old {
            changed = true;
            grown[var.index()] += 1;
            known[var] = match grown[var.index()] > PATIENCE {
                true => (
                    if hull.0 == old.0 { old.0 } else { limits[var].0 },
                    if hull.1 == old.1 { old.1 } else { limits[var].1 },
                ),
                false => hull,
            };
        }
    };
    match only {
        Some(vars) => vars.iter().for_each(|var| one(*var)),
        None => more.ids().for_each(one),
    }
    changed
}

/// Where both hold, if they can.
pub fn meet(a: &Ranges, b: &Ranges) -> Option<Ranges> {
    a.values().zip(b.values()).map(|(a, b)| intersect(*a, *b)).collect::<Option<Vec<_>>>().map(IdVec::from_vec)
}

fn intersect(a: Range, b: Range) -> Option<Range> {
    let low = match (a.0, b.0) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
    let high = match (a.1, b.1) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    match (low, high) {
        (Some(low), Some(high)) if low > high => None,
        range => Some(range),
    }
}

fn hull(a: Range, b: Range) -> Range {
    let low = a.0.zip(b.0).map(|(a, b)| a.min(b));
    (low, a.1.zip(b.1).map(|(a, b)| a.max(b)))
}

fn sum(a: Range, b: Range) -> Range {
    let add = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
    (add(a.0, b.0), add(a.1, b.1))
}

fn multiple(range: Range, factor: i128) -> Range {
    let times = |end: Option<i128>| end.and_then(|end| end.checked_mul(factor));
    match factor < 0 {
        true => (times(range.1), times(range.0)),
        false => (times(range.0), times(range.1)),
    }
}

/// Where the term's values lie.
pub fn evaluate(term: &Linear, ranges: &Ranges) -> Range {
    term.terms().iter().fold(exactly(term.offset()), |total, (atom, factor)| {
        sum(total, multiple(evaluate_atom(atom, ranges), *factor))
    })
}

fn evaluate_atom(atom: &Atom, ranges: &Ranges) -> Range {
    match atom {
        Atom::Var(var) => ranges[*var],
        Atom::Choice(choice) => {
            let looked_into = choice.condition.size() + choice.then.size() + choice.other.size() <= LARGE;
            let branch = |condition: &Formula, value: &Linear| match looked_into {
                true => {
                    let mut there = ranges.clone();
                    refine_once(&mut there, condition).then(|| evaluate(value, &there))
                }
                false => Some(ALL),
            };
            let then = branch(&choice.condition, &choice.then);
            match (then, branch(&choice.condition.not(), &choice.other)) {
                (Some(then), Some(other)) => hull(then, other),
                (Some(range), None) | (None, Some(range)) => range,
                (None, None) => ALL,
            }
        }
        Atom::Div(quotient) => {
            let range = evaluate(&quotient.dividend, ranges);
            let divide = |end: Option<i128>| end.map(|end| end.div_euclid(quotient.divisor));
            (divide(range.0), divide(range.1))
        }
        Atom::Mod(quotient) => match evaluate(&quotient.dividend, ranges) {
            (Some(low), Some(high)) if low.div_euclid(quotient.divisor) == high.div_euclid(quotient.divisor) => {
                (Some(low.rem_euclid(quotient.divisor)), Some(high.rem_euclid(quotient.divisor)))
            }
            _ => (Some(0), Some(quotient.divisor - 1)),
        },
    }
}

/// Alternatives and choices larger than this are not looked into: it would be done again and again, and tell little.
const LARGE: usize = 120;

/// Narrows the ranges to where the formula can hold; false where it cannot.
pub fn refine(ranges: &mut Ranges, formula: &Formula) -> bool {
    match formula {
        // Twice: a later part may help an earlier one.
        Formula::And(parts) => (0..2).all(|_| parts.iter().all(|part| refine_once(ranges, part))),
        other => refine_once(ranges, other),
    }
}

fn refine_once(ranges: &mut Ranges, formula: &Formula) -> bool {
    match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::Le(term) => refine_at_most(ranges, term),
        Formula::Eq(term) => refine_at_most(ranges, term) && refine_at_most(ranges, &term.scale(-1)),
        Formula::Ne(term) => refine_different(ranges, term),
        // What divides what is not followed.
        Formula::Divides(..) | Formula::NotDivides(..) => true,
        Formula::And(parts) => parts.iter().all(|part| refine_once(ranges, part)),
        Formula::Or(_) if formula.size() > LARGE => true,
        Formula::Or(parts) => {
            let possible = parts.iter().filter_map(|part| {
                let mut there = ranges.clone();
                refine_once(&mut there, part).then_some(there)
            });
            let all = possible
                .reduce(|a, b| IdVec::from_vec(a.values().zip(b.values()).map(|(a, b)| hull(*a, *b)).collect()));
            match all {
                Some(all) => {
                    *ranges = all;
                    true
                }
                None => false,
            }
        }
    }
}

/// `term <= 0`
fn refine_at_most(ranges: &mut Ranges, term: &Linear) -> bool {
    if evaluate(term, ranges).0.is_some_and(|low| low > 0) {
        return false;
    }
    for (atom, factor) in term.terms() {
        let Atom::Var(var) = atom else { continue };
        // factor * var <= -rest
        let rest = term.plus_multiple(&Linear::var(*var), -factor);
        let Some(most) = evaluate(&rest, ranges).0.and_then(i128::checked_neg) else { continue };
        let bound = match *factor > 0 {
            true => (None, Some(most.div_euclid(*factor))),
            // var >= most / factor, rounded up
            false => (Some(-most.div_euclid(-factor)), None),
        };
        match intersect(ranges[*var], bound) {
            Some(range) => ranges[*var] = range,
            None => return false,
        }
    }
    true
}

/// `term != 0`
fn refine_different(ranges: &mut Ranges, term: &Linear) -> bool {
    if evaluate(term, ranges) == exactly(0) {
        return false;
    }
    // A variable that differs from a constant at the end of its range.
    let [(Atom::Var(var), factor)] = term.terms() else { return true };
    if term.offset() % factor == 0 {
        let hole = -term.offset() / factor;
        let (low, high) = ranges[*var];
        ranges[*var] = match (low, high) {
            (Some(low), _) if low == hole => (Some(low + 1), high),
            (_, Some(high)) if high == hole => (low, Some(high - 1)),
            range => range,
        };
        return intersect(ranges[*var], ALL).is_some();
    }
    true
}

/// Whether the variable is part of the state.
pub fn is_state(system: &System, var: Var) -> bool {
    system.vars[var].kind != VarKind::Input
}
