//! A system made ready for proofs: what its ranges decide is left out, and no switch is considered that need not be.

use crate::growth::limit_growth;
use crate::ranges::{Known, ranges};
use crate::{Reduced, System, ThreadId, reduce, refine};
use base::{Budget, IdVec};

/// A system to prove things about.
pub struct Prepared {
    pub system: System,
    /// By thread and edge: the edges of the original that it consists of.
    pub parts: IdVec<ThreadId, Vec<Vec<usize>>>,
    /// Nothing if the system is too large for them.
    pub ranges: Option<Known>,
    /// The systems on the way, each with the ranges that were taken to hold of it.
    pub assumed: Vec<(System, Known)>,
}

/// The same for the same system, as long as the budget is not spent.
pub fn prepare(system: &System, budget: &Budget) -> Prepared {
    let mut system = system.clone();
    limit_growth(&mut system);
    fail_at_once(&mut system);
    let system = &system;
    let same = |thread: &crate::Thread| (0..thread.graph.edges.len()).map(|edge| vec![edge]).collect();
    let Some(known) = ranges(system, budget) else {
        let parts = system.threads.values().map(same).collect();
        return Prepared { system: system.clone(), parts, ranges: None, assumed: Vec::new() };
    };
    let Reduced { system: mut reduced, parts } = reduce(&refine(system, &known), &known);
    fail_at_once(&mut reduced);
    slice(&mut reduced);
    let mut assumed = vec![(system.clone(), known)];
    // With fewer locations the ranges may be smaller, and decide more.
    match ranges(&reduced, budget) {
        Some(known) => {
            let system = refine(&reduced, &known);
            assumed.push((reduced, known.clone()));
            Prepared { system, parts, ranges: Some(known), assumed }
        }
        None => Prepared { system: reduced, parts, ranges: None, assumed },
    }
}

/// Nobody looks at what else a step writes that fails.
fn fail_at_once(system: &mut System) {
    let failed = system.failed;
    let edges = system.threads.iter_mut().flat_map(|(_, thread)| &mut thread.graph.edges);
    for edge in edges.filter(|edge| edge.step.writes(failed)) {
        edge.step.updates.retain(|(var, _)| *var == failed);
    }
}

/// Leaves out what is written to variables on which no guard depends, however indirectly.  The edges stay, and so do the
/// variables, which nobody mentions any more.
fn slice(system: &mut System) {
    let edges = system.threads.values().flat_map(|thread| &thread.graph.edges);
    let matters = transition::that_matter(edges, &[system.failed]);
    for edge in system.threads.iter_mut().flat_map(|(_, thread)| &mut thread.graph.edges) {
        edge.step.keep_updates(&|var| matters.contains(&var));
    }
}
