//! Threads: the *roots*, one for the first thread and one for each `spawn`, and which functions run in them.
//!
//! A root stands for all threads its instruction ever starts.  It is *single* when that is at most one thread: the spawn is
//! not in a loop, and its function runs at most once in a whole execution (one call or spawn leads to it, itself outside
//! loops, from a function that runs at most once).  Everything else may have several instances at once; that errs on the
//! side of more threads.

use crate::{Calls, Functions, Point};
use base::{BitSet, Id, IdVec};
use ir::FuncId;

base::id!(
    /// The threads one instruction starts; 0 is the first thread.
    pub struct RootId, "root"
);

#[derive(Clone, Debug)]
pub struct Root {
    /// The `spawn`; `None` for the first thread.
    pub spawn: Option<Point>,
    /// Where its threads begin.
    pub starts: Vec<FuncId>,
    /// All functions that may run in its threads.
    pub runs: BitSet,
    /// At most one thread of this root ever exists.
    pub single: bool,
}

#[derive(Clone, Debug)]
pub struct Threads {
    pub roots: IdVec<RootId, Root>,
    /// The roots in whose threads each function may run.
    pub roots_of: IdVec<FuncId, BitSet>,
    /// Functions that run at most once in an execution.
    pub once: IdVec<FuncId, bool>,
}

impl Threads {
    pub const FIRST: RootId = RootId(0);

    pub fn compute(functions: Functions<'_>, calls: &Calls) -> Self {
        let Functions { program, cfgs, .. } = functions;
        let once = once(functions, calls);
        let mut roots: IdVec<RootId, Root> = IdVec::new();
        let spawns = calls.spawns.iter().map(|(point, starts)| (Some(*point), starts.clone()));
        for (spawn, starts) in [(None, vec![program.entry])].into_iter().chain(spawns) {
            let single = spawn.is_none_or(|point| once[point.func] && !cfgs[point.func].in_loop(point.block));
            roots.push(Root { spawn, runs: calls.closure(&starts), starts, single });
        }
        let mut roots_of: IdVec<FuncId, BitSet> = IdVec::filled(BitSet::new(), program.functions.len());
        for (id, root) in roots.iter() {
            root.runs.iter().for_each(|func| _ = roots_of[FuncId::new(func)].insert(id.index()));
        }
        Threads { roots, roots_of, once }
    }

    /// The root the `spawn` at the point starts.
    pub fn root_at(&self, point: Point) -> Option<RootId> {
        self.roots.iter().find(|(_, root)| root.spawn == Some(point)).map(|(id, _)| id)
    }

    /// The functions that threads begin with.
    pub fn starts(&self) -> Vec<FuncId> {
        self.roots.values().flat_map(|root| &root.starts).copied().collect()
    }
}

fn once(Functions { program, cfgs, .. }: Functions<'_>, calls: &Calls) -> IdVec<FuncId, bool> {
    // How often each function is named by a call or spawn, and by which.
    let mut entered: IdVec<FuncId, Vec<Point>> = IdVec::filled(Vec::new(), program.functions.len());
    for (point, to) in calls.calls.iter().chain(&calls.spawns) {
        for func in to {
            entered[*func].push(*point);
        }
    }
    let mut once = IdVec::filled(false, program.functions.len());
    // Downward from the entry: a function in a cycle of calls is never reached with one way in that is already known.
    let mut work = vec![program.entry];
    while let Some(func) = work.pop() {
        let runs_once = match entered[func].as_slice() {
            [] => func == program.entry,
            [only] => func != program.entry && once[only.func] && !cfgs[only.func].in_loop(only.block),
            _ => false,
        };
        if !runs_once || std::mem::replace(&mut once[func], true) {
            continue;
        }
        work.extend(calls.callees[func].iter().chain(calls.starts[func].iter()).map(FuncId::new));
    }
    once
}
