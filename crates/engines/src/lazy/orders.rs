//! All schedules at once: who reads from whom, and in which order.
//!
//! Each thread is executed symbolically, once.  What it does from one label (a place where a switch must be considered) to the
//! next is a *node*: one instant of the execution, by the reduction.  A node reads each piece of shared memory at most once, the
//! value just before it, and writes each at most once.  For every read there is a choice of the write it reads from; the
//! write's node comes before, and no other node that writes the piece lies between.  The nodes must have an order in which all
//! this is so: the theory of `logic::order` sees to it.  No number of rounds, switches or steps appears anywhere, so what is
//! unsatisfiable has no solution under any schedule.
//!
//! **What is an execution.**  Each thread executes its nodes up to some node, and none beyond.  A node is executed whole or not at
//! all: where it would have to wait, an assumption fails, or an access goes wrong, it is not executed.  Inside atomic
//! sections that is the meaning of the section; elsewhere it is the reduction that says so: the steps of a node before the
//! place where it may stop are right movers, and a thread that gets stuck need not have taken them (`facts::movers`).  A node in
//! which an assertion fails is executed up to there.

use super::encoding::{Encoding, Entry};
use super::symbols::Symbols;
use super::walk::{Memory, walk};
use base::graph::dominates;
use base::{BitSet, Budget, Id, IdVec};
use claim::Outcome;
use facts::Point;
use ir::{BlockId, Function};
use logic::{Solver, Term, Terms};
use passes::ThreadId;
use passes::memory::PieceId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Index of a node.
pub type NodeId = usize;

/// What happens at one instant.
pub struct Node {
    /// By piece: what it reads, if it does so under the condition.
    pub reads: FxHashMap<PieceId, Access>,
    /// By piece: what it writes, if it does so under the condition.
    pub writes: FxHashMap<PieceId, Access>,
    /// Instructions, in order, each under a condition.
    log: Vec<Entry>,
    /// Where it begins.
    block: BlockId,
}

#[derive(Clone, Copy)]
pub struct Access {
    pub when: Term,
    pub value: Term,
}

/// A thread is joined: under the condition all its nodes come before the node.
pub struct Joined {
    pub when: Term,
    /// Neither the node nor one that comes later in its thread can be executed without.
    pub certain: bool,
    pub thread: ThreadId,
    pub node: NodeId,
}

pub struct Orders {
    pub nodes: Vec<Node>,
    /// Nodes of each thread, in order.
    pub of_thread: IdVec<ThreadId, Vec<NodeId>>,
    /// The node that starts each thread, and when it does.
    pub started_by: IdVec<ThreadId, Option<NodeId>>,
    started: IdVec<ThreadId, Term>,
    pub joins: Vec<Joined>,
    /// Joins that wait for what is known only when all threads have been walked.
    waiting: Vec<WaitingJoin>,
    /// Pieces that several threads touch and one writes.
    pub shared: BitSet,
    /// Of the thread that is walked, by block: the ways that lead to it.
    arriving: Vec<Vec<Path>>,
    /// What it has done where the walk is, and the block there.
    past: Past,
    block: BlockId,
}

struct WaitingJoin {
    node: NodeId,
    block: BlockId,
    thread: ThreadId,
    here: Term,
    branched: bool,
    handle: Term,
    /// Is satisfied if the thread has ended.
    enabled: Term,
    /// Is what the thread returned.
    result: Option<Term>,
}

/// A way to some place.
struct Path {
    here: Term,
    registers: Vec<Term>,
    past: Past,
}

/// What a thread has done so far on a way.
#[derive(Clone, Default)]
struct Past {
    /// Pieces that only this thread touches, where they differ from what they held at first.
    private: Rc<FxHashMap<PieceId, Term>>,
    /// The node that is under way, with what it knows of shared pieces.
    node: Option<NodeId>,
    /// Control has taken one of several ways since the node began.
    branched: bool,
    view: FxHashMap<PieceId, Seen>,
}

/// What a node knows of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    /// Right where `known` holds.
    value: Term,
    known: Term,
    written: Term,
}

impl Orders {
    /// Walks all threads.
    pub fn new(encoding: &mut Encoding<'_>, budget: &Budget) -> Result<Self, Outcome> {
        let count = encoding.threads.len();
        let mut orders = Orders {
            nodes: Vec::new(),
            of_thread: IdVec::filled(Vec::new(), count),
            started_by: IdVec::filled(None, count),
            started: IdVec::filled(encoding.symbols.terms.bool(false), count),
            joins: Vec::new(),
            waiting: Vec::new(),
            shared: shared_pieces(&encoding.symbols),
            arriving: Vec::new(),
            past: Past::default(),
            block: Function::ENTRY,
        };
        orders.started[ThreadId::FIRST] = encoding.symbols.terms.bool(true);
        for thread in encoding.threads.ids() {
            let (function, here) = (encoding.threads[thread].function, orders.started[thread]);
            orders.arriving = function.blocks.ids().map(|_| Vec::new()).collect();
            let registers = std::mem::take(&mut encoding.threads[thread].registers);
            orders.arriving[Function::ENTRY.index()].push(Path { here, registers, past: Past::default() });
            walk(encoding, &mut orders, thread, budget)?;
        }
        orders.finish_joins(encoding);
        Ok(orders)
    }

    /// Now that it is known when every thread ends: what the joins wait for.
    fn finish_joins(&mut self, encoding: &mut Encoding<'_>) {
        let mut dominators = FxHashMap::default();
        for join in std::mem::take(&mut self.waiting) {
            let func = encoding.threads[join.thread].func;
            let dominators = dominators.entry(func).or_insert_with(|| encoding.symbols.facts.cfgs[func].dominators());
            // Does every way to a later node of the thread lead past the join?
            let mut later = self.of_thread[join.thread].iter().filter(|node| **node > join.node);
            let is_passed =
                !join.branched && later.all(|node| dominates(dominators, join.block, self.nodes[*node].block));
            let width = join.result.map(|result| encoding.symbols.terms.width(result));
            let joined = encoding.joined(join.thread, join.handle, width);
            let terms = &mut encoding.symbols.terms;
            for (thread, is_it) in joined.threads {
                let when = terms.and(join.here, is_it);
                let certain = is_passed && terms.is_true(is_it);
                self.joins.push(Joined { when, certain, thread, node: join.node });
            }
            let fine = terms.implies(join.here, joined.ended);
            let is_so = terms.implies(join.enabled, joined.ended);
            encoding.constraints.extend([fine, is_so]);
            if let (Some(wanted), Some(value)) = (join.result, joined.result) {
                let same = terms.eq(wanted, value);
                let same = terms.implies(join.here, same);
                encoding.constraints.push(same);
            }
        }
    }

    /// The node is complete on this way: what it has written takes effect.
    fn end_node(&mut self, terms: &mut Terms, past: &mut Past, here: Term) {
        let Some(node) = past.node.take() else { return };
        let mut seen: Vec<(PieceId, Seen)> = past.view.drain().collect();
        seen.sort_unstable_by_key(|(piece, _)| *piece);
        for (piece, seen) in seen {
            let when = terms.and(here, seen.written);
            if terms.is_false(when) {
                continue;
            }
            let write = self.nodes[node].writes.entry(piece).or_insert(Access { when, value: seen.value });
            *write = Access { when: terms.or(write.when, when), value: terms.ite(when, seen.value, write.value) };
        }
    }
}

impl Memory for Orders {
    /// What is known where several ways meet.
    fn enter(&mut self, encoding: &mut Encoding<'_>, block: BlockId) {
        self.block = block;
        let mut ways = std::mem::take(&mut self.arriving[block.index()]);
        let live = encoding.symbols.facts.liveness.at_block(encoding.threads[encoding.thread].func, block);
        let Encoding { symbols: Symbols { terms, .. }, initial, .. } = encoding;
        // Nodes that have done different things do not go on as one.
        if ways.iter().any(|way| way.past.node != ways[0].past.node) {
            for way in &mut ways {
                self.end_node(terms, &mut way.past, way.here);
            }
        }
        let no = terms.bool(false);
        let Some(mut merged) = ways.pop() else {
            encoding.here = no;
            return;
        };
        for way in ways.iter().rev() {
            for reg in live.iter() {
                merged.registers[reg] = terms.ite(way.here, way.registers[reg], merged.registers[reg]);
            }
            let (past, other) = (&mut merged.past, &way.past);
            if !Rc::ptr_eq(&past.private, &other.private) {
                let keys: Vec<PieceId> = past.private.keys().chain(other.private.keys()).copied().collect();
                let private = Rc::make_mut(&mut past.private);
                for piece in keys {
                    let ours = private.get(&piece).copied().unwrap_or(initial[piece]);
                    let theirs = other.private.get(&piece).copied().unwrap_or(initial[piece]);
                    if ours != theirs {
                        private.insert(piece, terms.ite(way.here, theirs, ours));
                    }
                }
            }
            let keys: Vec<PieceId> = past.view.keys().chain(other.view.keys()).copied().collect();
            for piece in keys {
                let (ours, theirs) = (past.view.get(&piece).copied(), other.view.get(&piece).copied());
                let Some(either) = ours.or(theirs).filter(|_| ours != theirs) else { continue };
                let absent = Seen { value: either.value, known: no, written: no };
                let (ours, theirs) = (ours.unwrap_or(absent), theirs.unwrap_or(absent));
                let seen = Seen {
                    value: terms.ite(way.here, theirs.value, ours.value),
                    known: terms.ite(way.here, theirs.known, ours.known),
                    written: terms.ite(way.here, theirs.written, ours.written),
                };
                past.view.insert(piece, seen);
            }
            past.branched |= other.branched;
            merged.here = terms.or(merged.here, way.here);
        }
        encoding.here = merged.here;
        encoding.threads[encoding.thread].registers = merged.registers;
        self.past = merged.past;
    }

    fn leave(&mut self, encoding: &mut Encoding<'_>, to: BlockId, when: Term) {
        if !encoding.symbols.terms.is_false(when) {
            let registers = encoding.threads[encoding.thread].registers.clone();
            let branched = self.past.branched || when != encoding.here;
            let past = Past { branched, ..self.past.clone() };
            self.arriving[to.index()].push(Path { here: when, registers, past });
        }
    }

    /// The node ends, another begins.
    fn pause(&mut self, encoding: &mut Encoding<'_>, label: Option<usize>) {
        let (terms, here) = (&mut encoding.symbols.terms, encoding.here);
        if terms.is_false(here) || (label.is_none() && self.past.node.is_some()) {
            return;
        }
        let mut past = std::mem::take(&mut self.past);
        self.end_node(terms, &mut past, here);
        let goes = terms.variable(1, "goes");
        encoding.here = terms.and(here, goes);
        let id = self.nodes.len();
        let (reads, writes) = Default::default();
        self.nodes.push(Node { reads, writes, log: Vec::new(), block: self.block });
        self.of_thread[encoding.thread].push(id);
        self.past = Past { node: Some(id), branched: false, ..past };
    }

    /// A node is executed whole or not at all.
    fn is_whole(&self, _: &Encoding<'_>, _: Point) -> bool {
        true
    }

    fn read(&mut self, encoding: &mut Encoding<'_>, piece: PieceId, when: Term) -> Term {
        let Encoding { symbols: Symbols { terms, space, .. }, initial, here, .. } = encoding;
        if !self.shared.contains(piece.index()) {
            return self.past.private.get(&piece).copied().unwrap_or(initial[piece]);
        }
        let seen = self.past.view.get(&piece).copied();
        if let Some(seen) = seen
            && terms.is_true(seen.known)
        {
            return seen.value;
        }
        let Some(node) = self.past.node else { return initial[piece] };
        let no = terms.bool(false);
        let unknown = seen.map_or(terms.bool(true), |seen| terms.not(seen.known));
        let unseen = terms.all(&[*here, when, unknown]);
        let width = space.pieces[piece].size as u32 * 8;
        let read = self.nodes[node].reads.entry(piece);
        let read = read.or_insert_with(|| Access { when: no, value: terms.variable(width, "read") });
        read.when = terms.or(read.when, unseen);
        let seen = seen.unwrap_or(Seen { value: read.value, known: no, written: no });
        let value = terms.ite(seen.known, seen.value, read.value);
        self.past.view.insert(piece, Seen { value, known: terms.or(seen.known, when), ..seen });
        value
    }

    fn write(&mut self, encoding: &mut Encoding<'_>, piece: PieceId, value: Term, when: Term) {
        let terms = &mut encoding.symbols.terms;
        if !self.shared.contains(piece.index()) {
            let before = self.past.private.get(&piece).copied().unwrap_or(encoding.initial[piece]);
            let after = terms.ite(when, value, before);
            Rc::make_mut(&mut self.past.private).insert(piece, after);
            return;
        }
        let no = terms.bool(false);
        let seen = self.past.view.entry(piece).or_insert(Seen { value, known: no, written: no });
        *seen = Seen {
            value: terms.ite(when, value, seen.value),
            known: terms.or(seen.known, when),
            written: terms.or(seen.written, when),
        };
    }

    fn start(&mut self, encoding: &mut Encoding<'_>, child: ThreadId, arguments: &[Term]) {
        self.started[child] = encoding.here;
        self.started_by[child] = self.past.node;
        let child = &mut encoding.threads[child];
        for (param, value) in child.function.params.iter().zip(arguments) {
            child.registers[param.index()] = *value;
        }
    }

    fn join(&mut self, encoding: &mut Encoding<'_>, handle: Term, width: Option<u32>) -> (Term, Option<Term>) {
        let terms = &mut encoding.symbols.terms;
        let enabled = terms.variable(1, "joins");
        let result = width.map(|width| terms.variable(width, "result"));
        let here = terms.and(encoding.here, enabled);
        if let Past { node: Some(node), branched, .. } = self.past {
            let (block, thread) = (self.block, encoding.thread);
            self.waiting.push(WaitingJoin { node, block, thread, here, branched, handle, enabled, result });
        }
        (enabled, result)
    }

    fn end(&mut self, encoding: &mut Encoding<'_>) {
        let mut past = std::mem::take(&mut self.past);
        self.end_node(&mut encoding.symbols.terms, &mut past, encoding.here);
    }

    fn log(&mut self, entry: Entry) {
        if let Some(node) = self.past.node {
            self.nodes[node].log.push(entry);
        }
    }

    fn history(&self, solver: &mut Solver) -> Vec<Entry> {
        solver.order().into_iter().flat_map(|node| &self.nodes[node].log).copied().collect()
    }
}

/// Pieces that two threads may touch, one of them writing.
fn shared_pieces(symbols: &Symbols<'_>) -> BitSet {
    let (unfolded, facts) = (symbols.unfolded, symbols.facts);
    // The one thread that touches a piece, and whether there are more, and whether anyone writes.
    let mut owner: IdVec<PieceId, Option<ThreadId>> = IdVec::filled(None, symbols.space.pieces.len());
    let (mut many, mut written) = (BitSet::new(), BitSet::new());
    symbols.space.for_each_access(unfolded, facts, &mut |point, access, pieces| {
        let thread = unfolded.thread_of(point.func);
        for piece in pieces {
            if owner[*piece].is_some() && owner[*piece] != thread {
                many.insert(piece.index());
            }
            owner[*piece] = thread;
            if access.writes {
                written.insert(piece.index());
            }
        }
    });
    many.intersect_with(&written);
    many
}
