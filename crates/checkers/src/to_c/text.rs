//! The body of `main`: the graph as nested text, with jumps where it has no other way.

use super::comment;
use super::shape::Shape;
use crate::{Arc, Node, Sequential, Statement};
use base::{BitSet, Id, IdVec};
use formula::{Formula, Var};
use rustc_hash::FxHashMap;

/// The statements of the program from its entry on.
pub fn body(program: &Sequential, shape: &Shape, vars: &FxHashMap<Var, String>, labels: IdVec<Node, String>) -> String {
    let leaving = program.leaving();
    let mut text = Text { program, shape, vars, leaving, depth: 1, lines: Vec::new(), jumped: BitSet::new() };
    text.node(program.entry, Place { next: None, innermost: None });
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
    Goto(usize, Node),
    /// Left out where no `goto` leads to it.
    Label(Node),
}

/// Where text stands.
#[derive(Clone, Copy)]
struct Place {
    /// Where control comes to at the end of the text.
    next: Option<Node>,
    /// Of the innermost loop around it the first node, and where control comes to behind the loop.
    innermost: Option<(Node, Option<Node>)>,
}

struct Text<'a> {
    program: &'a Sequential,
    shape: &'a Shape,
    vars: &'a FxHashMap<Var, String>,
    leaving: IdVec<Node, Vec<usize>>,
    depth: usize,
    lines: Vec<Line>,
    jumped: BitSet,
}

impl Text<'_> {
    fn line(&mut self, text: impl Into<String>) {
        self.lines.push(Line::Text(self.depth, text.into()));
    }

    /// A node, with the nodes that are written within and behind it.
    fn node(&mut self, node: Node, place: Place) {
        self.lines.push(Line::Label(node));
        let shape = self.shape;
        match &shape.after_loop[node] {
            None => self.within(node, place),
            Some(after) => {
                let behind = after.first().copied().or(place.next);
                self.line("while (1) {");
                self.depth += 1;
                self.within(node, Place { next: Some(node), innermost: Some((node, behind)) });
                self.depth -= 1;
                self.line("}");
                self.sequence(after, place);
            }
        }
    }

    fn within(&mut self, node: Node, place: Place) {
        let shape = self.shape;
        let merges = &shape.merges[node];
        self.branches(node, Place { next: merges.first().copied().or(place.next), ..place });
        self.sequence(merges, place);
    }

    fn sequence(&mut self, nodes: &[Node], place: Place) {
        for (index, &node) in nodes.iter().enumerate() {
            self.node(node, Place { next: nodes.get(index + 1).copied().or(place.next), ..place });
        }
    }

    /// The choice among the arcs that leave a node.
    fn branches(&mut self, node: Node, place: Place) {
        let program = self.program;
        let arcs: Vec<&Arc> = self.leaving[node].iter().map(|&arc| &program.edges[arc]).collect();
        match arcs.as_slice() {
            [] => self.line("return 0;"),
            [only] => self.arc(only, 0, place),
            [first, second] => match (guard(first), guard(second)) {
                // The test of a program, not a choice of ours.
                (Some(yes), Some(no)) if yes.not() == *no => {
                    let condition = self.formula(yes);
                    self.line(format!("if ({condition}) {{"));
                    self.block(first, 1, place);
                    self.line("} else {");
                    self.block(second, 1, place);
                    self.line("}");
                }
                (Some(_) | None, Some(_) | None) => self.any(&arcs, place),
            },
            [..] => self.any(&arcs, place),
        }
    }

    fn any(&mut self, arcs: &[&Arc], place: Place) {
        for (index, arc) in arcs.iter().enumerate() {
            match (index, index + 1 == arcs.len()) {
                (0, _) => self.line("if (__VERIFIER_nondet_int()) {"),
                (_, false) => self.line("} else if (__VERIFIER_nondet_int()) {"),
                (_, true) => self.line("} else {"),
            }
            self.block(arc, 0, place);
        }
        self.line("}");
    }

    fn block(&mut self, arc: &Arc, skip: usize, place: Place) {
        self.depth += 1;
        self.arc(arc, skip, place);
        self.depth -= 1;
    }

    /// The statements of an arc from the given one on, and the way to its end.
    fn arc(&mut self, arc: &Arc, skip: usize, place: Place) {
        if !arc.note.is_empty() {
            self.line(comment(&arc.note));
        }
        for statement in &arc.statements[skip..] {
            let line = match statement {
                Statement::Assign(var, value) => {
                    format!("{} = {};", self.vars[var], value.display(&|var| self.vars[&var].clone()))
                }
                Statement::Havoc(var) => format!("{} = __VERIFIER_nondet_long();", self.vars[var]),
                Statement::Assume(condition) => format!("assume_abort_if_not({});", self.formula(condition)),
                Statement::Assert(condition) => format!("if (!({})) reach_error();", self.formula(condition)),
            };
            self.line(line);
        }
        self.go(arc.to, place);
    }

    fn go(&mut self, to: Node, place: Place) {
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

    fn formula(&self, condition: &Formula) -> String {
        condition.display(&|var| self.vars[&var].clone()).to_string()
    }
}

/// What an arc begins with assuming.
fn guard(arc: &Arc) -> Option<&Formula> {
    match arc.statements.first() {
        Some(Statement::Assume(condition)) => Some(condition),
        Some(Statement::Assign(..) | Statement::Havoc(_) | Statement::Assert(_)) | None => None,
    }
}
