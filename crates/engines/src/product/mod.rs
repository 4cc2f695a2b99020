//! The product of the threads as one sequential program: for small programs with loops.
//!
//! A location of it is a combination of locations, one for each thread; an edge is a step of one of them.  What a sequential checker
//! finds out about this program holds of the concurrent one: a failing path is an interleaving, and invariants of the nodes
//! are an invariant of the whole.  The number of nodes is the product of the numbers of locations, so this is for few
//! threads, or short ones.

use crate::options::{Configured, Setting, Tell, ints_setting, read_ints};
use crate::symbolic::{self, Steps};
use crate::{Engine, Observer, Problem, Progress, Symbolic};
use base::{Budget, Id, IdVec};
use checkers::{Checked, Checker, Sequential};
use claim::modular::{Ints, Product as Invariant};
use claim::{Outcome, Proof, Reason};
use formula::Formula;
use rustc_hash::FxHashMap;
use system::ranges::Known;
use system::{Edge, Graph, Location, LocationData, Step, System, ThreadId, VarKind, location_value};

/// More combinations of locations than this are not tried.
const MOST_NODES: usize = 20_000;

/// The engine.
#[derive(Default)]
pub struct Product {
    ints: Ints,
    tell: Tell,
}

impl Configured for Product {
    const NAME: &'static str = "product";
    const WHAT: &'static str = "proves all threads at once";
    const OPTIONS: &'static [Setting<Product>] = &[
        ints_setting(|engine, value| read_ints(&mut engine.ints, value)),
        Tell::setting(|engine, value| engine.tell.read(value)),
    ];
}

impl Engine for Product {
    fn decide(&mut self, problem: &Problem<'_>, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
        let Product { ints, tell } = *self;
        symbolic::decide(ints, problem, budget, &mut |ints, made| attempt(ints, tell, made, budget, observer))
    }

    fn ints(&self) -> Ints {
        self.ints
    }
}

/// The steps to a violation, or else what there is to say.
fn attempt(
    ints: Ints,
    tell: Tell,
    made: &Symbolic,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Steps, Outcome> {
    let system = &made.prepared.system;
    // For want of time, or for this reason.
    let unknown = |reason: Reason| Outcome::Unknown(budget.spent().map_or(reason, Reason::Budget));
    let Some(built) = Built::of(system, made.prepared.ranges.as_ref(), budget) else {
        return Err(unknown(Reason::Bound(format!("more than {MOST_NODES} combinations of locations"))));
    };
    let (what, count, steps) =
        ("combinations of locations", built.states.len() as u64, built.program.graph.edges.len());
    observer.statistic(what, count);
    observer.statistic("checker calls", 1);
    observer.progress(&Progress { what, count, detail: format!("{steps} steps") });
    if tell >= Tell::Course {
        let threads: Vec<&str> = system.threads.values().map(|thread| thread.name.as_str()).collect();
        let size = format!("{count} {what}, {steps} steps");
        observer.explain(&format!("the product of {}, {}: {size}", threads.join(", "), symbolic::words(ints)));
    }
    if tell == Tell::Programs {
        let header = [format!("The product of {} threads.", system.threads.len())];
        let text = checkers::to_c(&built.program, &header).unwrap_or_else(|why| format!("/* {why} */\n"));
        let name = match ints {
            Ints::Unwrapped => "1-product-unwrapped",
            Ints::Machine => "2-product",
            Ints::Mathematical => "1-product-mathematical",
        };
        observer.program(name, &text);
    }
    // Without cycles one question decides, but it is invariants that can be checked again.
    Err(match checkers::Spacer::default().check(&built.program, budget) {
        Checked::Safe(Some(invariants)) => {
            // What comes after a failing assertion is not part of the program, but of the system it is.
            let safe = Formula::is(&system.failed.into(), 0);
            let states = built.states.iter().zip(&built.known).enumerate().map(|(place, (state, known))| {
                let here = Formula::and([invariants[Location::new(place)].clone(), known.clone(), safe.clone()]);
                (state.iter().map(|location| location.index()).collect(), here)
            });
            Outcome::Safe(Proof::Product(Box::new(Invariant { ints, states: states.collect() })))
        }
        Checked::Safe(None) => Outcome::Unknown(Reason::Approximation("the checker gives no invariants".into())),
        Checked::Unsafe(path) => {
            return Ok(path.edges.iter().filter_map(|edge| built.steps[*edge]).collect());
        }
        Checked::Unknown(why) => unknown(Reason::Approximation(why)),
    })
}

/// The program with the way back.
struct Built {
    program: Sequential,
    /// By node.
    states: Vec<Vec<Location>>,
    /// By node: what the ranges say there.
    known: Vec<Formula>,
    /// By arc.
    steps: Vec<Option<(ThreadId, usize)>>,
}

impl Built {
    /// All combinations that can be reached as far as the ranges tell; `None` if there are too many.
    fn of(system: &System, ranges: Option<&Known>, budget: &Budget) -> Option<Self> {
        let first: Vec<Location> = system.threads.values().map(|thread| thread.graph.entry).collect();
        let mut numbers: FxHashMap<Vec<Location>, Location> = FxHashMap::default();
        let graph = Graph { locations: IdVec::new(), entry: Location::new(0), edges: Vec::new() };
        let program = Sequential { vars: Vec::new(), graph, notes: Vec::new() };
        let mut built = Built { program, states: Vec::new(), known: Vec::new(), steps: Vec::new() };
        built.number(system, ranges, first, &mut numbers);
        let mut next = 0;
        while next < built.states.len() {
            if built.states.len() > MOST_NODES || budget.spent().is_some() {
                return None;
            }
            let state = built.states[next].clone();
            let from = Location::new(next);
            next += 1;
            for (id, thread) in system.threads.iter() {
                let edges = thread.graph.edges.iter().enumerate();
                for (index, edge) in edges.filter(|(_, edge)| edge.from == state[id.index()]) {
                    if edge.step.guard == Formula::False || built.known[from.index()] == Formula::False {
                        continue;
                    }
                    let mut after = state.clone();
                    after[id.index()] = edge.to;
                    let to = built.number(system, ranges, after, &mut numbers);
                    let mut step = symbolic::own_step(system, id, edge).assume(&built.known[to.index()]);
                    if edge.step.writes(system.failed) {
                        step = step.check(&Formula::is(&system.failed.into(), 0));
                    }
                    let note = format!("{}: {}", thread.name, system.show_edge(id, edge));
                    built.add(from, to, step, note, Some((id, index)));
                }
            }
        }
        Some(built.begin(system))
    }

    fn number(
        &mut self,
        system: &System,
        ranges: Option<&Known>,
        state: Vec<Location>,
        numbers: &mut FxHashMap<Vec<Location>, Location>,
    ) -> Location {
        if let Some(node) = numbers.get(&state) {
            return *node;
        }
        let name: Vec<&str> =
            system.threads.iter().map(|(id, thread)| thread.graph.locations[state[id.index()]].name.as_str()).collect();
        let name = format!("{}_{}", self.states.len(), name.join("_"));
        let node = self.program.graph.locations.push(LocationData::named(name));
        self.known.push(known(system, ranges, &state));
        numbers.insert(state.clone(), node);
        self.states.push(state);
        node
    }

    /// The entry, from which the initial states are reached.
    fn begin(mut self, system: &System) -> Self {
        let entry = self.program.graph.locations.push(LocationData::named("begin"));
        let first = Step::default().assume(&system.initial).assume(&self.known[0]);
        self.add(entry, Location::new(0), first, "the initial state".into(), None);
        self.program.graph.entry = entry;
        let Sequential { graph, notes, .. } = self.program;
        Built { program: Sequential::new(graph, notes, |var| system.name(var)), ..self }
    }

    fn add(&mut self, from: Location, to: Location, step: Step, note: String, of: Option<(ThreadId, usize)>) {
        self.program.graph.edges.push(Edge { from, to, step });
        self.program.notes.push(note);
        self.steps.push(of);
    }
}

/// What the ranges say of the state in which the threads are at these locations, apart from where they are.
fn known(system: &System, ranges: Option<&Known>, state: &[Location]) -> Formula {
    let Some(ranges) = ranges else { return Formula::True };
    let mut parts = Vec::new();
    for (id, _) in system.threads.iter() {
        let Some(here) = &ranges[id][state[id.index()]] else { return Formula::False };
        for (var, range) in here.state.iter() {
            match system.vars[var].kind {
                VarKind::Shared | VarKind::Local(_) => parts.push(Formula::within(*range, &var.into())),
                VarKind::Pc(other) if range.has(location_value(state[other.index()])) => (),
                VarKind::Pc(_) => return Formula::False,
            }
        }
    }
    Formula::and(parts)
}
