//! The typing of expressions, and of the places that use them.

use super::Check;
use crate::program::*;
use crate::text::MAX_EXPR_DEPTH;

impl Check<'_> {
    /// The type of the expression; `None` if that was reported as wrong.
    pub fn type_of(&mut self, expr: &Expr) -> Option<Ty> {
        self.ty_within(expr, MAX_EXPR_DEPTH)
    }

    /// The expression, if there is one, must have this type.
    pub fn expect<'e>(&mut self, expr: impl Into<Option<&'e Expr>>, ty: Ty, what: &str) {
        if let Some(found) = expr.into().and_then(|expr| self.type_of(expr))
            && found != ty
        {
            self.wrong(format!("{what} must be {ty}, this is {found}"));
        }
    }

    /// The type of a register that the instruction writes.
    pub fn register(&mut self, reg: Reg) -> Option<Ty> {
        self.known(&self.function?.regs, reg, "register %").map(|data| data.ty)
    }

    /// The register, if there is one, receives a value of this type.
    pub fn receives(&mut self, reg: impl Into<Option<Reg>>, ty: Ty) {
        if let Some(reg) = reg.into()
            && let Some(found) = self.register(reg)
            && found != ty
        {
            let name = self.function.map_or("?", |function| function.regs[reg].name.as_str());
            self.wrong(format!("%{name} is {found}, it cannot hold {ty}"));
        }
    }

    pub fn call(&mut self, callee: &Callee, args: &[Expr]) {
        let types: Vec<Option<Ty>> = args.iter().map(|arg| self.type_of(arg)).collect();
        let id = match callee {
            Callee::Direct(id) => *id,
            Callee::Indirect(target) => return self.expect(target, Ty::Ptr, "the function's address"),
        };
        let Some(target) = self.known(&self.program.functions, id, "function ") else { return };
        if target.params.len() != args.len() {
            let (name, wanted, given) = (&target.name, target.params.len(), args.len());
            let plural = if wanted == 1 { "" } else { "s" };
            return self.wrong(format!("{name} takes {wanted} argument{plural}, not {given}"));
        }
        for (i, (param, given)) in target.params.iter().zip(types).enumerate() {
            if let (Some(param), Some(given)) = (target.regs.get(*param), given)
                && param.ty != given
            {
                let n = i + 1;
                self.wrong(format!("argument {n} of {} must be {}, this is {given}", target.name, param.ty));
            }
        }
    }

    fn ty_within(&mut self, expr: &Expr, depth: usize) -> Option<Ty> {
        let Some(depth) = depth.checked_sub(1) else {
            self.wrong("this expression nests too deep");
            return None;
        };
        match expr {
            Expr::Const(ty, bits) => {
                self.width(*ty);
                self.constant(*ty, *bits);
                Some(*ty)
            }
            Expr::Reg(reg) => self.register(*reg),
            Expr::Object(id, _) => {
                self.known(&self.program.objects, *id, "object ");
                Some(Ty::Ptr)
            }
            Expr::Func(id) => {
                self.known(&self.program.functions, *id, "function ");
                Some(Ty::Ptr)
            }
            Expr::CurrentThread => Some(Ty::Int(32)),
            Expr::Old => {
                if self.old.is_none() {
                    self.wrong("`old` has a meaning only in the `when` and `set` of an update");
                }
                self.old
            }
            Expr::Un(op, inner) => {
                let ty = self.ty_within(inner, depth)?;
                self.unary(*op, ty)
            }
            Expr::Bin(op, left, right) => {
                let (left, right) = (self.ty_within(left, depth), self.ty_within(right, depth));
                self.binary(*op, left?, right?)
            }
            Expr::Cast(op, to, inner) => {
                self.width(*to);
                let from = self.ty_within(inner, depth)?;
                if !self.casts(*op, from, *to) {
                    let name = crate::text::cast_name(*op);
                    self.wrong(format!("`{name}` does not go from {from} to {to}"));
                }
                Some(*to)
            }
            Expr::Select(parts) => {
                let [cond, then, other] = &**parts;
                let cond = self.ty_within(cond, depth);
                let (then, other) = (self.ty_within(then, depth), self.ty_within(other, depth));
                if cond.is_some_and(|ty| ty != Ty::BOOL) {
                    self.wrong("`select` chooses by an i1");
                }
                let (then, other) = (then?, other?);
                if then != other {
                    self.wrong(format!("`select` between {then} and {other}"));
                    return None;
                }
                Some(then)
            }
        }
    }

    fn unary(&mut self, op: UnOp, ty: Ty) -> Option<Ty> {
        use UnOp::*;
        let fits = match op {
            Not | Neg | PopCount | LeadingZeros | TrailingZeros | BitReverse => matches!(ty, Ty::Int(_)),
            ByteSwap => matches!(ty, Ty::Int(bits) if bits % 8 == 0),
            FNeg | FAbs | FSqrt | FFloor | FCeil | FTrunc | FRound | FRint | FIsNan => ty.is_float(),
        };
        if !fits {
            self.wrong(format!("there is no `{}` of {ty}", crate::text::un_op_name(op)));
            return None;
        }
        Some(if op == FIsNan { Ty::BOOL } else { ty })
    }

    fn binary(&mut self, op: BinOp, left: Ty, right: Ty) -> Option<Ty> {
        use BinOp::*;
        let is_int = matches!(left, Ty::Int(_));
        let fits = match op {
            Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor => is_int && left == right,
            PtrAdd => left == Ty::Ptr && right == self.program.pointer_int(),
            Eq | Ne | ULt | ULe | SLt | SLe => (is_int || left == Ty::Ptr) && left == right,
            FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopySign | FOeq | FOne | FOlt | FOle | FOrd => {
                left.is_float() && left == right
            }
        };
        if !fits {
            self.wrong(format!("there is no `{}` of {left} and {right}", crate::text::bin_op_name(op)));
            return None;
        }
        Some(if op.is_comparison() { Ty::BOOL } else { left })
    }

    fn casts(&self, op: CastOp, from: Ty, to: Ty) -> bool {
        let bits = |ty| self.program.bits_of(ty);
        let is_int = |ty| matches!(ty, Ty::Int(_));
        match op {
            CastOp::Trunc => is_int(from) && is_int(to) && bits(to) < bits(from),
            CastOp::ZExt | CastOp::SExt => is_int(from) && is_int(to) && bits(from) < bits(to),
            CastOp::Bits => bits(from) == bits(to) && (is_int(from) && to.is_float() || from.is_float() && is_int(to)),
            CastOp::PtrToInt => from == Ty::Ptr && is_int(to),
            CastOp::IntToPtr => is_int(from) && to == Ty::Ptr,
            CastOp::Float => from.is_float() && to.is_float(),
            CastOp::FloatToSigned | CastOp::FloatToUnsigned => from.is_float() && is_int(to),
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => is_int(from) && to.is_float(),
        }
    }
}
