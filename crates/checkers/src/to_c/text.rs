//! The body of `main`: the graph as nested text, with jumps where it has no other way.

use super::comment;
use super::shape::Shape;
use crate::Sequential;
use base::{BitSet, Id, IdVec};
use formula::{Formula, Linear, Var};
use rustc_hash::FxHashMap;
use transition::{Edge, Location, Step};

/// What things are called in the text.
pub struct Names {
    /// Variables and inputs.
    pub known: FxHashMap<Var, String>,
    /// By variable what holds its new value until all are computed.
    pub next: FxHashMap<Var, String>,
    pub labels: IdVec<Location, String>,
}

/// The statements of the program from its entry on.
pub fn body(program: &Sequential, shape: &Shape, names: &Names) -> String {
    let leaving = program.graph.leaving();
    let mut text = Text { program, shape, names, leaving, depth: 1, lines: Vec::new(), jumped: BitSet::new() };
    text.node(program.graph.entry, Surroundings { next: None, innermost: None });
    let labels = &names.labels;
    let mut result = String::new();
    for line in &text.lines {
        match line {
            Line::Label(node) if text.jumped.contains(node.index()) => result += &format!("{}:;\n", labels[*node]),
            Line::Label(_) => {}
            Line::Text(depth, line) => result += &format!("{}{line}\n", "    ".repeat(*depth)),
            Line::Goto(depth, node) => result += &format!("{}goto {};\n", "    ".repeat(*depth), labels[*node]),
        }
    }
    result
}

enum Line {
    Text(usize, String),
    Goto(usize, Location),
    /// Left out where no `goto` leads to it.
    Label(Location),
}

/// Where text stands.
#[derive(Clone, Copy)]
struct Surroundings {
    /// Where control comes to at the end of the text.
    next: Option<Location>,
    /// Of the innermost loop around it the first node, and where control comes to behind the loop.
    innermost: Option<(Location, Option<Location>)>,
}

struct Text<'a> {
    program: &'a Sequential,
    shape: &'a Shape,
    names: &'a Names,
    leaving: IdVec<Location, Vec<usize>>,
    depth: usize,
    lines: Vec<Line>,
    jumped: BitSet,
}

impl Text<'_> {
    fn line(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Text(self.depth, text.into()));
    }

    /// A node, with the nodes that are written within and behind it.
    fn node(&mut self, node: Location, place: Surroundings) {
        self.lines.push(Line::Label(node));
        let shape = self.shape;
        match &shape.after_loop[node] {
            None => self.within(node, place),
            Some(after) => {
                let behind = after.first().copied().or(place.next);
                self.line("while (1) {");
                self.depth += 1;
                self.within(node, Surroundings { next: Some(node), innermost: Some((node, behind)) });
                self.depth -= 1;
                self.line("}");
                self.sequence(after, place);
            }
        }
    }

    fn within(&mut self, node: Location, place: Surroundings) {
        let shape = self.shape;
        let merges = &shape.merges[node];
        self.branches(node, Surroundings { next: merges.first().copied().or(place.next), ..place });
        self.sequence(merges, place);
    }

    fn sequence(&mut self, nodes: &[Location], place: Surroundings) {
        for (index, &node) in nodes.iter().enumerate() {
            self.node(node, Surroundings { next: nodes.get(index + 1).copied().or(place.next), ..place });
        }
    }

    /// The choice among the edges that leave a location.
    fn branches(&mut self, node: Location, place: Surroundings) {
        let program = self.program;
        let edges = self.leaving[node].clone();
        match edges.as_slice() {
            [] => self.line("return 0;"),
            [only] => self.edge(*only, true, place),
            [first, second] => match (plain_guard(program, *first), plain_guard(program, *second)) {
                // The test of a program, not a choice of ours.
                (Some(yes), Some(no)) if yes.not() == *no => {
                    let condition = self.formula(yes);
                    self.line(format!("if ({condition}) {{"));
                    self.block(*first, false, place);
                    self.line("} else {");
                    self.block(*second, false, place);
                    self.line("}");
                }
                (Some(_) | None, Some(_) | None) => self.any(&edges, place),
            },
            [..] => self.any(&edges, place),
        }
    }

    fn any(&mut self, edges: &[usize], place: Surroundings) {
        for (index, edge) in edges.iter().enumerate() {
            match (index, index + 1 == edges.len()) {
                (0, _) => self.line("if (__VERIFIER_nondet_int()) {"),
                (_, false) => self.line("} else if (__VERIFIER_nondet_int()) {"),
                (_, true) => self.line("} else {"),
            }
            self.block(*edge, true, place);
        }
        self.line("}");
    }

    fn block(&mut self, edge: usize, guarded: bool, place: Surroundings) {
        self.depth += 1;
        self.edge(edge, guarded, place);
        self.depth -= 1;
    }

    /// The step of an edge, with its guard or where that holds, and the way to its end.
    fn edge(&mut self, index: usize, guarded: bool, place: Surroundings) {
        let program = self.program;
        if !program.notes[index].is_empty() {
            self.line(comment(&program.notes[index]));
        }
        let Edge { to, step, .. } = &program.graph.edges[index];
        // Names of this step only.
        let later = read_after_written(step);
        let block = !step.inputs.is_empty() || !later.is_empty();
        if block {
            self.line("{");
            self.depth += 1;
        }
        let mut mentioned = BitSet::new();
        let mut see = |var: Var| var.as_input().into_iter().for_each(|input| _ = mentioned.insert(input));
        step.guard.visit_vars(&mut see);
        step.fails.visit_vars(&mut see);
        step.updates.iter().for_each(|(_, value)| value.visit_vars(&mut see));
        for input in mentioned.iter() {
            self.line(format!("long {} = __VERIFIER_nondet_long();", self.name(Var::input(input))));
        }
        if step.fails != Formula::False {
            let fails = self.formula(&step.fails);
            self.line(format!("if ({fails}) reach_error();"));
        }
        if guarded && step.guard != Formula::True {
            let guard = self.formula(&step.guard);
            self.line(format!("assume_abort_if_not({guard});"));
        }
        for var in &later {
            let value = step.update(*var).map_or_else(String::new, |value| self.term(value));
            self.line(format!("long {} = {value};", self.names.next[var]));
        }
        for (var, value) in step.updates.iter().filter(|(var, _)| !later.contains(var)) {
            self.line(format!("{} = {};", self.name(*var), self.term(value)));
        }
        for var in &later {
            self.line(format!("{} = {};", self.name(*var), self.names.next[var]));
        }
        if block {
            self.depth -= 1;
            self.line("}");
        }
        self.go(*to, place);
    }

    fn go(&mut self, to: Location, place: Surroundings) {
        if self.shape.inline[to] {
            self.node(to, place);
        } else if place.next == Some(to) {
            // Control comes there by itself.
        } else if place.innermost.is_some_and(|(head, _)| head == to) {
            self.line("continue;");
        } else if place.innermost.is_some_and(|(_, behind)| behind == Some(to)) {
            self.line("break;");
        } else {
            self.jumped.insert(to.index());
            self.lines.push(Line::Goto(self.depth, to));
        }
    }

    fn name(&self, var: Var) -> String {
        self.names.known[&var].clone()
    }
    fn formula(&self, condition: &Formula) -> String {
        condition.display(&|var| self.name(var)).to_string()
    }
    fn term(&self, term: &Linear) -> String {
        term.display(&|var| self.name(var)).to_string()
    }
}

/// The guard of an edge that only tests.
fn plain_guard(program: &Sequential, edge: usize) -> Option<&Formula> {
    let step = &program.graph.edges[edge].step;
    (step.inputs.is_empty() && step.fails == Formula::False).then_some(&step.guard)
}

/// Variables whose old value is needed by an update that is written after theirs.
fn read_after_written(step: &Step) -> Vec<Var> {
    let mut found = Vec::new();
    for (place, (_, value)) in step.updates.iter().enumerate() {
        let before: Vec<Var> = step.updates[..place].iter().map(|(var, _)| *var).collect();
        value.visit_vars(&mut |var| {
            if before.contains(&var) && !found.contains(&var) {
                found.push(var);
            }
        });
    }
    found
}
