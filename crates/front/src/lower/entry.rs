//! Where the program starts: constructors, `main`, and what the end of the program asks for.
//!
//! Destructors are functions that are registered for the end of the program before anything else is, so that they run
//! however the program ends: by the return of `main`, by `exit`, or with its last thread.  Variables that are declared but
//! nowhere defined hold any value at the start.

use super::arguments;
use super::lists;
use super::shared::{Shared, Signature};
use super::types::Leaf;
use super::unit::Unit;
use base::{Diagnostic, IdVec, Pos};
use ir::interp::Point;
use ir::{
    BinOp, Block, BlockId, Callee, Expr, FuncId, Function, Init, InitValue, Input, Inst, InstKind, Layout, ObjectId,
    Order, Program, Reg, RegData, Term, Ty,
};

/// Undefined variables with more scalars than this are refused where they are looked at.
const MAX_CELLS: usize = 1024;

/// How the inputs that are the content of undefined variables begin.
pub const CONTENT: &str = "the content of ";

pub fn add(units: &mut [Unit], shared: &mut Shared) {
    let main = shared.function_named("main").filter(|main| shared.signatures[*main].defined);
    let Some(main) = main else {
        let file = units.first().map_or("", |unit| unit.name);
        shared.errors.push(Diagnostic::error("there is no function `main`").at(file, 0, 0));
        return;
    };
    let (mut before, after) = lists::find(units, shared);
    let main = arguments::choose(shared, main, &mut before);
    let is_the_librarys = |function: FuncId| !shared.signatures[function].defined;
    let uses = |name| shared.function_named(name).is_some_and(is_the_librarys);
    let at_exit = !after.is_empty() || uses("atexit") || uses("on_exit");
    if before.is_empty() && !at_exit && shared.extern_objects.is_empty() {
        shared.program.entry = main;
        return;
    }
    let mut insts = Vec::new();
    let mut regs: IdVec<Reg, RegData> = IdVec::new();
    any_content(units, shared, &mut regs, &mut insts);
    let call = |dst, function, args| at_start(InstKind::Call { dst, callee: Callee::Direct(function), args });
    // What is registered first is called last, in the order of the priorities.
    for function in after {
        let register = shared.library_function("model.register_exit", &[Ty::Ptr], Some(Ty::Int(32)));
        insts.push(call(None, register, vec![Expr::Func(function)]));
    }
    before.into_iter().for_each(|function| insts.push(call(None, function, Vec::new())));
    let status = shared.program.functions[main].result.filter(|ty| at_exit && *ty == Ty::Int(32));
    let status = status.map(|ty| regs.push(RegData { name: "status".to_string(), ty, layout: None, user: false }));
    insts.push(call(status, main, Vec::new()));
    if at_exit {
        let exit = shared.library_function("model.exit", &[Ty::Int(32)], None);
        insts.push(call(None, exit, vec![status.map_or(Expr::int(32, 0), Expr::Reg)]));
    }
    let entry = shared.new_function("_start", Signature { defined: true, ..Signature::default() }, Pos::NONE);
    let function = &mut shared.program.functions[entry];
    function.regs = regs;
    function.blocks.push(Block { name: "entry".to_string(), insts, term: Term::Halt, term_pos: Pos::NONE });
    shared.program.entry = entry;
}

/// Gives any content to the variables that nobody defines.
fn any_content(units: &mut [Unit], shared: &mut Shared, regs: &mut IdVec<Reg, RegData>, out: &mut Vec<Inst>) {
    let mut fresh = |ty| regs.push(RegData { name: format!("v{}", regs.len()), ty, layout: None, user: false });
    for object in std::mem::take(&mut shared.extern_objects) {
        let name = shared.program.objects[object].name.clone();
        shared.program.objects[object].constant = false;
        if matches!(name.as_str(), "stdin" | "stdout" | "stderr") {
            // Streams exist; what is in them is the library's business.
            let align = shared.program.data_model.pointer_bytes();
            let stream = shared.internal_object(&format!("{name}_stream"), 8, align, Layout::Bytes(8));
            shared.program.objects[object].init = vec![Init { offset: 0, value: InitValue::Object(stream, 0) }];
            continue;
        }
        if matches!(name.as_str(), "environ" | "__environ" | "_environ") {
            let dst = fresh(Ty::Ptr);
            let callee = Callee::Direct(shared.library_function("model.environment", &[], Some(Ty::Ptr)));
            out.push(at_start(InstKind::Call { dst: Some(dst), callee, args: Vec::new() }));
            out.push(store(object, 0, Ty::Ptr, Expr::Reg(dst)));
            continue;
        }
        let places = constant_places(&shared.program, object);
        match parts(units, shared, object, places.as_deref()) {
            Some(leaves) if leaves.len() <= MAX_CELLS => {
                shared.note(format!("`{name}` is declared but not defined: it holds any value at first"));
                for leaf in leaves {
                    let dst = fresh(leaf.ty);
                    let input = Input::Choice(format!("{CONTENT}`{name}`"));
                    out.push(at_start(InstKind::Havoc { dst, input }));
                    out.push(store(object, leaf.offset as i64, leaf.ty, Expr::Reg(dst)));
                    if let (Ty::Ptr, Some(_)) = (leaf.ty, &places) {
                        out.extend(refuse_to_follow(shared, object, leaf.offset as i64));
                    }
                }
            }
            _ => {
                shared.note(format!("`{name}` is declared but not defined: looking at it is not supported"));
                let what = format!("the content of `{name}`, which is declared but not defined");
                // Who finds its address in another object from the beginning is not known.
                if is_pointed_to(&shared.program, object) {
                    let pos = shared.program.objects[object].pos;
                    out.push(Inst { kind: InstKind::Unsupported { what: what.clone() }, pos });
                }
                refuse_mentions(&mut shared.program, object, &what, |_| false);
            }
        }
    }
}

/// The parts of an undefined variable that the program may look at, the bytes between them too: a union has others there.
/// `None` if they are not known: those of a variable whose type or length is elsewhere, and in other threads than the first.
fn parts(units: &[Unit], shared: &Shared, object: ObjectId, places: Option<&[(u64, Ty)]>) -> Option<Vec<Leaf>> {
    let program = &shared.program;
    let ir::Object { name, size, thread_local, .. } = &program.objects[object];
    let mut leaves = units.iter().find_map(|unit| {
        let variable = unit.module.variable(unit.module.symbol(name)?)?;
        let is_open = places.is_none() && unit.types.has_open_array(variable.ty);
        // One without parts is of a type that is not known here, or an array of a length that is not.
        unit.types.leaves(variable.ty).filter(|leaves| !leaves.is_empty() && !is_open)
    })?;
    let starts_threads = ["pthread_create", "thrd_create"].iter().any(|name| shared.function_named(name).is_some());
    let end = |at: u64, ty: Ty| at + program.size_of(ty);
    let looked_at = places.unwrap_or_default();
    if *thread_local && starts_threads || looked_at.iter().any(|(at, ty)| end(*at, *ty) > *size) {
        return None;
    }
    let meets = |leaf: &Leaf, (at, ty): (u64, Ty)| leaf.offset < end(at, ty) && at < end(leaf.offset, leaf.ty);
    let (pointers, others): (Vec<_>, Vec<_>) = looked_at.iter().copied().partition(|(_, ty)| *ty == Ty::Ptr);
    leaves.retain(|leaf| leaf.ty == Ty::Ptr || !pointers.iter().any(|place| meets(leaf, *place)));
    for (offset, ty) in pointers.into_iter().chain(others) {
        if !leaves.iter().any(|leaf| meets(leaf, (offset, ty))) {
            leaves.push(Leaf { offset, ty });
        }
    }
    leaves.sort_unstable_by_key(|leaf| leaf.offset);
    let ends = leaves.iter().map(|leaf| end(leaf.offset, leaf.ty));
    let starts = leaves.iter().map(|leaf| leaf.offset).chain([*size]);
    let gaps: Vec<(u64, u64)> = [0].into_iter().chain(ends).zip(starts).collect();
    for (from, to) in gaps {
        leaves.extend((from..to).map(|offset| Leaf { offset, ty: Ty::Int(8) }));
    }
    leaves.retain(|leaf| places.is_none_or(|places| places.iter().any(|place| meets(leaf, *place))));
    Some(leaves)
}

/// Where the program loads the pointer from the place, and does more with it than compare it or call it, the answer is UNKNOWN unless it is
/// null or the program has written to the place; returns what notes at the start that it has not.
fn refuse_to_follow(shared: &mut Shared, object: ObjectId, offset: i64) -> Option<Inst> {
    let pointer_bytes = shared.program.data_model.pointer_bytes() as i64;
    let mut accesses = Vec::new();
    for (func, function) in shared.program.functions.iter() {
        for (block, data) in function.blocks.iter() {
            for (number, inst) in data.insts.iter().enumerate() {
                let Some(access) = inst.kind.access() else { continue };
                let Expr::Object(id, at) = *access.addr else { continue };
                let end = at + shared.program.size_of(access.ty) as i64;
                if id != object || end <= offset || at >= offset + pointer_bytes {
                    continue;
                }
                // Who reads it as a number may follow it all the same.
                if (access.ty, at) != (Ty::Ptr, offset) {
                    return None;
                }
                let followed = inst.kind.dst().filter(|dst| is_followed(function, *dst));
                accesses.push((Point::new(func, block, number), followed, access.writes));
            }
        }
    }
    if accesses.iter().all(|(_, followed, _)| followed.is_none()) {
        return None;
    }
    let name = shared.program.objects[object].name.clone();
    let layout = Layout::Scalar { ty: Ty::Int(8), unsigned: true };
    let unwritten = shared.internal_object(&format!("unwritten.{name}"), 1, 1, layout);
    let note = |is_so: i128| store(unwritten, 0, Ty::Int(8), Expr::int(8, is_so));
    // The last ones first, so that the others stay where they are.
    for (point, followed, writes) in accesses.into_iter().rev() {
        let pos = shared.program.pos(point);
        let mut after: Vec<Inst> = Vec::new();
        if let Some(loaded) = followed {
            let what = format!("what `{name}` points to, which is declared but not defined");
            let callee = Callee::Direct(check_of_pointer(shared, &name, unwritten, what, pos));
            after.push(Inst { kind: InstKind::Call { dst: None, callee, args: vec![Expr::Reg(loaded)] }, pos });
        }
        after.extend(writes.then(|| Inst { pos, ..note(0) }));
        let insts = &mut shared.program.functions[point.func].blocks[point.block].insts;
        let next = point.inst as usize + 1;
        insts.splice(next..next, after);
    }
    Some(note(1))
}

/// A function that a pointer from an undefined variable is given to before it is followed.
fn check_of_pointer(shared: &mut Shared, name: &str, unwritten: ObjectId, what: String, pos: Pos) -> FuncId {
    let signature = Signature { params: vec![Ty::Ptr], fixed: 1, defined: true, ..Signature::default() };
    let id = shared.new_function(&format!("followed.{name}"), signature, pos);
    let function = &mut shared.program.functions[id];
    let found = function.regs.push(RegData { name: "found".to_string(), ty: Ty::Int(8), layout: None, user: false });
    let addr = Expr::Object(unwritten, 0);
    let load = InstKind::Load { dst: found, ty: Ty::Int(8), addr, order: Order::Plain };
    let [fine, look, bad] = [1, 2, 3].map(BlockId);
    let is_null = Expr::bin(BinOp::Eq, Expr::Reg(function.params[0]), Expr::null());
    let is_written = Expr::bin(BinOp::Eq, Expr::Reg(found), Expr::int(8, 0));
    let blocks = [
        ("entry", None, Term::Branch { cond: is_null, then: fine, other: look }),
        ("fine", None, Term::Return(None)),
        ("look", Some(load), Term::Branch { cond: is_written, then: fine, other: bad }),
        ("bad", Some(InstKind::Unsupported { what }), Term::Unreachable),
    ];
    for (name, kind, term) in blocks {
        let insts = kind.into_iter().map(|kind| Inst { kind, pos }).collect();
        function.blocks.push(Block { name: name.to_string(), insts, term, term_pos: pos });
    }
    id
}

/// Does the function do more with the pointer in the register than compare it or call it?
fn is_followed(function: &Function, loaded: Reg) -> bool {
    let mut held = vec![loaded];
    let mut next = 0;
    while let Some(reg) = held.get(next).copied() {
        next += 1;
        for block in function.blocks.values() {
            for number in 0..=block.insts.len() {
                let kind = block.insts.get(number).map(|inst| &inst.kind);
                if let Some(InstKind::Assign { dst, value }) = kind
                    && *value == Expr::Reg(reg)
                {
                    held.extend((!held.contains(dst)).then_some(*dst));
                    continue;
                }
                let is_callee = |expr: &Expr| matches!(kind.and_then(InstKind::callee), Some(Callee::Indirect(target)) if std::ptr::eq(target, expr));
                let mut more = false;
                let mut look = |expr| more |= !is_callee(expr) && is_more_than_compared(expr, reg);
                block.for_each_expr_at(number, &mut look);
                if more {
                    return true;
                }
            }
        }
    }
    false
}

fn is_more_than_compared(expr: &Expr, reg: Reg) -> bool {
    match expr {
        Expr::Reg(other) => *other == reg,
        Expr::Bin(op, left, right) if op.is_comparison() => {
            let more = |side: &Expr| *side != Expr::Reg(reg) && is_more_than_compared(side, reg);
            more(left) || more(right)
        }
        other => other.children().any(|child| is_more_than_compared(child, reg)),
    }
}

fn at_start(kind: InstKind) -> Inst {
    Inst { kind, pos: Pos::NONE }
}

fn store(object: ObjectId, at: i64, ty: Ty, value: Expr) -> Inst {
    let addr = Expr::Object(object, at);
    at_start(InstKind::Store { ty, addr, value, order: Order::Plain })
}

/// Does the address of the object stand in another from the beginning?
pub fn is_pointed_to(program: &Program, object: ObjectId) -> bool {
    let holds = |init: &Init| matches!(init.value, InitValue::Object(other, _) if other == object);
    program.objects.values().any(|other| other.init.iter().any(holds))
}

/// The places of an object that the program looks at, and as what, if all of them are constant; the others need no content.
fn constant_places(program: &Program, object: ObjectId) -> Option<Vec<(u64, Ty)>> {
    if is_pointed_to(program, object) {
        return None;
    }
    let mut is_within = is_within(object);
    let mut places = Vec::new();
    for block in program.functions.values().flat_map(|function| function.blocks.values()) {
        for inst in &block.insts {
            let mut count = 0;
            inst.kind.for_each_expr(&mut |expr| count += u32::from(expr.any(&mut is_within)));
            if count == 0 {
                continue;
            }
            let access = inst.kind.access().filter(|_| count == 1)?;
            let Expr::Object(id, at) = access.addr else { return None };
            if *id != object {
                return None;
            }
            places.push((u64::try_from(*at).ok()?, access.ty));
        }
        if block.term.any(&mut is_within) {
            return None;
        }
    }
    Some(places)
}

/// Makes the answer UNKNOWN where the program comes to something that mentions the object, but for what is allowed.
pub fn refuse_mentions(program: &mut Program, object: ObjectId, what: &str, is_allowed: impl Fn(&InstKind) -> bool) {
    let unsupported = |pos| Inst { kind: InstKind::Unsupported { what: what.to_string() }, pos };
    let mut is_within = is_within(object);
    for (_, function) in program.functions.iter_mut() {
        for (_, block) in function.blocks.iter_mut() {
            for inst in std::mem::take(&mut block.insts) {
                if inst.kind.any(&mut is_within) && !is_allowed(&inst.kind) {
                    block.insts.push(unsupported(inst.pos));
                }
                block.insts.push(inst);
            }
            if block.term.any(&mut is_within) {
                block.insts.push(unsupported(block.term_pos));
            }
        }
    }
}

/// Is an expression the address of the object or of a part of it?
pub fn is_within(object: ObjectId) -> impl Fn(&Expr) -> bool {
    move |expr| matches!(expr, Expr::Object(other, _) if *other == object)
}
