//! A smaller program with the same failures: nodes are taken out of the graph, the arcs to them joined with the arcs from
//! them.  A node goes where that does not make more arcs than it takes away, so that what stays are heads of loops and
//! large blocks between them.  With the way back, for paths and for invariants.

use crate::interpret::{Path, execute};
use crate::run::{Run, State};
use crate::{Arc, Invariants, Node, Relevance, Sequential, Statement};
use base::{Budget, Id, IdVec};
use formula::{Formula, Var};

pub struct Reduced {
    /// The same nodes; those that were taken out have no arcs.
    pub program: Sequential,
    /// By arc: the arcs of the original program that it consists of.
    parts: Vec<Vec<usize>>,
    gone: IdVec<Node, bool>,
}

/// An arc of the smaller program.
#[derive(Clone)]
struct Joined {
    arc: Arc,
    parts: Vec<usize>,
}

impl Reduced {
    /// The program without what does not matter, and with all nodes that do.
    pub fn nothing(program: &Sequential, relevance: &Relevance) -> Self {
        Reduced::made(program, relevant_arcs(program, relevance), IdVec::filled(false, program.nodes.len()))
    }

    pub fn of(program: &Sequential, relevance: &Relevance) -> Self {
        let mut arcs = relevant_arcs(program, relevance);
        let mut gone = IdVec::filled(false, program.nodes.len());
        let mut candidates: Vec<Node> = program.reverse_postorder();
        candidates.retain(|node| *node != program.entry && relevance.has_node(*node));
        // What one node leaves behind may let another go.
        loop {
            let before = candidates.len();
            candidates.retain(|node| {
                let taken = take_out(*node, &mut arcs);
                gone[*node] = taken;
                !taken
            });
            if candidates.len() == before {
                break;
            }
        }
        Reduced::made(program, arcs, gone)
    }

    fn made(program: &Sequential, arcs: Vec<Joined>, gone: IdVec<Node, bool>) -> Self {
        let (edges, parts) = arcs.into_iter().map(|joined| (joined.arc, joined.parts)).unzip();
        Reduced { program: Sequential { edges, ..program.clone() }, parts, gone }
    }

    pub fn has_node(&self, node: Node) -> bool {
        !self.gone[node]
    }

    /// The path of the original program that a path of the smaller one stands for.
    pub fn original_path(&self, original: &Sequential, path: &Path) -> Result<Path, String> {
        let (mut arcs, mut choices) = (Vec::new(), Vec::new());
        for (place, (&arc, chosen)) in path.arcs.iter().zip(&path.choices).enumerate() {
            let mut chosen = chosen.iter().copied();
            let mut left = if place + 1 == path.arcs.len() { path.failing + 1 } else { usize::MAX };
            for &part in &self.parts[arc] {
                if left == 0 {
                    break;
                }
                let statements = &original.edges[part].statements;
                let havocs = statements.iter().filter(|statement| matches!(statement, Statement::Havoc(_))).count();
                arcs.push(part);
                choices.push(chosen.by_ref().take(havocs).collect());
                left = left.saturating_sub(statements.len());
            }
        }
        let initial = path.states.first().ok_or("the path has no states")?;
        execute(original, &arcs, initial, &choices)
    }

    /// Invariants of the original program from those of the nodes that stayed: at a node that went, what makes sure that
    /// the invariants hold at the nodes after it.  Nothing if that has no formula of reasonable size.
    pub fn original_invariants(
        &self,
        original: &Sequential,
        relevance: &Relevance,
        kept: &IdVec<Node, Option<Formula>>,
        budget: &Budget,
    ) -> Option<Invariants> {
        let mut known: IdVec<Node, Option<Formula>> = kept.clone();
        let order = original.reverse_postorder();
        for node in original.nodes.ids().filter(|node| !relevance.has_node(*node)) {
            // Nothing can fail from here, or nothing comes here.
            known[node] = Some(Formula::of(order.contains(&node)));
        }
        let leaving = original.leaving();
        let mut waiting: Vec<Node> = order.into_iter().rev().filter(|node| known[*node].is_none()).collect();
        // Each cycle has a node that stayed, so that there is always a next one.
        while !waiting.is_empty() {
            let ready = |node: &Node| leaving[*node].iter().all(|&arc| known[original.edges[arc].to].is_some());
            let at = waiting.iter().position(ready)?;
            let node = waiting.remove(at);
            let mut parts = Vec::new();
            for &arc in &leaving[node] {
                let arc = &original.edges[arc];
                let after = known[arc.to].clone().expect("it is ready");
                parts.push(weakest_precondition(arc, after, budget)?);
            }
            known[node] = Some(Formula::and(parts));
        }
        known.into_values().collect::<Option<Vec<Formula>>>().map(IdVec::from_vec)
    }
}

fn relevant_arcs(program: &Sequential, relevance: &Relevance) -> Vec<Joined> {
    let mut arcs = Vec::new();
    for (index, arc) in program.edges.iter().enumerate().filter(|(_, arc)| relevance.has_node(arc.from)) {
        if let Some(count) = relevance.matters(arc) {
            let arc = Arc { statements: arc.statements[..count].to_vec(), ..arc.clone() };
            arcs.push(Joined { arc, parts: vec![index] });
        }
    }
    arcs
}

/// Takes the node out of the graph, unless that makes more arcs.
fn take_out(node: Node, arcs: &mut Vec<Joined>) -> bool {
    let (entering, leaving) = (|joined: &&Joined| joined.arc.to == node, |joined: &&Joined| joined.arc.from == node);
    let (ins, outs) = (arcs.iter().filter(entering).count(), arcs.iter().filter(leaving).count());
    if ins * outs > ins + outs || arcs.iter().any(|joined| joined.arc.from == node && joined.arc.to == node) {
        return false;
    }
    let ins: Vec<Joined> = arcs.iter().filter(entering).cloned().collect();
    let outs: Vec<Joined> = arcs.iter().filter(leaving).cloned().collect();
    arcs.retain(|joined| joined.arc.from != node && joined.arc.to != node);
    for first in &ins {
        for (number, second) in outs.iter().enumerate() {
            // An assertion on the way here is checked once.
            let checked = |statement: &Statement| match statement {
                Statement::Assert(condition) if number > 0 => Statement::Assume(condition.clone()),
                other => other.clone(),
            };
            let statements = first.arc.statements.iter().map(checked).chain(second.arc.statements.iter().cloned());
            let note = format!("{}; {}", first.arc.note, second.arc.note);
            let arc = Arc { from: first.arc.from, to: second.arc.to, statements: statements.collect(), note };
            arcs.push(Joined { arc, parts: [first.parts.as_slice(), &second.parts].concat() });
        }
    }
    true
}

/// What must hold before the arc so that its assertions hold, and `after` behind it.
fn weakest_precondition(arc: &Arc, after: Formula, budget: &Budget) -> Option<Formula> {
    let mut needed = after;
    // Statements backwards; choices are universal, and are eliminated at once.
    for statement in arc.statements.iter().rev() {
        needed = match statement {
            Statement::Assign(var, value) => needed.substitute(&mut |other| (other == *var).then(|| value.clone())),
            Statement::Havoc(var) if needed.vars().contains(var) => {
                smt::project(&needed.not(), &|other| other != *var, budget)?.not()
            }
            Statement::Havoc(_) => needed,
            Statement::Assume(condition) => Formula::or([condition.not(), needed]),
            Statement::Assert(condition) => Formula::and([condition.clone(), needed]),
        };
    }
    Some(needed)
}

/// Whether the invariants are what they say: they hold at first, arcs preserve them, and they imply the assertions.  The
/// error says which arc is in the way.
pub fn certify(program: &Sequential, invariants: &Invariants, budget: &Budget) -> Result<(), String> {
    let impossible = |formula: &Formula| smt::Solver::new().refutes(formula, budget);
    let verdict = |answer: Option<bool>, what: &dyn Fn() -> String| match answer {
        Some(true) => Ok(()),
        Some(false) => Err(format!("the invariants are not: {}", what())),
        None => Err(format!("whether the invariants are some was not found out: {}", what())),
    };
    verdict(impossible(&invariants[program.entry].not()), &|| "at the entry".into())?;
    let last = program.first_free().index();
    for (index, arc) in program.edges.iter().enumerate() {
        let mut next = last;
        let mut fresh = || {
            next += 1;
            Var::new(next - 1)
        };
        let mut run = Run::new(State::default(), invariants[arc.from].clone());
        let mut wrong: Vec<Formula> =
            arc.statements.iter().filter_map(|statement| run.step(statement, &mut fresh)).collect();
        let after = invariants[arc.to].substitute(&mut |var| run.state.get(&var).cloned());
        wrong.push(Formula::and([run.condition(), after.not()]));
        verdict(impossible(&Formula::or(wrong)), &|| format!("arc {index} ({})", arc.note))?;
    }
    Ok(())
}
