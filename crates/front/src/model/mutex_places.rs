//! Where layouts have mutexes, and what an address means to a layout.

use ir::{BinOp, CastOp, Expr, Field, Layout, LayoutId, ObjectId, Program, Reg, Ty};

/// Layouts are taken apart this far.
const MAX_DEPTH: u32 = 64;

/// An address, taken apart.
pub struct Address {
    pub base: Base,
    /// The constant part of what is added.
    pub at: i64,
    /// What the parts that vary are multiples of.
    pub strides: Vec<u64>,
}

#[derive(Clone, Copy)]
pub enum Base {
    Object(ObjectId),
    Reg(Reg),
    /// Something else, of several values or none.
    Computed,
}

impl Address {
    pub fn of(expr: &Expr) -> Self {
        let mut address = Address { base: Base::Computed, at: 0, strides: Vec::new() };
        let mut rest = expr;
        while let Expr::Bin(BinOp::PtrAdd, base, offset) = rest {
            address.add(offset, 1);
            rest = base;
        }
        match rest {
            Expr::Object(object, at) => {
                address.base = Base::Object(*object);
                address.at = address.at.wrapping_add(*at);
            }
            Expr::Reg(reg) => address.base = Base::Reg(*reg),
            _ => (),
        }
        address
    }

    fn add(&mut self, offset: &Expr, factor: i64) {
        match offset {
            Expr::Const(ty, bits) => self.at = self.at.wrapping_add(signed(*ty, *bits).wrapping_mul(factor)),
            Expr::Bin(BinOp::Add, left, right) => {
                self.add(left, factor);
                self.add(right, factor);
            }
            Expr::Bin(BinOp::Mul, other, number) | Expr::Bin(BinOp::Mul, number, other)
                if matches!(**number, Expr::Const(..)) =>
            {
                let Expr::Const(ty, bits) = **number else { return };
                self.add(other, factor.wrapping_mul(signed(ty, bits)));
            }
            Expr::Bin(BinOp::Shl, other, number) if matches!(**number, Expr::Const(_, 0..32)) => {
                let Expr::Const(_, bits) = **number else { return };
                self.add(other, factor.wrapping_mul(1 << bits));
            }
            Expr::Cast(CastOp::SExt | CastOp::ZExt, _, inner) if matches!(**inner, Expr::Const(..)) => {
                self.strides.push(1);
            }
            _ => self.strides.push(factor.unsigned_abs()),
        }
    }
}

fn signed(ty: Ty, bits: u128) -> i64 {
    match ty {
        Ty::Int(32) => i64::from(bits as u32 as i32),
        _ => bits as i64,
    }
}

/// What an access finds in a layout.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Found {
    Nothing,
    /// It varies in ways that the layout does not explain.
    Lost,
    Mutex,
}

pub struct Places<'p> {
    program: &'p Program,
    kind: u64,
    /// For each named layout.
    has_mutex: Vec<bool>,
}

impl<'p> Places<'p> {
    /// A mutex has its kind there.
    pub fn new(program: &'p Program, kind: i64) -> Self {
        let kind = kind.unsigned_abs();
        let mut places = Places { program, kind, has_mutex: vec![false; program.layouts.len()] };
        // Layouts are not nested without measure, so this ends soon.
        loop {
            let has: Vec<bool> = (program.layouts.iter())
                .map(|(id, named)| places.kind_of(id).is_some() || places.has_mutex(&named.layout))
                .collect();
            if has == places.has_mutex {
                return places;
            }
            places.has_mutex = has;
        }
    }

    /// Where the layout has the kind, if it is a mutex or attributes of one.
    fn kind_of(&self, id: LayoutId) -> Option<u64> {
        // Of several layouts of one name all but the first have a number.
        let name = self.program.layouts[id].name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        match name {
            "pthread_mutex_t" | "__pthread_mutex_s" | "mtx_t" => Some(self.kind),
            "pthread_mutexattr_t" => Some(0),
            _ => None,
        }
    }

    pub fn has_mutex(&self, layout: &Layout) -> bool {
        match layout {
            Layout::Named(id) => self.has_mutex[id.0 as usize],
            Layout::Array { element, .. } => self.has_mutex(element),
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
                fields.iter().any(|field| self.has_mutex(&field.layout))
            }
            Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Bytes(_) => false,
        }
    }

    /// May an access there touch a kind?
    pub fn touches_kind(&self, layout: &Layout, at: i64, len: u64, strides: &[u64]) -> bool {
        let Ok(start) = u64::try_from(at) else { return self.has_mutex(layout) };
        match self.touched(layout, start, len, strides, MAX_DEPTH) {
            Found::Mutex => true,
            Found::Lost => self.has_mutex(layout),
            Found::Nothing => false,
        }
    }

    /// The same where the layout is that of one element of perhaps many.
    pub fn element_touches_kind(&self, layout: &Layout, at: i64, len: u64, strides: &[u64]) -> bool {
        let has = self.has_mutex(layout);
        let Some((at, rest)) = self.within_element(layout, at, strides) else { return has };
        // Before an element stands what it is part of.
        if !has && at < 0 {
            return true;
        }
        self.touches_kind(layout, at, len, &rest)
    }

    /// Where in the element an address is, and how it varies there.  What is before it stays so, unless it is an element.
    fn within_element(&self, layout: &Layout, at: i64, strides: &[u64]) -> Option<(i64, Vec<u64>)> {
        let size = i64::try_from(layout.size(self.program)).ok().filter(|size| *size > 0)?;
        let rest = strides.iter().copied().filter(|stride| stride % size.unsigned_abs() != 0).collect();
        let before = at < 0 && at % size != 0 && !self.has_mutex(layout);
        Some((if before { at } else { at.rem_euclid(size) }, rest))
    }

    fn touched(&self, layout: &Layout, at: u64, len: u64, strides: &[u64], depth: u32) -> Found {
        let Some(depth) = depth.checked_sub(1) else { return Found::Lost };
        match layout {
            Layout::Named(id) => match self.kind_of(*id) {
                Some(kind) => {
                    let overlaps = at < kind + 4 && kind < at.saturating_add(len);
                    if overlaps || !strides.is_empty() { Found::Mutex } else { Found::Nothing }
                }
                None => self.touched(&self.program.layouts[*id].layout, at, len, strides, depth),
            },
            Layout::Array { element, .. } => {
                let size = element.size(self.program);
                if size == 0 {
                    return Found::Lost;
                }
                let rest: Vec<u64> = strides.iter().copied().filter(|stride| stride % size != 0).collect();
                let start = at % size;
                if start.saturating_add(len) > size && self.has_mutex(element) {
                    return Found::Mutex;
                }
                self.touched(element, start, len, &rest, depth)
            }
            Layout::Struct { fields, .. } => {
                let overlapping = fields.iter().filter(|field| {
                    at < field.offset.saturating_add(field.layout.size(self.program))
                        && field.offset < at.saturating_add(len)
                });
                let found = overlapping.map(|field| self.touched_field(field, at, len, strides, depth)).max();
                found.unwrap_or(if strides.is_empty() { Found::Nothing } else { Found::Lost })
            }
            Layout::Union { fields, .. } => {
                let found: Vec<Found> =
                    fields.iter().map(|field| self.touched_field(field, at, len, strides, depth)).collect();
                match found.iter().max() {
                    Some(Found::Mutex) => Found::Mutex,
                    // One member that explains it is enough.
                    _ => found.into_iter().min().unwrap_or(Found::Nothing),
                }
            }
            Layout::Scalar { .. } | Layout::Pointer(_) if !strides.is_empty() => Found::Lost,
            Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Bytes(_) => Found::Nothing,
        }
    }

    fn touched_field(&self, field: &Field, at: u64, len: u64, strides: &[u64], depth: u32) -> Found {
        let end = at.saturating_add(len);
        let start = at.saturating_sub(field.offset);
        let len = end.saturating_sub(field.offset).saturating_sub(start);
        self.touched(&field.layout, start, len, strides, depth)
    }

    /// Does a pointer to there lead to a mutex: does what may begin there have one, or is it within one?
    pub fn leads_to_mutex(&self, layout: &Layout, at: i64) -> bool {
        self.has_mutex(layout) && self.leads(layout, at, MAX_DEPTH)
    }

    pub fn element_leads_to_mutex(&self, layout: &Layout, at: i64) -> bool {
        self.within_element(layout, at, &[]).is_some_and(|(at, _)| self.leads_to_mutex(layout, at))
    }

    fn leads(&self, layout: &Layout, at: i64, depth: u32) -> bool {
        let (Some(depth), Ok(start)) = (depth.checked_sub(1), u64::try_from(at)) else { return true };
        if start == 0 {
            return self.has_mutex(layout);
        }
        match layout {
            Layout::Named(id) => {
                self.kind_of(*id).is_some() || self.leads(&self.program.layouts[*id].layout, at, depth)
            }
            Layout::Array { element, .. } => {
                let Ok(size @ 1..) = i64::try_from(element.size(self.program)) else { return self.has_mutex(element) };
                self.leads(element, at % size, depth)
            }
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => fields.iter().any(|field| {
                let within = start.checked_sub(field.offset);
                let within = within.filter(|at| *at < field.layout.size(self.program));
                within.is_some_and(|at| self.leads(&field.layout, at as i64, depth))
            }),
            Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Bytes(_) => false,
        }
    }

    /// The scalar or pointer that an access is to, where that is one only.
    pub fn leaf<'l>(&self, layout: &'l Layout, at: i64, strides: &[u64]) -> Option<&'l Layout>
    where
        'p: 'l,
    {
        let (mut layout, mut at) = (layout, u64::try_from(at).ok()?);
        let mut strides = strides.to_vec();
        for _ in 0..MAX_DEPTH {
            match layout {
                Layout::Named(id) => layout = &self.program.layouts.get(*id)?.layout,
                Layout::Array { element, .. } => {
                    let size = element.size(self.program);
                    at = at.checked_rem(size)?;
                    strides.retain(|stride| stride % size != 0);
                    layout = element;
                }
                Layout::Struct { fields, .. } => {
                    let holds = |field: &&Field| {
                        field.offset <= at && at < field.offset.saturating_add(field.layout.size(self.program))
                    };
                    let field = fields.iter().find(holds)?;
                    at -= field.offset;
                    layout = &field.layout;
                }
                Layout::Scalar { .. } | Layout::Pointer(_) => {
                    return Some(layout).filter(|_| at == 0 && strides.is_empty());
                }
                Layout::Union { .. } | Layout::Bytes(_) => return None,
            }
        }
        None
    }

    pub fn element_leaf<'l>(&self, layout: &'l Layout, at: i64, strides: &[u64]) -> Option<&'l Layout>
    where
        'p: 'l,
    {
        let (at, rest) = self.within_element(layout, at, strides)?;
        self.leaf(layout, at, &rest)
    }

    /// Has `layout`, or an array of it, something of the layout `told` there?
    pub fn agrees(&self, layout: &Layout, at: i64, told: &Layout) -> bool {
        let mut told = told;
        while let Layout::Array { element, .. } = told {
            told = element;
        }
        let size = i64::try_from(layout.size(self.program)).ok().filter(|size| *size > 0);
        size.is_some_and(|size| self.contains(layout, at.rem_euclid(size).unsigned_abs(), told, MAX_DEPTH))
    }

    fn contains(&self, layout: &Layout, at: u64, told: &Layout, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if at == 0 && layout == told {
            return true;
        }
        match layout {
            // What a mutex consists of is nobody else's.
            Layout::Named(id) if self.kind_of(*id).is_some() => false,
            Layout::Named(id) => self.contains(&self.program.layouts[*id].layout, at, told, depth),
            Layout::Array { element, .. } => {
                let at = at.checked_rem(element.size(self.program));
                at.is_some_and(|at| self.contains(element, at, told, depth))
            }
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => fields.iter().any(|field| {
                let at = at.checked_sub(field.offset);
                at.is_some_and(|at| self.contains(&field.layout, at, told, depth))
            }),
            Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Bytes(_) => false,
        }
    }
}
