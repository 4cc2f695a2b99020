//! The paths of one thread from a cut-point to the next, followed by what instructions mean.

use super::pointers::alternatives;
use super::values::Number;
use super::{Doubt, Setting, handle};
use crate::{Refusal, comes_back, ensure};
use base::Interval;
use facts::Point;
use formula::interval::{Ranges, refine};
use formula::{Formula, Linear, Var};
use ir::{AllocKind, BinOp, BlockId, Expr, Function, InstKind, Program, Reg, Term, Ty};
use passes::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};
use system::Location;
use system::meaning::{Chosen, Home, Kind, Obj, PieceId, Pieces, Place};

/// From one cut-point at most so many.
const MOST_PATHS: usize = 20_000;
const MOST_STEPS: usize = 20_000;

/// What has happened since the cut-point.
#[derive(Clone, Default)]
pub struct Path {
    /// What has been written.
    pub registers: FxHashMap<Reg, Number>,
    pub pieces: FxHashMap<PieceId, Number>,
    pub flags: FxHashMap<Home, Number>,
    /// What must hold for it to be taken.
    pub guard: Vec<Formula>,
    /// Where the variables of the state and the inputs lie, by all that.
    pub ranges: Ranges,
    /// Where the variables of the state lie at the cut-point.
    pub before: Ranges,
    /// Where the inputs lie by themselves.
    pub inputs: Vec<Interval>,
    /// For inputs that are numbers of so many bits with a sign, those that are the same numbers without.
    pub without_sign: FxHashMap<(Var, u32), Var>,
    /// The instructions that it executes.
    pub steps: Vec<Point>,
    /// Registers that it reads as they were at the cut-point.
    pub reads: FxHashSet<Reg>,
    /// Values that cannot be said, by step and expression, as inputs.
    pub unknown: Vec<(usize, Expr, Var)>,
    /// Of which they are computed.
    pub computed: Vec<(Var, BinOp, Number, Number)>,
    /// Values that an edge may choose freely, by step: those of expressions, those of registers, what new objects hold.
    pub chosen: Vec<(usize, Chosen, Number)>,
    /// What must hold for the expressions just evaluated to have a value.
    pub needs: Vec<Formula>,
    /// The old content of the cell, within an update.
    pub old: Option<(Number, Ty)>,
    /// Atomic sections that are open.
    depth: u32,
    /// It cannot be taken.
    dead: bool,
}

/// Where an access goes, and when.
type Ways = Vec<(Formula, Pieces)>;

/// Where a path ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Arrives(Location),
    /// The thread has ended.
    Ends,
    /// An assertion does not hold.
    Fails,
}

impl Path {
    /// Notes the value of something that an edge may choose freely in this step.
    fn note_chosen(&mut self, what: Chosen, number: &Number) {
        self.chosen.push((self.steps.len() - 1, what, number.clone()));
    }

    fn assume(&mut self, condition: Formula) {
        self.dead |= condition == Formula::False || !refine(&mut self.ranges, &condition);
        if condition != Formula::True {
            self.guard.push(condition);
        }
    }
    /// The expressions just evaluated have a value.
    fn settle(&mut self) {
        std::mem::take(&mut self.needs).into_iter().for_each(|need| self.assume(need));
    }

    pub fn register(&mut self, cx: &Setting<'_>, reg: Reg) -> Number {
        if let Some(number) = self.registers.get(&reg) {
            return number.clone();
        }
        let bits = cx.program().bits_of(cx.function().ty(reg));
        let number = match cx.place() {
            Place::Start if !cx.function().params.contains(&reg) => Number::constant(0, bits),
            Place::Start => self.held(cx, Home::Argument(cx.thread, reg), bits),
            _ => {
                self.reads.insert(reg);
                self.held(cx, Home::Register(cx.thread, reg), bits)
            }
        };
        // What nobody keeps is the same until it is written.
        self.registers.insert(reg, number.clone());
        number
    }
    /// What there is at the cut-point; anything where no variable says so.
    fn held(&mut self, cx: &Setting<'_>, home: Home, bits: u32) -> Number {
        match cx.var(home).filter(|var| cx.meaning.vars[*var].bits == bits) {
            Some(var) => Number::new(var.into(), bits),
            None => self.anything(bits),
        }
    }
    fn piece(&mut self, cx: &Setting<'_>, piece: PieceId) -> Number {
        match self.pieces.get(&piece) {
            Some(number) => number.clone(),
            None => self.held(cx, Home::Cell(piece), cx.memory().pieces[piece].size as u32 * 8),
        }
    }

    /// Where an access goes, and when.
    fn access(&mut self, cx: &mut Setting<'_>, at: Point, addr: &Expr, ty: Ty, write: bool) -> Result<Ways, Refusal> {
        let address = self.number(cx, addr)?;
        let root = self.number(cx, moved_from(addr))?;
        self.settle();
        let size = cx.program().size_of(ty);
        let meaning = cx.meaning;
        // On this path it may be known though the term does not tell.
        let constant = self.range(&self.signed(&address)).constant();
        let places = match constant {
            Some(pointer) => meaning.memory.locate(pointer).into_iter().collect(),
            None => meaning.accesses.get(&at).cloned().unwrap_or_default(),
        };
        let mut ways = Vec::new();
        let is_valid = |(object, offset): &(Obj, u64)| meaning.memory.valid(*object, *offset, size, write);
        for (object, offset) in places.into_iter().filter(is_valid) {
            let place = Linear::constant(meaning.memory.pointer(object, offset as i64));
            let here = self.same(&address, &Number::new(place, address.bits));
            match meaning.memory.pieces_at(object, offset, size) {
                Some(pieces) => ways.push((here, pieces)),
                None => {
                    let there = Formula::and([here, self.may_be_address(cx, &root)]);
                    cx.must_be_impossible(self, there, "an access to a part of a piece")?;
                }
            }
        }
        if constant.is_none() {
            // Whatever else is a place would be one to go to.
            let none = Formula::and(ways.iter().map(|(when, _)| when.not()));
            let used = self.may_be_address(cx, &root);
            let unknown = self.is_unknown(cx, &root).then(|| cx.program().pos(at));
            let what =
                if unknown.is_some() { "a proof about where this pointer leads" } else { "an access goes elsewhere" };
            for (when, value) in alternatives(&address.term) {
                let value = self.near(&Number::new(value, address.bits), meaning.memory.room / 4);
                let all = meaning.memory.objects.iter().filter_map(|(object, stored)| {
                    let last = stored.size?.checked_sub(size)?;
                    let first = meaning.memory.pointer(object, 0);
                    let may = !(write && stored.constant);
                    may.then(|| Formula::between(first, &value, first + i128::from(last)))
                });
                let there = Formula::and([when, used.clone(), none.clone(), Formula::or(all)]);
                cx.must_be_impossible(self, there, Doubt { what: what.into(), unknown })?;
            }
        }
        self.assume(Formula::or(ways.iter().map(|(when, _)| when.clone())));
        Ok(ways)
    }

    /// By which blocks may be freed it was judged whose places blocks may take: to free another must be impossible.
    fn frees(&mut self, cx: &mut Setting<'_>, at: Point, addr: &Expr) -> Result<(), Refusal> {
        let address = self.number(cx, addr)?;
        self.settle();
        let foreseen = cx.unfolded.frees.get(&at).ok_or("nobody says which blocks are freed")?;
        let memory = cx.memory();
        let others = memory.objects.iter().filter_map(|(object, stored)| match stored.kind {
            Kind::Allocated(alloc) if !foreseen.contains(&alloc) && is_heap(cx.program(), alloc) => {
                let pointer = Linear::constant(memory.pointer(object, 0));
                Some(self.same(&address, &Number::new(pointer, address.bits)))
            }
            Kind::Allocated(_) | Kind::Static(_) | Kind::ThreadLocal(..) | Kind::Function(_) => None,
        });
        let other = Formula::and([Formula::or(others), self.may_be_address(cx, &address)]);
        let unknown = self.is_unknown(cx, &address).then(|| cx.program().pos(at));
        cx.must_be_impossible(self, other, Doubt { what: "what is freed is another block".into(), unknown })
    }

    /// When the pointer is one to something: what was never written is the address of nothing, wherever it is moved.
    fn may_be_address(&self, cx: &Setting<'_>, pointer: &Number) -> Formula {
        let is_content = |value: &Linear| {
            let same = |what: &Chosen, number: &Number| matches!(what, Chosen::Content(_)) && number.term == *value;
            value.as_constant().is_none() && self.chosen.iter().any(|(_, what, number)| same(what, number))
        };
        let possible = alternatives(&pointer.term).into_iter().filter(|(_, value)| !is_content(value));
        Formula::or(
            possible
                .map(|(when, value)| Formula::and([when, cx.pointers.as_address(&value, (cx.thread, cx.location))])),
        )
    }

    /// Whether nothing is known of where the pointer may lead, as it was put together in ways that are not followed.
    fn is_unknown(&self, cx: &Setting<'_>, pointer: &Number) -> bool {
        let spot = (cx.thread, cx.location);
        alternatives(&pointer.term)
            .iter()
            .any(|(_, value)| value.as_constant().is_none() && cx.pointers.as_address(value, spot) == Formula::True)
    }

    fn load(&mut self, cx: &Setting<'_>, ways: &Ways, ty: Ty) -> Number {
        let terms = ways.iter().map(|(when, pieces)| {
            let (mut term, mut from) = (Linear::constant(0), 0);
            let count = pieces.len();
            for (number, piece) in pieces.clone().enumerate() {
                let part = self.piece(cx, piece);
                // Above the last one there is nothing that would have to be right.
                let value = if number + 1 == count { part.term.clone() } else { self.unsigned(&part) };
                term = term.plus_multiple(&value, 1 << from);
                from += part.bits;
            }
            (when.clone(), term)
        });
        let number = Number::new(Linear::last_of(terms), cx.program().bits_of(ty));
        if number.bits == 1 { Number::truth(self.is_odd(&number)) } else { number }
    }

    fn store(&mut self, cx: &Setting<'_>, ways: &Ways, ty: Ty, value: Number) {
        let all = cx.program().size_of(ty) as u32 * 8;
        let term = if value.bits == all { value.term } else { self.unsigned(&value) };
        for (when, pieces) in ways {
            let mut from = 0;
            let several = pieces.len() > 1;
            for piece in pieces.clone() {
                let before = self.piece(cx, piece);
                let part = match several {
                    true => term.clone().floor_div(1 << from).floor_mod(1 << before.bits),
                    false => term.clone(),
                };
                from += before.bits;
                let number = Number::new(Linear::choice(when.clone(), part, before.term), before.bits);
                self.pieces.insert(piece, number);
            }
        }
    }
}

fn is_heap(program: &Program, alloc: Point) -> bool {
    matches!(program.inst(alloc).map(|inst| &inst.kind), Some(InstKind::Alloc { kind: AllocKind::Heap, .. }))
}

/// The pointer that is moved to get the address.
fn moved_from(addr: &Expr) -> &Expr {
    match addr {
        Expr::Bin(BinOp::PtrAdd, base, _) => moved_from(base),
        _ => addr,
    }
}

/// All paths from the cut-point that `cx` is at.
pub fn all(cx: &mut Setting<'_>, ranges: Ranges) -> Result<Vec<(End, Path)>, Refusal> {
    let point = match cx.place() {
        Place::Start => Point::new(cx.func, Function::ENTRY, 0),
        Place::Before(point) => point,
        Place::Ended | Place::Failed | Place::Wraps => return Ok(Vec::new()),
    };
    let mut first = Path { before: ranges.clone(), ranges, ..Path::default() };
    if cx.place() == Place::Start
        && cx.thread != ThreadId::FIRST
        && let Some(started) = cx.var(Home::Started(cx.thread))
    {
        first.assume(Formula::is(&started.into(), 1));
    }
    let mut walk = Walk { done: Vec::new(), work: vec![(first, point)] };
    while let Some((path, point)) = walk.work.pop() {
        walk.follow(cx, path, point)?;
        ensure(walk.done.len() + walk.work.len() <= MOST_PATHS, "very many paths")?;
    }
    Ok(walk.done)
}

struct Walk {
    done: Vec<(End, Path)>,
    work: Vec<(Path, Point)>,
}

impl Walk {
    fn follow(&mut self, cx: &mut Setting<'_>, mut path: Path, mut point: Point) -> Result<(), Refusal> {
        let data = cx.program().block(point);
        loop {
            if path.dead {
                return Ok(());
            }
            if path.depth == 0
                && !path.steps.is_empty()
                && let Some(location) = cx.cuts.get(&point)
            {
                // What a thread has been given, and the zeros in its other registers, are where they are kept from here on.
                if cx.place() == Place::Start {
                    let kept = cx.function().regs.ids().filter(|reg| cx.var(Home::Register(cx.thread, *reg)).is_some());
                    kept.for_each(|reg| _ = path.register(cx, reg));
                }
                self.done.push((End::Arrives(*location), path));
                return Ok(());
            }
            ensure(path.steps.len() <= MOST_STEPS, "a loop without a cut-point")?;
            path.steps.push(point);
            match data.insts.get(point.inst as usize) {
                Some(instruction) => self.instruction(cx, &mut path, point, &instruction.kind)?,
                None => return self.terminator(cx, path, point, &data.term),
            }
            point.inst += 1;
        }
    }

    /// What edges choose freely has its value by now.
    fn note_values(&self, cx: &mut Setting<'_>, path: &mut Path, at: Point) -> Result<(), String> {
        let Some(wanted) = cx.wanted.get(&at) else { return Ok(()) };
        for expr in wanted.clone() {
            let number = path.number(cx, &expr)?;
            path.note_chosen(Chosen::Value(Some(expr)), &number);
        }
        // That somebody would compute it does not mean that the program does.
        path.needs.clear();
        Ok(())
    }

    fn instruction(
        &mut self,
        cx: &mut Setting<'_>,
        path: &mut Path,
        at: Point,
        kind: &InstKind,
    ) -> Result<(), Refusal> {
        let updates = matches!(kind, InstKind::Update { .. });
        if !updates {
            self.note_values(cx, path, at)?;
        }
        match kind {
            InstKind::Assign { dst, value } => {
                let number = path.number(cx, value)?;
                path.settle();
                path.registers.insert(*dst, number);
            }
            InstKind::Load { dst, ty, addr, .. } => {
                let ways = path.access(cx, at, addr, *ty, false)?;
                let number = path.load(cx, &ways, *ty);
                path.registers.insert(*dst, number);
            }
            InstKind::Store { ty, addr, value, .. } => {
                let ways = path.access(cx, at, addr, *ty, true)?;
                let number = path.number(cx, value)?;
                path.settle();
                path.store(cx, &ways, *ty, number);
            }
            InstKind::Update { dst, ty, addr, when, set, .. } => {
                let ways = path.access(cx, at, addr, *ty, set.is_some())?;
                let old = path.load(cx, &ways, *ty);
                path.old = Some((old.clone(), *ty));
                self.note_values(cx, path, at)?;
                if let Some(when) = when {
                    let enabled = path.truth(cx, when)?;
                    path.settle();
                    path.assume(enabled);
                }
                if let Some(set) = set {
                    if let (true, Expr::Select(parts)) = (cx.unfolded.frees.contains_key(&at), set) {
                        path.frees(cx, at, &parts[1])?;
                    }
                    let number = path.number(cx, set)?;
                    path.settle();
                    path.store(cx, &ways, *ty, number);
                }
                path.old = None;
                if let Some(dst) = dst {
                    path.registers.insert(*dst, old);
                }
            }
            InstKind::Havoc { dst, .. } => {
                let bits = cx.program().bits_of(cx.function().ty(*dst));
                let number = path.anything(bits);
                path.note_chosen(Chosen::Havoc, &number);
                path.registers.insert(*dst, number);
            }
            InstKind::Assume { cond } => {
                let condition = path.truth(cx, cond)?;
                path.settle();
                path.assume(condition);
            }
            InstKind::Assert { cond, .. } => {
                let condition = path.truth(cx, cond)?;
                path.settle();
                let mut failing = path.clone();
                failing.assume(condition.not());
                if !failing.dead {
                    self.done.push((End::Fails, failing));
                }
                path.assume(condition);
            }
            InstKind::Alloc { dst, zeroed, .. } => {
                let memory = cx.memory();
                let object = memory.object(Kind::Allocated(at));
                memory.objects[object].size.ok_or("an object whose size is not a constant")?;
                // One that is allocated once holds at first what it holds when the program starts.
                if comes_back(cx.function(), at.block) {
                    for piece in memory.pieces_of(object) {
                        let bits = memory.pieces[piece].size as u32 * 8;
                        let number = if *zeroed { Number::constant(0, bits) } else { path.anything(bits) };
                        path.note_chosen(Chosen::Content(piece), &number);
                        path.pieces.insert(piece, number);
                    }
                }
                let bits = cx.program().bits_of(Ty::Ptr);
                path.registers.insert(*dst, Number::new(Linear::constant(cx.memory().pointer(object, 0)), bits));
            }
            InstKind::Spawn { dst, args, .. } => {
                let unfolded = cx.unfolded;
                let child = kind.direct_callee().and_then(|func| unfolded.thread_of(func));
                let child = child.ok_or("a thread whose function is not known")?;
                let function = &unfolded.program.functions[unfolded.threads[child].func];
                for (param, arg) in function.params.iter().zip(args) {
                    let number = path.number(cx, arg)?;
                    ensure(
                        number.bits == cx.program().bits_of(function.ty(*param)),
                        "an argument of another type than the thread expects",
                    )?;
                    path.flags.insert(Home::Argument(child, *param), number);
                }
                path.settle();
                path.flags.insert(Home::Started(child), Number::truth(Formula::True));
                if let Some(dst) = dst {
                    let bits = cx.program().bits_of(cx.function().ty(*dst));
                    path.registers.insert(*dst, Number::new(Linear::constant(handle(child)), bits));
                }
            }
            InstKind::Join { dst, handle: of } => {
                let number = path.number(cx, of)?;
                path.settle();
                let unfolded = cx.unfolded;
                let mut ways = Vec::new();
                for thread in unfolded.threads.ids().filter(|thread| *thread != cx.thread) {
                    let is_it = path.same(&number, &Number::new(Linear::constant(handle(thread)), number.bits));
                    let ended = path.held(cx, Home::Ended(thread), 1);
                    ways.push((Formula::and([is_it, path.is_odd(&ended)]), thread));
                }
                path.assume(Formula::or(ways.iter().map(|(when, _)| when.clone())));
                if let Some(dst) = dst {
                    let bits = cx.program().bits_of(cx.function().ty(*dst));
                    let possible = ways.into_iter().filter(|(when, _)| *when != Formula::False);
                    let results = possible.map(|(when, thread)| match cx.returns(thread) {
                        false => (when, Linear::constant(0)),
                        true => (when, path.held(cx, Home::Result(thread), bits).term),
                    });
                    let result = Linear::last_of(results);
                    path.registers.insert(*dst, Number::new(result, bits));
                }
            }
            InstKind::Unsupported { what } => {
                cx.must_be_impossible(path, Formula::True, what.as_str())?;
                path.dead = true;
            }
            // Objects and threads that end go on in a system: more can happen there.
            InstKind::Free { addr } => path.frees(cx, at, addr)?,
            InstKind::Detach { .. } | InstKind::Fence { .. } => (),
            InstKind::AtomicBegin => path.depth += 1,
            InstKind::AtomicEnd => path.depth = path.depth.saturating_sub(1),
            InstKind::Call { .. } => return Err("a call".into()),
        }
        Ok(())
    }

    fn terminator(&mut self, cx: &mut Setting<'_>, mut path: Path, at: Point, term: &Term) -> Result<(), Refusal> {
        self.note_values(cx, &mut path, at)?;
        let mut go = |mut path: Path, condition: Formula, to: BlockId| {
            path.assume(condition);
            if !path.dead {
                self.work.push((path, Point::new(at.func, to, 0)));
            }
        };
        match term {
            Term::Jump(to) => go(path, Formula::True, *to),
            Term::Branch { cond, then, other } => {
                let condition = path.truth(cx, cond)?;
                path.settle();
                go(path.clone(), condition.not(), *other);
                go(path, condition, *then);
            }
            Term::Switch { value, cases, default } => {
                let number = path.number(cx, value)?;
                path.settle();
                let mut none = Vec::new();
                for (case, to) in cases {
                    let is_it = path.same(&number, &Number::constant(*case, number.bits));
                    none.push(is_it.not());
                    go(path.clone(), is_it, *to);
                }
                go(path, Formula::and(none), *default);
            }
            // The end of the program: nothing comes after it.
            Term::Halt => (),
            Term::Return(_) if cx.thread == ThreadId::FIRST => (),
            Term::Return(value) | Term::ExitThread(value) => {
                let number = match value {
                    Some(value) => path.number(cx, value)?,
                    None => Number::constant(0, 64),
                };
                path.settle();
                path.flags.insert(Home::Result(cx.thread), number);
                path.flags.insert(Home::Ended(cx.thread), Number::truth(Formula::True));
                if !path.dead {
                    self.done.push((End::Ends, path));
                }
            }
            Term::Unreachable => {
                if cx.unfolded.cuts.iter().any(|cut| (cut.func, cut.block) == (at.func, at.block)) {
                    cx.must_be_impossible(&path, Formula::True, "a cut")?;
                }
            }
        }
        Ok(())
    }
}
