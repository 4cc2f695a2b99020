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

use crate::ranges::{Known, step};
use crate::{Edge, Graph, Location, System, ThreadId, VarKind};
use base::{Id, IdVec, Interval};
use formula::interval::{Ranges, meet, refine};
use formula::{Formula, Var, within_width};
use rustc_hash::FxHashSet;
use transition::Joined;

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
    joined: Joined,
    reads: FxHashSet<Var>,
    writes: FxHashSet<Var>,
}

impl Piece {
    fn new(system: &System, joined: Joined) -> Self {
        let step = &joined.edge.step;
        let mut reads = FxHashSet::default();
        step.visit_reads(&mut |var| _ = reads.insert(var));
        // It is only ever set to 1, and nobody looks at it.
        let writes = step.written().filter(|var| *var != system.failed).collect();
        Piece { joined, reads, writes }
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
    let mut reduction = Reduction { system, known, pieces: IdVec::new() };
    for (id, thread) in system.threads.iter() {
        let possible = Joined::all(&thread.graph).into_iter().filter(|joined| reduction.is_possible(id, &joined.edge));
        let pieces = possible.map(|joined| Piece::new(system, joined)).collect();
        reduction.pieces.push(pieces);
    }
    while system.threads.ids().any(|thread| reduction.take_one_away(thread)) {}
    reduction.finish()
}

impl Reduction<'_> {
    /// Whether the ranges do not exclude the edge.
    fn is_possible(&self, thread: ThreadId, edge: &Edge) -> bool {
        let here = self.known[thread][edge.from].clone();
        here.is_some_and(|here| step(self.system, thread, edge, here).is_some())
    }

    /// Takes a location of the thread away, if one can be.
    fn take_one_away(&mut self, thread: ThreadId) -> bool {
        let graph = &self.system.threads[thread].graph;
        for location in graph.locations.ids().filter(|location| *location != graph.entry) {
            let touching = |end: fn(&Edge) -> Location| {
                let pieces = self.pieces[thread].iter().enumerate();
                pieces.filter(|(_, piece)| end(&piece.joined.edge) == location).map(|(i, _)| i).collect::<Vec<usize>>()
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
        let known =
            self.known[first][one.joined.edge.from].as_ref().zip(self.known[second][two.joined.edge.from].as_ref());
        let both = known.and_then(|(here, there)| meet(here, there));
        let between = both.and_then(|both| step(self.system, first, &one.joined.edge, both));
        between.is_some_and(|between| step(self.system, second, &two.joined.edge, between).is_some())
    }

    /// Whether one of the edges out of the location can always be taken.
    fn goes_on(&self, thread: ThreadId, location: Location, out: &[usize]) -> bool {
        let Some(here) = &self.known[thread][location] else { return true };
        let guards = out.iter().map(|piece| self.without_inputs(&self.pieces[thread][*piece].joined.edge, here));
        let none = Formula::and(guards.map(|guard| guard.not()));
        none == Formula::False || !refine(&mut here.clone(), &none)
    }

    /// Where the edge can be taken for some inputs, or fewer places.
    fn without_inputs(&self, edge: &Edge, here: &Ranges) -> Formula {
        let parts = edge.step.guard.conjuncts().iter().cloned().map(|part| {
            let vars = part.vars();
            match vars.iter().any(|var| var.as_input().is_some()) {
                false => part,
                // The range of one input alone can always be kept to.
                true if vars.len() == 1 && self.input_can(edge, &part, here) => Formula::True,
                true => Formula::False,
            }
        });
        Formula::and(parts)
    }
    /// The condition is one that the declared range of the input implies.
    fn input_can(&self, edge: &Edge, condition: &Formula, here: &Ranges) -> bool {
        !refine(&mut here.clone().with_inputs(edge.step.input_ranges()), &condition.not())
    }

    /// Joins each edge into a location with each edge out of it, unless their terms are too wide for that.
    fn join(&mut self, thread: ThreadId, into: &[usize], out: &[usize]) -> bool {
        let mut made = Vec::new();
        for (first, second) in into.iter().flat_map(|first| out.iter().map(move |second| (*first, *second))) {
            let (first, second) = (&self.pieces[thread][first], &self.pieces[thread][second]);
            let Ok(joined) = within_width(|| first.joined.then(&second.joined)) else { return false };
            if joined.edge.step.guard != Formula::False && self.is_possible(thread, &joined.edge) {
                made.push(Piece::new(self.system, joined));
            }
        }
        let pieces = std::mem::take(&mut self.pieces[thread]).into_iter().enumerate();
        let others = pieces.filter(|(index, _)| !into.contains(index) && !out.contains(index));
        self.pieces[thread] = others.map(|(_, piece)| piece).chain(made).collect();
        true
    }

    fn finish(self) -> Reduced {
        let mut system = self.system.clone();
        let is_pc = |var: Var| matches!(self.system.vars[var].kind, VarKind::Pc(_));
        let mut initial = system.initial.conjuncts().to_vec();
        initial.retain(|part| !part.vars().into_iter().any(is_pc));
        let mut parts = IdVec::new();
        for ((_, thread), pieces) in system.threads.iter_mut().zip(self.pieces.into_values()) {
            let joined = pieces.into_iter().map(|piece| (piece.joined.edge, piece.joined.parts));
            let (edges, made_of) = joined.unzip();
            thread.graph.edges = edges;
            renumber(&mut thread.graph);
            parts.push(made_of);
            // The `pc` has fewer values now.
            system.vars[thread.pc].range = Interval::between(0, thread.graph.locations.len() as i128 - 1);
            let entry = crate::location_value(thread.graph.entry);
            initial.push(Formula::is(&thread.pc.into(), entry));
        }
        system.initial = Formula::and(initial);
        Reduced { system, parts }
    }
}

/// Leaves out locations that no edge touches.
fn renumber(graph: &mut Graph) {
    let mut touched = vec![false; graph.locations.len()];
    let ends = graph.edges.iter().flat_map(|edge| [edge.from, edge.to]).chain([graph.entry]);
    ends.for_each(|location| touched[location.index()] = true);
    let new = graph.locations.keep(&touched);
    graph.entry = new[graph.entry];
    for edge in &mut graph.edges {
        (edge.from, edge.to) = (new[edge.from], new[edge.to]);
    }
}
