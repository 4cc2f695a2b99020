//! Watches the interpreter and notes what each line of the user's program does.

use super::effect::{self, Effect, Effects, Target};
use super::names::{Made, Object, Objects, Span, Value, View};
use super::{Call, Failure, Item, Position, Sources, StoryStep};
use base::Pos;
use claim::Watcher;
use ir::interp::{Code, Location, Machine, Next, Stepped, Tid};
use ir::{AllocKind, Callee, Expr, FuncId, Input, InstKind, Program, Reg, Role, Ty};
use rustc_hash::{FxHashMap, FxHashSet};

/// A stretch of instructions of one thread on one line.
struct Line {
    thread: usize,
    pos: Pos,
    func: FuncId,
    depth: usize,
    effects: Effects,
}

/// What must be looked at before the instruction runs.
#[derive(Default)]
struct Before {
    access: Option<(Span, Location, u128)>,
    freed: Option<Object>,
    /// Where freed blocks were whose place a new one may take.
    places: Vec<u64>,
    joined: Option<usize>,
    pos: Pos,
    func: Option<FuncId>,
    depth: usize,
    /// Inside the model of a library.
    model: bool,
}

/// A thread of the execution.
struct Thread {
    function: String,
    running: bool,
}

pub struct Recorder<'p> {
    code: &'p Code<'p>,
    program: &'p Program,
    objects: Objects<'p>,
    threads: Vec<Thread>,
    /// The thread that has, or had last, this index of the machine.
    by_tid: FxHashMap<Tid, usize>,
    lines: Vec<Line>,
    before: Before,
    /// Places that hold handles of threads: their numbers mean nothing to the reader.
    handles: FxHashSet<(Object, u64)>,
    /// Places that have been seen to be locks.
    locks: FxHashSet<(Object, u64)>,
    failure: Option<(usize, u32, Vec<u32>)>,
}

impl<'p> Recorder<'p> {
    pub fn new(code: &'p Code<'p>) -> Self {
        let mut recorder = Recorder {
            code,
            program: code.program,
            objects: Objects::new(code),
            threads: Vec::new(),
            by_tid: FxHashMap::default(),
            lines: Vec::new(),
            before: Before::default(),
            handles: FxHashSet::default(),
            locks: FxHashSet::default(),
            failure: None,
        };
        recorder.start(0, code.program.entry);
        recorder
    }

    fn start(&mut self, tid: Tid, func: FuncId) -> usize {
        let function = user_function(self.program, func);
        self.threads.push(Thread { function, running: true });
        self.by_tid.insert(tid, self.threads.len() - 1);
        self.threads.len() - 1
    }

    /// The threads' names, the lines in words, and the violated assertion.
    pub fn finish(mut self, sources: &mut Sources) -> (Vec<String>, Vec<(Item, bool)>, Option<Failure>) {
        let threads = thread_names(&self.threads);
        let made = self.objects.names();
        let mut items = Vec::new();
        let lines = std::mem::take(&mut self.lines);
        let last = lines.len().wrapping_sub(1);
        for (index, line) in lines.into_iter().enumerate() {
            let effects = line.effects.finish(&self.objects);
            let is_end = index == last && self.failure.is_some();
            if effects.is_empty() && !is_end {
                continue;
            }
            let view = View { thread: line.thread, func: line.func, threads: &threads, made: &made };
            let local = !is_end && effects.iter().all(|effect| effect::is_local(effect, &self.objects, line.thread));
            let mut effects: Vec<String> =
                effects.iter().map(|effect| effect::show(effect, self.program, &self.objects, view)).collect();
            effects.dedup();
            let file = self.file(line.pos);
            let step = StoryStep {
                thread: line.thread,
                statement: sources.statement(&file, line.pos.line, line.pos.column),
                file,
                line: line.pos.line,
                function: self.program.functions[line.func].name.clone(),
                effects,
            };
            items.push((Item::StoryStep(step), local));
        }
        let failure = self.failure.as_ref().map(|(thread, pc, stack)| self.describe(*thread, *pc, stack));
        (threads, items, failure)
    }

    fn file(&self, pos: Pos) -> String {
        self.program.files.get(pos.file).filter(|_| !pos.is_none()).cloned().unwrap_or_default()
    }

    /// The violated assertion, as the user's code has it: one inside the model stands where the model was called.
    fn describe(&self, thread: usize, pc: u32, stack: &[u32]) -> Failure {
        let failed = self.code.inst(pc).map(|inst| &inst.kind);
        let (check, message) = if let Some(InstKind::Assert { check, message, .. }) = failed {
            (*check, message.clone())
        } else {
            Default::default()
        };
        let frames: Vec<(FuncId, Pos)> = stack
            .iter()
            .rev()
            .map(|pc| (self.code.points[*pc as usize].func, self.code.pos(*pc)))
            .filter(|(func, pos)| !self.program.functions[*func].model && !pos.is_none())
            .collect();
        let name = |func: FuncId| self.program.functions[func].name.clone();
        let here = (self.code.points[pc as usize].func, self.code.pos(pc));
        let (func, pos) = frames.first().copied().unwrap_or(here);
        let calls = frames
            .iter()
            .skip(1)
            .map(|(func, pos)| Call { file: self.file(*pos), line: pos.line, function: name(*func) })
            .collect();
        let Pos { line, column, .. } = pos;
        let at = Position { file: self.file(pos), line, column, function: name(func), message };
        Failure { check, thread, at, calls }
    }

    /// Adds an effect at the line the thread is on.
    fn note(&mut self, thread: usize, effect: Option<Effect>) {
        let Some(func) = self.before.func else { return };
        self.note_at(thread, self.before.pos, func, self.before.depth, effect);
    }

    fn note_at(&mut self, thread: usize, pos: Pos, func: FuncId, depth: usize, effect: Option<Effect>) {
        let place = |pos: Pos, func, depth| (pos.file, pos.line, func, depth);
        let same = |line: &Line| {
            let is_there = place(line.pos, line.func, line.depth) == place(pos, func, depth);
            line.thread == thread && (pos.is_none() || is_there)
        };
        if !self.lines.last().is_some_and(same) {
            if pos.is_none() {
                return;
            }
            self.lines.push(Line { thread, pos, func, depth, effects: Effects::default() });
        }
        if let (Some(line), Some(effect)) = (self.lines.last_mut(), effect) {
            line.effects.add(effect);
        }
    }

    /// What the register holds, as it is declared.
    fn register(&mut self, machine: &Machine<'_>, tid: Tid, func: FuncId, reg: Reg) -> Value {
        let data = &self.program.functions[func].regs[reg];
        self.objects.value(machine.register(tid, reg), data.ty, data.layout.as_ref())
    }

    /// A change of a register, if it is a variable of the user's that is not in memory.
    fn change(&mut self, machine: &Machine<'_>, tid: Tid, func: FuncId, reg: Reg) -> Option<Effect> {
        let function = &self.program.functions[func];
        let data = &function.regs[reg];
        if function.model || !data.user {
            return None;
        }
        let value = self.register(machine, tid, func, reg);
        Some(Effect::Set { target: Target::Local(user_name(&data.name)), value, was: None, input: None })
    }

    /// An update of something a library keeps to itself.  A word in which threads leave their mark is a lock; what other
    /// words mean is anybody's guess, but a small number is a count.
    fn library(&mut self, thread: usize, place: Span, old: u128, new: u128, by_owner: bool) {
        let key = (place.object, place.offset);
        if by_owner {
            self.locks.insert(key);
        }
        let is_lock = self.locks.contains(&key);
        let effect = match (is_lock, old == new) {
            (true, true) if old == 0 => None,
            (true, true) => Some(Effect::Busy(place)),
            (true, false) if old < new => Some(Effect::Lock(place)),
            (true, false) => Some(Effect::Unlock(place)),
            (false, true) => None,
            (false, false) if old < 1000 && new < 1000 => {
                let value = |bits| Value::Int { bits, width: 32, unsigned: true };
                let (target, was) = (Target::Span(place), Some(value(old)));
                Some(Effect::Set { target, value: value(new), was, input: None })
            }
            (false, false) => Some(Effect::Changes(place)),
        };
        if effect.is_some() {
            self.note(thread, effect);
        }
    }

    fn write(&mut self, machine: &Machine<'_>, thread: usize, ty: Ty) {
        let Some((place, location, old)) = self.before.access else { return };
        if self.objects.is_internal(place.object) || self.objects.is_private(place) {
            return;
        }
        let bits = machine.read(location, place.size as u32);
        let value = self.objects.value_at(place, bits, ty);
        let was = self.objects.value_at(place, old, ty);
        let was = self.objects.write(place).then_some(was);
        if self.is_handle(place, bits) {
            self.handles.insert((place.object, place.offset));
            return;
        }
        self.handles.remove(&(place.object, place.offset));
        self.note(thread, Some(Effect::Set { target: Target::Span(place), value, was, input: None }));
    }

    /// Is this the handle of the thread that was started on this very line?
    fn is_handle(&self, place: Span, bits: u128) -> bool {
        let started = |effect: &Effect| {
            matches!(effect, Effect::Start(child)
                if self.by_tid.iter().any(|(tid, thread)| thread == child && bits == *tid as u128 + 1))
        };
        place.size >= 4 && self.lines.last().is_some_and(|line| line.effects.last().is_some_and(started))
    }

    fn read(&mut self, thread: usize, bits: u128, ty: Ty) {
        let Some((place, ..)) = self.before.access else { return };
        let hidden = self.objects.is_internal(place.object)
            || self.objects.is_private(place)
            || self.objects.is_constant(place.object)
            || self.objects.is_own(place.object, thread)
            || self.handles.contains(&(place.object, place.offset));
        // The value may tell what a heap object is, even where it is not shown.
        let value = self.objects.value_at(place, bits, ty);
        if !hidden {
            self.note(thread, Some(Effect::Read { place, value }));
        }
    }

    fn instruction(&mut self, machine: &Machine<'_>, tid: Tid, thread: usize, pc: u32, inputs: &[u128]) {
        let func = self.code.points[pc as usize].func;
        let Some(inst) = self.code.inst(pc) else { return self.terminator(machine, tid, thread) };
        match &inst.kind {
            InstKind::Load { dst, ty, .. } => {
                if let Some(bits) = inputs.first()
                    && let Some((place, ..)) = self.before.access
                {
                    let value = self.objects.value_at(place, *bits, *ty);
                    self.objects.write(place);
                    let input = Some("uninitialised".to_string());
                    let target = Target::Span(place);
                    self.note(thread, Some(Effect::Set { target, value, was: None, input }));
                }
                self.read(thread, machine.register(tid, *dst), *ty);
            }
            InstKind::Store { ty, .. } => self.write(machine, thread, *ty),
            InstKind::Update { ty, when, set, role, .. } => {
                let Some((place, location, old)) = self.before.access else { return };
                let new = machine.read(location, place.size as u32);
                let by_owner =
                    [when, set].into_iter().flatten().any(|expr| expr.any(&mut |part| *part == Expr::CurrentThread));
                match role {
                    Role::Lock => self.note(thread, Some(Effect::Lock(place))),
                    Role::Unlock => self.note(thread, Some(Effect::Unlock(place))),
                    Role::Plain if self.objects.is_private(place) => self.library(thread, place, old, new, by_owner),
                    Role::Plain if set.is_some() && new != old => self.write(machine, thread, *ty),
                    Role::Plain => self.read(thread, old, *ty),
                }
            }
            InstKind::Havoc { dst, input } => {
                let value = self.register(machine, tid, func, *dst);
                self.note(thread, Some(Effect::Input { source: source_name(input), value }));
            }
            InstKind::Alloc { dst, kind, name, layout, .. } => {
                let address = machine.register(tid, *dst) as u64;
                let size = machine.size_at(address).unwrap_or(0);
                let taken = self.before.places.contains(&address);
                let freed = self.objects.target(address).map(|(object, _)| object).filter(|_| taken);
                let (kind, name, layout, written) = (*kind, name.clone(), layout.clone(), FxHashSet::default());
                let made = Made { kind, name, layout, base: None, thread, func, size, ended: false, written };
                if let (Some(object), AllocKind::Heap) = (self.objects.make(address, made), kind) {
                    self.note(thread, Some(Effect::Allocate { object, freed }));
                }
            }
            InstKind::Free { .. } => {
                if let Some(object) = self.before.freed {
                    self.objects.end(object);
                    self.note(thread, Some(Effect::Free(object)));
                }
            }
            // What it returns is there when it returns.
            InstKind::Call { .. } => return self.call(machine, tid, thread),
            InstKind::Spawn { .. } => {
                let is_new = |tid: &Tid| {
                    machine.is_running(*tid) && !self.by_tid.get(tid).is_some_and(|index| self.threads[*index].running)
                };
                if let Some(child) = (0..machine.thread_count()).find(is_new) {
                    let func = self.code.points[machine.pc(child) as usize].func;
                    let started = self.start(child, func);
                    self.note(thread, Some(Effect::Start(started)));
                }
                // The numbers of handles mean nothing to the reader.
                return;
            }
            InstKind::Join { .. } => {
                if let Some(joined) = self.before.joined {
                    self.note(thread, Some(Effect::Join(joined)));
                }
            }
            InstKind::AtomicBegin => self.note(thread, Some(Effect::AtomicBegin)),
            InstKind::AtomicEnd => self.note(thread, Some(Effect::AtomicEnd)),
            InstKind::Assign { .. } | InstKind::Assume { .. } | InstKind::Assert { .. } => (),
            InstKind::Detach { .. } | InstKind::Fence { .. } | InstKind::Unsupported { .. } => (),
        }
        if let Some(dst) = inst.kind.dst()
            && let Some(effect) = self.change(machine, tid, func, dst)
        {
            self.note(thread, Some(effect));
        }
    }

    /// The callee's frame is the current one by now.
    fn call(&mut self, machine: &Machine<'_>, tid: Tid, thread: usize) {
        let func = self.code.points[machine.pc(tid) as usize].func;
        let function = &self.program.functions[func];
        if function.model || self.before.model {
            return;
        }
        let arg = |reg: &Reg| (user_name(&function.regs[*reg].name), self.register(machine, tid, func, *reg));
        let args = function.params.iter().map(arg).collect();
        self.note(thread, Some(Effect::Call { func, args }));
    }

    fn terminator(&mut self, machine: &Machine<'_>, tid: Tid, thread: usize) {
        let running = tid < machine.thread_count() && machine.is_running(tid);
        if !running {
            self.threads[thread].running = false;
            self.note(thread, Some(Effect::End));
            return;
        }
        // Back in a caller: the result may go into a variable of its.
        if machine.depth(tid) < self.before.depth {
            let call = machine.pc(tid).wrapping_sub(1);
            let func = self.code.points[machine.pc(tid) as usize].func;
            if let Some(InstKind::Call { dst: Some(dst), .. }) = self.code.inst(call).map(|inst| &inst.kind)
                && let Some(effect) = self.change(machine, tid, func, *dst)
            {
                self.note_at(thread, self.code.pos(call), func, machine.depth(tid), Some(effect));
            }
        }
    }
}

impl Watcher for Recorder<'_> {
    fn before(&mut self, machine: &Machine<'_>, tid: Tid) {
        let is_user = |pc: &u32| {
            let point = self.code.points[*pc as usize];
            !self.program.functions[point.func].model && !self.code.pos(*pc).is_none()
        };
        let pc = machine.pc(tid);
        let model = self.program.functions[self.code.points[pc as usize].func].model;
        // Steps inside the model stand at the call that led there; steps without a position where the last one was.
        let shown = if model { machine.stack(tid).rev().find(is_user) } else { Some(pc) };
        let mut before = Before { model, depth: machine.depth(tid), ..Before::default() };
        if let Some(shown) = shown {
            before.pos = self.code.pos(shown);
            before.func = Some(self.code.points[shown as usize].func);
            if model {
                before.depth = machine.stack(tid).position(|pc| pc == shown).map_or(before.depth, |index| index + 1);
            }
        }
        match machine.next(tid) {
            Next::Access { address, size, .. } => {
                if let Some((place, location)) = self.objects.place(machine, address, size) {
                    before.access = Some((place, location, machine.read(location, size as u32)));
                }
            }
            Next::Free { address } => before.freed = self.objects.target(address).map(|(object, _)| object),
            Next::Join(Some(target)) => before.joined = self.by_tid.get(&target).copied(),
            Next::Allocate => before.places = machine.places(tid),
            Next::Join(None) | Next::Detach | Next::Spawn | Next::AtomicBegin | Next::Leave | Next::Local => (),
        }
        self.before = before;
    }

    fn after(&mut self, machine: &Machine<'_>, tid: Tid, pc: u32, step: &Stepped, inputs: &[u128]) {
        let Some(thread) = self.by_tid.get(&tid).copied() else { return };
        match step {
            Stepped::Done => {
                self.note(thread, None);
                self.instruction(machine, tid, thread, pc, inputs);
            }
            Stepped::Violated => {
                self.note(thread, None);
                self.failure = Some((thread, pc, machine.stack(tid).collect()));
            }
            Stepped::Blocked | Stepped::Ended(_) | Stepped::Unsupported(_) => (),
        }
    }
}

/// The user's function that a thread runs, looking through what the model puts around it.
fn user_function(program: &Program, func: FuncId) -> String {
    let called = |inst: &ir::Inst| {
        let InstKind::Call { callee: Callee::Direct(target), .. } = inst.kind else { return None };
        Some(target)
    };
    let inner = |func: &FuncId| {
        let function = &program.functions[*func];
        if function.model { function.insts().find_map(called) } else { None }
    };
    let last = std::iter::successors(Some(func), inner).take(5).last();
    program.functions[last.unwrap_or(func)].name.clone()
}

/// Functions' names, numbered where several threads run the same.
fn thread_names(threads: &[Thread]) -> Vec<String> {
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    threads
        .iter()
        .map(|thread| {
            let name = thread.function.as_str();
            let several = threads.iter().filter(|other| other.function == name).count() > 1;
            let number = numbers.entry(name).or_default();
            *number += 1;
            if several { format!("{name}#{number}") } else { name.to_string() }
        })
        .collect()
}

/// A variable's name without the number that tells it from others of that name.
fn user_name(name: &str) -> String {
    let (base, number) = name.rsplit_once('.').unwrap_or((name, "x"));
    if !base.is_empty() && number.chars().all(|c| c.is_ascii_digit()) { base.into() } else { name.into() }
}

/// What an input is called.
fn source_name(input: &Input) -> String {
    match input {
        Input::Nondet(name) => format!("{}()", name.strip_prefix("__VERIFIER_").unwrap_or(name)),
        Input::Uninit(_) => "uninitialised".into(),
        Input::Extern(name) => format!("{name}()"),
        Input::Choice(what) => what.clone(),
    }
}
