//! A sequential program: a transition graph whose steps can fail, with names for people.

use base::Id;
use formula::Var;
use transition::Graph;

/// A sequential program over mathematical integers.  It starts at the entry with any values, and chooses freely among the
/// edges that leave a location and among the values of their inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequential {
    /// With names that are unique in the program.
    pub vars: Vec<(Var, String)>,
    pub graph: Graph,
    /// By edge, for people: what it is.
    pub notes: Vec<String>,
}

impl Sequential {
    /// The program of a graph with the variables that its steps mention.
    pub fn new(graph: Graph, notes: Vec<String>, name: impl Fn(Var) -> String) -> Self {
        let mut vars: Vec<Var> = graph.edges.iter().flat_map(|edge| edge.step.mentioned()).collect();
        vars.sort_unstable();
        vars.dedup();
        Sequential { vars: vars.into_iter().map(|var| (var, name(var))).collect(), graph, notes }
    }

    /// A variable that the program does not have, nor any after it.
    pub fn first_free(&self) -> Var {
        let mentioned = self.graph.edges.iter().flat_map(|edge| edge.step.mentioned());
        let last = self.vars.iter().map(|(var, _)| *var).chain(mentioned).max();
        last.map_or(Var::new(0), |last| Var::new(last.index() + 1))
    }

    /// Names for formulas of this program; variables of others have their numbers.
    pub fn namer(&self) -> impl Fn(Var) -> String + '_ {
        let last = self.vars.iter().map(|(var, _)| var.index() + 1).max().unwrap_or(0);
        let mut names = vec![None; last];
        for (var, name) in &self.vars {
            names[var.index()] = Some(name.as_str());
        }
        move |var: Var| names.get(var.index()).copied().flatten().map_or_else(|| var.to_string(), String::from)
    }
}

/// Makes variables from this one on.
pub fn from(first: Var) -> impl FnMut() -> Var {
    let mut next = first.index();
    move || {
        next += 1;
        Var::new(next - 1)
    }
}
