//! Comparisons of addresses that are the same by an alias.
//!
//! Two declarations are two places for clang, and it makes a constant of `alias == function`, of which nothing is left in the
//! LLVM text.  Of weak names it assumes nothing.  So where a program has aliases, their names are declared weak first, and
//! once that is compiled they are again what they were.

use llvm::{Const, GlobalId, Linkage, Module, SymbolDef};

/// The names of aliases that clang takes for places of their own.
pub fn names(modules: &[(String, Module)]) -> Vec<String> {
    let mut found = Vec::new();
    for (_, module) in modules {
        for symbol in module.symbols.values() {
            if let (SymbolDef::Alias(at), Some(name)) = (symbol.def, symbol.name.as_str())
                && module.aliases.get(at as usize).is_some_and(|alias| alias.linkage == Linkage::External)
                && is_word(name)
            {
                found.push(name.to_string());
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
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
        if let SymbolDef::Alias(index) = symbol.def {
            // clang makes an alias of a weak alias one of what that stands for.
            if let Some(target) = id.and_then(|id| module.symbol(target(before, id)?)) {
                module.aliases[index as usize].target.value = Const::Global(target);
            }
        }
        if !names.iter().any(|other| other == name) {
            continue;
        }
        // One that is new was in constants only, so that another file defines it.
        let known = id.and_then(|id| linkage(before, id)).unwrap_or(Linkage::External);
        match symbol.def {
            SymbolDef::Function(at) => module.functions[at as usize].linkage = known,
            SymbolDef::Variable(at) => module.variables[at as usize].linkage = known,
            SymbolDef::Alias(at) => module.aliases[at as usize].linkage = known,
            SymbolDef::Ifunc | SymbolDef::Undefined => (),
        }
    }
}

/// The name that an alias stands for.
fn target(module: &Module, alias: GlobalId) -> Option<&str> {
    match module.alias(alias)?.target.value {
        Const::Global(id) => module.symbol_name(id),
        _ => None,
    }
}

fn linkage(module: &Module, id: GlobalId) -> Option<Linkage> {
    let function = module.function(id).map(|function| function.linkage);
    let variable = || module.variable(id).map(|variable| variable.linkage);
    function.or_else(variable).or_else(|| module.alias(id).map(|alias| alias.linkage))
}
