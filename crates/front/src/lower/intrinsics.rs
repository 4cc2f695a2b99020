//! LLVM's own functions, `llvm.*`.

use super::consts::{self, Part, Unsupported};
use super::func::{FnLower, To};
use ir::{BinOp, CastOp, Expr, Input, InstKind, Order, Term, Ty, UnOp};
use llvm::{Arg, Call, Const, Operand};

impl<'m> FnLower<'_, 'm> {
    /// Lowers a call of `llvm.` followed by `name`.
    pub fn intrinsic(&mut self, name: &'m str, to: To, call: &'m Call) -> Result<(), Unsupported> {
        let args = &call.args[..];
        // The name without the types it ends in: `memcpy.p0.p0.i64`.
        let base = name.split('.').next().unwrap_or("");
        match base {
            "memcpy" | "memmove" if args.len() >= 3 => {
                let align = align(&args[0]).min(align(&args[1]));
                let (dst, src) = (self.scalar(&args[0].value)?, self.scalar(&args[1].value)?);
                let size = self.size(&args[2].value)?;
                let what = self.copied(call.members, &size);
                return self.copy(dst, src, size, align, &what, base == "memmove");
            }
            "memset" if args.len() >= 3 => {
                let (dst, byte) = (self.scalar(&args[0].value)?, self.scalar(&args[1].value)?);
                let size = self.size(&args[2].value)?;
                return self.fill(dst, byte, size, align(&args[0]));
            }
            "va_start" => return self.va_start(&self.first(args)?.value),
            "va_copy" if args.len() == 2 => return self.va_copy(&args[0].value, &args[1].value),
            "trap" | "debugtrap" | "ubsantrap" => {
                // As `abort`: the program ends.
                self.end(Term::Halt);
                self.current = self.new_block("after.trap");
                return Ok(());
            }
            // To come here with a false condition is undefined.
            "assume" => {
                let cond = self.scalar(&self.first(args)?.value)?;
                let (then, other) = (self.new_block("assumed"), self.new_block("undefined"));
                self.end(Term::Branch { cond, then, other });
                self.current = other;
                self.end(Term::Unreachable);
                self.current = then;
                return Ok(());
            }
            // Hints, marks and scopes.
            "va_end" | "lifetime" | "donothing" | "prefetch" | "stackrestore" | "invariant" | "var" | "sideeffect"
            | "pseudoprobe" | "dbg" | "fake" => {
                for arg in args {
                    if self.unit.types.scalar(arg.value.ty).is_some() {
                        self.scalar_part(&arg.value)?;
                    }
                }
                return self.give(to, Expr::null());
            }
            // There is no stack to speak of; this is only given to `stackrestore`.
            "stacksave" => return self.give(to, Expr::null()),
            "returnaddress" | "frameaddress" => return self.own_frame(base, to, self.first(args)?),
            "expect" | "launder" | "strip" | "threadlocal" | "ssa_copy" | "annotation" | "ptr" | "preserve"
            | "arithmetic" => {
                let value = self.scalar(&self.first(args)?.value)?;
                return self.give(to, value);
            }
            "objectsize" => {
                // Not known: the answer is the one that promises nothing.
                let least = matches!(args.get(1).and_then(|arg| arg.value.constant()), Some(Const::Int(1)));
                let ty = self.ty(call.ret)?;
                let bits = self.shared.program.bits_of(ty);
                return self.give(to, Expr::Const(ty, if least { 0 } else { ir::mask(u128::MAX, bits) }));
            }
            "is" if name.starts_with("is.constant") => {
                self.evaluate(args)?;
                return self.give(to, Expr::bool(false));
            }
            "is" if name.starts_with("is.fpclass") && args.len() == 2 => return self.float_class(to, args),
            "x86" => return self.x86(name, to),
            "readcyclecounter" | "readsteadycounter" => {
                self.shared.note(format!("the function `{name}` returns any value"));
                return self.any_result(name, to, call.ret);
            }
            "ptrmask" if args.len() == 2 => {
                let (pointer, mask) = (self.scalar(&args[0].value)?, self.scalar(&args[1].value)?);
                let (ty, from) = (self.pointer_int(), self.ty(args[1].value.ty)?);
                let pointer = self.in_register(pointer);
                let fold = self.fold();
                let number = fold.cast(CastOp::PtrToInt, Ty::Ptr, ty, pointer.clone());
                // The bits that go, taken off the pointer: what remains still points into its object.
                let cleared = fold.bin(BinOp::Xor, ty, fold.resize(true, from, ty, mask), all_ones(ty));
                let excess = fold.bin(BinOp::And, ty, number, cleared);
                let zero = Expr::Const(ty, 0);
                return self.give(to, Expr::bin(BinOp::PtrAdd, pointer, Expr::bin(BinOp::Sub, zero, excess)));
            }
            _ => (),
        }
        if let Some((op, signed)) = arithmetic(base) {
            match &name[base.len()..] {
                rest if rest.starts_with(".with.overflow") => return self.with_overflow(to, op, signed, args),
                rest if rest.starts_with(".sat.") && op != BinOp::Mul => {
                    return self.map(to, args, |_, [a, b], ty| saturating(op, signed, a, b, ty));
                }
                _ => (),
            }
        }
        if let Some(op) = unary(base) {
            return self.map(to, args, |_, [value], _| Ok(Expr::un(op, value)));
        }
        match base {
            "smin" | "smax" | "umin" | "umax" => self.map(to, args, |_, [a, b], _| {
                let less = if base.starts_with('s') { BinOp::SLt } else { BinOp::ULt };
                let is_less = Expr::bin(less, a.clone(), b.clone());
                Ok(if base.ends_with("min") { Expr::select(is_less, a, b) } else { Expr::select(is_less, b, a) })
            }),
            "copysign" => self.map(to, args, |_, [a, b], _| Ok(Expr::bin(BinOp::FCopySign, a, b))),
            "minnum" => self.map(to, args, |this, [a, b], _| Ok(this.either_zero(BinOp::FMin, a, b))),
            "maxnum" => self.map(to, args, |this, [a, b], _| Ok(this.either_zero(BinOp::FMax, a, b))),
            "fmuladd" => {
                self.map(to, args, |_, [a, b, c], _| Ok(Expr::bin(BinOp::FAdd, Expr::bin(BinOp::FMul, a, b), c)))
            }
            "abs" => self.map(to, args, |_, [value], ty| {
                let zero = Expr::Const(ty, 0);
                let negative = Expr::bin(BinOp::SLt, value.clone(), zero.clone());
                Ok(Expr::select(negative, Expr::bin(BinOp::Sub, zero, value.clone()), value))
            }),
            "fshl" | "fshr" => self.map(to, args, |this, words, ty| Ok(this.funnel(base == "fshl", words, ty))),
            "sin" | "cos" | "tan" | "asin" | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "pow" | "powi" | "exp"
            | "exp2" | "exp10" | "log" | "log2" | "log10" | "fma" | "ldexp" => {
                // Their values are known, only not to us: any other value would be wrong.
                Err(format!("the function `{base}`"))
            }
            "lrint" | "llrint" | "lround" | "llround" => {
                let ty = self.ty(call.ret)?;
                let op = if base.ends_with("rint") { UnOp::FRint } else { UnOp::FRound };
                self.map(to, args, |_, [value], _| Ok(Expr::cast(CastOp::FloatToSigned, ty, Expr::un(op, value))))
            }
            _ => Err(format!("the intrinsic `llvm.{name}`")),
        }
    }

    fn first<'b>(&self, args: &'b [Arg]) -> Result<&'b Arg, Unsupported> {
        args.first().ok_or_else(|| "an intrinsic without arguments".to_string())
    }

    /// A size as wide as a pointer.
    pub fn size(&mut self, operand: &Operand) -> Result<Expr, Unsupported> {
        let (from, to) = (self.ty(operand.ty)?, self.pointer_int());
        let value = self.scalar(operand)?;
        Ok(self.fold().resize(false, from, to, value))
    }

    fn give(&mut self, to: To, value: Expr) -> Result<(), Unsupported> {
        self.deliver(to, vec![Part::Expr(value)]);
        Ok(())
    }

    /// An address in the frame of this function, or in the code that called it: it is not null, and nobody may depend on more.
    fn own_frame(&mut self, base: &str, to: To, level: &'m Arg) -> Result<(), Unsupported> {
        let own = matches!(level.value.constant(), Some(Const::Int(0)));
        let is_null = |operand: &Operand| matches!(operand.constant(), Some(Const::Null));
        let unseen = self.read_result(to.result).is_none_or(|result| self.is_only_compared(result, is_null));
        if !own || !unseen {
            let what = if base == "frameaddress" { "the address of a frame on the stack" } else { "a return address" };
            return Err(what.to_string());
        }
        let ty = self.pointer_int();
        self.give(to, Expr::cast(CastOp::IntToPtr, Ty::Ptr, Expr::Const(ty, 1)))
    }

    fn x86(&mut self, name: &str, to: To) -> Result<(), Unsupported> {
        match name {
            "x86.sse2.pause" => Ok(()),
            "x86.sse2.mfence" | "x86.sse2.lfence" | "x86.sse.sfence" => {
                self.emit(InstKind::Fence { order: Order::SeqCst });
                Ok(())
            }
            "x86.rdtsc" => {
                let time = self.choice(Ty::Int(64), Input::Extern("rdtsc".to_string()));
                self.give(to, time)
            }
            _ => Err(format!("the intrinsic `llvm.{name}`")),
        }
    }

    /// The smaller or larger of two numbers: of two zeros C leaves open which, and compilers and libraries differ.
    fn either_zero(&mut self, op: BinOp, a: Expr, b: Expr) -> Expr {
        let second = self.choice(Ty::BOOL, Input::Choice("which of two zeros".to_string()));
        let second = Expr::bin(BinOp::And, second, Expr::bin(BinOp::FOeq, a.clone(), b.clone()));
        Expr::select(second, b.clone(), Expr::bin(op, a, b))
    }

    /// Applies a function to the parts of the first arguments.
    fn map<const N: usize>(
        &mut self,
        to: To,
        args: &'m [Arg],
        f: impl Fn(&mut Self, [Expr; N], Ty) -> Result<Expr, Unsupported>,
    ) -> Result<(), Unsupported> {
        let args: &[Arg; N] = args.first_chunk().ok_or("an intrinsic with too few arguments")?;
        let parts = self.rows(args.each_ref().map(|arg| &arg.value), |this, row, ty| {
            // The result may mention its operands more than once.
            let row = row.map(|value| if value.nodes() <= 3 { value } else { this.in_register(value) });
            f(this, row, ty)
        })?;
        self.deliver(to, parts);
        Ok(())
    }

    fn funnel(&mut self, left: bool, [high, low, amount]: [Expr; 3], ty: Ty) -> Expr {
        let bits = u128::from(self.shared.program.bits_of(ty));
        let constant = |value| Expr::Const(ty, value);
        let unshifted = if left { high.clone() } else { low.clone() };
        let amount = self.fold().bin(BinOp::URem, ty, amount, constant(bits));
        if let Expr::Const(_, 0) = amount {
            return unshifted;
        }
        let amount = self.in_register(amount);
        let fold = self.fold();
        let back = fold.bin(BinOp::Sub, ty, constant(bits), amount.clone());
        let (up, down) = if left { (amount.clone(), back) } else { (back, amount.clone()) };
        let shifted = Expr::bin(BinOp::Or, fold.bin(BinOp::Shl, ty, high, up), fold.bin(BinOp::LShr, ty, low, down));
        // A shift by the whole width is not defined, so no shift is a case of its own.
        let none = fold.bin(BinOp::Eq, ty, amount, constant(0));
        fold.select(none, unshifted, shifted)
    }

    /// `{ result, overflowed }`
    fn with_overflow(&mut self, to: To, op: BinOp, signed: bool, args: &'m [Arg]) -> Result<(), Unsupported> {
        let [left, right, ..] = args else { return Err("an intrinsic with too few arguments".to_string()) };
        let Some(Ty::Int(bits)) = self.unit.types.scalar(left.value.ty) else {
            return Err(self.unit.no_type(left.value.ty));
        };
        self.same_type(&left.value, &right.value)?;
        let (a, b) = (self.scalar(&left.value)?, self.scalar(&right.value)?);
        let (a, b) = (self.in_register(a), self.in_register(b));
        let ty = Ty::Int(bits);
        let value = self.fold().bin(op, ty, a.clone(), b.clone());
        let value = self.in_register(value);
        let overflow = if bits <= 64 {
            // In twice the width the result is exact.
            let wide = Ty::Int(bits * 2);
            let fold = self.fold();
            let (a, b) = (fold.resize(signed, ty, wide, a), fold.resize(signed, ty, wide, b));
            let exact = fold.bin(op, wide, a, b);
            fold.bin(BinOp::Ne, wide, exact, fold.resize(signed, ty, wide, value.clone()))
        } else {
            overflows(op, signed, bits, a, b, value.clone())
        };
        self.deliver(to, vec![Part::Expr(value), Part::Expr(overflow)]);
        Ok(())
    }

    /// `llvm.is.fpclass`: is the number of one of the classes in a mask?
    fn float_class(&mut self, to: To, args: &'m [Arg]) -> Result<(), Unsupported> {
        let ty = self.ty(args[0].value.ty)?;
        let Some(Const::Int(mask)) = args[1].value.constant() else {
            return Err("`llvm.is.fpclass` with a variable mask".to_string());
        };
        let (fraction, bits) = match ty {
            Ty::F32 => (23u32, 32u32),
            Ty::F64 => (52, 64),
            Ty::F128 => (112, 128),
            _ => return Err("the class of a `long double`".to_string()),
        };
        let int = Ty::Int(bits as u8);
        let value = self.scalar(&args[0].value)?;
        let number = consts::bits_cast(self.fold(), ty, int, value);
        let number = self.in_register(number);
        let constant = |value: u128| Expr::Const(int, value);
        let infinity = ir::mask(u128::MAX, bits - 1) >> fraction << fraction;
        let least_normal = 1u128 << fraction;
        let quiet = infinity | (1 << (fraction - 1));
        let largest = ir::mask(u128::MAX, bits - 1);
        let size = Expr::bin(BinOp::And, number.clone(), constant(largest));
        let size = self.in_register(size);
        let negative = Expr::bin(BinOp::SLt, number, constant(0));
        // Bit, whether negative, and the range of the number without its sign.
        let classes = [
            (0, None, infinity + 1, quiet - 1),
            (1, None, quiet, largest),
            (2, Some(true), infinity, infinity),
            (3, Some(true), least_normal, infinity - 1),
            (4, Some(true), 1, least_normal - 1),
            (5, Some(true), 0, 0),
            (6, Some(false), 0, 0),
            (7, Some(false), 1, least_normal - 1),
            (8, Some(false), least_normal, infinity - 1),
            (9, Some(false), infinity, infinity),
        ];
        let mut any = Expr::bool(false);
        for (bit, sign, low, high) in classes {
            if mask >> bit & 1 == 0 {
                continue;
            }
            let above = Expr::bin(BinOp::ULe, constant(low), size.clone());
            let below = Expr::bin(BinOp::ULe, size.clone(), constant(high));
            let mut inside = Expr::bin(BinOp::And, above, below);
            if let Some(wanted) = sign {
                let sign = if wanted { negative.clone() } else { negative.clone().negate() };
                inside = Expr::bin(BinOp::And, inside, sign);
            }
            let joined = if any == Expr::bool(false) { inside } else { Expr::bin(BinOp::Or, any, inside) };
            any = self.in_register(joined);
        }
        self.give(to, any)
    }
}

fn align(arg: &Arg) -> u64 {
    arg.attrs.align.unwrap_or(1).max(1)
}

fn all_ones(ty: Ty) -> Expr {
    match ty {
        Ty::Int(bits) => Expr::Const(ty, ir::mask(u128::MAX, u32::from(bits))),
        _ => Expr::Const(ty, u128::MAX),
    }
}

fn unary(base: &str) -> Option<UnOp> {
    Some(match base {
        "bswap" => UnOp::ByteSwap,
        "ctpop" => UnOp::PopCount,
        "ctlz" => UnOp::LeadingZeros,
        "cttz" => UnOp::TrailingZeros,
        "bitreverse" => UnOp::BitReverse,
        "fabs" => UnOp::FAbs,
        "sqrt" => UnOp::FSqrt,
        "floor" => UnOp::FFloor,
        "ceil" => UnOp::FCeil,
        "trunc" => UnOp::FTrunc,
        "round" => UnOp::FRound,
        // To the nearest, ties to even: the only mode there is.
        "rint" | "nearbyint" | "roundeven" => UnOp::FRint,
        _ => return None,
    })
}

/// `sadd`, `umul` and the like: the operation, and whether it is one of signed numbers.
fn arithmetic(base: &str) -> Option<(BinOp, bool)> {
    let op = match base.get(1..)? {
        "add" => BinOp::Add,
        "sub" => BinOp::Sub,
        "mul" => BinOp::Mul,
        _ => return None,
    };
    Some((op, base.starts_with('s'))).filter(|_| base.starts_with(['s', 'u']))
}

/// Did an operation overflow, told without a wider type?
fn overflows(op: BinOp, signed: bool, bits: u8, a: Expr, b: Expr, value: Expr) -> Expr {
    let ty = Ty::Int(bits);
    let bin = Expr::bin;
    match (op, signed) {
        (BinOp::Add, false) => bin(BinOp::ULt, value, a),
        (BinOp::Sub, false) => bin(BinOp::ULt, a, b),
        // The operands' signs allow it and the result's sign is wrong.
        (BinOp::Add | BinOp::Sub, true) => {
            let second = if op == BinOp::Add { b.clone() } else { a.clone() };
            let first = bin(BinOp::Xor, a, if op == BinOp::Add { value.clone() } else { b });
            bin(BinOp::SLt, bin(BinOp::And, first, bin(BinOp::Xor, second, value)), Expr::Const(ty, 0))
        }
        _ => {
            // The product divided by a factor must give the other.  Never divide by 0, nor the least number by -1.
            let one = Expr::Const(ty, 1);
            let risky = bin(BinOp::ULe, bin(BinOp::Add, b.clone(), one.clone()), one.clone());
            let divisor = Expr::select(risky.clone(), one, b.clone());
            let quotient = bin(if signed { BinOp::SDiv } else { BinOp::UDiv }, value, divisor);
            let differs = bin(BinOp::Ne, quotient, a.clone());
            let large = match signed {
                true => bin(BinOp::Eq, a, Expr::Const(ty, 1 << (bits - 1))),
                false => bin(BinOp::ULe, Expr::Const(ty, 2), a),
            };
            Expr::select(risky, bin(BinOp::And, bin(BinOp::Eq, b, all_ones(ty)), large), differs)
        }
    }
}

fn saturating(op: BinOp, signed: bool, a: Expr, b: Expr, ty: Ty) -> Result<Expr, Unsupported> {
    let Ty::Int(bits) = ty else { return Err("saturating arithmetic".to_string()) };
    let value = Expr::bin(op, a.clone(), b.clone());
    let zero = Expr::Const(ty, 0);
    let bound = match (op, signed) {
        (BinOp::Add, false) => all_ones(ty),
        (_, false) => zero,
        (_, true) => {
            let least = 1 << (bits - 1);
            let negative = Expr::bin(BinOp::SLt, a.clone(), zero);
            Expr::select(negative, Expr::Const(ty, least), Expr::Const(ty, least - 1))
        }
    };
    Ok(Expr::select(overflows(op, signed, bits, a, b, value.clone()), bound, value))
}
