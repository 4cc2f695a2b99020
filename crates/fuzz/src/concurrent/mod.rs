//! Random concurrent programs: made, translated, bent and compared.

pub mod generate;
mod idioms;
pub mod plain;
pub mod source;
pub mod to_ir;
pub mod tune;
