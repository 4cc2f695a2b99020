//! Objects of type `_Atomic _Bool`.
//!
//! The byte in memory is 0 or 1.  The value of `b |= x` and of `b++` is that byte, but clang goes on as if it were a bit:
//! it branches on it, inverts all its bits for `!`, extends it to a bit.

use super::{At, Mender, local, number};
use llvm::{BinOp, BlockId, CastOp, Const, FloatPred, IntPred, Local, LocalId, Name, Op, Operand, RmwOp, Type, TypeId};

impl Mender<'_> {
    /// The new value of the loop is 0 or 1; `None` if the loop is not understood.
    pub(super) fn mend_boolean(&mut self, block: BlockId, old: LocalId) -> Option<()> {
        let mut exchanges = self.function.blocks[block].insts.iter().filter_map(|inst| match &inst.op {
            Op::CmpXchg { expected, new, .. } if expected.local() == Some(old) => Some(new.local()),
            _ => None,
        });
        let new = exchanges.next()??;
        let at = self.find(new).filter(|at| at.0 == block)?;
        match self.inst(at).op.clone() {
            Op::Cast { op: CastOp::Trunc, value } => {
                let zero = number(value.ty, Const::Int(0));
                self.compare(at, Op::Icmp { pred: IntPred::Ne, lhs: value, rhs: zero });
            }
            Op::Cast { op: CastOp::FPToUI, value } if matches!(self.types.get(value.ty), Type::Float(_)) => {
                let zero = number(value.ty, Const::Float(0));
                self.compare(at, Op::Fcmp { pred: FloatPred::Une, lhs: value, rhs: zero });
            }
            // `b--`
            Op::Binary { op: BinOp::Add, lhs, rhs } if lhs.local() == Some(old) && is_number(&rhs, 0xff) => {
                self.inst_mut(at).op = Op::Binary { op: BinOp::Xor, lhs, rhs: number(TypeId::I8, Const::Int(1)) };
            }
            _ => return None,
        }
        self.mend_uses(new, true)
    }

    /// The instruction becomes the result of the comparison, as a byte.
    fn compare(&mut self, at: At, comparison: Op) {
        let bit = self.new_local("tobool", TypeId::I1);
        self.inst_mut(at).op = Op::Cast { op: CastOp::ZExt, value: local(TypeId::I1, bit) };
        self.insert(at, Some(bit), TypeId::I1, comparison);
    }

    /// Values of `b++`.
    pub(super) fn mend_bits(&mut self) {
        let is_step = |op: &Op| match op {
            Op::AtomicRmw { op: RmwOp::Xchg, value, .. } => value.ty == TypeId::I8 && is_number(value, 1),
            _ => false,
        };
        let insts = self.function.insts();
        let steps: Vec<LocalId> = insts.filter(|inst| is_step(&inst.op)).filter_map(|inst| inst.result).collect();
        for byte in steps {
            // Others may have made it, with uses of their own.
            self.mend_uses(byte, false);
        }
    }

    /// Uses of a byte that is 0 or 1 as if it were a bit.
    fn mend_uses(&mut self, byte: LocalId, all: bool) -> Option<()> {
        let mut todo = vec![byte];
        while let Some(byte) = todo.pop() {
            let mut uses = self.uses(byte);
            uses.sort_unstable();
            // From the last to the first, since instructions are put before them.
            for at in uses.into_iter().rev() {
                let ty = self.inst(at).ty;
                let result = self.inst(at).result;
                let bit = self.function.locals.next_id();
                match &mut self.inst_mut(at).op {
                    Op::Cast { op: op @ CastOp::ZExt, .. } if ty == TypeId::I1 => *op = CastOp::Trunc,
                    Op::Cast { op: CastOp::ZExt | CastOp::UIToFP, .. } | Op::Store { .. } | Op::CmpXchg { .. } => (),
                    Op::Binary { op: BinOp::Xor, rhs, .. } if is_number(rhs, 0xff) => {
                        *rhs = number(TypeId::I8, Const::Int(1));
                        todo.extend(result);
                    }
                    Op::CondBr { cond, .. } => {
                        *cond = local(TypeId::I1, bit);
                        self.function.locals.push(Local { name: Name::Named("tobool".into()), ty: TypeId::I1 });
                        self.insert(
                            at,
                            Some(bit),
                            TypeId::I1,
                            Op::Cast { op: CastOp::Trunc, value: local(TypeId::I8, byte) },
                        );
                    }
                    _ if all => return None,
                    _ => (),
                }
            }
        }
        Some(())
    }
}

fn is_number(operand: &Operand, wanted: u128) -> bool {
    matches!(operand.constant(), Some(Const::Int(number)) if *number == wanted)
}
