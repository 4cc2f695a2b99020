//! Which reads of a variable may find it without a value.
//!
//! An uninitialised variable has any value, but only where it is read: a variable that is declared, written on some ways
//! and read on those alone must not cost an input.  A read that surely comes before any write asks for a value there, and
//! keeps it.  Where it depends on the way control came, a register of its own remembers whether the variable has a value.

use super::analysis::Facts;
use llvm::{BlockId, Function, LocalId, Op};
use rustc_hash::FxHashMap;

/// More work than this for one function, and what may be without a value asks when it is declared.
const MOST_STEPS: usize = 2_000_000;

/// What a read must do first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// The variable surely has no value: any is chosen.
    Choose,
    /// It depends on the way.
    Ask,
}

/// The ways in which a variable can come to a place.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct State {
    without: bool,
    with: bool,
}

const WITHOUT: State = State { without: true, with: false };
const WITH: State = State { without: false, with: true };

#[derive(Default)]
pub struct Unwritten {
    /// What the loads of variables must do first, by their results.
    pub reads: FxHashMap<LocalId, Read>,
    /// Variables that need to remember whether they have a value.
    pub remembers: Vec<bool>,
    /// By slot: the reads were followed, so the declaration itself asks for nothing.
    pub followed: Vec<bool>,
}

/// `facts` knows already which variables may be read before they are written at all.
pub fn find(function: &Function, facts: &Facts) -> Unwritten {
    let count = facts.slots.len();
    let mut unwritten =
        Unwritten { reads: FxHashMap::default(), remembers: vec![false; count], followed: vec![false; count] };
    let mut suspects: Vec<bool> = facts.slots.iter().map(|slot| slot.live_at_entry).collect();
    for declaration in facts.declarations.iter().filter(|declaration| declaration.live) {
        if let Some(slot) = facts.slot_of[declaration.local.index()] {
            suspects[slot as usize] = true;
        }
    }
    let mut steps = 0;
    for slot in (0..count as u32).filter(|slot| suspects[*slot as usize]) {
        let Some(entries) = states(function, facts, slot, &mut steps) else { return unwritten };
        unwritten.followed[slot as usize] = true;
        for &block in &facts.order {
            walk(function, facts, slot, block, entries[block.index()], &mut |result, state| {
                let read = match (state.without, state.with) {
                    (true, false) => Read::Choose,
                    (true, true) => Read::Ask,
                    (false, _) => return,
                };
                unwritten.remembers[slot as usize] |= read == Read::Ask;
                unwritten.reads.insert(result, read);
            });
        }
    }
    unwritten
}

/// How the variable comes to each block.
fn states(function: &Function, facts: &Facts, slot: u32, steps: &mut usize) -> Option<Vec<State>> {
    let mut entries = vec![State::default(); function.blocks.len()];
    let first = facts.order.first()?;
    entries[first.index()] = WITHOUT;
    let mut work = vec![*first];
    while let Some(block) = work.pop() {
        *steps += function.blocks[block.index()].insts.len() + 1;
        if *steps > MOST_STEPS {
            return None;
        }
        let exit = walk(function, facts, slot, block, entries[block.index()], &mut |_, _| ());
        let Some(last) = function.blocks[block.index()].insts.last() else { continue };
        for next in last.op.successors() {
            let old = entries[next.index()];
            let new = State { without: old.without || exit.without, with: old.with || exit.with };
            if new != old {
                entries[next.index()] = new;
                work.push(next);
            }
        }
    }
    Some(entries)
}

/// Goes through a block; `read` is told of each load with the state before it.
fn walk(
    function: &Function,
    facts: &Facts,
    slot: u32,
    block: BlockId,
    mut state: State,
    read: &mut dyn FnMut(LocalId, State),
) -> State {
    let declared = |declaration: &&super::analysis::Declaration| {
        declaration.block == block && declaration.live && facts.slot_of[declaration.local.index()] == Some(slot)
    };
    let mut declarations = facts.declarations.iter().filter(declared).peekable();
    for (i, inst) in function.blocks[block.index()].insts.iter().enumerate() {
        while declarations.next_if(|declaration| declaration.before as usize <= i).is_some() {
            state = WITHOUT;
        }
        match &inst.op {
            Op::Load { addr, .. } if facts.slot_at(addr) == Some(slot) => {
                if let Some(result) = inst.result {
                    read(result, state);
                }
                // What was found stays.
                if state != State::default() {
                    state = WITH;
                }
            }
            Op::Store { addr, .. } if facts.slot_at(addr) == Some(slot) => state = WITH,
            _ => (),
        }
    }
    state
}
