//! The graph against one that searches from scratch.

use super::*;
use base::Rng;

fn reaches(edges: &[(u32, u32)], from: u32, to: u32) -> bool {
    let mut found = vec![from];
    let mut next = 0;
    while next < found.len() {
        let node = found[next];
        next += 1;
        for &(source, target) in edges {
            if source == node && !found.contains(&target) {
                found.push(target);
            }
        }
    }
    found.contains(&to)
}

#[test]
fn edges_are_refused_exactly_when_they_close_a_cycle() {
    let mut random = Rng::new(9);
    for _ in 0..300 {
        let mut graph = Graph::default();
        let nodes = 2 + random.below(12);
        for _ in 0..nodes {
            graph.add_node();
        }
        let mut placed: Vec<u32> = Vec::new();
        for step in 0..80 {
            if random.one_in(4) && !placed.is_empty() {
                let edge = placed.swap_remove(random.below(placed.len()));
                graph.remove(edge);
                continue;
            }
            let (from, to) = (random.below(nodes) as u32, random.below(nodes) as u32);
            let edge = graph.edges.len() as u32;
            graph.edges.push(Edge { from, to, label: step + 1 });
            let there: Vec<(u32, u32)> =
                placed.iter().map(|&edge| (graph.edges[edge as usize].from, graph.edges[edge as usize].to)).collect();
            let closes = reaches(&there, to, from);
            let mut cycle = Vec::new();
            assert_eq!(graph.place(edge, &mut cycle), !closes);
            if closes {
                // The cycle is one: each edge begins where another ends, and all but the new one are there.
                let ends: Vec<Edge> = cycle.iter().map(|&edge| graph.edges[edge as usize]).collect();
                assert!(ends.iter().all(|edge| ends.iter().any(|other| other.to == edge.from)));
                assert!(cycle.iter().all(|other| *other == edge || placed.contains(other)));
            } else {
                placed.push(edge);
                graph.explore(edge, usize::MAX);
                for node in 0..nodes as u32 {
                    assert_eq!(graph.leads_to(node), reaches(&there, node, from));
                    assert_eq!(graph.reached().contains(&node), reaches(&there, to, node));
                }
            }
        }
    }
}
