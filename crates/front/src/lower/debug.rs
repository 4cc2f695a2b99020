//! Positions and layouts from debug information.
//!
//! Records become named layouts.  They may refer to each other without end through pointers, so each gets its id first and
//! is filled in from a queue; recursion only follows pointers, arrays and typedefs, and those to a bounded depth.

use super::shared::Shared;
use base::{FileId, Pos};
use ir::{Field, Layout, LayoutId, NamedLayout, Ty};
use llvm::{DiType, MdId, Member};
use rustc_hash::FxHashMap;

/// Deepest nesting of pointers, arrays and typedefs that is followed.
const MAX_DEPTH: u32 = 24;
const MAX_DIMENSIONS: usize = 12;
/// Members of records within records that are compared, more or less.
const MAX_SHAPE: usize = 1000;

pub struct Debug<'m> {
    layouts: FxHashMap<MdId, Option<Layout>>,
    queue: Vec<(MdId, LayoutId)>,
    scopes: FxHashMap<MdId, Option<FileId>>,
    records: Option<Records<'m>>,
    module: &'m llvm::Module,
}

/// The records that are defined.
#[derive(Default)]
struct Records<'m> {
    /// By their tag, for types that only LLVM names; none where several have the same.
    tagged: FxHashMap<&'m str, Option<MdId>>,
    /// By their size in bits.
    sized: FxHashMap<u64, Vec<MdId>>,
}

/// What clang calls a type that may be accessed as anything.
const ANYTHING: &str = "omnipotent char";

/// What a copy of a record consists of.
#[derive(Default)]
struct Members {
    plain: Vec<CopiedMember>,
    /// Where bit-fields are.
    bits: Vec<u64>,
}

struct CopiedMember {
    at: u64,
    size: u64,
    /// None for arrays, unions and their like.
    kind: Option<Kind>,
}

#[derive(PartialEq)]
enum Kind {
    Number,
    Float,
    Pointer,
}

impl Kind {
    /// What clang calls a type so.
    fn told_as(name: &str) -> Self {
        match name {
            "float" | "double" | "long double" | "__float128" => Kind::Float,
            _ if name == "any pointer" || name.starts_with("p1 ") || name.starts_with("p2 ") => Kind::Pointer,
            _ => Kind::Number,
        }
    }
}

impl<'m> Debug<'m> {
    pub fn new(module: &'m llvm::Module) -> Self {
        Debug { layouts: FxHashMap::default(), queue: Vec::new(), scopes: FxHashMap::default(), records: None, module }
    }

    /// The position a `!dbg` attachment stands for.
    pub fn pos(&mut self, shared: &mut Shared, location: Option<MdId>) -> Pos {
        let Some(location) = location.and_then(|id| self.module.location(id)) else { return Pos::NONE };
        let Some(scope) = location.scope.filter(|_| location.line != 0) else { return Pos::NONE };
        let new = || self.module.file_of_scope(scope).map(|file| shared.file(&file));
        let file = *self.scopes.entry(scope).or_insert_with(new);
        file.map_or(Pos::NONE, |file| Pos::new(file, location.line, location.column))
    }

    /// The layout of a type; none for `void`, functions and what is not known.
    pub fn layout(&mut self, shared: &mut Shared, ty: Option<MdId>) -> Option<Layout> {
        let layout = self.build(shared, ty?, "", MAX_DEPTH);
        while let Some((record, id)) = self.queue.pop() {
            shared.program.layouts[id].layout = self.record(shared, record);
        }
        layout
    }

    /// The layout of the record that LLVM calls `struct.tag` or `union.tag`, if it is the only one with that tag and has
    /// the given size.
    pub fn tagged(&mut self, shared: &mut Shared, name: &str, size: u64) -> Option<Layout> {
        let tag = name.strip_prefix("struct.").or_else(|| name.strip_prefix("union."))?;
        let id = (*self.records().tagged.get(tag)?)?;
        match self.module.debug_type(id) {
            Some(DiType::Record { size: bits, .. }) if bits == size.saturating_mul(8) => self.layout(shared, Some(id)),
            _ => None,
        }
    }

    fn records(&mut self) -> &Records<'m> {
        let module = self.module;
        self.records.get_or_insert_with(|| {
            let mut records = Records::default();
            for id in module.metadata.ids() {
                if let Some(DiType::Record { name, size, declaration: false, .. }) = module.debug_type(id) {
                    records.tagged.entry(name).and_modify(|known| *known = None).or_insert(Some(id));
                    records.sized.entry(size).or_default().push(id);
                }
            }
            records
        })
    }

    /// The layouts of the records of this size that have the members that a copy tells.
    pub fn copied(&mut self, shared: &mut Shared, told: &[(u64, u64, &str)], size: u64) -> Vec<Layout> {
        let records = self.records().sized.get(&size.saturating_mul(8)).cloned().unwrap_or_default();
        let fits = |sure: bool| -> Vec<MdId> {
            records.iter().copied().filter(|id| self.has_members(*id, size, told, sure)).collect()
        };
        let sure = fits(true);
        let found = if sure.is_empty() { fits(false) } else { sure };
        found.into_iter().filter_map(|id| self.layout(shared, Some(id))).collect()
    }

    /// Would clang tell these members of the record?  It tells those of structs within it one by one, but takes a union or
    /// an array for one member, and so neighbouring bit-fields.  Those without a name it tells, too, but the debug
    /// information does not have them: if that need not be `sure`, they may be where the record has nothing.
    fn has_members(&self, record: MdId, size: u64, told: &[(u64, u64, &str)], sure: bool) -> bool {
        let mut members = Members::default();
        self.copied_members(record, 0, size, &mut members, MAX_DEPTH);
        let Members { plain, bits } = members;
        let is_plain = |(at, size, name): &&(u64, u64, &str)| {
            let is_so = |member: &CopiedMember| *name == ANYTHING || member.kind == Some(Kind::told_as(name));
            plain.iter().any(|member| member.at == *at && member.size == *size && is_so(member))
        };
        let (known, others): (Vec<_>, Vec<_>) = told.iter().filter(|(_, size, _)| *size > 0).partition(is_plain);
        let is_bits = |(at, size, name): &&(u64, u64, &str)| {
            let overlaps = plain.iter().any(|member| member.at < at + size && *at < member.at + member.size);
            let has_bits = bits.iter().any(|bit| (*at..at + size).contains(bit));
            *name == ANYTHING && !overlaps && (has_bits || !sure)
        };
        known.len() == plain.len() && others.iter().all(is_bits)
    }

    /// Adds the members of a type that lies at `at` and has this size.
    fn copied_members(&self, ty: MdId, at: u64, size: u64, out: &mut Members, depth: u32) {
        let (Some(depth), Some(ty)) = (depth.checked_sub(1), self.module.strip(Some(ty))) else { return };
        let kind = match self.module.debug_type(ty) {
            Some(DiType::Record { union: false, members, .. }) => {
                for member in &members {
                    let at = at + member.offset / 8;
                    match member.ty {
                        _ if member.bit_field => out.bits.push(at),
                        Some(ty) => self.copied_members(ty, at, member.size / 8, out, depth),
                        None => (),
                    }
                }
                return;
            }
            Some(DiType::Pointer { .. }) => Some(Kind::Pointer),
            Some(DiType::Basic { encoding: "DW_ATE_float", .. }) => Some(Kind::Float),
            Some(DiType::Basic { encoding: "DW_ATE_complex_float", .. }) => None,
            Some(DiType::Basic { .. } | DiType::Enum { .. }) => Some(Kind::Number),
            _ => None,
        };
        if size > 0 {
            out.plain.push(CopiedMember { at, size, kind });
        }
    }

    fn build(&mut self, shared: &mut Shared, id: MdId, hint: &str, depth: u32) -> Option<Layout> {
        if let Some(known) = self.layouts.get(&id) {
            return known.clone();
        }
        let depth = depth.checked_sub(1)?;
        let layout = match self.module.debug_type(id)? {
            DiType::Basic { name, size, encoding } => basic(name, size, encoding),
            DiType::Pointer { to } => {
                let target = to.and_then(|to| self.build(shared, to, "", depth));
                Some(Layout::Pointer(target.map(Box::new)))
            }
            DiType::Typedef { name, of } => self.build(shared, of?, name, depth),
            DiType::Qualified { of } => self.build(shared, of?, hint, depth),
            DiType::Record { name, size, declaration: false, union, .. } => {
                let name = match (name, hint, union) {
                    ("", "", false) => "struct",
                    ("", "", true) => "union",
                    ("", hint, _) => hint,
                    (name, _, _) => name,
                };
                // Another file of the program usually has the same types again.
                let mut members = Vec::new();
                self.shape(id, 0, &mut members, MAX_DEPTH);
                let new = || {
                    let name = shared.layout_names.unique(name);
                    let new = shared.program.layouts.push(NamedLayout { name, layout: Layout::Bytes(size / 8) });
                    self.queue.push((id, new));
                    new
                };
                let known = shared.records.entry((name.to_string(), size, members));
                Some(Layout::Named(*known.or_insert_with(new)))
            }
            DiType::Array { size, counts, .. } if counts.len() > MAX_DIMENSIONS => Some(Layout::Bytes(size / 8)),
            DiType::Array { of, counts, .. } => {
                let mut layout = self.build(shared, of?, "", depth)?;
                if layout == (Layout::Scalar { ty: Ty::F80, unsigned: false }) {
                    // Elements lie further apart than the ten bytes that an access touches.
                    let size = if shared.program.data_model.pointer_bytes() == 8 { 16 } else { 12 };
                    let field = Field { name: "value".to_string(), offset: 0, layout };
                    layout = Layout::Struct { size, fields: vec![field] };
                }
                for count in counts.iter().rev() {
                    layout = Layout::Array { element: Box::new(layout), count: count.unwrap_or(0) };
                }
                Some(layout)
            }
            DiType::Enum { size, base, .. } => {
                let unsigned = match base.and_then(|base| self.module.debug_type(self.module.strip(Some(base))?)) {
                    Some(DiType::Basic { encoding, .. }) => is_unsigned(encoding),
                    _ => false,
                };
                int(size, unsigned)
            }
            DiType::Record { declaration: true, .. } | DiType::Other => None,
        };
        self.layouts.insert(id, layout.clone());
        layout
    }

    /// Names, places and sizes of the members, also of those that are records themselves: enough to tell whether two
    /// files, or blocks, mean the same record.
    fn shape(&self, id: MdId, base: u64, out: &mut Vec<(String, u64, u64)>, depth: u32) {
        let Some(depth) = depth.checked_sub(1).filter(|_| out.len() < MAX_SHAPE) else { return };
        match self.module.strip(Some(id)).and_then(|id| self.module.debug_type(id)) {
            Some(DiType::Record { members, .. }) => {
                for member in members {
                    let at = base.saturating_add(member.offset);
                    out.push((member.name.to_string(), at, member.size));
                    if let Some(ty) = member.ty {
                        self.shape(ty, at, out, depth);
                    }
                }
            }
            Some(DiType::Array { of: Some(of), .. }) => self.shape(of, base, out, depth),
            _ => (),
        }
    }

    fn record(&mut self, shared: &mut Shared, id: MdId) -> Layout {
        let Some(DiType::Record { union, size, members, .. }) = self.module.debug_type(id) else {
            return Layout::Bytes(0);
        };
        let mut fields = Vec::new();
        self.fields(shared, &members, union, 0, &mut fields, MAX_DEPTH);
        let size = size / 8;
        if union {
            clip(shared, &mut fields, |_| size);
            Layout::Union { size, fields }
        } else {
            fields.sort_by_key(|field| field.offset);
            clip(shared, &mut fields, |next| next.map_or(size, |next| next.offset.min(size)));
            Layout::Struct { size, fields }
        }
    }

    fn fields(
        &mut self,
        shared: &mut Shared,
        members: &[Member<'m>],
        union: bool,
        base: u64,
        out: &mut Vec<Field>,
        depth: u32,
    ) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let mut rest = members.iter().peekable();
        while let Some(member) = rest.next() {
            if member.bit_field {
                let mut unit = vec![member];
                while let Some(next) = rest.next_if(|next| !union && joins(&unit, next)) {
                    unit.push(next);
                }
                out.extend(bit_fields(&unit, base));
                continue;
            }
            let offset = base.saturating_add(member.offset / 8);
            // The members of an anonymous record are used as the outer one's own; but the fields of a struct must not
            // overlap, so a union within a struct keeps a name.
            if member.name.is_empty()
                && let Some(DiType::Record { union: inner, members, .. }) =
                    member.ty.and_then(|ty| self.module.debug_type(ty))
                && (union || !inner)
            {
                self.fields(shared, &members, inner, offset, out, depth);
                continue;
            }
            let layout = member.ty.and_then(|ty| self.build(shared, ty, "", MAX_DEPTH));
            // What is not known is no padding.
            let layout = layout.unwrap_or(Layout::Bytes(member.size / 8));
            let name = if member.name.is_empty() { "anon" } else { member.name };
            out.push(Field { name: name.to_string(), offset, layout });
        }
    }
}

/// Makes fields end where they must: a storage unit of bit-fields may have been taken too wide.  What does not fit even so
/// is left out, since layouts promise nothing.
fn clip(shared: &Shared, fields: &mut Vec<Field>, end: impl Fn(Option<&Field>) -> u64) {
    for i in 0..fields.len() {
        let end = end(fields.get(i + 1));
        let room = end.saturating_sub(fields[i].offset);
        if fields[i].layout.size(&shared.program) <= room && fields[i].offset <= end {
            continue;
        }
        let bits = room.saturating_mul(8).min(128) as u8;
        fields[i].layout = match fields[i].layout {
            Layout::Scalar { ty: Ty::Int(_), unsigned } if bits > 0 => Layout::Scalar { ty: Ty::Int(bits), unsigned },
            _ => Layout::Bytes(0),
        };
    }
    fields.retain(|field| field.layout != Layout::Bytes(0));
}

/// Does the bit-field lie in the storage unit of those before it?
fn joins(unit: &[&Member], next: &Member) -> bool {
    let (Some(first), Some(last)) = (unit.first(), unit.last()) else { return false };
    let end = next.offset.saturating_add(next.size);
    next.bit_field
        && next.offset == last.offset.saturating_add(last.size)
        && end.saturating_sub(first.offset / 8 * 8) <= 64
}

/// The bytes that hold some neighbouring bit-fields, as one field: that is how they are accessed.
fn bit_fields(unit: &[&Member], base: u64) -> Option<Field> {
    let (first, last) = (unit.first()?, unit.last()?);
    let start = first.offset / 8;
    let bytes = last.offset.saturating_add(last.size).div_ceil(8).saturating_sub(start);
    let bytes = if bytes <= 4 { bytes.next_power_of_two() } else { bytes };
    let ty = Ty::Int(u8::try_from(bytes.saturating_mul(8)).ok().filter(|bits| (1..=128).contains(bits))?);
    let names: Vec<&str> = unit.iter().map(|member| member.name).filter(|name| !name.is_empty()).collect();
    let layout = Layout::Scalar { ty, unsigned: true };
    Some(Field { name: names.join("_"), offset: base.saturating_add(start), layout })
}

fn is_unsigned(encoding: &str) -> bool {
    matches!(encoding, "DW_ATE_unsigned" | "DW_ATE_unsigned_char" | "DW_ATE_boolean" | "DW_ATE_UTF" | "DW_ATE_address")
}

fn int(bits: u64, unsigned: bool) -> Option<Layout> {
    let bits = u8::try_from(bits).ok().filter(|bits| (1..=128).contains(bits))?;
    Some(Layout::Scalar { ty: Ty::Int(bits), unsigned })
}

fn basic(name: &str, size: u64, encoding: &str) -> Option<Layout> {
    let float = |size: u64| {
        let ty = match size {
            32 => Ty::F32,
            64 => Ty::F64,
            128 if name.contains("128") => Ty::F128,
            96 | 128 => Ty::F80,
            _ => return None,
        };
        Some(Layout::Scalar { ty, unsigned: false })
    };
    match encoding {
        "DW_ATE_float" => float(size),
        "DW_ATE_complex_float" => {
            let element = Box::new(float(size / 2)?);
            Some(Layout::Array { element, count: 2 })
        }
        _ => int(size, is_unsigned(encoding)),
    }
}
