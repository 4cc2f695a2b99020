//! The checker of programs with cycles: nodes are unknown relations over the variables that matter there, arcs are rules,
//! assertions say what must not be.  Z3's Spacer finds the relations, which are invariants.

use crate::interpret::execute;
use crate::reduce::{Reduced, certify};
use crate::run::{Run, State, value_in};
use crate::{Checked, Checker, Invariants, Node, Path, Relevance, Sequential, Values};
use base::{Budget, Id, IdVec};
use formula::{Formula, Linear, Var};
use smt::{Application, Derivation, Horn, HornAnswer, HornOptions, Predicate};

/// Decides programs as constrained Horn clauses.
#[derive(Clone, Debug)]
pub struct Spacer {
    pub options: HornOptions,
    /// Whether nodes that are no heads of loops are taken out of the graph first.
    pub large_blocks: bool,
}

impl Default for Spacer {
    fn default() -> Self {
        Spacer { options: HornOptions::default(), large_blocks: true }
    }
}

impl Checker for Spacer {
    fn name(&self) -> &str {
        "spacer"
    }

    fn check(&mut self, program: &Sequential, budget: &Budget) -> Checked {
        let relevance = Relevance::of(program);
        if !relevance.has_node(program.entry) {
            let order = program.reverse_postorder();
            return Checked::Safe(Some(program.nodes.ids().map(|node| Formula::of(order.contains(&node))).collect()));
        }
        let clauses = match self.large_blocks {
            true => {
                let reduced = Reduced::of(program, &relevance);
                Clauses::of(reduced, &relevance)
            }
            false => Clauses::of(Reduced::nothing(program, &relevance), &relevance),
        };
        match clauses.horn.solve(&self.options, budget) {
            HornAnswer::Unknown(why) => Checked::Unknown(why),
            HornAnswer::Unsafe(derivation) => match clauses.path(program, &derivation) {
                Ok(path) => Checked::Unsafe(path),
                Err(why) => Checked::Unknown(format!("Spacer's counterexample is none: {why}")),
            },
            HornAnswer::Safe(relations) => match clauses.invariants(program, &relevance, &relations, budget) {
                Ok(invariants) => Checked::Safe(Some(invariants)),
                // Without blocks there is nothing to be found out about the nodes inside of them.
                Err(_) if self.large_blocks => Spacer { large_blocks: false, ..self.clone() }.check(program, budget),
                Err(why) => Checked::Unknown(why),
            },
        }
    }
}

struct Clauses {
    reduced: Reduced,
    horn: Horn,
    predicates: IdVec<Node, Option<Predicate>>,
    /// By rule: the arc of the smaller program it stands for, and what its `Havoc` statements choose.  Nothing for the rule
    /// that lets everything be at the entry.
    rules: Vec<Option<(usize, Vec<Var>)>>,
}

impl Clauses {
    fn of(reduced: Reduced, relevance: &Relevance) -> Self {
        let program = &reduced.program;
        let mut horn = Horn::new();
        let mut rules = Vec::new();
        let mut predicates = IdVec::filled(None, program.nodes.len());
        let comes_back = program.edges.iter().any(|arc| arc.to == program.entry);
        let stays = |node: &Node| relevance.has_node(*node) && reduced.has_node(*node);
        for node in program.nodes.ids().filter(stays) {
            // At the entry anything holds, unless executions come back to it.
            if node != program.entry || comes_back {
                predicates[node] = Some(horn.add_predicate(&program.nodes[node], relevance.vars(node).len()));
            }
        }
        let application = |node: Node, state: &State| {
            let arguments = relevance.vars(node).into_iter().map(|var| value_in(state, var)).collect::<Vec<Linear>>();
            predicates[node].map(|predicate| Application::new(predicate, arguments))
        };
        if let Some(head) = application(program.entry, &State::default()) {
            horn.add_rule(Some(head), Vec::new(), Formula::True);
            rules.push(None);
        }
        let first_free = program.first_free().index();
        for (index, arc) in program.edges.iter().enumerate() {
            let mut next = first_free;
            let mut fresh = || {
                next += 1;
                Var::new(next - 1)
            };
            let body: Vec<Application> = application(arc.from, &State::default()).into_iter().collect();
            let mut run = Run::new(State::default(), Formula::True);
            for statement in &arc.statements {
                if let Some(fails) = run.step(statement, &mut fresh).filter(|fails| *fails != Formula::False) {
                    horn.add_rule(None, body.clone(), fails);
                    rules.push(Some((index, run.chosen.clone())));
                }
            }
            let head = application(arc.to, &run.state);
            let condition = run.condition();
            if head.is_some() && condition != Formula::False {
                horn.add_rule(head, body, condition);
                rules.push(Some((index, run.chosen)));
            }
        }
        Clauses { reduced, horn, predicates, rules }
    }

    /// The execution that a derivation describes, as the original program makes it.
    fn path(&self, original: &Sequential, derivation: &Derivation) -> Result<Path, String> {
        let (mut arcs, mut choices, mut initial) = (Vec::new(), Vec::new(), None);
        for step in &derivation.steps {
            let Some((arc, chosen)) = &self.rules[step.rule] else { continue };
            arcs.push(*arc);
            choices.push(chosen.iter().map(|var| step.model.value(*var)).collect());
            initial.get_or_insert_with(|| -> Values {
                original.vars.iter().map(|(var, _)| (*var, step.model.value(*var))).collect()
            });
        }
        let path = execute(&self.reduced.program, &arcs, &initial.unwrap_or_default(), &choices)?;
        self.reduced.original_path(original, &path)
    }

    /// What holds at each node of the original program, confirmed.
    fn invariants(
        &self,
        original: &Sequential,
        relevance: &Relevance,
        relations: &IdVec<Predicate, Formula>,
        budget: &Budget,
    ) -> Result<Invariants, String> {
        let mut kept: IdVec<Node, Option<Formula>> = self
            .predicates
            .iter()
            .map(|(node, predicate)| {
                let vars = relevance.vars(node);
                let named = |var: Var| vars.get(var.index()).copied().map(Linear::var);
                predicate.map(|predicate| relations[predicate].substitute(&mut { named }))
            })
            .collect();
        kept[original.entry].get_or_insert(Formula::True);
        let invariants = self
            .reduced
            .original_invariants(original, relevance, &kept, budget)
            .ok_or("what holds within blocks was not found out")?;
        certify(original, &invariants, budget)?;
        Ok(invariants)
    }
}
