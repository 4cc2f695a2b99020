//! Executes a thread of the unfolded program symbolically: the meaning of instructions, for any memory.
//!
//! The walk goes through the text once, in order, which is topological: control only moves forward.  At each place
//! `Encoding::here` is the condition under which the thread is there.  Who moves when, what a read sees, when a write takes
//! effect and what becomes of a thread that has to wait is up to the `Memory`.
//!
//! **Ends.**  The return of the first thread, and `halt`, end the program; to the others that is as if the thread had not yet
//! taken this last step, so it has no effect.

use super::encoding::{Beyond, Encoding, Entry, RESULT};
use super::space::{Kind, UNKNOWN_SIZE};
use super::symbols::{Scope, Symbols, Way};
use base::{Budget, Id};
use claim::Outcome;
use facts::Point;
use ir::{BlockId, Callee, Expr, InstKind, Reg, Term as Terminator, Ty};
use logic::{Solver, Term, Terms};
use passes::ThreadId;
use passes::memory::PieceId;
use std::rc::Rc;

/// What the steps of a thread do to memory and to the other threads, under which schedules.
///
/// All of it happens where `Encoding::here` holds, to the thread `Encoding::thread`.
pub trait Memory {
    /// The walk comes to a block: says where the thread is there.
    fn enter(&mut self, encoding: &mut Encoding<'_>, block: BlockId);
    /// Control goes to a block, if the condition holds, which implies that the thread is here.
    fn leave(&mut self, encoding: &mut Encoding<'_>, to: BlockId, when: Term);
    /// Before each instruction: where there is a label the thread may be stopped and others go on.
    fn pause(&mut self, encoding: &mut Encoding<'_>, label: Option<usize>);
    /// A step that cannot be taken takes the solution away; else the thread is merely not here any more.
    fn is_whole(&self, encoding: &Encoding<'_>, point: Point) -> bool;
    /// What the piece holds; the condition says in which case that matters.
    fn read(&mut self, encoding: &mut Encoding<'_>, piece: PieceId, when: Term) -> Term;
    fn write(&mut self, encoding: &mut Encoding<'_>, piece: PieceId, value: Term, when: Term);
    fn start(&mut self, encoding: &mut Encoding<'_>, child: ThreadId, arguments: &[Term]);
    /// Has the thread with this handle ended, and with what result, cut to the width?
    fn join(&mut self, encoding: &mut Encoding<'_>, handle: Term, width: Option<u32>) -> (Term, Option<Term>);
    /// The thread goes no further.
    fn end(&mut self, encoding: &mut Encoding<'_>);
    fn log(&mut self, entry: Entry);
    /// What was logged, in the order in which it happens in the solution that was found.
    fn history(&self, solver: &mut Solver) -> Vec<Entry>;
}

/// Goes through the text of a thread.
pub fn walk<M: Memory>(
    encoding: &mut Encoding<'_>,
    memory: &mut M,
    thread: ThreadId,
    budget: &Budget,
) -> Result<(), Outcome> {
    encoding.thread = thread;
    let (func, function) = (encoding.threads[thread].func, encoding.threads[thread].function);
    let mut walk = Walk { encoding, memory };
    for (block, data) in function.blocks.iter() {
        if block.0.is_multiple_of(64) {
            budget.check()?;
        }
        walk.memory.enter(walk.encoding, block);
        for i in 0..=data.insts.len() {
            let label = walk.encoding.threads[thread].labels.get(&(block, i)).copied();
            walk.memory.pause(walk.encoding, label);
            if walk.encoding.symbols.terms.is_false(walk.encoding.here) {
                continue;
            }
            let point = Point::new(func, block, i);
            match data.insts.get(i) {
                Some(inst) => walk.instruction(point, &inst.kind)?,
                None => walk.terminator(point, &data.term),
            }
        }
    }
    Ok(())
}

struct Walk<'w, 'a, M> {
    encoding: &'w mut Encoding<'a>,
    memory: &'w mut M,
}

impl<'a, M: Memory> Walk<'_, 'a, M> {
    fn symbols(&mut self) -> &mut Symbols<'a> {
        &mut self.encoding.symbols
    }

    fn terms(&mut self) -> &mut Terms {
        &mut self.encoding.symbols.terms
    }

    /// From here on the thread is here only if this holds as well.
    fn only_if(&mut self, cond: Term) {
        self.encoding.here = self.encoding.symbols.terms.and(self.encoding.here, cond);
    }

    /// Where a condition does not hold the step is not taken.
    fn need(&mut self, point: Point, needs: &[Term]) {
        let all = self.terms().all(needs);
        if self.terms().is_true(all) {
            return;
        }
        if self.memory.is_whole(self.encoding, point) {
            let fine = self.encoding.symbols.terms.implies(self.encoding.here, all);
            self.encoding.constraints.push(fine);
        }
        self.only_if(all);
    }

    fn never(&mut self, point: Point) {
        let never = self.terms().bool(false);
        self.need(point, &[never]);
    }

    /// Where the condition holds, the execution goes beyond what is encoded, and the thread is not here any more.
    fn exceed(&mut self, point: Point, when: Term, what: Beyond) {
        let beyond = self.encoding.symbols.terms.and(self.encoding.here, when);
        if self.memory.is_whole(self.encoding, point) {
            let only_if_asked = self.encoding.symbols.terms.implies(beyond, self.encoding.may_exceed);
            self.encoding.constraints.push(only_if_asked);
        }
        self.encoding.beyond.push((beyond, what));
        let within = self.terms().not(when);
        self.only_if(within);
    }

    /// The program ends here, with nothing after it that could be looked for: as if the thread had not taken this last step.  But
    /// inside an atomic section it cannot stand still.
    fn halt(&mut self, point: Point) {
        if self.encoding.symbols.facts.atomic.surely_inside(point) {
            self.never(point);
        }
        self.memory.end(self.encoding);
    }

    /// The value of an expression that must have one.
    fn value(&mut self, point: Point, expr: &Expr) -> Term {
        let mut needs = Vec::new();
        let value = self.expr(expr, None, &mut needs);
        self.need(point, &needs);
        value
    }

    fn expr(&mut self, expr: &Expr, old: Option<(Term, Ty)>, needs: &mut Vec<Term>) -> Term {
        let thread = self.encoding.thread;
        let data = &self.encoding.threads[thread];
        let scope = Scope { thread, function: data.function, registers: &data.registers, old };
        self.encoding.symbols.expr(&scope, expr, needs)
    }

    fn set(&mut self, reg: Reg, value: Term) {
        let data = &mut self.encoding.threads[self.encoding.thread];
        let slot = &mut data.registers[reg.index()];
        *slot = match data.kept.contains(reg.index()) {
            true => self.encoding.symbols.terms.ite(self.encoding.here, value, *slot),
            false => value,
        };
    }

    fn width_of(&self, reg: Reg) -> u32 {
        self.encoding.symbols.width(self.encoding.threads[self.encoding.thread].function.ty(reg))
    }

    fn log(&mut self, point: Point, value: Option<Term>) {
        let Encoding { thread, here: when, .. } = *self.encoding;
        self.memory.log(Entry { when, thread, point, value, violation: false });
    }

    fn access(&mut self, point: Point, addr: &Expr, ty: Ty, write: bool) -> Result<Rc<[Way]>, Outcome> {
        let address = self.value(point, addr);
        let size = self.symbols().program().size_of(ty);
        let ways = self.symbols().ways(point, address, size, write)?;
        if let Some(elsewhere) = ways.elsewhere {
            self.exceed(point, elsewhere, Beyond::Unsupported(point));
        }
        self.need(point, &[ways.valid]);
        Ok(ways.list)
    }

    /// What is in memory at one of the places.
    fn read(&mut self, ways: &[Way], ty: Ty) -> Term {
        let size = self.symbols().program().size_of(ty);
        let mut values = Vec::new();
        for way in ways {
            let Some(pieces) = self.symbols().space.pieces_at(way.object, way.offset, size) else { continue };
            let is_number = ty == Ty::Ptr && self.symbols().space.hold_number(&pieces);
            let mut value: Option<Term> = None;
            for piece in pieces {
                let part = self.memory.read(self.encoding, piece, way.when);
                value = Some(value.map_or(part, |low| self.terms().concat(part, low)));
            }
            if is_number {
                value = value.map(|value| self.symbols().pointer_of(value));
            }
            values.extend(value.map(|value| (way.when, value)));
        }
        self.terms().last_of(values).unwrap_or_else(|| self.terms().constant(size as u32 * 8, 0))
    }

    fn write(&mut self, ways: &[Way], ty: Ty, value: Term) {
        let size = self.symbols().program().size_of(ty);
        let value = self.terms().resize(value, size as u32 * 8);
        for way in ways {
            let Some(pieces) = self.symbols().space.pieces_at(way.object, way.offset, size) else { continue };
            let is_number = ty == Ty::Ptr && self.symbols().space.hold_number(&pieces);
            let value = if is_number { self.symbols().number(value) } else { value };
            for piece in pieces {
                let data = self.symbols().space.pieces[piece];
                let from = (data.offset - way.offset) as u32 * 8;
                let part = self.terms().extract(value, from, data.size as u32 * 8);
                self.memory.write(self.encoding, piece, part, way.when);
            }
        }
    }

    fn instruction(&mut self, point: Point, kind: &InstKind) -> Result<(), Outcome> {
        match kind {
            InstKind::Assign { dst, value } => {
                let value = self.value(point, value);
                self.set(*dst, value);
            }
            InstKind::Load { dst, ty, addr, .. } => {
                let ways = self.access(point, addr, *ty, false)?;
                let value = self.read(&ways, *ty);
                self.log(point, Some(value));
                let width = self.symbols().width(*ty);
                let value = self.terms().resize(value, width);
                self.set(*dst, value);
            }
            InstKind::Store { ty, addr, value, .. } => {
                let value = self.value(point, value);
                let ways = self.access(point, addr, *ty, true)?;
                self.write(&ways, *ty, value);
                self.log(point, None);
            }
            InstKind::Update { dst, ty, addr, when, set, .. } => {
                let ways = self.access(point, addr, *ty, set.is_some())?;
                let content = self.read(&ways, *ty);
                let width = self.symbols().width(*ty);
                let old = self.terms().resize(content, width);
                let mut needs = Vec::new();
                if let Some(when) = when {
                    let enabled = self.expr(when, Some((old, *ty)), &mut needs);
                    needs.push(enabled);
                }
                let written = set.as_ref().map(|set| self.expr(set, Some((old, *ty)), &mut needs));
                self.need(point, &needs);
                if let Some(value) = written {
                    self.write(&ways, *ty, value);
                }
                self.log(point, Some(content));
                if let Some(dst) = dst {
                    self.set(*dst, old);
                }
            }
            InstKind::Havoc { dst, .. } => {
                let width = self.width_of(*dst);
                let terms = &mut self.encoding.symbols.terms;
                let input = self.encoding.inputs.entry(point).or_insert_with(|| terms.variable(width, "input"));
                let value = *input;
                self.log(point, Some(value));
                self.set(*dst, value);
            }
            InstKind::Assume { cond } => {
                let mut needs = Vec::new();
                let cond = self.expr(cond, None, &mut needs);
                needs.push(cond);
                self.need(point, &needs);
            }
            InstKind::Assert { cond, .. } => {
                let cond = self.value(point, cond);
                let Encoding { thread, here, .. } = *self.encoding;
                let when = self.terms().and_not(here, cond);
                self.only_if(cond);
                if !self.terms().is_false(when) {
                    self.encoding.violations.push(when);
                    self.memory.log(Entry { when, thread, point, value: None, violation: true });
                }
            }
            InstKind::Alloc { dst, size, .. } => {
                let object = self.symbols().space.object(Kind::Allocated(point));
                let size = self.value(point, size);
                if !self.terms().is_constant(size) {
                    let width = self.terms().width(size);
                    let most = self.terms().constant(width, u128::from(UNKNOWN_SIZE));
                    let fits = self.terms().ule(size, most);
                    let too_large = self.terms().not(fits);
                    self.exceed(point, too_large, Beyond::Size(point));
                }
                let pointer = self.symbols().pointer(object, 0);
                self.log(point, None);
                self.set(*dst, pointer);
            }
            InstKind::Spawn { dst, callee, args } => {
                let mut needs = Vec::new();
                let values: Vec<Term> = args.iter().map(|arg| self.expr(arg, None, &mut needs)).collect();
                self.need(point, &needs);
                self.log(point, None);
                if let Callee::Direct(func) = callee
                    && let Some(child) = self.encoding.symbols.unfolded.thread_of(*func)
                {
                    self.memory.start(self.encoding, child, &values);
                    if let Some(dst) = dst {
                        let width = self.width_of(*dst);
                        let handle = self.symbols().handle(child);
                        let handle = self.terms().resize(handle, width);
                        self.set(*dst, handle);
                    }
                }
            }
            InstKind::Join { dst, handle } => {
                let handle = self.value(point, handle);
                let width = dst.map(|dst| self.width_of(dst));
                let (ended, result) = self.memory.join(self.encoding, handle, width);
                self.need(point, &[ended]);
                self.log(point, None);
                if let (Some(dst), Some(result)) = (dst, result) {
                    self.set(*dst, result);
                }
            }
            InstKind::Unsupported { .. } => {
                self.exceed(point, self.encoding.symbols.terms.bool(true), Beyond::Unsupported(point));
            }
            InstKind::Free { .. }
            | InstKind::Detach { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd
            | InstKind::Fence { .. } => self.log(point, None),
            // Unfolding leaves no calls.
            InstKind::Call { .. } => self.encoding.here = self.terms().bool(false),
        }
        Ok(())
    }

    fn terminator(&mut self, point: Point, term: &Terminator) {
        match term {
            Terminator::Jump(to) => self.memory.leave(self.encoding, *to, self.encoding.here),
            Terminator::Branch { cond, then, other } => {
                let cond = self.value(point, cond);
                let (terms, here) = (&mut self.encoding.symbols.terms, self.encoding.here);
                let (yes, no) = (terms.and(here, cond), terms.and_not(here, cond));
                self.memory.leave(self.encoding, *then, yes);
                self.memory.leave(self.encoding, *other, no);
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.value(point, value);
                let mut rest = self.encoding.here;
                for (case, to) in cases {
                    let terms = self.terms();
                    let is_it = terms.is(value, *case);
                    let goes = terms.and(rest, is_it);
                    rest = terms.and_not(rest, is_it);
                    self.memory.leave(self.encoding, *to, goes);
                }
                self.memory.leave(self.encoding, *default, rest);
            }
            Terminator::Return(value) | Terminator::ExitThread(value) => {
                let value = value.as_ref().map(|value| self.value(point, value));
                // The return of the first thread ends the program: see `halt`.
                if self.encoding.thread == ThreadId::FIRST && matches!(term, Terminator::Return(_)) {
                    return self.halt(point);
                }
                let value = value.map(|value| self.terms().resize(value, RESULT));
                let (terms, here) = (&mut self.encoding.symbols.terms, self.encoding.here);
                let data = &mut self.encoding.threads[self.encoding.thread];
                data.done = terms.or(data.done, here);
                if let Some(value) = value {
                    data.result = terms.ite(here, value, data.result);
                }
                self.log(point, None);
                self.memory.end(self.encoding);
            }
            Terminator::Halt => self.halt(point),
            Terminator::Unreachable => {
                let cut = self.encoding.threads[self.encoding.thread].cuts.get(&point.block).copied();
                match cut {
                    Some(kind) => self.exceed(point, self.encoding.symbols.terms.bool(true), Beyond::Cut(kind)),
                    None => self.never(point),
                }
            }
        }
    }
}
