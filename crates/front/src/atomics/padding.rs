//! Atomic accesses of types that are narrower than the integers they travel in: structs of 3, 5, 6, 7, 9 .. 15 bytes, which
//! clang pads to a power of two, and `long double`.
//!
//! clang copies such a value into a temporary that it loads an integer from.  It never sets the bytes behind the value, by
//! which a compare-exchange may fail; and where that fails, it writes what it found into the temporary and not into what
//! the program called expected.  So the temporary is cleared before the copy, as clang itself does where it initialises
//! such objects, and copied back where the exchange fails.

use super::{At, Mender, number};
use llvm::{Call, CastOp, Const, FloatKind, LocalId, Name, Op, Operand, Type, TypeId};

impl Mender<'_> {
    pub(super) fn mend_padding(&mut self) {
        if !self.function.locals.values().any(|local| is_temporary(&local.name)) {
            return;
        }
        // From behind, so that what is inserted moves nothing that is still to come.
        for block in self.function.blocks.ids().rev() {
            for index in (0..self.function.blocks[block].insts.len()).rev() {
                self.mend_padded((block, index));
            }
        }
    }

    fn mend_padded(&mut self, at: At) {
        let is_failure =
            self.function.blocks[at.0].name.as_str().is_some_and(|n| n.starts_with("cmpxchg.store_expected"));
        match &self.inst(at).op {
            Op::Store { addr, .. } if is_failure => {
                let Some(temporary) = self.temporary(addr) else { return };
                let (block, next) = (at.0, at.1 + 1);
                match self.copies_into(temporary)[..] {
                    [copy] => {
                        let Op::Call(call) = &self.inst(copy).op else { return };
                        let mut back = call.clone();
                        back.args.swap(0, 1);
                        self.insert((block, next), None, self.inst(copy).ty, Op::Call(back));
                    }
                    _ => self.refuse((block, next)),
                }
            }
            Op::Call(call) => {
                let Some(temporary) = self.target_of_copy(call) else { return };
                let addr = call.args[0].value.clone();
                match self.integer_of(temporary) {
                    Some(ty) => {
                        let store = Op::Store { value: number(ty, Const::Int(0)), addr, atomic: None };
                        self.insert(at, None, TypeId::VOID, store);
                    }
                    None => self.refuse(at),
                }
            }
            _ => (),
        }
    }

    /// The temporary of clang's for atomic accesses at the address.
    fn temporary(&self, addr: &Operand) -> Option<LocalId> {
        let mut local = addr.local()?;
        while let Op::Cast { op: CastOp::BitCast, value } = &self.definition(local)?.op {
            local = value.local()?;
        }
        is_temporary(&self.function.locals[local].name).then_some(local)
    }

    fn target_of_copy(&self, call: &Call) -> Option<LocalId> {
        let is_copy = call.callee.global().is_some_and(|id| self.runtime.copies.contains(&id));
        self.temporary(&call.args.first().filter(|_| is_copy)?.value)
    }

    fn copies_into(&self, temporary: LocalId) -> Vec<At> {
        let all = self.all(|op| matches!(op, Op::Call(call) if self.target_of_copy(call) == Some(temporary)));
        all.into_iter().map(|(at, _)| at).collect()
    }

    /// The integer as which the temporary is accessed, if all that is padding in it stands behind the value.
    fn integer_of(&self, temporary: LocalId) -> Option<TypeId> {
        let Op::Alloca { ty, count: None, .. } = self.definition(temporary)?.op else { return None };
        // The elements of a vector of three have a fourth behind them, which clang does not clear anywhere.
        if !matches!(self.types.get(ty), Type::Struct { .. } | Type::Float(FloatKind::X86Fp80)) {
            return None;
        }
        let loads = self.all(|op| matches!(op, Op::Load { addr, .. } if self.temporary(addr) == Some(temporary)));
        let mut types = loads.into_iter().map(|(at, _)| self.inst(at).ty);
        let ty = types.next().filter(|ty| self.types.int_width(*ty).is_some())?;
        types.all(|other| other == ty).then_some(ty)
    }
}

/// No name of C has a dash.
fn is_temporary(name: &Name) -> bool {
    name.as_str().is_some_and(|name| name.starts_with("atomic-temp"))
}
