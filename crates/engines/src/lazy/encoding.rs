//! The formula of an unfolded program as far as it does not depend on the memory: what the walk collects, and where it is.

use super::symbols::Symbols;
use base::{BitSet, IdVec};
use claim::Outcome;
use facts::{Facts, Point};
use ir::{BlockId, FuncId, Function};
use logic::Term;
use passes::memory::PieceId;
use passes::{CutKind, ThreadId, Unfolded};
use rustc_hash::FxHashMap;

/// The width in which the results of threads are kept: as wide as any value is.
pub const RESULT: u32 = 128;

pub struct Encoding<'a> {
    pub symbols: Symbols<'a>,
    pub threads: IdVec<ThreadId, Thread<'a>>,
    /// What the pieces of memory hold at first.
    pub initial: IdVec<PieceId, Term>,
    /// Executions may go beyond the bounds where everything would be lost: true only where it is asked whether any does.
    pub may_exceed: Term,
    /// What holds of every solution.
    pub constraints: Vec<Term>,
    /// When an assertion fails.
    pub violations: Vec<Term>,
    /// When an execution goes beyond a bound, and which.
    pub beyond: Vec<(Term, Beyond)>,
    /// The same each time the walk comes by.
    pub inputs: FxHashMap<Point, Term>,
    /// The thread that is walked.
    pub thread: ThreadId,
    /// The thread is where the walk is.
    pub here: Term,
}

pub struct Thread<'a> {
    pub func: FuncId,
    pub function: &'a Function,
    /// The number of each place before which the thread may be stopped.
    pub labels: FxHashMap<(BlockId, usize), usize>,
    pub cuts: FxHashMap<BlockId, CutKind>,
    /// The registers where the walk is.
    pub registers: Vec<Term>,
    /// Registers that must keep their value while the thread is elsewhere.
    pub kept: BitSet,
    pub done: Term,
    pub result: Term,
}

/// An instruction executed, if the condition holds.
#[derive(Clone, Copy)]
pub struct Entry {
    pub when: Term,
    pub thread: ThreadId,
    pub point: Point,
    /// The input it takes, or what it reads.
    pub value: Option<Term>,
    pub violation: bool,
}

/// Where an execution leaves what is encoded.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Beyond {
    /// A bound of the unfolding.
    Cut(CutKind),
    /// An allocation of more bytes than are provided for.
    Size(Point),
    /// Something unsupported.
    Unsupported(Point),
}

impl<'a> Encoding<'a> {
    pub fn new(unfolded: &'a Unfolded, facts: &'a Facts) -> Result<Self, Outcome> {
        let mut symbols = Symbols::new(unfolded, facts)?;
        let initial = symbols.initial_memory();
        let no = symbols.terms.bool(false);
        let mut threads = IdVec::new();
        for (instance, labels) in unfolded.threads.values().zip(passes::labels(unfolded, facts).into_values()) {
            let function = &unfolded.program.functions[instance.func];
            let cuts = unfolded.cuts.iter().filter(|cut| cut.func == instance.func);
            threads.push(Thread {
                func: instance.func,
                function,
                labels: labels.iter().enumerate().map(|(i, (block, inst))| ((*block, *inst as usize), i)).collect(),
                cuts: cuts.map(|cut| (cut.block, cut.kind)).collect(),
                registers: symbols.fresh_registers(function),
                kept: BitSet::new(),
                done: no,
                result: symbols.terms.constant(RESULT, 0),
            });
        }
        Ok(Encoding {
            may_exceed: symbols.terms.variable(1, "may exceed"),
            symbols,
            threads,
            initial,
            constraints: Vec::new(),
            violations: Vec::new(),
            beyond: Vec::new(),
            inputs: FxHashMap::default(),
            thread: ThreadId::FIRST,
            here: no,
        })
    }

    /// The thread whose handle this is, as far as it is known: each that it may be, under its condition.
    pub fn joined(&mut self, joiner: ThreadId, handle: Term, width: Option<u32>) -> Joined {
        let mut res = Joined { threads: Vec::new(), ended: self.symbols.terms.bool(false), result: None };
        let mut results = Vec::new();
        for other in self.threads.ids().filter(|other| *other != joiner) {
            let own = self.symbols.handle(other);
            let own = self.symbols.terms.resize(own, self.symbols.terms.width(handle));
            let terms = &mut self.symbols.terms;
            let is_it = terms.eq(handle, own);
            if terms.is_false(is_it) {
                continue;
            }
            res.threads.push((other, is_it));
            let ended = terms.and(is_it, self.threads[other].done);
            res.ended = terms.or(res.ended, ended);
            results.extend(width.map(|width| (is_it, terms.resize(self.threads[other].result, width))));
        }
        res.result = self.symbols.terms.last_of(results);
        res
    }
}

/// What a thread that joins another waits for.
pub struct Joined {
    /// The threads it may be, each if the condition holds.
    pub threads: Vec<(ThreadId, Term)>,
    /// It has ended.
    pub ended: Term,
    /// With this result.
    pub result: Option<Term>,
}
