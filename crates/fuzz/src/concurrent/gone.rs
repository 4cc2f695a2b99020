//! Does some execution touch an object that has ended, or memory beyond a heap block, free what cannot be freed, or join what is
//! no thread?  Unfolded programs may go on there (`passes::unfold::reuse`).

use super::compare::STATES;
use crate::naive::{self, Asserted, Frame, Observer, State, Status, Storage, Target, Value};
use ir::program::*;

/// Looks at every state: is there one whose next step touches an object that was freed, or whose function or thread ended, or
/// what is beyond a heap block, whose place a smaller one may have taken; or
/// a thread that was joined or detached?
pub fn is_touched(program: &Program) -> bool {
    let mut watch = Watch { program, found: false };
    naive::search(program, STATES, &mut watch);
    watch.found
}

struct Watch<'p> {
    program: &'p Program,
    found: bool,
}

impl Observer for Watch<'_> {
    fn state(&mut self, state: &State) {
        for (handle, thread) in state.threads.iter().filter(|(_, thread)| thread.status == Status::Running) {
            let Some(frame) = thread.frames.last() else { continue };
            let value = |addr| naive::evaluate(self.program, state, *handle, addr);
            match frame.inst(self.program) {
                Some(
                    InstKind::Load { ty, addr, .. }
                    | InstKind::Store { ty, addr, .. }
                    | InstKind::Update { ty, addr, .. },
                ) => {
                    if let Some(Value::Address(target @ Target::Made { .. }, offset)) = value(addr) {
                        self.found |= state.memory.get(&target).is_none_or(|storage| {
                            let end = offset as i128 + i128::from(self.program.size_of(*ty));
                            storage.is_heap() && end > storage.bytes.len() as i128
                        });
                    }
                }
                Some(InstKind::Free { addr }) => {
                    let is_heap = |target| state.memory.get(&target).is_some_and(Storage::is_heap);
                    self.found |= match value(addr) {
                        Some(Value::Address(target, offset)) => offset != 0 || !is_heap(target),
                        Some(Value::Number(number)) => number != 0,
                        None => false,
                    };
                }
                Some(InstKind::Join { handle, .. } | InstKind::Detach { handle }) => {
                    let thread = |handle: &u128| u32::try_from(*handle).ok().and_then(|it| state.threads.get(&it));
                    self.found |= match value(handle) {
                        Some(Value::Number(handle)) => thread(&handle).is_none_or(|thread| thread.detached),
                        Some(Value::Address(..)) => true,
                        None => false,
                    };
                }
                _ => (),
            }
        }
    }

    /// The search must not end at the first violation.
    fn assertion(&mut self, _: &Frame) -> Asserted {
        Asserted::Pass
    }
}
