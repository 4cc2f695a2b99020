//! Progress: a thread need not go round a loop without changing anything.
//!
//! If a thread goes once round a loop, from its head back to it, and neither memory nor any register that is live at the head is
//! different for it, then the steps it took can be left out of the execution: the other threads saw nothing of them, and it
//! stands where it stood.  So every assertion that can be violated can be violated without such rounds, and the back edge may
//! assume that something has changed: a store, an allocation, a thread started or joined count as a change; an update counts if
//! it writes something else than it read; a register if it differs from its copy taken at the head.
//!
//! **Locks** are special where nobody can look at them other than by waiting for them, and nobody but their holder gives them
//! back ([`Shapes::unobserved_lock`](super::frames::Shapes::unobserved_lock)).
//!
//! * A round that takes locks and gives them back (`lock; look; unlock`) can be left out: the others only get more freedom.
//! * A round that gives back what it held and takes it again (`wait` on a condition variable) cannot, since the others may have
//!   needed the lock in between.  But let two rounds in a row change nothing, and each give back one lock that it held when it began, once: the same
//!   lock at the same place, where all other locks are as they were at the head, and where no register that the loop writes is
//!   live.  Then the thread is after the first giving back as it is after the second, and what it does from the one to the other can be left
//!   out: the others only find the lock free for longer.  So one such round is allowed, not two in a row.  Rounds that wait at different
//!   places, for different locks or for several of them count as a change: each may be what somebody else needs.

use super::walk::{Place, Walk};
use crate::Preserves;
use base::Pos;
use facts::Point;
use ir::fold::fold;
use ir::{BinOp, CastOp, Expr, Goal, InstKind, Reg, Role, Ty};

/// What becomes of a goal where rounds that change nothing are left out.  The argument above is about what can be reached.
pub fn preserves(goal: Goal) -> Option<Preserves> {
    match goal {
        Goal::Assertion => Some(Preserves::Exact),
        // Those who wait in rounds for ever are gone.
        Goal::Lasso => Some(Preserves::Fewer),
        // A round that is left out may read what somebody else writes.
        Goal::Race => Some(Preserves::Fewer),
        // Nobody has thought about locks that are free for longer.
        Goal::Deadlock => None,
    }
}

/// Registers of the unfolded program that watch one loop.
#[derive(Clone)]
pub struct RoundRegisters {
    /// Something has changed in this round.
    changed: Reg,
    /// The place where this round gave back a lock that it held when it began: 0 if it did not, [`SEVERAL`] if that is not
    /// one place where the argument for leaving rounds out holds.
    gave: Reg,
    /// The same for the last round, if it changed nothing else.
    waited: Reg,
    /// Registers live at the head, and their copies.
    copies: Vec<(Reg, Reg)>,
}

/// The places where locks are given back are numbered from 1 on, in the registers `gave` and `waited`.
const PLACE: Ty = Ty::Int(32);
const NOWHERE: Expr = Expr::Const(PLACE, 0);
const SEVERAL: Expr = Expr::Const(PLACE, 0xffff_ffff);

impl Walk<'_> {
    /// The registers that say whether the loops around a place have made progress.
    pub(super) fn watched(&mut self, place: &Place) -> Vec<Reg> {
        let mut res = self.frames[place.frame].outer_progress.clone();
        for round in place.rounds.iter().filter(|round| round.watched) {
            let activation = self.frames[place.frame].activation;
            res.extend(self.round_registers.get(&(activation, round.head)).map(|registers| registers.changed));
        }
        res
    }

    /// A round begins at the head of a loop.
    pub(super) fn start_round(&mut self, place: &Place, first: bool, pos: Pos) {
        let key = (self.frames[place.frame].activation, place.block);
        if !self.round_registers.contains_key(&key) {
            let changed = self.new_register("changed", Ty::BOOL);
            let gave = self.new_register("gave", PLACE);
            let waited = self.new_register("waited", PLACE);
            let carried = &self.shape(place).loops[&place.block].carried;
            let mut copies = Vec::new();
            for reg in carried {
                let reg = self.reg(place, *reg);
                let (name, ty) = (format!("{}.before", self.regs[reg].name), self.regs[reg].ty);
                copies.push((reg, self.new_register(&name, ty)));
            }
            self.round_registers.insert(key, RoundRegisters { changed, gave, waited, copies });
        }
        let registers = self.round_registers[&key].clone();
        self.assign(registers.changed, Expr::bool(false), pos, None);
        self.assign(registers.gave, NOWHERE, pos, None);
        if first {
            self.assign(registers.waited, NOWHERE, pos, None);
        }
        for (reg, copy) in registers.copies {
            self.assign(copy, self.state.value(reg), pos, None);
        }
    }

    /// Something has changed, in every round that is under way.
    pub(super) fn made_progress(&mut self, place: &Place, pos: Pos) {
        for changed in self.watched(place) {
            if self.state.known.get(&changed) != Some(&Expr::bool(true)) {
                self.assign(changed, Expr::bool(true), pos, None);
            }
        }
    }

    /// A lock (an atomic section if there is no address) was taken, or given back, at the place.
    pub(super) fn touch_lock(&mut self, place: &Place, lock: Option<Expr>, change: i32, pos: Pos) {
        let mut registers = Vec::new();
        lock.iter().for_each(|lock| lock.for_each_reg(&mut |reg| registers.push(reg)));
        let (outer, base) = (self.frames[place.frame].outer, self.frames[place.frame].base);
        let shape = self.shape(place);
        let mut given: Vec<(usize, bool)> = Vec::new();
        for (i, round) in self.state.rounds.iter_mut().enumerate() {
            // An address in registers is the same lock as long as the loop does not write them; those of a function that is
            // called in the loop are written by the call.
            let stays = registers.is_empty()
                || i.checked_sub(outer).and_then(|i| place.rounds.get(i)).is_some_and(|here| {
                    let written = &shape.loops[&here.head].written;
                    registers.iter().all(|reg| !written.contains((reg.0 - base) as usize))
                });
            round.lost |= !stays;
            if round.touch(lock.clone(), change) {
                // All other locks are as they were when the round began.
                given.push((i, round.balance.len() == 1 && round.balance[0].1 == -1));
            }
        }
        for (i, alone) in given {
            self.gives_back(place, i, alone, &lock, pos);
        }
    }

    /// A lock is given back that was held when the round began of the loop at this depth.
    fn gives_back(&mut self, place: &Place, depth: usize, alone: bool, lock: &Option<Expr>, pos: Pos) {
        let frame = &self.frames[place.frame];
        // Loops of the functions below: what they compute may be live there, and nobody has looked.
        let Some(here) = depth.checked_sub(frame.outer).and_then(|i| place.rounds.get(i)) else {
            return self.state.rounds[depth].lost = true;
        };
        let Some(registers) = self.round_registers.get(&(frame.activation, here.head)).filter(|_| here.watched) else {
            return;
        };
        let gave = registers.gave;
        let point = self.point(place);
        let mut computed = self.facts.liveness.before(point.func, point.block, place.inst + 1).clone();
        computed.intersect_with(&self.shape(place).loops[&here.head].written);
        let first = self.state.value(gave) == NOWHERE;
        let value = match lock {
            Some(lock) if alone && first && computed.is_empty() => {
                let number = self.giving_places.len() as u32 + 1;
                let number = *self.giving_places.entry((point, lock.clone())).or_insert(number);
                Expr::Const(PLACE, number.into())
            }
            _ => SEVERAL,
        };
        self.assign(gave, value, pos, None);
    }

    /// Copies an update, and notes whether it changes anything.
    pub(super) fn update(&mut self, place: &Place, point: Point, mut kind: InstKind, pos: Pos) {
        let InstKind::Update { dst, ty, addr, set, role, .. } = &mut kind else { return };
        let (ty, role, result) = (*ty, *role, *dst);
        result.iter().for_each(|dst| self.state.forget(*dst));
        let watched = self.watched(place);
        if role != Role::Plain && self.shapes.unobserved_lock(self.facts, point) {
            let lock = addr.clone();
            self.quiet_locks.insert(point);
            self.emit(kind, pos, Some(point));
            return self.touch_lock(place, Some(lock), if role == Role::Lock { 1 } else { -1 }, pos);
        }
        let undecided: Vec<Reg> =
            watched.into_iter().filter(|reg| self.state.known.get(reg) != Some(&Expr::bool(true))).collect();
        let (Some(mut written), false) = (set.clone(), undecided.is_empty()) else {
            return self.emit(kind, pos, Some(point));
        };
        let old = self.new_register("old", ty);
        *dst = Some(old);
        self.emit(kind, pos, Some(point));
        written.for_each_mut(&mut |part| {
            if *part == Expr::Old {
                *part = Expr::Reg(old);
            }
        });
        let differs = self.differ(ty, fold(self.program, written), Expr::Reg(old));
        for changed in undecided {
            let value = match self.state.value(changed) {
                Expr::Const(_, 0) => differs.clone(),
                before => Expr::bin(BinOp::Or, before, differs.clone()),
            };
            self.assign(changed, value, pos, None);
        }
        if let Some(dst) = result {
            self.assign(dst, Expr::Reg(old), pos, None);
        }
    }

    /// On the way back to the head of the loop `place.rounds[at]`: assumes that something has changed.  False if that is
    /// surely not so.
    pub(super) fn assume_progress(&mut self, place: &Place, at: usize, pos: Pos) -> bool {
        let frame = &self.frames[place.frame];
        let locks = self.state.rounds[frame.outer + at].clone();
        let registers = self.round_registers[&(frame.activation, place.rounds[at].head)].clone();
        let mut changed = if locks.balanced() { self.state.value(registers.changed) } else { Expr::bool(true) };
        for (reg, copy) in &registers.copies {
            let (now, before) = (self.state.value(*reg), self.state.value(*copy));
            if now == before {
                continue;
            }
            changed = or(changed, self.differ(self.regs[*reg].ty, now, before));
        }
        let gave = self.state.value(registers.gave);
        let another = Expr::bin(
            BinOp::Or,
            Expr::bin(BinOp::Eq, gave.clone(), SEVERAL),
            Expr::bin(BinOp::Ne, gave.clone(), self.state.value(registers.waited)),
        );
        let waits = Expr::bin(BinOp::And, Expr::bin(BinOp::Ne, gave.clone(), NOWHERE), another);
        let enough = or(changed.clone(), fold(self.program, waits));
        match &enough {
            Expr::Const(_, 0) => return false,
            Expr::Const(..) => (),
            _ => self.emit(InstKind::Assume { cond: enough.clone() }, pos, None),
        }
        let waited = fold(self.program, Expr::select(changed, NOWHERE, gave));
        self.assign(registers.waited, waited, pos, None);
        true
    }

    /// Have two values of the type different bits?
    fn differ(&self, ty: Ty, one: Expr, other: Expr) -> Expr {
        let bits = |value: Expr| match ty.is_float() {
            true => Expr::cast(CastOp::Bits, Ty::Int(self.program.bits_of(ty) as u8), value),
            false => value,
        };
        fold(self.program, Expr::bin(BinOp::Ne, bits(one), bits(other)))
    }
}

fn or(left: Expr, right: Expr) -> Expr {
    match (&left, &right) {
        (Expr::Const(_, 0), _) | (_, Expr::Const(_, 1)) => right,
        (_, Expr::Const(_, 0)) | (Expr::Const(_, 1), _) => left,
        _ => Expr::bin(BinOp::Or, left, right),
    }
}
