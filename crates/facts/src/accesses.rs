//! Accesses: every place in the program that touches memory, with the cells it may read and write.
//!
//! Loads, stores and updates touch what their address points to.  Freeing an object, and leaving a function or thread whose
//! objects die, counts as writing all of it: whether another thread's access comes before or after makes a difference (after
//! is an error).  Allocation is no access where nobody else can have the address yet; where the new block may take the place of a
//! freed one (`reuse`), it counts as writing all of that, for the same reason and because the content is gone.
//!
//! When the entry function returns the whole program ends, so that return kills nothing anybody could still look at.

use crate::basis::Basis;
use crate::calls::Calls;
use crate::cells::Cells;
use crate::cfg::Point;
use crate::points_to::Targets;
use crate::regions::{RegionId, RegionKind, Regions};
use crate::reuse::{Reuse, freed};
use crate::threads::Threads;
use base::{BitSet, Id, IdVec};
use ir::{FuncId, InstKind, Program, Role, Term, Ty};
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

/// The access an instruction makes: its kind and type.
fn access_of(kind: &InstKind) -> Option<(AccessKind, Ty)> {
    if matches!(kind, InstKind::Free { .. }) {
        return Some((AccessKind::Free, Ty::Ptr));
    }
    let access = kind.access()?;
    let kind = match (access.reads, access.writes, access.role) {
        (_, false, _) => AccessKind::Read,
        (false, true, _) => AccessKind::Write,
        (true, true, Role::Lock) => AccessKind::Lock,
        (true, true, Role::Unlock) => AccessKind::Unlock,
        (true, true, Role::Plain) => AccessKind::Update,
    };
    Some((kind, access.ty))
}

/// The cells of a program, from all its accesses.
pub fn cells(basis: &Basis<'_>) -> Cells {
    let mut accesses = Vec::new();
    for_each_address(basis, &mut |_, kind, ty, address| {
        if kind != AccessKind::Free {
            accesses.push((address, basis.program.size_of(ty)));
        }
    });
    Cells::new(basis.regions, &accesses)
}

/// All accesses, in the order of the program's text.
pub fn collect(basis: &Basis<'_>, cells: &Cells, private: &FxHashSet<Point>, reuse: &Reuse) -> Vec<Access> {
    let Basis { program, regions, points_to, calls, threads, .. } = *basis;
    let mut found = Vec::new();
    for_each_address(basis, &mut |point, kind, ty, address| {
        let mut touched = BitSet::new();
        match kind {
            AccessKind::Free => touched = cells.of_regions(freed(regions, points_to, point)),
            _ => cells.touched(regions, address, program.size_of(ty), &mut touched),
        }
        let (reads, writes) = match kind {
            AccessKind::Read => (touched, BitSet::new()),
            AccessKind::Write | AccessKind::Free | AccessKind::Allocate | AccessKind::Leave => (BitSet::new(), touched),
            AccessKind::Update | AccessKind::Lock | AccessKind::Unlock => (touched.clone(), touched),
        };
        found.push(Access { point, kind, reads, writes, private: private.contains(&point) });
    });
    let dying = Dying::new(program, calls, threads, regions);
    basis.for_each_point(&mut |point, inst| {
        let mut dies = |kind, writes| found.push(Access { point, kind, reads: BitSet::new(), writes, private: false });
        if let Some(taken) = reuse.at(point) {
            dies(AccessKind::Allocate, cells.of_regions(taken.iter().map(RegionId::new)));
        }
        if inst.is_some() {
            return;
        }
        let dead = match program.block(point).term {
            Term::Return(_) => dying.at_return(point.func),
            Term::ExitThread(_) => dying.at_exit(point.func),
            Term::Jump(_) | Term::Branch { .. } | Term::Switch { .. } | Term::Halt | Term::Unreachable => return,
        };
        let writes = cells.of_regions(dead);
        if !writes.is_empty() {
            dies(AccessKind::Leave, writes);
        }
    });
    found.sort_by_key(|access| access.point);
    found
}

fn for_each_address<'a>(basis: &Basis<'a>, f: &mut impl FnMut(Point, AccessKind, Ty, &'a Targets)) {
    basis.for_each_inst(&mut |point, kind| {
        if let (Some((kind, ty)), Some(address)) = (access_of(kind), basis.points_to.address(point)) {
            f(point, kind, ty, address);
        }
    });
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

    fn at_return(&self, func: FuncId) -> Vec<RegionId> {
        if self.last == Some(func) {
            return Vec::new();
        }
        let mut dead = self.stack[func].clone();
        if self.threads.roots.values().any(|root| root.starts.contains(&func)) {
            dead.extend(&self.thread_local);
        }
        dead
    }

    /// The thread ends: any function of its roots may be on the stack.
    fn at_exit(&self, func: FuncId) -> Vec<RegionId> {
        let mut functions = BitSet::new();
        for root in self.threads.roots.values().filter(|root| root.runs.contains(func.index())) {
            functions.union_with(&root.runs);
        }
        let mut dead: Vec<RegionId> = functions.iter().flat_map(|f| self.stack[FuncId::new(f)].clone()).collect();
        dead.extend(&self.thread_local);
        dead
    }
}
