//! Rules for constants and operands.

use super::{Key, Parser, Res, floats};
use crate::inst::{Const, ConstExpr, InlineAsm, Operand, TypedConst, Value};
use crate::keywords::{self, BinOp, CastOp, FloatPred, IntPred};
use crate::lexer::{Token, unescape_bytes};
use crate::types::{Type, TypeId};

impl<'a> Parser<'a> {
    /// A type and a value of it.
    pub(super) fn operand(&mut self) -> Res<Operand> {
        let ty = self.ty()?;
        self.operand_of(ty)
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

    /// A constant of a given type.
    pub(super) fn constant(&mut self, ty: TypeId) -> Res<Const> {
        match self.tok {
            Token::Number(text) => self.number(text, ty),
            Token::Hex(text) => {
                let Type::Float(kind) = *self.module.types.get(ty) else {
                    return self.mismatch(ty);
                };
                match floats::hexadecimal(text, kind) {
                    Some(bits) => self.done(Const::Float(bits)),
                    None => self.error("invalid floating-point constant"),
                }
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
            Token::Punct(b'[') => {
                let Type::Array { len, elem } = *self.module.types.get(ty) else {
                    return self.mismatch(ty);
                };
                Ok(Const::Array(self.elements(b']', len, elem)?))
            }
            Token::Punct(b'{') => self.fields(ty, false),
            Token::Punct(b'<') => {
                if self.lex.peek_nonblank() == Some(b'{') {
                    self.bump();
                    let fields = self.fields(ty, true)?;
                    self.expect(b'>')?;
                    return Ok(fields);
                }
                let Type::Vector { len, elem, .. } = *self.module.types.get(ty) else {
                    return self.mismatch(ty);
                };
                Ok(Const::Vector(self.elements(b'>', len, elem)?))
            }
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

    fn number(&mut self, text: &'a str, ty: TypeId) -> Res<Const> {
        match *self.module.types.get(ty) {
            Type::Int(width) if !text.contains('.') => {
                if width > 128 {
                    return self.done(Const::BigInt(text.into()));
                }
                let mut value = 0u128;
                for digit in text.bytes().filter(u8::is_ascii_digit) {
                    let digit = u128::from(digit - b'0');
                    value = value.wrapping_mul(10).wrapping_add(digit);
                }
                if text.starts_with('-') {
                    value = value.wrapping_neg();
                }
                self.done(Const::Int(truncate(value, width)))
            }
            Type::Float(kind) => match floats::decimal(text, kind) {
                Some(bits) => self.done(Const::Float(bits)),
                None => self.error("invalid floating-point constant"),
            },
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
            "undef" => self.done(Const::Undef),
            "poison" => self.done(Const::Poison),
            "zeroinitializer" => self.done(Const::Zero),
            "none" if ty == TypeId::TOKEN => self.done(Const::None),
            "blockaddress" => self.block_address(),
            "dso_local_equivalent" | "no_cfi" => {
                self.bump();
                let Token::Global(raw) = self.tok else {
                    return self.expected("a global");
                };
                self.bump();
                let id = self.global(raw);
                Ok(match word {
                    "no_cfi" => Const::NoCfi(id),
                    _ => Const::DsoLocalEquivalent(id),
                })
            }
            "splat" => {
                self.enter()?;
                self.bump();
                self.expect(b'(')?;
                let at = self.start;
                let value = self.typed_const()?;
                let same = match *self.module.types.get(ty) {
                    Type::Vector { elem, .. } => elem == value.ty,
                    _ => false,
                };
                if !same {
                    return self.error_at(at, "type of 'splat' does not match");
                }
                self.expect(b')')?;
                self.leave();
                Ok(Const::Splat(Box::new(value)))
            }
            _ if keywords::is_hex_int(word) => self.hex_int(word, ty),
            _ if keywords::is_value_word(word) && word != "asm" => self.expression(word, ty),
            _ => self.expected("a value"),
        }
    }

    /// The elements of an array or vector from the opening bracket on.
    fn elements(&mut self, close: u8, len: u64, elem: TypeId) -> Res<Box<[TypedConst]>> {
        self.enter()?;
        let open = self.start;
        self.bump();
        let items = self.list(close, |parser| {
            let at = parser.start;
            let item = parser.typed_const()?;
            if item.ty != elem {
                return parser.error_at(at, "type of the element does not match");
            }
            Ok(item)
        })?;
        if items.len() as u64 != len {
            let found = items.len();
            return self.error_at(open, format!("expected {len} elements, found {found}"));
        }
        self.leave();
        Ok(items.into())
    }

    /// The fields of a struct from the opening brace on.
    fn fields(&mut self, ty: TypeId, packed: bool) -> Res<Const> {
        let expected: Vec<TypeId> = match self.module.types.struct_fields(ty) {
            Some((fields, is_packed)) if is_packed == packed => fields.to_vec(),
            _ => return self.mismatch(ty),
        };
        self.enter()?;
        let open = self.start;
        self.expect(b'{')?;
        let mut types = expected.iter();
        let items = self.list(b'}', |parser| {
            let at = parser.start;
            let item = parser.typed_const()?;
            if types.next() != Some(&item.ty) {
                return parser.error_at(at, "type of the field does not match");
            }
            Ok(item)
        })?;
        if items.len() != expected.len() {
            return self.error_at(open, "number of fields does not match");
        }
        self.leave();
        Ok(Const::Struct(items.into()))
    }

    /// `blockaddress(@f, %b)`; the function may come later.
    fn block_address(&mut self) -> Res<Const> {
        self.bump();
        self.expect(b'(')?;
        let Token::Global(function) = self.tok else {
            return self.expected("a function");
        };
        self.bump();
        self.expect(b',')?;
        let Token::Local(block) = self.tok else {
            return self.expected("a block");
        };
        self.bump();
        self.expect(b')')?;
        Ok(Const::BlockAddress(self.global(function), Key::new(block).to_name()))
    }

    /// A constant expression of type `ty`.
    ///
    /// Operands are collected in vectors and put together in functions that do
    /// not recurse, which keeps the stack frames of the recursion small.
    fn expression(&mut self, word: &'a str, ty: TypeId) -> Res<Const> {
        self.enter()?;
        self.bump();
        let at = self.start;
        let expr = if word == "getelementptr" {
            self.gep_expression()?
        } else if let Some(op) = CastOp::of(word) {
            self.cast_expression(op, ty)?
        } else {
            self.skip_op_flags();
            let pred = match (word, self.tok) {
                ("icmp" | "fcmp", Token::Word(pred)) => {
                    self.bump();
                    pred
                }
                _ => "",
            };
            let (operands, path) = self.expression_operands()?;
            match build_expression(word, pred, operands, path) {
                Some(expr) => expr,
                None => return self.error_at(at, format!("invalid constant expression '{word}'")),
            }
        };
        self.leave();
        Ok(Const::Expr(expr))
    }

    fn cast_expression(&mut self, op: CastOp, ty: TypeId) -> Res<Box<ConstExpr>> {
        self.skip_op_flags();
        self.expect(b'(')?;
        let value = self.typed_const()?;
        self.expect_word("to")?;
        let at = self.start;
        if self.ty()? != ty {
            return self.error_at(at, "type of the cast does not match");
        }
        self.expect(b')')?;
        Ok(Box::new(ConstExpr::Cast { op, value }))
    }

    /// `(T a, T b, 0, 1)`: constants, then bare indices.
    fn expression_operands(&mut self) -> Res<(Vec<TypedConst>, Vec<u32>)> {
        self.expect(b'(')?;
        let (mut operands, mut path) = (Vec::new(), Vec::new());
        loop {
            match self.tok {
                Token::Number(_) => path.push(self.expect_u32()?),
                _ => operands.push(self.typed_const()?),
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

    fn gep_expression(&mut self) -> Res<Box<ConstExpr>> {
        self.skip_gep_flags()?;
        self.expect(b'(')?;
        let source = self.value_type()?;
        self.expect(b',')?;
        let at = self.start;
        let base = self.typed_const()?;
        let mut indices = Vec::new();
        let mut walk = GepWalk::new(source);
        while self.eat(b',') {
            self.eat_word("inrange");
            let at = self.start;
            let index = self.typed_const()?;
            self.gep_step(&mut walk, index.ty, Some(&index.value), at)?;
            indices.push(index);
        }
        self.expect(b')')?;
        if !self.module.types.is_ptr_or_vector(base.ty) {
            return self.error_at(at, "base of getelementptr must be a pointer");
        }
        Ok(Box::new(ConstExpr::Gep { source, base, indices }))
    }

    /// Checks one index of a getelementptr and steps into the type, so that a
    /// consumer can rely on the path.
    pub(super) fn gep_step(&self, walk: &mut GepWalk, index_ty: TypeId, index: Option<&Const>, at: usize) -> Res<()> {
        let types = &self.module.types;
        let is_int = |ty| types.int_width(ty).is_some();
        let fits = match *types.get(index_ty) {
            Type::Vector { elem, .. } => is_int(elem),
            _ => is_int(index_ty),
        };
        if !fits {
            return self.error_at(at, "index of getelementptr must be an integer");
        }
        if walk.first {
            walk.first = false;
            return Ok(());
        }
        let next = match types.get(walk.ty) {
            Type::Array { elem, .. } | Type::Vector { elem, .. } => Some(*elem),
            _ => {
                let number = match index {
                    Some(Const::Int(value)) => u64::try_from(*value).ok(),
                    Some(Const::Zero) => Some(0),
                    // A vector of equal indices selects the same field.
                    Some(Const::Splat(item)) => int_of(item),
                    Some(Const::Vector(items)) => items.first().and_then(int_of),
                    _ => None,
                };
                number.and_then(|number| types.element(walk.ty, number))
            }
        };
        match next {
            Some(ty) => {
                walk.ty = ty;
                Ok(())
            }
            None => {
                let shown = types.display(walk.ty);
                self.error_at(at, format!("invalid index into type '{shown}'"))
            }
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
fn build_expression(word: &str, pred: &str, operands: Vec<TypedConst>, path: Vec<u32>) -> Option<Box<ConstExpr>> {
    let mut rest = operands.into_iter();
    let first = rest.next()?;
    let expr = match word {
        "fneg" => ConstExpr::Other,
        "extractvalue" => ConstExpr::ExtractValue { aggregate: first, path },
        "insertvalue" => ConstExpr::InsertValue { aggregate: first, element: rest.next()?, path },
        "extractelement" => rest.next().map(|_| ConstExpr::Other)?,
        "insertelement" | "shufflevector" => rest.next().and(rest.next()).map(|_| ConstExpr::Other)?,
        "select" => ConstExpr::Select { cond: first, then: rest.next()?, otherwise: rest.next()? },
        _ => {
            let (lhs, rhs) = (first, rest.next()?);
            if lhs.ty != rhs.ty {
                return None;
            }
            match word {
                "icmp" => ConstExpr::Icmp { pred: IntPred::of(pred)?, lhs, rhs },
                "fcmp" => FloatPred::of(pred).map(|_| ConstExpr::Other)?,
                _ => ConstExpr::Binary { op: BinOp::of(word)?, lhs, rhs },
            }
        }
    };
    match rest.next() {
        Some(_) => None,
        None => Some(Box::new(expr)),
    }
}

/// Progress of a getelementptr into a type.
pub(super) struct GepWalk {
    ty: TypeId,
    /// The first index steps over whole objects and does not go deeper.
    first: bool,
}

impl GepWalk {
    pub fn new(source: TypeId) -> Self {
        GepWalk { ty: source, first: true }
    }
}

fn int_of(item: &TypedConst) -> Option<u64> {
    match item.value {
        Const::Int(value) => u64::try_from(value).ok(),
        _ => None,
    }
}

fn truncate(value: u128, width: u32) -> u128 {
    if width >= 128 {
        return value;
    }
    value & ((1 << width) - 1)
}
