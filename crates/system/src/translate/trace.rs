//! From steps of the system to an execution of the program.

use super::Translated;
use super::meaning::WayBack;
use crate::{Edge, ThreadId};
use base::Id;
use claim::Trace;
use formula::Var;
use ir::interp::Code;
use passes::follow::{Action, follow, is_listed};

/// One step of the system.
#[derive(Clone, Debug)]
pub struct Taken {
    pub thread: ThreadId,
    /// Index among the edges of the thread.
    pub edge: usize,
    /// Values of the edge's inputs.
    pub inputs: Vec<i128>,
}

impl Translated {
    /// The execution of the program (`code` is its code) that goes as the steps do, the last of which violates an assertion;
    /// or why there is none.  `initial` is asked for variables that may be anything at first.
    pub fn trace(&self, code: &Code<'_>, initial: &dyn Fn(Var) -> i128, steps: &[Taken]) -> Result<Trace, String> {
        let system = &self.system;
        let mut state: Vec<i128> =
            system.vars.ids().map(|var| self.initial(var).unwrap_or_else(|| initial(var))).collect();
        let mut actions = Vec::new();
        for taken in steps {
            let edge = &system.threads[taken.thread].graph.edges[taken.edge];
            if taken.inputs.len() != edge.step.inputs.len() {
                return Err(format!("the step {} has other inputs", system.show_edge(taken.thread, edge)));
            }
            let now = state.clone();
            let value = |var: Var| var.as_input().map_or_else(|| now[var.index()], |input| taken.inputs[input]);
            if !edge.step.guard.eval(&value) {
                return Err(format!("the step {} is not possible", system.show_edge(taken.thread, edge)));
            }
            self.add_actions(taken, edge, &value, &mut actions);
            for (var, term) in &edge.step.updates {
                state[var.index()] = term.eval(&value);
            }
        }
        follow(code, &actions).map_err(|astray| astray.why)
    }

    fn add_actions(&self, taken: &Taken, edge: &Edge, value: &dyn Fn(Var) -> i128, actions: &mut Vec<Action>) {
        let thread = taken.thread;
        let fails = edge.step.writes(self.system.failed);
        let WayBack { path, reads, .. } = &self.meaning.ways_back[thread][taken.edge];
        for (number, step) in path.iter().enumerate() {
            let program = &self.unfolded.program;
            let last = number + 1 == path.len();
            let counts = match (program.inst(step.point), &program.block(step.point).term) {
                (Some(inst), _) => is_listed(&inst.kind) || (last && fails),
                (None, term) => matches!(term, ir::Term::Return(_) | ir::Term::ExitThread(_)),
            };
            if !counts {
                continue;
            }
            let read = reads.iter().find(|(of, _)| *of == number).map(|(_, term)| term.eval(value));
            let chosen = step.input.map(value).or(read).unwrap_or(0);
            actions.extend(Action::new(&self.unfolded, thread, step.point, last && fails, chosen as u128));
        }
    }

    /// What a variable of the state is at first, if that is not open.
    pub fn initial(&self, var: Var) -> Option<i128> {
        self.meaning.vars[var].initial
    }

    /// The variables of the state that may be anything at first.
    pub fn open(&self) -> impl Iterator<Item = Var> + '_ {
        self.system.vars.ids().filter(|var| self.initial(*var).is_none())
    }
}
