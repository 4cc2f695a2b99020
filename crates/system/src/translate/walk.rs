//! The walk along one thread: from each cut-point along every path to the next.
//!
//! A path is executed symbolically: registers and cells are terms over the state at its start, and the conditions met on the
//! way (branches, assumptions, waiting, accesses within bounds) are the guard of the edge that the path becomes.  A path whose
//! guard cannot hold is dropped, and so is one that changes nothing and leads back.
//!
//! **Cut-points** are the places before which the reduction (`facts::movers`) asks for a switch, thread starts and ends.  Right
//! before such a place there may be assignments to registers, which nobody else sees: the cut is made before them, so that
//! their results need no variable.  Where very many paths lead from one cut-point, blocks at which they meet become
//! cut-points too, which is always sound.
//!
//! **The end of the program** (the return of the first thread, `halt`) has no edge.  Whatever the other threads do up to then
//! they can do while the thread that would end it stands still, for no step that others need to see lies between the last
//! cut-point and the end.

use super::context::Context;
use super::meaning::{Chosen, Executed, Origin, Place, WayBack};
use super::memory::{Kind, Obj, PieceId};
use super::ranges::Ranges;
use super::values::{Home, Mode, Number, Value, VarInfo};
use super::{Note, Refused};
use crate::{Edge, Location, LocationData, Step, ThreadId};
use base::{BitSet, Budget, Id, IdVec, Interval, Pos};
use facts::Point;
use formula::{Formula, Linear, Var};
use ir::{AllocKind, BlockId, Expr, FuncId, Function, InstKind, Program, Reg, Term, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use transition::Input;

/// From one cut-point at most so many paths, where more cut-points can be made.
const MOST_PATHS: usize = 200;
/// Where they cannot be made, inside atomic sections.
const MOST_PATHS_ATOMIC: usize = 4000;

/// A term or condition larger than this is refused: written out, they can grow with every step.
const MOST_SIZE: usize = 1500;

/// What must hold for an expression to have its value.
pub struct Need {
    pub condition: Formula,
    /// Else a number wraps, which is to be shown not to happen; where that is not so the execution ends.
    pub wraps: bool,
}

impl Need {
    pub fn to_go_on(condition: Formula) -> Self {
        Need { condition, wraps: false }
    }
    pub fn not_to_wrap(condition: Formula) -> Self {
        Need { condition, wraps: true }
    }
    /// Needed only where the condition holds.
    pub fn only_if(self, condition: &Formula) -> Self {
        Need { condition: condition.clone().implies(self.condition), ..self }
    }
}

/// What a path has done so far.
#[derive(Clone, Default)]
pub struct State {
    registers: FxHashMap<Reg, Value>,
    /// Pieces of memory that have been written.
    pub pieces: FxHashMap<PieceId, Number>,
    /// Flags that have been set.
    flags: Vec<(Var, Linear)>,
    guard: Vec<Formula>,
    pub ranges: Ranges,
    inputs: Vec<(Var, Origin)>,
    path: Vec<Executed>,
    /// What the steps of these numbers have read.
    pub reads: Vec<(usize, Linear)>,
    /// Atomic sections that are open.
    depth: u32,
    blocks: BitSet,
    /// It goes no further.
    pub dead: bool,
}

impl State {
    /// How many instructions it has executed.
    pub fn steps(&self) -> usize {
        self.path.len()
    }
}

/// An edge, over variables that do not have their last numbers yet.
pub struct Draft {
    pub edge: Edge,
    /// For the way back to an execution of the program.
    pub back: WayBack,
}

/// A thread, done.
pub struct Walked {
    pub places: IdVec<Location, Place>,
    pub locations: IdVec<Location, LocationData>,
    pub edges: Vec<Draft>,
}

pub struct Walk<'c, 'a> {
    pub cx: &'c mut Context<'a>,
    pub thread: ThreadId,
    pub function: &'a Function,
    func: ir::FuncId,
    numbers: FxHashMap<Place, Location>,
    cuts: FxHashSet<Point>,
    done: Walked,
    /// Where the path that is walked begins.
    from: Location,
    pub state: State,
    /// What must hold for the expressions just evaluated to have a value.
    pub needs: Vec<Need>,
    /// The old content of the cell, within an update.
    pub old: Option<(Value, Ty)>,
    pub pos: Pos,
    point: Point,
    /// Inputs made for the instruction so far.
    asked: u32,
    /// How often paths from here have come to each block.
    arrivals: FxHashMap<BlockId, usize>,
}

impl<'c, 'a> Walk<'c, 'a> {
    pub fn new(cx: &'c mut Context<'a>, thread: ThreadId) -> Self {
        let unfolded = cx.unfolded;
        let func = unfolded.threads[thread].func;
        let function = &unfolded.program.functions[func];
        let mut walk = Walk {
            thread,
            function,
            func,
            numbers: FxHashMap::default(),
            cuts: FxHashSet::default(),
            done: Walked { places: IdVec::new(), locations: IdVec::new(), edges: Vec::new() },
            from: Location(0),
            state: State::default(),
            needs: Vec::new(),
            old: None,
            pos: function.pos,
            point: Point::new(func, Function::ENTRY, 0),
            asked: 0,
            arrivals: FxHashMap::default(),
            cx,
        };
        walk.find_cuts();
        walk
    }

    pub fn program(&self) -> &'a Program {
        &self.cx.unfolded.program
    }

    pub fn refuse(&self, what: &str) -> Refused {
        Refused::Unsupported(Note { pos: self.pos, what: what.into() })
    }
    /// Refuses the program if it is so.
    pub fn refuse_if(&self, is_so: bool, what: &str) -> Result<(), Refused> {
        if is_so { Err(self.refuse(what)) } else { Ok(()) }
    }

    fn find_cuts(&mut self) {
        for (block, data) in self.function.blocks.iter() {
            for at in 0..=data.insts.len() {
                if !self.cx.facts.movers.is_switch(self.func, block, at) {
                    continue;
                }
                let private = |inst: &ir::Inst| matches!(inst.kind, InstKind::Assign { .. } | InstKind::Fence { .. });
                let back = data.insts[..at].iter().rev().take_while(|inst| private(inst)).count();
                self.cuts.insert(Point::new(self.func, block, at - back));
            }
        }
    }

    pub fn run(mut self, budget: &Budget) -> Result<Walked, Refused> {
        self.location(Place::Start);
        while self.from < self.done.places.next_id() {
            budget.check().map_err(Refused::Spent)?;
            while !self.explore(budget)? {}
            self.from.0 += 1;
        }
        Ok(self.done)
    }

    fn location(&mut self, place: Place) -> Location {
        if let Some(location) = self.numbers.get(&place) {
            return *location;
        }
        let (mut name, pos) = match place {
            Place::Start => ("start".to_string(), self.function.pos),
            Place::Ended => ("ended".to_string(), Pos::NONE),
            Place::Failed => ("failed".to_string(), Pos::NONE),
            Place::Wraps => (crate::WRAPS.to_string(), Pos::NONE),
            Place::Before(point) => {
                let pos = self.position(point);
                (if pos.is_none() { format!("{}.{}", point.block, point.inst) } else { pos.line.to_string() }, pos)
            }
        };
        let count = self.done.locations.values().filter(|data| data.name.split('.').next() == Some(&name)).count();
        if count > 0 && !matches!(place, Place::Before(..) if pos.is_none()) {
            name = format!("{name}.{}", count + 1);
        }
        let location = self.done.places.push(place);
        self.done.locations.push(LocationData { name, pos });
        self.numbers.insert(place, location);
        location
    }

    /// Where the instruction stands, or the next one that stands somewhere.
    fn position(&self, point: Point) -> Pos {
        let block = self.program().block(point);
        let positions = block.insts[point.inst as usize..].iter().map(|inst| inst.pos).chain([block.term_pos]);
        positions.into_iter().find(|pos| !pos.is_none()).unwrap_or(Pos::NONE)
    }

    /// All paths from a location; false if they were too many, and there is one more cut-point now.
    fn explore(&mut self, budget: &Budget) -> Result<bool, Refused> {
        let first = match self.done.places[self.from] {
            Place::Start => Point::new(self.func, Function::ENTRY, 0),
            Place::Before(point) => point,
            Place::Ended | Place::Failed | Place::Wraps => return Ok(true),
        };
        let (edges, locations) = (self.done.edges.len(), self.done.places.len());
        self.arrivals.clear();
        self.state = State::default();
        if self.done.places[self.from] == Place::Start && self.thread != ThreadId::FIRST {
            let started = self.cx.flag(Home::Started(self.thread));
            self.assume(Formula::is(&started.into(), 1));
        }
        let mut work = vec![(std::mem::take(&mut self.state), first)];
        while let Some((state, point)) = work.pop() {
            self.state = state;
            self.follow(point, &mut work)?;
            let paths = self.done.edges.len() - edges + work.len();
            if paths > MOST_PATHS {
                budget.check().map_err(Refused::Spent)?;
                let often = self.arrivals.iter().max_by_key(|(block, count)| (**count, std::cmp::Reverse(**block)));
                match often {
                    Some((block, count)) if *count > 1 => {
                        self.cuts.insert(Point::new(self.func, *block, 0));
                        self.done.edges.truncate(edges);
                        debug_assert!(locations <= self.done.places.len());
                        return Ok(false);
                    }
                    _ if paths > MOST_PATHS_ATOMIC => return Err(self.refuse("an atomic section with very many paths")),
                    _ => (),
                }
            }
        }
        Ok(true)
    }

    /// From a place to the next cut-point; other ways at branches are put aside.
    fn follow(&mut self, mut point: Point, work: &mut Vec<(State, Point)>) -> Result<(), Refused> {
        loop {
            let data = self.program().block(point);
            loop {
                if self.state.dead {
                    return Ok(());
                }
                if self.cuts.contains(&point) && self.state.depth == 0 && !self.state.path.is_empty() {
                    return self.arrive(Place::Before(point));
                }
                self.point = point;
                self.asked = 0;
                self.state.path.push(Executed { point, input: None });
                let Some(instruction) = data.insts.get(point.inst as usize) else { break };
                self.pos = instruction.pos;
                self.instruction(&instruction.kind)?;
                self.check_size(&instruction.kind)?;
                point.inst += 1;
            }
            self.pos = data.term_pos;
            let ways = self.terminator(&data.term)?;
            let state = std::mem::take(&mut self.state);
            let mut first = None;
            for (condition, to) in ways {
                self.state = state.clone();
                self.assume(condition);
                if self.state.dead {
                    continue;
                }
                let start = Point::new(self.func, to, 0);
                let cut = self.state.depth == 0 && self.cuts.contains(&start);
                let again = !self.state.blocks.insert(to.index());
                self.refuse_if(again && !cut, "a loop inside an atomic section")?;
                if self.state.depth == 0 && !cut && self.cx.facts.cfgs[self.func].predecessors[to].len() > 1 {
                    *self.arrivals.entry(to).or_default() += 1;
                }
                let way = (std::mem::take(&mut self.state), start);
                match first {
                    None => first = Some(way),
                    Some(_) => work.push(way),
                }
            }
            let Some(next) = first else { return Ok(()) };
            (self.state, point) = next;
        }
    }

    /// Refuses what has become too large by the instruction.
    fn check_size(&self, kind: &InstKind) -> Result<(), Refused> {
        let of_value = |value: &Value| match value {
            Value::Truth(formula) => formula.size(),
            Value::Number(number) => number.term.size(),
        };
        let written = kind.dst().and_then(|dst| self.state.registers.get(&dst)).map_or(0, of_value);
        let guard = self.state.guard.last().map_or(0, Formula::size);
        let writes = matches!(kind, InstKind::Store { .. } | InstKind::Update { .. });
        let pieces = self.state.pieces.values().filter(|_| writes);
        let stored = pieces.map(|number| number.term.size()).max().unwrap_or(0);
        let size = written.max(guard).max(stored);
        self.refuse_if(size > MOST_SIZE, "a computation that becomes a very large term")
    }

    /// The path ends here, as an edge.
    fn arrive(&mut self, place: Place) -> Result<(), Refused> {
        let to = self.location(place);
        let mut updates = std::mem::take(&mut self.state.flags);
        if let Place::Before(Point { func, block, inst }) = place {
            let live = self.cx.facts.liveness.before(func, block, inst as usize).clone();
            for reg in live.iter().map(Reg::new) {
                let value = self.register(reg)?;
                let var = self.cx.register(self.thread, reg)?;
                let term = self.in_mode(value, self.cx.vars.all[var].mode);
                updates.push((var, term));
            }
        }
        let mut pieces: Vec<PieceId> = self.state.pieces.keys().copied().collect();
        pieces.sort_unstable();
        for piece in pieces {
            let var = self.cx.piece(piece)?;
            let value = Value::Number(self.state.pieces[&piece].clone());
            let term = self.in_mode(value, self.cx.vars.all[var].mode);
            updates.push((var, term));
        }
        updates.retain(|(var, term)| term.as_var() != Some(*var));
        updates.sort_by_key(|(var, _)| *var);
        if updates.is_empty() && to == self.from {
            return Ok(());
        }
        let mut state = std::mem::take(&mut self.state);
        let mut mentioned: FxHashSet<Var> = FxHashSet::default();
        let mut see = |var| _ = mentioned.insert(var);
        state.guard.iter().for_each(|part| part.visit_vars(&mut see));
        updates.iter().for_each(|(_, term)| term.visit_vars(&mut see));
        let (inputs, origins): (Vec<Var>, Vec<Origin>) =
            std::mem::take(&mut state.inputs).into_iter().filter(|(var, _)| mentioned.contains(var)).unzip();
        for var in &inputs {
            state.guard.push(Formula::within(self.cx.vars.all[*var].range, &(*var).into()));
        }
        let State { mut path, reads, .. } = state;
        // From here on the inputs are those of this edge: the same instruction on another edge chooses anew.
        let number = |var: Var| inputs.iter().position(|input| *input == var).map(Var::input);
        let own = &mut |var: Var| number(var).map(Linear::var);
        let guard = Formula::and(state.guard).substitute(own);
        if guard == Formula::False {
            return Ok(());
        }
        let updates = updates.into_iter().map(|(var, term)| (var, term.substitute(own))).collect();
        let reads = reads.into_iter().map(|(place, term)| (place, term.substitute(own))).collect();
        path.iter_mut().for_each(|executed| executed.input = executed.input.and_then(number));
        let info = |var: &Var| &self.cx.vars.all[*var];
        let inputs =
            inputs.iter().map(|var| Input { name: info(var).name.clone(), range: info(var).range, named: false });
        let step = Step { inputs: inputs.collect(), guard, fails: Formula::False, updates };
        let edge = Edge { from: self.from, to, step };
        self.done.edges.push(Draft { edge, back: WayBack { path, reads, origins } });
        Ok(())
    }

    /// From here on the condition holds.
    pub fn assume(&mut self, condition: Formula) {
        let condition = self.state.ranges.decide(&self.cx.vars, condition);
        self.state.ranges.narrow(&self.cx.vars, &condition);
        self.state.dead |= condition == Formula::False || self.state.ranges.empty;
        if condition != Formula::True {
            self.state.guard.push(condition);
        }
    }

    /// The expressions just evaluated have their values.
    pub fn settle(&mut self) -> Result<(), Refused> {
        for need in std::mem::take(&mut self.needs) {
            if need.wraps {
                self.fail_unless(&need.condition, Place::Wraps)?;
            }
            self.assume(need.condition);
        }
        Ok(())
    }

    /// What a register holds now.
    pub fn register(&mut self, reg: Reg) -> Result<Value, Refused> {
        if let Some(value) = self.state.registers.get(&reg) {
            return Ok(value.clone());
        }
        let starts = self.done.places[self.from] == Place::Start;
        if starts && !self.function.params.contains(&reg) {
            // Registers are zero at first.
            let bits = self.program().bits_of(self.function.ty(reg));
            return Ok(Value::of(Linear::constant(0), Mode::Signed, bits));
        }
        let var = if starts { self.cx.argument(self.thread, reg)? } else { self.cx.register(self.thread, reg)? };
        Ok(self.cx.value_of(var))
    }

    fn set(&mut self, reg: Reg, value: Value) {
        self.state.registers.insert(reg, value);
    }

    /// A value that is chosen freely in this step.
    pub fn input(&mut self, bits: u32, mode: Mode, range: Interval, what: Chosen) -> Var {
        let key = (self.point, self.asked, mode, range);
        self.asked += 1;
        let vars = &mut self.cx.vars;
        let var = *self.cx.inputs.entry(key).or_insert_with(|| {
            let name = format!("in{}", vars.all.len());
            vars.all.push(VarInfo { name, home: Home::Input, range, mode, bits })
        });
        let step = self.state.steps().saturating_sub(1);
        self.state.inputs.push((var, Origin { step, what, mode }));
        var
    }

    /// How many inputs have been made on the path.
    pub fn inputs(&self) -> usize {
        self.state.inputs.len()
    }
    /// Inputs made since then, which nobody has said more of, are what the expression is.
    pub fn name_inputs(&mut self, since: usize, expr: &Expr) {
        for (_, origin) in &mut self.state.inputs[since..] {
            if origin.what == Chosen::Value(None) {
                origin.what = Chosen::Value(Some(expr.clone()));
            }
        }
    }

    fn free_input(&mut self, ty: Ty, mode: Mode) -> Result<Value, Refused> {
        let bits = self.bits(ty)?;
        let range = if bits == 1 { Interval::BIT } else { mode.range(bits) };
        let var = self.input(bits, mode, range, Chosen::Havoc);
        if let Some(step) = self.state.path.last_mut() {
            step.input = Some(var);
        }
        Ok(self.cx.value_of(var))
    }

    fn mode(&self, reg: Reg) -> Mode {
        self.cx.modes.register(self.thread, reg)
    }

    fn instruction(&mut self, kind: &'a InstKind) -> Result<(), Refused> {
        match kind {
            InstKind::Assign { dst, value } => {
                let value = self.value(value, self.mode(*dst))?;
                self.settle()?;
                self.set(*dst, value);
            }
            InstKind::Load { dst, ty, addr, .. } => {
                let ways = self.access(self.point, addr, *ty, false)?;
                if self.state.dead {
                    return Ok(());
                }
                let value = self.load(&ways, *ty)?;
                self.set(*dst, value);
            }
            InstKind::Store { ty, addr, value, .. } => {
                let ways = self.access(self.point, addr, *ty, true)?;
                self.store(&ways, *ty, value)?;
                self.settle()?;
            }
            InstKind::Update { dst, ty, addr, when, set, .. } => {
                let ways = self.access(self.point, addr, *ty, set.is_some())?;
                if self.state.dead {
                    return Ok(());
                }
                let old = self.load(&ways, *ty)?;
                self.old = Some((old.clone(), *ty));
                if let Some(when) = when {
                    let enabled = self.truth(when)?;
                    self.settle()?;
                    self.assume(enabled);
                }
                if let Some(set) = set {
                    self.store(&ways, *ty, set)?;
                    self.settle()?;
                }
                self.old = None;
                if let Some(dst) = dst {
                    self.set(*dst, old);
                }
            }
            InstKind::Havoc { dst, .. } => {
                let value = self.free_input(self.function.ty(*dst), self.mode(*dst))?;
                self.set(*dst, value);
            }
            InstKind::Assume { cond } => {
                let condition = self.truth(cond)?;
                self.settle()?;
                self.assume(condition);
            }
            InstKind::Assert { cond, .. } => {
                let condition = self.truth(cond)?;
                self.settle()?;
                self.fail_unless(&condition, Place::Failed)?;
                self.assume(condition);
            }
            InstKind::Alloc { dst, kind, zeroed, .. } => {
                let object = self.cx.memory.object(Kind::Allocated(self.point));
                let size = self.cx.memory.objects[object].size;
                self.refuse_if(size.is_none(), "an object whose size is not a constant")?;
                if self.cx.unfolded.repeated.iter().any(|site| site.point == self.point) {
                    self.refuse_if(*kind == AllocKind::Heap, "an allocation in a loop")?;
                    // The object of the last time is gone, but a pointer to it may not be.
                    let kept = self.cx.is_kept(self.point);
                    self.refuse_if(kept, "a local variable in a loop whose address is kept")?;
                    self.renew(object, *zeroed);
                }
                let bits = self.program().bits_of(Ty::Ptr);
                let term = Linear::constant(self.cx.memory.pointer(object, 0));
                self.set(*dst, Value::Number(Number { term, mode: Mode::Signed, bits }));
            }
            InstKind::Spawn { dst, args, .. } => self.spawn(*dst, kind.direct_callee(), args)?,
            InstKind::Join { dst, handle } => self.join(*dst, handle)?,
            // Systems are made with the facts, which exclude it.
            InstKind::Unsupported { what } if what == passes::EXCLUDED => self.state.dead = true,
            InstKind::Unsupported { what } => return Err(self.refuse(what)),
            InstKind::Free { .. } => self.cx.vars.note(self.pos, "objects are taken to live on when they are freed"),
            InstKind::Detach { .. } => self.cx.vars.note(self.pos, "a detached thread is taken to be joinable"),
            InstKind::AtomicBegin => self.state.depth += 1,
            // One too many does nothing.
            InstKind::AtomicEnd => self.state.depth = self.state.depth.saturating_sub(1),
            InstKind::Fence { .. } => (),
            InstKind::Call { .. } => return Err(self.refuse("a call that could not be inlined")),
        }
        Ok(())
    }

    /// The edge of a violated assertion.
    fn fail_unless(&mut self, condition: &Formula, place: Place) -> Result<(), Refused> {
        let state = self.state.clone();
        self.assume(condition.not());
        if !self.state.dead {
            let failed = self.cx.flag(Home::Failed);
            // What else the path has done matters no more.
            self.state.flags = vec![(failed, Linear::constant(1))];
            self.state.pieces.clear();
            self.arrive(place)?;
        }
        self.state = state;
        Ok(())
    }

    /// The same object begins another life.
    fn renew(&mut self, object: Obj, zeroed: bool) {
        for piece in self.cx.memory.pieces_of(object) {
            let bits = self.cx.memory.pieces[piece].size as u32 * 8;
            if bits > 64 {
                continue;
            }
            let mode = self.cx.modes.piece(piece);
            let term = match zeroed {
                true => Linear::constant(0),
                false => self.input(bits, mode, mode.range(bits), Chosen::Content(piece)).into(),
            };
            self.state.pieces.insert(piece, Number { term, mode, bits });
        }
    }

    fn spawn(&mut self, dst: Option<Reg>, callee: Option<FuncId>, args: &[Expr]) -> Result<(), Refused> {
        let child = callee.and_then(|func| self.cx.unfolded.thread_of(func));
        let child = child.ok_or_else(|| self.refuse("a thread whose function is not known"))?;
        let func = self.cx.unfolded.threads[child].func;
        let function = &self.cx.unfolded.program.functions[func];
        let live = self.cx.facts.liveness.at_block(func, Function::ENTRY).clone();
        for (param, arg) in function.params.iter().zip(args) {
            if !live.contains(param.index()) {
                continue;
            }
            let var = self.cx.argument(child, *param)?;
            let (mode, bits) = (self.cx.vars.all[var].mode, self.cx.vars.all[var].bits);
            let ty = self.function.type_of(self.program(), arg, None);
            let differs = self.program().bits_of(ty) != bits;
            self.refuse_if(differs, "an argument of another type than the thread expects")?;
            let term = self.number(arg, mode)?;
            self.state.flags.push((var, term));
        }
        self.settle()?;
        let started = self.cx.flag(Home::Started(child));
        self.state.flags.push((started, Linear::constant(1)));
        if let Some(dst) = dst {
            let bits = self.program().bits_of(self.function.ty(dst));
            let number = Number::constant(u128::from(child.0) + 1, bits);
            self.set(dst, Value::Number(number));
        }
        Ok(())
    }

    fn join(&mut self, dst: Option<Reg>, handle: &Expr) -> Result<(), Refused> {
        let handle = self.number(handle, Mode::Signed)?;
        self.settle()?;
        let mut ways = Vec::new();
        for thread in self.cx.joinable(self.point) {
            let is_it = self.eq_zero(handle.plus_constant(-i128::from(thread.0) - 1));
            if is_it != Formula::False && thread != self.thread {
                let ended = self.cx.flag(Home::Ended(thread));
                let has_ended = Formula::is(&ended.into(), 1);
                ways.push((Formula::and([is_it, has_ended]), thread));
            }
        }
        self.assume(Formula::or(ways.iter().map(|(when, _)| when.clone())));
        let Some(dst) = dst else { return Ok(()) };
        let (bits, mode) = (self.program().bits_of(self.function.ty(dst)), self.mode(dst));
        let mut results = Vec::new();
        for (when, thread) in ways {
            let Some(var) = self.cx.result(thread)? else { continue };
            let differs = self.cx.vars.all[var].bits != bits;
            self.refuse_if(differs, "a thread's result of another type than it is taken for")?;
            results.push((when, self.in_mode(self.cx.value_of(var), mode)));
        }
        self.set(dst, Value::of(Linear::last_of(results), mode, bits));
        Ok(())
    }

    /// Where control may go, and when.
    fn terminator(&mut self, term: &'a Term) -> Result<Vec<(Formula, BlockId)>, Refused> {
        Ok(match term {
            Term::Jump(to) => vec![(Formula::True, *to)],
            Term::Branch { cond, then, other } => {
                let condition = self.truth(cond)?;
                self.settle()?;
                vec![(condition.clone(), *then), (condition.not(), *other)]
            }
            Term::Switch { value, cases, default } => {
                let ty = self.function.type_of(self.program(), value, None);
                let mode = self.natural(value)?;
                let bits = self.program().bits_of(ty);
                let term = self.number(value, mode)?;
                self.settle()?;
                let number = Number { term, mode, bits };
                let (mut ways, mut none) = (Vec::new(), Vec::new());
                for (case, to) in cases {
                    let case = match ty {
                        Ty::BOOL => Number { term: Linear::constant(*case as i128), mode, bits },
                        _ => Number::constant(*case, bits),
                    };
                    let is_it = self.cx.vars.equal(&self.state.ranges, &number, &case);
                    none.push(is_it.not());
                    ways.push((is_it, *to));
                }
                ways.push((Formula::and(none), *default));
                ways
            }
            Term::Return(value) | Term::ExitThread(value) => {
                if self.thread == ThreadId::FIRST && matches!(term, Term::Return(_)) {
                    return Ok(Vec::new());
                }
                if let Some(var) = self.cx.result(self.thread)? {
                    let mode = self.cx.vars.all[var].mode;
                    let term = match value {
                        Some(value) => self.number(value, mode)?,
                        None => Linear::constant(0),
                    };
                    self.settle()?;
                    self.state.flags.push((var, term));
                }
                if self.cx.joined.contains(self.thread.index()) {
                    let ended = self.cx.flag(Home::Ended(self.thread));
                    self.state.flags.push((ended, Linear::constant(1)));
                }
                if !self.state.dead {
                    self.arrive(Place::Ended)?;
                }
                Vec::new()
            }
            Term::Halt => Vec::new(),
            Term::Unreachable => {
                let is_it = |cut: &&passes::Cut| (cut.func, cut.block) == (self.func, self.point.block);
                if let Some(cut) = self.cx.unfolded.cuts.iter().find(is_it) {
                    return Err(Refused::Unsupported(Note { pos: cut.pos, what: cut.kind.to_string() }));
                }
                Vec::new()
            }
        })
    }
}
