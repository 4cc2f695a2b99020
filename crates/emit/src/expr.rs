//! Expressions: the meaning of `ir::eval`, said in C.
//!
//! Sums and products are computed in unsigned types, where C lets them wrap; shifts take their amount modulo the width;
//! comparisons and divisions get their operands by the sign they ask for.  Conditions are written with `&&`, `||` and `!`.

use crate::scope::Scope;
use crate::types::{CType, container};
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
            Expr::Cast(op, to, inner) => self.cast(*op, *to, inner),
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
            (false, None) => Value::bool(format!("!{}", value.at(Level::Unary)), Level::Unary),
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
                let operand = numbers.in_unsigned(&value, bits);
                let sign = if op == UnOp::Not { "~" } else { "-" };
                Value::new(format!("{sign}{}", operand.at(Level::Unary)), Level::Unary, wrapping(width, bits))
            }
            UnOp::PopCount | UnOp::LeadingZeros | UnOp::TrailingZeros | UnOp::ByteSwap | UnOp::BitReverse => {
                self.bit_helper(op, width, &value)
            }
            UnOp::FNeg => self.float(format!("-{}", value.at(Level::Primary)), Level::Unary, &value),
            UnOp::FIsNan => {
                let text = value.at(Level::Sum);
                Value::bool(format!("{text} != {text}"), Level::Comparison)
            }
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
                self.float(format!("{} {sign} {}", a.at(Level::Unary), b.at(Level::Unary)), level, &a)
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
                let a = numbers.in_unsigned(&a, bits);
                let text = format!("{} << {}", a.at(Level::Unary), self.amount(&b, width));
                Value::new(text, Level::Shift, wrapping(width, bits))
            }
            LShr | AShr => {
                let width = a.width();
                let a = if op == LShr { numbers.unsigned(&a) } else { numbers.signed(&a) };
                let text = format!("{} >> {}", a.at(Level::Unary), self.amount(&b, width));
                Value::new(text, Level::Shift, promoted(&a.sort))
            }
            UDiv | URem | SDiv | SRem => {
                let to_sign = |value: &Value| match op {
                    UDiv | URem => numbers.unsigned(value),
                    _ => numbers.signed(value),
                };
                let (a, b) = (to_sign(&a), to_sign(&b));
                let sign = if matches!(op, UDiv | SDiv) { "/" } else { "%" };
                let text = format!("{} {sign} {}", a.at(Level::Unary), b.at(Level::Unary));
                Value::new(text, Level::Product, promoted(&a.sort))
            }
            PtrAdd | Eq | Ne | ULt | ULe | SLt | SLe | FOeq | FOne | FOlt | FOle | FOrd => a,
        }
    }

    /// The amount of a shift.
    fn amount(&self, amount: &Value, width: u32) -> String {
        let width_here = u128::from(width);
        match amount.literal {
            Some(bits) => (bits % width_here).to_string(),
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
        Value::new(format!("{} {sign} {}", a.at(least), b.at(right)), level, wrapping(width, bits))
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
            (Meaning::Signed, Meaning::Signed) => Meaning::Signed,
            (Meaning::Signed, Meaning::Both) | (Meaning::Both, Meaning::Signed) => Meaning::Signed,
            (Meaning::Both, Meaning::Both) => Meaning::Both,
            (Meaning::Signed, Meaning::Unsigned) if b.literal.is_some() => Meaning::Signed,
            (Meaning::Signed, Meaning::Unsigned) | (Meaning::Unsigned, Meaning::Signed) => Meaning::Unsigned,
            (Meaning::Unsigned, _) | (_, Meaning::Unsigned) => Meaning::Unsigned,
        };
        let bits = numbers.arithmetic_bits(width);
        match meaning {
            Meaning::Signed => (a, b) = (numbers.signed(&a), numbers.signed(&b)),
            Meaning::Unsigned => (a, b) = (numbers.unsigned(&a), numbers.unsigned(&b)),
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
        let ((a_bits, a_signed), (b_bits, b_signed)) = (c_type(&a), c_type(&b));
        let signed = match a_bits.cmp(&b_bits) {
            std::cmp::Ordering::Less => b_signed,
            std::cmp::Ordering::Equal => a_signed && b_signed,
            std::cmp::Ordering::Greater => a_signed,
        };
        let sort = Sort::Int { width, meaning, bits: a_bits.max(b_bits), signed };
        Value::new(format!("{} {sign} {}", a.at(Level::Unary), b.at(Level::Unary)), Level::Bits, sort)
    }

    /// Operators on single bits.
    fn single_bits(&self, op: BinOp, left: &Expr, right: &Expr, a: &Value, b: &Value) -> Value {
        use BinOp::*;
        let safe = !right.can_fault();
        let not = |expr: &Expr| self.condition(expr, false);
        match op {
            And | Mul if safe => chain(a, "&&", b, Level::And),
            Or if safe => chain(a, "||", b, Level::Or),
            And | Mul => Value::bool(format!("{} & {}", a.at(Level::Unary), b.at(Level::Unary)), Level::Bits),
            Or => Value::bool(format!("{} | {}", a.at(Level::Unary), b.at(Level::Unary)), Level::Bits),
            Xor | Add | Sub => match (a.literal, b.literal) {
                (_, Some(0)) => a.clone(),
                (_, Some(_)) => not(left),
                _ => Value::bool(format!("{} != {}", a.at(Level::Unary), b.at(Level::Unary)), Level::Comparison),
            },
            Shl | LShr | AShr | UDiv | SDiv => a.clone(),
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
                (a, b) = match signed {
                    true => (numbers.signed(&a), numbers.signed(&b)),
                    false => (numbers.unsigned(&a), numbers.unsigned(&b)),
                };
                // Both of one type, so that C converts neither.
                let width = a.width();
                let bits = container(width);
                if a.literal.is_none() && b.literal.is_none() && c_type(&a) != c_type(&b) {
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
            (sort @ Sort::Int { .. }, _) if a.literal.is_none() => promoted(sort),
            (Sort::Int { .. }, sort) => promoted(sort),
            (sort, _) => sort.clone(),
        };
        let text = format!("{} ? {} : {}", cond.at(Level::Or), a.at(Level::Or), b.at(Level::Or));
        Value::new(text, Level::Conditional, sort)
    }

    fn cast(&self, op: CastOp, to: Ty, inner: &Expr) -> Value {
        let numbers = self.unit.numbers;
        let program = self.unit.program;
        let width = program.bits_of(to);
        let value = self.value(inner);
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
                Value::new(format!("(void *){}", number.at(Level::Unary)), Level::Unary, Sort::Pointer(None))
            }
            CastOp::Bits => self.same_bits(&value, to),
            CastOp::Float => {
                let name = crate::types::float_name(to);
                Value::new(format!("({name}){}", value.at(Level::Unary)), Level::Unary, Sort::Float(to))
            }
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => {
                let number =
                    if op == CastOp::SignedToFloat { numbers.signed(&value) } else { numbers.unsigned(&value) };
                let name = crate::types::float_name(to);
                Value::new(format!("({name}){}", number.at(Level::Unary)), Level::Unary, Sort::Float(to))
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
            let meaning = match (bits == width, signed) {
                (true, true) => Meaning::Signed,
                (true, false) => Meaning::Unsigned,
                (false, _) => Meaning::Loose,
            };
            let mut cast = numbers.cast(value, width, signed, bits);
            cast.sort = Sort::Int { width, meaning, bits, signed };
            return cast;
        }
        let sort = Sort::Int { width, meaning: Meaning::Loose, bits: has, signed };
        Value { sort, literal: None, ..value.clone() }
    }

    /// An exact number in a type that has room for `width` bits.
    fn widened(&self, value: &Value, width: u32, is_signed: bool) -> Value {
        let bits = self.unit.numbers.arithmetic_bits(width);
        let has = match value.sort {
            Sort::Int { bits, .. } => bits,
            Sort::Bool | Sort::Float(_) | Sort::Pointer(_) => 32,
        };
        let meaning = if is_signed { Meaning::Signed } else { Meaning::Both };
        if has.max(32) >= bits {
            let signed = match value.sort {
                Sort::Int { signed, bits, .. } => signed || bits < 32,
                Sort::Bool | Sort::Float(_) | Sort::Pointer(_) => true,
            };
            return Value { sort: Sort::Int { width, meaning, bits: has.max(32), signed }, ..value.clone() };
        }
        let mut cast = self.unit.numbers.cast(value, width, is_signed, bits);
        cast.sort = Sort::Int { width, meaning, bits, signed: is_signed };
        cast
    }

    /// The value as it can be assigned to a variable of the type, or passed for one.
    pub fn assignable(&self, value: &Value, to: &CType, width: u32) -> String {
        match (to, &value.sort) {
            (CType::Pointer(to), Sort::Pointer(_)) => self.as_pointer(value, to).text,
            // A variable of another width than the number's does not cut off what is loose.
            (CType::Int { bits, .. }, Sort::Int { meaning: Meaning::Loose, .. }) if *bits != width => {
                self.unit.numbers.unsigned(value).text
            }
            // A variable that is wider takes unsigned numbers.
            (CType::Int { bits, .. }, Sort::Int { .. }) if *bits != width => self.unit.numbers.unsigned(value).text,
            (CType::Int { bits, .. }, Sort::Int { .. }) if *bits == width && value.literal.is_some() => {
                let CType::Int { signed, .. } = to else { return value.text.clone() };
                match signed {
                    true => self.unit.numbers.signed(value).text,
                    false => self.unit.numbers.unsigned(value).text,
                }
            }
            _ => value.text.clone(),
        }
    }

    pub fn as_pointer(&self, value: &Value, to: &Option<ir::Layout>) -> Value {
        match &value.sort {
            Sort::Pointer(Some(from)) if to.as_ref().is_some_and(|to| to != from) => {
                let ctype = CType::Pointer(to.clone());
                let name = self.unit.types.borrow().name(self.unit.program, &ctype);
                Value::variable(format!("({name}){}", value.at(Level::Unary)), Level::Unary, &ctype, 0)
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

/// The type that C computes in.
fn promoted(sort: &Sort) -> Sort {
    match sort {
        Sort::Int { width, meaning, bits, signed } => {
            Sort::Int { width: *width, meaning: *meaning, bits: (*bits).max(32), signed: *signed || *bits < 32 }
        }
        Sort::Bool | Sort::Float(_) | Sort::Pointer(_) => sort.clone(),
    }
}

/// The sort of what was computed in an unsigned type of so many bits, which may be more than the number has.
fn wrapping(width: u32, bits: u32) -> Sort {
    let meaning = if bits == width { Meaning::Unsigned } else { Meaning::Loose };
    Sort::Int { width, meaning, bits, signed: false }
}

/// The bits and the sign of the type in which C computes with the value.
fn c_type(value: &Value) -> (u32, bool) {
    match value.sort {
        Sort::Int { bits, signed, .. } => (bits.max(32), signed || bits < 32),
        Sort::Bool | Sort::Float(_) | Sort::Pointer(_) => (32, true),
    }
}
