//! Which reads of a variable may find it without a value.
//!
//! An uninitialised variable has any value, but only where it is read: a variable that is declared, written on some ways
//! and read on those alone must not cost an input.  A read that surely comes before any write asks for a value there, and
//! keeps it.  Where it depends on the way control came, a register of its own remembers whether the variable has a value.

use super::analysis::Facts;
use base::{BitSet, IdVec};
use llvm::{BlockId, Function, LocalId, Op};
use rustc_hash::FxHashMap;

/// What a read must do first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// The variable surely has no value: any is chosen.
    Choose,
    /// It depends on the way.
    Ask,
}

/// The variables (slots) by the ways in which they can come to a place.
#[derive(Clone, Default)]
struct State {
    /// As they were when the function began.
    untouched: BitSet,
    /// Declared, and not written since.
    declared: BitSet,
    written: BitSet,
}

impl State {
    /// The variable comes on in one way only.
    fn only(&mut self, slot: usize, way: fn(&mut State) -> &mut BitSet) {
        [&mut self.untouched, &mut self.declared, &mut self.written].into_iter().for_each(|set| set.remove(slot));
        way(self).insert(slot);
    }

    /// Adds the ways of another state; tells whether there are new ones among them.
    fn join(&mut self, other: &State) -> bool {
        self.untouched.union_with(&other.untouched)
            | self.declared.union_with(&other.declared)
            | self.written.union_with(&other.written)
    }
}

#[derive(Default)]
pub struct Unwritten {
    /// What the loads of variables must do first, by their results.
    pub reads: FxHashMap<LocalId, Read>,
    /// Variables that need to remember whether they have a value.
    pub remembers: BitSet,
    /// Variables that may be read as they were when the function began.
    pub from_entry: BitSet,
    /// Variables that may be read as they were when they were declared, and the declarations that take their value away.
    from_declaration: BitSet,
    taken_away: BitSet,
}

impl Unwritten {
    /// May the variable be read with the value that it has at its declaration of this number, which is any?
    pub fn is_read_as_declared(&self, slot: usize, declaration: usize) -> bool {
        self.from_declaration.contains(slot) && self.taken_away.contains(declaration)
    }

    /// Goes through a block and notes how its reads find their variables.  Ways are only ever added to states, so that what
    /// is noted last, when there are no more, is right.
    fn walk(&mut self, function: &Function, facts: &Facts, block: BlockId, state: &mut State) {
        let mut written_here = BitSet::new();
        for (i, inst) in function.blocks[block].insts.iter().enumerate() {
            for number in facts.declarations_before(block, i) {
                // A write before the declaration in the same block initialises it: parameters are so made.
                if let Some(slot) = facts.slot_of[facts.declarations[number].local]
                    && !written_here.contains(slot)
                {
                    self.taken_away.insert(number);
                    state.only(slot, |state| &mut state.declared);
                }
            }
            let (Op::Load { addr, .. } | Op::Store { addr, .. }) = &inst.op else { continue };
            let Some(slot) = facts.slot_at(addr) else { continue };
            if let (Op::Load { .. }, Some(result)) = (&inst.op, inst.result) {
                self.read(slot, result, state);
            } else {
                written_here.insert(slot);
            }
            // What a read has found stays.
            state.only(slot, |state| &mut state.written);
        }
    }

    fn read(&mut self, slot: usize, result: LocalId, state: &State) {
        let (untouched, declared) = (state.untouched.contains(slot), state.declared.contains(slot));
        if untouched {
            self.from_entry.insert(slot);
        }
        if declared {
            self.from_declaration.insert(slot);
        }
        if untouched || declared {
            let depends = state.written.contains(slot);
            self.reads.insert(result, if depends { Read::Ask } else { Read::Choose });
            if depends {
                self.remembers.insert(slot);
            }
        }
    }
}

pub fn find(function: &Function, facts: &Facts) -> Unwritten {
    let mut found = Unwritten::default();
    let mut entries = IdVec::filled(State::default(), function.blocks.len());
    if let Some(first) = facts.order.first() {
        entries[*first].untouched = (0..facts.slots.len()).collect();
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &block in &facts.order {
            let mut state = entries[block].clone();
            found.walk(function, facts, block, &mut state);
            let Some(last) = function.blocks[block].insts.last() else { continue };
            for next in last.op.successors() {
                changed |= entries[next].join(&state);
            }
        }
    }
    found
}
