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
mod translate;

use base::{Id, IdVec, Interval};
use formula::{Formula, Var};
use std::collections::BTreeSet;

pub use interference::Interference;
pub use passes::ThreadId;
pub use prepare::{Prepared, prepare};
pub use reduce::{Reduced, reduce};
pub use refine::refine;
pub use transition::{Edge, Graph, Location, LocationData, Step};
pub use translate::{Meaning, Note, Options, Refused, Taken, Translated, meaning, translate, translate_with};

/// A concurrent program over integers.
#[derive(Clone, Debug)]
pub struct System {
    /// The variables of the state.
    pub vars: IdVec<Var, VarData>,
    /// What holds of the variables at first.  Every thread is at its entry.
    pub initial: Formula,
    /// Those of the unfolded program; the first is the thread that starts the others.
    pub threads: IdVec<ThreadId, Thread>,
    /// 0 until an assertion is violated, then 1.
    pub failed: Var,
}

#[derive(Clone, Debug)]
pub struct VarData {
    /// As the user would write it; unique.
    pub name: String,
    /// Its values lie within, ends included, in every state that can be reached: by its type, or by what is known of it.
    pub range: Interval,
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
}

#[derive(Clone, Debug)]
pub struct Thread {
    /// As the user would call it; unique.
    pub name: String,
    pub pc: Var,
    /// Its steps do not fail (they set `failed`), and do not list the `pc`.
    pub graph: Graph,
}

impl System {
    /// The variables of the state that the thread may change, its `pc` among them.
    pub fn written_by(&self, thread: ThreadId) -> impl Iterator<Item = Var> + '_ {
        let Thread { graph, pc, .. } = &self.threads[thread];
        let written = graph.edges.iter().flat_map(|edge| edge.step.written());
        written.chain([*pc]).collect::<BTreeSet<Var>>().into_iter()
    }
    /// Whether the step is not a violation but a number that wraps where none may.
    pub fn wraps(&self, thread: ThreadId, edge: usize) -> bool {
        let thread = &self.threads[thread];
        thread.graph.locations[thread.graph.edges[edge].to].name == WRAPS
    }
    /// The range of a variable as a formula.
    pub fn in_range(&self, var: Var) -> Formula {
        Formula::within(self.vars[var].range, &var.into())
    }
    pub fn name(&self, var: Var) -> String {
        self.vars[var].name.clone()
    }
    /// The name of a variable in the step.
    pub fn name_in_step(&self, step: &Step, var: Var) -> String {
        var.as_input().map_or_else(|| self.name(var), |input| step.inputs[input].name.clone())
    }
    /// The name of a variable in a formula about a move, where those after the system's own are the values before it.
    pub fn name_in_move(&self, var: Var) -> String {
        match var.index().checked_sub(self.vars.len()) {
            None => self.name(var),
            Some(before) => format!("old({})", self.name(Var::new(before))),
        }
    }
}

/// The name of the location where a thread is whose numbers have wrapped though none may.
const WRAPS: &str = "wraps";

/// A location as the value of a `pc`.
pub fn location_value(location: Location) -> i128 {
    base::Id::index(location) as i128
}
