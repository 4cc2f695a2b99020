//! What each instruction of LLVM becomes.

use super::consts::{self, Part, Unsupported};
use super::func::{FnLower, To};
use super::retry;
use ir::{BinOp, BlockId, CastOp, Expr, Input, InstKind, MemoryModel, Order, Reg, Role, Term, Ty, UnOp};
use llvm::{Inst, LocalId, Op, Operand, RmwOp, Type};
use rustc_hash::FxHashSet;

impl<'m> FnLower<'_, 'm> {
    /// Translates an instruction; tells whether the next one was dealt with at the same time.
    pub fn inst(&mut self, block: llvm::BlockId, inst: &'m Inst, next: Option<&'m Inst>) -> Result<bool, Unsupported> {
        let result = inst.result;
        match &inst.op {
            // Written at the ends of the predecessors.
            Op::Phi { .. } => (),
            Op::Alloca { ty, count, align } => self.alloca(block, inst, *ty, count.as_ref(), *align)?,
            Op::Load { ty, addr, atomic, .. } => {
                if let Some(slot) = self.facts.slot_at(addr) {
                    if let Some(result) = result {
                        self.before_read(slot, result);
                        self.define(result, Expr::Reg(self.slot_regs[slot]));
                    }
                    return Ok(false);
                }
                let order = self.order(*atomic);
                let (to, merged) = self.destination(result, next);
                self.load(to, *ty, addr, order, inst.typed)?;
                return Ok(merged);
            }
            Op::Store { value, addr, atomic, .. } => {
                let order = self.order(*atomic);
                self.store(value, addr, order, inst.typed)?;
            }
            Op::CmpXchg { weak, addr, expected, new, success } => {
                let order = self.order(Some(*success));
                self.compare_exchange(result, *weak, addr, expected, new, order)?;
            }
            Op::AtomicRmw { op, addr, value, ordering } => {
                let order = self.order(Some(*ordering));
                let (to, merged) = self.destination(result, next);
                self.read_modify_write(to, *op, addr, value, order)?;
                return Ok(merged);
            }
            Op::Fence(ordering) => {
                let order = self.order(Some(*ordering));
                self.emit(InstKind::Fence { order });
            }
            Op::Call(call) => {
                let (to, merged) = self.destination(result, next);
                self.call(to, call)?;
                return Ok(merged);
            }
            Op::VaArg { list } => self.va_arg(To { result, target: None }, inst.ty, list)?,
            Op::LandingPad => return Err("an exception handler".to_string()),
            Op::Unsupported(opcode) => return Err(format!("the instruction `{opcode}`")),
            Op::Refused(why) => return Err(why.to_string()),
            op if op.is_terminator() => self.terminator(block, inst)?,
            op => {
                // The address of a slot under another type is not a value.
                let Some(result) = result.filter(|result| self.facts.slot_of[*result].is_none()) else {
                    return Ok(false);
                };
                let parts = self.pure(inst, op)?;
                self.define_parts(result, parts);
            }
        }
        Ok(false)
    }

    /// Where the result of an instruction with an effect goes: straight to the variable if that is all the program does
    /// with it, which is then done.
    fn destination(&mut self, result: Option<LocalId>, next: Option<&'m Inst>) -> (To, bool) {
        if let (Some(local), Some(next)) = (result, next)
            && self.facts.uses[local] == 1
            && let Op::Store { value, addr, .. } = &next.op
            && value.local() == result
            && self.unit.types.scalar(value.ty).is_some()
            && let Some(slot) = self.facts.slot_at(addr)
            && self.has_value[slot].is_none()
        {
            return (To { result, target: Some(self.slot_regs[slot]) }, true);
        }
        (To { result, target: None }, false)
    }

    /// The local that the result is, if anybody looks at it.
    pub fn read_result(&self, result: Option<LocalId>) -> Option<LocalId> {
        result.filter(|result| self.facts.uses[*result] > 0)
    }

    /// The register for a result: the variable it goes to, or a new one that the local stands for.
    pub fn result_reg(&mut self, to: To, ty: Ty) -> Reg {
        match (to.target, to.result) {
            (Some(reg), _) => {
                self.before_write(reg);
                reg
            }
            (None, Some(local)) => {
                let reg = self.local_reg(local, ty);
                self.values[local] = vec![reg.into()];
                reg
            }
            (None, None) => self.temporary(ty),
        }
    }

    pub fn order(&mut self, ordering: Option<llvm::Ordering>) -> Order {
        use llvm::Ordering::*;
        let Some(ordering) = ordering else { return Order::Plain };
        let order = match ordering {
            Unordered | Monotonic => Order::Relaxed,
            Acquire => Order::Acquire,
            Release => Order::Release,
            AcqRel => Order::AcqRel,
            SeqCst => Order::SeqCst,
        };
        let model = MemoryModel::SequentiallyConsistent;
        if model.strengthens(order) {
            self.shared.note(format!("weak memory orders are treated as {model}"));
        }
        order
    }

    fn alloca(
        &mut self,
        block: llvm::BlockId,
        inst: &Inst,
        ty: llvm::TypeId,
        count: Option<&Operand>,
        align: Option<u64>,
    ) -> Result<(), Unsupported> {
        let Some(result) = inst.result else { return Ok(()) };
        if self.facts.slot_of[result].is_some() || self.facts.uses[result] == 0 {
            return Ok(());
        }
        let element = self.unit.types.size(ty);
        let align = super::types::sane_align(align.unwrap_or_else(|| self.unit.types.align(ty)));
        let name = self.variable_name(result);
        let pos = match self.facts.declared[result] {
            Some(declaration) => self.unit.debug.pos(self.shared, declaration.location),
            None => self.pos,
        };
        let declared = self.declared_layout(result);
        let passed = if declared.is_none() { self.layout_passed(result, ty) } else { None };
        let layout = declared.or_else(|| passed.clone());
        let count = match count {
            None => Expr::Const(self.pointer_int(), 1),
            Some(count) => self.size(count)?,
        };
        if let (llvm::BlockId(0), Expr::Const(_, count)) = (block, &count) {
            let size =
                u64::try_from(*count).ok().and_then(|count| element.checked_mul(count)).ok_or("a huge variable")?;
            let layout = match layout {
                Some(layout) if layout.size(&self.shared.program) <= size => Some(layout),
                _ if *count == 1 => Some(self.unit.layout_of_type(self.shared, ty)),
                _ => None,
            };
            let reg = self.named_object(name, size, align, layout, pos);
            self.passed_in.extend(passed.map(|layout| (reg, layout)));
            if self.facts.private[result].is_some() {
                self.private.insert(reg);
            }
            self.values[result] = vec![reg.into()];
            return Ok(());
        }
        // The size is only known here, and each time the program comes by there is a new object.
        let stride = Expr::Const(self.pointer_int(), u128::from(element));
        let size = self.fold().bin(BinOp::Mul, self.pointer_int(), count, stride);
        let (dst, kind) = self.allocation(name, size, align, layout);
        self.values[result] = vec![dst.into()];
        self.emit(kind);
        Ok(())
    }

    fn compare_exchange(
        &mut self,
        result: Option<LocalId>,
        weak: bool,
        addr: &Operand,
        expected: &Operand,
        new: &Operand,
        order: Order,
    ) -> Result<(), Unsupported> {
        self.same_type(expected, new)?;
        let ty = self.ty(expected.ty)?;
        let addr = self.scalar(addr)?;
        // It is needed again when the cell has changed.
        let expected = self.steady(expected)?;
        let new = self.scalar(new)?;
        let same = Expr::bin(BinOp::Eq, Expr::Old, expected.clone());
        let mut set = Expr::select(same, new, Expr::Old);
        let fails = weak.then(|| self.temporary(Ty::BOOL));
        if let Some(fails) = fails {
            let input = Input::Choice(retry::SPURIOUS_FAILURE.to_string());
            self.emit(InstKind::Havoc { dst: fails, input });
            set = Expr::select(Expr::Reg(fails), Expr::Old, set);
        }
        let used = self.read_result(result);
        let dst = used.map(|_| self.temporary(ty));
        self.emit(InstKind::Update { dst, ty, addr, when: None, set: Some(set), order, role: Role::Plain });
        if let (Some(result), Some(old)) = (used, dst) {
            let mut success = self.fold().bin(BinOp::Eq, ty, Expr::Reg(old), expected);
            if let Some(fails) = fails {
                success = Expr::select(Expr::Reg(fails), Expr::bool(false), success);
            }
            self.define_parts(result, vec![Part::Expr(Expr::Reg(old)), Part::Expr(success)]);
        }
        Ok(())
    }

    fn read_modify_write(
        &mut self,
        to: To,
        op: RmwOp,
        addr: &Operand,
        value: &Operand,
        order: Order,
    ) -> Result<(), Unsupported> {
        let ty = self.ty(value.ty)?;
        let addr = self.scalar(addr)?;
        let value = self.scalar(value)?;
        let constant = |value: u128| Expr::Const(ty, value);
        let bin = |op, right: &Expr| Expr::bin(op, Expr::Old, right.clone());
        let pick = |op, value: &Expr| Expr::select(bin(op, value), Expr::Old, value.clone());
        let set = match op {
            RmwOp::Xchg => value,
            RmwOp::Add => self.fold().bin(BinOp::Add, ty, Expr::Old, value),
            RmwOp::Sub => self.fold().bin(BinOp::Sub, ty, Expr::Old, value),
            RmwOp::And => bin(BinOp::And, &value),
            RmwOp::Nand => Expr::un(UnOp::Not, bin(BinOp::And, &value)),
            RmwOp::Or => bin(BinOp::Or, &value),
            RmwOp::Xor => bin(BinOp::Xor, &value),
            RmwOp::Max => Expr::select(bin(BinOp::SLt, &value), value.clone(), Expr::Old),
            RmwOp::Min => pick(BinOp::SLt, &value),
            RmwOp::UMax => Expr::select(bin(BinOp::ULt, &value), value.clone(), Expr::Old),
            RmwOp::UMin => pick(BinOp::ULt, &value),
            RmwOp::FAdd => bin(BinOp::FAdd, &value),
            RmwOp::FSub => bin(BinOp::FSub, &value),
            RmwOp::FMax => bin(BinOp::FMax, &value),
            RmwOp::FMin => bin(BinOp::FMin, &value),
            RmwOp::UIncWrap => Expr::select(bin(BinOp::ULt, &value), bin(BinOp::Add, &constant(1)), constant(0)),
            RmwOp::UDecWrap => {
                let low = Expr::bin(BinOp::ULt, value.clone(), Expr::Old);
                let zero = bin(BinOp::Eq, &constant(0));
                Expr::select(Expr::bin(BinOp::Or, low, zero), value, bin(BinOp::Sub, &constant(1)))
            }
            RmwOp::USubCond | RmwOp::USubSat => {
                let fits = Expr::bin(BinOp::ULe, value.clone(), Expr::Old);
                let otherwise = if op == RmwOp::USubCond { Expr::Old } else { constant(0) };
                Expr::select(fits, bin(BinOp::Sub, &value), otherwise)
            }
        };
        let dst = self.read_result(to.result).map(|_| self.result_reg(to, ty));
        self.emit(InstKind::Update { dst, ty, addr, when: None, set: Some(set), order, role: Role::Plain });
        Ok(())
    }

    // ---- without effect ----

    fn pure(&mut self, inst: &'m Inst, op: &'m Op) -> Result<Vec<Part>, Unsupported> {
        match op {
            Op::Gep { source, base, indices } => {
                let base = self.scalar(base)?;
                let mut steps = Vec::new();
                for index in indices {
                    let ty = self.ty(index.ty)?;
                    steps.push((self.scalar(index)?, ty));
                }
                let address = self.unit.gep(self.fold(), *source, base, steps)?;
                Ok(vec![Part::Expr(address)])
            }
            Op::Freeze(value) => self.rows([value], |_, [value], _| Ok(value)),
            Op::FNeg(value) => self.rows([value], |_, [value], _| Ok(Expr::un(UnOp::FNeg, value))),
            Op::Binary { op, lhs, rhs } => {
                let op = consts::bin_op(*op);
                self.rows([lhs, rhs], |this, [left, right], ty| {
                    Ok(if ty.is_float() { Expr::bin(op, left, right) } else { this.fold().bin(op, ty, left, right) })
                })
            }
            Op::Icmp { pred, lhs, rhs } => self.rows([lhs, rhs], |this, [left, right], ty| {
                Ok(consts::int_compare(this.fold(), *pred, ty, left, right))
            }),
            Op::Fcmp { pred, lhs, rhs } => {
                self.rows([lhs, rhs], |_, [left, right], _| Ok(float_compare(*pred, left, right)))
            }
            Op::Cast { op, value } => self.cast(inst.ty, *op, value),
            Op::Select { cond, then, otherwise } => self.select(cond, then, otherwise),
            Op::ExtractValue { aggregate, path } => {
                let parts = self.parts(aggregate)?;
                let (at, ty) = self.unit.types.part(aggregate.ty, path).ok_or("`extractvalue`")?;
                let count = self.unit.types.leaf_count(ty).ok_or("`extractvalue`")?;
                Ok(parts.get(at..at + count).ok_or("`extractvalue`")?.to_vec())
            }
            Op::InsertValue { aggregate, element, path } => {
                let mut parts = self.parts(aggregate)?;
                let (at, ty) = self.unit.types.part(aggregate.ty, path).ok_or("`insertvalue`")?;
                if ty != element.ty {
                    return Err("`insertvalue` of another type".to_string());
                }
                for (i, part) in self.parts(element)?.into_iter().enumerate() {
                    *parts.get_mut(at + i).ok_or("`insertvalue`")? = part;
                }
                Ok(parts)
            }
            Op::ExtractElement { vector, index } => {
                let parts = self.parts(vector)?;
                let (index, ty) = (self.scalar(index)?, self.ty(index.ty)?);
                let part = match constant_index(&index) {
                    Some(at) => parts.get(at).cloned().ok_or("`extractelement` out of range")?,
                    None => self.pick(parts, index, ty)?,
                };
                Ok(vec![part])
            }
            Op::InsertElement { vector, element, index } => {
                let mut parts = self.parts(vector)?;
                if self.unit.types.types.element(vector.ty, 0) != Some(element.ty) {
                    return Err("`insertelement` of another type".to_string());
                }
                let element = self.scalar_part(element)?;
                let (index, ty) = (self.scalar(index)?, self.ty(index.ty)?);
                if let Some(at) = constant_index(&index) {
                    *parts.get_mut(at).ok_or("`insertelement` out of range")? = element;
                    return Ok(parts);
                }
                let index = self.in_register(index);
                let element = self.part(element);
                let element = self.in_register(element);
                for (i, part) in parts.iter_mut().enumerate() {
                    let here = Expr::bin(BinOp::Eq, index.clone(), Expr::Const(ty, i as u128));
                    let before = self.part(part.clone());
                    *part = Part::Expr(self.fold().select(here, element.clone(), before));
                }
                Ok(parts)
            }
            Op::ShuffleVector { a, b, mask } => {
                let mut parts = self.parts(a)?;
                self.same_type(a, b)?;
                parts.extend(self.parts(b)?);
                let Type::Vector { elem, .. } = *self.unit.types.types.get(a.ty) else {
                    return Err("`shufflevector`".to_string());
                };
                let ty = self.ty(elem)?;
                let chosen = self.parts(mask)?.into_iter().map(|index| match index {
                    Part::Expr(index) => constant_index(&index).and_then(|at| parts.get(at).cloned()),
                    Part::Undef(_) => None,
                });
                Ok(chosen.map(|part| part.unwrap_or(Part::Undef(ty))).collect())
            }
            _ => Err("an instruction".to_string()),
        }
    }

    /// The element of a vector at an index that is not constant.
    fn pick(&mut self, parts: Vec<Part>, index: Expr, ty: Ty) -> Result<Part, Unsupported> {
        let index = self.in_register(index);
        let mut chosen: Option<Expr> = None;
        for (i, part) in parts.into_iter().enumerate().rev() {
            let part = self.part(part);
            chosen = Some(match chosen {
                None => part,
                Some(others) => {
                    let here = Expr::bin(BinOp::Eq, index.clone(), Expr::Const(ty, i as u128));
                    let picked = Expr::select(here, part, others);
                    self.in_register(picked)
                }
            });
        }
        chosen.map(Part::Expr).ok_or_else(|| "an empty vector".to_string())
    }

    /// LLVM checks this, but nobody has to have run LLVM's checks.
    pub fn same_type(&self, left: &Operand, right: &Operand) -> Result<(), Unsupported> {
        if left.ty == right.ty { Ok(()) } else { Err("operands of different types".to_string()) }
    }

    /// Applies a function to the scalar parts of values of one type, one of each at a time.
    pub fn rows<const N: usize>(
        &mut self,
        operands: [&Operand; N],
        mut f: impl FnMut(&mut Self, [Expr; N], Ty) -> Result<Expr, Unsupported>,
    ) -> Result<Vec<Part>, Unsupported> {
        let mut columns = Vec::new();
        for operand in operands {
            self.same_type(operands[0], operand)?;
            columns.push(self.parts(operand)?.into_iter());
        }
        let mut out = Vec::new();
        for ty in self.unit.leaf_types(operands[0].ty)? {
            let row = std::array::from_fn(|i| {
                let part = columns[i].next().unwrap_or(Part::Undef(ty));
                self.part(part)
            });
            out.push(Part::Expr(f(self, row, ty)?));
        }
        Ok(out)
    }

    fn cast(&mut self, to: llvm::TypeId, op: llvm::CastOp, value: &Operand) -> Result<Vec<Part>, Unsupported> {
        let targets = self.unit.leaf_types(to)?;
        let sources = self.unit.leaf_types(value.ty)?;
        if targets.len() == sources.len() {
            let mut targets = targets.into_iter();
            return self.rows([value], |this, [value], from| {
                let to = targets.next().unwrap_or(from);
                Ok(consts::cast(this.fold(), op, from, to, value))
            });
        }
        // Between vectors of different shape: over the bits.
        let places = |this: &Self, types: &[Ty]| -> Vec<(u64, Ty)> {
            let mut end = 0;
            let place = |ty: &Ty| {
                end += u64::from(this.shared.program.bits_of(*ty));
                (end - u64::from(this.shared.program.bits_of(*ty)), *ty)
            };
            types.iter().map(place).collect()
        };
        let total: u32 = targets.iter().map(|ty| self.shared.program.bits_of(*ty)).sum();
        if op != llvm::CastOp::BitCast || total > 128 {
            return Err(self.unit.no_type(to));
        }
        let values = self.part_values(value)?;
        let parts = places(self, &sources).into_iter().zip(values).map(|((at, ty), value)| (at, ty, value)).collect();
        let all = self.join(total as u8, parts);
        let all = self.in_register(all);
        let cut = |(at, ty)| Part::Expr(self.cut(&all, total as u8, at, ty));
        Ok(places(self, &targets).into_iter().map(cut).collect())
    }

    /// One integer of `total` bits that holds the parts, each from the bit of its number on.
    pub fn join(&self, total: u8, parts: Vec<(u64, Ty, Expr)>) -> Expr {
        let (fold, whole) = (self.fold(), Ty::Int(total));
        let place = |(at, ty, part)| {
            let width = Ty::Int(self.shared.program.bits_of(ty) as u8);
            let part = fold.resize(false, width, whole, consts::bits_cast(fold, ty, width, part));
            fold.bin(BinOp::Shl, whole, part, Expr::Const(whole, u128::from(at)))
        };
        parts.into_iter().map(place).fold(Expr::Const(whole, 0), |joined, part| match joined {
            Expr::Const(_, 0) => part,
            joined => fold.bin(BinOp::Or, whole, joined, part),
        })
    }

    /// The part that lies in an integer of `total` bits from that bit on.
    pub fn cut(&self, all: &Expr, total: u8, at: u64, ty: Ty) -> Expr {
        let (fold, whole) = (self.fold(), Ty::Int(total));
        let width = Ty::Int(self.shared.program.bits_of(ty) as u8);
        let part = fold.bin(BinOp::LShr, whole, all.clone(), Expr::Const(whole, u128::from(at)));
        consts::bits_cast(fold, width, ty, fold.resize(false, whole, width, part))
    }

    fn select(&mut self, cond: &Operand, then: &Operand, other: &Operand) -> Result<Vec<Part>, Unsupported> {
        let mut conds = self.part_values(cond)?;
        let count = self.unit.leaf_types(then.ty)?.len();
        if conds.len() == 1 && count != 1 {
            // One condition for all parts.
            let cond = conds.remove(0);
            let cond = self.in_register(cond);
            conds = vec![cond; count];
        }
        let mut conds = conds.into_iter();
        self.rows([then, other], |this, [then, other], _| {
            Ok(this.fold().select(conds.next().ok_or("`select`")?, then, other))
        })
    }

    // ---- ends of blocks ----

    fn terminator(&mut self, block: llvm::BlockId, inst: &'m Inst) -> Result<(), Unsupported> {
        match &inst.op {
            Op::Ret(value) => self.ret(value.as_ref())?,
            Op::Br(target) if self.takes_pieces(block, *target) => {
                return Err("a variable argument that is passed in pieces and aligned to 16 bytes or more".to_string());
            }
            Op::Br(target) => {
                self.copies(block, *target)?;
                let target = self.target_block(*target)?;
                self.end(Term::Jump(target));
            }
            Op::CondBr { cond, .. } if cond.ty != llvm::TypeId::I1 => return Err("a branch on a byte".to_string()),
            Op::CondBr { cond, then, otherwise } => {
                let cond = self.scalar(cond)?;
                let (then, other) = (self.edge(block, *then)?, self.edge(block, *otherwise)?);
                self.end(Term::Branch { cond, then, other });
            }
            Op::Switch { value, default, cases } => {
                let value = self.scalar(value)?;
                let mut numbers = Vec::new();
                for (case, target) in cases {
                    let llvm::Const::Int(number) = case.value else { return Err("a very wide `switch`".to_string()) };
                    numbers.push((number, *target));
                }
                let cases = self.cases(block, numbers)?;
                let default = self.edge(block, *default)?;
                self.end(Term::Switch { value, cases, default });
            }
            Op::IndirectBr { addr, targets } => {
                let addr = self.scalar(addr)?;
                let value = self.fold().cast(CastOp::PtrToInt, Ty::Ptr, self.pointer_int(), addr);
                let cases = self.cases(block, targets.iter().map(|to| (u128::from(to.0) + 1, *to)).collect())?;
                let nowhere = self.new_block("nowhere");
                self.end(Term::Switch { value, cases, default: nowhere });
            }
            Op::Invoke { call, normal, .. } => {
                // C throws nothing; what an unwinding thread would run is left out.
                self.call(To { result: inst.result, target: None }, call)?;
                self.copies(block, *normal)?;
                let normal = self.target_block(*normal)?;
                self.end(Term::Jump(normal));
            }
            Op::Unreachable => {
                let last = self.out.blocks[self.current].insts.last().map(|inst| &inst.kind);
                let aborts = matches!(last, Some(InstKind::Assert { cond, .. }) if *cond == Expr::bool(false));
                self.end(if aborts { Term::Halt } else { Term::Unreachable });
            }
            Op::CallBr { .. } => return Err("`asm goto`".to_string()),
            _ => return Err("an exception handler".to_string()),
        }
        Ok(())
    }

    /// The cases of a switch, each number once.
    fn cases(
        &mut self,
        from: llvm::BlockId,
        targets: Vec<(u128, llvm::BlockId)>,
    ) -> Result<Vec<(u128, BlockId)>, Unsupported> {
        let mut seen = FxHashSet::default();
        let first = targets.into_iter().filter(|(number, _)| seen.insert(*number));
        first.map(|(number, to)| Ok((number, self.edge(from, to)?))).collect()
    }

    fn ret(&mut self, value: Option<&Operand>) -> Result<(), Unsupported> {
        let parts = match value {
            Some(value) => self.part_values(value)?,
            None => Vec::new(),
        };
        let wanted = self.unit.leaf_types(self.source.ret)?;
        if !parts.iter().map(|part| self.fold().type_of(part)).eq(wanted) {
            return Err("a result of another type than the function's".to_string());
        }
        let mut parts = parts.into_iter();
        let first = parts.next();
        for (i, part) in parts.enumerate() {
            let ty = self.fold().type_of(&part);
            let slot = self.shared.result_slot(i + 1, ty);
            self.store_at(&Expr::Object(slot, 0), 0, ty, part);
        }
        if self.atomic {
            self.emit(InstKind::AtomicEnd);
        }
        self.end(Term::Return(first));
        Ok(())
    }
}

/// The place that an index says, if it is constant; one that is too large is beyond everything.
fn constant_index(index: &Expr) -> Option<usize> {
    match index {
        Expr::Const(_, at) => Some(usize::try_from(*at).unwrap_or(usize::MAX)),
        _ => None,
    }
}

fn float_compare(pred: llvm::FloatPred, left: Expr, right: Expr) -> Expr {
    use llvm::FloatPred::*;
    let bin = Expr::bin;
    match pred {
        False => Expr::bool(false),
        True => Expr::bool(true),
        Oeq => bin(BinOp::FOeq, left, right),
        One => bin(BinOp::FOne, left, right),
        Olt => bin(BinOp::FOlt, left, right),
        Ole => bin(BinOp::FOle, left, right),
        Ogt => bin(BinOp::FOlt, right, left),
        Oge => bin(BinOp::FOle, right, left),
        Ord => bin(BinOp::FOrd, left, right),
        Ueq => bin(BinOp::FOne, left, right).negate(),
        Une => bin(BinOp::FOeq, left, right).negate(),
        Ult => bin(BinOp::FOle, right, left).negate(),
        Ule => bin(BinOp::FOlt, right, left).negate(),
        Ugt => bin(BinOp::FOle, left, right).negate(),
        Uge => bin(BinOp::FOlt, left, right).negate(),
        Uno => bin(BinOp::FOrd, left, right).negate(),
    }
}
