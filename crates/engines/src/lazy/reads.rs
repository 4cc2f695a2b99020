//! Who reads from whom: the constraints that make nodes an execution, given to the solver.

use super::encoding::Encoding;
use super::orders::{Access, NodeId, Orders};
use super::posed::too_many_clauses;
use base::{BitSet, Budget, Id, IdVec};
use claim::Outcome;
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

impl Order {
    fn surely(&self, a: NodeId, b: NodeId) -> bool {
        self.before[b].contains(a)
    }

    /// Says that the one comes before the other.
    fn before(&mut self, solver: &mut Solver, a: NodeId, b: NodeId) -> Lit {
        if self.surely(a, b) {
            return Lit::TRUE;
        }
        if a == b || self.surely(b, a) {
            return Lit::FALSE;
        }
        let (first, second) = (a.min(b), a.max(b));
        let lit = *self.variables.entry((first, second)).or_insert_with(|| {
            let lit = solver.fresh();
            solver.order_edge_if(lit, first, second);
            solver.order_edge_if(!lit, second, first);
            lit
        });
        if first == a { lit } else { !lit }
    }
}

/// Hands the order of the nodes and all reads over to the solver; false if that is too much.
pub fn constrain(
    encoding: &mut Encoding<'_>,
    orders: &Orders,
    solver: &mut Solver,
    budget: &Budget,
) -> Result<bool, Outcome> {
    let mut order = fixed_order(&encoding.symbols.terms, orders, solver);
    let none = IdVec::filled(Vec::new(), encoding.initial.len());
    let (mut readers, mut writers): (IdVec<PieceId, Vec<NodeId>>, IdVec<PieceId, Vec<NodeId>>) = (none.clone(), none);
    for (id, node) in orders.nodes.iter().enumerate() {
        node.reads.keys().for_each(|piece| readers[*piece].push(id));
        node.writes.keys().for_each(|piece| writers[*piece].push(id));
    }
    let mut conjuncts = Conjuncts::default();
    let mut asked = 0u32;
    for piece in orders.shared.iter().map(PieceId::new) {
        for reader in &readers[piece] {
            asked += 1;
            if asked.is_multiple_of(16) {
                budget.check()?;
                if too_many_clauses(solver) {
                    return Ok(false);
                }
            }
            constrain_read(encoding, orders, solver, &mut order, &mut conjuncts, (piece, *reader, &writers[piece]));
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
    // The writes that it may get its value from; no node is what was there at first.
    let first = (None, Access { when: terms.bool(true), value: encoding.initial[piece] });
    let seen = others.iter().filter(|node| !hidden(**node));
    let writes = seen.map(|node| (Some(*node), orders.nodes[*node].writes[&piece]));
    let sources: Vec<_> = certain.is_empty().then_some(first).into_iter().chain(writes).collect();
    // One source is left: a write that surely came before and hides all others, or what was there at first and nobody changes.
    if let [(_, only)] = sources[..] {
        let same = terms.eq(read.value, only.value);
        let same = terms.implies(read.when, same);
        return solver.assert(terms, same);
    }
    // All write the same: no matter which.
    if let Some((_, first)) = sources.first()
        && terms.is_constant(first.value)
        && sources.iter().all(|(_, source)| source.value == first.value)
    {
        let same = terms.eq(read.value, first.value);
        return solver.assert(terms, same);
    }
    let when = solver.literal(terms, read.when);
    let bits = solver.literals(terms, read.value);
    let mut choice = vec![!when];
    for (node, source) in &sources {
        let from = solver.fresh();
        choice.push(from);
        let written = solver.literal(terms, source.when);
        solver.clause(&[!from, written]);
        for (a, b) in bits.iter().zip(solver.literals(terms, source.value)) {
            solver.clause(&[!from, !*a, b]);
            solver.clause(&[!from, *a, !b]);
        }
        let before_read = node.map_or(Lit::TRUE, |node| order.before(solver, node, reader));
        solver.clause(&[!from, before_read]);
        for other in others.iter().copied().filter(|other| Some(*other) != *node) {
            let before_source = node.map_or(Lit::FALSE, |node| order.before(solver, other, node));
            let after_read = order.before(solver, reader, other);
            if before_source != Lit::TRUE && after_read != Lit::TRUE {
                let written = solver.literal(terms, orders.nodes[other].writes[&piece].when);
                solver.clause(&[!from, before_source, after_read, !written]);
            }
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
