//! The translation of one function: registers, pending expressions and blocks.  What each instruction becomes is in
//! `inst`, `call`, `memory` and `intrinsics`.
//!
//! A value used once in its block is not put into a register: its expression waits and goes into the place of use.  An
//! expression that waits may read registers that are the user's variables, so before such a register is written, what
//! waits and reads it is put into a register of its own.  Registers of LLVM values are written once on each way to a use
//! of them (the definition dominates the use), so expressions over those can wait for ever.

use super::analysis::{Facts, Slot, analyse};
use super::consts::{Part, Unsupported};
use super::fold::{self, Fold, MAX_NODES};
use super::shared::{Names, Shared};
use super::unit::Unit;
use super::unwritten::{self, Read, Unwritten};
use crate::model::LIST;
use base::{IdVec, Pos};
use ir::{AllocKind, Block, BlockId, Expr, Function, Input, Inst, InstKind, Layout, Reg, RegData, Term, Ty};
use llvm::{LocalId, LocalVariable, Name, Op, Operand, TypeId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where the result of an instruction goes: straight to a variable, or to what the local stands for.
#[derive(Clone, Copy)]
pub struct To {
    pub result: Option<LocalId>,
    pub target: Option<Reg>,
}

/// The function being built.
pub struct FnLower<'a, 'm> {
    pub unit: &'a mut Unit<'m>,
    pub shared: &'a mut Shared,
    pub source: &'m llvm::Function,
    pub facts: &'a Facts,
    unwritten: &'a Unwritten,
    /// By slot: the register that says whether the variable has a value, where that must be remembered.
    pub has_value: Vec<Option<Reg>>,
    pub out: Function,
    /// The parts of what each local stands for; none if it is not yet computed, or in a block that control cannot reach.
    pub values: IdVec<LocalId, Vec<Part>>,
    /// Uses of each local that are still to come.
    remaining: IdVec<LocalId, u32>,
    phis: FxHashMap<LocalId, Vec<Reg>>,
    /// The register of each slot.
    pub slot_regs: Vec<Reg>,
    /// Registers that are written more than once: the user's variables.
    mutable: IdVec<Reg, bool>,
    /// What waits and reads a mutable register.
    readers: FxHashMap<Reg, Vec<LocalId>>,
    names: Names,
    /// Names kept for variables that live in memory.
    reserved: FxHashMap<LocalId, String>,
    temporaries: u32,
    /// The block of each LLVM block; the entry's is the first.
    pub block_of: IdVec<llvm::BlockId, Option<BlockId>>,
    block_names: Names,
    /// Where instructions go.
    pub current: BlockId,
    /// Registers with the addresses of variables.
    pub stack: FxHashSet<Reg>,
    /// Those of variables that only this function can access.
    pub private: FxHashSet<Reg>,
    /// Variables of clang's own that hold a struct on its way to or from a call, with its layout.
    pub passed_in: FxHashMap<Reg, Layout>,
    /// Objects of the whole call, made before anything else.
    pub allocations: Vec<Inst>,
    pub pos: Pos,
    /// The body runs without a switch.
    pub atomic: bool,
    /// The register that points to the arguments beyond the fixed ones.
    pub varargs: Option<Reg>,
}

/// Lowers the body of a defined function; `frame` has its name and position.
pub fn lower<'m>(
    unit: &mut Unit<'m>,
    shared: &mut Shared,
    source: &'m llvm::Function,
    frame: Function,
) -> Result<Function, Unsupported> {
    let facts = analyse(unit.module, source, &unit.types);
    let unwritten = unwritten::find(source, &facts);
    let atomic = super::is_atomic(&frame.name);
    let mut lowering = FnLower {
        values: IdVec::filled(Vec::new(), source.locals.len()),
        remaining: facts.uses.clone(),
        phis: FxHashMap::default(),
        slot_regs: Vec::new(),
        mutable: IdVec::new(),
        readers: FxHashMap::default(),
        names: Names::default(),
        reserved: FxHashMap::default(),
        temporaries: 0,
        block_of: IdVec::new(),
        block_names: Names::default(),
        current: Function::ENTRY,
        allocations: Vec::new(),
        stack: FxHashSet::default(),
        private: FxHashSet::default(),
        passed_in: FxHashMap::default(),
        pos: Pos::NONE,
        atomic,
        varargs: None,
        out: Function { params: Vec::new(), regs: IdVec::new(), blocks: IdVec::new(), ..frame },
        unit,
        shared,
        source,
        facts: &facts,
        unwritten: &unwritten,
        has_value: Vec::new(),
    };
    lowering.variables();
    lowering.parameters()?;
    lowering.blocks();
    let own = lowering.block_of.values().flatten().count();
    let mut function = lowering.out;
    let entry = &mut function.blocks[Function::ENTRY].insts;
    let mut insts = lowering.allocations;
    insts.append(entry);
    *entry = insts;
    super::cfg::tidy(&mut function, own);
    Ok(function)
}

/// May it stand in a name without quotes?
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

impl<'m> FnLower<'_, 'm> {
    pub fn fold(&self) -> Fold<'_> {
        Fold { regs: &self.out.regs, pointer_bits: self.shared.program.data_model.pointer_bits() }
    }

    pub fn pointer_int(&self) -> Ty {
        self.shared.program.pointer_int()
    }

    // ---- registers ----

    pub fn new_reg(&mut self, name: &str, ty: Ty, layout: Option<Layout>) -> Reg {
        let name = self.names.unique_with(name, '.');
        self.named_reg(name, ty, layout)
    }

    /// A register under a name that is known to be free.
    pub fn named_reg(&mut self, name: String, ty: Ty, layout: Option<Layout>) -> Reg {
        self.mutable.push(false);
        self.out.regs.push(RegData { name, ty, layout, user: false })
    }

    pub fn temporary(&mut self, ty: Ty) -> Reg {
        self.temporaries += 1;
        self.new_reg(&format!("t{}", self.temporaries), ty, None)
    }

    /// A new register for a local, under the local's name if it has one.
    pub fn local_reg(&mut self, local: LocalId, ty: Ty) -> Reg {
        match self.source.locals[local].name.as_str() {
            Some(name) if name.chars().all(is_plain) => self.new_reg(name, ty, None),
            _ => self.temporary(ty),
        }
    }

    /// Registers of the slots, which come first so that the user's names are theirs.
    fn variables(&mut self) {
        for &Slot { alloca, ty } in &self.facts.slots {
            let reg = match self.declared_variable(alloca).filter(|variable| !variable.name.is_empty()) {
                Some(variable) => {
                    let layout = self.unit.debug.layout(self.shared, variable.ty);
                    let reg = self.new_reg(variable.name, ty, layout);
                    self.out.regs[reg].user = !variable.artificial;
                    reg
                }
                None => {
                    let name = self.local_name(alloca);
                    self.new_reg(&name, ty, None)
                }
            };
            self.mutable[reg] = true;
            self.slot_regs.push(reg);
        }
        for slot in 0..self.facts.slots.len() {
            let remembers = self.unwritten.remembers.contains(slot).then(|| {
                let name = format!("{}.set", self.out.regs[self.slot_regs[slot]].name);
                self.new_reg(&name, Ty::BOOL, None)
            });
            self.has_value.push(remembers);
        }
        for declaration in &self.facts.declarations {
            let used = self.facts.uses[declaration.local] > 0;
            let variable = self.unit.module.local_variable(declaration.variable);
            let name = variable.map_or("", |variable| variable.name);
            if self.facts.slot_of[declaration.local].is_none() && used && !name.is_empty() {
                let name = self.names.unique_with(name, '.');
                self.reserved.insert(declaration.local, name);
            }
        }
    }

    /// The name of the variable at the address that is the local, which no other register has.
    pub fn variable_name(&mut self, local: LocalId) -> String {
        match self.reserved.remove(&local) {
            Some(name) => name,
            None => {
                let name = self.local_name(local);
                self.names.unique_with(&name, '.')
            }
        }
    }

    /// The local's name without what clang adds to it.
    pub fn local_name(&self, local: LocalId) -> String {
        match &self.source.locals[local].name {
            Name::Named(name) => {
                let name = name.strip_suffix(".addr").unwrap_or(name).trim_start_matches('.');
                let name: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
                if name.is_empty() { "v".to_string() } else { name }
            }
            Name::Number(number) => format!("v{number}"),
        }
    }

    fn parameters(&mut self) -> Result<(), Unsupported> {
        for (local, param) in self.source.locals.ids().zip(&self.source.params) {
            if let Some(slot) = self.facts.param_slot[local] {
                self.out.params.push(self.slot_regs[slot]);
                continue;
            }
            let leaves = self.unit.leaf_types(*param)?;
            let layout = self.declared_layout(local).map(|layout| Layout::Pointer(Some(Box::new(layout))));
            let mut regs: Vec<Reg> = Vec::new();
            for ty in leaves {
                let name = self.variable_name(local);
                regs.push(self.named_reg(name, ty, layout.clone()));
            }
            self.out.params.extend(&regs);
            self.values[local] = regs.into_iter().map(Part::from).collect();
        }
        if self.source.varargs {
            let reg = self.new_reg(LIST, Ty::Ptr, None);
            self.out.params.push(reg);
            self.varargs = Some(reg);
        }
        Ok(())
    }

    /// The variable that lives at the address that is this local.
    fn declared_variable(&self, local: LocalId) -> Option<LocalVariable<'m>> {
        self.unit.module.local_variable(self.facts.declared[local]?.variable)
    }

    pub fn declared_layout(&mut self, local: LocalId) -> Option<Layout> {
        let variable = self.declared_variable(local)?;
        self.unit.debug.layout(self.shared, variable.ty)
    }

    // ---- blocks ----

    pub fn new_block(&mut self, name: &str) -> BlockId {
        let name = self.block_names.unique_with(name, '.');
        self.out.blocks.push(Block { name, insts: Vec::new(), term: Term::Unreachable, term_pos: Pos::NONE })
    }

    fn blocks(&mut self) {
        let source = self.source;
        for (block_id, block) in source.blocks.iter() {
            let id = self.facts.reachable[block_id].then(|| {
                let name = match &block.name {
                    Name::Named(name) => name.to_string(),
                    Name::Number(number) => format!("b{number}"),
                };
                self.new_block(&name)
            });
            self.block_of.push(id);
        }
        self.phi_registers();
        self.facts.order.iter().for_each(|block| self.block(*block));
    }

    fn block(&mut self, block: llvm::BlockId) {
        let source = self.source;
        let Some(id) = self.block_of[block] else { return };
        self.current = id;
        self.readers.clear();
        self.pos = Pos::NONE;
        if block == llvm::BlockId(0) {
            self.prologue();
        }
        let insts = &source.blocks[block].insts;
        let mut skip = false;
        for (i, inst) in insts.iter().enumerate() {
            for declaration in self.facts.declarations_before(block, i) {
                self.declared(declaration);
            }
            if std::mem::take(&mut skip) {
                continue;
            }
            if inst.dbg.is_some() {
                self.pos = self.unit.debug.pos(self.shared, inst.dbg);
            }
            match self.inst(block, inst, insts.get(i + 1)) {
                Ok(next_done) => skip = next_done,
                Err(what) => {
                    // What follows cannot be reached, whatever it is.
                    self.emit(InstKind::Unsupported { what });
                    self.end(Term::Unreachable);
                    return;
                }
            }
        }
    }

    /// What happens before the first instruction.
    fn prologue(&mut self) {
        self.pos = self.out.pos;
        if self.atomic {
            self.emit(InstKind::AtomicBegin);
        }
        for slot in 0..self.facts.slots.len() {
            let is_param = self.out.params.contains(&self.slot_regs[slot]);
            if is_param || self.unwritten.from_entry.contains(slot) {
                self.remember(slot, is_param);
            }
        }
    }

    /// A variable's declaration: from here on it has any value, which is chosen where it is read.
    fn declared(&mut self, number: usize) {
        let declaration = self.facts.declarations[number];
        if let Some(slot) = self.facts.slot_of[declaration.local]
            && self.unwritten.is_read_as_declared(slot, number)
        {
            self.pos = self.unit.debug.pos(self.shared, declaration.location);
            self.remember(slot, false);
        }
    }

    /// Notes whether the variable has a value, if anybody will ask.
    pub fn remember(&mut self, slot: usize, has_value: bool) {
        if let Some(flag) = self.has_value[slot] {
            self.emit(InstKind::Assign { dst: flag, value: Expr::bool(has_value) });
        }
    }

    /// Any value for a variable.
    fn choose(&mut self, slot: usize) {
        let reg = self.slot_regs[slot];
        self.before_write(reg);
        let name = self.out.regs[reg].name.clone();
        self.emit(InstKind::Havoc { dst: reg, input: Input::Uninit(name) });
        self.remember(slot, true);
    }

    /// Before a variable is read: gives it a value if it has none.
    pub fn before_read(&mut self, slot: usize, result: LocalId) {
        match self.unwritten.reads.get(&result) {
            None => (),
            Some(Read::Choose) => self.choose(slot),
            Some(Read::Ask) => {
                let Some(flag) = self.has_value[slot] else { return };
                // What waits must be computed on both ways.
                self.before_write(self.slot_regs[slot]);
                let (choose, read) = (self.new_block("uninitialised"), self.new_block("read"));
                self.end(Term::Branch { cond: Expr::Reg(flag), then: read, other: choose });
                self.current = choose;
                self.choose(slot);
                self.end(Term::Jump(read));
                self.current = read;
            }
        }
    }

    pub fn end(&mut self, term: Term) {
        let block = &mut self.out.blocks[self.current];
        block.term = term;
        block.term_pos = self.pos;
    }

    /// Ends the current block with a jump to a new one and goes on there.
    pub fn split(&mut self, name: &str) -> BlockId {
        let next = self.new_block(name);
        self.end(Term::Jump(next));
        self.current = next;
        next
    }

    // ---- instructions ----

    pub fn emit(&mut self, kind: InstKind) {
        let inst = Inst { kind, pos: self.pos };
        self.out.blocks[self.current].insts.push(inst);
    }

    pub fn assign(&mut self, dst: Reg, value: Expr) {
        self.before_write(dst);
        if value != Expr::Reg(dst) {
            self.emit(InstKind::Assign { dst, value });
        }
    }

    pub fn assign_part(&mut self, dst: Reg, part: Part) {
        match part {
            Part::Expr(value) => self.assign(dst, value),
            Part::Undef(_) => {
                self.before_write(dst);
                self.emit(InstKind::Havoc { dst, input: Input::Uninit("undef".to_string()) });
            }
        }
    }

    /// Puts what waits and reads the register elsewhere, since it is about to change.
    pub fn before_write(&mut self, reg: Reg) {
        if !self.mutable[reg] {
            return;
        }
        for local in self.readers.remove(&reg).unwrap_or_default() {
            self.materialise(local);
        }
    }

    fn materialise(&mut self, local: LocalId) {
        if let [Part::Expr(expr)] = &self.values[local][..] {
            let done = self.remaining[local] == 0;
            if done || matches!(expr, Expr::Reg(reg) if !self.mutable[*reg]) {
                return;
            }
            let value = expr.clone();
            let ty = self.fold().type_of(&value);
            let dst = self.local_reg(local, ty);
            self.out.regs[dst].layout = self.pointer_layout(&value);
            self.values[local] = vec![dst.into()];
            let inst = Inst { kind: InstKind::Assign { dst, value }, pos: self.pos };
            self.out.blocks[self.current].insts.push(inst);
        }
    }

    // ---- values ----

    fn reads_mutable(&self, expr: &Expr) -> bool {
        expr.any(&mut |part| matches!(part, Expr::Reg(reg) if self.mutable[*reg]))
    }

    /// Records what the local stands for.
    pub fn define(&mut self, local: LocalId, expr: Expr) {
        let uses = self.facts.uses[local];
        // What may end the execution does so here, whatever becomes of its value.
        let traps = expr.can_fault();
        if uses == 0 {
            if traps {
                self.in_register(expr);
            }
            return;
        }
        let leaf = fold::is_leaf(&expr);
        if leaf && !self.reads_mutable(&expr) {
            self.values[local] = vec![Part::Expr(expr)];
            return;
        }
        let waits = !self.facts.elsewhere[local] && (uses == 1 || leaf) && expr.nodes() <= MAX_NODES && !traps;
        if waits {
            expr.for_each_reg(&mut |reg| {
                if self.mutable[reg] {
                    self.readers.entry(reg).or_default().push(local);
                }
            });
        }
        self.values[local] = vec![Part::Expr(expr)];
        if !waits {
            self.materialise(local);
        }
    }

    /// Records the parts of an aggregate.  Parts that are more than a name go into registers.
    pub fn define_parts(&mut self, local: LocalId, parts: Vec<Part>) {
        if self.unit.types.scalar(self.source.locals[local].ty).is_some() {
            match parts.into_iter().next() {
                Some(Part::Expr(expr)) => self.define(local, expr),
                undef => self.values[local] = undef.into_iter().collect(),
            }
            return;
        }
        if self.facts.uses[local] == 0 {
            return;
        }
        let keep = |this: &mut Self, part| match part {
            Part::Expr(expr) => {
                let small = expr.nodes() <= 5 && !expr.can_fault() && !this.reads_mutable(&expr);
                Part::Expr(if small { expr } else { this.in_register(expr) })
            }
            undef => undef,
        };
        self.values[local] = parts.into_iter().map(|part| keep(self, part)).collect();
    }

    /// The expression, or a new register that holds its value, if repeating it would cost or could change its meaning.
    pub fn in_register(&mut self, expr: Expr) -> Expr {
        if fold::is_leaf(&expr) && !self.reads_mutable(&expr) {
            return expr;
        }
        let ty = self.fold().type_of(&expr);
        let dst = self.temporary(ty);
        self.out.regs[dst].layout = self.pointer_layout(&expr);
        self.emit(InstKind::Assign { dst, value: expr });
        Expr::Reg(dst)
    }

    /// An input, in a register of its own.
    pub fn choice(&mut self, ty: Ty, input: Input) -> Expr {
        let dst = self.temporary(ty);
        self.emit(InstKind::Havoc { dst, input });
        Expr::Reg(dst)
    }

    pub fn any(&mut self, ty: Ty, name: &str) -> Expr {
        self.choice(ty, Input::Uninit(name.to_string()))
    }

    pub fn part(&mut self, part: Part) -> Expr {
        match part {
            Part::Expr(expr) => expr,
            Part::Undef(ty) => self.any(ty, "undef"),
        }
    }

    /// The value of a scalar operand.
    pub fn scalar(&mut self, operand: &Operand) -> Result<Expr, Unsupported> {
        let part = self.scalar_part(operand)?;
        Ok(self.part(part))
    }

    pub fn scalar_part(&mut self, operand: &Operand) -> Result<Part, Unsupported> {
        let ty = self.ty(operand.ty)?;
        match &operand.value {
            Value::Local(local) => {
                self.remaining[*local] = self.remaining[*local].saturating_sub(1);
                Ok(self.values[*local].first().cloned().unwrap_or(Part::Undef(ty)))
            }
            Value::Const(value) => self.unit.const_scalar(self.shared, operand.ty, value),
            Value::Metadata(_) | Value::Asm(_) => Err("an operand that is no value".to_string()),
        }
    }

    /// The scalar parts of any operand.
    pub fn parts(&mut self, operand: &Operand) -> Result<Vec<Part>, Unsupported> {
        if self.unit.types.scalar(operand.ty).is_some() {
            return Ok(vec![self.scalar_part(operand)?]);
        }
        match &operand.value {
            Value::Local(local) if self.values[*local].is_empty() => {
                Ok(self.unit.leaf_types(operand.ty)?.into_iter().map(Part::Undef).collect())
            }
            Value::Local(local) => Ok(self.values[*local].clone()),
            Value::Const(value) => self.unit.const_parts(self.shared, operand.ty, value),
            Value::Metadata(_) | Value::Asm(_) => Err("an operand that is no value".to_string()),
        }
    }

    /// The same, with a value chosen for each that is any.
    pub fn part_values(&mut self, operand: &Operand) -> Result<Vec<Expr>, Unsupported> {
        Ok(self.parts(operand)?.into_iter().map(|part| self.part(part)).collect())
    }

    /// The value of a scalar operand, such that it can be used several times.
    pub fn steady(&mut self, operand: &Operand) -> Result<Expr, Unsupported> {
        let value = self.scalar(operand)?;
        Ok(self.in_register(value))
    }

    pub fn ty(&self, ty: TypeId) -> Result<Ty, Unsupported> {
        self.unit.scalar_type(ty)
    }

    // ---- stack objects ----

    /// An object that lives as long as the call; returns the register with its address.
    pub fn stack_object(&mut self, name: &str, size: u64, align: u64, layout: Option<Layout>, pos: Pos) -> Reg {
        let name = self.names.unique_with(name, '.');
        self.named_object(name, size, align, layout, pos)
    }

    pub fn named_object(&mut self, name: String, size: u64, align: u64, layout: Option<Layout>, pos: Pos) -> Reg {
        let size = Expr::Const(self.pointer_int(), u128::from(size));
        let (dst, kind) = self.allocation(name, size, align, layout);
        self.stack.insert(dst);
        self.allocations.push(Inst { kind, pos });
        dst
    }

    /// What makes an object, and the register with its address.
    pub fn allocation(&mut self, name: String, size: Expr, align: u64, layout: Option<Layout>) -> (Reg, InstKind) {
        let pointer = layout.clone().map(|layout| Layout::Pointer(Some(Box::new(layout))));
        let dst = self.named_reg(name.clone(), Ty::Ptr, pointer);
        (dst, InstKind::Alloc { dst, kind: AllocKind::Stack, size, align, zeroed: false, name, layout })
    }

    // ---- phis ----

    fn phi_registers(&mut self) {
        let source = self.source;
        for block in &self.facts.order {
            for inst in &source.blocks[*block].insts {
                let (Op::Phi { .. }, Some(result)) = (&inst.op, inst.result) else { break };
                let Some(leaves) = self.unit.types.leaves(inst.ty) else { continue };
                let regs: Vec<Reg> = leaves.iter().map(|leaf| self.local_reg(result, leaf.ty)).collect();
                self.phis.insert(result, regs.clone());
                self.values[result] = regs.into_iter().map(Part::from).collect();
            }
        }
    }

    fn has_phis(&self, block: llvm::BlockId) -> bool {
        self.source.blocks[block].insts.first().is_some_and(|inst| matches!(inst.op, Op::Phi { .. }))
    }

    /// The block to go to from `from` in order to get to `to`, on an edge that is not the only one: the copies for the
    /// phis of `to` must not happen on the others.
    pub fn edge(&mut self, from: llvm::BlockId, to: llvm::BlockId) -> Result<BlockId, Unsupported> {
        let target = self.target_block(to)?;
        if !self.has_phis(to) {
            return Ok(target);
        }
        let back = self.current;
        let name = self.out.blocks[target].name.clone();
        let block = self.new_block(&format!("to.{name}"));
        self.current = block;
        self.copies(from, to)?;
        self.end(Term::Jump(target));
        self.current = back;
        Ok(block)
    }

    pub fn target_block(&self, block: llvm::BlockId) -> Result<BlockId, Unsupported> {
        self.block_of[block].ok_or_else(|| "a jump to nowhere".to_string())
    }

    /// Writes the registers of the phis of `to`, all at once.
    pub fn copies(&mut self, from: llvm::BlockId, to: llvm::BlockId) -> Result<(), Unsupported> {
        let source = self.source;
        let mut moves: Vec<(Reg, Part)> = Vec::new();
        for inst in &source.blocks[to].insts {
            let (Op::Phi { incoming }, Some(result)) = (&inst.op, inst.result) else { break };
            let Some((operand, _)) = incoming.iter().find(|(_, block)| *block == from) else { continue };
            let regs = self.phis.get(&result).cloned().ok_or_else(|| self.unit.no_type(inst.ty))?;
            let parts = self.parts(operand)?;
            moves.extend(regs.into_iter().zip(parts));
        }
        // What reads a register that an earlier copy has overwritten is saved first.
        let mut written = FxHashSet::default();
        for (dst, part) in &mut moves {
            if let Part::Expr(expr) = part
                && expr.any(&mut |part| matches!(part, Expr::Reg(reg) if written.contains(reg)))
            {
                let ty = self.fold().type_of(expr);
                let saved = self.temporary(ty);
                let value = std::mem::replace(expr, Expr::Reg(saved));
                self.emit(InstKind::Assign { dst: saved, value });
            }
            written.insert(*dst);
        }
        moves.into_iter().for_each(|(dst, part)| self.assign_part(dst, part));
        Ok(())
    }
}
