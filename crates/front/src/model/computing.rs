//! Library functions that compute something from their arguments and are not modelled.
//!
//! Their values are known, only not to us: any other value would be wrong.

/// Those of `math.h`, which are there for `float` and `long double` too, with an f or l at the end.
const MATH: [&str; 66] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "drem",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "finite",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "gamma",
    "hypot",
    "ilogb",
    "isinf",
    "isnan",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "lgamma",
    "llogb",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nan",
    "nextafter",
    "nextdown",
    "nexttoward",
    "nextup",
    "pow",
    "pow10",
    "powi",
    "remainder",
    "roundeven",
    "scalb",
    "scalbln",
    "scalbn",
    "significand",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "y0",
    "y1",
    "yn",
    "cabs",
    "carg",
    "cproj",
];

/// Those of `complex.h` besides, without the c at their beginning.
const COMPLEX: [&str; 17] = [
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "log10", "pow", "sin", "sinh",
    "sqrt", "tan", "tanh",
];

const OTHERS: [&str; 35] = [
    "atof",
    "basename",
    "btowc",
    "drand48",
    "gnu_dev_major",
    "gnu_dev_makedev",
    "gnu_dev_minor",
    "inet_addr",
    "inet_network",
    "mblen",
    "memmem",
    "mrand48",
    "rawmemchr",
    "strcasestr",
    "strtod",
    "strtof",
    "strtold",
    "strverscmp",
    "towctrans",
    "towlower",
    "towupper",
    "wcscmp",
    "wcslen",
    "wcsncmp",
    "wcstod",
    "wcstol",
    "wcstoll",
    "wcstoul",
    "wcstoull",
    "wctob",
    "wctrans",
    "wctype",
    "wcwidth",
    "wmemchr",
    "wmemcmp",
];

/// Is it one of them?
pub fn computes(name: &str) -> bool {
    let is_math =
        |name: &str| MATH.contains(&name) || name.strip_prefix('c').is_some_and(|rest| COMPLEX.contains(&rest));
    let shorter = name.strip_suffix(['f', 'l']).or_else(|| name.strip_suffix("f128"));
    is_math(name) || shorter.is_some_and(is_math) || OTHERS.contains(&name) || is_of_wide_characters(name)
}

/// `iswalpha` and its like.
fn is_of_wide_characters(name: &str) -> bool {
    let kinds = [
        "alnum", "alpha", "blank", "cntrl", "ctype", "digit", "graph", "lower", "print", "punct", "space", "upper",
        "xdigit",
    ];
    name.strip_prefix("isw").is_some_and(|kind| kinds.contains(&kind))
}
