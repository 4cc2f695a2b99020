//! The loop of an operator: the old value, a phi of a load and of what a failed compare-exchange found; conversions; the
//! operation; the compare-exchange.

use super::tree::Kind;
use super::{At, Mender, local};
use llvm::{BinOp, BlockId, CastOp, Inst, LocalId, Op, Type, TypeId};

impl Mender<'_> {
    /// Puts the loop right that is the block, if it is one.
    pub(super) fn mend_loop(&mut self, block: BlockId) {
        let data = &self.function.blocks[block];
        let is_named = data.name.as_str().is_some_and(|name| name.starts_with("atomic_op"));
        let Some(Inst { result: Some(old), ty, op: Op::Phi { incoming }, .. }) = data.insts.first() else { return };
        if !is_named {
            return;
        }
        let (old, ty) = (*old, *ty);
        let loops = incoming.len() == 2 && incoming.iter().filter(|(_, from)| *from == block).count() == 1;
        let first = incoming.iter().find(|(_, from)| *from != block).and_then(|(value, _)| value.local());
        let right = match first {
            Some(first) if loops => self.mend_values(block, old, ty, first),
            _ => None,
        };
        if right.is_none() {
            self.refuse((block, 1));
        }
    }

    /// `None` if the loop is not understood.
    fn mend_values(&mut self, block: BlockId, old: LocalId, ty: TypeId, first: LocalId) -> Option<()> {
        let bit = match &self.definition(first)?.op {
            Op::Cast { op: CastOp::ZExt, value } if value.ty == TypeId::I1 => Some(value.local()?),
            _ => None,
        };
        match bit {
            Some(bit) => {
                self.mend_boolean(block, old)?;
                self.value_before(block, old, ty, bit)
            }
            None => {
                if matches!(self.types.get(ty), Type::Int(_)) {
                    self.mend_signs(block, old, ty)?;
                }
                self.value_before(block, old, ty, first)
            }
        }
    }

    /// What was loaded first has one use; others are for the value of `p++`, which is the old value of the last round.
    fn value_before(&mut self, block: BlockId, old: LocalId, ty: TypeId, first: LocalId) -> Option<()> {
        if self.uses(first).len() == 1 {
            return Some(());
        }
        let at = self.find(first)?;
        let first_ty = self.inst(at).ty;
        let [user] = self.uses(first).into_iter().filter(|user| self.feeds(*user, block)).collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let loaded = self.new_local("loaded", first_ty);
        self.inst_mut(at).result = Some(loaded);
        match &mut self.inst_mut(user).op {
            Op::Phi { incoming } => {
                incoming.iter_mut().filter(|(value, _)| value.local() == Some(first)).for_each(|(value, _)| {
                    *value = local(first_ty, loaded);
                });
            }
            Op::Cast { value, .. } => *value = local(first_ty, loaded),
            _ => return None,
        }
        let op = if first_ty == ty { CastOp::BitCast } else { CastOp::Trunc };
        self.insert((block, 1), Some(first), first_ty, Op::Cast { op, value: local(ty, old) });
        Some(())
    }

    /// Is the instruction the phi of the loop, or what converts a bit to a byte for it?
    fn feeds(&self, user: At, block: BlockId) -> bool {
        let inst = self.inst(user);
        match &inst.op {
            Op::Phi { .. } => user == (block, 0),
            Op::Cast { op: CastOp::ZExt, value } if value.ty == TypeId::I1 => {
                inst.result.is_some_and(|byte| self.uses(byte).contains(&(block, 0)))
            }
            _ => false,
        }
    }

    /// Conversions of the old value and to the new one.
    fn mend_signs(&mut self, block: BlockId, old: LocalId, ty: TypeId) -> Option<()> {
        let extended = self.uses(old).into_iter().find(|at| {
            matches!(self.inst(*at).op, Op::Cast { op: CastOp::ZExt | CastOp::UIToFP, .. }) && at.0 == block
        });
        let Some(extended) = extended else { return Some(()) };
        let wide = self.inst(extended).result?;
        let [user] = self.uses(wide)[..] else { return None };
        let Op::Binary { op, .. } = self.inst(user).op else { return None };
        let operator = match op {
            // The lower bits of the result do not depend on the upper ones of the operand.
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl | BinOp::And | BinOp::Or | BinOp::Xor => {
                let result = self.inst(user).result?;
                let cut =
                    |at: At| matches!(self.inst(at).op, Op::Cast { op: CastOp::Trunc, .. }) && self.inst(at).ty == ty;
                return self.uses(result).into_iter().all(cut).then_some(());
            }
            BinOp::UDiv | BinOp::SDiv | BinOp::FDiv => "/=",
            BinOp::URem | BinOp::SRem => "%=",
            BinOp::LShr | BinOp::AShr => ">>=",
            BinOp::FAdd => "+=",
            BinOp::FSub => "-=",
            BinOp::FMul => "*=",
            BinOp::FRem => return None,
        };
        let float = matches!(self.inst(extended).op, Op::Cast { op: CastOp::UIToFP, .. });
        if !self.is_signed(operator, ty, float)? {
            return Some(());
        }
        for inst in &mut self.function.blocks[block].insts {
            let Op::Cast { op, value } = &mut inst.op else { continue };
            *op = match *op {
                CastOp::ZExt if value.local() == Some(old) => CastOp::SExt,
                CastOp::UIToFP if value.local() == Some(old) => CastOp::SIToFP,
                CastOp::FPToUI if inst.ty == ty => CastOp::FPToSI,
                other => other,
            };
        }
        Some(())
    }

    /// Is the object's type signed, of all to which the function applies the operator?
    fn is_signed(&self, operator: &str, ty: TypeId, float: bool) -> Option<bool> {
        let width = self.types.int_width(ty)?;
        let mut found = None;
        for update in self.body?.updates.iter().filter(|update| update.operator == operator) {
            match (update.value, update.computed) {
                (Kind::Int { bits, signed }, computed) if bits == width && (computed == Kind::Float) == float => {
                    if found.is_some_and(|other| other != signed) {
                        return None;
                    }
                    found = Some(signed);
                }
                (Kind::Other, _) => return None,
                (Kind::Int { .. } | Kind::Bool | Kind::Float | Kind::Complex, _) => (),
            }
        }
        found
    }
}
