//! Where variables may point: for each variable that may hold a pointer a few intervals, each around one object, in one of which its
//! value lies in every state of the system that can be reached.
//!
//! Ranges alone say little of a pointer that is null or one of two objects: others lie between them.  All edges are taken
//! again and again, until nothing is new.
//!
//! What a block holds before it is written is the address of nothing (`docs/semantics.md`), though it may be any number: a variable that
//! may hold such a number lies in its intervals or is no address.  That is said of it only where it is used as one.

use base::{IdVec, Interval};
use formula::interval::{Ranges, evaluate, refine};
use formula::{Atom, Formula, Linear, Var};
use system::meaning::Addressed;
use system::ranges::Known;
use system::{Edge, System, ThreadId};

/// So many intervals of one variable are told apart, and so many single numbers around one object.
const MOST_SINGLE: usize = 8;
const MOST_INTERVALS: usize = 40;
/// So often an interval grows before it becomes all that is around its object.
const PATIENCE: u32 = 6;

/// Some numbers around one object: those in the interval that are some steps away from one of them; a step of 0 is none.
#[derive(Clone, Copy)]
struct Around {
    within: Interval,
    one: i128,
    step: i128,
}

impl Around {
    fn new(within: Interval) -> Option<Self> {
        Some(Around { within, one: within.least()?, step: i128::from(within.constant().is_none()) })
    }
    /// What the term may be, if that is in the interval.
    fn of(term: &Linear, within: Interval) -> Option<Self> {
        let around = Around::new(within)?;
        Some(if around.step == 0 { around } else { Around { within, one: term.offset(), step: term.gcd() } })
    }
    /// What comes of adding the term, if that is in the interval.
    fn moved(&self, by: &Linear, within: Interval) -> Self {
        Around { within, one: self.one + by.offset(), step: gcd(self.step, by.gcd()) }
    }
    fn has(&self, other: Around) -> bool {
        self.within.contains(other.within) && self.joined_step(other) == self.step
    }
    fn joined(self, other: Around) -> Self {
        Around { within: self.within.hull(other.within), one: self.one, step: self.joined_step(other) }
    }
    fn joined_step(&self, other: Around) -> i128 {
        gcd(gcd(self.step, other.step), (self.one - other.one).abs())
    }
    fn formula(&self, var: Var) -> Formula {
        let steps = match self.step {
            0 | 1 => Formula::True,
            step => Formula::divides(step, Linear::var(var).plus_constant(-self.one)),
        };
        Formula::and([Formula::within(self.within, &var.into()), steps])
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What is known of a variable that may hold a pointer.
#[derive(Clone, Default)]
pub struct Pointer {
    intervals: Vec<Around>,
    /// It may also be what was never written.
    garbage: bool,
}

/// By variable; nothing for one of which nothing more is known than its range.
pub struct Pointers(IdVec<Var, Option<Pointer>>);

impl Pointers {
    /// What is known of the variable, whatever it is used for.
    pub fn always(&self, var: Var) -> Formula {
        let known = self.0.get(var).and_then(Option::as_ref);
        known.filter(|pointer| !pointer.garbage).map_or(Formula::True, |pointer| pointer.formula(var))
    }
    /// What is known of its variables where the term is used as an address.
    pub fn as_address(&self, term: &Linear) -> Formula {
        base(&self.0, term).map_or(Formula::True, |(var, pointer)| pointer.formula(var))
    }
}

impl Pointer {
    fn formula(&self, var: Var) -> Formula {
        Formula::or(self.intervals.iter().map(|around| around.formula(var)))
    }
}

/// The pointer in the term, to which the rest is added.
fn base<'p>(pointers: &'p IdVec<Var, Option<Pointer>>, term: &Linear) -> Option<(Var, &'p Pointer)> {
    let vars = term.terms().iter().filter_map(|(atom, factor)| match atom {
        Atom::Var(var) if *factor == 1 => Some((*var, pointers.get(*var)?.as_ref()?)),
        Atom::Var(_) | Atom::Choice(_) | Atom::Div(_) | Atom::Mod(_) => None,
    });
    let highest = |pointer: &Pointer| pointer.intervals.iter().map(|around| around.within.high).max();
    vars.max_by_key(|(_, pointer)| highest(pointer))
}

/// What the term may be, and when.
pub fn alternatives(term: &Linear) -> Vec<(Formula, Linear)> {
    let [(Atom::Choice(choice), 1)] = term.terms() else { return vec![(Formula::True, term.clone())] };
    let side = |condition: Formula, value: &Linear| {
        let parts = alternatives(&value.plus_constant(term.offset())).into_iter();
        parts.map(move |(when, value)| (Formula::and([condition.clone(), when]), value))
    };
    let then = side(choice.condition.clone(), &choice.then);
    then.chain(side(choice.condition.not(), &choice.other)).collect()
}

struct Analysis<'a> {
    memory: &'a Addressed,
    known: &'a Known,
    pointers: IdVec<Var, Option<Pointer>>,
    grown: IdVec<Var, u32>,
    changed: bool,
}

/// Of the variables that may hold a pointer; `garbage` says which may hold at first what was never written.
pub fn analyse(
    system: &System,
    memory: &Addressed,
    known: &Known,
    is_pointer: impl Fn(Var) -> bool,
    garbage: impl Fn(Var) -> bool,
) -> Pointers {
    let mut first = system::ranges::declared(system);
    refine(&mut first, &system.initial);
    let pointer = |var: Var| Pointer { intervals: Vec::new(), garbage: garbage(var) };
    let mut analysis = Analysis {
        memory,
        known,
        pointers: system.vars.ids().map(|var| is_pointer(var).then(|| pointer(var))).collect(),
        grown: IdVec::filled(0, system.vars.len()),
        changed: true,
    };
    system.vars.ids().filter(|var| !garbage(*var)).for_each(|var| analysis.add(var, first[var]));
    while std::mem::take(&mut analysis.changed) {
        for (thread, data) in system.threads.iter() {
            data.graph.edges.iter().for_each(|edge| analysis.take(thread, edge));
        }
    }
    Pointers(analysis.pointers)
}

impl Analysis<'_> {
    /// The variable may be anywhere in the interval too.
    fn add(&mut self, var: Var, interval: Interval) {
        match Around::new(interval) {
            Some(new) => self.join(var, new),
            None => self.give_up(var),
        }
    }
    fn join(&mut self, var: Var, new: Around) {
        let interval = new.within;
        let Some(Pointer { intervals, .. }) = &mut self.pointers[var] else { return };
        if intervals.iter().any(|known| known.has(new)) {
            return;
        }
        self.changed = true;
        self.grown[var] += 1;
        let room = self.memory.room_of(interval).map(|(first, last)| Interval::between(first, last));
        let Some(room) = room else { return self.give_up(var) };
        let (mut near, far): (Vec<Around>, Vec<Around>) =
            intervals.iter().partition(|known| room.contains(known.within));
        *intervals = far;
        near.push(new);
        let is_one = |around: &Around| around.within.constant().is_some();
        if near.len() <= MOST_SINGLE && near.iter().all(is_one) {
            intervals.extend(near);
        } else if let Some(mut all) = near.into_iter().reduce(Around::joined) {
            if self.grown[var] > PATIENCE * MOST_INTERVALS as u32 {
                all.within = room;
            }
            intervals.push(all);
        }
        if intervals.len() > MOST_INTERVALS {
            self.give_up(var);
        }
    }
    fn give_up(&mut self, var: Var) {
        self.changed |= self.pointers[var].take().is_some();
    }
    fn is_garbage(&self, var: Var) -> bool {
        var.as_input().is_none() && self.pointers[var].as_ref().is_some_and(|pointer| pointer.garbage)
    }
    fn may_be_garbage(&mut self, var: Var) {
        if let Some(pointer) = &mut self.pointers[var] {
            self.changed |= !std::mem::replace(&mut pointer.garbage, true);
        }
    }

    /// What the variables hold after the edge.
    fn take(&mut self, thread: ThreadId, edge: &Edge) {
        let Some(here) = &self.known[thread][edge.from] else { return };
        let mut here = here.clone().with_inputs(edge.step.input_ranges());
        if !refine(&mut here, &edge.step.guard) {
            return;
        }
        for (var, value) in edge.step.updates.iter() {
            if self.pointers[*var].is_some() {
                alternatives(value).iter().for_each(|(when, value)| self.becomes(*var, when, value, &here));
            }
        }
    }

    /// The variable may become the value, where the condition holds.
    fn becomes(&mut self, var: Var, when: &Formula, value: &Linear, here: &Ranges) {
        let Some((from, pointer)) = base(&self.pointers, value).map(|(from, pointer)| (from, pointer.clone())) else {
            let mut with_garbage = false;
            value.visit_vars(&mut |var| with_garbage |= self.is_garbage(var));
            return match with_garbage {
                true => self.give_up(var),
                false => self.add_where(var, when, value, here, None),
            };
        };
        let rest = value.minus(&from.into());
        let mut with_garbage = false;
        rest.visit_vars(&mut |var| with_garbage |= self.is_garbage(var));
        if with_garbage {
            return self.give_up(var);
        }
        if pointer.garbage {
            self.may_be_garbage(var);
        }
        for around in pointer.intervals {
            match pointer.garbage {
                // What is no address may be any number where it is compared.
                true => self.join(var, around.moved(&rest, around.within.plus(evaluate(&rest, here)))),
                false => self.add_where(var, when, value, here, Some((from, around))),
            }
        }
    }

    fn add_where(&mut self, var: Var, when: &Formula, value: &Linear, here: &Ranges, narrowed: Option<(Var, Around)>) {
        let mut there = here.clone();
        let Some((from, around)) = narrowed else {
            if refine(&mut there, when) {
                match Around::of(value, evaluate(value, &there)) {
                    Some(new) => self.join(var, new),
                    None => self.give_up(var),
                }
            }
            return;
        };
        let Some(both) = there[from].intersect(around.within) else { return };
        there[from] = both;
        if refine(&mut there, when) {
            let rest = value.minus(&from.into());
            self.join(var, around.moved(&rest, evaluate(value, &there)));
        }
    }
}
