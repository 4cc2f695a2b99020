//! Loads and stores, and copies of whole objects.
//!
//! One instruction accesses one cell.  Where clang passes a small struct as one integer, or copies one with `memcpy`, the
//! fields are accessed one by one: neighbours must not become one cell just because they travel together.  Where the
//! program itself accesses a struct as an integer, that is one access, except in variables that only the function can
//! access: there nobody can tell.

use super::analysis::{Passage, Passing};
use super::consts::{self, Part, Unsupported};
use super::func::{FnLower, To};
use super::regions::{Copied, Halves, Piece, Regions};
use super::types::Leaf;
use ir::{BinOp, Expr, InstKind, Layout, Order, Reg, Term, Ty};
use llvm::{DiType, LocalId, MdId, Op, Operand, Type, TypeId};
use std::rc::Rc;

/// Unstructured bytes beyond this many accesses are left to the library's function.
const MAX_BLIND: u64 = 16;

impl FnLower<'_, '_> {
    pub fn regions(&self) -> Regions<'_> {
        Regions { program: &self.shared.program, regs: &self.out.regs }
    }

    /// For display: what the pointer points to.
    pub fn pointer_layout(&self, address: &Expr) -> Option<Layout> {
        let target = self.regions().at(address)?;
        Some(Layout::Pointer(Some(Box::new(target.clone()))))
    }

    /// `typed` says that it is not an access that clang makes to pass a struct.
    pub fn load(&mut self, to: To, ty: TypeId, place: &Operand, order: Order, typed: bool) -> Result<(), Unsupported> {
        let addr = self.scalar(place)?;
        let Some(scalar) = self.unit.types.scalar(ty) else {
            return self.load_parts(to, ty, addr, order);
        };
        let passed = to.result.and_then(|result| self.facts.passed[result]).filter(|_| !typed);
        if order == Order::Plain
            && let Ty::Int(bits) = scalar
            && let Some(cells) = self.split_access(passed, Direction::Away, place, &addr, bits)?
        {
            let value = self.load_cells(addr, bits, &cells);
            self.deliver(to, vec![Part::Expr(value)]);
            return Ok(());
        }
        let layout = if scalar == Ty::Ptr { self.regions().stored_pointer(&addr).cloned() } else { None };
        let dst = self.result_reg(to, scalar);
        if to.target.is_none() {
            self.out.regs[dst].layout = layout;
        }
        self.emit(InstKind::Load { dst, ty: scalar, addr, order });
        Ok(())
    }

    fn load_parts(&mut self, to: To, ty: TypeId, addr: Expr, order: Order) -> Result<(), Unsupported> {
        let leaves = self.cells_in_memory(ty)?;
        let addr = self.in_register(addr);
        let mut parts = Vec::new();
        for leaf in leaves {
            let at = self.fold().offset(addr.clone(), leaf.offset as i64);
            parts.push(Part::Expr(self.load_cell(at, leaf.ty, order)));
        }
        self.deliver(to, parts);
        Ok(())
    }

    fn cells_in_memory(&self, ty: TypeId) -> Result<Vec<Leaf>, Unsupported> {
        let leaves = self.unit.types.leaves(ty).filter(|_| self.unit.types.in_whole_bytes(ty));
        leaves.ok_or_else(|| self.unit.no_type(ty))
    }

    /// Loads one cell so many bytes behind an address.
    pub fn load_at(&mut self, base: &Expr, at: u64, ty: Ty) -> Expr {
        let addr = self.fold().offset(base.clone(), at as i64);
        self.load_cell(addr, ty, Order::Plain)
    }

    /// Stores one cell so many bytes behind an address.
    pub fn store_at(&mut self, base: &Expr, at: u64, ty: Ty, value: Expr) {
        let addr = self.fold().offset(base.clone(), at as i64);
        self.emit(InstKind::Store { ty, addr, value, order: Order::Plain });
    }

    /// Loads one cell into a new register.
    pub fn load_cell(&mut self, addr: Expr, ty: Ty, order: Order) -> Expr {
        let dst = self.temporary(ty);
        self.emit(InstKind::Load { dst, ty, addr, order });
        Expr::Reg(dst)
    }

    /// An integer of `bits` bits put together from cells.
    fn load_cells(&mut self, addr: Expr, bits: u8, cells: &[(u64, Ty)]) -> Expr {
        let addr = self.in_register(addr);
        let mut parts = Vec::new();
        for (at, ty) in cells {
            parts.push((at * 8, *ty, self.load_at(&addr, *at, *ty)));
        }
        self.join(bits, parts)
    }

    /// `typed` as for a load.
    pub fn store(&mut self, value: &Operand, place: &Operand, order: Order, typed: bool) -> Result<(), Unsupported> {
        if let Some(slot) = self.facts.slot_at(place) {
            if let Some(param) = value.local()
                && self.facts.param_slot.get(param) == Some(&Some(slot))
            {
                // The parameter is the variable.
                return Ok(());
            }
            let part = self.scalar_part(value)?;
            self.assign_part(self.slot_regs[slot], part);
            self.remember(slot, true);
            return Ok(());
        }
        let parts = self.parts(value)?;
        let addr = self.scalar(place)?;
        let parts = parts.into_iter().map(|part| self.part(part)).collect::<Vec<_>>();
        let Some(scalar) = self.unit.types.scalar(value.ty) else {
            let leaves = self.cells_in_memory(value.ty)?;
            let addr = self.in_register(addr);
            for (part, leaf) in parts.into_iter().zip(leaves) {
                let at = self.fold().offset(addr.clone(), leaf.offset as i64);
                self.emit(InstKind::Store { ty: leaf.ty, addr: at, value: part, order });
            }
            return Ok(());
        };
        let received = value.local().and_then(|local| self.facts.received[local]).filter(|_| !typed);
        let Some(value) = parts.into_iter().next() else { return Ok(()) };
        if order == Order::Plain
            && let Ty::Int(bits) = scalar
            && let Some(cells) = self.split_access(received, Direction::Here, place, &addr, bits)?
        {
            self.store_cells(addr, bits, value, &cells);
            return Ok(());
        }
        self.emit(InstKind::Store { ty: scalar, addr, value, order });
        Ok(())
    }

    fn store_cells(&mut self, addr: Expr, bits: u8, value: Expr, cells: &[(u64, Ty)]) {
        let addr = self.in_register(addr);
        let value = self.in_register(value);
        for (at, ty) in cells {
            let value = self.cut(&value, bits, at * 8, *ty);
            self.store_at(&addr, *at, *ty, value);
        }
    }

    /// How an access of an integer is split into those of the fields of a struct and of the bytes between them; none if it
    /// is not to be split.
    fn split_access(
        &mut self,
        passage: Option<Passage>,
        direction: Direction,
        place: &Operand,
        addr: &Expr,
        bits: u8,
    ) -> Result<Option<Vec<(u64, Ty)>>, Unsupported> {
        let size = u64::from(bits).div_ceil(8);
        let passed = passage.map(|passage| self.passed(passage)).filter(|passed| passed.any());
        let cells = self.cells_of_access(passed, direction, place, addr, size)?;
        Ok(cells.filter(|cells| cells.len() > 1))
    }

    /// The cells that are accessed instead of one of `size` bytes; none if it is that one.
    fn cells_of_access(
        &self,
        passed: Option<Passed>,
        direction: Direction,
        place: &Operand,
        addr: &Expr,
        size: u64,
    ) -> Result<Option<Vec<(u64, Ty)>>, Unsupported> {
        let regions = self.regions();
        let declared = regions.split(addr, size);
        let private = place.local().is_some_and(|local| self.facts.private[local].is_some());
        let Some(Passed { parts, sure }) = passed else { return Ok(declared.filter(|_| private)) };
        // Where accesses never say their types, it may still be one that the program makes.
        if direction == Direction::Here || !self.unit.module.typed {
            return Ok(declared);
        }
        // The program may see another struct there than was declared, which only the function that is called can tell.
        let told = sure && (parts.len() == 1 || !regions.is_one_of(addr, &parts));
        if declared.is_some() && !told {
            return Ok(declared);
        }
        match regions.passed_as(&parts, size) {
            Halves::One(cells) => Ok(Some(cells)),
            Halves::None => Ok(declared),
            // How a copy is read that no other thread can see makes no difference.
            Halves::Several if declared.is_some() || private => Ok(declared),
            Halves::Several => Err("a struct passed by value whose members are not clear".to_string()),
        }
    }

    /// What is passed by value there.
    pub fn passed(&mut self, passage: Passage) -> Passed {
        let module = self.unit.module;
        let function = match passage.of {
            Passing::Own => Some(self.source),
            Passing::Call(callee, _) => callee.and_then(|callee| module.function(callee)),
        };
        if let Some(parts) = function.and_then(|function| self.passed_by(function, passage.index)) {
            return Passed { parts, sure: true };
        }
        let mut parts = Vec::new();
        if let Passing::Call(_, ty) = passage.of
            && let Some((ret, params, _)) = self.unit.types.types.function(ty)
        {
            // Functions that could be called there.
            for function in module.functions.iter().filter(|f| f.ret == ret && f.params == params) {
                parts.extend(self.passed_by(function, passage.index).into_iter().flatten());
            }
        }
        Passed { parts, sure: false }
    }

    /// The struct that a function returns, or gets as this parameter, and where in it the part begins that is passed there;
    /// several if that is not clear, none if it is no struct or not known at all.
    fn passed_by(&mut self, function: &llvm::Function, index: Option<usize>) -> Option<Vec<(Layout, u64)>> {
        let signature = self.unit.module.signature(function)?;
        let Some(index) = index else {
            return Some(
                signature.result.and_then(|ty| self.record(ty)).map(|record| (record, 0)).into_iter().collect(),
            );
        };
        // clang passes what takes more than a word in two parameters, as two numbers, or in memory.
        let mut at = usize::from(function.param_attrs.first().is_some_and(|attrs| attrs.sret.is_some()));
        let mut found = None;
        for ty in &signature.params {
            let layout = self.unit.debug.layout(self.shared, Some(*ty));
            let size = layout.as_ref().map_or(1, |layout| layout.size(&self.shared.program));
            let takes_one = size <= 8 || layout.is_none_or(|layout| self.regions().ends_within(&layout, 8));
            let fits = |param: &TypeId| takes_one || self.unit.types.size(*param) > 8;
            let in_memory = function.param_attrs.get(at).is_some_and(|attrs| attrs.byval.is_some());
            let next = at
                + match size {
                    0 => 0,
                    _ if in_memory || function.params.get(at).is_none_or(fits) => 1,
                    _ => 2,
                };
            if (at..next).contains(&index) {
                found = Some((*ty, 8 * (index - at) as u64));
            }
            at = next;
        }
        if at == function.params.len()
            && let Some((ty, start)) = found
        {
            return Some(self.record(ty).map(|record| (record, start)).into_iter().collect());
        }
        if signature.open || function.varargs {
            return None;
        }
        let records: Vec<Layout> = signature.params.iter().filter_map(|ty| self.record(*ty)).collect();
        Some(records.into_iter().flat_map(|record| [(record.clone(), 0), (record, 8)]).collect())
    }

    /// The layout of the type, if it is a struct or union.
    fn record(&mut self, ty: MdId) -> Option<Layout> {
        let module = self.unit.module;
        let ty = module.strip(Some(ty)).filter(|ty| matches!(module.debug_type(*ty), Some(DiType::Record { .. })));
        self.unit.debug.layout(self.shared, Some(ty?))
    }

    /// The layout of the struct that a variable of clang's own holds on its way to or from a call.
    pub fn layout_passed(&mut self, variable: LocalId, ty: TypeId) -> Option<Layout> {
        if !matches!(self.unit.types.types.get(ty), Type::Int(_) | Type::Struct { .. }) {
            return None;
        }
        let end = |leaf: &Leaf| leaf.offset + u64::from(self.shared.program.bits_of(leaf.ty)).div_ceil(8);
        let size = self.unit.types.leaves(ty)?.last().map(end)?;
        let mut passages = Vec::new();
        for inst in self.source.insts() {
            let (addr, passage) = match &inst.op {
                Op::Load { addr, .. } => (addr, inst.result.and_then(|local| self.facts.passed[local])),
                Op::Store { addr, value, .. } => (addr, value.local().and_then(|l| self.facts.received[l])),
                _ => continue,
            };
            if addr.local().and_then(|local| self.facts.private[local]) == Some(variable) {
                passages.extend(passage);
            }
        }
        let mut records: Vec<Layout> = Vec::new();
        for passage in passages {
            let parts = self.passed(passage).parts.into_iter().map(|(record, _)| record);
            records.extend(parts.filter(|record| record.size(&self.shared.program) == size));
        }
        let first = records.pop()?;
        records.iter().all(|other| *other == first).then_some(first)
    }

    // ---- many bytes ----

    /// What may be copied where clang tells these members.
    pub fn copied(&mut self, members: Option<MdId>, size: &Expr) -> Rc<[Copied]> {
        let (Some(members), Expr::Const(_, size)) = (members, size) else { return Rc::new([]) };
        if let Some(known) = self.unit.copied.get(&(members, *size)) {
            return known.clone();
        }
        let told = self.unit.module.copied_members(members).unwrap_or_default();
        let bytes = u64::try_from(*size).unwrap_or(u64::MAX);
        let layouts = self.unit.debug.copied(self.shared, &told, bytes);
        let regions = self.regions();
        let known = layouts.into_iter().filter_map(|layout| Some((regions.copied(&layout, bytes)?, layout)));
        let known: Vec<(Copied, Layout)> = known.collect();
        let mut found: Vec<Copied> = Vec::new();
        for (copied, layout) in &known {
            // Where the outer one lies, an inner one that begins there may be meant: then the smaller of their cells count.
            let inner = known.iter().filter(|(_, inner)| inner != layout && regions.begins_with(layout, inner));
            let plans = inner.map(|(inner, _)| inner.plan.clone());
            let cells = plans.fold(copied.plan.clone(), smallest);
            let copied = Copied { cells, ..copied.clone() };
            if !found.contains(&copied) {
                found.push(copied);
            }
        }
        let found: Rc<[Copied]> = found.into();
        self.unit.copied.insert((members, *size), found.clone());
        found
    }

    /// `memcpy` or `memmove` of `size` bytes.  `align` is what is known of both addresses; `what` is what may be copied, if
    /// that is known better than from the addresses.
    pub fn copy(
        &mut self,
        dst: Expr,
        src: Expr,
        size: Expr,
        align: u64,
        what: &[Copied],
        overlap: bool,
    ) -> Result<(), Unsupported> {
        if let Expr::Const(_, 0) = size {
            return Ok(());
        }
        let private = [self.is_private(&dst), self.is_private(&src)];
        let pieces = known_size(&size).and_then(|bytes| {
            let regions = self.regions();
            let declared = [&dst, &src].map(|address| regions.plan(address, bytes));
            let passed = [&dst, &src].into_iter().find_map(|address| match address {
                Expr::Reg(reg) => self.passed_in.get(reg),
                _ => None,
            });
            let passed = passed.and_then(|layout| regions.copied(layout, bytes)).filter(|_| what.is_empty());
            let told = chosen(what, &declared, align).or(passed.map(|copied| copied.plan));
            let known = || match declared {
                [Some(to), Some(from)] => Some(best_plan(to, from, private)),
                [to, from] => to.or(from),
            };
            told.or_else(known).or_else(|| blind(bytes, align))
        });
        let (dst, src) = (self.in_register(dst), self.in_register(src));
        let is_cell = |piece: &Piece| piece.single().is_some();
        let Some(pieces) = pieces.filter(|pieces| !overlap || pieces.iter().all(is_cell)) else {
            let name = if overlap { "memmove" } else { "memcpy" };
            let pointer_int = self.pointer_int();
            return self.library_call(name, &[Ty::Ptr, Ty::Ptr, pointer_int], Some(Ty::Ptr), vec![dst, src, size]);
        };
        if overlap {
            // All is read before anything is written.
            let mut values = Vec::new();
            for (at, ty) in pieces.iter().filter_map(Piece::single) {
                values.push((at, ty, self.load_at(&src, at, ty)));
            }
            values.into_iter().for_each(|(at, ty, value)| self.store_at(&dst, at, ty, value));
            return Ok(());
        }
        self.for_cells(pieces, |this, place, ty| {
            let from = place.address(this, src.clone());
            let value = this.load_cell(from, ty, Order::Plain);
            this.store_at(&place.address(this, dst.clone()), 0, ty, value);
        });
        Ok(())
    }

    /// Is it the address of a variable, or of a part of one, that only this function can access?
    fn is_private(&self, address: &Expr) -> bool {
        match address {
            Expr::Reg(reg) => self.private.contains(reg),
            Expr::Bin(BinOp::PtrAdd, base, _) => self.is_private(base),
            _ => false,
        }
    }

    /// `memset` of `size` bytes to `byte`, an `i8`.
    pub fn fill(&mut self, dst: Expr, byte: Expr, size: Expr, align: u64) -> Result<(), Unsupported> {
        if let Expr::Const(_, 0) = size {
            return Ok(());
        }
        let dst = self.in_register(dst);
        let pieces =
            known_size(&size).and_then(|bytes| self.regions().plan(&dst, bytes).or_else(|| blind(bytes, align)));
        let Some(pieces) = pieces else {
            let (int, pointer_int) = (Ty::Int(32), self.pointer_int());
            let byte = self.fold().resize(false, Ty::Int(8), int, byte);
            return self.library_call("memset", &[Ty::Ptr, int, pointer_int], Some(Ty::Ptr), vec![dst, byte, size]);
        };
        let byte = self.in_register(byte);
        self.for_cells(pieces, |this, place, ty| {
            let value = this.repeated(byte.clone(), ty);
            this.store_at(&place.address(this, dst.clone()), 0, ty, value);
        });
        Ok(())
    }

    /// Writes any value to each cell of `size` bytes; fails if there are pointers among them, or if they are too many.
    pub fn any_bytes(&mut self, name: &str, dst: Expr, size: u64) -> Result<(), Unsupported> {
        let dst = self.in_register(dst);
        let pieces = self.regions().plan(&dst, size).or_else(|| blind(size, 1));
        let pieces = pieces.ok_or("it gets a pointer to memory of unknown structure")?;
        if pieces.iter().flat_map(|piece| &piece.cells).any(|(_, ty)| *ty == Ty::Ptr) {
            return Err("it gets a pointer to memory that holds pointers".to_string());
        }
        self.for_cells(pieces, |this, place, ty| {
            let addr = place.address(this, dst.clone());
            this.any_cell(name, addr, ty);
        });
        Ok(())
    }

    /// A value all of whose bytes are `byte`.
    fn repeated(&self, byte: Expr, ty: Ty) -> Expr {
        let bits = self.shared.program.bits_of(ty) as u8;
        let bytes = self.shared.program.size_of(ty);
        let width = Ty::Int(bits);
        let fold = self.fold();
        let value = match byte {
            Expr::Const(_, value) => {
                Expr::Const(width, ir::mask(consts::repeat_byte(value as u8, bytes), u32::from(bits)))
            }
            byte => {
                let wide = fold.resize(false, Ty::Int(8), width, byte);
                fold.bin(BinOp::Mul, width, wide, Expr::Const(width, consts::repeat_byte(1, bytes)))
            }
        };
        consts::bits_cast(fold, width, ty, value)
    }

    /// Does `f` for each cell, in a loop where there are many.
    fn for_cells(&mut self, pieces: Vec<Piece>, f: impl Fn(&mut Self, Offset, Ty)) {
        let pointer_int = self.pointer_int();
        let number = |value: u64| Expr::Const(pointer_int, u128::from(value));
        for Piece { at, stride, count, cells } in pieces {
            if count == 1 {
                cells.into_iter().for_each(|(offset, ty)| f(self, Offset { at: at + offset, index: None }, ty));
                continue;
            }
            let index = self.new_reg("i", pointer_int, None);
            self.emit(InstKind::Assign { dst: index, value: number(0) });
            let head = self.split("each");
            let body = self.new_block("each.body");
            let done = self.new_block("each.end");
            let cond = Expr::bin(BinOp::ULt, Expr::Reg(index), number(count));
            self.end(Term::Branch { cond, then: body, other: done });
            self.current = body;
            for (offset, ty) in cells {
                f(self, Offset { at: at + offset, index: Some((index, stride)) }, ty);
            }
            let next = Expr::bin(BinOp::Add, Expr::Reg(index), number(1));
            self.emit(InstKind::Assign { dst: index, value: next });
            self.end(Term::Jump(head));
            self.current = done;
        }
    }
}

/// What is known about what is passed by value at some place.
pub struct Passed {
    /// Structs, and where in them the part begins that may be passed there.
    pub parts: Vec<(Layout, u64)>,
    /// Is it known who is called?  Else these are of functions that could be.
    sure: bool,
}

impl Passed {
    /// May it be a struct?
    fn any(&self) -> bool {
        !self.sure || !self.parts.is_empty()
    }
}

/// Which way a struct is passed, seen from the function that is translated.
#[derive(Clone, Copy, PartialEq)]
enum Direction {
    Here,
    Away,
}

/// Where a cell lies, counted from an address.
#[derive(Clone, Copy)]
struct Offset {
    at: u64,
    index: Option<(Reg, u64)>,
}

impl Offset {
    fn address(self, lowering: &FnLower, base: Expr) -> Expr {
        let fold = lowering.fold();
        let base = fold.offset(base, self.at as i64);
        match self.index {
            Some((index, stride)) => fold.element(base, Expr::Reg(index), stride),
            None => base,
        }
    }
}

/// Which of several records is copied: what one of the sides was declared as, if it is among them, and one that is aligned
/// as the access is; if that leaves several, then in the smallest cells.
fn chosen(what: &[Copied], declared: &[Option<Vec<Piece>>; 2], align: u64) -> Option<Vec<Piece>> {
    let mut found: Vec<&Copied> = what.iter().collect();
    let mut narrow = |wanted: &dyn Fn(&Copied) -> bool| {
        if found.iter().any(|copied| wanted(copied)) {
            found.retain(|copied| wanted(copied));
        }
    };
    narrow(&|copied| declared.iter().flatten().any(|plan| *plan == copied.plan));
    narrow(&|copied| copied.alignment == align);
    found.into_iter().map(|copied| copied.cells.clone()).reduce(smallest)
}

/// The smaller cells of two plans for the same bytes.
fn smallest(one: Vec<Piece>, other: Vec<Piece>) -> Vec<Piece> {
    best_plan(one, other, [false, false])
}

/// How to copy where the two sides may see the bytes differently.  What other threads can see is accessed in its own
/// cells, or in the smaller ones; of what they cannot see the side with the larger cells sees numbers.  A pointer that goes
/// to or comes from bytes is copied as one.
fn best_plan(to: Vec<Piece>, from: Vec<Piece>, private: [bool; 2]) -> Vec<Piece> {
    let cells = [&to, &from].into_iter().flatten().all(|piece| piece.single().is_some());
    let accesses = |plan: &[Piece]| {
        let each = plan.iter().map(|piece| piece.count.saturating_mul(piece.cells.len() as u64));
        each.fold(0, u64::saturating_add)
    };
    match private {
        [true, false] if cells => merge(&from, &to, |seen, _| seen.to_vec()),
        [false, true] if cells => merge(&to, &from, |seen, _| seen.to_vec()),
        [false, false] if cells => merge(&to, &from, smaller),
        [true, false] => from,
        [false, true] => to,
        [true, true] if accesses(&from) < accesses(&to) => from,
        [false, false] if accesses(&from) > accesses(&to) => from,
        [true, true] | [false, false] => to,
    }
}

/// The smaller of two sets of cells for the same bytes; the single bytes if neither is.
fn smaller(one: &[Piece], other: &[Piece]) -> Vec<Piece> {
    match (one, other) {
        ([_], smaller) | (smaller, [_]) => smaller.to_vec(),
        _ => {
            let byte = |at| Piece { at, stride: 1, count: 1, cells: vec![(0, Ty::Int(8))] };
            one.iter().flat_map(|piece| piece.at..piece.at + piece.stride).map(byte).collect()
        }
    }
}

/// Two plans for the same bytes, of single cells, made into one: `choose` gets the cells of both between two places where both
/// have a border.
fn merge(one: &[Piece], other: &[Piece], choose: impl Fn(&[Piece], &[Piece]) -> Vec<Piece>) -> Vec<Piece> {
    let end = |piece: &Piece| piece.at + piece.stride;
    let is_pointer = |cells: &[Piece]| matches!(cells, [piece] if piece.cells[0].1 == Ty::Ptr);
    let fits = |cells: &[Piece]| cells.len() == 1 || cells.iter().all(|piece| piece.stride == 1);
    let mut out = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < one.len() && j < other.len() {
        let (mut next, mut beside) = (i + 1, j + 1);
        while end(&one[next - 1]) != end(&other[beside - 1]) {
            match end(&one[next - 1]) < end(&other[beside - 1]) {
                true if next < one.len() => next += 1,
                false if beside < other.len() => beside += 1,
                _ => break,
            }
        }
        let (here, there) = (&one[i..next], &other[j..beside]);
        out.extend(match (is_pointer(here) && fits(there), is_pointer(there) && fits(here)) {
            (true, _) => here.to_vec(),
            (_, true) => there.to_vec(),
            _ => choose(here, there),
        });
        (i, j) = (next, beside);
    }
    out
}

/// A size that is constant.
pub fn known_size(size: &Expr) -> Option<u64> {
    if let Expr::Const(_, bytes) = size { u64::try_from(*bytes).ok() } else { None }
}

/// Bytes of which nothing is known but their alignment.
fn blind(bytes: u64, align: u64) -> Option<Vec<Piece>> {
    let step = [8, 4, 2, 1].into_iter().find(|step| align.is_multiple_of(*step) && bytes.is_multiple_of(*step))?;
    let count = bytes / step;
    let ty = Ty::Int((step * 8) as u8);
    let cell = |i| Piece { at: i * step, stride: step, count: 1, cells: vec![(0, ty)] };
    (count <= MAX_BLIND).then(|| (0..count).map(cell).collect())
}
