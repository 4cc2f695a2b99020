//! The program made ready to run: registers resolved to words of a frame, widths to numbers, blocks to a flat list.

use super::memory::Space;
use crate::eval::{self, Fault};
use crate::liveness::Liveness;
use crate::program::*;
use crate::{Point, Points};
use base::{BitSet, Id, IdVec};
use std::sync::OnceLock;

/// Index into the flat list of operations.
pub type Pc = u32;

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
    Spawn { dst: Option<Slot>, target: Target, args: Vec<Ex> },
    Join { dst: Option<(Slot, u32)>, handle: Ex },
    Detach(Ex),
    AtomicBegin,
    AtomicEnd,
    Fence,
    Unsupported(String),
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
    pcs: Points,
    /// Ascending.
    pub tls_objects: Vec<ObjectId>,
}

impl<'p> Code<'p> {
    /// Prepares a valid program.
    pub fn new(program: &'p Program) -> Self {
        let pcs = Points::new(program);
        let thread_local = program.objects.iter().filter(|(_, object)| object.thread_local);
        let mut code = Code {
            program,
            space: Space::new(program),
            ops: Vec::with_capacity(pcs.total),
            points: Vec::with_capacity(pcs.total),
            shapes: program.functions.iter().map(|(id, function)| shape(program, &pcs, id, function)).collect(),
            dead: (0..pcs.total).map(|_| Default::default()).collect(),
            liveness: program.functions.values().map(|_| OnceLock::new()).collect(),
            pcs,
            tls_objects: thread_local.map(|(id, _)| id).collect(),
        };
        for (id, function) in program.functions.iter() {
            for (block_id, block) in function.blocks.iter() {
                code.ops.extend(block.insts.iter().map(|inst| code.op(id, function, &inst.kind)).collect::<Vec<_>>());
                code.ops.push(code.term(id, function, &block.term));
                code.points.extend((0..=block.insts.len()).map(|inst| Point::new(id, block_id, inst)));
            }
        }
        code
    }

    pub fn pc(&self, point: Point) -> Pc {
        self.pcs.of(point) as Pc
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
            let mut needed = BitSet::new();
            live.walk_back(function, point.block, |index, before, after| {
                if index == point.inst as usize {
                    needed.clone_from(if waiting { after } else { before });
                }
            });
            if waiting && let Some(dst) = self.inst(pc).and_then(|inst| inst.kind.dst()) {
                needed.remove(dst.index());
            }
            let dead = self.shapes[point.func].slots.iter().filter(|(reg, _)| !needed.contains(reg.index()));
            dead.flat_map(|(_, slot)| slot.word..=slot.word + u32::from(slot.wide)).collect()
        })
    }

    fn op(&self, id: FuncId, function: &Function, kind: &InstKind) -> Op {
        let shape = &self.shapes[id];
        let slot = |reg: &Reg| shape.slots[*reg];
        let width = |ty: &Ty| (self.program.size_of(*ty) as u32, self.program.bits_of(*ty));
        let sized = |reg: &Option<Reg>| reg.map(|reg| (shape.slots[reg], self.program.bits_of(function.ty(reg))));
        let ex = |expr: &Expr| self.ex(id, function, expr, None);
        let target = |callee: &Callee| match callee {
            Callee::Direct(func) => Target::Direct(*func),
            Callee::Indirect(address) => Target::Indirect(ex(address)),
        };
        match kind {
            InstKind::Assign { dst, value } => Op::Assign { dst: slot(dst), value: ex(value) },
            InstKind::Load { dst, ty, addr, .. } => {
                let (size, bits) = width(ty);
                Op::Load { dst: slot(dst), size, bits, addr: ex(addr) }
            }
            InstKind::Store { ty, addr, value, .. } => {
                Op::Store { size: width(ty).0, addr: ex(addr), value: ex(value) }
            }
            InstKind::Update { dst, ty, addr, when, set, role, .. } => {
                let (size, bits) = width(ty);
                let inside = |expr: &Option<Expr>| expr.as_ref().map(|expr| self.ex(id, function, expr, Some(*ty)));
                let (dst, when, set) = (dst.as_ref().map(slot), inside(when), inside(set));
                Op::Update { dst, size, bits, addr: ex(addr), when, set, role: *role }
            }
            InstKind::Havoc { dst, .. } => Op::Havoc { dst: slot(dst), bits: self.program.bits_of(function.ty(*dst)) },
            InstKind::Assume { cond } => Op::Assume(ex(cond)),
            InstKind::Assert { cond, .. } => Op::Assert(ex(cond)),
            InstKind::Alloc { dst, kind, size, zeroed, .. } => {
                Op::Alloc { dst: slot(dst), kind: *kind, size: ex(size), zeroed: *zeroed }
            }
            InstKind::Free { addr } => Op::Free(ex(addr)),
            InstKind::Call { dst, callee, args } => {
                Op::Call { dst: sized(dst), target: target(callee), args: args.iter().map(ex).collect() }
            }
            InstKind::Spawn { dst, callee, args } => {
                Op::Spawn { dst: dst.as_ref().map(slot), target: target(callee), args: args.iter().map(ex).collect() }
            }
            InstKind::Join { dst, handle } => Op::Join { dst: sized(dst), handle: ex(handle) },
            InstKind::Detach { handle } => Op::Detach(ex(handle)),
            InstKind::AtomicBegin => Op::AtomicBegin,
            InstKind::AtomicEnd => Op::AtomicEnd,
            InstKind::Fence { .. } => Op::Fence,
            InstKind::Unsupported { what } => Op::Unsupported(what.clone()),
        }
    }

    fn term(&self, id: FuncId, function: &Function, term: &Term) -> Op {
        let pc = |block: &BlockId| self.pc(Point::new(id, *block, 0));
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

    fn ex(&self, id: FuncId, function: &Function, expr: &Expr, old: Option<Ty>) -> Ex {
        let constant = |value: u128| u64::try_from(value).map_or(Ex::WideConst(value), Ex::Const);
        let recurse = |inner: &Expr| self.ex(id, function, inner, old);
        match expr {
            Expr::Const(_, value) => constant(*value),
            Expr::Reg(reg) => {
                let slot = self.shapes[id].slots[*reg];
                if slot.wide { Ex::WideReg(slot.word) } else { Ex::Reg(slot.word) }
            }
            Expr::Object(object, offset) => match self.tls_objects.binary_search(object) {
                Ok(rank) => Ex::Tls(rank as u32, *offset),
                Err(_) => Ex::Const(self.space.object_address(*object, *offset)),
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
                let (from_bits, to_bits) = (self.program.bits_of(from), self.program.bits_of(*to));
                Ex::Cast { op: *op, from, from_bits, to: *to, to_bits, inner: Box::new(recurse(inner)) }
            }
            Expr::Select(parts) => Ex::Select(Box::new((recurse(&parts[0]), recurse(&parts[1]), recurse(&parts[2])))),
        }
    }
}

fn shape(program: &Program, pcs: &Points, id: FuncId, function: &Function) -> FrameShape {
    let mut words = 1;
    let mut place = |reg: &RegData| {
        let slot = Slot { word: words, wide: program.bits_of(reg.ty) > 64 };
        words += 1 + u32::from(slot.wide);
        slot
    };
    let slots: IdVec<Reg, Slot> = function.regs.values().map(&mut place).collect();
    let params = function.params.iter().map(|reg| slots[*reg]).collect();
    // Before linking there are functions without blocks, which are not run.
    let entry = if function.blocks.is_empty() { 0 } else { pcs.index(id, Function::ENTRY, 0) as Pc };
    FrameShape { entry, words, params, slots }
}

/// What an expression reads besides registers.
pub struct Env<'a> {
    pub frame: &'a [u64],
    pub handle: u32,
    /// Addresses of the thread's copies of thread-local objects.
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
