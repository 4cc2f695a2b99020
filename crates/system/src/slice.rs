//! A system without the variables that decide nothing.

use crate::System;

/// Leaves out what is written to variables on which no guard depends, however indirectly.  The edges stay, and so do the
/// variables, which nobody mentions any more.
pub fn slice(system: &mut System) {
    let edges = system.threads.values().flat_map(|thread| &thread.graph.edges);
    let matters = transition::that_matter(edges, &[system.failed]);
    for edge in system.threads.iter_mut().flat_map(|(_, thread)| &mut thread.graph.edges) {
        edge.step.keep_updates(&|var| matters.contains(&var));
    }
}
