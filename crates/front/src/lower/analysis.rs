//! What must be known about an LLVM function before it is translated: which blocks can be reached, how often each value
//! is used and where, and which stack variables can be registers.

use super::operands;
use super::types::TypeTable;
use ir::Ty;
use llvm::{BlockId, Call, CastOp, Const, Function, GlobalId, LocalId, MdId, Module, Op, Operand, TypeId, Value};

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

/// Where a variable is declared.
#[derive(Clone, Copy)]
pub struct Declaration {
    pub local: LocalId,
    pub variable: MdId,
    pub location: Option<MdId>,
    pub block: BlockId,
    pub before: u32,
}

#[derive(Default)]
pub struct Facts {
    /// Reachable blocks, each after those that dominate it.
    pub order: Vec<BlockId>,
    pub reachable: Vec<bool>,
    /// How often each local is used.
    pub uses: Vec<u32>,
    /// Is it used in another block than the one that defines it?
    pub elsewhere: Vec<bool>,
    /// Where it goes, if all that is done with it is to pass it on, once.
    pub passed: Vec<Option<Passage>>,
    /// Where it comes from, if it is a parameter or the result of a call, or a part of that.
    pub received: Vec<Option<Passage>>,
    /// The variable that it is an address in, if only this function can access that.
    pub private: Vec<Option<LocalId>>,
    pub slots: Vec<Slot>,
    /// The slot of each local that is the address of one.
    pub slot_of: Vec<Option<u32>>,
    /// In the order of the text.
    pub declarations: Vec<Declaration>,
    /// The declaration of the variable that lives at the address that is a local.
    pub declared: Vec<Option<u32>>,
    /// For each parameter the slot that it is copied to at once, and that can therefore be the parameter itself.
    pub param_slot: Vec<Option<u32>>,
}

/// Does the call only mark the life of a variable?
fn is_marker(module: &Module, callee: &Operand) -> bool {
    let name = callee.global().and_then(|id| module.symbol_name(id));
    name.is_some_and(|name| name.starts_with("llvm.lifetime.") || name.starts_with("llvm.dbg."))
}

pub fn analyse(module: &Module, function: &Function, types: &TypeTable) -> Facts {
    let mut facts = Facts {
        reachable: vec![false; function.blocks.len()],
        uses: vec![0; function.locals.len()],
        elsewhere: vec![false; function.locals.len()],
        passed: vec![None; function.locals.len()],
        received: vec![None; function.locals.len()],
        slot_of: vec![None; function.locals.len()],
        declared: vec![None; function.locals.len()],
        ..Facts::default()
    };
    facts.order = reverse_postorder(function, &mut facts.reachable);
    facts.count_uses(module, function);
    facts.private = private(module, function, &facts.order);
    facts.promote(module, function, types);
    facts.declare(module, function);
    facts.param_slot = facts.param_slots(function);
    facts
}

/// For each local the variable of the function's that it is an address in, if such addresses are only used to access it.
fn private(module: &Module, function: &Function, order: &[BlockId]) -> Vec<Option<LocalId>> {
    let insts = || order.iter().flat_map(|block| &function.blocks[block.index()].insts);
    let mut variable: Vec<Option<LocalId>> = vec![None; function.locals.len()];
    let of = |variable: &[Option<LocalId>], operand: &Operand| operand.local().and_then(|l| variable[l.index()]);
    for inst in insts() {
        let Some(result) = inst.result else { continue };
        variable[result.index()] = match &inst.op {
            Op::Alloca { .. } => Some(result),
            Op::Gep { base, .. } => of(&variable, base),
            Op::Cast { op: CastOp::BitCast, value } => of(&variable, value),
            _ => None,
        };
    }
    let mut escapes = vec![false; function.locals.len()];
    for inst in insts() {
        let address = match &inst.op {
            Op::Load { addr, .. }
            | Op::Store { addr, .. }
            | Op::CmpXchg { addr, .. }
            | Op::AtomicRmw { addr, .. }
            | Op::Gep { base: addr, .. }
            | Op::Cast { op: CastOp::BitCast, value: addr } => Some(addr),
            Op::Call(call) if is_marker(module, &call.callee) || moves_bytes(module, &call.callee) => continue,
            _ => None,
        };
        operands::for_each(&inst.op, &mut |operand| {
            if !address.is_some_and(|address| std::ptr::eq(address, operand))
                && let Some(variable) = of(&variable, operand)
            {
                escapes[variable.index()] = true;
            }
        });
    }
    variable.into_iter().map(|variable| variable.filter(|variable| !escapes[variable.index()])).collect()
}

/// Does the call only copy or fill memory?
fn moves_bytes(module: &Module, callee: &Operand) -> bool {
    let name = callee.global().and_then(|id| module.symbol_name(id));
    name.is_some_and(|name| {
        ["llvm.memcpy.", "llvm.memmove.", "llvm.memset."].iter().any(|start| name.starts_with(start))
    })
}

fn reverse_postorder(function: &Function, seen: &mut [bool]) -> Vec<BlockId> {
    let mut order = Vec::new();
    let mut stack: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    let successors = |block: BlockId| {
        let last = function.blocks.get(block.index()).and_then(|block| block.insts.last());
        last.map_or_else(Vec::new, |inst| inst.op.successors())
    };
    if let Some(first) = seen.first_mut() {
        *first = true;
        stack.push((BlockId(0), successors(BlockId(0))));
    }
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if let Some(mark) = seen.get_mut(next.index())
                    && !*mark
                {
                    *mark = true;
                    stack.push((next, successors(next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

impl Facts {
    fn count_uses(&mut self, module: &Module, function: &Function) {
        let mut defined_in = vec![None; function.locals.len()];
        for param in 0..function.params.len().min(defined_in.len()) {
            defined_in[param] = Some(BlockId(0));
            self.received[param] = Some(Passage { of: Passing::Own, index: Some(param) });
        }
        for &block in &self.order {
            for inst in &function.blocks[block.index()].insts {
                if let Some(entry) = inst.result.and_then(|result| defined_in.get_mut(result.index())) {
                    *entry = Some(block);
                }
                let Some(result) = inst.result else { continue };
                self.received[result.index()] = match &inst.op {
                    Op::Call(call) => Passing::of_call(module, call).map(|of| Passage { of, index: None }),
                    Op::ExtractValue { aggregate, .. } => {
                        aggregate.local().and_then(|from| self.received[from.index()])
                    }
                    _ => None,
                };
            }
        }
        let mut used = |operand: &Operand, block: BlockId, passed: Option<Passage>| {
            if let Some(local) = operand.local() {
                self.uses[local.index()] += 1;
                self.passed[local.index()] = passed.filter(|_| self.uses[local.index()] == 1);
                self.elsewhere[local.index()] |= defined_in[local.index()] != Some(block);
            }
        };
        for &block in &self.order {
            for inst in &function.blocks[block.index()].insts {
                match &inst.op {
                    // A value goes into a phi at the end of the block it comes from.
                    Op::Phi { incoming } => incoming
                        .iter()
                        .filter(|(_, from)| self.reachable[from.index()])
                        .for_each(|(operand, from)| used(operand, *from, None)),
                    Op::Call(call) if is_marker(module, &call.callee) => (),
                    Op::Call(call) => {
                        let of = Passing::of_call(module, call);
                        used(&call.callee, block, None);
                        for (index, arg) in call.args.iter().enumerate() {
                            used(&arg.value, block, of.map(|of| Passage { of, index: Some(index) }));
                        }
                    }
                    Op::Ret(Some(value)) => used(value, block, Some(Passage { of: Passing::Own, index: None })),
                    op => operands::for_each(op, &mut |operand| used(operand, block, None)),
                }
            }
        }
    }

    /// Finds the stack variables whose address is only used to load and store one scalar type.
    fn promote(&mut self, module: &Module, function: &Function, types: &TypeTable) {
        #[derive(Clone, Copy)]
        struct Candidate {
            alloca: LocalId,
            size: u64,
            ty: Option<Ty>,
            escapes: bool,
        }
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut candidate_of: Vec<Option<u32>> = vec![None; function.locals.len()];
        for inst in function.blocks.first().map_or(&[][..], |block| &block.insts) {
            if let (Op::Alloca { ty, count, .. }, Some(result)) = (&inst.op, inst.result)
                && count.as_ref().is_none_or(|count| count.constant() == Some(&Const::Int(1)))
            {
                candidate_of[result.index()] = Some(candidates.len() as u32);
                candidates.push(Candidate { alloca: result, size: types.size(*ty), ty: None, escapes: false });
            }
        }
        let lookup = |candidate_of: &[Option<u32>], operand: &Operand| {
            operand.local().and_then(|local| candidate_of[local.index()]).map(|index| index as usize)
        };
        let access = |candidate: &mut Candidate, ty: TypeId| match types.scalar(ty) {
            Some(scalar) if types.size(ty) <= candidate.size && candidate.ty.is_none_or(|known| known == scalar) => {
                candidate.ty = Some(scalar);
            }
            _ => candidate.escapes = true,
        };
        let insts = || self.order.iter().flat_map(|block| &function.blocks[block.index()].insts);
        // With typed pointers (LLVM 14) a cast gives the same address under another type.
        for inst in insts() {
            if let (Op::Cast { op: CastOp::BitCast, value, .. }, Some(result)) = (&inst.op, inst.result)
                && types.types.is_ptr(inst.ty)
                && let Some(index) = lookup(&candidate_of, value)
            {
                candidate_of[result.index()] = Some(index as u32);
            }
        }
        for inst in insts() {
            let (addr, ty) = match &inst.op {
                Op::Load { ty, addr, .. } => (Some(addr), *ty),
                Op::Store { value, addr, .. } => (Some(addr), value.ty),
                Op::Cast { .. } if inst.result.is_some_and(|result| candidate_of[result.index()].is_some()) => continue,
                Op::Call(call) if is_marker(module, &call.callee) => continue,
                _ => (None, inst.ty),
            };
            operands::for_each(&inst.op, &mut |operand| {
                let Some(index) = lookup(&candidate_of, operand) else { return };
                match addr.is_some_and(|addr| std::ptr::eq(addr, operand)) {
                    true => access(&mut candidates[index], ty),
                    false => candidates[index].escapes = true,
                }
            });
        }
        let mut slot_of_candidate = vec![None; candidates.len()];
        for (index, candidate) in candidates.iter().enumerate() {
            if let (Some(ty), false) = (candidate.ty, candidate.escapes) {
                slot_of_candidate[index] = Some(self.slots.len() as u32);
                self.slots.push(Slot { alloca: candidate.alloca, ty });
            }
        }
        for (local, candidate) in candidate_of.iter().enumerate() {
            self.slot_of[local] = candidate.and_then(|index| slot_of_candidate[index as usize]);
        }
    }

    fn declare(&mut self, module: &Module, function: &Function) {
        let info = llvm::DebugInfo::new(module);
        for record in &function.dbg_records {
            let Some(local) = record.operand.as_ref().and_then(Operand::local) else { continue };
            if info.local_variable(record.variable).is_none() {
                continue;
            }
            self.declarations.push(Declaration {
                local,
                variable: record.variable,
                location: record.loc,
                block: record.block,
                before: record.before,
            });
        }
        self.declarations.sort_by_key(|declaration| (declaration.block, declaration.before));
        for (index, declaration) in self.declarations.iter().enumerate() {
            self.declared[declaration.local.index()] = Some(index as u32);
        }
    }

    /// The numbers of the declarations in a block.
    pub fn declarations_in(&self, block: BlockId) -> std::ops::Range<usize> {
        let before = |end: u32| self.declarations.partition_point(|declaration| declaration.block.0 < end);
        before(block.0)..before(block.0 + 1)
    }

    /// At -O0 each parameter is first copied to its variable.  If that is all that happens to it, the two can be one.
    fn param_slots(&self, function: &Function) -> Vec<Option<u32>> {
        let mut slots = vec![None; function.params.len()];
        let mut taken = vec![false; self.slots.len()];
        for inst in function.blocks.first().map_or(&[][..], |block| &block.insts) {
            let (slot, value) = match &inst.op {
                Op::Store { value, addr, .. } => (self.slot_at(addr), Some(value)),
                Op::Load { addr, .. } => (self.slot_at(addr), None),
                _ => continue,
            };
            let Some(slot) = slot else { continue };
            if let Some(Value::Local(local)) = value.map(|value| &value.value)
                && local.index() < slots.len()
                && self.uses[local.index()] == 1
                && !taken[slot as usize]
            {
                slots[local.index()] = Some(slot);
            }
            // Whatever was done to the variable first, nothing later can take its place.
            taken[slot as usize] = true;
        }
        slots
    }

    /// The slot whose address the operand is.
    pub fn slot_at(&self, operand: &Operand) -> Option<u32> {
        self.slot_of.get(operand.local()?.index()).copied().flatten()
    }
}
