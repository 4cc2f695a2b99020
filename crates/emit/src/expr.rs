//! Expressions: the meaning of `ir::eval`, said in C.
//!
//! Sums and products are computed in unsigned types, where C lets them wrap; shifts take their amount modulo the width;
//! comparisons and divisions get their operands by the sign they ask for.  Conditions are written with `&&`, `||` and `!`.

use crate::scope::Scope;
use crate::types::{CType, container, float_name};
use crate::value::{Level, Meaning, Sort, Value};
use ir::{BinOp, CastOp, Expr, Ty, UnOp, mask};

impl Scope<'_> {
    pub fn type_of(&self, expr: &Expr) -> Ty {
        self.function.type_of(self.unit.program, expr, self.old_type())
    }

    pub fn value(&self, expr: &Expr) -> Value {
        let numbers = self.unit.numbers;
        match expr {
            Expr::Const(Ty::Int(width), bits) => numbers.literal(u32::from(*width), *bits),
            Expr::Const(Ty::Ptr, 0) => {
                Value { literal: Some(0), ..Value::new("0", Level::Primary, Sort::Pointer(None)) }
            }
            Expr::Const(Ty::Ptr, bits) => {
                let number = numbers.written_as(*bits, u32::from(self.unit.program.data_model.pointer_bits()));
                Value::new(format!("(void *){number}"), Level::Unary, Sort::Pointer(None))
            }
            Expr::Const(ty, bits) => self.float_literal(*ty, *bits),
            Expr::Reg(reg) if self.regs[*reg].object.is_some() => self.address(expr),
            Expr::Reg(reg) => self.register(*reg),
            Expr::Object(..) => self.address(expr),
            Expr::Bin(BinOp::PtrAdd, ..) => self.address(expr),
            Expr::Func(func) => {
                let name = self.unit.function(*func);
                Value::new(format!("(void *)&{name}"), Level::Unary, Sort::Pointer(None))
            }
            Expr::CurrentThread => numbers.literal(32, u128::from(self.thread.0) + 1),
            Expr::Old => self.old_value(),
            Expr::Un(op, inner) => self.unary(*op, inner),
            Expr::Bin(op, left, right) => self.binary(*op, left, right),
            Expr::Cast(op, to, inner) => self.cast(*op, *to, self.value(inner)),
            Expr::Select(parts) => self.select(parts),
        }
    }

    /// A condition, or its opposite.
    pub fn condition(&self, expr: &Expr, holds: bool) -> Value {
        if let Expr::Bin(BinOp::Xor, inner, one) = expr
            && **one == Expr::bool(true)
        {
            return self.condition(inner, !holds);
        }
        if let Expr::Bin(op, left, right) = expr
            && let Some(value) = self.comparison(*op, left, right, holds)
        {
            return value;
        }
        let value = self.value(expr);
        match (holds, value.literal) {
            (true, _) => value,
            (false, Some(bits)) => self.unit.numbers.literal(1, 1 - bits),
            (false, None) => value.if_holds(false),
        }
    }

    fn unary(&self, op: UnOp, inner: &Expr) -> Value {
        let numbers = self.unit.numbers;
        let value = self.value(inner);
        let width = value.width();
        match op {
            UnOp::Not if width == 1 => self.condition(inner, false),
            UnOp::Neg if width == 1 => value,
            UnOp::Not | UnOp::Neg => {
                let bits = numbers.arithmetic_bits(width);
                let sign = if op == UnOp::Not { "~" } else { "-" };
                numbers.in_unsigned(&value, bits).after(sign, Sort::wrapping(width, bits, false))
            }
            UnOp::PopCount | UnOp::LeadingZeros | UnOp::TrailingZeros | UnOp::ByteSwap | UnOp::BitReverse => {
                self.bit_helper(op, width, &value)
            }
            UnOp::FNeg => Value::new(format!("-{}", value.at(Level::Primary)), Level::Unary, value.sort),
            UnOp::FIsNan => Value::infix(&value, "!=", &value, Level::Sum, Level::Comparison, Sort::Bool),
            UnOp::FAbs | UnOp::FSqrt | UnOp::FFloor | UnOp::FCeil | UnOp::FTrunc | UnOp::FRound | UnOp::FRint => {
                self.math(op_name(op), &[&value])
            }
        }
    }

    fn binary(&self, op: BinOp, left: &Expr, right: &Expr) -> Value {
        use BinOp::*;
        let numbers = self.unit.numbers;
        if let Some(value) = self.comparison(op, left, right, true) {
            return value;
        }
        let (a, b) = (self.value(left), self.value(right));
        match op {
            FAdd | FSub | FMul | FDiv => {
                let (sign, level) = match op {
                    FAdd => ("+", Level::Sum),
                    FSub => ("-", Level::Sum),
                    FMul => ("*", Level::Product),
                    _ => ("/", Level::Product),
                };
                // Floats do not associate: the order is the program's.
                Value::infix(&a, sign, &b, Level::Unary, level, a.sort.clone())
            }
            FRem => self.math("fmod", &[&a, &b]),
            FMin => self.math("fmin", &[&a, &b]),
            FMax => self.math("fmax", &[&a, &b]),
            FCopySign => self.math("copysign", &[&a, &b]),
            _ if a.width() == 1 => self.single_bits(op, left, right, &a, &b),
            Add | Sub | Mul => self.modular(op, &a, &b),
            And | Or | Xor => self.bitwise(op, &a, &b),
            Shl => {
                let width = a.width();
                let bits = numbers.arithmetic_bits(width);
                let text = format!("{} << {}", numbers.in_unsigned(&a, bits).at(Level::Unary), self.amount(&b, width));
                Value::new(text, Level::Shift, Sort::wrapping(width, bits, false))
            }
            LShr | AShr => {
                let amount = self.amount(&b, a.width());
                let a = numbers.by_sign(&a, op == AShr);
                Value::new(format!("{} >> {amount}", a.at(Level::Unary)), Level::Shift, a.promoted())
            }
            UDiv | URem | SDiv | SRem => {
                let signed = matches!(op, SDiv | SRem);
                let (a, b) = (numbers.by_sign(&a, signed), numbers.by_sign(&b, signed));
                let sign = if matches!(op, UDiv | SDiv) { "/" } else { "%" };
                Value::infix(&a, sign, &b, Level::Unary, Level::Product, a.promoted())
            }
            PtrAdd | Eq | Ne | ULt | ULe | SLt | SLe | FOeq | FOne | FOlt | FOle | FOrd => a,
        }
    }

    /// The amount of a shift.
    fn amount(&self, amount: &Value, width: u32) -> String {
        match amount.literal {
            Some(bits) => (bits % u128::from(width)).to_string(),
            None => {
                let amount = self.unit.numbers.unsigned(amount);
                match width.is_power_of_two() {
                    true => format!("({} & {})", amount.at(Level::Unary), width - 1),
                    false => format!("({} % {width})", amount.at(Level::Unary)),
                }
            }
        }
    }

    /// Sums and products, which wrap.
    fn modular(&self, op: BinOp, a: &Value, b: &Value) -> Value {
        let numbers = self.unit.numbers;
        let width = a.width();
        let bits = numbers.arithmetic_bits(width);
        let fits = |value: &Value| {
            value.literal.is_some() || matches!(value.sort, Sort::Int { bits: has, signed: false, .. } if has == bits)
        };
        // One unsigned operand makes C compute in its type.
        let (mut a, mut b) = (a.clone(), b.clone());
        if a.literal.is_some() || (!fits(&a) && !fits(&b)) {
            a = numbers.in_unsigned(&a, bits);
        }
        let mut op = op;
        if let Some(number) = b.literal {
            // `x + (2^32 - 1)` reads better as `x - 1`.
            let negative = mask(number.wrapping_neg(), width);
            if op == BinOp::Add && negative < number {
                op = BinOp::Sub;
                b = numbers.literal(width, negative);
            }
            b = numbers.in_unsigned(&b, bits);
        }
        let (sign, level, right) = match op {
            BinOp::Mul => ("*", Level::Product, Level::Unary),
            BinOp::Sub => ("-", Level::Sum, Level::Product),
            _ => ("+", Level::Sum, Level::Product),
        };
        // A sum of smaller type in front would be computed before the operand that makes it wide.
        let least = if matches!(a.sort, Sort::Int { bits: has, .. } if has == bits) { level } else { Level::Unary };
        Value::new(format!("{} {sign} {}", a.at(least), b.at(right)), level, Sort::wrapping(width, bits, false))
    }

    fn bitwise(&self, op: BinOp, a: &Value, b: &Value) -> Value {
        let numbers = self.unit.numbers;
        let width = a.width();
        let sign = match op {
            BinOp::And => "&",
            BinOp::Or => "|",
            _ => "^",
        };
        let meaning_of = |value: &Value| match value.sort {
            Sort::Int { meaning, .. } => meaning,
            Sort::Bool | Sort::Float(_) | Sort::Pointer(_) => Meaning::Loose,
        };
        let (mut a, mut b) = (a.clone(), b.clone());
        if a.literal.is_some() {
            std::mem::swap(&mut a, &mut b);
        }
        let mut meaning = match (meaning_of(&a), meaning_of(&b)) {
            (Meaning::Loose, _) | (_, Meaning::Loose) => Meaning::Loose,
            (Meaning::Both, Meaning::Both) => Meaning::Both,
            (Meaning::Signed, Meaning::Unsigned) if b.literal.is_some() => Meaning::Signed,
            (Meaning::Unsigned, _) | (_, Meaning::Unsigned) => Meaning::Unsigned,
            (Meaning::Signed, _) | (_, Meaning::Signed) => Meaning::Signed,
        };
        let bits = numbers.arithmetic_bits(width);
        match meaning {
            Meaning::Signed | Meaning::Unsigned => {
                let signed = meaning == Meaning::Signed;
                (a, b) = (numbers.by_sign(&a, signed), numbers.by_sign(&b, signed));
            }
            Meaning::Both => (),
            Meaning::Loose => {
                // A mask within the width also takes away what is loose.
                let masks = op == BinOp::And && (b.literal.is_some() || meaning_of(&b) == Meaning::Unsigned);
                (a, b) = (numbers.in_unsigned(&a, bits), numbers.in_unsigned(&b, bits));
                if masks {
                    meaning = Meaning::Unsigned;
                }
            }
        }
        let ((a_bits, a_signed), (b_bits, b_signed)) = (a.sort.promoted(), b.sort.promoted());
        let signed = match a_bits.cmp(&b_bits) {
            std::cmp::Ordering::Less => b_signed,
            std::cmp::Ordering::Equal => a_signed && b_signed,
            std::cmp::Ordering::Greater => a_signed,
        };
        let sort = Sort::Int { width, meaning, bits: a_bits.max(b_bits), signed };
        Value::infix(&a, sign, &b, Level::Unary, Level::Bits, sort)
    }

    /// Operators on single bits.
    fn single_bits(&self, op: BinOp, left: &Expr, right: &Expr, a: &Value, b: &Value) -> Value {
        use BinOp::*;
        let safe = !right.can_fault();
        let infix = |sign: &str, level: Level| Value::infix(a, sign, b, Level::Unary, level, Sort::Bool);
        match op {
            And | Mul if safe => chain(a, "&&", b, Level::And),
            Or if safe => chain(a, "||", b, Level::Or),
            And | Mul => infix("&", Level::Bits),
            Or => infix("|", Level::Bits),
            Xor | Add | Sub => match (a.literal, b.literal) {
                (_, Some(0)) => a.clone(),
                (_, Some(_)) => self.condition(left, false),
                _ => infix("!=", Level::Comparison),
            },
            URem | SRem => self.unit.numbers.literal(1, 0),
            _ => a.clone(),
        }
    }

    fn select(&self, parts: &[Expr; 3]) -> Value {
        let numbers = self.unit.numbers;
        let cond = self.condition(&parts[0], true);
        let (mut a, mut b) = (self.value(&parts[1]), self.value(&parts[2]));
        let is_signed = |value: &Value| matches!(value.sort, Sort::Int { signed: true, .. });
        match (&a.sort, &b.sort) {
            (Sort::Int { .. }, Sort::Int { .. }) => {
                (a, b) = (numbers.exact(&a), numbers.exact(&b));
                let signed = match (a.literal, b.literal) {
                    (None, Some(_)) => is_signed(&a),
                    (Some(_), None) => is_signed(&b),
                    _ => is_signed(&a) && is_signed(&b),
                };
                (a, b) = (numbers.by_sign(&a, signed), numbers.by_sign(&b, signed));
                // Both of one type, so that C converts neither.
                let width = a.width();
                let bits = container(width);
                if a.literal.is_none() && b.literal.is_none() && a.sort.promoted() != b.sort.promoted() {
                    (a, b) = (numbers.cast(&a, width, signed, bits), numbers.cast(&b, width, signed, bits));
                }
            }
            (Sort::Pointer(to), Sort::Pointer(from)) if to != from && a.literal.is_none() && b.literal.is_none() => {
                b = self.as_pointer(&b, &to.clone());
                if matches!(a.sort, Sort::Pointer(None)) {
                    b.sort = a.sort.clone();
                }
            }
            _ => (),
        }
        let sort = match (&a.sort, &b.sort) {
            (Sort::Pointer(_), other @ Sort::Pointer(_)) if a.literal.is_some() => other.clone(),
            (Sort::Int { .. }, _) if a.literal.is_none() => a.promoted(),
            (Sort::Int { .. }, _) => b.promoted(),
            (sort, _) => sort.clone(),
        };
        let text = format!("{} ? {} : {}", cond.at(Level::Or), a.at(Level::Or), b.at(Level::Or));
        Value::new(text, Level::Conditional, sort)
    }

    pub fn cast(&self, op: CastOp, to: Ty, value: Value) -> Value {
        let numbers = self.unit.numbers;
        let program = self.unit.program;
        let width = program.bits_of(to);
        match op {
            CastOp::Trunc if width == 1 => {
                let value = match value.sort {
                    Sort::Int { meaning: Meaning::Both, .. } => value,
                    _ => numbers.in_unsigned(&value, numbers.arithmetic_bits(value.width())),
                };
                Value::bool(format!("{} & 1", value.at(Level::Unary)), Level::Bits)
            }
            CastOp::Trunc => self.truncated(&value, width),
            CastOp::ZExt => {
                if value.sort == Sort::Bool {
                    return self.widened(&numbers.bool_as_number(&value, width), width, false);
                }
                if let Some(bits) = value.literal {
                    return numbers.literal(width, bits);
                }
                self.widened(&numbers.unsigned(&value), width, false)
            }
            CastOp::SExt => {
                if let Some(bits) = value.literal {
                    let number = ir::signed(bits, value.width()) as u128;
                    return numbers.literal(width, mask(number, width));
                }
                self.widened(&numbers.signed(&value), width, true)
            }
            CastOp::PtrToInt => {
                let bits = u32::from(program.data_model.pointer_bits());
                let number = numbers.cast(&value, bits, false, bits);
                match bits.cmp(&width) {
                    std::cmp::Ordering::Less => self.widened(&number, width, false),
                    std::cmp::Ordering::Equal => number,
                    std::cmp::Ordering::Greater if width == 1 => {
                        Value::bool(format!("{} & 1", number.at(Level::Unary)), Level::Bits)
                    }
                    std::cmp::Ordering::Greater => self.truncated(&number, width),
                }
            }
            CastOp::IntToPtr => {
                let bits = u32::from(program.data_model.pointer_bits());
                let number = match value.sort {
                    Sort::Int { width, .. } if width == bits => value,
                    Sort::Int { width, .. } if width > bits => self.truncated(&value, bits),
                    _ => self.widened(&numbers.unsigned(&value), bits, false),
                };
                let number = match number.sort {
                    Sort::Int { bits: has, .. } if has == bits => number,
                    _ => numbers.cast(&number, bits, false, bits),
                };
                number.after("(void *)", Sort::Pointer(None))
            }
            CastOp::Bits => self.same_bits(&value, to),
            CastOp::Float => to_float(&value, to),
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => {
                to_float(&numbers.by_sign(&value, op == CastOp::SignedToFloat), to)
            }
            CastOp::FloatToSigned | CastOp::FloatToUnsigned => {
                self.float_to_int(&value, width, op == CastOp::FloatToSigned)
            }
        }
    }

    /// The low bits of a wider number.
    fn truncated(&self, value: &Value, width: u32) -> Value {
        let numbers = self.unit.numbers;
        if let Some(bits) = value.literal {
            return numbers.literal(width, mask(bits, width));
        }
        let bits = numbers.arithmetic_bits(width);
        let (has, signed) = match value.sort {
            Sort::Int { bits, signed, .. } => (bits, signed),
            Sort::Bool | Sort::Float(_) | Sort::Pointer(_) => (32, true),
        };
        if has > bits {
            return numbers.cast(value, width, signed, bits);
        }
        let sort = Sort::Int { width, meaning: Meaning::Loose, bits: has, signed };
        Value { sort, literal: None, ..value.clone() }
    }

    /// An exact number in a type that has room for `width` bits.
    fn widened(&self, value: &Value, width: u32, is_signed: bool) -> Value {
        let bits = self.unit.numbers.arithmetic_bits(width);
        let (has, signed) = value.sort.promoted();
        let meaning = if is_signed { Meaning::Signed } else { Meaning::Both };
        if has >= bits {
            return Value { sort: Sort::Int { width, meaning, bits: has, signed }, ..value.clone() };
        }
        let sort = Sort::Int { width, meaning, bits, signed: is_signed };
        Value { sort, ..self.unit.numbers.cast(value, width, is_signed, bits) }
    }

    /// The value as it can be assigned to a variable of the type, or passed for one.
    pub fn assignable(&self, value: &Value, to: &CType, width: u32) -> String {
        match (to, &value.sort) {
            (CType::Pointer(to), Sort::Pointer(_)) => self.as_pointer(value, to).text,
            // A variable of another width than the number's does not cut off what is loose, and takes unsigned numbers.
            (CType::Int { bits, .. }, Sort::Int { .. }) if *bits != width => self.unit.numbers.unsigned(value).text,
            (CType::Int { signed, .. }, Sort::Int { .. }) if value.literal.is_some() => {
                self.unit.numbers.by_sign(value, *signed).text
            }
            _ => value.text.clone(),
        }
    }

    pub fn as_pointer(&self, value: &Value, to: &Option<ir::Layout>) -> Value {
        match &value.sort {
            Sort::Pointer(Some(from)) if to.as_ref().is_some_and(|to| to != from) => {
                let ctype = CType::Pointer(to.clone());
                let name = self.unit.types.borrow().declare(&ctype, "");
                value.after(&format!("({name})"), Sort::Pointer(to.clone()))
            }
            _ => value.clone(),
        }
    }
}

fn op_name(op: UnOp) -> &'static str {
    match op {
        UnOp::FSqrt => "sqrt",
        UnOp::FFloor => "floor",
        UnOp::FCeil => "ceil",
        UnOp::FTrunc => "trunc",
        UnOp::FRound => "round",
        UnOp::FRint => "rint",
        _ => "fabs",
    }
}

/// `a && b && c` without more parentheses than needed.
fn chain(a: &Value, sign: &str, b: &Value, level: Level) -> Value {
    let side = |value: &Value| match value.level == level || value.level >= Level::Comparison {
        true => value.text.clone(),
        false => format!("({})", value.text),
    };
    Value::bool(format!("{} {sign} {}", side(a), side(b)), level)
}

fn to_float(value: &Value, to: Ty) -> Value {
    value.after(&format!("({})", float_name(to)), Sort::Float(to))
}
