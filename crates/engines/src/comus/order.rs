//! The order of the threads: who is checked first, with all the others as its environment.
//!
//! What a thread needs to know of another is about what it reads of it.  So a thread should come before those whose data it
//! reads: then each level asks only about the next ones, and questions do not mention what is above.  Threads with
//! assertions come first, since the proof starts from them.

use super::knowledge::read_by;
use base::{Id, IdVec};
use formula::Var;
use rustc_hash::FxHashSet;
use std::fmt::Write;
use system::{System, ThreadId, VarKind};

/// By thread, whose data it reads: the threads that write it, each with how many variables.
type Flow = IdVec<ThreadId, Vec<(ThreadId, usize)>>;

fn flow(system: &System) -> Flow {
    let threads = || system.threads.ids();
    let read: IdVec<ThreadId, FxHashSet<Var>> = threads().map(|thread| read_by(system, thread)).collect();
    let is_shared = |var: &Var| system.vars[*var].kind == VarKind::Shared;
    let written = threads().map(|thread| system.written_by(thread).filter(is_shared).collect());
    let written: IdVec<ThreadId, FxHashSet<Var>> = written.collect();
    let sources = threads().map(|reader| {
        let others = threads().filter(|writer| *writer != reader);
        let counted = others.map(|writer| (writer, read[reader].intersection(&written[writer]).count()));
        counted.filter(|(_, count)| *count > 0).collect()
    });
    sources.collect()
}

/// A good order.
pub fn found(system: &System) -> Vec<ThreadId> {
    let flow = flow(system);
    let asserts =
        |thread: ThreadId| system.threads[thread].graph.edges.iter().any(|edge| edge.step.writes(system.failed));
    let mut order = Vec::new();
    // The thread that starts the others waits for them: it is above all.
    let mut roots: Vec<ThreadId> = system.threads.ids().collect();
    roots.sort_by_key(|thread| (thread.index() != 0, !asserts(*thread), thread.index()));
    let starts = system.threads.len() > 1 && !roots.is_empty();
    if starts {
        order.push(roots[0]);
    }
    for root in roots.into_iter().skip(usize::from(starts)) {
        follow(&flow, root, &mut order);
    }
    order
}

/// The thread and, after it, those it reads from, most of all first.
fn follow(flow: &Flow, thread: ThreadId, order: &mut Vec<ThreadId>) {
    if order.contains(&thread) {
        return;
    }
    order.push(thread);
    let mut next = flow[thread].clone();
    next.sort_by_key(|(other, count)| (std::cmp::Reverse(*count), other.index()));
    for (other, _) in next {
        follow(flow, other, order);
    }
}

/// The order that these names say, if any are given; threads that are not named come last.
pub fn given(system: &System, names: &[String]) -> Result<Option<Vec<ThreadId>>, String> {
    if names.is_empty() {
        return Ok(None);
    }
    let mut order = Vec::new();
    for name in names {
        let thread = system.threads.iter().find(|(_, thread)| thread.name == *name).map(|(id, _)| id);
        match thread {
            Some(thread) if !order.contains(&thread) => order.push(thread),
            Some(_) => return Err(format!("the order names thread {name} twice")),
            None => {
                let all: Vec<&str> = system.threads.values().map(|thread| thread.name.as_str()).collect();
                return Err(format!("no thread {name}: there are {}", all.join(", ")));
            }
        }
    }
    for thread in found(system) {
        if !order.contains(&thread) {
            // The thread that starts the others stays on top unless it is named.
            match thread.index() {
                0 => order.insert(0, thread),
                _ => order.push(thread),
            }
        }
    }
    Ok(Some(order))
}

/// The order and what it was found from, for people.
pub fn describe(system: &System, order: &[ThreadId]) -> String {
    let flow = flow(system);
    let name = |thread: ThreadId| system.threads[thread].name.as_str();
    let mut text = String::from("order of the threads, each with those it reads from:\n");
    for (level, &thread) in order.iter().enumerate() {
        let reads: Vec<&str> = flow[thread].iter().map(|(other, _)| name(*other)).collect();
        let reads = if reads.is_empty() { "nobody".to_string() } else { reads.join(", ") };
        writeln!(text, "  {level}  {}: {reads}", name(thread)).expect("writing to a string");
    }
    let place = |thread: ThreadId| order.iter().position(|other| *other == thread).unwrap_or(0);
    let upwards = order
        .iter()
        .enumerate()
        .flat_map(|(level, thread)| flow[*thread].iter().map(move |(other, _)| (level, *other)))
        .filter(|(level, other)| place(*other) < *level && other.index() != 0)
        .count();
    let shape = match upwards {
        0 => "nobody reads from a thread above: a hierarchy",
        _ => "some read from threads above: no hierarchy",
    };
    text.push_str(shape);
    text
}
