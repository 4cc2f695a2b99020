//! Who reads from whom: the constraints that make nodes an execution, given to the solver.

use super::encoding::{Encoding, Stop};
use super::orders::{NodeId, Orders};
use super::posed::too_many_clauses;
use base::{BitSet, Budget, Id};
use logic::{Lit, Node as Shape, Solver, Term, Terms};
use passes::memory::PieceId;
use rustc_hash::{FxHashMap, FxHashSet};

/// The order of the nodes as far as it is known without solving, and variables for the rest.
struct Order {
    /// For each node, the nodes that surely come before it.
    before: Vec<BitSet>,
    /// For pairs `a < b`: `a` comes before `b`.
    variables: FxHashMap<(NodeId, NodeId), Lit>,
}

/// What is known of the relation of two nodes, or a literal for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Yes,
    No,
    If(Lit),
}

impl Order {
    fn surely(&self, a: NodeId, b: NodeId) -> bool {
        self.before[b].contains(a)
    }

    fn before(&mut self, solver: &mut Solver, a: NodeId, b: NodeId) -> Before {
        if self.surely(a, b) {
            return Before::Yes;
        }
        if a == b || self.surely(b, a) {
            return Before::No;
        }
        let (first, second) = (a.min(b), a.max(b));
        let lit = *self.variables.entry((first, second)).or_insert_with(|| {
            let lit = solver.fresh();
            solver.order_edge_if(lit, first, second);
            solver.order_edge_if(!lit, second, first);
            lit
        });
        Before::If(if first == a { lit } else { !lit })
    }
}

/// Hands the order of the nodes and all reads over to the solver; false if that is too much.
pub fn constrain(
    encoding: &mut Encoding<'_>,
    orders: &Orders,
    solver: &mut Solver,
    budget: &Budget,
) -> Result<bool, Stop> {
    let mut order = fixed_order(&encoding.symbols.terms, orders, solver);
    let pieces: Vec<PieceId> = orders.shared.iter().map(PieceId::new).collect();
    let mut readers: FxHashMap<PieceId, Vec<NodeId>> = FxHashMap::default();
    let mut writers: FxHashMap<PieceId, Vec<NodeId>> = FxHashMap::default();
    for (id, node) in orders.nodes.iter().enumerate() {
        node.reads.keys().for_each(|piece| readers.entry(*piece).or_default().push(id));
        node.writes.keys().for_each(|piece| writers.entry(*piece).or_default().push(id));
    }
    let mut conjuncts = Conjuncts::default();
    let mut asked = 0u32;
    for piece in pieces {
        let none = Vec::new();
        let writers = writers.get(&piece).unwrap_or(&none);
        for reader in readers.get(&piece).unwrap_or(&none) {
            asked += 1;
            if asked.is_multiple_of(16) {
                budget.check().map_err(Stop::Spent)?;
                if too_many_clauses(solver) {
                    return Ok(false);
                }
            }
            constrain_read(encoding, orders, solver, &mut order, &mut conjuncts, (piece, *reader, writers));
        }
    }
    Ok(true)
}

/// Program order, starts and certain joins.
fn fixed_order(terms: &Terms, orders: &Orders, solver: &mut Solver) -> Order {
    let count = orders.nodes.len();
    solver.order_nodes(count);
    let mut edges: Vec<Vec<NodeId>> = vec![Vec::new(); count];
    for (thread, nodes) in orders.of_thread.iter() {
        nodes.windows(2).for_each(|pair| edges[pair[0]].push(pair[1]));
        if let (Some(starter), Some(first)) = (orders.started_by[thread], nodes.first()) {
            edges[starter].push(*first);
        }
    }
    for join in &orders.joins {
        let Some(last) = orders.of_thread[join.thread].last() else { continue };
        // A join that could only be passed after itself is never passed; it must not be taken for a fact.
        if join.certain && !leads_to(&edges, join.node, *last) {
            edges[*last].push(join.node);
        } else {
            let lit = solver.literal(terms, join.when);
            solver.order_edge_if(lit, *last, join.node);
        }
    }
    let mut incoming = vec![0; count];
    edges.iter().flatten().for_each(|to| incoming[*to] += 1);
    let mut before = vec![BitSet::new(); count];
    let mut work: Vec<NodeId> = (0..count).filter(|node| incoming[*node] == 0).collect();
    while let Some(node) = work.pop() {
        for to in &edges[node] {
            solver.order_edge(node, *to);
            let mut own = before[node].clone();
            own.insert(node);
            before[*to].union_with(&own);
            incoming[*to] -= 1;
            if incoming[*to] == 0 {
                work.push(*to);
            }
        }
    }
    Order { before, variables: FxHashMap::default() }
}

fn leads_to(edges: &[Vec<NodeId>], from: NodeId, to: NodeId) -> bool {
    let mut seen = BitSet::new();
    let mut work = vec![from];
    while let Some(node) = work.pop() {
        if node == to {
            return true;
        }
        if seen.insert(node) {
            work.extend(&edges[node]);
        }
    }
    false
}

/// A write that a read may get its value from; no node is what was there at first.
#[derive(Clone, Copy)]
struct Source {
    node: Option<NodeId>,
    when: Term,
    value: Term,
}

fn constrain_read(
    encoding: &mut Encoding<'_>,
    orders: &Orders,
    solver: &mut Solver,
    order: &mut Order,
    conjuncts: &mut Conjuncts,
    (piece, reader, writers): (PieceId, NodeId, &[NodeId]),
) {
    let terms = &mut encoding.symbols.terms;
    let read = orders.nodes[reader].reads[&piece];
    if terms.is_false(read.when) {
        return;
    }
    let others: Vec<NodeId> =
        writers.iter().copied().filter(|node| *node != reader && !order.surely(reader, *node)).collect();
    // Writes that surely have happened when the read does: whatever they cover cannot be read.
    conjuncts.given(terms, read.when);
    let certain: Vec<NodeId> = others
        .iter()
        .copied()
        .filter(|node| order.surely(*node, reader) && conjuncts.imply(terms, orders.nodes[*node].writes[&piece].when))
        .collect();
    let hidden = |node: NodeId| certain.iter().any(|cover| order.surely(node, *cover));
    let yes = terms.bool(true);
    let mut sources = Vec::new();
    if certain.is_empty() {
        sources.push(Source { node: None, when: yes, value: encoding.initial[piece] });
    }
    for node in others.iter().copied().filter(|node| !hidden(*node)) {
        let write = orders.nodes[node].writes[&piece];
        sources.push(Source { node: Some(node), when: write.when, value: write.value });
    }
    // One source is left: a write that surely came before and hides all others, or what was there at first and nobody changes.
    if let [only] = sources[..] {
        let same = terms.eq(read.value, only.value);
        let same = terms.implies(read.when, same);
        return solver.assert(terms, same);
    }
    // All write the same: no matter which.
    if let Some(first) = sources.first()
        && terms.is_constant(first.value)
        && sources.iter().all(|source| source.value == first.value)
    {
        let same = terms.eq(read.value, first.value);
        return solver.assert(terms, same);
    }
    let when = solver.literal(terms, read.when);
    let bits = solver.literals(terms, read.value);
    let mut choice = vec![!when];
    for source in &sources {
        let from = solver.fresh();
        choice.push(from);
        let written = solver.literal(terms, source.when);
        solver.clause(&[!from, written]);
        for (a, b) in bits.iter().zip(solver.literals(terms, source.value)) {
            solver.clause(&[!from, !*a, b]);
            solver.clause(&[!from, *a, !b]);
        }
        if let Some(node) = source.node
            && let Before::If(lit) = order.before(solver, node, reader)
        {
            solver.clause(&[!from, lit]);
        }
        for other in others.iter().copied().filter(|other| Some(*other) != source.node) {
            let before_source = match source.node {
                Some(node) => order.before(solver, other, node),
                None => Before::No,
            };
            let after_read = order.before(solver, reader, other);
            let mut clause = vec![!from];
            match (before_source, after_read) {
                (Before::Yes, _) | (_, Before::Yes) => continue,
                (first, second) => {
                    for before in [first, second] {
                        if let Before::If(lit) = before {
                            clause.push(lit);
                        }
                    }
                }
            }
            let written = solver.literal(terms, orders.nodes[other].writes[&piece].when);
            clause.push(!written);
            solver.clause(&clause);
        }
    }
    solver.clause(&choice);
}

/// What a condition contains, so that one can be seen to imply another.
#[derive(Default)]
struct Conjuncts {
    of: Option<Term>,
    /// All conjunctions that it is made of, and their parts.
    parts: FxHashSet<Term>,
}

impl Conjuncts {
    /// Takes the condition apart.
    fn given(&mut self, terms: &Terms, term: Term) {
        if self.of.replace(term) == Some(term) {
            return;
        }
        self.parts.clear();
        let mut work = vec![term];
        while let Some(term) = work.pop() {
            if self.parts.insert(term)
                && let Shape::And(a, b) = terms.view(term)
            {
                work.extend([a, b]);
            }
        }
    }

    /// Is the condition seen to hold where the given one does?  Conditions along a thread contain each other whole, so a few
    /// steps are enough.
    fn imply(&self, terms: &Terms, term: Term) -> bool {
        let mut work = vec![term];
        let mut steps = 32;
        while let Some(term) = work.pop() {
            if terms.is_true(term) || self.parts.contains(&term) {
                continue;
            }
            let Shape::And(a, b) = terms.view(term) else { return false };
            steps -= 1;
            if steps == 0 {
                return false;
            }
            work.extend([a, b]);
        }
        true
    }
}
