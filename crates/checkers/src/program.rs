//! A sequential program: a graph of nodes with statements on its arcs.

use base::{Id, IdVec};
use formula::{Formula, Linear, Var};

base::id!(
    /// A location of the control-flow graph.
    pub struct Node, "n"
);

/// A sequential program over mathematical integers.  It starts at the entry with any values, and chooses freely among the
/// arcs that leave a node; an arc whose assumption does not hold leads nowhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequential {
    /// With names that are unique in the program.
    pub vars: Vec<(Var, String)>,
    /// The names of the nodes.
    pub nodes: IdVec<Node, String>,
    pub entry: Node,
    pub edges: Vec<Arc>,
}

/// What is done between two nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arc {
    pub from: Node,
    pub to: Node,
    /// Executed in order.
    pub statements: Vec<Statement>,
    /// For people: what this arc is.
    pub note: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    Assign(Var, Linear),
    /// Any value.
    Havoc(Var),
    /// Executions where it does not hold end here, without failing.
    Assume(Formula),
    /// Executions where it does not hold fail.
    Assert(Formula),
}

impl Sequential {
    /// The indices of the arcs that leave each node, in the order of the program.
    pub fn leaving(&self) -> IdVec<Node, Vec<usize>> {
        self.grouped(|arc| arc.from)
    }
    /// The indices of the arcs that enter each node.
    pub fn entering(&self) -> IdVec<Node, Vec<usize>> {
        self.grouped(|arc| arc.to)
    }
    fn grouped(&self, by: impl Fn(&Arc) -> Node) -> IdVec<Node, Vec<usize>> {
        let mut groups = IdVec::filled(Vec::new(), self.nodes.len());
        for (index, arc) in self.edges.iter().enumerate() {
            groups[by(arc)].push(index);
        }
        groups
    }

    /// The nodes that the entry leads to, in an order in which every arc goes forward unless it closes a cycle.
    pub fn reverse_postorder(&self) -> Vec<Node> {
        let leaving = self.leaving();
        let mut seen = IdVec::<Node, bool>::filled(false, self.nodes.len());
        let mut order = Vec::new();
        // Nodes with how many of their arcs were followed.
        let mut stack = vec![(self.entry, 0)];
        seen[self.entry] = true;
        while let Some((node, followed)) = stack.last_mut() {
            match leaving[*node].get(*followed) {
                Some(&arc) => {
                    *followed += 1;
                    let to = self.edges[arc].to;
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// Whether no execution comes to a node twice.
    pub fn is_acyclic(&self) -> bool {
        let mut rank = IdVec::<Node, usize>::filled(usize::MAX, self.nodes.len());
        for (place, node) in self.reverse_postorder().into_iter().enumerate() {
            rank[node] = place;
        }
        let reached = self.edges.iter().filter(|arc| rank[arc.from] != usize::MAX);
        reached.into_iter().all(|arc| rank[arc.from] < rank[arc.to])
    }

    /// A variable that the program does not have, nor any after it.
    pub fn first_free(&self) -> Var {
        let mut next = 0;
        let mut see = |var: Var| next = next.max(var.index() + 1);
        self.vars.iter().for_each(|(var, _)| see(*var));
        for statement in self.edges.iter().flat_map(|arc| &arc.statements) {
            statement.visit_reads(&mut see);
            statement.written().into_iter().for_each(&mut see);
        }
        Var::new(next)
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

impl Statement {
    /// Calls `visit` with each variable that is read.
    pub fn visit_reads(&self, visit: &mut dyn FnMut(Var)) {
        match self {
            Statement::Assign(_, value) => value.visit_vars(visit),
            Statement::Havoc(_) => {}
            Statement::Assume(condition) | Statement::Assert(condition) => condition.visit_vars(visit),
        }
    }
    /// The variable that is written.
    pub fn written(&self) -> Option<Var> {
        match self {
            Statement::Assign(var, _) | Statement::Havoc(var) => Some(*var),
            Statement::Assume(_) | Statement::Assert(_) => None,
        }
    }
}
