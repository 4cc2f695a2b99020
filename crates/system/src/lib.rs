//! A program as the symbolic engines see it: a fixed number of threads, each a graph of locations and guarded edges over
//! integer variables.
//!
//! Locations are cut-points: the places where a switch of threads is considered.  An edge is a run of one thread from one
//! cut-point to the next, taken as a single step.  Memory has become variables (one for each cell), and so have the registers
//! that live across a cut-point, the locations themselves (`Thread::pc`), and what threads know of each other (started,
//! ended).  A violated assertion sets [`System::failed`] to 1: so the property of every thread is the same, `failed == 0`.

mod growth;
mod interference;
mod prepare;
pub mod ranges;
mod reduce;
mod refine;
mod show;
mod slice;
mod translate;

use base::{Id, IdVec, Pos};
use formula::{Formula, Linear, Var};
use ir::{BlockId, FuncId};

pub use interference::Interference;
pub use prepare::{Prepared, prepare};
pub use reduce::{Reduced, reduce};
pub use refine::refine;
pub use translate::{Note, Options, Refused, Taken, Translated, translate};

base::id!(
    /// A thread.
    pub struct ThreadId, "t"
);
base::id!(
    /// A location of one thread; its number is the value of the thread's `pc`.
    pub struct Location, "l"
);

/// A concurrent program over integers.
#[derive(Clone, Debug)]
pub struct System {
    /// The variables of the state first, those that stand for inputs of edges after them.
    pub vars: IdVec<Var, VarData>,
    /// What holds of the variables at first.  Every thread is at its entry.
    pub initial: Formula,
    /// The first is the thread that starts the others.
    pub threads: IdVec<ThreadId, Thread>,
    /// 0 until an assertion is violated, then 1.
    pub failed: Var,
}

#[derive(Clone, Debug)]
pub struct VarData {
    /// As the user would write it; unique.
    pub name: String,
    /// Its values lie within, ends included, in every state that can be reached: by its type, or by what is known of it.
    pub range: Option<(i128, i128)>,
    pub kind: VarKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarKind {
    /// A cell of memory, or a flag that several threads look at.
    Shared,
    /// A register, or a cell that no other thread looks at.
    Local(ThreadId),
    /// Where a thread is.
    Pc(ThreadId),
    /// Any value, chosen anew at each step; not part of the state.
    Input,
}

#[derive(Clone, Debug)]
pub struct Thread {
    /// As the user would call it; unique.
    pub name: String,
    pub pc: Var,
    pub locations: IdVec<Location, LocationData>,
    pub entry: Location,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Debug)]
pub struct LocationData {
    pub name: String,
    pub pos: Pos,
}

/// One step of a thread.
#[derive(Clone, Debug)]
pub struct Edge {
    pub from: Location,
    pub to: Location,
    /// The inputs that the guard and the updates mention.
    pub inputs: Vec<Var>,
    /// The step can be taken where this holds, for some values of the inputs.
    pub guard: Formula,
    /// New values, all computed from the old ones; what is not listed keeps its value.  The `pc` is not listed.
    pub updates: Vec<(Var, Linear)>,
    /// The instructions that are executed, for the way back to an execution of the program.
    pub path: Vec<Step>,
}

impl Edge {
    /// All variables that it mentions.
    pub fn mentioned(&self) -> rustc_hash::FxHashSet<Var> {
        let mut vars = self.guard.vars();
        for (var, term) in &self.updates {
            vars.insert(*var);
            term.visit_vars(&mut |var| _ = vars.insert(var));
        }
        vars
    }
}

/// An instruction of the unfolded program that the system was made from.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub func: FuncId,
    pub block: BlockId,
    /// The number of instructions of the block for its terminator.
    pub inst: usize,
    /// The input that it asks for.
    pub input: Option<Var>,
}

impl System {
    /// The value after the step of what is a function of the state after it.
    pub fn before_step(&self, thread: ThreadId, edge: &Edge, after: &Linear) -> Linear {
        after.substitute(&mut |var| self.updated(thread, edge, var))
    }
    /// Where the edge can be taken, for the inputs as they are, and what holds after it is the formula.
    pub fn precondition(&self, thread: ThreadId, edge: &Edge, after: &Formula) -> Formula {
        let here = Formula::eq(&self.threads[thread].pc.into(), &Linear::constant(location_value(edge.from)));
        let after = after.substitute(&mut |var| self.updated(thread, edge, var));
        Formula::and([here, edge.guard.clone(), after])
    }
    fn updated(&self, thread: ThreadId, edge: &Edge, var: Var) -> Option<Linear> {
        if var == self.threads[thread].pc {
            return Some(Linear::constant(location_value(edge.to)));
        }
        edge.updates.iter().find(|(updated, _)| *updated == var).map(|(_, value)| value.clone())
    }
    /// The variables of the state that the thread may change, its `pc` among them.
    pub fn written_by(&self, thread: ThreadId) -> impl Iterator<Item = Var> + '_ {
        let thread = &self.threads[thread];
        let mut all: Vec<Var> = thread.edges.iter().flat_map(|edge| edge.updates.iter().map(|(var, _)| *var)).collect();
        all.push(thread.pc);
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }
    /// Whether the step is not a violation but a number that wraps where none may.
    pub fn wraps(&self, thread: ThreadId, edge: usize) -> bool {
        let thread = &self.threads[thread];
        thread.locations[thread.edges[edge].to].name == WRAPS
    }
    /// The range of a variable as a formula.
    pub fn in_range(&self, var: Var) -> Formula {
        self.vars[var].range.map_or(Formula::True, |(low, high)| Formula::between(low, &var.into(), high))
    }
    pub fn name(&self, var: Var) -> String {
        self.vars[var].name.clone()
    }
    /// The name of a variable in a formula about a move, where those after the system's own are the values before it.
    pub fn name_in_move(&self, var: Var) -> String {
        match var.index().checked_sub(self.vars.len()) {
            None => self.name(var),
            Some(before) => format!("old({})", self.name(Var::new(before))),
        }
    }
}

impl Thread {
    /// Whether the thread comes to no location twice.
    pub fn is_acyclic(&self) -> bool {
        // Locations that nothing leads to any more are taken away until none is left, or none can be.
        let mut entering: IdVec<Location, usize> = IdVec::filled(0, self.locations.len());
        self.edges.iter().for_each(|edge| entering[edge.to] += 1);
        let mut free: Vec<Location> = self.locations.ids().filter(|location| entering[*location] == 0).collect();
        let mut taken = 0;
        while let Some(location) = free.pop() {
            taken += 1;
            for edge in self.edges.iter().filter(|edge| edge.from == location) {
                entering[edge.to] -= 1;
                if entering[edge.to] == 0 {
                    free.push(edge.to);
                }
            }
        }
        taken == self.locations.len()
    }
}

/// The name of the location where a thread is whose numbers have wrapped though none may.
const WRAPS: &str = "wraps";

/// A location as the value of a `pc`.
pub fn location_value(location: Location) -> i128 {
    base::Id::index(location) as i128
}
