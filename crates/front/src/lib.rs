//! The way in: C through clang's LLVM IR to a program, and the model of the libraries that the program calls.
//!
//! Only this crate knows C and LLVM.

pub mod model;
