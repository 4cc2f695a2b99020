//! What is known at a place of the unfolded program.

use ir::{Expr, Reg};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug, Default)]
pub struct State {
    /// Registers (of the new function) whose value is a constant.
    pub known: FxHashMap<Reg, Expr>,
    /// For each loop around, outermost frame first, what this time round did with locks.
    pub rounds: Vec<LocksTouched>,
}

/// What one time round a loop did with locks and atomic sections so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LocksTouched {
    /// Locks taken and not given back (1), or given back before (-1), by address; no address is an atomic section.
    pub balance: Vec<(Option<Expr>, i32)>,
    /// We lost track: counts as a change.
    pub lost: bool,
}

impl LocksTouched {
    /// Notes a change; true if now something is given back that was held when the round began.
    pub fn touch(&mut self, lock: Option<Expr>, change: i32) -> bool {
        let at = self.balance.iter().position(|(other, _)| *other == lock).unwrap_or(self.balance.len());
        if at == self.balance.len() {
            self.balance.push((lock, 0));
        }
        self.balance[at].1 += change;
        let gives_back = change < 0 && self.balance[at].1 < 0;
        if self.balance[at].1 == 0 {
            self.balance.remove(at);
        }
        gives_back
    }
    /// Is everything held that was held when the round began, and nothing else?
    pub fn balanced(&self) -> bool {
        !self.lost && self.balance.is_empty()
    }
}

impl State {
    pub fn set(&mut self, reg: Reg, value: &Expr) {
        match is_constant(value) {
            true => _ = self.known.insert(reg, value.clone()),
            false => self.forget(reg),
        }
    }
    /// Its value if that is known, else the register.
    pub fn value(&self, reg: Reg) -> Expr {
        self.known.get(&reg).cloned().unwrap_or(Expr::Reg(reg))
    }
    pub fn forget(&mut self, reg: Reg) {
        self.known.remove(&reg);
    }
    /// Is everything that is known here known there?
    pub fn knows_no_more(&self, other: &State) -> bool {
        self.known.iter().all(|(reg, value)| other.known.get(reg) == Some(value))
    }
    /// What is known whichever of the two ways control came.
    pub fn meet(&mut self, other: &State) {
        self.known.retain(|reg, value| other.known.get(reg) == Some(value));
        for (ours, theirs) in self.rounds.iter_mut().zip(&other.rounds) {
            if ours != theirs {
                ours.lost |= theirs.lost || ours.balance != theirs.balance;
            }
        }
    }
}

/// Is the value the same wherever it is computed?
pub fn is_constant(value: &Expr) -> bool {
    matches!(value, Expr::Const(..) | Expr::Object(..) | Expr::Func(_))
}
