//! The program made ready to run: registers resolved to words of a frame, widths to numbers, blocks to a flat list.

use super::memory::Space;
use crate::eval::{self, Fault};
use crate::liveness::Liveness;
use crate::program::*;
use base::{Id, IdVec};
use std::sync::OnceLock;

/// Index into the flat list of operations.
pub type Pc = u32;

/// The place before an instruction (or, with `inst == insts.len()`, before the terminator).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Point {
    pub func: FuncId,
    pub block: BlockId,
    pub inst: u32,
}

impl Point {
    pub fn new(func: FuncId, block: BlockId, inst: usize) -> Self {
        Point { func, block, inst: inst as u32 }
    }
}

impl Program {
    pub fn block(&self, point: Point) -> &Block {
        &self.functions[point.func].blocks[point.block]
    }
    /// The instruction at the point; none for a terminator.
    pub fn inst(&self, point: Point) -> Option<&Inst> {
        self.block(point).insts.get(point.inst as usize)
    }
    /// Where the point stands in the user's text.
    pub fn pos(&self, point: Point) -> base::Pos {
        self.inst(point).map_or(self.block(point).term_pos, |inst| inst.pos)
    }
}

/// Where a register lives in its frame, in words; wide registers take two.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    pub word: u32,
    pub wide: bool,
}

/// An expression with everything resolved.
#[derive(Clone, Debug)]
pub enum Ex {
    Const(u64),
    WideConst(u128),
    Reg(u32),
    WideReg(u32),
    /// Address of this thread's copy of the n-th thread-local object, plus an offset.
    Tls(u32, i64),
    CurrentThread,
    Old,
    Un(UnOp, Ty, u32, Box<Ex>),
    Bin(BinOp, Ty, u32, Box<(Ex, Ex)>),
    Cast {
        op: CastOp,
        from: Ty,
        from_bits: u32,
        to: Ty,
        to_bits: u32,
        inner: Box<Ex>,
    },
    Select(Box<(Ex, Ex, Ex)>),
}

/// One operation.
#[derive(Clone, Debug)]
pub enum Op {
    Assign { dst: Slot, value: Ex },
    Load { dst: Slot, size: u32, bits: u32, addr: Ex },
    Store { size: u32, addr: Ex, value: Ex },
    Update { dst: Option<Slot>, size: u32, bits: u32, addr: Ex, when: Option<Ex>, set: Option<Ex>, role: Role },
    Havoc { dst: Slot, bits: u32 },
    Assume(Ex),
    Assert(Ex),
    Alloc { dst: Slot, kind: AllocKind, size: Ex, zeroed: bool },
    Free(Ex),
    Call { dst: Option<(Slot, u32)>, target: Target, args: Vec<Ex> },
    Spawn { dst: Option<(Slot, u32)>, target: Target, args: Vec<Ex> },
    Join { dst: Option<(Slot, u32)>, handle: Ex },
    Detach(Ex),
    AtomicBegin,
    AtomicEnd,
    Fence,
    Unsupported,
    Jump(Pc),
    Branch(Ex, Pc, Pc),
    Switch(Ex, Vec<(u128, Pc)>, Pc),
    Return(Option<Ex>),
    ExitThread(Option<Ex>),
    Halt,
    Unreachable,
}

#[derive(Clone, Debug)]
pub enum Target {
    Direct(FuncId),
    Indirect(Ex),
}

/// What a call needs to know of a function.
#[derive(Clone, Debug)]
pub struct FrameShape {
    pub entry: Pc,
    /// Words of a frame, the header included.
    pub words: u32,
    pub params: Vec<Slot>,
    pub slots: IdVec<Reg, Slot>,
}

/// A runnable program.
pub struct Code<'p> {
    pub program: &'p Program,
    pub space: Space,
    pub ops: Vec<Op>,
    pub points: Vec<Point>,
    pub shapes: IdVec<FuncId, FrameShape>,
    /// For each operation the words of the frame that hold nothing of use, before it and, for frames that wait, while the
    /// call it makes runs.  Found on demand: most operations are never a place where a state is kept.
    dead: Vec<[OnceLock<Box<[u32]>>; 2]>,
    liveness: IdVec<FuncId, OnceLock<Liveness>>,
    block_pc: IdVec<FuncId, IdVec<BlockId, Pc>>,
    /// Rank of each thread-local object among the thread-local ones.
    pub tls_rank: Vec<Option<u32>>,
    pub tls_objects: Vec<ObjectId>,
}

impl<'p> Code<'p> {
    /// Prepares a valid program.
    pub fn new(program: &'p Program) -> Self {
        let space = Space::new(program);
        let mut tls_objects = Vec::new();
        let mut tls_rank = Vec::new();
        for (id, object) in program.objects.iter() {
            tls_rank.push(object.thread_local.then(|| {
                tls_objects.push(id);
                tls_objects.len() as u32 - 1
            }));
        }
        let mut next: Pc = 0;
        let mut block_pc = IdVec::new();
        for function in program.functions.values() {
            let pcs = function
                .blocks
                .values()
                .map(|block| {
                    let pc = next;
                    next += block.insts.len() as u32 + 1;
                    pc
                })
                .collect();
            block_pc.push(pcs);
        }
        let mut code = Code {
            program,
            space,
            ops: Vec::with_capacity(next as usize),
            points: Vec::with_capacity(next as usize),
            shapes: IdVec::new(),
            dead: (0..next).map(|_| Default::default()).collect(),
            liveness: program.functions.values().map(|_| OnceLock::new()).collect(),
            block_pc,
            tls_rank,
            tls_objects,
        };
        for function in program.functions.values() {
            let shape = code.shape(function);
            code.shapes.push(shape);
        }
        for (id, function) in program.functions.iter() {
            code.function(id, function);
        }
        code
    }

    pub fn pc(&self, point: Point) -> Pc {
        self.block_pc[point.func][point.block] + point.inst
    }

    pub fn pos(&self, pc: Pc) -> base::Pos {
        self.program.pos(self.points[pc as usize])
    }

    /// The instruction at `pc`, or `None` for a terminator.
    pub fn inst(&self, pc: Pc) -> Option<&'p Inst> {
        self.program.inst(self.points[pc as usize])
    }

    /// The words of a frame at `pc` that will not be read again before they are written.
    pub fn dead_words(&self, pc: Pc, waiting: bool) -> &[u32] {
        self.dead[pc as usize][usize::from(waiting)].get_or_init(|| {
            let point = self.points[pc as usize];
            let function = &self.program.functions[point.func];
            let live = self.liveness[point.func].get_or_init(|| Liveness::compute(function));
            let mut words = Vec::new();
            live.walk_back(function, point.block, |index, before, after| {
                if index != point.inst as usize {
                    return;
                }
                let mut set = if waiting { after.clone() } else { before.clone() };
                if waiting && let Some(dst) = self.inst(pc).and_then(|inst| inst.kind.dst()) {
                    set.remove(dst.index());
                }
                for (reg, slot) in self.shapes[point.func].slots.iter() {
                    if !set.contains(reg.index()) {
                        words.extend(slot.word..=slot.word + u32::from(slot.wide));
                    }
                }
            });
            words.into()
        })
    }

    fn shape(&self, function: &Function) -> FrameShape {
        let mut words = 1;
        let slots: IdVec<Reg, Slot> = function
            .regs
            .values()
            .map(|reg| {
                let wide = self.program.bits_of(reg.ty) > 64;
                let slot = Slot { word: words, wide };
                words += 1 + u32::from(wide);
                slot
            })
            .collect();
        let params = function.params.iter().map(|reg| slots[*reg]).collect();
        let id = FuncId(self.shapes.len() as u32);
        let entry = self.block_pc[id].get(Function::ENTRY).copied().unwrap_or(0);
        FrameShape { entry, words, params, slots }
    }

    fn function(&mut self, id: FuncId, function: &'p Function) {
        for (block_id, block) in function.blocks.iter() {
            for (index, inst) in block.insts.iter().enumerate() {
                let op = self.op(id, function, &inst.kind);
                self.ops.push(op);
                self.points.push(Point { func: id, block: block_id, inst: index as u32 });
            }
            let op = self.term(id, function, &block.term);
            self.ops.push(op);
            self.points.push(Point { func: id, block: block_id, inst: block.insts.len() as u32 });
        }
    }

    fn op(&self, id: FuncId, function: &Function, kind: &InstKind) -> Op {
        let shape = &self.shapes[id];
        let slot = |reg: &Reg| shape.slots[*reg];
        let sized = |reg: &Option<Reg>| reg.map(|reg| (shape.slots[reg], self.program.bits_of(function.ty(reg))));
        let ex = |expr: &Expr| self.ex(id, function, expr, None);
        match kind {
            InstKind::Assign { dst, value } => Op::Assign { dst: slot(dst), value: ex(value) },
            InstKind::Load { dst, ty, addr, .. } => Op::Load {
                dst: slot(dst),
                size: self.program.size_of(*ty) as u32,
                bits: self.program.bits_of(*ty),
                addr: ex(addr),
            },
            InstKind::Store { ty, addr, value, .. } => {
                Op::Store { size: self.program.size_of(*ty) as u32, addr: ex(addr), value: ex(value) }
            }
            InstKind::Update { dst, ty, addr, when, set, role, .. } => {
                let inside = |expr: &Expr| self.ex(id, function, expr, Some(*ty));
                Op::Update {
                    dst: dst.as_ref().map(slot),
                    size: self.program.size_of(*ty) as u32,
                    bits: self.program.bits_of(*ty),
                    addr: ex(addr),
                    when: when.as_ref().map(inside),
                    set: set.as_ref().map(inside),
                    role: *role,
                }
            }
            InstKind::Havoc { dst, .. } => Op::Havoc { dst: slot(dst), bits: self.program.bits_of(function.ty(*dst)) },
            InstKind::Assume { cond } => Op::Assume(ex(cond)),
            InstKind::Assert { cond, .. } => Op::Assert(ex(cond)),
            InstKind::Alloc { dst, kind, size, zeroed, .. } => {
                Op::Alloc { dst: slot(dst), kind: *kind, size: ex(size), zeroed: *zeroed }
            }
            InstKind::Free { addr } => Op::Free(ex(addr)),
            InstKind::Call { dst, callee, args } => Op::Call {
                dst: sized(dst),
                target: self.target(id, function, callee),
                args: args.iter().map(ex).collect(),
            },
            InstKind::Spawn { dst, callee, args } => Op::Spawn {
                dst: sized(dst),
                target: self.target(id, function, callee),
                args: args.iter().map(ex).collect(),
            },
            InstKind::Join { dst, handle } => Op::Join { dst: sized(dst), handle: ex(handle) },
            InstKind::Detach { handle } => Op::Detach(ex(handle)),
            InstKind::AtomicBegin => Op::AtomicBegin,
            InstKind::AtomicEnd => Op::AtomicEnd,
            InstKind::Fence { .. } => Op::Fence,
            InstKind::Unsupported { .. } => Op::Unsupported,
        }
    }

    fn term(&self, id: FuncId, function: &Function, term: &Term) -> Op {
        let pc = |block: &BlockId| self.block_pc[id][*block];
        let ex = |expr: &Expr| self.ex(id, function, expr, None);
        match term {
            Term::Jump(to) => Op::Jump(pc(to)),
            Term::Branch { cond, then, other } => Op::Branch(ex(cond), pc(then), pc(other)),
            Term::Switch { value, cases, default } => {
                Op::Switch(ex(value), cases.iter().map(|(value, to)| (*value, pc(to))).collect(), pc(default))
            }
            Term::Return(value) => Op::Return(value.as_ref().map(ex)),
            Term::ExitThread(value) => Op::ExitThread(value.as_ref().map(ex)),
            Term::Halt => Op::Halt,
            Term::Unreachable => Op::Unreachable,
        }
    }

    fn target(&self, id: FuncId, function: &Function, callee: &Callee) -> Target {
        match callee {
            Callee::Direct(func) => Target::Direct(*func),
            Callee::Indirect(expr) => Target::Indirect(self.ex(id, function, expr, None)),
        }
    }

    fn ex(&self, id: FuncId, function: &Function, expr: &Expr, old: Option<Ty>) -> Ex {
        let constant = |value: u128| u64::try_from(value).map_or(Ex::WideConst(value), Ex::Const);
        let recurse = |inner: &Expr| self.ex(id, function, inner, old);
        match expr {
            Expr::Const(_, value) => constant(*value),
            Expr::Reg(reg) => {
                let slot = self.shapes[id].slots[*reg];
                if slot.wide { Ex::WideReg(slot.word) } else { Ex::Reg(slot.word) }
            }
            Expr::Object(object, offset) => match self.tls_rank[object.index()] {
                Some(rank) => Ex::Tls(rank, *offset),
                None => Ex::Const(
                    self.space.static_address(*object).wrapping_add(*offset as u64) & self.space.pointer_mask(),
                ),
            },
            Expr::Func(func) => Ex::Const(self.space.function_address(*func)),
            Expr::CurrentThread => Ex::CurrentThread,
            Expr::Old => Ex::Old,
            Expr::Un(op, inner) => {
                let ty = function.type_of(self.program, inner, old);
                Ex::Un(*op, ty, self.program.bits_of(ty), Box::new(recurse(inner)))
            }
            Expr::Bin(op, left, right) => {
                let ty = function.type_of(self.program, left, old);
                Ex::Bin(*op, ty, self.program.bits_of(ty), Box::new((recurse(left), recurse(right))))
            }
            Expr::Cast(op, to, inner) => {
                let from = function.type_of(self.program, inner, old);
                Ex::Cast {
                    op: *op,
                    from,
                    from_bits: self.program.bits_of(from),
                    to: *to,
                    to_bits: self.program.bits_of(*to),
                    inner: Box::new(recurse(inner)),
                }
            }
            Expr::Select(parts) => Ex::Select(Box::new((recurse(&parts[0]), recurse(&parts[1]), recurse(&parts[2])))),
        }
    }
}

/// What an expression reads besides registers.
pub struct Env<'a> {
    pub frame: &'a [u64],
    pub handle: u32,
    /// Address of the thread's first thread-local object and the distance to the next.
    pub tls: &'a [u64],
    pub old: u128,
    pub space: &'a Space,
}

impl Ex {
    pub fn eval(&self, env: &Env<'_>) -> Result<u128, Fault> {
        Ok(match self {
            Ex::Const(value) => u128::from(*value),
            Ex::WideConst(value) => *value,
            Ex::Reg(word) => u128::from(env.frame[*word as usize]),
            Ex::WideReg(word) => {
                u128::from(env.frame[*word as usize]) | u128::from(env.frame[*word as usize + 1]) << 64
            }
            Ex::Tls(rank, offset) => {
                u128::from(env.tls[*rank as usize].wrapping_add(*offset as u64) & env.space.pointer_mask())
            }
            Ex::CurrentThread => u128::from(env.handle),
            Ex::Old => env.old,
            Ex::Un(op, ty, bits, inner) => eval::unary(*op, *ty, *bits, inner.eval(env)?),
            Ex::Bin(op, ty, bits, sides) => {
                let left = sides.0.eval(env)?;
                let right = sides.1.eval(env)?;
                // The commonest operators inline; the rest by the table.
                match op {
                    BinOp::Add => mask(left.wrapping_add(right), *bits),
                    BinOp::PtrAdd => u128::from(env.space.advance(left as u64, right as u64)),
                    BinOp::Sub => mask(left.wrapping_sub(right), *bits),
                    BinOp::Eq => u128::from(left == right),
                    BinOp::Ne => u128::from(left != right),
                    _ => eval::binary(*op, *ty, *bits, left, right)?,
                }
            }
            Ex::Cast { op, from, from_bits, to, to_bits, inner } => {
                eval::cast(*op, *from, *from_bits, *to, *to_bits, inner.eval(env)?)
            }
            Ex::Select(parts) => {
                if parts.0.eval(env)? != 0 {
                    parts.1.eval(env)?
                } else {
                    parts.2.eval(env)?
                }
            }
        })
    }
}
