//! Lazy sequentialization, solved in process: K rounds of a round-robin schedule as one formula.
//!
//! The first thread has a turn, then in each round every thread has one, the first thread last.  In its turn a thread goes on
//! from where it stood and runs until it stops at one of its labels, the places where a switch must be considered.  Where it stops is a free choice for each thread, round and label; a
//! thread that is to move no further stops where it stands.  The threads' texts are walked once per round, every assignment
//! guarded by "the thread is here now", with registers and memory kept from round to round: this is the translation of
//! Inverso et al. (CAV 2014) with the jump (the guess of where to go on) and the guard (the guess of where to stop) written
//! as conditions.  The formula grows with the product of program size and rounds.
//!
//! **Blocking prunes.**  A thread that would have to wait where it is chosen to go on is lost: the same execution, with the thread
//! stopping at its label before, is another solution, so nothing is missed; and no thread ever waits inside the text, so nothing is
//! invented.  The same goes for a failed assumption, an error of memory, and a division by zero.  Inside an atomic section it
//! is the whole solution that is lost: a section that cannot be completed does not begin.
//!
//! **Ends.**  A violated assertion ends its thread.  The return of the first thread, and `halt`, end the program; to the others
//! that is as if the thread had not yet taken this last step, so it has no effect.

use super::orders::RESULT;
use super::space::{TooHard, UNKNOWN_SIZE};
use super::symbols::{Scope, Symbols, Way};
use base::{BitSet, Id};
use facts::{Facts, Point};
use ir::liveness::Liveness;
use ir::{BlockId, Expr, Function, InstKind, Reg, Term as Terminator, Ty};
use logic::Term;
use passes::{CutKind, Unfolded};
use rustc_hash::FxHashMap;

pub struct Rounds<'a> {
    pub symbols: Symbols<'a>,
    threads: Vec<Thread<'a>>,
    memory: Vec<Term>,
    /// Executions may go beyond the bounds inside an atomic section: true only where it is asked whether any does.
    pub may_exceed: Term,
    /// What holds of every solution.
    pub constraints: Vec<Term>,
    /// The violations so far: when, by which entry of the log.
    pub violations: Vec<(Term, usize)>,
    /// When an execution goes beyond a bound, and which.
    pub beyond: Vec<(Term, Beyond)>,
    /// What happens, in order; each under a condition.
    pub log: Vec<Logged>,
    inputs: FxHashMap<Point, Term>,
    /// How many rounds have been encoded.
    pub rounds: u32,
    /// In which order the threads take their turns.
    order: Vec<usize>,
    /// The turns so far: whose, and whether it does anything.
    turns: Vec<(usize, Term)>,
}

/// Where an execution leaves what is encoded.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Beyond {
    /// A bound of the unfolding.
    Cut(CutKind),
    /// An allocation of more bytes than are provided for.
    Size(Point),
    /// Something unsupported.
    Unsupported(Point),
}

/// An instruction executed, if the condition holds.
#[derive(Clone, Copy)]
pub struct Logged {
    pub when: Term,
    pub thread: usize,
    pub point: Point,
    /// The input it takes, or what it reads.
    pub value: Option<Term>,
}

struct Thread<'a> {
    function: &'a Function,
    registers: Vec<Term>,
    /// Registers that must keep their value while the thread is elsewhere.
    kept: BitSet,
    labels: FxHashMap<(BlockId, usize), usize>,
    /// For each label: the thread stands there.
    at: Vec<Term>,
    done: Term,
    /// As wide as any value is.
    result: Term,
    cuts: FxHashMap<BlockId, CutKind>,
    child_at: FxHashMap<Point, usize>,
}

impl<'a> Rounds<'a> {
    pub fn new(unfolded: &'a Unfolded, facts: &'a Facts, order: Vec<usize>) -> Result<Self, TooHard> {
        let mut symbols = Symbols::new(unfolded, facts)?;
        let mut threads = Vec::new();
        let no = symbols.terms.bool(false);
        for (instance, labels) in unfolded.threads.iter().zip(passes::labels(unfolded, facts)) {
            let function = &unfolded.program.functions[instance.func];
            let cuts = unfolded.cuts.iter().filter(|cut| cut.func == instance.func);
            let mut child_at = FxHashMap::default();
            for (block, data) in function.blocks.iter() {
                for (i, inst) in data.insts.iter().enumerate() {
                    if let InstKind::Spawn { callee: ir::Callee::Direct(func), .. } = &inst.kind
                        && let Some(child) = unfolded.threads.iter().position(|thread| thread.func == *func)
                    {
                        child_at.insert(Point::new(instance.func, block, i), child);
                    }
                }
            }
            threads.push(Thread {
                function,
                registers: symbols.fresh_registers(function),
                kept: kept_registers(function, &labels),
                at: vec![no; labels.len()],
                labels: labels.iter().enumerate().map(|(i, (block, inst))| ((*block, *inst as usize), i)).collect(),
                done: no,
                result: symbols.terms.constant(RESULT, 0),
                cuts: cuts.map(|cut| (cut.block, cut.kind)).collect(),
                child_at,
            });
        }
        threads[0].at[0] = symbols.terms.bool(true);
        let memory = symbols.initial_memory();
        let may_exceed = symbols.terms.variable(1, "may exceed");
        Ok(Rounds {
            symbols,
            threads,
            memory,
            may_exceed,
            constraints: Vec::new(),
            violations: Vec::new(),
            beyond: Vec::new(),
            log: Vec::new(),
            inputs: FxHashMap::default(),
            rounds: 0,
            order,
            turns: Vec::new(),
        })
    }

    /// Encodes one more round; before the first one the first thread has a turn of its own.
    pub fn round(&mut self) -> Result<(), TooHard> {
        if self.rounds == 0 {
            self.run(0)?;
        }
        self.rounds += 1;
        for thread in self.order.clone() {
            self.run(thread)?;
        }
        Ok(())
    }

    /// One thread's part of a round.
    fn run(&mut self, thread: usize) -> Result<(), TooHard> {
        let no = self.symbols.terms.bool(false);
        let function = self.threads[thread].function;
        let func = self.symbols.unfolded.threads[thread].func;
        let nowhere = vec![no; self.threads[thread].labels.len()];
        let stood = std::mem::replace(&mut self.threads[thread].at, nowhere);
        if stood.iter().all(|at| *at == no) {
            return Ok(());
        }
        let mut reached = vec![no; function.blocks.len()];
        let mut moves = no;
        for (block, data) in function.blocks.iter() {
            let mut here = reached[block.index()];
            for i in 0..=data.insts.len() {
                if let Some(label) = self.threads[thread].labels.get(&(block, i)).copied() {
                    let terms = &mut self.symbols.terms;
                    let arrived = terms.or(here, stood[label]);
                    if arrived != no {
                        let goes = terms.variable(1, "goes");
                        let stops = terms.not(goes);
                        self.threads[thread].at[label] = terms.and(arrived, stops);
                        here = terms.and(arrived, goes);
                        let resumed = terms.and(stood[label], goes);
                        moves = terms.or(moves, resumed);
                    }
                }
                if here == no {
                    continue;
                }
                let point = Point::new(func, block, i);
                match data.insts.get(i) {
                    Some(inst) => here = self.instruction(thread, point, &inst.kind, here)?,
                    None => self.terminator(thread, point, &data.term, here, &mut reached),
                }
            }
        }
        self.take_turn(thread, moves);
        Ok(())
    }

    /// A thread moves only if another has moved since its last turn: else it could have done so then.  This takes no execution
    /// away, but most of the ways to spread one over the rounds.
    fn take_turn(&mut self, thread: usize, moves: Term) {
        let since = self.turns.iter().rposition(|(other, _)| *other == thread);
        if let Some(since) = since {
            let others: Vec<Term> = self.turns[since + 1..].iter().map(|(_, moves)| *moves).collect();
            let terms = &mut self.symbols.terms;
            let any = terms.any(&others);
            let in_turn = terms.implies(moves, any);
            self.constraints.push(in_turn);
        }
        self.turns.push((thread, moves));
    }

    /// Where a condition does not hold the thread is lost; in an atomic section, everything is.
    fn need(&mut self, point: Point, here: Term, needs: &[Term]) -> Term {
        let terms = &mut self.symbols.terms;
        let all = terms.all(needs);
        if terms.is_true(all) {
            return here;
        }
        if self.symbols.facts.atomic.surely_inside(point) {
            let fine = terms.implies(here, all);
            self.constraints.push(fine);
        }
        terms.and(here, all)
    }

    /// The program ends here, with nothing after it that could be looked for: as if the thread had not taken this last step.  But
    /// inside an atomic section it cannot stand still.
    fn halt(&mut self, point: Point, here: Term) {
        let never = self.symbols.terms.bool(false);
        self.need(point, here, &[never]);
    }

    /// The execution goes beyond what is encoded: the thread is lost, in an atomic section everything is.
    fn exceed(&mut self, point: Point, here: Term, what: Beyond) {
        if self.symbols.facts.atomic.surely_inside(point) {
            let only_if_asked = self.symbols.terms.implies(here, self.may_exceed);
            self.constraints.push(only_if_asked);
        }
        self.beyond.push((here, what));
    }

    fn expr(&mut self, thread: usize, expr: &Expr, old: Option<(Term, Ty)>, needs: &mut Vec<Term>) -> Term {
        let data = &self.threads[thread];
        let scope = Scope { thread, function: data.function, registers: &data.registers, old };
        self.symbols.expr(&scope, expr, needs)
    }

    fn set(&mut self, thread: usize, reg: Reg, value: Term, here: Term) {
        let data = &mut self.threads[thread];
        let slot = &mut data.registers[reg.index()];
        *slot = match data.kept.contains(reg.index()) {
            true => self.symbols.terms.ite(here, value, *slot),
            false => value,
        };
    }

    fn log(&mut self, thread: usize, point: Point, when: Term, value: Option<Term>) {
        self.log.push(Logged { when, thread, point, value });
    }

    /// Executes one instruction where `here` holds; where the thread is after it.
    fn instruction(&mut self, thread: usize, point: Point, kind: &InstKind, here: Term) -> Result<Term, TooHard> {
        let mut needs = Vec::new();
        Ok(match kind {
            InstKind::Assign { dst, value } => {
                let value = self.expr(thread, value, None, &mut needs);
                let here = self.need(point, here, &needs);
                self.set(thread, *dst, value, here);
                here
            }
            InstKind::Load { dst, ty, addr, .. } => {
                let (ways, here) = self.access(thread, point, addr, *ty, false, here)?;
                let value = self.read(&ways, *ty);
                self.log(thread, point, here, Some(value));
                let value = self.symbols.resize(value, self.symbols.width(*ty));
                self.set(thread, *dst, value, here);
                here
            }
            InstKind::Store { ty, addr, value, .. } => {
                let value = self.expr(thread, value, None, &mut needs);
                let here = self.need(point, here, &needs);
                let (ways, here) = self.access(thread, point, addr, *ty, true, here)?;
                self.write(&ways, *ty, value, here);
                self.log(thread, point, here, None);
                here
            }
            InstKind::Update { dst, ty, addr, when, set, .. } => {
                let (ways, mut here) = self.access(thread, point, addr, *ty, set.is_some(), here)?;
                let content = self.read(&ways, *ty);
                let old = self.symbols.resize(content, self.symbols.width(*ty));
                if let Some(when) = when {
                    let enabled = self.expr(thread, when, Some((old, *ty)), &mut needs);
                    needs.push(enabled);
                }
                let written = set.as_ref().map(|set| self.expr(thread, set, Some((old, *ty)), &mut needs));
                here = self.need(point, here, &needs);
                if let Some(value) = written {
                    self.write(&ways, *ty, value, here);
                }
                self.log(thread, point, here, Some(content));
                if let Some(dst) = dst {
                    self.set(thread, *dst, old, here);
                }
                here
            }
            InstKind::Havoc { dst, .. } => {
                let width = self.symbols.width(self.threads[thread].function.ty(*dst));
                let terms = &mut self.symbols.terms;
                let value = *self.inputs.entry(point).or_insert_with(|| terms.variable(width, "input"));
                self.log(thread, point, here, Some(value));
                self.set(thread, *dst, value, here);
                here
            }
            InstKind::Assume { cond } => {
                let cond = self.expr(thread, cond, None, &mut needs);
                needs.push(cond);
                self.need(point, here, &needs)
            }
            InstKind::Assert { cond, .. } => {
                let cond = self.expr(thread, cond, None, &mut needs);
                let here = self.need(point, here, &needs);
                let terms = &mut self.symbols.terms;
                let fails = terms.not(cond);
                let violated = terms.and(here, fails);
                let goes_on = terms.and(here, cond);
                if !self.symbols.terms.is_false(violated) {
                    self.violations.push((violated, self.log.len()));
                    self.log(thread, point, violated, None);
                }
                goes_on
            }
            InstKind::Alloc { dst, size, .. } => {
                let object = self.symbols.space.object(super::space::Kind::Allocated(point));
                let size = self.expr(thread, size, None, &mut needs);
                let mut here = self.need(point, here, &needs);
                if !self.symbols.terms.is_constant(size) {
                    let terms = &mut self.symbols.terms;
                    let most = terms.constant(terms.width(size), u128::from(UNKNOWN_SIZE));
                    let fits = terms.ule(size, most);
                    let too_large = terms.not(fits);
                    let beyond = terms.and(here, too_large);
                    here = terms.and(here, fits);
                    self.exceed(point, beyond, Beyond::Size(point));
                }
                let pointer = self.symbols.pointer(object, 0);
                self.log(thread, point, here, None);
                self.set(thread, *dst, pointer, here);
                here
            }
            InstKind::Spawn { dst, args, .. } => {
                let values: Vec<Term> = args.iter().map(|arg| self.expr(thread, arg, None, &mut needs)).collect();
                let here = self.need(point, here, &needs);
                self.log(thread, point, here, None);
                if let Some(child) = self.threads[thread].child_at.get(&point).copied() {
                    let params = self.threads[child].function.params.clone();
                    for (param, value) in params.into_iter().zip(values) {
                        let slot = &mut self.threads[child].registers[param.index()];
                        *slot = self.symbols.terms.ite(here, value, *slot);
                    }
                    let at = &mut self.threads[child].at[0];
                    *at = self.symbols.terms.or(*at, here);
                    if let Some(dst) = dst {
                        let handle = self.symbols.handle(child);
                        let width = self.symbols.width(self.threads[thread].function.ty(*dst));
                        let handle = self.symbols.resize(handle, width);
                        self.set(thread, *dst, handle, here);
                    }
                }
                here
            }
            InstKind::Join { dst, handle } => {
                let handle = self.expr(thread, handle, None, &mut needs);
                let (ended, result) = self.joined(thread, handle, dst.map(|dst| self.threads[thread].function.ty(dst)));
                needs.push(ended);
                let here = self.need(point, here, &needs);
                self.log(thread, point, here, None);
                if let (Some(dst), Some(result)) = (dst, result) {
                    self.set(thread, *dst, result, here);
                }
                here
            }
            InstKind::Unsupported { .. } => {
                self.exceed(point, here, Beyond::Unsupported(point));
                self.symbols.terms.bool(false)
            }
            InstKind::Free { .. }
            | InstKind::Detach { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd
            | InstKind::Fence { .. } => {
                self.log(thread, point, here, None);
                here
            }
            // Unfolding leaves no calls.
            InstKind::Call { .. } => self.symbols.terms.bool(false),
        })
    }

    /// Has the thread with this handle ended, and with what result?
    fn joined(&mut self, thread: usize, handle: Term, ty: Option<Ty>) -> (Term, Option<Term>) {
        let width = ty.map(|ty| self.symbols.width(ty));
        let mut ended = self.symbols.terms.bool(false);
        let mut result = width.map(|width| self.symbols.terms.constant(width, 0));
        for other in (0..self.threads.len()).filter(|other| *other != thread) {
            let own = self.symbols.handle(other);
            let own = self.symbols.resize(own, self.symbols.terms.width(handle));
            let terms = &mut self.symbols.terms;
            let is_it = terms.eq(handle, own);
            let joined = terms.and(is_it, self.threads[other].done);
            ended = terms.or(ended, joined);
            if let (Some(width), Some(value)) = (width, &mut result) {
                let other = self.symbols.resize(self.threads[other].result, width);
                *value = self.symbols.terms.ite(is_it, other, *value);
            }
        }
        (ended, result)
    }

    fn access(
        &mut self,
        thread: usize,
        point: Point,
        addr: &Expr,
        ty: Ty,
        write: bool,
        here: Term,
    ) -> Result<(std::rc::Rc<[Way]>, Term), TooHard> {
        let mut needs = Vec::new();
        let address = self.expr(thread, addr, None, &mut needs);
        let size = self.symbols.program().size_of(ty);
        let mut here = self.need(point, here, &needs);
        let ways = self.symbols.ways(point, address, size, write)?;
        if let Some(elsewhere) = ways.elsewhere {
            let beyond = self.symbols.terms.and(here, elsewhere);
            self.exceed(point, beyond, Beyond::Unsupported(point));
            let not = self.symbols.terms.not(elsewhere);
            here = self.symbols.terms.and(here, not);
        }
        Ok((ways.list, self.need(point, here, &[ways.valid])))
    }

    /// What is in memory at one of the places.
    fn read(&mut self, ways: &[Way], ty: Ty) -> Term {
        let size = self.symbols.program().size_of(ty);
        let mut res = None;
        for way in ways {
            let Some(pieces) = self.symbols.space.pieces_at(way.object, way.offset, size) else { continue };
            let mut value = None;
            for piece in pieces {
                let part = self.memory[piece];
                value = Some(match value {
                    None => part,
                    Some(low) => self.symbols.terms.concat(part, low),
                });
            }
            let Some(value) = value else { continue };
            res = Some(match res {
                None => value,
                Some(other) => self.symbols.terms.ite(way.when, value, other),
            });
        }
        res.unwrap_or_else(|| self.symbols.terms.constant(size as u32 * 8, 0))
    }

    fn write(&mut self, ways: &[Way], ty: Ty, value: Term, here: Term) {
        let size = self.symbols.program().size_of(ty);
        let value = self.symbols.resize(value, size as u32 * 8);
        for way in ways {
            let Some(pieces) = self.symbols.space.pieces_at(way.object, way.offset, size) else { continue };
            let when = self.symbols.terms.and(here, way.when);
            for piece in pieces {
                let data = self.symbols.space.pieces[piece];
                let terms = &mut self.symbols.terms;
                let part = terms.extract(value, (data.offset - way.offset) as u32 * 8, data.size as u32 * 8);
                self.memory[piece] = terms.ite(when, part, self.memory[piece]);
            }
        }
    }

    fn terminator(&mut self, thread: usize, point: Point, term: &Terminator, here: Term, reached: &mut [Term]) {
        let mut needs = Vec::new();
        match term {
            Terminator::Jump(to) => reached[to.index()] = self.symbols.terms.or(reached[to.index()], here),
            Terminator::Branch { cond, then, other } => {
                let cond = self.expr(thread, cond, None, &mut needs);
                let here = self.need(point, here, &needs);
                let terms = &mut self.symbols.terms;
                let not = terms.not(cond);
                let (yes, no) = (terms.and(here, cond), terms.and(here, not));
                reached[then.index()] = terms.or(reached[then.index()], yes);
                reached[other.index()] = terms.or(reached[other.index()], no);
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.expr(thread, value, None, &mut needs);
                let mut rest = self.need(point, here, &needs);
                let terms = &mut self.symbols.terms;
                for (case, to) in cases {
                    let case = terms.constant(terms.width(value), *case);
                    let is_it = terms.eq(value, case);
                    let goes = terms.and(rest, is_it);
                    let not = terms.not(is_it);
                    rest = terms.and(rest, not);
                    reached[to.index()] = terms.or(reached[to.index()], goes);
                }
                reached[default.index()] = terms.or(reached[default.index()], rest);
            }
            Terminator::Return(value) | Terminator::ExitThread(value) => {
                let value = value.as_ref().map(|value| self.expr(thread, value, None, &mut needs));
                let here = self.need(point, here, &needs);
                // The return of the first thread ends the program: see `halt`.
                if thread == 0 && matches!(term, Terminator::Return(_)) {
                    return self.halt(point, here);
                }
                let value = value.map(|value| self.symbols.resize(value, RESULT));
                let terms = &mut self.symbols.terms;
                let data = &mut self.threads[thread];
                data.done = terms.or(data.done, here);
                if let Some(value) = value {
                    data.result = terms.ite(here, value, data.result);
                }
                self.log(thread, point, here, None);
            }
            Terminator::Halt => self.halt(point, here),
            Terminator::Unreachable => match self.threads[thread].cuts.get(&point.block) {
                Some(kind) => self.exceed(point, here, Beyond::Cut(*kind)),
                None => {
                    let never = self.symbols.terms.bool(false);
                    self.need(point, here, &[never]);
                }
            },
        }
    }
}

/// Registers that are live where a block begins or the thread may stop.
fn kept_registers(function: &Function, labels: &[(BlockId, u32)]) -> BitSet {
    let liveness = Liveness::compute(function);
    let mut kept = BitSet::new();
    for block in function.blocks.ids() {
        liveness.walk_back(function, block, |i, before, _| {
            if i == 0 || labels.binary_search(&(block, i as u32)).is_ok() {
                kept.union_with(before);
            }
        });
    }
    kept
}
