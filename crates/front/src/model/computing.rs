//! Library functions that compute something from their arguments and are not modelled.
//!
//! Their values are known, only not to us: any other value would be wrong.

use crate::is_one_of;

/// Those of `math.h`, which are there for `float` and `long double` too, with an f or l at the end.
const MATH: &str = "\
    acos acosh asin asinh atan atan2 atanh cbrt cos cosh drem erf erfc exp exp10 exp2 expm1 fabs fdim finite fma \
    fmax fmin fmod gamma hypot ilogb isinf isnan j0 j1 jn ldexp lgamma llogb log log10 log1p log2 logb nan \
    nextafter nextdown nexttoward nextup pow pow10 powi remainder roundeven scalb scalbln scalbn significand sin \
    sinh sqrt tan tanh tgamma y0 y1 yn cabs carg cproj";

/// Those of `complex.h` besides, without the c at their beginning.
const COMPLEX: &str = "\
    acos acosh asin asinh atan atanh cos cosh exp log log10 pow sin sinh sqrt tan tanh";

const OTHERS: &str = "\
    atof basename btowc drand48 gnu_dev_major gnu_dev_makedev gnu_dev_minor inet_addr inet_network mblen memmem \
    mrand48 rawmemchr strcasestr strtod strtof strtold strverscmp towctrans towlower towupper wcscmp wcslen \
    wcsncmp wcstod wcstol wcstoll wcstoul wcstoull wctob wctrans wctype wcwidth wmemchr wmemcmp";

/// What `iswalpha` and its like ask of wide characters.
const WIDE_KINDS: &str = "\
    alnum alpha blank cntrl ctype digit graph lower print punct space upper xdigit";

/// Is it one of them?
pub fn computes(name: &str) -> bool {
    let is_in = |names: &str, name: Option<&str>| name.is_some_and(|name| is_one_of(names, name));
    let is_math = |name: &str| is_one_of(MATH, name) || is_in(COMPLEX, name.strip_prefix('c'));
    let shorter = name.strip_suffix(['f', 'l']).or_else(|| name.strip_suffix("f128"));
    let is_wide = is_in(WIDE_KINDS, name.strip_prefix("isw"));
    is_math(name) || shorter.is_some_and(is_math) || is_one_of(OTHERS, name) || is_wide
}
