//! Blocks, instructions, operands and constants.

use crate::ast::{AttrSet, BlockId, GlobalId, LocalId, MdId, Metadata, Name, ParamAttrs};
use crate::keywords::{BinOp, CastOp, FloatPred, IntPred, Ordering, RmwOp};
use crate::types::TypeId;

/// A basic block.  Its last instruction is its only terminator.
#[derive(Clone, Debug)]
pub struct Block {
    /// The name without `%`.
    pub name: Name<'static>,
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
    pub op: Op,
    /// The `!dbg` attachment, a `DILocation`.
    pub dbg: Option<MdId>,
    /// Whether a `!tbaa` attachment says which type the program accesses.
    pub typed: bool,
}

/// A value with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    pub ty: TypeId,
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
    pub ty: TypeId,
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
    BlockAddress(GlobalId, Name<'static>),
    /// A constant expression: the operation, on constants.
    Expr(Box<Op>),
}

/// An inline `asm` callee.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct InlineAsm {
    pub template: String,
    pub constraints: String,
}

/// A call, also of `invoke` and `callbr`.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// The function type; built from the arguments if the text gives only the
    /// return type, so it is always a function type.
    pub fn_ty: TypeId,
    pub ret: TypeId,
    /// What is called: a global, a local, another constant or inline asm.
    pub callee: Operand,
    pub args: Vec<Arg>,
    /// Function attributes of the call.
    pub attrs: AttrSet,
    /// The `!tbaa.struct` attachment: the members of the struct that is copied.
    pub members: Option<MdId>,
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Arg {
    pub value: Operand,
    pub attrs: ParamAttrs,
}

/// What an instruction does.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    Ret(Option<Operand>),
    /// `br label %x`
    Br(BlockId),
    /// `br i1 %c, label %x, label %y`; the condition is an `i8` where clang takes one for a bit.
    CondBr {
        cond: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    /// Each constant is [`Const::Int`] or [`Const::BigInt`].
    Switch {
        value: Operand,
        default: BlockId,
        cases: Vec<(TypedConst, BlockId)>,
    },
    /// The address is made by `blockaddress`.
    IndirectBr {
        addr: Operand,
        targets: Vec<BlockId>,
    },
    Unreachable,
    /// `callbr` (asm goto)
    CallBr {
        call: Box<Call>,
        fallthrough: BlockId,
        indirect: Vec<BlockId>,
    },
    Invoke {
        call: Box<Call>,
        normal: BlockId,
        unwind: BlockId,
    },
    Resume(Operand),
    LandingPad,
    FNeg(Operand),
    /// Both operands have the same type, as those of comparisons.
    Binary {
        op: BinOp,
        lhs: Operand,
        rhs: Operand,
    },
    ExtractElement {
        vector: Operand,
        index: Operand,
    },
    InsertElement {
        vector: Operand,
        element: Operand,
        index: Operand,
    },
    /// The mask is a constant vector of `i32`.
    ShuffleVector {
        a: Operand,
        b: Operand,
        mask: Operand,
    },
    ExtractValue {
        aggregate: Operand,
        path: Vec<u32>,
    },
    InsertValue {
        aggregate: Operand,
        element: Operand,
        path: Vec<u32>,
    },
    /// The allocated type; the number of elements, one if there is none; the alignment in bytes.
    Alloca {
        ty: TypeId,
        count: Option<Operand>,
        align: Option<u64>,
    },
    Load {
        ty: TypeId,
        addr: Operand,
        atomic: Option<Ordering>,
    },
    Store {
        value: Operand,
        addr: Operand,
        atomic: Option<Ordering>,
    },
    Fence(Ordering),
    /// The result is `{ ty, i1 }`; the ordering is that on success.
    CmpXchg {
        weak: bool,
        addr: Operand,
        expected: Operand,
        new: Operand,
        success: Ordering,
    },
    /// The result is the old value.
    AtomicRmw {
        op: RmwOp,
        addr: Operand,
        value: Operand,
        ordering: Ordering,
    },
    /// `getelementptr`; the source is the type that the first index steps over.
    Gep {
        source: TypeId,
        base: Operand,
        indices: Vec<Operand>,
    },
    /// A cast to the type of the instruction or constant.
    Cast {
        op: CastOp,
        value: Operand,
    },
    Icmp {
        pred: IntPred,
        lhs: Operand,
        rhs: Operand,
    },
    Fcmp {
        pred: FloatPred,
        lhs: Operand,
        rhs: Operand,
    },
    /// Values by predecessor.
    Phi {
        incoming: Vec<(Operand, BlockId)>,
    },
    Select {
        cond: Operand,
        then: Operand,
        otherwise: Operand,
    },
    Freeze(Operand),
    Call(Box<Call>),
    /// The operand is the address of the `va_list`; the result type is that of the instruction.
    VaArg {
        list: Operand,
    },
    /// An instruction that is known to LLVM but not read in detail, such as
    /// `catchpad`.  Only its opcode is kept.
    Unsupported(Box<str>),
    /// Not of LLVM: whoever prepares a module puts it before what must not be
    /// trusted, and says why.
    Refused(Box<str>),
}

/// The blocks that an instruction mentions, for those who look at them and those who change them.
macro_rules! blocks {
    ($op:expr, $f:ident) => {
        match $op {
            Op::Br(target) => $f(target),
            Op::CondBr { then: one, otherwise: other, .. } | Op::Invoke { normal: one, unwind: other, .. } => {
                $f(one);
                $f(other);
            }
            Op::Switch { default, cases, .. } => {
                $f(default);
                cases.into_iter().for_each(|(_, target)| $f(target));
            }
            Op::IndirectBr { targets, .. } => targets.into_iter().for_each($f),
            Op::CallBr { fallthrough, indirect, .. } => {
                $f(fallthrough);
                indirect.into_iter().for_each($f);
            }
            Op::Phi { incoming } => incoming.into_iter().for_each(|(_, from)| $f(from)),
            _ => {}
        }
    };
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
        blocks!(self, f);
    }

    /// The blocks control can go to from a terminator, with repetitions.
    pub fn successors(&self) -> Vec<BlockId> {
        let mut found = Vec::new();
        let mut note = |target: &BlockId| found.push(*target);
        if self.is_terminator() {
            blocks!(self, note);
        }
        found
    }

    /// Calls `f` for each operand.  Those of a `phi` are used at the end of other blocks.
    pub fn for_each_operand<'a>(&'a self, f: &mut impl FnMut(&'a Operand)) {
        match self {
            Op::Br(_) | Op::Unreachable | Op::LandingPad | Op::Fence(_) | Op::Unsupported(_) | Op::Refused(_) => (),
            Op::Ret(value) | Op::Alloca { count: value, .. } => value.iter().for_each(f),
            Op::Phi { incoming } => incoming.iter().for_each(|(value, _)| f(value)),
            Op::CallBr { call, .. } | Op::Invoke { call, .. } | Op::Call(call) => {
                f(&call.callee);
                call.args.iter().for_each(|arg| f(&arg.value));
            }
            Op::CondBr { cond: value, .. }
            | Op::Switch { value, .. }
            | Op::IndirectBr { addr: value, .. }
            | Op::Resume(value)
            | Op::Freeze(value)
            | Op::FNeg(value)
            | Op::Cast { value, .. }
            | Op::ExtractValue { aggregate: value, .. }
            | Op::Load { addr: value, .. }
            | Op::VaArg { list: value } => f(value),
            Op::Binary { lhs: a, rhs: b, .. }
            | Op::Icmp { lhs: a, rhs: b, .. }
            | Op::Fcmp { lhs: a, rhs: b, .. }
            | Op::ExtractElement { vector: a, index: b }
            | Op::ShuffleVector { a, b, .. }
            | Op::InsertValue { aggregate: a, element: b, .. }
            | Op::Store { value: a, addr: b, .. }
            | Op::AtomicRmw { value: a, addr: b, .. } => [a, b].into_iter().for_each(f),
            Op::InsertElement { vector: a, element: b, index: c }
            | Op::CmpXchg { addr: a, expected: b, new: c, .. }
            | Op::Select { cond: a, then: b, otherwise: c } => [a, b, c].into_iter().for_each(f),
            Op::Gep { base, indices, .. } => {
                f(base);
                indices.iter().for_each(f);
            }
        }
    }

    /// Is an operand of it the local?
    pub fn uses(&self, local: LocalId) -> bool {
        let mut found = false;
        self.for_each_operand(&mut |operand| found |= operand.local() == Some(local));
        found
    }
}
