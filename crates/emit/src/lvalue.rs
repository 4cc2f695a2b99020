//! Addresses and what is there: `q.buf[i].next` where a layout gives a path, else casts and bytes.

use crate::scope::Scope;
use crate::types::{CType, byte_layout, char_layout, is_standard, leaf_type, shape};
use crate::value::{Level, Sort, Value};
use ir::{BinOp, CastOp, Expr, Layout, Ty, signed};

/// Something that can be read and written.
pub enum Lvalue {
    /// An expression of C.
    Direct { text: String, level: Level, ctype: CType },
    /// Bytes that only helper functions read and write, by their address.
    Bytes { address: String, width: u32 },
}

/// What an address starts from.
enum Base<'e> {
    /// A variable of C.
    Variable {
        name: String,
        layout: Layout,
        constant: bool,
    },
    Pointer(&'e Expr),
}

/// Where a path must end.
#[derive(Clone, Copy)]
enum Goal {
    /// At a number or pointer of this type.
    Leaf(Ty),
    /// At anything that begins there.
    Start,
}

struct Found {
    text: String,
    layout: Layout,
    /// Inside a packed structure, whose members have no ordinary addresses.
    packed: bool,
}

impl Scope<'_> {
    /// An address taken apart: what it starts from, a number of bytes, and what else is added.
    fn parts<'e>(&self, address: &'e Expr) -> (Base<'e>, i128, Vec<&'e Expr>) {
        let bits = u32::from(self.unit.program.data_model.pointer_bits());
        let mut at = address;
        let mut offset = 0;
        let mut terms = Vec::new();
        loop {
            match at {
                Expr::Bin(BinOp::PtrAdd, left, right) => {
                    match &**right {
                        Expr::Const(_, number) => offset += signed(*number, bits),
                        term => terms.insert(0, term),
                    }
                    at = left;
                }
                Expr::Object(object, more) => {
                    let name = self.unit.object(*object, Some(self.thread));
                    let constant = self.unit.program.objects[*object].constant;
                    let layout = self.unit.object_layout(*object);
                    return (Base::Variable { name, layout, constant }, offset + i128::from(*more), terms);
                }
                _ => {
                    let object = if let Expr::Reg(reg) = at { self.regs[*reg].object } else { None };
                    let base = object.map_or(Base::Pointer(at), |object| {
                        let (name, layout) = (self.objects[object].name.clone(), self.objects[object].layout.clone());
                        Base::Variable { name, layout, constant: false }
                    });
                    return (base, offset, terms);
                }
            }
        }
    }

    /// Is the address that of a constant?  Writing there ends the execution.
    pub fn is_constant(&self, address: &Expr) -> bool {
        matches!(self.parts(address).0, Base::Variable { constant: true, .. })
    }

    /// What is at the address, accessed as `ty`.
    pub fn place(&self, address: &Expr, ty: Ty) -> Lvalue {
        // A single bit takes a byte in memory.
        let in_memory = if ty == Ty::BOOL { Ty::Int(8) } else { ty };
        let (base, offset, terms) = self.parts(address);
        if let Some(found) = self.path(&base, offset, &terms, Goal::Leaf(in_memory))
            && let Some(ctype) = leaf_type(&found.layout)
        {
            let level = if found.text.starts_with('*') { Level::Unary } else { Level::Primary };
            return Lvalue::Direct { text: found.text, level, ctype };
        }
        if let Ty::Int(width) = in_memory
            && !is_standard(u32::from(width))
        {
            return Lvalue::Bytes { address: self.address(address).text, width: u32::from(width) };
        }
        let ctype = match in_memory {
            Ty::Int(bits) => CType::Int { bits: u32::from(bits), signed: ty != Ty::BOOL },
            Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => CType::Float(ty),
            Ty::Ptr => CType::Pointer(None),
        };
        let pointer = self.unit.types.borrow().declare(&ctype, "*");
        let address = self.bytes_address(&base, offset, &terms);
        Lvalue::Direct { text: format!("*({pointer}){}", address.at(Level::Unary)), level: Level::Unary, ctype }
    }

    /// An address as a value.
    pub fn address(&self, address: &Expr) -> Value {
        let (base, offset, terms) = self.parts(address);
        if let Base::Pointer(pointer) = &base
            && offset == 0
            && terms.is_empty()
        {
            return self.value(pointer);
        }
        let constant = matches!(base, Base::Variable { constant: true, .. });
        let Some(mut found) = self.path(&base, offset, &terms, Goal::Start).filter(|found| !found.packed) else {
            return self.bytes_address(&base, offset, &terms);
        };
        while let Layout::Array { element, .. } = found.layout {
            found = Found { text: found.text + "[0]", layout: *element, packed: found.packed };
        }
        let (text, to) = match &found.layout {
            Layout::Bytes(_) => (found.text.clone(), Some(byte_layout())),
            Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Named(_) => {
                (format!("&{}", found.text), Some(found.layout.clone()))
            }
            Layout::Array { .. } | Layout::Struct { .. } | Layout::Union { .. } => {
                (format!("(void *)&{}", found.text), None)
            }
        };
        let ctype = CType::Pointer(to);
        let text = match constant {
            // The program's pointers know nothing of constants.
            true => format!("({}){text}", self.unit.types.borrow().declare(&ctype, "")),
            false => text,
        };
        Value::variable(text, Level::Unary, &ctype, 0)
    }

    /// An address by counting bytes.
    fn bytes_address(&self, base: &Base, offset: i128, terms: &[&Expr]) -> Value {
        let (mut text, mut level) = match base {
            Base::Variable { name, layout, .. } => match layout {
                Layout::Array { .. } | Layout::Bytes(_) => (format!("(char *){name}"), Level::Unary),
                _ => {
                    self.unit.need_type(layout);
                    (format!("(char *)&{name}"), Level::Unary)
                }
            },
            Base::Pointer(pointer) => {
                let value = self.value(pointer);
                match &value.sort {
                    Sort::Pointer(Some(to)) if *to == char_layout() => {
                        (value.at(Level::Sum), value.level.max(Level::Sum))
                    }
                    _ => (format!("(char *){}", value.at(Level::Unary)), Level::Unary),
                }
            }
        };
        for term in terms {
            let term = self.unit.numbers.signed(&self.value(term));
            text = format!("{text} + {}", term.at(Level::Product));
            level = Level::Sum;
        }
        if offset != 0 {
            let sign = if offset < 0 { '-' } else { '+' };
            text = format!("{text} {sign} {}", offset.unsigned_abs());
            level = Level::Sum;
        }
        Value::new(text, level, Sort::Pointer(Some(char_layout())))
    }

    fn path(&self, base: &Base, offset: i128, terms: &[&Expr], goal: Goal) -> Option<Found> {
        let mut search = PathFinder { scope: self, goal, fuel: 300 };
        match base {
            Base::Variable { name, layout, .. } => {
                self.unit.need_type(layout);
                search.walk(layout, name.clone(), u64::try_from(offset).ok()?, terms, false)
            }
            Base::Pointer(pointer) => {
                let value = self.value(pointer);
                let Sort::Pointer(Some(layout)) = &value.sort else { return None };
                let stride = layout.size(self.unit.program);
                let pointer = value.at(Level::Primary);
                let offset = u64::try_from(offset).ok()?;
                let (text, rest, terms) = match terms.split_first() {
                    Some((first, others)) if offset < stride && self.index(first, stride).is_some() => {
                        (format!("{pointer}[{}]", self.index(first, stride)?), offset, others)
                    }
                    _ => {
                        let element = offset.checked_div(stride)?;
                        match (element, layout) {
                            (0, Layout::Named(_)) => (format!("{pointer}->"), offset, terms),
                            (0, _) => (format!("*{pointer}"), offset, terms),
                            _ => (format!("{pointer}[{element}]"), offset % stride, terms),
                        }
                    }
                };
                self.unit.need_type(layout);
                let mut found = search.walk(layout, text, rest, terms, false)?;
                found.text = found.text.replacen("->.", "->", 1);
                // The structure itself, not a member.
                if found.text.ends_with("->") {
                    found.text = format!("*{pointer}");
                }
                if let Some(bare) = found.text.strip_prefix('*')
                    && matches!(goal, Goal::Start)
                {
                    // `&*p` is `p`.
                    found.text = format!("{bare}[0]");
                }
                Some(found)
            }
        }
    }

    /// The index that a number of bytes is, in an array whose elements have `stride` bytes.
    fn index(&self, term: &Expr, stride: u64) -> Option<String> {
        let pointer_int = self.unit.program.pointer_int();
        let index = match term {
            _ if stride == 1 => term,
            Expr::Bin(BinOp::Mul, index, factor) if **factor == Expr::Const(pointer_int, u128::from(stride)) => index,
            _ => return None,
        };
        let index = match index {
            // An index of any type counts by its value.
            Expr::Cast(CastOp::SExt, _, inner) => self.unit.numbers.signed(&self.value(inner)),
            Expr::Cast(CastOp::ZExt, _, inner) => self.unit.numbers.unsigned(&self.value(inner)),
            _ => self.unit.numbers.signed(&self.value(index)),
        };
        Some(index.text)
    }
}

struct PathFinder<'s, 'a> {
    scope: &'s Scope<'a>,
    goal: Goal,
    /// Unions offer several ways, so the search is bounded: a missed path costs beauty only.
    fuel: u32,
}

impl PathFinder<'_, '_> {
    fn walk(&mut self, layout: &Layout, text: String, offset: u64, terms: &[&Expr], packed: bool) -> Option<Found> {
        self.fuel = self.fuel.checked_sub(1)?;
        let unit = self.scope.unit;
        if offset == 0 && terms.is_empty() && self.is_goal(layout) {
            return Some(Found { text, layout: layout.clone(), packed });
        }
        let structure = match layout {
            Layout::Named(id) => unit.named(*id),
            other => other,
        };
        match structure {
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
                let packed = packed || shape(unit.program, structure).packed;
                for field in fields {
                    let Some(inside) = offset.checked_sub(field.offset) else { continue };
                    let flexible = matches!(field.layout, Layout::Array { count: 0, .. });
                    if inside < field.layout.size(unit.program) || flexible {
                        let found = self.walk(&field.layout, format!("{text}.{}", field.name), inside, terms, packed);
                        if found.is_some() {
                            return found;
                        }
                    }
                }
                None
            }
            Layout::Array { element, count } => {
                let stride = element.size(unit.program);
                if let Some((first, others)) = terms.split_first()
                    && offset < stride
                    && let Some(index) = self.scope.index(first, stride)
                {
                    let found = self.walk(element, format!("{text}[{index}]"), offset, others, packed);
                    if found.is_some() {
                        return found;
                    }
                }
                let index = offset.checked_div(stride)?;
                if index >= *count && *count != 0 {
                    return None;
                }
                self.walk(element, format!("{text}[{index}]"), offset % stride, terms, packed)
            }
            Layout::Bytes(size) => {
                let is_byte = matches!(self.goal, Goal::Leaf(Ty::Int(8))) && terms.is_empty() && offset < *size;
                is_byte.then(|| Found { text: format!("{text}[{offset}]"), layout: byte_layout(), packed })
            }
            Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Named(_) => None,
        }
    }

    fn is_goal(&self, layout: &Layout) -> bool {
        match self.goal {
            Goal::Start => true,
            Goal::Leaf(Ty::Ptr) => matches!(layout, Layout::Pointer(_)),
            Goal::Leaf(wanted) => matches!(layout, Layout::Scalar { ty, .. } if *ty == wanted),
        }
    }
}
