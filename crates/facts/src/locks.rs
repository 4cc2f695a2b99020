//! Locks that must be held: at each site, the locks the thread surely holds.
//!
//! A lock is one concrete place: a cell of a static object, or of what an `alloc` makes that is executed at most once, that
//! some `update` with the role of a lock takes, at exactly its offset and size.  A thread *holds* it from passing such an update to its next write to that cell.  The analysis goes
//! forward and intersects where paths meet; a callee starts with what all its callers hold, and a call removes what the
//! callee may release and adds what it surely takes.  Threads start with nothing.
//!
//! Why holding excludes others.  Taking is only possible when the cell is 0 and makes it something else.  A lock is *sound*
//! if every other write to its cell either is made by a thread that must hold it, or keeps what is not 0, or happens while
//! no other thread exists or knows the object.  Then by induction over an execution at most one thread holds the lock, and while it does the cell
//! is not 0: no other thread can take it, and none may make it 0.  Locks that are not sound are dropped.

use crate::cells::Extent;
use crate::flow::{Flow, Place, summaries};
use crate::{Access, AccessKind, Basis, CellId, Cells, Point, PointsTo, RegionKind, Regions, SiteId, Sites};
use base::{BitSet, Id, IdVec};
use ir::interp::{Machine, Tid};
use ir::{BinOp, Expr, FuncId, InstKind, ObjectId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

base::id!(
    /// A lock.
    pub struct LockId, "lock"
);

#[derive(Clone, Debug)]
pub struct Lock {
    pub cell: CellId,
    pub object: LockObject,
    pub offset: u64,
}

/// The one object a lock is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LockObject {
    Static(ObjectId),
    /// The only one the `alloc` at the point ever makes.
    Allocated(Point),
}

impl Lock {
    /// The lock's address in a state; `None` while its object is not there.
    pub fn address(&self, machine: &Machine<'_>) -> Option<u64> {
        let start = match self.object {
            LockObject::Static(object) => machine.code.space.static_address(object),
            LockObject::Allocated(point) => machine.allocated_by(machine.code.pc(point))?,
        };
        Some(start.wrapping_add(self.offset))
    }
    /// Does the thread hold it?  The holder's handle is in the low half of the lock's word.
    pub fn is_held(&self, machine: &Machine<'_>, thread: Tid) -> bool {
        let Some(address) = self.address(machine) else { return false };
        machine.locate(address, 4).is_ok_and(|location| machine.read(location, 4) & 0xffff == thread as u128 + 1)
    }
}

#[derive(Clone, Debug)]
pub struct Locks {
    pub all: IdVec<LockId, Lock>,
    held: IdVec<SiteId, BitSet>,
    /// The sites at which each must be held.
    pub holding: IdVec<LockId, BitSet>,
    protected: IdVec<LockId, BitSet>,
}

/// What an instruction does to the set of held locks.
#[derive(Clone, Debug, Default)]
struct Step {
    takes: Option<usize>,
    /// What it may give back.
    gives: BitSet,
}

/// What a call does, seen from the caller; `takes` is `None` while no return was found.
#[derive(Clone, Debug, Default, PartialEq)]
struct Summary {
    takes: Option<BitSet>,
    gives: BitSet,
}

type Summaries = IdVec<FuncId, Summary>;

/// By point, what it does to the set of held locks; nothing where it leaves them alone.
type Steps = FxHashMap<usize, Step>;

impl Locks {
    pub fn compute(basis: &Basis<'_>, cells: &Cells, accesses: &[Access], sites: &Sites) -> Self {
        let Basis { program, points, cfgs, regions, points_to, threads, parallel, .. } = *basis;
        let mut candidates: IdVec<LockId, Lock> = IdVec::new();
        let mut taken_at: FxHashMap<Point, usize> = FxHashMap::default();
        for access in accesses.iter().filter(|access| access.kind == AccessKind::Lock) {
            let Some(lock) = place(program, regions, points_to, cells, access.point) else { continue };
            if let LockObject::Allocated(at) = lock.object
                && (!threads.once[at.func] || cfgs[at.func].in_loop(at.block))
            {
                continue;
            }
            let known = candidates.iter().find(|(_, other)| other.cell == lock.cell).map(|(id, _)| id);
            let id = known.unwrap_or_else(|| candidates.push(lock));
            taken_at.insert(access.point, id.index());
        }
        let by_cell: FxHashMap<usize, usize> =
            candidates.iter().map(|(id, lock)| (lock.cell.index(), id.index())).collect();
        // What an access may give back.
        let given = |access: &Access| match keeps_taken(program, access) {
            true => BitSet::new(),
            false => access.writes.iter().filter_map(|cell| by_cell.get(&cell)).copied().collect(),
        };
        let mut steps = Steps::default();
        for access in accesses {
            let step = Step { takes: taken_at.get(&access.point).copied(), gives: given(access) };
            if step.takes.is_some() || !step.gives.is_empty() {
                steps.insert(points.of(access.point), step);
            }
        }
        let held_at = if candidates.is_empty() { FxHashMap::default() } else { solve(basis, &steps, accesses) };
        let none = BitSet::new();
        let held = |point: Point| held_at.get(&point).unwrap_or(&none);
        let mut sound: BitSet = (0..candidates.len()).collect();
        for access in accesses.iter().filter(|access| !parallel.alone(access.point) && !access.private) {
            let mut broken = given(access);
            broken.subtract(held(access.point));
            sound.subtract(&broken);
        }
        let mut number = vec![None; candidates.len()];
        let mut all: IdVec<LockId, Lock> = IdVec::new();
        for old in sound.iter() {
            number[old] = Some(all.push(candidates[LockId::new(old)].clone()).index());
        }
        let held: IdVec<SiteId, BitSet> =
            sites.all.values().map(|site| held(site.point).iter().filter_map(|old| number[old]).collect()).collect();
        let mut holding: IdVec<LockId, BitSet> = IdVec::filled(BitSet::new(), all.len());
        for (id, locks) in held.iter() {
            locks.iter().for_each(|lock| _ = holding[LockId::new(lock)].insert(id.index()));
        }
        let mut protected = holding.clone();
        for (id, site) in sites.all.iter() {
            let taken = taken_at.get(&site.point).and_then(|old| number[*old]);
            taken.iter().for_each(|lock| _ = protected[LockId::new(*lock)].insert(id.index()));
        }
        Locks { all, held, holding, protected }
    }

    /// Locks the thread must hold when it executes the site (before it).
    pub fn held(&self, site: SiteId) -> &BitSet {
        &self.held[site]
    }

    /// Sites that no other thread can pass while a thread holds the lock: those where it must be held, and those that take
    /// this lock and nothing else.
    pub fn protected(&self, lock: LockId) -> &BitSet {
        &self.protected[lock]
    }

    /// Does a common lock keep two threads from being at these two sites at once?
    pub fn exclude(&self, a: SiteId, b: SiteId) -> bool {
        self.held[a].intersects(&self.held[b])
    }
}

/// The place a lock instruction takes, if that is exactly one cell of one region.
fn place(program: &Program, regions: &Regions, points_to: &PointsTo, cells: &Cells, point: Point) -> Option<Lock> {
    let size = program.size_of(program.kind(point)?.access()?.ty);
    let (region, offset, cell) = cells.single_place(points_to.address(point)?, size)?;
    let object = match regions.all[region].kind {
        RegionKind::Static(object) => LockObject::Static(object),
        RegionKind::Stack(at) | RegionKind::Heap(at) => LockObject::Allocated(at),
        RegionKind::ThreadLocal(_) | RegionKind::Function(_) | RegionKind::Thread(_) => return None,
    };
    let exactly = cells.all[cell].extent == Extent::Exact { start: offset, end: offset + size };
    exactly.then_some(Lock { cell, object, offset })
}

/// Does the access leave a cell alone that is not 0?  True of taking a lock, also of one among several, and of trying to.
fn keeps_taken(program: &Program, access: &Access) -> bool {
    if access.kind == AccessKind::Lock {
        return true;
    }
    let Some(InstKind::Update { when, set: Some(set), .. }) = program.kind(access.point) else { return false };
    // Is the expression true only where the old content is 0, or wherever it is not?
    let compares_old = |expr: &Expr, wanted: BinOp| {
        let Expr::Bin(op, left, right) = expr else { return false };
        *op == wanted && matches!((&**left, &**right), (Expr::Old, Expr::Const(_, 0)) | (Expr::Const(_, 0), Expr::Old))
    };
    if when.as_ref().is_some_and(|when| compares_old(when, BinOp::Eq)) {
        return true;
    }
    match set {
        Expr::Old => true,
        Expr::Select(parts) => match parts.as_ref() {
            [cond, _, Expr::Old] => compares_old(cond, BinOp::Eq),
            [cond, Expr::Old, _] => compares_old(cond, BinOp::Ne),
            _ => false,
        },
        _ => false,
    }
}

/// What is held before each access.
fn solve(basis: &Basis<'_>, steps: &Steps, accesses: &[Access]) -> FxHashMap<Point, BitSet> {
    let Basis { program, calls, threads, .. } = *basis;
    let flow: Flow<'_, BitSet> = basis.flow(BitSet::intersect_with);
    let nothing = BitSet::new();
    // What is held after the point, by what calls do.
    let step = |summaries: &Summaries, place: Place<'_>, mut held: BitSet| {
        if let Some(step) = steps.get(&place.at) {
            held.subtract(&step.gives);
            step.takes.iter().for_each(|taken| _ = held.insert(*taken));
        }
        let Some(callees) = place.callees else { return Some(held) };
        let mut takes: Option<BitSet> = None;
        for summary in callees.iter().map(|callee| &summaries[*callee]) {
            held.subtract(&summary.gives);
            summary.takes.iter().for_each(|more| _ = flow.merge(&mut takes, more));
        }
        held.union_with(&takes?);
        Some(held)
    };
    // First what calls do, from below: what may be given grows, what is surely taken shrinks.
    let first = IdVec::filled(Summary::default(), program.functions.len());
    let summaries = summaries(calls, first, |func, summaries: &Summaries| {
        let mut summary = Summary::default();
        flow.walk(func, &nothing, &|place, held| step(summaries, place, held), &mut |place, held| {
            if let Some(step) = steps.get(&place.at) {
                summary.gives.union_with(&step.gives);
            }
            for callee in place.callees.unwrap_or_default() {
                summary.gives.union_with(&summaries[*callee].gives);
            }
            if place.returns {
                flow.merge(&mut summary.takes, held);
            }
        });
        summary
    });
    let step = |place: Place<'_>, held: BitSet| step(&summaries, place, held);
    // Then what functions start with, from above.
    let ends = flow.through_calls(&threads.starts(), &nothing, false, |func, start, _, see| {
        flow.walk(func, start, &step, see);
    });
    let wanted: FxHashSet<Point> = accesses.iter().map(|access| access.point).collect();
    let mut found = FxHashMap::default();
    for func in calls.functions() {
        flow.walk(func, ends.entry[func].as_ref().unwrap_or(&nothing), &step, &mut |place, held| {
            if !held.is_empty() && wanted.contains(&place.point) {
                found.insert(place.point, held.clone());
            }
        });
    }
    found
}
