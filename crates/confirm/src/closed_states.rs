//! Checks a closed set of states: the evidence of an exhaustive search, examined without the search.
//!
//! The claim is a set of states, with the threads that were followed from each.  Four things are established again, by the
//! reference interpreter and the static facts alone.
//!
//! 1. The initial state is in the set.
//! 2. From each state the threads followed are all that can move, or form a persistent set: no outsider can come to an
//!    instruction that conflicts with the next instruction of a member before a member moves.
//! 3. Each run of a followed thread, for every input, meets no violation and nothing unsupported and ends in the set.
//! 4. Every cycle of runs passes through a state from which all threads are followed, so none is put off for ever.
//!
//! By these the set stands for every execution (`docs/explicit.md` has the argument).  The code is written for the reader,
//! not for speed: it looks at one state at a time and keeps nothing between them.

use crate::{SPENT, ensure};
use base::graph::Components;
use base::{BitSet, Budget};
use claim::{ClosedStates, Followed, MOST_COMBINATIONS};
use facts::regions::RegionKind;
use facts::{Facts, RegionId, SiteId};
use ir::interp::{Choice, Code, Machine, MemoryError, Next, ObjectInfo, Open, Point, Stepped, Tid};
use ir::{Callee, Function, InstKind};

/// Does the claim hold?  The error says what does not.
pub fn check(claim: &ClosedStates, code: &Code<'_>, budget: &Budget) -> Result<(), String> {
    let facts = Facts::compute(code.program);
    let checker = Checker { claim, code, facts: &facts };
    let mut machine = Machine::new(code);
    // For each state where its runs lead, unless all threads are followed there.
    let mut edges = vec![Vec::new(); claim.store.len()];
    ensure(claim.store.find(&mut machine).is_some(), "the initial state is missing")?;
    let mut effort = 0;
    for state in 0..claim.store.len() as u32 {
        // Looked at in proportion to the work: some states are large.
        effort += 200 + claim.store.parts_of(state);
        if effort > 50_000 {
            effort = 0;
            budget.check().map_err(|_| SPENT)?;
        }
        checker
            .check_state(state, &mut machine, &mut edges[state as usize])
            .map_err(|why| format!("state {state} of {}: {why}", claim.store.len()))?;
    }
    let acyclic = !Components::of_graph(&edges).cyclic.contains(&true);
    ensure(acyclic, "a cycle without a state from which all threads are followed")
}

struct Checker<'a, 'p> {
    claim: &'a ClosedStates,
    code: &'a Code<'p>,
    facts: &'a Facts,
}

impl Checker<'_, '_> {
    /// Checks one state; adds where runs from it lead to `edges` unless all threads are followed.
    fn check_state(&self, state: u32, machine: &mut Machine<'_>, edges: &mut Vec<u32>) -> Result<(), String> {
        let store = &self.claim.store;
        store.load(state, machine);
        let followed = *self.claim.followed.get(state as usize).ok_or("nothing is said about it")?;
        let mut threads: Vec<Tid> = (0..machine.thread_count()).filter(|thread| machine.enabled(*thread)).collect();
        if let Followed::Only(set) = followed {
            threads.retain(|thread| is_member(set, *thread));
            self.check_persistent(machine, set)?;
        }
        let mut moved = false;
        for thread in threads {
            let mut script = Vec::new();
            loop {
                // A run may end in the set before it has to.
                let run = self.check_run(state, machine, thread, &mut script, false);
                let run = run.or_else(|_| self.check_run(state, machine, thread, &mut script, true));
                if let Some(next) = run? {
                    moved = true;
                    if followed != Followed::All {
                        edges.push(next);
                    }
                }
                if !advance(&mut script) {
                    break;
                }
            }
        }
        ensure(moved || followed == Followed::All, "no thread that is followed can move")?;
        Ok(())
    }

    fn check_persistent(&self, machine: &Machine<'_>, set: u64) -> Result<(), String> {
        let running = || (0..machine.thread_count()).filter(|thread| machine.is_running(*thread));
        for member in running().filter(|thread| is_member(set, *thread)) {
            for outsider in running().filter(|thread| !is_member(set, *thread)) {
                if self.may_conflict(machine, member, outsider) {
                    return Err(format!("thread {outsider} may conflict with thread {member}"));
                }
            }
        }
        Ok(())
    }

    /// Runs a thread until another may conflict with it, or `early`, until it is in the set; returns the state it comes to.
    /// `None` if it cannot move: it is at an atomic section that cannot be completed now.
    fn check_run(
        &self,
        state: u32,
        machine: &mut Machine<'_>,
        thread: Tid,
        script: &mut Vec<(u32, u32)>,
        early: bool,
    ) -> Result<Option<u32>, String> {
        self.claim.store.load(state, machine);
        let mut asked = 0;
        let mut steps = 0;
        let mut section = 0;
        loop {
            let inside = machine.in_atomic(thread);
            match self.step(machine, thread, script, &mut asked)? {
                Stepped::Done => (),
                // What ends the execution is a step the thread never takes: it stands still, with all it has done.
                Stepped::Ended(_) if !inside => {
                    machine.give_up(thread);
                    return self.arrive(machine, thread);
                }
                // A section that cannot be completed is one that does not begin.
                Stepped::Blocked | Stepped::Ended(_) if section == 0 => return Ok(None),
                Stepped::Blocked | Stepped::Ended(_) => {
                    self.claim.store.load(state, machine);
                    asked = 0;
                    for _ in 0..section {
                        self.step(machine, thread, script, &mut asked)?;
                    }
                    return self.arrive(machine, thread);
                }
                Stepped::Violated => return Err(format!("thread {thread} violates an assertion")),
                Stepped::Unsupported(what) => return Err(format!("thread {thread} comes to {what}")),
            }
            if !machine.is_running(thread) {
                return self.arrive(machine, thread);
            }
            if !inside && machine.in_atomic(thread) {
                section = steps;
            }
            steps += 1;
            if machine.in_atomic(thread) {
                continue;
            }
            if early && let Some(next) = self.claim.store.find(machine) {
                return Ok(Some(next));
            }
            let alone = || {
                (0..machine.thread_count()).all(|other| {
                    other == thread || !machine.is_running(other) || !self.may_conflict(machine, thread, other)
                })
            };
            let combinations =
                script[..asked].iter().fold(1, |all: u64, (_, count)| all.saturating_mul((*count).into()));
            let enough = steps >= self.claim.patience || combinations >= MOST_COMBINATIONS;
            if enough || !alone() || !machine.enabled(thread) {
                return self.arrive(machine, thread);
            }
        }
    }

    /// One step with the next of the chosen inputs.
    fn step(
        &self,
        machine: &mut Machine<'_>,
        thread: Tid,
        script: &mut Vec<(u32, u32)>,
        asked: &mut usize,
    ) -> Result<Stepped, String> {
        self.check_foreseen(machine, thread)?;
        let mut too_many = false;
        let step = machine.step(thread, &mut |choice| {
            let Some(values) = self.all_values(choice) else {
                too_many = true;
                return 0;
            };
            if *asked == script.len() {
                script.push((0, values.len() as u32));
            }
            *asked += 1;
            values.get(script[*asked - 1].0 as usize).copied().unwrap_or(0)
        });
        if too_many { Err("an input has too many values to try".into()) } else { Ok(step) }
    }

    /// What is said about conflicts rests on what accesses the facts know of: each that is made must be among them.
    fn check_foreseen(&self, machine: &Machine<'_>, thread: Tid) -> Result<(), String> {
        use Next::*;
        let (address, size, write) = match machine.next(thread) {
            Access { address, size, write, .. } => (address, size, write),
            Free { address } => (address, 1, true),
            Spawn | Join(_) | Detach | Allocate | AtomicBegin | Leave | Local => return Ok(()),
        };
        // One that goes nowhere ends the execution.
        let Ok(location) = machine.locate(address, size) else { return Ok(()) };
        let Some((object, offset)) = machine.object_at(location) else { return Ok(()) };
        let region = self.facts.regions.of(object, self.code);
        // To free anything but a block of the heap is an error, which ends the execution.
        let heap = |region: RegionId| matches!(self.facts.regions.all[region].kind, RegionKind::Heap(_));
        if matches!(machine.next(thread), Next::Free { .. }) && !region.is_some_and(heap) {
            return Ok(());
        }
        let here = self.code.points[machine.pc(thread) as usize];
        match region.is_some_and(|region| self.facts.foresaw(here, region, offset, size, write)) {
            true => Ok(()),
            false => Err(format!("thread {thread} touches memory where the facts do not foresee it")),
        }
    }

    fn arrive(&self, machine: &mut Machine<'_>, thread: Tid) -> Result<Option<u32>, String> {
        let next = self.claim.store.find(machine);
        next.ok_or_else(|| format!("thread {thread} leaves the set")).map(Some)
    }

    /// All values an input need take, if they can be tried.
    fn all_values(&self, choice: Choice) -> Option<Vec<u128>> {
        let Point { func, block, inst } = self.code.points[choice.pc as usize];
        let every_value = || (choice.bits <= 8).then(|| (0..1 << choice.bits).collect());
        match choice.what {
            // A new place, or that of one of the freed blocks; a new handle, or one of a thread that has ended.
            Open::Place(count) | Open::Handle(count) => Some((0..=u128::from(count)).collect()),
            Open::Input | Open::Uninit => {
                let enough = self.facts.inputs.representatives(func, block, inst as usize);
                enough.map(<[u128]>::to_vec).or_else(every_value)
            }
        }
    }

    /// May `other` execute, before `thread` moves, an instruction that does not commute with the next one of `thread`?
    fn may_conflict(&self, machine: &Machine<'_>, thread: Tid, other: Tid) -> bool {
        let pc = machine.pc(thread);
        let point = self.code.points[pc as usize];
        let site = self.facts.sites.at(point.func, point.block, point.inst as usize);
        let mut clash = Clash::default();
        match machine.next(thread) {
            Next::Local => (),
            Next::Access { address, size, write, .. } => match (site, machine.locate(address, size)) {
                // What touches a freed block may find another one there, if that comes first.
                (Some(site), Err(MemoryError::Dead)) => self.clash_of(site, &mut clash),
                (Some(_), Ok(at)) => {
                    let place = machine.object_at(at);
                    place.into_iter().for_each(|place| self.clash_at(place, size, write, &mut clash));
                }
                (_, Err(_)) | (None, Ok(_)) => (),
            },
            Next::Free { .. } | Next::Allocate | Next::Leave => {
                if let Some(site) = site {
                    self.clash_of(site, &mut clash);
                }
            }
            Next::Spawn | Next::Detach => clash.threads = true,
            Next::Join(Some(target)) if machine.is_running(target) => {
                if target == other {
                    return true;
                }
            }
            Next::Join(_) => clash.threads = true,
            Next::AtomicBegin => self.clash_of_section(point, &mut clash),
        }
        clash.threads |= machine.ends_thread(thread) && machine.is_detached(thread);
        let ahead = self.ahead_of(machine, other);
        if clash.threads && (ahead.threads || machine.is_detached(other)) {
            return true;
        }
        clash.sites.intersect_with(&ahead.sites);
        if clash.sites.is_empty() {
            return false;
        }
        // What the other can only do while it has a lock, it cannot do while this thread has it, unless the other may
        // change the lock's word by other means.
        for (id, lock) in self.facts.locks.all.iter().filter(|(_, lock)| lock.is_held(machine, thread)) {
            let protected = self.facts.locks.protected(id);
            let mut rogue = self.facts.sites.writes(lock.cell).clone();
            rogue.intersect_with(&ahead.sites);
            if rogue.is_subset(protected) {
                clash.sites.subtract(protected);
            }
        }
        !clash.sites.is_empty()
    }

    fn clash_at(&self, (object, offset): (ObjectInfo, u64), size: u64, write: bool, clash: &mut Clash) {
        let Some(region) = self.facts.regions.of(object, self.code) else { return };
        self.facts.cells.at(region, offset, size, &mut |cell| {
            clash.sites.union_with(self.facts.sites.conflicts_at(cell, write));
        });
    }

    fn clash_of(&self, site: SiteId, clash: &mut Clash) {
        clash.sites.union_with(&self.facts.sites.conflicts(site));
    }

    /// An atomic section is one step: it clashes with what any of its instructions clashes with.  Where its end is not in
    /// sight (the function returns first, or calls one that may begin further sections) it is taken to clash with everything.
    fn clash_of_section(&self, start: Point, clash: &mut Clash) {
        let function = &self.code.program.functions[start.func];
        let everything = || Clash { threads: true, sites: (0..self.facts.sites.all.len()).collect() };
        let mut seen = std::collections::HashSet::new();
        let mut work = vec![(start.block, start.inst as usize, 0)];
        while let Some((block, inst, depth)) = work.pop() {
            if !seen.insert((block, inst, depth)) {
                continue;
            }
            if let Some(site) = self.facts.sites.at(start.func, block, inst) {
                self.clash_of(site, clash);
            }
            let body = &function.blocks[block];
            let Some(kind) = body.insts.get(inst).map(|inst| &inst.kind) else {
                let before = work.len();
                body.term.for_each_target(&mut |to| work.push((to, 0, depth)));
                if work.len() == before {
                    *clash = everything();
                    return;
                }
                continue;
            };
            if let InstKind::Call { callee, .. } = kind {
                let targets = match callee {
                    Callee::Direct(func) => vec![*func],
                    Callee::Indirect(_) => self.facts.points_to.callees(Point::new(start.func, block, inst)).to_vec(),
                };
                if targets.iter().any(|func| self.facts.atomic.opens(*func)) {
                    *clash = everything();
                    return;
                }
                for func in targets {
                    clash.threads |= self.facts.future.thread_ops(func, Function::ENTRY, 0);
                    for site in self.facts.future.sites(func, Function::ENTRY, 0).iter() {
                        self.clash_of(SiteId(site as u32), clash);
                    }
                }
            }
            clash.threads |= kind.is_thread_op();
            if matches!(kind, InstKind::AtomicEnd) && depth <= 1 {
                continue;
            }
            let depth = depth + kind.nesting();
            // Sections that begin in a loop would go on for ever.
            if depth > 64 {
                *clash = everything();
                return;
            }
            work.push((block, inst + 1, depth));
        }
    }

    /// What a thread may still do, in all its frames.
    fn ahead_of(&self, machine: &Machine<'_>, thread: Tid) -> Clash {
        let mut ahead = Clash::default();
        let innermost = machine.depth(thread) - 1;
        for (depth, pc) in machine.stack(thread).enumerate() {
            let point = self.code.points[pc as usize];
            let inst = point.inst as usize + usize::from(depth != innermost);
            ahead.sites.union_with(self.facts.future.sites(point.func, point.block, inst));
            ahead.threads |= self.facts.future.thread_ops(point.func, point.block, inst);
        }
        ahead
    }
}

/// Sites, and whether threads are started, joined or detached.
#[derive(Default)]
struct Clash {
    sites: BitSet,
    threads: bool,
}

fn is_member(set: u64, thread: Tid) -> bool {
    thread < 64 && set & (1 << thread) != 0
}

/// The next combination of choices, if there is one.
fn advance(script: &mut Vec<(u32, u32)>) -> bool {
    while let Some((index, count)) = script.last_mut() {
        *index += 1;
        if index < count {
            return true;
        }
        script.pop();
    }
    false
}
