//! Where the program starts: constructors, `main` with its arguments, destructors.
//!
//! `argc` is 1; `argv` holds a name for the program and a null pointer; the environment is empty.  Variables that are
//! declared but nowhere defined hold any value at the start.

use super::shared::{Shared, Signature};
use super::unit::{Target, Unit};
use base::{Diagnostic, IdVec, Pos};
use ir::{
    Block, Callee, Expr, FuncId, Init, InitValue, Input, Inst, InstKind, Layout, Object, ObjectId, Order, Reg, RegData,
    Term, Ty,
};
use llvm::Const;

/// Undefined variables with more scalars than this stay zero.
const MAX_CELLS: usize = 256;

pub fn add(units: &mut [Unit], shared: &mut Shared) {
    let Some(Target::Function(main)) = shared.by_name.get("main").copied().filter(|_| has_main(shared)) else {
        let file = units.first().map_or("", |unit| unit.name);
        shared.errors.push(Diagnostic::error("there is no function `main`").at(file, 0, 0));
        return;
    };
    let before = listed(units, shared, "llvm.global_ctors");
    let mut after = listed(units, shared, "llvm.global_dtors");
    after.reverse();
    let signature = shared.signatures[main].clone();
    if before.is_empty() && after.is_empty() && signature.params.is_empty() && shared.extern_objects.is_empty() {
        shared.program.entry = main;
        return;
    }
    let mut insts = Vec::new();
    let mut regs: IdVec<Reg, RegData> = IdVec::new();
    any_content(units, shared, &mut regs, &mut insts);
    let call = |function: FuncId, args| InstKind::Call { dst: None, callee: Callee::Direct(function), args };
    let mut push = |kind| insts.push(Inst { kind, pos: Pos::NONE });
    before.into_iter().for_each(|function| push(call(function, Vec::new())));
    let args = arguments(shared, &signature);
    push(call(main, args));
    after.into_iter().for_each(|function| push(call(function, Vec::new())));
    let entry = shared.new_function("_start", Signature { defined: true, ..Signature::default() }, Pos::NONE);
    let function = &mut shared.program.functions[entry];
    function.regs = regs;
    function.blocks.push(Block { name: "entry".to_string(), insts, term: Term::Halt, term_pos: Pos::NONE });
    shared.program.entry = entry;
}

fn has_main(shared: &Shared) -> bool {
    match shared.by_name.get("main") {
        Some(Target::Function(main)) => shared.signatures[*main].defined,
        _ => false,
    }
}

/// The functions in a list of constructors or destructors of all modules, by priority.
fn listed(units: &mut [Unit], shared: &mut Shared, name: &str) -> Vec<FuncId> {
    let mut found = Vec::new();
    for unit in units {
        let module = unit.module;
        let variable = module.symbol(name).and_then(|id| module.variable(id));
        let Some(Const::Array(entries)) = variable.and_then(|v| v.init.as_ref()).map(|init| &init.value) else {
            continue;
        };
        for entry in entries {
            let Const::Struct(fields) = &entry.value else { continue };
            let [priority, function, ..] = &fields[..] else { continue };
            let Const::Int(priority) = priority.value else { continue };
            if let Ok(super::consts::Part::Expr(Expr::Func(id))) =
                unit.const_scalar(shared, function.ty, &function.value)
            {
                found.push((priority, id));
            }
        }
    }
    found.sort_by_key(|(priority, _)| *priority);
    found.into_iter().map(|(_, id)| id).collect()
}

fn arguments(shared: &mut Shared, signature: &Signature) -> Vec<Expr> {
    let mut args = Vec::new();
    for (i, ty) in signature.params.iter().enumerate() {
        args.push(match (i, ty) {
            (0, Ty::Int(bits)) => Expr::int(*bits, 1),
            (1, Ty::Ptr) => Expr::Object(argument_vector(shared), 0),
            (2, Ty::Ptr) => {
                let word = shared.program.data_model.pointer_bytes();
                let layout = Layout::Array { element: Box::new(Layout::Pointer(None)), count: 1 };
                Expr::Object(new_object(shared, "envp", word, layout, Vec::new()), 0)
            }
            _ => Expr::Const(*ty, 0),
        });
    }
    args
}

fn argument_vector(shared: &mut Shared) -> ObjectId {
    let character = Layout::Scalar { ty: Ty::Int(8), unsigned: false };
    let text = b"program\0".to_vec();
    let size = text.len() as u64;
    let layout = Layout::Array { element: Box::new(character.clone()), count: size };
    let init = vec![Init { offset: 0, value: InitValue::Bytes(text) }];
    let name = new_object(shared, "argv_0", size, layout, init);
    let word = shared.program.data_model.pointer_bytes();
    let pointer = Layout::Pointer(Some(Box::new(character)));
    let layout = Layout::Array { element: Box::new(pointer), count: 2 };
    let init = vec![Init { offset: 0, value: InitValue::Object(name, 0) }];
    new_object(shared, "argv", 2 * word, layout, init)
}

fn new_object(shared: &mut Shared, name: &str, size: u64, layout: Layout, init: Vec<Init>) -> ObjectId {
    let name = shared.object_names.unique(name);
    let align = shared.program.data_model.pointer_bytes();
    shared.program.objects.push(Object {
        name,
        layout,
        size,
        align,
        thread_local: false,
        constant: false,
        internal: true,
        init,
        pos: Pos::NONE,
    })
}

/// Gives any content to the variables that nobody defines.
fn any_content(units: &mut [Unit], shared: &mut Shared, regs: &mut IdVec<Reg, RegData>, out: &mut Vec<Inst>) {
    for object in std::mem::take(&mut shared.extern_objects) {
        let name = shared.program.objects[object].name.clone();
        shared.program.objects[object].constant = false;
        if matches!(name.as_str(), "stdin" | "stdout" | "stderr") {
            // Streams exist; what is in them is the library's business.
            let stream = new_object(shared, &format!("{name}_stream"), 8, Layout::Bytes(8), Vec::new());
            shared.program.objects[object].init = vec![Init { offset: 0, value: InitValue::Object(stream, 0) }];
            continue;
        }
        let leaves = units.iter().find_map(|unit| {
            let variable = unit.module.variable(unit.module.symbol(&name)?)?;
            unit.types.leaves(variable.ty)
        });
        match leaves {
            Some(leaves) if leaves.len() <= MAX_CELLS && !leaves.is_empty() => {
                shared.note(format!("`{name}` is declared but not defined: it holds any value at first"));
                for leaf in leaves {
                    let dst =
                        regs.push(RegData { name: format!("v{}", regs.len()), ty: leaf.ty, layout: None, user: false });
                    let input = Input::Extern(name.clone());
                    out.push(Inst { kind: InstKind::Havoc { dst, input }, pos: Pos::NONE });
                    let addr = Expr::Object(object, leaf.offset as i64);
                    let kind = InstKind::Store { ty: leaf.ty, addr, value: Expr::Reg(dst), order: Order::Plain };
                    out.push(Inst { kind, pos: Pos::NONE });
                }
            }
            _ => shared.note(format!("`{name}` is declared but not defined: it is taken to be all zero")),
        }
    }
}
