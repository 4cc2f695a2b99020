//! Checks the static facts against every state there is: each is a claim about all executions.
//!
//! A fact that is wrong need not change a verdict in any of the programs tried; looked at directly it shows much sooner.

use crate::naive::{self, Maker, Observer, State, Status, Target, Value};
use base::{BitSet, Id};
use facts::{CellId, Facts, LockObject, Point, RegionId};
use ir::program::*;
use std::cell::OnceCell;

/// The first claim that does not hold.
pub fn check(program: &Program, limit: usize) -> Result<(), String> {
    let facts = Facts::compute(program);
    let mut watch = Watch { program, facts: &facts, wrong: OnceCell::new() };
    naive::search(program, limit, &mut watch);
    watch.wrong.into_inner().map_or(Ok(()), Err)
}

struct Watch<'p> {
    program: &'p Program,
    facts: &'p Facts,
    /// The first claim found wrong.
    wrong: OnceCell<String>,
}

/// What the next step of a thread does to memory.
struct Touch {
    point: Point,
    /// Object, first byte, one past the last.
    ranges: Vec<(Target, i64, i64)>,
    reads: bool,
    writes: bool,
}

impl Touch {
    fn conflicts(&self, other: &Touch) -> bool {
        let overlap = |a: &(Target, i64, i64), b: &(Target, i64, i64)| a.0 == b.0 && a.1 < b.2 && b.1 < a.2;
        (self.writes || other.writes) && self.ranges.iter().any(|a| other.ranges.iter().any(|b| overlap(a, b)))
    }
}

impl Observer for Watch<'_> {
    fn state(&mut self, state: &State) {
        if self.wrong.get().is_some() {
            return;
        }
        let running: Vec<(u32, Point)> = state
            .threads
            .iter()
            .filter(|(_, thread)| thread.status == Status::Running)
            .filter_map(|(handle, thread)| thread.frames.last().map(|frame| (*handle, point_of(frame))))
            .collect();
        let touches: Vec<Option<Touch>> = running.iter().map(|(handle, at)| self.touch(state, *handle, *at)).collect();
        for touch in touches.iter().flatten() {
            self.accesses(state, touch);
        }
        for (a, (_, first)) in running.iter().enumerate() {
            self.alone(*first, running.len());
            self.atomic(state, running[a].0, *first);
            for (b, (_, second)) in running.iter().enumerate().skip(a + 1) {
                self.pair(*first, *second, touches[a].as_ref(), touches[b].as_ref());
            }
        }
    }

    fn step(&mut self, before: &State, handle: u32, after: &State) {
        if self.wrong.get().is_some() {
            return;
        }
        let old = self.future(before, handle);
        if let Some(frame) = before.threads[&handle].frames.last()
            && let Some(site) = self.facts.sites.at_point(point_of(frame))
            && !old.contains(site.index())
        {
            self.claim(false, || format!("{} is not in its own future", self.name(point_of(frame))));
        }
        // What is ahead after the step, also of a thread it started, was ahead before.
        for other in after.threads.keys() {
            if *other == handle || !before.threads.contains_key(other) {
                let mut new = self.future(after, *other);
                new.subtract(&old);
                let at = before.threads[&handle].frames.last().map(point_of);
                self.claim(new.is_empty(), || {
                    format!("more is ahead after {} than before", at.map_or(String::new(), |at| self.name(at)))
                });
            }
        }
    }
}

fn point_of(frame: &naive::Frame) -> Point {
    Point::new(frame.func, frame.block, frame.inst)
}

impl Watch<'_> {
    fn claim(&self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.wrong.get_or_init(otherwise);
        }
    }

    fn name(&self, point: Point) -> String {
        let function = &self.program.functions[point.func];
        format!("{} {} {}", function.name, function.blocks[point.block].name, point.inst)
    }

    fn future(&self, state: &State, handle: u32) -> BitSet {
        let mut all = BitSet::new();
        let frames = &state.threads[&handle].frames;
        for (depth, frame) in frames.iter().enumerate() {
            // A frame that waits goes on after its call.
            let inst = frame.inst + usize::from(depth + 1 < frames.len());
            all.union_with(self.facts.future.sites(frame.func, frame.block, inst));
        }
        all
    }

    fn alone(&self, point: Point, running: usize) {
        if self.facts.parallel.alone(point) {
            self.claim(running == 1, || format!("{} is not alone", self.name(point)));
        }
    }

    fn atomic(&self, state: &State, handle: u32, point: Point) {
        if self.facts.atomic.surely_inside(point) {
            let inside = state.threads[&handle].atomic > 0;
            self.claim(inside, || format!("{} is not in an atomic section", self.name(point)));
        }
        let Some(site) = self.facts.sites.at_point(point) else { return };
        for lock in self.facts.locks.held(site).iter() {
            let lock = &self.facts.locks.all[facts::LockId::new(lock)];
            let object = match lock.object {
                LockObject::Static(object) => Some(Target::Static(object)),
                LockObject::Allocated(Point { func, block, inst }) => {
                    let made_there = |maker: &Maker| match maker {
                        Maker::Stack(f, b, i) | Maker::Heap(f, b, i) => (*f, *b, *i) == (func, block, inst as usize),
                        Maker::Static(_) | Maker::ThreadLocal(_) => false,
                    };
                    state.memory.iter().find(|(_, object)| made_there(&object.origin)).map(|(target, _)| *target)
                }
            };
            let word = object.and_then(|object| state.bytes_at(Value::Address(object, lock.offset as i32), 4));
            let free = word.is_none_or(|bytes| bytes.iter().all(|byte| *byte == naive::Byte::Number(0)));
            self.claim(!free, || format!("at {} a lock is held that is free", self.name(point)));
        }
    }

    fn pair(&self, a: Point, b: Point, first: Option<&Touch>, second: Option<&Touch>) {
        let together = self.facts.parallel.together(a, b);
        self.claim(together, || format!("{} and {} are together", self.name(a), self.name(b)));
        let (site_a, site_b) = (self.facts.sites.at_point(a), self.facts.sites.at_point(b));
        if let (Some(a_site), Some(b_site)) = (site_a, site_b) {
            let exclude = self.facts.locks.exclude(a_site, b_site);
            self.claim(!exclude, || format!("{} and {} hold the same lock", self.name(a), self.name(b)));
        }
        let (Some(first), Some(second)) = (first, second) else { return };
        if first.conflicts(second) {
            let known = match (site_a, site_b) {
                (Some(a), Some(b)) => self.facts.sites.conflict(a, b),
                _ => false,
            };
            self.claim(known, || format!("{} and {} conflict", self.name(a), self.name(b)));
        }
    }

    fn region(&self, state: &State, target: Target) -> Option<RegionId> {
        let regions = &self.facts.regions;
        let made = state.memory.get(&target).map(|storage| storage.origin);
        match made.or_else(|| Some(state.freed.get(&target)?.1))? {
            Maker::Static(object) | Maker::ThreadLocal(object) => Some(regions.of_object(object)),
            Maker::Stack(func, block, inst) | Maker::Heap(func, block, inst) => {
                regions.of_point(Point::new(func, block, inst))
            }
        }
    }

    /// The access a step makes is among those it may make.
    fn accesses(&self, state: &State, touch: &Touch) {
        let mut cells = BitSet::new();
        for (target, start, end) in &touch.ranges {
            let Some(region) = self.region(state, *target) else {
                return self
                    .claim(false, || format!("{} touches an object that has no region", self.name(touch.point)));
            };
            let mut add = |cell: CellId| _ = cells.insert(cell.index());
            self.facts.cells.at(region, *start as u64, (end - start) as u64, &mut add);
        }
        if cells.is_empty() {
            return;
        }
        let access = self.facts.accesses.iter().find(|access| access.point == touch.point);
        let Some(access) = access else {
            // Nobody can look at what dies with the program.
            let leaves = self.block(touch.point).insts.len() == touch.point.inst as usize;
            let entry = leaves && touch.point.func == self.program.entry;
            return self.claim(entry, || format!("{} makes no access", self.name(touch.point)));
        };
        for (does, known) in [(touch.reads, &access.reads), (touch.writes, &access.writes)] {
            let mut unknown = cells.clone();
            unknown.subtract(known);
            let holds = !does || unknown.is_empty();
            self.claim(holds, || format!("{} touches cells it cannot touch", self.name(touch.point)));
        }
    }

    fn block(&self, point: Point) -> &Block {
        &self.program.functions[point.func].blocks[point.block]
    }

    /// What the next step touches; `None` if it ends in a memory error.
    fn touch(&self, state: &State, handle: u32, point: Point) -> Option<Touch> {
        let block = self.block(point);
        let Some(inst) = block.insts.get(point.inst as usize) else { return self.leaving(state, handle, point) };
        let (addr, ty, reads, writes) = match &inst.kind {
            InstKind::Load { ty, addr, .. } => (addr, *ty, true, false),
            InstKind::Store { ty, addr, .. } => (addr, *ty, false, true),
            InstKind::Update { ty, addr, set, .. } => (addr, *ty, true, set.is_some()),
            InstKind::Free { addr } => {
                let Value::Address(target, 0) = naive::evaluate(self.program, state, handle, addr)? else {
                    return None;
                };
                let storage = state.memory.get(&target).filter(|storage| storage.is_heap())?;
                let ranges = vec![(target, 0, storage.bytes.len() as i64)];
                return Some(Touch { point, ranges, reads: false, writes: true });
            }
            InstKind::Alloc { .. } => {
                let size = |target: &Target| state.freed.get(target).map_or(0, |(size, _)| *size as i64);
                let places = naive::places(self.program, state, handle);
                let ranges: Vec<_> = places.iter().map(|target| (*target, 0, size(target))).collect();
                return (!ranges.is_empty()).then_some(Touch { point, ranges, reads: false, writes: true });
            }
            _ => return None,
        };
        let address = naive::evaluate(self.program, state, handle, addr)?;
        let size = self.program.size_of(ty);
        state.bytes_at(address, size)?;
        let Value::Address(target, offset) = address else { return None };
        let start = i64::from(offset);
        Some(Touch { point, ranges: vec![(target, start, start + size as i64)], reads, writes })
    }

    /// The end of a function or a thread ends the objects on its stack.
    fn leaving(&self, state: &State, handle: u32, point: Point) -> Option<Touch> {
        let thread = &state.threads[&handle];
        let whole_thread = match self.block(point).term {
            Term::Return(_) => thread.frames.len() == 1,
            Term::ExitThread(_) => true,
            Term::Jump(_) | Term::Branch { .. } | Term::Switch { .. } | Term::Halt | Term::Unreachable => return None,
        };
        if thread.frames.len() == 1 && handle == 1 && matches!(self.block(point).term, Term::Return(_)) {
            return None;
        }
        let mut dying: Vec<Target> = Vec::new();
        let from = if whole_thread { 0 } else { thread.frames.len() - 1 };
        thread.frames[from..].iter().for_each(|frame| dying.extend(&frame.locals));
        if whole_thread {
            dying.extend(thread.thread_locals.values());
        }
        let size = |target: &Target| state.memory.get(target).map_or(0, |storage| storage.bytes.len() as i64);
        let ranges = dying.iter().map(|target| (*target, 0, size(target))).collect();
        Some(Touch { point, ranges, reads: false, writes: true })
    }
}
