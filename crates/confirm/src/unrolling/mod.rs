//! Confirms that a program is safe because it was unrolled completely: all schedules of the unfolded program as one formula.
//!
//! The claim: unfolded within the bounds, the program has no violation under any schedule and comes to none of its cuts.  So
//! the program is unfolded anew, and the formula says "some assertion fails, or some cut or something unsupported is reached".  It
//! must have no solution.  It is built here and nowhere else: from the engine that makes the claim nothing is taken but the bounds.
//!
//! **Executions.**  In the formula each thread goes on until it must stop.  Take an execution that ends in a violation.  Every other
//! thread stands somewhere; let it go on, after the violation, which it can no longer change, until it comes to something that
//! keeps it from going on: a guard that is false, a thread that has not ended, an assumption that fails, an error, the end of the
//! program.  (It is acyclic, so it does come to such a place or to its end.)  The result is a solution: `halt` and the return of the
//! first thread are places like any other where a thread stops, since in an execution with a violation nobody gets there first.  Where a
//! thread may have to wait, it has a choice of going on, which implies that what it waits for is so.  In an atomic section stopping
//! is not allowed at all, only not beginning it: that is what a section means.
//!
//! **Memory.**  `objects` cuts memory into pieces.  What only one thread can touch is kept as terms along the walk (`walk`, `access`);
//! of what several may touch, each instant of a thread has at most one read and one write per piece, and `order` says which write
//! a read reads from: sequential consistency.  Before the first thread starts another, everything belongs to it alone.
//!
//! **What is added.**  Allocations of unknown size have room for more; freed objects and those of ended functions stay accessible; arithmetic
//! on floats that are not constants is computed for some of their values, and gives anything for others; of a thread that is joined or detached twice only the second join is kept out.  All of
//! that is more behaviour, never less.
//!
//! **What is taken for granted.**  That a pointer that was never written leads nowhere (`docs/semantics.md`, Inputs): an access that goes
//! where the facts do not say must be impossible where no such pointer has the number of an object.  What `unfolding` believes of the unfolded program; liveness and control flow from `facts`.  Names of
//! objects and threads are numbers given out here, one for each, while the interpreter gives those of the dead out again: executions
//! are the same up to these names (`docs/facts.md`, A5).
//!
//! **What is refused**, with the reason: large allocations whose size is not a constant, accesses that may go anywhere or to too many places,
//! atomic sections that begin or end in one branch only.

mod access;
mod encoding;
mod objects;
mod order;
mod steps;
mod values;
mod walk;

use crate::{Refusal, SPENT, unfolding};
use base::Budget;
use claim::Unrolling;
use encoding::{DangerKind, Encoding};
use facts::Facts;
use ir::interp::{Code, Space};
use ir::{Goal, Program};
use logic::Answer;
use objects::place;
use passes::{Bounds, CutKind};
use values::Values;

/// Shows that the program, unfolded within these bounds, has no violation under any schedule and comes to none of its cuts.
pub fn check(unrolling: &Unrolling, code: &Code<'_>, budget: &Budget) -> Result<(), Refusal> {
    let spent = |_| SPENT.to_string();
    let facts = Facts::compute(code.program);
    let unfolded =
        passes::unfold(code.program, &facts, Goal::Assertion, &Bounds::from(unrolling), budget).map_err(spent)?;
    unfolding::check(code.program, &unfolded)?;
    let facts = Facts::without_numbers(&unfolded.program);
    let space = Space::new(&unfolded.program);
    let mut encoding = Encoding::new(&unfolded, &facts, &space, budget)?;
    for thread in unfolded.threads.ids() {
        walk::walk(&mut encoding, thread)?;
    }
    if encoding.dangers.is_empty() {
        return Ok(());
    }
    let mut solver = order::solver(&mut encoding)?;
    encoding.garbage_leads_nowhere();
    let dangers: Vec<_> =
        encoding.dangers.iter().map(|danger| solver.literal(&encoding.values.terms, danger.when)).collect();
    solver.clause(&dangers);
    let Values { computed, terms, .. } = &mut encoding.values;
    match computed.solve(terms, &mut solver, &[], budget) {
        Answer::Unsatisfiable => Ok(()),
        Answer::Spent(_) => Err(Refusal::Wrong(SPENT.into())),
        Answer::Satisfiable => {
            let found = encoding.dangers.iter().zip(dangers).find(|(_, lit)| solver.value(*lit));
            let why = found.map(|(danger, _)| {
                let program = &unfolded.program;
                explain(&danger.kind, unrolling, program, &place(program, danger.pos))
            });
            Err(Refusal::Wrong(why.unwrap_or_else(|| "something that must not happen can".into())))
        }
    }
}

fn explain(kind: &DangerKind, unrolling: &Unrolling, program: &Program, at: &str) -> String {
    let name = |func: &ir::FuncId| &program.functions[*func].name;
    match kind {
        DangerKind::Assertion => format!("the assertion at {at} can fail"),
        DangerKind::Cut(CutKind::Loop(func, head)) => {
            let times = Bounds::from(unrolling).of(*func, *head);
            format!("the loop at {at} can go round more than {times} times")
        }
        DangerKind::Cut(CutKind::Count(..)) => format!("the loop at {at} can count further than it is unfolded"),
        DangerKind::Cut(CutKind::Recursion(func)) => {
            format!("at {at} {} can be inside itself more than {} times", name(func), unrolling.unwind)
        }
        DangerKind::Cut(CutKind::ThreadsInLoop) => format!("at {at} a loop that was not unfolded starts threads"),
        DangerKind::Cut(CutKind::Irreducible(..)) => format!("the loop at {at} has several ways in"),
        DangerKind::Cut(CutKind::Sections(..)) => {
            format!("rounds of the loop at {at} begin or end atomic sections of the next ones")
        }
        DangerKind::Cut(CutKind::Threads) => format!("at {at} there can be more than {} threads", unrolling.threads),
        DangerKind::Cut(CutKind::Size) => format!("at {at} there can be more than {} instructions", unrolling.size),
        DangerKind::Unsupported(what) => format!("something that is not supported can be reached at {at}: {what}"),
        DangerKind::TooLarge(0) => format!("the allocation at {at} is too large"),
        DangerKind::TooLarge(room) => {
            format!("the size of the allocation at {at} is not known, and can be more than {room}")
        }
        DangerKind::Astray => format!("the access at {at} can go where the facts do not say"),
    }
}
