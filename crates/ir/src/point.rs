//! Points: the places before instructions and terminators.

use crate::{Block, BlockId, Expr, FuncId, Inst, InstKind, Program};
use base::{Id, IdVec, Pos};

/// The place before an instruction (or, with `inst == insts.len()`, before the terminator).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Point {
    pub func: FuncId,
    pub block: BlockId,
    pub inst: u32,
}

impl Point {
    pub fn new(func: FuncId, block: BlockId, inst: usize) -> Self {
        Point { func, block, inst: inst as u32 }
    }
    /// The place after the instruction.
    pub fn next(self) -> Self {
        Point { inst: self.inst + 1, ..self }
    }
}

impl Program {
    /// The block of the point.
    pub fn block(&self, point: Point) -> &Block {
        &self.functions[point.func].blocks[point.block]
    }
    /// The instruction at the point; none for a terminator.
    pub fn inst(&self, point: Point) -> Option<&Inst> {
        self.block(point).insts.get(point.inst as usize)
    }
    /// What the instruction at the point is; none for a terminator.
    pub fn kind(&self, point: Point) -> Option<&InstKind> {
        self.inst(point).map(|inst| &inst.kind)
    }
    /// Where the point stands in the source.
    pub fn pos(&self, point: Point) -> Pos {
        self.inst(point).map_or(self.block(point).term_pos, |inst| inst.pos)
    }
}

impl Block {
    /// Calls `f` for each expression that the instruction with this number evaluates; after the last that is the terminator.
    pub fn for_each_expr_at<'a>(&'a self, inst: usize, f: &mut impl FnMut(&'a Expr)) {
        match self.insts.get(inst) {
            Some(inst) => inst.kind.for_each_expr(f),
            None => self.term.for_each_expr(f),
        }
    }
}

/// The dense numbering of all points of a program.
#[derive(Clone, Debug)]
pub struct Points {
    /// The number of the first point of each block.
    start: IdVec<FuncId, Vec<u32>>,
    /// How many points there are.
    pub total: usize,
}

impl Points {
    pub fn new(program: &Program) -> Self {
        let mut total = 0;
        let mut number = |block: &Block| {
            let start = total as u32;
            total += block.insts.len() + 1;
            start
        };
        let starts = program.functions.values().map(|function| function.blocks.values().map(&mut number).collect());
        Points { start: starts.collect(), total }
    }

    #[inline]
    pub fn index(&self, func: FuncId, block: BlockId, inst: usize) -> usize {
        self.start[func][block.index()] as usize + inst
    }

    #[inline]
    pub fn of(&self, point: Point) -> usize {
        self.index(point.func, point.block, point.inst as usize)
    }
}
