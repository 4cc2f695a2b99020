//! How functions of the model are called, and whether a call can be meant for one of them.
//!
//! A program that declares `int read(void)` does not mean the library's `read`: it has a function of that name in a file that is
//! missing here.  To call the library's with arguments that nobody gave would end executions, and hide what comes then.

use super::signature::TRUTH;
use crate::is_one_of;
use ir::Ty;

/// Parameters of this name say nothing that matters.
const MESSAGE: &str = "message";

/// Parameters of these names are handles of threads, which some headers declare as pointers.
const THREADS: [&str; 2] = ["t", "other"];
/// Functions whose result is such a handle.
const RETURN_THREADS: [&str; 2] = ["pthread_self", "thrd_current"];
/// Functions that take further arguments; the model looks at the fixed ones only.
const VARIADIC: &str = "\
    printf fprintf dprintf sprintf snprintf asprintf wprintf __printf_chk __fprintf_chk scanf fscanf sscanf \
    __isoc99_scanf __isoc99_fscanf __isoc99_sscanf __isoc23_scanf __isoc23_fscanf __isoc23_sscanf \
    open openat sem_open syslog error error_at_line syscall";
/// No program has functions of its own with such names, so it does not matter whether they are declared to return nothing.
const RESERVED: &str = "__";

/// Types by what they can stand for: an integer of one width can be made of one of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer,
    Float(Ty),
    Pointer,
    /// A struct or union that no single register holds.
    Record,
}

impl Kind {
    pub fn of(ty: Ty) -> Self {
        match ty {
            Ty::Ptr => Kind::Pointer,
            Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => Kind::Float(ty),
            Ty::Int(_) => Kind::Integer,
        }
    }

    /// The kind of what has these parts, if it has any.
    pub fn of_parts(parts: &[Ty]) -> Option<Self> {
        match parts {
            [] => None,
            [ty] => Some(Kind::of(*ty)),
            [..] => Some(Kind::Record),
        }
    }

    /// The kind of a type as the text form names it.
    fn named(ty: &str) -> Self {
        match ty {
            "ptr" => Kind::Pointer,
            "f32" => Kind::Float(Ty::F32),
            "f64" => Kind::Float(Ty::F64),
            "f80" => Kind::Float(Ty::F80),
            "f128" => Kind::Float(Ty::F128),
            _ => Kind::Integer,
        }
    }
}

/// How a call, or a declaration, says that a function is called.
pub struct Use {
    /// The kinds of the arguments, `None` for one that fits everything.
    pub given: Vec<Option<Kind>>,
    /// The kind of the result that is taken.
    pub result: Option<Kind>,
    /// Is nothing declared but the result, or not even that?  Old C says `int` of what returns nothing.
    pub old: bool,
}

pub struct Prototype<'a> {
    name: &'a str,
    params: Vec<(&'a str, Kind)>,
    result: Option<Kind>,
}

impl<'a> Prototype<'a> {
    /// Reads the first line of a function: `func read(%file: i32, %to: ptr) -> iptr {`.
    pub fn parse(text: &'a str) -> Option<Self> {
        let (name, rest) = text.lines().next()?.strip_prefix("func ")?.split_once('(')?;
        let (params, rest) = rest.split_once(')')?;
        let params = params.split(',').filter_map(|param| param.trim().trim_start_matches('%').split_once(": "));
        let result = rest.trim_start().strip_prefix("-> ").map(|ty| Kind::named(ty.trim_end_matches(['{', ' '])));
        Some(Prototype { name, params: params.map(|(name, ty)| (name, Kind::named(ty))).collect(), result })
    }

    /// Does the function take more arguments than it has parameters?
    pub fn is_variadic(&self) -> bool {
        is_one_of(VARIADIC, self.name)
    }

    /// Can it be this function that is used so?
    pub fn fits(&self, used: &Use) -> bool {
        let takes = |(i, (name, kind)): (usize, &(&str, Kind))| match used.given.get(i) {
            None => *name == MESSAGE,
            Some(None) => true,
            Some(Some(Kind::Record)) => false,
            Some(Some(Kind::Pointer)) if *kind == Kind::Integer => THREADS.contains(name) || *name == TRUTH,
            Some(Some(given)) => given == kind || *name == TRUTH,
        };
        let no_more = used.given.len() <= self.params.len() || self.is_variadic();
        no_more && self.returns(used) && self.params.iter().enumerate().all(takes)
    }

    fn returns(&self, used: &Use) -> bool {
        match (used.result, self.result) {
            // Nobody looks at it.
            (None, _) => true,
            (Some(Kind::Pointer), Some(Kind::Integer)) => RETURN_THREADS.contains(&self.name),
            (Some(wanted), Some(given)) => wanted == given,
            (Some(wanted), None) => wanted == Kind::Integer && (used.old || self.name.starts_with(RESERVED)),
        }
    }
}
