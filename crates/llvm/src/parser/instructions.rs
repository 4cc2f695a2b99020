//! Rules for instructions other than calls and memory accesses.

use super::{Parser, Res};
use crate::ast::BlockId;
use crate::inst::{Op, Operand};
use crate::keywords::{BinOp, CastOp, FloatPred, IntPred};
use crate::lexer::Token;
use crate::types::{Type, TypeId};

impl<'a> Parser<'a> {
    /// What an instruction does and the type of its result, from the opcode
    /// on and without metadata attachments.
    pub(super) fn operation(&mut self, opcode: &'a str) -> Res<(Op, TypeId)> {
        let at = self.start;
        match opcode {
            "tail" | "musttail" | "notail" | "call" => return self.call(),
            "catchswitch" | "catchret" | "cleanupret" | "catchpad" | "cleanuppad" => {
                self.skip_line();
                return Ok((Op::Unsupported(opcode.into()), TypeId::VOID));
            }
            _ => self.bump(),
        }
        match opcode {
            "load" => self.load(),
            "store" => self.store(),
            "getelementptr" => {
                self.skip_gep_flags()?;
                self.gep(Self::operand)
            }
            "alloca" => self.alloca(),
            "br" => self.br(),
            "ret" => self.ret(),
            "icmp" => self.icmp(),
            "phi" => self.phi(),
            "select" => self.select(),
            "switch" => self.switch(),
            "unreachable" => Ok((Op::Unreachable, TypeId::VOID)),
            "fcmp" => self.fcmp(),
            "fneg" => {
                self.skip_op_flags();
                let value = self.operand()?;
                let ty = value.ty;
                Ok((Op::FNeg(value), ty))
            }
            "freeze" => {
                let value = self.operand()?;
                let ty = value.ty;
                Ok((Op::Freeze(value), ty))
            }
            "extractvalue" => self.extractvalue(),
            "insertvalue" => self.insertvalue(),
            "extractelement" => self.extractelement(),
            "insertelement" => self.insertelement(),
            "shufflevector" => self.shufflevector(),
            "fence" => Ok((Op::Fence(self.scoped_ordering()?), TypeId::VOID)),
            "cmpxchg" => self.cmpxchg(),
            "atomicrmw" => self.atomicrmw(),
            "va_arg" => self.va_arg(),
            "indirectbr" => self.indirectbr(),
            "callbr" => self.callbr(),
            "invoke" => self.invoke(),
            "resume" => Ok((Op::Resume(self.operand()?), TypeId::VOID)),
            "landingpad" => self.landingpad(),
            _ => {
                if let Some(op) = BinOp::of(opcode) {
                    return self.binary(op);
                }
                if let Some(op) = CastOp::of(opcode) {
                    return self.cast(op);
                }
                self.error_at(at, format!("unknown instruction '{opcode}'"))
            }
        }
    }

    /// Flags of arithmetic, casts, comparisons and calls.
    pub(super) fn skip_op_flags(&mut self) {
        const INTEGER: [&str; 6] = ["nuw", "nsw", "exact", "disjoint", "nneg", "samesign"];
        const FLOAT: [&str; 8] = ["fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"];
        while let Token::Word(word) = self.tok
            && (INTEGER.contains(&word) || FLOAT.contains(&word))
        {
            self.bump();
        }
    }

    /// `T a, b`: two operands of one type, whose scalars must be such.
    fn pair(&mut self, fits: impl Fn(&Type) -> bool, message: &str) -> Res<(Operand, Operand)> {
        let at = self.start;
        let ty = self.value_type()?;
        let lhs = self.operand_of(ty)?;
        self.expect(b',')?;
        let rhs = self.operand_of(ty)?;
        self.check(fits(self.module.types.get(self.module.types.scalar(ty))), at, message)?;
        Ok((lhs, rhs))
    }

    fn binary(&mut self, op: BinOp) -> Res<(Op, TypeId)> {
        self.skip_op_flags();
        let is_float = matches!(op, BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem);
        let fits = |ty: &Type| match ty {
            Type::Int(_) => !is_float,
            Type::Float(_) => is_float,
            _ => false,
        };
        let (lhs, rhs) = self.pair(fits, "invalid operand type of a binary operation")?;
        let ty = lhs.ty;
        Ok((Op::Binary { op, lhs, rhs }, ty))
    }

    fn cast(&mut self, op: CastOp) -> Res<(Op, TypeId)> {
        self.skip_op_flags();
        let value = self.operand()?;
        self.expect_word("to")?;
        let ty = self.value_type()?;
        Ok((Op::Cast { op, value }, ty))
    }

    fn icmp(&mut self) -> Res<(Op, TypeId)> {
        self.skip_op_flags();
        let pred = self.keyword(IntPred::of, "a predicate of icmp")?;
        let fits = |ty: &Type| matches!(ty, Type::Int(_) | Type::Ptr { .. });
        let (lhs, rhs) = self.pair(fits, "icmp needs integers or pointers")?;
        let ty = self.module.types.with_shape_of(lhs.ty, TypeId::I1);
        Ok((Op::Icmp { pred, lhs, rhs }, ty))
    }

    fn fcmp(&mut self) -> Res<(Op, TypeId)> {
        self.skip_op_flags();
        let pred = self.keyword(FloatPred::of, "a predicate of fcmp")?;
        let fits = |ty: &Type| matches!(ty, Type::Float(_));
        let (lhs, rhs) = self.pair(fits, "fcmp needs floating-point numbers")?;
        let ty = self.module.types.with_shape_of(lhs.ty, TypeId::I1);
        Ok((Op::Fcmp { pred, lhs, rhs }, ty))
    }

    fn phi(&mut self) -> Res<(Op, TypeId)> {
        self.skip_op_flags();
        let ty = self.value_type()?;
        let mut incoming = Vec::new();
        loop {
            self.expect(b'[')?;
            let value = self.operand_of(ty)?;
            self.expect(b',')?;
            let from = self.block_name()?;
            self.expect(b']')?;
            incoming.push((value, from));
            if !self.eat_comma() {
                return Ok((Op::Phi { incoming }, ty));
            }
        }
    }

    fn select(&mut self) -> Res<(Op, TypeId)> {
        self.skip_op_flags();
        let at = self.start;
        let cond = self.operand()?;
        self.check(self.module.types.scalar(cond.ty) == TypeId::I1, at, "condition must have type 'i1'")?;
        let then = self.next_operand()?;
        let ty = then.ty;
        let otherwise = self.next_operand_of(ty, "types of the operands do not match")?;
        Ok((Op::Select { cond, then, otherwise }, ty))
    }

    /// A comma and an operand that must have a type.
    fn next_operand_of(&mut self, ty: TypeId, message: &str) -> Res<Operand> {
        self.expect(b',')?;
        let at = self.start;
        let operand = self.operand()?;
        self.check(operand.ty == ty, at, message)?;
        Ok(operand)
    }

    fn ret(&mut self) -> Res<(Op, TypeId)> {
        let at = self.start;
        let ty = self.ty()?;
        self.check(self.func.result == Some(ty), at, "the function returns another type")?;
        let value = if ty == TypeId::VOID { None } else { Some(self.operand_of(ty)?) };
        Ok((Op::Ret(value), TypeId::VOID))
    }

    fn br(&mut self) -> Res<(Op, TypeId)> {
        if self.at_word("label") {
            return Ok((Op::Br(self.label()?), TypeId::VOID));
        }
        let at = self.start;
        let cond = self.operand()?;
        // clang branches on bytes where an operator changes an atomic `_Bool`; LLVM would not.
        self.check(cond.ty == TypeId::I1 || cond.ty == TypeId::I8, at, "condition must have type 'i1'")?;
        self.expect(b',')?;
        let then = self.label()?;
        self.expect(b',')?;
        let otherwise = self.label()?;
        Ok((Op::CondBr { cond, then, otherwise }, TypeId::VOID))
    }

    fn switch(&mut self) -> Res<(Op, TypeId)> {
        let at = self.start;
        let value = self.operand()?;
        self.check(self.module.types.int_width(value.ty).is_some(), at, "switch needs an integer")?;
        self.expect(b',')?;
        let default = self.label()?;
        self.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.eat(b']') {
            let at = self.start;
            let case = self.typed_const()?;
            self.check(case.ty == value.ty, at, "type of the case does not match")?;
            self.expect(b',')?;
            cases.push((case, self.label()?));
        }
        Ok((Op::Switch { value, default, cases }, TypeId::VOID))
    }

    /// `[label %a, label %b]`
    pub(super) fn label_list(&mut self) -> Res<Vec<BlockId>> {
        self.expect(b'[')?;
        self.list(b']', Self::label)
    }

    fn indirectbr(&mut self) -> Res<(Op, TypeId)> {
        let addr = self.operand()?;
        self.expect(b',')?;
        let targets = self.label_list()?;
        Ok((Op::IndirectBr { addr, targets }, TypeId::VOID))
    }

    /// The clauses may stand on lines of their own.
    fn landingpad(&mut self) -> Res<(Op, TypeId)> {
        let ty = self.value_type()?;
        loop {
            if self.eat_word("catch") || self.eat_word("filter") {
                self.operand()?;
            } else if !self.eat_word("cleanup") {
                return Ok((Op::LandingPad, ty));
            }
        }
    }

    /// `, 0, 1` of extractvalue and insertvalue, into a struct or array of type `ty`, and the type at its end.
    fn path(&mut self, mut ty: TypeId) -> Res<(Vec<u32>, TypeId)> {
        let at = self.start;
        let mut path = Vec::new();
        while self.eat_comma() {
            path.push(self.expect_u32()?);
        }
        if path.is_empty() {
            return self.expected("an index");
        }
        for index in path.iter().map(|index| u64::from(*index)) {
            let in_range = match *self.module.types.get(ty) {
                Type::Array { len, .. } => index < len,
                Type::Vector { .. } => false,
                _ => true,
            };
            match self.module.types.element(ty, index) {
                Some(inner) if in_range => ty = inner,
                _ => {
                    let shown = self.module.types.display(ty);
                    return self.error_at(at, format!("invalid index into type '{shown}'"));
                }
            }
        }
        Ok((path, ty))
    }

    fn extractvalue(&mut self) -> Res<(Op, TypeId)> {
        let aggregate = self.operand()?;
        let (path, ty) = self.path(aggregate.ty)?;
        Ok((Op::ExtractValue { aggregate, path }, ty))
    }

    fn insertvalue(&mut self) -> Res<(Op, TypeId)> {
        let aggregate = self.operand()?;
        let element = self.next_operand()?;
        let at = self.start;
        let ty = aggregate.ty;
        let (path, inner) = self.path(ty)?;
        self.check(inner == element.ty, at, "type of the element does not match")?;
        Ok((Op::InsertValue { aggregate, element, path }, ty))
    }

    /// A vector operand and its element type.
    fn vector(&mut self) -> Res<(Operand, TypeId)> {
        let at = self.start;
        let vector = self.operand()?;
        match *self.module.types.get(vector.ty) {
            Type::Vector { elem, .. } => Ok((vector, elem)),
            _ => self.error_at(at, "expected a vector"),
        }
    }

    fn extractelement(&mut self) -> Res<(Op, TypeId)> {
        let (vector, elem) = self.vector()?;
        let index = self.next_operand()?;
        Ok((Op::ExtractElement { vector, index }, elem))
    }

    fn insertelement(&mut self) -> Res<(Op, TypeId)> {
        let (vector, elem) = self.vector()?;
        let element = self.next_operand_of(elem, "type of the element does not match")?;
        let index = self.next_operand()?;
        let ty = vector.ty;
        Ok((Op::InsertElement { vector, element, index }, ty))
    }

    fn shufflevector(&mut self) -> Res<(Op, TypeId)> {
        let (a, elem) = self.vector()?;
        let b = self.next_operand_of(a.ty, "types of the operands do not match")?;
        self.expect(b',')?;
        let mask = self.const_operand()?;
        let ty = self.module.types.with_shape_of(mask.ty, elem);
        Ok((Op::ShuffleVector { a, b, mask }, ty))
    }
}
