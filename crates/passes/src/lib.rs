//! Passes: programs made from programs, each with the way back.
//!
//! [`unfold`] takes a program apart into threads: calls inlined, loops unwound up to a bound or kept, every thread its own copy,
//! constants propagated on the way.  What comes out is again a valid [`ir::Program`], which the facts, the printers and the engines read like any other.

pub mod follow;
pub mod memory;
mod nesting;
mod preserve;
mod sequential;
mod unfold;

pub use preserve::Preserves;
pub use sequential::labels;
pub use unfold::{
    ActivationId, Activations, Bounds, Cut, CutKind, EXCLUDED, Instance, Origin, Repeated, ThreadId, Unfolded, unfold,
};
