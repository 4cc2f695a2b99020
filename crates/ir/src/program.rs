//! The program: data types only.  `text` prints and parses it, `validate` says when it is well formed, `interp` what it means.

use crate::Check;
use crate::layout::{Layout, LayoutId};
use base::{IdVec, Pos};
use std::collections::BTreeSet;

base::id!(
    /// A static object: a global variable, a string literal, a thread-local template.
    pub struct ObjectId, "object"
);
base::id!(
    /// A function.
    pub struct FuncId, "func"
);
base::id!(
    /// A register of one function.
    pub struct Reg, "%"
);
base::id!(
    /// A basic block of one function.
    pub struct BlockId, "b"
);

/// The widths of pointers and `long`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DataModel {
    Ilp32,
    #[default]
    Lp64,
}

impl DataModel {
    pub fn pointer_bits(self) -> u8 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
    pub fn pointer_bytes(self) -> u64 {
        u64::from(self.pointer_bits() / 8)
    }
}

/// The type of a register, an expression or an access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// An integer of 1 to 128 bits; signedness is in the operations.
    Int(u8),
    F32,
    F64,
    /// x87 extended precision.
    F80,
    F128,
    Ptr,
}

impl Ty {
    pub const BOOL: Ty = Ty::Int(1);

    pub fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128)
    }

    /// The bits of the exponent, if it is an interchange format of IEEE 754.  The 80 bits of x87 are none: they have numbers
    /// that can be written in two ways.
    pub fn exponent_bits(self) -> Option<u32> {
        match self {
            Ty::F32 => Some(8),
            Ty::F64 => Some(11),
            Ty::F128 => Some(15),
            Ty::F80 | Ty::Int(_) | Ty::Ptr => None,
        }
    }
}

/// Which names heap blocks get.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BlockNames {
    /// A block may, by free choice, get the name of one of its size that was freed: pointers that were left to that one then
    /// point to the new one.
    Reused,
    /// The same also where no pointer to the freed one is left that looks like one: for programs that compute with the numbers
    /// of pointers, and so can keep them in ways that are not seen.
    Kept,
    /// No block gets the name of another: for programs that say themselves what is used again.
    Unique,
}

/// Which numbers new threads get as handles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HandleNames {
    /// The lowest that no thread has: for programs that do nothing with handles but join and detach, so that it makes no
    /// difference.
    Lowest,
    /// A new one or, by free choice, one of a thread that has ended and been joined, or was detached.
    Reused,
    /// A new one: for programs that do nothing with handles but join and detach, and have locks whose owner matters, which may
    /// have ended.
    Unique,
    /// A new one as long as no thread has ended; then none is started any more, which is not supported: for programs that look at
    /// handles, and have such locks.
    Refused,
}

/// A whole program.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    pub data_model: DataModel,
    pub block_names: BlockNames,
    pub handle_names: HandleNames,
    /// Names of the source files that positions refer to.
    pub files: IdVec<base::FileId, String>,
    pub layouts: IdVec<LayoutId, NamedLayout>,
    pub objects: IdVec<ObjectId, Object>,
    pub functions: IdVec<FuncId, Function>,
    /// Where the first thread starts; takes no arguments.  Its return ends the whole program.
    pub entry: FuncId,
}

#[derive(Clone, PartialEq, Debug)]
pub struct NamedLayout {
    pub name: String,
    pub layout: Layout,
}

/// A static object.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    pub name: String,
    pub layout: Layout,
    pub size: u64,
    pub align: u64,
    /// Each thread has its own copy, initialised when the thread starts.
    pub thread_local: bool,
    /// Never written; a store to it is a memory error.
    pub constant: bool,
    /// Not a variable of the user's (string literals, model state): traces leave it out.
    pub internal: bool,
    /// What the bytes hold at first, in ascending offset; bytes not mentioned are zero.
    pub init: Vec<Init>,
    pub pos: Pos,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Init {
    pub offset: u64,
    pub value: InitValue,
}

#[derive(Clone, PartialEq, Debug)]
pub enum InitValue {
    /// A scalar of the given type, by its bits.
    Scalar(Ty, u128),
    Bytes(Vec<u8>),
    /// The address of a static object plus an offset.
    Object(ObjectId, i64),
    Function(FuncId),
}

impl Init {
    /// The bytes it stands for; `pointer` gives the bits of the address of a static object plus an offset, or of a function.
    pub fn bytes(&self, program: &Program, pointer: &dyn Fn(&InitValue) -> u128) -> Vec<u8> {
        let number = |ty: Ty, bits: u128| bits.to_le_bytes()[..program.size_of(ty) as usize].to_vec();
        match &self.value {
            InitValue::Scalar(ty, bits) => number(*ty, *bits),
            InitValue::Bytes(bytes) => bytes.clone(),
            address @ (InitValue::Object(..) | InitValue::Function(_)) => number(Ty::Ptr, pointer(address)),
        }
    }
}

impl Object {
    /// What the bytes hold at first, up to the last one that is mentioned; `pointer` as for [`Init::bytes`].
    pub fn initial_bytes(&self, program: &Program, pointer: &dyn Fn(&InitValue) -> u128) -> Vec<u8> {
        let mut bytes = Vec::new();
        for init in &self.init {
            bytes.resize(init.offset as usize, 0);
            bytes.extend(init.bytes(program, pointer));
        }
        bytes
    }
}

/// A function: a control-flow graph that starts at the first block.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Function {
    pub name: String,
    /// The registers that receive the arguments.
    pub params: Vec<Reg>,
    pub result: Option<Ty>,
    pub regs: IdVec<Reg, RegData>,
    pub blocks: IdVec<BlockId, Block>,
    /// Part of the model of a library, not of the user's program: traces show the call, not the inside.
    pub model: bool,
    pub pos: Pos,
}

#[derive(Clone, PartialEq, Debug)]
pub struct RegData {
    /// Unique within the function; the user's name for the user's variables (with `.1`, `.2` for shadowed ones).
    pub name: String,
    pub ty: Ty,
    /// For display: how the user declared it (sign, what a pointer points to).
    pub layout: Option<Layout>,
    /// The user's variable, not a temporary: traces show its changes.
    pub user: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Unique within the function.
    pub name: String,
    pub insts: Vec<Inst>,
    pub term: Term,
    pub term_pos: Pos,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Inst {
    pub kind: InstKind,
    pub pos: Pos,
}

/// One atomic step.
#[derive(Clone, PartialEq, Debug)]
pub enum InstKind {
    /// `%dst = value`
    Assign {
        dst: Reg,
        value: Expr,
    },
    /// `%dst = load ty addr`
    Load {
        dst: Reg,
        ty: Ty,
        addr: Expr,
        order: Order,
    },
    /// `store ty addr, value`
    Store {
        ty: Ty,
        addr: Expr,
        value: Expr,
        order: Order,
    },
    /// `%dst = update ty addr when guard set value`: read the cell; where the guard is false the thread is not enabled;
    /// else write `value` and put the cell's old content into `dst`.  In `when` and `set`, [`Expr::Old`] is the old content.
    /// Every read-modify-write, compare-and-swap, lock, semaphore and wait is one of these.
    Update {
        dst: Option<Reg>,
        ty: Ty,
        addr: Expr,
        when: Option<Expr>,
        set: Option<Expr>,
        order: Order,
        role: Role,
    },
    /// `%dst = havoc`: any value of the register's type.
    Havoc {
        dst: Reg,
        input: Input,
    },
    /// Executions in which the condition is false do not exist from here on.
    Assume {
        cond: Expr,
    },
    /// A violation of the check's property if the condition is false.
    Assert {
        cond: Expr,
        check: Check,
        message: String,
    },
    /// `%dst = alloc kind size`: a new object with any content (zero if `zeroed`).  On the heap it may take the place of one
    /// that was freed, see [`BlockNames`].
    Alloc {
        dst: Reg,
        kind: AllocKind,
        size: Expr,
        align: u64,
        zeroed: bool,
        name: String,
        layout: Option<Layout>,
    },
    /// Ends the life of a heap object.  Null is allowed and does nothing; anything but the start of a live heap object is
    /// a memory error.
    Free {
        addr: Expr,
    },
    Call {
        dst: Option<Reg>,
        callee: Callee,
        args: Vec<Expr>,
    },
    /// `%dst = spawn callee(args)`: starts a thread; `dst` gets its handle, a positive number (see [`HandleNames`]).
    Spawn {
        dst: Option<Reg>,
        callee: Callee,
        args: Vec<Expr>,
    },
    /// `%dst = join handle`: enabled when that thread has ended; `dst` gets what it returned.  The handle is dead afterwards.
    Join {
        dst: Option<Reg>,
        handle: Expr,
    },
    /// The thread's handle will not be joined: it may be used again once the thread has ended.
    Detach {
        handle: Expr,
    },
    /// From here to the matching `AtomicEnd` no other thread runs.  Sections nest.
    AtomicBegin,
    AtomicEnd,
    /// No effect under sequential consistency.
    Fence {
        order: Order,
    },
    /// Reaching this makes the answer UNKNOWN: `what` is not supported.
    Unsupported {
        what: String,
    },
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    Jump(BlockId),
    Branch {
        cond: Expr,
        then: BlockId,
        other: BlockId,
    },
    Switch {
        value: Expr,
        cases: Vec<(u128, BlockId)>,
        default: BlockId,
    },
    Return(Option<Expr>),
    /// Ends the thread with this result.
    ExitThread(Option<Expr>),
    /// Ends the whole program, without a violation.
    Halt,
    /// Undefined behaviour: the execution ends here, with a note.
    Unreachable,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    Direct(FuncId),
    /// The address of a function.
    Indirect(Expr),
}

/// What lives where an object was allocated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AllocKind {
    /// Dies when the function returns.
    Stack,
    Heap,
}

/// Memory order of an access.  Everything is sequentially consistent for now; `Plain` marks accesses that can race.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Order {
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// What an update is for.  `validate` checks that a lock's guard and value have the shape its role promises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Any other read-modify-write.
    Plain,
    /// Takes a lock: `when old == 0 set self`, so that the word tells who has it.
    Lock,
    /// Gives a lock back: no guard, `set 0`.
    Unlock,
}

/// Where a nondeterministic value comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// `__VERIFIER_nondet_*` and their like, by the function's name.
    Nondet(String),
    /// A local variable read before it is written, by name.
    Uninit(String),
    /// The result of a function without a body.
    Extern(String),
    /// A free choice of a library's model (a time-out, a failure).
    Choice(String),
}

/// A side-effect free expression over registers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant by its bits, zero above the width; also floats and the null pointer.
    Const(Ty, u128),
    Reg(Reg),
    /// The address of a static object plus a constant offset.  For a thread-local object: the current thread's copy.
    Object(ObjectId, i64),
    /// The address of a function.
    Func(FuncId),
    /// The current thread's handle, an `i32`.
    CurrentThread,
    /// The old content of the cell, within an update.
    Old,
    Un(UnOp, Box<Expr>),
    Bin(BinOp, Box<Expr>, Box<Expr>),
    Cast(CastOp, Ty, Box<Expr>),
    Select(Box<[Expr; 3]>),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnOp {
    /// Bitwise complement.
    Not,
    Neg,
    PopCount,
    LeadingZeros,
    TrailingZeros,
    ByteSwap,
    BitReverse,
    FNeg,
    FAbs,
    FSqrt,
    FFloor,
    FCeil,
    FTrunc,
    FRound,
    FRint,
    FIsNan,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    /// Pointer plus a byte offset as wide as a pointer.
    PtrAdd,
    // Comparisons, of integers or pointers, with an `i1` as result.
    Eq,
    Ne,
    ULt,
    ULe,
    SLt,
    SLe,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    FMin,
    FMax,
    FCopySign,
    // Ordered comparisons: false when an operand is NaN.
    FOeq,
    FOne,
    FOlt,
    FOle,
    /// Neither operand is NaN.
    FOrd,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
    /// Between an integer and a float of the same width.
    Bits,
    PtrToInt,
    IntToPtr,
    /// Between float formats.
    Float,
    FloatToSigned,
    FloatToUnsigned,
    SignedToFloat,
    UnsignedToFloat,
}

impl Program {
    pub fn new(data_model: DataModel) -> Self {
        Program {
            data_model,
            block_names: BlockNames::Reused,
            handle_names: HandleNames::Lowest,
            files: IdVec::new(),
            layouts: IdVec::new(),
            objects: IdVec::new(),
            functions: IdVec::new(),
            entry: FuncId(0),
        }
    }

    /// Bits of a value of this type.
    pub fn bits_of(&self, ty: Ty) -> u32 {
        match ty {
            Ty::Int(bits) => u32::from(bits),
            Ty::F32 => 32,
            Ty::F64 => 64,
            Ty::F80 => 80,
            Ty::F128 => 128,
            Ty::Ptr => u32::from(self.data_model.pointer_bits()),
        }
    }

    /// Bytes an access of this type touches (an `i1` touches one, an `i24` three, an x87 number ten).
    pub fn size_of(&self, ty: Ty) -> u64 {
        u64::from(self.bits_of(ty).div_ceil(8))
    }

    /// The integer type as wide as a pointer.
    pub fn pointer_int(&self) -> Ty {
        Ty::Int(self.data_model.pointer_bits())
    }

    /// The functions whose address is mentioned, ascending: only they can be called through a pointer.
    pub fn addressed_functions(&self) -> Vec<FuncId> {
        let mut found = BTreeSet::new();
        for init in self.objects.values().flat_map(|object| &object.init) {
            if let InitValue::Function(func) = init.value {
                found.insert(func);
            }
        }
        let mut note = |part: &Expr| {
            if let Expr::Func(func) = part {
                found.insert(*func);
            }
        };
        self.functions.values().for_each(|function| function.for_each_expr(&mut |expr| expr.for_each(&mut note)));
        found.into_iter().collect()
    }

    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }

    pub fn object_named(&self, name: &str) -> Option<ObjectId> {
        self.objects.iter().find(|(_, o)| o.name == name).map(|(id, _)| id)
    }

    /// The instructions of all functions.
    pub fn insts(&self) -> impl Iterator<Item = &Inst> {
        self.functions.values().flat_map(Function::insts)
    }
}

impl Function {
    pub const ENTRY: BlockId = BlockId(0);

    pub fn ty(&self, reg: Reg) -> Ty {
        self.regs[reg].ty
    }

    /// All instructions, block by block.
    pub fn insts(&self) -> impl Iterator<Item = &Inst> {
        self.blocks.values().flat_map(|block| &block.insts)
    }

    /// Calls `f` for each expression that an instruction or a terminator evaluates.
    pub fn for_each_expr<'a>(&'a self, f: &mut impl FnMut(&'a Expr)) {
        self.blocks.values().for_each(|block| (0..=block.insts.len()).for_each(|inst| block.for_each_expr_at(inst, f)));
    }

    /// Calls `f` for each expression that an instruction or a terminator evaluates, to be replaced.
    pub fn for_each_expr_mut(&mut self, f: &mut impl FnMut(&mut Expr)) {
        for (_, block) in self.blocks.iter_mut() {
            block.insts.iter_mut().for_each(|inst| inst.kind.for_each_expr_mut(f));
            block.term.for_each_expr_mut(f);
        }
    }

    /// How often each register is read.
    pub fn reads(&self) -> IdVec<Reg, u32> {
        let mut reads = IdVec::filled(0, self.regs.len());
        self.for_each_expr(&mut |expr| expr.for_each_reg(&mut |reg| reads[reg] += 1));
        reads
    }

    /// The type of an expression; `old` is the type of the cell when inside an update.
    #[allow(clippy::only_used_in_recursion)] // Types of other expressions may come to depend on the program.
    pub fn type_of(&self, program: &Program, expr: &Expr, old: Option<Ty>) -> Ty {
        match expr {
            Expr::Const(ty, _) => *ty,
            Expr::Reg(reg) => self.ty(*reg),
            Expr::Object(..) | Expr::Func(_) => Ty::Ptr,
            Expr::CurrentThread => Ty::Int(32),
            // Outside an update `old` is rejected by `validate`; any type will do here.
            Expr::Old => old.unwrap_or(Ty::BOOL),
            Expr::Un(UnOp::FIsNan, _) => Ty::BOOL,
            Expr::Un(_, inner) => self.type_of(program, inner, old),
            Expr::Bin(op, left, _) if !op.is_comparison() => self.type_of(program, left, old),
            Expr::Bin(..) => Ty::BOOL,
            Expr::Cast(_, ty, _) => *ty,
            Expr::Select(parts) => self.type_of(program, &parts[1], old),
        }
    }
}

impl BinOp {
    /// Does it yield an `i1`?
    pub fn is_comparison(self) -> bool {
        use BinOp::*;
        match self {
            Eq | Ne | ULt | ULe | SLt | SLe | FOeq | FOne | FOlt | FOle | FOrd => true,
            Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | PtrAdd | FAdd | FSub
            | FMul | FDiv | FRem | FMin | FMax | FCopySign => false,
        }
    }
}

// What an expression, an instruction or a terminator consists of, for those who look at it and those who change it: the
// same words take apart `&self` and `&mut self`.

macro_rules! children {
    ($expr:expr, $each:ident) => {
        match $expr {
            Expr::Const(..) | Expr::Reg(_) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread | Expr::Old => {
                [None, None, None]
            }
            Expr::Un(_, inner) | Expr::Cast(_, _, inner) => [Some(inner), None, None],
            Expr::Bin(_, left, right) => [Some(left), Some(right), None],
            Expr::Select(parts) => parts.$each().map(Some),
        }
    };
}

macro_rules! inst_dst {
    ($inst:expr, $as:ident) => {{
        use InstKind::*;
        match $inst {
            Assign { dst, .. } | Load { dst, .. } | Havoc { dst, .. } | Alloc { dst, .. } => Some(dst),
            Update { dst, .. } | Call { dst, .. } | Spawn { dst, .. } | Join { dst, .. } => dst.$as(),
            Store { .. }
            | Assume { .. }
            | Assert { .. }
            | Free { .. }
            | Detach { .. }
            | AtomicBegin
            | AtomicEnd
            | Fence { .. }
            | Unsupported { .. } => None,
        }
    }};
}

macro_rules! inst_exprs {
    ($inst:expr, $f:ident) => {{
        use InstKind::*;
        match $inst {
            Assign { value, .. } => $f(value),
            Load { addr, .. } | Free { addr } => $f(addr),
            Store { addr, value, .. } => {
                $f(addr);
                $f(value);
            }
            Update { addr, when, set, .. } => {
                $f(addr);
                when.into_iter().chain(set).for_each($f);
            }
            Assume { cond } | Assert { cond, .. } => $f(cond),
            Alloc { size, .. } => $f(size),
            Call { callee, args, .. } | Spawn { callee, args, .. } => {
                if let Callee::Indirect(target) = callee {
                    $f(target);
                }
                args.into_iter().for_each($f);
            }
            Join { handle, .. } | Detach { handle } => $f(handle),
            Havoc { .. } | AtomicBegin | AtomicEnd | Fence { .. } | Unsupported { .. } => (),
        }
    }};
}

macro_rules! term_targets {
    ($term:expr, $f:ident) => {
        match $term {
            Term::Jump(to) => $f(to),
            Term::Branch { then, other, .. } => {
                $f(then);
                $f(other);
            }
            Term::Switch { cases, default, .. } => {
                cases.into_iter().for_each(|(_, to)| $f(to));
                $f(default);
            }
            Term::Return(_) | Term::ExitThread(_) | Term::Halt | Term::Unreachable => (),
        }
    };
}

macro_rules! term_exprs {
    ($term:expr, $f:ident) => {
        match $term {
            Term::Branch { cond, .. } => $f(cond),
            Term::Switch { value, .. } => $f(value),
            Term::Return(value) | Term::ExitThread(value) => value.into_iter().for_each($f),
            Term::Jump(_) | Term::Halt | Term::Unreachable => (),
        }
    };
}

impl Expr {
    pub fn int(bits: u8, value: i128) -> Expr {
        Expr::Const(Ty::Int(bits), mask(value as u128, u32::from(bits)))
    }
    pub fn bool(value: bool) -> Expr {
        Expr::Const(Ty::BOOL, u128::from(value))
    }
    pub fn null() -> Expr {
        Expr::Const(Ty::Ptr, 0)
    }
    pub fn bin(op: BinOp, left: Expr, right: Expr) -> Expr {
        Expr::Bin(op, Box::new(left), Box::new(right))
    }
    pub fn un(op: UnOp, inner: Expr) -> Expr {
        Expr::Un(op, Box::new(inner))
    }
    pub fn cast(op: CastOp, ty: Ty, inner: Expr) -> Expr {
        Expr::Cast(op, ty, Box::new(inner))
    }
    pub fn select(cond: Expr, then: Expr, other: Expr) -> Expr {
        Expr::Select(Box::new([cond, then, other]))
    }
    /// Logical negation of an `i1`.
    pub fn negate(self) -> Expr {
        Expr::bin(BinOp::Xor, self, Expr::bool(true))
    }
    /// The bits that it is, if it is a constant.
    pub fn as_constant(&self) -> Option<u128> {
        if let Expr::Const(_, value) = self { Some(*value) } else { None }
    }
    /// Takes the expression out of its place, which will be filled again.
    pub fn take(&mut self) -> Expr {
        std::mem::replace(self, Expr::Old)
    }
    /// The expressions it is computed from.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        let children: [Option<&Expr>; 3] = children!(self, each_ref);
        children.into_iter().flatten()
    }
    /// The expressions it is computed from, to be replaced.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let children: [Option<&mut Expr>; 3] = children!(self, each_mut);
        children.into_iter().flatten()
    }
    /// Is it so, or an expression within it?
    pub fn any(&self, is_so: &mut impl FnMut(&Expr) -> bool) -> bool {
        is_so(self) || self.children().any(|child| child.any(is_so))
    }
    /// Calls `f` for it and all expressions within it.
    pub fn for_each(&self, f: &mut impl FnMut(&Expr)) {
        f(self);
        self.children().for_each(|child| child.for_each(f));
    }
    /// Calls `f` for all expressions within it and then for it, to be replaced.
    pub fn for_each_mut(&mut self, f: &mut impl FnMut(&mut Expr)) {
        self.children_mut().for_each(|child| child.for_each_mut(f));
        f(self);
    }
    /// What it is a widened form of, perhaps itself.
    pub fn unwidened(&self) -> &Expr {
        if let Expr::Cast(CastOp::ZExt | CastOp::SExt, _, inner) = self { inner.unwidened() } else { self }
    }
    /// How many expressions there are in it, itself included.
    pub fn nodes(&self) -> usize {
        1 + self.children().map(Expr::nodes).sum::<usize>()
    }
    /// Calls `f` for each register the expression reads.
    pub fn for_each_reg(&self, f: &mut impl FnMut(Reg)) {
        match self {
            Expr::Reg(reg) => f(*reg),
            other => other.children().for_each(|child| child.for_each_reg(f)),
        }
    }
    /// Replaces each register by what `f` gives for it.
    pub fn map_regs(&mut self, f: &mut impl FnMut(Reg) -> Expr) {
        match self {
            Expr::Reg(reg) => *self = f(*reg),
            other => other.children_mut().for_each(|child| child.map_regs(f)),
        }
    }
    /// Can evaluating it go wrong, so that it matters whether and when it is evaluated?
    pub fn can_fault(&self) -> bool {
        self.any(&mut |expr| match expr {
            Expr::Bin(BinOp::UDiv | BinOp::URem, _, by) => !matches!(**by, Expr::Const(_, 1..)),
            // By -1 it may overflow.
            Expr::Bin(BinOp::SDiv | BinOp::SRem, _, by) => match **by {
                Expr::Const(Ty::Int(bits), by) => matches!(signed(by, u32::from(bits)), 0 | -1),
                _ => true,
            },
            _ => false,
        })
    }
}

impl InstKind {
    /// The register the instruction writes.
    pub fn dst(&self) -> Option<Reg> {
        inst_dst!(self, as_ref).copied()
    }

    /// The register the instruction writes, to be replaced.
    pub fn dst_mut(&mut self) -> Option<&mut Reg> {
        inst_dst!(self, as_mut)
    }

    /// Calls `f` for each expression the instruction evaluates.
    pub fn for_each_expr<'a>(&'a self, f: &mut impl FnMut(&'a Expr)) {
        inst_exprs!(self, f);
    }

    /// Calls `f` for each expression the instruction evaluates, to be replaced.
    pub fn for_each_expr_mut(&mut self, f: &mut impl FnMut(&mut Expr)) {
        inst_exprs!(self, f);
    }
}

impl Term {
    /// The block that control surely goes to, if constants show which.
    pub fn only_target(&self) -> Option<BlockId> {
        match self {
            Term::Jump(to) => Some(*to),
            Term::Branch { cond: Expr::Const(_, value), then, other } => Some(if *value != 0 { *then } else { *other }),
            Term::Branch { cond, then, other } => (then == other && !cond.can_fault()).then_some(*then),
            Term::Switch { value, cases, default } if cases.is_empty() && !value.can_fault() => Some(*default),
            Term::Switch { value: Expr::Const(_, value), cases, default } => {
                Some(cases.iter().find(|(case, _)| case == value).map_or(*default, |(_, to)| *to))
            }
            Term::Switch { .. } | Term::Return(_) | Term::ExitThread(_) | Term::Halt | Term::Unreachable => None,
        }
    }

    /// Calls `f` for each block control may go to.
    pub fn for_each_target(&self, f: &mut impl FnMut(BlockId)) {
        let mut f = |to: &BlockId| f(*to);
        term_targets!(self, f);
    }

    /// Calls `f` for each block control may go to, to be replaced.
    pub fn for_each_target_mut(&mut self, f: &mut impl FnMut(&mut BlockId)) {
        term_targets!(self, f);
    }

    /// Calls `f` for the expression the terminator evaluates.
    pub fn for_each_expr<'a>(&'a self, f: &mut impl FnMut(&'a Expr)) {
        term_exprs!(self, f);
    }

    /// Calls `f` for the expression the terminator evaluates, to be replaced.
    pub fn for_each_expr_mut(&mut self, f: &mut impl FnMut(&mut Expr)) {
        term_exprs!(self, f);
    }
}

/// The low `bits` bits of `value`.
pub fn mask(value: u128, bits: u32) -> u128 {
    if bits >= 128 { value } else { value & ((1 << bits) - 1) }
}

/// The low `bits` bits of `value` as a signed number.
pub fn signed(value: u128, bits: u32) -> i128 {
    if bits >= 128 || bits == 0 { value as i128 } else { ((value << (128 - bits)) as i128) >> (128 - bits) }
}
