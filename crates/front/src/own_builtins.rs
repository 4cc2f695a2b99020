//! Functions that a program defines although the library has them, and clang knows what they do.
//!
//! clang makes an operation, or a constant, of a call of `floor` or `strlen`, whatever the program's own `floor` does, unless
//! it is told that the name is not built in.  Only the linker knows all definitions, so this is seen after compiling.
//! A static function needs nothing: clang sees itself that it is not the library's.

use crate::is_one_of;
use llvm::{Linkage, Module, Symbol, SymbolDef};
use std::collections::BTreeSet;

/// Of numbers; the same with `f` and `l` at the end are for the other types.
const NUMBERS: &str = "\
acos acosh asin asinh atan atan2 atanh cabs carg cbrt ceil cimag conj copysign cos cosh cproj creal erf erfc exp \
exp10 exp2 expm1 fabs fdim finite floor fma fmax fmin fmod frexp hypot ilogb isinf isnan ldexp lgamma llrint llround \
log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow remainder remquo rint round \
roundeven scalbln scalbn sin sincos sinh sqrt tan tanh tgamma trunc";

const OTHERS: &str = "\
abs alloca bcmp bcopy bzero ffs ffsl ffsll index labs llabs memccpy memchr memcmp memcpy memmove mempcpy memset \
rindex stpcpy stpncpy strcasecmp strcat strchr strcmp strcpy strcspn strlen strncasecmp strncat strncmp strncpy \
strnlen strpbrk strrchr strspn strstr wcschr wcscmp wcslen wcsncmp wmemchr wmemcmp wmemcpy wmemmove";

/// What clang is to be told about the names that the modules define.
pub fn flags(modules: &[(String, Module)]) -> Vec<String> {
    let symbols = modules.iter().flat_map(|(_, module)| module.symbols.values().map(move |symbol| (module, symbol)));
    let names: BTreeSet<&str> = symbols
        .filter(|(module, symbol)| defines_function(module, symbol))
        .filter_map(|(_, symbol)| symbol.name.as_str())
        .filter(|name| is_known_to_clang(name))
        .collect();
    names.into_iter().map(flag).collect()
}

pub fn flag(name: &str) -> String {
    format!("-fno-builtin-{name}")
}

/// Does the module define it, itself or as another name of a function, so that other modules can call it?
fn defines_function(module: &Module, symbol: &Symbol) -> bool {
    let is_function = match symbol.def {
        SymbolDef::Function(at) => module.functions[at].defined,
        SymbolDef::Alias(_) => true,
        SymbolDef::Ifunc => return true,
        SymbolDef::Variable(_) | SymbolDef::Undefined => false,
    };
    // One that other modules cannot call, or a copy of one that the library has.
    let is_elsewhere = matches!(symbol.linkage, Linkage::Private | Linkage::Internal | Linkage::AvailableExternally);
    is_function && !is_elsewhere
}

fn is_known_to_clang(name: &str) -> bool {
    let of_other_type = name.strip_suffix(['f', 'l']).is_some_and(|name| is_one_of(NUMBERS, name));
    is_one_of(OTHERS, name) || is_one_of(NUMBERS, name) || of_other_type
}
