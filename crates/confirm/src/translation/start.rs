//! What is there before anything happens: threads that are started once, objects that are apart, the first state.

use crate::{comes_back, ensure};
use base::Budget;
use formula::{Formula, Linear, Var};
use ir::InstKind;
use passes::{ThreadId, Unfolded};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Solver;
use system::Translated;
use system::meaning::{Home, Kind, PieceId};

/// A thread is started by one instruction, once.
pub fn started_once(unfolded: &Unfolded) -> Result<(), String> {
    let mut started = FxHashSet::default();
    for (thread, data) in unfolded.threads.iter() {
        let function = &unfolded.program.functions[data.func];
        for (block, content) in function.blocks.iter() {
            for inst in content.insts.iter().filter(|inst| matches!(inst.kind, InstKind::Spawn { .. })) {
                let child = inst.kind.direct_callee().and_then(|func| unfolded.thread_of(func));
                let child = child.ok_or("a thread whose function is not known")?;
                let again = child == ThreadId::FIRST || child == thread || !started.insert(child);
                ensure(!again && !comes_back(function, block), "a thread that is started more than once")?;
            }
        }
    }
    Ok(())
}

/// Objects are apart from each other, and pieces of one object too.
pub fn objects_apart(translated: &Translated) -> Result<(), String> {
    let (program, memory) = (&translated.unfolded().program, &translated.meaning.memory);
    for (object, stored) in memory.objects.iter() {
        ensure(stored.size.is_none_or(|size| i128::from(size) <= memory.room / 4), "an object that is too large")?;
        let mut end = 0;
        for piece in memory.pieces_of(object).map(|piece| memory.pieces[piece]) {
            ensure(piece.object == object && piece.offset >= end, "pieces of memory overlap")?;
            end = piece.offset + piece.size;
        }
        let pointer_bits = u32::from(program.data_model.pointer_bits());
        ensure(
            memory.pointer(object, 0) + memory.room <= 1 << (pointer_bits - 1),
            "an address that is no number of its type",
        )?;
        ensure(memory.locate(memory.pointer(object, 0)) == Some((object, 0)), "two objects in one place")?;
        let size = match stored.kind {
            Kind::Static(id) | Kind::ThreadLocal(id, _) => Some(program.objects[id].size),
            Kind::Function(_) => Some(0),
            Kind::Allocated(point) => {
                let Some(InstKind::Alloc { size, .. }) = program.inst(point).map(|inst| &inst.kind) else {
                    return Err("an object that nobody allocates".into());
                };
                size.as_constant().and_then(|size| u64::try_from(size).ok())
            }
        };
        ensure(stored.size.is_none() || stored.size == size, "an object of another size")?;
    }
    Ok(())
}

/// The first state of the program belongs to a first state of the system; says which variables may be anything at first.
pub fn first_state(translated: &Translated, solver: &mut Solver, budget: &Budget) -> Result<FxHashSet<Var>, String> {
    let Translated { system, meaning, .. } = translated;
    // What is open at first, and what nobody looks at before it is written.
    let (mut fixed, mut open, mut idle) = (FxHashMap::default(), FxHashSet::default(), FxHashSet::default());
    for (var, stands) in meaning.vars.iter() {
        match stands.home {
            Home::Cell(piece) => match initial_content(translated, piece)? {
                Some(value) => _ = fixed.insert(var, stands.mode.read(value, stands.bits)),
                None => _ = open.insert(var),
            },
            Home::Register(..) | Home::Argument(..) | Home::Result(_) => _ = idle.insert(var),
            Home::Started(_) | Home::Ended(_) | Home::Failed => _ = fixed.insert(var, 0),
            Home::Pc(thread) => _ = fixed.insert(var, system::location_value(system.threads[thread].graph.entry)),
            Home::Input => return Err("an input is not part of a state".into()),
        }
    }
    let declared = system.vars.iter().map(|(var, data)| Formula::within(data.range, &var.into()));
    for part in system.initial.conjuncts().iter().cloned().chain(declared) {
        let rest = part.substitute(&mut |var| fixed.get(&var).map(|value| Linear::constant(*value)));
        let vars = rest.vars();
        solver.push();
        for var in vars.iter().filter(|var| open.contains(var)) {
            let stands = meaning.vars[*var];
            solver.assert(&Formula::within(stands.mode.range(stands.bits), &(*var).into()));
        }
        // Each of the idle ones can be what it must, by itself.
        let fine = match vars.iter().any(|var| idle.contains(var)) {
            true => vars.len() == 1 && solver.refutes(&rest, budget) == Some(false),
            false => solver.refutes(&rest.not(), budget) == Some(true),
        };
        solver.pop();
        ensure(fine, "the system does not start as the program does")?;
    }
    Ok(open)
}

/// The bits that a piece holds at first; `None` if they may be anything.
fn initial_content(translated: &Translated, piece: PieceId) -> Result<Option<u128>, String> {
    let (program, memory) = (&translated.unfolded().program, &translated.meaning.memory);
    let piece = memory.pieces[piece];
    let bytes = match memory.objects[piece.object].kind {
        Kind::Static(id) | Kind::ThreadLocal(id, _) => {
            program.objects[id].initial_bytes(program, &|value| match value {
                ir::InitValue::Object(id, offset) => memory.pointer(memory.object(Kind::Static(*id)), *offset) as u128,
                ir::InitValue::Function(func) => memory.pointer(memory.object(Kind::Function(*func)), 0) as u128,
                ir::InitValue::Scalar(..) | ir::InitValue::Bytes(_) => 0,
            })
        }
        Kind::Allocated(point) => {
            let kind = program.inst(point).map(|inst| &inst.kind);
            let Some(InstKind::Alloc { zeroed: true, .. }) = kind else { return Ok(None) };
            Vec::new()
        }
        Kind::Function(_) => return Err("a variable for a function".into()),
    };
    let byte = |offset: u64| bytes.get(offset as usize).copied().unwrap_or(0);
    Ok(Some((0..piece.size).rev().fold(0, |value, offset| value << 8 | u128::from(byte(piece.offset + offset)))))
}
