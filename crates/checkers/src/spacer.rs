//! The checker of programs with cycles: locations are unknown relations over the variables that matter there, edges are rules,
//! assertions say what must not be.  Z3's Spacer finds the relations, which are invariants.

use crate::blocks::{Blocks, certify};
use crate::program::from;
use crate::{Checked, Checker, Invariants, Path, Sequential, Values};
use base::{Budget, IdVec};
use formula::{Formula, Linear, Var};
use smt::{Application, Derivation, Horn, HornAnswer, Predicate};
use transition::{Live, Location, State, value_in};

/// Decides programs as constrained Horn clauses.
#[derive(Clone, Debug)]
pub struct Spacer {
    /// Whether locations that are no heads of loops are taken out of the graph first.
    pub large_blocks: bool,
}

impl Default for Spacer {
    fn default() -> Self {
        Spacer { large_blocks: true }
    }
}

impl Checker for Spacer {
    fn check(&mut self, program: &Sequential, budget: &Budget) -> Checked {
        let live = Live::of(&program.graph);
        if !live.has(program.graph.entry) {
            let order = program.graph.reverse_postorder();
            let reached = program.graph.locations.ids().map(|location| Formula::of(order.contains(&location)));
            return Checked::Safe(Some(reached.collect()));
        }
        let blocks = match self.large_blocks {
            true => Blocks::large(program, &live),
            false => Blocks::single(program, &live),
        };
        let clauses = Clauses::of(blocks, program.first_free(), &live);
        match clauses.horn.solve(budget) {
            HornAnswer::Unknown(why) => Checked::Unknown(why),
            HornAnswer::Unsafe(derivation) => match clauses.path(program, &derivation) {
                Ok(path) => Checked::Unsafe(path),
                Err(why) => Checked::Unknown(format!("Spacer's counterexample is none: {why}")),
            },
            HornAnswer::Safe(relations) => match clauses.invariants(program, &live, &relations, budget) {
                Ok(invariants) => Checked::Safe(Some(invariants)),
                // Without blocks there is nothing to be found out about the locations inside of them.
                Err(_) if self.large_blocks => Spacer { large_blocks: false }.check(program, budget),
                Err(why) => Checked::Unknown(why),
            },
        }
    }
}

struct Clauses {
    blocks: Blocks,
    horn: Horn,
    predicates: IdVec<Location, Option<Predicate>>,
    /// By rule: the edge of the smaller program it stands for, and what stands for its inputs.  `None` for the rule that lets
    /// everything be at the entry.
    rules: Vec<Option<(usize, Vec<Var>)>>,
}

impl Clauses {
    fn of(blocks: Blocks, first_free: Var, live: &Live) -> Self {
        let graph = &blocks.graph;
        let mut horn = Horn::new();
        let mut rules = Vec::new();
        let mut predicates = IdVec::filled(None, graph.locations.len());
        let comes_back = graph.edges.iter().any(|edge| edge.to == graph.entry);
        let stays = |location: &Location| live.has(*location) && blocks.has(*location);
        for location in graph.locations.ids().filter(stays) {
            // At the entry anything holds, unless executions come back to it.
            if location != graph.entry || comes_back {
                let name = &graph.locations[location].name;
                predicates[location] = Some(horn.add_predicate(name, live.vars(location).len()));
            }
        }
        let application = |location: Location, state: &State| {
            let arguments = live.vars(location).into_iter().map(|var| value_in(state, var)).collect::<Vec<Linear>>();
            predicates[location].map(|predicate| Application::new(predicate, arguments))
        };
        if let Some(head) = application(graph.entry, &State::default()) {
            horn.add_rule(Some(head), None, Formula::True);
            rules.push(None);
        }
        for (index, edge) in graph.edges.iter().enumerate() {
            let mut fresh = from(first_free);
            let body = application(edge.from, &State::default());
            let chosen: Vec<Var> = edge.step.inputs.iter().map(|_| fresh()).collect();
            let inputs: Vec<Linear> = chosen.iter().copied().map(Linear::var).collect();
            let after = edge.step.post(&mut |_| None, &inputs).with_names(&mut fresh);
            if after.fails != Formula::False {
                horn.add_rule(None, body.clone(), after.fails);
                rules.push(Some((index, chosen.clone())));
            }
            let head = application(edge.to, &after.values.into_iter().collect());
            if head.is_some() && after.possible != Formula::False {
                horn.add_rule(head, body, after.possible);
                rules.push(Some((index, chosen)));
            }
        }
        Clauses { blocks, horn, predicates, rules }
    }

    /// The execution that a derivation describes, as the original program makes it.
    fn path(&self, original: &Sequential, derivation: &Derivation) -> Result<Path, String> {
        let (mut edges, mut inputs, mut initial) = (Vec::new(), Vec::new(), None);
        for step in &derivation.steps {
            let Some((edge, chosen)) = &self.rules[step.rule] else { continue };
            edges.push(*edge);
            inputs.push(chosen.iter().map(|var| step.model.value(*var)).collect());
            initial.get_or_insert_with(|| -> Values {
                original.vars.iter().map(|(var, _)| (*var, step.model.value(*var))).collect()
            });
        }
        self.blocks.original_path(original, &initial.unwrap_or_default(), &edges, &inputs)
    }

    /// What holds at each location of the original program, confirmed.
    fn invariants(
        &self,
        original: &Sequential,
        live: &Live,
        relations: &IdVec<Predicate, Formula>,
        budget: &Budget,
    ) -> Result<Invariants, String> {
        let mut kept: IdVec<Location, Option<Formula>> = self
            .predicates
            .iter()
            .map(|(location, predicate)| {
                let vars = live.vars(location);
                let named = |var: Var| vars.get(base::Id::index(var)).copied().map(Linear::var);
                predicate.map(|predicate| relations[predicate].substitute(&mut { named }))
            })
            .collect();
        kept[original.graph.entry].get_or_insert(Formula::True);
        let invariants = self
            .blocks
            .original_invariants(original, live, &kept, budget)
            .ok_or("what holds within blocks was not found out")?;
        certify(original, &invariants, budget)?;
        Ok(invariants)
    }
}
