//! Movers, after Lipton (CACM 1975) and section V of "Reduction for Compositional Verification of Multi-Threaded Programs"
//! (Popeea, Rybalchenko, Wilhelm, FMCAD 2014): which steps can change places with steps of other threads that stand next to
//! them, and hence where a switch of threads must be considered.
//!
//! A step `a` is a *right* mover if `a; b` can be replaced by `b; a` for each step `b` of another thread that can follow it,
//! with the same result; a *left* mover if `b; a` can be replaced by `a; b`.  Both up to the numbers that name threads and
//! objects, which depend on the order they come into being.
//!
//! | step | mover | because |
//! |---|---|---|
//! | touches registers only, `fence`, `alloc`, calls, jumps | both | nobody else sees it; a new object's address is known to its thread only (an `alloc` that may take the place of a freed block is an access) |
//! | access that is not a site, or races with nothing | both | no conflicting step can stand next to it: threads or a common lock exclude it |
//! | takes a sound lock, all conflicts being takers and holders | right | the step after it is not a taker (it would wait), nor a holder's (there is none) |
//! | gives a sound lock back, likewise | left | the step before it is not a taker (it would wait), nor another holder's |
//! | `spawn` | left | the new thread's steps come after it, all others do not see it (none where handles are used again by choice, or the program asks which numbers they are) |
//! | `join` | right | the joined thread has ended: it has no step after this one; its last step may stand before |
//! | `atomic begin` | right | no step of another thread can follow while the section lasts |
//! | `atomic end` | left | no step of another thread can stand before it |
//! | `assume`, `assert`, `unsupported` | both | they look at registers only |
//! | `detach`, `halt` | none | they bear on the end of another thread, or of all |
//! | any other site | none | a conflicting step may stand on either side |
//!
//! A *block* is a run of one thread: right movers, then at most one step that is neither, then left movers.  Blocks can be
//! taken as single steps.  That needs one more thing of its second part, the *tail*: no step of it may wait or end the
//! execution (`stops`), because the effect of the block's first part must become visible even if the thread then gets
//! stuck.  So a switch must be considered before a step if the thread may be in a tail and the step is no left mover or may
//! stop; where a thread starts; and once around every loop and every cycle of calls, lest a tail never ends.  Inside atomic
//! sections there is nothing to consider.
//!
//! Which part of a block a thread is in is found by a forward analysis over all functions, with the union of what callers
//! and callees say.

use crate::flow::{Flow, Place};
use crate::stops::may_stop;
use crate::{AccessKind, Atomic, Basis, Handles, LockId, Point, Points, SiteId, Together};
use base::graph::Components;
use base::{BitSet, Id};
use ir::{BlockId, FuncId, HandleNames, InstKind, Term};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mover {
    Both,
    Right,
    Left,
    /// Neither.
    None,
}

impl Mover {
    pub fn is_left(self) -> bool {
        matches!(self, Mover::Both | Mover::Left)
    }
    pub fn is_right(self) -> bool {
        matches!(self, Mover::Both | Mover::Right)
    }
}

#[derive(Clone, Debug)]
pub struct Movers {
    /// By point.
    mover: Vec<Mover>,
    /// Points before which a switch must be considered.
    pub switches: BitSet,
    /// Points whose step may wait or end the execution.
    stops: BitSet,
    points: Points,
}

impl Movers {
    pub fn compute(basis: &Basis<'_>, together: &Together<'_>, atomic: &Atomic, handles: &Handles) -> Self {
        let mut mover = vec![Mover::Both; basis.points.total];
        let mut stops = BitSet::new();
        basis.for_each_point(&mut |point, _| {
            let at = basis.points.of(point);
            mover[at] = mover_of(basis, together, handles, point);
            if may_stop(basis, point) {
                stops.insert(at);
            }
        });
        let mut res = Movers { mover, switches: BitSet::new(), stops, points: basis.points.clone() };
        res.find_switches(basis, atomic);
        res.cut_loops(basis, atomic);
        res
    }

    pub fn mover(&self, point: Point) -> Mover {
        self.mover[self.points.of(point)]
    }

    /// Must a switch of threads be considered before the step?
    pub fn is_switch(&self, func: FuncId, block: BlockId, inst: usize) -> bool {
        self.switches.contains(self.points.index(func, block, inst))
    }

    /// May the step wait for another thread, or end the execution without a violation?
    pub fn may_stop(&self, point: Point) -> bool {
        self.stops.contains(self.points.of(point))
    }

    fn find_switches(&mut self, basis: &Basis<'_>, atomic: &Atomic) {
        let starts = basis.threads.starts();
        for start in starts.iter().filter(|start| !basis.program.functions[**start].blocks.is_empty()) {
            self.switches.insert(self.points.index(*start, BlockId(0), 0));
        }
        // What holds is whether the thread may be in a tail.
        let flow: Flow<'_, bool> = basis.flow(|known, other| {
            let is_news = *other && !*known;
            *known |= *other;
            is_news
        });
        let mut switches = std::mem::take(&mut self.switches);
        flow.through_calls(&starts, &false, true, |func, entry, exit, see| {
            let step = |place: Place<'_>, in_tail: bool| match place.callees {
                None => Some(self.step(atomic, place, in_tail)),
                Some(callees) => callees.iter().flat_map(|callee| exit[*callee]).reduce(|one, other| one | other),
            };
            flow.walk(func, entry, &step, &mut |place, in_tail| {
                if self.is_cut(atomic, place, *in_tail) {
                    switches.insert(place.at);
                }
                see(place, &self.step(atomic, place, *in_tail));
            });
        });
        self.switches = switches;
    }

    /// Must a switch be considered before the step, in a thread that may be in a tail?
    fn is_cut(&self, atomic: &Atomic, place: Place<'_>, in_tail: bool) -> bool {
        let stays = self.mover[place.at].is_left() && !self.stops.contains(place.at);
        // The first step of a section counts as outside: the switch comes before it.
        in_tail && !stays && !atomic.surely_inside(place.point)
    }

    /// May the thread be in a tail after the step?
    fn step(&self, atomic: &Atomic, place: Place<'_>, in_tail: bool) -> bool {
        // Inside a section nobody switches, so that a switch there ends no tail.
        let ended = self.is_cut(atomic, place, in_tail) && !atomic.maybe_inside(place.point);
        let in_tail = in_tail && !ended;
        match self.mover[place.at] {
            // In a tail only inside an atomic section, which is one step as a whole.
            Mover::Both | Mover::Right => in_tail,
            // Leaving a section of right movers does not commit anything.
            Mover::Left | Mover::None => in_tail || !matches!(place.kind, Some(InstKind::AtomicEnd)),
        }
    }

    /// Sees to it that every cycle, within a function or of calls, has a switch.
    fn cut_loops(&mut self, basis: &Basis<'_>, atomic: &Atomic) {
        for func in basis.calls.functions() {
            let cfg = &basis.cfgs[func];
            let function = &basis.program.functions[func];
            loop {
                // The graph without what is cut: an edge leaves a block only if no switch is in it.
                let cut = |block: BlockId| {
                    let start = self.points.index(func, block, 0);
                    (start..=start + function.blocks[block].insts.len()).any(|at| self.switches.contains(at))
                };
                let left = |block: BlockId| match cfg.reachable(block) && !cut(block) {
                    true => cfg.successors[block].iter().map(|to| to.0).collect(),
                    false => Vec::new(),
                };
                let rest = Components::of_graph(&function.blocks.ids().map(left).collect::<Vec<_>>());
                // In each cycle that is left the last head, which is that of an inner loop.
                let mut chosen: FxHashMap<u32, BlockId> = FxHashMap::default();
                for block in cfg.order.iter().filter(|block| cfg.heads[**block] && rest.on_cycle(block.index())) {
                    if !atomic.surely_inside(Point::new(func, *block, 0)) {
                        chosen.insert(rest.of[block.index()], *block);
                    }
                }
                if chosen.is_empty() {
                    break;
                }
                chosen.values().for_each(|head| _ = self.switches.insert(self.points.index(func, *head, 0)));
            }
            if basis.calls.components.on_cycle(func.index()) && !function.blocks.is_empty() {
                self.switches.insert(self.points.index(func, BlockId(0), 0));
            }
        }
    }
}

fn mover_of(basis: &Basis<'_>, together: &Together<'_>, handles: &Handles, point: Point) -> Mover {
    if let Some(site) = together.sites.at_point(point) {
        return mover_of_site(together, site);
    }
    match basis.program.kind(point) {
        // Which handle it gives may depend on who has been joined.
        Some(InstKind::Spawn { .. }) if handles.numbers || basis.program.handle_names == HandleNames::Reused => {
            Mover::None
        }
        Some(InstKind::Spawn { .. } | InstKind::AtomicEnd) => Mover::Left,
        Some(InstKind::Join { .. } | InstKind::AtomicBegin) => Mover::Right,
        Some(InstKind::Detach { .. }) => Mover::None,
        Some(
            InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::Update { .. }
            | InstKind::Free { .. }
            | InstKind::Alloc { .. }
            | InstKind::Assign { .. }
            | InstKind::Havoc { .. }
            | InstKind::Assume { .. }
            | InstKind::Assert { .. }
            | InstKind::Call { .. }
            | InstKind::Fence { .. }
            | InstKind::Unsupported { .. },
        ) => Mover::Both,
        None => match basis.program.block(point).term {
            Term::Halt => Mover::None,
            Term::Return(_) | Term::ExitThread(_) | Term::Unreachable => Mover::Both,
            Term::Jump(_) | Term::Branch { .. } | Term::Switch { .. } => Mover::Both,
        },
    }
}

fn mover_of_site(together: &Together<'_>, site: SiteId) -> Mover {
    let races = together.races(site);
    if races.is_empty() {
        return Mover::Both;
    }
    let (sites, locks) = (together.sites, together.locks);
    let kind = sites.all[site].kind;
    if !matches!(kind, AccessKind::Lock | AccessKind::Unlock) {
        return Mover::None;
    }
    // The lock it takes or gives back: the only cell it touches, of a sound lock.
    let mut touched = sites.all[site].reads.clone();
    touched.union_with(&sites.all[site].writes);
    let mut touched = touched.iter();
    let (Some(cell), None) = (touched.next(), touched.next()) else { return Mover::None };
    let Some((lock, _)) = locks.all.iter().find(|(_, lock)| lock.cell.index() == cell) else { return Mover::None };
    let disciplined = |other: SiteId| is_taker(together, other, lock) || locks.held(other).contains(lock.index());
    if !disciplined(site) || !races.iter().all(|other| disciplined(SiteId::new(other))) {
        return Mover::None;
    }
    if kind == AccessKind::Lock { Mover::Right } else { Mover::Left }
}

/// Does the site wait for exactly this lock?
fn is_taker(together: &Together<'_>, site: SiteId, lock: LockId) -> bool {
    together.sites.all[site].kind == AccessKind::Lock && together.locks.protected(lock).contains(site.index())
}
