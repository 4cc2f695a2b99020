//! Breadth first, for a while: violations that need few switches, found early and shown by short traces.
//!
//! It follows the same runs as the depth-first search but lacks the cycle proviso, so it only looks for violations; a
//! search that ends without one says nothing.

use super::runner::{Run, RunEnd, Runner};
use base::Budget;
use claim::Trace;
use ir::interp::{Machine, StateStore};

/// Looks at the states nearest to the initial one, at most `limit` of them; they are left in `store`.
pub fn search(runner: &mut Runner<'_>, store: &mut StateStore, limit: usize, budget: &Budget) -> Option<Trace> {
    // For each state the one it was reached from, and the run between.
    let mut reached_by: Vec<Option<(u32, Run)>> = vec![None];
    runner.machine = Machine::new(runner.code);
    store.save(&mut runner.machine);
    let mut next = 0;
    while next < store.len() && store.len() < limit {
        let state = next as u32;
        next += 1;
        store.load(state, &mut runner.machine);
        let (mut threads, _) = runner.reduction.choose(&runner.machine);
        let mut refused = true;
        while let Some(thread) = threads.pop() {
            let mut upcoming = Some(Run::new(thread));
            while let Some(mut run) = upcoming {
                if runner.is_due() && budget.spent().is_some() {
                    return None;
                }
                match runner.run(store, state, &mut run) {
                    RunEnd::Violated => {
                        let runs = path(&reached_by, state, run);
                        return Some(runner.trace(runs));
                    }
                    RunEnd::Stopped => {
                        refused = false;
                        if store.save(&mut runner.machine).1 {
                            reached_by.push(Some((state, run.clone())));
                        }
                    }
                    RunEnd::Refused | RunEnd::Before(_) => (),
                }
                upcoming = run.next();
            }
            if threads.is_empty() && refused {
                refused = false;
                store.load(state, &mut runner.machine);
                threads = runner.reduction.movable(&runner.machine);
            }
        }
    }
    None
}

/// The runs from the initial state to `state`, and one more.
fn path(reached_by: &[Option<(u32, Run)>], mut state: u32, last: Run) -> Vec<Run> {
    let mut runs = vec![last];
    while let Some((from, run)) = &reached_by[state as usize] {
        runs.push(run.clone());
        state = *from;
    }
    runs.reverse();
    runs
}
