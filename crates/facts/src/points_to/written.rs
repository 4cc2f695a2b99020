//! Loads that surely find something the program has stored, though the object came without content.
//!
//! A load from a local object is such a load if a store to the same bytes, with the same address as far as one can see from
//! the text (the result of the same `alloc`, plus a constant), dominates it, and the `alloc` is in no loop, so that within one
//! activation of the function both mean the same object.

use crate::{Functions, Point, Values};
use base::IdVec;
use base::graph::dominates;
use ir::{BinOp, BlockId, Expr, FuncId, InstKind, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// The loads and updates of the function that surely find something stored.
pub fn written_before(functions: Functions<'_>, func: FuncId) -> FxHashSet<Point> {
    let (program, cfg, values) = (functions.program, &functions.cfgs[func], &functions.values[func]);
    let mut stores: FxHashMap<(Point, i128, u64), Vec<Point>> = FxHashMap::default();
    let mut loads: Vec<(Point, (Point, i128, u64))> = Vec::new();
    for (point, kind) in functions.insts(func) {
        let Some(access) = kind.access() else { continue };
        let Some((alloc, offset)) = local_place(program, values, point, access.addr) else { continue };
        let place = (alloc, offset, program.size_of(access.ty));
        match access.reads {
            _ if cfg.in_loop(alloc.block) => (),
            true => loads.push((point, place)),
            false => stores.entry(place).or_default().push(point),
        }
    }
    if loads.is_empty() || stores.is_empty() {
        return FxHashSet::default();
    }
    let idom = cfg.dominators();
    loads
        .into_iter()
        .filter(|(load, place)| stores.get(place).is_some_and(|at| dominated(load, at, &idom)))
        .map(|(load, _)| load)
        .collect()
}

/// Is one of the `stores` on every way to `load`?
fn dominated(load: &Point, stores: &[Point], idom: &IdVec<BlockId, Option<BlockId>>) -> bool {
    stores.iter().any(|store| match store.block == load.block {
        true => store.inst < load.inst,
        false => dominates(idom, store.block, load.block),
    })
}

/// How deep addresses are followed.
const DEEPEST: u32 = 16;

/// The `alloc` of the same activation whose latest result, plus a constant, the address is, as far as one can see from the text.
pub fn local_place(program: &Program, values: &Values, at: Point, addr: &Expr) -> Option<(Point, i128)> {
    followed(program, values, at, addr, DEEPEST)
}

fn followed(program: &Program, values: &Values, at: Point, addr: &Expr, depth: u32) -> Option<(Point, i128)> {
    let depth = depth.checked_sub(1)?;
    match addr {
        Expr::Reg(reg) => match values.definition(program, at, *reg)? {
            (at, InstKind::Assign { value, .. }) => followed(program, values, at, value, depth),
            (at, kind) => matches!(kind, InstKind::Alloc { .. }).then_some((at, 0)),
        },
        Expr::Bin(BinOp::PtrAdd, base, by) => {
            let Expr::Const(ty, by) = **by else { return None };
            let (alloc, offset) = followed(program, values, at, base, depth)?;
            Some((alloc, offset + ir::signed(by, program.bits_of(ty))))
        }
        Expr::Un(..) | Expr::Bin(..) | Expr::Cast(..) | Expr::Select(_) => None,
        Expr::Const(..) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread | Expr::Old => None,
    }
}
