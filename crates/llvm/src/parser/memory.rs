//! Rules for instructions that access memory.

use super::{Parser, Res};
use crate::inst::{Op, Operand};
use crate::keywords::{Ordering, RmwOp};
use crate::types::{Type, TypeId};

impl<'a> Parser<'a> {
    /// A pointer operand.
    fn address(&mut self) -> Res<Operand> {
        let at = self.start;
        let operand = self.operand()?;
        self.check(self.module.types.is_ptr(operand.ty), at, "expected a pointer")?;
        Ok(operand)
    }

    /// A value that can be stored.
    fn stored(&mut self) -> Res<Operand> {
        let ty = self.value_type()?;
        self.operand_of(ty)
    }

    fn ordering(&mut self) -> Res<Ordering> {
        self.keyword(Ordering::of, "a memory ordering")
    }

    /// `syncscope("...") ordering`
    pub(super) fn scoped_ordering(&mut self) -> Res<Ordering> {
        if self.eat_word("syncscope") {
            self.expect(b'(')?;
            self.expect_string()?;
            self.expect(b')')?;
        }
        self.ordering()
    }

    /// What stands behind the operands of a load or store.
    fn access_suffix(&mut self, is_atomic: bool) -> Res<Option<Ordering>> {
        let atomic = if is_atomic { Some(self.scoped_ordering()?) } else { None };
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
                let is_int = self.module.types.int_width(operand.ty).is_some();
                self.check(is_int, at, "number of elements must be an integer")?;
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

    pub(super) fn cmpxchg(&mut self) -> Res<(Op, TypeId)> {
        let weak = self.eat_word("weak");
        self.eat_word("volatile");
        let addr = self.address()?;
        self.expect(b',')?;
        let expected = self.stored()?;
        self.expect(b',')?;
        let at = self.start;
        let new = self.stored()?;
        self.check(expected.ty == new.ty, at, "types of the operands do not match")?;
        let success = self.scoped_ordering()?;
        self.ordering()?;
        self.skip_align()?;
        let result = self.module.types.intern(Type::Struct { fields: [expected.ty, TypeId::I1].into(), packed: false });
        Ok((Op::CmpXchg { weak, addr, expected, new, success }, result))
    }

    pub(super) fn atomicrmw(&mut self) -> Res<(Op, TypeId)> {
        self.eat_word("volatile");
        let op = self.keyword(RmwOp::of, "an operation of atomicrmw")?;
        let addr = self.address()?;
        self.expect(b',')?;
        let value = self.stored()?;
        let ordering = self.scoped_ordering()?;
        self.skip_align()?;
        let ty = value.ty;
        Ok((Op::AtomicRmw { op, addr, value, ordering }, ty))
    }

    pub(super) fn va_arg(&mut self) -> Res<(Op, TypeId)> {
        let list = self.address()?;
        self.expect(b',')?;
        let ty = self.value_type()?;
        Ok((Op::VaArg { list }, ty))
    }
}
