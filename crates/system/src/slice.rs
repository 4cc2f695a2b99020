//! A system without the variables that decide nothing.

use crate::System;
use formula::Var;
use rustc_hash::FxHashSet;

/// Leaves out what is written to variables on which no guard depends, however indirectly.  The edges stay, and so do the
/// variables, which nobody mentions any more.
pub fn slice(system: &mut System) {
    let mut matters: FxHashSet<Var> = FxHashSet::default();
    matters.insert(system.failed);
    let edges = || system.threads.values().flat_map(|thread| &thread.edges);
    for edge in edges() {
        edge.guard.visit_vars(&mut |var| {
            matters.insert(var);
        });
    }
    loop {
        let before = matters.len();
        for (var, value) in edges().flat_map(|edge| &edge.updates) {
            if matters.contains(var) {
                value.visit_vars(&mut |var| {
                    matters.insert(var);
                });
            }
        }
        if matters.len() == before {
            break;
        }
    }
    for edge in system.threads.iter_mut().flat_map(|(_, thread)| &mut thread.edges) {
        edge.updates.retain(|(var, _)| matters.contains(var));
    }
}
