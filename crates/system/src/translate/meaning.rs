//! What the parts of a system stand for in the unfolded program: the way back, and what whoever validates a translation goes by.

pub use super::memory::{Addressed, Kind, Obj, PieceId, Pieces};
use crate::{Location, ThreadId};
use base::{IdVec, Interval};
use facts::Point;
use formula::{Linear, Var};
use ir::{Expr, Reg};
use rustc_hash::FxHashMap;

/// How an integer stands for a number of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    Signed,
    Unsigned,
    Ring,
}

impl Mode {
    /// The integers that stand for numbers of so many bits; of a ring number, one for each.
    pub fn range(self, bits: u32) -> Interval {
        match self {
            Mode::Signed | Mode::Ring => Interval::signed(bits),
            Mode::Unsigned => Interval::unsigned(bits),
        }
    }
    /// The one of them that stands for these bits.
    pub fn read(self, value: u128, bits: u32) -> i128 {
        match self {
            Mode::Signed | Mode::Ring => ir::signed(value, bits),
            Mode::Unsigned => ir::mask(value, bits) as i128,
        }
    }
}

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Home {
    /// A piece of memory, by its number.
    Cell(PieceId),
    Register(ThreadId, Reg),
    /// What is handed to a thread when it starts.
    Argument(ThreadId, Reg),
    Started(ThreadId),
    Ended(ThreadId),
    /// What a thread returns.
    Result(ThreadId),
    /// Where a thread is.
    Pc(ThreadId),
    Failed,
    Input,
}

/// A variable: what it is, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stands {
    pub home: Home,
    pub mode: Mode,
    pub bits: u32,
    /// What it is at first; nothing if that is open.
    pub initial: Option<i128>,
}

/// What a location is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    Start,
    Before(Point),
    Ended,
    Failed,
    /// A number has wrapped that must not.
    Wraps,
}

/// An instruction or terminator of the unfolded program that an edge executes.
#[derive(Clone, Copy, Debug)]
pub struct Executed {
    pub point: Point,
    /// The input that it asks for.
    pub input: Option<Var>,
}

/// Where an input of an edge comes from: a number of the machine that the step of this number on its path has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    pub step: usize,
    pub what: Chosen,
    pub mode: Mode,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chosen {
    /// What the instruction puts into its register.
    Havoc,
    /// What a piece of the object holds whose life begins there.
    Content(PieceId),
    /// The value of an expression that is not followed; open while that is evaluated.
    Value(Option<Expr>),
}

/// What an edge is in the unfolded program.
#[derive(Clone, Debug)]
pub struct WayBack {
    /// The instructions that are executed.
    pub path: Vec<Executed>,
    /// What the instructions of these numbers read from memory that may hold anything at first.
    pub reads: Vec<(usize, Linear)>,
    /// By input.
    pub origins: Vec<Origin>,
}

/// The places that an access may go to.
pub type Places = Vec<(Obj, u64)>;

/// The way back from a system.
pub struct Meaning {
    pub vars: IdVec<Var, Stands>,
    pub places: IdVec<ThreadId, IdVec<Location, Place>>,
    pub memory: Addressed,
    /// Where accesses go.
    pub accesses: FxHashMap<Point, Places>,
    /// By thread and edge.
    pub ways_back: IdVec<ThreadId, Vec<WayBack>>,
}
