//! A smaller program with the same failures: locations are taken out of the graph, the edges to them joined with the edges from
//! them.  A location goes where that does not make more edges than it takes away, so that what stays are heads of loops and
//! large blocks between them.  With the way back, for paths and for invariants.

use crate::interpret::{Path, execute};
use crate::{Invariants, Sequential};
use base::{Budget, IdVec};
use formula::{Formula, within_width};
use transition::{Graph, Joined, Live, Location};

/// An invariant that is larger is of no use to anybody.
const MOST_SIZE: usize = 50_000;

pub struct Blocks {
    /// The same locations; those that were taken out have no edges.
    pub graph: Graph,
    /// By edge: the edges of the original program that it consists of.
    parts: Vec<Vec<usize>>,
    gone: IdVec<Location, bool>,
}

impl Blocks {
    /// The program without what does not matter, and with all locations that do.
    pub fn single(program: &Sequential, live: &Live) -> Self {
        Blocks::made(program, relevant(program, live), IdVec::filled(false, program.graph.locations.len()))
    }

    pub fn large(program: &Sequential, live: &Live) -> Self {
        let mut edges = relevant(program, live);
        let mut gone = IdVec::filled(false, program.graph.locations.len());
        let mut candidates: Vec<Location> = program.graph.reverse_postorder();
        candidates.retain(|location| *location != program.graph.entry && live.has(*location));
        // What one location leaves behind may let another go.
        loop {
            let before = candidates.len();
            candidates.retain(|location| {
                gone[*location] = take_out(*location, &mut edges);
                !gone[*location]
            });
            if candidates.len() == before {
                break;
            }
        }
        Blocks::made(program, edges, gone)
    }

    fn made(program: &Sequential, edges: Vec<Joined>, gone: IdVec<Location, bool>) -> Self {
        let (edges, parts) = edges.into_iter().map(|joined| (joined.edge, joined.parts)).unzip();
        Blocks { graph: Graph { edges, ..program.graph.clone() }, parts, gone }
    }

    pub fn has(&self, location: Location) -> bool {
        !self.gone[location]
    }

    /// The path of the original program that these edges of the smaller one, with these inputs, stand for.
    pub fn original_path(
        &self,
        original: &Sequential,
        initial: &crate::Values,
        edges: &[usize],
        inputs: &[Vec<i128>],
    ) -> Result<Path, String> {
        let (mut taken, mut choices) = (Vec::new(), Vec::new());
        for (&edge, inputs) in edges.iter().zip(inputs) {
            let parts = &self.parts[edge];
            taken.extend(parts);
            choices.extend(Joined::split_inputs(parts, &self.graph.edges[edge].step, &original.graph.edges, inputs));
        }
        execute(original, &taken, initial, &choices)
    }

    /// Invariants of the original program from those of the locations that stayed: at one that went, what makes sure that
    /// the invariants hold at the locations after it.  `None` if that has no formula of reasonable size.
    pub fn original_invariants(
        &self,
        original: &Sequential,
        live: &Live,
        kept: &IdVec<Location, Option<Formula>>,
        budget: &Budget,
    ) -> Option<Invariants> {
        let graph = &original.graph;
        let mut known: IdVec<Location, Option<Formula>> = kept.clone();
        let order = graph.reverse_postorder();
        for location in graph.locations.ids().filter(|location| !live.has(*location)) {
            // Nothing can fail from here, or nothing comes here.
            known[location] = Some(Formula::of(order.contains(&location)));
        }
        let leaving = graph.leaving();
        let mut waiting: Vec<Location> = order.into_iter().rev().filter(|at| known[*at].is_none()).collect();
        // Each cycle has a location that stayed, so that there is always a next one.
        while !waiting.is_empty() {
            let ready = |at: &Location| leaving[*at].iter().all(|&edge| known[graph.edges[edge].to].is_some());
            let location = waiting.remove(waiting.iter().position(ready)?);
            let mut parts = Vec::new();
            for edge in leaving[location].iter().map(|edge| &graph.edges[*edge]) {
                // For no value of the inputs it escapes.
                let escape = edge.step.escape(known[edge.to].as_ref()?);
                parts.push(match edge.step.inputs.is_empty() {
                    true => escape.not(),
                    false => smt::project(&escape, &|var| var.as_input().is_none(), budget)?.not(),
                });
            }
            let here = Formula::and(parts);
            if here.size() > MOST_SIZE || budget.spent().is_some() {
                return None;
            }
            known[location] = Some(here);
        }
        known.into_values().collect::<Option<Vec<Formula>>>().map(IdVec::from_vec)
    }
}

/// The edges that can be part of a failing execution.
fn relevant(program: &Sequential, live: &Live) -> Vec<Joined> {
    let mut edges = Joined::all(&program.graph);
    edges.retain(|joined| live.has(joined.edge.from) && live.matters(&joined.edge));
    edges
}

/// Takes the location out of the graph, unless that makes more edges, or terms that are too wide.
fn take_out(location: Location, edges: &mut Vec<Joined>) -> bool {
    let ins: Vec<&Joined> = edges.iter().filter(|joined| joined.edge.to == location).collect();
    let outs: Vec<&Joined> = edges.iter().filter(|joined| joined.edge.from == location).collect();
    let loops = ins.iter().any(|joined| joined.edge.from == location);
    if ins.len() * outs.len() > ins.len() + outs.len() || loops {
        return false;
    }
    let mut made = Vec::new();
    for first in &ins {
        for (number, second) in outs.iter().enumerate() {
            // What fails on the way here fails once.
            let first = if number == 0 { Joined::clone(first) } else { first.unchecked() };
            let Ok(joined) = within_width(|| first.then(second)) else { return false };
            made.push(joined);
        }
    }
    edges.retain(|joined| joined.edge.from != location && joined.edge.to != location);
    edges.extend(made);
    true
}

/// Whether the invariants are what they say: they hold at first, edges preserve them, and nothing fails where they hold.
/// The error says which edge is in the way.
pub fn certify(program: &Sequential, invariants: &Invariants, budget: &Budget) -> Result<(), String> {
    let impossible = |formula: &Formula| smt::Solver::new().refutes(formula, budget);
    let verdict = |answer: Option<bool>, what: &dyn Fn() -> String| match answer {
        Some(true) => Ok(()),
        Some(false) => Err(format!("the invariants are not: {}", what())),
        None => Err(format!("whether the invariants are some was not found out: {}", what())),
    };
    let graph = &program.graph;
    verdict(impossible(&invariants[graph.entry].not()), &|| "at the entry".into())?;
    for (index, edge) in graph.edges.iter().enumerate() {
        let escape = Formula::and([invariants[edge.from].clone(), edge.step.escape(&invariants[edge.to])]);
        verdict(impossible(&escape), &|| format!("edge {index} ({})", program.notes[index]))?;
    }
    Ok(())
}
