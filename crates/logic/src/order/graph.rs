//! A directed graph that stays acyclic while edges come and go.
//!
//! The nodes are kept in a topological order, repaired when an edge against it comes (Pearce and Kelly, "A dynamic
//! topological sort algorithm for directed acyclic graphs", 2006): only the nodes between the two ends are looked at.
//! An edge that goes leaves the order right, so that backtracking costs nothing but taking it out.

/// An edge from `from` to `to`; `label` says why it is there.
#[derive(Clone, Copy)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    /// The solver's literal, 0 for an edge that is always there.
    pub label: i32,
}

#[derive(Default)]
pub struct Graph {
    /// Edges by number.
    pub edges: Vec<Edge>,
    outgoing: Vec<Vec<u32>>,
    incoming: Vec<Vec<u32>>,
    position: Vec<u32>,
    forward: Frontier,
    backward: Frontier,
}

/// The nodes that a search has found, each with the edge by which it came.
#[derive(Default)]
struct Frontier {
    found: Vec<u32>,
    by: Vec<u32>,
    stamp: Vec<u32>,
    now: u32,
}

impl Frontier {
    fn start(&mut self, node: u32, nodes: usize) {
        self.by.resize(nodes, 0);
        self.stamp.resize(nodes, 0);
        if self.now == u32::MAX {
            self.stamp.fill(0);
            self.now = 0;
        }
        self.now += 1;
        self.found.clear();
        self.found.push(node);
        self.stamp[node as usize] = self.now;
    }
    fn has(&self, node: u32) -> bool {
        self.stamp[node as usize] == self.now
    }
    fn reach(&mut self, node: u32, by: u32) {
        if !self.has(node) {
            self.stamp[node as usize] = self.now;
            self.by[node as usize] = by;
            self.found.push(node);
        }
    }

    /// Finds what the start leads to, breadth first, until about `effort` edges were looked at.  `end` says where an edge
    /// leads, and nothing for one that is not to be followed.
    fn search(
        &mut self,
        start: u32,
        nodes: usize,
        adjacent: &[Vec<u32>],
        effort: usize,
        end: impl Fn(u32) -> Option<u32>,
    ) {
        self.start(start, nodes);
        let (mut next, mut looked) = (0, 0);
        while next < self.found.len() && looked < effort {
            let edges = &adjacent[self.found[next] as usize];
            next += 1;
            looked += edges.len();
            for &edge in edges {
                if let Some(node) = end(edge) {
                    self.reach(node, edge);
                }
            }
        }
    }
}

impl Graph {
    pub fn add_node(&mut self) -> u32 {
        let node = self.position.len() as u32;
        self.position.push(node);
        self.outgoing.push(Vec::new());
        self.incoming.push(Vec::new());
        node
    }
    pub fn nodes(&self) -> usize {
        self.position.len()
    }

    /// Puts an edge in.  If that would close a cycle, it stays out and `cycle` gets the edges of a shortest one.
    pub fn place(&mut self, edge: u32, cycle: &mut Vec<u32>) -> bool {
        let Edge { from, to, .. } = self.edges[edge as usize];
        if from == to {
            cycle.push(edge);
            return false;
        }
        let (low, high) = (self.position[to as usize], self.position[from as usize]);
        if low < high {
            let Graph { position, forward, outgoing, edges, .. } = self;
            forward.search(to, position.len(), outgoing, usize::MAX, |edge| {
                Some(edges[edge as usize].to).filter(|to| position[*to as usize] <= high)
            });
            if self.forward.has(from) {
                cycle.push(edge);
                self.path_forward(to, from, cycle);
                return false;
            }
            let Graph { position, backward, incoming, edges, .. } = self;
            backward.search(from, position.len(), incoming, usize::MAX, |edge| {
                Some(edges[edge as usize].from).filter(|from| position[*from as usize] >= low)
            });
            self.repair();
        }
        self.outgoing[from as usize].push(edge);
        self.incoming[to as usize].push(edge);
        true
    }

    /// Takes an edge out.
    pub fn remove(&mut self, edge: u32) {
        let Edge { from, to, .. } = self.edges[edge as usize];
        for list in [&mut self.outgoing[from as usize], &mut self.incoming[to as usize]] {
            // Nearly always the last: edges go in the opposite order in which they came.
            let at = list.iter().rposition(|&other| other == edge).expect("only what was placed is removed");
            list.remove(at);
        }
    }

    /// After `edge` has come: finds what its source is reached from and what its target reaches, looking at about `effort`
    /// edges in each direction.
    pub fn explore(&mut self, edge: u32, effort: usize) {
        let Edge { from, to, .. } = self.edges[edge as usize];
        let Graph { position, forward, backward, outgoing, incoming, edges } = self;
        forward.search(to, position.len(), outgoing, effort, |edge| Some(edges[edge as usize].to));
        backward.search(from, position.len(), incoming, effort, |edge| Some(edges[edge as usize].from));
    }
    /// What the target of the last explored edge reaches, itself included.
    pub fn reached(&self) -> &[u32] {
        &self.forward.found
    }
    /// Did the last exploration find that `node` reaches the source of its edge?
    pub fn leads_to(&self, node: u32) -> bool {
        self.backward.has(node)
    }
    /// The edges by which the last exploration, of `edge`, leads from `start` to `end`.
    pub fn path_through(&self, edge: u32, start: u32, end: u32, path: &mut Vec<u32>) {
        let Edge { from, to, .. } = self.edges[edge as usize];
        let mut node = start;
        while node != from {
            let by = self.backward.by[node as usize];
            path.push(by);
            node = self.edges[by as usize].to;
        }
        path.push(edge);
        self.path_forward(to, end, path);
    }

    fn path_forward(&self, start: u32, end: u32, path: &mut Vec<u32>) {
        let mut node = end;
        while node != start {
            let by = self.forward.by[node as usize];
            path.push(by);
            node = self.edges[by as usize].from;
        }
    }

    /// The nodes found backward go before those found forward, on the places that they have together.
    fn repair(&mut self) {
        let position = &mut self.position;
        self.backward.found.sort_unstable_by_key(|&node| position[node as usize]);
        self.forward.found.sort_unstable_by_key(|&node| position[node as usize]);
        let moved = || self.backward.found.iter().chain(&self.forward.found);
        let mut places: Vec<u32> = moved().map(|&node| position[node as usize]).collect();
        places.sort_unstable();
        for (&node, place) in moved().zip(places) {
            position[node as usize] = place;
        }
    }
}

#[cfg(test)]
#[path = "graph_test.rs"]
mod tests;
