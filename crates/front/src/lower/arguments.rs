//! What `main`, and constructors, are given: `argc`, `argv` and `envp` are inputs.
//!
//! `argc` is any number that is not negative.  What `argv` points to cannot be of any size, so the program is asked what
//! it looks at:
//!
//! * Arguments at constant places (`argv[1]`) whose bytes are at constant places too (`argv[1][0]`) are just that much
//!   memory of any content, whatever `argc` is: no execution is left out.
//! * An argument that goes elsewhere, to `strcmp` or into a variable that is assigned twice, is a string of a few bytes;
//!   an `argv` that goes elsewhere has a few arguments.  Executions with more are not left out either: the model's
//!   functions that are called here (`arguments.ir`) make the answer UNKNOWN for them.
//!
//! A parameter that is not looked at costs nothing.  The inputs are chosen within `main` itself, where analyses see what
//! is done with them; only a `main` that the program also calls, or before which constructors look at them, gets them from
//! a function in front of it.

use super::shared::{Names, Shared, Signature};
use crate::model::mentions_beyond_null;
use facts::Cfg;
use ir::{
    AllocKind, BinOp, Block, Callee, Expr, FuncId, Function, Input, Inst, InstKind, Layout, Order, Program, Reg,
    RegData, Term, Ty,
};
use std::collections::BTreeMap;

/// An `argv` that goes elsewhere has so many arguments at most; the model's text says the same number.
const MOST_ARGUMENTS: u64 = 3;
/// Bytes of a string that goes elsewhere, with the 0 at its end; the model's text says the same number.
const STRING_BYTES: u64 = 8;
/// Bytes and arguments at constant places beyond these count as going elsewhere.
const LAST_PLACE: u64 = 64;

/// Lets `main` choose its arguments.  Returns the function to start with, which has no parameters; it also calls the
/// constructors, if they get arguments.
pub fn choose(shared: &mut Shared, main: FuncId, constructors: &mut Vec<FuncId>) -> FuncId {
    let params = shared.program.functions[main].params.clone();
    if constructors.iter().any(|function| !shared.program.functions[*function].params.is_empty()) {
        return in_front(shared, main, std::mem::take(constructors));
    }
    if params.is_empty() {
        return main;
    }
    let loops_to_entry = !Cfg::new(&shared.program.functions[main]).predecessors[Function::ENTRY].is_empty();
    if is_called(&shared.program, main) || loops_to_entry {
        return in_front(shared, main, Vec::new());
    }
    let mut function = shared.program.functions[main].clone();
    let looks_at = |reg: &Reg| looks_within(&shared.program, &function, *reg, true, 4);
    let uses: Vec<Use> = params.iter().map(looks_at).collect();
    let insts = choices(shared, &mut function, &params, &uses);
    function.params.clear();
    let pos = function.pos;
    // What is chosen, and what is refused, is told at the line of `main`.
    function.blocks[Function::ENTRY].insts.splice(0..0, insts.into_iter().map(|kind| Inst { kind, pos }));
    shared.program.functions[main] = function;
    shared.signatures[main].params.clear();
    main
}

/// A function that chooses the arguments for constructors, and for a `main` which others may call too, and calls them.
fn in_front(shared: &mut Shared, main: FuncId, mut called: Vec<FuncId>) -> FuncId {
    let Signature { params: mut types, results, .. } = shared.signatures[main].clone();
    called.push(main);
    let most = called.iter().map(|function| shared.program.functions[*function].params.len()).max();
    types.extend([Ty::Int(32), Ty::Ptr, Ty::Ptr].into_iter().take(most.unwrap_or(0)).skip(types.len()));
    let signature = Signature { defined: true, results, ..Signature::default() };
    let pos = shared.program.functions[main].pos;
    let starter = shared.new_function("start.main", signature, pos);
    let mut function = shared.program.functions[starter].clone();
    let names = ["argc", "argv", "envp"].into_iter().chain(std::iter::repeat("argument"));
    let params: Vec<Reg> = names.zip(types).map(|(name, ty)| temp(&mut function, name, ty)).collect();
    let use_in = |function: &FuncId, at: usize| {
        let function = &shared.program.functions[*function];
        let reg = function.params.get(at).copied();
        reg.map_or(Use::Nothing, |reg| looks_within(&shared.program, function, reg, true, 4))
    };
    let all_uses = |at| called.iter().fold(Use::Nothing, |known, function| known.and(use_in(function, at)));
    let uses: Vec<Use> = (0..params.len()).map(all_uses).collect();
    let mut insts = choices(shared, &mut function, &params, &uses);
    let args: Vec<Expr> = params.iter().map(|reg| Expr::Reg(*reg)).collect();
    let dst = function.result.map(|ty| temp(&mut function, "result", ty));
    for callee in called {
        let args = args[..args.len().min(shared.program.functions[callee].params.len())].to_vec();
        let dst = dst.filter(|_| callee == main);
        insts.push(InstKind::Call { dst, callee: Callee::Direct(callee), args });
    }
    let term = Term::Return(dst.map(Expr::Reg));
    let insts = insts.into_iter().map(|kind| Inst { kind, pos }).collect();
    function.blocks.push(Block { name: "entry".to_string(), insts, term, term_pos: pos });
    shared.program.functions[starter] = function;
    starter
}

fn temp(function: &mut Function, name: &str, ty: Ty) -> Reg {
    let name = Names::of(function.regs.values().map(|reg| &reg.name)).unique_with(name, '.');
    function.regs.push(RegData { name, ty, layout: None, user: false })
}

/// What the program does with a pointer it is given.
#[derive(Clone, PartialEq, Debug)]
enum Use {
    Nothing,
    /// Reads at constant offsets; what it does with the pointers it reads there.
    At(BTreeMap<u64, Use>),
    Elsewhere,
}

/// The instructions that give the parameters their values.
fn choices(shared: &mut Shared, function: &mut Function, params: &[Reg], uses: &[Use]) -> Vec<InstKind> {
    let mut out = Vec::new();
    let used = |i: usize| uses.get(i).is_some_and(|what| *what != Use::Nothing);
    let count = params.first().copied().filter(|reg| matches!(function.ty(*reg), Ty::Int(bits) if bits >= 8));
    if let Some(count) = count
        && (used(0) || used(1))
    {
        let zero = Expr::Const(function.ty(count), 0);
        out.push(InstKind::Havoc { dst: count, input: Input::Choice("argc".to_string()) });
        let cond = Expr::bin(BinOp::SLe, zero, Expr::Reg(count));
        out.push(InstKind::Assume { cond });
    }
    for (i, reg) in params.iter().copied().enumerate().filter(|(i, _)| used(*i)) {
        let ty = function.ty(reg);
        match (i, count) {
            (0, Some(_)) => (),
            (1, Some(count)) if ty == Ty::Ptr => vector(shared, function, count, reg, &uses[1], &mut out),
            (2, Some(_)) if ty == Ty::Ptr => {
                let callee = Callee::Direct(shared.library_function("model.environment", &[], Some(Ty::Ptr)));
                out.push(InstKind::Call { dst: Some(reg), callee, args: Vec::new() });
            }
            // Not a `main` that C knows.
            _ => {
                let input = Input::Choice("argument of main".to_string());
                out.push(InstKind::Havoc { dst: reg, input });
            }
        }
    }
    out
}

/// Makes the vector of arguments.
fn vector(shared: &mut Shared, function: &mut Function, count: Reg, dst: Reg, what: &Use, out: &mut Vec<InstKind>) {
    let everything = || (0..MOST_ARGUMENTS).map(|slot| (slot, Use::Elsewhere)).collect();
    let word = shared.program.data_model.pointer_bytes();
    let (slots, length): (BTreeMap<u64, Use>, u64) = match what {
        Use::At(places) => {
            let slots: BTreeMap<u64, Use> = places.iter().map(|(at, what)| (at / word, what.clone())).collect();
            let length = slots.keys().last().map_or(1, |last| last + 1);
            (slots, length)
        }
        Use::Nothing | Use::Elsewhere => {
            let callee = Callee::Direct(shared.library_function("model.few_arguments", &[Ty::Int(32)], None));
            let args = vec![Expr::Reg(count)];
            out.push(InstKind::Call { dst: None, callee, args });
            (everything(), MOST_ARGUMENTS + 1)
        }
    };
    let character = Layout::Scalar { ty: Ty::Int(8), unsigned: false };
    let pointer = Layout::Pointer(Some(Box::new(character)));
    let layout = Layout::Array { element: Box::new(pointer), count: length };
    out.push(allocation(&shared.program, dst, "argv", length * word, layout));
    for slot in 0..length {
        let value = match slots.get(&slot) {
            Some(what) => {
                let text = string(shared, function, slot, what, out);
                let number = Expr::Const(function.ty(count), u128::from(slot));
                let given = Expr::bin(BinOp::SLt, number, Expr::Reg(count));
                Expr::select(given, Expr::Reg(text), Expr::null())
            }
            // The end of the longest vector; a place that is not looked at holds anything.
            None if *what == Use::Elsewhere => Expr::null(),
            None => continue,
        };
        let offset = Expr::Const(shared.program.pointer_int(), u128::from(slot * word));
        let addr = if slot == 0 { Expr::Reg(dst) } else { Expr::bin(BinOp::PtrAdd, Expr::Reg(dst), offset) };
        out.push(InstKind::Store { ty: Ty::Ptr, addr, value, order: Order::Plain });
    }
}

/// Makes one argument.
fn string(shared: &mut Shared, function: &mut Function, slot: u64, what: &Use, out: &mut Vec<InstKind>) -> Reg {
    let name = format!("argv_{slot}");
    let text = temp(function, &name, Ty::Ptr);
    let size = match what {
        Use::Nothing => 1,
        Use::At(places) => places.keys().last().map_or(1, |last| last + 1),
        Use::Elsewhere => STRING_BYTES,
    };
    let layout = Layout::Array { element: Box::new(Layout::Scalar { ty: Ty::Int(8), unsigned: false }), count: size };
    out.push(allocation(&shared.program, text, &name, size, layout));
    if *what == Use::Elsewhere {
        let callee = Callee::Direct(shared.library_function("model.short_string", &[Ty::Ptr], None));
        out.push(InstKind::Call { dst: None, callee, args: vec![Expr::Reg(text)] });
    }
    text
}

/// The arguments outlive `main`, so they are no locals of it.
fn allocation(program: &Program, dst: Reg, name: &str, size: u64, layout: Layout) -> InstKind {
    InstKind::Alloc {
        dst,
        kind: AllocKind::Heap,
        size: Expr::Const(program.pointer_int(), u128::from(size)),
        align: 16,
        zeroed: false,
        name: name.to_string(),
        layout: Some(layout),
    }
}

// ---- what the program looks at ----

/// Does the program itself call `main`, or take its address?
fn is_called(program: &Program, main: FuncId) -> bool {
    program.insts().any(|inst| inst.kind.direct_callee() == Some(main))
        || crate::model::address_taken(program).get(main.0 as usize).copied().unwrap_or(true)
}

/// What a function does with the pointer (or number) in a register that it is given.  `vector`: the pointer is to
/// pointers, else to bytes.
fn looks_within(program: &Program, function: &Function, reg: Reg, vector: bool, depth: u32) -> Use {
    let word = program.data_model.pointer_bytes();
    let number = matches!(function.ty(reg), Ty::Int(_));
    let place = |at, what| Use::At(BTreeMap::from([(at, what)]));
    let byte = |addr| match constant_offset(addr, reg) {
        Some(at) if at <= LAST_PLACE => place(at, Use::Nothing),
        _ => Use::Elsewhere,
    };
    let mut mentioned = false;
    let mut found = if depth == 0 { Use::Elsewhere } else { Use::At(BTreeMap::new()) };
    for block in function.blocks.values() {
        for inst in &block.insts {
            let mut mentions = false;
            inst.kind.for_each_expr(&mut |expr| mentions |= mentions_beyond_null(expr, reg));
            mentioned |= inst.kind.any(&mut |expr| *expr == Expr::Reg(reg));
            // It is given other values as well.
            if inst.kind.dst() == Some(reg) && depth == 4 {
                found = Use::Elsewhere;
            }
            if !mentions || number {
                continue;
            }
            found = found.and(match &inst.kind {
                InstKind::Load { dst, ty: Ty::Ptr, addr, .. } if vector => match constant_offset(addr, reg) {
                    Some(at) if at % word == 0 && at / word <= LAST_PLACE && written_once(function, *dst) => {
                        place(at, looks_within(program, function, *dst, false, depth.saturating_sub(1)))
                    }
                    Some(at) if at % word == 0 && at / word <= LAST_PLACE => place(at, Use::Elsewhere),
                    _ => Use::Elsewhere,
                },
                InstKind::Load { ty: Ty::Int(8), addr, .. } if !vector => byte(addr),
                InstKind::Store { ty: Ty::Int(8), addr, value, .. } if !vector && !mentions_beyond_null(value, reg) => {
                    byte(addr)
                }
                InstKind::Assign { dst, value: Expr::Reg(_) } if written_once(function, *dst) && 0 < depth => {
                    looks_within(program, function, *dst, vector, depth - 1)
                }
                // What is printed is not looked at.
                InstKind::Call { callee: Callee::Direct(callee), .. } if only_prints(&program.functions[*callee]) => {
                    Use::Nothing
                }
                InstKind::Assign { .. } | InstKind::Load { .. } | InstKind::Store { .. } => Use::Elsewhere,
                InstKind::Update { .. } | InstKind::Havoc { .. } | InstKind::Assume { .. } => Use::Elsewhere,
                InstKind::Assert { .. } | InstKind::Alloc { .. } | InstKind::Free { .. } => Use::Elsewhere,
                InstKind::Call { .. } | InstKind::Spawn { .. } | InstKind::Join { .. } => Use::Elsewhere,
                InstKind::Detach { .. } | InstKind::AtomicBegin | InstKind::AtomicEnd => Use::Elsewhere,
                InstKind::Fence { .. } | InstKind::Unsupported { .. } => Use::Elsewhere,
            });
        }
        mentioned |= block.term.any(&mut |expr| *expr == Expr::Reg(reg));
        block.term.for_each_expr(&mut |expr| {
            if !number && mentions_beyond_null(expr, reg) {
                found = Use::Elsewhere;
            }
        });
    }
    if mentioned { found } else { Use::Nothing }
}

impl Use {
    /// Both.
    fn and(self, other: Use) -> Use {
        match (self, other) {
            (Use::Nothing, other) | (other, Use::Nothing) => other,
            (Use::Elsewhere, _) | (_, Use::Elsewhere) => Use::Elsewhere,
            (Use::At(mut places), Use::At(more)) => {
                for (at, what) in more {
                    let old = places.remove(&at).unwrap_or(Use::Nothing);
                    places.insert(at, old.and(what));
                }
                Use::At(places)
            }
        }
    }
}

/// Is it a function of the library that takes text only to print it?  The model's do not look at the text.
fn only_prints(function: &Function) -> bool {
    let names = ["printf", "fprintf", "dprintf", "puts", "fputs", "perror", "syslog"];
    function.blocks.is_empty() && names.contains(&function.name.as_str())
}

fn written_once(function: &Function, reg: Reg) -> bool {
    function.insts().filter(|inst| inst.kind.dst() == Some(reg)).count() == 1 && !function.params.contains(&reg)
}

/// The offset of an address from the register, if it is constant and not negative.
fn constant_offset(addr: &Expr, reg: Reg) -> Option<u64> {
    match addr {
        Expr::Reg(other) if *other == reg => Some(0),
        Expr::Bin(BinOp::PtrAdd, base, by) => match (&**base, &**by) {
            (base, Expr::Const(_, by)) => {
                constant_offset(base, reg)?.checked_add(u64::try_from(*by).ok()?).filter(|at| *at < 1 << 30)
            }
            _ => None,
        },
        _ => None,
    }
}
