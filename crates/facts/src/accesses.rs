//! Accesses: every place in the program that touches memory, with the cells it may read and write.
//!
//! Loads, stores and updates touch what their address points to.  Freeing an object, and leaving a function or thread whose
//! objects die, counts as writing all of it: whether another thread's access comes before or after makes a difference (after
//! is an error).  Allocation is no access where nobody else can have the address yet; where the new block may take the place of a
//! freed one (`reuse`), it counts as writing all of that, for the same reason and because the content is gone.
//!
//! When the entry function returns the whole program ends, so that return kills nothing anybody could still look at.

use crate::reuse::freed;
use crate::{Basis, Calls, Cells, Point, RegionId, RegionKind, Regions, Reuse, Threads};
use base::{BitSet, Id, IdVec};
use ir::{FuncId, InstKind, Program, Role, Term};
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessKind {
    Read,
    Write,
    /// Reads and writes in one step, and may wait.
    Update,
    Lock,
    Unlock,
    Free,
    /// An allocation that may take the place of a freed block.
    Allocate,
    /// The end of a function or thread whose objects die.
    Leave,
}

#[derive(Clone, Debug)]
pub struct Access {
    pub point: Point,
    pub kind: AccessKind,
    /// Cells it may read.
    pub reads: BitSet,
    /// Cells it may write.
    pub writes: BitSet,
    /// It touches an object that no other thread can know of yet.
    pub private: bool,
}

/// The cells of a program, from all its accesses.
pub fn cells(basis: &Basis<'_>) -> Cells {
    let mut accesses = Vec::new();
    basis.for_each_inst(&mut |point, kind| {
        let access = kind.access().zip(basis.points_to.address(point));
        accesses.extend(access.map(|(access, address)| (address, basis.program.size_of(access.ty))));
    });
    Cells::new(basis.regions, &accesses)
}

/// All accesses, in the order of the program's text.
pub fn collect(basis: &Basis<'_>, cells: &Cells, private: &FxHashSet<Point>, reuse: &Reuse) -> Vec<Access> {
    let Basis { program, regions, points_to, calls, threads, .. } = *basis;
    let dying = Dying::new(program, calls, threads, regions);
    let mut found = Vec::new();
    basis.for_each_point(&mut |point, inst| {
        let mut touched = BitSet::new();
        let kind = if let Some((access, address)) = inst.and_then(InstKind::access).zip(points_to.address(point)) {
            cells.touched(regions, address, program.size_of(access.ty), &mut touched);
            match (access.reads, access.writes, access.role) {
                (_, false, _) => AccessKind::Read,
                (false, true, _) => AccessKind::Write,
                (true, true, Role::Lock) => AccessKind::Lock,
                (true, true, Role::Unlock) => AccessKind::Unlock,
                (true, true, Role::Plain) => AccessKind::Update,
            }
        } else if matches!(inst, Some(InstKind::Free { .. })) {
            touched = cells.of_regions(freed(regions, points_to, point));
            AccessKind::Free
        } else if let Some(taken) = reuse.at(point) {
            touched = cells.of_regions(taken.iter().map(RegionId::new));
            AccessKind::Allocate
        } else {
            let dead = inst.is_none().then(|| dying.at(point.func, &program.block(point).term));
            touched = cells.of_regions(dead.into_iter().flatten());
            if touched.is_empty() {
                return;
            }
            AccessKind::Leave
        };
        let (reads, writes) = match kind {
            AccessKind::Read => (touched, BitSet::new()),
            AccessKind::Write | AccessKind::Free | AccessKind::Allocate | AccessKind::Leave => (BitSet::new(), touched),
            AccessKind::Update | AccessKind::Lock | AccessKind::Unlock => (touched.clone(), touched),
        };
        found.push(Access { point, kind, reads, writes, private: private.contains(&point) });
    });
    found.sort_by_key(|access| access.point);
    found
}

/// Which regions lose objects where.
struct Dying<'a> {
    threads: &'a Threads,
    /// Objects on the stack of each function.
    stack: IdVec<FuncId, Vec<RegionId>>,
    thread_local: Vec<RegionId>,
    /// The entry function, if it runs as the first thread only.
    last: Option<FuncId>,
}

impl<'a> Dying<'a> {
    fn new(program: &Program, calls: &Calls, threads: &'a Threads, regions: &Regions) -> Self {
        let mut stack: IdVec<FuncId, Vec<RegionId>> = IdVec::filled(Vec::new(), program.functions.len());
        let mut thread_local = Vec::new();
        for (id, region) in regions.all.iter() {
            match region.kind {
                RegionKind::Stack(point) => stack[point.func].push(id),
                RegionKind::ThreadLocal(_) => thread_local.push(id),
                RegionKind::Static(_) | RegionKind::Heap(_) | RegionKind::Function(_) | RegionKind::Thread(_) => (),
            }
        }
        let entered = calls.calls.iter().chain(&calls.spawns).any(|(_, to)| to.contains(&program.entry));
        Dying { threads, stack, thread_local, last: (!entered).then_some(program.entry) }
    }

    /// At the end of a block.
    fn at(&self, func: FuncId, term: &Term) -> Vec<RegionId> {
        match term {
            Term::Return(_) if self.last == Some(func) => Vec::new(),
            Term::Return(_) => {
                let ends_thread = self.threads.roots.values().any(|root| root.starts.contains(&func));
                let thread_local = if ends_thread { self.thread_local.as_slice() } else { &[] };
                self.stack[func].iter().chain(thread_local).copied().collect()
            }
            // The thread ends: any function of its roots may be on the stack.
            Term::ExitThread(_) => {
                let mut functions = BitSet::new();
                for root in self.threads.roots.values().filter(|root| root.runs.contains(func.index())) {
                    functions.union_with(&root.runs);
                }
                let stack = functions.iter().flat_map(|func| &self.stack[FuncId::new(func)]);
                stack.chain(&self.thread_local).copied().collect()
            }
            Term::Jump(_) | Term::Branch { .. } | Term::Switch { .. } | Term::Halt | Term::Unreachable => Vec::new(),
        }
    }
}
