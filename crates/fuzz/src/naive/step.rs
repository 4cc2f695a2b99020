//! What one step of one thread leads to: written from the meaning of the instructions alone, without looking at how the
//! interpreter does it.

use super::state::*;
use super::value::{self, Computed, Target, Trouble, Value};
use ir::program::*;

/// Where a step can lead.  Steps that end the execution or are not enabled lead nowhere.
#[derive(Debug)]
pub struct Successor {
    /// The value taken for what the program leaves open.
    pub input: Option<u128>,
    /// The freed block whose place a new one takes.
    pub place: Option<Target>,
    pub next: Next,
}

#[derive(Debug)]
pub enum Next {
    State(Box<State>),
    /// An assertion fails.
    Violated,
    /// Something that is not supported is reached.
    Unsupported,
}

/// Values up to this many bits are tried one by one.
pub const CHOICE_BITS: u32 = 8;
/// Deeper stacks and larger allocations are not modelled.
const FRAMES: usize = 64;
const ALLOCATION: u128 = 1 << 12;
/// The most objects that one thread makes.
const OBJECTS: u16 = 1000;

/// Why a step did not lead to a state.
enum Stop {
    /// Not enabled, or the execution ends.
    Nowhere,
    GiveUp(&'static str),
    Next(Next),
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Fault => Stop::Nowhere,
            Trouble::GiveUp(why) => Stop::GiveUp(why),
        }
    }
}

/// States with more objects and frames than this are large, and there would be many of them.
const LARGEST: usize = 150;

/// All steps the thread with this handle can take, or why that is not known.
pub fn successors(program: &Program, state: &State, handle: u32) -> Result<Vec<Successor>, &'static str> {
    let mut all = Vec::new();
    let Some(thread) = state.threads.get(&handle) else { return Ok(all) };
    if thread.status != Status::Running || state.atomic_owner().is_some_and(|owner| owner != handle) {
        return Ok(all);
    }
    if state.memory.len() + state.threads.values().map(|thread| thread.frames.len()).sum::<usize>() > LARGEST {
        return Err("objects or calls without end");
    }
    let places = places(program, state, handle).into_iter().map(Some).chain([None]);
    let openings = match openings(program, state, handle)?.as_slice() {
        [(None, state)] => places.map(|place| (None, place, state.clone())).collect(),
        several => several.iter().map(|(input, state)| (*input, None, state.clone())).collect::<Vec<_>>(),
    };
    for (input, place, start) in openings {
        let mut step = Stepper { program, state: start, handle, input, place };
        let next = match step.execute() {
            Ok(()) => {
                step.state.forget_places();
                Next::State(Box::new(step.state))
            }
            Err(Stop::Nowhere) => continue,
            Err(Stop::GiveUp(why)) => return Err(why),
            Err(Stop::Next(next)) => next,
        };
        all.push(Successor { input, place, next });
    }
    Ok(all)
}

/// The freed blocks whose place the next step may take.
pub fn places(program: &Program, state: &State, handle: u32) -> Vec<Target> {
    let Some(InstKind::Alloc { kind: AllocKind::Heap, size, .. }) = top(state, handle).inst(program) else {
        return Vec::new();
    };
    match eval(program, state, handle, size, None) {
        Ok(Value::Number(size)) => state.places(size as usize),
        _ => Vec::new(),
    }
}

/// The state once for each value of what the next step leaves open: an input, or memory that was never written.
fn openings(program: &Program, state: &State, handle: u32) -> Result<Vec<(Option<u128>, State)>, &'static str> {
    let frame = top(state, handle);
    let nothing = || Ok(vec![(None, state.clone())]);
    match frame.inst(program) {
        Some(InstKind::Havoc { dst, .. }) => {
            let bits = program.bits_of(program.functions[frame.func].ty(*dst));
            if bits > CHOICE_BITS {
                return Err("an input is too wide");
            }
            Ok((0..1 << bits).map(|value| (Some(value), state.clone())).collect())
        }
        Some(InstKind::Load { ty, addr, .. } | InstKind::Update { ty, addr, .. }) => {
            let Ok(address) = eval(program, state, handle, addr, None) else { return nothing() };
            let Some(bytes) = state.bytes_at(address, program.size_of(*ty)) else { return nothing() };
            let unset: Vec<usize> = (0..bytes.len()).filter(|i| bytes[*i] == Byte::Unset).collect();
            if unset.is_empty() {
                return nothing();
            }
            if unset.len() as u32 * 8 > CHOICE_BITS {
                return Err("too much memory is read before it is written");
            }
            let fill = |content: u8| {
                let mut bytes = bytes.to_vec();
                let mut input = 0;
                for i in &unset {
                    bytes[*i] = Byte::Number(content);
                    input |= u128::from(content) << (8 * i);
                }
                let mut state = state.clone();
                state.write(address, &bytes);
                (Some(input), state)
            };
            Ok((0..=255).map(fill).collect())
        }
        _ => nothing(),
    }
}

fn top(state: &State, handle: u32) -> &Frame {
    let frames = &state.threads[&handle].frames;
    &frames[frames.len() - 1]
}

/// The value of an expression for a thread; `old` is the content of the cell within an update.
fn eval(program: &Program, state: &State, handle: u32, expr: &Expr, old: Option<(Ty, Value)>) -> Computed {
    let again = |inner: &Expr| eval(program, state, handle, inner, old);
    let frame = top(state, handle);
    let function = &program.functions[frame.func];
    let width = |inner: &Expr| program.bits_of(function.type_of(program, inner, old.map(|(ty, _)| ty)));
    match expr {
        Expr::Const(_, bits) => Ok(Value::Number(*bits)),
        Expr::Reg(reg) => Ok(frame.regs[reg]),
        Expr::Object(id, offset) => {
            let copy = state.threads[&handle].thread_locals.get(id).copied();
            Ok(Value::Address(copy.unwrap_or(Target::Static(*id)), *offset as i32))
        }
        Expr::Func(id) => Ok(Value::Address(Target::Function(*id), 0)),
        Expr::CurrentThread => Ok(Value::Number(u128::from(handle))),
        Expr::Old => old.map(|(_, value)| value).ok_or(Trouble::GiveUp("`old` outside an update")),
        Expr::Un(op, inner) => value::unary(*op, width(inner), again(inner)?),
        Expr::Bin(op, left, right) => value::binary(*op, width(left), again(left)?, again(right)?),
        Expr::Cast(op, to, inner) => value::cast(*op, width(inner), program.bits_of(*to), again(inner)?),
        Expr::Select(parts) => match again(&parts[0])? {
            Value::Number(0) => again(&parts[2]),
            Value::Number(_) => again(&parts[1]),
            Value::Address(..) => Err(Trouble::GiveUp("a condition is an address")),
        },
    }
}

/// The value of an expression as the thread with this handle sees it, if it has one.
pub fn evaluate(program: &Program, state: &State, handle: u32, expr: &Expr) -> Option<Value> {
    eval(program, state, handle, expr, None).ok()
}

struct Stepper<'p> {
    program: &'p Program,
    state: State,
    handle: u32,
    input: Option<u128>,
    place: Option<Target>,
}

impl Stepper<'_> {
    fn thread(&mut self) -> Result<&mut Thread, Stop> {
        self.state.threads.get_mut(&self.handle).ok_or(Stop::Nowhere)
    }

    fn frame(&mut self) -> Result<&mut Frame, Stop> {
        self.thread()?.frames.last_mut().ok_or(Stop::Nowhere)
    }

    fn eval(&self, expr: &Expr) -> Result<Value, Stop> {
        Ok(eval(self.program, &self.state, self.handle, expr, None)?)
    }

    fn number(&self, expr: &Expr) -> Result<u128, Stop> {
        match self.eval(expr)? {
            Value::Number(n) => Ok(n),
            Value::Address(..) => Err(Stop::GiveUp("an address where a number is needed")),
        }
    }

    /// Puts a value into a register, cut to the register's width.
    fn set(&mut self, reg: Reg, value: Value) -> Result<(), Stop> {
        let program = self.program;
        let frame = self.frame()?;
        let bits = program.bits_of(program.functions[frame.func].ty(reg));
        let value = match value {
            Value::Number(n) => Value::Number(value::low_bits(n, bits)),
            Value::Address(..) if bits < u32::from(program.data_model.pointer_bits()) => {
                return Err(Stop::GiveUp("an address in a small register"));
            }
            Value::Address(..) => value,
        };
        frame.regs.insert(reg, value);
        Ok(())
    }

    fn advance(&mut self) -> Result<(), Stop> {
        self.frame()?.inst += 1;
        Ok(())
    }

    fn read(&self, address: Value, ty: Ty) -> Result<Value, Stop> {
        let bytes = self.state.bytes_at(address, self.program.size_of(ty)).ok_or(Stop::Nowhere)?;
        match from_bytes(bytes, self.program.data_model.pointer_bytes()) {
            Some(Value::Number(n)) => Ok(Value::Number(value::low_bits(n, self.program.bits_of(ty)))),
            Some(address) => Ok(address),
            None => Err(Stop::GiveUp("pieces of addresses are read")),
        }
    }

    fn write(&mut self, address: Value, ty: Ty, value: Value) -> Result<(), Stop> {
        let size = self.program.size_of(ty);
        if let Value::Address(..) = value
            && size != self.program.data_model.pointer_bytes()
        {
            return Err(Stop::GiveUp("pieces of addresses are written"));
        }
        if self.state.write(address, &to_bytes(value, size)) { Ok(()) } else { Err(Stop::Nowhere) }
    }

    fn callee(&self, callee: &Callee) -> Result<FuncId, Stop> {
        match callee {
            Callee::Direct(func) => Ok(*func),
            Callee::Indirect(expr) => match self.eval(expr)? {
                Value::Address(Target::Function(func), 0) => Ok(func),
                _ => Err(Stop::Nowhere),
            },
        }
    }

    fn args(&self, func: FuncId, args: &[Expr]) -> Result<Vec<Value>, Stop> {
        let function = &self.program.functions[func];
        let caller = &self.program.functions[top(&self.state, self.handle).func];
        for (param, arg) in function.params.iter().zip(args) {
            if function.ty(*param) != caller.type_of(self.program, arg, None) {
                return Err(Stop::GiveUp("an argument of another type than the parameter"));
            }
        }
        args.iter().map(|arg| self.eval(arg)).collect()
    }

    fn execute(&mut self) -> Result<(), Stop> {
        let program = self.program;
        let frame = top(&self.state, self.handle);
        match frame.inst(program) {
            Some(inst) => self.instruction(inst),
            None => self.terminator(&program.functions[frame.func].blocks[frame.block].term),
        }
    }

    fn instruction(&mut self, inst: &InstKind) -> Result<(), Stop> {
        match inst {
            InstKind::Assign { dst, value } => {
                let value = self.eval(value)?;
                self.set(*dst, value)?;
            }
            InstKind::Load { dst, ty, addr, .. } => {
                let address = self.eval(addr)?;
                let value = self.read(address, *ty)?;
                self.set(*dst, value)?;
            }
            InstKind::Store { ty, addr, value, .. } => {
                let (address, value) = (self.eval(addr)?, self.eval(value)?);
                self.write(address, *ty, value)?;
            }
            InstKind::Update { dst, ty, addr, when, set, .. } => {
                let address = self.eval(addr)?;
                let old = self.read(address, *ty)?;
                let inside = |step: &Self, expr: &Expr| -> Result<Value, Stop> {
                    Ok(eval(step.program, &step.state, step.handle, expr, Some((*ty, old)))?)
                };
                if let Some(when) = when
                    && inside(self, when)? == Value::Number(0)
                {
                    return Err(Stop::Nowhere);
                }
                if let Some(set) = set {
                    let value = inside(self, set)?;
                    self.write(address, *ty, value)?;
                }
                if let Some(dst) = dst {
                    self.set(*dst, old)?;
                }
            }
            InstKind::Havoc { dst, .. } => self.set(*dst, Value::Number(self.input.unwrap_or(0)))?,
            InstKind::Assume { cond } => {
                if self.number(cond)? == 0 {
                    return Err(Stop::Nowhere);
                }
            }
            InstKind::Assert { cond, .. } => {
                if self.number(cond)? == 0 {
                    return Err(Stop::Next(Next::Violated));
                }
            }
            InstKind::Alloc { dst, kind, size, zeroed, .. } => {
                let size = self.number(size)?;
                if size > ALLOCATION {
                    return Err(Stop::GiveUp("a large allocation"));
                }
                let byte = if *zeroed { Byte::Number(0) } else { Byte::Unset };
                if self.state.made.get(&self.handle).is_some_and(|count| *count >= OBJECTS) {
                    return Err(Stop::GiveUp("too many objects"));
                }
                let frame = top(&self.state, self.handle);
                let origin = match kind {
                    AllocKind::Heap => Origin::Heap(frame.func, frame.block, frame.inst),
                    AllocKind::Stack => Origin::Stack(frame.func, frame.block, frame.inst),
                };
                let bytes = vec![byte; size as usize];
                let target = match self.place.and_then(|place| Some((place, self.state.freed.remove(&place)?))) {
                    // It is the object at that place again, for all who have its address.
                    Some((place, (_, origin))) => {
                        self.state.memory.insert(place, Storage { bytes, writable: true, origin });
                        place
                    }
                    None => self.state.make(self.handle, bytes, origin),
                };
                if *kind == AllocKind::Stack {
                    self.frame()?.locals.push(target);
                }
                self.set(*dst, Value::Address(target, 0))?;
            }
            InstKind::Free { addr } => match self.eval(addr)? {
                Value::Number(0) => (),
                Value::Address(target, 0) if self.state.memory.get(&target).is_some_and(Storage::is_heap) => {
                    if let Some(storage) = self.state.memory.remove(&target)
                        && self.program.block_names == BlockNames::Reused
                    {
                        self.state.freed.insert(target, (storage.bytes.len(), storage.origin));
                    }
                }
                _ => return Err(Stop::Nowhere),
            },
            InstKind::Call { callee, args, .. } => {
                let func = self.callee(callee)?;
                let args = self.args(func, args)?;
                let frame = Frame::enter(self.program, func, args);
                let frames = &mut self.thread()?.frames;
                if frames.len() >= FRAMES {
                    return Err(Stop::GiveUp("deep recursion"));
                }
                frames.push(frame);
                return Ok(());
            }
            InstKind::Spawn { dst, callee, args } => {
                let func = self.callee(callee)?;
                let args = self.args(func, args)?;
                let child = self.state.start_thread(self.program, func, args);
                if let Some(dst) = dst {
                    self.set(*dst, Value::Number(u128::from(child)))?;
                }
            }
            InstKind::Join { dst, handle } => {
                let handle = self.number(handle)? as u32;
                let Some(thread) = self.state.threads.get(&handle) else { return Err(Stop::Nowhere) };
                let Status::Ended(result) = thread.status else { return Err(Stop::Nowhere) };
                if thread.detached {
                    return Err(Stop::Nowhere);
                }
                if let Some(dst) = dst {
                    self.set(*dst, result)?;
                }
                self.forget(handle);
            }
            InstKind::Detach { handle } => {
                let handle = self.number(handle)? as u32;
                let Some(thread) = self.state.threads.get_mut(&handle) else { return Err(Stop::Nowhere) };
                thread.detached = true;
                if thread.status != Status::Running {
                    self.forget(handle);
                }
            }
            InstKind::AtomicBegin => self.thread()?.atomic += 1,
            InstKind::AtomicEnd => {
                let thread = self.thread()?;
                thread.atomic = thread.atomic.saturating_sub(1);
            }
            InstKind::Fence { .. } => (),
            InstKind::Unsupported { .. } => return Err(Stop::Next(Next::Unsupported)),
        }
        self.advance()
    }

    fn terminator(&mut self, term: &Term) -> Result<(), Stop> {
        let to = match term {
            Term::Jump(to) => *to,
            Term::Branch { cond, then, other } => {
                if self.number(cond)? != 0 {
                    *then
                } else {
                    *other
                }
            }
            Term::Switch { value, cases, default } => {
                let value = self.number(value)?;
                cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, to)| *to)
            }
            Term::Return(result) => {
                let result = self.result(result)?;
                return self.return_from(result);
            }
            Term::ExitThread(result) => {
                let result = self.result(result)?;
                return self.end_thread(result);
            }
            Term::Halt | Term::Unreachable => return Err(Stop::Nowhere),
        };
        let frame = self.frame()?;
        frame.block = to;
        frame.inst = 0;
        Ok(())
    }

    fn result(&self, result: &Option<Expr>) -> Result<Value, Stop> {
        result.as_ref().map_or(Ok(Value::Number(0)), |result| self.eval(result))
    }

    fn return_from(&mut self, result: Value) -> Result<(), Stop> {
        let program = self.program;
        if self.thread()?.frames.len() == 1 {
            // The end of the first function is the end of the program.
            return if self.handle == 1 { Err(Stop::Nowhere) } else { self.end_thread(result) };
        }
        let Some(left) = self.thread()?.frames.pop() else { return Err(Stop::Nowhere) };
        for target in left.locals {
            self.state.memory.remove(&target);
        }
        let caller = top(&self.state, self.handle);
        let call = &program.functions[caller.func].blocks[caller.block].insts[caller.inst].kind;
        if let Some(dst) = call.dst() {
            self.set(dst, result)?;
        }
        self.advance()
    }

    fn end_thread(&mut self, result: Value) -> Result<(), Stop> {
        let thread = self.thread()?;
        let locals: Vec<Target> = thread.frames.drain(..).flat_map(|frame| frame.locals).collect();
        let copies = std::mem::take(&mut thread.thread_locals);
        thread.status = Status::Ended(result);
        thread.atomic = 0;
        let detached = thread.detached;
        for target in locals.into_iter().chain(copies.into_values()) {
            self.state.memory.remove(&target);
        }
        if detached {
            self.forget(self.handle);
        }
        Ok(())
    }

    /// The handle is free from now on.  The first thread keeps its own.
    fn forget(&mut self, handle: u32) {
        if handle != 1 {
            self.state.threads.remove(&handle);
        }
    }
}
