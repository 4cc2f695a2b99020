//! What must be known about an LLVM function before it is translated: which blocks can be reached, how often each value
//! is used and where, and which stack variables can be registers.

use super::types::TypeTable;
use base::{Id, IdVec};
use ir::Ty;
use llvm::{
    Block, BlockId, Call, CastOp, Const, Declaration, Function, GlobalId, LocalId, Module, Op, Operand, TypeId, Value,
};

/// A stack variable that becomes a register.
pub struct Slot {
    pub alloca: LocalId,
    pub ty: Ty,
}

/// Where a value goes to or comes from that is passed on.
#[derive(Clone, Copy)]
pub struct Passage {
    pub of: Passing,
    /// Which of the parameters or arguments it is, as LLVM counts them; none for the result.
    pub index: Option<usize>,
}

#[derive(Clone, Copy)]
pub enum Passing {
    /// The function itself.
    Own,
    /// A call of this function, if it is known, or one of this type.
    Call(Option<GlobalId>, TypeId),
}

impl Passing {
    /// None for what is no function of the program.
    pub fn of_call(module: &Module, call: &Call) -> Option<Passing> {
        let callee = call.callee.global().map(|id| module.resolve_alias(id));
        let intrinsic = callee.and_then(|id| module.symbol_name(id)).is_some_and(|name| name.starts_with("llvm."));
        (!intrinsic && !matches!(call.callee.value, Value::Asm(_))).then_some(Passing::Call(callee, call.fn_ty))
    }
}

#[derive(Default)]
pub struct Facts {
    /// Reachable blocks, each after those that dominate it.
    pub order: Vec<BlockId>,
    pub reachable: IdVec<BlockId, bool>,
    /// How often each local is used.
    pub uses: IdVec<LocalId, u32>,
    /// Is it used in another block than the one that defines it?
    pub elsewhere: IdVec<LocalId, bool>,
    /// Where it goes, if all that is done with it is to pass it on, once.
    pub passed: IdVec<LocalId, Option<Passage>>,
    /// Where it comes from, if it is a parameter or the result of a call, or a part of that.
    pub received: IdVec<LocalId, Option<Passage>>,
    /// The variable that it is an address in, if only this function can access that.
    pub private: IdVec<LocalId, Option<LocalId>>,
    pub slots: Vec<Slot>,
    /// The slot of each local that is the address of one.
    pub slot_of: IdVec<LocalId, Option<usize>>,
    /// In the order of the text.
    pub declarations: Vec<Declaration>,
    /// The declaration of the variable that lives at the address that is a local.
    pub declared: IdVec<LocalId, Option<Declaration>>,
    /// For each parameter the slot that it is copied to at once, and that can therefore be the parameter itself.
    pub param_slot: IdVec<LocalId, Option<usize>>,
}

/// Is it a call of a function whose name begins so?
fn calls(module: &Module, call: &Call, starts: &[&str]) -> bool {
    let name = call.callee.global().and_then(|id| module.symbol_name(id));
    name.is_some_and(|name| starts.iter().any(|start| name.starts_with(start)))
}

/// Does the call only mark the life of a variable?
fn is_marker(module: &Module, call: &Call) -> bool {
    calls(module, call, &["llvm.lifetime.", "llvm.dbg."])
}

/// Does the call only copy or fill memory?
fn moves_bytes(module: &Module, call: &Call) -> bool {
    calls(module, call, &["llvm.memcpy.", "llvm.memmove.", "llvm.memset."])
}

pub fn analyse(module: &Module, function: &Function, types: &TypeTable) -> Facts {
    let locals = function.locals.len();
    let mut facts = Facts {
        order: reverse_postorder(function),
        reachable: IdVec::filled(false, function.blocks.len()),
        uses: IdVec::filled(0, locals),
        elsewhere: IdVec::filled(false, locals),
        passed: IdVec::filled(None, locals),
        received: IdVec::filled(None, locals),
        slot_of: IdVec::filled(None, locals),
        declared: IdVec::filled(None, locals),
        param_slot: IdVec::filled(None, function.params.len()),
        ..Facts::default()
    };
    facts.order.iter().for_each(|block| facts.reachable[*block] = true);
    facts.count_uses(module, function);
    facts.private = private(module, function, &facts.order);
    facts.promote(module, function, types);
    facts.declare(module, function);
    facts.find_param_slots(function);
    facts
}

fn reverse_postorder(function: &Function) -> Vec<BlockId> {
    // The last successor is gone to first: so those that come first in the text do so in the order.
    let successors =
        |block: &Block| block.insts.last().into_iter().flat_map(|inst| inst.op.successors()).rev().collect();
    base::graph::reverse_postorder(BlockId(0), &function.blocks.values().map(successors).collect())
}

/// For each local the variable of the function's that it is an address in, if such addresses are only used to access it.
fn private(module: &Module, function: &Function, order: &[BlockId]) -> IdVec<LocalId, Option<LocalId>> {
    let insts = || order.iter().flat_map(|block| &function.blocks[*block].insts);
    let mut variable: IdVec<LocalId, Option<LocalId>> = IdVec::filled(None, function.locals.len());
    let of = |variable: &IdVec<LocalId, Option<LocalId>>, operand: &Operand| variable[operand.local()?];
    for inst in insts() {
        let Some(result) = inst.result else { continue };
        variable[result] = match &inst.op {
            Op::Alloca { .. } => Some(result),
            Op::Gep { base, .. } => of(&variable, base),
            Op::Cast { op: CastOp::BitCast, value } => of(&variable, value),
            _ => None,
        };
    }
    let mut escapes: IdVec<LocalId, bool> = IdVec::filled(false, function.locals.len());
    for inst in insts() {
        let address = match &inst.op {
            Op::Load { addr, .. }
            | Op::Store { addr, .. }
            | Op::CmpXchg { addr, .. }
            | Op::AtomicRmw { addr, .. }
            | Op::Gep { base: addr, .. }
            | Op::Cast { op: CastOp::BitCast, value: addr } => Some(addr),
            Op::Call(call) if is_marker(module, call) || moves_bytes(module, call) => continue,
            _ => None,
        };
        inst.op.for_each_operand(&mut |operand| {
            if !address.is_some_and(|address| std::ptr::eq(address, operand))
                && let Some(variable) = of(&variable, operand)
            {
                escapes[variable] = true;
            }
        });
    }
    variable.into_values().map(|variable| variable.filter(|variable| !escapes[*variable])).collect()
}

impl Facts {
    fn count_uses(&mut self, module: &Module, function: &Function) {
        let mut defined_in: IdVec<LocalId, BlockId> = IdVec::filled(BlockId(0), function.locals.len());
        for (param, _) in function.locals.iter().take(function.params.len()) {
            self.received[param] = Some(Passage { of: Passing::Own, index: Some(param.index()) });
        }
        for &block in &self.order {
            for inst in &function.blocks[block].insts {
                let Some(result) = inst.result else { continue };
                defined_in[result] = block;
                self.received[result] = match &inst.op {
                    Op::Call(call) => Passing::of_call(module, call).map(|of| Passage { of, index: None }),
                    Op::ExtractValue { aggregate, .. } => aggregate.local().and_then(|from| self.received[from]),
                    _ => None,
                };
            }
        }
        let mut used = |operand: &Operand, block: BlockId, passed: Option<Passage>| {
            if let Some(local) = operand.local() {
                self.uses[local] += 1;
                self.passed[local] = passed.filter(|_| self.uses[local] == 1);
                self.elsewhere[local] |= defined_in[local] != block;
            }
        };
        for &block in &self.order {
            for inst in &function.blocks[block].insts {
                match &inst.op {
                    // A value goes into a phi at the end of the block it comes from.
                    Op::Phi { incoming } => incoming
                        .iter()
                        .filter(|(_, from)| self.reachable[*from])
                        .for_each(|(operand, from)| used(operand, *from, None)),
                    Op::Call(call) if is_marker(module, call) => (),
                    Op::Call(call) => {
                        let of = Passing::of_call(module, call);
                        used(&call.callee, block, None);
                        for (index, arg) in call.args.iter().enumerate() {
                            used(&arg.value, block, of.map(|of| Passage { of, index: Some(index) }));
                        }
                    }
                    Op::Ret(Some(value)) => used(value, block, Some(Passage { of: Passing::Own, index: None })),
                    op => op.for_each_operand(&mut |operand| used(operand, block, None)),
                }
            }
        }
    }

    /// Finds the stack variables whose address is only used to load and store one scalar type.
    fn promote(&mut self, module: &Module, function: &Function, types: &TypeTable) {
        struct Candidate {
            alloca: LocalId,
            size: u64,
            ty: Option<Ty>,
            escapes: bool,
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut candidate_of: IdVec<LocalId, Option<usize>> = IdVec::filled(None, function.locals.len());
        for inst in function.blocks.values().take(1).flat_map(|block| &block.insts) {
            if let (Op::Alloca { ty, count, .. }, Some(result)) = (&inst.op, inst.result)
                && count.as_ref().is_none_or(|count| count.constant() == Some(&Const::Int(1)))
            {
                candidate_of[result] = Some(candidates.len());
                candidates.push(Candidate { alloca: result, size: types.size(*ty), ty: None, escapes: false });
            }
        }
        let access = |candidate: &mut Candidate, ty: TypeId| match types.scalar(ty) {
            Some(scalar) if types.size(ty) <= candidate.size && candidate.ty.is_none_or(|known| known == scalar) => {
                candidate.ty = Some(scalar);
            }
            _ => candidate.escapes = true,
        };
        let insts = || self.order.iter().flat_map(|block| &function.blocks[*block].insts);
        // With typed pointers (LLVM 14) a cast gives the same address under another type.
        for inst in insts() {
            if let (Op::Cast { op: CastOp::BitCast, value, .. }, Some(result)) = (&inst.op, inst.result)
                && types.types.is_ptr(inst.ty)
                && let Some(local) = value.local().filter(|local| candidate_of[*local].is_some())
            {
                candidate_of[result] = candidate_of[local];
            }
        }
        for inst in insts() {
            let (addr, ty) = match &inst.op {
                Op::Load { ty, addr, .. } => (Some(addr), *ty),
                Op::Store { value, addr, .. } => (Some(addr), value.ty),
                Op::Cast { .. } if inst.result.is_some_and(|result| candidate_of[result].is_some()) => continue,
                Op::Call(call) if is_marker(module, call) => continue,
                _ => (None, inst.ty),
            };
            inst.op.for_each_operand(&mut |operand| {
                let Some(index) = operand.local().and_then(|local| candidate_of[local]) else { return };
                match addr.is_some_and(|addr| std::ptr::eq(addr, operand)) {
                    true => access(&mut candidates[index], ty),
                    false => candidates[index].escapes = true,
                }
            });
        }
        let slots = candidates.iter().map(|candidate| {
            let ty = candidate.ty.filter(|_| !candidate.escapes)?;
            self.slots.push(Slot { alloca: candidate.alloca, ty });
            Some(self.slots.len() - 1)
        });
        let slots: Vec<Option<usize>> = slots.collect();
        self.slot_of = candidate_of.into_values().map(|candidate| slots[candidate?]).collect();
    }

    fn declare(&mut self, module: &Module, function: &Function) {
        self.declarations = function.declarations.clone();
        self.declarations.retain(|declaration| module.local_variable(declaration.variable).is_some());
        self.declarations.sort_by_key(|declaration| (declaration.block, declaration.before));
        for declaration in &self.declarations {
            self.declared[declaration.local] = Some(*declaration);
        }
    }

    /// The numbers of the declarations that stand before an instruction.
    pub fn declarations_before(&self, block: BlockId, inst: usize) -> std::ops::Range<usize> {
        let until = |inst| self.declarations.partition_point(|other| (other.block, other.before) < (block, inst));
        until(inst)..until(inst + 1)
    }

    /// At -O0 each parameter is first copied to its variable.  If that is all that happens to it, the two can be one.
    fn find_param_slots(&mut self, function: &Function) {
        let mut taken = vec![false; self.slots.len()];
        for inst in function.blocks.values().take(1).flat_map(|block| &block.insts) {
            let (slot, value) = match &inst.op {
                Op::Store { value, addr, .. } => (self.slot_at(addr), value.local()),
                Op::Load { addr, .. } => (self.slot_at(addr), None),
                _ => continue,
            };
            let Some(slot) = slot else { continue };
            if let Some(local) = value
                && local.index() < function.params.len()
                && self.uses[local] == 1
                && !taken[slot]
            {
                self.param_slot[local] = Some(slot);
            }
            // Whatever was done to the variable first, nothing later can take its place.
            taken[slot] = true;
        }
    }

    /// The slot whose address the operand is.
    pub fn slot_at(&self, operand: &Operand) -> Option<usize> {
        self.slot_of[operand.local()?]
    }
}
