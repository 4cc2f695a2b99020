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
//!
//! **Ends.**  The return of the first thread and `halt` end the program; for the others that is as if the thread had not yet
//! taken this last step, so it has no effect here.

use super::rounds::Beyond;
use super::space::TooHard;
use super::symbols::Symbols;
use super::walk::Walk;
use base::{BitSet, Budget, Spent};
use facts::{Facts, Point};
use ir::Function;
use logic::Term;
use passes::Unfolded;
use rustc_hash::FxHashMap;

/// The width in which the results of threads are kept: as wide as any value is.
pub const RESULT: u32 = 128;

/// Index of a node.
pub type NodeId = usize;

/// What happens at one instant.
pub struct Node {
    pub thread: usize,
    /// By piece: what it reads, if it does so under the condition.
    pub reads: FxHashMap<usize, Read>,
    /// By piece: what it writes, if it does so under the condition.
    pub writes: FxHashMap<usize, Write>,
    /// Instructions, in order, each under a condition.
    pub log: Vec<Entry>,
}

#[derive(Clone, Copy)]
pub struct Read {
    pub when: Term,
    pub value: Term,
}

#[derive(Clone, Copy)]
pub struct Write {
    pub when: Term,
    pub value: Term,
}

#[derive(Clone, Copy)]
pub struct Entry {
    pub when: Term,
    pub point: Point,
    pub value: Option<Term>,
    pub violation: bool,
}

/// A thread is joined: under the condition all its nodes come before the node.
pub struct Joined {
    pub when: Term,
    /// The node cannot be executed without.
    pub certain: bool,
    pub thread: usize,
    pub node: NodeId,
}

pub struct Orders<'a> {
    pub symbols: Symbols<'a>,
    pub nodes: Vec<Node>,
    /// Nodes of each thread, in order.
    pub of_thread: Vec<Vec<NodeId>>,
    /// The node that starts each thread.
    pub started_by: Vec<Option<NodeId>>,
    pub joins: Vec<Joined>,
    pub constraints: Vec<Term>,
    pub violations: Vec<(Term, Point)>,
    pub beyond: Vec<(Term, Beyond)>,
    pub may_exceed: Term,
    /// Contents of pieces at first.
    pub initial: Vec<Term>,
    /// Pieces that several threads touch and one writes.
    pub shared: BitSet,
    /// For each thread: the condition under which it has been started, its arguments, when it has ended, its result.
    pub(super) started: Vec<Term>,
    pub(super) arguments: Vec<Vec<Term>>,
    pub(super) done: Vec<Term>,
    pub(super) results: Vec<Term>,
    /// Joins that wait for what is known only when all threads have been walked.
    pub(super) waiting: Vec<WaitingJoin>,
}

pub(super) struct WaitingJoin {
    pub node: NodeId,
    pub thread: usize,
    pub here: Term,
    pub branched: bool,
    pub handle: Term,
    /// Is satisfied if the thread has ended.
    pub enabled: Term,
    /// Is what the thread returned.
    pub result: Option<Term>,
}

impl<'a> Orders<'a> {
    pub fn new(unfolded: &'a Unfolded, facts: &'a Facts, budget: &Budget) -> Result<Self, Stop> {
        let mut symbols = Symbols::new(unfolded, facts)?;
        let no = symbols.terms.bool(false);
        let initial = symbols.initial_memory();
        let shared = shared_pieces(unfolded, facts, &symbols);
        let count = unfolded.threads.len();
        let functions: Vec<&Function> =
            unfolded.threads.iter().map(|thread| &unfolded.program.functions[thread.func]).collect();
        let (mut arguments, mut results) = (Vec::new(), Vec::new());
        for function in functions {
            let widths: Vec<u32> = function.params.iter().map(|param| symbols.width(function.ty(*param))).collect();
            arguments.push(widths.into_iter().map(|width| symbols.terms.constant(width, 0)).collect());
            results.push(symbols.terms.constant(RESULT, 0));
        }
        let may_exceed = symbols.terms.variable(1, "may exceed");
        let mut orders = Orders {
            symbols,
            nodes: Vec::new(),
            of_thread: vec![Vec::new(); count],
            started_by: vec![None; count],
            joins: Vec::new(),
            constraints: Vec::new(),
            violations: Vec::new(),
            beyond: Vec::new(),
            may_exceed,
            initial,
            shared,
            started: vec![no; count],
            arguments,
            done: vec![no; count],
            results,
            waiting: Vec::new(),
        };
        orders.started[0] = orders.symbols.terms.bool(true);
        for (thread, labels) in passes::labels(unfolded, facts).iter().enumerate() {
            if let Some(spent) = budget.spent() {
                return Err(Stop::Spent(spent));
            }
            Walk::new(&mut orders, thread, labels).run(budget)?;
        }
        orders.finish_joins();
        Ok(orders)
    }

    /// Now that it is known when every thread ends: what the joins wait for.
    fn finish_joins(&mut self) {
        for join in std::mem::take(&mut self.waiting) {
            let mut enabled = self.symbols.terms.bool(false);
            let mut result = None;
            for other in (0..self.started.len()).filter(|other| *other != join.thread) {
                let own = self.symbols.handle(other);
                let own = self.symbols.resize(own, self.symbols.terms.width(join.handle));
                let terms = &mut self.symbols.terms;
                let is_it = terms.eq(join.handle, own);
                if terms.is_false(is_it) {
                    continue;
                }
                let ended = terms.and(is_it, self.done[other]);
                enabled = terms.or(enabled, ended);
                let when = terms.and(join.here, is_it);
                let certain = !join.branched && terms.is_true(is_it);
                self.joins.push(Joined { when, certain, thread: other, node: join.node });
                if let Some(wanted) = join.result {
                    let width = self.symbols.terms.width(wanted);
                    let value = self.symbols.resize(self.results[other], width);
                    let before = result.unwrap_or(value);
                    result = Some(self.symbols.terms.ite(is_it, value, before));
                }
            }
            let terms = &mut self.symbols.terms;
            let fine = terms.implies(join.here, enabled);
            let is_so = terms.implies(join.enabled, enabled);
            self.constraints.extend([fine, is_so]);
            if let (Some(wanted), Some(value)) = (join.result, result) {
                let same = terms.eq(wanted, value);
                let same = terms.implies(join.here, same);
                self.constraints.push(same);
            }
        }
    }
}

/// Why there is no encoding.
pub enum Stop {
    TooHard(TooHard),
    Spent(Spent),
}

impl From<TooHard> for Stop {
    fn from(hard: TooHard) -> Self {
        Stop::TooHard(hard)
    }
}

/// Pieces that two threads may touch, one of them writing.
fn shared_pieces(unfolded: &Unfolded, facts: &Facts, symbols: &Symbols<'_>) -> BitSet {
    let count = symbols.space.pieces.len();
    // The one thread that touches a piece, and whether there are more, and whether anyone writes.
    let mut owner: Vec<Option<usize>> = vec![None; count];
    let (mut many, mut written) = (BitSet::new(), BitSet::new());
    for (thread, instance) in unfolded.threads.iter().enumerate() {
        for (block, data) in unfolded.program.functions[instance.func].blocks.iter() {
            for (i, inst) in data.insts.iter().enumerate() {
                let Some(access) = inst.kind.access() else { continue };
                let size = unfolded.program.size_of(access.ty);
                let point = Point::new(instance.func, block, i);
                let Some(targets) = facts.points_to.address(point) else { continue };
                let pieces: Vec<usize> = match symbols.space.places(unfolded, facts, targets, size) {
                    Some(places) => {
                        let pieces =
                            places.iter().map(|(object, offset)| symbols.space.pieces_at(*object, *offset, size));
                        pieces.flatten().flatten().collect()
                    }
                    // Anything at all.
                    None => (0..count).collect(),
                };
                for piece in pieces {
                    if owner[piece].is_some_and(|owner| owner != thread) {
                        many.insert(piece);
                    }
                    owner[piece] = Some(thread);
                    if access.writes {
                        written.insert(piece);
                    }
                }
            }
        }
    }
    many.intersect_with(&written);
    many
}
