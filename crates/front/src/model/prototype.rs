//! How functions of the model are called, and whether a call can be meant for one of them.
//!
//! A program that declares `int read(void)` does not mean the library's `read`: it has a function of that name in a file that is
//! missing here.  To call the library's with arguments that nobody gave would end executions, and hide what comes then.

use super::signature::TRUTH;
use ir::Ty;

/// Parameters of this name say nothing that matters.
const MESSAGE: &str = "message";

/// Types by what they can stand for: an integer of one width can be made of one of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Integer,
    Float,
    Pointer,
}

impl Kind {
    pub fn of(ty: Ty) -> Self {
        match ty {
            Ty::Ptr => Kind::Pointer,
            Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => Kind::Float,
            Ty::Int(_) => Kind::Integer,
        }
    }

    /// The kind of a type as the text form names it.
    fn named(ty: &str) -> Self {
        match ty.as_bytes() {
            b"ptr" => Kind::Pointer,
            [b'f', ..] => Kind::Float,
            _ => Kind::Integer,
        }
    }
}

pub struct Prototype<'a> {
    params: Vec<(&'a str, Kind)>,
    result: Option<Kind>,
}

impl<'a> Prototype<'a> {
    /// Reads the first line of a function: `func read(%file: i32, %to: ptr) -> iptr {`.
    pub fn parse(text: &'a str) -> Option<Self> {
        let (params, rest) = text.lines().next()?.split_once('(')?.1.split_once(')')?;
        let params = params.split(',').filter_map(|param| param.trim().trim_start_matches('%').split_once(": "));
        let result = rest.trim_start().strip_prefix("-> ").map(|ty| Kind::named(ty.trim_end_matches(['{', ' '])));
        Some(Prototype { params: params.map(|(name, ty)| (name, Kind::named(ty))).collect(), result })
    }

    /// Can a call be one of this function that gives such arguments, `None` for one that fits everything, and takes such a
    /// result?
    pub fn fits(&self, given: &[Option<Kind>], result: Option<Kind>) -> bool {
        let takes = |(i, (name, kind)): (usize, &(&str, Kind))| match given.get(i) {
            None => *name == MESSAGE,
            Some(None) => true,
            // A handle may be declared as a pointer.
            Some(Some(Kind::Pointer)) if *kind == Kind::Integer => true,
            Some(Some(given)) => given == kind || *name == TRUTH,
        };
        let returns = match (result, self.result) {
            (Some(wanted), Some(given)) => (wanted == Kind::Float) == (given == Kind::Float),
            (Some(_) | None, None) | (None, Some(_)) => true,
        };
        returns && self.params.iter().enumerate().all(takes)
    }
}
