//! Expressions and accesses of an unfolded program as terms: what both encodings share.
//!
//! Everything is exact but for two things, which add behaviour and never take any away: what is computed from floats that are
//! not constants may be anything (comparisons compute nothing and are exact), and so may reading what an access could not be shown to reach.  Objects do not die.

use super::space::{Form, Kind, MOST_PIECES, Obj, Space};
use base::IdVec;
use claim::{Outcome, Reason};
use facts::{Facts, Point};
use ir::eval::{self, Operator};
use ir::{BinOp, CastOp, Expr, Function, Program, Ty, UnOp};
use logic::{Computed, Term, Terms};
use passes::memory::PieceId;
use passes::{ThreadId, Unfolded};
use std::rc::Rc;

/// A choice with at most so many parts is looked at one by one.
const MOST_CHOICES: usize = 256;
/// An address in no object: its name is that of null.
const NOWHERE: u128 = 4096;

pub struct Symbols<'a> {
    pub unfolded: &'a Unfolded,
    pub facts: &'a Facts,
    pub space: Space,
    pub terms: Terms,
    /// What is computed of floats for the values of a solution.
    pub floats: Computed<Operator>,
}

/// What an expression is evaluated in.
pub struct Scope<'r> {
    pub thread: ThreadId,
    pub function: &'r Function,
    pub registers: &'r [Term],
    /// The old content of the cell, and its type, within an update.
    pub old: Option<(Term, Ty)>,
}

/// A place an access may go to: `when` says whether it does.
#[derive(Clone, Copy)]
pub struct Way {
    pub when: Term,
    pub object: Obj,
    pub offset: u64,
}

/// The places an access may go to.
pub struct Ways {
    pub list: Rc<[Way]>,
    /// It goes to one of them.
    pub valid: Term,
    /// It may go somewhere that is not encoded.
    pub elsewhere: Option<Term>,
}

impl<'a> Symbols<'a> {
    pub fn new(unfolded: &'a Unfolded, facts: &'a Facts) -> Result<Self, Outcome> {
        let space = Space::new(unfolded, facts)?;
        Ok(Symbols { unfolded, facts, space, terms: Terms::new(), floats: Computed::new(Operator::apply) })
    }

    pub fn program(&self) -> &'a Program {
        &self.unfolded.program
    }

    pub fn width(&self, ty: Ty) -> u32 {
        self.program().bits_of(ty)
    }

    /// The handle of a thread.
    pub fn handle(&mut self, thread: ThreadId) -> Term {
        self.terms.constant(32, u128::from(thread.0) + 1)
    }

    pub fn pointer(&mut self, object: Obj, offset: i64) -> Term {
        let value = self.space.form.pointer(object, offset);
        self.terms.constant(self.space.form.pointer_bits, value)
    }

    /// The value of an expression.  What must hold for it to have one (divisors are not zero) is added to `needs`.
    pub fn expr(&mut self, scope: &Scope<'_>, expr: &Expr, needs: &mut Vec<Term>) -> Term {
        match expr {
            Expr::Const(ty, value) => {
                let width = self.width(*ty);
                let number = self.terms.constant(width, *value);
                if *ty == Ty::Ptr { self.pointer_of(number) } else { number }
            }
            Expr::Reg(reg) => scope.registers[reg.0 as usize],
            Expr::Object(id, offset) => self.pointer(self.space.object_of(scope.thread, *id), *offset),
            Expr::Func(func) => self.pointer(self.space.object(Kind::Function(*func)), 0),
            Expr::CurrentThread => self.handle(scope.thread),
            // Only valid within an update.
            Expr::Old => scope.old.map_or(self.terms.bool(false), |(term, _)| term),
            Expr::Un(op, inner) => {
                let ty = scope.function.type_of(self.program(), inner, scope.old.map(|(_, ty)| ty));
                let inner = self.expr(scope, inner, needs);
                self.unary(*op, ty, inner)
            }
            Expr::Bin(op, left, right) => {
                let ty = scope.function.type_of(self.program(), left, scope.old.map(|(_, ty)| ty));
                let left = self.expr(scope, left, needs);
                let right = self.expr(scope, right, needs);
                self.binary(*op, ty, left, right, needs)
            }
            Expr::Cast(op, to, inner) => {
                let from = scope.function.type_of(self.program(), inner, scope.old.map(|(_, ty)| ty));
                let inner = self.expr(scope, inner, needs);
                self.cast(*op, from, *to, inner)
            }
            Expr::Select(parts) => {
                let cond = self.expr(scope, &parts[0], needs);
                // Only the part that is chosen is evaluated.
                let (mut then_needs, mut other_needs) = (Vec::new(), Vec::new());
                let then = self.expr(scope, &parts[1], &mut then_needs);
                let other = self.expr(scope, &parts[2], &mut other_needs);
                for need in then_needs {
                    needs.push(self.terms.implies(cond, need));
                }
                for need in other_needs {
                    needs.push(self.terms.or(cond, need));
                }
                self.terms.ite(cond, then, other)
            }
        }
    }

    fn unary(&mut self, op: UnOp, ty: Ty, value: Term) -> Term {
        use UnOp::*;
        let width = self.terms.width(value);
        if let Some(constant) = self.terms.as_constant(value) {
            let result = if op == FIsNan { 1 } else { width };
            return self.terms.constant(result, eval::unary(op, ty, width, constant));
        }
        let terms = &mut self.terms;
        match op {
            Not => terms.not(value),
            Neg => terms.neg(value),
            PopCount => terms.popcount(value),
            LeadingZeros => terms.leading_zeros(value),
            TrailingZeros => terms.trailing_zeros(value),
            ByteSwap => terms.byte_swap(value),
            BitReverse => terms.bit_reverse(value),
            FNeg => terms.float_neg(value),
            FAbs => terms.float_abs(value),
            FSqrt | FFloor | FCeil | FTrunc | FRound | FRint => self.computed(Operator::Un(op, ty, width), value, None),
            FIsNan => match ty.exponent_bits() {
                Some(exponent) => terms.float_is_nan(value, exponent),
                None => self.computed(Operator::Un(op, ty, width), value, None),
            },
        }
    }

    /// An operation on floats that does more than look at their bits.
    fn computed(&mut self, operator: Operator, left: Term, right: Option<Term>) -> Term {
        self.floats.result(&mut self.terms, (operator, operator.result_bits()), left, right)
    }

    fn binary(&mut self, op: BinOp, ty: Ty, left: Term, right: Term, needs: &mut Vec<Term>) -> Term {
        use BinOp::*;
        let width = self.terms.width(left);
        let terms = &mut self.terms;
        match op {
            Add => terms.add(left, right),
            Sub => terms.sub(left, right),
            Mul => terms.mul(left, right),
            UDiv | URem | SDiv | SRem => {
                let by_zero = terms.is(right, 0);
                needs.push(terms.not(by_zero));
                if matches!(op, SDiv | SRem) {
                    let (lowest, minus_one) = (terms.is(left, 1 << (width - 1)), terms.is(right, u128::MAX));
                    let overflows = terms.and(lowest, minus_one);
                    needs.push(terms.not(overflows));
                }
                match op {
                    UDiv => terms.udiv(left, right),
                    URem => terms.urem(left, right),
                    SDiv => terms.sdiv(left, right),
                    _ => terms.srem(left, right),
                }
            }
            Shl => terms.shl(left, right),
            LShr => terms.lshr(left, right),
            AShr => terms.ashr(left, right),
            And => terms.and(left, right),
            Or => terms.or(left, right),
            Xor => terms.xor(left, right),
            PtrAdd => self.advance(left, right),
            Eq => terms.eq(left, right),
            Ne => terms.ne(left, right),
            ULt | ULe | SLt | SLe => {
                let [left, right] = [left, right].map(|side| if ty == Ty::Ptr { self.number(side) } else { side });
                match op {
                    ULt => self.terms.ult(left, right),
                    ULe => self.terms.ule(left, right),
                    SLt => self.terms.slt(left, right),
                    _ => self.terms.sle(left, right),
                }
            }
            FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopySign | FOeq | FOne | FOlt | FOle | FOrd => {
                self.float(op, ty, left, right)
            }
        }
    }

    /// An operation on floats: comparisons only look at bits.
    fn float(&mut self, op: BinOp, ty: Ty, left: Term, right: Term) -> Term {
        let width = self.terms.width(left);
        let terms = &mut self.terms;
        match (op, ty.exponent_bits()) {
            (BinOp::FOeq, Some(exponent)) => terms.float_eq(left, right, exponent),
            (BinOp::FOne, Some(exponent)) => {
                let ordered = terms.float_ordered(left, right, exponent);
                let equal = terms.float_eq(left, right, exponent);
                terms.and_not(ordered, equal)
            }
            (BinOp::FOlt, Some(exponent)) => terms.float_lt(left, right, exponent),
            (BinOp::FOle, Some(exponent)) => terms.float_le(left, right, exponent),
            (BinOp::FOrd, Some(exponent)) => terms.float_ordered(left, right, exponent),
            (BinOp::FCopySign, _) => terms.float_copysign(left, right),
            _ => self.computed(Operator::Bin(op, ty, width), left, Some(right)),
        }
    }

    /// The number of a pointer, as `Form::number`.
    pub fn number(&mut self, pointer: Term) -> Term {
        self.renamed(pointer, false)
    }
    /// The pointer of which this is the number.
    pub fn pointer_of(&mut self, number: Term) -> Term {
        self.renamed(number, true)
    }

    fn renamed(&mut self, pointer: Term, next: bool) -> Term {
        let Form { pointer_bits, offset_bits: bits, .. } = self.space.form;
        let (terms, width) = (&mut self.terms, pointer_bits - bits);
        let (name, low) = (terms.extract(pointer, bits, width), terms.extract(pointer, 0, bits));
        let by = terms.constant(width, if next { 1 } else { u128::MAX });
        let (other, quarter) = (terms.add(name, by), terms.extract(low, bits - 2, 2));
        let before = terms.is(quarter, 3);
        let name = terms.ite(before, other, name);
        terms.concat(name, low)
    }

    /// A pointer plus a number of bytes: the name of the object stays what it is.  Beyond what a name has room for it is no pointer
    /// any more; that is asked where the distance is computed, since an index may be anything.
    fn advance(&mut self, pointer: Term, by: Term) -> Term {
        let Form { pointer_bits, offset_bits: bits, .. } = self.space.form;
        let exact = self.space.exact;
        let terms = &mut self.terms;
        let (name, low) = (terms.extract(pointer, bits, pointer_bits - bits), terms.extract(pointer, 0, bits));
        let distance = terms.extract(by, 0, bits);
        let there = terms.add(low, distance);
        let there = terms.concat(name, there);
        if terms.is_constant(by) || !exact {
            return there;
        }
        // As `ir::interp::Space::advance`: a quarter of the room lies before the object.
        let (wide, quarter) = (pointer_bits + 2, 1u128 << (bits - 2));
        let end = terms.constant(bits, 3 * quarter);
        let within = terms.ult(low, end);
        let after = terms.zext(low, wide);
        let room = terms.constant(wide, 4 * quarter);
        let before = terms.sub(after, room);
        let offset = terms.ite(within, after, before);
        let by = terms.sext(by, wide);
        let offset = terms.add(offset, by);
        let (first, last) = (terms.constant(wide, quarter.wrapping_neg()), terms.constant(wide, 3 * quarter));
        let (enough, below) = (terms.sle(first, offset), terms.slt(offset, last));
        let fits = terms.and(enough, below);
        let nowhere = terms.constant(pointer_bits, NOWHERE);
        terms.ite(fits, there, nowhere)
    }

    fn cast(&mut self, op: CastOp, from: Ty, to: Ty, value: Term) -> Term {
        use CastOp::*;
        let (from_bits, to_bits) = (self.width(from), self.width(to));
        match op {
            Trunc | ZExt | Bits => self.terms.resize(value, to_bits),
            PtrToInt => {
                let number = self.number(value);
                self.terms.resize(number, to_bits)
            }
            IntToPtr => {
                let number = self.terms.resize(value, to_bits);
                self.pointer_of(number)
            }
            SExt => self.terms.sext(value, to_bits),
            Float | FloatToSigned | FloatToUnsigned | SignedToFloat | UnsignedToFloat => {
                self.computed(Operator::Cast(op, (from, from_bits), (to, to_bits)), value, None)
            }
        }
    }

    /// The places an access of `size` bytes at the address may go to; whatever else it may be is an error of memory, or, where
    /// that is not certain, beyond the encoding.
    pub fn ways(&mut self, point: Point, address: Term, size: u64, write: bool) -> Result<Ways, Outcome> {
        let (what, pos) = ("an access with an address that may be very many", self.program().pos(point));
        let too_hard = || Outcome::Unknown(Reason::Unsupported { what: what.into(), pos });
        let mut elsewhere = None;
        let targets = self.facts.points_to.address(point);
        let anywhere = targets.is_none_or(|targets| targets.all || targets.wild);
        let mut places = match self.terms.leaves(address, MOST_CHOICES) {
            Some(pointers) => pointers.iter().filter_map(|pointer| self.space.locate(*pointer)).collect(),
            None => match targets.and_then(|at| self.space.places(MOST_PIECES, self.unfolded, self.facts, at, size)) {
                Some(places) => places,
                None => {
                    elsewhere = Some(self.terms.bool(true));
                    self.space.pieces_of_size(size).ok_or_else(too_hard)?
                }
            },
        };
        places.retain(|(object, offset)| self.space.valid(*object, *offset, size, write));
        places.sort_unstable();
        places.dedup();
        let mut ways = Vec::with_capacity(places.len());
        for (object, offset) in places {
            let pointer = self.pointer(object, offset as i64);
            let when = self.terms.eq(address, pointer);
            if self.terms.is_false(when) {
                continue;
            }
            match self.space.pieces_at(object, offset, size) {
                Some(_) => ways.push(Way { when, object, offset }),
                // Its bytes are not pieces of their own: nobody foresaw that the access goes there, so it does not, unless it
                // may go anywhere.
                None if anywhere => return Err(too_hard()),
                None => (),
            }
        }
        let valid: Vec<Term> = ways.iter().map(|way| way.when).collect();
        let valid = self.terms.any(&valid);
        if elsewhere.is_some() {
            // Null is an error; any other place might be one.
            let null = self.terms.is(address, 0);
            let wrong = self.terms.or(null, valid);
            elsewhere = Some(self.terms.not(wrong));
        }
        Ok(Ways { list: ways.into(), valid, elsewhere })
    }

    /// What the pieces of memory hold at first: constants, or anything.
    pub fn initial_memory(&mut self) -> IdVec<PieceId, Term> {
        let pieces = self.space.pieces.iter().map(|(piece, data)| {
            let width = data.size as u32 * 8;
            match self.space.first_content(piece) {
                Some(value) => self.terms.constant(width, value),
                None => self.terms.variable(width, "memory"),
            }
        });
        pieces.collect()
    }

    /// Registers as they are when a thread starts.
    pub fn fresh_registers(&mut self, function: &Function) -> Vec<Term> {
        let widths: Vec<u32> = function.regs.values().map(|data| self.width(data.ty)).collect();
        widths.into_iter().map(|width| self.terms.constant(width, 0)).collect()
    }
}
