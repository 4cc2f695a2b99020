//! Blocks, instructions, operands and constants.

use crate::ast::{AttrSet, BlockId, GlobalId, LocalId, MdId, Metadata, Name, ParamAttrs};
use crate::keywords::{BinOp, CastOp, FloatPred, IntPred, Ordering, RmwOp};
use crate::types::TypeId;

/// A basic block.  Its last instruction is its only terminator.
#[derive(Clone, Debug)]
pub struct Block {
    /// The name without `%`.
    pub name: Name,
    /// Instructions; never empty.
    pub insts: Vec<Inst>,
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// The local it defines.
    pub result: Option<LocalId>,
    /// Type of the result, `void` if it has none.
    pub ty: TypeId,
    /// What it does.
    pub op: Op,
    /// The `!dbg` attachment, a `DILocation`.
    pub dbg: Option<MdId>,
    /// Whether a `!tbaa` attachment says which type the program accesses.
    pub typed: bool,
}

/// A value with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// Type of the value.
    pub ty: TypeId,
    /// The value.
    pub value: Value,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A parameter or instruction result.
    Local(LocalId),
    /// A constant, including the address of a global.
    Const(Const),
    /// A `metadata` argument of an intrinsic.
    Metadata(Box<Metadata>),
    /// An inline `asm` callee.
    Asm(Box<InlineAsm>),
}

impl Operand {
    /// The local, if the operand is one.
    pub fn local(&self) -> Option<LocalId> {
        match self.value {
            Value::Local(id) => Some(id),
            _ => None,
        }
    }

    /// The constant, if the operand is one.
    pub fn constant(&self) -> Option<&Const> {
        match &self.value {
            Value::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The global, if the operand is just the address of one.
    pub fn global(&self) -> Option<GlobalId> {
        match self.value {
            Value::Const(Const::Global(id)) => Some(id),
            _ => None,
        }
    }
}

/// A constant with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedConst {
    /// Type of the constant.
    pub ty: TypeId,
    /// The constant.
    pub value: Const,
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Const {
    /// An integer of at most 128 bits, truncated to its width (the upper bits
    /// are zero).
    Int(u128),
    /// An integer of a wider type, as written in the text.
    BigInt(Box<str>),
    /// The bit pattern of a floating-point number in the format of its type
    /// (for `x86_fp80` sign and exponent are bits 64 to 79).
    Float(u128),
    /// `null`
    Null,
    /// `undef` or `poison`
    Undef,
    /// `zeroinitializer`
    Zero,
    /// `none`, a token.
    None,
    /// `c"..."`, an array of `i8`.
    Bytes(Box<[u8]>),
    /// The parts of an array, a vector or a struct; the type tells which.
    Items(Box<[TypedConst]>),
    /// `splat (...)`: all elements of the vector are this.
    Splat(Box<TypedConst>),
    /// The address of a global.
    Global(GlobalId),
    /// `blockaddress(@f, %b)`
    BlockAddress(GlobalId, Name),
    /// A constant expression: the operation, on constants.
    Expr(Box<Op>),
}

/// An inline `asm` callee.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct InlineAsm {
    /// The template.
    pub template: String,
    /// The constraints.
    pub constraints: String,
}

/// A call, also of `invoke` and `callbr`.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// The function type; built from the arguments if the text gives only the
    /// return type, so it is always a function type.
    pub fn_ty: TypeId,
    /// Return type.
    pub ret: TypeId,
    /// What is called: a global, a local, another constant or inline asm.
    pub callee: Operand,
    /// The arguments.
    pub args: Vec<Arg>,
    /// Function attributes of the call.
    pub attrs: AttrSet,
    /// The `!tbaa.struct` attachment: the members of the struct that is copied.
    pub members: Option<MdId>,
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Arg {
    /// The value.
    pub value: Operand,
    /// Its attributes.
    pub attrs: ParamAttrs,
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// `ret`
    Ret(Option<Operand>),
    /// `br label %x`
    Br(BlockId),
    /// `br i1 %c, label %x, label %y`
    CondBr {
        /// The condition; an `i8` where clang takes one for a bit.
        cond: Operand,
        /// Target if it holds.
        then: BlockId,
        /// Target if not.
        otherwise: BlockId,
    },
    /// `switch`
    Switch {
        /// The value.
        value: Operand,
        /// Target if no case matches.
        default: BlockId,
        /// The cases; each constant is [`Const::Int`] or [`Const::BigInt`].
        cases: Vec<(TypedConst, BlockId)>,
    },
    /// `indirectbr`
    IndirectBr {
        /// The address, made by `blockaddress`.
        addr: Operand,
        /// Possible targets.
        targets: Vec<BlockId>,
    },
    /// `unreachable`
    Unreachable,
    /// `callbr` (asm goto)
    CallBr {
        /// The call.
        call: Box<Call>,
        /// Target if the asm falls through.
        fallthrough: BlockId,
        /// Other targets.
        indirect: Vec<BlockId>,
    },
    /// `invoke`
    Invoke {
        /// The call.
        call: Box<Call>,
        /// Target if it returns.
        normal: BlockId,
        /// Target if it throws.
        unwind: BlockId,
    },
    /// `resume`
    Resume(Operand),
    /// `landingpad`
    LandingPad,
    /// `fneg`
    FNeg(Operand),
    /// A binary operation.
    Binary {
        /// Which operation.
        op: BinOp,
        /// Left operand.
        lhs: Operand,
        /// Right operand, of the same type.
        rhs: Operand,
    },
    /// `extractelement`
    ExtractElement {
        /// The vector.
        vector: Operand,
        /// The index.
        index: Operand,
    },
    /// `insertelement`
    InsertElement {
        /// The vector.
        vector: Operand,
        /// The new element.
        element: Operand,
        /// The index.
        index: Operand,
    },
    /// `shufflevector`
    ShuffleVector {
        /// First vector.
        a: Operand,
        /// Second vector.
        b: Operand,
        /// A constant vector of `i32`.
        mask: Operand,
    },
    /// `extractvalue`
    ExtractValue {
        /// The struct or array.
        aggregate: Operand,
        /// The path into it.
        path: Vec<u32>,
    },
    /// `insertvalue`
    InsertValue {
        /// The struct or array.
        aggregate: Operand,
        /// The new part.
        element: Operand,
        /// The path into it.
        path: Vec<u32>,
    },
    /// `alloca`
    Alloca {
        /// The allocated type.
        ty: TypeId,
        /// Number of elements; `None` means one.
        count: Option<Operand>,
        /// Alignment in bytes.
        align: Option<u64>,
    },
    /// `load`; the loaded type is that of the instruction.
    Load {
        /// The loaded type.
        ty: TypeId,
        /// The address.
        addr: Operand,
        /// Present for an atomic load.
        atomic: Option<Ordering>,
    },
    /// `store`
    Store {
        /// The stored value.
        value: Operand,
        /// The address.
        addr: Operand,
        /// Present for an atomic store.
        atomic: Option<Ordering>,
    },
    /// `fence`
    Fence(Ordering),
    /// `cmpxchg`; the result is `{ ty, i1 }`.
    CmpXchg {
        /// `weak`
        weak: bool,
        /// The address.
        addr: Operand,
        /// The expected value.
        expected: Operand,
        /// The new value.
        new: Operand,
        /// Ordering on success.
        success: Ordering,
    },
    /// `atomicrmw`; the result is the old value.
    AtomicRmw {
        /// The operation.
        op: RmwOp,
        /// The address.
        addr: Operand,
        /// The operand.
        value: Operand,
        /// Ordering.
        ordering: Ordering,
    },
    /// `getelementptr`
    Gep {
        /// The type the first index steps over.
        source: TypeId,
        /// The base address.
        base: Operand,
        /// The indices.
        indices: Vec<Operand>,
    },
    /// A cast to the type of the instruction.
    Cast {
        /// Which cast.
        op: CastOp,
        /// What is cast.
        value: Operand,
    },
    /// `icmp`
    Icmp {
        /// Which comparison.
        pred: IntPred,
        /// Left operand.
        lhs: Operand,
        /// Right operand, of the same type.
        rhs: Operand,
    },
    /// `fcmp`
    Fcmp {
        /// Which comparison.
        pred: FloatPred,
        /// Left operand.
        lhs: Operand,
        /// Right operand, of the same type.
        rhs: Operand,
    },
    /// `phi`
    Phi {
        /// Values by predecessor.
        incoming: Vec<(Operand, BlockId)>,
    },
    /// `select`
    Select {
        /// The condition.
        cond: Operand,
        /// The value if it holds.
        then: Operand,
        /// The value if not.
        otherwise: Operand,
    },
    /// `freeze`
    Freeze(Operand),
    /// `call`
    Call(Box<Call>),
    /// `va_arg`; the result type is that of the instruction.
    VaArg {
        /// Address of the `va_list`.
        list: Operand,
    },
    /// An instruction that is known to LLVM but not read in detail, such as
    /// `catchpad`.  Only its opcode is kept.
    Unsupported(Box<str>),
    /// Not of LLVM: whoever prepares a module puts it before what must not be
    /// trusted, and says why.
    Refused(Box<str>),
}

impl Op {
    /// Whether the instruction ends a block.
    pub fn is_terminator(&self) -> bool {
        match self {
            Op::Ret(_)
            | Op::Br(_)
            | Op::CondBr { .. }
            | Op::Switch { .. }
            | Op::IndirectBr { .. }
            | Op::Unreachable
            | Op::CallBr { .. }
            | Op::Invoke { .. }
            | Op::Resume(_) => true,
            Op::Unsupported(opcode) => {
                matches!(&**opcode, "catchswitch" | "catchret" | "cleanupret")
            }
            _ => false,
        }
    }

    /// Calls `f` on every block the instruction mentions: the targets of a
    /// terminator, the predecessors of a `phi`.
    pub fn for_each_block_mut(&mut self, mut f: impl FnMut(&mut BlockId)) {
        match self {
            Op::Br(target) => f(target),
            Op::CondBr { then, otherwise, .. } => {
                f(then);
                f(otherwise);
            }
            Op::Switch { default, cases, .. } => {
                f(default);
                cases.iter_mut().for_each(|(_, target)| f(target));
            }
            Op::IndirectBr { targets, .. } => targets.iter_mut().for_each(f),
            Op::CallBr { fallthrough, indirect, .. } => {
                f(fallthrough);
                indirect.iter_mut().for_each(f);
            }
            Op::Invoke { normal, unwind, .. } => {
                f(normal);
                f(unwind);
            }
            Op::Phi { incoming } => incoming.iter_mut().for_each(|(_, from)| f(from)),
            _ => {}
        }
    }

    /// The blocks control can go to from a terminator, with repetitions.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Op::Br(target) => vec![*target],
            Op::CondBr { then, otherwise, .. } => vec![*then, *otherwise],
            Op::Switch { default, cases, .. } => {
                let mut all = vec![*default];
                all.extend(cases.iter().map(|(_, target)| *target));
                all
            }
            Op::IndirectBr { targets, .. } => targets.clone(),
            Op::CallBr { fallthrough, indirect, .. } => {
                let mut all = vec![*fallthrough];
                all.extend(indirect);
                all
            }
            Op::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
            _ => Vec::new(),
        }
    }
}
