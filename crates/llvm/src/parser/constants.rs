//! Rules for constants and operands.

use super::{Parser, Res, floats};
use crate::ast::Name;
use crate::inst::{Const, InlineAsm, Op, Operand, TypedConst, Value};
use crate::keywords::{self, BinOp, CastOp, FloatPred, IntPred};
use crate::lexer::{Token, unescape_bytes};
use crate::types::{Type, TypeId};

impl<'a> Parser<'a> {
    /// A type and a value of it.
    pub(super) fn operand(&mut self) -> Res<Operand> {
        let ty = self.ty()?;
        self.operand_of(ty)
    }

    /// A comma and an operand.
    pub(super) fn next_operand(&mut self) -> Res<Operand> {
        self.expect(b',')?;
        self.operand()
    }

    /// A value of a given type.
    pub(super) fn operand_of(&mut self, ty: TypeId) -> Res<Operand> {
        let value = match self.tok {
            _ if ty == TypeId::METADATA => Value::Metadata(Box::new(self.metadata()?)),
            Token::Local(raw) => Value::Local(self.use_local(raw, ty)?),
            Token::Word("asm") if ty == TypeId::PTR => Value::Asm(Box::new(self.inline_asm()?)),
            _ => Value::Const(self.constant(ty)?),
        };
        Ok(Operand { ty, value })
    }

    /// A type and a constant of it.
    pub(super) fn typed_const(&mut self) -> Res<TypedConst> {
        let ty = self.ty()?;
        let value = self.constant(ty)?;
        Ok(TypedConst { ty, value })
    }

    /// The same as an operand of a constant expression.
    pub(super) fn const_operand(&mut self) -> Res<Operand> {
        let TypedConst { ty, value } = self.typed_const()?;
        Ok(Operand { ty, value: Value::Const(value) })
    }

    /// A constant of a given type.
    pub(super) fn constant(&mut self, ty: TypeId) -> Res<Const> {
        match self.tok {
            Token::Number(text) => self.number(text, ty),
            Token::Hex(text) => {
                let Type::Float(kind) = *self.module.types.get(ty) else {
                    return self.mismatch(ty);
                };
                self.float(floats::hexadecimal(text, kind))
            }
            Token::Global(raw) => {
                if !self.module.types.is_ptr(ty) {
                    return self.mismatch(ty);
                }
                self.bump();
                Ok(Const::Global(self.global(raw)))
            }
            Token::Word(word) => self.word_constant(word, ty),
            Token::Bytes(raw) => {
                let bytes = unescape_bytes(raw);
                match *self.module.types.get(ty) {
                    Type::Array { len, elem } if elem == TypeId::I8 && len == bytes.len() as u64 => {
                        self.done(Const::Bytes(bytes.into()))
                    }
                    _ => self.mismatch(ty),
                }
            }
            Token::Punct(b'[') => match *self.module.types.get(ty) {
                Type::Array { len, elem } => self.elements(b']', len, elem),
                _ => self.mismatch(ty),
            },
            Token::Punct(b'{') => self.fields(ty, false),
            Token::Punct(b'<') if self.lex.peek_nonblank() == Some(b'{') => {
                self.bump();
                let fields = self.fields(ty, true)?;
                self.expect(b'>')?;
                Ok(fields)
            }
            Token::Punct(b'<') => match *self.module.types.get(ty) {
                Type::Vector { len, elem, .. } => self.elements(b'>', len, elem),
                _ => self.mismatch(ty),
            },
            Token::Local(_) => self.error("expected a constant, found a local value"),
            _ => self.expected("a value"),
        }
    }

    fn done(&mut self, value: Const) -> Res<Const> {
        self.bump();
        Ok(value)
    }

    fn mismatch<T>(&self, ty: TypeId) -> Res<T> {
        let shown = self.module.types.display(ty);
        self.error(format!("constant does not have type '{shown}'"))
    }

    fn float(&mut self, bits: Option<u128>) -> Res<Const> {
        match bits {
            Some(bits) => self.done(Const::Float(bits)),
            None => self.error("invalid floating-point constant"),
        }
    }

    fn number(&mut self, text: &'a str, ty: TypeId) -> Res<Const> {
        match *self.module.types.get(ty) {
            Type::Int(width) if !text.contains('.') => {
                if width > 128 {
                    return self.done(Const::BigInt(text.into()));
                }
                let digits = text.bytes().filter(u8::is_ascii_digit).map(|digit| u128::from(digit - b'0'));
                let size = digits.fold(0u128, |value, digit| value.wrapping_mul(10).wrapping_add(digit));
                let value = if text.starts_with('-') { size.wrapping_neg() } else { size };
                self.done(Const::Int(truncate(value, width)))
            }
            Type::Float(kind) => self.float(floats::decimal(text, kind)),
            _ => self.mismatch(ty),
        }
    }

    /// `u0xFF` and `s0xFF`, the latter sign-extended from its digits.
    fn hex_int(&mut self, word: &str, ty: TypeId) -> Res<Const> {
        let Type::Int(width) = *self.module.types.get(ty) else {
            return self.mismatch(ty);
        };
        if width > 128 {
            return self.done(Const::BigInt(word.into()));
        }
        let (sign, digits) = (word.starts_with('s'), &word[3..]);
        let Ok(mut value) = u128::from_str_radix(digits, 16) else {
            return self.error("invalid hexadecimal constant");
        };
        let bits = 4 * digits.len().min(32) as u32;
        if sign && bits < 128 && value >> (bits - 1) & 1 == 1 {
            value |= u128::MAX << bits;
        }
        self.done(Const::Int(truncate(value, width)))
    }

    fn word_constant(&mut self, word: &'a str, ty: TypeId) -> Res<Const> {
        if !self.module.types.is_first_class(ty) {
            return self.mismatch(ty);
        }
        match word {
            "null" if self.module.types.is_ptr(ty) => self.done(Const::Null),
            "true" | "false" if ty == TypeId::I1 => self.done(Const::Int(u128::from(word == "true"))),
            "null" | "true" | "false" => self.mismatch(ty),
            "undef" | "poison" => self.done(Const::Undef),
            "zeroinitializer" => self.done(Const::Zero),
            "none" if ty == TypeId::TOKEN => self.done(Const::None),
            "blockaddress" => self.block_address(),
            // Both are for the linker; the function is the same.
            "dso_local_equivalent" | "no_cfi" => {
                self.bump();
                let raw = self.expect_global("a global")?;
                Ok(Const::Global(self.global(raw)))
            }
            "splat" => self.nested(|parser| {
                parser.bump();
                parser.expect(b'(')?;
                let at = parser.start;
                let value = parser.typed_const()?;
                let is_element = matches!(*parser.module.types.get(ty), Type::Vector { elem, .. } if elem == value.ty);
                parser.check(is_element, at, "type of 'splat' does not match")?;
                parser.expect(b')')?;
                Ok(Const::Splat(Box::new(value)))
            }),
            _ if keywords::is_hex_int(word) => self.hex_int(word, ty),
            _ if keywords::is_value_word(word) && word != "asm" => self.nested(|parser| parser.expression(word, ty)),
            _ => self.expected("a value"),
        }
    }

    /// The elements of an array or vector from the opening bracket on.
    fn elements(&mut self, close: u8, len: u64, elem: TypeId) -> Res<Const> {
        let open = self.start;
        let items = self.items(close, "type of the element does not match", |_| Some(elem))?;
        if items.len() as u64 != len {
            let found = items.len();
            return self.error_at(open, format!("expected {len} elements, found {found}"));
        }
        Ok(Const::Items(items.into()))
    }

    /// The fields of a struct from the opening brace on.
    fn fields(&mut self, ty: TypeId, packed: bool) -> Res<Const> {
        let types: Vec<TypeId> = match self.module.types.struct_fields(ty) {
            Some((fields, is_packed)) if is_packed == packed => fields.to_vec(),
            _ => return self.mismatch(ty),
        };
        let open = self.start;
        let items = self.items(b'}', "type of the field does not match", |at| types.get(at).copied())?;
        self.check(items.len() == types.len(), open, "number of fields does not match")?;
        Ok(Const::Items(items.into()))
    }

    /// Constants, each of the type for its place, from the opening bracket on.
    fn items(&mut self, close: u8, message: &str, ty: impl Fn(usize) -> Option<TypeId>) -> Res<Vec<TypedConst>> {
        self.nested(|parser| {
            parser.bump();
            let mut number = 0;
            parser.list(close, |parser| {
                let at = parser.start;
                let item = parser.typed_const()?;
                parser.check(ty(number) == Some(item.ty), at, message)?;
                number += 1;
                Ok(item)
            })
        })
    }

    /// `blockaddress(@f, %b)`; the function may come later.
    fn block_address(&mut self) -> Res<Const> {
        self.bump();
        self.expect(b'(')?;
        let function = self.expect_global("a function")?;
        self.expect(b',')?;
        let block = self.expect_local("a block")?;
        self.expect(b')')?;
        Ok(Const::BlockAddress(self.global(function), Name::new(block).to_static()))
    }

    /// A constant expression of type `ty`.
    ///
    /// Operands are collected in vectors and put together in functions that do
    /// not recurse, which keeps the stack frames of the recursion small.
    fn expression(&mut self, word: &'a str, ty: TypeId) -> Res<Const> {
        self.bump();
        let at = self.start;
        if word == "getelementptr" {
            self.skip_gep_flags()?;
            self.expect(b'(')?;
            let (op, _) = self.gep(Self::const_operand)?;
            self.expect(b')')?;
            return Ok(Const::Expr(Box::new(op)));
        }
        self.skip_op_flags();
        if let Some(op) = CastOp::of(word) {
            return self.cast_expression(op, ty);
        }
        let pred = match (word, self.tok) {
            ("icmp" | "fcmp", Token::Word(pred)) => {
                self.bump();
                pred
            }
            _ => "",
        };
        let (operands, path) = self.expression_operands()?;
        match build_expression(word, pred, operands, path) {
            Some(op) => Ok(Const::Expr(Box::new(op))),
            None => self.error_at(at, format!("invalid constant expression '{word}'")),
        }
    }

    fn cast_expression(&mut self, op: CastOp, ty: TypeId) -> Res<Const> {
        self.expect(b'(')?;
        let value = self.const_operand()?;
        self.expect_word("to")?;
        let at = self.start;
        let same = self.ty()? == ty;
        self.check(same, at, "type of the cast does not match")?;
        self.expect(b')')?;
        Ok(Const::Expr(Box::new(Op::Cast { op, value })))
    }

    /// `(T a, T b, 0, 1)`: constants, then bare indices.
    fn expression_operands(&mut self) -> Res<(Vec<Operand>, Vec<u32>)> {
        self.expect(b'(')?;
        let (mut operands, mut path) = (Vec::new(), Vec::new());
        loop {
            match self.tok {
                Token::Number(_) => path.push(self.expect_u32()?),
                _ => operands.push(self.const_operand()?),
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok((operands, path))
    }

    /// `inbounds`, `nusw`, `nuw`, `inrange` and `inrange(...)`.
    pub(super) fn skip_gep_flags(&mut self) -> Res<()> {
        while let Token::Word(flag @ ("inbounds" | "nusw" | "nuw" | "inrange")) = self.tok {
            self.bump();
            if flag == "inrange" && self.at(b'(') {
                self.skip_balanced()?;
            }
        }
        Ok(())
    }

    /// A getelementptr from its source type on, and the type of its result.  Checks that the indices lead into the type, so
    /// that a consumer can rely on the path.
    pub(super) fn gep(&mut self, operand: fn(&mut Self) -> Res<Operand>) -> Res<(Op, TypeId)> {
        let source = self.value_type()?;
        self.expect(b',')?;
        let at = self.start;
        let base = operand(self)?;
        let scalar = self.module.types.scalar(base.ty);
        self.check(self.module.types.is_ptr(scalar), at, "base of getelementptr must be a pointer")?;
        let mut result = base.ty;
        let mut into = source;
        let mut indices = Vec::new();
        while self.eat_comma() {
            self.eat_word("inrange");
            let at = self.start;
            let index = operand(self)?;
            let is_int = self.module.types.int_width(self.module.types.scalar(index.ty)).is_some();
            self.check(is_int, at, "index of getelementptr must be an integer")?;
            // The first index steps over whole objects and does not go deeper.
            if !indices.is_empty() {
                into = self.step_into(into, index.constant(), at)?;
            }
            // A vector of indices makes a vector of addresses.
            if self.module.types.is_ptr(result) {
                result = self.module.types.with_shape_of(index.ty, result);
            }
            indices.push(index);
        }
        Ok((Op::Gep { source, base, indices }, result))
    }

    /// The type of the part that an index selects.
    fn step_into(&self, ty: TypeId, index: Option<&Const>, at: usize) -> Res<TypeId> {
        let types = &self.module.types;
        let number = match index {
            _ if types.struct_fields(ty).is_none() => Some(0),
            Some(Const::Zero) => Some(0),
            // A vector of equal indices selects the same field.
            Some(Const::Splat(item)) => int_of(&item.value),
            Some(Const::Items(items)) => items.first().and_then(|item| int_of(&item.value)),
            index => index.and_then(int_of),
        };
        match number.and_then(|number| types.element(ty, number)) {
            Some(ty) => Ok(ty),
            None => self.error_at(at, format!("invalid index into type '{}'", types.display(ty))),
        }
    }

    /// `asm sideeffect "...", "..."`
    fn inline_asm(&mut self) -> Res<InlineAsm> {
        self.bump();
        while let Token::Word("sideeffect" | "alignstack" | "inteldialect" | "unwind") = self.tok {
            self.bump();
        }
        let template = self.expect_string()?;
        self.expect(b',')?;
        let constraints = self.expect_string()?;
        Ok(InlineAsm { template, constraints })
    }
}

/// Puts together an expression other than a cast or getelementptr; `None` if
/// the operands do not fit.
fn build_expression(word: &str, pred: &str, operands: Vec<Operand>, path: Vec<u32>) -> Option<Op> {
    let mut rest = operands.into_iter();
    let first = rest.next()?;
    let mut next = || rest.next();
    let op = match word {
        "fneg" => Op::FNeg(first),
        "extractvalue" => Op::ExtractValue { aggregate: first, path },
        "insertvalue" => Op::InsertValue { aggregate: first, element: next()?, path },
        "extractelement" => Op::ExtractElement { vector: first, index: next()? },
        "insertelement" => Op::InsertElement { vector: first, element: next()?, index: next()? },
        "shufflevector" => Op::ShuffleVector { a: first, b: next()?, mask: next()? },
        "select" => Op::Select { cond: first, then: next()?, otherwise: next()? },
        _ => {
            let (lhs, rhs) = (first, next()?);
            match word {
                _ if lhs.ty != rhs.ty => return None,
                "icmp" => Op::Icmp { pred: IntPred::of(pred)?, lhs, rhs },
                "fcmp" => Op::Fcmp { pred: FloatPred::of(pred)?, lhs, rhs },
                _ => Op::Binary { op: BinOp::of(word)?, lhs, rhs },
            }
        }
    };
    rest.next().is_none().then_some(op)
}

fn int_of(value: &Const) -> Option<u64> {
    match value {
        Const::Int(value) => u64::try_from(*value).ok(),
        _ => None,
    }
}

fn truncate(value: u128, width: u32) -> u128 {
    if width >= 128 {
        return value;
    }
    value & ((1 << width) - 1)
}
