//! What conditions say about values: on the two ways out of a branch, on a case of a switch, after an `assume` or `assert`.
//!
//! A condition is noted for the part of the function it dominates.  A value is written in one place only, so what holds of it
//! on the edge into a block holds in all blocks which that edge dominates: a path that wrote the value anew would have to
//! pass the edge again.

use crate::{Cfg, Point, ValueId, Values};
use base::{IdVec, graph};
use ir::{BinOp, BlockId, CastOp, Comparison, Expr, FuncId, Function, InstKind, Program, Reg, Term};
use rustc_hash::FxHashMap;

/// A comparison of a value with another that holds.
#[derive(Clone, Debug)]
pub struct Condition<'p> {
    /// From here on.
    pub from: Point,
    pub comparison: Comparison,
    /// The casts that widen the value before it is compared, innermost first, with the width they lead to.
    pub widening: Vec<(CastOp, u32)>,
    pub other: &'p Expr,
    /// Where `other` is evaluated.
    pub at: Point,
}

/// All conditions of a function, by the value they speak of.
pub struct Conditions<'p> {
    pub of: IdVec<ValueId, Vec<Condition<'p>>>,
    /// What holds on an edge into a block that has other ways in.
    pub on_edge: FxHashMap<(BlockId, BlockId), Vec<(ValueId, Condition<'p>)>>,
    /// Numbers of the dominator tree: a block dominates those whose number is in its span.
    span: IdVec<BlockId, (u32, u32)>,
}

impl<'p> Conditions<'p> {
    pub fn new(program: &'p Program, func: FuncId, cfg: &Cfg, values: &Values) -> Self {
        let function = &program.functions[func];
        let mut res = Conditions {
            of: IdVec::filled(Vec::new(), values.values.len()),
            on_edge: FxHashMap::default(),
            span: spans(cfg, function.blocks.len()),
        };
        let finder = Finder { program, function, values };
        for block in &cfg.order {
            let data = &function.blocks[*block];
            for (i, inst) in data.insts.iter().enumerate() {
                if let InstKind::Assume { cond } | InstKind::Assert { cond, .. } = &inst.kind {
                    let at = Point::new(func, *block, i);
                    finder.said(cond, true, at, at.next()).for_each(|(value, condition)| res.of[value].push(condition));
                }
            }
            let end = Point::new(func, *block, data.insts.len());
            // Only a block with one way in has a condition of its own; a function begins at its entry, too.
            let owns = |to: BlockId| to != Function::ENTRY && cfg.predecessors[to].as_slice() == [*block];
            if let Term::Branch { cond, then, other } = &data.term
                && then != other
            {
                for (to, holds) in [(*then, true), (*other, false)] {
                    let said = finder.said(cond, holds, end, Point::new(func, to, 0));
                    match owns(to) {
                        true => said.for_each(|(value, condition)| res.of[value].push(condition)),
                        false => res.on_edge.entry((*block, to)).or_default().extend(said),
                    }
                }
            }
        }
        res
    }

    /// Does the condition hold at the place?
    pub fn holds_at(&self, condition: &Condition, point: Point) -> bool {
        let from = condition.from;
        if from.block == point.block {
            return from.inst <= point.inst;
        }
        let (start, end) = self.span[from.block];
        (start..end).contains(&self.span[point.block].0)
    }
}

/// A condition with the value it speaks of.
type Said<'p> = (ValueId, Condition<'p>);

struct Finder<'p, 'v> {
    program: &'p Program,
    function: &'p Function,
    values: &'v Values,
}

impl<'p> Finder<'p, '_> {
    /// What the outcome of `cond`, evaluated `at` a place, says of values from the place `from` on.
    fn said(&self, cond: &'p Expr, holds: bool, at: Point, from: Point) -> impl Iterator<Item = Said<'p>> + use<'p> {
        let mut said = Vec::new();
        self.note(cond, holds, at, from, 16, &mut said);
        said.into_iter()
    }

    fn note(&self, cond: &'p Expr, holds: bool, at: Point, from: Point, depth: u32, said: &mut Vec<Said<'p>>) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match cond {
            Expr::Bin(op @ (BinOp::And | BinOp::Or), left, right) if holds == (*op == BinOp::And) => {
                self.note(left, holds, at, from, depth, said);
                self.note(right, holds, at, from, depth, said);
            }
            Expr::Bin(BinOp::Xor, inner, one) if **one == Expr::bool(true) => {
                self.note(inner, !holds, at, from, depth, said);
            }
            // A truth value that was computed before, perhaps widened and compared with 0.
            Expr::Bin(op @ (BinOp::Eq | BinOp::Ne), inner, zero)
                if is_widened_truth(self.function, inner) && matches!(**zero, Expr::Const(_, 0)) =>
            {
                self.note(inner.unwidened(), holds == (*op == BinOp::Ne), at, from, depth, said);
            }
            Expr::Reg(reg) if self.function.ty(*reg) == ir::Ty::BOOL => {
                if let Some((at, InstKind::Assign { value, .. })) = self.values.definition(self.program, at, *reg) {
                    self.note(value, holds, at, from, depth, said);
                }
            }
            Expr::Bin(op, left, right) => {
                let Some(comparison) = op.comparison() else { return };
                let comparison = if holds { comparison } else { comparison.negated() };
                for (side, other, comparison) in [(left, right, comparison), (right, left, comparison.mirrored())] {
                    if let Some((reg, widening)) = widened_register(self.function, side)
                        && let Some(value) = self.values.used(at, reg)
                    {
                        said.push((value, Condition { from, comparison, widening, other, at }));
                    }
                }
            }
            Expr::Un(..) | Expr::Cast(..) | Expr::Select(_) => (),
            Expr::Const(..) | Expr::Reg(_) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread | Expr::Old => (),
        }
    }
}

/// An `i1` that was made wider.
fn is_widened_truth(function: &Function, expr: &Expr) -> bool {
    match expr.unwidened() {
        narrow if narrow == expr => false,
        Expr::Bin(op, ..) => op.is_comparison(),
        Expr::Reg(reg) => function.ty(*reg) == ir::Ty::BOOL,
        _ => false,
    }
}

fn widened_register(function: &Function, expr: &Expr) -> Option<(Reg, Vec<(CastOp, u32)>)> {
    match expr {
        Expr::Reg(reg) => matches!(function.ty(*reg), ir::Ty::Int(_)).then_some((*reg, Vec::new())),
        Expr::Cast(op @ (CastOp::ZExt | CastOp::SExt), ir::Ty::Int(bits), inner) => {
            let (reg, mut casts) = widened_register(function, inner)?;
            casts.push((*op, u32::from(*bits)));
            Some((reg, casts))
        }
        _ => None,
    }
}

/// Numbers the dominator tree so that the blocks a block dominates are a span.
fn spans(cfg: &Cfg, blocks: usize) -> IdVec<BlockId, (u32, u32)> {
    let idom = cfg.dominators();
    let mut children: IdVec<BlockId, Vec<BlockId>> = IdVec::filled(Vec::new(), blocks);
    for block in &cfg.order {
        if let Some(up) = idom[*block].filter(|up| up != block) {
            children[up].push(*block);
        }
    }
    let mut span: IdVec<BlockId, (u32, u32)> = IdVec::filled((u32::MAX, 0), blocks);
    let mut order = graph::reverse_postorder(Function::ENTRY, &children);
    // In this order a block stands before those it dominates, which follow it without a gap.
    order.iter().enumerate().for_each(|(number, block)| span[*block] = (number as u32, number as u32 + 1));
    order.reverse();
    for block in order {
        let end = children[block].iter().map(|child| span[*child].1).max();
        span[block].1 = end.unwrap_or(span[block].1);
    }
    span
}
