//! Expressions of C with what must be known to put them together: how tightly they bind, which type C gives them and which
//! number they stand for.
//!
//! An integer of the program has a width and no sign.  An expression of C stands for it in one of these ways: by its value as
//! an unsigned number, as a signed one, by a value that is both (not negative, and small), or *loosely*: only the bits of
//! the width count, and what is above them is arbitrary.  Sums and products come out loose where C computes in a wider type,
//! and an assignment to a variable of the right width then needs no cast.

use crate::types::{CType, container, int_name, is_standard};
use ir::{DataModel, Layout, Ty, mask, signed};

/// How tightly an expression binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    Conditional,
    Or,
    And,
    Bits,
    Comparison,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    Signed,
    Unsigned,
    /// Not negative whichever way it is read.
    Both,
    /// Only the low bits count.
    Loose,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Sort {
    /// An `i1`: 0 or 1.
    Bool,
    Int {
        /// The width in the program.
        width: u32,
        meaning: Meaning,
        /// The type in C, before promotion.
        bits: u32,
        signed: bool,
    },
    Float(Ty),
    Pointer(Option<Layout>),
}

impl Sort {
    /// What an expression of C's type stands for where only its low bits count, which may be all it has.
    pub fn wrapping(width: u32, bits: u32, signed: bool) -> Sort {
        let meaning = match (bits == width, signed) {
            (true, true) => Meaning::Signed,
            (true, false) => Meaning::Unsigned,
            (false, _) => Meaning::Loose,
        };
        Sort::Int { width, meaning, bits, signed }
    }

    /// The bits and the sign of the integer that C computes with.
    pub fn promoted(&self) -> (u32, bool) {
        match self {
            Sort::Int { bits, signed, .. } => ((*bits).max(32), *signed || *bits < 32),
            Sort::Bool | Sort::Float(_) | Sort::Pointer(_) => (32, true),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Value {
    pub text: String,
    pub level: Level,
    pub sort: Sort,
    /// The bits of a number that is written out.
    pub literal: Option<u128>,
}

impl Value {
    pub fn new(text: impl Into<String>, level: Level, sort: Sort) -> Value {
        Value { text: text.into(), level, sort, literal: None }
    }

    pub fn bool(text: impl Into<String>, level: Level) -> Value {
        Value::new(text, level, Sort::Bool)
    }

    /// A number in the type that C computes in; other values as they are.
    pub fn promoted(&self) -> Sort {
        let (bits, signed) = self.sort.promoted();
        match self.sort {
            Sort::Int { width, meaning, .. } => Sort::Int { width, meaning, bits, signed },
            Sort::Bool | Sort::Float(_) | Sort::Pointer(_) => self.sort.clone(),
        }
    }

    /// A call of a function with one argument.
    pub fn call(function: &str, argument: &str, sort: Sort) -> Value {
        Value::new(format!("{function}({argument})"), Level::Primary, sort)
    }

    /// The value after a unary operator or a cast.
    pub fn after(&self, operator: &str, sort: Sort) -> Value {
        Value::new(format!("{operator}{}", self.at(Level::Unary)), Level::Unary, sort)
    }

    /// Two values, both as operands of the given level, with an operator between.
    pub fn infix(a: &Value, operator: &str, b: &Value, operands: Level, level: Level, sort: Sort) -> Value {
        Value::new(format!("{} {operator} {}", a.at(operands), b.at(operands)), level, sort)
    }

    /// The condition, or its opposite.
    pub fn if_holds(self, holds: bool) -> Value {
        if holds { self } else { self.after("!", Sort::Bool) }
    }

    /// The text as an operand of something that binds as tightly as `least`.
    pub fn at(&self, least: Level) -> String {
        if self.level >= least { self.text.clone() } else { format!("({})", self.text) }
    }

    /// A variable or member of the given type that holds a number of `width` bits.
    pub fn variable(text: impl Into<String>, level: Level, ctype: &CType, width: u32) -> Value {
        let sort = match ctype {
            CType::Bool => Sort::Bool,
            CType::Int { bits, signed } => {
                let meaning = if *signed { Meaning::Signed } else { Meaning::Unsigned };
                Sort::Int { width, meaning, bits: *bits, signed: *signed }
            }
            CType::Float(ty) => Sort::Float(*ty),
            CType::Pointer(to) => Sort::Pointer(to.clone()),
        };
        Value::new(text, level, sort)
    }

    pub fn width(&self) -> u32 {
        match &self.sort {
            Sort::Bool => 1,
            Sort::Int { width, .. } => *width,
            Sort::Float(_) | Sort::Pointer(_) => 0,
        }
    }
}

/// Conversions of integers, for one data model.
#[derive(Clone, Copy)]
pub struct Numbers(pub DataModel);

impl Numbers {
    /// A constant of the given width; how it is written is decided by what needs it.
    pub fn literal(self, width: u32, bits: u128) -> Value {
        if width == 1 {
            return Value { literal: Some(bits), ..Value::bool(bits.to_string(), Level::Primary) };
        }
        self.written(width, bits, true)
    }

    /// A constant as a signed or unsigned number.
    fn written(self, width: u32, bits: u128, is_signed: bool) -> Value {
        let c_bits = container(width).max(32);
        let number = signed(bits, width);
        let negative = is_signed && number < 0;
        let suffix = match (c_bits, is_signed, self.0) {
            (32, true, _) => "",
            // A narrow number is an `int` whatever it was before.
            (32, false, _) if width < 32 => "",
            (32, false, _) => "u",
            (64, true, DataModel::Lp64) => "l",
            (64, false, DataModel::Lp64) => "ul",
            (64, true, DataModel::Ilp32) => "ll",
            (64, false, DataModel::Ilp32) => "ull",
            _ => return self.wide_literal(width, bits, is_signed),
        };
        let lowest = number == -(1i128 << (c_bits - 1));
        let (text, level) = match (negative, lowest) {
            (true, true) => (format!("(-{}{suffix} - 1)", number.unsigned_abs() - 1), Level::Primary),
            (true, false) => (format!("-{}{suffix}", number.unsigned_abs()), Level::Unary),
            (false, _) => (format!("{bits}{suffix}"), Level::Primary),
        };
        let meaning = match (negative, bits < 1 << (width - 1)) {
            (true, _) => Meaning::Signed,
            (false, true) => Meaning::Both,
            (false, false) => Meaning::Unsigned,
        };
        let c_signed = is_signed || width < 32;
        let sort = Sort::Int { width, meaning, bits: c_bits, signed: c_signed };
        Value { literal: Some(bits), ..Value::new(text, level, sort) }
    }

    /// C has no constants of 128 bits.
    fn wide_literal(self, width: u32, bits: u128, is_signed: bool) -> Value {
        let name = int_name(self.0, 128, is_signed);
        let small = bits < 1 << 63;
        let (text, level) = if small {
            (format!("({name}){bits}"), Level::Unary)
        } else {
            let (high, low) = ((bits >> 64) as u64, bits as u64);
            let whole = format!("(unsigned __int128){high}ull << 64 | {low}ull");
            if is_signed { (format!("({name})({whole})"), Level::Unary) } else { (whole, Level::Bits) }
        };
        let meaning = match (small, is_signed) {
            (true, _) => Meaning::Both,
            // A signed number of fewer than 128 bits is not sign-extended by these bits alone.
            (false, true) if width < 128 => Meaning::Loose,
            (false, true) => Meaning::Signed,
            (false, false) => Meaning::Unsigned,
        };
        let sort = Sort::Int { width, meaning, bits: 128, signed: is_signed };
        Value { literal: Some(bits), ..Value::new(text, level, sort) }
    }

    /// As an unsigned number, in an expression whose type in C is unsigned or wide enough to hold it.
    pub fn unsigned(self, value: &Value) -> Value {
        if let (Sort::Int { width, .. }, Some(bits)) = (&value.sort, value.literal) {
            return self.written(*width, bits, false);
        }
        match value.sort {
            Sort::Bool => self.bool_as_number(value, 1),
            Sort::Int { meaning: Meaning::Unsigned, .. } => value.clone(),
            Sort::Int { meaning: Meaning::Both, bits, signed, width } if !signed || bits < 32 || width < 32 => {
                value.clone()
            }
            Sort::Int { width, .. } if is_standard(width) => self.cast(value, width, false, width),
            Sort::Int { width, bits, .. } => {
                let c_bits = self.arithmetic_bits(width);
                let ones = self.written_as(mask(u128::MAX, width), c_bits.max(bits));
                let text = format!("{} & {ones}", self.in_unsigned(value, c_bits).at(Level::Unary));
                let sort = Sort::Int { width, meaning: Meaning::Unsigned, bits: c_bits, signed: false };
                Value::new(text, Level::Bits, sort)
            }
            Sort::Float(_) | Sort::Pointer(_) => value.clone(),
        }
    }

    /// As a signed number, in an expression whose type in C is signed.
    pub fn signed(self, value: &Value) -> Value {
        if let (Sort::Int { width, .. }, Some(bits)) = (&value.sort, value.literal)
            && (*width <= 64 || *width == 128)
        {
            return self.written(*width, bits, true);
        }
        match value.sort {
            // A single bit that is set is -1.
            Sort::Bool => {
                let sort = Sort::Int { width: 1, meaning: Meaning::Signed, bits: 32, signed: true };
                Value::new(format!("-(int){}", value.at(Level::Unary)), Level::Unary, sort)
            }
            Sort::Int { meaning: Meaning::Signed, .. } => value.clone(),
            Sort::Int { meaning: Meaning::Both, bits, signed, .. } if signed || bits < 32 => value.clone(),
            Sort::Int { width, .. } if is_standard(width) => self.cast(value, width, true, width),
            Sort::Int { width, .. } => {
                // Flip the sign and take it away again: what was below the middle stays, what was above becomes negative.
                let c_bits = container(width).max(32);
                let sign = self.written_as(1 << (width - 1), c_bits);
                let bare = self.unsigned(value);
                let text = format!("({} ^ {sign}) - {sign}", bare.at(Level::Unary));
                let inner = Value::new(text, Level::Sum, Sort::Bool);
                let sort = Sort::Int { width, meaning: Meaning::Signed, bits: c_bits, signed: true };
                inner.after(&format!("({})", int_name(self.0, c_bits, true)), sort)
            }
            Sort::Float(_) | Sort::Pointer(_) => value.clone(),
        }
    }

    /// As a signed or an unsigned number.
    pub fn by_sign(self, value: &Value, is_signed: bool) -> Value {
        if is_signed { self.signed(value) } else { self.unsigned(value) }
    }

    /// Exact, signed or unsigned, whichever needs less.
    pub fn exact(self, value: &Value) -> Value {
        match value.sort {
            Sort::Int { meaning: Meaning::Loose, signed: true, width, .. } if is_standard(width) => self.signed(value),
            Sort::Int { meaning: Meaning::Loose, .. } => self.unsigned(value),
            _ => value.clone(),
        }
    }

    /// For arithmetic modulo 2^bits: in C's unsigned type of `bits` (32, 64 or 128) bits.
    pub fn in_unsigned(self, value: &Value, c_bits: u32) -> Value {
        if let (Sort::Int { width, .. }, Some(bits)) = (&value.sort, value.literal) {
            if c_bits == 128 {
                return self.wide_literal(*width, bits, false);
            }
            let sort = Sort::Int { width: *width, meaning: Meaning::Loose, bits: c_bits, signed: false };
            return Value { literal: Some(bits), ..Value::new(self.written_as(bits, c_bits), Level::Primary, sort) };
        }
        match value.sort {
            Sort::Int { bits, signed: false, .. } if bits == c_bits => value.clone(),
            _ => self.cast(value, value.width(), false, c_bits),
        }
    }

    /// The type that arithmetic on numbers of this width is done in.
    pub fn arithmetic_bits(self, width: u32) -> u32 {
        container(width).max(32)
    }

    pub fn cast(self, value: &Value, width: u32, is_signed: bool, c_bits: u32) -> Value {
        let name = int_name(self.0, c_bits, is_signed);
        value.after(&format!("({name})"), Sort::wrapping(width, c_bits, is_signed))
    }

    /// An `i1` as a number of some width.
    pub fn bool_as_number(self, value: &Value, width: u32) -> Value {
        if let Some(bits) = value.literal
            && width > 1
        {
            return self.literal(width, bits);
        }
        let sort = Sort::Int { width, meaning: Meaning::Both, bits: 32, signed: true };
        Value::new(value.text.clone(), value.level, sort)
    }

    /// A bare unsigned constant of a type of C.
    pub fn written_as(self, bits: u128, c_bits: u32) -> String {
        let Value { text, .. } = self.written(c_bits.max(32), bits, false);
        if c_bits == 128 { format!("({text})") } else { text }
    }
}
