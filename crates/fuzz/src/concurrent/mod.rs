//! Random concurrent programs: made, translated, bent and compared.

pub mod bend;
pub mod blocks;
pub mod bounded;
pub mod c;
pub mod campaign;
pub mod claims;
pub mod compare;
pub mod generate;
pub mod gone;
mod idioms;
pub mod kept;
pub mod lockstep;
mod odd;
pub mod plain;
mod pointers;
pub mod run;
pub mod shrink;
pub mod source;
pub mod systems;
pub mod to_c;
pub mod to_ir;
pub mod tune;
pub mod unrolling;
