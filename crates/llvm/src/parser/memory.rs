//! Rules for instructions that access memory.

use super::constants::GepWalk;
use super::{Parser, Res};
use crate::inst::{Op, Operand};
use crate::keywords::{Ordering, RmwOp};
use crate::lexer::Token;
use crate::types::{Type, TypeId};

impl<'a> Parser<'a> {
    /// A pointer operand.
    fn address(&mut self) -> Res<Operand> {
        let at = self.start;
        let operand = self.operand()?;
        if !self.module.types.is_ptr(operand.ty) {
            return self.error_at(at, "expected a pointer");
        }
        Ok(operand)
    }

    /// A value that can be stored.
    fn stored(&mut self) -> Res<Operand> {
        let ty = self.value_type()?;
        self.operand_of(ty)
    }

    fn ordering(&mut self) -> Res<Ordering> {
        if let Token::Word(word) = self.tok
            && let Some(ordering) = Ordering::of(word)
        {
            self.bump();
            return Ok(ordering);
        }
        self.expected("a memory ordering")
    }

    /// `syncscope("...") ordering`
    fn scoped_ordering(&mut self) -> Res<Ordering> {
        if self.eat_word("syncscope") {
            self.expect(b'(')?;
            self.expect_string()?;
            self.expect(b')')?;
        }
        self.ordering()
    }

    /// What stands behind the operands of a load or store.
    fn access_suffix(&mut self, is_atomic: bool) -> Res<Option<Ordering>> {
        let atomic = match is_atomic {
            true => Some(self.scoped_ordering()?),
            false => None,
        };
        self.skip_align()?;
        Ok(atomic)
    }

    /// `, align N` if it is there.
    fn skip_align(&mut self) -> Res<()> {
        if self.eat_comma() {
            self.expect_word("align")?;
            self.expect_u64()?;
        }
        Ok(())
    }

    pub(super) fn alloca(&mut self) -> Res<(Op, TypeId)> {
        while self.eat_word("inalloca") || self.eat_word("swifterror") {}
        let ty = self.value_type()?;
        let (mut count, mut align, mut space) = (None, None, 0);
        while self.eat_comma() {
            if self.eat_word("align") {
                align = Some(self.expect_u64()?);
            } else if self.eat_word("addrspace") {
                space = self.addrspace()?;
            } else {
                let at = self.start;
                let operand = self.operand()?;
                if self.module.types.int_width(operand.ty).is_none() {
                    return self.error_at(at, "number of elements must be an integer");
                }
                count = Some(operand);
            }
        }
        let result = self.ptr(space);
        Ok((Op::Alloca { ty, count, align }, result))
    }

    pub(super) fn load(&mut self) -> Res<(Op, TypeId)> {
        let is_atomic = self.eat_word("atomic");
        self.eat_word("volatile");
        let ty = self.value_type()?;
        self.expect(b',')?;
        let addr = self.address()?;
        let atomic = self.access_suffix(is_atomic)?;
        Ok((Op::Load { ty, addr, atomic }, ty))
    }

    pub(super) fn store(&mut self) -> Res<(Op, TypeId)> {
        let is_atomic = self.eat_word("atomic");
        self.eat_word("volatile");
        let value = self.stored()?;
        self.expect(b',')?;
        let addr = self.address()?;
        let atomic = self.access_suffix(is_atomic)?;
        Ok((Op::Store { value, addr, atomic }, TypeId::VOID))
    }

    pub(super) fn fence(&mut self) -> Res<(Op, TypeId)> {
        Ok((Op::Fence(self.scoped_ordering()?), TypeId::VOID))
    }

    pub(super) fn cmpxchg(&mut self) -> Res<(Op, TypeId)> {
        let weak = self.eat_word("weak");
        self.eat_word("volatile");
        let addr = self.address()?;
        self.expect(b',')?;
        let expected = self.stored()?;
        self.expect(b',')?;
        let at = self.start;
        let new = self.stored()?;
        if expected.ty != new.ty {
            return self.error_at(at, "types of the operands do not match");
        }
        let success = self.scoped_ordering()?;
        self.ordering()?;
        self.skip_align()?;
        let result = self.module.types.intern(Type::Struct { fields: [expected.ty, TypeId::I1].into(), packed: false });
        let op = Op::CmpXchg { weak, addr, expected, new, success };
        Ok((op, result))
    }

    pub(super) fn atomicrmw(&mut self) -> Res<(Op, TypeId)> {
        self.eat_word("volatile");
        let op = match self.tok {
            Token::Word(word) => RmwOp::of(word),
            _ => None,
        };
        let Some(op) = op else {
            return self.expected("an operation of atomicrmw");
        };
        self.bump();
        let addr = self.address()?;
        self.expect(b',')?;
        let value = self.stored()?;
        let ordering = self.scoped_ordering()?;
        self.skip_align()?;
        let ty = value.ty;
        let op = Op::AtomicRmw { op, addr, value, ordering };
        Ok((op, ty))
    }

    pub(super) fn getelementptr(&mut self) -> Res<(Op, TypeId)> {
        self.skip_gep_flags()?;
        let source = self.value_type()?;
        self.expect(b',')?;
        let at = self.start;
        let base = self.operand()?;
        if !self.module.types.is_ptr_or_vector(base.ty) {
            return self.error_at(at, "base of getelementptr must be a pointer");
        }
        let mut result = base.ty;
        let mut walk = GepWalk::new(source);
        let mut indices = Vec::new();
        while self.eat_comma() {
            let at = self.start;
            let index = self.operand()?;
            self.gep_step(&mut walk, index.ty, index.constant(), at)?;
            // A vector of indices makes a vector of addresses.
            if self.module.types.is_ptr(result) {
                result = self.module.types.with_shape_of(index.ty, result);
            }
            indices.push(index);
        }
        let op = Op::Gep { source, base, indices };
        Ok((op, result))
    }

    pub(super) fn va_arg(&mut self) -> Res<(Op, TypeId)> {
        let list = self.address()?;
        self.expect(b',')?;
        let ty = self.value_type()?;
        Ok((Op::VaArg { list }, ty))
    }
}
