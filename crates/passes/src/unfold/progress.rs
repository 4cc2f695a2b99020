//! Progress: a thread need not go round a loop without changing anything.
//!
//! If a thread goes once round a loop, from its head back to it, and neither memory nor any register that is live at the head is
//! different for it, then the steps it took can be left out of the execution: the other threads saw nothing of them, and it
//! stands where it stood.  So every assertion that can be violated can be violated without such rounds, and the back edge may
//! assume that something has changed: a store, an allocation, a thread started or joined count as a change; an update counts if
//! it writes something else than it read; a register if it differs from its copy taken at the head.
//!
//! **Locks** that nobody can look at (other than by waiting for them) are special.
//!
//! * A round that takes locks and gives them back (`lock; look; unlock`) can be left out: the others only get more freedom.
//! * A round that gives back what it held and takes it again (`wait` on a condition variable) cannot, since the others may have
//!   needed the lock in between.  But of two such rounds in a row the part from the first giving back to the second can be left
//!   out, as long as no register that the loop writes is live where the lock is given back.  So one is allowed, not two in a row.

use super::walk::{Place, Walk};
use base::{BitSet, Pos};
use facts::Point;
use ir::{BinOp, Expr, InstKind, Reg, Role, Ty};

/// Registers of the unfolded program that watch one loop.
#[derive(Clone)]
pub struct RoundRegisters {
    /// Something has changed in this round.
    changed: Reg,
    /// The last round only gave locks back and took them again.
    waited: Reg,
    /// Registers live at the head, and their copies.
    copies: Vec<(Reg, Reg)>,
}

impl Walk<'_> {
    /// The registers that say whether the loops around a place have made progress.
    pub(super) fn watched(&mut self, place: &Place) -> Vec<Reg> {
        let mut res = self.frames[place.frame].outer_progress.clone();
        for round in place.rounds.iter().filter(|round| round.watched) {
            let base = self.frames[place.frame].base;
            res.extend(self.round_registers.get(&(base, round.head)).map(|registers| registers.changed));
        }
        res
    }

    /// A round begins at the head of a loop.
    pub(super) fn start_round(&mut self, place: &Place, first: bool, pos: Pos) {
        let key = (self.frames[place.frame].base, place.block);
        if !self.round_registers.contains_key(&key) {
            let changed = self.new_register("changed", Ty::BOOL);
            let waited = self.new_register("waited", Ty::BOOL);
            let carried = &self.shape(place).loops[&place.block].carried;
            let mut copies = Vec::new();
            for reg in carried {
                let reg = self.reg(place, *reg);
                let (name, ty) = (format!("{}.before", self.regs[reg].name), self.regs[reg].ty);
                copies.push((reg, self.new_register(&name, ty)));
            }
            self.round_registers.insert(key, RoundRegisters { changed, waited, copies });
        }
        let registers = self.round_registers[&key].clone();
        self.assign(registers.changed, Expr::bool(false), pos, None);
        if first {
            self.assign(registers.waited, Expr::bool(false), pos, None);
        }
        for (reg, copy) in registers.copies {
            let value = self.state.known.get(&reg).cloned().unwrap_or(Expr::Reg(reg));
            self.assign(copy, value, pos, None);
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

    /// A lock (an atomic section if there is no address) was taken, or given back.
    pub(super) fn touch_lock(&mut self, place: &Place, lock: Option<Expr>, change: i32) {
        let mut registers = Vec::new();
        lock.iter().for_each(|lock| lock.for_each_reg(&mut |reg| registers.push(reg)));
        let (outer, base) = (self.frames[place.frame].outer, self.frames[place.frame].base);
        let shape = self.shape(place);
        for (i, round) in self.state.rounds.iter_mut().enumerate() {
            // An address in registers is the same lock as long as the loop does not write them; those of a function that is
            // called in the loop are written by the call.
            let stays = registers.is_empty()
                || i.checked_sub(outer).and_then(|i| place.rounds.get(i)).is_some_and(|here| {
                    let written = &shape.loops[&here.head].written;
                    registers.iter().all(|reg| !written.contains((reg.0 - base) as usize))
                });
            round.lost |= !stays;
            round.touch(lock.clone(), change);
        }
    }

    /// Copies an update, and notes whether it changes anything.
    pub(super) fn update(&mut self, place: &Place, point: Point, mut kind: InstKind, pos: Pos) {
        let InstKind::Update { dst, ty, addr, set, role, .. } = &mut kind else { return };
        let (ty, role, result) = (*ty, *role, *dst);
        result.iter().for_each(|dst| self.state.forget(*dst));
        let watched = self.watched(place);
        if role != Role::Plain && self.shapes.unobserved_lock(self.facts, point) {
            let lock = addr.clone();
            self.emit(kind, pos, Some(point));
            self.touch_lock(place, Some(lock), if role == Role::Lock { 1 } else { -1 });
            if role == Role::Unlock {
                self.check_waiting_place(place, point);
            }
            return;
        }
        let set = set.clone();
        let undecided: Vec<Reg> =
            watched.into_iter().filter(|reg| self.state.known.get(reg) != Some(&Expr::bool(true))).collect();
        let (Some(set), false) = (set, undecided.is_empty()) else {
            return self.emit(kind, pos, Some(point));
        };
        let old = self.new_register("old", ty);
        *dst = Some(old);
        self.emit(kind, pos, Some(point));
        let written = ir::fold::fold(self.program, replace_old(set, old));
        let differs = ir::fold::fold(self.program, Expr::bin(BinOp::Ne, bits(ty, written), bits(ty, Expr::Reg(old))));
        for changed in undecided {
            let before = self.state.known.get(&changed).cloned().unwrap_or(Expr::Reg(changed));
            let value = match before {
                Expr::Const(_, 0) => differs.clone(),
                before => Expr::bin(BinOp::Or, before, differs.clone()),
            };
            self.assign(changed, value, pos, None);
        }
        if let Some(dst) = result {
            self.assign(dst, Expr::Reg(old), pos, None);
        }
    }

    /// Where a lock is given back that was held when the round began, nothing that the loop computes may be live.
    fn check_waiting_place(&mut self, place: &Place, point: Point) {
        let outer = self.frames[place.frame].outer;
        let live = self.facts.liveness.before(point.func, point.block, place.inst + 1);
        let shape = self.shape(place);
        for (i, round) in self.state.rounds.iter_mut().enumerate().filter(|(_, round)| round.gave_back) {
            let here = i.checked_sub(outer).and_then(|i| place.rounds.get(i));
            let fine = here.is_some_and(|here| {
                let mut computed: BitSet = live.clone();
                computed.intersect_with(&shape.loops[&here.head].written);
                computed.is_empty()
            });
            round.lost |= !fine;
        }
    }

    /// On the way back to the head of the loop `place.rounds[at]`: assumes that something has changed.  False if that is
    /// surely not so.
    pub(super) fn assume_progress(&mut self, place: &Place, at: usize, pos: Pos) -> bool {
        let frame = &self.frames[place.frame];
        let locks = self.state.rounds[frame.outer + at].clone();
        let registers = self.round_registers[&(frame.base, place.rounds[at].head)].clone();
        let mut changed = self.value(registers.changed);
        if !locks.balanced() {
            changed = Expr::bool(true);
        }
        for (reg, copy) in &registers.copies {
            let (now, before) = (self.value(*reg), self.value(*copy));
            if now == before {
                continue;
            }
            let ty = self.regs[*reg].ty;
            let differs = Expr::bin(BinOp::Ne, bits(ty, now), bits(ty, before));
            changed = or(changed, ir::fold::fold(self.program, differs));
        }
        let enough = match locks.gave_back {
            true => or(changed.clone(), ir::fold::fold(self.program, self.value(registers.waited).negate())),
            false => changed.clone(),
        };
        match &enough {
            Expr::Const(_, 0) => return false,
            Expr::Const(..) => (),
            _ => self.emit(InstKind::Assume { cond: enough.clone() }, pos, None),
        }
        if locks.gave_back {
            let waited = ir::fold::fold(self.program, changed.negate());
            self.assign(registers.waited, waited, pos, None);
        } else {
            // Either something has changed, or we are not here.
            self.assign(registers.waited, Expr::bool(false), pos, None);
        }
        true
    }

    fn value(&self, reg: Reg) -> Expr {
        self.state.known.get(&reg).cloned().unwrap_or(Expr::Reg(reg))
    }
}

fn or(left: Expr, right: Expr) -> Expr {
    match (&left, &right) {
        (Expr::Const(_, 0), _) | (_, Expr::Const(_, 1)) => right,
        (_, Expr::Const(_, 0)) | (Expr::Const(_, 1), _) => left,
        _ => Expr::bin(BinOp::Or, left, right),
    }
}

/// The value as something that can be compared bit by bit.
fn bits(ty: Ty, value: Expr) -> Expr {
    match ty {
        Ty::F32 => Expr::cast(ir::CastOp::Bits, Ty::Int(32), value),
        Ty::F64 => Expr::cast(ir::CastOp::Bits, Ty::Int(64), value),
        Ty::F80 => Expr::cast(ir::CastOp::Bits, Ty::Int(80), value),
        Ty::F128 => Expr::cast(ir::CastOp::Bits, Ty::Int(128), value),
        Ty::Int(_) | Ty::Ptr => value,
    }
}

fn replace_old(expr: Expr, old: Reg) -> Expr {
    match expr {
        Expr::Old => Expr::Reg(old),
        Expr::Const(..) | Expr::Reg(_) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread => expr,
        Expr::Un(op, inner) => Expr::un(op, replace_old(*inner, old)),
        Expr::Bin(op, left, right) => Expr::bin(op, replace_old(*left, old), replace_old(*right, old)),
        Expr::Cast(op, ty, inner) => Expr::cast(op, ty, replace_old(*inner, old)),
        Expr::Select(parts) => {
            let [cond, then, other] = *parts;
            Expr::select(replace_old(cond, old), replace_old(then, old), replace_old(other, old))
        }
    }
}
