//! Executes one thread symbolically, for `orders`: its nodes, with what they read and write.

use super::orders::{Entry, Node, NodeId, Orders, RESULT, Read, Stop, WaitingJoin, Write};
use super::rounds::Beyond;
use super::space::{Kind, UNKNOWN_SIZE};
use super::symbols::{Scope, Way};
use base::{BitSet, Budget, Id};
use facts::Point;
use ir::liveness::Liveness;
use ir::{BlockId, Callee, Expr, Function, InstKind, Reg, Term as Terminator, Ty};
use logic::Term;
use passes::CutKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a thread has done so far on the way to some place.
#[derive(Clone)]
struct Path {
    here: Term,
    registers: Vec<Term>,
    /// Pieces that only this thread touches, where they differ from what they held at first.
    private: Rc<FxHashMap<usize, Term>>,
    /// The node that is under way, with what it knows of shared pieces.
    node: Option<NodeId>,
    /// Control has taken one of several ways since the node began.
    branched: bool,
    view: FxHashMap<usize, Seen>,
}

/// What a node knows of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    /// Right where `known` holds.
    value: Term,
    known: Term,
    written: Term,
}

/// The walk along one thread.
pub struct Walk<'o, 'a> {
    orders: &'o mut Orders<'a>,
    thread: usize,
    func: ir::FuncId,
    function: &'a Function,
    labels: FxHashSet<(BlockId, usize)>,
    live: Vec<BitSet>,
    cuts: FxHashMap<BlockId, CutKind>,
    children: FxHashMap<ir::FuncId, usize>,
    /// By block: the ways that lead to it.
    arriving: Vec<Vec<Path>>,
    state: Path,
}

impl<'o, 'a> Walk<'o, 'a> {
    pub fn new(orders: &'o mut Orders<'a>, thread: usize, labels: &[(BlockId, u32)]) -> Self {
        let unfolded = orders.symbols.unfolded;
        let func = unfolded.threads[thread].func;
        let function = &unfolded.program.functions[func];
        let liveness = Liveness::compute(function);
        let mut live = vec![BitSet::new(); function.blocks.len()];
        for block in function.blocks.ids() {
            liveness.walk_back(function, block, |i, before, _| {
                if i == 0 {
                    live[block.index()].clone_from(before);
                }
            });
        }
        let mut registers = orders.symbols.fresh_registers(function);
        for (param, value) in function.params.iter().zip(&orders.arguments[thread]) {
            registers[param.index()] = *value;
        }
        let here = orders.started[thread];
        let state =
            Path { here, registers, private: Rc::default(), node: None, branched: false, view: FxHashMap::default() };
        let cuts = unfolded.cuts.iter().filter(|cut| cut.func == func);
        let mut arriving = vec![Vec::new(); function.blocks.len()];
        arriving[0].push(state.clone());
        Walk {
            thread,
            func,
            function,
            labels: labels.iter().map(|(block, inst)| (*block, *inst as usize)).collect(),
            live,
            cuts: cuts.map(|cut| (cut.block, cut.kind)).collect(),
            children: unfolded.threads.iter().enumerate().map(|(i, thread)| (thread.func, i)).collect(),
            arriving,
            state,
            orders,
        }
    }

    pub fn run(mut self, budget: &Budget) -> Result<(), Stop> {
        let no = self.orders.symbols.terms.bool(false);
        for (block, data) in self.function.blocks.iter() {
            if block.0.is_multiple_of(64)
                && let Some(spent) = budget.spent()
            {
                return Err(Stop::Spent(spent));
            }
            let ways = std::mem::take(&mut self.arriving[block.index()]);
            if ways.is_empty() {
                continue;
            }
            self.merge(block, ways);
            for i in 0..=data.insts.len() {
                if self.state.here == no {
                    break;
                }
                let point = Point::new(self.func, block, i);
                if self.labels.contains(&(block, i)) || self.state.node.is_none() {
                    self.end_node();
                    self.begin_node();
                }
                match data.insts.get(i) {
                    Some(inst) => self.instruction(point, &inst.kind)?,
                    None => self.terminator(point, &data.term),
                }
            }
        }
        Ok(())
    }

    /// What is known where several ways meet.
    fn merge(&mut self, block: BlockId, mut ways: Vec<Path>) {
        // Nodes that have done different things do not go on as one.
        if ways.iter().any(|way| way.node != ways[0].node) {
            for way in &mut ways {
                self.state = std::mem::replace(way, self.state.clone());
                self.end_node();
                self.state = std::mem::replace(way, self.state.clone());
            }
        }
        let Some(mut merged) = ways.pop() else { return };
        let terms = &mut self.orders.symbols.terms;
        for way in ways.iter().rev() {
            for reg in self.live[block.index()].iter() {
                merged.registers[reg] = terms.ite(way.here, way.registers[reg], merged.registers[reg]);
            }
            if !Rc::ptr_eq(&merged.private, &way.private) {
                let keys: Vec<usize> = merged.private.keys().chain(way.private.keys()).copied().collect();
                let private = Rc::make_mut(&mut merged.private);
                for piece in keys {
                    let initial = self.orders.initial[piece];
                    let ours = private.get(&piece).copied().unwrap_or(initial);
                    let theirs = way.private.get(&piece).copied().unwrap_or(initial);
                    if ours != theirs {
                        private.insert(piece, terms.ite(way.here, theirs, ours));
                    }
                }
            }
            let no = terms.bool(false);
            let keys: Vec<usize> = merged.view.keys().chain(way.view.keys()).copied().collect();
            for piece in keys {
                let ours = merged.view.get(&piece).copied();
                let theirs = way.view.get(&piece).copied();
                if ours == theirs {
                    continue;
                }
                let either = match (ours, theirs) {
                    (Some(seen), _) | (None, Some(seen)) => seen.value,
                    (None, None) => continue,
                };
                let absent = Seen { value: either, known: no, written: no };
                let (ours, theirs) = (ours.unwrap_or(absent), theirs.unwrap_or(absent));
                let seen = Seen {
                    value: terms.ite(way.here, theirs.value, ours.value),
                    known: terms.ite(way.here, theirs.known, ours.known),
                    written: terms.ite(way.here, theirs.written, ours.written),
                };
                merged.view.insert(piece, seen);
            }
            merged.here = terms.or(merged.here, way.here);
        }
        self.state = merged;
    }

    fn begin_node(&mut self) {
        let terms = &mut self.orders.symbols.terms;
        let goes = terms.variable(1, "goes");
        self.state.here = terms.and(self.state.here, goes);
        let id = self.orders.nodes.len();
        self.orders.nodes.push(Node {
            thread: self.thread,
            reads: FxHashMap::default(),
            writes: FxHashMap::default(),
            log: Vec::new(),
        });
        self.orders.of_thread[self.thread].push(id);
        self.state.node = Some(id);
        self.state.branched = false;
    }

    /// The node is complete on this way: what it has written takes effect.
    fn end_node(&mut self) {
        let Some(node) = self.state.node.take() else { return };
        let terms = &mut self.orders.symbols.terms;
        let mut seen: Vec<(usize, Seen)> = self.state.view.drain().collect();
        seen.sort_unstable_by_key(|(piece, _)| *piece);
        for (piece, seen) in seen {
            let when = terms.and(self.state.here, seen.written);
            if terms.is_false(when) {
                continue;
            }
            let writes = &mut self.orders.nodes[node].writes;
            let write = match writes.get(&piece) {
                None => Write { when, value: seen.value },
                Some(other) => {
                    Write { when: terms.or(other.when, when), value: terms.ite(when, seen.value, other.value) }
                }
            };
            writes.insert(piece, write);
        }
    }

    /// The node is executed only if this holds where control comes here.
    fn need(&mut self, needs: &[Term]) {
        let terms = &mut self.orders.symbols.terms;
        let all = terms.all(needs);
        if !terms.is_true(all) {
            let fine = terms.implies(self.state.here, all);
            self.orders.constraints.push(fine);
            self.state.here = terms.and(self.state.here, all);
        }
    }

    fn exceed(&mut self, here: Term, what: Beyond) {
        let only_if_asked = self.orders.symbols.terms.implies(here, self.orders.may_exceed);
        self.orders.constraints.push(only_if_asked);
        self.orders.beyond.push((here, what));
    }

    fn expr(&mut self, expr: &Expr, old: Option<(Term, Ty)>, needs: &mut Vec<Term>) -> Term {
        let scope = Scope { thread: self.thread, function: self.function, registers: &self.state.registers, old };
        self.orders.symbols.expr(&scope, expr, needs)
    }

    fn set(&mut self, reg: Reg, value: Term) {
        self.state.registers[reg.index()] = value;
    }

    fn log(&mut self, point: Point, value: Option<Term>) {
        self.log_as(point, value, self.state.here, false);
    }

    fn log_as(&mut self, point: Point, value: Option<Term>, when: Term, violation: bool) {
        if let Some(node) = self.state.node {
            self.orders.nodes[node].log.push(Entry { when, point, value, violation });
        }
    }

    /// What the piece holds now; `when` says in which case that matters.
    fn read_piece(&mut self, piece: usize, when: Term) -> Term {
        let orders = &mut *self.orders;
        if !orders.shared.contains(piece) {
            return self.state.private.get(&piece).copied().unwrap_or(orders.initial[piece]);
        }
        let terms = &mut orders.symbols.terms;
        let seen = self.state.view.get(&piece).copied();
        if let Some(seen) = seen
            && terms.is_true(seen.known)
        {
            return seen.value;
        }
        let Some(node) = self.state.node else { return orders.initial[piece] };
        let unseen = match seen {
            None => terms.and(self.state.here, when),
            Some(seen) => {
                let unknown = terms.not(seen.known);
                let here = terms.and(self.state.here, when);
                terms.and(here, unknown)
            }
        };
        let width = orders.symbols.space.pieces[piece].size as u32 * 8;
        let read = orders.nodes[node].reads.get(&piece).copied();
        let read = match read {
            None => Read { when: unseen, value: terms.variable(width, "read") },
            Some(read) => Read { when: terms.or(read.when, unseen), value: read.value },
        };
        orders.nodes[node].reads.insert(piece, read);
        let no = terms.bool(false);
        let (value, known, written) = match seen {
            None => (read.value, when, no),
            Some(seen) => (terms.ite(seen.known, seen.value, read.value), terms.or(seen.known, when), seen.written),
        };
        self.state.view.insert(piece, Seen { value, known, written });
        value
    }

    fn write_piece(&mut self, piece: usize, value: Term, when: Term) {
        let orders = &mut *self.orders;
        let terms = &mut orders.symbols.terms;
        if !orders.shared.contains(piece) {
            let before = self.state.private.get(&piece).copied().unwrap_or(orders.initial[piece]);
            let after = terms.ite(when, value, before);
            Rc::make_mut(&mut self.state.private).insert(piece, after);
            return;
        }
        let seen = match self.state.view.get(&piece) {
            None => Seen { value, known: when, written: when },
            Some(seen) => Seen {
                value: terms.ite(when, value, seen.value),
                known: terms.or(seen.known, when),
                written: terms.or(seen.written, when),
            },
        };
        self.state.view.insert(piece, seen);
    }

    fn access(&mut self, point: Point, addr: &Expr, ty: Ty, write: bool) -> Result<Rc<[Way]>, Stop> {
        let mut needs = Vec::new();
        let address = self.expr(addr, None, &mut needs);
        let size = self.orders.symbols.program().size_of(ty);
        self.need(&needs);
        let ways = self.orders.symbols.ways(point, address, size, write)?;
        if let Some(elsewhere) = ways.elsewhere {
            let beyond = self.orders.symbols.terms.and(self.state.here, elsewhere);
            self.exceed(beyond, Beyond::Unsupported(point));
            let not = self.orders.symbols.terms.not(elsewhere);
            self.state.here = self.orders.symbols.terms.and(self.state.here, not);
        }
        self.need(&[ways.valid]);
        Ok(ways.list)
    }

    fn read(&mut self, ways: &[Way], ty: Ty) -> Term {
        let size = self.orders.symbols.program().size_of(ty);
        let mut res = None;
        for way in ways {
            let Some(pieces) = self.orders.symbols.space.pieces_at(way.object, way.offset, size) else { continue };
            let mut value = None;
            for piece in pieces {
                let part = self.read_piece(piece, way.when);
                value = Some(match value {
                    None => part,
                    Some(low) => self.orders.symbols.terms.concat(part, low),
                });
            }
            let Some(value) = value else { continue };
            res = Some(match res {
                None => value,
                Some(other) => self.orders.symbols.terms.ite(way.when, value, other),
            });
        }
        res.unwrap_or_else(|| self.orders.symbols.terms.constant(size as u32 * 8, 0))
    }

    fn write(&mut self, ways: &[Way], ty: Ty, value: Term) {
        let size = self.orders.symbols.program().size_of(ty);
        let value = self.orders.symbols.resize(value, size as u32 * 8);
        for way in ways {
            let Some(pieces) = self.orders.symbols.space.pieces_at(way.object, way.offset, size) else { continue };
            for piece in pieces {
                let data = self.orders.symbols.space.pieces[piece];
                let from = (data.offset - way.offset) as u32 * 8;
                let part = self.orders.symbols.terms.extract(value, from, data.size as u32 * 8);
                self.write_piece(piece, part, way.when);
            }
        }
    }

    fn instruction(&mut self, point: Point, kind: &InstKind) -> Result<(), Stop> {
        let mut needs = Vec::new();
        match kind {
            InstKind::Assign { dst, value } => {
                let value = self.expr(value, None, &mut needs);
                self.need(&needs);
                self.set(*dst, value);
            }
            InstKind::Load { dst, ty, addr, .. } => {
                let ways = self.access(point, addr, *ty, false)?;
                let value = self.read(&ways, *ty);
                self.log(point, Some(value));
                let width = self.orders.symbols.width(*ty);
                let value = self.orders.symbols.resize(value, width);
                self.set(*dst, value);
            }
            InstKind::Store { ty, addr, value, .. } => {
                let value = self.expr(value, None, &mut needs);
                self.need(&needs);
                let ways = self.access(point, addr, *ty, true)?;
                self.write(&ways, *ty, value);
                self.log(point, None);
            }
            InstKind::Update { dst, ty, addr, when, set, .. } => {
                let ways = self.access(point, addr, *ty, set.is_some())?;
                let content = self.read(&ways, *ty);
                let width = self.orders.symbols.width(*ty);
                let old = self.orders.symbols.resize(content, width);
                if let Some(when) = when {
                    let enabled = self.expr(when, Some((old, *ty)), &mut needs);
                    needs.push(enabled);
                }
                let written = set.as_ref().map(|set| self.expr(set, Some((old, *ty)), &mut needs));
                self.need(&needs);
                if let Some(value) = written {
                    self.write(&ways, *ty, value);
                }
                self.log(point, Some(content));
                if let Some(dst) = dst {
                    self.set(*dst, old);
                }
            }
            InstKind::Havoc { dst, .. } => {
                let width = self.orders.symbols.width(self.function.ty(*dst));
                let value = self.orders.symbols.terms.variable(width, "input");
                self.log(point, Some(value));
                self.set(*dst, value);
            }
            InstKind::Assume { cond } => {
                let cond = self.expr(cond, None, &mut needs);
                needs.push(cond);
                self.need(&needs);
            }
            InstKind::Assert { cond, .. } => {
                let cond = self.expr(cond, None, &mut needs);
                self.need(&needs);
                let terms = &mut self.orders.symbols.terms;
                let fails = terms.not(cond);
                let violated = terms.and(self.state.here, fails);
                self.state.here = terms.and(self.state.here, cond);
                if !terms.is_false(violated) {
                    self.orders.violations.push((violated, point));
                    self.log_as(point, None, violated, true);
                }
            }
            InstKind::Alloc { dst, size, .. } => {
                let object = self.orders.symbols.space.object(Kind::Allocated(point));
                let size = self.expr(size, None, &mut needs);
                self.need(&needs);
                if !self.orders.symbols.terms.is_constant(size) {
                    let terms = &mut self.orders.symbols.terms;
                    let most = terms.constant(terms.width(size), u128::from(UNKNOWN_SIZE));
                    let fits = terms.ule(size, most);
                    let too_large = terms.not(fits);
                    let beyond = terms.and(self.state.here, too_large);
                    self.state.here = terms.and(self.state.here, fits);
                    self.exceed(beyond, Beyond::Size(point));
                }
                let pointer = self.orders.symbols.pointer(object, 0);
                self.log(point, None);
                self.set(*dst, pointer);
            }
            InstKind::Spawn { dst, callee, args } => {
                let values: Vec<Term> = args.iter().map(|arg| self.expr(arg, None, &mut needs)).collect();
                self.need(&needs);
                self.log(point, None);
                if let Callee::Direct(func) = callee
                    && let Some(child) = self.children.get(func).copied()
                {
                    self.orders.started[child] = self.state.here;
                    self.orders.started_by[child] = self.state.node;
                    self.orders.arguments[child] = values;
                    if let Some(dst) = dst {
                        let width = self.orders.symbols.width(self.function.ty(*dst));
                        let handle = self.orders.symbols.handle(child);
                        let handle = self.orders.symbols.resize(handle, width);
                        self.set(*dst, handle);
                    }
                }
            }
            InstKind::Join { dst, handle } => {
                let handle = self.expr(handle, None, &mut needs);
                self.need(&needs);
                let enabled = self.orders.symbols.terms.variable(1, "joins");
                self.need(&[enabled]);
                let result = dst.map(|dst| {
                    let width = self.orders.symbols.width(self.function.ty(dst));
                    self.orders.symbols.terms.variable(width, "result")
                });
                if let Some(node) = self.state.node {
                    let (thread, here, branched) = (self.thread, self.state.here, self.state.branched);
                    self.orders.waiting.push(WaitingJoin { node, thread, here, branched, handle, enabled, result });
                }
                self.log(point, None);
                if let (Some(dst), Some(result)) = (dst, result) {
                    self.set(*dst, result);
                }
            }
            InstKind::Unsupported { .. } => {
                self.exceed(self.state.here, Beyond::Unsupported(point));
                self.state.here = self.orders.symbols.terms.bool(false);
            }
            InstKind::Free { .. }
            | InstKind::Detach { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd
            | InstKind::Fence { .. } => self.log(point, None),
            // Unfolding leaves no calls.
            InstKind::Call { .. } => self.state.here = self.orders.symbols.terms.bool(false),
        }
        Ok(())
    }

    /// The program ends here, with nothing after it that could be looked for: as if the thread had not taken this last step.  But
    /// inside an atomic section it cannot stand still.
    fn halt(&mut self, point: Point) {
        if self.orders.symbols.facts.atomic.surely_inside(point) {
            let never = self.orders.symbols.terms.bool(false);
            self.need(&[never]);
        }
        self.end_node();
    }

    fn go(&mut self, to: BlockId, here: Term) {
        if !self.orders.symbols.terms.is_false(here) {
            self.arriving[to.index()].push(Path { here, ..self.state.clone() });
        }
    }

    fn terminator(&mut self, point: Point, term: &Terminator) {
        let mut needs = Vec::new();
        match term {
            Terminator::Jump(to) => self.go(*to, self.state.here),
            Terminator::Branch { cond, then, other } => {
                let cond = self.expr(cond, None, &mut needs);
                self.need(&needs);
                let terms = &mut self.orders.symbols.terms;
                let not = terms.not(cond);
                let (yes, no) = (terms.and(self.state.here, cond), terms.and(self.state.here, not));
                self.state.branched = true;
                self.go(*then, yes);
                self.go(*other, no);
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.expr(value, None, &mut needs);
                self.need(&needs);
                let mut rest = self.state.here;
                self.state.branched = true;
                for (case, to) in cases {
                    let terms = &mut self.orders.symbols.terms;
                    let case = terms.constant(terms.width(value), *case);
                    let is_it = terms.eq(value, case);
                    let goes = terms.and(rest, is_it);
                    let not = terms.not(is_it);
                    rest = terms.and(rest, not);
                    self.go(*to, goes);
                }
                self.go(*default, rest);
            }
            Terminator::Return(value) | Terminator::ExitThread(value) => {
                let value = value.as_ref().map(|value| self.expr(value, None, &mut needs));
                self.need(&needs);
                // The return of the first thread ends the program: see `halt`.
                if self.thread == 0 && matches!(term, Terminator::Return(_)) {
                    return self.halt(point);
                }
                let value = value.map(|value| self.orders.symbols.resize(value, RESULT));
                let terms = &mut self.orders.symbols.terms;
                let here = self.state.here;
                let done = &mut self.orders.done[self.thread];
                *done = terms.or(*done, here);
                if let Some(value) = value {
                    let result = &mut self.orders.results[self.thread];
                    *result = terms.ite(here, value, *result);
                }
                self.log(point, None);
                self.end_node();
            }
            Terminator::Halt => self.halt(point),
            Terminator::Unreachable => match self.cuts.get(&point.block).copied() {
                Some(kind) => self.exceed(self.state.here, Beyond::Cut(kind)),
                None => {
                    let never = self.orders.symbols.terms.bool(false);
                    self.need(&[never]);
                }
            },
        }
    }
}
