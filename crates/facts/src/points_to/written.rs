//! Loads that surely find something the program has stored, though the object came without content.
//!
//! A load from a local object is such a load if a store to the same bytes, with the same address as far as one can see from
//! the text (the result of the same `alloc`, plus a constant), dominates it, and the `alloc` is in no loop, so that within one
//! activation of the function both mean the same object.

use crate::cfg::Cfg;
use crate::values::{Origin, Values};
use base::IdVec;
use ir::{BinOp, BlockId, Expr, Function, InstKind, Program, Ty};
use rustc_hash::{FxHashMap, FxHashSet};

type Place = (BlockId, u32);

/// The loads and updates of the function that surely find something stored.
pub fn written_before(program: &Program, function: &Function, cfg: &Cfg, values: &Values) -> FxHashSet<Place> {
    let mut stores: FxHashMap<(Place, i128, u64), Vec<Place>> = FxHashMap::default();
    let mut loads: Vec<(Place, (Place, i128, u64))> = Vec::new();
    for block in &cfg.order {
        for (i, inst) in function.blocks[*block].insts.iter().enumerate() {
            let at = (*block, i as u32);
            let place = |addr: &Expr, ty: Ty| {
                let (alloc, offset) = local_place(program, function, values, at, addr, 16)?;
                (!cfg.in_loop(alloc.0)).then_some((alloc, offset, program.size_of(ty)))
            };
            let Some(access) = inst.kind.access() else { continue };
            let Some(place) = place(access.addr, access.ty) else { continue };
            if access.reads {
                loads.push((at, place));
            } else {
                stores.entry(place).or_default().push(at);
            }
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
fn dominated(load: &Place, stores: &[Place], idom: &IdVec<BlockId, Option<BlockId>>) -> bool {
    if stores.iter().any(|store| store.0 == load.0 && store.1 < load.1) {
        return true;
    }
    let mut block = load.0;
    while let Some(up) = idom[block].filter(|up| *up != block) {
        block = up;
        if stores.iter().any(|store| store.0 == block) {
            return true;
        }
    }
    false
}

/// The `alloc` of the same activation whose latest result, plus a constant, the address is, as far as one can see from the text.
pub fn local_place(
    program: &Program,
    function: &Function,
    values: &Values,
    at: Place,
    addr: &Expr,
    depth: u32,
) -> Option<(Place, i128)> {
    let depth = depth.checked_sub(1)?;
    match addr {
        Expr::Reg(reg) => {
            let value = values.used(at.0, at.1 as usize, *reg)?;
            let Origin::Inst(block, inst) = values.values[value].origin else { return None };
            let kind = &function.blocks[block].insts[inst as usize].kind;
            if let InstKind::Assign { value, .. } = kind {
                return local_place(program, function, values, (block, inst), value, depth);
            }
            matches!(kind, InstKind::Alloc { .. }).then_some(((block, inst), 0))
        }
        Expr::Bin(BinOp::PtrAdd, base, by) => {
            let Expr::Const(ty, by) = **by else { return None };
            let (alloc, offset) = local_place(program, function, values, at, base, depth)?;
            Some((alloc, offset + ir::signed(by, program.bits_of(ty))))
        }
        Expr::Const(..)
        | Expr::Object(..)
        | Expr::Func(_)
        | Expr::CurrentThread
        | Expr::Old
        | Expr::Un(..)
        | Expr::Bin(..)
        | Expr::Cast(..)
        | Expr::Select(_) => None,
    }
}
