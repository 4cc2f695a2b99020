//! How large numbers can become where every step is taken at most once.
//!
//! Intervals do not see that variables that feed each other in a ring grow a bounded number of times.  Counting does: let m be the
//! largest absolute value among variables that feed each other.  A step that computes a sum of them with coefficients of
//! absolute sum K and a constant c makes m at most K m + c <= K (m + c), if K >= 1.  In a system without cycles each edge is taken at
//! most once, so after all steps m is at most the product of the K times (the first m plus the sum of the c), with the worst
//! path of every thread.

use crate::ranges::declared;
use crate::{Edge, Graph, Location, Step, System, ThreadId, VarKind};
use base::graph::Components;
use base::{Id, IdVec, Interval};
use formula::interval::{Ranges, refine};
use formula::{Atom, Linear, Var};
use rustc_hash::FxHashSet;

/// Bounds beyond this tell nothing.
const MOST: i128 = 1 << 62;

/// Narrows the ranges of the variables to how large they can become.
pub fn limit_growth(system: &mut System) {
    if !system.threads.values().all(|thread| thread.graph.is_acyclic()) {
        return;
    }
    let mut first = declared(system);
    if !refine(&mut first, &system.initial) {
        return;
    }
    let backwards: IdVec<ThreadId, Vec<usize>> =
        system.threads.values().map(|thread| last_edges_first(&thread.graph)).collect();
    let is_number = |var: &Var| matches!(system.vars[*var].kind, VarKind::Shared | VarKind::Local(_));
    let groups = feeding_each_other(system).into_iter().map(|vars| vars.into_iter().map(Var::new));
    let groups: Vec<Vec<Var>> = groups.map(|vars| vars.filter(is_number).collect()).collect();
    for members in groups.into_iter().filter(|members| !members.is_empty()) {
        let Some(bound) = bound(system, &first, &backwards, &members) else { continue };
        for var in members {
            let range = &mut system.vars[var].range;
            *range = range.intersect(Interval::between(-bound, bound)).unwrap_or(*range);
        }
    }
}

/// The variables in groups that feed each other.
fn feeding_each_other(system: &System) -> Vec<Vec<usize>> {
    let mut beside: Vec<Vec<u32>> = vec![Vec::new(); system.vars.len()];
    let edges = system.threads.values().flat_map(|thread| &thread.graph.edges);
    for (var, value) in edges.flat_map(|edge| &edge.step.updates) {
        value.visit_vars(&mut |other| {
            if other.as_input().is_none() {
                beside[var.index()].push(other.0);
                beside[other.index()].push(var.0);
            }
        });
    }
    Components::of_graph(&beside).members()
}

/// What the absolute values of these variables never exceed, if that is a number of use.
fn bound(system: &System, first: &Ranges, backwards: &IdVec<ThreadId, Vec<usize>>, members: &[Var]) -> Option<i128> {
    let mut factor: i128 = 1;
    let mut constants: i128 = 0;
    for var in members {
        let (low, high) = first[*var].ends()?;
        constants = constants.max(low.checked_abs()?).max(high.checked_abs()?);
    }
    let members: FxHashSet<Var> = members.iter().copied().collect();
    for (id, edges) in backwards.iter() {
        let (most_factor, most_constant) = worst_path(&system.threads[id].graph, edges, &members)?;
        factor = factor.checked_mul(most_factor).filter(|factor| *factor <= MOST)?;
        constants = constants.checked_add(most_constant).filter(|sum| *sum <= MOST)?;
    }
    factor.checked_mul(constants).filter(|bound| *bound <= MOST)
}

/// The edges of a thread without cycles, each before those that lead to where it starts.
fn last_edges_first(graph: &Graph) -> Vec<usize> {
    let leaving = graph.leaving();
    graph.reverse_postorder().into_iter().rev().flat_map(|location| leaving[location].iter().copied()).collect()
}

/// The largest product of the factors and the largest sum of the constants on any path of the thread.
fn worst_path(graph: &Graph, backwards: &[usize], members: &FxHashSet<Var>) -> Option<(i128, i128)> {
    let mut from: IdVec<Location, (i128, i128)> = IdVec::filled((1, 0), graph.locations.len());
    for edge in backwards.iter().map(|edge| &graph.edges[*edge]) {
        let (factor, constant) = growth(edge, members)?;
        let (later_factor, later_constant) = from[edge.to];
        let factor = factor.checked_mul(later_factor).filter(|factor| *factor <= MOST)?;
        let constant = constant.checked_add(later_constant).filter(|sum| *sum <= MOST)?;
        let here = &mut from[edge.from];
        *here = (here.0.max(factor), here.1.max(constant));
    }
    Some(from[graph.entry])
}

/// K (at least 1) and c of the step.
fn growth(edge: &Edge, members: &FxHashSet<Var>) -> Option<(i128, i128)> {
    let mut values = edge.step.updates.iter().filter(|(var, _)| members.contains(var));
    values.try_fold((1, 0), |most, (_, value)| {
        let (factor, constant) = measure(&edge.step, value)?;
        Some((most.0.max(factor), most.1.max(constant)))
    })
}

/// The absolute value of the term is at most K times that of the largest variable, plus c.
fn measure(step: &Step, term: &Linear) -> Option<(i128, i128)> {
    let mut total = (0i128, term.offset().checked_abs()?);
    for (atom, coefficient) in term.terms() {
        let (factor, constant) = match atom {
            Atom::Var(var) => match var.as_input() {
                Some(input) => {
                    let (low, high) = step.inputs[input].range.ends()?;
                    (0, low.checked_abs()?.max(high.checked_abs()?))
                }
                None => (1, 0),
            },
            Atom::Choice(choice) => {
                let (then, other) = (measure(step, &choice.then)?, measure(step, &choice.other)?);
                (then.0.max(other.0), then.1.max(other.1))
            }
            Atom::Div(quotient) => {
                let (factor, constant) = measure(step, &quotient.dividend)?;
                // Rounded down: one more below zero.
                (factor, constant.checked_add(1)?)
            }
            Atom::Mod(quotient) => (0, quotient.divisor),
        };
        let size = coefficient.checked_abs()?;
        total.0 = total.0.checked_add(factor.checked_mul(size)?)?;
        total.1 = total.1.checked_add(constant.checked_mul(size)?)?;
    }
    Some(total)
}
