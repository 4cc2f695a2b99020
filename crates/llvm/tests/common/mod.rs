//! Texts shared by the tests: own examples in the style of clang's output.

/// Opaque pointers and debug records, as of LLVM 19.
pub const NEW: &str = include_str!("new.ll");
/// Typed pointers and debug intrinsics, as of LLVM 14.
pub const OLD: &str = include_str!("old.ll");
/// One of every instruction.
#[allow(dead_code)]
pub const ALL: &str = include_str!("all.ll");
