//! The order of what happens, and who reads from whom.
//!
//! Nodes of one thread are in the order of its blocks, a thread comes after the node that starts it, the end of a thread before
//! the node that waits for it.  Two nodes of different threads, one of which writes a piece that the other touches, are ordered one
//! way or the other by a literal; the solver's theory of orders sees to it that all of this is acyclic.  Each read that happens reads
//! from one write that happens, or what was there at first, such that no other write that happens is in between.
//!
//! Nodes that do not happen are in the order too, which restricts nothing: such a node can always be put right behind the node of
//! its thread that comes before it, and those of threads that are not started last.

use super::encoding::{Encoding, Event};
use crate::SPENT;
use base::IdVec;
use base::graph::dominates;
use ir::BlockId;
use logic::{Lit, Solver};
use passes::ThreadId;
use rustc_hash::FxHashMap;

/// By thread, a number of its nodes.
type Clock = IdVec<ThreadId, usize>;

pub struct Order<'e, 'a> {
    encoding: &'e mut Encoding<'a>,
    pub solver: Solver,
    literals: FxHashMap<(usize, usize), Lit>,
    /// By thread, the immediate dominators of its blocks.
    dominators: IdVec<ThreadId, IdVec<BlockId, Option<BlockId>>>,
    /// By node, how many nodes of each thread surely come before it, if it happens.
    clocks: FxHashMap<usize, Clock>,
    /// Nodes of a thread by their index.
    of_thread: IdVec<ThreadId, Vec<usize>>,
}

/// Puts everything into the solver.
pub fn solver(encoding: &mut Encoding<'_>) -> Result<Solver, String> {
    let mut of_thread = IdVec::filled(Vec::new(), encoding.unfolded.threads.len());
    for (node, data) in encoding.nodes.iter().enumerate() {
        of_thread[data.thread].push(node);
    }
    let dominators =
        encoding.unfolded.threads.values().map(|thread| encoding.facts.cfgs[thread.func].dominators()).collect();
    let mut order = Order {
        encoding,
        solver: Solver::new(),
        literals: FxHashMap::default(),
        dominators,
        clocks: FxHashMap::default(),
        of_thread,
    };
    order.threads();
    order.memory()?;
    Ok(order.solver)
}

impl Order<'_, '_> {
    fn literal(&mut self, term: logic::Term) -> Lit {
        self.solver.literal(&self.encoding.values.terms, term)
    }

    /// The order within threads and between them.
    fn threads(&mut self) {
        self.solver.order_nodes(self.encoding.nodes.len());
        for nodes in self.of_thread.values() {
            nodes.windows(2).for_each(|pair| self.solver.order_edge(pair[0], pair[1]));
        }
        for (thread, start) in self.encoding.starts.iter() {
            let Some(from) = start.as_ref().and_then(|start| start.node) else { continue };
            if let Some(first) = self.of_thread[thread].first() {
                self.solver.order_edge(from, *first);
            }
        }
        let joins = self.encoding.joins.clone();
        for (i, join) in joins.iter().enumerate() {
            let happens = self.literal(join.guard);
            if let Some(end) = self.encoding.ends[join.target].node {
                self.solver.order_edge_if(happens, end, join.node);
            }
            // Who was waited for, or detached, cannot be waited for again.
            let joined = joins[..i].iter().map(|other| (other.target, other.guard));
            let gone =
                joined.chain(self.encoding.detached.iter().copied()).filter(|(target, _)| *target == join.target);
            for (_, when) in gone.collect::<Vec<_>>() {
                let gone = self.literal(when);
                self.solver.clause(&[!happens, !gone]);
            }
        }
        for constraint in std::mem::take(&mut self.encoding.constraints) {
            self.solver.assert(&self.encoding.values.terms, constraint);
        }
    }

    /// Does the first node, of the same thread, surely happen before the second if that happens?
    fn surely_before(&self, first: usize, second: usize) -> bool {
        let (a, b) = (self.encoding.nodes[first], self.encoding.nodes[second]);
        a.thread == b.thread && a.index < b.index && dominates(&self.dominators[a.thread], a.block, b.block)
    }

    /// How many nodes of each thread come before this one if it happens, as far as starting and waiting say.
    fn clock(&mut self, node: usize) -> Clock {
        if let Some(known) = self.clocks.get(&node) {
            return known.clone();
        }
        // Threads that wait for each other in a circle get nowhere: what is known of them matters little.
        let mut clock = Clock::filled(0, self.of_thread.len());
        self.clocks.insert(node, clock.clone());
        let thread = self.encoding.nodes[node].thread;
        if let Some(from) = self.encoding.starts[thread].as_ref().and_then(|start| start.node) {
            let before = self.clock(from);
            raise(&mut clock, &before);
            let parent = self.encoding.nodes[from];
            clock[parent.thread] = clock[parent.thread].max(parent.index + 1);
        }
        let joins: Vec<_> = self.encoding.joins.iter().filter(|join| join.only).copied().collect();
        for join in joins {
            if join.node == node || self.surely_before(join.node, node) {
                let Some(end) = self.encoding.ends[join.target].node else { continue };
                clock[join.target] = self.of_thread[join.target].len();
                let before = self.clock(end);
                raise(&mut clock, &before);
            }
        }
        self.clocks.insert(node, clock.clone());
        clock
    }

    /// Does the first node surely come before the second, if both happen?
    fn known_before(&mut self, first: usize, second: usize) -> bool {
        let (a, b) = (self.encoding.nodes[first], self.encoding.nodes[second]);
        if a.thread == b.thread {
            return a.index < b.index;
        }
        if !self.clocks.contains_key(&second) {
            self.clock(second);
        }
        self.clocks[&second][a.thread] > a.index
    }

    /// The first node comes before the second.
    fn before(&mut self, first: usize, second: usize) -> Lit {
        if self.known_before(first, second) {
            return Lit::TRUE;
        }
        if first == second || self.known_before(second, first) {
            return Lit::FALSE;
        }
        let (low, high) = (first.min(second), first.max(second));
        let lit = *self.literals.entry((low, high)).or_insert_with(|| {
            let lit = self.solver.fresh();
            self.solver.order_edge_if(lit, low, high);
            self.solver.order_edge_if(!lit, high, low);
            lit
        });
        if first == low { lit } else { !lit }
    }

    fn memory(&mut self) -> Result<(), String> {
        let mut writes: Vec<Vec<Event>> = vec![Vec::new(); self.encoding.objects.pieces.len()];
        self.encoding.writes.iter().for_each(|write| writes[write.piece].push(*write));
        for read in std::mem::take(&mut self.encoding.reads) {
            self.encoding.budget.check().map_err(|_| SPENT)?;
            self.reading(read, &writes[read.piece])?;
        }
        Ok(())
    }

    /// The read reads what was written last.
    fn reading(&mut self, read: Event, writes: &[Event]) -> Result<(), String> {
        let happens = self.literal(read.guard);
        if happens == Lit::FALSE {
            return Ok(());
        }
        // Writes that may come before it.
        let others: Vec<Event> = writes
            .iter()
            .filter(|write| write.node != read.node && !self.known_before(read.node, write.node))
            .copied()
            .collect();
        // A write that surely comes in between hides what is before it.
        let covers: Vec<Event> =
            others.iter().filter(|write| write.sure && self.surely_before(write.node, read.node)).copied().collect();
        let mut sources = Vec::new();
        // Before all writes there is what was there at first.
        let first = covers.is_empty().then_some(None);
        for write in first.into_iter().chain(others.iter().copied().map(Some)) {
            let hidden = |write: Event| covers.iter().any(|cover| self.known_before(write.node, cover.node));
            if write.is_some_and(hidden) {
                continue;
            }
            let value = write.map_or_else(|| self.encoding.at_first(read.piece), |write| write.value);
            let Some(from) = self.source(value, read) else { continue };
            self.encoding.budget.check().map_err(|_| SPENT)?;
            sources.push(from);
            if let Some(write) = write {
                let (written, before) = (self.literal(write.guard), self.before(write.node, read.node));
                self.solver.clause(&[!from, written]);
                self.solver.clause(&[!from, before]);
            }
            for other in others.iter().filter(|other| write.is_none_or(|write| write.node != other.node)) {
                let earlier = write.map_or(Lit::FALSE, |write| self.before(other.node, write.node));
                if earlier == Lit::TRUE {
                    continue;
                }
                let (written, later) = (self.literal(other.guard), self.before(read.node, other.node));
                self.solver.clause(&[!from, !written, earlier, later]);
            }
        }
        sources.push(!happens);
        self.solver.clause(&sources);
        Ok(())
    }

    /// A literal that implies that the read gives the value; `None` if it cannot.
    fn source(&mut self, value: logic::Term, read: Event) -> Option<Lit> {
        let terms = &self.encoding.values.terms;
        if let (Some(a), Some(b)) = (terms.as_constant(value), terms.as_constant(read.value))
            && a != b
        {
            return None;
        }
        let from = self.solver.fresh();
        let written = self.solver.literals(terms, value);
        let gotten = self.solver.literals(terms, read.value);
        for (written, gotten) in written.into_iter().zip(gotten) {
            self.solver.clause(&[!from, !written, gotten]);
            self.solver.clause(&[!from, written, !gotten]);
        }
        Some(from)
    }
}

fn raise(clock: &mut Clock, other: &Clock) {
    clock.iter_mut().zip(other.values()).for_each(|((_, mine), other)| *mine = (*mine).max(*other));
}
