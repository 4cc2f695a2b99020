//! Tables from keywords of the assembly language to the tree.

use crate::ast::Linkage;
use crate::inst::{BinOp, CastOp, FloatPred, IntPred, Ordering, RmwOp};
use crate::types::FloatKind;

pub(crate) fn linkage(word: &str) -> Option<Linkage> {
    Some(match word {
        "external" => Linkage::External,
        "private" => Linkage::Private,
        "internal" => Linkage::Internal,
        "available_externally" => Linkage::AvailableExternally,
        "linkonce" => Linkage::LinkOnce,
        "linkonce_odr" => Linkage::LinkOnceOdr,
        "weak" => Linkage::Weak,
        "weak_odr" => Linkage::WeakOdr,
        "common" => Linkage::Common,
        "appending" => Linkage::Appending,
        "extern_weak" => Linkage::ExternWeak,
        _ => return None,
    })
}

pub(crate) fn float_kind(word: &str) -> Option<FloatKind> {
    Some(match word {
        "half" => FloatKind::Half,
        "bfloat" => FloatKind::BFloat,
        "float" => FloatKind::Float,
        "double" => FloatKind::Double,
        "x86_fp80" => FloatKind::X86Fp80,
        "fp128" => FloatKind::Fp128,
        "ppc_fp128" => FloatKind::PpcFp128,
        _ => return None,
    })
}

pub(crate) fn bin_op(word: &str) -> Option<BinOp> {
    Some(match word {
        "add" => BinOp::Add,
        "sub" => BinOp::Sub,
        "mul" => BinOp::Mul,
        "udiv" => BinOp::UDiv,
        "sdiv" => BinOp::SDiv,
        "urem" => BinOp::URem,
        "srem" => BinOp::SRem,
        "shl" => BinOp::Shl,
        "lshr" => BinOp::LShr,
        "ashr" => BinOp::AShr,
        "and" => BinOp::And,
        "or" => BinOp::Or,
        "xor" => BinOp::Xor,
        "fadd" => BinOp::FAdd,
        "fsub" => BinOp::FSub,
        "fmul" => BinOp::FMul,
        "fdiv" => BinOp::FDiv,
        "frem" => BinOp::FRem,
        _ => return None,
    })
}

pub(crate) fn cast_op(word: &str) -> Option<CastOp> {
    Some(match word {
        "trunc" => CastOp::Trunc,
        "zext" => CastOp::ZExt,
        "sext" => CastOp::SExt,
        "fptrunc" => CastOp::FPTrunc,
        "fpext" => CastOp::FPExt,
        "fptoui" => CastOp::FPToUI,
        "fptosi" => CastOp::FPToSI,
        "uitofp" => CastOp::UIToFP,
        "sitofp" => CastOp::SIToFP,
        "ptrtoint" => CastOp::PtrToInt,
        "inttoptr" => CastOp::IntToPtr,
        "bitcast" => CastOp::BitCast,
        "addrspacecast" => CastOp::AddrSpaceCast,
        _ => return None,
    })
}

pub(crate) fn int_pred(word: &str) -> Option<IntPred> {
    Some(match word {
        "eq" => IntPred::Eq,
        "ne" => IntPred::Ne,
        "ugt" => IntPred::Ugt,
        "uge" => IntPred::Uge,
        "ult" => IntPred::Ult,
        "ule" => IntPred::Ule,
        "sgt" => IntPred::Sgt,
        "sge" => IntPred::Sge,
        "slt" => IntPred::Slt,
        "sle" => IntPred::Sle,
        _ => return None,
    })
}

pub(crate) fn float_pred(word: &str) -> Option<FloatPred> {
    Some(match word {
        "false" => FloatPred::False,
        "oeq" => FloatPred::Oeq,
        "ogt" => FloatPred::Ogt,
        "oge" => FloatPred::Oge,
        "olt" => FloatPred::Olt,
        "ole" => FloatPred::Ole,
        "one" => FloatPred::One,
        "ord" => FloatPred::Ord,
        "ueq" => FloatPred::Ueq,
        "ugt" => FloatPred::Ugt,
        "uge" => FloatPred::Uge,
        "ult" => FloatPred::Ult,
        "ule" => FloatPred::Ule,
        "une" => FloatPred::Une,
        "uno" => FloatPred::Uno,
        "true" => FloatPred::True,
        _ => return None,
    })
}

pub(crate) fn ordering(word: &str) -> Option<Ordering> {
    Some(match word {
        "unordered" => Ordering::Unordered,
        "monotonic" => Ordering::Monotonic,
        "acquire" => Ordering::Acquire,
        "release" => Ordering::Release,
        "acq_rel" => Ordering::AcqRel,
        "seq_cst" => Ordering::SeqCst,
        _ => return None,
    })
}

pub(crate) fn rmw_op(word: &str) -> Option<RmwOp> {
    Some(match word {
        "xchg" => RmwOp::Xchg,
        "add" => RmwOp::Add,
        "sub" => RmwOp::Sub,
        "and" => RmwOp::And,
        "nand" => RmwOp::Nand,
        "or" => RmwOp::Or,
        "xor" => RmwOp::Xor,
        "max" => RmwOp::Max,
        "min" => RmwOp::Min,
        "umax" => RmwOp::UMax,
        "umin" => RmwOp::UMin,
        "fadd" => RmwOp::FAdd,
        "fsub" => RmwOp::FSub,
        "fmax" => RmwOp::FMax,
        "fmin" => RmwOp::FMin,
        "uinc_wrap" => RmwOp::UIncWrap,
        "udec_wrap" => RmwOp::UDecWrap,
        "usub_cond" => RmwOp::USubCond,
        "usub_sat" => RmwOp::USubSat,
        _ => return None,
    })
}

/// Whether a word begins a type.
pub(crate) fn is_type_word(word: &str) -> bool {
    match word {
        "void" | "ptr" | "label" | "metadata" | "token" | "x86_mmx" | "x86_amx" | "target" => true,
        _ => int_width(word).is_some() || float_kind(word).is_some(),
    }
}

/// The width in a word `iN`; 0 and widths beyond what LLVM allows are not
/// rejected here.
pub(crate) fn int_width(word: &str) -> Option<u64> {
    let digits = word.strip_prefix('i')?;
    let plain = !digits.is_empty() && digits.len() <= 8;
    if plain && digits.bytes().all(|b| b.is_ascii_digit()) {
        return digits.parse().ok();
    }
    None
}

/// Whether a word begins a value.  Every other word between the type of an
/// argument and its value is an attribute, known or not.
pub(crate) fn is_value_word(word: &str) -> bool {
    match word {
        "true"
        | "false"
        | "null"
        | "undef"
        | "poison"
        | "zeroinitializer"
        | "none"
        | "asm"
        | "blockaddress"
        | "dso_local_equivalent"
        | "no_cfi"
        | "splat"
        | "getelementptr"
        | "icmp"
        | "fcmp"
        | "select"
        | "extractelement"
        | "insertelement"
        | "shufflevector"
        | "extractvalue"
        | "insertvalue"
        | "fneg" => true,
        _ => bin_op(word).is_some() || cast_op(word).is_some() || is_hex_int(word),
    }
}

/// Whether a word is an integer such as `u0xFF` or `s0xFF`.
pub(crate) fn is_hex_int(word: &str) -> bool {
    word.starts_with("u0x") || word.starts_with("s0x")
}
