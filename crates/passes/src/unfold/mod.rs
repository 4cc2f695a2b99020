//! Unfolding: a program in which every thread is one function of its own: acyclic and bounded, or with the loops that it needs.
//!
//! Calls are inlined, loops unwound (or kept, see below), and every `spawn` that remains starts a copy of its own; all of it in one walk along the
//! control flow, with the constants known so far.  So a loop that counts to a constant unwinds by itself, a call through a
//! constant pointer has one callee, and each thread is specialised for its arguments.
//!
//! **What is cut.**  A loop goes round at most [`Bounds::unwind`] times, not counting the times when the decision to go on was
//! a constant (of these there may be [`Bounds::counted`]).  Where an execution would go on beyond a bound there is a *cut*: an empty
//! block, listed in [`Unfolded::cuts`].  An execution that reaches none of them is an execution of the original program,
//! instruction by instruction, and the other way round, but for one thing:
//!
//! **Waiting.**  Going once round a loop without changing anything (a spin loop that only reads, a condition variable's loop
//! that wakes up for nothing) leads back to where the thread was; whatever can be reached after, can be reached without.  So
//! the back edge carries an assumption that something has changed: `progress` argues it, and for which goals.
//!
//! **What is kept.**  With [`Bounds::keep`] no loop is cut: one that a constant ends is unwound as before, every other remains a
//! loop (`keep` says how), and there is nothing to be assumed about waiting.  There are still cuts, for what a function with
//! loops cannot be: recursion, threads started in a loop that is kept, loops with several ways in; and for the numbers of
//! threads and instructions.
//!
//! **Names.**  Where a heap block may take the place of a freed one, the unfolded program says so itself (`reuse`); its blocks
//! have names of their own.
//!
//! Some behaviour is added, none is lost: objects on the stack of an inlined function do not die at its return, so an access
//! through a dangling pointer goes on where the program's execution would end.

mod calls;
mod dead;
mod fit;
mod frames;
mod keep;
mod numbers;
mod progress;
mod reuse;
mod state;
mod walk;

pub use fit::EXCLUDED;
pub use reuse::Reuse;

use crate::Preserves;
use base::{Budget, IdVec, Pos, Spent};
pub use calls::{ActivationId, Activations};
use facts::{Facts, Point};
use ir::{AllocKind, Block, BlockId, BlockNames, FuncId, Function, Goal, InstKind, Program, Reg, RegData, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// How far to go.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The most times round a loop, where nothing decides; and the most calls of a function inside itself.
    pub unwind: u32,
    /// Loops, by function and head, with a bound of their own; with `keep` in the place of `counted`.
    pub loops: FxHashMap<(FuncId, BlockId), u32>,
    /// The most times round a loop that a constant ends.  With `keep`, a loop that takes more is kept from its first round on.
    pub counted: u32,
    /// Keep loops that no constant ends.
    pub keep: bool,
    /// The most threads.
    pub threads: usize,
    /// The most instructions in all.
    pub size: usize,
}

impl Bounds {
    pub fn new(unwind: u32) -> Self {
        Bounds { unwind, loops: FxHashMap::default(), counted: 1 << 10, keep: false, threads: 200, size: 400_000 }
    }
    /// Loops that no constant ends are kept, the others unwound up to so many rounds.
    pub fn keeping_loops(counted: u32) -> Self {
        Bounds { counted, keep: true, ..Bounds::new(1) }
    }
    pub fn of(&self, func: FuncId, head: BlockId) -> u32 {
        self.loops.get(&(func, head)).copied().unwrap_or(self.unwind)
    }
}

impl From<&claim::Unrolling> for Bounds {
    fn from(unrolling: &claim::Unrolling) -> Self {
        let loops = unrolling.loops.iter().map(|&(func, head, bound)| ((func, head), bound)).collect();
        let claim::Unrolling { unwind, counted, threads, size, .. } = *unrolling;
        Bounds { unwind, loops, counted, keep: false, threads, size }
    }
}

/// Of bounds that keep no loops.
impl From<&Bounds> for claim::Unrolling {
    fn from(bounds: &Bounds) -> Self {
        let mut loops: Vec<_> = bounds.loops.iter().map(|(&(func, head), &bound)| (func, head, bound)).collect();
        loops.sort_unstable();
        let Bounds { unwind, counted, threads, size, .. } = *bounds;
        claim::Unrolling { unwind, loops, counted, threads, size }
    }
}

/// An unfolded program.
pub struct Unfolded {
    /// Valid.  The functions of `threads` are without calls; a `spawn` names a function that no other names, and is executed
    /// at most once.  The original functions remain as names for their addresses only.
    ///
    /// Without [`Bounds::keep`] these functions are acyclic, their blocks in topological order, and an `alloc` too is executed
    /// at most once.
    ///
    /// With it they may have loops, each with one head, through which every way into the loop goes.  The blocks of a loop come
    /// after its head, and an edge goes to a block with a smaller number, or to its own, exactly if it goes back to the head of
    /// a loop around it.  No edge leads to the first block.  The allocations that may be executed more than once are in
    /// `repeated`; an object on the stack of a function that was called in a loop is one of them.
    pub program: Program,
    /// The first is the first thread; a thread comes after the one that starts it.
    pub threads: IdVec<ThreadId, Instance>,
    pub cuts: Vec<Cut>,
    /// By function of the unfolded program, block and instruction (the terminator last): where it comes from.
    pub origins: FxHashMap<FuncId, Vec<Vec<Origin>>>,
    /// Where the original is at the start of a block, where several ways may lead to it.
    pub starts: FxHashMap<(FuncId, BlockId), Point>,
    /// Instructions that put a freed block aside or take one, by where they are.
    pub reuses: FxHashMap<Point, Reuse>,
    /// By `free`, or what became of it, the allocations whose blocks it gets, if any: by that was judged whose place a block may
    /// take.
    pub frees: FxHashMap<Point, FxHashSet<Point>>,
    /// Allocations in loops, in the order of the threads and blocks.
    pub repeated: Vec<Repeated>,
    /// Where the original takes or gives back locks that only their holder gives back and nobody looks at but by waiting.
    pub quiet_locks: FxHashSet<Point>,
    /// Loops were kept, and no round of them left out.
    pub keeps_loops: bool,
    /// By function of the unfolded program: the functions that were inlined.
    pub activations: FxHashMap<FuncId, Activations>,
    /// There are objects that live on where the program's have died.
    lasting: bool,
}

/// An allocation that may be executed more than once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repeated {
    /// Where it is in the unfolded program.
    pub point: Point,
    pub kind: AllocKind,
    pub pos: Pos,
}

/// Where an instruction comes from; `None` for those that the pass has put in.
pub type Origin = Option<Point>;

base::id!(
    /// A thread of the unfolded program, by its number.
    pub struct ThreadId, "t"
);

impl ThreadId {
    /// The first thread, which starts the others.
    pub const FIRST: ThreadId = ThreadId(0);
}

/// A thread of the unfolded program.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    pub func: FuncId,
    /// The function of the original program that it runs.
    pub original: FuncId,
    /// The thread that starts it.
    pub parent: Option<ThreadId>,
}

/// A place where an execution would exceed a bound.
#[derive(Clone, Debug)]
pub struct Cut {
    pub func: FuncId,
    pub block: BlockId,
    pub kind: CutKind,
    pub pos: Pos,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CutKind {
    /// Once more round the loop with this head, which nothing ends so far.
    Loop(FuncId, BlockId),
    /// Once more round a loop with this head that a constant will end.
    Count(FuncId, BlockId),
    /// Once more into this function.
    Recursion(FuncId),
    /// One thread more.
    Threads,
    /// A thread started in a loop that is kept: nothing says how many there will be.
    ThreadsInLoop,
    /// Once more round the loop with this head, which cannot be kept since it has other ways in than its head.
    Irreducible(FuncId, BlockId),
    /// A loop whose rounds open or close atomic sections for those after them.
    Sections(FuncId, BlockId),
    /// More instructions.
    Size,
}

/// What an execution would do there.
impl fmt::Display for CutKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CutKind::Loop(..) | CutKind::Count(..) => "once more round the loop",
            CutKind::Recursion(_) => "one more call of a function inside itself",
            CutKind::Threads => "one more thread",
            CutKind::ThreadsInLoop => "threads started in a loop, nobody knows how many",
            CutKind::Irreducible(..) => "once more round a loop with several ways in",
            CutKind::Sections(..) => "once more round a loop that begins or ends an atomic section of its next round",
            CutKind::Size => "more instructions",
        })
    }
}

impl Unfolded {
    /// What becomes of the goal that it was made for; `None` if something may be lost and something else found.
    pub fn preserves(&self) -> Option<Preserves> {
        match (self.lasting, self.cuts.is_empty()) {
            (false, true) => Some(Preserves::Exact),
            (true, true) => Some(Preserves::More),
            (false, false) => Some(Preserves::Fewer),
            (true, false) => None,
        }
    }
    /// The original place of an instruction.
    pub fn origin(&self, point: Point) -> Origin {
        self.origins.get(&point.func)?.get(point.block.0 as usize)?.get(point.inst as usize).copied().flatten()
    }
    /// The thread that runs a function of the unfolded program.
    pub fn thread_of(&self, func: FuncId) -> Option<ThreadId> {
        self.threads.iter().find(|(_, thread)| thread.func == func).map(|(id, _)| id)
    }
    /// Orders in which the threads can take their turns in a round, the first thread last: as they are started; the other way
    /// round; and as their functions stand in the text, which in C is mostly before those that start them, so that who joins comes
    /// after those who are joined.
    pub fn turns(&self) -> Vec<Vec<ThreadId>> {
        let started: Vec<ThreadId> = self.threads.ids().skip(1).collect();
        let backwards = started.iter().rev().copied().collect();
        let mut written = started.clone();
        written.sort_by_key(|thread| self.threads[*thread].original);
        let mut turns: Vec<Vec<ThreadId>> = Vec::new();
        for mut order in [started, written, backwards] {
            order.push(ThreadId::FIRST);
            if !turns.contains(&order) {
                turns.push(order);
            }
        }
        turns
    }
    /// Visits every instruction of the threads.
    pub fn for_each_instruction<'u>(&'u self, f: &mut dyn FnMut(Point, &'u InstKind)) {
        for thread in self.threads.values() {
            for (block, data) in self.program.functions[thread.func].blocks.iter() {
                for (i, inst) in data.insts.iter().enumerate() {
                    f(Point::new(thread.func, block, i), &inst.kind);
                }
            }
        }
    }
    /// How many instructions it has.
    pub fn size(&self) -> usize {
        let blocks = self.threads.values().flat_map(|thread| self.program.functions[thread.func].blocks.values());
        blocks.map(|block| block.insts.len() + 1).sum()
    }
}

/// Unfolds a valid program, to look for the goal in it; `facts` are those of the program.
pub fn unfold(
    program: &Program,
    facts: &Facts,
    goal: Goal,
    bounds: &Bounds,
    budget: &Budget,
) -> Result<Unfolded, Spent> {
    let shapes = frames::Shapes::new(program, facts, goal);
    let mut res = Unfolded {
        program: Program { functions: IdVec::new(), ..program.clone() },
        threads: IdVec::new(),
        cuts: Vec::new(),
        origins: FxHashMap::default(),
        starts: FxHashMap::default(),
        reuses: FxHashMap::default(),
        frees: FxHashMap::default(),
        repeated: Vec::new(),
        quiet_locks: FxHashSet::default(),
        keeps_loops: bounds.keep,
        activations: FxHashMap::default(),
        lasting: false,
    };
    for function in program.functions.values() {
        let regs: IdVec<Reg, RegData> = function.params.iter().map(|reg| function.regs[*reg].clone()).collect();
        let block = Block { name: "b0".into(), insts: Vec::new(), term: Term::Unreachable, term_pos: function.pos };
        let params = regs.ids().collect();
        res.program.functions.push(Function { regs, params, blocks: IdVec::from_vec(vec![block]), ..function.clone() });
    }
    let mut queue = walk::Queue::new(program);
    res.program.entry = queue.first;
    let mut left = bounds.size;
    while let Some(start) = queue.list.get(res.threads.len()).cloned() {
        let mut walk = walk::Walk::new(program, facts, &shapes, bounds, &mut queue, start, res.threads.next_id());
        walk.run(budget, &mut left)?;
        walk.finish(&mut res);
    }
    if facts.handles.numbers {
        numbers::refuse_others(&mut res);
    }
    dead::remove(&mut res);
    match facts.reuse.pairs.is_empty() {
        true => reuse::tell_frees(&mut res, facts),
        false => reuse::tell(&mut res, left),
    }
    // What is put aside does not die.
    res.lasting |= !res.reuses.is_empty();
    res.program.block_names = BlockNames::Unique;
    res.repeated = keep::repeated(&res);
    Ok(res)
}
