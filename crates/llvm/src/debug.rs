//! Debug information in convenient form.
//!
//! The metadata table keeps nodes as they are written; here are questions
//! about it, answered on demand.  They are tolerant: a missing or unexpected
//! node gives `None` or an empty answer, never an error, because debug
//! information only serves to talk to the user.  Every walk along references is bounded,
//! so cyclic metadata does no harm.

use crate::ast::{DiNode, Function, MdId, MdLocation, MdNode, Metadata, Module};
use crate::inst::{Const, Operand, Value};

/// Longest chain of scopes or type modifiers that is followed.
const MAX_CHAIN: usize = 1000;

/// Where something is declared.
#[derive(Clone, Debug)]
pub struct Place {
    /// The path of the file.
    pub file: String,
    /// Line of the name; 0 if unknown.
    pub line: u32,
}

/// A `DILocalVariable`.
#[derive(Clone, Copy, Debug)]
pub struct LocalVariable<'m> {
    /// The name; may be empty.
    pub name: &'m str,
    pub ty: Option<MdId>,
    /// Whether the compiler made it.
    pub artificial: bool,
}

/// A `DIGlobalVariable`.
#[derive(Clone, Debug)]
pub struct GlobalVariable<'m> {
    /// The name in the source.
    pub name: &'m str,
    pub ty: Option<MdId>,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// The types of a function, as its `DISubprogram` has them.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The result; `None` for `void`.
    pub result: Option<MdId>,
    /// The parameters.
    pub params: Vec<MdId>,
    /// Whether these are not all: `...` follows, or there is no prototype.
    pub open: bool,
}

/// A type of the source language.  A missing base type (`None`) is `void`; sizes are in bits.
#[derive(Clone, Debug)]
pub enum DiType<'m> {
    /// An arithmetic type, e.g. `unsigned int`; the encoding is e.g. `DW_ATE_signed`.
    Basic {
        name: &'m str,
        size: u64,
        encoding: &'m str,
    },
    Pointer {
        to: Option<MdId>,
    },
    Typedef {
        name: &'m str,
        of: Option<MdId>,
    },
    /// `const T` and the like.
    Qualified {
        of: Option<MdId>,
    },
    /// A `struct`, `union` or C++ `class`.
    Record {
        union: bool,
        /// The tag; empty if it has none.
        name: &'m str,
        size: u64,
        /// In order.
        members: Vec<Member<'m>>,
        /// Whether only its name is known.
        declaration: bool,
    },
    /// An array or a vector.
    Array {
        of: Option<MdId>,
        /// Number of elements by dimension; `None` if unknown or variable.
        counts: Vec<Option<u64>>,
        size: u64,
    },
    Enum {
        size: u64,
        /// The underlying type.
        base: Option<MdId>,
    },
    /// A function type or some other type node.
    Other,
}

/// A member of a [`DiType::Record`].
#[derive(Clone, Copy, Debug)]
pub struct Member<'m> {
    /// The name; empty for an anonymous member.
    pub name: &'m str,
    pub ty: Option<MdId>,
    /// In bits.
    pub offset: u64,
    /// In bits.
    pub size: u64,
    pub bit_field: bool,
}

impl Module {
    /// The specialised node with this id.
    pub fn node(&self, id: MdId) -> Option<&DiNode> {
        match self.metadata.get(id)? {
            MdNode::Node(node) => Some(node),
            _ => None,
        }
    }

    fn node_named(&self, id: MdId, name: &str) -> Option<&DiNode> {
        self.node(id).filter(|node| &*node.name == name)
    }

    /// The elements of a tuple.
    pub fn tuple(&self, id: MdId) -> Option<&[Metadata]> {
        match self.metadata.get(id)? {
            MdNode::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// The members that a `!tbaa.struct` lists: offset, size, and the name of the type.  Arrays, unions, bit-fields and all
    /// that may be accessed as anything are called `omnipotent char`.
    pub fn copied_members(&self, id: MdId) -> Option<Vec<(u64, u64, &str)>> {
        let first = |item: &Metadata| self.tuple(item.node()?)?.first();
        // An access is of a type within a type; for a member the two are the same.
        let name = |item: &Metadata| match first(first(item)?)? {
            Metadata::String(name) => Some(&**name),
            _ => None,
        };
        let members = self.tuple(id)?.chunks(3).map(|member| match member {
            [offset, size, access] => Some((number(offset)?, number(size)?, name(access)?)),
            _ => None,
        });
        members.collect()
    }

    /// The path of a `DIFile`: its name, in the directory of the compilation unless it is absolute.
    fn file(&self, id: MdId) -> Option<String> {
        let node = self.node_named(id, "DIFile")?;
        let (directory, name) = (node.text("directory").unwrap_or(""), node.text("filename").unwrap_or(""));
        if directory.is_empty() || name.starts_with('/') {
            return Some(name.to_string());
        }
        Some(format!("{}/{name}", directory.trim_end_matches('/')))
    }

    fn place_of(&self, node: &DiNode) -> Option<Place> {
        let line = u32::try_from(unsigned(node, "line")).unwrap_or(0);
        Some(Place { file: self.file(node.node("file")?)?, line })
    }

    /// The `DILocation` with this id as it is written.
    pub fn location(&self, id: MdId) -> Option<MdLocation> {
        match self.metadata.get(id)? {
            MdNode::Location(location) => Some(*location),
            _ => None,
        }
    }

    /// The path of the file of a scope: its own or that of the next scope around it.
    pub fn file_of_scope(&self, mut scope: MdId) -> Option<String> {
        for _ in 0..MAX_CHAIN {
            let node = self.node(scope)?;
            let own = || self.file(node.node("file")?);
            if let Some(file) = self.file(scope).or_else(own) {
                return Some(file);
            }
            scope = node.node("scope")?;
        }
        None
    }

    /// Where a function is declared.
    pub fn place_of_function(&self, function: &Function) -> Option<Place> {
        self.place_of(self.node_named(function.dbg?, "DISubprogram")?)
    }

    /// The types of a function.
    pub fn signature(&self, function: &Function) -> Option<Signature> {
        let subprogram = self.node_named(function.dbg?, "DISubprogram")?;
        let types = self.node_named(subprogram.node("type")?, "DISubroutineType")?.node("types")?;
        let types: Vec<Option<MdId>> = self.tuple(types)?.iter().map(Metadata::node).collect();
        let (result, params) = types.split_first()?;
        Some(Signature {
            result: *result,
            params: params.iter().flatten().copied().collect(),
            open: params.contains(&None),
        })
    }

    /// A `DILocalVariable`.
    pub fn local_variable(&self, id: MdId) -> Option<LocalVariable<'_>> {
        let node = self.node_named(id, "DILocalVariable")?;
        Some(LocalVariable {
            name: node.text("name").unwrap_or(""),
            ty: node.node("type"),
            artificial: has_flag(node, "DIFlagArtificial"),
        })
    }

    /// A `DIGlobalVariable`, or the one of a `DIGlobalVariableExpression`.
    pub fn global_variable(&self, id: MdId) -> Option<GlobalVariable<'_>> {
        let mut node = self.node(id)?;
        if &*node.name == "DIGlobalVariableExpression" {
            node = self.node(node.node("var")?)?;
        }
        if &*node.name != "DIGlobalVariable" {
            return None;
        }
        Some(GlobalVariable {
            name: node.text("name").unwrap_or(""),
            ty: node.node("type"),
            place: self.place_of(node),
        })
    }

    /// A type.
    pub fn debug_type(&self, id: MdId) -> Option<DiType<'_>> {
        let node = self.node(id)?;
        let name = node.text("name").unwrap_or("");
        let size = unsigned(node, "size");
        let of = node.node("baseType");
        let tag = node.word("tag").unwrap_or("");
        Some(match (&*node.name, tag.trim_start_matches("DW_TAG_").trim_end_matches("_type")) {
            ("DIBasicType", _) => DiType::Basic { name, size, encoding: node.word("encoding").unwrap_or("") },
            ("DIDerivedType", "pointer" | "reference" | "rvalue_reference") => DiType::Pointer { to: of },
            ("DIDerivedType", "typedef") => DiType::Typedef { name, of },
            ("DIDerivedType", "const" | "volatile" | "restrict" | "atomic") => DiType::Qualified { of },
            ("DICompositeType", kind @ ("structure" | "union" | "class")) => DiType::Record {
                union: kind == "union",
                name,
                size,
                members: self.members(node),
                declaration: has_flag(node, "DIFlagFwdDecl"),
            },
            ("DICompositeType", "array") => DiType::Array { of, counts: self.counts(node), size },
            ("DICompositeType", "enumeration") => DiType::Enum { size, base: of },
            _ => DiType::Other,
        })
    }

    /// The nodes in the tuple `elements:`.
    fn elements(&self, node: &DiNode) -> impl Iterator<Item = &DiNode> {
        let items = node.node("elements").and_then(|id| self.tuple(id));
        items.unwrap_or(&[]).iter().filter_map(|item| self.node(item.node()?))
    }

    fn members(&self, node: &DiNode) -> Vec<Member<'_>> {
        self.elements(node)
            .filter(|item| item.word("tag") == Some("DW_TAG_member"))
            .map(|item| Member {
                name: item.text("name").unwrap_or(""),
                ty: item.node("baseType"),
                offset: unsigned(item, "offset"),
                size: unsigned(item, "size"),
                bit_field: has_flag(item, "DIFlagBitField"),
            })
            .collect()
    }

    fn counts(&self, node: &DiNode) -> Vec<Option<u64>> {
        self.elements(node)
            .filter(|item| matches!(&*item.name, "DISubrange" | "DIGenericSubrange"))
            .map(|item| match item.field("count")? {
                // A count of -1 is an array of unknown length.
                Metadata::Int(count) => u64::try_from(*count).ok(),
                count => number(count),
            })
            .collect()
    }

    /// The type without typedefs and modifiers; `None` for `void`.
    pub fn strip(&self, ty: Option<MdId>) -> Option<MdId> {
        let mut ty = ty?;
        for _ in 0..MAX_CHAIN {
            match self.debug_type(ty) {
                Some(DiType::Typedef { of, .. } | DiType::Qualified { of, .. }) => ty = of?,
                _ => return Some(ty),
            }
        }
        None
    }
}

/// A constant such as `i64 7`.
fn number(item: &Metadata) -> Option<u64> {
    match item {
        Metadata::Value(Operand { value: Value::Const(Const::Int(number)), .. }) => u64::try_from(*number).ok(),
        _ => None,
    }
}

/// A size, offset or count; since LLVM 21 it may also be a node, read as 0.
fn unsigned(node: &DiNode, key: &str) -> u64 {
    let value = node.int(key).unwrap_or(0);
    u64::try_from(value).unwrap_or(0)
}

fn has_flag(node: &DiNode, flag: &str) -> bool {
    let flags = node.word("flags").unwrap_or("");
    flags.split(" | ").any(|word| word == flag)
}
