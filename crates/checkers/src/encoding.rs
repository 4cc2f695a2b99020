//! The executions of an acyclic program as one formula.
//!
//! Every location that executions can come to in several ways has its own variables, for those values that differ between the
//! ways; at all other locations values are terms over the variables of those before, so that an assignment costs nothing
//! and a constant is seen through.  What implies that an execution is at a node is a formula, which has a name (a variable
//! of which only the sign matters) where it is used more than once: being at a node implies having come one of its ways.
//! The formula grows linearly with the program.

use crate::Sequential;
use crate::interpret::{Path, Values, execute};
use base::{Id, IdVec};
use formula::{Formula, Linear, Var};
use transition::{Live, Location, State, value_in};

/// All executions of a program that fail.  Variables of the program stand for their values at the entry.
pub struct Encoding {
    /// Satisfied by failing executions only, and by each of them with fitting values for the variables that were made.
    pub formula: Formula,
    locations: IdVec<Location, Option<Reached>>,
    failures: Vec<Way>,
    /// The number of the next variable.
    next: usize,
}

/// A node that executions come to.
#[derive(Clone)]
struct Reached {
    here: Formula,
    state: State,
    ways: Vec<Way>,
}

/// One edge of an execution.
#[derive(Clone)]
struct Way {
    edge: usize,
    /// That the execution has come to the beginning of the edge and through it.
    condition: Formula,
    /// What stands for its inputs.
    chosen: Vec<Var>,
}

impl Encoding {
    /// The program has no cycles.  The variables that are made have numbers from `free` on.
    pub fn of(program: &Sequential, free: Var) -> Self {
        let graph = &program.graph;
        let live = Live::of(graph);
        let (entering, leaving) = (graph.entering(), graph.leaving());
        let mut encoding = Encoding {
            formula: Formula::False,
            locations: IdVec::filled(None, graph.locations.len()),
            failures: Vec::new(),
            next: free.index(),
        };
        let mut definitions = Vec::new();
        // The ends of edges out of locations that were looked at.
        let mut ends: Vec<Option<(Way, State)>> = vec![None; graph.edges.len()];
        for location in graph.reverse_postorder().into_iter().filter(|location| live.has(*location)) {
            let reached = match location == graph.entry {
                true => Reached { here: Formula::True, state: State::default(), ways: Vec::new() },
                false => {
                    let arriving: Vec<(Way, State)> =
                        entering[location].iter().filter_map(|edge| ends[*edge].take()).collect();
                    let fails = |edge: &usize| usize::from(graph.edges[*edge].step.fails != Formula::False);
                    let uses = leaving[location].iter().map(|edge| 1 + fails(edge)).sum();
                    match encoding.join(arriving, &live.vars(location), uses, &mut definitions) {
                        Some(reached) => reached,
                        None => continue,
                    }
                }
            };
            for &edge in leaving[location].iter().filter(|edge| live.matters(&graph.edges[**edge])) {
                ends[edge] = encoding.through(program, edge, &reached);
            }
            encoding.locations[location] = Some(reached);
        }
        let fails = Formula::or(encoding.failures.iter().map(|failure| failure.condition.clone()));
        encoding.formula = match fails {
            Formula::False => Formula::False,
            fails => Formula::and(definitions.into_iter().chain([fails])),
        };
        encoding
    }

    fn fresh(&mut self) -> Var {
        self.next += 1;
        Var::new(self.next - 1)
    }

    /// A name for being at a node, defined by what it implies.
    fn named(&mut self, implies: Formula, definitions: &mut Vec<Formula>) -> Formula {
        let name = Formula::le(&Linear::constant(1), &Linear::var(self.fresh()));
        definitions.push(Formula::or([name.not(), implies]));
        name
    }

    /// The node at which these executions arrive, if there are any.
    fn join(
        &mut self,
        mut arriving: Vec<(Way, State)>,
        vars: &[Var],
        uses: usize,
        definitions: &mut Vec<Formula>,
    ) -> Option<Reached> {
        if arriving.len() < 2 {
            let (way, mut state) = arriving.pop()?;
            state.retain(|var, _| vars.binary_search(var).is_ok());
            let here = match &way.condition {
                Formula::And(_) | Formula::Or(_) if uses > 1 => self.named(way.condition.clone(), definitions),
                condition => condition.clone(),
            };
            return Some(Reached { here, state, ways: vec![way] });
        }
        let mut state = State::default();
        let mut equations = vec![Vec::new(); arriving.len()];
        let mut taken = Vec::new();
        for &var in vars {
            let values: Vec<Linear> = arriving.iter().map(|(_, state)| value_in(state, var)).collect();
            if values.iter().all(|value| *value == values[0]) {
                if values[0].as_var() != Some(var) {
                    state.insert(var, values[0].clone());
                }
                continue;
            }
            // A choice on one of the edges is used nowhere else, and serves the others too.
            let choice = arriving.iter().zip(&values).find_map(|((way, _), value)| {
                value.as_var().filter(|choice| way.chosen.contains(choice) && !taken.contains(choice))
            });
            let own = choice.unwrap_or_else(|| self.fresh());
            taken.push(own);
            let own = Linear::var(own);
            for (equations, value) in equations.iter_mut().zip(&values) {
                equations.push(Formula::eq(&own, value));
            }
            state.insert(var, own);
        }
        let mut ways = Vec::new();
        for ((mut way, _), equations) in arriving.into_iter().zip(equations) {
            way.condition = Formula::and([way.condition].into_iter().chain(equations));
            ways.push(way);
        }
        let come = Formula::or(ways.iter().map(|way| way.condition.clone()));
        Some(Reached { here: self.named(come, definitions), state, ways })
    }

    /// The end of an edge, if executions come there, for all that is known.
    fn through(&mut self, program: &Sequential, edge: usize, from: &Reached) -> Option<(Way, State)> {
        let step = &program.graph.edges[edge].step;
        let chosen: Vec<Var> = step.inputs.iter().map(|_| self.fresh()).collect();
        let inputs: Vec<Linear> = chosen.iter().copied().map(Linear::var).collect();
        let after = step.post(&mut |var| from.state.get(&var).cloned(), &inputs).with_names(&mut || self.fresh());
        let here = |condition: Formula| Formula::and([from.here.clone(), condition]);
        match here(after.fails) {
            Formula::False => {}
            condition => self.failures.push(Way { edge, condition, chosen: chosen.clone() }),
        }
        match here(after.possible) {
            Formula::False => None,
            condition => {
                let mut state = from.state.clone();
                state.extend(after.values);
                Some((Way { edge, condition, chosen }, state))
            }
        }
    }

    /// The failing execution that these values, which satisfy the formula, stand for.
    pub fn path(&self, program: &Sequential, value: &dyn Fn(Var) -> i128) -> Result<Path, String> {
        let holds = |way: &&Way| way.condition.checked_eval(value) == Some(true);
        let lost = || "the model of the formula is no execution".to_string();
        let mut way = self.failures.iter().find(holds).ok_or_else(lost)?;
        let (mut edges, mut choices) = (Vec::new(), Vec::new());
        loop {
            edges.push(way.edge);
            choices.push(way.chosen.iter().map(|var| value(*var)).collect());
            let from = program.graph.edges[way.edge].from;
            if from == program.graph.entry {
                break;
            }
            let reached = self.locations[from].as_ref().ok_or_else(lost)?;
            way = reached.ways.iter().find(holds).ok_or_else(lost)?;
        }
        edges.reverse();
        choices.reverse();
        let initial: Values = program.vars.iter().map(|(var, _)| (*var, value(*var))).collect();
        execute(program, &edges, &initial, &choices)
    }
}
