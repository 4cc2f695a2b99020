//! Constants: what is known of a thread's own variables at each of its locations is put in.
//!
//! A variable that only one thread mentions changes by that thread's edges only, so a forward analysis along them finds where
//! it is a constant.  Guards that this decides remove edges, and so more may become constant.

use super::context::Context;
use super::walk::Walked;
use crate::{Edge, Location, Step, ThreadId};
use base::IdVec;
use formula::{Atom, Formula, Linear, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// By variable, its value.
type Known = FxHashMap<Var, i128>;

/// By variable, the threads that mention it.
pub fn users(threads: &IdVec<ThreadId, Walked>) -> FxHashMap<Var, FxHashSet<ThreadId>> {
    let mut users: FxHashMap<Var, FxHashSet<ThreadId>> = FxHashMap::default();
    for (number, thread) in threads.iter() {
        for var in thread.edges.iter().flat_map(|draft| draft.edge.step.mentioned()) {
            users.entry(var).or_default().insert(number);
        }
    }
    users
}

pub fn propagate(context: &Context<'_>, threads: &mut IdVec<ThreadId, Walked>) {
    let users = users(threads);
    for (number, thread) in threads.iter_mut() {
        let own = users.iter().filter(|(_, users)| users.len() == 1 && users.contains(&number));
        let first: Known = own.filter_map(|(var, _)| Some((*var, context.initial(*var)?))).collect();
        let is_own = |var: Var| users.get(&var).is_some_and(|users| users.len() == 1);
        let at = known(thread, first, &is_own);
        for Edge { from, step, .. } in thread.edges.iter_mut().map(|draft| &mut draft.edge) {
            let Some(known) = &at[*from] else {
                // Never reached.
                step.guard = Formula::False;
                continue;
            };
            let put = &mut |var: Var| known.get(&var).map(|value| Linear::constant(*value));
            put_in(step, put);
            put_in_equalities(step);
            step.updates.retain(|(var, term)| match term.as_constant() {
                Some(value) => known.get(var) != Some(&value),
                None => true,
            });
        }
        thread.edges.retain(|draft| draft.edge.step.guard != Formula::False);
    }
}

fn known(thread: &Walked, first: Known, is_own: &dyn Fn(Var) -> bool) -> IdVec<Location, Option<Known>> {
    let mut at: IdVec<Location, Option<Known>> = IdVec::filled(None, thread.locations.len());
    at[Location(0)] = Some(first);
    let mut work = vec![Location(0)];
    while let Some(location) = work.pop() {
        for edge in thread.edges.iter().map(|draft| &draft.edge).filter(|edge| edge.from == location) {
            let step = &edge.step;
            let Some(before) = &at[location] else { continue };
            let put = &mut |var: Var| before.get(&var).map(|value| Linear::constant(*value));
            if step.guard.substitute(put) == Formula::False {
                continue;
            }
            let mut after = before.clone();
            // Inputs are nobody's own: they are chosen anew on every edge.
            for (var, value) in step.guard.conjuncts().iter().filter_map(fixes) {
                if is_own(var) {
                    after.insert(var, value);
                }
            }
            for (var, term) in step.updates.iter().filter(|(var, _)| is_own(*var)) {
                match term.substitute(put).as_constant() {
                    Some(value) => _ = after.insert(*var, value),
                    None => _ = after.remove(var),
                }
            }
            let target = &mut at[edge.to];
            let before = target.as_ref().map(Known::len);
            let there = target.get_or_insert_with(|| after.clone());
            there.retain(|var, value| after.get(var) == Some(value));
            if before != Some(there.len()) && !work.contains(&edge.to) {
                work.push(edge.to);
            }
        }
    }
    at
}

fn put_in(step: &mut Step, replace: &mut dyn FnMut(Var) -> Option<Linear>) {
    step.guard = step.guard.substitute(replace);
    step.updates.iter_mut().for_each(|(_, term)| *term = term.substitute(replace));
}

/// What the guard says of single variables is put into the rest of the edge.
fn put_in_equalities(step: &mut Step) {
    let fixed: Known = step.guard.conjuncts().iter().filter_map(fixes).collect();
    if fixed.is_empty() {
        return;
    }
    let put = &mut |var: Var| fixed.get(&var).map(|value| Linear::constant(*value));
    step.guard = Formula::and(step.guard.conjuncts().iter().cloned().map(|part| match fixes(&part) {
        Some((var, value)) if fixed.get(&var) == Some(&value) => part,
        _ => part.substitute(put),
    }));
    step.updates.iter_mut().for_each(|(_, term)| *term = term.substitute(put));
    step.updates.retain(|(var, term)| term.as_constant().is_none() || fixed.get(var).copied() != term.as_constant());
}

/// The variable and its value, if the formula says that.
pub fn fixes(formula: &Formula) -> Option<(Var, i128)> {
    let Formula::Eq(term) = formula else { return None };
    match term.terms() {
        [(Atom::Var(var), 1)] => Some((*var, -term.offset())),
        _ => None,
    }
}

/// Variables that are never written are what they are at first.
pub fn put_in_initial(context: &Context<'_>, threads: &mut IdVec<ThreadId, Walked>) {
    let edges = threads.values().flat_map(|thread| &thread.edges);
    let written: FxHashSet<Var> = edges.flat_map(|draft| draft.edge.step.written()).collect();
    let replace = &mut |var: Var| match written.contains(&var) || var.as_input().is_some() {
        true => None,
        false => context.initial(var).map(Linear::constant),
    };
    for (_, thread) in threads.iter_mut() {
        for step in thread.edges.iter_mut().map(|draft| &mut draft.edge.step) {
            put_in(step, replace);
        }
        thread.edges.retain(|draft| draft.edge.step.guard != Formula::False);
    }
}
