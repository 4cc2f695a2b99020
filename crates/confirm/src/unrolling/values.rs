//! Expressions as terms.
//!
//! Integers and pointers mean what they mean in `ir::eval` and `ir::interp`, bit by bit.  Floating-point arithmetic is done where
//! the operands are constants, or choices among a few; else its result may be anything at first, the same each time it is computed
//! from the same operands, and is computed for those operands that a model has.  That adds behaviour and loses none.

use super::objects::Objects;
use ir::eval::Operator;
use ir::interp::Space;
use ir::{BinOp, CastOp, Expr, Function, Program, Reg, Ty, UnOp};
use logic::{Computed, Term, Terms};
use passes::ThreadId;
use rustc_hash::FxHashMap;

/// A choice among at most so many constants is looked at one by one.
const MOST_LEAVES: usize = 64;

/// What expressions need to be read.
pub struct Values<'a> {
    pub terms: Terms,
    program: &'a Program,
    space: &'a Space,
    /// What is computed for the operands of a model.
    pub computed: Computed<Operator>,
}

/// The registers and the thread in which an expression is read.
pub struct Scope<'s> {
    pub function: &'s Function,
    pub registers: &'s FxHashMap<Reg, Term>,
    pub thread: ThreadId,
    pub objects: &'s Objects,
    /// The old content of a cell, with its type.
    pub old: Option<(Ty, Term)>,
}

/// The value of an expression, and when it has none.
#[derive(Clone, Copy)]
pub struct Value {
    pub term: Term,
    pub fault: Term,
}

/// The number that names a thread.
pub fn handle(thread: ThreadId) -> u128 {
    u128::from(thread.0) + 1
}

impl<'a> Values<'a> {
    pub fn new(program: &'a Program, space: &'a Space) -> Self {
        Values { terms: Terms::new(), program, space, computed: Computed::new(Operator::apply) }
    }

    pub fn bits(&self, ty: Ty) -> u32 {
        self.program.bits_of(ty)
    }

    pub fn number(&mut self, ty: Ty, value: u128) -> Term {
        let bits = self.bits(ty);
        self.terms.constant(bits, value)
    }

    pub fn read(&mut self, scope: &Scope<'_>, expr: &Expr) -> Value {
        let mut fault = self.terms.bool(false);
        let term = self.term(scope, expr, &mut fault);
        Value { term, fault }
    }

    fn term(&mut self, scope: &Scope<'_>, expr: &Expr, fault: &mut Term) -> Term {
        let old_ty = scope.old.map(|(ty, _)| ty);
        match expr {
            Expr::Const(ty, value) => self.number(*ty, *value),
            Expr::Reg(reg) => match scope.registers.get(reg) {
                Some(term) => *term,
                None => self.number(scope.function.ty(*reg), 0),
            },
            Expr::Object(id, offset) => {
                let base = scope.objects.named(scope.thread, *id).map_or(0, |object| scope.objects.all[object].base);
                let address = base.wrapping_add(*offset as u64) & self.space.pointer_mask();
                self.number(Ty::Ptr, u128::from(address))
            }
            Expr::Func(func) => self.number(Ty::Ptr, u128::from(self.space.function_address(*func))),
            Expr::CurrentThread => self.number(Ty::Int(32), handle(scope.thread)),
            Expr::Old => scope.old.map_or(self.terms.bool(false), |(_, term)| term),
            Expr::Un(op, inner) => {
                let ty = scope.function.type_of(self.program, inner, old_ty);
                let inner = self.term(scope, inner, fault);
                self.unary(*op, ty, inner)
            }
            Expr::Bin(op, left, right) => {
                let ty = scope.function.type_of(self.program, left, old_ty);
                let left = self.term(scope, left, fault);
                let right = self.term(scope, right, fault);
                self.binary(*op, ty, left, right, fault)
            }
            Expr::Cast(op, to, inner) => {
                let from = scope.function.type_of(self.program, inner, old_ty);
                let inner = self.term(scope, inner, fault);
                self.cast(*op, from, *to, inner)
            }
            Expr::Select(parts) => {
                let cond = self.term(scope, &parts[0], fault);
                // Only the chosen side is evaluated.
                let mut faults = [self.terms.bool(false); 2];
                let then = self.term(scope, &parts[1], &mut faults[0]);
                let other = self.term(scope, &parts[2], &mut faults[1]);
                let chosen = self.terms.ite(cond, faults[0], faults[1]);
                *fault = self.terms.or(*fault, chosen);
                self.terms.ite(cond, then, other)
            }
        }
    }

    fn unary(&mut self, op: UnOp, ty: Ty, inner: Term) -> Term {
        use UnOp::*;
        let bits = self.bits(ty);
        match op {
            Not => self.terms.not(inner),
            Neg => self.terms.neg(inner),
            PopCount => self.terms.popcount(inner),
            LeadingZeros => self.terms.leading_zeros(inner),
            TrailingZeros => self.terms.trailing_zeros(inner),
            ByteSwap => self.terms.byte_swap(inner),
            BitReverse => self.terms.bit_reverse(inner),
            FNeg => self.terms.float_neg(inner),
            FAbs => self.terms.float_abs(inner),
            FIsNan => match ty.exponent_bits() {
                Some(exponent) => self.terms.float_is_nan(inner, exponent),
                None => self.computed(Operator::Un(op, ty, bits), inner, None),
            },
            FSqrt | FFloor | FCeil | FTrunc | FRound | FRint => self.computed(Operator::Un(op, ty, bits), inner, None),
        }
    }

    fn binary(&mut self, op: BinOp, ty: Ty, left: Term, right: Term, fault: &mut Term) -> Term {
        use BinOp::*;
        let bits = self.bits(ty);
        let terms = &mut self.terms;
        match op {
            Add => terms.add(left, right),
            Sub => terms.sub(left, right),
            Mul => terms.mul(left, right),
            UDiv | URem | SDiv | SRem => self.divide(op, bits, left, right, fault),
            Shl => terms.shl(left, right),
            LShr => terms.lshr(left, right),
            AShr => terms.ashr(left, right),
            And => terms.and(left, right),
            Or => terms.or(left, right),
            Xor => terms.xor(left, right),
            PtrAdd => self.advance(left, right),
            Eq => terms.eq(left, right),
            Ne => terms.ne(left, right),
            ULt => terms.ult(left, right),
            ULe => terms.ule(left, right),
            SLt => terms.slt(left, right),
            SLe => terms.sle(left, right),
            FCopySign => terms.float_copysign(left, right),
            FAdd | FSub | FMul | FDiv | FRem | FMin | FMax => {
                self.computed(Operator::Bin(op, ty, bits), left, Some(right))
            }
            FOeq | FOne | FOlt | FOle | FOrd => match ty.exponent_bits() {
                Some(exponent) => self.compare(op, exponent, left, right),
                None => self.computed(Operator::Bin(op, ty, bits), left, Some(right)),
            },
        }
    }

    /// A comparison of floats, which only looks at their bits.
    fn compare(&mut self, op: BinOp, exponent: u32, left: Term, right: Term) -> Term {
        let terms = &mut self.terms;
        match op {
            BinOp::FOeq => terms.float_eq(left, right, exponent),
            BinOp::FOlt => terms.float_lt(left, right, exponent),
            BinOp::FOle => terms.float_le(left, right, exponent),
            BinOp::FOne => {
                let (less, more) = (terms.float_lt(left, right, exponent), terms.float_lt(right, left, exponent));
                terms.or(less, more)
            }
            _ => terms.float_ordered(left, right, exponent),
        }
    }

    fn divide(&mut self, op: BinOp, bits: u32, left: Term, right: Term, fault: &mut Term) -> Term {
        let terms = &mut self.terms;
        let by_zero = terms.is(right, 0);
        *fault = terms.or(*fault, by_zero);
        if matches!(op, BinOp::UDiv | BinOp::URem) {
            return if op == BinOp::UDiv { terms.udiv(left, right) } else { terms.urem(left, right) };
        }
        let (lowest, minus_one) = (terms.is(left, 1 << (bits - 1)), terms.is(right, u128::MAX));
        let overflow = terms.and(lowest, minus_one);
        *fault = terms.or(*fault, overflow);
        if op == BinOp::SDiv { terms.sdiv(left, right) } else { terms.srem(left, right) }
    }

    fn cast(&mut self, op: CastOp, from: Ty, to: Ty, inner: Term) -> Term {
        use CastOp::*;
        let (from_bits, to_bits) = (self.bits(from), self.bits(to));
        match op {
            Trunc | ZExt | Bits | PtrToInt | IntToPtr => self.terms.resize(inner, to_bits),
            SExt => self.terms.sext(inner, to_bits),
            Float | FloatToSigned | FloatToUnsigned | SignedToFloat | UnsignedToFloat => {
                self.computed(Operator::Cast(op, (from, from_bits), (to, to_bits)), inner, None)
            }
        }
    }

    /// An operation that is computed for constants only, and for the operands of a model.
    fn computed(&mut self, operator: Operator, left: Term, right: Option<Term>) -> Term {
        let width = operator.result_bits();
        let chosen = self.over_leaves(left, right, width, |a, b| operator.apply(a, b));
        chosen.unwrap_or_else(|| self.computed.result(&mut self.terms, (operator, width), left, right))
    }

    /// A choice among the results for each pair of constants, if the operands are such and there are not too many.
    fn over_leaves(
        &mut self,
        left: Term,
        right: Option<Term>,
        width: u32,
        compute: impl Fn(u128, u128) -> u128,
    ) -> Option<Term> {
        let (lefts, rights) = (self.leaves(left)?, right.map_or(Some(vec![0]), |right| self.leaves(right))?);
        if lefts.len() * rights.len() > MOST_LEAVES {
            return None;
        }
        let mut results = Vec::new();
        for (a, b) in lefts.iter().flat_map(|a| rights.iter().map(move |b| (*a, *b))) {
            let value = self.terms.constant(width, compute(a, b));
            let is = self.terms.is(left, a);
            let also = right.map_or(self.terms.bool(true), |right| self.terms.is(right, b));
            results.push((self.terms.and(is, also), value));
        }
        self.terms.last_of(results)
    }

    /// A pointer moved by a number of bytes: `Space::advance`.
    fn advance(&mut self, pointer: Term, by: Term) -> Term {
        let (bits, space) = (self.terms.width(pointer), self.space);
        let compute = |pointer, by| u128::from(space.advance(pointer as u64, by as u64));
        if let Some(chosen) = self.over_leaves(pointer, Some(by), bits, compute) {
            return chosen;
        }
        let terms = &mut self.terms;
        let offset_bits = self.space.offset_bits();
        let quarter = 1u128 << (offset_bits - 2);
        // Two bits more than a pointer has: nothing overflows.
        let wide = bits + 2;
        let low = terms.extract(pointer, 0, offset_bits);
        let limit = terms.constant(offset_bits, 3 * quarter);
        let after = terms.ult(low, limit);
        let low = terms.zext(low, wide);
        let whole = terms.constant(wide, 4 * quarter);
        let before = terms.sub(low, whole);
        let offset = terms.ite(after, low, before);
        let distance = terms.sext(by, wide);
        let there = terms.add(offset, distance);
        let (lowest, highest) = (terms.constant(wide, quarter.wrapping_neg()), terms.constant(wide, 3 * quarter));
        let (not_below, below) = (terms.sle(lowest, there), terms.slt(there, highest));
        let fits = terms.and(not_below, below);
        let moved = terms.add(pointer, by);
        // What `advance` gives for a pointer that leaves what its name has room for.
        let nowhere = terms.constant(bits, u128::from(self.space.advance(0, 1 << (bits - 2))));
        terms.ite(fits, moved, nowhere)
    }

    /// The constants that a term is a choice of; `None` if it is something else or they are too many.
    pub fn leaves(&self, term: Term) -> Option<Vec<u128>> {
        self.terms.leaves(term, 4 * MOST_LEAVES + 1).filter(|found| found.len() <= MOST_LEAVES)
    }
}
