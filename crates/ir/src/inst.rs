//! What can be asked of an instruction or a terminator, so that those who look for one thing in it need not list all the others.
//!
//! `access` lists all kinds: one that is new must say whether it touches memory.

use crate::{Callee, Expr, FuncId, InstKind, Role, Term, Ty};

/// How a load, a store or an update touches memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access<'a> {
    pub addr: &'a Expr,
    pub ty: Ty,
    pub reads: bool,
    pub writes: bool,
    pub role: Role,
}

impl InstKind {
    /// The access it makes, if it is a load, a store or an update.
    pub fn access(&self) -> Option<Access<'_>> {
        use InstKind::*;
        match self {
            Load { ty, addr, .. } => Some(Access { addr, ty: *ty, reads: true, writes: false, role: Role::Plain }),
            Store { ty, addr, .. } => Some(Access { addr, ty: *ty, reads: false, writes: true, role: Role::Plain }),
            Update { ty, addr, set, role, .. } => {
                Some(Access { addr, ty: *ty, reads: true, writes: set.is_some(), role: *role })
            }
            Assign { .. }
            | Havoc { .. }
            | Assume { .. }
            | Assert { .. }
            | Alloc { .. }
            | Free { .. }
            | Call { .. }
            | Spawn { .. }
            | Join { .. }
            | Detach { .. }
            | AtomicBegin
            | AtomicEnd
            | Fence { .. }
            | Unsupported { .. } => None,
        }
    }

    /// Does it hold of an expression that the instruction evaluates, or of a part of one?
    pub fn any(&self, is_so: &mut impl FnMut(&Expr) -> bool) -> bool {
        let mut found = false;
        self.for_each_expr(&mut |expr| found = found || expr.any(is_so));
        found
    }

    /// The address of what it accesses or frees.
    pub fn address(&self) -> Option<&Expr> {
        if let InstKind::Free { addr } = self { Some(addr) } else { self.access().map(|access| access.addr) }
    }

    /// The handle of the thread that it joins or detaches.
    pub fn handle(&self) -> Option<&Expr> {
        if let InstKind::Join { handle, .. } | InstKind::Detach { handle } = self { Some(handle) } else { None }
    }

    /// Does it change which threads there are?
    pub fn is_thread_op(&self) -> bool {
        matches!(self, InstKind::Spawn { .. } | InstKind::Join { .. } | InstKind::Detach { .. })
    }

    /// What it calls, or starts as a thread.
    pub fn callee(&self) -> Option<&Callee> {
        if let InstKind::Call { callee, .. } | InstKind::Spawn { callee, .. } = self { Some(callee) } else { None }
    }

    /// What it calls, or starts as a thread, to be replaced.
    pub fn callee_mut(&mut self) -> Option<&mut Callee> {
        if let InstKind::Call { callee, .. } | InstKind::Spawn { callee, .. } = self { Some(callee) } else { None }
    }

    /// The function that it names as what it calls, or starts as a thread.
    pub fn direct_callee(&self) -> Option<FuncId> {
        if let Some(Callee::Direct(func)) = self.callee() { Some(*func) } else { None }
    }

    /// By how much it changes the number of atomic sections that the thread is in.
    pub fn nesting(&self) -> i32 {
        i32::from(matches!(self, InstKind::AtomicBegin)) - i32::from(matches!(self, InstKind::AtomicEnd))
    }
}

impl Term {
    /// Does it hold of the expression that the terminator evaluates, or of a part of it?
    pub fn any(&self, is_so: &mut impl FnMut(&Expr) -> bool) -> bool {
        let mut found = false;
        self.for_each_expr(&mut |expr| found = found || expr.any(is_so));
        found
    }
}
