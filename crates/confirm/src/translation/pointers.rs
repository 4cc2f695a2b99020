//! Where variables may point: for each variable that may hold a pointer a few intervals, each around one object, in one of which its
//! value lies in every state of the system that can be reached.
//!
//! Ranges alone say little of a pointer that is null or one of two objects: others lie between them.  All edges are taken
//! again and again, until nothing is new.  A register is told apart by where its thread is: it often
//! holds one thing after another.
//!
//! What a block holds before it is written is the address of nothing (`docs/semantics.md`), though it may be any number: a variable that
//! may hold such a number lies in its intervals or is no address.  That is said of it only where it is used as one.

use base::{BitSet, Id, IdVec, Interval};
use formula::interval::{Ranges, evaluate, refine};
use formula::{Atom, Formula, Linear, Var, gcd};
use ir::Ty;
use rustc_hash::FxHashSet;
use system::meaning::{Addressed, Home, PieceId};
use system::ranges::Known;
use system::{Edge, Location, System, ThreadId, Translated};

/// So many intervals of one variable are told apart, and so many single numbers around one object.
const MOST_SINGLE: usize = 8;
const MOST_INTERVALS: usize = 40;
/// So many places of variables are told apart.
const MOST_SLOTS: usize = 20_000;
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
    /// Those of the numbers that are in the interval.
    fn only(&self, within: Interval) -> Option<Interval> {
        match (self.within.intersect(within)?, self.step) {
            (both, 0) => Some(both),
            (Interval { low, high }, step) => {
                let first = low + (self.one - low).rem_euclid(step);
                let last = high - (high - self.one).rem_euclid(step);
                (first <= last).then(|| Interval::between(first, last))
            }
        }
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

/// What is known of a variable that may hold a pointer.
#[derive(Clone, Default)]
pub struct Pointer {
    intervals: Vec<Around>,
    /// It may also be what was never written: a copy of that, or, until it is written, itself.
    garbage: bool,
    unwritten: bool,
}

/// Where a thread is.
pub type Spot = (ThreadId, Location);

/// By variable, and of a register by the location of its thread; nothing where no more is known than its range.
pub struct Pointers {
    first_slot: IdVec<Var, usize>,
    owner: IdVec<Var, Option<ThreadId>>,
    slots: Vec<Option<Pointer>>,
    written: Written,
}

/// By thread and location the variables that have surely been written when the thread is there; nothing where it does not come.
type Written = IdVec<ThreadId, IdVec<Location, Option<BitSet>>>;

impl Pointers {
    fn slot(&self, var: Var, (thread, location): Spot) -> Option<usize> {
        let first = *self.first_slot.get(var)?;
        match self.owner[var] {
            None => Some(first),
            Some(owner) => (owner == thread).then(|| first + location.index()),
        }
    }
    fn at(&self, var: Var, spot: Spot) -> Option<&Pointer> {
        self.slots[self.slot(var, spot)?].as_ref()
    }
    /// Whether it may hold there what was never written.
    fn is_garbage(&self, var: Var, (thread, location): Spot) -> bool {
        let is_written = || self.written[thread][location].as_ref().is_some_and(|all| all.contains(var.index()));
        self.at(var, (thread, location)).is_some_and(|it| it.garbage || (it.unwritten && !is_written()))
    }
    /// What is known of the variable where the thread is, whatever it is used for.
    pub fn always(&self, var: Var, spot: Spot) -> Formula {
        let known = self.at(var, spot).filter(|_| !self.is_garbage(var, spot));
        known.map_or(Formula::True, |pointer| pointer.formula(var))
    }
    /// What is known of its variables where the term is used as an address.
    pub fn as_address(&self, term: &Linear, spot: Spot) -> Formula {
        self.base(term, spot).map_or(Formula::True, |(var, pointer)| pointer.formula(var))
    }
    /// The pointer in the term, to which the rest is added.
    fn base(&self, term: &Linear, spot: Spot) -> Option<(Var, &Pointer)> {
        let vars = term.terms().iter().filter_map(|(atom, factor)| match atom {
            Atom::Var(var) if *factor == 1 => Some((*var, self.at(*var, spot)?)),
            Atom::Var(_) | Atom::Choice(_) | Atom::Div(_) | Atom::Mod(_) => None,
        });
        let highest = |pointer: &Pointer| pointer.intervals.iter().map(|around| around.within.high).max();
        vars.max_by_key(|(_, pointer)| highest(pointer))
    }
}

impl Pointer {
    fn formula(&self, var: Var) -> Formula {
        Formula::or(self.intervals.iter().map(|around| around.formula(var)))
    }
}

/// What the term may be, and when.
pub fn alternatives(term: &Linear) -> Vec<(Formula, Linear)> {
    let choice = match term.terms() {
        [(Atom::Choice(choice), 1)] => choice,
        [(Atom::Mod(quotient), 1)] => {
            let wrapped = |value: Linear| value.floor_mod(quotient.divisor).plus_constant(term.offset());
            return alternatives(&quotient.dividend).into_iter().map(|(when, value)| (when, wrapped(value))).collect();
        }
        _ => return vec![(Formula::True, term.clone())],
    };
    let side = |condition: Formula, value: &Linear| {
        let parts = alternatives(&value.plus_constant(term.offset())).into_iter();
        parts.map(move |(when, value)| (Formula::and([condition.clone(), when]), value))
    };
    let then = side(choice.condition.clone(), &choice.then);
    then.chain(side(choice.condition.not(), &choice.other)).collect()
}

/// The term without its being wrapped, if that is what it is, and by how much it is less where it is in the range.
fn unwrapped(term: &Linear) -> (Linear, impl Fn(&Ranges) -> Option<i128>) {
    let wrapped = match term.terms() {
        [(Atom::Mod(quotient), 1)] => Some(quotient.clone()),
        _ => None,
    };
    let plain = wrapped.as_ref().map_or_else(|| term.clone(), |it| it.dividend.plus_constant(term.offset()));
    let less = move |ranges: &Ranges| match &wrapped {
        None => Some(0),
        Some(it) => evaluate(&it.dividend, ranges).floor_div(it.divisor).constant().map(|times| times * it.divisor),
    };
    (plain, less)
}

/// A guard and its variables.
type Guard<'a> = (&'a Formula, FxHashSet<Var>);

struct Analysis<'a> {
    memory: &'a Addressed,
    known: &'a Known,
    pointers: Pointers,
    grown: Vec<u32>,
    changed: bool,
}

/// By variable the thread that looks at it, if that is the only one.
fn owners(system: &System) -> IdVec<Var, Option<ThreadId>> {
    let mut owners = IdVec::filled(None, system.vars.len());
    let mut shared = FxHashSet::default();
    for (thread, data) in system.threads.iter() {
        for var in data.graph.edges.iter().flat_map(|edge| edge.step.mentioned()) {
            if owners[var].replace(thread).is_some_and(|other| other != thread) {
                shared.insert(var);
            }
        }
    }
    shared.into_iter().for_each(|var| owners[var] = None);
    owners
}

/// Forwards along each thread, from where it is started.
fn written(translated: &Translated) -> Written {
    let Translated { system, meaning, .. } = translated;
    let mut written: Written =
        system.threads.values().map(|it| IdVec::filled(None, it.graph.locations.len())).collect();
    written[ThreadId::FIRST][system.threads[ThreadId::FIRST].graph.entry] = Some(BitSet::new());
    let started = |var: Var| if let Home::Started(child) = meaning.vars[var].home { Some(child) } else { None };
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (thread, data) in system.threads.iter() {
            for edge in &data.graph.edges {
                let Some(mut after) = written[thread][edge.from].clone() else { continue };
                edge.step.written().for_each(|var| _ = after.insert(var.index()));
                let children = edge.step.written().filter_map(started);
                let starts = children.map(|child| (child, system.threads[child].graph.entry));
                for (thread, location) in starts.chain([(thread, edge.to)]) {
                    let known = &mut written[thread][location];
                    let mut both = after.clone();
                    known.iter().for_each(|known| _ = both.intersect_with(known));
                    changed |= known.replace(both.clone()) != Some(both);
                }
            }
        }
    }
    written
}

/// The pieces of memory in which pointers lie that are accessed as several.
fn parts(translated: &Translated) -> FxHashSet<PieceId> {
    let (program, meaning) = (&translated.unfolded().program, &translated.meaning);
    let mut parts = FxHashSet::default();
    for (point, places) in &meaning.accesses {
        let access = program.inst(*point).and_then(|inst| inst.kind.access());
        let Some(access) = access.filter(|access| access.ty == Ty::Ptr) else { continue };
        for (object, offset) in places {
            let pieces = meaning.memory.pieces_at(*object, *offset, program.size_of(access.ty));
            parts.extend(pieces.filter(|pieces| pieces.len() > 1).into_iter().flatten());
        }
    }
    parts
}

/// Of the variables that may hold a pointer; `garbage` are those that may hold at first what was never written.
pub fn analyse(translated: &Translated, known: &Known, garbage: &FxHashSet<Var>) -> Pointers {
    let Translated { system, meaning, .. } = translated;
    let unfolded = translated.unfolded();
    let bits = u32::from(unfolded.program.data_model.pointer_bits());
    // A number that is never larger than that of a thread may be a handle.
    let handles = Interval::between(0, unfolded.threads.len() as i128);
    let small = |var: Var| known[ThreadId::FIRST].values().flatten().all(|ranges| handles.contains(ranges[var]));
    let parts = parts(translated);
    let is_part = |var: Var| matches!(meaning.vars[var].home, Home::Cell(piece) if parts.contains(&piece));
    let is_pointer =
        |var: Var| meaning.vars[var].bits == bits || (meaning.vars[var].bits > 1 && small(var)) || is_part(var);
    // Only their thread ever looks at them.
    let is_register = |var: Var| matches!(meaning.vars[var].home, Home::Register(..));
    let mut first = system::ranges::declared(system);
    refine(&mut first, &system.initial);
    let mut owner = owners(system);
    let mut first_slot = IdVec::new();
    let mut slots = Vec::new();
    for var in system.vars.ids() {
        let mut count = owner[var].map_or(1, |thread| system.threads[thread].graph.locations.len());
        if !is_pointer(var) || !is_register(var) || slots.len() + count > MOST_SLOTS {
            (count, owner[var]) = (1, None);
        }
        first_slot.push(slots.len());
        slots.extend((0..count).map(|_| is_pointer(var).then(Pointer::default)));
    }
    let grown = vec![0; slots.len()];
    let pointers = Pointers { first_slot, owner, slots, written: written(translated) };
    let mut analysis = Analysis { memory: &meaning.memory, known, pointers, grown, changed: true };
    for var in system.vars.ids() {
        let thread = analysis.pointers.owner[var].unwrap_or(ThreadId::FIRST);
        let Some(slot) = analysis.pointers.slot(var, (thread, system.threads[thread].graph.entry)) else { continue };
        match &mut analysis.pointers.slots[slot] {
            Some(pointer) if garbage.contains(&var) => pointer.unwritten = true,
            _ => analysis.add(slot, Around::new(first[var])),
        }
    }
    while std::mem::take(&mut analysis.changed) {
        for (thread, data) in system.threads.iter() {
            let is_own = |var: &Var| is_pointer(*var) && analysis.pointers.owner[*var] == Some(thread);
            let own: Vec<Var> = system.vars.ids().filter(is_own).collect();
            data.graph.edges.iter().for_each(|edge| analysis.take(thread, edge, &own));
        }
    }
    analysis.pointers
}

impl Analysis<'_> {
    /// The slot may hold these too, or anything.
    fn add(&mut self, slot: usize, new: Option<Around>) {
        match new {
            Some(new) => self.join(slot, new),
            None => self.give_up(slot),
        }
    }
    fn join(&mut self, slot: usize, new: Around) {
        let interval = new.within;
        let room = self.room_of(interval);
        let Some(Pointer { intervals, .. }) = &mut self.pointers.slots[slot] else { return };
        if intervals.iter().any(|known| known.has(new)) {
            return;
        }
        self.changed = true;
        self.grown[slot] += 1;
        let Some(room) = room else { return self.give_up(slot) };
        let (mut near, far): (Vec<Around>, Vec<Around>) =
            intervals.iter().partition(|known| room.contains(known.within));
        *intervals = far;
        near.push(new);
        let is_one = |around: &Around| around.within.constant().is_some();
        if near.len() <= MOST_SINGLE && near.iter().all(is_one) {
            intervals.extend(near);
        } else if let Some(mut all) = near.into_iter().reduce(Around::joined) {
            if self.grown[slot] > PATIENCE * MOST_INTERVALS as u32 {
                all.within = room;
            }
            intervals.push(all);
        }
        if intervals.len() > MOST_INTERVALS {
            self.give_up(slot);
        }
    }
    /// What is around the object that all of these are around; what is around null, and up to the first object, if all of
    /// these are.
    fn room_of(&self, interval: Interval) -> Option<Interval> {
        let none = Interval::between(-self.memory.room / 4, self.memory.first_address() - 1);
        match none.contains(interval) {
            true => Some(none),
            false => self.memory.room_of(interval).map(|(first, last)| Interval::between(first, last)),
        }
    }
    fn give_up(&mut self, slot: usize) {
        self.changed |= self.pointers.slots[slot].take().is_some();
    }
    fn may_be_garbage(&mut self, slot: usize) {
        if let Some(pointer) = &mut self.pointers.slots[slot] {
            self.changed |= !std::mem::replace(&mut pointer.garbage, true);
        }
    }

    /// What the variables hold after the edge, also those of its thread that it leaves alone.
    fn take(&mut self, thread: ThreadId, edge: &Edge, own: &[Var]) {
        let Some(here) = &self.known[thread][edge.from] else { return };
        let mut here = here.clone().with_inputs(edge.step.input_ranges());
        if !refine(&mut here, &edge.step.guard) {
            return;
        }
        let guard = (&edge.step.guard, edge.step.guard.vars());
        let kept = own.iter().filter(|var| !edge.step.writes(**var)).map(|var| (*var, Linear::var(*var)));
        for (var, value) in edge.step.updates.iter().cloned().chain(kept) {
            let slot = self.pointers.slot(var, (thread, edge.to));
            let Some(slot) = slot.filter(|slot| self.pointers.slots[*slot].is_some()) else { continue };
            for (when, value) in alternatives(&value) {
                for (is, value) in self.whole(value, (thread, edge.from)) {
                    self.becomes(slot, (&Formula::and([when.clone(), is]), &guard), &value, &here, (thread, edge.from));
                }
            }
        }
    }

    /// A pointer put together of parts, by what the upper ones are.
    fn whole(&self, value: Linear, spot: Spot) -> Vec<(Formula, Linear)> {
        let upper = value.terms().iter().find_map(|(atom, factor)| match atom {
            Atom::Var(var) if *factor > 1 => {
                let pointer = self.pointers.at(*var, spot).filter(|_| !self.pointers.is_garbage(*var, spot))?;
                let all =
                    pointer.intervals.iter().map(|around| around.within.constant()).collect::<Option<Vec<_>>>()?;
                Some((*var, all))
            }
            Atom::Var(_) | Atom::Choice(_) | Atom::Div(_) | Atom::Mod(_) => None,
        });
        let Some((upper, all)) = upper else { return vec![(Formula::True, value)] };
        let with = |is: i128| value.substitute(&mut |var| (var == upper).then(|| Linear::constant(is)));
        all.into_iter().map(|is| (Formula::is(&upper.into(), is), with(is))).collect()
    }

    /// The slot may become the value, where the condition holds, and the guard.
    fn becomes(
        &mut self,
        slot: usize,
        (when, guard): (&Formula, &Guard<'_>),
        value: &Linear,
        here: &Ranges,
        spot: Spot,
    ) {
        let (plain, less) = unwrapped(value);
        let base = self.pointers.base(&plain, spot).map(|(from, pointer)| (from, pointer.clone()));
        let rest = base.as_ref().map_or_else(|| plain.clone(), |(from, _)| plain.minus(&(*from).into()));
        let mut with_garbage = false;
        rest.visit_vars(&mut |var| with_garbage |= self.pointers.is_garbage(var, spot));
        if with_garbage {
            return self.give_up(slot);
        }
        let Some((from, pointer)) = base else {
            let mut there = here.clone();
            if refine(&mut there, when) {
                self.add(slot, Around::of(value, evaluate(value, &there)));
            }
            return;
        };
        if self.pointers.is_garbage(from, spot) {
            if plain != *value {
                return self.give_up(slot);
            }
            self.may_be_garbage(slot);
            // What is no address may be any number where it is compared.
            let moved = |around: Around| around.moved(&rest, around.within.plus(evaluate(&rest, here)));
            return pointer.intervals.into_iter().for_each(|around| self.join(slot, moved(around)));
        }
        for around in pointer.intervals {
            let mut there = here.clone();
            let Some(both) = around.only(there[from]) else { continue };
            there[from] = both;
            // Of one thing that the pointer may be the guard may say what it does not say of all together.
            if !refine(&mut there, when) || (guard.1.contains(&from) && !refine(&mut there, guard.0)) {
                continue;
            }
            let Some(both) = around.only(there[from]) else { continue };
            there[from] = both;
            match less(&there) {
                Some(less) => self.join(slot, around.moved(&rest.plus_constant(-less), evaluate(value, &there))),
                None => self.add(slot, Around::of(value, evaluate(value, &there))),
            }
        }
    }
}
