//! A reader of LLVM assembly text (`.ll`) as printed by clang 14 to 19.
//!
//! [`parse`] turns the text into a [`Module`], which also answers questions
//! about source lines, variables and types from its metadata.  The reader
//! needs no LLVM library and trusts nothing about its input: whatever the
//! text, it returns a module or an [`Error`] in time linear in its length.

pub mod ast;
pub mod debug;
pub mod inst;
mod keywords;
mod lexer;
mod parser;
pub mod types;

pub use ast::*;
pub use debug::*;
pub use inst::*;
pub use keywords::{BinOp, CastOp, FloatKind, FloatPred, IntPred, Linkage, Ordering, RmwOp};
pub use types::*;

/// Why a text could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// Reads the text of a `.ll` file.
///
/// Never panics and never recurses deeply, whatever the text.
pub fn parse(text: &str) -> Result<Module, Error> {
    parser::Parser::new(text).module()
}
