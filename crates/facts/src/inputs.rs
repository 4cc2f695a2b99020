//! Inputs: for a nondeterministic value that is only ever compared with constants, a few values that stand for all.
//!
//! For each `havoc` we follow its value through copies, widening casts and meets.  If every use is a comparison of the value
//! (perhaps widened) with a constant, or a `switch` over it, the execution depends on the value only through the outcomes of
//! those comparisons.  The constants cut the values into classes within which all outcomes are the same: each constant by
//! itself and each gap between neighbours, in unsigned order, with a further cut at the sign bit where a signed comparison or
//! a cast is involved.  One value of each class is a *complete* set: replacing the input by its representative changes no
//! step of any thread.
//!
//! Widening keeps the low bits and maps each half of the values (sign bit clear, set) to consecutive numbers, signed and
//! unsigned.  So a comparison of the widened value with `c` cuts a half at most at the value whose bits are the low bits of
//! `c`, or not at all.
//!
//! A value nobody uses is represented by 0; an `i1` by both its values.  Everything else has no such set: `None`.

use crate::cfg::{Cfg, Points};
use crate::values::{Origin, ValueId, Values};
use base::IdVec;
use ir::{BinOp, BlockId, CastOp, Expr, FuncId, Function, InstKind, Program, Reg, Term, Ty};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub struct Inputs {
    /// By point of a `havoc`.
    sets: FxHashMap<usize, Vec<u128>>,
    points: Points,
}

impl Inputs {
    pub fn compute(
        program: &Program,
        points: &Points,
        cfgs: &IdVec<FuncId, Cfg>,
        values: &IdVec<FuncId, Values>,
    ) -> Self {
        let mut res = Inputs { sets: FxHashMap::default(), points: points.clone() };
        for (func, function) in program.functions.iter() {
            let is_havoc = |kind: &InstKind| matches!(kind, InstKind::Havoc { .. });
            if !function.blocks.values().any(|block| block.insts.iter().any(|inst| is_havoc(&inst.kind))) {
                continue;
            }
            let users = Users::new(function, &cfgs[func], &values[func]);
            for block in &cfgs[func].order {
                for (i, inst) in function.blocks[*block].insts.iter().enumerate() {
                    if !is_havoc(&inst.kind) {
                        continue;
                    }
                    let Some(value) = values[func].written(*block, i) else { continue };
                    if let Some(set) = users.representatives(program, value) {
                        res.sets.insert(points.index(func, *block, i), set);
                    }
                }
            }
        }
        res
    }

    /// A complete set of values for the `havoc` at the place, ascending; `None` if there is no such (small) set.
    pub fn representatives(&self, func: FuncId, block: BlockId, inst: usize) -> Option<&[u128]> {
        self.sets.get(&self.points.index(func, block, inst)).map(Vec::as_slice)
    }
}

/// The constants a value is compared with, cut to its own width.
#[derive(Default)]
struct Cuts {
    constants: BTreeSet<u128>,
    /// Some comparison is by order, not only for equality.
    ordered: bool,
    /// Some comparison or cast sees the sign.
    signed: bool,
}

/// Who uses each value of a function.
struct Users<'a> {
    function: &'a Function,
    values: &'a Values,
    at: IdVec<ValueId, Vec<(BlockId, u32)>>,
    meets: IdVec<ValueId, Vec<ValueId>>,
}

impl<'a> Users<'a> {
    fn new(function: &'a Function, cfg: &Cfg, values: &'a Values) -> Self {
        let n = values.values.len();
        let mut at: IdVec<ValueId, Vec<(BlockId, u32)>> = IdVec::filled(Vec::new(), n);
        let mut meets: IdVec<ValueId, Vec<ValueId>> = IdVec::filled(Vec::new(), n);
        for block in &cfg.order {
            for i in 0..=function.blocks[*block].insts.len() {
                for (_, value) in values.uses_at(*block, i) {
                    at[*value].push((*block, i as u32));
                }
            }
        }
        for (id, value) in values.values.iter() {
            if let Origin::Meet(_, operands) = &value.origin {
                operands.iter().filter(|operand| **operand != id).for_each(|operand| meets[*operand].push(id));
            }
        }
        Users { function, values, at, meets }
    }

    fn representatives(&self, program: &Program, value: ValueId) -> Option<Vec<u128>> {
        let ty = self.function.ty(self.values.values[value].reg);
        let bits = program.bits_of(ty);
        if ty == Ty::BOOL {
            return Some(if self.unused(value) { vec![0] } else { vec![0, 1] });
        }
        let mut cuts = Cuts::default();
        let mut seen = vec![value];
        let mut next = 0;
        while let Some(value) = seen.get(next).copied() {
            next += 1;
            let mut flows_to = self.meets[value].clone();
            for (block, inst) in &self.at[value] {
                flows_to.extend(self.use_at(*block, *inst as usize, value, bits, &mut cuts)?);
            }
            for to in flows_to {
                if !seen.contains(&to) {
                    seen.push(to);
                }
            }
        }
        if ty.is_float() && !cuts.constants.is_empty() {
            return None;
        }
        Some(cuts.representatives(bits))
    }

    fn unused(&self, value: ValueId) -> bool {
        self.at[value].is_empty() && self.meets[value].is_empty()
    }

    /// Notes what one instruction does with the value and returns the values it flows to; `None` if it does more than compare.
    fn use_at(&self, block: BlockId, inst: usize, value: ValueId, bits: u32, cuts: &mut Cuts) -> Option<Vec<ValueId>> {
        let reg = self.values.values[value].reg;
        let mut flows_to = Vec::new();
        match self.function.blocks[block].insts.get(inst).map(|inst| &inst.kind) {
            Some(InstKind::Assign { value: expr, .. }) if flows(expr, reg, bits, cuts) => {
                flows_to.extend(self.values.written(block, inst));
            }
            Some(kind) => {
                let mut fine = true;
                kind.for_each_expr(&mut |expr| fine &= compared_only(expr, reg, bits, cuts));
                fine.then_some(())?;
            }
            None => match &self.function.blocks[block].term {
                Term::Switch { value: expr, cases, .. } if is_widened(expr, reg) => {
                    cuts.signed |= matches!(expr, Expr::Cast(..));
                    cuts.constants.extend(cases.iter().map(|(case, _)| ir::mask(*case, bits)));
                }
                term => {
                    let mut fine = true;
                    term.for_each_expr(&mut |expr| fine &= compared_only(expr, reg, bits, cuts));
                    fine.then_some(())?;
                }
            },
        }
        Some(flows_to)
    }
}

/// The register itself, or widened.
fn is_widened(expr: &Expr, reg: Reg) -> bool {
    match expr {
        Expr::Reg(other) => *other == reg,
        Expr::Cast(CastOp::ZExt | CastOp::SExt, _, inner) => is_widened(inner, reg),
        _ => false,
    }
}

/// Is the expression's value the register's, perhaps widened, on some condition that at most compares it?
fn flows(expr: &Expr, reg: Reg, bits: u32, cuts: &mut Cuts) -> bool {
    if is_widened(expr, reg) {
        cuts.signed |= matches!(expr, Expr::Cast(..));
        return true;
    }
    match expr {
        Expr::Select(parts) => {
            let [cond, then, other] = parts.as_ref();
            let then_flows = flows(then, reg, bits, cuts);
            let other_flows = flows(other, reg, bits, cuts);
            compared_only(cond, reg, bits, cuts)
                && (then_flows || other_flows)
                && (then_flows || compared_only(then, reg, bits, cuts))
                && (other_flows || compared_only(other, reg, bits, cuts))
        }
        Expr::Const(..)
        | Expr::Reg(_)
        | Expr::Object(..)
        | Expr::Func(_)
        | Expr::CurrentThread
        | Expr::Old
        | Expr::Un(..)
        | Expr::Bin(..)
        | Expr::Cast(..) => false,
    }
}

/// Does the register occur in the expression only in comparisons with constants?  Notes the constants.
fn compared_only(expr: &Expr, reg: Reg, bits: u32, cuts: &mut Cuts) -> bool {
    match expr {
        Expr::Reg(other) => *other != reg,
        Expr::Const(..) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread | Expr::Old => true,
        Expr::Un(_, inner) | Expr::Cast(_, _, inner) => compared_only(inner, reg, bits, cuts),
        Expr::Bin(op, left, right) => match (op, &**left, &**right) {
            (
                BinOp::Eq | BinOp::Ne | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe,
                value,
                Expr::Const(_, constant),
            )
            | (
                BinOp::Eq | BinOp::Ne | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe,
                Expr::Const(_, constant),
                value,
            ) if is_widened(value, reg) => {
                cuts.constants.insert(ir::mask(*constant, bits));
                cuts.ordered |= !matches!(op, BinOp::Eq | BinOp::Ne);
                cuts.signed |= matches!(op, BinOp::SLt | BinOp::SLe) || matches!(value, Expr::Cast(..));
                true
            }
            _ => compared_only(left, reg, bits, cuts) & compared_only(right, reg, bits, cuts),
        },
        Expr::Select(parts) => parts.iter().all(|part| compared_only(part, reg, bits, cuts)),
    }
}

impl Cuts {
    /// One value of each class, ascending.
    fn representatives(&self, bits: u32) -> Vec<u128> {
        let last = ir::mask(u128::MAX, bits);
        if self.constants.is_empty() {
            return vec![0];
        }
        let mut found = self.constants.clone();
        if !self.ordered && !self.signed {
            // Equalities only: the constants, and one value that is none of them.
            found.extend((0..=last).find(|value| !self.constants.contains(value)));
            return found.into_iter().collect();
        }
        // The first value of each gap: at the start of a half, and after each constant.
        found.insert(0);
        if self.signed {
            found.insert((last >> 1) + 1);
        }
        found.extend(self.constants.iter().filter(|c| **c < last).map(|c| c + 1));
        found.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Cuts;

    #[test]
    fn a_gap_between_equal_neighbours_has_no_representative_of_its_own() {
        let cuts = Cuts { constants: [4, 5].into(), ordered: true, signed: true };
        assert_eq!(cuts.representatives(8), [0, 4, 5, 6, 128]);
        let cuts = Cuts { constants: [0].into(), ordered: false, signed: false };
        assert_eq!(cuts.representatives(32), [0, 1]);
        let cuts = Cuts { constants: [0, 1, 2, 3].into(), ordered: false, signed: false };
        assert_eq!(cuts.representatives(2), [0, 1, 2, 3]);
    }
}
