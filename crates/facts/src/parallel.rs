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

use crate::flow::{Ends, Flow, Place, States};
use crate::pool::SetPool;
use crate::threads::Root;
use crate::{Calls, Functions, Point, Points, PointsTo, RegionKind, Regions, RootId, Threads};
use base::{BitSet, Id, IdVec, graph};
use ir::{FuncId, InstKind, Program};
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

/// The flow of the first thread.
struct First<'a> {
    flow: Flow<'a, BitSet>,
    functions: Functions<'a>,
    threads: &'a Threads,
    /// By spawn, its root with all that one may start.
    started: FxHashMap<Point, BitSet>,
    /// By join, the root that has surely ended after it.
    joined: FxHashMap<Point, RootId>,
    /// All roots a function may start, with its callees and what those threads start.
    starts: IdVec<FuncId, BitSet>,
    /// Functions whose flow is followed.
    followed: IdVec<FuncId, bool>,
}

impl Parallel {
    pub fn compute(
        functions: Functions<'_>,
        calls: &Calls,
        threads: &Threads,
        regions: &Regions,
        points_to: &PointsTo,
    ) -> Self {
        let Functions { program, points, .. } = functions;
        let mut first = First::new(functions, calls, threads);
        first.find_joins(regions, points_to);
        let ends = first.solve();
        let mut sets = SetPool::default();
        let none = sets.intern(&BitSet::new());
        let mut alive = vec![none; points.total];
        for func in threads.roots[Threads::FIRST].runs.iter().map(FuncId::new) {
            if let Some(entry) = &ends.entry[func] {
                first.walk(func, entry, &ends.exit, &mut |place, set| alive[place.at] = sets.intern(set));
            }
        }
        let mut pairs: IdVec<RootId, BitSet> = IdVec::filled(BitSet::new(), threads.roots.len());
        for number in 0..sets.len() as u32 {
            let set = sets.get(number);
            set.iter().for_each(|root| _ = pairs[RootId::new(root)].union_with(set));
        }
        for (id, _) in threads.roots.iter().filter(|(_, root)| root.single) {
            pairs[id].remove(id.index());
        }
        let (class, points) = (vec![0; points.total], points.clone());
        let mut res = Parallel { class, together: Vec::new(), alone: Vec::new(), alive, sets, points };
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
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut classes: Vec<(u32, u32)> = Vec::new();
        for (func, function) in program.functions.iter() {
            let roots = self.sets.intern(&threads.roots_of[func]);
            for (block, data) in function.blocks.iter() {
                let first = self.points.index(func, block, 0);
                for at in first..=first + data.insts.len() {
                    let key = (roots, self.alive[at]);
                    self.class[at] = *numbers.entry(key).or_insert_with(|| {
                        classes.push(key);
                        classes.len() as u32 - 1
                    });
                }
            }
        }
        let first = Threads::FIRST.index();
        let sets = &self.sets;
        let may_meet = |(mine, mine_alive): (u32, u32), (theirs, theirs_alive): (u32, u32)| {
            sets.get(mine).iter().any(|a| {
                sets.get(theirs).iter().any(|b| match (a == first, b == first) {
                    (true, true) => false,
                    (true, false) => sets.get(mine_alive).contains(b),
                    (false, true) => sets.get(theirs_alive).contains(a),
                    (false, false) => pairs[RootId::new(a)].contains(b),
                })
            })
        };
        let meeting = |a| (0..classes.len()).filter(|b| may_meet(a, classes[*b])).collect();
        self.together = classes.iter().map(|a| meeting(*a)).collect();
        let only_first: BitSet = [first].into_iter().collect();
        let is_alone = |(roots, alive)| *sets.get(roots) == only_first && sets.get(alive).is_empty();
        self.alone = classes.iter().map(|class| is_alone(*class)).collect();
    }
}

impl<'a> First<'a> {
    fn new(functions: Functions<'a>, calls: &'a Calls, threads: &'a Threads) -> Self {
        let all = || functions.program.functions.ids();
        // What the threads of each root may start in turn.
        let below = |parent: RootId| {
            let runs = &threads.roots[parent].runs;
            let started = move |root: &Root| root.spawn.is_some_and(|spawn| runs.contains(spawn.func.index()));
            threads.roots.iter().filter(move |(_, root)| started(root)).map(|(id, _)| id)
        };
        let mut started: FxHashMap<Point, BitSet> = FxHashMap::default();
        let mut direct: IdVec<FuncId, BitSet> = all().map(|_| BitSet::new()).collect();
        for (id, root) in threads.roots.iter() {
            if let Some(spawn) = root.spawn {
                let all = graph::closure([id], below);
                direct[spawn.func].union_with(&all);
                started.insert(spawn, all);
            }
        }
        let mut starts = direct.clone();
        for (func, all) in starts.iter_mut() {
            calls.closure(&[func]).iter().for_each(|callee| _ = all.union_with(&direct[FuncId::new(callee)]));
        }
        let only_first: BitSet = [Threads::FIRST.index()].into_iter().collect();
        let followed = all().map(|func| threads.once[func] && threads.roots_of[func] == only_first).collect();
        let flow = Flow::new(functions, calls, BitSet::union_with);
        First { flow, functions, threads, started, joined: FxHashMap::default(), starts, followed }
    }

    fn find_joins(&mut self, regions: &Regions, points_to: &PointsTo) {
        for func in self.followed.ids().filter(|func| self.followed[*func]) {
            for (point, kind) in self.functions.insts(func) {
                if !matches!(kind, InstKind::Join { .. }) {
                    continue;
                }
                let Some(handle) = points_to.address(point).and_then(|targets| targets.only_handle()) else { continue };
                let RegionKind::Thread(Some(spawn)) = regions.all[handle.region].kind else { continue };
                let Some(root) = self.threads.root_at(spawn) else { continue };
                if handle.offsets.is_exact() && handle.offsets.base == 0 && self.threads.roots[root].single {
                    self.joined.insert(point, root);
                }
            }
        }
    }

    fn solve(&self) -> Ends<BitSet> {
        // Should the entry not be followed, it is as if it ran more than once.
        self.flow.through_calls(&[self.functions.program.entry], &BitSet::new(), true, |func, entry, exit, see| {
            self.walk(func, entry, exit, see);
        })
    }

    /// Over one point; `None` if control does not get past it, as far as is known.
    fn step(&self, exit: &States<BitSet>, place: Place<'_>, mut alive: BitSet) -> Option<BitSet> {
        if place.kind.is_some_and(InstKind::is_thread_op) {
            self.started.get(&place.point).into_iter().for_each(|started| _ = alive.union_with(started));
            self.joined.get(&place.point).into_iter().for_each(|root| alive.remove(root.index()));
        }
        let Some(callees) = place.callees else { return Some(alive) };
        let mut after: Option<BitSet> = None;
        for callee in callees {
            if !self.followed[*callee] {
                let mut then = alive.clone();
                then.union_with(&self.starts[*callee]);
                self.flow.merge(&mut after, &then);
            } else if let Some(returned) = &exit[*callee] {
                self.flow.merge(&mut after, returned);
            }
        }
        after
    }

    /// Calls `see` with what is alive at each point of a function that is entered with these; anywhere in one that is not
    /// followed the same.
    fn walk(&self, func: FuncId, entry: &BitSet, exit: &States<BitSet>, see: &mut dyn FnMut(Place<'a>, &BitSet)) {
        if self.followed[func] {
            return self.flow.walk(func, entry, &|place, alive| self.step(exit, place, alive), see);
        }
        let mut alive = entry.clone();
        alive.union_with(&self.starts[func]);
        for block in self.functions.program.functions[func].blocks.ids() {
            self.flow.places(func, block).for_each(|place| see(place, &alive));
        }
    }
}
