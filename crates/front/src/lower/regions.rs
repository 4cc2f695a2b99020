//! What layouts tell about an address, and into which accesses of single cells some bytes can be split.
//!
//! Layouts never decide what a program means, so everything here may answer "not known".

use base::IdVec;
use ir::{BinOp, Expr, Field, Layout, Program, Reg, RegData, Ty};
use std::cmp::Reverse;

/// Elements of an array beyond this are accessed in a loop.
const UNROLL: u64 = 16;
/// Single accesses beyond this are left to the library's function.
const MAX_CELLS: usize = 96;
const MAX_DEPTH: u32 = 32;

/// Accesses of the cells of one element, or of each element of an array.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    pub at: u64,
    pub stride: u64,
    pub count: u64,
    /// Counted from the start of an element.
    pub cells: Vec<(u64, Ty)>,
}

impl Piece {
    /// The place and the type of the cell, if it is one only.
    pub fn single(&self) -> Option<(u64, Ty)> {
        match self.cells[..] {
            [(0, ty)] if self.count == 1 => Some((self.at, ty)),
            _ => None,
        }
    }
}

/// What may be copied.
#[derive(Clone, PartialEq)]
pub struct Copied {
    /// How the record itself is copied.
    pub plan: Vec<Piece>,
    /// The same, or smaller cells where less than the record may be meant.
    pub cells: Vec<Piece>,
    pub alignment: u64,
}

/// How a part of a struct is accessed that is passed as one integer.
pub enum Halves {
    /// In these cells.
    One(Vec<(u64, Ty)>),
    /// It is no such part.
    None,
    /// That depends on which of the structs it is.
    Several,
}

#[derive(Clone, Copy)]
pub struct Regions<'a> {
    pub program: &'a Program,
    pub regs: &'a IdVec<Reg, RegData>,
}

/// Where an address points to.
#[derive(Clone, Copy)]
struct Region<'a> {
    layout: &'a Layout,
    offset: u64,
    /// It may be behind what the pointer is declared to point to: the next of an array, or something else altogether.
    beyond: bool,
}

impl<'a> Regions<'a> {
    /// The layout that the address points into, and how far.
    fn region(self, address: &'a Expr) -> Option<Region<'a>> {
        let start = |layout| Region { layout, offset: 0, beyond: false };
        match address {
            Expr::Object(object, offset) => {
                let offset = u64::try_from(*offset).ok()?;
                Some(Region { offset, ..start(&self.program.objects[*object].layout) })
            }
            Expr::Reg(reg) => match self.regs[*reg].layout.as_ref()? {
                Layout::Pointer(Some(target)) => Some(start(target)),
                _ => None,
            },
            Expr::Bin(BinOp::PtrAdd, base, term) => {
                let region = self.region(base)?;
                match &**term {
                    Expr::Const(ty, bytes) => {
                        let bytes = ir::signed(*bytes, self.program.bits_of(*ty));
                        let offset = region.offset.checked_add(u64::try_from(bytes).ok()?)?;
                        let size = region.layout.size(self.program);
                        if matches!(**base, Expr::Reg(_)) && offset >= size {
                            return Some(Region { offset: offset.checked_rem(size)?, beyond: true, ..region });
                        }
                        Some(Region { offset, ..region })
                    }
                    Expr::Bin(BinOp::Mul, _, stride) => match **stride {
                        Expr::Const(_, stride) => self.indexed(region, u64::try_from(stride).ok()?),
                        _ => None,
                    },
                    _ => self.indexed(region, 1),
                }
            }
            _ => None,
        }
    }

    fn indexed(self, region: Region<'a>, stride: u64) -> Option<Region<'a>> {
        let (layout, offset) = self.element(region.layout, region.offset, stride, MAX_DEPTH)?;
        Some(Region { layout, offset, ..region })
    }

    /// The element of an array with this stride around the offset.
    fn element(self, layout: &'a Layout, offset: u64, stride: u64, depth: u32) -> Option<(&'a Layout, u64)> {
        let depth = depth.checked_sub(1)?;
        if stride == 0 {
            return None;
        }
        match layout.resolve(self.program) {
            Layout::Array { element, .. } => {
                let size = element.size(self.program);
                if size == stride {
                    return Some((element, offset % stride));
                }
                self.element(element, offset.checked_rem(size)?, stride, depth)
            }
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
                let inside = fields.iter().filter(|field| field.offset <= offset);
                let found = inside.rev().find_map(|field| {
                    let within = offset - field.offset;
                    let fits = within < field.layout.size(self.program) || within == 0;
                    if fits { self.element(&field.layout, within, stride, depth) } else { None }
                });
                found.or_else(|| self.whole(layout, offset, stride))
            }
            _ => self.whole(layout, offset, stride),
        }
    }

    /// The address points into an array of the whole layout.
    fn whole(self, layout: &'a Layout, offset: u64, stride: u64) -> Option<(&'a Layout, u64)> {
        (layout.size(self.program) == stride).then_some((layout, offset % stride))
    }

    /// The layout that starts exactly where the address points, the outermost if there are several.
    pub fn at(self, address: &'a Expr) -> Option<&'a Layout> {
        let region = self.region(address).filter(|region| !region.beyond)?;
        self.exact(region.layout, region.offset, MAX_DEPTH)
    }

    fn exact(self, layout: &'a Layout, offset: u64, depth: u32) -> Option<&'a Layout> {
        let depth = depth.checked_sub(1)?;
        if offset == 0 {
            return Some(layout);
        }
        let (part, within) = parts_at(self.program, layout, offset).into_iter().next()?;
        self.exact(part, within, depth)
    }

    /// The layout of the pointer that is stored at the address, if it is known to point to something.
    pub fn stored_pointer(self, address: &'a Expr) -> Option<&'a Layout> {
        let region = self.region(address)?;
        self.pointer(region.layout, region.offset, MAX_DEPTH)
    }

    fn pointer(self, layout: &'a Layout, offset: u64, depth: u32) -> Option<&'a Layout> {
        let depth = depth.checked_sub(1)?;
        match layout.resolve(self.program) {
            found @ Layout::Pointer(Some(_)) if offset == 0 => Some(found),
            _ => parts_at(self.program, layout, offset)
                .into_iter()
                .find_map(|(part, within)| self.pointer(part, within, depth)),
        }
    }

    /// Accesses that together touch each of `size` bytes from the address on once, the fields as what they are and
    /// padding byte by byte: a program may clear a struct and compare its bytes.  None if it is not known what lies
    /// there, or some cell lies only partly inside.
    pub fn plan(self, address: &'a Expr, size: u64) -> Option<Vec<Piece>> {
        self.whole_plan(self.cells(address, size)?, size)
    }

    /// The same for something with this layout.
    pub fn copied(self, layout: &Layout, size: u64) -> Option<Copied> {
        let plan = self.whole_plan(self.collected(layout, 0, size)?, size)?;
        Some(Copied { cells: plan.clone(), plan, alignment: self.alignment(layout) })
    }

    fn whole_plan(self, cells: Vec<Piece>, size: u64) -> Option<Vec<Piece>> {
        let pieces = self.fill_gaps(cells, size);
        (pieces.len() <= MAX_CELLS && !pieces.is_empty()).then_some(pieces)
    }

    /// How C would align it.
    pub fn alignment(self, layout: &Layout) -> u64 {
        let word = self.program.data_model.pointer_bytes();
        match layout.resolve(self.program) {
            Layout::Scalar { ty, .. } => self.program.size_of(*ty).min(2 * word).min(if word == 4 { 4 } else { 16 }),
            Layout::Pointer(_) => word,
            Layout::Array { element, .. } => self.alignment(element),
            Layout::Struct { fields, size } | Layout::Union { fields, size } => {
                let alignments = || fields.iter().map(|field| (field.offset, self.alignment(&field.layout)));
                let most = alignments().map(|(_, alignment)| alignment).max().unwrap_or(1);
                let is_packed = !size.is_multiple_of(most) || alignments().any(|(at, of)| !at.is_multiple_of(of));
                if is_packed { 1 } else { most }
            }
            Layout::Bytes(_) | Layout::Named(_) => 1,
        }
    }

    /// Does nothing of it lie beyond so many bytes, but for padding?
    pub fn ends_within(self, layout: &Layout, bytes: u64) -> bool {
        let size = layout.size(self.program).saturating_sub(bytes);
        self.collected(layout, -(bytes as i64), size).is_some_and(|cells| cells.is_empty())
    }

    /// The cells without the padding.
    fn cells(self, address: &'a Expr, size: u64) -> Option<Vec<Piece>> {
        let Region { layout, offset, .. } = self.region(address)?;
        let total = layout.size(self.program);
        if offset == 0 && size > total && total > 0 && size.is_multiple_of(total) {
            // A pointer to the first of several.
            let several = Layout::Array { element: Box::new(layout.clone()), count: size / total };
            return self.collected(&several, 0, size);
        }
        if offset.checked_add(size)? > total {
            return None;
        }
        self.collected(layout, -i64::try_from(offset).ok()?, size)
    }

    /// The cells of a layout that starts at `at`, counted from the start of `size` bytes, as far as it overlaps them.
    fn collected(self, layout: &Layout, at: i64, size: u64) -> Option<Vec<Piece>> {
        let mut out = Vec::new();
        self.collect(layout, at, size, &mut out, MAX_DEPTH)?;
        Some(out)
    }

    fn cell(self, at: u64, ty: Ty) -> Piece {
        Piece { at, stride: self.program.size_of(ty), count: 1, cells: vec![(0, ty)] }
    }

    /// Adds accesses of the single bytes that no other piece touches.
    fn fill_gaps(self, mut pieces: Vec<Piece>, size: u64) -> Vec<Piece> {
        let byte = Ty::Int(8);
        for Piece { stride, cells, .. } in &mut pieces {
            let mut filled = Vec::new();
            let mut end = 0;
            for (at, ty) in cells.iter().copied().chain([(*stride, byte)]) {
                filled.extend((end..at).map(|at| (at, byte)));
                end = end.max(at + self.program.size_of(ty));
                filled.push((at, ty));
            }
            filled.pop();
            *cells = filled;
        }
        let mut out = Vec::new();
        let mut end = 0;
        let gap = |out: &mut Vec<Piece>, from: u64, to: u64| match to.saturating_sub(from) {
            0 => (),
            count if count <= UNROLL => out.extend((from..to).map(|at| self.cell(at, byte))),
            count => out.push(Piece { at: from, stride: 1, count, cells: vec![(0, byte)] }),
        };
        pieces.sort_by_key(|piece| piece.at);
        for piece in pieces {
            gap(&mut out, end, piece.at);
            end = end.max(piece.at + piece.stride * piece.count);
            out.push(piece);
        }
        gap(&mut out, end, size);
        out
    }

    /// Adds the cells of a layout that starts at `at`, counted from the start of `size` bytes, and overlaps them.
    fn collect(self, layout: &Layout, at: i64, size: u64, out: &mut Vec<Piece>, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let length = i64::try_from(layout.size(self.program)).ok()?;
        let limit = i64::try_from(size).ok()?;
        let end = at.checked_add(length)?;
        if end <= 0 || at >= limit || length == 0 {
            return Some(());
        }
        let mut cell = |ty| {
            let at = u64::try_from(at).ok().filter(|_| end <= limit)?;
            out.push(self.cell(at, ty));
            Some(())
        };
        match layout.resolve(self.program) {
            Layout::Scalar { ty, .. } => cell(*ty),
            Layout::Pointer(_) => cell(Ty::Ptr),
            Layout::Bytes(count) => {
                let byte = Layout::Scalar { ty: Ty::Int(8), unsigned: true };
                self.collect(&Layout::Array { element: Box::new(byte), count: *count }, at, size, out, depth)
            }
            Layout::Struct { fields, .. } => {
                for field in fields {
                    self.collect(&field.layout, at + i64::try_from(field.offset).ok()?, size, out, depth)?;
                }
                Some(())
            }
            Layout::Union { fields, .. } => {
                // One member must stand for all: the one that covers most, with pointers as pointers, in the fewest
                // pieces; then those beside it, as the members of an anonymous struct are.
                let pieces = |field: &Field| {
                    let mut pieces = Vec::new();
                    let start = at + i64::try_from(field.offset).ok()?;
                    self.collect(&field.layout, start, size, &mut pieces, depth)?;
                    Some(pieces)
                };
                let mut members: Vec<Vec<Piece>> = fields.iter().filter_map(pieces).collect();
                members.sort_by_cached_key(|pieces| {
                    let covered: u64 = pieces.iter().map(|piece| self.covered(piece)).sum();
                    let pointers = pieces.iter().any(|piece| matches!(piece.single(), Some((_, Ty::Ptr))));
                    let number: u64 = pieces.iter().map(|piece| piece.count * piece.cells.len() as u64).sum();
                    Reverse((covered, pointers, Reverse(number)))
                });
                if members.is_empty() && !fields.is_empty() {
                    return None;
                }
                let from = out.len();
                let end = |piece: &Piece| piece.at + piece.stride * piece.count;
                for pieces in members {
                    let apart =
                        |piece: &Piece| out[from..].iter().all(|met| end(met) <= piece.at || end(piece) <= met.at);
                    if pieces.iter().all(apart) {
                        out.extend(pieces);
                    }
                }
                Some(())
            }
            Layout::Array { element, count } => self.array(element, *count, at, size, out, depth),
            Layout::Named(_) => None,
        }
    }

    fn array(self, element: &Layout, count: u64, at: i64, size: u64, out: &mut Vec<Piece>, depth: u32) -> Option<()> {
        let stride = element.size(self.program);
        let step = i64::try_from(stride).ok().filter(|step| *step > 0)?;
        let limit = i64::try_from(size).ok()?;
        // The elements that overlap the bytes.
        let first = u64::try_from((-at).max(0) / step).ok()?;
        let last = count.min(u64::try_from((limit - at + step - 1) / step).ok()?);
        let number = last.saturating_sub(first);
        if number <= UNROLL {
            let before = out.len();
            for i in first..last {
                self.collect(element, at.checked_add(step.checked_mul(i64::try_from(i).ok()?)?)?, size, out, depth)?;
            }
            if out.len() <= MAX_CELLS {
                return Some(());
            }
            out.truncate(before);
        }
        let start = u64::try_from(at + step * i64::try_from(first).ok()?).ok()?;
        if start + number * stride > size {
            return None;
        }
        let mut inner = Vec::new();
        self.collect(element, 0, stride, &mut inner, depth)?;
        if let [Piece { at: 0, stride: small, count: many, cells }] = &inner[..]
            && small * many == stride
        {
            // An array of arrays without gaps is one array.
            out.push(Piece { at: start, stride: *small, count: many * number, cells: cells.clone() });
            return Some(());
        }
        let places = inner.iter().flat_map(|piece| (0..piece.count).map(move |i| (piece, piece.at + i * piece.stride)));
        let cells = places.flat_map(|(piece, start)| piece.cells.iter().map(move |(at, ty)| (start + at, *ty)));
        let cells: Vec<(u64, Ty)> = cells.take(MAX_CELLS + 1).collect();
        (cells.len() <= MAX_CELLS).then(|| out.push(Piece { at: start, stride, count: number, cells }))
    }

    /// Bytes that a piece accesses.
    fn covered(self, piece: &Piece) -> u64 {
        piece.count * piece.cells.iter().map(|(_, ty)| self.program.size_of(*ty)).sum::<u64>()
    }

    /// The cells of `size` bytes within a struct, so that an access of them merges no fields; none if it is not known to be
    /// within a struct.
    ///
    /// Only structs are split, because clang moves them as integers; where the program itself reads an array of bytes as
    /// a number, that is one access.
    pub fn split(self, address: &'a Expr, size: u64) -> Option<Vec<(u64, Ty)>> {
        if !self.is_in_struct(address) {
            return None;
        }
        self.single_cells(self.cells(address, size)?, size)
    }

    /// How `size` bytes are split that are one of these parts: of a struct with the layout, from the offset on.
    pub fn passed_as(self, parts: &[(Layout, u64)], size: u64) -> Halves {
        let mut found = None;
        for (layout, start) in parts {
            let total = layout.size(self.program);
            let part = if *start == 0 { total.min(8) } else { total.saturating_sub(8) };
            if part != size {
                continue;
            }
            let pieces = self.collected(layout, -(*start as i64), size);
            let cells = pieces.and_then(|pieces| self.single_cells(pieces, size));
            match (&found, cells) {
                (None, Some(cells)) => found = Some(cells),
                (Some(known), Some(cells)) if *known == cells => (),
                _ => return Halves::Several,
            }
        }
        found.map_or(Halves::None, Halves::One)
    }

    fn single_cells(self, pieces: Vec<Piece>, size: u64) -> Option<Vec<(u64, Ty)>> {
        if pieces.is_empty() {
            return None;
        }
        self.fill_gaps(pieces, size).iter().map(Piece::single).collect()
    }

    fn is_in_struct(self, address: &Expr) -> bool {
        let Some(Region { mut layout, mut offset, beyond: false }) = self.region(address) else { return false };
        for _ in 0..MAX_DEPTH {
            match layout.resolve(self.program) {
                Layout::Struct { size, .. } => return offset < *size,
                Layout::Array { element, .. } => {
                    let Some(within) = offset.checked_rem(element.size(self.program)) else { return false };
                    (layout, offset) = (element, within);
                }
                _ => return false,
            }
        }
        false
    }

    /// Is it the address of one of these parts: in something with the layout, the offset from its start?
    pub fn is_one_of(self, address: &Expr, parts: &[(Layout, u64)]) -> bool {
        self.region(address).is_some_and(|region| self.leads_to(region.layout, region.offset, parts, MAX_DEPTH))
    }

    /// Does something with the inner layout lie where something with the outer one begins?
    pub fn begins_with(self, outer: &Layout, inner: &Layout) -> bool {
        self.leads_to(outer, 0, &[(inner.clone(), 0)], MAX_DEPTH)
    }

    fn leads_to(self, layout: &Layout, offset: u64, parts: &[(Layout, u64)], depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        parts.iter().any(|(record, start)| record == layout && offset == *start)
            || parts_at(self.program, layout, offset)
                .iter()
                .any(|(part, within)| self.leads_to(part, *within, parts, depth))
    }
}

/// The element or the members of a layout that lie around the offset, each with the offset within it.
fn parts_at<'a>(program: &'a Program, layout: &'a Layout, offset: u64) -> Vec<(&'a Layout, u64)> {
    let around = |f: &&Field| f.offset <= offset && offset - f.offset < f.layout.size(program);
    match layout.resolve(program) {
        Layout::Array { element, .. } => {
            let within = offset.checked_rem(element.size(program));
            within.map(|within| (&**element, within)).into_iter().collect()
        }
        Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
            fields.iter().filter(around).map(|f| (&f.layout, offset - f.offset)).collect()
        }
        _ => Vec::new(),
    }
}
