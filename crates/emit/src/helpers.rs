//! What C has no operator for: small functions, printed only where they are used; floats by the C library's functions.

use crate::scope::Scope;
use crate::types::{CType, container, float_name, int_name};
use crate::value::{Level, Meaning, Sort, Value};
use ir::{Ty, UnOp, eval, mask};

impl Scope<'_> {
    pub fn float(&self, text: String, level: Level, like: &Value) -> Value {
        Value::new(text, level, like.sort.clone())
    }

    /// A constant, exactly.
    pub fn float_literal(&self, ty: Ty, bits: u128) -> Value {
        let sort = Sort::Float(ty);
        let plain = |text: String| match text.strip_prefix('-') {
            Some(_) => Value::new(text, Level::Unary, sort.clone()),
            None => Value::new(text, Level::Primary, sort.clone()),
        };
        let double = eval::to_double(ty, bits);
        match ty {
            Ty::F32 if f32::from_bits(bits as u32).is_finite() => plain(format!("{:?}f", f32::from_bits(bits as u32))),
            Ty::F64 if double.is_finite() => plain(format!("{double:?}")),
            Ty::F32 => self.same_bits(&self.unit.numbers.literal(32, bits), ty),
            Ty::F64 => self.same_bits(&self.unit.numbers.literal(64, bits), ty),
            _ if double.is_finite() && eval::from_double(ty, double) == bits => {
                let name = float_name(ty);
                let inner = self.float_literal(Ty::F64, u128::from(double.to_bits()));
                Value::new(format!("({name}){}", inner.at(Level::Unary)), Level::Unary, sort)
            }
            Ty::F80 if double.is_finite() => {
                // Sign, 15 bits of exponent, 64 bits of mantissa with the leading one.
                let exponent = ((bits >> 64) & 0x7fff) as i32 - 16383 - 63;
                let sign = if bits >> 79 == 1 { "-" } else { "" };
                plain(format!("{sign}{:#x}p{exponent}L", bits as u64))
            }
            _ => {
                self.fail("a floating-point constant that has no name in C");
                plain("0".into())
            }
        }
    }

    /// A function of the C library.
    pub fn math(&self, name: &str, args: &[&Value]) -> Value {
        let Some(Sort::Float(ty)) = args.first().map(|value| value.sort.clone()) else {
            return self.float_literal(Ty::F64, 0);
        };
        let (suffix, c) = match ty {
            Ty::F32 => ("f", "float"),
            Ty::F64 => ("", "double"),
            Ty::F80 => ("l", "long double"),
            _ => {
                self.fail(format!("`{name}` of a number of 128 bits"));
                ("", "double")
            }
        };
        let params = vec![c; args.len()].join(", ");
        self.unit.declare(&format!("extern {c} {name}{suffix}({params});"));
        let args: Vec<&str> = args.iter().map(|value| value.text.as_str()).collect();
        Value::new(format!("{name}{suffix}({})", args.join(", ")), Level::Primary, Sort::Float(ty))
    }

    /// The same bits as another type.
    pub fn same_bits(&self, value: &Value, to: Ty) -> Value {
        let data_model = self.unit.program.data_model;
        let float = match (&value.sort, to) {
            (Sort::Float(ty), _) => *ty,
            (_, ty) => ty,
        };
        let (float_c, bits) = match float {
            Ty::F32 => ("float", 32),
            Ty::F64 => ("double", 64),
            _ => {
                self.fail("the bits of a number wider than `double`");
                ("double", 64)
            }
        };
        let int = int_name(data_model, bits, false);
        let body = |name: &str, from: &str, to: &str| {
            format!(
                "static {to} {name}({from} x)\n{{\n    union {{\n        {from} x;\n        {to} y;\n    }} bits;\n    \
                 bits.x = x;\n    return bits.y;\n}}\n"
            )
        };
        if to.is_float() {
            let name =
                self.unit.helper(&format!("bits_to_{float_c}"), || body(&format!("bits_to_{float_c}"), int, float_c));
            Value::new(format!("{name}({})", value.text), Level::Primary, Sort::Float(to))
        } else {
            let name =
                self.unit.helper(&format!("{float_c}_to_bits"), || body(&format!("{float_c}_to_bits"), float_c, int));
            let sort = Sort::Int { width: bits, meaning: Meaning::Unsigned, bits, signed: false };
            Value::new(format!("{name}({})", value.text), Level::Primary, sort)
        }
    }

    /// Out of range there is no result in C; the program has that of x86.
    pub fn float_to_int(&self, value: &Value, width: u32, is_signed: bool) -> Value {
        let Sort::Float(ty) = value.sort else { return value.clone() };
        let data_model = self.unit.program.data_model;
        let float = float_name(ty);
        let bits = container(width).max(32);
        let int = int_name(data_model, bits, is_signed);
        let sign = if is_signed { "int" } else { "uint" };
        let name = format!("{}_to_{sign}{width}", float.trim_start_matches('_').replace(' ', "_"));
        let power = |exponent: u32| format!("{:?}", 2f64.powi(exponent as i32));
        let helper = self.unit.helper(&name, || {
            let body = if is_signed {
                let (low, high) = (power(width - 1), power(width - 1));
                // Below 32 bits what does not fit is 0, else the lowest number.
                match width < 32 {
                    true => format!("    return x > -{low} - 1 && x < {high} ? ({int})x : 0;\n"),
                    false => {
                        let lowest = self.unit.numbers.signed(&self.unit.numbers.literal(width, 1 << (width - 1)));
                        format!("    return x >= -{low} && x < {high} ? ({int})x : {};\n", lowest.at(Level::Or))
                    }
                }
            } else {
                let wide = 64.max(width);
                let signed = int_name(data_model, container(wide), true);
                let (fits, high) = (power(width), power(wide - 1));
                let outside = self.unit.numbers.written_as(mask(1 << 63, width), bits);
                format!(
                    "    if (x > -1 && x < {fits})\n        return ({int})x;\n    \
                     if (x >= -{high} && x < {high})\n        return ({int})({signed})x;\n    return {outside};\n"
                )
            };
            format!("static {int} {name}({float} x)\n{{\n{body}}}\n")
        });
        // A negative number that wraps has bits above an odd width.
        let meaning = match (is_signed, bits == width) {
            (true, _) => Meaning::Signed,
            (false, true) => Meaning::Unsigned,
            (false, false) => Meaning::Loose,
        };
        let sort = Sort::Int { width, meaning, bits, signed: is_signed };
        Value::new(format!("{helper}({})", value.text), Level::Primary, sort)
    }

    pub fn bit_helper(&self, op: UnOp, width: u32, value: &Value) -> Value {
        let numbers = self.unit.numbers;
        let bits = container(width).max(32);
        let int = int_name(self.unit.program.data_model, bits, false);
        let value = numbers.unsigned(value);
        let kind = match op {
            UnOp::PopCount => "count_ones",
            UnOp::LeadingZeros => "leading_zeros",
            UnOp::TrailingZeros => "trailing_zeros",
            UnOp::ByteSwap => "swap_bytes",
            _ => "reverse_bits",
        };
        let name = format!("{kind}_{width}");
        let one = numbers.written_as(1, bits);
        let helper = self.unit.helper(&name, || {
            let top = numbers.written_as(1 << (width - 1), bits);
            let body = match op {
                UnOp::PopCount => format!(
                    "    {int} count = 0;\n    for (int i = 0; i < {width}; i++)\n        count += x >> i & {one};\n    return count;\n"
                ),
                UnOp::LeadingZeros => format!(
                    "    {int} count = 0;\n    while (count < {width} && !(x & {top} >> count))\n        count++;\n    return count;\n"
                ),
                UnOp::TrailingZeros => format!(
                    "    {int} count = 0;\n    while (count < {width} && !(x >> count & {one}))\n        count++;\n    return count;\n"
                ),
                UnOp::ByteSwap => format!(
                    "    {int} swapped = 0;\n    for (int i = 0; i < {width}; i += 8)\n        swapped = swapped << 8 | (x >> i & 255);\n    return swapped;\n"
                ),
                _ => format!(
                    "    {int} reversed = 0;\n    for (int i = 0; i < {width}; i++)\n        reversed = reversed << 1 | (x >> i & {one});\n    return reversed;\n"
                ),
            };
            format!("static {int} {name}({int} x)\n{{\n{body}}}\n")
        });
        let sort = Sort::Int { width, meaning: Meaning::Unsigned, bits, signed: false };
        Value::new(format!("{helper}({})", value.text), Level::Primary, sort)
    }

    /// A function that reads a number of an odd width from memory.
    pub fn load_bytes(&self, address: &str, width: u32) -> Value {
        let bits = container(width).max(32);
        let int = int_name(self.unit.program.data_model, bits, false);
        let name = format!("load_{width}");
        let helper = self.unit.helper(&name, || {
            let bytes: Vec<String> =
                (0..width.div_ceil(8)).map(|i| format!("({int})bytes[{i}] << {}", 8 * i)).collect();
            format!(
                "static {int} {name}(const void *at)\n{{\n    const unsigned char *bytes = at;\n    return {};\n}}\n",
                bytes.join(" | ")
            )
        });
        let sort = Sort::Int { width, meaning: Meaning::Loose, bits, signed: false };
        Value::new(format!("{helper}({address})"), Level::Primary, sort)
    }

    pub fn store_bytes(&self, address: &str, width: u32, value: &Value) -> String {
        let bits = container(width).max(32);
        let int = int_name(self.unit.program.data_model, bits, false);
        let name = format!("store_{width}");
        let helper = self.unit.helper(&name, || {
            let lines: Vec<String> = (0..width.div_ceil(8))
                .map(|i| format!("    bytes[{i}] = (unsigned char)(x >> {});\n", 8 * i))
                .collect();
            format!("static void {name}(void *at, {int} x)\n{{\n    unsigned char *bytes = at;\n{}}}\n", lines.concat())
        });
        format!("{helper}({address}, {});", self.unit.numbers.unsigned(value).text)
    }

    /// Any value of a type.
    pub fn any(&self, ctype: &CType, width: u32) -> String {
        let data_model = self.unit.program.data_model;
        let (c, name) = match ctype {
            CType::Bool => ("_Bool", "bool".to_string()),
            CType::Int { bits, signed } => {
                let c = int_name(data_model, *bits, *signed);
                // `ulonglong`, `int128`
                (c, c.replace("unsigned ", "u").replace([' ', '_'], ""))
            }
            CType::Float(ty @ (Ty::F32 | Ty::F64)) => (float_name(*ty), float_name(*ty).to_string()),
            CType::Float(_) => {
                self.fail("an input wider than `double`");
                ("double", "double".to_string())
            }
            CType::Pointer(_) => ("void *", "pointer".to_string()),
        };
        let space = if c.ends_with('*') { "" } else { " " };
        self.unit.declare(&format!("extern {c}{space}__VERIFIER_nondet_{name}(void);"));
        match ctype {
            CType::Int { bits, .. } if *bits != width => {
                let ones = self.unit.numbers.written_as(mask(u128::MAX, width), *bits);
                format!("__VERIFIER_nondet_{name}() & {ones}")
            }
            _ => format!("__VERIFIER_nondet_{name}()"),
        }
    }
}
