//! A derivation from Spacer's proof.
//!
//! The proof is a tree of hyper-resolutions: a rule, proofs of the facts that it uses, and the fact that it gives.  Only the
//! facts are read.

use super::ERROR;
use crate::horn::{Application, Derivation, Derived, Horn, Predicate};
use crate::{Solver, decode};
use base::{Budget, Id};
use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, Dynamic};

/// Z3's name of the predicate.
pub fn name(predicate: Predicate) -> String {
    format!("p!{}", predicate.index())
}

/// What a node of the proof concludes: a fact of a predicate, or the error.
type Fact = Option<(Predicate, Vec<i128>)>;

/// `None` if the proof is not of the form expected, or a step is none of our rules.
pub fn read(horn: &Horn, proof: &Bool, budget: &Budget) -> Option<Derivation> {
    let names: FxHashMap<String, Predicate> = horn.predicates.ids().map(|at| (name(at), at)).collect();
    let solver = Solver::new();
    let mut reader = Reader { horn, names, solver, budget, known: FxHashMap::default(), steps: Vec::new() };
    // Proofs are as deep as derivations are long, so that the stack is our own.
    let mut open = vec![(Dynamic::from_ast(proof), false)];
    while let Some((node, premises_done)) = open.pop() {
        if reader.known.contains_key(&node) {
            continue;
        }
        if premises_done {
            if let Some(at) = reader.step(&node)? {
                if reader.steps[at].fact.is_none() {
                    return Some(reader.path(at));
                }
                reader.known.insert(node, at);
            }
            continue;
        }
        open.push((node.clone(), true));
        open.extend(premises(&node).into_iter().rev().map(|premise| (premise, false)));
    }
    None
}

/// The proofs of what is used; the rule that a resolution quotes is none.
fn premises(node: &Dynamic) -> Vec<Dynamic> {
    let operands = node.children();
    match node.decl().name().as_str() {
        RESOLUTION => operands.into_iter().skip(1).filter(is_proof).collect(),
        MODUS_PONENS => operands.into_iter().filter(is_proof).collect(),
        _ => Vec::new(),
    }
}

/// By name: the numbers of kinds differ between versions of Z3.  Our predicates have other names.
fn is_proof(node: &Dynamic) -> bool {
    node.is_app() && [RESOLUTION, MODUS_PONENS, ASSERTED].contains(&node.decl().name().as_str())
}

const RESOLUTION: &str = "hyper-res";
const MODUS_PONENS: &str = "mp";
const ASSERTED: &str = "asserted";

struct Reader<'h> {
    horn: &'h Horn,
    names: FxHashMap<String, Predicate>,
    solver: Solver,
    budget: &'h Budget,
    /// The step of each node.
    known: FxHashMap<Dynamic, usize>,
    steps: Vec<Step>,
}

struct Step {
    derived: Derived,
    /// The step whose result it uses.
    premise: Option<usize>,
    fact: Fact,
}

impl Reader<'_> {
    /// The step that the node is; `Some(None)` if it is none of ours: the query, or a rule that is quoted.
    fn step(&mut self, node: &Dynamic) -> Option<Option<usize>> {
        let Some(fact) = node.children().last().and_then(|conclusion| self.fact(conclusion)) else { return Some(None) };
        let premise = premises(node).iter().find_map(|premise| self.known.get(premise).copied());
        let derived = self.find_rule(&fact, premise)?;
        self.steps.push(Step { derived, premise, fact });
        Some(Some(self.steps.len() - 1))
    }

    /// The steps that lead to this one, and itself.
    fn path(&self, last: usize) -> Derivation {
        let path = std::iter::successors(Some(last), |at| self.steps[*at].premise);
        let mut steps: Vec<Derived> = path.map(|at| self.steps[at].derived.clone()).collect();
        steps.reverse();
        Derivation { steps }
    }

    /// Inside: nothing for the error.
    fn fact(&self, conclusion: &Dynamic) -> Option<Fact> {
        if !conclusion.is_app() {
            return None;
        }
        let name = conclusion.decl().name();
        if name == ERROR {
            return Some(None);
        }
        let predicate = *self.names.get(&name)?;
        let values: Option<Vec<i128>> = conclusion.children().iter().map(value).collect();
        Some(Some((predicate, values?)))
    }

    fn find_rule(&mut self, fact: &Fact, premise: Option<usize>) -> Option<Derived> {
        let used = premise.and_then(|step| self.steps[step].fact.as_ref());
        let fits = |application: &Option<Application>, fact: Option<&(Predicate, Vec<i128>)>| {
            application.as_ref().map(|it| it.predicate) == fact.map(|(predicate, _)| *predicate)
        };
        let values =
            |fact: Option<&'_ (Predicate, Vec<i128>)>| fact.map_or_else(Vec::new, |(_, values)| values.clone());
        let (before, after) = (values(used), values(fact.as_ref()));
        let mut rules = self.horn.rules.iter().enumerate();
        rules.find_map(|(rule, data)| {
            if !fits(&data.head, fact.as_ref()) || !fits(&data.body, used) {
                return None;
            }
            let model = self.horn.apply(data, &before, &after, &mut self.solver, self.budget)?;
            Some(Derived { rule, model })
        })
    }
}

/// A constant; also one with its sign in front.
fn value(node: &Dynamic) -> Option<i128> {
    decode::Decoder::new(&|_| None).term(node)?.as_constant()
}
