//! One state of a running program, and the step of one thread.

use super::code::{Code, Env, Ex, Op, Pc, Slot, Target};
use super::memory::*;
use crate::eval::Fault;
use crate::program::*;
use std::sync::Arc;

/// Index of a thread; 0 is the first.  Its handle is one more.
pub type Tid = usize;

/// The deepest stack, in words, before a run is given up: recursion without end must not eat the memory.
const STACK_WORDS: usize = 1 << 18;
/// The most threads alive at once; tables of the model have room for as many.
const THREADS: usize = 2048;

/// What became of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stepped {
    Done,
    /// Not enabled: nothing has changed.
    Blocked,
    /// The assertion at the thread's pc failed.
    Violated,
    /// The execution ends here, without a violation of an assertion.
    Ended(End),
    /// What comes next is beyond what can be interpreted: the answer is unknown.
    Unsupported(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The program has ended by `exit`, or by the return of `main`.
    Halted,
    /// An assumption does not hold.
    Assumption,
    Memory(MemoryError),
    Arithmetic(Fault),
    /// Control reached a place that C says it does not.
    Unreachable,
}

impl End {
    /// Ends that speak of a defect of the program, for the notes.
    pub fn describe(self) -> Option<&'static str> {
        match self {
            End::Halted | End::Assumption => None,
            End::Memory(error) => Some(error.describe()),
            End::Arithmetic(Fault::DivisionByZero) => Some("division by zero"),
            End::Arithmetic(Fault::DivisionOverflow) => Some("division overflows"),
            End::Unreachable => Some("undefined behaviour (control reaches an unreachable place)"),
        }
    }
}

/// A value the program leaves open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Any value of this many bits.
    pub bits: u32,
    /// The operation that asks.
    pub pc: Pc,
    pub what: Open,
}

/// Whoever gives the values that are left open.
pub type Choose<'a> = &'a mut dyn FnMut(Choice) -> u128;

/// What is left open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Open {
    /// An input of the program.
    Input,
    /// Memory that is read before it was written.
    Uninit,
    /// Whose place a new heap block takes: 0 for a new place, else the n-th of this many freed blocks, in the order of their
    /// names.
    Place(u32),
    /// Whose handle a new thread gets: 0 for a new one, else the n-th of this many that threads had, in ascending order.
    Handle(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ThreadStatus {
    Running = 0,
    /// Has ended and waits to be joined.
    Ended = 1,
    /// The index can be used again.
    #[default]
    Free = 2,
    /// Will never move again: see [`Machine::give_up`].
    Stuck = 3,
}

#[derive(Clone, Default, Debug)]
pub(super) struct Thread {
    pub(super) status: ThreadStatus,
    pub(super) detached: bool,
    pub(super) atomic: u32,
    pub(super) result: u128,
    /// Frames one after the other: a header word with the pc, then the registers.
    pub(super) words: Vec<u64>,
    pub(super) frames: Vec<u32>,
    /// Stack objects: depth of the frame they belong to, and the index of their name.
    pub(super) locals: Vec<(u32, u32)>,
    pub(super) tls: Vec<u64>,
    pub(super) dirty: bool,
    pub(super) saved: u32,
}

impl Thread {
    pub(super) fn new() -> Self {
        Thread { dirty: true, ..Thread::default() }
    }
    /// Takes out what only a thread that runs has, and its result.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.frames.clear();
        self.locals.clear();
        self.tls.clear();
        self.result = 0;
    }
    fn base(&self) -> usize {
        self.frames.last().map_or(0, |base| *base as usize)
    }
    /// The header and the registers of its current function.
    fn frame(&self) -> &[u64] {
        &self.words[self.base()..]
    }
    fn frame_mut(&mut self) -> &mut [u64] {
        let base = self.base();
        &mut self.words[base..]
    }
}

/// One state.
#[derive(Clone)]
pub struct Machine<'c> {
    pub code: &'c Code<'c>,
    pub(super) statics: Vec<u64>,
    constants: Arc<[u64]>,
    pub(super) threads: Vec<Thread>,
    pub(super) dynamics: Vec<Option<Box<Dynamic>>>,
    pub(super) dynamics_saved: Vec<u32>,
    /// For each row of names how many, from the first on, belong to objects that are alive: where to look for a free one.
    pub(super) alive_below: [u32; ROWS as usize],
    pub(super) statics_saved: Vec<u32>,
}

/// In the `saved` tables: changed since it was stored.
pub(super) const DIRTY: u32 = u32::MAX;
/// Statics are stored in pieces of this many words.
pub(super) const CHUNK: usize = 32;

impl<'c> Machine<'c> {
    /// The initial state: one thread at the program's entry.
    pub fn new(code: &'c Code<'c>) -> Self {
        let mut statics = vec![0; code.space.writable.div_ceil(8) as usize];
        let mut constants = Vec::new();
        for (id, object) in code.program.objects.iter().filter(|(_, object)| !object.thread_local) {
            let start = code.space.start_of(id);
            if object.constant {
                constants.resize(constants.len().max((start + object.size).div_ceil(8) as usize), 0);
                write_init(&code.space, code.program, &mut constants, start, object);
            } else {
                write_init(&code.space, code.program, &mut statics, start, object);
            }
        }
        let chunks = statics.len().div_ceil(CHUNK);
        let mut machine = Machine {
            code,
            statics,
            constants: constants.into(),
            threads: Vec::new(),
            dynamics: Vec::new(),
            dynamics_saved: Vec::new(),
            alive_below: Default::default(),
            statics_saved: vec![DIRTY; chunks],
        };
        machine.start_thread(None, code.program.entry, &[]);
        machine
    }

    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }
    pub fn status(&self, tid: Tid) -> ThreadStatus {
        self.threads[tid].status
    }
    /// Also false for an index that no thread has any more.
    pub fn is_running(&self, tid: Tid) -> bool {
        self.threads.get(tid).is_some_and(|thread| thread.status == ThreadStatus::Running)
    }
    /// The operation a running thread will execute next.
    pub fn pc(&self, tid: Tid) -> Pc {
        self.threads[tid].frame()[0] as Pc
    }
    /// The pcs of all frames, outermost first: those that wait stand at their call.
    pub fn stack(&self, tid: Tid) -> impl DoubleEndedIterator<Item = Pc> + '_ {
        let thread = &self.threads[tid];
        thread.frames.iter().map(|base| thread.words[*base as usize] as Pc)
    }
    pub fn depth(&self, tid: Tid) -> usize {
        self.threads[tid].frames.len()
    }
    /// The thread inside an atomic section, if there is one: nobody else may run.
    pub fn atomic_owner(&self) -> Option<Tid> {
        self.threads.iter().position(|thread| thread.atomic > 0 && thread.status == ThreadStatus::Running)
    }
    pub fn in_atomic(&self, tid: Tid) -> bool {
        self.threads.get(tid).is_some_and(|thread| thread.atomic > 0)
    }
    /// Will nobody join it?
    pub fn is_detached(&self, tid: Tid) -> bool {
        self.threads[tid].detached
    }
    /// A register of the thread's current function.
    pub fn register(&self, tid: Tid, reg: Reg) -> u128 {
        let frame = self.threads[tid].frame();
        let slot = self.code.shapes[self.code.points[frame[0] as usize].func].slots[reg];
        let low = u128::from(frame[slot.word as usize]);
        if slot.wide { low | u128::from(frame[slot.word as usize + 1]) << 64 } else { low }
    }

    /// The thread's next step would end the execution, so in an execution that goes on it never takes it.  From here on it
    /// stands still: what it did remains done, the locks it holds remain held.  Its pointers to run-time objects remain too,
    /// in place of its registers: the names of those objects are not free, as they would not be if it stood still by chance.
    pub fn give_up(&mut self, tid: Tid) {
        let space = &self.code.space;
        let objects = self.held_objects(&self.threads[tid]);
        let mut objects: Vec<u64> = objects.map(|index| space.dynamic_address(index)).collect();
        objects.sort_unstable();
        objects.dedup();
        let thread = &mut self.threads[tid];
        thread.clear();
        thread.words = objects;
        thread.status = ThreadStatus::Stuck;
        thread.dirty = true;
    }

    /// Takes thread `tid` one operation further.  `choose` is asked for every value the program leaves open.
    pub fn step(&mut self, tid: Tid, choose: Choose<'_>) -> Stepped {
        self.execute(tid, choose).err().unwrap_or(Stepped::Done)
    }

    /// An error says why the step could not be completed.
    fn execute(&mut self, tid: Tid, choose: Choose<'_>) -> Result<(), Stepped> {
        let code = self.code;
        let pc = self.pc(tid);
        let mut next = pc + 1;
        match &code.ops[pc as usize] {
            Op::Assign { dst, value } => {
                let value = self.eval(tid, value)?;
                self.set(tid, *dst, value);
            }
            Op::Load { dst, size, bits, addr } => {
                let address = self.eval(tid, addr)? as u64;
                let location = self.locate(address, u64::from(*size))?;
                let value = self.read_or_choose(location, *size, pc, choose);
                self.set(tid, *dst, mask(value, *bits));
            }
            Op::Store { size, addr, value } => {
                let address = self.eval(tid, addr)? as u64;
                let value = self.eval(tid, value)?;
                let location = self.locate(address, u64::from(*size))?;
                self.write(location, *size, value)?;
            }
            Op::Update { dst, size, bits, addr, when, set, .. } => {
                let address = self.eval(tid, addr)? as u64;
                let location = self.locate(address, u64::from(*size))?;
                let old = mask(self.read_or_choose(location, *size, pc, choose), *bits);
                if let Some(when) = when
                    && when.eval(&self.env(tid, old))? == 0
                {
                    return Err(Stepped::Blocked);
                }
                if let Some(set) = set {
                    let value = set.eval(&self.env(tid, old))?;
                    self.write(location, *size, value)?;
                }
                if let Some(dst) = dst {
                    self.set(tid, *dst, old);
                }
            }
            Op::Havoc { dst, bits } => {
                let value = choose(Choice { bits: *bits, pc, what: Open::Input });
                self.set(tid, *dst, mask(value, *bits));
            }
            Op::Assume(cond) => {
                if self.eval(tid, cond)? == 0 {
                    return Err(Stepped::Ended(End::Assumption));
                }
            }
            Op::Assert(cond) => {
                if self.eval(tid, cond)? == 0 {
                    return Err(Stepped::Violated);
                }
            }
            Op::Alloc { dst, kind, size, zeroed } => {
                let size = self.eval(tid, size)?;
                let address = self.allocate(tid, *kind, pc, size, *zeroed, choose)?;
                self.set(tid, *dst, u128::from(address));
            }
            Op::Free(addr) => {
                let address = self.eval(tid, addr)? as u64;
                if address != 0 {
                    // Move on first: the register that holds the pointer may be dead from here.
                    self.advance(tid, next);
                    self.free(address)?;
                }
            }
            Op::Call { target, args, .. } => {
                let func = self.target(tid, target)?;
                let args = self.eval_all(tid, args)?;
                self.push_frame(tid, func, &args)?;
                return Ok(());
            }
            Op::Spawn { dst, target, args } => {
                let func = self.target(tid, target)?;
                let args = self.eval_all(tid, args)?;
                if self.threads.len() >= THREADS {
                    return Err(Stepped::Unsupported(format!("more than {THREADS} threads at once")));
                }
                let refused = self.code.program.handle_names == HandleNames::Refused;
                if refused && self.threads.iter().any(|thread| thread.status == ThreadStatus::Free) {
                    let what = "a thread that may have the handle of one that has ended and left a lock taken";
                    return Err(Stepped::Unsupported(what.into()));
                }
                let place = self.choose_handle(pc, choose);
                let child = self.start_thread(place, func, &args);
                if let Some(dst) = dst {
                    self.set(tid, *dst, child as u128 + 1);
                }
            }
            Op::Join { dst, handle } => {
                let handle = self.eval(tid, handle)?;
                let target = self.thread_of(handle).ok_or(MemoryError::NotAThread)?;
                if self.threads[target].detached || target == tid {
                    return Err(MemoryError::NotAThread.into());
                }
                if self.threads[target].status != ThreadStatus::Ended {
                    return Err(Stepped::Blocked);
                }
                if let Some((dst, bits)) = dst {
                    let result = mask(self.threads[target].result, *bits);
                    self.set(tid, *dst, result);
                }
                self.release_thread(target);
            }
            Op::Detach(handle) => {
                let handle = self.eval(tid, handle)?;
                let target = self.thread_of(handle).ok_or(MemoryError::NotAThread)?;
                self.threads[target].detached = true;
                self.threads[target].dirty = true;
                if self.threads[target].status == ThreadStatus::Ended {
                    self.release_thread(target);
                }
            }
            Op::AtomicBegin => self.threads[tid].atomic += 1,
            Op::AtomicEnd => {
                let thread = &mut self.threads[tid];
                thread.atomic = thread.atomic.saturating_sub(1);
            }
            Op::Fence => (),
            Op::Unsupported(what) => return Err(Stepped::Unsupported(what.clone())),
            Op::Jump(to) => next = *to,
            Op::Branch(cond, then, other) => next = if self.eval(tid, cond)? != 0 { *then } else { *other },
            Op::Switch(value, cases, default) => {
                let value = self.eval(tid, value)?;
                next = cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, to)| *to);
            }
            Op::Return(value) => {
                let value = value.as_ref().map_or(Ok(0), |value| self.eval(tid, value))?;
                return self.return_from(tid, value);
            }
            Op::ExitThread(value) => {
                let value = value.as_ref().map_or(Ok(0), |value| self.eval(tid, value))?;
                self.end_thread(tid, value);
                return Ok(());
            }
            Op::Halt => return Err(Stepped::Ended(End::Halted)),
            Op::Unreachable => return Err(Stepped::Ended(End::Unreachable)),
        }
        self.advance(tid, next);
        Ok(())
    }

    pub(super) fn env(&self, tid: Tid, old: u128) -> Env<'_> {
        let thread = &self.threads[tid];
        Env { frame: thread.frame(), handle: tid as u32 + 1, tls: &thread.tls, old, space: &self.code.space }
    }

    fn eval(&self, tid: Tid, ex: &Ex) -> Result<u128, Stepped> {
        Ok(ex.eval(&self.env(tid, 0))?)
    }

    fn eval_all(&self, tid: Tid, args: &[Ex]) -> Result<Vec<u128>, Stepped> {
        args.iter().map(|arg| self.eval(tid, arg)).collect()
    }

    fn set(&mut self, tid: Tid, slot: Slot, value: u128) {
        write_slot(self.threads[tid].frame_mut(), slot, value);
    }

    fn advance(&mut self, tid: Tid, pc: Pc) {
        let thread = &mut self.threads[tid];
        thread.frame_mut()[0] = u64::from(pc);
        thread.dirty = true;
    }

    fn target(&self, tid: Tid, target: &Target) -> Result<FuncId, Stepped> {
        match target {
            Target::Direct(func) => Ok(*func),
            Target::Indirect(ex) => {
                let address = self.eval(tid, ex)? as u64;
                Ok(self.code.space.function_at(address).ok_or(MemoryError::NotAFunction)?)
            }
        }
    }

    pub(super) fn thread_of(&self, handle: u128) -> Option<Tid> {
        let tid = usize::try_from(handle).ok()?.checked_sub(1)?;
        (tid < self.threads.len() && self.threads[tid].status != ThreadStatus::Free).then_some(tid)
    }

    /// Arguments beyond the parameters are dropped and missing ones are zero: C lets such calls compile.
    fn push_frame(&mut self, tid: Tid, func: FuncId, args: &[u128]) -> Result<(), Stepped> {
        let shape = &self.code.shapes[func];
        let thread = &mut self.threads[tid];
        let base = thread.words.len();
        if base + shape.words as usize > STACK_WORDS {
            return Err(Stepped::Unsupported("recursion deeper than the interpreter's stack".into()));
        }
        thread.words.resize(base + shape.words as usize, 0);
        thread.frames.push(base as u32);
        thread.words[base] = u64::from(shape.entry);
        for (slot, arg) in shape.params.iter().zip(args) {
            write_slot(&mut thread.words[base..], *slot, *arg);
        }
        thread.dirty = true;
        Ok(())
    }

    fn return_from(&mut self, tid: Tid, value: u128) -> Result<(), Stepped> {
        if self.threads[tid].frames.len() == 1 {
            if tid == 0 {
                return Err(Stepped::Ended(End::Halted));
            }
            self.end_thread(tid, value);
            return Ok(());
        }
        let thread = &mut self.threads[tid];
        let depth = thread.frames.len() as u32;
        let base = thread.base();
        thread.frames.pop();
        thread.words.truncate(base);
        let call = self.pc(tid);
        if let Op::Call { dst: Some((dst, bits)), .. } = &self.code.ops[call as usize] {
            self.set(tid, *dst, mask(value, *bits));
        }
        self.advance(tid, call + 1);
        self.drop_locals(tid, depth);
        Ok(())
    }

    /// Ends the stack objects of the frames from `depth` on.
    fn drop_locals(&mut self, tid: Tid, depth: u32) {
        while let Some((_, index)) = self.threads[tid].locals.pop_if(|(owner, _)| depth <= *owner) {
            self.end_object(index);
        }
    }

    /// The index for a new thread among those that were used; `None` for a new one.
    fn choose_handle(&self, pc: Pc, choose: Choose<'_>) -> Option<Tid> {
        let mut free = (0..self.threads.len()).filter(|tid| self.threads[*tid].status == ThreadStatus::Free);
        match self.code.program.handle_names {
            HandleNames::Lowest => free.next(),
            HandleNames::Unique | HandleNames::Refused => None,
            HandleNames::Reused => choose_among(&free.collect::<Vec<_>>(), pc, Open::Handle, choose),
        }
    }

    fn start_thread(&mut self, place: Option<Tid>, func: FuncId, args: &[u128]) -> Tid {
        let code = self.code;
        let tid = place.unwrap_or(self.threads.len());
        self.threads.resize_with(self.threads.len().max(tid + 1), Thread::new);
        self.threads[tid] = Thread { status: ThreadStatus::Running, ..Thread::new() };
        for id in &code.tls_objects {
            let object = &code.program.objects[*id];
            let mut copy = Dynamic::new(DynamicKind::ThreadLocal, id.0, object.size, true);
            write_init(&code.space, code.program, &mut copy.words, 0, object);
            let index = self.new_name(tid, copy);
            self.threads[tid].tls.push(code.space.dynamic_address(index));
        }
        // A function too large for the stack would have been refused when its frame was laid out.
        let _ = self.push_frame(tid, func, args);
        tid
    }

    fn end_thread(&mut self, tid: Tid, result: u128) {
        self.drop_locals(tid, 0);
        let thread = &mut self.threads[tid];
        thread.frames.clear();
        thread.words.clear();
        thread.atomic = 0;
        thread.result = result;
        thread.dirty = true;
        thread.status = ThreadStatus::Ended;
        for address in std::mem::take(&mut self.threads[tid].tls) {
            if let Some(index) = self.code.space.dynamic_index(address) {
                self.end_object(index);
            }
        }
        if self.threads[tid].detached {
            self.release_thread(tid);
        }
    }

    fn release_thread(&mut self, tid: Tid) {
        // The first thread's index stays its own: its return is what ends the program.
        if tid == 0 {
            return;
        }
        self.threads[tid] = Thread::new();
        // Where handles are used again by choice, those that were used are remembered.
        if self.code.program.handle_names != HandleNames::Lowest {
            return;
        }
        while self.threads.last().is_some_and(|thread| thread.status == ThreadStatus::Free) {
            self.threads.pop();
        }
    }

    fn allocate(
        &mut self,
        tid: Tid,
        kind: AllocKind,
        pc: Pc,
        size: u128,
        zeroed: bool,
        choose: Choose<'_>,
    ) -> Result<u64, Stepped> {
        if size > u128::from(self.code.space.largest()) || size > u128::from(LARGEST_ALLOCATION) {
            return Err(Stepped::Unsupported(format!("allocation of {size} bytes")));
        }
        let dynamic_kind = match kind {
            AllocKind::Stack => DynamicKind::Stack,
            AllocKind::Heap => DynamicKind::Heap,
        };
        let mut object = Dynamic::new(dynamic_kind, pc, size as u64, zeroed);
        // A name without a pointer to it is as good as new, so only the others are there to be chosen.
        let places: Vec<u32> =
            if kind == AllocKind::Heap { self.freed_places(object.size).collect() } else { Vec::new() };
        if let Some(index) = choose_among(&places, pc, Open::Place, choose) {
            // It is the object of that name again, for all who have a pointer to it.
            object.site = self.dynamic(index).map_or(pc, |freed| freed.site);
            self.put(index, Some(object));
            return Ok(self.code.space.dynamic_address(index));
        }
        let index = self.new_name(tid, object);
        if u64::from(index) >= self.code.space.names() {
            return Err(Stepped::Unsupported("too many objects for 32-bit pointers".into()));
        }
        if kind == AllocKind::Stack {
            let depth = self.threads[tid].frames.len() as u32;
            self.threads[tid].locals.push((depth, index));
        }
        Ok(self.code.space.dynamic_address(index))
    }

    /// The run-time object with this name, if there is one.
    fn dynamic(&self, index: u32) -> Option<&Dynamic> {
        self.dynamics.get(index as usize)?.as_deref()
    }

    /// From now on the name is that of the object.
    pub(super) fn put(&mut self, index: u32, object: Option<Dynamic>) {
        let names = self.dynamics.len().max(index as usize + 1);
        self.dynamics.resize(names, None);
        self.dynamics_saved.resize(names, DIRTY);
        self.dynamics[index as usize] = object.map(Box::new);
        self.dynamics_saved[index as usize] = DIRTY;
    }

    /// The freed blocks of this size to which a pointer is left.
    fn freed_places(&self, size: u64) -> impl Iterator<Item = u32> + '_ {
        let is_freed = move |object: &Dynamic| object.kind == DynamicKind::Freed && object.size == size;
        let freed = self.dynamics.iter().enumerate().filter(move |(_, object)| object.as_deref().is_some_and(is_freed));
        freed.map(|(index, _)| index as u32).filter(|index| self.is_referenced(*index))
    }

    /// The addresses of the freed blocks whose place the thread's next step may take, in the order in which they are numbered
    /// (see [`Open::Place`]).
    pub fn places(&self, tid: Tid) -> Vec<u64> {
        let Op::Alloc { kind: AllocKind::Heap, size, .. } = &self.code.ops[self.pc(tid) as usize] else {
            return Vec::new();
        };
        let size = size.eval(&self.env(tid, 0)).ok().and_then(|size| u64::try_from(size).ok());
        let found = size.into_iter().flat_map(|size| self.freed_places(size));
        found.map(|index| self.code.space.dynamic_address(index)).collect()
    }

    /// Gives the object the first free name of the thread's row.
    fn new_name(&mut self, tid: Tid, object: Dynamic) -> u32 {
        let row = tid as u32 % ROWS;
        let mut n = self.alive_below[row as usize];
        let mut all_alive = true;
        let index = loop {
            let index = n * ROWS + row;
            match self.dynamic(index) {
                None => break index,
                Some(dead) if dead.kind.has_ended() => {
                    // Nobody may hold a pointer to it any more; then its name is as good as new.
                    if !self.is_referenced(index) {
                        break index;
                    }
                    all_alive = false;
                }
                Some(_) => (),
            }
            n += 1;
            if all_alive {
                self.alive_below[row as usize] = n;
            }
        };
        self.put(index, Some(object));
        index
    }

    fn free(&mut self, address: u64) -> Result<(), Stepped> {
        let Ok(Location::Dynamic { index, offset: 0 }) = self.code.space.locate(address, 0) else {
            return Err(MemoryError::InvalidFree.into());
        };
        if self.dynamic(index).is_none_or(|object| object.kind != DynamicKind::Heap) {
            return Err(MemoryError::InvalidFree.into());
        }
        self.end_object(index);
        Ok(())
    }

    /// Ends an object's life.  Its name stays taken while a pointer to it is left, so that a use is recognised.
    fn end_object(&mut self, index: u32) {
        let below = &mut self.alive_below[(index % ROWS) as usize];
        *below = (*below).min(index / ROWS);
        let object = self.dynamics[index as usize].take();
        self.dynamics_saved[index as usize] = DIRTY;
        let names = self.code.program.block_names;
        let is_heap = object.as_deref().is_some_and(|object| object.kind == DynamicKind::Heap);
        if is_heap && names == BlockNames::Kept || self.is_referenced(index) {
            self.dynamics[index as usize] = object.map(|object| Box::new(object.ended(names)));
        }
    }

    /// Is a pointer to this run-time object left anywhere: in memory, in a live register, in a thread's result?
    fn is_referenced(&self, index: u32) -> bool {
        let is_freed = self.dynamic(index).is_some_and(|object| object.kind == DynamicKind::Freed);
        if is_freed && self.code.program.block_names == BlockNames::Kept {
            return true;
        }
        let space = &self.code.space;
        let hit = |word: u64| space.around(word) == Some(index);
        let pointer = u32::from(self.code.program.data_model.pointer_bits());
        let in_bytes = |words: &[u64]| {
            words.iter().enumerate().any(|(at, &word)| {
                let next = words.get(at + 1).copied();
                let both = u128::from(word) | u128::from(next.unwrap_or(0)) << 64;
                // Most of a large object was never written.
                let last = if next.is_some() { 7 } else { 8 - pointer / 8 };
                both != 0 && (0..=last).any(|byte| hit(mask(both >> (8 * byte), pointer) as u64))
            })
        };
        if in_bytes(&self.statics) {
            return true;
        }
        if self.dynamics.iter().flatten().any(|object| in_bytes(&object.words)) {
            return true;
        }
        self.threads.iter().any(|thread| {
            hit(thread.result as u64)
                || self.held_objects(thread).any(|held| held == index)
                || thread.status == ThreadStatus::Stuck && thread.words.iter().any(|word| hit(*word))
        })
    }

    /// The run-time objects to which the thread has pointers in registers that it will read again.
    fn held_objects<'a>(&'a self, thread: &'a Thread) -> impl Iterator<Item = u32> + 'a {
        let top = thread.frames.len().wrapping_sub(1);
        thread.frames.iter().enumerate().flat_map(move |(depth, base)| {
            let pc = thread.words[*base as usize] as Pc;
            let end = thread.frames.get(depth + 1).map_or(thread.words.len(), |next| *next as usize);
            let frame = &thread.words[*base as usize..end];
            let dead = self.code.dead_words(pc, depth != top);
            let held = move |word: u32| {
                let object = self.code.space.around(frame[word as usize])?;
                dead.binary_search(&word).is_err().then_some(object)
            };
            (1..frame.len() as u32).filter_map(held)
        })
    }

    /// Where an access goes, with all that can be wrong about it.
    pub fn locate(&self, address: u64, size: u64) -> Result<Location, MemoryError> {
        let location = self.code.space.locate(address, size)?;
        if let Location::Dynamic { index, offset } = location {
            self.dynamic(index).ok_or(MemoryError::Wild)?.check(offset, size)?;
        }
        Ok(location)
    }

    /// What the object at a location is.
    pub fn object_at(&self, location: Location) -> Option<(ObjectInfo, u64)> {
        match location {
            Location::Static { object, offset, .. } => Some((ObjectInfo::Static(object), offset)),
            Location::Dynamic { index, offset } => {
                let object = self.dynamic(index)?;
                let info = match object.kind {
                    DynamicKind::ThreadLocal => ObjectInfo::ThreadLocal(ObjectId(object.site)),
                    DynamicKind::Stack | DynamicKind::Heap => ObjectInfo::Allocated(object.site),
                    DynamicKind::Dead | DynamicKind::Freed => return None,
                };
                Some((info, offset))
            }
        }
    }

    /// The start of the first run-time object, by name, that the operation allocated and that is alive.
    pub fn allocated_by(&self, pc: Pc) -> Option<u64> {
        let alive =
            |object: &Dynamic| object.site == pc && matches!(object.kind, DynamicKind::Stack | DynamicKind::Heap);
        let index = self.dynamics.iter().position(|object| object.as_deref().is_some_and(alive))?;
        Some(self.code.space.dynamic_address(index as u32))
    }

    /// The size of the run-time object that an address points into.
    pub fn size_at(&self, address: u64) -> Option<u64> {
        Some(self.dynamic(self.code.space.dynamic_index(address)?)?.size)
    }

    /// The bytes at a location, for display; bytes without a value read as zero.
    pub fn read(&self, location: Location, size: u32) -> u128 {
        match location {
            Location::Static { at, constant: false, .. } => read_bytes(&self.statics, at, size),
            Location::Static { at, constant: true, .. } => read_bytes(&self.constants, at, size),
            Location::Dynamic { index, offset } => {
                self.dynamic(index).map_or(0, |object| read_bytes(&object.words, offset, size))
            }
        }
    }

    /// Reads; bytes that have no value yet get one, for good, from `choose`.
    fn read_or_choose(&mut self, location: Location, size: u32, pc: Pc, choose: Choose<'_>) -> u128 {
        if let Location::Dynamic { index, offset } = location
            && let Some(object) = &mut self.dynamics[index as usize]
            && object.has_unset(offset, u64::from(size))
        {
            let value = choose(Choice { bits: size * 8, pc, what: Open::Uninit });
            for byte in 0..u64::from(size) {
                if object.has_unset(offset + byte, 1) {
                    write_bytes(&mut object.words, offset + byte, 1, value >> (byte * 8));
                }
            }
            object.mark_set(offset, u64::from(size));
            self.dynamics_saved[index as usize] = DIRTY;
        }
        self.read(location, size)
    }

    fn write(&mut self, location: Location, size: u32, value: u128) -> Result<(), MemoryError> {
        match location {
            Location::Static { constant: true, .. } => return Err(MemoryError::ReadOnly),
            Location::Static { at, .. } => {
                write_bytes(&mut self.statics, at, size, value);
                self.statics_saved[at as usize / 8 / CHUNK] = DIRTY;
                self.statics_saved[(at + u64::from(size) - 1) as usize / 8 / CHUNK] = DIRTY;
            }
            Location::Dynamic { index, offset } => {
                if let Some(object) = &mut self.dynamics[index as usize] {
                    write_bytes(&mut object.words, offset, size, value);
                    object.mark_set(offset, u64::from(size));
                    self.dynamics_saved[index as usize] = DIRTY;
                }
            }
        }
        Ok(())
    }
}

impl From<MemoryError> for Stepped {
    fn from(error: MemoryError) -> Self {
        Stepped::Ended(End::Memory(error))
    }
}

impl From<Fault> for Stepped {
    fn from(fault: Fault) -> Self {
        Stepped::Ended(End::Arithmetic(fault))
    }
}

/// The one that is chosen among these, if there are any; 0 stands for a new one.
fn choose_among<T: Copy>(these: &[T], pc: Pc, what: fn(u32) -> Open, choose: Choose<'_>) -> Option<T> {
    if these.is_empty() {
        return None;
    }
    let chosen = choose(Choice { bits: 32, pc, what: what(these.len() as u32) });
    these.get(usize::try_from(chosen).ok()?.checked_sub(1)?).copied()
}

fn write_slot(frame: &mut [u64], slot: Slot, value: u128) {
    frame[slot.word as usize] = value as u64;
    if slot.wide {
        frame[slot.word as usize + 1] = (value >> 64) as u64;
    }
}
