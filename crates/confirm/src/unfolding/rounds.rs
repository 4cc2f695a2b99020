//! Rounds of loops that the unfolded program leaves out: they must change nothing.
//!
//! If a thread comes back to the head of a loop, and neither memory nor a register that is live there is different for it, and
//! it holds the locks that it held, then what it did in between can be left out of the execution (`passes::unfold::progress`
//! has the whole argument).  So at each place it is known, for the loops that the original is in, what its registers held at the
//! head, and which registers of the unfolded program *watch* the round: those that are true if memory has changed since.
//!
//! **What is believed.**  That the locks of `Unfolded::quiet_locks` are given back by their holder only and that nobody looks at them
//! but by waiting for them; and the argument for rounds that give back a lock which they held when they began.

use super::state::{State, Value, is_constant, mentions};
use super::{FAR, Validator};
use base::Id;
use facts::Cfg;
use ir::interp::Point;
use ir::liveness::Liveness;
use ir::{BinOp, BlockId, CastOp, Expr, Function, InstKind, Program, Reg, Role, Ty};
use rustc_hash::{FxHashMap, FxHashSet};

/// The heads of the loops of a function, with the registers that are live there.  Which blocks these are is a hint: a round
/// may be looked at from anywhere.
pub type Heads = FxHashMap<BlockId, Vec<Reg>>;

pub fn heads(function: &Function) -> Heads {
    let cfg = Cfg::new(function);
    let liveness = Liveness::compute(function);
    let live_at = |head: BlockId| {
        let mut live = Vec::new();
        liveness.walk_back(function, head, |inst, before, _| {
            if inst == 0 {
                live = before.iter().map(Reg::new).collect();
            }
        });
        live
    };
    let heads = function.blocks.ids().filter(|block| cfg.heads[*block]);
    heads.map(|head| (head, live_at(head))).collect()
}

/// What a step does to what other threads see.
pub enum Effect {
    /// If the condition holds, over registers of the unfolded program.
    Changes(Expr),
    /// Takes a lock, or begins an atomic section, or the reverse.
    Lock(Option<Expr>, i32),
}

/// What must still be done for a register to watch.
#[derive(Clone, PartialEq, Debug)]
enum Owed {
    Nothing,
    /// It must become true if this holds; it is false now, or nothing had changed before.
    Whole(Expr),
    /// It must become true if this holds, and stay so if it is.
    Also(Expr),
}

/// What memory is, compared with when the round began.
#[derive(Clone, PartialEq, Debug, Default)]
enum Memory {
    #[default]
    Same,
    Watched {
        registers: FxHashMap<Reg, Owed>,
        /// All other registers owe this.
        others: Option<Expr>,
    },
}

/// A round of a loop that is under way.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Round {
    head: Vec<Point>,
    /// What the live registers held at the head, said in as many ways as possible.
    before: FxHashMap<Reg, Vec<Expr>>,
    /// The registers that have been written since.
    written: FxHashSet<Reg>,
    memory: Memory,
    /// Locks taken (1) or given back (-1) since, by address; no address is an atomic section.
    locks: Vec<(Option<Expr>, i32)>,
    /// The round before, as long as this one has done nothing.
    last: Option<Box<Round>>,
}

impl Memory {
    fn unknown() -> Self {
        Memory::Watched { registers: FxHashMap::default(), others: None }
    }

    fn change(&mut self, condition: &Expr, known: &FxHashMap<Reg, Expr>) {
        let is = |reg: &Reg, truth: bool| known.get(reg) == Some(&Expr::bool(truth));
        match self {
            Memory::Same => {
                let all_true = known.keys().filter(|reg| is(reg, true)).map(|reg| (*reg, Owed::Nothing));
                *self = Memory::Watched { registers: all_true.collect(), others: Some(condition.clone()) };
            }
            Memory::Watched { registers, others } => {
                registers.retain(|reg, owed| match owed {
                    _ if is(reg, true) => true,
                    Owed::Nothing => {
                        *owed = if is(reg, false) { Owed::Whole } else { Owed::Also }(condition.clone());
                        true
                    }
                    Owed::Whole(before) | Owed::Also(before) => before == condition,
                });
                others.take_if(|before| before != condition);
            }
        }
    }

    fn owed(&self, reg: Reg) -> Option<Owed> {
        match self {
            Memory::Same => Some(Owed::Nothing),
            Memory::Watched { registers, others } => {
                registers.get(&reg).cloned().or_else(|| others.clone().map(Owed::Whole))
            }
        }
    }

    /// A register is written.
    fn overwrite(&mut self, reg: Reg) {
        if let Memory::Watched { registers, others } = self {
            // Nobody owes what cannot be said any more, and this one does not watch.
            registers.retain(|other, owed| {
                *other != reg && !matches!(owed, Owed::Whole(it) | Owed::Also(it) if mentions(it, reg))
            });
            others.take_if(|it| mentions(it, reg));
        }
    }

    /// The register, which owed this, was given the value.
    fn assigned(&mut self, reg: Reg, owed: Option<Owed>, value: &Expr) {
        let Memory::Watched { registers, .. } = self else { return };
        let parts = disjuncts(value);
        let has = |part: &Expr| parts.contains(&part);
        let watches = *value == Expr::bool(true)
            || match owed {
                None => false,
                Some(Owed::Nothing) => has(&Expr::Reg(reg)),
                Some(Owed::Whole(it)) => has(&it),
                Some(Owed::Also(it)) => has(&it) && has(&Expr::Reg(reg)),
            };
        if watches {
            registers.insert(reg, Owed::Nothing);
        }
    }

    /// What holds whichever of two ways was taken.
    fn common(&self, other: &Memory) -> Memory {
        let (Memory::Watched { registers, others }, Memory::Watched { registers: theirs, others: their_others }) =
            (self, other)
        else {
            // Where nothing has changed every register watches.
            return if *self == Memory::Same { other.clone() } else { self.clone() };
        };
        let mut common = FxHashMap::default();
        for reg in registers.keys().chain(theirs.keys()) {
            let owed = match (self.owed(*reg), other.owed(*reg)) {
                (Some(one), Some(other)) if one == other => one,
                (Some(Owed::Nothing), Some(Owed::Whole(it) | Owed::Also(it)))
                | (Some(Owed::Whole(it) | Owed::Also(it)), Some(Owed::Nothing)) => Owed::Also(it),
                (Some(Owed::Whole(one) | Owed::Also(one)), Some(Owed::Whole(other) | Owed::Also(other)))
                    if one == other =>
                {
                    Owed::Also(one)
                }
                _ => continue,
            };
            common.insert(*reg, owed);
        }
        Memory::Watched { registers: common, others: others.clone().filter(|it| their_others.as_ref() == Some(it)) }
    }
}

impl Round {
    /// How many calls it is in, the thread itself included.
    pub fn depth(&self) -> usize {
        self.head.len()
    }

    fn touch(&mut self, lock: &Option<Expr>, change: i32) {
        match self.locks.iter_mut().find(|(other, _)| other == lock) {
            Some((_, balance)) => *balance += change,
            None => self.locks.push((lock.clone(), change)),
        }
        self.locks.retain(|(_, balance)| *balance != 0);
    }

    /// A register of the unfolded program is overwritten.
    pub fn overwrite(&mut self, reg: Reg) {
        self.before.values_mut().for_each(|forms| forms.retain(|form| !mentions(form, reg)));
        self.memory.overwrite(reg);
        if self.locks.iter().any(|(lock, _)| lock.as_ref().is_some_and(|lock| mentions(lock, reg))) {
            self.memory = Memory::unknown();
        }
        self.last.iter_mut().for_each(|last| last.overwrite(reg));
    }

    /// A register of the unfolded program has this value now.
    fn copied(&mut self, reg: Reg, value: &Expr) {
        self.before.values_mut().filter(|forms| forms.contains(value)).for_each(|forms| forms.push(Expr::Reg(reg)));
        self.last.iter_mut().for_each(|last| last.copied(reg, value));
    }

    /// What was computed before it was known that it is a constant.
    pub fn note_constants(&mut self, image: &impl Fn(&Expr) -> Expr) {
        for forms in self.before.values_mut().filter(|forms| !forms.iter().any(is_constant)) {
            let constant = forms.iter().map(image).find(is_constant);
            forms.extend(constant);
        }
        self.last.iter_mut().for_each(|last| last.note_constants(image));
    }

    fn common(&self, other: &Round) -> Round {
        let mut before = self.before.clone();
        for (reg, forms) in &mut before {
            forms.retain(|form| other.before.get(reg).is_some_and(|theirs| theirs.contains(form)));
        }
        let memory = if self.locks == other.locks { self.memory.common(&other.memory) } else { Memory::unknown() };
        let last = self.last.as_ref().zip(other.last.as_ref()).map(|(one, other)| Box::new(one.common(other)));
        let written = self.written.union(&other.written).copied().collect();
        Round { head: self.head.clone(), before, written, memory, locks: self.locks.clone(), last }
    }
}

/// The rounds that are under way on both ways.
pub fn common(ours: &[Round], theirs: &[Round]) -> Vec<Round> {
    let both = |round: &Round| Some(round.common(theirs.iter().find(|other| other.head == round.head)?));
    ours.iter().filter_map(both).collect()
}

impl State {
    /// A register of the unfolded program gets a value, which may mention what it held before.
    pub fn assigned(&mut self, reg: Reg, value: &Expr) {
        let owed: Vec<Option<Owed>> = self.memories().map(|memory| memory.owed(reg)).collect();
        self.overwrite(reg);
        self.memories().zip(owed).for_each(|(memory, owed)| memory.assigned(reg, owed, value));
        if !mentions(value, reg) {
            self.copies.insert(reg, value.clone());
            self.rounds.iter_mut().for_each(|round| round.copied(reg, value));
        }
    }

    fn memories(&mut self) -> impl Iterator<Item = &mut Memory> {
        self.rounds.iter_mut().flat_map(|round| {
            [Some(&mut round.memory), round.last.as_mut().map(|last| &mut last.memory)].into_iter().flatten()
        })
    }

    /// The original writes a register of its innermost call.
    pub fn note_written(&mut self, reg: Reg) {
        let depth = self.frames.len();
        let here = self.rounds.iter_mut().filter(|round| round.depth() == depth);
        here.for_each(|round| _ = round.written.insert(reg));
    }

    pub fn note_effect(&mut self, effect: &Effect) {
        for round in &mut self.rounds {
            round.last = None;
            match effect {
                Effect::Changes(condition) => round.memory.change(condition, &self.known),
                Effect::Lock(lock, change) => round.touch(lock, *change),
            }
        }
    }
}

impl Validator<'_> {
    /// The original has come to the start of a block: another round of a loop may begin.
    pub(super) fn note_head(&self, state: &mut State) {
        let Some(live) = self.heads.get(&state.point().func).and_then(|heads| heads.get(&state.point().block)) else {
            return;
        };
        let head = state.place();
        let State { frames, copies, .. } = &*state;
        let Some(values) = frames.last().map(|frame| &frame.values) else { return };
        let forms = |value: &Value| {
            let constant = value.expr.as_ref().map(|expr| self.image(state, expr)).filter(is_constant);
            let mut forms: Vec<Expr> = value.forms().cloned().chain(constant).collect();
            let same = copies.iter().filter(|(_, held)| value.is(held)).map(|(copy, _)| Expr::Reg(*copy));
            forms.extend(same);
            forms
        };
        let before = live.iter().filter_map(|reg| Some((*reg, forms(values.get(reg)?)))).collect();
        let at = state.rounds.iter().position(|round| round.head == head);
        let last = at.map(|at| Box::new(Round { last: None, ..state.rounds.remove(at) }));
        state.rounds.push(Round { head, before, last, ..Round::default() });
    }

    /// What an instruction that both programs execute does; the original is at the point.
    pub(super) fn effect(&self, point: Point, kind: &InstKind) -> Option<Effect> {
        match kind {
            InstKind::AtomicBegin | InstKind::AtomicEnd => Some(Effect::Lock(None, kind.nesting())),
            InstKind::Update { set: None, .. } => None,
            InstKind::Update { role: role @ (Role::Lock | Role::Unlock), addr, .. }
                if self.unfolded.quiet_locks.contains(&point) =>
            {
                Some(Effect::Lock(Some(addr.clone()), if *role == Role::Lock { 1 } else { -1 }))
            }
            InstKind::Update { dst: Some(dst), ty, set: Some(set), .. } => {
                let mut written = set.clone();
                written.for_each_mut(&mut |part| {
                    if *part == Expr::Old {
                        *part = Expr::Reg(*dst);
                    }
                });
                let written = ir::fold::fold(self.program, written);
                Some(Effect::Changes(differ(self.program, *ty, written, Expr::Reg(*dst))))
            }
            InstKind::Update { dst: None, .. }
            | InstKind::Store { .. }
            | InstKind::Alloc { .. }
            | InstKind::Free { .. }
            | InstKind::Spawn { .. }
            | InstKind::Join { .. }
            | InstKind::Detach { .. }
            | InstKind::Call { .. } => Some(Effect::Changes(Expr::bool(true))),
            InstKind::Assign { .. } | InstKind::Load { .. } | InstKind::Havoc { .. } => None,
            InstKind::Assume { .. } | InstKind::Assert { .. } | InstKind::Fence { .. } => None,
            InstKind::Unsupported { .. } => None,
        }
    }

    /// May the execution be left out where the condition does not hold, since the original has gone round a loop for
    /// nothing, or is about to?
    pub(super) fn may_leave_out(&self, state: &State, unless: &Expr) -> bool {
        let unless = self.image(state, unless);
        let parts = disjuncts(&unless);
        let mut ahead = state.clone();
        for _ in 0..FAR {
            if ahead.rounds.iter().any(|round| self.was_idle(&ahead, round, &parts)) {
                return true;
            }
            if !self.step_alone(&mut ahead) {
                break;
            }
        }
        false
    }

    /// Has the last round changed nothing, if none of these holds?
    fn was_idle(&self, state: &State, now: &Round, unless: &[&Expr]) -> bool {
        let Some(last) = &now.last else { return false };
        let unwatched = match &last.memory {
            Memory::Same => false,
            Memory::Watched { registers, .. } => {
                let mut watching = registers.iter().filter(|(_, owed)| **owed == Owed::Nothing).map(|(reg, _)| reg);
                !watching
                    .any(|reg| unless.contains(&&Expr::Reg(*reg)) || state.known.get(reg) == Some(&Expr::bool(false)))
            }
        };
        let Some(head) = now.head.last().filter(|_| last.locks.is_empty() && !unwatched) else { return false };
        let written = |reg: &&Reg| last.written.contains(*reg);
        self.heads[&head.func][&head.block].iter().filter(written).all(|reg| {
            let (Some(before), Some(after)) = (last.before.get(reg), now.before.get(reg)) else { return false };
            let ty = self.program.functions[head.func].ty(*reg);
            before.iter().any(|before| {
                after.iter().any(|after| {
                    let differs = self.image(state, &differ(self.program, ty, after.clone(), before.clone()));
                    after == before || differs == Expr::bool(false) || unless.contains(&&differs)
                })
            })
        })
    }
}

/// Says that two values of a type are not the same, bit by bit.
fn differ(program: &Program, ty: Ty, one: Expr, other: Expr) -> Expr {
    let number = Ty::Int(program.bits_of(ty) as u8);
    let bits = |value: Expr| if ty.is_float() { Expr::cast(CastOp::Bits, number, value) } else { value };
    ir::fold::fold(program, Expr::bin(BinOp::Ne, bits(one), bits(other)))
}

fn disjuncts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Bin(BinOp::Or, left, right) => disjuncts(left).into_iter().chain(disjuncts(right)).collect(),
        other => vec![other],
    }
}
