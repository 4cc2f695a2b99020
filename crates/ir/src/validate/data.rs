//! Layouts and static objects.

use super::{Check, Part};
use crate::layout::{Field, Layout, LayoutId};
use crate::program::*;
use crate::text::MAX_LAYOUT_DEPTH;
use base::IdVec;
use rustc_hash::FxHashSet;

pub(super) fn layouts(check: &mut Check) {
    let program = check.program;
    let mut names = FxHashSet::default();
    let mut heights = IdVec::filled(Height::Unknown, program.layouts.len());
    for (id, named) in program.layouts.iter() {
        check.place = Part::Layout(id);
        check.unique(&mut names, &named.name, "layout $");
        layout(check, &named.layout);
        height(check, id, &mut heights, 0);
    }
}

/// How deep layouts lie within a named one, by value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Height {
    Unknown,
    /// We are inside of it.
    Open,
    Known(usize),
}

/// The height of a named layout.  A layout that contains itself has no size, and one that is too deep is one that
/// [`Layout::size`] does not measure.
fn height(check: &mut Check, id: LayoutId, heights: &mut IdVec<LayoutId, Height>, depth: usize) -> usize {
    match heights[id] {
        Height::Known(height) => return height,
        Height::Open => {
            let name = &check.program.layouts[id].name;
            check.wrong(format!("layout ${name} contains itself"));
            return 0;
        }
        Height::Unknown => (),
    }
    heights[id] = Height::Open;
    let height = inner_height(check, &check.program.layouts[id].layout, heights, depth + 1) + 1;
    heights[id] = Height::Known(height);
    // Report where the limit is passed, not everything above it too.
    if height == MAX_LAYOUT_DEPTH + 1 {
        check.wrong("this layout nests too deep");
    }
    height
}

fn inner_height(check: &mut Check, layout: &Layout, heights: &mut IdVec<LayoutId, Height>, depth: usize) -> usize {
    if depth > MAX_LAYOUT_DEPTH {
        return MAX_LAYOUT_DEPTH;
    }
    match layout {
        Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Bytes(_) => 0,
        Layout::Array { element, .. } => inner_height(check, element, heights, depth + 1) + 1,
        Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
            let inner = fields.iter().map(|field| inner_height(check, &field.layout, heights, depth + 1));
            inner.max().unwrap_or(0) + 1
        }
        Layout::Named(id) if check.program.layouts.get(*id).is_some() => height(check, *id, heights, depth),
        // Reported by `layout`.
        Layout::Named(_) => 0,
    }
}

/// The words of one layout, not what lies behind names.
pub(super) fn layout(check: &mut Check, layout: &Layout) {
    layout_within(check, layout, MAX_LAYOUT_DEPTH);
}

fn layout_within(check: &mut Check, layout: &Layout, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else {
        return check.wrong("this layout nests too deep");
    };
    match layout {
        Layout::Scalar { ty, unsigned } => {
            check.width(*ty);
            if *ty == Ty::Ptr {
                check.wrong("a pointer is a layout of its own, not a number");
            }
            if *unsigned && !matches!(ty, Ty::Int(_)) {
                check.wrong(format!("{ty} is never unsigned"));
            }
        }
        Layout::Pointer(None) | Layout::Bytes(_) => (),
        Layout::Pointer(Some(to)) => layout_within(check, to, depth),
        Layout::Array { element, .. } => layout_within(check, element, depth),
        Layout::Struct { size, fields } => {
            if let Some(pair) = fields.windows(2).find(|pair| pair[1].offset < pair[0].offset) {
                check.wrong(format!("field {} comes after {} but lies before it", pair[1].name, pair[0].name));
            }
            fields.iter().for_each(|field| self::field(check, *size, field, depth));
        }
        Layout::Union { size, fields } => fields.iter().for_each(|field| self::field(check, *size, field, depth)),
        Layout::Named(id) => _ = check.known(&check.program.layouts, *id, "layout "),
    }
}

fn field(check: &mut Check, size: u64, field: &Field, depth: usize) {
    let end = field.offset.checked_add(field.layout.size(check.program));
    if end.is_none_or(|end| size < end) {
        check.wrong(format!("field {} does not fit {size} bytes", field.name));
    }
    layout_within(check, &field.layout, depth);
}

/// The most bytes all static objects may have together: they are part of every state.
pub const MOST_STATIC_BYTES: u64 = 1 << 28;

pub(super) fn objects(check: &mut Check) {
    let program = check.program;
    let mut names = FxHashSet::default();
    let mut total: u64 = 0;
    for (id, object) in program.objects.iter() {
        check.place = Part::Object(id);
        let before = total;
        total = total.saturating_add(object.size);
        if before <= MOST_STATIC_BYTES && total > MOST_STATIC_BYTES {
            check.wrong(format!("static objects of more than {MOST_STATIC_BYTES} bytes together are not supported"));
        }
        check.unique(&mut names, &object.name, "object @");
        layout(check, &object.layout);
        check.align(object.align);
        check.pos(object.pos);
        let mut end = 0;
        for init in &object.init {
            if init.offset < end {
                check.wrong(format!(
                    "the initial value at {} overlaps the one before it or comes too late",
                    init.offset
                ));
            }
            end = init.offset.saturating_add(init_size(check, &init.value));
            if object.size < end {
                check.wrong(format!("the initial value at {} does not fit {} bytes", init.offset, object.size));
            }
        }
    }
}

fn init_size(check: &mut Check, value: &InitValue) -> u64 {
    let program = check.program;
    match value {
        InitValue::Scalar(ty, bits) => {
            check.width(*ty);
            check.constant(*ty, *bits);
            program.size_of(*ty)
        }
        InitValue::Bytes(bytes) => bytes.len() as u64,
        InitValue::Object(id, _) => {
            if let Some(object) = check.known(&program.objects, *id, "object ").filter(|object| object.thread_local) {
                check.wrong(format!("@{} is thread-local, its address is not constant", object.name));
            }
            program.data_model.pointer_bytes()
        }
        InitValue::Function(id) => {
            check.known(&program.functions, *id, "function ");
            program.data_model.pointer_bytes()
        }
    }
}
