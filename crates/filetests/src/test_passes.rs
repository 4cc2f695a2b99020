//! Commands that print what becomes of a program on its way to the engines.
//!
//! | command                     | prints                                                                       |
//! |-----------------------------|------------------------------------------------------------------------------|
//! | `unfold N`                  | the threads, with loops unwound `N` times; also what was cut, and allocations in loops |
//! | `unfold keep N [SIZE]`      | the threads, with loops kept that no constant ends in `N` rounds, or that take more than `SIZE` instructions |
//! | `unfold ... GOAL`           | the same to look for a race, say, and what becomes of the goal                |
//! | `system [INTEGERS]`         | the program as a system                                                      |
//! | `prepare [INTEGERS]`        | the system that is proved about, each edge with those it was put together from |
//!
//! `INTEGERS` are `machine` (also without it), `unwrapped` or `mathematical`.

use crate::test_facts::word;
use crate::{Case, Failure, Outcome, fail, invalid};
use base::Budget;
use claim::modular::Ints;
use facts::{Facts, Point};
use ir::{BlockId, FuncId, Goal};
use passes::Bounds;
use std::fmt::Write;
use system::{Options, Refused, Translated};

pub fn unfold(case: &Case) -> Outcome {
    let goals = [Goal::Assertion, Goal::Race, Goal::Deadlock, Goal::Lasso];
    let goal = case.args.last().and_then(|last| goals.into_iter().find(|goal| word(goal) == *last));
    let bounds = match &case.args[..case.args.len() - usize::from(goal.is_some())] {
        [keep, most] if keep == "keep" => Bounds::keeping_loops(number(most)?),
        [keep, most, size] if keep == "keep" => {
            Bounds { size: number(size)? as usize, ..Bounds::keeping_loops(number(most)?) }
        }
        [rounds] => Bounds::new(number(rounds)?),
        _ => return fail("needs a number of rounds, or `keep` and one"),
    };
    let facts = Facts::compute(case.program());
    let wanted = goal.unwrap_or(Goal::Assertion);
    let unfolded = passes::unfold(case.program(), &facts, wanted, &bounds, &Budget::unlimited())
        .or_else(|spent| fail(format!("{spent:?}")))?;
    let mut out = invalid(&unfolded.program);
    // The program's own functions are but names there.
    let text = ir::text::print(&unfolded.program);
    let threads = unfolded.threads.values().map(|thread| &unfolded.program.functions[thread.func].name);
    let heads: Vec<String> = threads.map(|name| format!("func {name}(")).collect();
    let mut functions = text.split("\n\n").filter(|part| heads.iter().any(|head| part.starts_with(head)));
    out.push_str(&functions.by_ref().collect::<Vec<_>>().join("\n\n"));
    let block = |func: FuncId, block: BlockId| {
        let function = &unfolded.program.functions[func];
        format!("{} {}", function.name, function.blocks[block].name)
    };
    for cut in &unfolded.cuts {
        write!(out, "\ncut {}: {}, at line {}", block(cut.func, cut.block), cut.kind, cut.pos.line).ok();
    }
    for site in &unfolded.repeated {
        let Point { func, block: id, inst } = site.point;
        write!(out, "\nrepeated {}: {:?} made by instruction {inst}", block(func, id), site.kind).ok();
    }
    if goal.is_some() {
        write!(out, "\npreserves {}", unfolded.preserves().map_or("nothing".into(), word)).ok();
    }
    Ok(Some(out))
}

pub fn system(case: &Case) -> Outcome {
    Ok(Some(match translated(case)? {
        Ok(translated) => {
            let notes: String = translated.notes.iter().map(|note| format!("note: {}\n", note.what)).collect();
            format!("{}{notes}", translated.system)
        }
        Err(refused) => refused,
    }))
}

pub fn prepare(case: &Case) -> Outcome {
    let translated = match translated(case)? {
        Ok(translated) => translated,
        Err(refused) => return Ok(Some(refused)),
    };
    let prepared = system::prepare(&translated.system, &Budget::unlimited());
    let mut out = prepared.system.to_string();
    for (thread, data) in prepared.system.threads.iter() {
        let original = &translated.system.threads[thread].graph;
        for (edge, parts) in data.graph.edges.iter().zip(&prepared.parts[thread]).filter(|(_, parts)| parts.len() > 1) {
            let ends = |edge: &system::Edge, graph: &system::Graph| {
                format!("{} -> {}", graph.locations[edge.from].name, graph.locations[edge.to].name)
            };
            let parts: Vec<String> = parts.iter().map(|part| ends(&original.edges[*part], original)).collect();
            writeln!(out, "{}: {} is {}", data.name, ends(edge, &data.graph), parts.join(", ")).ok();
        }
    }
    Ok(Some(out))
}

/// The system, or why there is none, in words.
fn translated(case: &Case) -> Result<Result<Translated, String>, Vec<Failure>> {
    let ints = match case.args {
        [] => Ints::Machine,
        [ints] if ints == "machine" => Ints::Machine,
        [ints] if ints == "unwrapped" => Ints::Unwrapped,
        [ints] if ints == "mathematical" => Ints::Mathematical,
        _ => return fail("integers are `machine`, `unwrapped` or `mathematical`"),
    };
    match system::translate(case.program(), &Options::from(ints), &Budget::unlimited()) {
        Ok(translated) => Ok(Ok(translated)),
        Err(Refused::Unsupported(note)) => Ok(Err(format!("not supported: {}\n", note.what))),
        Err(Refused::Spent(spent)) => fail(format!("{spent:?}")),
    }
}

fn number(word: &str) -> Result<u32, Vec<Failure>> {
    word.parse().or_else(|_| fail(format!("`{word}` is no number")))
}
