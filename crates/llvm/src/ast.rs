//! The syntax tree of a module.
//!
//! Names are resolved while reading: locals, blocks, globals and metadata
//! nodes are dense numbers, so a consumer can keep its own facts about them in
//! plain vectors.  Instructions and operands are in [`crate::inst`], types in
//! [`crate::types`]; all of them are re-exported at the crate root.

use crate::inst::{Block, Const, Inst, Operand, TypedConst};
use crate::keywords::Linkage;
use crate::lexer::{RawName, unescape};
use crate::types::{TypeId, Types};
use base::IdVec;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt;

base::id!(
    /// A parameter or instruction result of one function: index into
    /// [`Function::locals`].  Parameter `i` of the function is local `i`.
    pub struct LocalId, "%"
);
base::id!(
    /// A basic block of one function: index into [`Function::blocks`], in the
    /// order of the text.  The entry block is 0.
    pub struct BlockId, "block"
);
base::id!(
    /// A global name of the module (variable, function, alias or ifunc): index
    /// into [`Module::symbols`].
    pub struct GlobalId, "@"
);
base::id!(
    /// A metadata node: index into [`Module::metadata`].  Not the number in
    /// the text.
    pub struct MdId, "!"
);

/// Name of a local, a block or a global; while it is read, perhaps a piece of the text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Name<'t> {
    /// A name given by the program, unescaped and without sigil and quotes.
    Named(Cow<'t, str>),
    /// The number LLVM gave to an unnamed value.
    Number(u32),
}

impl<'t> Name<'t> {
    pub(crate) fn new(raw: RawName<'t>) -> Self {
        let is_number = !raw.quoted && raw.text.bytes().all(|b| b.is_ascii_digit());
        match raw.text.parse() {
            Ok(number) if is_number => Name::Number(number),
            _ => Name::Named(unescape(raw.text)),
        }
    }

    /// The name with a text of its own.
    pub(crate) fn to_static(&self) -> Name<'static> {
        match self {
            Name::Named(text) => Name::Named(text.to_string().into()),
            Name::Number(number) => Name::Number(*number),
        }
    }

    /// The given name, `None` for a numbered value.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Name::Named(text) => Some(text),
            Name::Number(_) => None,
        }
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Named(text) => f.write_str(text),
            Name::Number(number) => write!(f, "{number}"),
        }
    }
}

/// A whole `.ll` file.
#[derive(Clone, Default, Debug)]
pub struct Module {
    /// `target datalayout = "..."`
    pub data_layout: Option<String>,
    /// All `module asm` lines joined by newlines; empty if there are none.
    pub module_asm: String,
    /// All types.
    pub types: Types,
    /// Every global name, in order of first mention.
    pub symbols: IdVec<GlobalId, Symbol>,
    /// Functions, declared and defined, in order of the text.
    pub functions: Vec<Function>,
    /// Whether some access says its type, see [`crate::Inst::typed`].
    pub typed: bool,
    /// All metadata nodes: numbered ones and those written inline.
    pub metadata: IdVec<MdId, MdNode>,
    /// `attributes #n = { ... }` by number.
    pub attribute_groups: FxHashMap<u32, Vec<String>>,
    pub(crate) symbol_index: FxHashMap<Name<'static>, GlobalId>,
    /// The nodes `!n` by number.
    pub metadata_index: FxHashMap<u32, MdId>,
}

/// A global name and what it stands for.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name without `@`.
    pub name: Name<'static>,
    pub linkage: Linkage,
    /// What the module says about it.
    pub def: SymbolDef,
}

/// What a global name stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum SymbolDef {
    /// Mentioned but neither declared nor defined (LLVM would refuse this
    /// except for intrinsics).
    Undefined,
    Variable(GlobalVar),
    /// Index into [`Module::functions`].
    Function(usize),
    /// Another name for this.
    Alias(TypedConst),
    /// An indirect function; what its resolver does is not known.
    Ifunc,
}

impl Module {
    /// The id of a global with a given name.
    pub fn symbol(&self, name: &str) -> Option<GlobalId> {
        self.symbol_index.get(&Name::Named(name.to_string().into())).copied()
    }

    /// The given name of a global, `None` if it is numbered.
    pub fn symbol_name(&self, id: GlobalId) -> Option<&str> {
        self.symbols.get(id)?.name.as_str()
    }

    /// The function a global stands for (aliases are not followed).
    pub fn function(&self, id: GlobalId) -> Option<&Function> {
        match self.symbols.get(id)?.def {
            SymbolDef::Function(index) => self.functions.get(index),
            _ => None,
        }
    }

    /// The function of this name.
    pub fn function_named(&self, name: &str) -> Option<&Function> {
        self.function(self.symbol(name)?)
    }

    /// The variable a global stands for (aliases are not followed).
    pub fn variable(&self, id: GlobalId) -> Option<&GlobalVar> {
        match &self.symbols.get(id)?.def {
            SymbolDef::Variable(variable) => Some(variable),
            _ => None,
        }
    }

    /// What an alias stands for.
    pub fn alias(&self, id: GlobalId) -> Option<&TypedConst> {
        match &self.symbols.get(id)?.def {
            SymbolDef::Alias(target) => Some(target),
            _ => None,
        }
    }

    /// Follows aliases whose target is just another global.
    pub fn resolve_alias(&self, id: GlobalId) -> GlobalId {
        self.follow_aliases(id, |_| true)
    }

    /// The same, but only from such aliases on.
    pub fn follow_aliases(&self, mut id: GlobalId, is_followed: impl Fn(GlobalId) -> bool) -> GlobalId {
        // An alias may (wrongly) name itself, so the steps are bounded.
        for _ in 0..=self.symbols.len() {
            match self.alias(id).map(|target| &target.value) {
                Some(Const::Global(next)) if is_followed(id) => id = *next,
                _ => break,
            }
        }
        id
    }

    /// Whether a set has an attribute, itself or through its groups.  Enum
    /// attributes are their keyword (`noreturn`), string attributes their text
    /// including quotes (`"frame-pointer"="all"`).
    pub fn has_attr(&self, set: &AttrSet, name: &str) -> bool {
        let in_group = |number: &u32| {
            let group = self.attribute_groups.get(number);
            group.is_some_and(|attrs| attrs.iter().any(|attr| attr == name))
        };
        set.own.iter().any(|attr| &**attr == name) || set.groups.iter().any(in_group)
    }
}

/// A global variable.
#[derive(Clone, PartialEq, Debug)]
pub struct GlobalVar {
    /// Whether each thread has its own copy (`_Thread_local`).
    pub thread_local: bool,
    /// `constant` instead of `global`.
    pub constant: bool,
    /// Type of the contents (not the pointer).
    pub ty: TypeId,
    /// `None` for a declaration (`external` or `extern_weak`).
    pub init: Option<TypedConst>,
    /// Alignment in bytes.
    pub align: Option<u64>,
    /// The section of the object file that the program chose.
    pub section: Option<String>,
    /// The first `!dbg` attachment, a `DIGlobalVariableExpression`.
    pub dbg: Option<MdId>,
}

/// Attributes of an argument, as far as they say what the call does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParamAttrs {
    /// `byval(T)`: the pointer stands for a copy of the pointee.
    pub byval: Option<TypeId>,
    /// `sret(T)`: the pointer receives the returned struct.
    pub sret: Option<TypeId>,
    /// `align N`
    pub align: Option<u64>,
}

/// Attributes of a function or call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttrSet {
    /// Numbers of groups `#n`; see [`Module::attribute_groups`].
    pub groups: Vec<u32>,
    /// Attributes written in place, as text.
    pub own: Vec<Box<str>>,
}

/// A parameter or instruction result.
#[derive(Clone, Debug)]
pub struct Local {
    /// The name without `%`.
    pub name: Name<'static>,
    /// Type; `void` if the defining instruction is [`crate::Op::Unsupported`].
    pub ty: TypeId,
}

/// A declared or defined function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its symbol.
    pub id: GlobalId,
    /// Return type.
    pub ret: TypeId,
    /// Types of the parameters.  Parameter `i` is local `i`.
    pub params: Vec<TypeId>,
    /// What is said of each parameter.
    pub param_attrs: Vec<ParamAttrs>,
    /// Whether `...` follows the parameters.
    pub varargs: bool,
    /// Function attributes.
    pub attrs: AttrSet,
    /// The section of the object file that the program chose.
    pub section: Option<String>,
    /// The `DISubprogram` attached with `!dbg`.
    pub dbg: Option<MdId>,
    /// Whether the text says `define`.
    pub defined: bool,
    /// Parameters and results; empty for a declaration except parameters.
    pub locals: IdVec<LocalId, Local>,
    /// Basic blocks; empty for a declaration.
    pub blocks: IdVec<BlockId, Block>,
    /// Where variables are declared, in order of the text.  Calls of `llvm.dbg.*`
    /// do not appear among the instructions.
    pub declarations: Vec<Declaration>,
}

impl Function {
    /// All instructions, block by block.
    pub fn insts(&self) -> impl Iterator<Item = &Inst> {
        self.blocks.values().flat_map(|block| &block.insts)
    }
}

/// From where on a variable lives at an address: a call of `llvm.dbg.declare`
/// or a record `#dbg_declare(...)`.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The address.
    pub local: LocalId,
    /// The `DILocalVariable`.
    pub variable: MdId,
    /// The `DILocation`.
    pub location: Option<MdId>,
    /// Block in which it stands.
    pub block: BlockId,
    /// Index of the instruction of that block before which it stands.
    pub before: usize,
}

/// A metadata node.
#[derive(Clone, Debug)]
pub enum MdNode {
    /// Mentioned but not defined.
    Undefined,
    /// `!{...}`
    Tuple(Box<[Metadata]>),
    /// `!DILocation(...)`, by far the most frequent node.
    Location(MdLocation),
    /// Any other `!Name(...)`.
    Node(Box<DiNode>),
}

/// `!DILocation(line: , column: , scope: )`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MdLocation {
    /// Line; 0 if unknown.
    pub line: u32,
    /// Column; 0 if unknown.
    pub column: u32,
    /// The innermost scope.
    pub scope: Option<MdId>,
}

/// An operand of a metadata tuple, the value of a field of a [`DiNode`], or a
/// `metadata` operand of an intrinsic.
#[derive(Clone, Debug, PartialEq)]
pub enum Metadata {
    /// `null`; in a field also something that is not known.
    Null,
    /// `!7`, or a node written in place.
    Node(MdId),
    /// `!"text"`, in a field also `"text"`.
    String(Box<str>),
    /// `i32 7` or `ptr %x`.
    Value(Operand),
    /// An integer, in a field.
    Int(i128),
    /// A word such as `DW_TAG_member`, or several joined by ` | ` such as
    /// `DIFlagPrototyped | DIFlagVector`, in a field.
    Word(Box<str>),
}

/// A specialised node such as `!DILocalVariable(...)`.
#[derive(Clone, Debug)]
pub struct DiNode {
    /// The name without `!`, e.g. `DILocalVariable`.
    pub name: Box<str>,
    /// Its fields in order.  A field without key (as in `!DIExpression`) has
    /// an empty key.
    pub fields: Vec<(Box<str>, Metadata)>,
}

impl DiNode {
    /// The value of a field.
    pub fn field(&self, key: &str) -> Option<&Metadata> {
        let found = self.fields.iter().find(|(name, _)| &**name == key)?;
        Some(&found.1)
    }

    /// A field that is a reference to a node.
    pub fn node(&self, key: &str) -> Option<MdId> {
        self.field(key)?.node()
    }

    /// A field that is a string.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.field(key)? {
            Metadata::String(text) => Some(text),
            _ => None,
        }
    }

    /// A field that is an integer.
    pub fn int(&self, key: &str) -> Option<i128> {
        match self.field(key)? {
            Metadata::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// A field that is a word.
    pub fn word(&self, key: &str) -> Option<&str> {
        match self.field(key)? {
            Metadata::Word(text) => Some(text),
            _ => None,
        }
    }
}

impl Metadata {
    /// The node, if it is one.
    pub fn node(&self) -> Option<MdId> {
        match self {
            Metadata::Node(id) => Some(*id),
            _ => None,
        }
    }
}
