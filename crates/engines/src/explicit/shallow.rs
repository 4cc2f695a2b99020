//! Breadth first, for a while: violations that need few switches, found early and shown by short traces.
//!
//! It follows the same runs as the depth-first search but lacks the cycle proviso, so it only looks for violations; a
//! search that ends without one says nothing.

use super::inputs::Script;
use super::runner::{RunEnd, Runner};
use base::Budget;
use ir::Trace;
use ir::interp::{Machine, StateStore, Tid};

/// Looks at the states nearest to the initial one, at most `limit` of them.
pub fn search(runner: &mut Runner<'_>, limit: usize, budget: &Budget) -> Option<Trace> {
    let mut store = StateStore::new();
    // For each state the one it was reached from, and the run between.
    let mut reached_by: Vec<Option<(u32, Tid, Script)>> = vec![None];
    runner.machine = Machine::new(runner.code);
    store.save(&mut runner.machine);
    let mut next = 0;
    while next < store.len() && store.len() < limit {
        let state = next as u32;
        next += 1;
        if next.is_multiple_of(256) && budget.spent().is_some() {
            return None;
        }
        store.load(state, &mut runner.machine);
        let (threads, _) = runner.reduction.choose(&runner.machine);
        for thread in threads {
            let mut upcoming = Some(Script::default());
            while let Some(mut script) = upcoming {
                store.load(state, &mut runner.machine);
                match runner.run(thread, &mut script) {
                    RunEnd::Violated => {
                        let runs = path(&reached_by, state, (thread, script));
                        return Some(runner.trace(runs));
                    }
                    RunEnd::Stopped => {
                        if store.save(&mut runner.machine).1 {
                            reached_by.push(Some((state, thread, script.clone())));
                        }
                    }
                    RunEnd::Pruned => (),
                }
                upcoming = script.next();
            }
        }
    }
    None
}

/// The runs from the initial state to `state`, and one more.
fn path(reached_by: &[Option<(u32, Tid, Script)>], mut state: u32, last: (Tid, Script)) -> Vec<(Tid, Script)> {
    let mut runs = vec![last];
    while let Some((from, thread, script)) = &reached_by[state as usize] {
        runs.push((*thread, script.clone()));
        state = *from;
    }
    runs.reverse();
    runs
}
