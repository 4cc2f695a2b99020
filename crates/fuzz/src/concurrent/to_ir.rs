//! Random programs as programs of the representation.

use super::source::{self as src, Base, FunctionKind, Index, Init, Select, Shape, Source, Stmt, To};
use base::{IdVec, Pos};
use ir::Check;
use ir::layout::Layout;
use ir::program::*;

/// The program; the assertion with number `n` has the message `n`.
pub fn to_ir(source: &Source) -> Program {
    let mut program = Program::new(source.data_model);
    let layouts = Layouts { source, pointer: source.data_model.pointer_bytes() };
    for (index, global) in source.globals.iter().enumerate() {
        program.objects.push(Object {
            name: format!("g{index}"),
            layout: layouts.layout(&global.shape),
            size: layouts.size(&global.shape),
            align: layouts.align(&global.shape),
            thread_local: global.thread_local,
            constant: false,
            internal: false,
            init: initialiser(global, layouts.pointer),
            pos: Pos::NONE,
        });
    }
    for (index, function) in source.functions.iter().enumerate() {
        program.functions.push(Lower::new(&layouts, index, function).run());
    }
    program
}

fn initialiser(global: &src::Global, pointer: u64) -> Vec<ir::program::Init> {
    let value = match (&global.init, &global.shape) {
        (Init::Zero, _) => return Vec::new(),
        (Init::Number(n), shape) => {
            let bits = if let Shape::Int { bits, .. } = shape { *bits } else { 8 };
            InitValue::Scalar(Ty::Int(bits), mask(*n as u128, u32::from(bits)))
        }
        (Init::Address(target), _) => InitValue::Object(ObjectId(*target as u32), 0),
        (Init::Function(target), _) => InitValue::Function(FuncId(*target as u32)),
        (Init::Functions(targets), _) => {
            let entries = (0..).step_by(pointer as usize).zip(targets);
            let value = |target: &usize| InitValue::Function(FuncId(*target as u32));
            return entries.map(|(offset, target)| ir::program::Init { offset, value: value(target) }).collect();
        }
    };
    vec![ir::program::Init { offset: 0, value }]
}

/// Sizes and offsets, as C lays them out.
struct Layouts<'s> {
    source: &'s Source,
    pointer: u64,
}

impl Layouts<'_> {
    fn align(&self, shape: &Shape) -> u64 {
        match shape {
            Shape::Int { bits, .. } => u64::from(*bits / 8),
            Shape::Pointer(_) => self.pointer,
            Shape::Lock | Shape::Handle | Shape::Mix => 4,
            Shape::Array(element, _) => self.align(element),
            Shape::Record => self.source.record.iter().map(|field| self.align(field)).max().unwrap_or(1),
        }
    }

    fn size(&self, shape: &Shape) -> u64 {
        match shape {
            Shape::Int { .. } | Shape::Pointer(_) | Shape::Lock | Shape::Handle | Shape::Mix => self.align(shape),
            Shape::Array(element, count) => self.size(element) * u64::from(*count),
            Shape::Record => self.field(shape, self.source.record.len()).next_multiple_of(self.align(shape)),
        }
    }

    /// Where a field starts; for the number of fields, where the last one ends.
    fn field(&self, shape: &Shape, index: usize) -> u64 {
        let mut at = 0;
        if *shape == Shape::Mix {
            return at;
        }
        for (i, field) in self.source.record.iter().enumerate() {
            at = u64::next_multiple_of(at, self.align(field));
            if i == index {
                break;
            }
            at += self.size(field);
        }
        at
    }

    fn layout(&self, shape: &Shape) -> Layout {
        match shape {
            Shape::Int { bits, signed } => Layout::Scalar { ty: Ty::Int(*bits), unsigned: !signed },
            Shape::Pointer(_) => Layout::Pointer(None),
            Shape::Lock | Shape::Handle => Layout::Scalar { ty: Ty::Int(32), unsigned: false },
            Shape::Array(element, count) => {
                Layout::Array { element: Box::new(self.layout(element)), count: u64::from(*count) }
            }
            Shape::Record | Shape::Mix => {
                let fields = self
                    .source
                    .fields(shape)
                    .iter()
                    .enumerate()
                    .map(|(i, field)| ir::Field {
                        name: format!("f{i}"),
                        offset: self.field(shape, i),
                        layout: self.layout(field),
                    })
                    .collect();
                let size = self.size(shape);
                if *shape == Shape::Mix { Layout::Union { size, fields } } else { Layout::Struct { size, fields } }
            }
        }
    }
}

struct Lower<'s> {
    layouts: &'s Layouts<'s>,
    source: &'s src::Function,
    function: Function,
    /// The block that is being filled.
    block: BlockId,
    cells: Vec<Reg>,
    /// The registers of the locals that are used.
    locals: Vec<Option<Reg>>,
    /// Of the loops around: where the next round begins, and what comes after the loop.
    loops: Vec<(BlockId, BlockId)>,
}

impl<'s> Lower<'s> {
    fn new(layouts: &'s Layouts<'s>, index: usize, source: &'s src::Function) -> Self {
        let (name, params, result) = match source.kind {
            FunctionKind::Main => ("main".to_string(), vec![], Some(Ty::Int(32))),
            FunctionKind::Worker => (format!("worker{index}"), vec![Reg(0)], Some(Ty::Ptr)),
            FunctionKind::Helper => (format!("helper{index}"), vec![Reg(0)], Some(Ty::Int(32))),
        };
        let has_param = !params.is_empty();
        let (regs, blocks, pos) = (IdVec::new(), IdVec::new(), Pos::NONE);
        let function = Function { name, params, result, regs, blocks, model: false, pos };
        let locals = vec![None; source.locals.len()];
        let mut lower =
            Lower { layouts, source, function, block: BlockId(0), cells: Vec::new(), locals, loops: vec![] };
        if has_param {
            lower.reg(0);
        }
        lower.block = lower.new_block();
        lower
    }

    fn run(mut self) -> Function {
        for (index, shape) in self.source.cells.iter().enumerate() {
            let reg = self.temp(Ty::Ptr, &format!("cell{index}"));
            self.cells.push(reg);
            self.alloc(reg, AllocKind::Stack, shape, format!("c{index}"));
        }
        self.stmts(&self.source.body);
        let result = match self.source.kind {
            FunctionKind::Main | FunctionKind::Helper => Expr::int(32, 0),
            FunctionKind::Worker => Expr::null(),
        };
        self.end(Term::Return(Some(result)));
        self.function
    }

    fn alloc(&mut self, dst: Reg, kind: AllocKind, shape: &Shape, name: String) {
        let size = self.pointer_int(self.layouts.size(shape) as i128);
        let (align, layout) = (self.layouts.align(shape), Some(self.layouts.layout(shape)));
        self.emit(InstKind::Alloc { dst, kind, size, align, zeroed: true, name, layout });
    }

    fn pointer_int(&self, value: i128) -> Expr {
        Expr::int(self.layouts.source.data_model.pointer_bits(), value)
    }

    fn new_block(&mut self) -> BlockId {
        let name = format!("b{}", self.function.blocks.len());
        self.function.blocks.push(Block { name, insts: vec![], term: Term::Unreachable, term_pos: Pos::NONE })
    }

    fn emit(&mut self, kind: InstKind) {
        self.function.blocks[self.block].insts.push(Inst { kind, pos: Pos::NONE });
    }

    fn assign(&mut self, local: src::Local, value: Expr) {
        let dst = self.reg(local);
        self.emit(InstKind::Assign { dst, value });
    }

    fn end(&mut self, term: Term) {
        self.function.blocks[self.block].term = term;
    }

    fn temp(&mut self, ty: Ty, stem: &str) -> Reg {
        let name = format!("{stem}.{}", self.function.regs.len());
        self.function.regs.push(RegData { name, ty, layout: None, user: false })
    }

    fn reg(&mut self, local: src::Local) -> Reg {
        if let Some(reg) = self.locals[local] {
            return reg;
        }
        let ty = self.ty(&self.source.locals[local]);
        let reg = self.function.regs.push(RegData { name: format!("v{local}"), ty, layout: None, user: false });
        self.locals[local] = Some(reg);
        reg
    }

    fn ty(&self, shape: &Shape) -> Ty {
        match shape {
            Shape::Int { bits, .. } => Ty::Int(*bits),
            Shape::Pointer(_) => Ty::Ptr,
            Shape::Lock | Shape::Handle | Shape::Array(..) | Shape::Record | Shape::Mix => Ty::Int(32),
        }
    }

    /// The address of a place, and what is there.
    fn place(&mut self, place: &src::Lvalue) -> (Expr, Shape) {
        let shape_of = |lower: &Self, place: &src::Lvalue| {
            lower.layouts.source.shape_of(lower.source, place).unwrap_or(Shape::INT)
        };
        let mut address = match &place.base {
            Base::Global(global) => Expr::Object(ObjectId(*global as u32), 0),
            Base::Cell(cell) => Expr::Reg(self.cells[*cell]),
            Base::Deref(local) | Base::DerefAs(local, _) => Expr::Reg(self.reg(*local)),
        };
        for taken in 0..place.path.len() {
            let so_far = src::Lvalue { base: place.base.clone(), path: place.path[..taken].to_vec() };
            let around = shape_of(self, &so_far);
            let offset = match (&place.path[taken], &around) {
                (Select::Field(field), around) => self.pointer_int(self.layouts.field(around, *field) as i128),
                (Select::Index(index), Shape::Array(element, _)) => {
                    let size = self.layouts.size(element) as i128;
                    self.index(index, size)
                }
                (Select::Index(index), _) => self.index(index, 4),
            };
            address = match (address, offset) {
                (Expr::Object(id, at), Expr::Const(_, n)) => Expr::Object(id, at + n as i64),
                (address, Expr::Const(_, 0)) => address,
                (address, offset) => Expr::bin(BinOp::PtrAdd, address, offset),
            };
        }
        let shape = shape_of(self, place);
        (address, shape)
    }

    fn index(&mut self, index: &Index, size: i128) -> Expr {
        let wide = |expr: Expr, bits: u8| {
            if bits == 64 { Expr::cast(CastOp::SExt, Ty::Int(64), expr) } else { expr }
        };
        let bits = self.layouts.source.data_model.pointer_bits();
        let index = match index {
            Index::Const(n) => return self.pointer_int(i128::from(*n) * size),
            Index::Masked(at, mask) => {
                Expr::bin(BinOp::And, Expr::Reg(self.reg(*at)), Expr::int(32, i128::from(*mask)))
            }
            Index::Raw(at) => Expr::Reg(self.reg(*at)),
        };
        Expr::bin(BinOp::Mul, wide(index, bits), self.pointer_int(size))
    }

    /// An `int` from what is in memory.
    fn to_int(shape: &Shape, value: Expr) -> Expr {
        match shape {
            Shape::Int { bits: 32, .. } => value,
            Shape::Int { bits: 64, .. } => Expr::cast(CastOp::Trunc, Ty::Int(32), value),
            Shape::Int { signed: true, .. } => Expr::cast(CastOp::SExt, Ty::Int(32), value),
            Shape::Int { signed: false, .. } => Expr::cast(CastOp::ZExt, Ty::Int(32), value),
            _ => value,
        }
    }

    /// What to put into memory for an `int`.
    fn of_int(shape: &Shape, value: Expr) -> Expr {
        match shape {
            Shape::Int { bits: 32, .. } => value,
            Shape::Int { bits: 64, .. } => Expr::cast(CastOp::SExt, Ty::Int(64), value),
            Shape::Int { bits, .. } => Expr::cast(CastOp::Trunc, Ty::Int(*bits), value),
            _ => value,
        }
    }

    fn expr(&mut self, expr: &src::Expr) -> Expr {
        match expr {
            src::Expr::Const(n) => Expr::int(32, i128::from(*n)),
            src::Expr::Null => Expr::null(),
            src::Expr::Function(function) => Expr::Func(FuncId(*function as u32)),
            src::Expr::Local(local) => Expr::Reg(self.reg(*local)),
            src::Expr::Binary(op, ..) if op.is_comparison() => {
                Expr::cast(CastOp::ZExt, Ty::Int(32), self.condition(expr))
            }
            src::Expr::Binary(op, left, right) => Expr::bin(*op, self.expr(left), self.expr(right)),
            src::Expr::Choose(parts) => {
                Expr::select(self.condition(&parts[0]), self.expr(&parts[1]), self.expr(&parts[2]))
            }
        }
    }

    fn condition(&mut self, expr: &src::Expr) -> Expr {
        match expr {
            src::Expr::Binary(op, left, right) if op.is_comparison() => {
                Expr::bin(*op, self.expr(left), self.expr(right))
            }
            _ => {
                let value = self.expr(expr);
                let zero = if self.source.is_pointer(expr) { Expr::null() } else { Expr::int(32, 0) };
                Expr::bin(BinOp::Ne, value, zero)
            }
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let order = Order::Plain;
        match stmt {
            Stmt::Set(local, value) => {
                let value = self.expr(value);
                self.assign(*local, value);
            }
            Stmt::Read(local, place) => {
                let (addr, shape) = self.place(place);
                let ty = self.ty(&shape);
                self.through(*local, &shape, |dst| InstKind::Load { dst, ty, addr, order });
            }
            Stmt::Write(place, value) => {
                let (addr, shape) = self.place(place);
                let value = Self::of_int(&shape, self.expr(value));
                self.emit(InstKind::Store { ty: self.ty(&shape), addr, value, order });
            }
            Stmt::AddressOf(local, place) => {
                let (value, _) = self.place(place);
                self.assign(*local, value);
            }
            Stmt::FetchAdd(local, place, by) => {
                let by = self.expr(by);
                self.update(*local, place, |shape| {
                    (None, Some(Expr::bin(BinOp::Add, Expr::Old, Self::of_int(shape, by))))
                });
            }
            Stmt::Exchange(local, place, value) => {
                let value = self.expr(value);
                self.update(Some(*local), place, |shape| (None, Some(Self::of_int(shape, value))));
            }
            Stmt::CompareSwap(local, place, expected, value) => {
                let (expected, value) = (self.expr(expected), self.expr(value));
                self.update(Some(*local), place, |shape| {
                    let same = Expr::bin(BinOp::Eq, Expr::Old, Self::of_int(shape, expected));
                    (None, Some(Expr::select(same, Self::of_int(shape, value), Expr::Old)))
                });
            }
            Stmt::Wait(place, value, new) => {
                let (value, new) = (self.expr(value), new.as_ref().map(|new| self.expr(new)));
                self.update(None, place, |shape| {
                    let when = Expr::bin(BinOp::Eq, Expr::Old, Self::of_int(shape, value));
                    (Some(when), new.map(|new| Self::of_int(shape, new)))
                });
            }
            Stmt::Take(place, least, change) => self.update(None, place, |shape| {
                let number = |n: i32| Self::of_int(shape, Expr::int(32, i128::from(n)));
                let op = if matches!(shape, Shape::Int { signed: false, .. }) { BinOp::ULe } else { BinOp::SLe };
                let when = Expr::bin(op, number(*least), Expr::Old);
                (Some(when), Some(Expr::bin(BinOp::Add, Expr::Old, number(*change))))
            }),
            Stmt::Lock(place) | Stmt::Unlock(place) => {
                let (addr, _) = self.place(place);
                let (dst, ty, zero) = (None, Ty::Int(32), Expr::int(32, 0));
                self.emit(if let Stmt::Lock(_) = stmt {
                    let (when, set) = (Some(Expr::bin(BinOp::Eq, Expr::Old, zero)), Some(Expr::CurrentThread));
                    InstKind::Update { dst, ty, addr, when, set, order: Order::Acquire, role: Role::Lock }
                } else {
                    let (when, set) = (None, Some(zero));
                    InstKind::Update { dst, ty, addr, when, set, order: Order::Release, role: Role::Unlock }
                });
            }
            Stmt::If(cond, then, other) => self.conditional(cond, then, other),
            Stmt::Switch(value, cases, default) => self.switch(value, cases, default),
            Stmt::Repeat(local, count, body) => {
                self.assign(*local, Expr::int(32, 0));
                let counter = Expr::Reg(self.reg(*local));
                let below = Expr::bin(BinOp::SLt, counter.clone(), Expr::int(32, i128::from(*count)));
                let next = Expr::bin(BinOp::Add, counter, Expr::int(32, 1));
                self.repeat(&[], below, body, |lower| lower.assign(*local, next));
            }
            Stmt::While(before, cond, after) => {
                let cond = self.condition(cond);
                self.repeat(before, cond, after, |_| ());
            }
            Stmt::Break | Stmt::Continue => {
                // Outside of loops there is nothing to leave.
                if let Some((next, after)) = self.loops.last().copied() {
                    self.leave(Term::Jump(if matches!(stmt, Stmt::Break) { after } else { next }));
                }
            }
            Stmt::Atomic(body) => {
                self.emit(InstKind::AtomicBegin);
                self.stmts(body);
                self.emit(InstKind::AtomicEnd);
            }
            Stmt::AtomicBegin => self.emit(InstKind::AtomicBegin),
            Stmt::AtomicEnd => self.emit(InstKind::AtomicEnd),
            Stmt::CopyRecord(to, from) => {
                for field in 0..self.layouts.source.record.len() {
                    let of = |place: &src::Lvalue| {
                        let path = place.path.iter().cloned().chain([Select::Field(field)]).collect();
                        src::Lvalue { base: place.base.clone(), path }
                    };
                    let (addr, shape) = self.place(&of(from));
                    let ty = self.ty(&shape);
                    let dst = self.temp(ty, "copy");
                    self.emit(InstKind::Load { dst, ty, addr, order });
                    let (addr, _) = self.place(&of(to));
                    self.emit(InstKind::Store { ty, addr, value: Expr::Reg(dst), order });
                }
            }
            Stmt::Havoc(local, bits) => {
                let small = self.temp(Ty::Int(*bits), "any");
                self.emit(InstKind::Havoc { dst: small, input: Input::Nondet("any".into()) });
                self.assign(*local, Expr::cast(CastOp::ZExt, Ty::Int(32), Expr::Reg(small)));
            }
            Stmt::Assume(cond) => {
                let cond = self.condition(cond);
                self.emit(InstKind::Assume { cond });
            }
            Stmt::Assert(number, local) => {
                let forbidden = self.layouts.source.forbidden.get(*number).copied().unwrap_or(0);
                let cond = Expr::bin(BinOp::Ne, Expr::Reg(self.reg(*local)), Expr::int(32, i128::from(forbidden)));
                self.emit(InstKind::Assert { cond, check: Check::Assertion, message: number.to_string() });
            }
            Stmt::Alloc(local, to) => {
                let shape = if *to == To::Record { Shape::Record } else { Shape::INT };
                let dst = self.reg(*local);
                self.alloc(dst, AllocKind::Heap, &shape, "heap".into());
            }
            Stmt::Free(local) => {
                let addr = Expr::Reg(self.reg(*local));
                self.emit(InstKind::Free { addr });
            }
            Stmt::Call(local, callee, arg) => {
                let (callee, args) = (self.callee(*callee), vec![self.expr(arg)]);
                let dst = local.map(|local| self.reg(local));
                self.emit(InstKind::Call { dst, callee, args });
            }
            Stmt::Spawn(local, callee, arg) => {
                let (callee, args, dst) = (self.callee(*callee), vec![self.expr(arg)], Some(self.reg(*local)));
                self.emit(InstKind::Spawn { dst, callee, args });
            }
            Stmt::Join(handle, local) => {
                let dst = local.map(|local| self.reg(local));
                let handle = Expr::Reg(self.reg(*handle));
                self.emit(InstKind::Join { dst, handle });
            }
            Stmt::Detach(handle) => {
                let handle = Expr::Reg(self.reg(*handle));
                self.emit(InstKind::Detach { handle });
            }
            Stmt::Return(value) => {
                let value = self.expr(value);
                self.leave(Term::Return(Some(value)));
            }
            Stmt::ExitThread => self.leave(Term::ExitThread(Some(Expr::null()))),
            Stmt::Halt => self.leave(Term::Halt),
        }
    }

    /// An instruction whose result becomes the `int` of a local.
    fn through(&mut self, local: src::Local, shape: &Shape, inst: impl FnOnce(Reg) -> InstKind) {
        let direct = matches!(shape, Shape::Pointer(_) | Shape::Handle | Shape::Int { bits: 32, .. });
        if direct {
            let kind = inst(self.reg(local));
            self.emit(kind);
        } else {
            let ty = self.ty(shape);
            let dst = self.temp(ty, "t");
            self.emit(inst(dst));
            self.assign(local, Self::to_int(shape, Expr::Reg(dst)));
        }
    }

    /// An update of a place; what it waits for and what it writes depends on what is there.
    fn update(
        &mut self,
        local: Option<src::Local>,
        place: &src::Lvalue,
        parts: impl FnOnce(&Shape) -> (Option<Expr>, Option<Expr>),
    ) {
        let (addr, shape) = self.place(place);
        let ty = self.ty(&shape);
        let (when, set) = parts(&shape);
        let make = |dst| InstKind::Update { dst, ty, addr, when, set, order: Order::SeqCst, role: Role::Plain };
        match local {
            Some(local) => self.through(local, &shape, |dst| make(Some(dst))),
            None => self.emit(make(None)),
        }
    }

    fn callee(&mut self, callee: src::Callee) -> Callee {
        match callee {
            src::Callee::Named(function) => Callee::Direct(FuncId(function as u32)),
            src::Callee::Pointer(local) => Callee::Indirect(Expr::Reg(self.reg(local))),
        }
    }

    fn conditional(&mut self, cond: &src::Expr, then: &[Stmt], other: &[Stmt]) {
        let cond = self.condition(cond);
        let then_block = self.new_block();
        let other_block = if other.is_empty() { None } else { Some(self.new_block()) };
        let end = self.new_block();
        self.end(Term::Branch { cond, then: then_block, other: other_block.unwrap_or(end) });
        self.way(then_block, then, end);
        if let Some(block) = other_block {
            self.way(block, other, end);
        }
        self.block = end;
    }

    /// Statements in a block of their own, and on to the end.
    fn way(&mut self, block: BlockId, stmts: &[Stmt], end: BlockId) {
        self.block = block;
        self.stmts(stmts);
        self.end(Term::Jump(end));
    }

    fn switch(&mut self, value: &src::Expr, cases: &[(i32, Vec<Stmt>)], default: &[Stmt]) {
        let value = self.expr(value);
        let targets: Vec<(u128, BlockId)> =
            cases.iter().map(|(n, _)| (u128::from(*n as u32), self.new_block())).collect();
        let (default_block, end) = (self.new_block(), self.new_block());
        self.end(Term::Switch { value, cases: targets.clone(), default: default_block });
        for ((_, block), (_, body)) in targets.iter().zip(cases) {
            self.way(*block, body, end);
        }
        self.way(default_block, default, end);
        self.block = end;
    }

    /// A loop; `next` comes between two rounds, also after `continue`.
    fn repeat(&mut self, before: &[Stmt], cond: Expr, body: &[Stmt], next: impl FnOnce(&mut Self)) {
        let (head, inside, again, end) = (self.new_block(), self.new_block(), self.new_block(), self.new_block());
        self.end(Term::Jump(head));
        self.loops.push((again, end));
        self.block = head;
        self.stmts(before);
        self.end(Term::Branch { cond, then: inside, other: end });
        self.block = inside;
        self.stmts(body);
        self.end(Term::Jump(again));
        self.block = again;
        next(self);
        self.end(Term::Jump(head));
        self.loops.pop();
        self.block = end;
    }

    /// Ends the block; what follows in the source is in a block that nothing leads to.
    fn leave(&mut self, term: Term) {
        self.end(term);
        self.block = self.new_block();
    }
}
