//! From a byte offset to the user's names: the path of fields and elements that leads there.

use super::print::scalar;
use crate::layout::{Field, Layout};
use crate::program::{BinOp, Expr, Program, Ty};

/// One step of a path.
#[derive(Clone, PartialEq, Debug)]
pub enum PathElement<'a> {
    Field(&'a str),
    /// A constant index.
    Element(u64),
    /// An index known only when the program runs.
    Variable(&'a Expr),
}

/// Where a search may stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// At a number or pointer of this type, exactly at the offset.
    Leaf(Ty),
    /// At anything that starts exactly at the offset, the outermost first.
    Exact,
    /// As soon as the variable indices are used up; the rest of the offset is left over.
    Rest,
}

/// The field with that name, the first if there are several.
pub fn field<'a>(program: &'a Program, layout: &'a Layout, name: &str) -> Option<&'a Field> {
    match layout.resolve(program) {
        Layout::Struct { fields, .. } | Layout::Union { fields, .. } => fields.iter().find(|field| field.name == name),
        _ => None,
    }
}

/// The index that `term`, added to an address, stands for in an array whose elements have `stride` bytes.
///
/// A constant never counts: written as an index it would be read as a part of the constant offset.
pub fn index_in(term: &Expr, stride: u64, pointer_int: Ty) -> Option<&Expr> {
    let index = match term {
        _ if stride == 1 => term,
        Expr::Bin(BinOp::Mul, index, factor) if **factor == Expr::Const(pointer_int, u128::from(stride)) => index,
        _ => return None,
    };
    (stride != 0 && !matches!(index, Expr::Const(..))).then_some(index)
}

/// Looks for a path through `layout` that adds up to `offset` and uses each of `terms` as an index, in order.
/// Returns it with what is left of the offset (not 0 only for [`Goal::Rest`]).
pub fn find<'a>(
    program: &'a Program,
    layout: &'a Layout,
    offset: u64,
    terms: &[&'a Expr],
    goal: Goal,
) -> Option<(Vec<PathElement<'a>>, u64)> {
    // Unions offer several ways, so the search is bounded: a missed path costs beauty only.
    let mut search = PathFinder { program, goal, fuel: 500, steps: Vec::new() };
    let rest = search.walk(layout, offset, terms)?;
    Some((search.steps, rest))
}

struct PathFinder<'a> {
    program: &'a Program,
    goal: Goal,
    fuel: u32,
    steps: Vec<PathElement<'a>>,
}

impl<'a> PathFinder<'a> {
    fn walk(&mut self, layout: &'a Layout, offset: u64, terms: &[&'a Expr]) -> Option<u64> {
        if self.fuel == 0 || self.steps.len() >= 40 {
            return None;
        }
        self.fuel -= 1;
        let layout = layout.resolve(self.program);
        if terms.is_empty() && self.stops(layout, offset) {
            return Some(offset);
        }
        match layout {
            Layout::Struct { fields, .. } | Layout::Union { fields, .. } => {
                fields.iter().enumerate().find_map(|(i, field)| {
                    let inside = offset.checked_sub(field.offset)?;
                    let covers = inside < field.layout.size(self.program) || self.is_flexible(&field.layout);
                    let is_hidden = fields[..i].iter().any(|f| f.name == field.name);
                    let found = covers && !is_hidden;
                    found.then(|| self.step(PathElement::Field(&field.name), &field.layout, inside, terms))?
                })
            }
            Layout::Array { element, count } => {
                let stride = element.size(self.program);
                if let Some((first, others)) = terms.split_first()
                    && let Some(index) = index_in(first, stride, self.program.pointer_int())
                    && (offset < stride || self.goal == Goal::Rest)
                {
                    let rest = self.step(PathElement::Variable(index), element, offset, others);
                    if rest.is_some() {
                        return rest;
                    }
                }
                let index = offset.checked_div(stride)?;
                if index >= *count && *count != 0 {
                    return None;
                }
                self.step(PathElement::Element(index), element, offset % stride, terms)
            }
            Layout::Scalar { .. } | Layout::Pointer(_) | Layout::Named(_) | Layout::Bytes(_) => None,
        }
    }

    /// An array without elements at the end of a struct stands for as many as were allocated.
    fn is_flexible(&self, layout: &Layout) -> bool {
        matches!(layout.resolve(self.program), Layout::Array { count: 0, .. })
    }

    fn step(&mut self, step: PathElement<'a>, layout: &'a Layout, offset: u64, terms: &[&'a Expr]) -> Option<u64> {
        self.steps.push(step);
        let rest = self.walk(layout, offset, terms);
        if rest.is_none() {
            self.steps.pop();
        }
        rest
    }

    fn stops(&self, layout: &Layout, offset: u64) -> bool {
        match self.goal {
            Goal::Rest => true,
            Goal::Exact => offset == 0,
            Goal::Leaf(wanted) => offset == 0 && scalar(layout) == Some(wanted),
        }
    }
}
