//! What all threads share while they are translated: the variables, by what they stand for.

use super::meaning::Places;
use super::memory::{Addressed, Kind, PieceId};
use super::modes::Modes;
use super::names;
use super::values::{Home, Mode, Value, VarInfo, Vars};
use super::{Note, Options, Refused};
use base::{BitSet, Id, IdVec, Interval, Pos};
use facts::regions::RegionKind;
use facts::{Facts, Point};
use formula::Var;
use ir::{InstKind, Reg, Term, Ty};
use passes::{ThreadId, Unfolded};
use rustc_hash::FxHashMap;

pub struct Context<'a> {
    pub unfolded: &'a Unfolded,
    pub facts: &'a Facts,
    pub memory: Addressed,
    pub modes: Modes,
    pub vars: Vars,
    /// Names of the threads.
    pub threads: IdVec<ThreadId, String>,
    /// Threads that somebody may join.
    pub joined: BitSet,
    /// Threads whose result somebody may ask for.
    asked: BitSet,
    by_home: FxHashMap<Home, Var>,
    /// Where accesses go.
    pub accesses: FxHashMap<Point, Places>,
    pub inputs: FxHashMap<(Point, u32, Mode, Interval), Var>,
}

impl<'a> Context<'a> {
    pub fn new(unfolded: &'a Unfolded, facts: &'a Facts, options: &Options) -> Self {
        let memory = Addressed::new(unfolded, facts);
        let modes = super::modes::choose(unfolded, facts, &memory, options.ints);
        let mut context = Context {
            unfolded,
            facts,
            memory,
            modes,
            vars: Vars { ints: options.ints, ..Vars::default() },
            threads: names::threads(unfolded),
            joined: BitSet::new(),
            asked: BitSet::new(),
            by_home: FxHashMap::default(),
            accesses: FxHashMap::default(),
            inputs: FxHashMap::default(),
        };
        unfolded.for_each_instruction(&mut |point, kind| {
            let InstKind::Join { dst, .. } = kind else { return };
            for thread in context.joinable(point) {
                context.joined.insert(thread.index());
                if dst.is_some() {
                    context.asked.insert(thread.index());
                }
            }
        });
        context
    }

    /// The threads that a join at the point may wait for.
    pub fn joinable(&self, point: Point) -> Vec<ThreadId> {
        let all = || self.unfolded.threads.ids().collect();
        let Some(targets) = self.facts.points_to.address(point) else { return all() };
        if targets.anywhere() || targets.number {
            return all();
        }
        let mut res = Vec::new();
        for target in targets.iter() {
            let RegionKind::Thread(spawn) = self.facts.regions.all[target.region].kind else { continue };
            res.extend(match spawn {
                None => Some(ThreadId::FIRST),
                Some(spawn) => {
                    let started = self.unfolded.program.inst(spawn).and_then(|inst| inst.kind.direct_callee());
                    started.and_then(|func| self.unfolded.thread_of(func))
                }
            });
        }
        res.sort_unstable();
        res.dedup();
        res
    }

    /// May the address of the object that is allocated there be in memory, with another thread, or still in a register when
    /// the object is allocated again?
    pub fn is_kept(&self, point: Point) -> bool {
        let Some(region) = self.facts.regions.of_point(point) else { return true };
        let points_to = &self.facts.points_to;
        let holds = |holder| points_to.contents(holder).contains(region.index());
        points_to.wild_access
            || points_to.handed_to_threads.contains(region.index())
            || self.facts.regions.all.ids().any(holds)
            || self.outlives(point)
    }

    /// Whether a register that may have the address is still to be read where the object is allocated.
    fn outlives(&self, point: Point) -> bool {
        let program = &self.unfolded.program;
        let Some(InstKind::Alloc { dst, .. }) = program.inst(point).map(|inst| &inst.kind) else { return true };
        let mut with_address: Vec<Reg> = vec![*dst];
        let mut before = 0;
        while std::mem::replace(&mut before, with_address.len()) < with_address.len() {
            for inst in program.functions[point.func].insts() {
                if let InstKind::Assign { dst, value } = &inst.kind {
                    let mut derived = false;
                    value.for_each_reg(&mut |reg| derived |= with_address.contains(&reg));
                    if derived && !with_address.contains(dst) {
                        with_address.push(*dst);
                    }
                }
            }
        }
        let live = self.facts.liveness.before(point.func, point.block, point.inst as usize);
        with_address.iter().any(|reg| live.contains(reg.index()))
    }

    fn make(&mut self, home: Home, info: impl FnOnce(&mut Self) -> Result<VarInfo, Refused>) -> Result<Var, Refused> {
        if let Some(var) = self.by_home.get(&home) {
            return Ok(*var);
        }
        let info = info(self)?;
        let var = self.vars.all.push(info);
        self.by_home.insert(home, var);
        Ok(var)
    }

    fn number(
        &self,
        name: String,
        home: Home,
        bits: u32,
        mode: Mode,
        known: Option<Interval>,
        pos: Pos,
    ) -> Result<VarInfo, Refused> {
        if bits > 64 {
            return Err(Refused::Unsupported(Note { pos, what: "a number of more than 64 bits".into() }));
        }
        let range = match (bits, mode) {
            (1, _) => Interval::BIT,
            (_, Mode::Ring) => Interval::ALL,
            _ if self.vars.math() => Interval::ALL,
            (_, Mode::Signed | Mode::Unsigned) => known.unwrap_or(mode.range(bits)),
        };
        Ok(VarInfo { name, home, range, mode, bits })
    }

    /// A register that lives across a cut-point.
    pub fn register(&mut self, thread: ThreadId, reg: Reg) -> Result<Var, Refused> {
        let home = Home::Register(thread, reg);
        self.make(home, |cx| cx.of_register(thread, reg, home, ""))
    }

    /// What is handed to a thread in one of its registers.
    pub fn argument(&mut self, thread: ThreadId, reg: Reg) -> Result<Var, Refused> {
        let home = Home::Argument(thread, reg);
        self.make(home, |cx| cx.of_register(thread, reg, home, ".given"))
    }

    fn of_register(&mut self, thread: ThreadId, reg: Reg, home: Home, suffix: &str) -> Result<VarInfo, Refused> {
        let function = &self.unfolded.program.functions[self.unfolded.threads[thread].func];
        let data = &function.regs[reg];
        let name = format!("{}.{}{suffix}", self.threads[thread], data.name);
        let bits = self.unfolded.program.bits_of(data.ty);
        let known = self.modes.register_range(thread, reg).filter(|_| data.ty != Ty::Ptr);
        self.number(name, home, bits, self.modes.register(thread, reg), known, function.pos)
    }

    pub fn piece(&mut self, piece: PieceId) -> Result<Var, Refused> {
        self.make(Home::Cell(piece), |cx| {
            let data = cx.memory.pieces[piece];
            let place = &cx.memory.objects[data.object];
            let name = names::piece(cx.unfolded, &cx.threads, place, data);
            let (mode, known) = (cx.modes.piece(piece), cx.modes.piece_range(piece));
            let pos = match place.kind {
                Kind::Static(id) | Kind::ThreadLocal(id, _) => cx.unfolded.program.objects[id].pos,
                Kind::Allocated(_) | Kind::Function(_) => Pos::NONE,
            };
            cx.number(name, Home::Cell(piece), data.size as u32 * 8, mode, known, pos)
        })
    }

    /// A variable that is 0 or 1.
    pub fn flag(&mut self, home: Home) -> Var {
        let name = match home {
            Home::Started(thread) => format!("{}.started", self.threads[thread]),
            Home::Ended(thread) => format!("{}.ended", self.threads[thread]),
            Home::Pc(thread) => format!("{}.pc", self.threads[thread]),
            Home::Failed => "failed".to_string(),
            Home::Cell(_) | Home::Register(..) | Home::Argument(..) | Home::Result(_) | Home::Input => String::new(),
        };
        let vars = &mut self.vars;
        *self
            .by_home
            .entry(home)
            .or_insert_with(|| vars.all.push(VarInfo { name, home, range: Interval::BIT, mode: Mode::Signed, bits: 1 }))
    }

    /// What a thread returns, if anybody asks and it returns anything.
    pub fn result(&mut self, thread: ThreadId) -> Result<Option<Var>, Refused> {
        if !self.asked.contains(thread.index()) {
            return Ok(None);
        }
        let program = &self.unfolded.program;
        let function = &program.functions[self.unfolded.threads[thread].func];
        let mut types: Vec<Ty> = Vec::new();
        for block in function.blocks.values() {
            if let Term::Return(Some(value)) | Term::ExitThread(Some(value)) = &block.term {
                types.push(function.type_of(program, value, None));
            }
        }
        types.dedup_by_key(|ty| program.bits_of(*ty));
        let pos = function.pos;
        match types[..] {
            [] => Ok(None),
            [ty] => {
                let (bits, mode) = (program.bits_of(ty), self.modes.result(thread));
                let name = format!("{}.result", self.threads[thread]);
                let home = Home::Result(thread);
                self.make(home, |cx| cx.number(name, home, bits, mode, None, pos)).map(Some)
            }
            _ => Err(Refused::Unsupported(Note { pos, what: "a thread that returns values of several types".into() })),
        }
    }

    /// The content of a variable.
    pub fn value_of(&self, var: Var) -> Value {
        let info = &self.vars.all[var];
        Value::of(var.into(), info.mode, info.bits)
    }

    /// What a variable holds at first; nothing if it may be anything.
    pub fn initial(&self, var: Var) -> Option<i128> {
        let info = &self.vars.all[var];
        match info.home {
            Home::Cell(piece) => self.memory.initial(piece).map(|value| info.mode.read(value, info.bits)),
            // Not looked at before it is written.
            Home::Register(..) | Home::Argument(..) | Home::Result(_) => Some(info.range.nearest(0)),
            Home::Started(_) | Home::Ended(_) | Home::Pc(_) | Home::Failed => Some(0),
            Home::Input => None,
        }
    }
}
