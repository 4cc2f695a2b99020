//! Comparisons of addresses that are the same by an alias.
//!
//! Two declarations are two places for clang, and it makes a constant of `alias == function`, of which nothing is left in the
//! LLVM text.  Of weak names it assumes nothing.  So where a program has aliases, their names are declared weak first, and
//! once that is compiled they are again what they were.

use llvm::{Const, GlobalId, Linkage, Module, SymbolDef};
use std::collections::BTreeSet;

/// The names of aliases that clang takes for places of their own.
pub fn names(modules: &[(String, Module)]) -> Vec<String> {
    let symbols = modules.iter().flat_map(|(_, module)| module.symbols.values());
    let apart = symbols.filter(|s| matches!(s.def, SymbolDef::Alias(_)) && s.linkage == Linkage::External);
    let names = apart.filter_map(|symbol| symbol.name.as_str()).filter(|name| is_word(name));
    let names: BTreeSet<&str> = names.collect();
    names.into_iter().map(str::to_string).collect()
}

/// Can it be a name in C?
fn is_word(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// What makes the names weak.
pub fn pragmas(names: &[String]) -> String {
    names.iter().map(|name| format!("#pragma weak {name}\n")).collect()
}

/// Makes of the names, and of all aliases, what they were before.
pub fn restore(module: &mut Module, before: &Module, names: &[String]) {
    for at in module.symbols.ids() {
        let symbol = &module.symbols[at];
        let Some(name) = symbol.name.as_str() else { continue };
        let id = before.symbol(name);
        let is_weakened = names.iter().any(|other| other == name);
        // clang makes an alias of a weak alias one of what that stands for.
        let target = id.and_then(|id| module.symbol(target(before, id)?));
        let symbol = &mut module.symbols[at];
        if let (SymbolDef::Alias(now), Some(target)) = (&mut symbol.def, target) {
            now.value = Const::Global(target);
        }
        if is_weakened {
            // One that is new was in constants only, so that another file defines it.
            symbol.linkage = id.map_or(Linkage::External, |id| before.symbols[id].linkage);
        }
    }
}

/// The name that an alias stands for.
fn target(module: &Module, alias: GlobalId) -> Option<&str> {
    match module.alias(alias)?.value {
        Const::Global(id) => module.symbol_name(id),
        _ => None,
    }
}
