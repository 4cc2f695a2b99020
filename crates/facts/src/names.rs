//! Names of cells for people: `q.tail`, `buf[2].len`, `buf[*].len`, from the layouts of objects.

use crate::cells::{Cell, Extent};
use crate::{Offsets, RegionKind, Regions};
use ir::{InstKind, Layout, Program};

pub fn cell(program: &Program, regions: &Regions, cell: &Cell) -> String {
    let layout = match regions.all[cell.region].kind {
        RegionKind::Static(object) | RegionKind::ThreadLocal(object) => Some(&program.objects[object].layout),
        RegionKind::Stack(point) | RegionKind::Heap(point) => {
            if let Some(InstKind::Alloc { layout, .. }) = program.kind(point) { layout.as_ref() } else { None }
        }
        RegionKind::Function(_) | RegionKind::Thread(_) => None,
    };
    let mut name = regions.name(program, cell.region);
    match &cell.extent {
        Extent::Exact { start: 0, end } if regions.all[cell.region].size == Some(*end) => (),
        Extent::Exact { start, end } => path(program, layout, Offsets::exact(*start as i64), end - start, &mut name),
        Extent::Strided(classes) => {
            // The widest class names the cell.
            let (offsets, size) =
                classes.iter().max_by_key(|(_, size)| *size).copied().unwrap_or((Offsets::exact(0), 0));
            path(program, layout, offsets, size, &mut name);
        }
        Extent::Rest => name.push_str(match layout.map(|layout| layout.resolve(program)) {
            Some(Layout::Array { .. }) => "[*]",
            _ => "[..]",
        }),
    }
    name
}

/// The name of some bytes of an object that has a name.
pub fn place(program: &Program, layout: Option<&Layout>, offset: u64, size: u64, mut name: String) -> String {
    path(program, layout, Offsets::exact(offset as i64), size, &mut name);
    name
}

/// Appends the path to the part of `layout` at the offsets; plain byte offsets where the layout has no name for it.
fn path(program: &Program, layout: Option<&Layout>, mut offsets: Offsets, size: u64, name: &mut String) {
    let mut layout = layout.map(|layout| layout.resolve(program));
    for _ in 0..16 {
        let Some(here) = layout else { break };
        if here.size(program) <= size && (offsets.is_exact() && offsets.base == 0) {
            return;
        }
        match here {
            Layout::Array { element, .. } => {
                let step = element.size(program).max(1);
                if offsets.is_exact() {
                    let index = offsets.base.max(0) as u64 / step;
                    name.push_str(&format!("[{index}]"));
                    offsets = Offsets::exact(offsets.base.max(0) % step as i64);
                } else {
                    name.push_str("[*]");
                    if offsets.stride.is_multiple_of(step) {
                        offsets = Offsets::exact(offsets.base % step as i64);
                    }
                }
                layout = Some(element.resolve(program));
            }
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
                let within = |start: u64, len: u64| {
                    let len = if offsets.is_exact() { len.max(1) } else { len };
                    (start as i64..(start + len) as i64).contains(&offsets.base)
                };
                let Some(field) = fields.iter().find(|field| within(field.offset, field.layout.size(program))) else {
                    break;
                };
                name.push('.');
                name.push_str(&field.name);
                offsets.base -= field.offset as i64;
                layout = Some(field.layout.resolve(program));
            }
            // One object, but the allocation may hold several: an array without a name for its elements.
            Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Bytes(_) | Layout::Named(_) => break,
        }
    }
    if offsets.is_exact() {
        if offsets.base != 0 || layout.is_none_or(|layout| layout.size(program) > size) {
            name.push_str(&format!("+{}", offsets.base));
        }
    } else {
        name.push_str(&format!("+{}+{}k", offsets.base, offsets.stride));
    }
}
