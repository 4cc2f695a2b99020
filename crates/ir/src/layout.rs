//! Layouts: how the user's types lay names over the bytes of an object.
//!
//! Layouts carry no meaning: memory is bytes, and an access says its own type.  They are what lets a byte offset be
//! printed as `q.tail` or `buf[2].len`, and where a copy of an object may be split into the accesses of its parts.

use crate::program::{Program, Ty};

base::id!(
    /// A named layout of the program, usually a `struct` or `union` of the user's.
    pub struct LayoutId, "$"
);

/// The shape of some bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// A number; `unsigned` is for display only.
    Scalar {
        ty: Ty,
        unsigned: bool,
    },
    /// A pointer, to something of the given layout where that is known.
    Pointer(Option<Box<Layout>>),
    Array {
        element: Box<Layout>,
        count: u64,
    },
    /// Fields in ascending offset (all 0 or overlapping in a union).  Bytes no field covers are padding.
    Struct {
        size: u64,
        fields: Vec<Field>,
    },
    Union {
        size: u64,
        fields: Vec<Field>,
    },
    Named(LayoutId),
    /// Nothing is known about these bytes.
    Bytes(u64),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    pub name: String,
    pub offset: u64,
    pub layout: Layout,
}

impl Layout {
    /// Size in bytes.  A layout that contains itself by value (malformed input) has size 0 from the depth limit on.
    pub fn size(&self, program: &Program) -> u64 {
        self.size_within(program, 64)
    }

    fn size_within(&self, program: &Program, depth: u32) -> u64 {
        if depth == 0 {
            return 0;
        }
        match self {
            Layout::Scalar { ty, .. } => program.size_of(*ty),
            Layout::Pointer(_) => program.data_model.pointer_bytes(),
            Layout::Array { element, count } => element.size_within(program, depth - 1).saturating_mul(*count),
            Layout::Struct { size, .. } | Layout::Union { size, .. } | Layout::Bytes(size) => *size,
            Layout::Named(id) => {
                program.layouts.get(*id).map_or(0, |named| named.layout.size_within(program, depth - 1))
            }
        }
    }

    /// The bytes that belong to no field, as (offset, length): what fills the gaps between fields is never looked at.
    /// Empty for layouts too large to go through.
    pub fn padding(&self, program: &Program) -> Vec<(u64, u64)> {
        const LARGEST: u64 = 4096;
        let size = self.size(program);
        if size > LARGEST {
            return Vec::new();
        }
        let mut covered = vec![false; size as usize];
        self.cover(program, 0, &mut covered, 64);
        let mut gaps: Vec<(u64, u64)> = Vec::new();
        for at in (0..size).filter(|at| !covered[*at as usize]) {
            match gaps.last_mut() {
                Some((start, length)) if *start + *length == at => *length += 1,
                _ => gaps.push((at, 1)),
            }
        }
        gaps
    }

    fn cover(&self, program: &Program, at: u64, covered: &mut [bool], depth: u32) {
        if depth == 0 || at >= covered.len() as u64 {
            return;
        }
        match self.resolve(program) {
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
                for field in fields {
                    field.layout.cover(program, at + field.offset, covered, depth - 1);
                }
            }
            Layout::Array { element, count } => {
                let stride = element.size(program);
                for i in 0..if stride == 0 { 0 } else { *count } {
                    element.cover(program, at.saturating_add(i.saturating_mul(stride)), covered, depth - 1);
                }
            }
            whole @ (Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Named(_) | Layout::Bytes(_)) => {
                let end = at.saturating_add(whole.size(program)).min(covered.len() as u64);
                covered[at as usize..end as usize].fill(true);
            }
        }
    }

    /// The layout behind names.
    pub fn resolve<'a>(&'a self, program: &'a Program) -> &'a Layout {
        let mut layout = self;
        for _ in 0..64 {
            match layout {
                Layout::Named(id) => match program.layouts.get(*id) {
                    Some(named) => layout = &named.layout,
                    None => return layout,
                },
                _ => return layout,
            }
        }
        layout
    }
}
