//! A search that switches threads only where `facts::movers` says a switch must be considered.
//!
//! A thread that has begun a block goes on until the next such place.  One that cannot go on within a block has no step that
//! matters here: its block moves to the right, past everything, and does not happen.  If a violation is lost by that, a step
//! was called a mover that is none, or a switch is missing.

use super::plain::{self, Verdict};
use facts::Facts;
use ir::interp::Machine;
use ir::program::Program;

/// `Safe` or `Unsafe`; `Unknown` if there is too much to look at.
pub fn check(program: &Program, limit: usize) -> Verdict {
    let facts = Facts::compute(program);
    plain::search(program, limit, |machine, thread| in_block(machine, &facts, thread)).0
}

/// Must the thread go on before another may move?
fn in_block(machine: &Machine<'_>, facts: &Facts, thread: usize) -> bool {
    if thread >= machine.thread_count() || !machine.is_running(thread) {
        return false;
    }
    let at = machine.code.points[machine.pc(thread) as usize];
    !facts.movers.is_switch(at.func, at.block, at.inst as usize)
}
