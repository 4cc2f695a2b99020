//! The shape of a graph: which locations dominate which, and which loops there are.  From it the text knows where a location is
//! best written, so that few jumps remain.

use base::{IdVec, graph};
use rustc_hash::FxHashSet;
use transition::{Graph, Location};

pub struct Shape {
    /// Whether the node is written where the only arc to it ends.
    pub inline: IdVec<Location, bool>,
    /// By node: those that are written behind the text of its arcs.
    pub merges: IdVec<Location, Vec<Location>>,
    /// By node that a loop begins with: those that are written behind the loop.
    pub after_loop: IdVec<Location, Option<Vec<Location>>>,
}

impl Shape {
    pub fn of(program: &Graph) -> Self {
        let order = program.reverse_postorder();
        let entering = program.entering();
        let rank = graph::ranks(&order, program.locations.len());
        // The arcs that can be followed at all.
        let reached = |node: Location| {
            entering[node].iter().map(|&arc| program.edges[arc].from).filter(|from| rank[*from].is_some())
        };
        let before: IdVec<Location, Vec<Location>> =
            program.locations.ids().map(|node| reached(node).collect()).collect();
        let dominator = graph::dominators(&order, &before);
        let loops = loops(&order, &dominator, &before);

        let count = program.locations.len();
        let mut shape = Shape {
            inline: IdVec::filled(false, count),
            merges: IdVec::filled(Vec::new(), count),
            after_loop: loops.iter().map(|(_, body)| body.as_ref().map(|_| Vec::new())).collect(),
        };
        for &node in order.iter().filter(|node| **node != program.entry) {
            let above = dominator[node].expect("what is reached has a dominator");
            // The outermost loop that control leaves on the way here: what is not part of a loop stands behind it.
            let leaves = |head: &Location| {
                loops[*head].as_ref().is_some_and(|body| body.contains(&above) && !body.contains(&node))
            };
            match order.iter().copied().find(|head| leaves(head)) {
                Some(head) => shape.after_loop[head].as_mut().expect("it is a loop").push(node),
                None if before[node].len() == 1 => shape.inline[node] = true,
                None => shape.merges[above].push(node),
            }
        }
        shape
    }
}

/// By node to which an arc leads back from a node that it dominates: the nodes of that loop.
fn loops(
    order: &[Location],
    dominator: &IdVec<Location, Option<Location>>,
    before: &IdVec<Location, Vec<Location>>,
) -> IdVec<Location, Option<FxHashSet<Location>>> {
    let mut loops = IdVec::filled(None, before.len());
    for &head in order {
        let mut todo: Vec<Location> =
            before[head].iter().copied().filter(|from| graph::dominates(dominator, head, *from)).collect();
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
