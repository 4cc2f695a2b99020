//! Static objects with what they hold at first.

use crate::thread::alignment;
use crate::types::{CType, byte_layout, leaf_type};
use crate::unit::Unit;
use ir::{Field, Init, InitValue, Layout, Object, ObjectId, Ty, eval};
use passes::ThreadId;
use std::collections::BTreeMap;

/// The bytes of an object at first: numbers as they are, addresses by what they point to.
struct Image<'a> {
    bytes: Vec<u8>,
    addresses: BTreeMap<u64, &'a Init>,
}

/// Strings up to this length are written as such.
const LONG_STRING: usize = 200;

impl Unit<'_> {
    /// The definition of an object, and statements for what no initialiser can say.
    pub fn define_object(&self, object: ObjectId, thread: Option<ThreadId>) -> (String, Vec<String>) {
        let data = &self.program.objects[object];
        let name = self.object(object, thread);
        let layout = self.object_layout(object);
        self.need_type(&layout);
        let declared = self.types.borrow().declare_layout(&layout, &qualified(data, &name), "");
        let align = alignment(data.align, &layout, self.program);
        let mut late = Vec::new();
        let mut text = format!("static {declared}{align}");
        if !data.init.is_empty() {
            let image = Image::new(self, data.size, &data.init);
            let mut initialiser = Initialiser { unit: self, image: &image, thread, missed: Vec::new() };
            if let Some(value) = initialiser.of(&layout, 0) {
                text += &format!(" = {value}");
            }
            for offset in std::mem::take(&mut initialiser.missed) {
                let value = initialiser.address(image.addresses[&offset]);
                late.push(format!("*(void **)((char *)&{name} + {offset}) = {value};"));
            }
        }
        (text + ";\n", late)
    }

    /// All objects that are used, also by the initialisers of others; definitions, and statements that complete them.
    pub fn define_objects(&self) -> (String, Vec<String>) {
        let mut defined = BTreeMap::new();
        let mut late = Vec::new();
        loop {
            let used: Vec<_> = self.used_objects.borrow().iter().copied().collect();
            let Some((object, thread)) = used.into_iter().find(|key| !defined.contains_key(key)) else { break };
            let (text, statements) = self.define_object(object, thread);
            defined.insert((object, thread), text);
            late.extend(statements);
        }
        (defined.into_values().collect(), late)
    }

    /// Declarations of objects whose addresses stand in the initialisers of others: these may come in any order.
    pub fn declare_objects(&self) -> String {
        let mut text = String::new();
        for (object, thread) in self.used_objects.borrow().iter() {
            let layout = self.object_layout(*object);
            let data = &self.program.objects[*object];
            let name = self.object_name(*object, *thread);
            // An object of a nameless structure cannot be declared twice.
            if matches!(layout, Layout::Struct { .. } | Layout::Union { .. }) || !self.pointed_to(*object) {
                continue;
            }
            let declared = self.types.borrow().declare_layout(&layout, &qualified(data, &name), "");
            text += &format!("static {declared};\n");
        }
        text
    }

    fn pointed_to(&self, target: ObjectId) -> bool {
        let used = self.used_objects.borrow();
        used.iter().any(|(object, _)| {
            let mut inits = self.program.objects[*object].init.iter();
            *object <= target && inits.any(|init| matches!(init.value, InitValue::Object(to, _) if to == target))
        })
    }
}

impl<'a> Image<'a> {
    fn new(unit: &Unit, size: u64, inits: &'a [Init]) -> Self {
        let mut image = Image { bytes: vec![0; size as usize], addresses: BTreeMap::new() };
        for init in inits {
            let at = init.offset as usize;
            match &init.value {
                InitValue::Scalar(ty, bits) => {
                    let length = unit.program.size_of(*ty) as usize;
                    image.bytes[at..at + length].copy_from_slice(&bits.to_le_bytes()[..length]);
                }
                InitValue::Bytes(bytes) => image.bytes[at..at + bytes.len()].copy_from_slice(bytes),
                InitValue::Object(..) | InitValue::Function(_) => _ = image.addresses.insert(init.offset, init),
            }
        }
        image
    }

    fn is_zero(&self, at: u64, length: u64) -> bool {
        self.addresses.range(at..at + length).next().is_none()
            && self.bytes[at as usize..(at + length) as usize].iter().all(|byte| *byte == 0)
    }

    fn number(&self, at: u64, length: u64) -> u128 {
        let bytes = &self.bytes[at as usize..(at + length) as usize];
        bytes.iter().rev().fold(0, |number, byte| number << 8 | u128::from(*byte))
    }
}

struct Initialiser<'s, 'a> {
    unit: &'s Unit<'a>,
    image: &'s Image<'s>,
    thread: Option<ThreadId>,
    /// Addresses that stand where C has no pointer.
    missed: Vec<u64>,
}

impl Initialiser<'_, '_> {
    /// The initialiser of the part of the given layout at an offset; nothing if it is all zero.
    fn of(&mut self, layout: &Layout, at: u64) -> Option<String> {
        let unit = self.unit;
        let size = layout.size(unit.program);
        if self.image.is_zero(at, size) {
            return None;
        }
        match layout {
            Layout::Scalar { .. } => {
                if self.miss(at, size) {
                    return None;
                }
                Some(self.scalar(&leaf_type(layout)?, self.image.number(at, size)))
            }
            Layout::Pointer(_) => match self.image.addresses.get(&at) {
                Some(init) => Some(self.address(init)),
                None => {
                    let number = unit.numbers.written_as(self.image.number(at, size), size as u32 * 8);
                    Some(format!("(void *){number}"))
                }
            },
            Layout::Bytes(_) => self.array(&byte_layout(), size, at),
            Layout::Array { element, count } => self.array(element, *count, at),
            Layout::Struct { fields, .. } => {
                let part =
                    |field: &Field| Some(format!(".{} = {}", field.name, self.of(&field.layout, at + field.offset)?));
                braces(fields.iter().filter_map(part).collect())
            }
            Layout::Union { fields, .. } => {
                // The member that covers everything that is not zero, preferably one with a pointer where an address is.
                let covers = |length: u64| self.image.is_zero(at + length, size - length);
                let covering = fields.iter().filter(|field| covers(field.layout.size(unit.program)));
                let values = covering.filter_map(|field| {
                    let mut inner = Initialiser { unit, image: self.image, thread: self.thread, missed: Vec::new() };
                    let value = inner.of(&field.layout, at)?;
                    Some((format!("{{ .{} = {value} }}", field.name), inner.missed))
                });
                let Some((text, missed)) = values.min_by_key(|(_, missed)| missed.len()) else {
                    self.miss(at, size);
                    return None;
                };
                self.missed.extend(missed);
                Some(text)
            }
            Layout::Named(id) => self.of(unit.named(*id), at),
        }
    }

    /// Notes addresses among these bytes, which only a statement can put there.
    fn miss(&mut self, at: u64, size: u64) -> bool {
        let found: Vec<u64> = self.image.addresses.range(at..at + size).map(|(offset, _)| *offset).collect();
        self.missed.extend(&found);
        !found.is_empty()
    }

    fn array(&mut self, element: &Layout, count: u64, at: u64) -> Option<String> {
        let stride = element.size(self.unit.program);
        if matches!(element, Layout::Scalar { ty: Ty::Int(8), .. })
            && let Some(text) = self.string(at, count)
        {
            return Some(text);
        }
        let mut parts = Vec::new();
        let mut expected = 0;
        for i in 0..count {
            if let Some(value) = self.of(element, at + i * stride) {
                parts.push(if i == expected { value } else { format!("[{i}] = {value}") });
                expected = i + 1;
            }
        }
        braces(parts)
    }

    /// Characters that end in a zero.
    fn string(&self, at: u64, count: u64) -> Option<String> {
        let bytes = &self.image.bytes[at as usize..(at + count) as usize];
        let end = bytes.iter().rposition(|byte| *byte != 0)? + 1;
        let printable = |byte: &u8| (0x20..0x7f).contains(byte) || *byte == b'\n' || *byte == b'\t';
        let fits = end < bytes.len() && end <= LONG_STRING && bytes[..end].iter().all(printable);
        if !fits || self.image.addresses.range(at..at + count).next().is_some() {
            return None;
        }
        // Rust escapes as C does, but for what could be a trigraph.
        let text: String = bytes[..end].iter().map(|byte| char::from(*byte)).collect();
        Some(format!("{text:?}").replace('?', "\\?"))
    }

    fn scalar(&self, ctype: &CType, bits: u128) -> String {
        match ctype {
            CType::Int { bits: width, signed } => {
                self.unit.numbers.by_sign(&self.unit.numbers.literal(*width, bits), *signed).text
            }
            CType::Float(ty) => {
                let double = eval::to_double(*ty, bits);
                if !double.is_finite() {
                    let name = if double.is_nan() { "__builtin_nan(\"\")" } else { "__builtin_inf()" };
                    return format!("{}{name}", if double.is_sign_negative() { "-" } else { "" });
                }
                if eval::from_double(*ty, double) != bits {
                    self.unit.fail(base::Pos::NONE, "a floating-point constant that has no name in C");
                }
                match ty {
                    Ty::F32 => format!("{:?}f", f32::from_bits(bits as u32)),
                    _ => format!("{double:?}"),
                }
            }
            CType::Bool | CType::Pointer(_) => bits.to_string(),
        }
    }

    /// An address that is known when the program is linked.
    fn address(&self, init: &Init) -> String {
        match &init.value {
            InitValue::Function(func) => format!("(void *)&{}", self.unit.function(*func)),
            InitValue::Object(object, offset) => {
                let name = self.unit.object(*object, self.thread);
                match offset {
                    0 => format!("(void *)&{name}"),
                    _ => format!("(void *)((char *)&{name} + {offset})"),
                }
            }
            InitValue::Scalar(..) | InitValue::Bytes(_) => "0".into(),
        }
    }
}

/// The name in the declaration of what may be constant: there, and not in front, it is about the object itself, not about
/// what a pointer in it points to.
fn qualified(object: &Object, name: &str) -> String {
    if object.constant { format!("const {name}") } else { name.to_string() }
}

fn braces(parts: Vec<String>) -> Option<String> {
    (!parts.is_empty()).then(|| format!("{{ {} }}", parts.join(", ")))
}
