//! Which cells hold numbers of one size each, and what they hold at first.
//!
//! A cell has a range if all accesses to it have the same size and never overlap by halves: then each access reads exactly
//! what some one store wrote, or what was there at first.

use super::range::Range;
use crate::Facts;
use crate::accesses::AccessKind;
use crate::cells::{CellId, Cells, Extent};
use crate::points_to::{Offsets, Targets};
use crate::regions::{RegionKind, Regions};
use base::{BitSet, Id, IdVec};
use ir::{InitValue, Object, Program};

/// What is known of a cell before anything runs.
#[derive(Clone, Debug)]
pub enum Content {
    /// Accessed in different ways, or not as a number of at most eight bytes.
    Mixed,
    /// Numbers of that many bytes, at first in this range.
    Uniform(u64, Range),
    /// Never accessed.
    Untouched,
}

/// Objects larger than this are not looked through for their initial numbers.
const LARGEST: u64 = 1 << 16;

pub fn contents(program: &Program, facts: &Facts) -> IdVec<CellId, Content> {
    let Facts { regions, cells, points_to, accesses, .. } = facts;
    let mut class: IdVec<CellId, Option<Option<(Offsets, u64)>>> = IdVec::filled(None, cells.all.len());
    for access in
        accesses.iter().filter(|a| !matches!(a.kind, AccessKind::Free | AccessKind::Allocate | AccessKind::Leave))
    {
        let point = access.point;
        let kind = &program.functions[point.func].blocks[point.block].insts[point.inst as usize].kind;
        let (Some(access), Some(address)) = (kind.access(), points_to.address(point)) else { continue };
        note(regions, cells, address, program.size_of(access.ty), &mut class);
    }
    class
        .iter()
        .map(|(cell, class)| match class {
            None => Content::Untouched,
            Some(None) => Content::Mixed,
            Some(Some((_, size))) if *size > 8 => Content::Mixed,
            Some(Some((offsets, size))) => {
                Content::Uniform(*size, initial(program, regions, cells, cell, *offsets, *size))
            }
        })
        .collect()
}

/// Notes how an access touches cells: `Some(None)` marks one that is accessed in ways that do not fit.
fn note(
    regions: &Regions,
    cells: &Cells,
    address: &Targets,
    size: u64,
    class: &mut IdVec<CellId, Option<Option<(Offsets, u64)>>>,
) {
    if address.anywhere() {
        cells.all.ids().for_each(|cell| class[cell] = Some(None));
        return;
    }
    for target in address.iter() {
        let mut touched = BitSet::new();
        cells.touched(regions, &Targets::one(target.region, target.offsets), size, &mut touched);
        for cell in touched.iter().map(CellId::new) {
            class[cell] = Some(match class[cell] {
                None => Some((target.offsets, size)),
                Some(Some((offsets, known))) if known == size && offsets.aligned_with(target.offsets, size) => {
                    Some((offsets.join(target.offsets), size))
                }
                Some(_) => None,
            });
        }
    }
}

fn initial(program: &Program, regions: &Regions, cells: &Cells, cell: CellId, offsets: Offsets, size: u64) -> Range {
    let bits = size as u32 * 8;
    let region = cells.all[cell].region;
    match regions.all[region].kind {
        RegionKind::Static(object) | RegionKind::ThreadLocal(object) => {
            let object = &program.objects[object];
            if object.init.is_empty() {
                return Range::exact(bits, 0);
            }
            let Some(image) = Image::new(program, object) else { return Range::any(bits) };
            let first = match cells.all[cell].extent {
                Extent::Exact { start, .. } => return image.number(start, size).unwrap_or(Range::any(bits)),
                Extent::Strided(_) | Extent::Rest => offsets.base.max(0) as u64,
            };
            // All places such an access can go to.
            let stride = offsets.stride.max(size);
            let mut range: Option<Range> = None;
            let mut at = first;
            while at + size <= object.size {
                let here = image.number(at, size).unwrap_or(Range::any(bits));
                range = Some(range.map_or(here, |range| range.join(here)));
                at += stride;
            }
            range.unwrap_or(Range::any(bits))
        }
        RegionKind::Stack(_) | RegionKind::Heap(_) if regions.all[region].initialised => Range::exact(bits, 0),
        RegionKind::Stack(_) | RegionKind::Heap(_) | RegionKind::Function(_) | RegionKind::Thread(_) => {
            Range::any(bits)
        }
    }
}

/// The bytes of an object at first; `None` for those of a pointer.
struct Image(Vec<Option<u8>>);

impl Image {
    fn new(program: &Program, object: &Object) -> Option<Image> {
        if object.size > LARGEST {
            return None;
        }
        let mut bytes = vec![Some(0); object.size as usize];
        let mut put = |at: u64, byte: Option<u8>| {
            if let Some(place) = bytes.get_mut(at as usize) {
                *place = byte;
            }
        };
        for init in &object.init {
            match &init.value {
                InitValue::Scalar(ty, bits) => {
                    for i in 0..program.size_of(*ty) {
                        put(init.offset + i, Some((bits >> (8 * i)) as u8));
                    }
                }
                InitValue::Bytes(all) => {
                    for (i, byte) in all.iter().enumerate() {
                        put(init.offset + i as u64, Some(*byte));
                    }
                }
                InitValue::Object(..) | InitValue::Function(_) => {
                    for i in 0..program.data_model.pointer_bytes() {
                        put(init.offset + i, None);
                    }
                }
            }
        }
        Some(Image(bytes))
    }

    fn number(&self, at: u64, size: u64) -> Option<Range> {
        let bytes = self.0.get(at as usize..(at + size) as usize)?;
        let mut value = 0;
        for (i, byte) in bytes.iter().enumerate() {
            value |= u128::from((*byte)?) << (8 * i);
        }
        Some(Range::exact(size as u32 * 8, value))
    }
}
