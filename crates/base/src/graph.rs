//! Graphs: orders, dominators, strongly connected components.

use crate::{BitSet, Id, IdVec};

/// The nodes that the entry leads to, in an order in which every edge goes forward unless it closes a cycle.
pub fn reverse_postorder<K: Id>(entry: K, successors: &IdVec<K, Vec<K>>) -> Vec<K> {
    let mut order = Vec::new();
    if successors.is_empty() {
        return order;
    }
    let mut seen = IdVec::filled(false, successors.len());
    seen[entry] = true;
    // Nodes with how many of their edges were followed.
    let mut path = vec![(entry, 0)];
    while let Some((node, followed)) = path.last_mut() {
        match successors[*node].get(*followed) {
            Some(&to) => {
                *followed += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The nodes, with all that they lead to; `next` says what a node leads to in one step.
pub fn closure<K: Id, I: IntoIterator<Item = K>>(nodes: impl IntoIterator<Item = K>, next: impl Fn(K) -> I) -> BitSet {
    let mut found = BitSet::new();
    let mut work: Vec<K> = nodes.into_iter().collect();
    while let Some(node) = work.pop() {
        if found.insert(node.index()) {
            work.extend(next(node));
        }
    }
    found
}

/// By node its place in an order that need not have all nodes.
pub fn ranks<K: Id>(order: &[K], count: usize) -> IdVec<K, Option<u32>> {
    let mut rank = IdVec::filled(None, count);
    order.iter().enumerate().for_each(|(place, node)| rank[*node] = Some(place as u32));
    rank
}

/// Does no way from the entry come to a node twice?
pub fn is_acyclic<K: Id>(entry: K, successors: &IdVec<K, Vec<K>>) -> bool {
    let order = reverse_postorder(entry, successors);
    let rank = ranks(&order, successors.len());
    order.iter().all(|from| successors[*from].iter().all(|to| rank[*from] < rank[*to]))
}

/// The closest node that every way to a node goes through, of the nodes in the order, a reverse postorder (the entry is its
/// own), by the iteration of Cooper, Harvey and Kennedy.
pub fn dominators<K: Id>(order: &[K], predecessors: &IdVec<K, Vec<K>>) -> IdVec<K, Option<K>> {
    let rank = ranks(order, predecessors.len());
    let mut idom: IdVec<K, Option<K>> = IdVec::filled(None, predecessors.len());
    let Some(entry) = order.first().copied() else { return idom };
    idom[entry] = Some(entry);
    let common = |idom: &IdVec<K, Option<K>>, mut a: K, mut b: K| {
        while a != b {
            let lower = if rank[a] > rank[b] { &mut a } else { &mut b };
            match idom[*lower] {
                Some(above) => *lower = above,
                None => return entry,
            }
        }
        a
    };
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for node in order.iter().skip(1) {
            let known = predecessors[*node].iter().copied().filter(|from| idom[*from].is_some());
            let best = known.reduce(|a, b| common(&idom, a, b));
            changed |= idom[*node] != best;
            idom[*node] = best;
        }
    }
    idom
}

/// Does every way to the one node go through the other?
pub fn dominates<K: Id>(dominators: &IdVec<K, Option<K>>, above: K, mut below: K) -> bool {
    while below != above
        && let Some(next) = dominators[below].filter(|next| *next != below)
    {
        below = next;
    }
    below == above
}

/// The components of a graph, numbered so that each comes after all components it can reach: component 0 has no way out.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// The component of each node.
    pub of: Vec<u32>,
    /// Does the component hold a cycle (more than one node, or an edge from a node to itself)?
    pub cyclic: Vec<bool>,
}

impl Components {
    pub fn of_graph(successors: &[Vec<u32>]) -> Components {
        const NEW: u32 = u32::MAX;
        let n = successors.len();
        let mut res = Components { of: vec![NEW; n], cyclic: Vec::new() };
        let mut order = vec![NEW; n];
        let mut low = vec![0; n];
        let mut open: Vec<u32> = Vec::new();
        let mut path: Vec<(u32, usize)> = Vec::new();
        let mut next = 0;
        for root in 0..n {
            if order[root] != NEW {
                continue;
            }
            path.push((root as u32, 0));
            while let Some(&mut (node, ref mut edge)) = path.last_mut() {
                let v = node as usize;
                if order[v] == NEW {
                    (order[v], low[v]) = (next, next);
                    next += 1;
                    open.push(node);
                }
                if let Some(&to) = successors[v].get(*edge) {
                    *edge += 1;
                    let w = to as usize;
                    if order[w] == NEW {
                        path.push((to, 0));
                    } else if res.of[w] == NEW {
                        low[v] = low[v].min(order[w]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    low[parent as usize] = low[parent as usize].min(low[v]);
                }
                if low[v] == order[v] {
                    let first = open.iter().rposition(|member| *member == node).unwrap_or(0);
                    let members = open.split_off(first);
                    members.iter().for_each(|member| res.of[*member as usize] = res.cyclic.len() as u32);
                    res.cyclic.push(members.len() > 1 || successors[v].contains(&node));
                }
            }
        }
        res
    }

    /// The nodes of each component, ascending.
    pub fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.cyclic.len()];
        self.of.iter().enumerate().for_each(|(node, component)| members[*component as usize].push(node));
        members
    }

    /// Is the node on a cycle?
    pub fn on_cycle(&self, node: usize) -> bool {
        self.cyclic[self.of[node] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::Components;

    #[test]
    fn numbers_sinks_first_and_sees_cycles() {
        // 0 -> 1 <-> 2 -> 3, 4 -> 4
        let found = Components::of_graph(&[vec![1], vec![2], vec![1, 3], vec![], vec![4]]);
        assert_eq!(found.of[1], found.of[2]);
        assert!(found.of[3] < found.of[1] && found.of[1] < found.of[0]);
        assert_eq!([0, 1, 2, 3, 4].map(|n| found.on_cycle(n)), [false, true, true, false, true]);
    }
}
