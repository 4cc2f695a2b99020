//! The interned table of LLVM types.
//!
//! Every type of a module lives once in [`Types`]; the rest of the tree holds
//! [`TypeId`]s, so comparing two types is comparing two numbers.  Pointers are
//! always opaque: the `i32*` of LLVM 14 is normalised to [`Type::Ptr`] while
//! reading, because every instruction that needs the pointee type states it.

use crate::keywords::FloatKind;
use base::IdVec;
use rustc_hash::FxHashMap;

base::id!(
    /// Index of a type in [`Types`].  Equal ids mean equal types.
    pub struct TypeId, "type"
);
base::id!(
    /// Index of a named (identified) struct type in [`Types`].
    pub struct StructId, "struct"
);

/// Types that are present in every table, see [`Types::default`].
impl TypeId {
    pub const VOID: TypeId = TypeId(0);
    pub const PTR: TypeId = TypeId(1);
    pub const I1: TypeId = TypeId(2);
    pub const I8: TypeId = TypeId(3);
    pub const I32: TypeId = TypeId(4);
    pub const I64: TypeId = TypeId(5);
    pub const LABEL: TypeId = TypeId(6);
    pub const METADATA: TypeId = TypeId(7);
    pub const TOKEN: TypeId = TypeId(8);
}

impl FloatKind {
    /// Number of significant bits of the format's bit pattern.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::X86Fp80 => 80,
            FloatKind::Fp128 | FloatKind::PpcFp128 => 128,
        }
    }
}

/// One LLVM type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    /// `iN`, with N in 1..=8388608.
    Int(u32),
    Float(FloatKind),
    /// `ptr`, `ptr addrspace(n)` and every typed pointer of LLVM 14.
    Ptr {
        addrspace: u32,
    },
    /// `[len x elem]`
    Array {
        len: u64,
        elem: TypeId,
    },
    /// `<len x elem>`, or `<vscale x len x elem>` if scalable.
    Vector {
        len: u64,
        scalable: bool,
        elem: TypeId,
    },
    /// A literal struct `{ ... }`, or `<{ ... }>`, which is packed: without padding.
    Struct {
        fields: Box<[TypeId]>,
        packed: bool,
    },
    /// A named struct `%name`; see [`Types::named`].
    Named(StructId),
    /// The types of the fixed parameters; whether `...` follows them.
    Function {
        ret: TypeId,
        params: Box<[TypeId]>,
        varargs: bool,
    },
    Label,
    Metadata,
    Token,
    X86Mmx,
    X86Amx,
    /// `target("name", ...)`; the text between the parentheses.
    Target(Box<str>),
}

/// A named struct type `%name = type ...`.
#[derive(Clone, Debug)]
pub struct NamedStruct {
    /// Name without the `%`; decimal digits for a numbered type.
    pub name: String,
    /// The literal [`Type::Struct`] that is its body, `None` for `opaque`.
    pub body: Option<TypeId>,
    /// Whether `%name = type ...` was seen.
    pub(crate) defined: bool,
}

/// All types of a module.
#[derive(Clone, Debug)]
pub struct Types {
    types: IdVec<TypeId, Type>,
    index: FxHashMap<Type, TypeId>,
    named: IdVec<StructId, NamedStruct>,
}

impl Default for Types {
    /// A table with only the predefined types (the constants of [`TypeId`]).
    fn default() -> Self {
        let mut table = Types { types: IdVec::new(), index: FxHashMap::default(), named: IdVec::new() };
        for ty in [
            Type::Void,
            Type::Ptr { addrspace: 0 },
            Type::Int(1),
            Type::Int(8),
            Type::Int(32),
            Type::Int(64),
            Type::Label,
            Type::Metadata,
            Type::Token,
        ] {
            table.intern(ty);
        }
        table
    }
}

impl Types {
    /// A table with the same value for each type.
    pub fn table<T: Clone>(&self, value: T) -> IdVec<TypeId, T> {
        IdVec::filled(value, self.types.len())
    }

    /// The type with this id.
    ///
    /// # Panics
    /// If the id comes from another table.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    /// The id of a type, adding it when it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// The named struct with this id.
    ///
    /// # Panics
    /// If the id comes from another table.
    pub fn named(&self, id: StructId) -> &NamedStruct {
        &self.named[id]
    }

    /// Adds a named struct, at first without body.
    pub(crate) fn add_named(&mut self, name: String) -> StructId {
        self.named.push(NamedStruct { name, body: None, defined: false })
    }

    pub(crate) fn named_mut(&mut self, id: StructId) -> &mut NamedStruct {
        &mut self.named[id]
    }

    /// Fields and packedness of a struct type, literal or named; `None` for an
    /// opaque struct and for other types.
    pub fn struct_fields(&self, id: TypeId) -> Option<(&[TypeId], bool)> {
        let body = match self.get(id) {
            Type::Named(name) => self.named(*name).body?,
            _ => id,
        };
        match self.get(body) {
            Type::Struct { fields, packed } => Some((fields, *packed)),
            _ => None,
        }
    }

    /// Width of an integer type.
    pub fn int_width(&self, id: TypeId) -> Option<u32> {
        match self.get(id) {
            Type::Int(width) => Some(*width),
            _ => None,
        }
    }

    /// Whether the type is a pointer of any address space.
    pub fn is_ptr(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Ptr { .. })
    }

    /// Whether an instruction can produce a value of the type.
    pub fn is_first_class(&self, id: TypeId) -> bool {
        !matches!(self.get(id), Type::Void | Type::Function { .. } | Type::Label | Type::Metadata)
    }

    /// The element type of a vector, any other type itself.
    pub fn scalar(&self, id: TypeId) -> TypeId {
        match self.get(id) {
            Type::Vector { elem, .. } => *elem,
            _ => id,
        }
    }

    /// `elem`, or a vector of it as long as `shape` if that is a vector.
    pub(crate) fn with_shape_of(&mut self, shape: TypeId, elem: TypeId) -> TypeId {
        match *self.get(shape) {
            Type::Vector { len, scalable, .. } => self.intern(Type::Vector { len, scalable, elem }),
            _ => elem,
        }
    }

    /// Type of element `index` of an array, vector or struct.
    pub fn element(&self, id: TypeId, index: u64) -> Option<TypeId> {
        match self.get(id) {
            Type::Array { elem, .. } | Type::Vector { elem, .. } => Some(*elem),
            _ => {
                let (fields, _) = self.struct_fields(id)?;
                fields.get(usize::try_from(index).ok()?).copied()
            }
        }
    }

    /// Return type, parameters and varargs flag of a function type.
    pub fn function(&self, id: TypeId) -> Option<(TypeId, &[TypeId], bool)> {
        match self.get(id) {
            Type::Function { ret, params, varargs } => Some((*ret, params, *varargs)),
            _ => None,
        }
    }

    /// The type as assembly text.
    pub fn display(&self, id: TypeId) -> String {
        let show = |id: TypeId| self.display(id);
        let list = |ids: &[TypeId]| ids.iter().map(|id| show(*id)).collect::<Vec<_>>().join(", ");
        match self.get(id) {
            Type::Void => "void".to_string(),
            Type::Int(width) => format!("i{width}"),
            Type::Float(kind) => kind.word().to_string(),
            Type::Ptr { addrspace: 0 } => "ptr".to_string(),
            Type::Ptr { addrspace } => format!("ptr addrspace({addrspace})"),
            Type::Array { len, elem } => format!("[{len} x {}]", show(*elem)),
            Type::Vector { len, scalable: false, elem } => format!("<{len} x {}>", show(*elem)),
            Type::Vector { len, scalable: true, elem } => format!("<vscale x {len} x {}>", show(*elem)),
            Type::Struct { fields, packed: false } => format!("{{ {} }}", list(fields)),
            Type::Struct { fields, packed: true } => format!("<{{ {} }}>", list(fields)),
            Type::Named(id) => format!("%{}", self.named(*id).name),
            Type::Function { ret, params, varargs } => {
                let more = match (varargs, params.is_empty()) {
                    (false, _) => "",
                    (true, true) => "...",
                    (true, false) => ", ...",
                };
                format!("{} ({}{more})", show(*ret), list(params))
            }
            Type::Label => "label".to_string(),
            Type::Metadata => "metadata".to_string(),
            Type::Token => "token".to_string(),
            Type::X86Mmx => "x86_mmx".to_string(),
            Type::X86Amx => "x86_amx".to_string(),
            Type::Target(text) => format!("target({text})"),
        }
    }
}
