//! From LLVM modules to one program.
//!
//! First every global name of every module gets its object or function, then initialisers are filled in and bodies
//! translated: so a body can refer to anything, in whatever module it is.

mod analysis;
mod arguments;
mod call;
mod cfg;
mod consts;
mod debug;
pub mod entry;
mod externs;
mod fold;
mod func;
mod heap;
mod inst;
mod intrinsics;
mod lists;
mod memory;
mod regions;
mod retry;
mod shared;
mod types;
mod unit;
mod unwritten;
mod varargs;

pub use heap::name_allocations;
pub use retry::drop_spurious_failures;
pub use shared::Names;

use crate::Loaded;
use crate::model::{LinkOptions, REPLACEABLE, refuse_other};
use base::Diagnostic;
use base::graph::Components;
use ir::{Block, Callee, Expr, FuncId, Function, Inst, InstKind, Object, ObjectId, Program, Term};
use llvm::{GlobalId, Linkage, Module, SymbolDef};
use rustc_hash::FxHashMap;
use shared::Shared;
use types::{DataLayout, TypeTable};
use unit::{Target, Unit, is_local};

/// What `assert` calls where it fails.
const ASSERT_FAIL: &str = "__assert_fail";
/// Layouts nested deeper than this, by value, are not taken apart.
const MAX_NESTING: u32 = 48;

/// How much a definition counts when several modules have one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    Inline,
    Weak,
    Common,
    Strong,
}

#[derive(Clone, Copy)]
struct Definition {
    unit: usize,
    id: GlobalId,
    /// And the size: among common ones the largest holds, else the first.
    strength: (Strength, u64),
}

/// Links and lowers modules; each comes with the name of its file.
pub fn lower(modules: &[(String, Module)], link: &LinkOptions) -> Result<Loaded, Vec<Diagnostic>> {
    let mut units = Vec::new();
    let mut data_model = None;
    for (name, module) in modules {
        let fail = |message: String| vec![Diagnostic::error(message).at(name.as_str(), 0, 0)];
        let layout = DataLayout::parse(module.data_layout.as_deref().unwrap_or("")).map_err(fail)?;
        if data_model.is_some_and(|known| known != layout.data_model) {
            return Err(fail("is for another width of pointers than the files before it".to_string()));
        }
        data_model = Some(layout.data_model);
        if let Some(line) = module.module_asm.lines().find(|line| !is_directive(line)) {
            return Err(fail(format!("assembly at file level is not supported: `{}`", line.trim())));
        }
        units.push(Unit::new(name, module, TypeTable::new(&module.types, layout)));
    }
    let Some(data_model) = data_model else { return Err(vec![Diagnostic::error("no input files")]) };
    let mut shared = Shared::new(Program::new(data_model), link.clone());
    let chosen = choose(&units, &mut shared);
    let (objects, functions) = declare(&mut units, &mut shared, &chosen);
    aliases(&mut units, &mut shared, &chosen);
    for (unit, id, object) in objects {
        initialise(&mut units[unit], &mut shared, id, object);
    }
    for (unit, id, function) in functions {
        body(&mut units[unit], &mut shared, id, function);
    }
    entry::add(&mut units, &mut shared);
    shared.others.iter().for_each(|id| refuse_other(&mut shared.program, *id));
    cut_deep_layouts(&mut shared.program);
    if !shared.errors.is_empty() {
        return Err(shared.errors);
    }
    Ok(Loaded { program: shared.program, notes: shared.notes })
}

/// A line of assembly that neither makes code nor data.
fn is_directive(line: &str) -> bool {
    let line = line.trim();
    let harmless = [".symver", ".ident", ".file", ".globl", ".global", ".weak", ".hidden", ".type", ".size", "#", "//"];
    line.is_empty() || harmless.iter().any(|word| line.starts_with(word))
}

/// Debug information is taken as it comes; a record in it could contain itself, or nest without measure.  Such layouts
/// become bytes, so that others can walk layouts without care.
fn cut_deep_layouts(program: &mut Program) {
    let within = |named: &ir::NamedLayout| {
        let mut inner = Vec::new();
        named_within(&named.layout, 1, &mut inner);
        inner
    };
    let inner: Vec<Vec<(ir::LayoutId, u32)>> = program.layouts.values().map(within).collect();
    let edges: Vec<Vec<u32>> = inner.iter().map(|inner| inner.iter().map(|(other, _)| other.0).collect()).collect();
    let components = Components::of_graph(&edges);
    // The depth of each layout, by value; what lies within others comes before them.
    let mut depths = vec![0; inner.len()];
    for index in components.members().into_iter().flatten() {
        let below = inner[index].iter().map(|(other, level)| depths[other.0 as usize] + level);
        let deepest = below.fold(16, u32::max);
        if deepest <= MAX_NESTING && !components.on_cycle(index) {
            depths[index] = deepest;
        } else {
            let id = ir::LayoutId(index as u32);
            program.layouts[id].layout = ir::Layout::Bytes(program.layouts[id].layout.size(program));
        }
    }
}

/// The named layouts that lie within a layout by value, and how deep.
fn named_within(layout: &ir::Layout, level: u32, out: &mut Vec<(ir::LayoutId, u32)>) {
    match layout {
        ir::Layout::Named(id) => out.push((*id, level)),
        ir::Layout::Array { element, .. } => named_within(element, level + 1, out),
        ir::Layout::Struct { fields, .. } | ir::Layout::Union { fields, .. } => {
            fields.iter().for_each(|field| named_within(&field.layout, level + 1, out));
        }
        ir::Layout::Scalar { .. } | ir::Layout::Pointer(_) | ir::Layout::Bytes(_) => (),
    }
}

/// For each name that modules share, the definition that holds.
fn choose<'m>(units: &[Unit<'m>], shared: &mut Shared) -> FxHashMap<&'m str, Definition> {
    let mut chosen: FxHashMap<&'m str, Definition> = FxHashMap::default();
    for (index, unit) in units.iter().enumerate() {
        for (id, symbol) in unit.module.symbols.iter() {
            let (Some(name), Some((linkage, size))) = (symbol.name.as_str(), definition(unit, id)) else { continue };
            if is_local(linkage) || name.starts_with("llvm.") {
                continue;
            }
            let strength = match linkage {
                Linkage::AvailableExternally => Strength::Inline,
                Linkage::Common => Strength::Common,
                Linkage::Weak | Linkage::WeakOdr | Linkage::LinkOnce | Linkage::LinkOnceOdr => Strength::Weak,
                _ => Strength::Strong,
            };
            let strength = (strength, if strength == Strength::Common { size } else { 0 });
            match chosen.get(name) {
                Some(old) if old.strength.0 == Strength::Strong && strength.0 == Strength::Strong => {
                    let (here, there) = (unit.declared_at(shared, id), units[old.unit].declared_at(shared, old.id));
                    let other = shared.program.place(there).unwrap_or_else(|| units[old.unit].name.to_string());
                    let error = Diagnostic::error(format!("`{name}` is defined here and in {other}"));
                    shared.errors.push(shared.program.located(error.at(unit.name, 0, 0), here));
                }
                Some(old) if old.strength >= strength => (),
                _ => drop(chosen.insert(name, Definition { unit: index, id, strength })),
            }
        }
    }
    chosen
}

/// Linkage and size of a symbol, if the module defines it.
fn definition(unit: &Unit, id: GlobalId) -> Option<(Linkage, u64)> {
    let symbol = &unit.module.symbols[id];
    let (defined, size) = match &symbol.def {
        SymbolDef::Function(at) => (unit.module.functions[*at].defined, 0),
        SymbolDef::Variable(variable) => (variable.init.is_some(), unit.types.size(variable.ty)),
        SymbolDef::Alias(_) => (true, 0),
        SymbolDef::Ifunc | SymbolDef::Undefined => (false, 0),
    };
    defined.then_some((symbol.linkage, size))
}

type Objects = Vec<(usize, GlobalId, ObjectId)>;
type Functions = Vec<(usize, GlobalId, FuncId)>;

/// Gives every definition its object or function; those visible everywhere first, so that their names stay as they are.
/// One that gives way to that of another module stays for what is bound within its own.
fn declare(units: &mut [Unit], shared: &mut Shared, chosen: &FxHashMap<&str, Definition>) -> (Objects, Functions) {
    let (mut objects, mut functions) = (Vec::new(), Vec::new());
    for own in [false, true] {
        for (index, unit) in units.iter_mut().enumerate() {
            for id in unit.module.symbols.ids() {
                let Some((linkage, _)) = definition(unit, id) else { continue };
                let name = unit.symbol_name(id);
                let holds = !is_local(linkage)
                    && chosen.get(name.as_str()).is_some_and(|winner| (winner.unit, winner.id) == (index, id));
                if name.starts_with("llvm.") || own == holds {
                    continue;
                }
                let replaced = own && !is_local(linkage);
                if replaced {
                    unit.replaced.insert(id, None);
                    if !unit.is_bound_within(id) {
                        continue;
                    }
                }
                let target = match &unit.module.symbols[id].def {
                    SymbolDef::Variable(variable) => {
                        let object = unit.object(shared, id, variable);
                        objects.push((index, id, object));
                        Target::Object(object, 0)
                    }
                    // An alias only if its name means something that the function behind it does not.
                    SymbolDef::Function(_) | SymbolDef::Alias(_)
                        if unit.module.function(id).is_some() || unit.is_function_apart(shared, id) =>
                    {
                        let function = declare_function(unit, shared, id, &name);
                        functions.push((index, id, function));
                        Target::Function(function)
                    }
                    _ => continue,
                };
                if replaced {
                    unit.replaced.insert(id, Some(target));
                    continue;
                }
                unit.symbols[id] = Some(target);
                if holds {
                    shared.by_name.insert(name, target);
                }
            }
        }
    }
    (objects, functions)
}

fn declare_function(unit: &mut Unit, shared: &mut Shared, id: GlobalId, name: &str) -> FuncId {
    // The library does not see one that is local, and would take it for the one it calls.
    let hidden = is_local(unit.module.symbols[id].linkage) && REPLACEABLE.contains(&name);
    let source = unit.module.resolve_alias(id);
    let pos = unit.declared_at(shared, source);
    // Parameters that registers cannot hold are reported when the body is looked at.
    let undescribed = |_| shared::Signature { defined: true, ..Default::default() };
    let signature = unit.signature(source).unwrap_or_else(undescribed);
    shared.new_function(&if hidden { format!("{name}.static") } else { name.to_string() }, signature, pos)
}

/// Names that stand for other names, once those are known.
fn aliases(units: &mut [Unit], shared: &mut Shared, chosen: &FxHashMap<&str, Definition>) {
    for (name, winner) in chosen {
        let unit = &mut units[winner.unit];
        if unit.module.alias(winner.id).is_none() {
            continue;
        }
        // One that cannot be resolved is reported where it is used.
        if let Ok(target) = unit.target(shared, winner.id) {
            shared.by_name.insert(name.to_string(), target);
        }
    }
}

fn initialise(unit: &mut Unit, shared: &mut Shared, id: GlobalId, object: ObjectId) {
    let Some(variable) = unit.module.variable(id) else { return };
    let Some(init) = &variable.init else { return };
    match unit.init(shared, init.ty, &init.value) {
        Ok(init) => shared.program.objects[object].init = init,
        Err(what) => {
            let Object { name, pos, .. } = &shared.program.objects[object];
            let message = format!("the initialiser of `{name}` is not supported: {what}");
            // Where nobody knows the line, the file says something.
            let error = Diagnostic::error(message).at(unit.name, 0, 0);
            shared.errors.push(shared.program.located(error, *pos));
        }
    }
}

fn body(unit: &mut Unit, shared: &mut Shared, id: GlobalId, function: FuncId) {
    let frame = shared.program.functions[function].clone();
    // A static function has another name here where there is more than one of its name.
    let name = unit.symbol_name(id);
    if shared.is_error_function(&name) || name == ASSERT_FAIL {
        shared.program.functions[function] = crate::model::violation_body(frame);
        return;
    }
    if unit.module.alias(id).is_some() {
        shared.program.functions[function] = match unit.alias(shared, id) {
            Ok(Target::Function(target)) => calling(frame, target),
            Ok(Target::Object(..) | Target::Value(_)) => unsupported_body(frame, format!("the alias `{name}`")),
            Err(what) => unsupported_body(frame, what),
        };
        return;
    }
    let Some(source) = unit.module.function(id) else { return };
    let lowered = match unit.signature(id).and_then(|_| func::lower(unit, shared, source, frame)) {
        // It may have lost its name meanwhile.
        Ok(lowered) => Function { name: shared.program.functions[function].name.clone(), ..lowered },
        Err(what) => unsupported_body(shared.program.functions[function].clone(), what),
    };
    shared.program.functions[function] = lowered;
}

/// The body of a function that is another name of `target`, which has the same parameters.
fn calling(mut function: Function, target: FuncId) -> Function {
    let pos = function.pos;
    let result = |ty| ir::RegData { name: "result".to_string(), ty, layout: None, user: false };
    let dst = function.result.map(|ty| function.regs.push(result(ty)));
    let args = function.params.iter().map(|param| Expr::Reg(*param)).collect();
    let mut kinds = vec![InstKind::Call { dst, callee: Callee::Direct(target), args }];
    if is_atomic(&function.name) {
        kinds.insert(0, InstKind::AtomicBegin);
        kinds.push(InstKind::AtomicEnd);
    }
    let insts = kinds.into_iter().map(|kind| Inst { kind, pos }).collect();
    let term = Term::Return(dst.map(Expr::Reg));
    function.blocks.push(Block { name: "entry".to_string(), insts, term, term_pos: pos });
    function
}

/// Does the name say that no other thread runs while the function does?
fn is_atomic(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_")
}

/// The body of a function that cannot be lowered at all.
fn unsupported_body(mut function: Function, what: String) -> Function {
    let pos = function.pos;
    let insts = vec![Inst { kind: InstKind::Unsupported { what }, pos }];
    function.blocks.push(Block { name: "entry".to_string(), insts, term: Term::Unreachable, term_pos: pos });
    function
}
