//! Which threads must be tried: persistent sets from what each thread does next and what the others may still do.
//!
//! Let `P` be a set of threads.  Trying only the threads of `P` at a state is enough if no thread outside `P`, whatever it
//! does before a thread of `P` moves, executes an instruction that conflicts with the next instruction of a thread of `P`
//! (Godefroid's persistent sets).  The next instruction is known with its address.  What a thread may still do is the
//! union, over the frames of its stack, of the sites that the facts say are reachable from there, in threads it starts too.
//!
//! Two things make the sets small.  A site at which a thread must hold a lock cannot be reached by others while one of `P`
//! has that lock, so it conflicts with nothing the holder does; the same goes for taking the lock.  And an instruction that
//! touches no shared cell conflicts with nothing at all.
//!
//! The end of the program, a failed assumption, an undefined operation stop the thread that meets them and conflict with
//! nothing: an execution that violates an assertion contains none of them before its last step.

use base::BitSet;
use claim::Followed;
use facts::{Facts, Lock, LockId, SiteId};
use ir::interp::{Code, Machine, MemoryError, Next, Pc, Point, Tid};
use ir::{Callee, Goal, InstKind};
use passes::Preserves;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

/// What becomes of a goal where only the threads of a persistent set are tried.
pub fn preserves(goal: Goal) -> Option<Preserves> {
    match goal {
        Goal::Assertion => Some(Preserves::Exact),
        // Of two steps that do not conflict only one order is tried, and runs do not stop where nothing conflicts: nobody has
        // argued what becomes of the others.
        Goal::Race | Goal::Deadlock | Goal::Lasso => None,
    }
}

/// Atomic sections are followed as far as so many are open at once.
const DEEPEST: u32 = 64;

/// A few threads.
pub type Tids = SmallVec<[Tid; 6]>;

pub struct Reduction<'c> {
    code: &'c Code<'c>,
    facts: &'c Facts,
    reduce: bool,
    locks: Vec<HeldLock<'c>>,
    sections: RefCell<FxHashMap<Pc, Rc<Section>>>,
}

/// A lock whose word can be looked at.
struct HeldLock<'c> {
    lock: &'c Lock,
    /// Sites nobody else can pass while it is held.
    protected: &'c BitSet,
    /// Sites that may change its word without holding it: a thread that may come to one is not kept out by the lock.
    rogue: BitSet,
}

/// What an atomic section may do.
struct Section {
    conflicts: BitSet,
    thread_ops: bool,
}

/// What the next instruction of a thread conflicts with.
#[derive(Default)]
struct Ahead<'a> {
    sites: SmallVec<[&'a BitSet; 4]>,
    section: Option<Rc<Section>>,
    /// Starting, joining or detaching threads: the order decides who gets which number.
    thread_ops: bool,
    /// It waits for this thread to end.
    awaits: Option<Tid>,
}

impl Ahead<'_> {
    fn is_free(&self) -> bool {
        self.sites.is_empty() && self.section.is_none() && !self.thread_ops && self.awaits.is_none()
    }
}

impl<'c> Reduction<'c> {
    pub fn new(code: &'c Code<'c>, facts: &'c Facts, reduce: bool) -> Self {
        let locks = facts.locks.all.ids().map(|lock| HeldLock::new(facts, lock)).collect();
        Reduction { code, facts, reduce, locks, sections: RefCell::default() }
    }

    /// The threads to try at the machine's state, and the set they stand for.
    pub fn choose(&self, machine: &Machine<'_>) -> (Tids, Followed) {
        let count = machine.thread_count();
        let enabled = self.movable(machine);
        if !self.reduce || enabled.len() <= 1 || count > 64 {
            return (enabled, Followed::All);
        }
        let ahead: SmallVec<[Option<Ahead<'_>>; 4]> =
            (0..count).map(|thread| machine.is_running(thread).then(|| self.ahead(machine, thread))).collect();
        let mut best: Option<(u64, usize)> = None;
        for seed in &enabled {
            let set = self.close(machine, &ahead, 1 << seed);
            let size = enabled.iter().filter(|thread| set & (1 << **thread) != 0).count();
            if best.is_none_or(|(_, least)| size < least) {
                best = Some((set, size));
            }
            if size == 1 {
                break;
            }
        }
        match best {
            Some((set, size)) if size < enabled.len() => {
                let followed = enabled.into_iter().filter(|thread| set & (1 << thread) != 0).collect();
                (followed, Followed::Only(set))
            }
            _ => (enabled, Followed::All),
        }
    }

    /// All threads that can move.
    pub fn movable(&self, machine: &Machine<'_>) -> Tids {
        (0..machine.thread_count()).filter(|thread| machine.enabled(*thread)).collect()
    }

    /// Does the thread run on alone: would its next instruction by itself be enough to try here?
    pub fn runs_on(&self, machine: &Machine<'_>, thread: Tid) -> bool {
        if !self.reduce {
            return machine.next(thread) == Next::Local && !machine.ends_thread(thread);
        }
        let ahead = self.ahead(machine, thread);
        ahead.is_free()
            || (0..machine.thread_count()).all(|other| {
                other == thread || !machine.is_running(other) || !self.conflict(machine, thread, &ahead, other)
            })
    }

    /// The smallest set of threads around `set` that no outsider conflicts with.
    fn close(&self, machine: &Machine<'_>, ahead: &[Option<Ahead<'_>>], mut set: u64) -> u64 {
        let mut work: Tids = (0..ahead.len()).filter(|thread| set & (1 << thread) != 0).collect();
        while let Some(thread) = work.pop() {
            let Some(mine) = &ahead[thread] else { continue };
            for (other, theirs) in ahead.iter().enumerate() {
                if set & (1 << other) == 0 && theirs.is_some() && self.conflict(machine, thread, mine, other) {
                    set |= 1 << other;
                    work.push(other);
                }
            }
        }
        set
    }

    /// May `other` do something that conflicts with what `thread` does next, before `thread` has moved?
    fn conflict(&self, machine: &Machine<'_>, thread: Tid, ahead: &Ahead<'_>, other: Tid) -> bool {
        if ahead.awaits == Some(other) {
            return true;
        }
        if ahead.thread_ops && (machine.is_detached(other) || self.may_do_thread_ops(machine, other)) {
            return true;
        }
        let section = ahead.section.as_deref().map(|section| &section.conflicts);
        if ahead.sites.is_empty() && section.is_none() {
            return false;
        }
        let futures = || self.futures(machine, other);
        let touches =
            |mine: &BitSet, keep_out: &[&BitSet]| futures().any(|future| mine.intersects_outside(future, keep_out));
        let mine = || ahead.sites.iter().copied().chain(section);
        if !mine().any(|set| touches(set, &[])) {
            return false;
        }
        // There is a conflict unless a lock keeps the other out.
        let keep_out: SmallVec<[&BitSet; 4]> = self
            .locks
            .iter()
            .filter(|lock| lock.lock.is_held(machine, thread) && !touches(&lock.rogue, &[]))
            .map(|lock| lock.protected)
            .collect();
        keep_out.is_empty() || mine().any(|set| touches(set, &keep_out))
    }

    /// The sites a thread may still come to, frame by frame.
    fn futures<'m>(&'m self, machine: &'m Machine<'_>, thread: Tid) -> impl Iterator<Item = &'m BitSet> + 'm {
        self.frame_points(machine, thread)
            .map(|point| self.facts.future.sites(point.func, point.block, point.inst as usize))
    }

    fn may_do_thread_ops(&self, machine: &Machine<'_>, thread: Tid) -> bool {
        self.frame_points(machine, thread)
            .any(|point| self.facts.future.thread_ops(point.func, point.block, point.inst as usize))
    }

    /// Where each frame goes on: the innermost at its pc, the others after the call they wait for.
    fn frame_points<'m>(&'m self, machine: &'m Machine<'_>, thread: Tid) -> impl Iterator<Item = Point> + 'm {
        machine.stack(thread).rev().enumerate().map(|(depth, pc)| {
            let mut point = self.code.points[pc as usize];
            if depth > 0 {
                point.inst += 1;
            }
            point
        })
    }

    fn ahead(&self, machine: &Machine<'_>, thread: Tid) -> Ahead<'_> {
        let mut ahead = Ahead::default();
        let pc = machine.pc(thread);
        let point = self.code.points[pc as usize];
        let site = || self.facts.sites.at(point.func, point.block, point.inst as usize);
        match machine.next(thread) {
            Next::Local => (),
            Next::Access { address, size, write, .. } => {
                if let Some(site) = site() {
                    self.conflicts_at(machine, site, address, size, write, &mut ahead);
                }
            }
            Next::Free { .. } | Next::Allocate | Next::Leave => {
                if let Some(site) = site() {
                    ahead.sites.extend(self.facts.sites.conflicts_by_cell(site));
                }
            }
            Next::Spawn | Next::Detach => ahead.thread_ops = true,
            Next::Join(target) => match target {
                Some(target) if machine.is_running(target) => ahead.awaits = Some(target),
                _ => ahead.thread_ops = true,
            },
            Next::AtomicBegin => {
                let section = self.section(pc);
                ahead.thread_ops = section.thread_ops;
                ahead.section = Some(section);
            }
        }
        if machine.is_detached(thread) && machine.ends_thread(thread) {
            ahead.thread_ops = true;
        }
        ahead
    }

    /// What conflicts with an access at this very address.
    fn conflicts_at<'a>(
        &'a self,
        machine: &Machine<'_>,
        site: SiteId,
        address: u64,
        size: u64,
        write: bool,
        ahead: &mut Ahead<'a>,
    ) {
        let (object, offset) = match machine.locate(address, size).map(|at| machine.object_at(at)) {
            Ok(Some(place)) => place,
            // Another block may take the place of one that has been freed.
            Err(MemoryError::Dead) => return ahead.sites.extend(self.facts.sites.conflicts_by_cell(site)),
            // Any other access that is wrong now stays wrong whatever the others do.
            Ok(None) | Err(_) => return,
        };
        // Every allocation has a region; without one nothing would be known.
        let Some(region) = self.facts.regions.of(object, self.code) else { return };
        let sites = &self.facts.sites;
        self.facts.cells.at(region, offset, size, &mut |cell| ahead.sites.push(sites.conflicts_at(cell, write)));
    }

    /// What the atomic section that begins at `pc` may conflict with: everything up to its end, calls included.
    fn section(&self, pc: Pc) -> Rc<Section> {
        if let Some(section) = self.sections.borrow().get(&pc) {
            return section.clone();
        }
        let mut section = Section { conflicts: BitSet::new(), thread_ops: false };
        let mut add = |site: SiteId| {
            self.facts.sites.conflicts_by_cell(site).for_each(|sites| _ = section.conflicts.union_with(sites));
        };
        let start = self.code.points[pc as usize];
        let function = &self.code.program.functions[start.func];
        let mut seen = rustc_hash::FxHashSet::default();
        let everything = || Section { conflicts: (0..self.facts.sites.all.len()).collect(), thread_ops: true };
        // Depth of nesting is part of the place: the section ends where it is back at zero.
        let mut work = vec![(start.block, start.inst as usize, 0_u32)];
        while let Some((block, inst, depth)) = work.pop() {
            if !seen.insert((block, inst, depth)) {
                continue;
            }
            let body = &function.blocks[block];
            if let Some(site) = self.facts.sites.at(start.func, block, inst) {
                add(site);
            }
            let Some(kind) = body.insts.get(inst).map(|inst| &inst.kind) else {
                // Leaving the function inside the section: whatever follows in the callers belongs to it as well; that
                // is not known here, so it is taken to be everything.
                let before = work.len();
                body.term.for_each_target(&mut |to| work.push((to, 0, depth)));
                if work.len() == before {
                    section = everything();
                    break;
                }
                continue;
            };
            if let InstKind::Call { callee, .. } = kind {
                let targets = match callee {
                    Callee::Direct(func) => vec![*func],
                    Callee::Indirect(_) => self.facts.points_to.callees(Point::new(start.func, block, inst)).to_vec(),
                };
                // Then the depth is not known after the call.
                if targets.iter().any(|target| self.facts.atomic.opens(*target)) {
                    section = everything();
                    break;
                }
                for target in targets {
                    for site in self.facts.future.sites(target, ir::Function::ENTRY, 0).iter() {
                        add(SiteId(site as u32));
                    }
                    section.thread_ops |= self.facts.future.thread_ops(target, ir::Function::ENTRY, 0);
                }
            }
            section.thread_ops |= kind.is_thread_op();
            if matches!(kind, InstKind::AtomicEnd) && depth <= 1 {
                continue;
            }
            let depth = depth.saturating_add_signed(kind.nesting());
            // Sections that begin in a loop would go on for ever.
            if depth > DEEPEST {
                section = everything();
                break;
            }
            work.push((block, inst + 1, depth));
        }
        let section = Rc::new(section);
        self.sections.borrow_mut().insert(pc, section.clone());
        section
    }
}

impl<'c> HeldLock<'c> {
    fn new(facts: &'c Facts, lock: LockId) -> Self {
        let protected = facts.locks.protected(lock);
        let lock = &facts.locks.all[lock];
        let mut rogue = facts.sites.writes(lock.cell).clone();
        rogue.subtract(protected);
        HeldLock { lock, protected, rogue }
    }
}
