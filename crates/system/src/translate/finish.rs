//! From walked threads to a system: constants are put in, what nobody looks at is left out, and the variables get their order.

use super::constants;
use super::context::Context;
use super::meaning::{Meaning, Stands, WayBack};
use super::values::Home;
use super::walk::{Draft, Walked};
use super::{Note, Options};
use crate::{Edge, Graph, Location, System, Thread, ThreadId, VarData, VarKind, location_value};
use base::{Id, IdVec, Interval, Pos};
use formula::{Formula, Linear, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// Divisors from here on are the moduli of types, not of the program.
const SMALLEST_MODULUS: i128 = 1 << 8;

pub fn finish(
    mut context: Context<'_>,
    mut threads: IdVec<ThreadId, Walked>,
    options: &Options,
) -> (System, Vec<Note>, Meaning) {
    let failed = context.flag(Home::Failed);
    let pcs: IdVec<ThreadId, Var> = threads.ids().map(|thread| context.flag(Home::Pc(thread))).collect();
    for (id, thread) in threads.iter() {
        context.vars.all[pcs[id]].range = Interval::between(0, thread.locations.len() as i128 - 1);
    }
    // What one round leaves out may make more constant.
    for _ in 0..if options.raw { 0 } else { 3 } {
        constants::put_in_initial(&context, &mut threads);
        constants::propagate(&context, &mut threads);
    }
    if !options.raw && !options.exact_differences && weaken(&mut threads) {
        context.vars.note(Pos::NONE, "numbers that may wrap are taken to differ wherever they would without");
    }
    if !options.raw {
        slice(&mut threads, failed);
    }
    let order = order(&context, &threads, failed, &pcs, options.raw);
    let renumber: FxHashMap<Var, Var> = order.iter().enumerate().map(|(new, (old, _))| (*old, Var::new(new))).collect();
    let places = threads.values().map(|thread| thread.places.clone()).collect();
    let mut used = FxHashSet::default();
    let (mut vars, mut stands) = (IdVec::<Var, VarData>::new(), IdVec::new());
    let mut first = Vec::new();
    for (old, kind) in &order {
        let info = &context.vars.all[*old];
        let mut name = info.name.clone();
        let mut count = 1;
        while !used.insert(name.clone()) {
            count += 1;
            name = format!("{}@{count}", info.name);
        }
        let var = vars.push(VarData { name, range: info.range, kind: *kind });
        let initial = context.initial(*old);
        stands.push(Stands { home: info.home, mode: info.mode, bits: info.bits, initial });
        first.push(match initial {
            Some(value) => Formula::is(&var.into(), value),
            None => Formula::within(info.range, &var.into()),
        });
    }
    let mut ways_back = IdVec::new();
    let mut finished: IdVec<ThreadId, Thread> = IdVec::new();
    for (pc, thread) in pcs.values().zip(threads.into_values()) {
        let (mut edges, mut back) = (Vec::new(), Vec::new());
        for draft in thread.edges {
            let (edge, way_back) = finish_edge(draft, &renumber);
            edges.push(edge);
            back.push(way_back);
        }
        ways_back.push(back);
        finished.push(Thread {
            name: context.threads[finished.next_id()].clone(),
            pc: renumber[pc],
            graph: Graph { locations: thread.locations, entry: Location(0), edges },
        });
    }
    debug_assert_eq!(location_value(Location(0)), 0);
    let system = System { vars, initial: Formula::and(first), threads: finished, failed: renumber[&failed] };
    let notes = context.vars.notes.into_iter().map(|(pos, what)| Note { pos, what }).collect();
    let meaning = Meaning { vars: stands, places, memory: context.memory, accesses: context.accesses, ways_back };
    (system, notes, meaning)
}

/// The edge over the variables with their last numbers.
fn finish_edge(draft: Draft, renumber: &FxHashMap<Var, Var>) -> (Edge, WayBack) {
    // What is left of reads that nobody looks at may be anything.
    let replace = &mut |var: Var| {
        let new = if var.as_input().is_some() { Some(var) } else { renumber.get(&var).copied() };
        Some(new.map_or(Linear::constant(0), Linear::var))
    };
    let Draft { mut edge, back: WayBack { path, reads, origins } } = draft;
    edge.step.guard = edge.step.guard.substitute(replace);
    for (var, term) in &mut edge.step.updates {
        (*var, *term) = (renumber[var], term.substitute(replace));
    }
    edge.step.updates.sort_by_key(|(var, _)| *var);
    let reads = reads.into_iter().map(|(place, term)| (place, term.substitute(replace))).collect();
    (edge, WayBack { path, reads, origins })
}

/// Ring numbers are different wherever the integers are: says whether there are any.
fn weaken(threads: &mut IdVec<ThreadId, Walked>) -> bool {
    let mut any = false;
    let mut weaker = |literal: &Formula| match literal {
        Formula::NotDivides(by, term) if *by >= SMALLEST_MODULUS => {
            any = true;
            Formula::is_zero(term.clone()).not()
        }
        other => other.clone(),
    };
    for draft in threads.iter_mut().flat_map(|(_, thread)| &mut thread.edges) {
        draft.edge.step.guard = draft.edge.step.guard.map_literals(&mut weaker);
    }
    any
}

/// Leaves out the variables that no guard depends on, and then the edges that do nothing.
fn slice(threads: &mut IdVec<ThreadId, Walked>, failed: Var) {
    let edges = threads.values().flat_map(|thread| thread.edges.iter().map(|draft| &draft.edge));
    let needed = transition::that_matter(edges, &[failed]);
    for (_, thread) in threads.iter_mut() {
        thread.edges.iter_mut().for_each(|draft| draft.edge.step.keep_updates(&|var| needed.contains(&var)));
        thread.edges.retain(|Draft { edge, .. }| edge.from != edge.to || !edge.step.updates.is_empty());
    }
}

/// The variables that are left, in their order: shared ones, those of one thread, places.
fn order(
    context: &Context<'_>,
    threads: &IdVec<ThreadId, Walked>,
    failed: Var,
    pcs: &IdVec<ThreadId, Var>,
    raw: bool,
) -> Vec<(Var, VarKind)> {
    let users = constants::users(threads);
    let mut res = Vec::new();
    for (var, info) in context.vars.all.iter() {
        let users = users.get(&var);
        if matches!(info.home, Home::Input | Home::Pc(_) | Home::Failed) || (users.is_none() && !raw) {
            continue;
        }
        let mut users = users.into_iter().flatten();
        res.push(match (users.next(), users.next()) {
            (Some(only), None) => (var, VarKind::Local(*only)),
            _ => (var, VarKind::Shared),
        });
    }
    res.push((failed, VarKind::Shared));
    res.extend(pcs.iter().map(|(thread, pc)| (*pc, VarKind::Pc(thread))));
    let rank = |kind: &VarKind| match kind {
        VarKind::Shared => (0, ThreadId::FIRST),
        VarKind::Local(thread) => (1, *thread),
        VarKind::Pc(thread) => (2, *thread),
    };
    res.sort_by_key(|(var, kind)| (rank(kind), *var));
    res
}
