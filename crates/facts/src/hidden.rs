//! Pointers that a program can keep where nobody sees them: as a number that was computed from one (shifted to make room for a
//! tag, mixed with a key, subtracted from another), in pieces (copied byte by byte), or as what a comparison with another number
//! has shown (that it lies before another block, that it equals an input).  Such a program may still have the address of a
//! freed block, or know something of it, though no word of its memory looks like one.
//!
//! Errs towards yes.  That two pointers into the same object are subtracted or compared keeps neither of them.

use crate::{Basis, Facts, Point, RegionId, RegionKind, Targets};
use base::{Id, Pos};
use ir::{BinOp, CastOp, Expr, Function, Program, Ty};

pub fn hides_pointers(program: &Program, facts: &Facts) -> bool {
    let mut found = has_pieces(program, facts);
    for_each_expr(program, facts, &mut |look, expr| found |= look.hides(expr));
    found
}

/// Is there a register that a pointer to the heap does not fit into, or would be a float in, and that may hold some of one?
fn has_pieces(program: &Program, facts: &Facts) -> bool {
    let pointer = program.data_model.pointer_bits();
    program.functions.iter().any(|(func, function)| {
        facts.values[func].values.iter().any(|(id, value)| {
            let whole = match function.ty(value.reg) {
                Ty::Ptr => true,
                Ty::Int(bits) => bits >= pointer,
                Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => false,
            };
            !whole && held(facts, facts.points_to.value(func, id)).is_some()
        })
    })
}

/// The object that a value may be an address of, if any: the only one of its region.
fn held(facts: &Facts, targets: &Targets) -> Option<Option<usize>> {
    let mut heap = targets.iter().filter(|target| matches!(facts.regions.all[target.region].kind, RegionKind::Heap(_)));
    match heap.next() {
        None => targets.all.then_some(None),
        Some(first) => {
            let one = heap.all(|other| other.region == first.region) && is_single(facts, first.region);
            Some(one.then(|| first.region.index()))
        }
    }
}

/// Is there at most one block of the region in an execution?
fn is_single(facts: &Facts, region: RegionId) -> bool {
    let RegionKind::Heap(point) = facts.regions.all[region].kind else { return false };
    facts.threads.once[point.func] && !facts.cfgs[point.func].in_loop(point.block)
}

/// Where the user's functions compute with numbers of pointers to the heap, other than to compare them or subtract one from
/// another.
pub fn computed_numbers(program: &Program, facts: &Facts) -> Vec<Pos> {
    let mut found = Vec::new();
    for_each_expr(program, facts, &mut |look, expr| {
        let pos = program.pos(look.point);
        if !look.function.model && expr.any(&mut |part| look.computes(part)) && !found.contains(&pos) {
            found.push(pos);
        }
    });
    found
}

fn for_each_expr(program: &Program, facts: &Facts, see: &mut dyn FnMut(&Look<'_>, &Expr)) {
    let basis = facts.basis(program);
    basis.for_each_point(&mut |point, _| {
        let look = Look { function: &program.functions[point.func], facts, basis, point };
        basis.for_each_expr_at(point, &mut |expr| see(&look, expr));
    });
}

struct Look<'a> {
    function: &'a Function,
    facts: &'a Facts,
    basis: Basis<'a>,
    point: Point,
}

impl Look<'_> {
    /// Does the expression compute with the number of a pointer, or show something of it?
    fn hides(&self, expr: &Expr) -> bool {
        expr.any(&mut |expr| match expr {
            Expr::Bin(BinOp::Sub | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe, left, right) => {
                match (self.number(left), self.number(right)) {
                    (Some(one), Some(other)) => one.is_none() || one != other,
                    (one, other) => one.is_some() || other.is_some(),
                }
            }
            Expr::Bin(BinOp::Eq | BinOp::Ne, left, right) => {
                let shows = |one: &Expr, other: &Expr| self.number(one).is_some() && self.is_made_up(other);
                self.number(left).is_some() != self.number(right).is_some()
                    && (shows(left, right) || shows(right, left))
            }
            expr => self.computes(expr),
        })
    }

    /// Does the operation compute a number from that of a pointer, other than the difference to another?
    fn computes(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Bin(BinOp::PtrAdd, ..) => false,
            Expr::Bin(BinOp::Sub, left, right) => self.number(left).is_some() != self.number(right).is_some(),
            Expr::Bin(op, left, right) => {
                !op.is_comparison() && (self.address(left).is_some() || self.address(right).is_some())
            }
            Expr::Un(_, inner) => self.address(inner).is_some(),
            // A part of it, or a float with its value.
            Expr::Cast(CastOp::Trunc | CastOp::Float | CastOp::SignedToFloat | CastOp::UnsignedToFloat, _, inner) => {
                self.address(inner).is_some()
            }
            Expr::Cast(..) | Expr::Select(_) => false,
            Expr::Const(..) | Expr::Reg(_) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread | Expr::Old => {
                false
            }
        }
    }

    /// Is it a pointer, or the number of one; if so, to which object, if that is known?
    fn number(&self, expr: &Expr) -> Option<Option<usize>> {
        match expr {
            Expr::Reg(_) => self.held(expr),
            Expr::Bin(BinOp::PtrAdd, base, _) => self.number(base),
            other => self.address(other),
        }
    }

    /// Is it the number of a pointer; if so, to which object, if that is known?
    fn address(&self, expr: &Expr) -> Option<Option<usize>> {
        match expr {
            Expr::Cast(CastOp::PtrToInt, _, inner) => self.pointed(inner),
            Expr::Cast(_, _, inner) => self.address(inner),
            Expr::Select(parts) => self.address(&parts[1]).or_else(|| self.address(&parts[2])),
            Expr::Reg(reg) if self.function.ty(*reg) == Ty::Ptr => None,
            Expr::Reg(_) | Expr::Old => self.held(expr),
            Expr::Const(..) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread | Expr::Un(..) | Expr::Bin(..) => {
                None
            }
        }
    }

    /// What is known of a register, or of what an update finds.
    fn held(&self, expr: &Expr) -> Option<Option<usize>> {
        held(self.facts, self.basis.targets(self.point, expr)?)
    }

    /// May it be a number that comes from nowhere, such as an input?
    fn is_made_up(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Reg(_) | Expr::Old => {
                self.basis.targets(self.point, expr).is_none_or(|targets| targets.wild || targets.number)
            }
            Expr::Cast(_, _, inner) => self.is_made_up(inner),
            Expr::Bin(BinOp::PtrAdd, base, _) => self.is_made_up(base),
            Expr::Select(parts) => parts[1..].iter().any(|part| self.is_made_up(part)),
            Expr::Un(..) | Expr::Bin(..) => true,
            Expr::Const(..) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread => false,
        }
    }

    /// The same of a pointer.
    fn pointed(&self, pointer: &Expr) -> Option<Option<usize>> {
        match pointer {
            Expr::Reg(_) | Expr::Old => self.held(pointer),
            Expr::Bin(BinOp::PtrAdd, base, _) => self.pointed(base),
            Expr::Const(..) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread => None,
            Expr::Un(..) | Expr::Bin(..) | Expr::Cast(..) | Expr::Select(_) => Some(None),
        }
    }
}
