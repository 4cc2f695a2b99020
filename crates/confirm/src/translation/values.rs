//! Expressions as terms, straight from `docs/semantics.md`.
//!
//! A number of the machine is some integer that is congruent to it modulo two to the power of its width, whichever is the
//! simplest term; where its size matters it is brought into the range of the type, by a remainder unless it lies there
//! anyway.  What linear arithmetic cannot say is an input of its own, with what is known of it.

use super::Setting;
use super::paths::Path;
use crate::ensure;
use base::{Budget, Interval};
use formula::interval::{evaluate, refine};
use formula::{Atom, Formula, Linear, Var};
use ir::{BinOp, CastOp, Expr, Ty, UnOp, eval};
use smt::{Bound, Solver};

/// Where pointers lead that leave what the name of their object has room for.
const NOWHERE: i128 = 4096;

#[derive(Clone, PartialEq, Debug)]
pub struct Number {
    pub term: Linear,
    pub bits: u32,
}

impl Number {
    pub fn new(term: Linear, bits: u32) -> Self {
        Number { term, bits }
    }
    pub fn constant(value: u128, bits: u32) -> Self {
        Number { term: Linear::constant(ir::signed(value, bits)), bits }
    }
    pub fn truth(condition: Formula) -> Self {
        Number { term: Linear::truth(condition), bits: 1 }
    }
}

impl Path {
    pub fn range(&self, term: &Linear) -> Interval {
        evaluate(term, &self.ranges)
    }
    fn within(&self, number: &Number, home: Interval) -> Linear {
        if home.contains(self.range(&number.term)) {
            return number.term.clone();
        }
        let low = home.low;
        number.term.plus_constant(-low).floor_mod(1 << number.bits).plus_constant(low)
    }
    pub fn signed(&self, number: &Number) -> Linear {
        if number.bits == 1 {
            return Linear::choice(self.is_odd(number), Linear::constant(-1), Linear::constant(0));
        }
        self.within(number, Interval::signed(number.bits))
    }
    pub fn unsigned(&self, number: &Number) -> Linear {
        let home = Interval::unsigned(number.bits);
        match self.without_sign(number) {
            Some(same) if !home.contains(self.range(&number.term)) => same.into(),
            _ => self.within(number, home),
        }
    }
    fn without_sign(&self, number: &Number) -> Option<Var> {
        self.without_sign.get(&(number.term.as_var()?, number.bits)).copied()
    }
    /// A term that is the number wherever that is the address of something: the ends of the type are further from those than
    /// `far`.
    pub fn near(&self, address: &Number, far: i128) -> Linear {
        let home = Interval::signed(address.bits);
        let is_near = Interval::between(home.low - far, home.high + far).contains(self.range(&address.term));
        if is_near { address.term.clone() } else { self.signed(address) }
    }
    /// Whether the lowest bit is set.
    pub fn is_odd(&self, number: &Number) -> Formula {
        if let (0, [(Atom::Choice(choice), 1)]) = (number.term.offset(), number.term.terms())
            && (choice.then.as_constant(), choice.other.as_constant()) == (Some(1), Some(0))
        {
            return choice.condition.clone();
        }
        match Interval::BIT.contains(self.range(&number.term)) {
            true => Formula::is(&number.term, 1),
            false => Formula::divides(2, number.term.clone()).not(),
        }
    }
    /// Where two numbers of the same width are the same.
    pub fn same(&self, a: &Number, b: &Number) -> Formula {
        let apart = a.term.minus(&b.term);
        let modulus = 1 << a.bits;
        let is_near = Interval::between(1 - modulus, modulus - 1).contains(self.range(&apart));
        let same = if is_near { Formula::is_zero(apart) } else { Formula::divides(modulus, apart) };
        // Either way to read them may tell them apart.
        match [a, b].iter().any(|number| self.without_sign(number).is_some()) {
            true => Formula::and([same, Formula::eq(&self.unsigned(a), &self.unsigned(b))]),
            false => same,
        }
    }

    pub fn truth(&mut self, cx: &Setting<'_>, expr: &Expr) -> Result<Formula, String> {
        let number = self.number(cx, expr)?;
        Ok(self.is_odd(&number))
    }

    pub fn number(&mut self, cx: &Setting<'_>, expr: &Expr) -> Result<Number, String> {
        let ty = self.type_of(cx, expr);
        let bits = cx.program().bits_of(ty);
        ensure(bits <= 64, "a number of more than 64 bits")?;
        Ok(match expr {
            Expr::Const(_, value) => Number::constant(*value, bits),
            Expr::Reg(reg) => self.register(cx, *reg),
            Expr::Old => self.old.as_ref().map(|(old, _)| old.clone()).ok_or("an old value outside an update")?,
            Expr::Object(id, offset) => {
                let object = cx.memory().object_of(cx.thread, *id);
                Number::new(Linear::constant(cx.memory().pointer(object, *offset)), bits)
            }
            Expr::Func(func) => {
                let object = cx.memory().object(system::meaning::Kind::Function(*func));
                Number::new(Linear::constant(cx.memory().pointer(object, 0)), bits)
            }
            Expr::CurrentThread => Number::new(Linear::constant(super::handle(cx.thread)), bits),
            Expr::Un(op, inner) => self.unary(cx, *op, expr, inner)?,
            Expr::Bin(op, left, right) => self.binary(cx, *op, expr, left, right)?,
            Expr::Cast(op, _, inner) => self.cast(cx, *op, expr, inner)?,
            Expr::Select(parts) => {
                let condition = self.truth(cx, &parts[0])?;
                let needed = std::mem::take(&mut self.needs);
                let then = self.number(cx, &parts[1])?;
                let for_then = std::mem::take(&mut self.needs);
                let other = self.number(cx, &parts[2])?;
                let for_other = std::mem::replace(&mut self.needs, needed);
                // A side that is not chosen is not computed.
                self.needs.extend(for_then.into_iter().map(|need| condition.clone().implies(need)));
                self.needs.extend(for_other.into_iter().map(|need| condition.not().implies(need)));
                Number::new(Linear::choice(condition, then.term, other.term), bits)
            }
        })
    }

    fn type_of(&self, cx: &Setting<'_>, expr: &Expr) -> Ty {
        cx.function().type_of(cx.program(), expr, self.old.as_ref().map(|(_, ty)| *ty))
    }

    /// The bits of a number that is constant here.
    fn constant(&self, number: &Number) -> Option<u128> {
        self.range(&self.unsigned(number)).constant().map(|value| value as u128)
    }

    fn unary(&mut self, cx: &Setting<'_>, op: UnOp, expr: &Expr, inner: &Expr) -> Result<Number, String> {
        use UnOp::*;
        let ty = self.type_of(cx, inner);
        let number = self.number(cx, inner)?;
        let bits = number.bits;
        Ok(match op {
            Not if bits == 1 => Number::truth(self.is_odd(&number).not()),
            Not => Number::new(Linear::constant(-1).minus(&number.term), bits),
            Neg => Number::new(number.term.scale(-1), bits),
            PopCount | LeadingZeros | TrailingZeros | ByteSwap | BitReverse | FNeg | FAbs | FSqrt | FFloor | FCeil
            | FTrunc | FRound | FRint | FIsNan => {
                let result = cx.program().bits_of(self.type_of(cx, expr));
                match self.constant(&number) {
                    Some(value) => Number::constant(eval::unary(op, ty, bits, value), result),
                    None => {
                        let counts = matches!(op, PopCount | LeadingZeros | TrailingZeros);
                        let range = counts.then(|| Interval::between(0, bits.into()));
                        self.unknown(expr, result, range.unwrap_or(Interval::unsigned(result)))
                    }
                }
            }
        })
    }

    fn binary(
        &mut self,
        cx: &Setting<'_>,
        op: BinOp,
        expr: &Expr,
        left: &Expr,
        right: &Expr,
    ) -> Result<Number, String> {
        use BinOp::*;
        let ty = self.type_of(cx, left);
        let (a, b) = (self.number(cx, left)?, self.number(cx, right)?);
        let bits = a.bits;
        if matches!(op, Mul | UDiv | URem | SDiv | SRem | Shl | LShr | AShr | And | Or | Xor) {
            self.narrow_both(&a, &b);
        }
        Ok(match op {
            And | Or | Xor | Add | Sub | Mul if bits == 1 => {
                let (a, b) = (self.is_odd(&a), self.is_odd(&b));
                Number::truth(match op {
                    And | Mul => Formula::and([a, b]),
                    Or => Formula::or([a, b]),
                    _ => a.iff(b).not(),
                })
            }
            Add => Number::new(self.small(a.term.plus(&b.term), bits), bits),
            Sub => Number::new(self.small(a.term.minus(&b.term), bits), bits),
            Mul => match (self.range(&a.term).constant(), self.range(&b.term).constant()) {
                (Some(factor), _) => Number::new(self.small(b.term.scale(factor), bits), bits),
                (_, Some(factor)) => Number::new(self.small(a.term.scale(factor), bits), bits),
                (None, None) => self.product(expr, &a, &b),
            },
            UDiv | URem | SDiv | SRem => self.division(op, expr, &a, &b),
            Shl | LShr | AShr => match self.constant(&b) {
                Some(by) => {
                    let factor = 1i128 << (by % u128::from(bits));
                    let term = match op {
                        Shl => self.small(a.term.scale(factor), bits),
                        LShr => self.unsigned(&a).floor_div(factor),
                        _ => self.signed(&a).floor_div(factor),
                    };
                    Number::new(term, bits)
                }
                None => self.unknown_of(op, expr, &a, &b),
            },
            And | Or | Xor => self.bitwise(op, expr, &a, &b),
            PtrAdd => {
                let (pointer, by) = (self.signed(&a), self.signed(&b));
                Number::new(self.advance(cx, &pointer, &by), bits)
            }
            Eq => Number::truth(self.same(&a, &b)),
            Ne => Number::truth(self.same(&a, &b).not()),
            ULt => Number::truth(Formula::lt(&self.unsigned(&a), &self.unsigned(&b))),
            ULe => Number::truth(Formula::le(&self.unsigned(&a), &self.unsigned(&b))),
            SLt => Number::truth(Formula::lt(&self.signed(&a), &self.signed(&b))),
            SLe => Number::truth(Formula::le(&self.signed(&a), &self.signed(&b))),
            FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopySign | FOeq | FOne | FOlt | FOle | FOrd => {
                let result = cx.program().bits_of(self.type_of(cx, expr));
                let both = self.constant(&a).zip(self.constant(&b));
                match both.and_then(|(a, b)| eval::binary(op, ty, bits, a, b).ok()) {
                    Some(value) => Number::constant(value, result),
                    None => self.unknown(expr, result, Interval::unsigned(result)),
                }
            }
        })
    }

    /// Of numbers whose product and the like cannot be said, ranges say what can be: all that holds narrows them once more.
    fn narrow_both(&mut self, a: &Number, b: &Number) {
        let is_open = |number: &Number| self.range(&number.term).constant().is_none();
        if is_open(a) && is_open(b) {
            let Path { guard, ranges, .. } = self;
            guard.iter().for_each(|part| _ = refine(ranges, part));
        }
    }

    /// The same modulo two to the power of the width, with factors that are not larger than need be.
    fn small(&self, term: Linear, bits: u32) -> Linear {
        let modulus = 1i128 << bits;
        if term.offset().abs() <= modulus && term.terms().iter().all(|(_, factor)| factor.abs() <= modulus) {
            return term;
        }
        let constant = Linear::constant(ir::signed(ir::mask(term.offset() as u128, bits), bits));
        term.terms().iter().fold(constant, |sum, (atom, factor)| {
            let factor = ir::signed(ir::mask(*factor as u128, bits), bits);
            sum.plus_multiple(&Linear::atom(atom.clone()), factor)
        })
    }

    fn product(&mut self, expr: &Expr, a: &Number, b: &Number) -> Number {
        let product = self.unknown_of(BinOp::Mul, expr, a, b);
        let (a, b) = (self.signed(a), self.signed(b));
        let (zero, one) = (Linear::constant(0), Linear::constant(1));
        for (factor, other) in [(&a, &b), (&b, &a)] {
            let nothing = Formula::eq(factor, &zero).implies(Formula::eq(&product.term, &zero));
            let itself = Formula::eq(factor, &one).implies(Formula::eq(&product.term, other));
            self.guard.extend([nothing, itself]);
        }
        product
    }

    fn division(&mut self, op: BinOp, expr: &Expr, a: &Number, b: &Number) -> Number {
        let bits = a.bits;
        let zero = Number::constant(0, bits);
        self.needs.push(self.same(b, &zero).not());
        let (is_quotient, has_sign) =
            (matches!(op, BinOp::UDiv | BinOp::SDiv), matches!(op, BinOp::SDiv | BinOp::SRem));
        let read = |number| if has_sign { self.signed(number) } else { self.unsigned(number) };
        let (of, by) = (a, b);
        let (a, b) = (read(a), read(b));
        if has_sign {
            let overflows = [Formula::is(&a, Interval::signed(bits).low), Formula::is(&b, -1)];
            self.needs.push(Formula::and(overflows).not());
        }
        match self.range(&b).constant() {
            Some(0) => zero,
            Some(by) => {
                // Towards zero: the size of the one by the size of the other, then the sign.
                let negative = if has_sign { Formula::lt(&a, &Linear::constant(0)) } else { Formula::False };
                let size = Linear::choice(negative.clone(), a.scale(-1), a);
                let (result, sign) = match is_quotient {
                    true => (size.floor_div(by.abs()), by.signum()),
                    false => (size.floor_mod(by.abs()), 1),
                };
                Number::new(Linear::choice(negative, result.scale(-sign), result.scale(sign)), bits)
            }
            None => self.unknown_of(op, expr, of, by),
        }
    }

    /// Where what cannot be said lies, by the ranges of what it is computed from.
    fn bounds(&self, op: BinOp, a: &Number, b: &Number) -> Interval {
        use BinOp::*;
        let signed = || (self.range(&self.signed(a)), self.range(&self.signed(b)));
        let unsigned = || (self.range(&self.unsigned(a)), self.range(&self.unsigned(b)));
        let divided = |of: Interval, by: Interval, all: Interval| {
            narrowed(all, if matches!(op, UDiv | SDiv) { of.quotient(by) } else { of.remainder(by) })
        };
        match (op, signed(), unsigned()) {
            (Mul, (a, b), _) => a.product(b),
            (SDiv | SRem, (of, by), _) => divided(of, by, of.hull(of.times(-1))),
            (UDiv, _, (of, by)) => divided(of, by, Interval::between(0, of.high.max(0))),
            (URem, _, (of, by)) => divided(of, by, Interval::between(0, (by.high - 1).max(0))),
            (And, _, (a, b)) => Interval::between(0, a.high.min(b.high).max(0)),
            (Or, _, (a, b)) => Interval { low: a.low.max(b.low), ..a.bits(b) },
            (Xor, _, (a, b)) => a.bits(b),
            _ => self.shifted(op, a, b),
        }
    }

    /// What numbers may become that are shifted by so many bits.
    fn shifted(&self, op: BinOp, a: &Number, b: &Number) -> Interval {
        let (unsigned, signed) = (self.range(&self.unsigned(a)), self.range(&self.signed(a)));
        let (any, by) = (Interval::unsigned(a.bits), self.range(&self.unsigned(b)));
        // To the right the number comes nearer to zero.
        let right = match op {
            BinOp::LShr => Interval::between(0, unsigned.high),
            BinOp::AShr => signed.hull(Interval::exactly(0)),
            _ => any,
        };
        if by.high >= i128::from(a.bits) {
            return right;
        }
        match op {
            BinOp::LShr => narrowed(right, unsigned.shifted_right(by)),
            BinOp::AShr => narrowed(right, signed.shifted_right(by)),
            _ => {
                let left = signed.shifted_left(by);
                let fits = Interval::signed(a.bits).contains(left);
                if fits { left } else { unsigned.shifted_left(by).wrapped(any) }
            }
        }
    }

    fn bitwise(&mut self, op: BinOp, expr: &Expr, a: &Number, b: &Number) -> Number {
        let bits = a.bits;
        let sides = [(self.constant(b), a), (self.constant(a), b)];
        if let Some((mask, other)) = sides.into_iter().find_map(|(mask, other)| Some((mask?, other))) {
            let both = masked(&other.term, mask, bits);
            let sum = other.term.plus_constant(ir::signed(mask, bits));
            let term = match op {
                BinOp::And => both,
                BinOp::Or => sum.minus(&both),
                _ => sum.plus_multiple(&both, -2),
            };
            return Number::new(term, bits);
        }
        let result = self.unknown_of(op, expr, a, b);
        let (a, b) = (self.unsigned(a), self.unsigned(b));
        // Of single bits all is known.
        for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let value = match op {
                BinOp::And => x & y,
                BinOp::Or => x | y,
                _ => x ^ y,
            };
            let both = Formula::and([Formula::is(&a, x), Formula::is(&b, y)]);
            self.guard.push(both.implies(Formula::is(&result.term, value)));
        }
        result
    }

    /// A pointer plus a number of bytes.
    fn advance(&self, cx: &Setting<'_>, pointer: &Linear, by: &Linear) -> Linear {
        let room = cx.memory().room;
        let there = pointer.plus(by);
        let name = |of: &Linear| of.plus_constant(room / 4).floor_div(room);
        let (from, to) = (name(pointer), name(&there));
        let stays = match self.range(&from).constant() {
            Some(name) => {
                let first = name * room - room / 4;
                Formula::between(first, &there, first + room - 1)
            }
            None => Formula::eq(&from, &to),
        };
        let surely = self.range(&to).constant().is_some_and(|to| Some(to) == self.range(&from).constant());
        if surely { there } else { Linear::choice(stays, there, Linear::constant(NOWHERE)) }
    }

    fn cast(&mut self, cx: &Setting<'_>, op: CastOp, expr: &Expr, inner: &Expr) -> Result<Number, String> {
        use CastOp::*;
        let (from, to) = (self.type_of(cx, inner), self.type_of(cx, expr));
        let bits = cx.program().bits_of(to);
        let number = self.number(cx, inner)?;
        let term = match op {
            Trunc => number.term,
            ZExt | Bits | PtrToInt | IntToPtr if bits <= number.bits => number.term,
            ZExt | Bits | PtrToInt | IntToPtr => self.unsigned(&number),
            SExt => self.signed(&number),
            Float | FloatToSigned | FloatToUnsigned | SignedToFloat | UnsignedToFloat => {
                return Ok(match self.constant(&number) {
                    Some(value) => Number::constant(eval::cast(op, from, number.bits, to, bits, value), bits),
                    None => self.unknown(expr, bits, Interval::unsigned(bits)),
                });
            }
        };
        Ok(if bits == 1 { Number::truth(self.is_odd(&Number::new(term, 1))) } else { Number::new(term, bits) })
    }

    /// What the expression is in this step, which cannot be said: the same each time it is asked for.
    fn unknown(&mut self, expr: &Expr, bits: u32, range: Interval) -> Number {
        let step = self.steps.len();
        if let Some((.., var)) = self.unknown.iter().find(|(at, of, _)| *at == step && of == expr) {
            return Number::new((*var).into(), bits);
        }
        let var = self.input(range);
        self.unknown.push((step, expr.clone(), var));
        Number::new(var.into(), bits)
    }
    fn unknown_of(&mut self, op: BinOp, expr: &Expr, a: &Number, b: &Number) -> Number {
        let number = self.unknown(expr, a.bits, self.bounds(op, a, b));
        self.computed.extend(number.term.as_var().map(|var| (var, op, a.clone(), b.clone())));
        number
    }

    /// Where what cannot be said lies if a condition holds, which may bound what it is computed from.
    pub fn bounds_if(&self, condition: &[Formula]) -> Option<Formula> {
        if self.computed.is_empty() {
            return None;
        }
        let is_open = |part: &&Formula| self.computed.iter().all(|(var, ..)| !part.vars().contains(var));
        let premise: Vec<Formula> = condition.iter().filter(is_open).cloned().collect();
        let mut there = self.clone();
        if !premise.iter().all(|part| refine(&mut there.ranges, part)) {
            return None;
        }
        let bounds = self.computed.iter().filter_map(|(var, op, a, b)| self.nearer(*var, there.bounds(*op, a, b)));
        Some(Formula::and(premise).implies(Formula::and(bounds)))
    }

    /// That what cannot be said lies in a range, if that says anything.  Outside of where it was first said to lie, the range
    /// may be that of another number that is congruent to it.
    fn nearer(&self, var: Var, range: Interval) -> Option<Formula> {
        let first = var.as_input().map(|input| self.inputs[input]);
        let says = first.is_some_and(|first| first.contains(range)) && !range.contains(self.ranges[var]);
        says.then(|| Formula::within(range, &var.into()))
    }

    /// The same, where what it is computed from lies by all that the solver knows of the path.
    pub fn closer_bounds(&self, solver: &mut Solver, budget: &Budget) -> Vec<Formula> {
        use BinOp::*;
        let mut bounds = Vec::new();
        let mut there = self.clone();
        for (var, op, a, b) in &self.computed {
            let signed = [matches!(op, Mul | SDiv | SRem | AShr | Shl), matches!(op, Mul | SDiv | SRem)];
            let operands = [(a, signed[0]), (b, signed[1])].map(|(number, signed)| {
                let term = if signed { self.signed(number) } else { self.unsigned(number) };
                let mut most = |term: &Linear| match solver.maximise(term, budget) {
                    Some(Bound::Value(most)) => Interval::at_most(most),
                    Some(Bound::Unbounded | Bound::Empty) | None => Interval::ALL,
                };
                let range =
                    [most(&term), most(&term.scale(-1)).times(-1)].into_iter().fold(self.range(&term), narrowed);
                Number::new(there.input(range).into(), number.bits)
            });
            if let Some(bound) = self.nearer(*var, there.bounds(*op, &operands[0], &operands[1])) {
                solver.assert(&bound);
                bounds.push(bound);
            }
        }
        bounds
    }

    /// Any number of so many bits.  Conditions bound it as it is read, so there are two inputs for it.
    pub fn anything(&mut self, bits: u32) -> Number {
        if bits == 1 {
            return Number::new(self.input(Interval::BIT).into(), bits);
        }
        let (signed, unsigned) = (self.input(Interval::signed(bits)), self.input(Interval::unsigned(bits)));
        let (with, without) = (Linear::var(signed), Linear::var(unsigned));
        let negative = Formula::lt(&with, &Linear::constant(0));
        let low = Formula::and([negative.not(), Formula::eq(&with, &without)]);
        let high = Formula::and([negative, Formula::eq(&with.plus_constant(1 << bits), &without)]);
        self.guard.push(Formula::or([low, high]));
        self.without_sign.insert((signed, bits), unsigned);
        Number::new(with, bits)
    }

    /// A value in the range.
    pub fn input(&mut self, range: Interval) -> Var {
        self.inputs.push(range);
        self.ranges.inputs.push(range);
        Var::input(self.ranges.inputs.len() - 1)
    }
}

/// What is in both, of which at least one number is.
fn narrowed(one: Interval, other: Interval) -> Interval {
    one.intersect(other).unwrap_or(one)
}

/// The bits of the number that the mask has, as some number that is congruent to it.
fn masked(term: &Linear, mask: u128, bits: u32) -> Linear {
    let (mut sum, mut rest) = (Linear::constant(0), ir::mask(mask, bits));
    while rest != 0 {
        // The lowest ones that stand together.
        let first = rest.trailing_zeros();
        let count = (rest >> first).trailing_ones();
        rest &= rest + (1 << first);
        let from_there = term.clone().floor_div(1 << first);
        let run = if first + count == bits { from_there } else { from_there.floor_mod(1 << count) };
        sum = sum.plus_multiple(&run, 1 << first);
    }
    sum
}
