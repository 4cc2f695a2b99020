//! Functions that run before and after `main` although nobody calls them: constructors, destructors, and those whose
//! addresses a program puts into the linker's lists itself, by the section of a variable.
//!
//! The place of a variable within such a list is the compiler's and linker's choice.  So only one that is alone there is taken
//! for what it says; else the list stands for something whose being reached means UNKNOWN.  So does what could write to such a
//! variable: most linkers let nobody do so, others do, and then something else is called.

use super::consts::Part;
use super::entry::{is_pointed_to, is_within, refuse_mentions};
use super::shared::Shared;
use super::unit::{Target, Unit};
use base::Pos;
use ir::{Expr, FuncId, InitValue, InstKind, ObjectId, Order};
use llvm::{Const, SymbolDef};

/// Lists of the linker, in the order in which they are gone through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    First,
    Before,
    After,
}

/// What a program puts into a list by a section.
struct Entry {
    list: List,
    section: String,
    pos: Pos,
    /// What it is in the program, if it is a variable.
    object: Option<ObjectId>,
    /// `None` if it is not known what that does.
    functions: Option<Vec<FuncId>>,
}

/// The functions before `main`, in their order, and those after it, the first one last.
pub fn find(units: &mut [Unit], shared: &mut Shared) -> (Vec<FuncId>, Vec<FuncId>) {
    let mut before = listed(units, shared, "llvm.global_ctors");
    let mut after = listed(units, shared, "llvm.global_dtors");
    let entries = in_sections(units, shared);
    let mut added = |list, others: &[FuncId]| match &entries.iter().filter(|e| e.list == list).collect::<Vec<_>>()[..] {
        [] => Vec::new(),
        [Entry { functions: Some(functions), .. }] if others.is_empty() => functions.clone(),
        [entry, ..] => vec![unknown(shared, entry)],
    };
    let (mut first, own) = (added(List::First, &[]), added(List::Before, &before));
    // The last function of that list runs first.
    let last = added(List::After, &after);
    for entry in &entries {
        let Some(object) = entry.object else { continue };
        refuse_writes(shared, entry, object);
        // Who finds its address there is not known.
        if is_pointed_to(&shared.program, object) {
            first.insert(0, unknown(shared, entry));
        }
    }
    before.splice(0..0, first.into_iter().chain(own));
    after.extend(last);
    (before, after)
}

/// A function that stands for all those of a list.
fn unknown(shared: &mut Shared, entry: &Entry) -> FuncId {
    let what = format!("functions that run because something is in section `{}`", entry.section);
    shared.unsupported_function("start.list", what, entry.pos)
}

/// Whatever does more with a variable of a list than read it means UNKNOWN where it is reached.
fn refuse_writes(shared: &mut Shared, entry: &Entry, object: ObjectId) {
    let name = &shared.program.objects[object].name;
    let what = format!("a use of `{name}` other than to read it, which is in section `{}`", entry.section);
    let is_it = is_within(object);
    let reads = |kind: &InstKind| matches!(kind, InstKind::Load { addr, order: Order::Plain, .. } if is_it(addr));
    refuse_mentions(&mut shared.program, object, &what, reads);
}

/// The functions in a list of constructors or destructors of all modules, by priority.
fn listed(units: &mut [Unit], shared: &mut Shared, name: &str) -> Vec<FuncId> {
    let mut found = Vec::new();
    for unit in units {
        let module = unit.module;
        let variable = module.symbol(name).and_then(|id| module.variable(id));
        let Some(Const::Items(entries)) = variable.and_then(|v| v.init.as_ref()).map(|init| &init.value) else {
            continue;
        };
        for entry in entries {
            let Const::Items(fields) = &entry.value else { continue };
            let [priority, function, ..] = &fields[..] else { continue };
            let Const::Int(priority) = priority.value else { continue };
            if let Ok(Part::Expr(Expr::Func(id))) = unit.const_scalar(shared, function.ty, &function.value) {
                found.push((priority, id));
            }
        }
    }
    found.sort_by_key(|(priority, _)| *priority);
    found.into_iter().map(|(_, id)| id).collect()
}

/// The variables and functions that stand in the linker's lists, or in the code that goes through them.
fn in_sections(units: &mut [Unit], shared: &mut Shared) -> Vec<Entry> {
    let mut found = Vec::new();
    for unit in units {
        let module = unit.module;
        for (id, symbol) in module.symbols.iter() {
            let SymbolDef::Variable(variable) = &symbol.def else { continue };
            let (Some(section), Some(init)) = (&variable.section, &variable.init) else { continue };
            let Some((list, of_functions)) = list(section) else { continue };
            let pos = unit.declared_at(shared, id);
            let content = unit.init(shared, init.ty, &init.value).unwrap_or_default();
            let function = |init: &ir::Init| match init.value {
                InitValue::Function(function) => Some(function),
                InitValue::Object(..) | InitValue::Scalar(..) | InitValue::Bytes(_) => None,
            };
            let functions: Option<Vec<FuncId>> = content.iter().map(function).collect();
            let size = unit.types.size(init.ty);
            let is_whole = |f: &Vec<FuncId>| f.len() as u64 * shared.program.data_model.pointer_bytes() == size;
            // Aligned to more than a pointer, as clang aligns arrays of 16 bytes, it leaves a gap in the list, which is called
            // before it; at the end of the program after it.
            let is_dense = variable.align.is_none_or(|align| align <= shared.program.data_model.pointer_bytes());
            let is_dense = is_dense || !section.starts_with(".init_array");
            let is_plain = of_functions && !variable.thread_local && is_dense;
            let functions = functions.filter(|f| is_plain && is_whole(f));
            let object = match unit.target(shared, id) {
                Ok(Target::Object(object, _)) => Some(object),
                Ok(Target::Function(_) | Target::Value(_)) | Err(_) => None,
            };
            found.push(Entry { list, section: section.clone(), pos, object, functions });
        }
        for function in module.functions.iter().filter(|function| function.defined) {
            let Some(section) = &function.section else { continue };
            let Some((list, _)) = list(section) else { continue };
            let pos = unit.declared_at(shared, function.id);
            found.push(Entry { list, section: section.clone(), pos, object: None, functions: None });
        }
    }
    found
}

/// The list that a section belongs to, and whether it is one of addresses that are called as they are.
fn list(section: &str) -> Option<(List, bool)> {
    // Flags may follow the name.
    let name = section.split([',', ' ']).next().unwrap_or(section);
    let is = |list: &str| name.strip_prefix(list).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    match name {
        _ if is(".preinit_array") => Some((List::First, true)),
        _ if is(".init_array") => Some((List::Before, true)),
        _ if is(".fini_array") => Some((List::After, true)),
        _ if is(".ctors") || is(".init") => Some((List::Before, false)),
        _ if is(".dtors") || is(".fini") => Some((List::After, false)),
        _ => None,
    }
}
