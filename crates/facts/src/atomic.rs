//! Atomic sections: the points at which a thread surely is inside one.
//!
//! Forward over the least number of sections that are open, over all paths; a callee starts with the least of its callers, a
//! call changes it by the least the callee can make of it.  Threads start outside.  "Surely inside" is never claimed wrongly:
//! all unknowns count downward.

use crate::basis::Basis;
use crate::calls::Calls;
use crate::cfg::{Cfg, Point, Points};
use base::{BitSet, Id, IdVec};
use ir::{BlockId, FuncId, InstKind, Program, Term};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Atomic {
    inside: BitSet,
    points: Points,
}

/// Depths are followed up to here, and changes down to minus this, which undoes any depth that is followed.
const DEEPEST: i32 = 8;

struct Flow<'a> {
    program: &'a Program,
    points: &'a Points,
    cfgs: &'a IdVec<FuncId, Cfg>,
    callees: FxHashMap<usize, &'a [FuncId]>,
    /// The least change a call of the function makes; `None` while no return is known.
    change: IdVec<FuncId, Option<i32>>,
}

impl Atomic {
    pub fn compute(basis: &Basis<'_>) -> Self {
        let Basis { program, points, cfgs, calls, .. } = *basis;
        let mut inside = BitSet::new();
        let uses = |func: usize| {
            let blocks = program.functions[FuncId::new(func)].blocks.values();
            blocks.flat_map(|block| &block.insts).any(|inst| matches!(inst.kind, InstKind::AtomicBegin))
        };
        if !calls.active.iter().any(uses) {
            return Atomic { inside, points: points.clone() };
        }
        let mut flow = Flow {
            program,
            points,
            cfgs,
            callees: calls.calls.iter().map(|(point, to)| (points.of(*point), to.as_slice())).collect(),
            change: IdVec::filled(None, program.functions.len()),
        };
        flow.find_changes(calls);
        let entry = flow.find_entries(calls);
        for func in calls.active.iter().map(FuncId::new) {
            let Some(start) = entry[func] else { continue };
            flow.walk(func, start, 0, &mut |at, depth, _| {
                if depth > 0 {
                    inside.insert(at);
                }
            });
        }
        Atomic { inside, points: points.clone() }
    }

    /// Is a thread at the point surely inside an atomic section?
    pub fn surely_inside(&self, point: Point) -> bool {
        self.inside.contains(self.points.of(point))
    }
}

impl Flow<'_> {
    fn find_changes(&mut self, calls: &Calls) {
        let mut changed = true;
        while changed {
            changed = false;
            for func in calls.active.iter().map(FuncId::new) {
                let mut least: Option<i32> = None;
                self.walk(func, 0, -DEEPEST, &mut |_, depth, term| {
                    if matches!(term, Some(Term::Return(_))) {
                        least = Some(least.map_or(depth, |known| known.min(depth)));
                    }
                });
                if least != self.change[func] {
                    self.change[func] = least;
                    changed = true;
                }
            }
        }
    }

    fn find_entries(&self, calls: &Calls) -> IdVec<FuncId, Option<i32>> {
        let mut entry: IdVec<FuncId, Option<i32>> = IdVec::filled(None, self.program.functions.len());
        let mut work = vec![self.program.entry];
        calls.spawns.iter().for_each(|(_, to)| work.extend(to));
        work.iter().for_each(|func| entry[*func] = Some(0));
        while let Some(func) = work.pop() {
            let Some(start) = entry[func] else { continue };
            let mut called = Vec::new();
            self.walk(func, start, 0, &mut |at, depth, _| {
                called.extend(self.callees.get(&at).copied().unwrap_or_default().iter().map(|callee| (*callee, depth)));
            });
            for (callee, depth) in called {
                if entry[callee].is_none_or(|known| depth < known) {
                    entry[callee] = Some(depth);
                    work.push(callee);
                }
            }
        }
        entry
    }

    /// Calls `see` once for each point that can be reached, with the least depth before it.
    fn walk(&self, func: FuncId, start: i32, floor: i32, see: &mut dyn FnMut(usize, i32, Option<&Term>)) {
        let function = &self.program.functions[func];
        let cfg = &self.cfgs[func];
        let mut at_start: IdVec<BlockId, Option<i32>> = IdVec::filled(None, function.blocks.len());
        let Some(first) = cfg.order.first() else { return };
        at_start[*first] = Some(start);
        let through = |block: BlockId, mut depth: i32, see: &mut dyn FnMut(usize, i32, Option<&Term>)| {
            for (i, inst) in function.blocks[block].insts.iter().enumerate() {
                let at = self.points.index(func, block, i);
                see(at, depth, None);
                if matches!(inst.kind, InstKind::Call { .. }) {
                    let callees = self.callees.get(&at)?;
                    depth += callees.iter().filter_map(|callee| self.change[*callee]).min()?;
                }
                depth += inst.kind.nesting();
                depth = depth.clamp(floor, DEEPEST);
            }
            let end = self.points.index(func, block, function.blocks[block].insts.len());
            see(end, depth, Some(&function.blocks[block].term));
            Some(depth)
        };
        let mut changed = true;
        while changed {
            changed = false;
            for block in &cfg.order {
                let Some(depth) = at_start[*block] else { continue };
                let Some(depth) = through(*block, depth, &mut |_, _, _| ()) else { continue };
                for to in &cfg.successors[*block] {
                    if at_start[*to].is_none_or(|known| depth < known) {
                        at_start[*to] = Some(depth);
                        changed = true;
                    }
                }
            }
        }
        for block in &cfg.order {
            if let Some(depth) = at_start[*block] {
                through(*block, depth, see);
            }
        }
    }
}
