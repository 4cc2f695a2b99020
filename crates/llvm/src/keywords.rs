//! The keywords of the assembly language: those that are something in the tree, and what others begin.

/// Enums whose variants are keywords, each written once.
macro_rules! words {
    ($($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $variant:ident = $word:literal,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $(#[doc = concat!("`", $word, "`")] $(#[$note])* $variant,)*
        }

        impl $name {
            /// What a word stands for.
            pub(crate) fn of(word: &str) -> Option<Self> {
                match word {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }

            /// The word in assembly text.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                }
            }
        }
    )*};
}

words! {
    /// Linkage of a global.
    Linkage {
        /// The default.
        External = "external", Private = "private",
        /// A `static` of C.
        Internal = "internal", AvailableExternally = "available_externally", LinkOnce = "linkonce",
        LinkOnceOdr = "linkonce_odr", Weak = "weak", WeakOdr = "weak_odr", Common = "common", Appending = "appending",
        ExternWeak = "extern_weak",
    }

    /// A floating-point format.
    FloatKind {
        /// IEEE binary16.
        Half = "half",
        /// The 16-bit truncation of binary32.
        BFloat = "bfloat",
        /// IEEE binary32.
        Float = "float",
        /// IEEE binary64.
        Double = "double",
        /// The 80-bit x87 format.
        X86Fp80 = "x86_fp80",
        /// IEEE binary128.
        Fp128 = "fp128",
        /// A pair of doubles.
        PpcFp128 = "ppc_fp128",
    }

    /// A binary operation.
    BinOp {
        Add = "add", Sub = "sub", Mul = "mul", UDiv = "udiv", SDiv = "sdiv", URem = "urem", SRem = "srem", Shl = "shl",
        LShr = "lshr", AShr = "ashr", And = "and", Or = "or", Xor = "xor", FAdd = "fadd", FSub = "fsub", FMul = "fmul",
        FDiv = "fdiv", FRem = "frem",
    }

    /// A cast.
    CastOp {
        Trunc = "trunc", ZExt = "zext", SExt = "sext", FPTrunc = "fptrunc", FPExt = "fpext", FPToUI = "fptoui",
        FPToSI = "fptosi", UIToFP = "uitofp", SIToFP = "sitofp", PtrToInt = "ptrtoint", IntToPtr = "inttoptr",
        /// With typed pointers often the identity on `ptr`.
        BitCast = "bitcast", AddrSpaceCast = "addrspacecast",
    }

    /// Predicate of `icmp`.
    IntPred {
        Eq = "eq", Ne = "ne", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule", Sgt = "sgt", Sge = "sge", Slt = "slt",
        Sle = "sle",
    }

    /// Predicate of `fcmp`: `o` is ordered, `u` unordered.
    FloatPred {
        False = "false", Oeq = "oeq", Ogt = "ogt", Oge = "oge", Olt = "olt", Ole = "ole", One = "one", Ord = "ord",
        Ueq = "ueq", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule", Une = "une", Uno = "uno", True = "true",
    }

    /// A memory ordering.
    Ordering {
        Unordered = "unordered",
        /// Relaxed in C11.
        Monotonic = "monotonic", Acquire = "acquire", Release = "release", AcqRel = "acq_rel", SeqCst = "seq_cst",
    }

    /// Operation of `atomicrmw`.
    RmwOp {
        Xchg = "xchg", Add = "add", Sub = "sub", And = "and", Nand = "nand", Or = "or", Xor = "xor", Max = "max",
        Min = "min", UMax = "umax", UMin = "umin", FAdd = "fadd", FSub = "fsub", FMax = "fmax", FMin = "fmin",
        UIncWrap = "uinc_wrap", UDecWrap = "udec_wrap", USubCond = "usub_cond", USubSat = "usub_sat",
    }
}

/// Whether a word begins a type.
pub(crate) fn is_type_word(word: &str) -> bool {
    match word {
        "void" | "ptr" | "label" | "metadata" | "token" | "x86_mmx" | "x86_amx" | "target" => true,
        _ => int_width(word).is_some() || FloatKind::of(word).is_some(),
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
        _ => BinOp::of(word).is_some() || CastOp::of(word).is_some() || is_hex_int(word),
    }
}

/// Whether a word is an integer such as `u0xFF` or `s0xFF`.
pub(crate) fn is_hex_int(word: &str) -> bool {
    word.starts_with("u0x") || word.starts_with("s0x")
}
