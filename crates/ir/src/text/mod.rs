//! The text form of programs: what `unbraid ir` prints, what tests are written in and the model library is made of.
//!
//! `docs/ir.md` is its reference.  Two promises hold it together:
//!
//! * `parse(print(p)) == p` for every program that [`crate::validate`] accepts, down to positions and the bits of floats;
//! * the parser returns on any text, in time linear in its length: an error is a [`Diagnostic`] at a line and column.

mod expr;
mod float;
mod inst;
mod lexer;
mod names;
mod parse;
mod path;
mod print;
mod print_expr;

pub use lexer::At;
pub use names::{bin_op_name, cast_op as cast_name, un_op as un_op_name};
pub use parse::{parse, parse_fragment, parse_with_map};
pub use print::{print, print_address, print_expr, print_inst, print_layout, print_term, print_without_positions};

use crate::layout::LayoutId;
use crate::program::{BlockId, DataModel, FuncId, ObjectId, Reg};
use base::{Diagnostic, IdVec};

/// What was read, or what is wrong with the text.
type Parsed<T> = Result<T, Diagnostic>;

/// How deep expressions may nest: recursion over them must not exhaust the stack, whoever wrote the text.
pub const MAX_EXPR_DEPTH: usize = 200;

/// How deep layouts may nest, by value or by pointer, without names between.
pub const MAX_LAYOUT_DEPTH: usize = 60;

/// The alignment of an object that does not say: the largest power of two that divides the size, at most a pointer's.
fn default_align(size: u64, data_model: DataModel) -> u64 {
    1 << size.trailing_zeros().min(data_model.pointer_bytes().trailing_zeros())
}

/// Where the parts of a program stand in the text they were parsed from.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    pub file: String,
    pub layouts: IdVec<LayoutId, At>,
    pub objects: IdVec<ObjectId, At>,
    pub functions: IdVec<FuncId, FunctionMap>,
}

/// Where the parts of one function stand.
#[derive(Clone, Debug, Default)]
pub struct FunctionMap {
    pub at: At,
    pub regs: IdVec<Reg, At>,
    pub blocks: IdVec<BlockId, BlockMap>,
}

/// Where the parts of one block stand.
#[derive(Clone, Debug, Default)]
pub struct BlockMap {
    pub at: At,
    pub insts: Vec<At>,
    pub term: At,
}

impl SourceMap {
    /// An error at that place.
    pub fn error(&self, at: At, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(&self.file, at.line, at.column)
    }
}
