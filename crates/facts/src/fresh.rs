//! Fresh objects: accesses to an object that no other thread can know of yet.
//!
//! From its `alloc` until its address is first *given away* (stored, passed to a call or thread, returned) an object is known
//! to the registers of one activation only.  An access whose address visibly is the result of an `alloc`, plus a constant, is
//! private if no path leads to it from a place that gives the address away without passing the `alloc` again, which would
//! make another object.  The filling in of a new node before it is linked is the usual case.
//!
//! A block that may take the place of a freed one is not new in this sense: others may have pointers to that place.  And once
//! a block is freed whose place others may take, its address is theirs: the `free` itself is no private access.
//!
//! What carries the address is over-approximated: every value computed from one that does.  Comparing gives nothing away, and
//! what a return hands out is not accessed by this activation any more.

use crate::basis::Basis;
use crate::cfg::{Cfg, Point};
use crate::points_to::local_place;
use crate::reuse::Reuse;
use crate::values::{Origin, ValueId, Values};
use base::{BitSet, Id};
use ir::{BlockId, Expr, Function, InstKind, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions with more allocations times instructions than this are left out.
const MOST: usize = 20_000_000;

/// The points of all private accesses.
pub fn private_accesses(basis: &Basis<'_>, reuse: &Reuse) -> FxHashSet<Point> {
    let Basis { program, points, cfgs, values, calls, regions, .. } = *basis;
    let mut found = FxHashSet::default();
    for func in calls.functions() {
        let function = &program.functions[func];
        let may_be_taken = |(block, inst): Place| {
            let region = regions.of_point(Point { func, block, inst });
            region.is_some_and(|region| reuse.taken.contains(region.index()))
        };
        let may_be_known = |(block, inst): Place| reuse.at(points.of(Point { func, block, inst })).is_some();
        let scan = Scan {
            program,
            function,
            cfg: &cfgs[func],
            values: &values[func],
            may_be_known: &may_be_known,
            may_be_taken: &may_be_taken,
        };
        for (block, inst) in scan.private() {
            found.insert(Point { func, block, inst });
        }
    }
    found
}

type Place = (BlockId, u32);

struct Scan<'a> {
    program: &'a Program,
    function: &'a Function,
    cfg: &'a Cfg,
    values: &'a Values,
    /// May the object of an `alloc` have the name of an older one?
    may_be_known: &'a dyn Fn(Place) -> bool,
    /// May another one get its name once it is freed?
    may_be_taken: &'a dyn Fn(Place) -> bool,
}

impl Scan<'_> {
    fn private(&self) -> Vec<Place> {
        // Accesses by the `alloc` their address comes from.
        let mut accesses: FxHashMap<Place, Vec<Place>> = FxHashMap::default();
        let mut size = 0;
        for block in &self.cfg.order {
            for (i, inst) in self.function.blocks[*block].insts.iter().enumerate() {
                size += 1;
                let at = (*block, i as u32);
                let Some(addr) = inst.kind.address() else { continue };
                // Who may take the place must come after the `free` of it.
                let frees = matches!(inst.kind, InstKind::Free { .. });
                if let Some((alloc, _)) = local_place(self.program, self.function, self.values, at, addr, 16)
                    && !(self.may_be_known)(alloc)
                    && !(frees && (self.may_be_taken)(alloc))
                {
                    accesses.entry(alloc).or_default().push(at);
                }
            }
        }
        if accesses.len().saturating_mul(size) > MOST {
            return Vec::new();
        }
        let mut private = Vec::new();
        for (alloc, accesses) in accesses {
            let known = self.known_outside(alloc);
            private.extend(accesses.into_iter().filter(|at| !known.contains(at)));
        }
        private
    }

    /// The places that can be reached after the address of the latest object of the `alloc` was given away.
    fn known_outside(&self, alloc: Place) -> FxHashSet<Place> {
        let Some(value) = self.values.written(alloc.0, alloc.1 as usize) else { return FxHashSet::default() };
        let carriers = self.carriers(value);
        let taken = (self.may_be_taken)(alloc);
        let mut reached: FxHashSet<Place> = FxHashSet::default();
        let mut work: Vec<Place> = Vec::new();
        for block in &self.cfg.order {
            for i in 0..self.function.blocks[*block].insts.len() {
                if self.gives_away(*block, i, &carriers, taken) {
                    work.push((*block, i as u32 + 1));
                }
            }
        }
        while let Some((block, inst)) = work.pop() {
            if (block, inst) == alloc || !reached.insert((block, inst)) {
                continue;
            }
            if inst < self.function.blocks[block].insts.len() as u32 {
                work.push((block, inst + 1));
            } else {
                work.extend(self.cfg.successors[block].iter().map(|to| (*to, 0)));
            }
        }
        reached
    }

    /// All values that may carry the address, in whatever form.
    fn carriers(&self, value: ValueId) -> BitSet {
        let mut carriers = BitSet::new();
        carriers.insert(value.index());
        let mut changed = true;
        while changed {
            changed = false;
            for (id, value) in self.values.values.iter() {
                let carries = match &value.origin {
                    Origin::Meet(_, operands) => operands.iter().any(|(_, operand)| carriers.contains(operand.index())),
                    Origin::Inst(block, inst) => {
                        let kind = &self.function.blocks[*block].insts[*inst as usize].kind;
                        matches!(kind, InstKind::Assign { .. }) && self.mentions(*block, *inst as usize, &carriers)
                    }
                    Origin::Param(_) | Origin::Unwritten => false,
                };
                changed |= carries && carriers.insert(id.index());
            }
        }
        carriers
    }

    fn mentions(&self, block: BlockId, inst: usize, carriers: &BitSet) -> bool {
        self.values.uses_at(block, inst).iter().any(|(_, value)| carriers.contains(value.index()))
    }

    fn expr_mentions(&self, block: BlockId, inst: usize, expr: &Expr, carriers: &BitSet) -> bool {
        let mut found = false;
        expr.for_each_reg(&mut |reg| {
            let value = self.values.used(block, inst, reg);
            found |= value.is_none_or(|value| carriers.contains(value.index()));
        });
        found
    }

    /// Freeing gives the address away if others may get it then (`taken`).
    fn gives_away(&self, block: BlockId, inst: usize, carriers: &BitSet, taken: bool) -> bool {
        if !self.mentions(block, inst, carriers) {
            return false;
        }
        match &self.function.blocks[block].insts[inst].kind {
            InstKind::Store { value, .. } => self.expr_mentions(block, inst, value, carriers),
            InstKind::Update { when, set, .. } => {
                when.iter().chain(set).any(|expr| self.expr_mentions(block, inst, expr, carriers))
            }
            // Used as an address, computed with (the result is a carrier), or compared.
            InstKind::Free { .. } => taken,
            InstKind::Load { .. } | InstKind::Assign { .. } | InstKind::Assume { .. } | InstKind::Assert { .. } => {
                false
            }
            InstKind::Alloc { .. }
            | InstKind::Call { .. }
            | InstKind::Spawn { .. }
            | InstKind::Join { .. }
            | InstKind::Detach { .. } => true,
            InstKind::Havoc { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd
            | InstKind::Fence { .. }
            | InstKind::Unsupported { .. } => false,
        }
    }
}
