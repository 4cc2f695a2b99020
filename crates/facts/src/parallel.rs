//! Which places of the program two threads may be at, at the same time, from the structure of spawns and joins alone.
//!
//! For each point of the first thread we compute the roots that may be *alive* there: started and not surely ended.  A
//! `spawn` adds its root and every root that one's threads may start, directly or not.  A `join` removes the root whose
//! handle it must get, provided that root is single: then its one thread has ended.  Where paths meet, the sets are united.
//! The flow is followed through functions that run at most once; a function that may run more often gets one set for all
//! its points, the union over its calls, together with all that it may start.
//!
//! Then
//! * the first thread at `p` is together with threads of the roots alive at `p`, and only those;
//! * threads of two other roots are together if both are alive at some point of the first thread (a root is alive whenever
//!   one of its threads is, also when another thread than the first started it);
//! * a root is together with itself if it is not single.
//!
//! That is sound because every set contains the root of each thread that exists and has not ended whenever the first thread
//! is at that point, and after the first thread has ended only roots alive at its last point, with those they may start,
//! which are in the same set, go on.

use crate::calls::Calls;
use crate::cfg::{Cfg, Point, Points};
use crate::points_to::PointsTo;
use crate::pool::SetPool;
use crate::regions::{RegionKind, Regions};
use crate::threads::{RootId, Threads};
use base::{BitSet, Id, IdVec};
use ir::{BlockId, FuncId, InstKind, Program, Term};
use rustc_hash::FxHashMap;

/// Places fall into classes; the relation is kept between classes.
#[derive(Clone, Debug)]
pub struct Parallel {
    /// By point.
    class: Vec<u32>,
    together: Vec<BitSet>,
    alone: Vec<bool>,
    /// For each point of the first thread, the number of the set of roots alive there.
    alive: Vec<u32>,
    sets: SetPool,
    points: Points,
}

struct Flow<'a> {
    program: &'a Program,
    points: &'a Points,
    cfgs: &'a IdVec<FuncId, Cfg>,
    threads: &'a Threads,
    /// By point: where a call may go.
    callees: FxHashMap<usize, &'a [FuncId]>,
    callers: IdVec<FuncId, Vec<FuncId>>,
    /// By point of a spawn: its root with all that one may start.
    started: FxHashMap<usize, BitSet>,
    /// By point of a join: the root that has surely ended after it.
    joined: FxHashMap<usize, RootId>,
    /// All roots a function may start, with its callees and what those threads start.
    starts: IdVec<FuncId, BitSet>,
    /// Functions whose flow is followed.
    followed: IdVec<FuncId, bool>,
    /// Alive when a followed function starts and when it returns; alive anywhere in another one.
    at_entry: IdVec<FuncId, Option<BitSet>>,
    at_return: IdVec<FuncId, Option<BitSet>>,
}

impl Parallel {
    pub fn compute(
        program: &Program,
        points: &Points,
        cfgs: &IdVec<FuncId, Cfg>,
        calls: &Calls,
        threads: &Threads,
        regions: &Regions,
        points_to: &PointsTo,
    ) -> Self {
        let mut flow = Flow::new(program, points, cfgs, calls, threads);
        flow.find_joins(regions, points_to);
        flow.solve();
        let mut sets = SetPool::new();
        let none = sets.intern(&BitSet::new());
        let mut alive = vec![none; points.len()];
        for func in threads.roots[Threads::FIRST].runs.iter().map(FuncId::new) {
            flow.see_alive(func, &mut |at, set| alive[at] = sets.intern(set));
        }
        let mut pairs: IdVec<RootId, BitSet> = IdVec::filled(BitSet::new(), threads.roots.len());
        for number in 0..sets.len() as u32 {
            let set = sets.get(number);
            set.iter().for_each(|root| _ = pairs[RootId::new(root)].union_with(set));
        }
        for (id, _) in threads.roots.iter().filter(|(_, root)| root.single) {
            pairs[id].remove(id.index());
        }
        let mut res = Parallel {
            class: vec![0; points.len()],
            together: Vec::new(),
            alone: Vec::new(),
            alive,
            sets,
            points: points.clone(),
        };
        res.classify(program, threads, &pairs);
        res
    }

    /// May two different threads be at these two places at the same time?
    pub fn together(&self, a: Point, b: Point) -> bool {
        self.classes_together(self.class_of(a), self.class_of(b))
    }

    pub fn class_of(&self, point: Point) -> u32 {
        self.class[self.points.of(point)]
    }

    pub fn classes_together(&self, a: u32, b: u32) -> bool {
        self.together[a as usize].contains(b as usize)
    }

    /// May a thread at a place of the class meet another at one of the others?
    pub fn meets(&self, class: u32, others: &BitSet) -> bool {
        self.together[class as usize].intersects(others)
    }

    /// Is a thread at this place surely the only one?
    pub fn alone(&self, point: Point) -> bool {
        self.alone[self.class_of(point) as usize]
    }

    /// The roots that may be alive when the first thread is at the place.
    pub fn alive(&self, point: Point) -> &BitSet {
        self.sets.get(self.alive[self.points.of(point)])
    }

    fn classify(&mut self, program: &Program, threads: &Threads, pairs: &IdVec<RootId, BitSet>) {
        let mut numbers: FxHashMap<(Vec<usize>, u32), u32> = FxHashMap::default();
        let mut classes: Vec<(Vec<usize>, u32)> = Vec::new();
        for (func, function) in program.functions.iter() {
            let roots: Vec<usize> = threads.roots_of[func].iter().collect();
            for (block_id, block) in function.blocks.iter() {
                for inst in 0..=block.insts.len() {
                    let at = self.points.index(func, block_id, inst);
                    let key = (roots.clone(), self.alive[at]);
                    self.class[at] = *numbers.entry(key.clone()).or_insert_with(|| {
                        classes.push(key);
                        classes.len() as u32 - 1
                    });
                }
            }
        }
        let first = Threads::FIRST.index();
        let may_meet = |(mine, mine_alive): &(Vec<usize>, u32), (theirs, theirs_alive): &(Vec<usize>, u32)| {
            mine.iter().any(|a| {
                theirs.iter().any(|b| match (*a == first, *b == first) {
                    (true, true) => false,
                    (true, false) => self.sets.get(*mine_alive).contains(*b),
                    (false, true) => self.sets.get(*theirs_alive).contains(*a),
                    (false, false) => pairs[RootId::new(*a)].contains(*b),
                })
            })
        };
        self.together = classes
            .iter()
            .map(|a| classes.iter().enumerate().filter(|(_, b)| may_meet(a, b)).map(|(i, _)| i).collect())
            .collect();
        self.alone = classes
            .iter()
            .map(|(roots, alive)| roots.as_slice() == [first] && self.sets.get(*alive).is_empty())
            .collect();
    }
}

impl<'a> Flow<'a> {
    fn new(
        program: &'a Program,
        points: &'a Points,
        cfgs: &'a IdVec<FuncId, Cfg>,
        calls: &'a Calls,
        threads: &'a Threads,
    ) -> Self {
        let n = program.functions.len();
        // What the threads of each root may start in turn.
        let mut below: IdVec<RootId, BitSet> = IdVec::filled(BitSet::new(), threads.roots.len());
        for (id, root) in threads.roots.iter().filter(|(_, root)| root.spawn.is_some()) {
            let Some(spawn) = root.spawn else { continue };
            for (parent, runs) in threads.roots.iter().map(|(id, root)| (id, &root.runs)) {
                if runs.contains(spawn.func.index()) {
                    below[parent].insert(id.index());
                }
            }
        }
        let with_descendants = |root: RootId| {
            let mut all = BitSet::new();
            all.insert(root.index());
            let mut work = vec![root];
            while let Some(root) = work.pop() {
                for child in below[root].iter() {
                    if all.insert(child) {
                        work.push(RootId::new(child));
                    }
                }
            }
            all
        };
        let mut started: FxHashMap<usize, BitSet> = FxHashMap::default();
        let mut direct: IdVec<FuncId, BitSet> = IdVec::filled(BitSet::new(), n);
        for (id, root) in threads.roots.iter() {
            if let Some(spawn) = root.spawn {
                let all = with_descendants(id);
                direct[spawn.func].union_with(&all);
                started.insert(points.of(spawn), all);
            }
        }
        let starts = program
            .functions
            .ids()
            .map(|func| {
                let mut all = BitSet::new();
                calls.closure(&[func]).iter().for_each(|callee| _ = all.union_with(&direct[FuncId::new(callee)]));
                all
            })
            .collect();
        let mut callers: IdVec<FuncId, Vec<FuncId>> = IdVec::filled(Vec::new(), n);
        for (point, to) in &calls.calls {
            to.iter().for_each(|callee| callers[*callee].push(point.func));
        }
        let only_first: BitSet = [Threads::FIRST.index()].into_iter().collect();
        let followed = program.functions.ids().map(|f| threads.once[f] && threads.roots_of[f] == only_first).collect();
        Flow {
            program,
            points,
            cfgs,
            threads,
            callees: calls.calls.iter().map(|(point, to)| (points.of(*point), to.as_slice())).collect(),
            callers,
            started,
            joined: FxHashMap::default(),
            starts,
            followed,
            at_entry: IdVec::filled(None, n),
            at_return: IdVec::filled(None, n),
        }
    }

    fn find_joins(&mut self, regions: &Regions, points_to: &PointsTo) {
        for func in self.followed.ids().filter(|func| self.followed[*func]) {
            for block in &self.cfgs[func].order {
                for (i, inst) in self.program.functions[func].blocks[*block].insts.iter().enumerate() {
                    if !matches!(inst.kind, InstKind::Join { .. }) {
                        continue;
                    }
                    let point = Point::new(func, *block, i);
                    let Some(handle) = points_to.address(point).and_then(|targets| targets.only_handle()) else {
                        continue;
                    };
                    let RegionKind::Thread(spawn) = regions.all[handle.region].kind else { continue };
                    let Some(root) = self.threads.root_at(spawn) else { continue };
                    if handle.offsets.is_exact() && handle.offsets.base == 0 && self.threads.roots[root].single {
                        self.joined.insert(self.points.of(point), root);
                    }
                }
            }
        }
    }

    fn solve(&mut self) {
        let entry = self.program.entry;
        // Should the entry not be followed, it is as if it ran more than once.
        self.at_entry[entry] = Some(BitSet::new());
        let mut work = vec![entry];
        while let Some(func) = work.pop() {
            let mut calls: Vec<(FuncId, BitSet)> = Vec::new();
            let mut returned: Option<BitSet> = None;
            if self.followed[func] {
                self.walk(func, &mut |at, term, alive| {
                    for callee in self.callees.get(&at).copied().unwrap_or_default() {
                        calls.push((*callee, alive.clone()));
                    }
                    if matches!(term, Some(Term::Return(_))) {
                        match &mut returned {
                            Some(known) => _ = known.union_with(alive),
                            None => returned = Some(alive.clone()),
                        }
                    }
                });
            } else {
                let all = self.at_entry[func].get_or_insert_default();
                all.union_with(&self.starts[func]);
                let all = all.clone();
                for block in &self.cfgs[func].order {
                    for i in 0..self.program.functions[func].blocks[*block].insts.len() {
                        let at = self.points.index(func, *block, i);
                        for callee in self.callees.get(&at).copied().unwrap_or_default() {
                            calls.push((*callee, all.clone()));
                        }
                    }
                }
                returned = Some(all);
            }
            for (callee, alive) in calls {
                if grow(&mut self.at_entry[callee], &alive) && !work.contains(&callee) {
                    work.push(callee);
                }
            }
            if let Some(returned) = returned
                && grow(&mut self.at_return[func], &returned)
            {
                for caller in &self.callers[func] {
                    if self.at_entry[*caller].is_some() && !work.contains(caller) {
                        work.push(*caller);
                    }
                }
            }
        }
    }

    /// Over one instruction; `None` if control does not get past it, as far as is known.
    fn step(&self, at: usize, mut alive: BitSet) -> Option<BitSet> {
        if let Some(started) = self.started.get(&at) {
            alive.union_with(started);
        }
        if let Some(root) = self.joined.get(&at) {
            alive.remove(root.index());
        }
        let Some(callees) = self.callees.get(&at) else { return Some(alive) };
        let mut after: Option<BitSet> = None;
        for callee in callees.iter() {
            if self.followed[*callee] {
                if let Some(returned) = &self.at_return[*callee] {
                    grow(&mut after, returned);
                }
            } else {
                let mut then = alive.clone();
                then.union_with(&self.starts[*callee]);
                grow(&mut after, &then);
            }
        }
        after
    }

    fn walk(&self, func: FuncId, see: &mut impl FnMut(usize, Option<&Term>, &BitSet)) {
        let function = &self.program.functions[func];
        let cfg = &self.cfgs[func];
        let mut at_start: IdVec<BlockId, Option<BitSet>> = IdVec::filled(None, function.blocks.len());
        let (Some(first), Some(entry)) = (cfg.order.first(), &self.at_entry[func]) else { return };
        at_start[*first] = Some(entry.clone());
        let through = |block: BlockId, alive: &BitSet, see: &mut dyn FnMut(usize, Option<&Term>, &BitSet)| {
            let mut alive = alive.clone();
            let insts = function.blocks[block].insts.len();
            for inst in 0..insts {
                let at = self.points.index(func, block, inst);
                see(at, None, &alive);
                alive = self.step(at, alive)?;
            }
            see(self.points.index(func, block, insts), Some(&function.blocks[block].term), &alive);
            Some(alive)
        };
        let mut changed = true;
        while changed {
            changed = false;
            for block in &cfg.order {
                let Some(alive) = at_start[*block].clone() else { continue };
                let Some(alive) = through(*block, &alive, &mut |_, _, _| ()) else { continue };
                for to in &cfg.successors[*block] {
                    changed |= grow(&mut at_start[*to], &alive);
                }
            }
        }
        for block in &cfg.order {
            if let Some(alive) = &at_start[*block] {
                through(*block, alive, see);
            }
        }
    }

    /// Calls `see` with what is alive at each point of a function of the first thread.
    fn see_alive(&self, func: FuncId, see: &mut impl FnMut(usize, &BitSet)) {
        if self.followed[func] {
            self.walk(func, &mut |at, _, alive| see(at, alive));
            return;
        }
        let Some(alive) = &self.at_entry[func] else { return };
        for (block_id, block) in self.program.functions[func].blocks.iter() {
            for inst in 0..=block.insts.len() {
                see(self.points.index(func, block_id, inst), alive);
            }
        }
    }
}

/// Unites `by` into `set`; tells whether it has grown or come into being.
fn grow(set: &mut Option<BitSet>, by: &BitSet) -> bool {
    match set {
        Some(known) => known.union_with(by),
        None => {
            *set = Some(by.clone());
            true
        }
    }
}
