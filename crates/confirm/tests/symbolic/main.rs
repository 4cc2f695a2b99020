//! Proofs of the symbolic engines are confirmed if they are right, and only then.

mod chance;
mod modular;
mod product;
mod systems;
