//! The shape of a graph: which nodes dominate which, and which loops there are.  From it the text knows where a node is
//! best written, so that few jumps remain.

use crate::{Node, Sequential};
use base::IdVec;
use rustc_hash::FxHashSet;

pub struct Shape {
    /// Whether the node is written where the only arc to it ends.
    pub inline: IdVec<Node, bool>,
    /// By node: those that are written behind the text of its arcs.
    pub merges: IdVec<Node, Vec<Node>>,
    /// By node that a loop begins with: those that are written behind the loop.
    pub after_loop: IdVec<Node, Option<Vec<Node>>>,
}

impl Shape {
    pub fn of(program: &Sequential) -> Self {
        let order = program.reverse_postorder();
        let entering = program.entering();
        let mut rank = IdVec::<Node, Option<usize>>::filled(None, program.nodes.len());
        for (place, &node) in order.iter().enumerate() {
            rank[node] = Some(place);
        }
        // The arcs that can be followed at all.
        let reached =
            |node: Node| entering[node].iter().map(|&arc| program.edges[arc].from).filter(|from| rank[*from].is_some());
        let before: IdVec<Node, Vec<Node>> = program.nodes.ids().map(|node| reached(node).collect()).collect();
        let dominator = dominators(&order, &rank, &before);
        let loops = loops(&order, &dominator, &before);

        let count = program.nodes.len();
        let mut shape = Shape {
            inline: IdVec::filled(false, count),
            merges: IdVec::filled(Vec::new(), count),
            after_loop: loops.iter().map(|(_, body)| body.as_ref().map(|_| Vec::new())).collect(),
        };
        for &node in order.iter().filter(|node| **node != program.entry) {
            let above = dominator[node].expect("only the entry has no dominator");
            // The outermost loop that control leaves on the way here: what is not part of a loop stands behind it.
            let leaves =
                |head: &Node| loops[*head].as_ref().is_some_and(|body| body.contains(&above) && !body.contains(&node));
            match order.iter().copied().find(|head| leaves(head)) {
                Some(head) => shape.after_loop[head].as_mut().expect("it is a loop").push(node),
                None if before[node].len() == 1 => shape.inline[node] = true,
                None => shape.merges[above].push(node),
            }
        }
        shape
    }
}

/// The closest node that every way to a node goes through (Cooper, Harvey and Kennedy: A simple, fast dominance algorithm).
fn dominators(
    order: &[Node],
    rank: &IdVec<Node, Option<usize>>,
    before: &IdVec<Node, Vec<Node>>,
) -> IdVec<Node, Option<Node>> {
    let mut dominator: IdVec<Node, Option<Node>> = IdVec::filled(None, before.len());
    let entry = order[0];
    let common = |dominator: &IdVec<Node, Option<Node>>, mut a: Node, mut b: Node| {
        while a != b {
            let lower = if rank[a] > rank[b] { &mut a } else { &mut b };
            *lower = dominator[*lower].expect("nodes before this one in the order have theirs");
        }
        a
    };
    loop {
        let mut changed = false;
        for &node in &order[1..] {
            let known = before[node].iter().copied().filter(|from| *from == entry || dominator[*from].is_some());
            let new = known.reduce(|a, b| common(&dominator, a, b));
            changed |= dominator[node] != new;
            dominator[node] = new;
        }
        if !changed {
            return dominator;
        }
    }
}

/// By node to which an arc leads back from a node that it dominates: the nodes of that loop.
fn loops(
    order: &[Node],
    dominator: &IdVec<Node, Option<Node>>,
    before: &IdVec<Node, Vec<Node>>,
) -> IdVec<Node, Option<FxHashSet<Node>>> {
    let dominates =
        |above: Node, node: Node| std::iter::successors(Some(node), |at| dominator[*at]).any(|at| at == above);
    let mut loops = IdVec::filled(None, before.len());
    for &head in order {
        let mut todo: Vec<Node> = before[head].iter().copied().filter(|from| dominates(head, *from)).collect();
        if todo.is_empty() {
            continue;
        }
        let mut body = FxHashSet::from_iter([head]);
        while let Some(node) = todo.pop() {
            if body.insert(node) {
                todo.extend(&before[node]);
            }
        }
        loops[head] = Some(body);
    }
    loops
}
