//! Builds expressions, folding what clang leaves unfolded: constants, casts there and back, truth values that were made
//! integers, and constant parts of addresses.

use base::IdVec;
use ir::{BinOp, CastOp, Expr, ObjectId, Reg, RegData, Ty, UnOp, eval, mask, signed};

/// Beyond this many nodes an expression goes into a register: nothing that walks expressions recurses deeply.
pub const MAX_NODES: usize = 40;

/// Builds expressions over the registers of one function.
#[derive(Clone, Copy)]
pub struct Fold<'a> {
    pub regs: &'a IdVec<Reg, RegData>,
    pub pointer_bits: u8,
}

/// A constant, register or address: costs nothing to repeat.
pub fn is_leaf(expr: &Expr) -> bool {
    match expr {
        Expr::Const(..) | Expr::Reg(_) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread | Expr::Old => true,
        Expr::Bin(BinOp::PtrAdd, left, right) => matches!(**left, Expr::Reg(_)) && matches!(**right, Expr::Const(..)),
        _ => false,
    }
}

fn commutes(op: BinOp) -> bool {
    use BinOp::*;
    matches!(op, Add | Mul | And | Or | Xor | Eq | Ne)
}

impl Fold<'_> {
    pub fn pointer_int(self) -> Ty {
        Ty::Int(self.pointer_bits)
    }

    /// The bits of an integer or a pointer.
    fn width(self, ty: Ty) -> u32 {
        match ty {
            Ty::Int(bits) => u32::from(bits),
            _ => u32::from(self.pointer_bits),
        }
    }

    pub fn type_of(self, expr: &Expr) -> Ty {
        match expr {
            Expr::Const(ty, _) | Expr::Cast(_, ty, _) => *ty,
            Expr::Reg(reg) => self.regs[*reg].ty,
            Expr::Object(..) | Expr::Func(_) => Ty::Ptr,
            Expr::CurrentThread => Ty::Int(32),
            Expr::Old | Expr::Un(UnOp::FIsNan, _) => Ty::BOOL,
            Expr::Un(_, inner) => self.type_of(inner),
            Expr::Bin(op, left, _) if !op.is_comparison() => self.type_of(left),
            Expr::Bin(..) => Ty::BOOL,
            Expr::Select(parts) => self.type_of(&parts[1]),
        }
    }

    /// An operation on integers of `ty`, or a comparison of such integers or of pointers.
    pub fn bin(self, op: BinOp, ty: Ty, left: Expr, right: Expr) -> Expr {
        let (left, right) = if commutes(op) && matches!(left, Expr::Const(..)) { (right, left) } else { (left, right) };
        let bits = self.width(ty);
        if let (Expr::Const(_, a), Expr::Const(_, b)) = (&left, &right)
            && !shifts_too_far(op, bits, *b)
            && let Ok(value) = eval::binary(op, ty, bits, *a, *b)
        {
            return Expr::Const(if op.is_comparison() { Ty::BOOL } else { ty }, value);
        }
        if let (BinOp::Sub, Some((a, from)), Some((b, to))) = (op, address(&left), address(&right))
            && a == b
        {
            return Expr::Const(ty, mask(i128::from(from).wrapping_sub(i128::from(to)) as u128, bits));
        }
        let Expr::Const(_, c) = right else { return Expr::bin(op, left, right) };
        let ones = mask(u128::MAX, bits);
        match op {
            BinOp::Xor if ty == Ty::BOOL && c == 1 => return self.not(left),
            BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::LShr | BinOp::AShr if c == 0 => {
                return left;
            }
            BinOp::Mul | BinOp::UDiv | BinOp::SDiv if c == 1 => return left,
            BinOp::Mul | BinOp::And if c == 0 && !left.can_fault() => return right,
            BinOp::And if c == ones => return left,
            BinOp::Eq | BinOp::Ne => {
                if let Some(truth) = self.truth(&left, ty).filter(|_| c == 0 || ty == Ty::BOOL) {
                    return if (op == BinOp::Ne) == (c == 0) { truth } else { self.not(truth) };
                }
                if let Some((inner, ty, c)) = self.narrowed(&left, bits, c) {
                    return self.bin(op, ty, inner, Expr::Const(ty, c));
                }
            }
            // `x--` adds -1.
            BinOp::Add | BinOp::Sub if bits > 1 && signed(c, bits) < 0 && c != 1 << (bits - 1) => {
                let flipped = if op == BinOp::Add { BinOp::Sub } else { BinOp::Add };
                return Expr::bin(flipped, left, Expr::Const(ty, mask(c.wrapping_neg(), bits)));
            }
            _ => (),
        }
        Expr::bin(op, left, right)
    }

    /// An equality of a widened value with a constant, as one of the value before it was widened: `c == 'a'`.
    fn narrowed(self, left: &Expr, bits: u32, c: u128) -> Option<(Expr, Ty, u128)> {
        let Expr::Cast(op, _, inner) = left else { return None };
        let ty = self.type_of(inner);
        let small = match (op, ty) {
            (CastOp::ZExt, Ty::Int(width)) => Some(c).filter(|c| mask(*c, u32::from(width)) == *c),
            (CastOp::SExt, Ty::Int(width)) => {
                let value = mask(c, u32::from(width));
                Some(value).filter(|value| mask(signed(*value, u32::from(width)) as u128, bits) == c)
            }
            (CastOp::PtrToInt, Ty::Ptr) if bits == u32::from(self.pointer_bits) && c == 0 => Some(0),
            _ => None,
        };
        small.map(|c| ((**inner).clone(), ty, c))
    }

    /// The truth value that an expression is, or is an integer made from.
    fn truth(self, expr: &Expr, ty: Ty) -> Option<Expr> {
        match expr {
            _ if ty == Ty::BOOL => Some(expr.clone()),
            Expr::Cast(CastOp::ZExt | CastOp::SExt, _, inner) if self.type_of(inner) == Ty::BOOL => {
                Some((**inner).clone())
            }
            _ => None,
        }
    }

    /// Negation of a truth value.
    pub fn not(self, expr: Expr) -> Expr {
        use BinOp::*;
        match expr {
            Expr::Const(ty, value) => Expr::Const(ty, value ^ 1),
            Expr::Bin(Eq, a, b) => Expr::Bin(Ne, a, b),
            Expr::Bin(Ne, a, b) => Expr::Bin(Eq, a, b),
            Expr::Bin(SLt, a, b) => Expr::Bin(SLe, b, a),
            Expr::Bin(SLe, a, b) => Expr::Bin(SLt, b, a),
            Expr::Bin(ULt, a, b) => Expr::Bin(ULe, b, a),
            Expr::Bin(ULe, a, b) => Expr::Bin(ULt, b, a),
            Expr::Bin(Xor, a, b) if *b == Expr::bool(true) => *a,
            other => other.negate(),
        }
    }

    pub fn select(self, cond: Expr, then: Expr, other: Expr) -> Expr {
        match cond {
            Expr::Const(_, 0) => other,
            Expr::Const(..) => then,
            _ if then == Expr::bool(true) && other == Expr::bool(false) => cond,
            _ if then == Expr::bool(false) && other == Expr::bool(true) => self.not(cond),
            _ if then == other && !cond.can_fault() => then,
            Expr::Bin(BinOp::Xor, inner, one) if *one == Expr::bool(true) => Expr::select(*inner, other, then),
            _ => Expr::select(cond, then, other),
        }
    }

    /// A cast, given the type of `expr`; the identity where nothing changes.
    pub fn cast(self, op: CastOp, from: Ty, to: Ty, expr: Expr) -> Expr {
        if from == to && !matches!(op, CastOp::Bits) {
            return expr;
        }
        let width = |ty: Ty| self.width(ty);
        match (op, expr) {
            (CastOp::Bits, Expr::Const(_, value)) => Expr::Const(to, value),
            (
                CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr,
                Expr::Const(_, value),
            ) => Expr::Const(to, eval::cast(op, from, width(from), to, width(to), value)),
            (CastOp::Trunc, Expr::Cast(inner @ (CastOp::ZExt | CastOp::SExt), _, value)) => {
                let source = self.type_of(&value);
                if width(to) <= width(source) {
                    self.cast(CastOp::Trunc, source, to, *value)
                } else {
                    self.cast(inner, source, to, *value)
                }
            }
            (CastOp::Trunc, Expr::Cast(CastOp::Trunc, _, value)) => Expr::Cast(CastOp::Trunc, to, value),
            (CastOp::ZExt | CastOp::SExt, Expr::Cast(CastOp::ZExt, _, value)) => Expr::Cast(CastOp::ZExt, to, value),
            (CastOp::SExt, Expr::Cast(CastOp::SExt, _, value)) => Expr::Cast(CastOp::SExt, to, value),
            (CastOp::IntToPtr, Expr::Cast(CastOp::PtrToInt, _, value)) => *value,
            (CastOp::PtrToInt, Expr::Cast(CastOp::IntToPtr, _, value)) if self.type_of(&value) == to => *value,
            (CastOp::Bits, Expr::Cast(CastOp::Bits, _, value)) if self.type_of(&value) == to => *value,
            (op, expr) => Expr::cast(op, to, expr),
        }
    }

    /// An integer made wider (by its sign) or narrower.
    pub fn resize(self, signed: bool, from: Ty, to: Ty, expr: Expr) -> Expr {
        let (Ty::Int(a), Ty::Int(b)) = (from, to) else { return expr };
        let op = match (b < a, signed) {
            (true, _) => CastOp::Trunc,
            (false, true) => CastOp::SExt,
            (false, false) => CastOp::ZExt,
        };
        self.cast(op, from, to, expr)
    }

    /// Pointer plus a constant number of bytes.  The constant goes to the innermost base, where it selects the field.
    pub fn offset(self, base: Expr, bytes: i64) -> Expr {
        if bytes == 0 {
            return base;
        }
        let ty = self.pointer_int();
        let bits = u32::from(self.pointer_bits);
        match base {
            Expr::Object(object, at) => Expr::Object(object, at.wrapping_add(bytes)),
            Expr::Const(ty, value) => Expr::Const(ty, mask(value.wrapping_add(bytes as i128 as u128), bits)),
            Expr::Bin(BinOp::PtrAdd, inner, term) => match *term {
                Expr::Const(_, value) => {
                    let sum = mask(value.wrapping_add(bytes as i128 as u128), bits);
                    if sum == 0 { *inner } else { Expr::bin(BinOp::PtrAdd, *inner, Expr::Const(ty, sum)) }
                }
                term => Expr::bin(BinOp::PtrAdd, self.offset(*inner, bytes), term),
            },
            base => Expr::bin(BinOp::PtrAdd, base, Expr::Const(ty, mask(bytes as i128 as u128, bits))),
        }
    }

    /// Pointer plus `index` elements of `stride` bytes; the index is as wide as a pointer.
    pub fn element(self, base: Expr, index: Expr, stride: u64) -> Expr {
        let ty = self.pointer_int();
        let bits = u32::from(self.pointer_bits);
        match self.bin(BinOp::Mul, ty, index, Expr::Const(ty, mask(u128::from(stride), bits))) {
            Expr::Const(_, bytes) => self.offset(base, signed(bytes, bits) as i64),
            term => Expr::bin(BinOp::PtrAdd, base, term),
        }
    }
}

/// The number that is the address of a part of a static object.
fn address(expr: &Expr) -> Option<(ObjectId, i64)> {
    let Expr::Cast(CastOp::PtrToInt, _, inner) = expr else { return None };
    if let Expr::Object(object, offset) = **inner { Some((object, offset)) } else { None }
}

/// Is it a shift by the width or more, of which LLVM says nothing?
fn shifts_too_far(op: BinOp, bits: u32, amount: u128) -> bool {
    matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr) && amount >= u128::from(bits)
}
