//! Walks at random through a program with both interpreters at once: after every step they must agree on what can be seen.

use crate::naive::{self, Byte, Next, State, Status, Successor, Target, Value};
use base::{Id, Rng};
use claim::Trace;
use ir::interp::{Code, Machine, Open, Stepped, ThreadStatus};
use ir::program::*;
use std::collections::BTreeMap;

/// The addresses that the interpreter gives to the objects of the other.
#[derive(Default)]
struct Names(BTreeMap<Target, u64>);

impl Names {
    /// Which of the interpreter's places this one is: 0 if it has none for it, since there is no pointer left to it that
    /// will be used.
    fn choose(&self, machine: &Machine<'_>, thread: usize, place: Option<Target>) -> u128 {
        let address = place.and_then(|place| self.0.get(&place));
        let found = machine.places(thread).iter().position(|it| Some(it) == address);
        found.map_or(0, |found| found as u128 + 1)
    }

    /// After a step: the object that it has made.
    fn learn(&mut self, machine: &Machine<'_>, state: &State, thread: usize, made: Option<Reg>) {
        let Some(frame) = state.threads.get(&(thread as u32 + 1)).and_then(|thread| thread.frames.last()) else {
            return;
        };
        if let Some(reg) = made
            && let Some(Value::Address(target, 0)) = frame.regs.get(&reg)
        {
            self.0.insert(*target, machine.register(thread, reg) as u64);
        }
    }
}

/// Where the thread's next step puts the address of a new object.
fn makes(program: &Program, state: &State, handle: u32) -> Option<Reg> {
    let frame = state.threads.get(&handle)?.frames.last()?;
    match frame.inst(program)? {
        InstKind::Alloc { dst, .. } => Some(*dst),
        _ => None,
    }
}

/// The execution as the interpreter wants it: it numbers places in its own way, and asks for fewer.
pub fn trace(program: &Program, steps: &[naive::Taken]) -> Result<Trace, String> {
    let code = Code::new(program);
    let mut machine = Machine::new(&code);
    let mut state = State::initial(program);
    let mut names = Names::default();
    let mut trace = Trace::default();
    for (n, step) in steps.iter().enumerate() {
        let thread = step.handle as usize - 1;
        if !machine.is_running(thread) {
            return Err(format!("step {n}: thread {thread} does not run"));
        }
        let made = makes(program, &state, step.handle);
        let place = names.choose(&machine, thread, step.place);
        trace.push(thread);
        machine.step(thread, &mut |choice| {
            let value = match choice.what {
                Open::Place(_) => place,
                Open::Input | Open::Uninit | Open::Handle(_) => step.input.unwrap_or(0),
            };
            trace.inputs.push(value);
            value
        });
        let successors = naive::successors(program, &state, step.handle)?;
        let same = |it: &Successor| it.input == step.input && it.place == step.place;
        if let Some(Successor { next: Next::State(after), .. }) = successors.into_iter().find(same) {
            state = *after;
            names.learn(&machine, &state, thread, made);
        }
    }
    Ok(trace)
}

/// One walk of at most `steps` steps; the error says where they part.
pub fn walk(program: &Program, steps: usize, rng: &mut Rng) -> Result<(), String> {
    let code = Code::new(program);
    let mut machine = Machine::new(&code);
    let mut state = State::initial(program);
    let mut names = Names::default();
    for n in 0..steps {
        let handles: Vec<u32> = state.threads.keys().copied().collect();
        let Some(handle) = rng.pick(&handles) else { return Ok(()) };
        let thread = *handle as usize - 1;
        let Ok(mut successors) = naive::successors(program, &state, *handle) else { return Ok(()) };
        if state.threads[handle].status != Status::Running || state.atomic_owner().is_some_and(|owner| owner != *handle)
        {
            continue;
        }
        let at = place(program, &state, *handle);
        let chosen = rng.below(successors.len());
        let successor = if successors.is_empty() { None } else { Some(successors.swap_remove(chosen)) };
        let input = successor.as_ref().and_then(|successor| successor.input).unwrap_or(0);
        if !machine.is_running(thread) {
            return Err(format!("step {n}, {at}: thread {thread} does not run"));
        }
        let is_enabled = machine.enabled(thread);
        let made = makes(program, &state, *handle);
        let place = names.choose(&machine, thread, successor.as_ref().and_then(|successor| successor.place));
        let mut asked = 0;
        let mut next = machine.clone();
        let step = next.step(thread, &mut |choice| match choice.what {
            Open::Place(_) => place,
            Open::Input | Open::Uninit | Open::Handle(_) => {
                asked += 1;
                input
            }
        });
        match (step, successor) {
            (Stepped::Done, Some(Successor { next: Next::State(after), input, .. })) => {
                // Memory that was never written counts as enabled only by luck; nobody relies on it.
                if !is_enabled && input.is_none() {
                    return Err(format!("step {n}, {at}: moves although it is not enabled"));
                }
                if asked != usize::from(input.is_some()) {
                    return Err(format!("step {n}, {at}: asks for {asked} inputs"));
                }
                state = *after;
                machine = next;
                names.learn(&machine, &state, thread, made);
                compare(program, &state, &machine).map_err(|why| format!("step {n}, after {at}: {why}"))?;
            }
            (Stepped::Violated, Some(Successor { next: Next::Violated, .. })) => return Ok(()),
            (Stepped::Unsupported(_), Some(Successor { next: Next::Unsupported, .. })) => return Ok(()),
            (Stepped::Blocked, None) => {
                if is_enabled && asked == 0 {
                    return Err(format!("step {n}, {at}: blocked although it is enabled"));
                }
            }
            (Stepped::Ended(_), None) => (),
            (step, successor) => return Err(format!("step {n}, {at}: {step:?} and {successor:?}")),
        }
    }
    Ok(())
}

/// Where a thread is, for messages.
fn place(program: &Program, state: &State, handle: u32) -> String {
    match state.threads[&handle].frames.last() {
        Some(frame) => {
            let function = &program.functions[frame.func];
            format!("{handle} in {} {} {}", function.name, function.blocks[frame.block].name, frame.inst)
        }
        None => format!("{handle} at its end"),
    }
}

fn compare(program: &Program, state: &State, machine: &Machine<'_>) -> Result<(), String> {
    for thread in 0..machine.thread_count() {
        let ours = state.threads.get(&(thread as u32 + 1));
        match (machine.status(thread), ours.map(|thread| &thread.status)) {
            (ThreadStatus::Free, None) | (ThreadStatus::Ended, Some(Status::Ended(_))) => (),
            (ThreadStatus::Running, Some(Status::Running)) => compare_frame(program, state, machine, thread)?,
            (theirs, ours) => return Err(format!("thread {thread} is {theirs:?} and {ours:?}")),
        }
    }
    for (id, object) in program.objects.iter().filter(|(_, object)| !object.thread_local) {
        let address = machine.code.space.static_address(id);
        for (offset, byte) in state.memory[&Target::Static(id)].bytes.iter().enumerate() {
            let Ok(location) = machine.locate(address + offset as u64, 1) else {
                return Err(format!("byte {offset} of {} is not there", object.name));
            };
            let theirs = machine.read(location, 1) as u8;
            if let Byte::Number(ours) = byte
                && *ours != theirs
            {
                return Err(format!("byte {offset} of {} is {theirs} and {ours}", object.name));
            }
        }
    }
    Ok(())
}

fn compare_frame(program: &Program, state: &State, machine: &Machine<'_>, thread: usize) -> Result<(), String> {
    let ours = &state.threads[&(thread as u32 + 1)];
    let Some(frame) = ours.frames.last() else { return Err(format!("thread {thread} has no frame")) };
    let point = machine.code.points[machine.pc(thread) as usize];
    if (point.func, point.block, point.inst as usize) != (frame.func, frame.block, frame.inst) {
        return Err(format!("thread {thread} is at {point:?} and {:?} {:?} {}", frame.func, frame.block, frame.inst));
    }
    if machine.depth(thread) != ours.frames.len() || machine.in_atomic(thread) != (ours.atomic > 0) {
        return Err(format!("thread {thread} is nested differently"));
    }
    let space = &machine.code.space;
    for (reg, value) in &frame.regs {
        let expected = match value {
            Value::Number(n) => *n,
            Value::Address(Target::Static(id), offset) => address(space.static_address(*id), *offset, program),
            Value::Address(Target::Function(id), offset) => address(space.function_address(*id), *offset, program),
            Value::Address(Target::Made { .. }, _) => continue,
        };
        let theirs = machine.register(thread, *reg);
        if theirs != expected {
            let name = &program.functions[frame.func].regs[*reg].name;
            return Err(format!("%{name} ({}) is {theirs} and {value:?}", reg.index()));
        }
    }
    Ok(())
}

fn address(start: u64, offset: i32, program: &Program) -> u128 {
    mask(u128::from(start.wrapping_add(offset as i64 as u64)), u32::from(program.data_model.pointer_bits()))
}
