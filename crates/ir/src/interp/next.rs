//! What a thread is about to do, without doing it: searches ask before they choose who moves.

use super::code::{Ex, Op};
use super::machine::{Machine, ThreadStatus, Tid};
use crate::program::*;

/// What the next step of a thread is, as far as a scheduler cares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// An access to memory at this address.
    Access {
        address: u64,
        size: u64,
        write: bool,
        role: Role,
    },
    Free {
        address: u64,
    },
    /// A new block on the heap, which may take the place of a freed one.
    Allocate,
    Spawn,
    /// Waits for this thread, or for a handle that is not one.
    Join(Option<Tid>),
    /// Nobody will be able to join some thread any more.
    Detach,
    AtomicBegin,
    /// Leaves a function that has objects on the stack.
    Leave,
    /// Anything that concerns nobody else.
    Local,
}

impl Machine<'_> {
    /// What the thread will do next; evaluates addresses in the current state.
    pub fn next(&self, tid: Tid) -> Next {
        let eval = |ex: &Ex| ex.eval(&self.env(tid, 0)).unwrap_or(0) as u64;
        let access = |addr: &Ex, size: u32, write, role| {
            let (address, size) = (eval(addr), u64::from(size));
            Next::Access { address, size, write, role }
        };
        match &self.code.ops[self.pc(tid) as usize] {
            Op::Load { size, addr, .. } => access(addr, *size, false, Role::Plain),
            Op::Store { size, addr, .. } => access(addr, *size, true, Role::Plain),
            Op::Update { size, addr, set, role, .. } => access(addr, *size, set.is_some(), *role),
            Op::Free(addr) => Next::Free { address: eval(addr) },
            Op::Alloc { kind: AllocKind::Heap, .. } => Next::Allocate,
            Op::Alloc { kind: AllocKind::Stack, .. } => Next::Local,
            Op::Spawn { .. } => Next::Spawn,
            Op::Join { handle, .. } => Next::Join(self.thread_of(u128::from(eval(handle)))),
            Op::Detach(_) => Next::Detach,
            Op::AtomicBegin => Next::AtomicBegin,
            Op::Return(_) | Op::ExitThread(_) => {
                // Objects die: of the function, or, where the thread ends, those that it has of its own.
                let own = self.ends_thread(tid) && !self.code.tls_objects.is_empty();
                if own || !self.threads[tid].locals.is_empty() { Next::Leave } else { Next::Local }
            }
            Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Assume(_)
            | Op::Assert(_)
            | Op::Call { .. }
            | Op::AtomicEnd
            | Op::Fence
            | Op::Unsupported(_)
            | Op::Jump(_)
            | Op::Branch(..)
            | Op::Switch(..)
            | Op::Halt
            | Op::Unreachable => Next::Local,
        }
    }

    /// Could the thread take its next step now (atomic sections of others aside)?
    pub fn enabled(&self, tid: Tid) -> bool {
        if !self.is_running(tid) {
            return false;
        }
        let op = &self.code.ops[self.pc(tid) as usize];
        if let Op::Update { size, bits, addr, when: Some(when), .. } = op {
            let Ok(address) = addr.eval(&self.env(tid, 0)) else { return true };
            let Ok(location) = self.locate(address as u64, u64::from(*size)) else { return true };
            let old = mask(self.read(location, *size), *bits);
            return when.eval(&self.env(tid, old)) != Ok(0);
        }
        if let Op::Join { handle, .. } = op {
            let Ok(handle) = handle.eval(&self.env(tid, 0)) else { return true };
            return self.thread_of(handle).is_none_or(|target| {
                // One that cannot be joined is an error at once.
                let thread = &self.threads[target];
                thread.status == ThreadStatus::Ended || thread.detached || target == tid
            });
        }
        true
    }

    /// Is the thread's next step its last one?
    pub fn ends_thread(&self, tid: Tid) -> bool {
        let op = &self.code.ops[self.pc(tid) as usize];
        matches!(op, Op::ExitThread(_)) || matches!(op, Op::Return(_)) && self.depth(tid) == 1
    }
}
