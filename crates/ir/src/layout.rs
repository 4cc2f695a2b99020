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

    /// The layout behind names.
    pub fn resolve<'a>(&'a self, program: &'a Program) -> &'a Layout {
        let mut layout = self;
        for _ in 0..64 {
            let Layout::Named(id) = layout else { break };
            let Some(named) = program.layouts.get(*id) else { break };
            layout = &named.layout;
        }
        layout
    }
}
