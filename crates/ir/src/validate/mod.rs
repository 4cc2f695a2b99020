//! When a program is well formed.
//!
//! Everything behind the front end may assume what is checked here: ids exist, types agree, names are unique, and a lock
//! looks like a lock.  A valid program prints to text that parses back to itself; that is why depth is limited too.

mod data;
pub use data::MOST_STATIC_BYTES;
mod expr;

use crate::layout::LayoutId;
use crate::program::*;
use crate::text::{At, SourceMap};
use base::{Diagnostic, Id, IdVec, Pos};
use rustc_hash::FxHashSet;
use std::fmt;
use std::hash::Hash;

/// Everything that is wrong with the program; nothing if it is valid.
pub fn validate(program: &Program) -> Vec<Invalid> {
    let mut check = Check { program, found: Vec::new(), place: Part::Program, function: None, old: None };
    data::layouts(&mut check);
    data::objects(&mut check);
    check.functions();
    check.found
}

/// One thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invalid {
    pub place: Part,
    pub message: String,
}

/// A part of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Program,
    Layout(LayoutId),
    Object(ObjectId),
    Function(FuncId),
    Reg(FuncId, Reg),
    Block(FuncId, BlockId),
    Inst(FuncId, BlockId, usize),
    Term(FuncId, BlockId),
}

impl Invalid {
    /// The error at its place in the text the program was parsed from.
    pub fn diagnostic(&self, map: &SourceMap) -> Diagnostic {
        map.error(self.place.find(map).unwrap_or_default(), &self.message)
    }

    /// The error with its place in words, for programs that never were text; the program is the one that was checked.
    pub fn describe(&self, program: &Program) -> String {
        let function = |id: FuncId| &program.functions[id];
        let block = |id, block: BlockId| format!("{}, {}", function(id).name, function(id).blocks[block].name);
        let place = match self.place {
            Part::Program => "program".to_string(),
            Part::Layout(id) => format!("layout ${}", program.layouts[id].name),
            Part::Object(id) => format!("object @{}", program.objects[id].name),
            Part::Function(id) => function(id).name.clone(),
            Part::Reg(id, reg) => format!("{}, %{}", function(id).name, function(id).regs[reg].name),
            Part::Block(id, b) => block(id, b),
            Part::Inst(id, b, index) => format!("{}, instruction {index}", block(id, b)),
            Part::Term(id, b) => format!("{}, end", block(id, b)),
        };
        format!("{place}: {}", self.message)
    }
}

impl Part {
    /// Where it stands in the text.
    pub fn find(self, map: &SourceMap) -> Option<At> {
        let block = |id, block| map.functions.get(id).and_then(|f| f.blocks.get(block));
        match self {
            Part::Program => None,
            Part::Layout(id) => map.layouts.get(id).copied(),
            Part::Object(id) => map.objects.get(id).copied(),
            Part::Function(id) => map.functions.get(id).map(|f| f.at),
            Part::Reg(id, reg) => map.functions.get(id).and_then(|f| f.regs.get(reg)).copied(),
            Part::Block(id, b) => block(id, b).map(|b| b.at),
            Part::Inst(id, b, index) => block(id, b).and_then(|b| b.insts.get(index)).copied(),
            Part::Term(id, b) => block(id, b).map(|b| b.term),
        }
    }
}

/// A walk over the program; `place` is where it is.
struct Check<'p> {
    program: &'p Program,
    found: Vec<Invalid>,
    place: Part,
    /// The function it is in.
    function: Option<&'p Function>,
    /// The type of `old`, within an update.
    old: Option<Ty>,
}

impl<'p> Check<'p> {
    fn wrong(&mut self, message: impl fmt::Display) {
        self.found.push(Invalid { place: self.place, message: message.to_string() });
    }

    /// What the id stands for in the table; `what` says what it would be.
    fn known<K: Id, V>(&mut self, table: &'p IdVec<K, V>, id: K, what: &str) -> Option<&'p V> {
        let found = table.get(id);
        if found.is_none() {
            self.wrong(format!("{what}{} does not exist", id.index()));
        }
        found
    }

    /// Nothing else of its kind has this name.
    fn unique(&mut self, names: &mut FxHashSet<&'p str>, name: &'p str, what: &str) {
        if !names.insert(name) {
            self.wrong(format!("there is another {what}{name}"));
        }
    }

    fn width(&mut self, ty: Ty) {
        if let Ty::Int(bits) = ty
            && !(1..=128).contains(&bits)
        {
            self.wrong(format!("there is no integer of {bits} bits"));
        }
    }

    fn constant(&mut self, ty: Ty, bits: u128) {
        if mask(bits, self.program.bits_of(ty)) != bits {
            self.wrong(format!("{bits:#x} has bits above the width of {ty}"));
        }
    }

    fn align(&mut self, align: u64) {
        if !align.is_power_of_two() {
            self.wrong(format!("alignment {align} is not a power of two"));
        }
    }

    fn pos(&mut self, pos: Pos) {
        if !pos.is_none() && self.program.files.get(pos.file).is_none() {
            self.wrong(format!("the position is in file {}, which does not exist", pos.file.0));
        }
    }

    fn functions(&mut self) {
        let program = self.program;
        self.place = Part::Program;
        match program.functions.get(program.entry) {
            None => self.wrong("the entry function does not exist"),
            Some(entry) if !entry.params.is_empty() => {
                self.place = Part::Function(program.entry);
                self.wrong("the entry function takes no parameters");
            }
            Some(_) => (),
        }
        let mut names = FxHashSet::default();
        for (id, function) in program.functions.iter() {
            self.place = Part::Function(id);
            self.unique(&mut names, &function.name, "function ");
            self.function(id, function);
        }
    }

    fn function(&mut self, id: FuncId, function: &'p Function) {
        self.function = Some(function);
        self.pos(function.pos);
        if let Some(ty) = function.result {
            self.width(ty);
        }
        if function.blocks.is_empty() {
            self.wrong("a function needs at least one block");
        }
        function.params.iter().for_each(|reg| _ = self.known(&function.regs, *reg, "parameter %"));
        if let Some(reg) = repeated(function.params.iter().copied()) {
            let name = function.regs.get(reg).map_or("?", |data| data.name.as_str());
            self.wrong(format!("%{name} is a parameter twice"));
        }
        let mut names = FxHashSet::default();
        for (reg, data) in function.regs.iter() {
            self.place = Part::Reg(id, reg);
            self.unique(&mut names, &data.name, "register %");
            self.width(data.ty);
            if let Some(layout) = &data.layout {
                data::layout(self, layout);
            }
        }
        let mut names = FxHashSet::default();
        for (block_id, block) in function.blocks.iter() {
            self.place = Part::Block(id, block_id);
            self.unique(&mut names, &block.name, "block ");
            for (index, inst) in block.insts.iter().enumerate() {
                self.place = Part::Inst(id, block_id, index);
                self.pos(inst.pos);
                self.inst(&inst.kind);
            }
            self.place = Part::Term(id, block_id);
            self.pos(block.term_pos);
            self.term(function, &block.term);
        }
    }

    fn inst(&mut self, inst: &InstKind) {
        match inst {
            InstKind::Assign { dst, value } => {
                if let Some(ty) = self.register(*dst) {
                    self.expect(value, ty, "the value");
                }
            }
            InstKind::Load { dst, ty, addr, .. } => {
                self.width(*ty);
                self.expect(addr, Ty::Ptr, "the address");
                self.receives(*dst, *ty);
            }
            InstKind::Store { ty, addr, value, .. } => {
                self.width(*ty);
                self.expect(addr, Ty::Ptr, "the address");
                self.expect(value, *ty, "the value");
            }
            InstKind::Update { dst, ty, addr, when, set, role, .. } => {
                self.width(*ty);
                self.expect(addr, Ty::Ptr, "the address");
                self.old = Some(*ty);
                self.expect(when.as_ref(), Ty::BOOL, "the guard");
                self.expect(set.as_ref(), *ty, "the new content");
                self.old = None;
                self.receives(*dst, *ty);
                self.role(*role, *ty, when.as_ref(), set.as_ref());
            }
            InstKind::Havoc { dst, .. } => {
                self.register(*dst);
            }
            InstKind::Assume { cond } | InstKind::Assert { cond, .. } => {
                self.expect(cond, Ty::BOOL, "the condition");
            }
            InstKind::Alloc { dst, size, align, layout, .. } => {
                let pointer_int = self.program.pointer_int();
                self.expect(size, pointer_int, "the size");
                self.receives(*dst, Ty::Ptr);
                self.align(*align);
                if let Some(layout) = layout {
                    data::layout(self, layout);
                }
            }
            InstKind::Free { addr } => self.expect(addr, Ty::Ptr, "the address"),
            InstKind::Call { dst, callee, args } => {
                self.call(callee, args);
                let Some(dst) = dst else { return };
                let target = inst.direct_callee().and_then(|id| self.program.functions.get(id));
                if let Some(ty) = target.and_then(|target| target.result) {
                    return self.receives(*dst, ty);
                }
                self.register(*dst);
                if target.is_some() {
                    self.wrong("the function returns nothing");
                }
            }
            InstKind::Spawn { dst, callee, args } => {
                self.call(callee, args);
                self.receives(*dst, Ty::Int(32));
            }
            InstKind::Join { dst, handle } => {
                self.expect(handle, Ty::Int(32), "the handle");
                dst.iter().for_each(|dst| _ = self.register(*dst));
            }
            InstKind::Detach { handle } => self.expect(handle, Ty::Int(32), "the handle"),
            InstKind::AtomicBegin | InstKind::AtomicEnd | InstKind::Fence { .. } | InstKind::Unsupported { .. } => (),
        }
    }

    /// Analyses trust the role of an update without looking at it again.
    fn role(&mut self, role: Role, ty: Ty, when: Option<&Expr>, set: Option<&Expr>) {
        let is_int = matches!(ty, Ty::Int(_));
        match role {
            Role::Plain => (),
            Role::Lock => {
                if !is_int || when != Some(&Expr::bin(BinOp::Eq, Expr::Old, Expr::Const(ty, 0))) {
                    self.wrong("a lock waits for an integer to be 0: `when old == 0`");
                }
                // The handle, perhaps widened: the word of a lock tells who has it.
                if set.is_none_or(|set| *set.unwidened() != Expr::CurrentThread) {
                    self.wrong("a lock sets `self`");
                }
            }
            Role::Unlock => {
                if !is_int || when.is_some() || set != Some(&Expr::Const(ty, 0)) {
                    self.wrong("an unlock has no guard and sets an integer to 0");
                }
            }
        }
    }

    fn term(&mut self, function: &'p Function, term: &'p Term) {
        term.for_each_target(&mut |to| _ = self.known(&function.blocks, to, "block b"));
        match term {
            Term::Jump(_) | Term::Halt | Term::Unreachable => (),
            Term::Branch { cond, .. } => self.expect(cond, Ty::BOOL, "the condition"),
            Term::Switch { value, cases, .. } => {
                match self.type_of(value) {
                    Some(ty @ Ty::Int(_)) => cases.iter().for_each(|(case, _)| self.constant(ty, *case)),
                    Some(ty) => self.wrong(format!("`switch` is over integers, this is {ty}")),
                    None => (),
                }
                if let Some(case) = repeated(cases.iter().map(|(case, _)| *case)) {
                    self.wrong(format!("case {case} appears twice"));
                }
            }
            Term::Return(value) => match (value, function.result) {
                (Some(value), Some(ty)) => self.expect(value, ty, "the result"),
                (None, None) => (),
                (None, Some(ty)) => self.wrong(format!("the function returns {ty}")),
                (Some(_), None) => self.wrong("the function returns nothing"),
            },
            Term::ExitThread(value) => value.iter().for_each(|value| _ = self.type_of(value)),
        }
    }
}

/// The first item that was there before.
fn repeated<T: Hash + Eq + Copy>(items: impl Iterator<Item = T>) -> Option<T> {
    let mut seen = FxHashSet::default();
    items.into_iter().find(|item| !seen.insert(*item))
}
