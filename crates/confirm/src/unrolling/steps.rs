//! The steps of a thread: what each instruction does to registers, memory and the order of things.

use super::encoding::{DangerKind, Join, Start};
use super::objects::Object;
use super::values::handle;
use super::walk::Walk;
use crate::ensure;
use base::Pos;
use facts::Point;
use ir::{BinOp, Expr, FuncId, Inst, InstKind, Reg, Ty};
use logic::Term;

impl<'a> Walk<'_, 'a> {
    pub(super) fn instruction(&mut self, point: Point, inst: &'a Inst) -> Result<(), String> {
        let pos = inst.pos;
        match &inst.kind {
            InstKind::Assign { dst, value } => {
                let value = self.eval(value);
                self.set_register(*dst, value);
            }
            InstKind::Load { dst, ty, addr, .. } => {
                let address = self.eval(addr);
                let access = self.locate(address, *ty, false, point, pos)?;
                self.begin(0, true);
                let value = self.load(&access, *ty)?;
                self.end(0);
                self.set_register(*dst, value);
            }
            InstKind::Store { ty, addr, value, .. } => {
                let address = self.eval(addr);
                let value = self.eval(value);
                let access = self.locate(address, *ty, true, point, pos)?;
                self.begin(0, access.places.len() == 1);
                self.store(&access, value)?;
                self.end(0);
            }
            InstKind::Update { dst, ty, addr, when, set, .. } => {
                let address = self.eval(addr);
                let access = self.locate(address, *ty, set.is_some(), point, pos)?;
                let single = self.state.section.is_none();
                if when.is_some() && single {
                    self.choose();
                }
                self.begin(0, access.places.len() == 1);
                if let (Some(when), true, [(_, pieces)]) = (when, single, access.places.as_slice())
                    && let (Some(old), [piece]) = (expected(when), pieces.as_slice())
                    && self.encoding.objects.pieces[*piece].size * 8 == u64::from(self.encoding.values.bits(*ty))
                {
                    // Where it goes on, it has read this.
                    let old = self.encoding.values.number(*ty, old);
                    let group = self.groups.len() - 1;
                    self.cell(group, *piece).before = old;
                }
                let old = self.load(&access, *ty)?;
                if let Some(when) = when {
                    let may = self.read(when, Some((*ty, old)));
                    let may = self.encoding.values.terms.and_not(may.term, may.fault);
                    self.encoding.require(self.state.guard, may);
                    self.state.guard = self.encoding.values.terms.and(self.state.guard, may);
                }
                if let Some(set) = set {
                    let new = self.read(set, Some((*ty, old)));
                    self.stop_if(new.fault);
                    if let (true, Expr::Select(parts)) = (self.encoding.unfolded.frees.contains_key(&point), set) {
                        let freed = self.read(&parts[1], None).term;
                        self.frees(point, freed, pos)?;
                    }
                    self.store(&access, new.term)?;
                }
                self.end(0);
                if let Some(dst) = dst {
                    self.set_register(*dst, old);
                }
            }
            InstKind::Havoc { dst, .. } => {
                let bits = self.encoding.values.bits(self.function.ty(*dst));
                let any = self.encoding.values.terms.variable(bits, "input");
                self.set_register(*dst, any);
            }
            InstKind::Assume { cond } => {
                let cond = self.eval(cond);
                let fails = self.encoding.values.terms.not(cond);
                self.stop_if(fails);
            }
            InstKind::Assert { cond, .. } => {
                let cond = self.eval(cond);
                let fails = self.encoding.values.terms.and_not(self.state.guard, cond);
                self.encoding.danger(fails, DangerKind::Assertion, pos);
                self.state.guard = self.encoding.values.terms.and(self.state.guard, cond);
            }
            InstKind::Alloc { dst, size, .. } => {
                let size = self.eval(size);
                let object = self.encoding.objects.of_alloc(point).ok_or("an allocation that was not foreseen")?;
                let Object { base, size: room, .. } = self.encoding.objects.all[object];
                let most = self.encoding.values.terms.constant(128, u128::from(room));
                let wanted = self.encoding.values.terms.resize(size, 128);
                let fits = self.encoding.values.terms.ule(wanted, most);
                let too_large = self.encoding.values.terms.and_not(self.state.guard, fits);
                self.encoding.danger(too_large, DangerKind::TooLarge(room), pos);
                self.stop_unless(fits, too_large);
                let address = self.encoding.values.number(Ty::Ptr, u128::from(base));
                self.set_register(*dst, address);
            }
            // What is freed stays: an access after that goes on where the program's execution would end.
            InstKind::Free { addr } => {
                let address = self.eval(addr);
                let mut fine = self.encoding.values.terms.is(address, 0);
                for object in self.encoding.objects.all.iter().filter(|object| object.heap) {
                    let here = self.encoding.values.terms.is(address, u128::from(object.base));
                    fine = self.encoding.values.terms.or(fine, here);
                }
                let wrong = self.encoding.values.terms.not(fine);
                self.stop_if(wrong);
                self.frees(point, address, pos)?;
            }
            InstKind::Call { .. } => return Err("a call that is not unfolded".into()),
            InstKind::Spawn { dst, args, .. } => self.spawn(*dst, inst.kind.direct_callee(), args)?,
            InstKind::Join { dst, handle } => self.wait(*dst, handle),
            InstKind::Detach { handle: expr } => {
                let target = self.eval(expr);
                let mut fine = self.encoding.values.terms.bool(false);
                for thread in self.encoding.unfolded.threads.ids() {
                    let here = self.encoding.values.terms.is(target, handle(thread));
                    fine = self.encoding.values.terms.or(fine, here);
                    let here = self.encoding.values.terms.and(self.state.guard, here);
                    if !self.encoding.values.terms.is_false(here) {
                        self.encoding.detached.push((thread, here));
                    }
                }
                let wrong = self.encoding.values.terms.not(fine);
                self.stop_if(wrong);
            }
            InstKind::AtomicBegin => {
                if !self.in_section() {
                    self.choose();
                }
                self.begin(1, false);
            }
            InstKind::AtomicEnd => self.end(1),
            InstKind::Fence { .. } => (),
            InstKind::Unsupported { what } => {
                self.encoding.danger(self.state.guard, DangerKind::Unsupported(what.clone()), pos);
                self.state.guard = self.encoding.values.terms.bool(false);
            }
        }
        Ok(())
    }

    /// By which blocks may be freed it was judged whose places blocks may take: to free another must be impossible.
    fn frees(&mut self, point: Point, address: Term, pos: Pos) -> Result<(), String> {
        let foreseen = self.encoding.unfolded.frees.get(&point).ok_or("nobody says which blocks are freed")?;
        for alloc in self.encoding.objects.heap_blocks().filter(|(alloc, _)| !foreseen.contains(alloc)) {
            let base = self.encoding.objects.all[alloc.1].base;
            let other = self.encoding.values.terms.is(address, u128::from(base));
            let other = self.encoding.values.terms.and(self.state.guard, other);
            self.encoding.danger(other, DangerKind::Astray, pos);
        }
        Ok(())
    }

    fn spawn(&mut self, dst: Option<Reg>, callee: Option<FuncId>, args: &[Expr]) -> Result<(), String> {
        let child = callee.and_then(|func| self.encoding.unfolded.thread_of(func));
        let child = child.ok_or("a thread that is not unfolded")?;
        ensure(child > self.thread && self.encoding.starts[child].is_none(), "a thread that is started twice")?;
        let args: Vec<Term> = args.iter().map(|arg| self.eval(arg)).collect();
        if self.state.alone {
            self.encoding.hand_over(self.state.guard, self.state.memory.clone());
            self.state.alone = false;
        }
        self.begin(0, true);
        let node = Some(self.current_node());
        self.encoding.starts[child] = Some(Start { node, guard: self.state.guard, args });
        self.end(0);
        if let Some(dst) = dst {
            let name = self.encoding.values.terms.constant(64, handle(child));
            self.set_register(dst, name);
        }
        Ok(())
    }

    fn wait(&mut self, dst: Option<Reg>, expr: &Expr) {
        let target = self.eval(expr);
        if !self.in_section() {
            self.choose();
        }
        self.begin(0, true);
        let node = self.current_node();
        // A section can come by without waiting.
        let only = self.encoding.values.terms.is_constant(target) && !self.in_section();
        let mut possible = self.encoding.values.terms.bool(false);
        let mut result = self.encoding.values.terms.constant(128, 0);
        for thread in self.encoding.unfolded.threads.ids().filter(|thread| *thread != self.thread) {
            let here = self.encoding.values.terms.is(target, handle(thread));
            if self.encoding.values.terms.is_false(here) {
                continue;
            }
            let end = self.encoding.ends[thread];
            let guard = self.encoding.values.terms.and(self.state.guard, here);
            self.encoding.joins.push(Join { node, target: thread, guard, only });
            let ended = self.encoding.values.terms.and(here, end.ended);
            possible = self.encoding.values.terms.or(possible, ended);
            result = self.encoding.values.terms.ite(here, end.result, result);
        }
        self.encoding.require(self.state.guard, possible);
        self.end(0);
        if let Some(dst) = dst {
            self.set_register(dst, result);
        }
    }
}

/// The constant that a guard says the old content is.
fn expected(when: &Expr) -> Option<u128> {
    let Expr::Bin(BinOp::Eq, left, right) = when else { return None };
    match (&**left, &**right) {
        (Expr::Old, other) | (other, Expr::Old) => other.as_constant(),
        _ => None,
    }
}
