//! A system made ready for proofs: what its ranges decide is left out, and no switch is considered that need not be.

use crate::ranges::{Known, ranges};
use crate::slice::slice;
use crate::{Reduced, System, ThreadId, reduce, refine};
use base::{Budget, IdVec};

/// A system to prove things about.
pub struct Prepared {
    pub system: System,
    /// By thread and edge: the edges of the original that it consists of.
    pub parts: IdVec<ThreadId, Vec<Vec<usize>>>,
    /// Nothing if the system is too large for them.
    pub ranges: Option<Known>,
}

/// The same for the same system, as long as the budget is not spent.
pub fn prepare(system: &System, budget: &Budget) -> Prepared {
    let same = |thread: &crate::Thread| (0..thread.edges.len()).map(|edge| vec![edge]).collect();
    let Some(known) = ranges(system, budget) else {
        return Prepared { system: system.clone(), parts: system.threads.values().map(same).collect(), ranges: None };
    };
    let Reduced { system, parts } = reduce(&refine(system, &known), &known);
    // With fewer locations the ranges may be smaller, and decide more.
    match ranges(&system, budget) {
        Some(known) => {
            let mut system = refine(&system, &known);
            slice(&mut system);
            Prepared { system, parts, ranges: Some(known) }
        }
        None => Prepared { system, parts, ranges: None },
    }
}
