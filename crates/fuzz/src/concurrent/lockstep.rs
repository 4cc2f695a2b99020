//! Walks at random through a program with both interpreters at once: after every step they must agree on what can be seen.

use crate::naive::{self, Byte, Next, State, Status, Successor, Target, Value};
use crate::rng::Rng;
use base::Id;
use ir::interp::{Code, Machine, Step, ThreadStatus};
use ir::program::*;

/// One walk of at most `steps` steps; the error says where they part.
pub fn walk(program: &Program, steps: usize, rng: &mut Rng) -> Result<(), String> {
    let code = Code::new(program);
    let mut machine = Machine::new(&code);
    let mut state = State::initial(program);
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
        let mut asked = 0;
        let mut next = machine.clone();
        let step = next.step(thread, &mut |_| {
            asked += 1;
            input
        });
        match (step, successor) {
            (Step::Done, Some(Successor { next: Next::State(after), input })) => {
                // Memory that was never written counts as enabled only by luck; nobody relies on it.
                if !is_enabled && input.is_none() {
                    return Err(format!("step {n}, {at}: moves although it is not enabled"));
                }
                if asked != usize::from(input.is_some()) {
                    return Err(format!("step {n}, {at}: asks for {asked} inputs"));
                }
                state = *after;
                machine = next;
                compare(program, &state, &machine).map_err(|why| format!("step {n}, after {at}: {why}"))?;
            }
            (Step::Violated, Some(Successor { next: Next::Violated(..), .. })) => return Ok(()),
            (Step::Unsupported(_), Some(Successor { next: Next::Unsupported, .. })) => return Ok(()),
            (Step::Blocked, None) => {
                if is_enabled && asked == 0 {
                    return Err(format!("step {n}, {at}: blocked although it is enabled"));
                }
            }
            (Step::Ended(_), None) => (),
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
