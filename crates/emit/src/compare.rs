//! Comparisons.  Compilers warn about those whose result is clear from the types; these are decided here.

use crate::scope::Scope;
use crate::value::{Level, Meaning, Sort, Value};
use facts::intervals::Range;
use ir::{BinOp, CastOp, Expr};

impl Scope<'_> {
    /// `left op right`, or its opposite; `None` if the operator compares nothing.
    pub fn comparison(&self, op: BinOp, left: &Expr, right: &Expr, holds: bool) -> Option<Value> {
        use BinOp::*;
        let numbers = self.unit.numbers;
        match op {
            Eq | Ne | ULt | ULe | SLt | SLe => (),
            FOeq | FOne | FOlt | FOle | FOrd => return Some(self.floats(op, left, right, holds)),
            Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | PtrAdd | FAdd | FSub
            | FMul | FDiv | FRem | FMin | FMax | FCopySign => return None,
        }
        if let Some(known) = self.known(op, left, right) {
            return Some(numbers.literal(1, u128::from(known == holds)));
        }
        let (mut a, mut b) = (self.value(left), self.value(right));
        // A constant stands on the right.
        let swapped = a.literal.is_some() && b.literal.is_none();
        if swapped {
            std::mem::swap(&mut a, &mut b);
        }
        if a.sort == Sort::Bool {
            return Some(self.bits(op, left, right, holds));
        }
        let pointers = matches!(a.sort, Sort::Pointer(_));
        if pointers && matches!(op, Eq | Ne) {
            if let Sort::Pointer(to @ Some(_)) = &a.sort {
                b = self.as_pointer(&b, to);
            }
        } else if pointers {
            let bits = u32::from(self.unit.program.data_model.pointer_bits());
            let signed = matches!(op, SLt | SLe);
            (a, b) = (numbers.cast(&a, bits, signed, bits), numbers.cast(&b, bits, signed, bits));
        } else {
            let signed = match op {
                ULt | ULe => false,
                SLt | SLe => true,
                _ => {
                    (a, b) = (numbers.exact(&a), numbers.exact(&b));
                    reads_signed(&a) && (b.literal.is_some() || reads_signed(&b))
                }
            };
            (a, b) = (numbers.by_sign(&a, signed), numbers.by_sign(&b, signed));
            // `x < c + 1` would be `x <= c`; the program's own form is kept, but C compares in one type only.
            if b.literal.is_none() {
                (a, b) = self.same_sign(a, b);
            }
        }
        let text = |sign: &str| Value::infix(&a, sign, &b, Level::Sum, Level::Comparison, Sort::Bool);
        Some(text(match (op, swapped, holds) {
            (Eq, _, true) | (Ne, _, false) => "==",
            (Eq | Ne, ..) => "!=",
            (ULt | SLt, false, true) | (ULe | SLe, true, false) => "<",
            (ULt | SLt, false, false) | (ULe | SLe, true, true) => ">=",
            (ULe | SLe, false, true) | (ULt | SLt, true, false) => "<=",
            _ => ">",
        }))
    }

    /// Numbers that are not negative may be of different types in C; compilers warn when these differ in sign.
    fn same_sign(&self, a: Value, b: Value) -> (Value, Value) {
        let unsigned = |value: &Value| matches!(value.sort, Sort::Int { bits, signed: false, .. } if bits >= 32);
        let numbers = self.unit.numbers;
        let convert = |value: &Value, like: &Value| match (&value.sort, &like.sort) {
            (Sort::Int { width, .. }, Sort::Int { bits, .. }) => {
                let sort = Sort::Int { width: *width, meaning: Meaning::Unsigned, bits: *bits, signed: false };
                Value { sort, ..numbers.cast(value, *width, false, *bits) }
            }
            _ => value.clone(),
        };
        match (unsigned(&a), unsigned(&b)) {
            (true, false) => (a.clone(), convert(&b, &a)),
            (false, true) => (convert(&a, &b), b),
            _ => (a, b),
        }
    }

    /// A result that does not depend on values.
    fn known(&self, op: BinOp, left: &Expr, right: &Expr) -> Option<bool> {
        use BinOp::*;
        if left == right && !left.can_fault() {
            return Some(matches!(op, Eq | ULe | SLe));
        }
        let is_address = |expr: &Expr| match expr {
            Expr::Object(..) | Expr::Func(_) => true,
            Expr::Reg(reg) => self.regs[*reg].object.is_some(),
            _ => false,
        };
        let is_null = |expr: &Expr| matches!(expr, Expr::Const(ir::Ty::Ptr, 0));
        let equal = match (left, right) {
            _ if is_address(left) && is_null(right) || is_null(left) && is_address(right) => Some(false),
            (Expr::Object(a, i), Expr::Object(b, j)) => Some(a == b && i == j),
            _ => None,
        };
        if let Some(equal) = equal.filter(|_| matches!(op, Eq | Ne)) {
            return Some(equal == (op == Eq));
        }
        let ir::Ty::Int(2..=64) = self.type_of(left) else { return None };
        Range::compare(op.comparison()?, self.range(left), self.range(right))
    }

    /// What a number of at most 64 bits can be, as far as it is written there.
    fn range(&self, expr: &Expr) -> Range {
        let width = |expr: &Expr| match self.type_of(expr) {
            ir::Ty::Int(width @ 1..=64) => Some(u32::from(width)),
            _ => None,
        };
        let bits = width(expr).unwrap_or(64);
        match expr {
            Expr::Const(_, value) => Range::exact(bits, *value),
            Expr::Cast(op @ (CastOp::ZExt | CastOp::SExt), _, inner) => {
                width(inner).map_or(Range::any(bits), |from| Range::cast(*op, Range::any(from), bits))
            }
            _ => Range::any(bits),
        }
    }

    /// Comparisons of single bits; as signed numbers, a bit that is set is -1.
    fn bits(&self, op: BinOp, left: &Expr, right: &Expr, holds: bool) -> Value {
        use BinOp::*;
        let is_const = |expr: &Expr| match expr {
            Expr::Const(_, bits) => Some(*bits != 0),
            _ => None,
        };
        let equal = |expected: bool| match (is_const(left), is_const(right)) {
            (_, Some(bit)) => self.condition(left, bit == expected),
            (Some(bit), _) => self.condition(right, bit == expected),
            _ => {
                let (a, b) = (self.value(left), self.value(right));
                let sign = if expected { "==" } else { "!=" };
                Value::infix(&a, sign, &b, Level::Unary, Level::Comparison, Sort::Bool)
            }
        };
        let both = |a: &Expr, a_holds: bool, b: &Expr, b_holds: bool| {
            let (a, b) = (self.condition(a, a_holds), self.condition(b, b_holds));
            Value::infix(&a, "&", &b, Level::Unary, Level::Bits, Sort::Bool)
        };
        // `a < b` is `!a && b`, and `a <= b` is not `b < a`.
        let (value, holds) = match op {
            Eq => (equal(holds), true),
            Ne => (equal(!holds), true),
            ULt => (both(left, false, right, true), holds),
            SLt => (both(left, true, right, false), holds),
            ULe => (both(right, false, left, true), !holds),
            _ => (both(right, true, left, false), !holds),
        };
        value.if_holds(holds)
    }

    /// Comparisons of floats are false where an operand is no number, so their opposites are not comparisons.
    fn floats(&self, op: BinOp, left: &Expr, right: &Expr, holds: bool) -> Value {
        let (a, b) = (self.value(left).at(Level::Sum), self.value(right).at(Level::Sum));
        let value = match op {
            BinOp::FOeq => Value::bool(format!("{a} == {b}"), Level::Comparison),
            BinOp::FOne => Value::bool(format!("{a} < {b} || {a} > {b}"), Level::Or),
            BinOp::FOlt => Value::bool(format!("{a} < {b}"), Level::Comparison),
            BinOp::FOle => Value::bool(format!("{a} <= {b}"), Level::Comparison),
            _ => Value::bool(format!("{a} == {a} && {b} == {b}"), Level::And),
        };
        value.if_holds(holds)
    }
}

fn reads_signed(value: &Value) -> bool {
    matches!(
        value.sort,
        Sort::Int { meaning: Meaning::Signed, .. } | Sort::Int { meaning: Meaning::Both, signed: true, .. }
    )
}
