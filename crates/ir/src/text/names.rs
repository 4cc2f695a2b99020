//! The words of the text form: how operators, orders and types are spelled.
//!
//! The printer asks these tables forwards and the parser backwards, so the two cannot disagree.

use crate::program::{AllocKind, BinOp, CastOp, Order, Ty, UnOp};
use std::fmt;

pub const UN_OPS: [UnOp; 16] = {
    use UnOp::*;
    [
        Not,
        Neg,
        PopCount,
        LeadingZeros,
        TrailingZeros,
        ByteSwap,
        BitReverse,
        FNeg,
        FAbs,
        FSqrt,
        FFloor,
        FCeil,
        FTrunc,
        FRound,
        FRint,
        FIsNan,
    ]
};

pub const BIN_OPS: [BinOp; 33] = {
    use BinOp::*;
    [
        Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor, PtrAdd, Eq, Ne, ULt, ULe, SLt, SLe, FAdd,
        FSub, FMul, FDiv, FRem, FMin, FMax, FCopySign, FOeq, FOne, FOlt, FOle, FOrd,
    ]
};

pub const CAST_OPS: [CastOp; 11] = {
    use CastOp::*;
    [Trunc, ZExt, SExt, Bits, PtrToInt, IntToPtr, Float, FloatToSigned, FloatToUnsigned, SignedToFloat, UnsignedToFloat]
};

const ORDERS: [Order; 5] = [Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

pub fn un_op(op: UnOp) -> &'static str {
    match op {
        UnOp::Not => "not",
        UnOp::Neg => "neg",
        UnOp::PopCount => "popcount",
        UnOp::LeadingZeros => "clz",
        UnOp::TrailingZeros => "ctz",
        UnOp::ByteSwap => "bswap",
        UnOp::BitReverse => "bitreverse",
        UnOp::FNeg => "fneg",
        UnOp::FAbs => "fabs",
        UnOp::FSqrt => "fsqrt",
        UnOp::FFloor => "ffloor",
        UnOp::FCeil => "fceil",
        UnOp::FTrunc => "ftrunc",
        UnOp::FRound => "fround",
        UnOp::FRint => "frint",
        UnOp::FIsNan => "isnan",
    }
}

/// An operator between its operands, or the name of a function of two arguments.
pub enum BinText {
    Infix(&'static str),
    Function(&'static str),
}

pub fn bin_op(op: BinOp) -> BinText {
    use BinText::{Function, Infix};
    match op {
        // Which `+` it is shows in the type of the left operand.
        BinOp::Add | BinOp::PtrAdd => Infix("+"),
        BinOp::Sub => Infix("-"),
        BinOp::Mul => Infix("*"),
        BinOp::UDiv => Infix("/u"),
        BinOp::SDiv => Infix("/"),
        BinOp::URem => Infix("remu"),
        BinOp::SRem => Infix("rem"),
        BinOp::Shl => Infix("<<"),
        BinOp::LShr => Infix(">>u"),
        BinOp::AShr => Infix(">>"),
        BinOp::And => Infix("&"),
        BinOp::Or => Infix("|"),
        BinOp::Xor => Infix("^"),
        BinOp::Eq => Infix("=="),
        BinOp::Ne => Infix("!="),
        BinOp::ULt => Infix("<u"),
        BinOp::ULe => Infix("<=u"),
        BinOp::SLt => Infix("<"),
        BinOp::SLe => Infix("<="),
        BinOp::FAdd => Function("fadd"),
        BinOp::FSub => Function("fsub"),
        BinOp::FMul => Function("fmul"),
        BinOp::FDiv => Function("fdiv"),
        BinOp::FRem => Function("frem"),
        BinOp::FMin => Function("fmin"),
        BinOp::FMax => Function("fmax"),
        BinOp::FCopySign => Function("copysign"),
        BinOp::FOeq => Function("feq"),
        BinOp::FOne => Function("fne"),
        BinOp::FOlt => Function("flt"),
        BinOp::FOle => Function("fle"),
        BinOp::FOrd => Function("ford"),
    }
}

/// The operator or function name alone.
pub fn bin_op_name(op: BinOp) -> &'static str {
    match bin_op(op) {
        BinText::Infix(name) | BinText::Function(name) => name,
    }
}

pub fn cast_op(op: CastOp) -> &'static str {
    match op {
        CastOp::Trunc => "trunc",
        CastOp::ZExt => "zext",
        CastOp::SExt => "sext",
        CastOp::Bits => "bits",
        CastOp::PtrToInt => "ptrtoint",
        CastOp::IntToPtr => "inttoptr",
        CastOp::Float => "fconv",
        CastOp::FloatToSigned => "ftosi",
        CastOp::FloatToUnsigned => "ftoui",
        CastOp::SignedToFloat => "sitof",
        CastOp::UnsignedToFloat => "uitof",
    }
}

/// The suffix of an instruction, with its dot.
pub fn order(order: Order) -> &'static str {
    match order {
        Order::Plain => "",
        Order::Relaxed => ".rlx",
        Order::Acquire => ".acq",
        Order::Release => ".rel",
        Order::AcqRel => ".acqrel",
        Order::SeqCst => ".sc",
    }
}

pub fn alloc_kind(kind: AllocKind) -> &'static str {
    match kind {
        AllocKind::Stack => "stack",
        AllocKind::Heap => "heap",
    }
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
    let op = BIN_OPS.into_iter().find(|op| matches!(bin_op(*op), BinText::Infix(name) if name == turned))?;
    Some((op, turned != text))
}

pub fn function_named(text: &str) -> Option<BinOp> {
    BIN_OPS.into_iter().find(|op| matches!(bin_op(*op), BinText::Function(name) if name == text))
}

pub fn un_named(text: &str) -> Option<UnOp> {
    UN_OPS.into_iter().find(|op| un_op(*op) == text)
}

pub fn cast_named(text: &str) -> Option<CastOp> {
    CAST_OPS.into_iter().find(|op| cast_op(*op) == text)
}

/// The order a suffix without its dot stands for.
pub fn order_named(text: &str) -> Option<Order> {
    ORDERS.into_iter().find(|o| order(*o).strip_prefix('.') == Some(text))
}

/// A type and whether it was spelled unsigned; `iptr` and `uptr` are as wide as a pointer.
pub fn type_named(text: &str, pointer_bits: u8) -> Option<(Ty, bool)> {
    let ty = match text {
        "f32" => Ty::F32,
        "f64" => Ty::F64,
        "f80" => Ty::F80,
        "f128" => Ty::F128,
        "ptr" => Ty::Ptr,
        _ => {
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
            return (bits <= 128).then_some((Ty::Int(bits), unsigned));
        }
    };
    Some((ty, false))
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Int(bits) => write!(f, "i{bits}"),
            Ty::F32 => f.write_str("f32"),
            Ty::F64 => f.write_str("f64"),
            Ty::F80 => f.write_str("f80"),
            Ty::F128 => f.write_str("f128"),
            Ty::Ptr => f.write_str("ptr"),
        }
    }
}
