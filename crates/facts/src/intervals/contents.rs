//! Which cells hold numbers of one size each, and what they hold at first.
//!
//! A cell has a range if all accesses to it have the same size and never overlap by halves: then each access reads exactly
//! what some one store wrote, or what was there at first.

use super::range::Range;
use crate::cells::Extent;
use crate::{CellId, Cells, Facts, Offsets, RegionKind, Regions, Targets};
use base::{BitSet, Id, IdVec};
use ir::{InitValue, InstKind, Object, Program};

/// Objects larger than this are not looked through for their initial numbers.
const LARGEST: u64 = 1 << 16;

/// The numbers that each cell holds at first, as wide as the accesses to it; nothing for cells that are not accessed, or in
/// different ways, or not as numbers of at most eight bytes.
pub fn contents(program: &Program, facts: &Facts) -> IdVec<CellId, Option<Range>> {
    let Facts { regions, cells, points_to, accesses, .. } = facts;
    if points_to.wild_access {
        return IdVec::filled(None, cells.all.len());
    }
    // How each cell is accessed: `Some(None)` marks one that is accessed in ways that do not fit.
    let mut class: IdVec<CellId, Option<Option<(Offsets, u64)>>> = IdVec::filled(None, cells.all.len());
    for access in accesses {
        let (point, kind) = (access.point, program.kind(access.point));
        let (Some(access), Some(address)) = (kind.and_then(InstKind::access), points_to.address(point)) else {
            continue;
        };
        let size = program.size_of(access.ty);
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
    let first = |(cell, class): (CellId, &Option<Option<(Offsets, u64)>>)| {
        let (offsets, size) = class.flatten().filter(|(_, size)| *size <= 8)?;
        Some(initial(program, regions, cells, cell, offsets, size))
    };
    class.iter().map(first).collect()
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
            let places = (first..).step_by(offsets.stride.max(size) as usize).take_while(|at| at + size <= object.size);
            let found = places.map(|at| image.number(at, size).unwrap_or(Range::any(bits)));
            found.reduce(Range::join).unwrap_or(Range::any(bits))
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
        let mut image = vec![Some(0); object.size as usize];
        for init in &object.init {
            let is_number = matches!(init.value, InitValue::Scalar(..) | InitValue::Bytes(_));
            let bytes = init.bytes(program, &|_| 0).into_iter().map(|byte| is_number.then_some(byte));
            image.iter_mut().skip(init.offset as usize).zip(bytes).for_each(|(place, byte)| *place = byte);
        }
        Some(Image(image))
    }

    fn number(&self, at: u64, size: u64) -> Option<Range> {
        let bytes = self.0.get(at as usize..(at + size) as usize)?;
        let value = bytes.iter().rev().try_fold(0, |value, byte| Some(value << 8 | u128::from((*byte)?)))?;
        Some(Range::exact(size as u32 * 8, value))
    }
}
