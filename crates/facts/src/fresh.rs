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

use crate::points_to::local_place;
use crate::{Basis, Origin, Point, Reuse, ValueId, Values};
use base::{BitSet, Id};
use ir::{Expr, FuncId, InstKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions with more allocations times instructions than this are left out.
const MOST: usize = 20_000_000;

/// The points of all private accesses.
pub fn private_accesses(basis: &Basis<'_>, reuse: &Reuse) -> FxHashSet<Point> {
    let scan = |func: FuncId| Scan { basis, reuse, func, values: &basis.values[func] };
    basis.calls.functions().flat_map(|func| scan(func).private()).collect()
}

/// A look at one function.
struct Scan<'a> {
    basis: &'a Basis<'a>,
    reuse: &'a Reuse,
    func: FuncId,
    values: &'a Values,
}

impl<'a> Scan<'a> {
    fn insts(&self) -> impl Iterator<Item = (Point, &'a InstKind)> + use<'a> {
        self.basis.functions().insts(self.func)
    }

    /// May another one get its name once it is freed?
    fn may_be_taken(&self, alloc: Point) -> bool {
        let region = self.basis.regions.of_point(alloc);
        region.is_some_and(|region| self.reuse.taken.contains(region.index()))
    }

    fn private(&self) -> Vec<Point> {
        // Accesses by the `alloc` their address comes from.
        let mut accesses: FxHashMap<Point, Vec<Point>> = FxHashMap::default();
        for (point, kind) in self.insts() {
            let Some(addr) = kind.address() else { continue };
            // Who may take the place must come after the `free` of it.
            let frees = matches!(kind, InstKind::Free { .. });
            if let Some((alloc, _)) = local_place(self.basis.program, self.values, point, addr)
                // The object must not have the name of an older one.
                && self.reuse.at(alloc).is_none()
                && !(frees && self.may_be_taken(alloc))
            {
                accesses.entry(alloc).or_default().push(point);
            }
        }
        if accesses.len().saturating_mul(self.insts().count()) > MOST {
            return Vec::new();
        }
        let private = |(alloc, accesses): (Point, Vec<Point>)| {
            let known = self.known_outside(alloc);
            accesses.into_iter().filter(move |at| !known.contains(at))
        };
        accesses.into_iter().flat_map(private).collect()
    }

    /// The places that can be reached after the address of the latest object of the `alloc` was given away.
    fn known_outside(&self, alloc: Point) -> FxHashSet<Point> {
        let mut reached: FxHashSet<Point> = FxHashSet::default();
        let Some(value) = self.values.written(alloc) else { return reached };
        let carriers = self.carriers(value);
        let taken = self.may_be_taken(alloc);
        let given_away = self.insts().filter(|(point, kind)| self.gives_away(*point, kind, &carriers, taken));
        let mut work: Vec<Point> = given_away.map(|(point, _)| point.next()).collect();
        while let Some(point) = work.pop() {
            if point == alloc || !reached.insert(point) {
                continue;
            }
            if self.basis.program.kind(point).is_some() {
                work.push(point.next());
            } else {
                let next = &self.basis.cfgs[self.func].successors[point.block];
                work.extend(next.iter().map(|to| Point::new(self.func, *to, 0)));
            }
        }
        reached
    }

    /// All values that may carry the address, in whatever form.
    fn carriers(&self, value: ValueId) -> BitSet {
        let mut carriers: BitSet = [value.index()].into_iter().collect();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (id, value) in self.values.values.iter() {
                let carries = match &value.origin {
                    Origin::Meet(_, operands) => operands.iter().any(|(_, operand)| carriers.contains(operand.index())),
                    Origin::Inst(block, inst) => {
                        let point = Point { func: self.func, block: *block, inst: *inst };
                        matches!(self.basis.program.kind(point), Some(InstKind::Assign { .. }))
                            && self.mentions(point, &carriers)
                    }
                    Origin::Param(_) | Origin::Unwritten => false,
                };
                changed |= carries && carriers.insert(id.index());
            }
        }
        carriers
    }

    fn mentions(&self, point: Point, carriers: &BitSet) -> bool {
        let uses = self.values.uses_at(point);
        uses.iter().any(|(_, value)| carriers.contains(value.index()))
    }

    fn expr_mentions(&self, point: Point, expr: &Expr, carriers: &BitSet) -> bool {
        let mut found = false;
        expr.for_each_reg(&mut |reg| {
            let value = self.values.used(point, reg);
            found |= value.is_none_or(|value| carriers.contains(value.index()));
        });
        found
    }

    /// Freeing gives the address away if others may get it then (`taken`).
    fn gives_away(&self, point: Point, kind: &InstKind, carriers: &BitSet, taken: bool) -> bool {
        if !self.mentions(point, carriers) {
            return false;
        }
        match kind {
            InstKind::Store { value, .. } => self.expr_mentions(point, value, carriers),
            InstKind::Update { when, set, .. } => {
                when.iter().chain(set).any(|expr| self.expr_mentions(point, expr, carriers))
            }
            InstKind::Free { .. } => taken,
            // Used as an address, computed with (the result is a carrier), or compared.
            InstKind::Load { .. } | InstKind::Assign { .. } => false,
            InstKind::Assume { .. } | InstKind::Assert { .. } => false,
            InstKind::Alloc { .. } | InstKind::Call { .. } | InstKind::Spawn { .. } => true,
            InstKind::Join { .. } | InstKind::Detach { .. } => true,
            // These mention nothing.
            InstKind::Havoc { .. } | InstKind::AtomicBegin | InstKind::AtomicEnd => false,
            InstKind::Fence { .. } | InstKind::Unsupported { .. } => false,
        }
    }
}
