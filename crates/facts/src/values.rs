//! Values: registers are mutable and often reused, so analyses of registers look at *values* instead, as in static single
//! assignment form: one per parameter, per instruction that writes a register, and per place where several may meet.
//!
//! The program is not changed.  A block with several predecessors gets a *meet* for each register that is live at its start,
//! which is more than minimal form needs and does no harm to analyses that take a meet as the union of its operands.
//! Exact: the value found for a use is the content of that register in every execution that gets there.

use crate::{Cfg, Liveness, Point};
use base::{Id, IdVec};
use ir::{BlockId, FuncId, Function, InstKind, Program, Reg};
use rustc_hash::FxHashMap;

base::id!(
    /// A value of one function.
    pub struct ValueId, "v"
);

/// Where a value comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// The argument of that number.
    Param(usize),
    /// Content of a register that was never written.
    Unwritten,
    /// Written by the instruction.
    Inst(BlockId, u32),
    /// One of these, depending on the block control came from (the entry block itself where the function starts).
    Meet(BlockId, Vec<(BlockId, ValueId)>),
}

#[derive(Clone, Debug)]
pub struct Value {
    pub reg: Reg,
    pub origin: Origin,
}

/// The values of one function and who uses them.
#[derive(Clone, Debug)]
pub struct Values {
    pub values: IdVec<ValueId, Value>,
    /// Per reachable block and instruction (last: the terminator), the value of each register it reads.
    uses: IdVec<BlockId, Vec<Vec<(Reg, ValueId)>>>,
    /// The value each instruction writes.
    written: FxHashMap<(BlockId, u32), ValueId>,
}

impl Values {
    pub fn new(func: FuncId, function: &Function, cfg: &Cfg, liveness: &Liveness) -> Self {
        let n = function.blocks.len();
        let mut res =
            Values { values: IdVec::new(), uses: IdVec::filled(Vec::new(), n), written: FxHashMap::default() };
        let mut at_end: IdVec<BlockId, FxHashMap<Reg, ValueId>> = IdVec::filled(FxHashMap::default(), n);
        let mut at_start: IdVec<BlockId, Vec<(Reg, ValueId)>> = IdVec::filled(Vec::new(), n);
        let params: FxHashMap<Reg, ValueId> = function
            .params
            .iter()
            .enumerate()
            .map(|(i, reg)| (*reg, res.values.push(Value { reg: *reg, origin: Origin::Param(i) })))
            .collect();
        let mut unwritten: FxHashMap<Reg, ValueId> = FxHashMap::default();
        // What a register holds, by what is known to have been written.
        let mut held = |res: &mut Values, reg: Reg, known: &FxHashMap<Reg, ValueId>| match known.get(&reg) {
            Some(value) => *value,
            None => {
                let new = || res.values.push(Value { reg, origin: Origin::Unwritten });
                *unwritten.entry(reg).or_insert_with(new)
            }
        };
        for block_id in &cfg.order {
            let is_entry = *block_id == Function::ENTRY;
            let preds = &cfg.predecessors[*block_id];
            let mut now = FxHashMap::default();
            for bit in liveness.at_block(func, *block_id).iter() {
                let reg = Reg::new(bit);
                let value = match preds.as_slice() {
                    [] => held(&mut res, reg, &params),
                    // Live here but not there: cannot be, except for what was never written.
                    [only] if !is_entry => held(&mut res, reg, &at_end[*only]),
                    _ => {
                        let meet = res.values.push(Value { reg, origin: Origin::Meet(*block_id, Vec::new()) });
                        at_start[*block_id].push((reg, meet));
                        meet
                    }
                };
                now.insert(reg, value);
            }
            let block = &function.blocks[*block_id];
            for i in 0..=block.insts.len() {
                let mut used: Vec<(Reg, ValueId)> = Vec::new();
                block.for_each_expr_at(i, &mut |expr| {
                    expr.for_each_reg(&mut |reg| {
                        if used.iter().all(|(seen, _)| *seen != reg) {
                            used.push((reg, held(&mut res, reg, &now)));
                        }
                    });
                });
                res.uses[*block_id].push(used);
                if let Some(dst) = block.insts.get(i).and_then(|inst| inst.kind.dst()) {
                    let value = res.values.push(Value { reg: dst, origin: Origin::Inst(*block_id, i as u32) });
                    res.written.insert((*block_id, i as u32), value);
                    now.insert(dst, value);
                }
            }
            at_end[*block_id] = now;
        }
        // Operands of the meets: now that all blocks have been seen.
        for block_id in &cfg.order {
            for (reg, meet) in &at_start[*block_id] {
                let mut operands = Vec::new();
                if *block_id == Function::ENTRY {
                    operands.push((*block_id, held(&mut res, *reg, &params)));
                }
                for pred in &cfg.predecessors[*block_id] {
                    operands.push((*pred, held(&mut res, *reg, &at_end[*pred])));
                }
                res.values[*meet].origin = Origin::Meet(*block_id, operands);
            }
        }
        res
    }

    /// The value of `reg` as the instruction (or terminator) at the point, of this function, reads it.
    pub fn used(&self, point: Point, reg: Reg) -> Option<ValueId> {
        self.uses_at(point).iter().find(|(used, _)| *used == reg).map(|(_, value)| *value)
    }

    /// The value of each register the instruction (or terminator) reads; nothing in unreachable blocks.
    pub fn uses_at(&self, point: Point) -> &[(Reg, ValueId)] {
        self.uses[point.block].get(point.inst as usize).map_or(&[], Vec::as_slice)
    }

    /// The value the instruction writes; `None` also in unreachable blocks.
    pub fn written(&self, point: Point) -> Option<ValueId> {
        self.written.get(&(point.block, point.inst)).copied()
    }

    /// The instruction that has written what `reg` holds at the point, if it is one, with its place.
    pub fn definition<'p>(&self, program: &'p Program, point: Point, reg: Reg) -> Option<(Point, &'p InstKind)> {
        let Origin::Inst(block, inst) = self.values[self.used(point, reg)?].origin else { return None };
        let at = Point { block, inst, ..point };
        Some((at, program.kind(at)?))
    }
}
