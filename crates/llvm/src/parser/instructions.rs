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
            "getelementptr" => self.getelementptr(),
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
            "fence" => self.fence(),
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

    /// `T a, b`: two operands of one type.
    fn pair(&mut self) -> Res<(Operand, Operand)> {
        let ty = self.value_type()?;
        let lhs = self.operand_of(ty)?;
        self.expect(b',')?;
        let rhs = self.operand_of(ty)?;
        Ok((lhs, rhs))
    }

    fn binary(&mut self, op: BinOp) -> Res<(Op, TypeId)> {
        self.skip_op_flags();
        let at = self.start;
        let (lhs, rhs) = self.pair()?;
        let ty = lhs.ty;
        let is_float = matches!(op, BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv | BinOp::FRem);
        let fits = match self.module.types.get(self.module.types.scalar(ty)) {
            Type::Int(_) => !is_float,
            Type::Float(_) => is_float,
            _ => false,
        };
        if !fits {
            return self.error_at(at, "invalid operand type of a binary operation");
        }
        let op = Op::Binary { op, lhs, rhs };
        Ok((op, ty))
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
        let pred = match self.tok {
            Token::Word(word) => IntPred::of(word),
            _ => None,
        };
        let Some(pred) = pred else {
            return self.expected("a predicate of icmp");
        };
        self.bump();
        let at = self.start;
        let (lhs, rhs) = self.pair()?;
        let scalar = self.module.types.get(self.module.types.scalar(lhs.ty));
        if !matches!(scalar, Type::Int(_) | Type::Ptr { .. }) {
            return self.error_at(at, "icmp needs integers or pointers");
        }
        let ty = self.module.types.with_shape_of(lhs.ty, TypeId::I1);
        let op = Op::Icmp { pred, lhs, rhs };
        Ok((op, ty))
    }

    fn fcmp(&mut self) -> Res<(Op, TypeId)> {
        self.skip_op_flags();
        let pred = match self.tok {
            Token::Word(word) => FloatPred::of(word),
            _ => None,
        };
        let Some(pred) = pred else {
            return self.expected("a predicate of fcmp");
        };
        self.bump();
        let at = self.start;
        let (lhs, rhs) = self.pair()?;
        let scalar = self.module.types.get(self.module.types.scalar(lhs.ty));
        if !matches!(scalar, Type::Float(_)) {
            return self.error_at(at, "fcmp needs floating-point numbers");
        }
        let ty = self.module.types.with_shape_of(lhs.ty, TypeId::I1);
        let op = Op::Fcmp { pred, lhs, rhs };
        Ok((op, ty))
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
                break;
            }
        }
        Ok((Op::Phi { incoming }, ty))
    }

    fn select(&mut self) -> Res<(Op, TypeId)> {
        self.skip_op_flags();
        let at = self.start;
        let cond = self.operand()?;
        if self.module.types.scalar(cond.ty) != TypeId::I1 {
            return self.error_at(at, "condition must have type 'i1'");
        }
        self.expect(b',')?;
        let then = self.operand()?;
        self.expect(b',')?;
        let at = self.start;
        let otherwise = self.operand()?;
        if then.ty != otherwise.ty {
            return self.error_at(at, "types of the operands do not match");
        }
        let ty = then.ty;
        let op = Op::Select { cond, then, otherwise };
        Ok((op, ty))
    }

    fn ret(&mut self) -> Res<(Op, TypeId)> {
        let at = self.start;
        let ty = self.ty()?;
        if self.func.as_ref().is_some_and(|func| func.result != ty) {
            return self.error_at(at, "the function returns another type");
        }
        let value = match ty {
            TypeId::VOID => None,
            _ => Some(self.operand_of(ty)?),
        };
        Ok((Op::Ret(value), TypeId::VOID))
    }

    fn br(&mut self) -> Res<(Op, TypeId)> {
        if self.at_word("label") {
            return Ok((Op::Br(self.label()?), TypeId::VOID));
        }
        let at = self.start;
        let cond = self.operand()?;
        // clang branches on bytes where an operator changes an atomic `_Bool`; LLVM would not.
        if cond.ty != TypeId::I1 && cond.ty != TypeId::I8 {
            return self.error_at(at, "condition must have type 'i1'");
        }
        self.expect(b',')?;
        let then = self.label()?;
        self.expect(b',')?;
        let otherwise = self.label()?;
        let op = Op::CondBr { cond, then, otherwise };
        Ok((op, TypeId::VOID))
    }

    fn switch(&mut self) -> Res<(Op, TypeId)> {
        let at = self.start;
        let value = self.operand()?;
        if self.module.types.int_width(value.ty).is_none() {
            return self.error_at(at, "switch needs an integer");
        }
        self.expect(b',')?;
        let default = self.label()?;
        self.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.at(b']') {
            let at = self.start;
            let case = self.typed_const()?;
            if case.ty != value.ty {
                return self.error_at(at, "type of the case does not match");
            }
            self.expect(b',')?;
            cases.push((case, self.label()?));
        }
        self.bump();
        let op = Op::Switch { value, default, cases };
        Ok((op, TypeId::VOID))
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

    /// `, 0, 1` of extractvalue and insertvalue.
    pub(super) fn path(&mut self) -> Res<Vec<u32>> {
        let mut path = Vec::new();
        while self.eat_comma() {
            path.push(self.expect_u32()?);
        }
        if path.is_empty() {
            return self.expected("an index");
        }
        Ok(path)
    }

    /// The type at the end of a path into a struct or array.
    fn type_at_path(&self, mut ty: TypeId, path: &[u32], at: usize) -> Res<TypeId> {
        for index in path {
            let index = u64::from(*index);
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
        Ok(ty)
    }

    fn extractvalue(&mut self) -> Res<(Op, TypeId)> {
        let aggregate = self.operand()?;
        let at = self.start;
        let path = self.path()?;
        let ty = self.type_at_path(aggregate.ty, &path, at)?;
        Ok((Op::ExtractValue { aggregate, path }, ty))
    }

    fn insertvalue(&mut self) -> Res<(Op, TypeId)> {
        let aggregate = self.operand()?;
        self.expect(b',')?;
        let element = self.operand()?;
        let at = self.start;
        let path = self.path()?;
        if self.type_at_path(aggregate.ty, &path, at)? != element.ty {
            return self.error_at(at, "type of the element does not match");
        }
        let ty = aggregate.ty;
        let op = Op::InsertValue { aggregate, element, path };
        Ok((op, ty))
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
        self.expect(b',')?;
        let index = self.operand()?;
        Ok((Op::ExtractElement { vector, index }, elem))
    }

    fn insertelement(&mut self) -> Res<(Op, TypeId)> {
        let (vector, elem) = self.vector()?;
        self.expect(b',')?;
        let at = self.start;
        let element = self.operand()?;
        if element.ty != elem {
            return self.error_at(at, "type of the element does not match");
        }
        self.expect(b',')?;
        let index = self.operand()?;
        let ty = vector.ty;
        let op = Op::InsertElement { vector, element, index };
        Ok((op, ty))
    }

    fn shufflevector(&mut self) -> Res<(Op, TypeId)> {
        let (a, elem) = self.vector()?;
        self.expect(b',')?;
        let at = self.start;
        let (b, _) = self.vector()?;
        if a.ty != b.ty {
            return self.error_at(at, "types of the operands do not match");
        }
        self.expect(b',')?;
        let mask = self.typed_const()?;
        let ty = self.module.types.with_shape_of(mask.ty, elem);
        Ok((Op::ShuffleVector { a, b, mask }, ty))
    }
}
