//! The words of the text form: how operators, orders and types are spelled.
//!
//! The printer asks these tables forwards and the parser backwards, so the two cannot disagree.

use crate::program::{AllocKind, BinOp, BlockNames, CastOp, HandleNames, Order, Ty, UnOp};
use std::fmt;

/// A table of words: what is written for something, and what a word stands for.
macro_rules! words {
    ($ty:ident, $word:ident, $named:ident: $($variant:ident = $text:literal,)*) => {
        pub fn $word(of: $ty) -> &'static str {
            match of {
                $($ty::$variant => $text,)*
            }
        }

        pub fn $named(text: &str) -> Option<$ty> {
            [$(($ty::$variant, $text)),*].into_iter().find(|(_, word)| *word == text).map(|(found, _)| found)
        }
    };
}

words! { UnOp, un_op, un_named:
    Not = "not", Neg = "neg", PopCount = "popcount", LeadingZeros = "clz", TrailingZeros = "ctz",
    ByteSwap = "bswap", BitReverse = "bitreverse", FNeg = "fneg", FAbs = "fabs", FSqrt = "fsqrt", FFloor = "ffloor",
    FCeil = "fceil", FTrunc = "ftrunc", FRound = "fround", FRint = "frint", FIsNan = "isnan",
}

words! { BinOp, bin_op_name, bin_named:
    Add = "+",
    // Which `+` it is shows in the type of the left operand.
    PtrAdd = "+", Sub = "-", Mul = "*", UDiv = "/u", SDiv = "/", URem = "remu", SRem = "rem", Shl = "<<",
    LShr = ">>u", AShr = ">>", And = "&", Or = "|", Xor = "^", Eq = "==", Ne = "!=", ULt = "<u", ULe = "<=u",
    SLt = "<", SLe = "<=", FAdd = "fadd", FSub = "fsub", FMul = "fmul", FDiv = "fdiv", FRem = "frem", FMin = "fmin",
    FMax = "fmax", FCopySign = "copysign", FOeq = "feq", FOne = "fne", FOlt = "flt", FOle = "fle", FOrd = "ford",
}

words! { CastOp, cast_op, cast_named:
    Trunc = "trunc", ZExt = "zext", SExt = "sext", Bits = "bits", PtrToInt = "ptrtoint", IntToPtr = "inttoptr",
    Float = "fconv", FloatToSigned = "ftosi", FloatToUnsigned = "ftoui", SignedToFloat = "sitof",
    UnsignedToFloat = "uitof",
}

// The suffix of an instruction, with its dot.
words! { Order, order, order_named:
    Plain = "", Relaxed = ".rlx", Acquire = ".acq", Release = ".rel", AcqRel = ".acqrel", SeqCst = ".sc",
}

words! { BlockNames, block_names, block_names_named: Reused = "reused", Kept = "kept", Unique = "unique", }

words! { HandleNames, handle_names, handle_names_named: Lowest = "lowest", Reused = "reused", Unique = "unique", Refused = "refused", }

words! { AllocKind, alloc_kind, alloc_kind_named: Stack = "stack", Heap = "heap", }

/// Is it written as a function of two arguments, and not between its operands?
pub fn is_function(op: BinOp) -> bool {
    use BinOp::*;
    matches!(op, FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopySign | FOeq | FOne | FOlt | FOle | FOrd)
}

/// The meaning of an operator between two operands; `true` when the operands change places (`>` is a turned `<`).
pub fn infix_named(text: &str) -> Option<(BinOp, bool)> {
    let turned = match text {
        ">" => "<",
        ">=" => "<=",
        ">u" => "<u",
        ">=u" => "<=u",
        _ => text,
    };
    let op = bin_named(turned).filter(|op| !is_function(*op))?;
    Some((op, turned != text))
}

pub fn function_named(text: &str) -> Option<BinOp> {
    bin_named(text).filter(|op| is_function(*op))
}

/// A type and whether it was spelled unsigned; `iptr` and `uptr` are as wide as a pointer.
pub fn type_named(text: &str, pointer_bits: u8) -> Option<(Ty, bool)> {
    if let Some((ty, _)) = OTHER_TYPES.iter().find(|(_, name)| *name == text) {
        return Some((*ty, false));
    }
    let unsigned = text.starts_with('u');
    let width = text.strip_prefix(['i', 'u'])?;
    if width == "ptr" {
        return Some((Ty::Int(pointer_bits), unsigned));
    }
    // `i032` would be a second spelling of a type, and `+32` parses as a number.
    if !width.bytes().all(|b| b.is_ascii_digit()) || width.starts_with('0') {
        return None;
    }
    let bits: u8 = width.parse().ok()?;
    (bits <= 128).then_some((Ty::Int(bits), unsigned))
}

/// The types that are no integers.
const OTHER_TYPES: [(Ty, &str); 5] =
    [(Ty::F32, "f32"), (Ty::F64, "f64"), (Ty::F80, "f80"), (Ty::F128, "f128"), (Ty::Ptr, "ptr")];

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Ty::Int(bits) = self {
            return write!(f, "i{bits}");
        }
        f.write_str(OTHER_TYPES.iter().find(|(ty, _)| ty == self).map_or("", |(_, name)| name))
    }
}
