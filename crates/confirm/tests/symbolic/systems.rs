//! Small systems written by hand or by chance, and all their states.

use base::{Id, Pos};
use formula::{Formula, Linear, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use system::{Edge, Graph, Location, LocationData, Step, System, Thread, ThreadId, VarData, VarKind};

/// A value for each variable.
pub type State = Vec<i128>;

/// Makes a system.  The first variable is `failed`.
pub struct Builder {
    pub system: System,
    initial: Vec<(Var, i128)>,
}

impl Builder {
    pub fn new() -> Self {
        let vars = base::IdVec::new();
        let system = System { vars, initial: Formula::True, threads: base::IdVec::new(), failed: Var(0) };
        let mut builder = Builder { system, initial: Vec::new() };
        builder.var("failed", 0);
        builder
    }
    pub fn var(&mut self, name: &str, initial: i128) -> Linear {
        let data = VarData { name: name.into(), range: base::Interval::ALL, kind: VarKind::Shared };
        let var = self.system.vars.push(data);
        self.initial.push((var, initial));
        Linear::var(var)
    }
    /// A thread with so many locations, that starts at the first.
    pub fn thread(&mut self, name: &str, locations: usize) -> ThreadId {
        let id = self.system.threads.next_id();
        let data = VarData { name: format!("pc_{name}"), range: base::Interval::ALL, kind: VarKind::Pc(id) };
        let pc = self.system.vars.push(data);
        let locations = (0..locations).map(|l| LocationData { name: format!("l{l}"), pos: Pos::NONE }).collect();
        let graph = Graph { locations, entry: Location(0), edges: Vec::new() };
        self.system.threads.push(Thread { name: name.into(), pc, graph })
    }
    pub fn edge(&mut self, thread: ThreadId, from: u32, to: u32, guard: Formula, updates: &[(&Linear, Linear)]) {
        let updates = updates.iter().map(|(var, value)| (var.as_var().unwrap(), value.clone())).collect();
        let step = Step { guard, updates, ..Step::default() };
        self.system.threads[thread].graph.edges.push(Edge { from: Location(from), to: Location(to), step });
    }
    /// The condition is asserted on the way.
    pub fn assertion(&mut self, thread: ThreadId, from: u32, to: u32, condition: Formula) {
        let failed = Linear::var(self.system.failed);
        self.edge(thread, from, to, condition.clone(), &[]);
        self.edge(thread, from, to, condition.not(), &[(&failed, number(1))]);
    }
    pub fn done(mut self) -> System {
        let values = self.initial.iter().map(|(var, value)| Formula::eq(&(*var).into(), &number(*value)));
        self.system.initial = Formula::and(values);
        self.system
    }
}

pub fn number(value: i128) -> Linear {
    Linear::constant(value)
}
/// The value before a move.
pub fn old(system: &System, var: &Linear) -> Linear {
    Linear::var(Var::new(var.as_var().unwrap().index() + system.vars.len()))
}
pub fn pc(system: &System, thread: usize) -> Linear {
    Linear::var(system.threads[ThreadId::new(thread)].pc)
}

/// All steps of a thread.
fn steps(system: &System, thread: ThreadId, state: &State) -> Vec<State> {
    let data = &system.threads[thread];
    let value = |var: Var| state[var.index()];
    let here = |edge: &&Edge| value(data.pc) == edge.from.index() as i128 && edge.step.guard.eval(&value);
    let after = |edge: &Edge| {
        let mut after = state.clone();
        for (var, term) in &edge.step.updates {
            after[var.index()] = term.eval(&value);
        }
        after[data.pc.index()] = edge.to.index() as i128;
        after
    };
    data.graph.edges.iter().filter(here).map(after).collect()
}

/// All states that these threads reach from the state.
pub fn closure(system: &System, threads: &[ThreadId], from: State) -> Vec<State> {
    let mut seen: FxHashSet<State> = FxHashSet::from_iter([from.clone()]);
    let mut all = vec![from];
    let mut next = 0;
    while next < all.len() {
        for thread in threads {
            for after in steps(system, *thread, &all[next]) {
                if seen.insert(after.clone()) {
                    all.push(after);
                }
            }
        }
        next += 1;
        assert!(all.len() < 20_000, "the system is small");
    }
    all
}

/// All states that can be reached.  The initial formula gives each variable its value.
pub fn reachable(system: &System) -> Vec<State> {
    let mut first = vec![0; system.vars.len()];
    for part in system.initial.conjuncts() {
        let (Formula::Eq(term), Some(var)) = (part, part.vars().into_iter().next()) else { panic!("an equation") };
        first[var.index()] = -term.offset() / term.coefficient(var);
    }
    let threads: Vec<ThreadId> = system.threads.ids().collect();
    closure(system, &threads, first)
}

/// Whether the lemma is true: of all computations of the threads after its level, from all states that can be reached.
pub fn is_true(system: &System, order: &[usize], level: usize, lemma: &Formula, reachable: &[State]) -> bool {
    let threads: Vec<ThreadId> = order[level + 1..].iter().map(|thread| ThreadId::new(*thread)).collect();
    let count = system.vars.len();
    reachable.iter().all(|first| {
        closure(system, &threads, first.clone()).iter().all(|last| {
            lemma.eval(&|var| if var.index() < count { last[var.index()] } else { first[var.index() - count] })
        })
    })
}

pub fn is_safe(system: &System, reachable: &[State]) -> bool {
    reachable.iter().all(|state| state[system.failed.index()] == 0)
}

/// The states that can be reached as an invariant by locations.
pub fn exact_product(system: &System, reachable: &[State]) -> claim::modular::Product {
    let pcs: Vec<usize> = system.threads.values().map(|thread| thread.pc.index()).collect();
    let mut by_places: FxHashMap<Vec<usize>, Vec<Formula>> = FxHashMap::default();
    for state in reachable {
        let places = pcs.iter().map(|pc| state[*pc] as usize).collect();
        let others = system.vars.ids().filter(|var| !pcs.contains(&var.index()));
        let exactly = others.map(|var| Formula::eq(&var.into(), &number(state[var.index()])));
        by_places.entry(places).or_default().push(Formula::and(exactly));
    }
    let mut states: Vec<_> = by_places.into_iter().map(|(places, states)| (places, Formula::or(states))).collect();
    states.sort();
    claim::modular::Product { ints: claim::modular::Ints::Machine, states }
}

/// Whether what the table says of the location of each thread is so in the state.
pub fn ranges_hold(system: &System, ranges: &[Vec<Option<Vec<base::Interval>>>], state: &State) -> bool {
    let at = |(thread, data): (ThreadId, &Thread)| &ranges[thread.index()][state[data.pc.index()] as usize];
    let within = |here: &Vec<base::Interval>| state.iter().zip(here).all(|(value, range)| range.has(*value));
    system.threads.iter().map(at).all(|here| here.as_ref().is_some_and(within))
}

/// The ranges as the engines find them.
pub fn ranges(system: &System) -> Vec<Vec<Option<Vec<base::Interval>>>> {
    system::ranges::table(&system::ranges::ranges(system, &base::Budget::unlimited()).unwrap())
}
