//! Sizes, offsets and scalar parts of LLVM types, by the module's data layout.

use base::IdVec;
use ir::{DataModel, Field, Layout, Ty};
use llvm::{FloatKind, Type, TypeId};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// More scalar parts than this are not kept in registers.
const MAX_LEAVES: usize = 512;

/// What the `target datalayout` line says, as far as C needs it.
#[derive(Clone, Debug)]
pub struct DataLayout {
    pub data_model: DataModel,
    /// ABI alignment in bytes by width in bits.
    ints: BTreeMap<u32, u64>,
    floats: BTreeMap<u32, u64>,
}

impl DataLayout {
    /// Reads the specification; without one LLVM's defaults hold.  Fails for what is neither 32- nor 64-bit little endian.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut layout = DataLayout {
            data_model: DataModel::Lp64,
            ints: BTreeMap::from([(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)]),
            floats: BTreeMap::from([(16, 2), (32, 4), (64, 8), (80, 16), (128, 16)]),
        };
        for part in text.split('-') {
            let mut fields = part.split(':');
            let Some(head) = fields.next() else { continue };
            let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok());
            match head.as_bytes().first() {
                Some(b'E') => return Err("the target is big endian".to_string()),
                Some(b'p') if head == "p" || head == "p0" => match number(fields.next()) {
                    Some(32) => layout.data_model = DataModel::Ilp32,
                    Some(64) => layout.data_model = DataModel::Lp64,
                    _ => return Err("pointers of the target are neither 32 nor 64 bits wide".to_string()),
                },
                Some(kind @ (b'i' | b'f')) => {
                    let (Some(width), Some(align)) = (number(head.get(1..)), number(fields.next())) else { continue };
                    let table = if *kind == b'i' { &mut layout.ints } else { &mut layout.floats };
                    table.insert(width, u64::from(align / 8).max(1));
                }
                _ => (),
            }
        }
        Ok(layout)
    }

    fn int_align(&self, bits: u32) -> u64 {
        // A width without entry takes the next wider one's, and the widest one's if there is none.
        let found = self.ints.range(bits..).next().or(self.ints.last_key_value());
        found.map_or(1, |(_, align)| *align)
    }
}

/// One scalar part of a value: where it lies in memory, and its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub offset: u64,
    pub ty: Ty,
}

/// The types of a module with their sizes.
pub struct TypeTable<'m> {
    pub types: &'m llvm::Types,
    pub layout: DataLayout,
    /// Size with padding and alignment, by type.
    sizes: RefCell<IdVec<TypeId, Option<(u64, u64)>>>,
}

pub fn round_up(value: u64, align: u64) -> u64 {
    if align <= 1 { value } else { value.div_ceil(align).saturating_mul(align) }
}

/// Are addresses in this space no ordinary ones?  To x86 they count from the start of a segment that differs between threads, or
/// have 32 or 64 bits whatever others have; all other numbers mean nothing to it.
pub fn is_apart(addrspace: u32) -> bool {
    matches!(addrspace, 256..=258 | 270..=272)
}

/// An alignment as it must be, whatever a module says.
pub fn sane_align(align: u64) -> u64 {
    align.clamp(1, 1 << 32).next_power_of_two()
}

impl<'m> TypeTable<'m> {
    pub fn new(types: &'m llvm::Types, layout: DataLayout) -> Self {
        TypeTable { types, layout, sizes: RefCell::new(types.table(None)) }
    }

    pub fn pointer_bytes(&self) -> u64 {
        self.layout.data_model.pointer_bytes()
    }

    /// Distance between two elements of an array of the type.
    pub fn size(&self, ty: TypeId) -> u64 {
        self.size_align(ty).0
    }

    pub fn align(&self, ty: TypeId) -> u64 {
        self.size_align(ty).1
    }

    fn size_align(&self, ty: TypeId) -> (u64, u64) {
        if let Some(known) = self.sizes.borrow()[ty] {
            return known;
        }
        let computed = self.compute(ty);
        self.sizes.borrow_mut()[ty] = Some(computed);
        computed
    }

    fn compute(&self, ty: TypeId) -> (u64, u64) {
        let scalar = |bits: u32, align: u64| (round_up(u64::from(bits.div_ceil(8)), align), align);
        match self.types.get(ty) {
            Type::Int(bits) => scalar(*bits, self.layout.int_align(*bits)),
            Type::Float(kind) => scalar(kind.bits(), self.layout.floats.get(&kind.bits()).copied().unwrap_or(1)),
            Type::Ptr { addrspace: 270 | 271 } => (4, 4),
            Type::Ptr { addrspace: 272 } => (8, 8),
            Type::Ptr { .. } => (self.pointer_bytes(), self.pointer_bytes()),
            Type::Array { len, elem } => {
                let (size, align) = self.size_align(*elem);
                (size.saturating_mul(*len), align)
            }
            Type::Vector { len, elem, .. } => {
                let bytes = self.vector_bits(*elem).saturating_mul(*len).div_ceil(8);
                let align = bytes.checked_next_power_of_two().unwrap_or(1).max(1);
                (round_up(bytes, align), align)
            }
            Type::Struct { .. } | Type::Named(_) => {
                let fields = self.fields(ty).unwrap_or_default();
                let packed = self.types.struct_fields(ty).is_some_and(|(_, packed)| packed);
                let widest = fields.iter().map(|(_, field)| if packed { 1 } else { self.align(*field) }).max();
                let end = fields.last().map_or(0, |(at, last)| at.saturating_add(self.size(*last)));
                (round_up(end, widest.unwrap_or(1)), widest.unwrap_or(1))
            }
            Type::X86Mmx => (8, 8),
            Type::X86Amx => (1024, 64),
            Type::Void | Type::Function { .. } | Type::Label | Type::Metadata | Type::Token | Type::Target(_) => (0, 1),
        }
    }

    fn vector_bits(&self, elem: TypeId) -> u64 {
        match self.types.get(elem) {
            Type::Int(bits) => u64::from(*bits),
            Type::Float(kind) => u64::from(kind.bits()),
            _ => self.pointer_bytes() * 8,
        }
    }

    /// The fields of a struct with their byte offsets.
    pub fn fields(&self, ty: TypeId) -> Option<Vec<(u64, TypeId)>> {
        let (fields, packed) = self.types.struct_fields(ty)?;
        let mut end = 0u64;
        let place = |field: &TypeId| {
            let (size, align) = self.size_align(*field);
            let at = round_up(end, if packed { 1 } else { align });
            end = at.saturating_add(size);
            (at, *field)
        };
        Some(fields.iter().map(place).collect())
    }

    /// Byte offset of a part of an array, vector or struct.
    pub fn offset(&self, ty: TypeId, index: u64) -> u64 {
        match self.types.get(ty) {
            Type::Array { elem, .. } => self.size(*elem).saturating_mul(index),
            Type::Vector { elem, .. } => (self.vector_bits(*elem) / 8).saturating_mul(index),
            _ => self.fields(ty).and_then(|fields| fields.get(index as usize).map(|(at, _)| *at)).unwrap_or(0),
        }
    }

    /// The register type of a scalar; none for aggregates and for scalars that are not supported.
    pub fn scalar(&self, ty: TypeId) -> Option<Ty> {
        Some(match self.types.get(ty) {
            Type::Int(bits) if *bits <= 128 => Ty::Int(*bits as u8),
            Type::Float(FloatKind::Float) => Ty::F32,
            Type::Float(FloatKind::Double) => Ty::F64,
            Type::Float(FloatKind::X86Fp80) => Ty::F80,
            Type::Float(FloatKind::Fp128) => Ty::F128,
            Type::Ptr { addrspace } if !is_apart(*addrspace) => Ty::Ptr,
            _ => return None,
        })
    }

    /// All scalar parts of a value of the type in order; none if some are not supported or there are very many.
    pub fn leaves(&self, ty: TypeId) -> Option<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.collect(ty, 0, &mut leaves)?;
        Some(leaves)
    }

    fn collect(&self, ty: TypeId, base: u64, out: &mut Vec<Leaf>) -> Option<()> {
        if let Some(ty) = self.scalar(ty) {
            out.push(Leaf { offset: base, ty });
            return (out.len() <= MAX_LEAVES).then_some(());
        }
        let parts: Vec<(u64, TypeId)> = match self.types.get(ty) {
            // Elements of a vector lie bit by bit, so only whole bytes can be accessed one by one.
            Type::Array { len, elem } | Type::Vector { len, elem, scalable: false } => {
                let count = Some(*len).filter(|len| *len <= MAX_LEAVES as u64)?;
                (0..count).map(|i| (self.offset(ty, i), *elem)).collect()
            }
            Type::Void => return Some(()),
            _ => self.fields(ty).filter(|fields| fields.len() <= MAX_LEAVES)?,
        };
        parts.into_iter().try_for_each(|(at, part)| self.collect(part, base.saturating_add(at), out))
    }

    /// Is there an array of no elements in it, which may have some elsewhere?
    pub fn has_open_array(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array { len, elem } => *len == 0 || self.has_open_array(*elem),
            _ => self.fields(ty).is_some_and(|fields| fields.iter().any(|(_, part)| self.has_open_array(*part))),
        }
    }

    /// Number of scalar parts of a value of the type.
    pub fn leaf_count(&self, ty: TypeId) -> Option<usize> {
        if self.scalar(ty).is_some() { Some(1) } else { self.leaves(ty).map(|leaves| leaves.len()) }
    }

    /// Can the parts of the value be accessed in memory one by one?
    pub fn in_whole_bytes(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Vector { elem, .. } => self.vector_bits(*elem).is_multiple_of(8),
            _ => true,
        }
    }

    /// The range of leaves that the part at `path` covers, and its type.
    pub fn part(&self, ty: TypeId, path: &[u32]) -> Option<(usize, TypeId)> {
        let (mut at, mut ty) = (0, ty);
        for step in path {
            match self.types.get(ty) {
                Type::Array { elem, len } | Type::Vector { elem, len, .. } => {
                    if u64::from(*step) >= *len {
                        return None;
                    }
                    at += self.leaf_count(*elem)? * *step as usize;
                    ty = *elem;
                }
                _ => {
                    let (fields, _) = self.types.struct_fields(ty)?;
                    for field in fields.get(..*step as usize)? {
                        at += self.leaf_count(*field)?;
                    }
                    ty = *fields.get(*step as usize)?;
                }
            }
        }
        Some((at, ty))
    }

    /// A layout from the LLVM type alone, where there is no debug information.  Fields have numbers for names.
    pub fn plain_layout(&self, ty: TypeId) -> Layout {
        self.plain(ty, 16)
    }

    fn plain(&self, ty: TypeId, depth: u32) -> Layout {
        let size = self.size(ty);
        if depth == 0 {
            return Layout::Bytes(size);
        }
        match self.types.get(ty) {
            Type::Ptr { addrspace } if !is_apart(*addrspace) => Layout::Pointer(None),
            Type::Array { len, elem } => Layout::Array { element: Box::new(self.plain(*elem, depth - 1)), count: *len },
            Type::Vector { len, elem, .. } if self.size(*elem).checked_mul(*len) == Some(size) => {
                Layout::Array { element: Box::new(self.plain(*elem, depth - 1)), count: *len }
            }
            Type::Struct { .. } | Type::Named(_) => {
                let Some(fields) = self.fields(ty) else { return Layout::Bytes(size) };
                let field = |(i, (offset, field))| Field {
                    name: format!("f{i}"),
                    offset,
                    layout: self.plain(field, depth - 1),
                };
                Layout::Struct { size, fields: fields.into_iter().enumerate().map(field).collect() }
            }
            _ => match self.scalar(ty) {
                Some(ty) => Layout::Scalar { ty, unsigned: false },
                None => Layout::Bytes(size),
            },
        }
    }
}
