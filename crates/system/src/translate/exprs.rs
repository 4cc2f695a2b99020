//! Expressions as terms and formulas over the state at the start of an edge.
//!
//! Exact, but for what is noted: products and bitwise operations of two unknowns, quotients by unknowns, shifts by unknowns
//! and floats give any number of their type.

use super::Refused;
use super::meaning::Chosen;
use super::memory::Kind;
use super::ranges::either;
use super::values::{Mode, Number, Value};
use super::walk::{Need, Walk};
use base::Interval;
use claim::modular::Ints;
use formula::{Formula, Linear};
use ir::{BinOp, CastOp, Expr, Ty, UnOp, eval};

/// An address in no object: its name is that of null.
const NOWHERE: i128 = 4096;
/// Coefficients stay below this.
const LARGE: i128 = 1 << 124;
/// Masks with more runs of ones than this are not taken apart.
const MOST_RUNS: usize = 8;

/// How a number is wanted.
#[derive(Clone, Copy)]
struct Form {
    bits: u32,
    mode: Mode,
}

impl Walk<'_, '_> {
    fn ty(&self, expr: &Expr) -> Ty {
        self.function.type_of(self.program(), expr, self.old.as_ref().map(|(_, ty)| *ty))
    }
    pub fn bits(&self, ty: Ty) -> Result<u32, Refused> {
        match self.program().bits_of(ty) {
            bits @ 1..=64 => Ok(bits),
            _ => Err(self.refuse("a number of more than 64 bits")),
        }
    }

    /// The value of an expression in the mode that suits it.
    pub fn value(&mut self, expr: &Expr, mode: Mode) -> Result<Value, Refused> {
        let ty = self.ty(expr);
        if ty == Ty::BOOL {
            return Ok(Value::Truth(self.truth(expr)?));
        }
        let bits = self.bits(ty)?;
        Ok(Value::Number(Number { term: self.number(expr, mode)?, mode, bits }))
    }

    /// An `i1`.
    pub fn truth(&mut self, expr: &Expr) -> Result<Formula, Refused> {
        let inputs = self.inputs();
        let truth = self.truth_of(expr)?;
        self.name_inputs(inputs, expr);
        Ok(truth)
    }

    fn truth_of(&mut self, expr: &Expr) -> Result<Formula, Refused> {
        Ok(match expr {
            Expr::Const(_, value) => Formula::of(*value != 0),
            Expr::Reg(reg) => {
                let value = self.register(*reg)?;
                self.as_truth(value)
            }
            Expr::Old => match self.old.clone() {
                Some((value, _)) => self.as_truth(value),
                None => Formula::False,
            },
            Expr::Un(UnOp::Not, inner) => self.truth(inner)?.not(),
            Expr::Un(UnOp::FIsNan, inner) => match self.constant(inner)? {
                Some(value) => {
                    let ty = self.ty(inner);
                    Formula::of(eval::unary(UnOp::FIsNan, ty, self.program().bits_of(ty), value) != 0)
                }
                None => self.any_truth("a question about a float"),
            },
            // The others do nothing to one bit.
            Expr::Un(_, inner) => self.truth(inner)?,
            Expr::Select(parts) => {
                let (condition, then, other) = self.branches(parts, Self::truth)?;
                either(condition, then, other)
            }
            Expr::Cast(CastOp::Trunc, _, inner) => {
                let mode = self.natural(inner)?;
                let term = self.number(inner, mode)?;
                self.lowest_bit(term)
            }
            Expr::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Bits, _, inner) if self.ty(inner) == Ty::BOOL => {
                self.truth(inner)?
            }
            Expr::Cast(..) => self.any_truth("a float that becomes a truth value"),
            Expr::Bin(op, left, right) if self.ty(left) == Ty::BOOL => {
                let (a, b) = (self.truth(left)?, self.truth(right)?);
                match op {
                    BinOp::And | BinOp::Mul => Formula::and([a, b]),
                    BinOp::Or => Formula::or([a, b]),
                    BinOp::Xor | BinOp::Ne | BinOp::Add | BinOp::Sub => a.iff(b).not(),
                    BinOp::Eq => a.iff(b),
                    BinOp::ULt => Formula::and([a.not(), b]),
                    BinOp::ULe => a.implies(b),
                    // One bit, signed: true is -1.
                    BinOp::SLt => Formula::and([a, b.not()]),
                    BinOp::SLe => b.implies(a),
                    _ => self.any_truth("arithmetic on a truth value"),
                }
            }
            Expr::Bin(op, left, right) => self.comparison(*op, left, right)?,
            Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread => Formula::True,
        })
    }

    pub fn as_truth(&self, value: Value) -> Formula {
        match value {
            Value::Truth(formula) => formula,
            Value::Number(number) => self.lowest_bit(number.term),
        }
    }

    fn lowest_bit(&self, term: Linear) -> Formula {
        let is_bit = Interval::BIT.contains(self.range(&term));
        if is_bit { self.eq_zero(term.plus_constant(-1)) } else { Formula::divides(2, term).not() }
    }

    fn comparison(&mut self, op: BinOp, left: &Expr, right: &Expr) -> Result<Formula, Refused> {
        let ty = self.ty(left);
        let bits = self.bits(ty)?;
        Ok(match op {
            BinOp::Eq | BinOp::Ne => {
                let mode = self.common(left, right)?;
                let a = Number { term: self.number(left, mode)?, mode, bits };
                let b = Number { term: self.number(right, mode)?, mode, bits };
                let equal = self.cx.vars.equal(&self.state.ranges, &a, &b);
                if op == BinOp::Eq { equal } else { equal.not() }
            }
            BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe => {
                let mode = if matches!(op, BinOp::ULt | BinOp::ULe) { Mode::Unsigned } else { Mode::Signed };
                let (a, b) = (self.number(left, mode)?, self.number(right, mode)?);
                let strict = i128::from(matches!(op, BinOp::ULt | BinOp::SLt));
                self.le_zero(a.minus(&b).plus_constant(strict))
            }
            BinOp::FOeq | BinOp::FOne | BinOp::FOlt | BinOp::FOle | BinOp::FOrd => {
                match (self.constant(left)?, self.constant(right)?) {
                    (Some(a), Some(b)) => Formula::of(eval::binary(op, ty, bits, a, b) == Ok(1)),
                    _ => self.any_truth("a comparison of floats"),
                }
            }
            _ => self.any_truth("arithmetic on a truth value"),
        })
    }

    /// The mode in which two expressions are compared.
    fn common(&mut self, left: &Expr, right: &Expr) -> Result<Mode, Refused> {
        Ok(self.suits_both(left, right)?.unwrap_or(Mode::Signed))
    }

    /// The mode an expression is in by itself.
    pub fn natural(&mut self, expr: &Expr) -> Result<Mode, Refused> {
        Ok(self.suits(expr)?.unwrap_or(Mode::Signed))
    }

    fn suits(&mut self, expr: &Expr) -> Result<Option<Mode>, Refused> {
        let of_value = |value: Value| match value {
            Value::Truth(_) => None,
            Value::Number(number) => Some(number.mode),
        };
        Ok(match expr {
            Expr::Const(..) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread => None,
            Expr::Reg(reg) => of_value(self.register(*reg)?),
            Expr::Old => self.old.clone().and_then(|(value, _)| of_value(value)),
            Expr::Un(_, inner) => self.suits(inner)?,
            Expr::Bin(BinOp::UDiv | BinOp::URem | BinOp::LShr, ..) => Some(Mode::Unsigned),
            Expr::Bin(BinOp::SDiv | BinOp::SRem | BinOp::AShr | BinOp::PtrAdd, ..) => Some(Mode::Signed),
            Expr::Bin(_, left, right) => self.suits_both(left, right)?,
            Expr::Cast(CastOp::Trunc, _, inner) => self.suits(inner)?,
            Expr::Cast(..) => Some(Mode::Signed),
            Expr::Select(parts) => self.suits_both(&parts[1], &parts[2])?,
        })
    }

    fn suits_both(&mut self, left: &Expr, right: &Expr) -> Result<Option<Mode>, Refused> {
        Ok(match (self.suits(left)?, self.suits(right)?) {
            (Some(Mode::Ring), _) | (_, Some(Mode::Ring)) => Some(Mode::Ring),
            (left, right) => left.or(right),
        })
    }

    /// The bits of an expression that is constant here.
    fn constant(&mut self, expr: &Expr) -> Result<Option<u128>, Refused> {
        let bits = self.program().bits_of(self.ty(expr));
        Ok(self.number(expr, Mode::Signed)?.as_constant().map(|value| ir::mask(value as u128, bits)))
    }

    /// The number that an expression stands for, in the mode; 0 or 1 for an `i1`.
    pub fn number(&mut self, expr: &Expr, mode: Mode) -> Result<Linear, Refused> {
        let inputs = self.inputs();
        let number = self.number_of(expr, mode)?;
        self.name_inputs(inputs, expr);
        Ok(number)
    }

    fn number_of(&mut self, expr: &Expr, mode: Mode) -> Result<Linear, Refused> {
        let ty = self.ty(expr);
        if ty == Ty::BOOL {
            return Ok(Linear::truth(self.truth(expr)?));
        }
        let bits = self.bits(ty)?;
        Ok(match expr {
            Expr::Const(_, value) => Linear::constant(mode.read(*value, bits)),
            Expr::Reg(reg) => {
                let value = self.register(*reg)?;
                self.in_mode(value, mode)
            }
            Expr::Old => match self.old.clone() {
                Some((value, _)) => self.in_mode(value, mode),
                None => Linear::constant(0),
            },
            Expr::Object(id, offset) => {
                let object = self.cx.memory.object_of(self.thread, *id);
                Linear::constant(self.cx.memory.pointer(object, *offset))
            }
            Expr::Func(func) => {
                Linear::constant(self.cx.memory.pointer(self.cx.memory.object(Kind::Function(*func)), 0))
            }
            Expr::CurrentThread => Linear::constant(i128::from(self.thread.0) + 1),
            Expr::Un(op, inner) => self.unary(*op, ty, inner, Form { bits, mode })?,
            Expr::Bin(op, left, right) => self.binary(*op, ty, left, right, Form { bits, mode })?,
            Expr::Cast(op, _, inner) => self.cast(*op, ty, inner, Form { bits, mode })?,
            Expr::Select(parts) => {
                let (condition, then, other) = self.branches(parts, |walk, part| walk.number(part, mode))?;
                Linear::choice(condition, then, other)
            }
        })
    }

    /// The condition of a choice and its two sides: what one needs must hold only if it is chosen.
    fn branches<T>(
        &mut self,
        [condition, then, other]: &[Expr; 3],
        side: impl Fn(&mut Self, &Expr) -> Result<T, Refused>,
    ) -> Result<(Formula, T, T), Refused> {
        let condition = self.truth(condition)?;
        let before = std::mem::take(&mut self.needs);
        let then = side(self, then)?;
        let then_needs = std::mem::take(&mut self.needs);
        let other = side(self, other)?;
        let other_needs = std::mem::replace(&mut self.needs, before);
        self.needs.extend(then_needs.into_iter().map(|need| need.only_if(&condition)));
        self.needs.extend(other_needs.into_iter().map(|need| need.only_if(&condition.not())));
        Ok((condition, then, other))
    }

    pub fn in_mode(&self, value: Value, mode: Mode) -> Linear {
        match value {
            Value::Truth(formula) => Linear::truth(formula),
            Value::Number(number) => self.cx.vars.convert(&self.state.ranges, &number, mode),
        }
    }

    /// A term that is right in one mode, turned into another.
    fn deliver(&self, term: Linear, from: Mode, to: Form) -> Linear {
        self.cx.vars.convert(&self.state.ranges, &Number { term, mode: from, bits: to.bits }, to.mode)
    }

    /// A number that was computed.
    fn computed(&self, value: u128, to: Form) -> Linear {
        self.deliver(Linear::constant(ir::signed(value, to.bits)), Mode::Signed, to)
    }

    /// Where the term is 0, by what is known on the path.
    pub fn eq_zero(&self, term: Linear) -> Formula {
        self.state.ranges.eq_zero(&self.cx.vars, term)
    }
    /// Where it is at most 0.
    fn le_zero(&self, term: Linear) -> Formula {
        self.state.ranges.le_zero(&self.cx.vars, term)
    }

    fn wrap(&mut self, term: Option<Linear>, to: Form) -> Linear {
        let Form { bits, mode } = to;
        match term {
            Some(term) => {
                let term = if mode == Mode::Ring && !self.cx.vars.math() { reduced(term, bits) } else { term };
                let wrapped = self.cx.vars.wrap(&self.state.ranges, term.clone(), bits, mode);
                if self.cx.vars.ints == Ints::Unwrapped && mode == Mode::Signed && wrapped != term {
                    self.needs.push(Need::not_to_wrap(Formula::within(mode.range(bits), &term)));
                    return term;
                }
                wrapped
            }
            None => self.any(to, None, "a sum with very large factors"),
        }
    }

    fn range(&self, term: &Linear) -> Interval {
        self.state.ranges.of(&self.cx.vars, term)
    }

    fn unary(&mut self, op: UnOp, ty: Ty, inner: &Expr, to: Form) -> Result<Linear, Refused> {
        use UnOp::*;
        match op {
            Neg => {
                let term = self.number(inner, to.mode)?;
                return Ok(self.wrap(scaled(&term, -1), to));
            }
            Not => return Ok(to.ones().minus(&self.number(inner, to.mode)?)),
            PopCount | LeadingZeros | TrailingZeros | ByteSwap | BitReverse | FNeg | FAbs | FSqrt | FFloor | FCeil
            | FTrunc | FRound | FRint | FIsNan => (),
        }
        if let Some(value) = self.constant(inner)? {
            return Ok(self.computed(eval::unary(op, ty, to.bits, value), to));
        }
        let counts = matches!(op, PopCount | LeadingZeros | TrailingZeros);
        let range = counts.then(|| Interval::between(0, i128::from(to.bits)));
        Ok(self.any(to, range, "an operation on bits or floats"))
    }

    fn binary(&mut self, op: BinOp, ty: Ty, left: &Expr, right: &Expr, to: Form) -> Result<Linear, Refused> {
        use BinOp::*;
        let Form { bits, mode } = to;
        Ok(match op {
            Add | Sub => {
                let (a, b) = (self.operand(left, mode)?, self.operand(right, mode)?);
                self.wrap(added(&a, &b, if op == Add { 1 } else { -1 }), to)
            }
            Mul => self.product(left, right, to)?,
            UDiv | URem => self.unsigned_division(op, left, right, to)?,
            SDiv | SRem => self.signed_division(op, left, right, to)?,
            Shl | LShr | AShr => {
                let inner = match op {
                    LShr => Mode::Unsigned,
                    AShr => Mode::Signed,
                    _ => mode,
                };
                let term = self.number(left, inner)?;
                let by = self.number(right, Mode::Unsigned)?;
                let Some(by) = by.as_constant() else {
                    let (of, by) = (self.range(&term), self.range(&by));
                    let some = by.high < i128::from(bits);
                    let range = match op {
                        Shl => (some && mode != Mode::Ring).then(|| of.shifted_left(by)),
                        _ if some => Some(of.shifted_right(by)),
                        // It comes nearer to zero.
                        _ => Some(of.hull(Interval::exactly(0))),
                    };
                    let term = self.any(Form { mode: inner, ..to }, range, "a shift by an unknown number of bits");
                    return Ok(self.deliver(term, inner, to));
                };
                let factor = 1i128 << by.rem_euclid(i128::from(bits));
                match op {
                    Shl => self.wrap(scaled(&term, factor), to),
                    _ => self.deliver(term.floor_div(factor), inner, to),
                }
            }
            And | Or | Xor => self.bitwise(op, left, right, to)?,
            PtrAdd => {
                let (pointer, by) = (self.number(left, Mode::Signed)?, self.number(right, Mode::Signed)?);
                self.deliver(self.advance(&pointer, &by), Mode::Signed, to)
            }
            FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopySign => {
                let both = self.constant(left)?.zip(self.constant(right)?);
                match both.and_then(|(a, b)| eval::binary(op, ty, bits, a, b).ok()) {
                    Some(value) => self.computed(value, to),
                    None => self.any(to, None, "arithmetic on floats"),
                }
            }
            // Comparisons are truth values, which are not handled here.
            Eq | Ne | ULt | ULe | SLt | SLe | FOeq | FOne | FOlt | FOle | FOrd => {
                Linear::truth(self.comparison(op, left, right)?)
            }
        })
    }

    /// As the number, but constants are small: adding the largest unsigned number is subtracting 1.
    fn operand(&mut self, expr: &Expr, mode: Mode) -> Result<Linear, Refused> {
        let mode = if matches!(expr, Expr::Const(..)) { Mode::Signed } else { mode };
        self.number(expr, mode)
    }

    fn product(&mut self, left: &Expr, right: &Expr, to: Form) -> Result<Linear, Refused> {
        let (a, b) = (self.operand(left, to.mode)?, self.operand(right, to.mode)?);
        for (factor, other) in [(&b, &a), (&a, &b)] {
            if let Some(factor) = factor.as_constant() {
                return Ok(self.wrap(scaled(other, factor), to));
            }
        }
        for (flag, other) in [(&a, &b), (&b, &a)] {
            if Interval::BIT.contains(self.range(flag)) {
                return Ok(Linear::choice(self.eq_zero(flag.clone()), Linear::constant(0), other.clone()));
            }
        }
        let range = self.range(&a).product(self.range(&b));
        Ok(self.any(to, Some(range), "a product of two unknown numbers"))
    }

    fn unsigned_division(&mut self, op: BinOp, left: &Expr, right: &Expr, to: Form) -> Result<Linear, Refused> {
        let (a, b) = (self.number(left, Mode::Unsigned)?, self.number(right, Mode::Unsigned)?);
        self.needs.push(Need::to_go_on(self.eq_zero(b.clone()).not()));
        let term = match b.as_constant() {
            Some(0) => Linear::constant(0),
            // Where numbers do not wrap one may be negative all the same.
            Some(by) if by > 0 && op == BinOp::UDiv => a.floor_div(by),
            Some(by) if by > 0 => a.floor_mod(by),
            _ => {
                let (of, by) = (self.range(&a), self.range(&b));
                let most = if op == BinOp::UDiv { of.high } else { by.high - 1 };
                let exact = if op == BinOp::UDiv { of.quotient(by) } else { of.remainder(by) };
                let all = Interval::between(0, most.max(0));
                let range = all.intersect(exact).unwrap_or(all);
                self.any(Form { mode: Mode::Unsigned, ..to }, Some(range), "a division by an unknown number")
            }
        };
        Ok(self.deliver(term, Mode::Unsigned, to))
    }

    fn signed_division(&mut self, op: BinOp, left: &Expr, right: &Expr, to: Form) -> Result<Linear, Refused> {
        let (a, b) = (self.number(left, Mode::Signed)?, self.number(right, Mode::Signed)?);
        self.needs.push(Need::to_go_on(self.eq_zero(b.clone()).not()));
        if !self.cx.vars.math() {
            let least = self.eq_zero(a.plus_constant(-Interval::signed(to.bits).low));
            let minus_one = self.eq_zero(b.plus_constant(1));
            self.needs.push(Need::to_go_on(Formula::and([least, minus_one]).not()));
        }
        let negative = self.le_zero(a.plus_constant(1));
        let term = match b.as_constant() {
            Some(0) => Linear::constant(0),
            // Towards zero: as the quotient of what is not negative.
            Some(by) => {
                let size = by.abs();
                let (up, down) = match op {
                    BinOp::SDiv => (a.clone().floor_div(size), a.scale(-1).floor_div(size).scale(-1)),
                    _ => (a.clone().floor_mod(size), a.scale(-1).floor_mod(size).scale(-1)),
                };
                let sign = if op == BinOp::SDiv { by.signum() } else { 1 };
                Linear::choice(negative, down.scale(sign), up.scale(sign))
            }
            None => {
                let (of, by) = (self.range(&a), self.range(&b));
                let exact = if op == BinOp::SDiv { of.quotient(by) } else { of.remainder(by) };
                let all = of.hull(of.times(-1));
                let range = all.intersect(exact).unwrap_or(all);
                self.any(Form { mode: Mode::Signed, ..to }, Some(range), "a division by an unknown number")
            }
        };
        Ok(self.deliver(term, Mode::Signed, to))
    }

    fn bitwise(&mut self, op: BinOp, left: &Expr, right: &Expr, to: Form) -> Result<Linear, Refused> {
        let bits = to.bits;
        let (left, right) = if matches!(left, Expr::Const(..)) { (right, left) } else { (left, right) };
        if let Some(mask) = self.constant(right)? {
            let high = mask >> (bits - 1) == 1;
            // Bits below the highest are the same in all modes; in the highest the two numbers must agree.
            let kept = match self.natural(left)? {
                Mode::Ring if op != BinOp::And || high => Mode::Signed,
                natural => natural,
            };
            let a = self.number(left, kept)?;
            let Some(both) = masked(&a, mask, bits) else {
                return Ok(self.any(to, None, "a bitwise operation with many runs of bits"));
            };
            let mask = kept.read(mask, bits);
            return Ok(match op {
                BinOp::And if !high => both,
                BinOp::And => self.deliver(both, kept, to),
                BinOp::Or => self.deliver(a.plus_constant(mask).minus(&both), kept, to),
                _ => self.deliver(a.plus_constant(mask).plus_multiple(&both, -2), kept, to),
            });
        }
        let (a, b) = (self.number(left, Mode::Unsigned)?, self.number(right, Mode::Unsigned)?);
        let (first, second) = (self.range(&a), self.range(&b));
        if Interval::BIT.contains(first.hull(second)) {
            let (a, b) = (self.eq_zero(a).not(), self.eq_zero(b).not());
            return Ok(Linear::truth(match op {
                BinOp::And => Formula::and([a, b]),
                BinOp::Or => Formula::or([a, b]),
                _ => a.iff(b).not(),
            }));
        }
        let range = match op {
            BinOp::And => Interval::between(0, first.high.min(second.high).max(0)),
            BinOp::Or => Interval { low: first.low.max(second.low), ..first.bits(second) },
            _ => first.bits(second),
        };
        let unsigned = Form { mode: Mode::Unsigned, ..to };
        let term = self.any(unsigned, Some(range), "a bitwise operation on two unknown numbers");
        Ok(self.deliver(term, Mode::Unsigned, to))
    }

    /// A pointer plus a number of bytes: the name of the object stays what it is.  One that would leave what its name has room
    /// for is no pointer any more.
    fn advance(&self, pointer: &Linear, by: &Linear) -> Linear {
        if let [(formula::Atom::Choice(choice), 1)] = pointer.terms() {
            let then = self.advance(&choice.then.plus_constant(pointer.offset()), by);
            let other = self.advance(&choice.other.plus_constant(pointer.offset()), by);
            return Linear::choice(choice.condition.clone(), then, other);
        }
        let there = pointer.plus(by);
        let room = self.cx.memory.room;
        let nowhere = Linear::constant(NOWHERE);
        if let Some((first, last)) = self.cx.memory.room_of(self.range(pointer)) {
            let stays = Formula::and([
                self.le_zero(Linear::constant(first).minus(&there)),
                self.le_zero(there.plus_constant(-last)),
            ]);
            return Linear::choice(stays, there, nowhere);
        }
        let name = |of: &Linear| of.plus_constant(room / 4).floor_div(room);
        let stays = Formula::eq(&name(pointer), &name(&there));
        // The last of all names have room beyond the type.
        let bits = u32::from(self.program().data_model.pointer_bits());
        Linear::choice(stays, self.cx.vars.wrap(&self.state.ranges, there, bits, Mode::Signed), nowhere)
    }

    fn cast(&mut self, op: CastOp, ty: Ty, inner: &Expr, to: Form) -> Result<Linear, Refused> {
        use CastOp::*;
        let Form { bits, mode } = to;
        let from = self.ty(inner);
        let from_bits = self.bits(from)?;
        Ok(match op {
            SExt if from == Ty::BOOL => Linear::choice(self.truth(inner)?, to.ones(), Linear::constant(0)),
            SExt => {
                let term = self.number(inner, Mode::Signed)?;
                self.deliver(term, Mode::Signed, to)
            }
            Trunc => {
                let natural = match mode {
                    Mode::Ring => self.natural(inner)?,
                    _ if self.natural(inner)? == Mode::Ring => Mode::Ring,
                    exact => exact,
                };
                let term = self.number(inner, natural)?;
                self.cx.vars.wrap(&self.state.ranges, term, bits, mode)
            }
            Bits | PtrToInt | IntToPtr | ZExt if bits <= from_bits => {
                let term = self.number(inner, mode)?;
                self.cx.vars.wrap(&self.state.ranges, term, bits, mode)
            }
            Bits | PtrToInt | IntToPtr | ZExt => {
                let term = self.number(inner, Mode::Unsigned)?;
                self.deliver(term, Mode::Unsigned, to)
            }
            Float | FloatToSigned | FloatToUnsigned | SignedToFloat | UnsignedToFloat => match self.constant(inner)? {
                Some(value) => self.computed(eval::cast(op, from, from_bits, ty, bits, value), to),
                None => self.any(to, None, "a conversion of floats"),
            },
        })
    }

    /// Any number, of the range as far as that is the type's: the program computes it in a way that is not followed.
    fn any(&mut self, Form { bits, mode }: Form, range: Option<Interval>, why: &str) -> Linear {
        self.cx.vars.note(self.pos, why);
        let all = mode.range(bits);
        // Beyond the type it would wrap.
        let range = range.filter(|range| all.contains(*range)).unwrap_or(all);
        Linear::var(self.input(bits, mode, range, Chosen::Value(None)))
    }

    fn any_truth(&mut self, why: &str) -> Formula {
        self.cx.vars.note(self.pos, why);
        Formula::eq(&self.input(1, Mode::Unsigned, Interval::BIT, Chosen::Value(None)).into(), &Linear::constant(1))
    }
}

impl Form {
    /// The number whose bits are all set.
    fn ones(self) -> Linear {
        Linear::constant(if self.mode == Mode::Unsigned { (1 << self.bits) - 1 } else { -1 })
    }
}

/// `factor * term`, unless that is too large.
fn scaled(term: &Linear, factor: i128) -> Option<Linear> {
    let fine = |value: i128| value.checked_mul(factor).is_some_and(|value| value.abs() < LARGE);
    (fine(term.offset()) && term.terms().iter().all(|(_, c)| fine(*c))).then(|| term.scale(factor))
}

/// `a + factor * b` for a factor of 1 or -1, unless that is too large.
fn added(a: &Linear, b: &Linear, factor: i128) -> Option<Linear> {
    let fine = |term: &Linear| term.offset().abs() < LARGE && term.terms().iter().all(|(_, c)| c.abs() < LARGE);
    Some(a.plus_multiple(b, factor)).filter(fine)
}

/// A ring number with factors that are not larger than need be.
fn reduced(term: Linear, bits: u32) -> Linear {
    let modulus = 1i128 << bits;
    let large = |value: i128| value.abs() > modulus;
    if !large(term.offset()) && !term.terms().iter().any(|(_, c)| large(*c)) {
        return term;
    }
    let small = |value: i128| ir::signed(ir::mask(value as u128, bits), bits);
    let constant = Linear::constant(small(term.offset()));
    term.terms().iter().fold(constant, |sum, (atom, c)| sum.plus_multiple(&Linear::atom(atom.clone()), small(*c)))
}

/// The number with only the bits of the mask, as signed or unsigned as it was.
fn masked(term: &Linear, mask: u128, bits: u32) -> Option<Linear> {
    let (mut res, mut runs, mut rest) = (Linear::constant(0), 0, ir::mask(mask, bits));
    while rest != 0 {
        // The lowest ones that stand together.
        let first = rest.trailing_zeros();
        let count = (rest >> first).trailing_ones();
        rest &= rest + (1 << first);
        runs += 1;
        let above = term.clone().floor_div(1 << first);
        // Nothing is above the highest bit.
        let run = if first + count == bits { above } else { above.floor_mod(1 << count) };
        res = res.plus_multiple(&run, 1 << first);
    }
    (runs <= MOST_RUNS).then_some(res)
}
