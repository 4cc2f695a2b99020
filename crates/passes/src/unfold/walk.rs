//! The walk along one thread's control flow.
//!
//! Places of the unfolded thread are ordered by keys: per frame the function, the loops around with the number of the round, then
//! the block, the instruction, the number of atomic sections that are open, and where the outermost of them began.  The
//! function is part of it because one call can lead to several; the sections, so that what comes after one that begins in one
//! branch only is there twice, inside of it and outside, that what ends several sections is there once for each, and that
//! whether a switch can happen is known everywhere.  Keys are compared element by element, and every edge goes to a larger
//! key, so taking the smallest pending place first visits each after all that lead to it: what is known there is the meet of
//! all of them.  The edges back to the head of a loop that is kept are the exception: `keep` says how they come about.

use super::calls::{ActivationId, Activations, Caller, Frame};
use super::fit::Candidate;
use super::frames::{Shape, Shapes};
use super::keep::Attempt;
use super::progress::RoundRegisters;
use super::state::{LocksTouched, State, is_constant};
use super::{Bounds, Cut, CutKind, Instance, Origin, ThreadId, Unfolded};
use base::{Budget, Id, IdVec, Pos, Spent};
use facts::{Facts, Point};
use ir::{
    AllocKind, BinOp, Block, BlockId, Callee, Expr, FuncId, Function, Inst, InstKind, Program, Reg, RegData, Term, Ty,
    fold,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// A thread to be walked.
#[derive(Clone)]
pub struct Start {
    /// Its function in the unfolded program.
    pub func: FuncId,
    pub name: String,
    pub original: FuncId,
    /// The arguments that are known.
    pub args: Vec<Option<Expr>>,
    pub parent: Option<ThreadId>,
}

/// Threads found so far.
pub struct Queue {
    pub(super) list: Vec<Start>,
    /// The function of the first; those of the others follow.
    pub(super) first: FuncId,
}

impl Queue {
    pub fn new(program: &Program) -> Self {
        let mut queue = Queue { list: Vec::new(), first: program.functions.next_id() };
        queue.add(program, program.entry, Vec::new(), None);
        queue
    }
    fn add(
        &mut self,
        program: &Program,
        original: FuncId,
        args: Vec<Option<Expr>>,
        parent: Option<ThreadId>,
    ) -> FuncId {
        let name = match parent {
            None => format!("{}.thread", program.functions[original].name),
            Some(_) => format!("{}.thread{}", program.functions[original].name, self.list.len()),
        };
        let func = FuncId::new(self.first.index() + self.list.len());
        self.list.push(Start { func, name, original, args, parent });
        func
    }
}

/// A loop that may be kept is walked anew so often because its rounds open or close atomic sections.
const CHANGES_OF_SECTIONS: u32 = 3;

/// A place in the order of the walk.
pub type Key = Vec<u32>;

/// One time round a loop.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub head: BlockId,
    pub iteration: u32,
    /// Rounds before this one that nothing decided.
    undecided: u32,
    /// Index into `decided`.
    pub id: usize,
    /// The same for the round before, if there is one.
    pub before: Option<usize>,
    pub watched: bool,
    /// Where loops are kept: the sections that are open at the head, where the outermost of them began when control came to
    /// the loop, and how often there was another number of them in rounds before.
    sections: u32,
    opened: u32,
    changes: u32,
    /// The new block of the head, if this is not one time round the loop but the loop itself.
    pub kept: Option<BlockId>,
}

/// Where control is in the original.
#[derive(Clone)]
pub(super) struct Place {
    pub frame: usize,
    pub block: BlockId,
    pub inst: usize,
    pub rounds: Vec<Round>,
    /// How many atomic sections are open.
    pub sections: u32,
    /// Where the outermost of them began, by the number of the walk of that block; 0 if none is open.
    pub opened: u32,
    /// The number of the walk of this block: it may be walked several times, for other sections.
    pub walk: u32,
}

#[derive(Clone)]
pub(super) struct Pending {
    pub place: Place,
    pub block: BlockId,
    pub state: State,
}

/// A block under construction.
#[derive(Default)]
pub(super) struct NewBlock {
    insts: Vec<Inst>,
    origins: Vec<Origin>,
    term: Option<(Term, Pos)>,
}

pub struct Walk<'a> {
    pub(super) program: &'a Program,
    pub(super) facts: &'a Facts,
    pub(super) shapes: &'a Shapes,
    pub(super) bounds: &'a Bounds,
    start: Start,
    thread: ThreadId,
    pub(super) queue: &'a mut Queue,
    pub(super) regs: IdVec<Reg, RegData>,
    names: FxHashSet<String>,
    pub(super) activations: Activations,
    pub(super) quiet_locks: FxHashSet<Point>,
    pub(super) round_registers: FxHashMap<(ActivationId, BlockId), RoundRegisters>,
    /// The places where locks are given back that were held when a round began, numbered from 1 on.
    pub(super) giving_places: FxHashMap<(Point, Expr), u32>,
    pub(super) frames: Vec<Frame>,
    pub(super) blocks: IdVec<BlockId, NewBlock>,
    /// Blocks in the order in which they were walked.
    pub(super) sequence: Vec<BlockId>,
    pub(super) cuts: Vec<(BlockId, CutKind, Pos)>,
    pub(super) pending: BTreeMap<Key, Pending>,
    /// By block, where the original is at its start.
    starts: FxHashMap<BlockId, Point>,
    /// By the id of a round: a constant has decided that it goes on.
    pub(super) decided: Vec<bool>,
    /// Loops being unwound that may have to be kept, outermost first.
    pub(super) attempts: Vec<Attempt>,
    /// What was known where a loop began that was kept then.
    pub(super) kept_before: FxHashMap<(ActivationId, BlockId), State>,
    /// The block that is being filled, and what is known.
    pub(super) current: BlockId,
    pub(super) state: State,
    pub(super) size: usize,
    /// An object on the stack of an inlined function does not die at its return.
    lasting: bool,
}

impl<'a> Walk<'a> {
    pub fn new(
        program: &'a Program,
        facts: &'a Facts,
        shapes: &'a Shapes,
        bounds: &'a Bounds,
        queue: &'a mut Queue,
        start: Start,
        thread: ThreadId,
    ) -> Self {
        Walk {
            program,
            facts,
            shapes,
            bounds,
            start,
            thread,
            queue,
            regs: IdVec::new(),
            names: FxHashSet::default(),
            activations: Activations::default(),
            quiet_locks: FxHashSet::default(),
            round_registers: FxHashMap::default(),
            giving_places: FxHashMap::default(),
            frames: Vec::new(),
            blocks: IdVec::new(),
            sequence: Vec::new(),
            cuts: Vec::new(),
            pending: BTreeMap::new(),
            starts: FxHashMap::default(),
            decided: Vec::new(),
            attempts: Vec::new(),
            kept_before: FxHashMap::default(),
            current: BlockId(0),
            state: State::default(),
            size: 0,
            lasting: false,
        }
    }

    /// Walks until nothing is left; `left` is the number of instructions that may still be made.
    pub fn run(&mut self, budget: &Budget, left: &mut usize) -> Result<(), Spent> {
        let original = &self.program.functions[self.start.original];
        let activation = self.new_registers(self.start.original);
        let base = self.activations.home(activation, Reg(0)).0;
        for (param, arg) in original.params.iter().zip(self.start.args.clone()) {
            arg.iter().for_each(|arg| self.state.set(Reg(base + param.0), arg));
        }
        let frame = self.push_frame(activation, None, Vec::new());
        self.current = self.open_block();
        self.clear_unwritten(self.start.original, base);
        let rounds = Vec::new();
        let place = Place { frame, block: Function::ENTRY, inst: 0, rounds, sections: 0, opened: 0, walk: 0 };
        let entry = self.enter(&place, Function::ENTRY, original.pos);
        self.finish_block(Term::Jump(entry), original.pos, None);
        let mut visited = 0u32;
        while let Some((key, next)) = self.pending.pop_first() {
            visited += 1;
            if visited.is_multiple_of(256)
                && let Some(spent) = budget.spent()
            {
                return Err(spent);
            }
            self.leave_attempts(&key);
            let (next, cut) = match self.size >= *left {
                true => self.keep_outermost(next),
                false => self.keep_or_unwind(&key, next),
            };
            match cut {
                None => self.walk_block(next),
                Some(kind) => {
                    let pos = self.program.block(self.point(&next.place)).term_pos;
                    self.cut_at(next.block, kind, pos);
                }
            }
        }
        *left -= self.size.min(*left);
        Ok(())
    }

    /// Adds the finished thread to the unfolded program, its blocks in the order in which they were walked.
    pub fn finish(mut self, unfolded: &mut Unfolded) {
        let Start { func, original: of, parent, name, .. } = self.start;
        let original = &self.program.functions[of];
        let mut number = IdVec::filled(Function::ENTRY, self.blocks.len());
        self.sequence.iter().enumerate().for_each(|(new, old)| number[*old] = BlockId::new(new));
        let mut blocks = IdVec::new();
        let mut origins = Vec::new();
        for old in &self.sequence {
            let block = std::mem::take(&mut self.blocks[*old]);
            let (mut term, term_pos) = block.term.unwrap_or((Term::Unreachable, original.pos));
            term.for_each_target_mut(&mut |to| *to = number[*to]);
            blocks.push(Block { name: format!("b{}", blocks.len()), insts: block.insts, term, term_pos });
            origins.push(block.origins);
            unfolded.starts.extend(self.starts.get(old).map(|start| ((func, number[*old]), *start)));
        }
        let Function { params, result, pos, .. } = original.clone();
        unfolded.program.functions.push(Function { name, params, result, regs: self.regs, blocks, model: false, pos });
        unfolded.origins.insert(func, origins);
        unfolded.activations.insert(func, self.activations);
        let cut = |(block, kind, pos)| Cut { func, block: number[block], kind, pos };
        unfolded.cuts.extend(self.cuts.into_iter().map(cut));
        unfolded.quiet_locks.extend(self.quiet_locks);
        unfolded.lasting |= self.lasting;
        unfolded.threads.push(Instance { func, original: of, parent });
    }

    pub(super) fn add_register(&mut self, name: &str, data: RegData) -> Reg {
        let mut unique = name.to_string();
        let mut n = 1;
        while !self.names.insert(unique.clone()) {
            unique = format!("{name}.{}", self.regs.len() + n);
            n += 1;
        }
        self.regs.push(RegData { name: unique, ..data })
    }

    pub(super) fn new_register(&mut self, name: &str, ty: Ty) -> Reg {
        self.add_register(name, RegData { name: String::new(), ty, layout: None, user: false })
    }

    /// Is the place in a loop that is kept, so that control can come there more than once?
    pub(super) fn is_repeated(&self, place: &Place) -> bool {
        self.frames[place.frame].repeated || place.rounds.iter().any(|round| round.kept.is_some())
    }

    pub(super) fn shape(&self, place: &Place) -> &'a Shape {
        &self.shapes.of[self.frames[place.frame].func]
    }

    pub(super) fn reg(&self, place: &Place, reg: Reg) -> Reg {
        Reg(self.frames[place.frame].base + reg.0)
    }

    /// The expression over the new registers, with what is known put in.
    pub(super) fn expr(&self, place: &Place, expr: &Expr) -> Expr {
        let base = self.frames[place.frame].base;
        let mut expr = expr.clone();
        expr.map_regs(&mut |reg| self.state.value(Reg(base + reg.0)));
        fold::fold(self.program, expr)
    }

    pub(super) fn emit(&mut self, kind: InstKind, pos: Pos, origin: Origin) {
        self.size += 1;
        let block = &mut self.blocks[self.current];
        block.insts.push(Inst { kind, pos });
        block.origins.push(origin);
    }

    /// Assigns, and remembers what is known.
    pub(super) fn assign(&mut self, dst: Reg, value: Expr, pos: Pos, origin: Origin) {
        self.state.set(dst, &value);
        self.emit(InstKind::Assign { dst, value }, pos, origin);
    }

    /// What nobody takes is computed all the same, if that can go wrong.
    pub(super) fn compute(&mut self, value: Expr, ty: Ty, pos: Pos) {
        if value.can_fault() {
            let reg = self.new_register("unused", ty);
            self.assign(reg, value, pos, None);
        }
    }

    pub(super) fn finish_block(&mut self, term: Term, pos: Pos, origin: Origin) {
        self.size += 1;
        let block = &mut self.blocks[self.current];
        block.origins.push(origin);
        block.term = Some((term, pos));
    }

    /// A fresh block, walked right now.
    pub(super) fn open_block(&mut self) -> BlockId {
        let block = self.blocks.push(NewBlock::default());
        self.sequence.push(block);
        block
    }

    pub(super) fn cut(&mut self, kind: CutKind, pos: Pos) -> BlockId {
        let block = self.blocks.push(NewBlock::default());
        self.cut_at(block, kind, pos);
        block
    }

    /// Makes a cut of a block that was to be walked.
    fn cut_at(&mut self, block: BlockId, kind: CutKind, pos: Pos) {
        self.cuts.push((block, kind, pos));
        self.sequence.push(block);
        let back = std::mem::replace(&mut self.current, block);
        self.finish_block(Term::Unreachable, pos, None);
        self.current = back;
    }

    /// Ends the block with something that is not supported.
    pub(super) fn refuse(&mut self, what: String, pos: Pos, origin: Origin) {
        self.emit(InstKind::Unsupported { what }, pos, origin);
        self.finish_block(Term::Unreachable, pos, None);
    }

    /// A number for a round, of which nothing has decided yet that it goes on.
    fn new_round(&mut self) -> usize {
        self.decided.push(false);
        self.decided.len() - 1
    }

    pub(super) fn key(&self, place: &Place) -> Key {
        let nesting = &self.shape(place).nesting;
        let mut key = self.frames[place.frame].prefix.clone();
        for round in &place.rounds {
            key.push(nesting.place[round.head].unwrap_or(0));
            key.extend([round.changes, round.sections, round.opened, round.iteration]);
        }
        key.push(nesting.place[place.block].unwrap_or(0));
        key.extend([place.inst as u32, place.sections, place.opened]);
        key
    }

    /// Control goes to the place with the current state; the block there.
    fn go(&mut self, place: Place, state: State) -> BlockId {
        let key = self.key(&place);
        if let Some(pending) = self.pending.get_mut(&key) {
            // Two places with one key would run one code for both: worse than to stop here.
            let (one, other) = (&pending.place, &place);
            assert_eq!((one.frame, one.block, one.inst), (other.frame, other.block, other.inst), "a key of two places");
            pending.state.meet(&state);
            return pending.block;
        }
        let block = self.blocks.push(NewBlock::default());
        self.starts.insert(block, self.point(&place));
        self.pending.insert(key, Pending { place, block, state });
        block
    }

    /// Control goes along an edge to a block of the same function, the round of each loop being worked out; the block there.
    pub(super) fn enter(&mut self, from: &Place, to: BlockId, pos: Pos) -> BlockId {
        let shape = self.shape(from);
        let frame = &self.frames[from.frame];
        let (func, outer) = (frame.func, frame.outer);
        let heads = &shape.nesting.loops[to];
        let common = from.rounds.iter().zip(heads).take_while(|(round, head)| round.head == **head).count();
        let mut rounds = from.rounds[..common].to_vec();
        let mut opened = from.opened;
        let mut state = self.state.clone();
        let live = self.facts.liveness.at_block(func, to);
        state.known.retain(|reg, _| frame.original(*reg).is_none_or(|number| live.contains(number)));
        state.rounds.truncate(outer + common);
        if let Some(round) = rounds.last_mut()
            && round.head == to
        {
            // Back to the head: of a loop that is kept, or in the next round.
            let changes_sections = self.bounds.keep && round.sections != from.sections;
            if let (Some(block), false) = (round.kept, changes_sections) {
                return block;
            }
            let id = self.new_round();
            if changes_sections {
                // A round has opened or closed an atomic section: from here on it is another loop.
                if round.changes == CHANGES_OF_SECTIONS {
                    return self.cut(CutKind::Sections(func, to), pos);
                }
                (round.sections, round.opened, round.changes) = (from.sections, from.opened, round.changes + 1);
                (round.iteration, round.undecided, round.before, round.kept) = (0, 0, None, None);
            } else {
                if self.bounds.keep {
                    // The next round may turn out to be the loop that is kept, and that has one head.
                    opened = round.opened;
                }
                let bound = self.bounds.of(func, to);
                round.undecided += u32::from(!self.decided[round.id]);
                round.iteration += 1;
                round.before = Some(round.id);
                let over =
                    if shape.loops[&to].head_exits { round.undecided > bound } else { round.undecided >= bound.max(1) };
                if over && !self.bounds.keep {
                    return self.cut(CutKind::Loop(func, to), pos);
                }
                if round.iteration > bound.max(self.bounds.counted) && !self.bounds.keep {
                    return self.cut(CutKind::Count(func, to), pos);
                }
            }
            round.id = id;
            state.rounds[outer + common - 1] = LocksTouched::default();
        }
        for head in &heads[common..] {
            let id = self.new_round();
            let watched = shape.loops[head].may_idle && !self.bounds.keep;
            let (sections, opened) = if self.bounds.keep { (from.sections, from.opened) } else { (0, 0) };
            rounds.push(Round {
                head: *head,
                iteration: 0,
                undecided: 0,
                id,
                before: None,
                watched,
                sections,
                opened,
                changes: 0,
                kept: None,
            });
            state.rounds.push(LocksTouched::default());
        }
        self.go(Place { block: to, inst: 0, rounds, opened, ..from.clone() }, state)
    }

    /// The block an edge leads to, with what the edge itself has to say: bounds, and progress on the way back to a head.
    fn edge(&mut self, from: &Place, to: BlockId, undecided: bool, pos: Pos) -> BlockId {
        let shape = self.shape(from);
        let func = self.frames[from.frame].func;
        if undecided
            && !self.bounds.keep
            && let Some(round) = from.rounds.last()
            && round.head == from.block
            && to != round.head
            && shape.nesting.inside(to, round.head)
            && round.undecided >= self.bounds.of(func, round.head)
            && shape.loops[&round.head].head_exits
        {
            // The last round: only leaving is left.
            return self.cut(CutKind::Loop(func, round.head), pos);
        }
        let back_to = from.rounds.iter().position(|round| round.head == to);
        let Some(at) = back_to.filter(|at| from.rounds[*at].watched) else { return self.enter(from, to, pos) };
        let block = self.open_block();
        let saved = (std::mem::replace(&mut self.current, block), self.state.clone());
        let term = match self.assume_progress(from, at, pos) {
            true => Term::Jump(self.enter(from, to, pos)),
            false => Term::Unreachable,
        };
        self.finish_block(term, pos, None);
        (self.current, self.state) = saved;
        block
    }

    fn walk_block(&mut self, pending: Pending) {
        let Pending { mut place, block, state } = pending;
        self.current = block;
        self.sequence.push(block);
        place.walk = self.sequence.len() as u32;
        self.state = state;
        let program = self.program;
        let data = &program.functions[self.frames[place.frame].func].blocks[place.block];
        if place.inst == 0
            && let Some(round) = place.rounds.last()
            && round.head == place.block
            && round.watched
        {
            let first = round.iteration == 0;
            self.start_round(&place, first, data.term_pos);
        }
        while let Some(inst) = data.insts.get(place.inst) {
            if !self.instruction(&place, inst) {
                return;
            }
            place.inst += 1;
            // Where no section is open there is none to end.
            let before = place.sections;
            place.sections = before.saturating_add_signed(inst.kind.nesting());
            match (before, place.sections) {
                (0, 1) => place.opened = place.walk,
                (_, 0) => place.opened = 0,
                _ => (),
            }
        }
        self.terminator(&place, &data.term, data.term_pos);
    }

    pub(super) fn point(&self, place: &Place) -> Point {
        Point::new(self.frames[place.frame].func, place.block, place.inst)
    }

    /// Copies one instruction; false if control does not simply go on to the next.
    fn instruction(&mut self, place: &Place, inst: &Inst) -> bool {
        let point = self.point(place);
        let (pos, origin) = (inst.pos, Some(point));
        let mut kind = inst.kind.clone();
        kind.for_each_expr_mut(&mut |expr| *expr = self.expr(place, expr));
        if let Some(dst) = kind.dst_mut() {
            *dst = Reg(self.frames[place.frame].base + dst.0);
        }
        match &kind {
            InstKind::Assign { dst, value } => {
                self.assign(*dst, value.clone(), pos, origin);
                return true;
            }
            InstKind::Load { dst, ty, .. } => {
                let value = self.facts.values[point.func].written(point);
                let range = value.and_then(|value| self.facts.intervals.value(point.func, value));
                if let (Some(constant), Ty::Int(_)) = (range.and_then(|range| range.constant()), ty) {
                    let (dst, constant) = (*dst, Expr::Const(*ty, constant));
                    self.emit(kind, pos, origin);
                    self.put_constant(dst, constant, pos);
                    return true;
                }
                self.state.forget(*dst);
            }
            InstKind::Assume { cond: Expr::Const(_, 1) } | InstKind::Assert { cond: Expr::Const(_, 1), .. } => {
                self.note_going_on(place, inst);
                return true;
            }
            InstKind::Assume { cond: Expr::Const(..) }
            | InstKind::Assert { cond: Expr::Const(..), .. }
            | InstKind::Unsupported { .. } => {
                self.emit(kind, pos, origin);
                self.finish_block(Term::Unreachable, pos, None);
                return false;
            }
            InstKind::Call { dst, callee, args } => {
                self.call(place, callee, args, *dst, pos);
                return false;
            }
            InstKind::Spawn { dst, callee, args } => return self.spawn(place, callee, args, *dst, pos),
            InstKind::Update { .. } => {
                self.update(place, point, kind, pos);
                return true;
            }
            InstKind::AtomicBegin => self.touch_lock(place, None, 1, pos),
            InstKind::AtomicEnd => self.touch_lock(place, None, -1, pos),
            InstKind::Store { .. }
            | InstKind::Alloc { .. }
            | InstKind::Free { .. }
            | InstKind::Join { .. }
            | InstKind::Detach { .. } => {
                let on_stack = matches!(kind, InstKind::Alloc { kind: AllocKind::Stack, .. });
                self.lasting |= on_stack && self.frames[place.frame].caller.is_some();
                kind.dst().iter().for_each(|dst| self.state.forget(*dst));
                self.emit(kind, pos, origin);
                self.made_progress(place, pos);
                return true;
            }
            InstKind::Havoc { dst, .. } => self.state.forget(*dst),
            InstKind::Assume { .. } | InstKind::Assert { .. } | InstKind::Fence { .. } => (),
        }
        self.emit(kind, pos, origin);
        true
    }

    /// By the facts the register holds the constant.  The program says so itself: to be elsewhere is not supported.
    fn put_constant(&mut self, reg: Reg, constant: Expr, pos: Pos) {
        let (then, other) = (self.open_block(), self.open_block());
        let cond = Expr::bin(BinOp::Eq, Expr::Reg(reg), constant.clone());
        self.finish_block(Term::Branch { cond, then, other }, pos, None);
        self.current = other;
        self.excluded(pos);
        self.current = then;
        self.state.set(reg, &constant);
    }

    fn spawn(&mut self, place: &Place, callee: &Callee, args: &[Expr], dst: Option<Reg>, pos: Pos) -> bool {
        let point = self.point(place);
        if self.facts.handles.again(point) {
            // Each thread has a handle of its own here.
            let what = "a thread whose handle may have been another one's, in a program that looks at handles";
            self.refuse(what.into(), pos, Some(point));
            return false;
        }
        let candidates = self.candidates(point, callee);
        let simple = matches!(candidates.as_slice(), [Candidate { when: None, .. }]);
        let mut goes_on = true;
        self.for_each_candidate(candidates, pos, &mut |walk, func| {
            let all = args;
            let Some(args) = walk.fitting(point, func, args) else {
                goes_on = false;
                return walk.does_not_fit(func, point, pos);
            };
            let full = walk.queue.list.len() >= walk.bounds.threads;
            let repeated = walk.is_repeated(place);
            if full || repeated {
                let kind = if repeated { CutKind::ThreadsInLoop } else { CutKind::Threads };
                goes_on = false;
                let cut = walk.cut(kind, pos);
                return walk.finish_block(Term::Jump(cut), pos, None);
            }
            walk.compute_others(point, func, all, pos);
            // An address of a thread-local object means the starter's copy, which the new thread cannot name.
            let is_local = |arg: &Expr| matches!(arg, Expr::Object(id, _) if walk.program.objects[*id].thread_local);
            let is_known = |arg: &Expr| is_constant(arg) && !is_local(arg);
            let known = args.iter().map(|arg| is_known(arg).then(|| arg.clone())).collect();
            let child = walk.queue.add(walk.program, func, known, Some(walk.thread));
            let kind = InstKind::Spawn { dst, callee: Callee::Direct(child), args };
            walk.emit(kind, pos, Some(point));
            dst.iter().for_each(|dst| walk.state.forget(*dst));
            walk.made_progress(place, pos);
            if !simple {
                let next = Place { inst: place.inst + 1, ..place.clone() };
                let block = walk.go(next, walk.state.clone());
                walk.finish_block(Term::Jump(block), pos, None);
            }
        });
        simple && goes_on
    }

    fn terminator(&mut self, place: &Place, term: &Term, pos: Pos) {
        let origin = Some(self.point(place));
        let mut new = term.clone();
        new.for_each_expr_mut(&mut |expr| *expr = self.expr(place, expr));
        let decided =
            matches!(new, Term::Branch { cond: Expr::Const(..), .. } | Term::Switch { value: Expr::Const(..), .. });
        if let Some(to) = new.only_target().filter(|_| decided) {
            self.note_decision(place, term);
            new = Term::Jump(to);
        }
        match &mut new {
            Term::Jump(to) => *to = self.edge(place, *to, false, pos),
            Term::Branch { cond, then, other } => {
                let state = self.state.clone();
                self.learn(cond, true);
                *then = self.edge(place, *then, true, pos);
                self.state = state;
                self.learn(cond, false);
                *other = self.edge(place, *other, true, pos);
            }
            Term::Switch { cases, default, .. } => {
                let state = self.state.clone();
                for (_, to) in cases {
                    self.state = state.clone();
                    *to = self.edge(place, *to, true, pos);
                }
                self.state = state;
                *default = self.edge(place, *default, true, pos);
            }
            Term::Return(value) => {
                if let Some(caller) = self.frames[place.frame].caller.clone() {
                    new = Term::Jump(self.return_to(place, caller, value.take(), pos));
                }
            }
            Term::ExitThread(_) | Term::Halt | Term::Unreachable => (),
        }
        self.finish_block(new, pos, origin);
    }

    /// The inlined function returns; the block where the caller goes on.
    fn return_to(&mut self, place: &Place, caller: Caller, value: Option<Expr>, pos: Pos) -> BlockId {
        let func = self.frames[place.frame].func;
        match (caller.dst, value, self.program.functions[func].result) {
            // That it fits was seen when the function was called.
            (Some(dst), value, _) => {
                if let Some(value) = self.result(dst, func, value) {
                    self.assign(dst, value, pos, None);
                }
            }
            (None, Some(value), Some(ty)) => self.compute(value, ty, pos),
            (None, ..) => (),
        }
        let mut state = self.state.clone();
        let frame = &self.frames[place.frame];
        state.known.retain(|reg, _| frame.original(*reg).is_none() || Some(*reg) == caller.dst);
        state.rounds.truncate(frame.outer);
        let Place { sections, opened, .. } = *place;
        self.go(Place { inst: caller.place.inst + 1, sections, opened, ..caller.place }, state)
    }

    /// A constant decided a branch: the rounds of the loops that one of its targets leaves count as decided.
    fn note_decision(&mut self, place: &Place, term: &Term) {
        let computed = term.any(&mut |part| matches!(part, Expr::Reg(_)));
        let nesting = &self.shape(place).nesting;
        for round in place.rounds.iter().filter(|_| computed) {
            term.for_each_target(&mut |to| self.decided[round.id] |= !nesting.inside(to, round.head));
        }
    }

    /// A constant decided that an assumption or assertion holds: so the rounds go on of the loops that count what it looks at.
    /// This is how a counting loop looks that has nothing after it but a violation.
    fn note_going_on(&mut self, place: &Place, inst: &Inst) {
        let loops = &self.shape(place).loops;
        inst.kind.for_each_expr(&mut |cond| {
            cond.for_each_reg(&mut |reg| {
                for round in place.rounds.iter().filter(|round| loops[&round.head].carried.contains(&reg)) {
                    self.decided[round.id] = true;
                }
            });
        });
    }

    /// What a condition tells about registers where it holds, or does not.
    fn learn(&mut self, cond: &Expr, holds: bool) {
        if let Expr::Reg(reg) = cond {
            return self.state.set(*reg, &Expr::bool(holds));
        }
        let Expr::Bin(op, left, right) = cond else { return };
        if let (Expr::Reg(reg), Expr::Const(..), true) = (&**left, &**right, (*op == BinOp::Eq) == holds)
            && matches!(op, BinOp::Eq | BinOp::Ne)
        {
            self.state.set(*reg, right);
        }
    }
}
