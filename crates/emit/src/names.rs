//! Names: every name of the program becomes an identifier of C, the user's own where that is one, and no two are the same.

use rustc_hash::{FxHashMap, FxHashSet};

/// The identifiers that are in use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: FxHashSet<String>,
    /// By name, the number that is tried next.
    next: FxHashMap<String, u32>,
}

/// What no variable may be called: keywords, what the output itself defines, and functions that compilers know.
const RESERVED: &str = "\
auto break case char const continue default do double else enum extern float for goto if inline int long register \
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof \
J G NEXT_SWITCH THREADS assume cs handle created last main old first_turn one_round the_end pc reach_error result \
malloc calloc free aligned_alloc realloc abort exit alloca abs labs llabs memcpy memmove memset memcmp memchr \
strcpy strncpy strcat strncat strcmp strncmp strlen strchr strrchr strstr strspn strcspn strpbrk strdup strndup \
index rindex bcmp bcopy bzero ffs ffsl ffsll printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf \
scanf fscanf sscanf vscanf puts putchar fputs fputc fwrite putc gamma lgamma tgamma signbit isnan isinf isfinite \
acos asin atan atan2 ceil cos cosh exp fabs floor fmod frexp ldexp log log10 modf pow sin sinh sqrt tan tanh \
acosh asinh atanh cbrt copysign erf erfc exp2 expm1 fdim fma fmax fmin hypot ilogb llrint llround log1p log2 logb \
lrint lround nan nearbyint nextafter nexttoward remainder remquo rint round scalbln scalbn trunc j0 j1 jn y0 y1 yn \
drem exp10 pow10 scalb significand sincos creal cimag conj cabs carg csqrt cexp clog cpow isalnum isalpha isblank \
iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper isascii toascii execl execlp \
execle execv execvp execve fork link strftime strfmon gettext dcgettext dgettext stpcpy stpncpy strcasecmp strncasecmp \
mempcpy imaxabs";

impl Names {
    pub fn new() -> Self {
        let taken = RESERVED.split_whitespace().map(str::to_string).collect();
        Names { taken, next: FxHashMap::default() }
    }

    /// An identifier that nobody else has, as close to the wanted one as can be.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let base = identifier(wanted);
        if self.taken.insert(base.clone()) {
            return base;
        }
        let next = self.next.entry(base.clone()).or_insert(2);
        loop {
            let name = format!("{base}_{next}");
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// The nearest identifier.
pub fn identifier(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut text: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if text.starts_with(|c: char| c.is_ascii_digit()) || text.is_empty() {
        text.insert(0, '_');
    }
    text
}

/// The same for a member of a structure: only keywords are in the way.
pub fn member(name: &str) -> String {
    let name = identifier(name);
    let is_keyword = RESERVED.split_whitespace().take_while(|word| *word != "J").any(|word| word == name);
    if is_keyword { name + "_" } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_differ() {
        let mut names = Names::new();
        assert_eq!(names.fresh("x"), "x");
        assert_eq!(names.fresh("x"), "x_2");
        assert_eq!(names.fresh("x.1"), "x_1");
        assert_eq!(names.fresh("x_1"), "x_1_2");
        assert_eq!(names.fresh("for"), "for_2");
        assert_eq!(names.fresh(".str"), "_str");
        assert_eq!(names.fresh("7"), "_7");
        assert_eq!(member("long"), "long_");
        assert_eq!(member("main"), "main");
    }
}
