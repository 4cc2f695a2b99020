//! What C has no operator for: small functions, printed only where they are used; floats by the C library's functions.

use crate::scope::Scope;
use crate::types::{CType, container, float_name, int_name};
use crate::value::{Level, Meaning, Sort, Value};
use ir::{Ty, UnOp, eval, mask};

impl Scope<'_> {
    /// A constant, exactly.
    pub fn float_literal(&self, ty: Ty, bits: u128) -> Value {
        let sort = Sort::Float(ty);
        let plain = |text: String| {
            let level = if text.starts_with('-') { Level::Unary } else { Level::Primary };
            Value::new(text, level, sort.clone())
        };
        let double = eval::to_double(ty, bits);
        match ty {
            Ty::F32 if f32::from_bits(bits as u32).is_finite() => plain(format!("{:?}f", f32::from_bits(bits as u32))),
            Ty::F64 if double.is_finite() => plain(format!("{double:?}")),
            Ty::F32 => self.same_bits(&self.unit.numbers.literal(32, bits), ty),
            Ty::F64 => self.same_bits(&self.unit.numbers.literal(64, bits), ty),
            _ if double.is_finite() && eval::from_double(ty, double) == bits => {
                let inner = self.float_literal(Ty::F64, u128::from(double.to_bits()));
                inner.after(&format!("({})", float_name(ty)), sort)
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
        Value::call(&format!("{name}{suffix}"), &args.join(", "), Sort::Float(ty))
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
        let (name, from, to, sort) = match to.is_float() {
            true => (format!("bits_to_{float_c}"), int, float_c, Sort::Float(to)),
            false => (format!("{float_c}_to_bits"), float_c, int, Sort::wrapping(bits, bits, false)),
        };
        self.unit.helper(&name, || {
            format!(
                "static {to} {name}({from} x)\n{{\n    union {{\n        {from} x;\n        {to} y;\n    }} bits;\n    \
                 bits.x = x;\n    return bits.y;\n}}\n"
            )
        });
        Value::call(&name, &value.text, sort)
    }

    /// Out of range there is no result in C; the program has that of x86.
    pub fn float_to_int(&self, value: &Value, width: u32, is_signed: bool) -> Value {
        let Sort::Float(ty) = value.sort else { return value.clone() };
        let data_model = self.unit.program.data_model;
        let float = float_name(ty);
        let bits = self.unit.numbers.arithmetic_bits(width);
        let int = int_name(data_model, bits, is_signed);
        let sign = if is_signed { "int" } else { "uint" };
        let name = format!("{}_to_{sign}{width}", float.trim_start_matches('_').replace(' ', "_"));
        let power = |exponent: u32| format!("{:?}", 2f64.powi(exponent as i32));
        self.unit.helper(&name, || {
            let body = if is_signed {
                let high = power(width - 1);
                // Below 32 bits what does not fit is 0, else the lowest number.
                match width < 32 {
                    true => format!("    return x > -{high} - 1 && x < {high} ? ({int})x : 0;\n"),
                    false => {
                        let lowest = self.unit.numbers.signed(&self.unit.numbers.literal(width, 1 << (width - 1)));
                        format!("    return x >= -{high} && x < {high} ? ({int})x : {};\n", lowest.at(Level::Or))
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
        let sort = match is_signed {
            true => Sort::Int { width, meaning: Meaning::Signed, bits, signed: true },
            // A negative number that wraps has bits above an odd width.
            false => Sort::wrapping(width, bits, false),
        };
        Value::call(&name, &value.text, sort)
    }

    /// The bits and the name of the type in which unsigned numbers of this width are computed.
    fn unsigned_type(&self, width: u32) -> (u32, &'static str) {
        let bits = self.unit.numbers.arithmetic_bits(width);
        (bits, int_name(self.unit.program.data_model, bits, false))
    }

    pub fn bit_helper(&self, op: UnOp, width: u32, value: &Value) -> Value {
        let numbers = self.unit.numbers;
        let (bits, int) = self.unsigned_type(width);
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
        self.unit.helper(&name, || {
            let top = numbers.written_as(1 << (width - 1), bits);
            let each = |step: &str| format!("for (int i = 0; i < {width}; {step})");
            let (res, head, body) = match op {
                UnOp::PopCount => ("count", each("i++"), format!("count += x >> i & {one}")),
                UnOp::LeadingZeros => {
                    ("count", format!("while (count < {width} && !(x & {top} >> count))"), "count++".into())
                }
                UnOp::TrailingZeros => {
                    ("count", format!("while (count < {width} && !(x >> count & {one}))"), "count++".into())
                }
                UnOp::ByteSwap => ("swapped", each("i += 8"), "swapped = swapped << 8 | (x >> i & 255)".into()),
                _ => ("reversed", each("i++"), format!("reversed = reversed << 1 | (x >> i & {one})")),
            };
            format!(
                "static {int} {name}({int} x)\n{{\n    {int} {res} = 0;\n    {head}\n        {body};\n    return {res};\n}}\n"
            )
        });
        let sort = Sort::Int { width, meaning: Meaning::Unsigned, bits, signed: false };
        Value::call(&name, &value.text, sort)
    }

    /// A function that reads a number of an odd width from memory.
    pub fn load_bytes(&self, address: &str, width: u32) -> Value {
        let (bits, int) = self.unsigned_type(width);
        let name = format!("load_{width}");
        self.unit.helper(&name, || {
            let bytes: Vec<String> =
                (0..width.div_ceil(8)).map(|i| format!("({int})bytes[{i}] << {}", 8 * i)).collect();
            format!(
                "static {int} {name}(const void *at)\n{{\n    const unsigned char *bytes = at;\n    return {};\n}}\n",
                bytes.join(" | ")
            )
        });
        Value::call(&name, address, Sort::Int { width, meaning: Meaning::Loose, bits, signed: false })
    }

    pub fn store_bytes(&self, address: &str, width: u32, value: &Value) -> String {
        let (_, int) = self.unsigned_type(width);
        let name = format!("store_{width}");
        self.unit.helper(&name, || {
            let lines: Vec<String> = (0..width.div_ceil(8))
                .map(|i| format!("    bytes[{i}] = (unsigned char)(x >> {});\n", 8 * i))
                .collect();
            format!("static void {name}(void *at, {int} x)\n{{\n    unsigned char *bytes = at;\n{}}}\n", lines.concat())
        });
        format!("{name}({address}, {});", self.unit.numbers.unsigned(value).text)
    }

    /// Any value of a type.
    pub fn any(&self, ctype: &CType, width: u32) -> String {
        let data_model = self.unit.program.data_model;
        let (c, name) = match ctype {
            CType::Bool => ("_Bool", "bool".into()),
            CType::Int { bits, signed } => {
                let c = int_name(data_model, *bits, *signed);
                // `unsigned long long` is `ulonglong`.
                (c, c.replace("unsigned ", "u").replace([' ', '_'], ""))
            }
            CType::Float(Ty::F32) => ("float", "float".into()),
            CType::Float(Ty::F64) => ("double", "double".into()),
            CType::Float(_) => {
                self.fail("an input wider than `double`");
                ("double", "double".into())
            }
            CType::Pointer(_) => ("void *", "pointer".into()),
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
