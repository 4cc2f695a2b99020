//! Debug information in convenient form.
//!
//! The metadata table keeps nodes as they are written; [`DebugInfo`] answers
//! questions about it on demand.  It is tolerant: a missing or unexpected node
//! gives `None` or an empty answer, never an error, because debug information
//! only serves to talk to the user.  Every walk along references is bounded,
//! so cyclic metadata does no harm.

use crate::ast::{DiNode, DiValue, Function, GlobalVar, MdId, MdKind, MdLocation, Metadata, Module};
use crate::inst::{Const, Value};

/// Longest chain of scopes or type modifiers that is followed.
const MAX_CHAIN: usize = 1000;
/// Deepest nesting of types that is printed.
const MAX_PRINT: usize = 16;

/// Questions about the debug information of a module.
#[derive(Clone, Copy)]
pub struct DebugInfo<'m> {
    module: &'m Module,
}

/// A `DIFile`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SourceFile<'m> {
    /// The directory of the compilation.
    pub directory: &'m str,
    /// The name, relative to the directory unless absolute.
    pub filename: &'m str,
}

impl SourceFile<'_> {
    /// Directory and name joined.
    pub fn path(&self) -> String {
        if self.directory.is_empty() || self.filename.starts_with('/') {
            return self.filename.to_string();
        }
        format!("{}/{}", self.directory.trim_end_matches('/'), self.filename)
    }
}

/// A place in the source.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SourceLoc<'m> {
    /// The file of the innermost scope.
    pub file: Option<SourceFile<'m>>,
    /// Line; 0 if unknown.
    pub line: u32,
    /// Column; 0 if unknown.
    pub column: u32,
    /// The `DISubprogram` around it.
    pub subprogram: Option<MdId>,
    /// The name of that subprogram.
    pub function: Option<&'m str>,
    /// The innermost scope: a `DILexicalBlock(File)` or `DISubprogram`.
    pub scope: Option<MdId>,
    /// The location of the inlined call.
    pub inlined_at: Option<MdId>,
}

/// A `DISubprogram`.
#[derive(Clone, Copy, Debug)]
pub struct Subprogram<'m> {
    /// The name in the source.
    pub name: &'m str,
    /// The name for the linker, if different.
    pub linkage_name: Option<&'m str>,
    /// The file.
    pub file: Option<SourceFile<'m>>,
    /// Line of the name.
    pub line: u32,
    /// Line of the opening brace.
    pub scope_line: u32,
    /// The `DISubroutineType`.
    pub ty: Option<MdId>,
}

/// A `DILocalVariable`.
#[derive(Clone, Copy, Debug)]
pub struct LocalVariable<'m> {
    /// The name; may be empty.
    pub name: &'m str,
    /// Number of the parameter from 1, or 0 for other variables.
    pub arg: u32,
    /// The type.
    pub ty: Option<MdId>,
    /// The scope it is declared in.
    pub scope: Option<MdId>,
    /// The file.
    pub file: Option<SourceFile<'m>>,
    /// The line.
    pub line: u32,
    /// Whether the compiler made it.
    pub artificial: bool,
}

/// A `DIGlobalVariable`.
#[derive(Clone, Copy, Debug)]
pub struct GlobalVariable<'m> {
    /// The name in the source.
    pub name: &'m str,
    /// The name for the linker, if different.
    pub linkage_name: Option<&'m str>,
    /// The type.
    pub ty: Option<MdId>,
    /// The scope: the compile unit, or a subprogram or lexical block for a
    /// `static` local.
    pub scope: Option<MdId>,
    /// The file.
    pub file: Option<SourceFile<'m>>,
    /// The line.
    pub line: u32,
    /// `isLocal`: it is `static`.
    pub local: bool,
}

/// A type modifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Qualifier {
    /// `const`
    Const,
    /// `volatile`
    Volatile,
    /// `restrict`
    Restrict,
    /// `_Atomic`
    Atomic,
}

/// A type of the source language.  A missing base type (`None`) is `void`.
#[derive(Clone, Debug)]
pub enum DiType<'m> {
    /// An arithmetic type.
    Basic {
        /// E.g. `unsigned int`.
        name: &'m str,
        /// Size in bits.
        size: u64,
        /// E.g. `DW_ATE_signed`.
        encoding: &'m str,
    },
    /// A pointer.
    Pointer {
        /// What it points to.
        to: Option<MdId>,
        /// Size in bits.
        size: u64,
    },
    /// A `typedef`.
    Typedef {
        /// The new name.
        name: &'m str,
        /// The type it stands for.
        of: Option<MdId>,
    },
    /// `const T` and the like.
    Qualified {
        /// Which modifier.
        qualifier: Qualifier,
        /// The type without it.
        of: Option<MdId>,
    },
    /// A `struct`, `union` or C++ `class`.
    Record {
        /// Whether it is a `union`.
        union: bool,
        /// The tag; empty if it has none.
        name: &'m str,
        /// Size in bits.
        size: u64,
        /// The members in order.
        members: Vec<Member<'m>>,
        /// Whether only its name is known.
        declaration: bool,
    },
    /// An array or a vector.
    Array {
        /// The element type.
        of: Option<MdId>,
        /// Number of elements by dimension; `None` if unknown or variable.
        counts: Vec<Option<u64>>,
        /// Size in bits.
        size: u64,
        /// Whether it is a vector.
        vector: bool,
    },
    /// An `enum`.
    Enum {
        /// The tag; empty if it has none.
        name: &'m str,
        /// Size in bits.
        size: u64,
        /// The underlying type.
        base: Option<MdId>,
        /// Names and values.
        values: Vec<(&'m str, i128)>,
    },
    /// A function type.
    Subroutine {
        /// The return type.
        ret: Option<MdId>,
        /// The parameters.
        params: Vec<Option<MdId>>,
        /// Whether `...` follows.
        varargs: bool,
    },
    /// Some other type node.
    Other {
        /// Its tag or node name.
        tag: &'m str,
        /// Its name; may be empty.
        name: &'m str,
    },
}

/// A member of a [`DiType::Record`].
#[derive(Clone, Copy, Debug)]
pub struct Member<'m> {
    /// The name; empty for an anonymous member.
    pub name: &'m str,
    /// The type.
    pub ty: Option<MdId>,
    /// Offset in bits.
    pub offset: u64,
    /// Size in bits.
    pub size: u64,
    /// Whether it is a bit-field.
    pub bit_field: bool,
    /// The line.
    pub line: u32,
}

impl<'m> DebugInfo<'m> {
    /// Debug information of a module.
    pub fn new(module: &'m Module) -> Self {
        DebugInfo { module }
    }

    /// The specialised node with this id.
    pub fn node(&self, id: MdId) -> Option<&'m DiNode> {
        match &self.module.md(id)?.kind {
            MdKind::Node(node) => Some(node),
            _ => None,
        }
    }

    fn node_named(&self, id: MdId, name: &str) -> Option<&'m DiNode> {
        self.node(id).filter(|node| &*node.name == name)
    }

    /// The elements of a tuple.
    pub fn tuple(&self, id: MdId) -> Option<&'m [Metadata]> {
        match &self.module.md(id)?.kind {
            MdKind::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// A `DIFile`.
    pub fn file(&self, id: MdId) -> Option<SourceFile<'m>> {
        let node = self.node_named(id, "DIFile")?;
        Some(SourceFile {
            directory: node.text("directory").unwrap_or(""),
            filename: node.text("filename").unwrap_or(""),
        })
    }

    fn file_of(&self, node: &DiNode) -> Option<SourceFile<'m>> {
        self.file(node.node("file")?)
    }

    /// The `DILocation` with this id as it is written.
    pub fn raw_location(&self, id: MdId) -> Option<MdLocation> {
        match &self.module.md(id)?.kind {
            MdKind::Location(location) => Some(*location),
            _ => None,
        }
    }

    /// A `DILocation` with its file and function.
    pub fn location(&self, id: MdId) -> Option<SourceLoc<'m>> {
        let raw = self.raw_location(id)?;
        let subprogram = raw.scope.and_then(|scope| self.subprogram_of(scope));
        let function = subprogram.and_then(|id| self.node(id)?.text("name"));
        Some(SourceLoc {
            file: raw.scope.and_then(|scope| self.file_of_scope(scope)),
            line: raw.line,
            column: raw.column,
            subprogram,
            function,
            scope: raw.scope,
            inlined_at: raw.inlined_at,
        })
    }

    /// The file of a scope: its own or that of the next scope around it.
    fn file_of_scope(&self, mut scope: MdId) -> Option<SourceFile<'m>> {
        for _ in 0..MAX_CHAIN {
            let node = self.node(scope)?;
            if &*node.name == "DIFile" {
                return self.file(scope);
            }
            if let Some(file) = self.file_of(node) {
                return Some(file);
            }
            scope = node.node("scope")?;
        }
        None
    }

    /// The `DISubprogram` around a scope (or the scope itself).
    pub fn subprogram_of(&self, mut scope: MdId) -> Option<MdId> {
        for _ in 0..MAX_CHAIN {
            let node = self.node(scope)?;
            if &*node.name == "DISubprogram" {
                return Some(scope);
            }
            scope = node.node("scope")?;
        }
        None
    }

    /// A `DISubprogram`.
    pub fn subprogram(&self, id: MdId) -> Option<Subprogram<'m>> {
        let node = self.node_named(id, "DISubprogram")?;
        Some(Subprogram {
            name: node.text("name").unwrap_or(""),
            linkage_name: node.text("linkageName"),
            file: self.file_of(node),
            line: unsigned32(node, "line"),
            scope_line: unsigned32(node, "scopeLine"),
            ty: node.node("type"),
        })
    }

    /// The `DISubprogram` of a function.
    pub fn function(&self, function: &Function) -> Option<Subprogram<'m>> {
        self.subprogram(function.dbg?)
    }

    /// A `DILocalVariable`.
    pub fn local_variable(&self, id: MdId) -> Option<LocalVariable<'m>> {
        let node = self.node_named(id, "DILocalVariable")?;
        Some(LocalVariable {
            name: node.text("name").unwrap_or(""),
            arg: unsigned32(node, "arg"),
            ty: node.node("type"),
            scope: node.node("scope"),
            file: self.file_of(node),
            line: unsigned32(node, "line"),
            artificial: has_flag(node, "DIFlagArtificial"),
        })
    }

    /// A `DIGlobalVariable`, or the one of a `DIGlobalVariableExpression`.
    pub fn global_variable(&self, id: MdId) -> Option<GlobalVariable<'m>> {
        let mut node = self.node(id)?;
        if &*node.name == "DIGlobalVariableExpression" {
            node = self.node(node.node("var")?)?;
        }
        if &*node.name != "DIGlobalVariable" {
            return None;
        }
        Some(GlobalVariable {
            name: node.text("name").unwrap_or(""),
            linkage_name: node.text("linkageName"),
            ty: node.node("type"),
            scope: node.node("scope"),
            file: self.file_of(node),
            line: unsigned32(node, "line"),
            local: node.flag("isLocal").unwrap_or(false),
        })
    }

    /// The `DIGlobalVariable` of a variable.
    pub fn variable(&self, variable: &GlobalVar) -> Option<GlobalVariable<'m>> {
        self.global_variable(*variable.dbg.first()?)
    }

    /// A type.
    pub fn ty(&self, id: MdId) -> Option<DiType<'m>> {
        let node = self.node(id)?;
        let name = node.text("name").unwrap_or("");
        let size = unsigned(node, "size");
        let of = node.node("baseType");
        let tag = node.word("tag").unwrap_or("");
        Some(match &*node.name {
            "DIBasicType" => DiType::Basic { name, size, encoding: node.word("encoding").unwrap_or("") },
            "DIDerivedType" => self.derived(tag, name, size, of),
            "DICompositeType" => self.composite(node, tag, name, size, of),
            "DISubroutineType" => self.subroutine(node),
            other => DiType::Other { tag: other, name },
        })
    }

    fn derived(&self, tag: &'m str, name: &'m str, size: u64, of: Option<MdId>) -> DiType<'m> {
        let qualified = |qualifier| DiType::Qualified { qualifier, of };
        match tag {
            "DW_TAG_pointer_type" | "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type" => {
                DiType::Pointer { to: of, size }
            }
            "DW_TAG_typedef" => DiType::Typedef { name, of },
            "DW_TAG_const_type" => qualified(Qualifier::Const),
            "DW_TAG_volatile_type" => qualified(Qualifier::Volatile),
            "DW_TAG_restrict_type" => qualified(Qualifier::Restrict),
            "DW_TAG_atomic_type" => qualified(Qualifier::Atomic),
            _ => DiType::Other { tag, name },
        }
    }

    fn composite(&self, node: &'m DiNode, tag: &'m str, name: &'m str, size: u64, of: Option<MdId>) -> DiType<'m> {
        match tag {
            "DW_TAG_structure_type" | "DW_TAG_union_type" | "DW_TAG_class_type" => DiType::Record {
                union: tag == "DW_TAG_union_type",
                name,
                size,
                members: self.members(node),
                declaration: has_flag(node, "DIFlagFwdDecl"),
            },
            "DW_TAG_array_type" => {
                DiType::Array { of, counts: self.counts(node), size, vector: has_flag(node, "DIFlagVector") }
            }
            "DW_TAG_enumeration_type" => DiType::Enum { name, size, base: of, values: self.enumerators(node) },
            _ => DiType::Other { tag, name },
        }
    }

    /// The nodes in the tuple `elements:`.
    fn elements(&self, node: &DiNode) -> impl Iterator<Item = &'m DiNode> {
        let this = *self;
        let items = node.node("elements").and_then(|id| self.tuple(id));
        items.unwrap_or(&[]).iter().filter_map(move |item| match item {
            Metadata::Node(id) => this.node(*id),
            _ => None,
        })
    }

    fn members(&self, node: &DiNode) -> Vec<Member<'m>> {
        self.elements(node)
            .filter(|item| item.word("tag") == Some("DW_TAG_member"))
            .map(|item| Member {
                name: item.text("name").unwrap_or(""),
                ty: item.node("baseType"),
                offset: unsigned(item, "offset"),
                size: unsigned(item, "size"),
                bit_field: has_flag(item, "DIFlagBitField"),
                line: unsigned32(item, "line"),
            })
            .collect()
    }

    fn counts(&self, node: &DiNode) -> Vec<Option<u64>> {
        self.elements(node)
            .filter(|item| matches!(&*item.name, "DISubrange" | "DIGenericSubrange"))
            .map(|item| match item.field("count")? {
                // A count of -1 is an array of unknown length.
                DiValue::Int(count) => u64::try_from(*count).ok(),
                DiValue::Value(operand) => match operand.value {
                    Value::Const(Const::Int(count)) => u64::try_from(count).ok(),
                    _ => None,
                },
                _ => None,
            })
            .collect()
    }

    fn enumerators(&self, node: &DiNode) -> Vec<(&'m str, i128)> {
        self.elements(node)
            .filter(|item| &*item.name == "DIEnumerator")
            .map(|item| (item.text("name").unwrap_or(""), item.int("value").unwrap_or(0)))
            .collect()
    }

    fn subroutine(&self, node: &DiNode) -> DiType<'m> {
        let items = node.node("types").and_then(|id| self.tuple(id));
        let mut types = items.unwrap_or(&[]).iter().map(|item| match item {
            Metadata::Node(id) => Some(*id),
            _ => None,
        });
        let ret = types.next().flatten();
        let mut params: Vec<_> = types.collect();
        // A last `null` stands for `...`.
        let varargs = params.last().is_some_and(Option::is_none);
        if varargs {
            params.pop();
        }
        DiType::Subroutine { ret, params, varargs }
    }

    /// The type without typedefs and modifiers; `None` for `void`.
    pub fn strip(&self, ty: Option<MdId>) -> Option<MdId> {
        let mut ty = ty?;
        for _ in 0..MAX_CHAIN {
            match self.ty(ty) {
                Some(DiType::Typedef { of, .. } | DiType::Qualified { of, .. }) => ty = of?,
                _ => return Some(ty),
            }
        }
        None
    }

    /// Whether a modifier is applied to the type, possibly under typedefs.
    pub fn is_qualified(&self, ty: Option<MdId>, wanted: Qualifier) -> bool {
        let mut ty = ty;
        for _ in 0..MAX_CHAIN {
            match ty.and_then(|id| self.ty(id)) {
                Some(DiType::Qualified { qualifier, .. }) if qualifier == wanted => return true,
                Some(DiType::Typedef { of, .. } | DiType::Qualified { of, .. }) => ty = of,
                _ => return false,
            }
        }
        false
    }

    /// The type as one would write it in C, roughly.
    pub fn type_name(&self, ty: Option<MdId>) -> String {
        self.print(ty, MAX_PRINT)
    }

    fn print(&self, ty: Option<MdId>, depth: usize) -> String {
        let Some(id) = ty else {
            return "void".to_string();
        };
        let (Some(ty), Some(depth)) = (self.ty(id), depth.checked_sub(1)) else {
            return "?".to_string();
        };
        let tagged = |word: &str, name: &str| match name {
            "" => format!("{word} {{...}}"),
            _ => format!("{word} {name}"),
        };
        match ty {
            DiType::Basic { name, .. } | DiType::Typedef { name, .. } => name.to_string(),
            DiType::Pointer { to, .. } => {
                let to_function = to.and_then(|id| self.ty(id));
                if let Some(DiType::Subroutine { ret, params, varargs }) = to_function {
                    let params = self.print_params(&params, varargs, depth);
                    return format!("{} (*)({params})", self.print(ret, depth));
                }
                let inner = self.print(to, depth);
                let space = if inner.ends_with('*') { "" } else { " " };
                format!("{inner}{space}*")
            }
            DiType::Qualified { qualifier, of } => {
                let word = match qualifier {
                    Qualifier::Const => "const",
                    Qualifier::Volatile => "volatile",
                    Qualifier::Restrict => "restrict",
                    Qualifier::Atomic => "_Atomic",
                };
                let inner = self.print(of, depth);
                // A modifier of the pointer itself stands after the star.
                if inner.ends_with('*') { format!("{inner}{word}") } else { format!("{word} {inner}") }
            }
            DiType::Record { union, name, .. } => tagged(if union { "union" } else { "struct" }, name),
            DiType::Enum { name, .. } => tagged("enum", name),
            DiType::Array { of, counts, .. } => {
                let mut text = self.print(of, depth);
                for count in counts {
                    match count {
                        Some(count) => text.push_str(&format!("[{count}]")),
                        None => text.push_str("[]"),
                    }
                }
                text
            }
            DiType::Subroutine { ret, params, varargs } => {
                let params = self.print_params(&params, varargs, depth);
                format!("{} ({params})", self.print(ret, depth))
            }
            DiType::Other { tag, name: "" } => tag.to_string(),
            DiType::Other { name, .. } => name.to_string(),
        }
    }

    fn print_params(&self, params: &[Option<MdId>], varargs: bool, depth: usize) -> String {
        // A hostile type could double at every level; a few are enough to read.
        let shown = params.iter().take(8).map(|param| self.print(*param, depth.min(4)));
        let mut texts: Vec<String> = shown.collect();
        if varargs || params.len() > 8 {
            texts.push("...".to_string());
        }
        texts.join(", ")
    }
}

/// A size, offset or count; since LLVM 21 it may also be a node, read as 0.
fn unsigned(node: &DiNode, key: &str) -> u64 {
    let value = node.int(key).unwrap_or(0);
    u64::try_from(value).unwrap_or(0)
}

fn unsigned32(node: &DiNode, key: &str) -> u32 {
    u32::try_from(unsigned(node, key)).unwrap_or(0)
}

fn has_flag(node: &DiNode, flag: &str) -> bool {
    let flags = node.word("flags").unwrap_or("");
    flags.split(" | ").any(|word| word == flag)
}
