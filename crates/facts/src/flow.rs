//! Forward analyses: what holds before each point of a function, over all ways that lead there.
//!
//! What holds is some state of the analysis.  Where ways meet, the state that is known takes in the other.  States must change
//! in one direction only, and what is done to them keep that direction: then the result does not depend on the order of visits.

use crate::{Calls, Functions, Point};
use base::IdVec;
use ir::{BlockId, FuncId, InstKind, Term};

pub struct Flow<'a, S> {
    functions: Functions<'a>,
    calls: &'a Calls,
    /// Lets a state take in another; tells whether that changed it.
    merge: fn(&mut S, &S) -> bool,
}

/// A point on the way.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub point: Point,
    /// The number of the point.
    pub at: usize,
    /// What is there; nothing for a terminator.
    pub kind: Option<&'a InstKind>,
    /// Where the call may go; nothing for what is no call.
    pub callees: Option<&'a [FuncId]>,
    /// The function returns here.
    pub returns: bool,
}

/// By function, a state; nothing where none is known.
pub type States<S> = IdVec<FuncId, Option<S>>;

/// What holds where functions are entered, and where they return.
pub struct Ends<S> {
    pub entry: States<S>,
    pub exit: States<S>,
}

impl<'a, S: Clone> Flow<'a, S> {
    pub fn new(functions: Functions<'a>, calls: &'a Calls, merge: fn(&mut S, &S) -> bool) -> Self {
        Flow { functions, calls, merge }
    }

    /// Lets what is known take in a state; tells whether that is news.
    pub fn merge(&self, known: &mut Option<S>, state: &S) -> bool {
        match known {
            Some(known) => (self.merge)(known, state),
            None => {
                *known = Some(state.clone());
                true
            }
        }
    }

    /// All points of the block.
    pub fn places(&self, func: FuncId, block: BlockId) -> impl Iterator<Item = Place<'a>> + use<'a, S> {
        let data = &self.functions.program.functions[func].blocks[block];
        let first = self.functions.points.index(func, block, 0);
        let calls = &self.calls.calls;
        (0..=data.insts.len()).map(move |inst| {
            let (point, kind) = (Point::new(func, block, inst), data.insts.get(inst).map(|inst| &inst.kind));
            let call = kind.filter(|kind| matches!(kind, InstKind::Call { .. }));
            let call = call.and_then(|_| calls.binary_search_by_key(&point, |(at, _)| *at).ok());
            let callees = call.map(|call| calls[call].1.as_slice());
            let returns = kind.is_none() && matches!(data.term, Term::Return(_));
            Place { point, at: first + inst, kind, callees, returns }
        })
    }

    /// Goes along the function until nothing changes, then calls `see` once for each point that can be reached with what holds
    /// before it.  `step` leads over a point; it gives nothing where control does not get past it, as far as is known.
    pub fn walk(
        &self,
        func: FuncId,
        start: &S,
        step: &dyn Fn(Place<'a>, S) -> Option<S>,
        see: &mut dyn FnMut(Place<'a>, &S),
    ) {
        let cfg = &self.functions.cfgs[func];
        let mut at_start: IdVec<BlockId, Option<S>> = IdVec::filled(None, cfg.successors.len());
        let Some(first) = cfg.order.first() else { return };
        at_start[*first] = Some(start.clone());
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for block in &cfg.order {
                let Some(state) = at_start[*block].clone() else { continue };
                let Some(state) = self.places(func, *block).try_fold(state, |state, place| step(place, state)) else {
                    continue;
                };
                for to in &cfg.successors[*block] {
                    changed |= self.merge(&mut at_start[*to], &state);
                }
            }
        }
        for block in &cfg.order {
            let mut state = at_start[*block].take();
            for place in self.places(func, *block) {
                state = state.and_then(|state| {
                    see(place, &state);
                    step(place, state)
                });
            }
        }
    }

    /// Goes through the functions that threads start with, those they call and so on, until nothing changes.  `go` is told
    /// what holds where a function is entered and where others return so far; it shows what holds at each of its points, as
    /// far as calls and returns are concerned.  Where it does not look at returns, nothing is done again for them.
    pub fn through_calls(
        &self,
        starts: &[FuncId],
        first: &S,
        looks_at_returns: bool,
        mut go: impl FnMut(FuncId, &S, &States<S>, &mut dyn FnMut(Place<'a>, &S)),
    ) -> Ends<S> {
        let nothing: States<S> = IdVec::filled(None, self.functions.cfgs.len());
        let mut ends = Ends { entry: nothing.clone(), exit: nothing };
        starts.iter().for_each(|func| ends.entry[*func] = Some(first.clone()));
        let mut work = starts.to_vec();
        while let Some(func) = work.pop() {
            let Some(entry) = &ends.entry[func] else { continue };
            let mut called: Vec<(FuncId, S)> = Vec::new();
            let mut returned = None;
            go(func, entry, &ends.exit, &mut |place, state| {
                called.extend(place.callees.unwrap_or_default().iter().map(|callee| (*callee, state.clone())));
                if place.returns && looks_at_returns {
                    self.merge(&mut returned, state);
                }
            });
            called.retain(|(callee, state)| self.merge(&mut ends.entry[*callee], state));
            let mut again: Vec<FuncId> = called.into_iter().map(|(callee, _)| callee).collect();
            if returned.is_some_and(|state| self.merge(&mut ends.exit[func], &state)) {
                let callers = self.calls.calls.iter().filter(|(_, to)| to.contains(&func));
                again.extend(callers.map(|(call, _)| call.func));
            }
            for func in again {
                if !work.contains(&func) {
                    work.push(func);
                }
            }
        }
        ends
    }
}

/// What each active function does to the state, from what its callees do; again until nothing changes.
pub fn summaries<T: PartialEq>(
    calls: &Calls,
    mut known: IdVec<FuncId, T>,
    summarise: impl Fn(FuncId, &IdVec<FuncId, T>) -> T,
) -> IdVec<FuncId, T> {
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for func in calls.functions() {
            let summary = summarise(func, &known);
            changed |= summary != known[func];
            known[func] = summary;
        }
    }
    known
}
