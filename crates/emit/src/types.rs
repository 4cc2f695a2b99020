//! Types of C for the types and layouts of a program.
//!
//! The bytes of an object are what counts: a structure is printed so that every member has the offset its layout says, with
//! members for the gaps, packed where that is needed.  What C has no type for (numbers of 40 bits, x87 numbers, which have
//! other sizes in C) is an array of bytes, and its accesses go through casts or helper functions.  [`clean`] makes layouts of
//! this kind out of any; from there on a layout can be read as a type of C.

use crate::names;
use base::IdVec;
use ir::{DataModel, Field, Layout, LayoutId, Program, Ty};
use rustc_hash::FxHashSet;

/// The type of an expression or a variable in C.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CType {
    Bool,
    /// Of 8, 16, 32, 64 or 128 bits.
    Int {
        bits: u32,
        signed: bool,
    },
    Float(Ty),
    /// To a number, a pointer or a named structure; `void *` if to anything else.
    Pointer(Option<Layout>),
}

/// The bits of the smallest type of C that has room for a number of this width.
pub fn container(width: u32) -> u32 {
    width.next_power_of_two().max(8)
}

/// Has C an integer of exactly this width?
pub fn is_standard(width: u32) -> bool {
    matches!(width, 8 | 16 | 32 | 64 | 128)
}

/// `char`, whose pointers reach every byte.
pub fn char_layout() -> Layout {
    Layout::Scalar { ty: Ty::Int(8), unsigned: false }
}

/// `unsigned char`, as which bytes without a type are declared.
pub fn byte_layout() -> Layout {
    Layout::Scalar { ty: Ty::Int(8), unsigned: true }
}

pub fn int_name(data_model: DataModel, bits: u32, signed: bool) -> &'static str {
    match (bits, signed, data_model) {
        (8, true, _) => "char",
        (8, false, _) => "unsigned char",
        (16, true, _) => "short",
        (16, false, _) => "unsigned short",
        (32, true, _) => "int",
        (32, false, _) => "unsigned int",
        (64, true, DataModel::Lp64) => "long",
        (64, false, DataModel::Lp64) => "unsigned long",
        (64, true, DataModel::Ilp32) => "long long",
        (64, false, DataModel::Ilp32) => "unsigned long long",
        (_, true, _) => "__int128",
        (_, false, _) => "unsigned __int128",
    }
}

pub fn float_name(ty: Ty) -> &'static str {
    match ty {
        Ty::F32 => "float",
        Ty::F64 => "double",
        Ty::F80 => "long double",
        Ty::F128 => "__float128",
        Ty::Int(_) | Ty::Ptr => "",
    }
}

/// A layout that can be read as a type of C: of the same size, with members that do not overlap.
pub fn clean(program: &Program, layout: &Layout) -> Layout {
    match layout {
        Layout::Scalar { ty, unsigned } => match ty {
            Ty::Int(1) => byte_layout(),
            Ty::Int(bits) if is_standard(u32::from(*bits)) => Layout::Scalar { ty: *ty, unsigned: *unsigned },
            Ty::Int(_) | Ty::F80 => Layout::Bytes(program.size_of(*ty)),
            Ty::F32 | Ty::F64 | Ty::F128 => layout.clone(),
            Ty::Ptr => Layout::Pointer(None),
        },
        Layout::Pointer(to) => Layout::Pointer(to.as_deref().and_then(|to| pointee(program, to)).map(Box::new)),
        Layout::Array { element, count } => Layout::Array { element: Box::new(clean(program, element)), count: *count },
        Layout::Struct { size, fields } => {
            let mut end = 0;
            let mut sorted: Vec<&Field> = fields.iter().collect();
            sorted.sort_by_key(|field| field.offset);
            let fields = fields_of(program, &sorted, |field, length| {
                let fits = field.offset >= end && field.offset + length <= *size;
                if fits {
                    end = field.offset + length;
                }
                fits
            });
            Layout::Struct { size: *size, fields }
        }
        Layout::Union { size, fields } => {
            let sorted: Vec<&Field> = fields.iter().collect();
            let fields = fields_of(program, &sorted, |field, length| field.offset == 0 && length <= *size);
            Layout::Union { size: *size, fields }
        }
        Layout::Named(_) => match layout.resolve(program) {
            Layout::Struct { .. } | Layout::Union { .. } => layout.clone(),
            other => clean(program, other),
        },
        Layout::Bytes(_) => layout.clone(),
    }
}

fn fields_of(program: &Program, fields: &[&Field], mut fits: impl FnMut(&Field, u64) -> bool) -> Vec<Field> {
    let mut seen = FxHashSet::default();
    let mut kept = Vec::new();
    for field in fields {
        let layout = clean(program, &field.layout);
        let name = names::member(&field.name);
        if fits(field, layout.size(program)) && seen.insert(name.clone()) {
            kept.push(Field { name, offset: field.offset, layout });
        }
    }
    kept
}

/// What a pointer to something of this layout points to in C; `None` for `void *`.
pub fn pointee(program: &Program, layout: &Layout) -> Option<Layout> {
    match layout {
        Layout::Scalar { .. } | Layout::Pointer(_) => match clean(program, layout) {
            Layout::Bytes(_) => None,
            cleaned => Some(cleaned),
        },
        Layout::Array { element, .. } => pointee(program, element),
        Layout::Named(_) => match layout.resolve(program) {
            Layout::Struct { .. } | Layout::Union { .. } => Some(layout.clone()),
            other => pointee(program, other),
        },
        Layout::Struct { .. } | Layout::Union { .. } | Layout::Bytes(_) => None,
    }
}

/// How the members of a structure are placed.
pub struct Shape {
    pub packed: bool,
    pub align: u64,
    /// Bytes to fill before each field, and after the last.
    pub gaps: Vec<u64>,
}

/// The alignment C gives to something of this (clean) layout.
pub fn align_of(program: &Program, layout: &Layout) -> u64 {
    match layout {
        Layout::Scalar { .. } | Layout::Pointer(_) => {
            let size = layout.size(program);
            // The x86 of 32 bits aligns wide members to a word.
            match (program.data_model, layout) {
                (DataModel::Ilp32, Layout::Scalar { ty: Ty::Int(64) | Ty::F64, .. }) => 4,
                _ => size.max(1),
            }
        }
        Layout::Array { element, .. } => align_of(program, element),
        Layout::Struct { .. } | Layout::Union { .. } => shape(program, layout).align,
        Layout::Named(_) => align_of(program, &clean(program, layout.resolve(program))),
        Layout::Bytes(_) => 1,
    }
}

/// The shape of a clean structure or union.
pub fn shape(program: &Program, layout: &Layout) -> Shape {
    match layout {
        Layout::Struct { size, fields } => placed(program, *size, fields, false).unwrap_or_else(|| {
            let packed = placed(program, *size, fields, true);
            packed.unwrap_or(Shape { packed: true, align: 1, gaps: vec![0; fields.len() + 1] })
        }),
        Layout::Union { size, fields } => {
            let align = fields.iter().map(|field| align_of(program, &field.layout)).max().unwrap_or(1);
            let largest = fields.iter().map(|field| field.layout.size(program)).max().unwrap_or(0);
            let packed = size % align != 0;
            let align = if packed { 1 } else { align };
            // A member of bytes makes up for what the others do not cover.
            let missing = if largest.next_multiple_of(align) == *size { 0 } else { *size };
            Shape { packed, align, gaps: vec![missing] }
        }
        _ => Shape { packed: false, align: align_of(program, layout), gaps: Vec::new() },
    }
}

fn placed(program: &Program, size: u64, fields: &[Field], packed: bool) -> Option<Shape> {
    let mut at = 0;
    let mut align = 1;
    let mut gaps = Vec::new();
    for field in fields {
        let wanted = if packed { 1 } else { align_of(program, &field.layout) };
        align = align.max(wanted);
        if field.offset % wanted != 0 || field.offset < at {
            return None;
        }
        // The gap that C makes by itself needs no member.
        let natural = u64::next_multiple_of(at, wanted);
        gaps.push(if natural == field.offset { 0 } else { field.offset - at });
        at = field.offset + field.layout.size(program);
    }
    let natural = u64::next_multiple_of(at, align);
    gaps.push(if natural == size { 0 } else { size.checked_sub(at)? });
    size.is_multiple_of(align).then_some(Shape { packed, align, gaps })
}

/// Prints types, remembering the structures that must be defined.
pub struct Types<'a> {
    program: &'a Program,
    tags: IdVec<LayoutId, String>,
    /// Structures in the order of their definitions: those that others contain come first.
    pub needed: Vec<LayoutId>,
}

impl<'a> Types<'a> {
    pub fn new(program: &'a Program) -> Self {
        let mut names = names::unused();
        let tags = program.layouts.values().map(|named| names.fresh(&named.name)).collect();
        Types { program, tags, needed: Vec::new() }
    }

    /// `int x`, `struct node *p`; the type alone where there is no name.
    pub fn declare(&self, ctype: &CType, name: &str) -> String {
        match ctype {
            CType::Bool => join("_Bool", name),
            CType::Int { bits, signed } => join(int_name(self.program.data_model, *bits, *signed), name),
            CType::Float(ty) => join(float_name(*ty), name),
            CType::Pointer(to) => {
                let name = format!("*{name}");
                to.as_ref().map_or_else(|| join("void", &name), |to| self.declare_pointee(to, &name))
            }
        }
    }

    fn declare_pointee(&self, layout: &Layout, name: &str) -> String {
        match (layout, leaf_type(layout)) {
            (_, Some(leaf)) => self.declare(&leaf, name),
            (Layout::Named(id), None) => join(&self.tag(*id), name),
            (_, None) => join("void", name),
        }
    }

    fn tag(&self, id: LayoutId) -> String {
        format!("{} {}", keyword(Layout::Named(id).resolve(self.program)), self.tags[id])
    }

    /// Sees to it that the structures in the (clean) layout are defined.
    pub fn need(&mut self, layout: &Layout) {
        match layout {
            Layout::Named(id) if self.needed.contains(id) => (),
            Layout::Named(id) => {
                self.need(&clean(self.program, layout.resolve(self.program)));
                self.needed.push(*id);
            }
            Layout::Array { element, .. } => self.need(element),
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
                fields.iter().for_each(|field| self.need(&field.layout));
            }
            Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Bytes(_) => (),
        }
    }

    /// The declaration of a variable or a member of a clean layout; `indent` is that of the line.
    pub fn declare_layout(&self, layout: &Layout, name: &str, indent: &str) -> String {
        match layout {
            Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Named(_) => self.declare_pointee(layout, name),
            Layout::Array { element, count } => self.declare_layout(element, &format!("{name}[{count}]"), indent),
            Layout::Bytes(size) => format!("unsigned char {name}[{size}]"),
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
                join(&format!("{} {}", keyword(layout), self.body(layout, fields, indent)), name)
            }
        }
    }

    /// The definition of a named structure.
    pub fn define(&self, id: LayoutId) -> String {
        let layout = clean(self.program, Layout::Named(id).resolve(self.program));
        let (Layout::Struct { fields, .. } | Layout::Union { fields, .. }) = &layout else { return String::new() };
        format!("{} {};\n", self.tag(id), self.body(&layout, fields, ""))
    }

    fn body(&self, layout: &Layout, fields: &[Field], indent: &str) -> String {
        let shape = shape(self.program, layout);
        let inner = format!("{indent}    ");
        let mut lines = String::new();
        let gap = |lines: &mut String, bytes: u64, at: u64| {
            if bytes != 0 {
                lines.push_str(&format!("{inner}unsigned char gap_{at}[{bytes}];\n"));
            }
        };
        let mut end = 0;
        for (i, field) in fields.iter().enumerate() {
            if matches!(layout, Layout::Struct { .. }) {
                gap(&mut lines, shape.gaps[i], end);
            }
            lines.push_str(&format!("{inner}{};\n", self.declare_layout(&field.layout, &field.name, &inner)));
            end = field.offset + field.layout.size(self.program);
        }
        gap(&mut lines, shape.gaps.last().copied().unwrap_or(0), end);
        let packed = if shape.packed { " __attribute__((packed))" } else { "" };
        format!("{{\n{lines}{indent}}}{packed}")
    }

    /// Assertions that the compiler lays everything out as the program says; for tests.
    pub fn checks(&self) -> String {
        let mut text = String::new();
        for id in &self.needed {
            let layout = clean(self.program, Layout::Named(*id).resolve(self.program));
            let (tag, size) = (self.tag(*id), layout.size(self.program));
            text.push_str(&format!("_Static_assert(sizeof({tag}) == {size}, \"{tag}\");\n"));
            if let Layout::Struct { fields, .. } | Layout::Union { fields, .. } = &layout {
                for Field { name, offset, .. } in fields {
                    let place = format!("__builtin_offsetof({tag}, {name})");
                    text.push_str(&format!("_Static_assert({place} == {offset}, \"{tag}.{name}\");\n"));
                }
            }
        }
        text
    }
}

/// The type of a number or pointer of a clean layout; `None` if it is neither.
pub fn leaf_type(layout: &Layout) -> Option<CType> {
    match layout {
        Layout::Scalar { ty: Ty::Int(bits), unsigned } => {
            Some(CType::Int { bits: u32::from(*bits), signed: !unsigned })
        }
        Layout::Scalar { ty, .. } => Some(CType::Float(*ty)),
        Layout::Pointer(to) => Some(CType::Pointer(to.as_deref().cloned())),
        _ => None,
    }
}

fn keyword(layout: &Layout) -> &'static str {
    if matches!(layout, Layout::Union { .. }) { "union" } else { "struct" }
}

fn join(ty: &str, name: &str) -> String {
    if name.is_empty() { ty.to_string() } else { format!("{ty} {name}") }
}
