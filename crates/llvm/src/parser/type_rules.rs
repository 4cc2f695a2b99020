//! Rules for types.

use super::{MAX_TYPE_NESTING, Parser, Res};
use crate::ast::Name;
use crate::keywords::{self, FloatKind};
use crate::lexer::{RawName, Token};
use crate::types::{StructId, Type, TypeId};
use base::Id;
use base::graph::Components;

/// The widest integer type of LLVM.
const MAX_INT_WIDTH: u64 = 1 << 23;

impl<'a> Parser<'a> {
    /// A type.  Typed pointers become opaque ones.
    pub(super) fn ty(&mut self) -> Res<TypeId> {
        let mut ty = self.simple_type()?;
        loop {
            match self.tok {
                Token::Punct(b'*') => {
                    self.bump();
                    ty = TypeId::PTR;
                }
                Token::Word("addrspace") => {
                    self.bump();
                    let addrspace = self.addrspace()?;
                    self.expect(b'*')?;
                    ty = self.ptr(addrspace);
                }
                Token::Punct(b'(') => ty = self.function_type(ty)?,
                _ => return Ok(ty),
            }
        }
    }

    /// The pointer type of an address space.
    pub(super) fn ptr(&mut self, addrspace: u32) -> TypeId {
        self.module.types.intern(Type::Ptr { addrspace })
    }

    /// A type that a value in memory or a register can have.
    pub(super) fn value_type(&mut self) -> Res<TypeId> {
        let at = self.start;
        let ty = self.ty()?;
        self.check(self.module.types.is_first_class(ty), at, "expected the type of a value")?;
        Ok(ty)
    }

    fn simple_type(&mut self) -> Res<TypeId> {
        match self.tok {
            Token::Word(word) => self.type_word(word),
            Token::Local(raw) => {
                self.bump();
                let id = self.named_struct(raw);
                Ok(self.module.types.intern(Type::Named(id)))
            }
            Token::Punct(b'{') => self.struct_type(false),
            Token::Punct(b'[') => {
                self.bump();
                let (len, elem) = self.elements_type(b']')?;
                Ok(self.module.types.intern(Type::Array { len, elem }))
            }
            Token::Punct(b'<') => {
                self.bump();
                if self.at(b'{') {
                    let ty = self.struct_type(true)?;
                    self.expect(b'>')?;
                    return Ok(ty);
                }
                let scalable = self.eat_word("vscale");
                if scalable {
                    self.expect_word("x")?;
                }
                let (len, elem) = self.elements_type(b'>')?;
                Ok(self.module.types.intern(Type::Vector { len, scalable, elem }))
            }
            _ => self.expected("a type"),
        }
    }

    /// `N x T` and the character that closes it.
    fn elements_type(&mut self, close: u8) -> Res<(u64, TypeId)> {
        let len = self.expect_u64()?;
        self.expect_word("x")?;
        let elem = self.nested(Self::value_type)?;
        self.expect(close)?;
        Ok((len, elem))
    }

    fn type_word(&mut self, word: &'a str) -> Res<TypeId> {
        let ty = match word {
            "i32" => TypeId::I32,
            "ptr" => {
                self.bump();
                if self.eat_word("addrspace") {
                    let addrspace = self.addrspace()?;
                    return Ok(self.ptr(addrspace));
                }
                return Ok(TypeId::PTR);
            }
            "i64" => TypeId::I64,
            "i8" => TypeId::I8,
            "i1" => TypeId::I1,
            "void" => TypeId::VOID,
            "label" => TypeId::LABEL,
            "metadata" => TypeId::METADATA,
            "token" => TypeId::TOKEN,
            "x86_mmx" => self.module.types.intern(Type::X86Mmx),
            "x86_amx" => self.module.types.intern(Type::X86Amx),
            "target" => return self.target_type(),
            _ => {
                let ty = if let Some(kind) = FloatKind::of(word) {
                    Type::Float(kind)
                } else if let Some(width) = keywords::int_width(word) {
                    if width == 0 || width > MAX_INT_WIDTH {
                        return self.error("integer width out of range");
                    }
                    Type::Int(width as u32)
                } else {
                    return self.expected("a type");
                };
                self.module.types.intern(ty)
            }
        };
        self.bump();
        Ok(ty)
    }

    /// `target("name", ...)`
    fn target_type(&mut self) -> Res<TypeId> {
        self.bump();
        if !self.at(b'(') {
            return self.expected("'('");
        }
        let from = self.start + 1;
        self.skip_balanced()?;
        let text = self.lex.slice(from, self.prev_end.saturating_sub(1));
        Ok(self.module.types.intern(Type::Target(text.into())))
    }

    /// `{ ... }`
    fn struct_type(&mut self, packed: bool) -> Res<TypeId> {
        self.expect(b'{')?;
        let fields = self.nested(|parser| parser.list(b'}', Self::value_type))?;
        Ok(self.module.types.intern(Type::Struct { fields: fields.into(), packed }))
    }

    /// The parameters `( ... )` behind a return type.
    fn function_type(&mut self, ret: TypeId) -> Res<TypeId> {
        if matches!(self.module.types.get(ret), Type::Function { .. } | Type::Label | Type::Metadata) {
            return self.error("invalid return type of a function");
        }
        let (params, varargs) = self.nested(|parser| parser.parameter_list(Self::ty))?;
        Ok(self.intern_function(ret, params, varargs))
    }

    pub(super) fn intern_function(&mut self, ret: TypeId, params: Vec<TypeId>, varargs: bool) -> TypeId {
        self.module.types.intern(Type::Function { ret, params: params.into(), varargs })
    }

    /// The id of a named struct, defined or not.
    fn named_struct(&mut self, raw: RawName<'a>) -> StructId {
        let new = |name: &Name| self.module.types.add_named(name.to_string());
        *self.structs.entry(Name::new(raw)).or_insert_with_key(new)
    }

    /// `%name = type ...` at the top level.
    pub(super) fn type_definition(&mut self, raw: RawName<'a>) -> Res<()> {
        let at = self.start;
        self.bump();
        self.expect(b'=')?;
        self.expect_word("type")?;
        let id = self.named_struct(raw);
        if std::mem::replace(&mut self.module.types.named_mut(id).defined, true) {
            return self.error_at(at, format!("redefinition of type '%{}'", raw.text));
        }
        if self.eat_word("opaque") {
            return Ok(());
        }
        let at = self.start;
        let body = self.ty()?;
        let is_struct = matches!(self.module.types.get(body), Type::Struct { .. });
        self.check(is_struct, at, "expected a struct type")?;
        self.module.types.named_mut(id).body = Some(body);
        Ok(())
    }

    /// Rejects structs that contain themselves by value and nesting so deep
    /// that a consumer recursing over a type would exhaust its stack.
    pub(super) fn check_type_nesting(&self) -> Res<()> {
        let types = &self.module.types;
        let parts = |id: TypeId| match types.get(id) {
            Type::Array { elem, .. } | Type::Vector { elem, .. } => std::slice::from_ref(elem),
            Type::Struct { .. } | Type::Named(_) => types.struct_fields(id).map_or(&[][..], |(fields, _)| fields),
            _ => &[],
        };
        let mut nesting = types.table(0u32);
        let edges: Vec<Vec<u32>> = nesting.ids().map(|id| parts(id).iter().map(|part| part.0).collect()).collect();
        let components = Components::of_graph(&edges);
        // Parts come before what they are parts of.
        for id in components.members().into_iter().flatten().map(TypeId::new) {
            if components.on_cycle(id.index()) {
                return self.error_at(0, format!("type '{}' contains itself", types.display(id)));
            }
            nesting[id] = 1 + parts(id).iter().map(|part| nesting[*part]).max().unwrap_or(0);
            self.check(nesting[id] <= MAX_TYPE_NESTING, 0, "types are nested too deeply")?;
        }
        Ok(())
    }
}
