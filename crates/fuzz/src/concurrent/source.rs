//! A small language for random concurrent programs, from which both a [`ir::Program`] and C text are made.
//!
//! A statement touches shared memory at most once, so both translations interleave at the same places and have the same
//! verdict: what differs between them is the front end.

pub use ir::BinOp;
use ir::DataModel;

/// A whole program; the first function is `main`.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it is built around; empty if it is random throughout.
    pub idiom: &'static str,
    pub data_model: DataModel,
    pub globals: Vec<Global>,
    /// The fields of the one `struct`.
    pub record: Vec<Shape>,
    pub functions: Vec<Function>,
    /// The value that each assertion forbids, by the assertion's number.
    pub forbidden: Vec<i32>,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub shape: Shape,
    pub thread_local: bool,
    /// For integers and arrays of them the first value; for pointers to other globals and functions their number.
    pub init: Init,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Init {
    Zero,
    Number(i32),
    /// The address of a global of the shape the pointer points to.
    Address(usize),
    Function(usize),
    /// For an array of pointers to functions.
    Functions(Vec<usize>),
}

/// What some memory holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Int {
        bits: u8,
        signed: bool,
    },
    Pointer(To),
    Lock,
    /// The handle of a thread.
    Handle,
    Array(Box<Shape>, u32),
    /// The one `struct`.
    Record,
    /// `union { int f0; unsigned short f1[2]; unsigned char f2[4]; }`
    Mix,
}

impl Shape {
    pub const INT: Shape = Shape::Int { bits: 32, signed: true };
    pub const HALF: Shape = Shape::Int { bits: 16, signed: false };
    pub const BYTE: Shape = Shape::Int { bits: 8, signed: false };
}

/// What a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum To {
    Int,
    Record,
    Lock,
    /// `int f(int)`
    Function,
    /// The body of a thread.
    Worker,
}

impl To {
    /// What is there, if it is memory.
    pub fn shape(self) -> Option<Shape> {
        match self {
            To::Int => Some(Shape::INT),
            To::Record => Some(Shape::Record),
            To::Lock => Some(Shape::Lock),
            To::Function | To::Worker => None,
        }
    }
}

/// A variable that lives in a register: a number, a pointer or the handle of a thread.
pub type Local = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    Main,
    /// The body of a thread: takes and returns a pointer.  Its first local is the parameter.
    Worker,
    /// `int f(int)`: its first local is the parameter, which may also be a pointer to a function.
    Helper,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub kind: FunctionKind,
    pub locals: Vec<Shape>,
    /// Variables on the stack whose address may be taken; zero at first.
    pub cells: Vec<Shape>,
    pub body: Vec<Stmt>,
}

/// A part of memory.
#[derive(Clone, Debug)]
pub struct Lvalue {
    pub base: Base,
    pub path: Vec<Select>,
}

#[derive(Clone, Debug)]
pub enum Base {
    Global(usize),
    Cell(usize),
    /// What a pointer points to.
    Deref(Local),
    /// Memory behind a pointer to `int`, seen as an array of another integer type.
    DerefAs(Local, Shape),
}

#[derive(Clone, Debug)]
pub enum Select {
    Index(Index),
    /// Of the `struct` or the union.
    Field(usize),
}

#[derive(Clone, Debug)]
pub enum Index {
    Const(u32),
    /// `local & mask`
    Masked(Local, u32),
    /// The local as it is, which may be out of bounds.
    Raw(Local),
}

/// An `int` (or a pointer) computed from locals only.
#[derive(Clone, Debug)]
pub enum Expr {
    Const(i32),
    Null,
    Function(usize),
    Local(Local),
    /// An operation on numbers of the machine: of integers, or a comparison.  Shifts are by any amount, taken modulo 32.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Choose(Box<[Expr; 3]>),
}

/// Whom to call or to start.
#[derive(Clone, Copy, Debug)]
pub enum Callee {
    Named(usize),
    Pointer(Local),
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Set(Local, Expr),
    Read(Local, Lvalue),
    Write(Lvalue, Expr),
    AddressOf(Local, Lvalue),
    /// Atomically adds; the old value goes to the local.
    FetchAdd(Option<Local>, Lvalue, Expr),
    Exchange(Local, Lvalue, Expr),
    /// Old value, place, expected, new.
    CompareSwap(Local, Lvalue, Expr, Expr),
    /// Waits for the place to have a value, then writes.
    Wait(Lvalue, Expr, Option<Expr>),
    /// Waits for the place to be at least so much, then adds: semaphores, the readers of a lock, barriers.
    Take(Lvalue, i32, i32),
    Lock(Lvalue),
    Unlock(Lvalue),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A value, cases, default.
    Switch(Expr, Vec<(i32, Vec<Stmt>)>, Vec<Stmt>),
    /// `for (local = 0; local < n; local++)`
    Repeat(Local, i32, Vec<Stmt>),
    /// `for (;;) { before; if (!condition) break; after }`
    While(Vec<Stmt>, Expr, Vec<Stmt>),
    /// Out of the loop around it, or on to its next round.
    Break,
    Continue,
    Atomic(Vec<Stmt>),
    /// The ends of a section that need not be nested in the branches of the program.
    AtomicBegin,
    AtomicEnd,
    /// To one record from another, field by field.
    CopyRecord(Lvalue, Lvalue),
    /// Any number of so many bits.
    Havoc(Local, u8),
    Assume(Expr),
    /// The local is not the value that is forbidden to this assertion.
    Assert(usize, Local),
    Alloc(Local, To),
    Free(Local),
    Call(Option<Local>, Callee, Expr),
    /// Handle, worker, argument.
    Spawn(Local, Callee, Expr),
    Join(Local, Option<Local>),
    Detach(Local),
    Return(Expr),
    ExitThread,
    Halt,
}

impl Function {
    /// Is it a local that holds a pointer?
    pub fn is_pointer(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Local(local) if matches!(self.locals.get(*local), Some(Shape::Pointer(_))))
    }
}

impl Source {
    /// The fields that a shape has.
    pub fn fields(&self, shape: &Shape) -> Vec<Shape> {
        let array = |shape, count| Shape::Array(Box::new(shape), count);
        match shape {
            Shape::Record => self.record.clone(),
            Shape::Mix => vec![Shape::INT, array(Shape::HALF, 2), array(Shape::BYTE, 4)],
            _ => Vec::new(),
        }
    }

    /// The shape a place has, as seen from a function.
    pub fn shape_of(&self, function: &Function, place: &Lvalue) -> Option<Shape> {
        let mut shape = match &place.base {
            Base::Global(global) => self.globals.get(*global)?.shape.clone(),
            Base::Cell(cell) => function.cells.get(*cell)?.clone(),
            Base::DerefAs(_, shape) => Shape::Array(Box::new(shape.clone()), 4),
            Base::Deref(local) => match function.locals.get(*local)? {
                Shape::Pointer(to) => to.shape()?,
                _ => return None,
            },
        };
        for select in &place.path {
            shape = match (select, shape) {
                (Select::Index(_), Shape::Array(element, _)) => *element,
                (Select::Field(field), shape) => self.fields(&shape).get(*field)?.clone(),
                _ => return None,
            };
        }
        Some(shape)
    }
}
