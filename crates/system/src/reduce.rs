//! Fewer cut-points: edges that need no switch of threads between them become one edge.
//!
//! Lipton's reduction again, after that of the facts (`facts::movers`), but with what is known of the numbers: two steps that
//! touch the same variable may still never stand next to each other, because the ranges (`ranges`) of the locations they start
//! from exclude it.  That is how "write the cell, then raise the counter that readers wait for" becomes one step.
//!
//! An edge `e` is a *right mover* if for every edge `f` of another thread that can follow it, `e f` can be replaced by `f e`;
//! a *left mover* if `f e` can be replaced by `e f` for every `f` it can follow.  It is enough that the two touch nothing in
//! common that one of them writes, or that the ranges show that they cannot follow each other.  A location is taken away, and
//! each edge into it joined with each edge out of it, if
//!
//! * all edges into it are right movers: an execution that stays there can do without the last of them; or
//! * all edges out of it are left movers, and one of them can always be taken: an execution that stays there can as well go on.
//!
//! Each time the result is a system with the same violations, to which the argument applies again.  The ranges of the
//! locations that are left still hold.  Entries stay, and so does one location of each cycle: one that leads to itself is
//! never taken away.

use crate::ranges::{Known, Ranges, meet, refine, step};
use crate::{Edge, Location, System, Thread, ThreadId, VarKind};
use base::{Id, IdVec};
use formula::{Formula, Linear, Var, within_width};
use rustc_hash::FxHashSet;

/// A system with fewer locations.  The variables and what they mean are those of the original.
#[derive(Clone, Debug)]
pub struct Reduced {
    pub system: System,
    /// By thread and edge: the edges of the original that it consists of.
    pub parts: IdVec<ThreadId, Vec<Vec<usize>>>,
}

/// A location is not taken away if that would make more edges than it saves by more than this.
const GROWTH: usize = 4;

struct Piece {
    edge: Edge,
    parts: Vec<usize>,
    reads: FxHashSet<Var>,
    writes: FxHashSet<Var>,
}

impl Piece {
    fn new(system: &System, edge: Edge, parts: Vec<usize>) -> Self {
        let (mut reads, mut writes) = (FxHashSet::default(), FxHashSet::default());
        let mut read = |var: Var| {
            if system.vars[var].kind != VarKind::Input {
                reads.insert(var);
            }
        };
        edge.guard.visit_vars(&mut read);
        for (var, value) in &edge.updates {
            value.visit_vars(&mut read);
            // It is only ever set to 1, and nobody looks at it.
            if *var != system.failed {
                writes.insert(*var);
            }
        }
        Piece { edge, parts, reads, writes }
    }
    fn independent(&self, other: &Piece) -> bool {
        self.writes.is_disjoint(&other.reads)
            && self.writes.is_disjoint(&other.writes)
            && self.reads.is_disjoint(&other.writes)
    }
}

struct Reduction<'s> {
    system: &'s System,
    known: &'s Known,
    pieces: IdVec<ThreadId, Vec<Piece>>,
}

/// The system with as few cut-points as the ranges allow.
pub fn reduce(system: &System, known: &Known) -> Reduced {
    let piece = |(index, edge): (usize, &Edge)| Piece::new(system, edge.clone(), vec![index]);
    let pieces = system.threads.values().map(|thread| thread.edges.iter().enumerate().map(piece).collect()).collect();
    let mut reduction = Reduction { system, known, pieces };
    reduction.drop_impossible();
    while system.threads.ids().any(|thread| reduction.take_one_away(thread)) {}
    reduction.finish()
}

impl Reduction<'_> {
    /// Edges that the ranges exclude.
    fn drop_impossible(&mut self) {
        let (system, known) = (self.system, self.known);
        for (thread, pieces) in self.pieces.iter_mut() {
            pieces.retain(|piece| {
                let here = known[thread][piece.edge.from].clone();
                here.is_some_and(|here| step(system, thread, &piece.edge, here).is_some())
            });
        }
    }

    /// Takes a location of the thread away, if one can be.
    fn take_one_away(&mut self, thread: ThreadId) -> bool {
        let locations = self.system.threads[thread].locations.ids();
        for location in locations.filter(|location| *location != self.system.threads[thread].entry) {
            let touching = |end: fn(&Edge) -> Location| {
                let pieces = self.pieces[thread].iter().enumerate();
                pieces.filter(|(_, piece)| end(&piece.edge) == location).map(|(i, _)| i).collect::<Vec<usize>>()
            };
            let (into, out) = (touching(|edge| edge.to), touching(|edge| edge.from));
            let lasts = into.iter().any(|piece| out.contains(piece));
            if into.is_empty() || out.is_empty() || lasts || into.len() * out.len() > into.len() + out.len() + GROWTH {
                continue;
            }
            let right = || into.iter().all(|piece| self.is_right_mover(thread, &self.pieces[thread][*piece]));
            let left = || {
                out.iter().all(|piece| self.is_left_mover(thread, &self.pieces[thread][*piece]))
                    && self.goes_on(thread, location, &out)
            };
            if (right() || left()) && self.join(thread, &into, &out) {
                return true;
            }
        }
        false
    }

    fn others(&self, thread: ThreadId) -> impl Iterator<Item = (ThreadId, &Piece)> {
        let others = self.pieces.iter().filter(move |(other, _)| *other != thread);
        others.flat_map(|(other, pieces)| pieces.iter().map(move |piece| (other, piece)))
    }

    fn is_right_mover(&self, thread: ThreadId, piece: &Piece) -> bool {
        self.others(thread).all(|(other, next)| piece.independent(next) || !self.can_follow(thread, piece, other, next))
    }
    fn is_left_mover(&self, thread: ThreadId, piece: &Piece) -> bool {
        self.others(thread)
            .all(|(other, before)| piece.independent(before) || !self.can_follow(other, before, thread, piece))
    }

    /// Whether the second thread's edge may be taken right after the first thread's, as far as the ranges tell.
    fn can_follow(&self, first: ThreadId, one: &Piece, second: ThreadId, two: &Piece) -> bool {
        let (Some(here), Some(there)) = (&self.known[first][one.edge.from], &self.known[second][two.edge.from]) else {
            return false;
        };
        let Some(both) = meet(here, there) else { return false };
        let Some(between) = step(self.system, first, &one.edge, both) else { return false };
        step(self.system, second, &two.edge, between).is_some()
    }

    /// Whether one of the edges out of the location can always be taken.
    fn goes_on(&self, thread: ThreadId, location: Location, out: &[usize]) -> bool {
        let Some(here) = &self.known[thread][location] else { return true };
        let guards = out.iter().map(|piece| self.without_inputs(&self.pieces[thread][*piece].edge, here));
        let none = Formula::and(guards.map(|guard| guard.not()));
        none == Formula::False || !refine(&mut here.clone(), &none)
    }

    /// Where the edge can be taken for some inputs, or fewer places.
    fn without_inputs(&self, edge: &Edge, here: &Ranges) -> Formula {
        let is_input = |var: &Var| self.system.vars[*var].kind == VarKind::Input;
        let parts = edge.guard.conjuncts().into_iter().map(|part| {
            let vars = part.vars();
            match vars.iter().any(is_input) {
                false => part,
                // The range of one input alone can always be kept to.
                true if vars.len() == 1 && self.input_can(&part, here) => Formula::True,
                true => Formula::False,
            }
        });
        Formula::and(parts)
    }
    /// The condition is one that the declared range of the input implies.
    fn input_can(&self, condition: &Formula, here: &Ranges) -> bool {
        let mut ranges = here.clone();
        for var in condition.vars() {
            let range = self.system.vars[var].range;
            ranges[var] = range.map_or((None, None), |(low, high)| (Some(low), Some(high)));
        }
        !refine(&mut ranges, &condition.not())
    }

    /// Joins each edge into a location with each edge out of it, unless their terms are too wide for that.
    fn join(&mut self, thread: ThreadId, into: &[usize], out: &[usize]) -> bool {
        let mut joined = Vec::new();
        for &first in into {
            for &second in out {
                let (first, second) = (&self.pieces[thread][first], &self.pieces[thread][second]);
                // Each edge chooses its inputs anew, also if it is the same edge in the next round.
                if first.edge.inputs.iter().any(|input| second.edge.inputs.contains(input)) {
                    return false;
                }
                let Ok(edge) = within_width(|| compose(&first.edge, &second.edge)) else { return false };
                let from = self.known[thread][edge.from].clone();
                if edge.guard != Formula::False
                    && from.is_some_and(|from| step(self.system, thread, &edge, from).is_some())
                {
                    let parts = first.parts.iter().chain(&second.parts).copied().collect();
                    joined.push(Piece::new(self.system, edge, parts));
                }
            }
        }
        let mut index = 0;
        self.pieces[thread].retain(|_| {
            index += 1;
            !into.contains(&(index - 1)) && !out.contains(&(index - 1))
        });
        self.pieces[thread].extend(joined);
        true
    }

    fn finish(self) -> Reduced {
        let mut system = self.system.clone();
        let mut parts = IdVec::new();
        for (id, pieces) in self.pieces.iter() {
            let thread = &mut system.threads[id];
            let (mut edges, mut made_of) = (Vec::new(), Vec::new());
            for piece in pieces {
                edges.push(piece.edge.clone());
                made_of.push(piece.parts.clone());
            }
            thread.edges = edges;
            renumber(thread);
            parts.push(made_of);
            // The `pc` has fewer values now.
            let last = thread.locations.len() as i128 - 1;
            let pc = thread.pc;
            system.vars[pc].range = Some((0, last));
        }
        let entries: Vec<(Var, Location)> = system.threads.values().map(|thread| (thread.pc, thread.entry)).collect();
        let is_pc = |var: Var| matches!(self.system.vars[var].kind, VarKind::Pc(_));
        let initial = system.initial.conjuncts().into_iter().filter(|part| !part.vars().into_iter().any(is_pc));
        let at_entry = entries
            .iter()
            .map(|(pc, entry)| Formula::eq(&(*pc).into(), &Linear::constant(crate::location_value(*entry))));
        system.initial = Formula::and(initial.chain(at_entry).collect::<Vec<_>>());
        Reduced { system, parts }
    }
}

/// Both edges, one after the other.
fn compose(first: &Edge, second: &Edge) -> Edge {
    let mut between =
        |var: Var| first.updates.iter().find(|(updated, _)| *updated == var).map(|(_, value)| value.clone());
    let guard = Formula::and([first.guard.clone(), second.guard.substitute(&mut between)]);
    let later: Vec<(Var, Linear)> =
        second.updates.iter().map(|(var, value)| (*var, value.substitute(&mut between))).collect();
    let kept = first.updates.iter().filter(|(var, _)| later.iter().all(|(other, _)| other != var)).cloned();
    let updates = kept.chain(later.iter().cloned()).collect();
    Edge {
        from: first.from,
        to: second.to,
        inputs: first.inputs.iter().chain(&second.inputs).copied().collect(),
        guard,
        updates,
        path: first.path.iter().chain(&second.path).copied().collect(),
    }
}

/// Leaves out locations that no edge touches.
fn renumber(thread: &mut Thread) {
    let touched: FxHashSet<Location> =
        thread.edges.iter().flat_map(|edge| [edge.from, edge.to]).chain([thread.entry]).collect();
    let mut new: IdVec<Location, Location> = IdVec::filled(Location::new(0), thread.locations.len());
    let mut locations = IdVec::new();
    for (old, data) in thread.locations.iter().filter(|(old, _)| touched.contains(old)) {
        new[old] = locations.push(data.clone());
    }
    thread.locations = locations;
    thread.entry = new[thread.entry];
    for edge in &mut thread.edges {
        (edge.from, edge.to) = (new[edge.from], new[edge.to]);
    }
}
