//! A generator of valid programs that make no sense, with everything the text form can say in them.

use base::{FileId, Id, IdVec, Pos, Rng};
use ir::*;

const FLOATS: [Ty; 4] = [Ty::F32, Ty::F64, Ty::F80, Ty::F128];

const ORDERS: [Order; 6] = [Order::Plain, Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst];

pub fn program(rng: &mut Rng) -> Program {
    let mut program = Program::new(rng.one_of(&[DataModel::Ilp32, DataModel::Lp64]));
    program.files = (0..3).map(|i| name(rng, i)).collect();
    // Layouts refer to earlier ones by value and to any by pointer.
    let layouts = rng.below(4);
    for i in 0..layouts {
        let name = name(rng, i);
        let layout = layout(rng, &program, layouts, 3);
        program.layouts.push(NamedLayout { name, layout });
    }
    let functions = 1 + rng.below(4);
    let objects = rng.below(5);
    for i in 0..objects {
        let object = object(rng, &program, i, objects, functions);
        program.objects.push(object);
    }
    // An initial value may hold the address of anything but a thread-local.
    let is_local: Vec<bool> = program.objects.values().map(|object| object.thread_local).collect();
    for (_, object) in program.objects.iter_mut() {
        object.init.retain(|init| !matches!(init.value, InitValue::Object(id, _) if is_local[id.index()]));
    }
    program.functions = (0..functions).map(|i| head(rng, &program, i)).collect();
    for id in program.functions.ids() {
        let blocks = 1 + rng.below(4);
        let mut fill = Fill { rng, program: &program, function: &program.functions[id], blocks, old: None };
        program.functions[id].blocks = (0..blocks).map(|i| fill.block(i)).collect();
    }
    program
}

/// One assignment of an expression that is `depth` deep.
pub fn deep(form: usize, depth: usize) -> Program {
    let text = "func main() {\n  temp %x: i64\nb0:\n  %x = %x\n  halt\n}\n";
    let mut program = ir::text::parse(text, "deep").expect("a program");
    let InstKind::Assign { value, .. } = &mut program.functions[FuncId(0)].blocks[Function::ENTRY].insts[0].kind else {
        unreachable!("the only instruction assigns")
    };
    for level in 1..depth {
        let inner = value.take();
        *value = match form {
            0 => Expr::bin(BinOp::Add, inner, Expr::int(64, 1)),
            1 => Expr::bin(BinOp::Sub, Expr::int(64, 1), inner),
            2 => Expr::un(UnOp::Not, inner),
            3 => Expr::un(UnOp::PopCount, inner),
            4 => Expr::select(Expr::bool(true), Expr::int(64, 3), inner),
            _ if level % 2 == 0 => Expr::un(UnOp::Neg, inner),
            _ => Expr::bin(BinOp::Mul, inner, Expr::int(64, 1)),
        };
    }
    program
}

fn name(rng: &mut Rng, number: usize) -> String {
    let odd = [
        "a b", "ü", "x.y", ".str", "q$", "4", "load", "local", "true", "self", "i32", "default", "\"", "\\", "\n\u{1}",
        "",
    ];
    match rng.below(4) {
        0 => format!("{}{number}", rng.one_of(&odd)),
        1 => format!("{number}{}", rng.one_of(&odd)),
        _ => format!("{}{number}", rng.one_of(&["x", "tail", "b", "_", "count"])),
    }
}

fn pos(rng: &mut Rng) -> Pos {
    if rng.one_in(3) {
        return Pos::NONE;
    }
    Pos::new(FileId(rng.below(3) as u32), rng.below(100) as u32, rng.below(80) as u32)
}

fn ty(rng: &mut Rng) -> Ty {
    match rng.below(20) {
        0 | 1 => Ty::Int(1 + rng.below(128) as u8),
        2..=11 => Ty::Int(rng.one_of(&[1, 8, 16, 24, 32, 32, 64, 128])),
        12..=16 => rng.one_of(&FLOATS),
        _ => Ty::Ptr,
    }
}

fn layout(rng: &mut Rng, program: &Program, layouts: usize, depth: usize) -> Layout {
    let compound = if depth == 0 { 0 } else { 4 };
    match rng.below(5 + compound) {
        0 | 1 => match ty(rng) {
            Ty::Ptr => Layout::Pointer(None),
            ty => Layout::Scalar { ty, unsigned: matches!(ty, Ty::Int(_)) && rng.one_in(2) },
        },
        2 if layouts != 0 => Layout::Pointer(Some(Box::new(Layout::Named(LayoutId::new(rng.below(layouts)))))),
        3 if !program.layouts.is_empty() => Layout::Named(LayoutId::new(rng.below(program.layouts.len()))),
        2..=4 => Layout::Bytes(rng.below(20) as u64),
        5 => Layout::Pointer(Some(Box::new(layout(rng, program, layouts, depth - 1)))),
        6 => {
            let element = Box::new(layout(rng, program, layouts, depth - 1));
            Layout::Array { element, count: rng.below(6) as u64 }
        }
        form => {
            let mut fields = Vec::new();
            let mut end = 0;
            for i in 0..rng.below(4) {
                let layout = layout(rng, program, layouts, depth - 1);
                let offset = if form == 7 { end + rng.below(3) as u64 } else { rng.below(3) as u64 };
                let field_end = offset + layout.size(program);
                end = if form == 7 { field_end } else { end.max(field_end) };
                // Fields may have equal names: unnamed ones do.
                let name = if rng.one_in(6) { String::new() } else { name(rng, i) };
                fields.push(Field { name, offset, layout });
            }
            let size = end + rng.below(3) as u64;
            if form == 7 { Layout::Struct { size, fields } } else { Layout::Union { size, fields } }
        }
    }
}

fn object(rng: &mut Rng, program: &Program, number: usize, objects: usize, functions: usize) -> Object {
    let layout = layout(rng, program, program.layouts.len(), 3);
    let natural = layout.size(program);
    let size = if rng.one_in(4) { natural + rng.below(9) as u64 } else { natural };
    let mut init = Vec::new();
    let mut offset = if rng.one_in(2) { 0 } else { rng.below(5) as u64 };
    for _ in 0..rng.below(4) {
        let value = match rng.below(4) {
            0 => InitValue::Object(ObjectId::new(rng.below(objects)), small(rng)),
            1 => InitValue::Function(FuncId::new(rng.below(functions))),
            2 => InitValue::Bytes((0..rng.below(6)).map(|_| rng.next() as u8).collect()),
            _ => {
                let ty = match &layout {
                    Layout::Scalar { ty, .. } => *ty,
                    Layout::Pointer(_) => Ty::Ptr,
                    _ => ty(rng),
                };
                InitValue::Scalar(ty, bits(rng, program, ty))
            }
        };
        let one = Init { offset, value };
        let end = offset + one.bytes(program, &|_| 0).len() as u64;
        if end > size {
            break;
        }
        init.push(one);
        offset = end + rng.below(4) as u64;
    }
    let align = 1 << rng.below(6);
    let (thread_local, constant, internal) = (rng.one_in(4), rng.one_in(4), rng.one_in(4));
    let name = name(rng, number);
    Object { name, layout, size, align, thread_local, constant, internal, init, pos: pos(rng) }
}

fn small(rng: &mut Rng) -> i64 {
    match rng.below(6) {
        0 => -1 - rng.below(9) as i64,
        1 => rng.one_of(&[i64::MIN, i64::MAX]),
        _ => rng.below(24) as i64,
    }
}

fn bits(rng: &mut Rng, program: &Program, ty: Ty) -> u128 {
    let width = program.bits_of(ty);
    let random = u128::from(rng.next()) << 64 | u128::from(rng.next());
    let value = match (ty, rng.below(5)) {
        (Ty::F32, 0 | 1) => u128::from((rng.below(100) as f32 / 8.0 - 3.0).to_bits()),
        (Ty::F64, 0 | 1) => u128::from((rng.below(100) as f64 / 8.0 - 3.0).to_bits()),
        (Ty::F80 | Ty::F128, 0..=2) => ir::eval::from_double(ty, rng.below(100) as f64 / 10.0 - 3.0),
        (_, 0) => 0,
        (_, 1) => 1 << (width - 1),
        (_, 2) => u128::MAX,
        (_, 3) => rng.below(40) as u128,
        _ => random,
    };
    mask(value, width)
}

fn head(rng: &mut Rng, program: &Program, number: usize) -> Function {
    let mut regs = IdVec::new();
    for i in 0..2 + rng.below(9) {
        let ty = ty(rng);
        let user = rng.one_in(2);
        let layout = match rng.below(5) {
            0 => None,
            1 => Some(layout(rng, program, program.layouts.len(), 2)),
            2 | 3 if ty == Ty::Ptr => {
                Some(Layout::Pointer(Some(Box::new(layout(rng, program, program.layouts.len(), 2)))))
            }
            _ if ty == Ty::Ptr => Some(Layout::Pointer(None)),
            _ => Some(Layout::Scalar { ty, unsigned: matches!(ty, Ty::Int(_)) && rng.one_in(2) }),
        };
        regs.push(RegData { name: name(rng, i), ty, layout, user });
    }
    // The entry has no parameters; usually they come first, but they need not.
    let mut params: Vec<Reg> = regs.ids().take(rng.below(4)).collect();
    if rng.one_in(4) {
        params.reverse();
    }
    if number == 0 {
        params.clear();
    }
    let result = if rng.one_in(3) { None } else { Some(ty(rng)) };
    let name = name(rng, number);
    Function { name, params, result, regs, blocks: IdVec::new(), model: rng.one_in(3), pos: pos(rng) }
}

/// Fills blocks of one function.
struct Fill<'a> {
    rng: &'a mut Rng,
    program: &'a Program,
    function: &'a Function,
    blocks: usize,
    old: Option<Ty>,
}

impl Fill<'_> {
    fn block(&mut self, number: usize) -> Block {
        let insts = (0..self.rng.below(12)).map(|_| Inst { kind: self.inst(), pos: pos(self.rng) }).collect();
        let term = self.term();
        Block { name: name(self.rng, number), insts, term, term_pos: pos(self.rng) }
    }

    fn reg(&mut self) -> Reg {
        Reg::new(self.rng.below(self.function.regs.len()))
    }

    /// A register of this type, if there is one.
    fn reg_of(&mut self, ty: Ty) -> Option<Reg> {
        let fitting: Vec<Reg> = self.function.regs.ids().filter(|reg| self.function.ty(*reg) == ty).collect();
        self.rng.pick(&fitting).copied()
    }

    fn layout(&mut self) -> Layout {
        layout(self.rng, self.program, self.program.layouts.len(), 2)
    }

    fn text(&mut self) -> String {
        if self.rng.one_in(3) { String::new() } else { name(self.rng, 0) }
    }

    fn inst(&mut self) -> InstKind {
        let dst = self.reg();
        let ty = self.function.ty(dst);
        let order = self.rng.one_of(&ORDERS);
        match self.rng.below(20) {
            0 => InstKind::Assign { dst, value: self.expr(ty, 4) },
            1 => InstKind::Load { dst, ty, addr: self.address(), order },
            2 => {
                let ty = self::ty(self.rng);
                InstKind::Store { ty, addr: self.address(), value: self.expr(ty, 3), order }
            }
            3 | 4 => self.update(dst, ty, order),
            5 => {
                let inputs: [fn(String) -> Input; 4] = [Input::Nondet, Input::Uninit, Input::Extern, Input::Choice];
                InstKind::Havoc { dst, input: self.rng.one_of(&inputs)(self.text()) }
            }
            6 => InstKind::Assume { cond: self.expr(Ty::BOOL, 4) },
            7 => {
                let check = self.rng.one_of(&Check::ALL);
                InstKind::Assert { cond: self.expr(Ty::BOOL, 4), check, message: self.text() }
            }
            8 => match self.reg_of(Ty::Ptr) {
                Some(dst) => InstKind::Alloc {
                    dst,
                    kind: self.rng.one_of(&[AllocKind::Stack, AllocKind::Heap]),
                    size: self.expr(self.program.pointer_int(), 2),
                    align: 1 << self.rng.below(6),
                    zeroed: self.rng.one_in(2),
                    name: self.text(),
                    layout: self.rng.one_in(2).then(|| self.layout()),
                },
                None => InstKind::AtomicBegin,
            },
            9 => InstKind::Free { addr: self.expr(Ty::Ptr, 3) },
            10 | 11 => self.call(),
            12 => {
                let (callee, args) = self.callee();
                InstKind::Spawn { dst: self.reg_of(Ty::Int(32)), callee, args }
            }
            13 => InstKind::Join { dst: self.rng.one_in(2).then_some(dst), handle: self.expr(Ty::Int(32), 2) },
            14 => InstKind::Detach { handle: self.expr(Ty::Int(32), 2) },
            15 => InstKind::AtomicBegin,
            16 => InstKind::AtomicEnd,
            17 => InstKind::Fence { order },
            18 => InstKind::Unsupported { what: self.text() },
            _ => InstKind::Assign { dst, value: self.expr(ty, 1) },
        }
    }

    fn update(&mut self, dst: Reg, ty: Ty, order: Order) -> InstKind {
        let addr = self.address();
        let dst = self.rng.one_in(2).then_some(dst);
        let is_int = matches!(ty, Ty::Int(_));
        if ty == Ty::Int(32) && self.rng.one_in(3) {
            let when = Some(Expr::bin(BinOp::Eq, Expr::Old, Expr::Const(ty, 0)));
            let set = Some(Expr::CurrentThread);
            return InstKind::Update { dst, ty, addr, when, set, order, role: Role::Lock };
        }
        if is_int && self.rng.one_in(3) {
            let set = Some(Expr::Const(ty, 0));
            return InstKind::Update { dst, ty, addr, when: None, set, order, role: Role::Unlock };
        }
        self.old = Some(ty);
        let when = self.rng.one_in(2).then(|| self.expr(Ty::BOOL, 3));
        let set = self.rng.one_in(2).then(|| self.expr(ty, 3));
        self.old = None;
        InstKind::Update { dst, ty, addr, when, set, order, role: Role::Plain }
    }

    fn callee(&mut self) -> (Callee, Vec<Expr>) {
        if self.rng.one_in(3) {
            let args = (0..self.rng.below(3)).map(|_| self::ty(self.rng)).collect::<Vec<_>>();
            let args = args.into_iter().map(|ty| self.expr(ty, 2)).collect();
            return (Callee::Indirect(self.expr(Ty::Ptr, 2)), args);
        }
        let id = FuncId::new(self.rng.below(self.program.functions.len()));
        let target = &self.program.functions[id];
        let args = target.params.iter().map(|reg| self.expr(target.ty(*reg), 2)).collect();
        (Callee::Direct(id), args)
    }

    fn call(&mut self) -> InstKind {
        let (callee, args) = self.callee();
        let dst = match callee {
            Callee::Direct(id) => self.program.functions[id].result.and_then(|ty| self.reg_of(ty)),
            Callee::Indirect(_) => Some(self.reg()),
        };
        InstKind::Call { dst, callee, args }
    }

    fn term(&mut self) -> Term {
        let mut target = || BlockId::new(self.rng.below(self.blocks));
        let (first, second, third) = (target(), target(), target());
        match self.rng.below(7) {
            0 => Term::Jump(first),
            1 => Term::Branch { cond: self.expr(Ty::BOOL, 3), then: first, other: second },
            2 => {
                let ty = Ty::Int(self.rng.one_of(&[1, 8, 32, 64, 128]));
                let mut cases: Vec<(u128, BlockId)> = Vec::new();
                for to in [first, second] {
                    let case = bits(self.rng, self.program, ty);
                    if cases.iter().all(|(other, _)| *other != case) {
                        cases.push((case, to));
                    }
                }
                Term::Switch { value: self.expr(ty, 2), cases, default: third }
            }
            3 => Term::Return(self.function.result.map(|ty| self.expr(ty, 3))),
            4 => {
                let ty = self::ty(self.rng);
                Term::ExitThread((!self.rng.one_in(3)).then(|| self.expr(ty, 2)))
            }
            5 => Term::Halt,
            _ => Term::Unreachable,
        }
    }

    /// Addresses in the shapes that print as paths, and some that almost do.
    fn address(&mut self) -> Expr {
        let word = self.program.pointer_int();
        let mut address = match self.reg_of(Ty::Ptr) {
            Some(reg) if self.rng.one_in(2) => Expr::Reg(reg),
            _ if !self.program.objects.is_empty() => {
                Expr::Object(ObjectId::new(self.rng.below(self.program.objects.len())), small(self.rng))
            }
            _ => Expr::null(),
        };
        if self.rng.one_in(3) {
            let offset = Expr::Const(word, mask(small(self.rng) as u128, self.program.bits_of(word)));
            address = Expr::bin(BinOp::PtrAdd, address, offset);
        }
        for _ in 0..self.rng.below(3) {
            let mut index = self.expr(word, 2);
            if self.rng.one_in(2) {
                let stride = Expr::Const(word, self.rng.below(17) as u128);
                index = Expr::bin(BinOp::Mul, index, stride);
            }
            address = Expr::bin(BinOp::PtrAdd, address, index);
        }
        address
    }

    fn expr(&mut self, ty: Ty, depth: usize) -> Expr {
        if depth == 0 || self.rng.one_in(4) {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        if self.rng.one_in(6) {
            return Expr::select(self.expr(Ty::BOOL, depth), self.expr(ty, depth), self.expr(ty, depth));
        }
        if ty == Ty::BOOL && !self.rng.one_in(3) {
            return self.comparison(depth);
        }
        if self.rng.one_in(4) {
            return self.cast(ty, depth);
        }
        use BinOp::*;
        use UnOp::*;
        match ty {
            Ty::Int(bits) if self.rng.one_in(3) => {
                let op = self.rng.one_of(&[Not, Neg, PopCount, LeadingZeros, TrailingZeros, ByteSwap, BitReverse]);
                let op = if op == ByteSwap && bits % 8 != 0 { Neg } else { op };
                Expr::un(op, self.expr(ty, depth))
            }
            Ty::Int(_) => {
                let ops = [Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor];
                let op = self.rng.one_of(&ops);
                Expr::bin(op, self.expr(ty, depth), self.expr(ty, depth))
            }
            Ty::Ptr if self.rng.one_in(2) => self.address(),
            Ty::Ptr => Expr::bin(PtrAdd, self.expr(ty, depth), self.expr(self.program.pointer_int(), depth)),
            Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 if self.rng.one_in(3) => {
                let op = self.rng.one_of(&[FNeg, FAbs, FSqrt, FFloor, FCeil, FTrunc, FRound, FRint]);
                Expr::un(op, self.expr(ty, depth))
            }
            Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => {
                let op = self.rng.one_of(&[FAdd, FSub, FMul, FDiv, FRem, FMin, FMax, FCopySign]);
                Expr::bin(op, self.expr(ty, depth), self.expr(ty, depth))
            }
        }
    }

    fn comparison(&mut self, depth: usize) -> Expr {
        use BinOp::*;
        let ty = self::ty(self.rng);
        if ty.is_float() {
            if self.rng.one_in(6) {
                return Expr::un(UnOp::FIsNan, self.expr(ty, depth));
            }
            let op = self.rng.one_of(&[FOeq, FOne, FOlt, FOle, FOrd]);
            return Expr::bin(op, self.expr(ty, depth), self.expr(ty, depth));
        }
        if self.rng.one_in(5) {
            return self.expr(Ty::BOOL, depth).negate();
        }
        let op = self.rng.one_of(&[Eq, Ne, ULt, ULe, SLt, SLe]);
        Expr::bin(op, self.expr(ty, depth), self.expr(ty, depth))
    }

    fn cast(&mut self, ty: Ty, depth: usize) -> Expr {
        let float = self.rng.one_of(&FLOATS);
        let int = Ty::Int(self.rng.one_of(&[1, 8, 32, 64, 77, 128]));
        match ty {
            Ty::Int(bits) => match self.rng.below(6) {
                0 if bits < 128 => Expr::cast(CastOp::Trunc, ty, self.expr(Ty::Int(bits + 1), depth)),
                1 if bits > 1 => Expr::cast(CastOp::ZExt, ty, self.expr(Ty::Int(bits - 1), depth)),
                2 if bits > 1 => Expr::cast(CastOp::SExt, ty, self.expr(Ty::Int(1), depth)),
                3 => Expr::cast(CastOp::FloatToSigned, ty, self.expr(float, depth)),
                4 => Expr::cast(CastOp::FloatToUnsigned, ty, self.expr(float, depth)),
                _ if bits == 64 => Expr::cast(CastOp::Bits, ty, self.expr(Ty::F64, depth)),
                _ => Expr::cast(CastOp::PtrToInt, ty, self.expr(Ty::Ptr, depth)),
            },
            Ty::Ptr => Expr::cast(CastOp::IntToPtr, ty, self.expr(int, depth)),
            Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => match self.rng.below(4) {
                0 => Expr::cast(CastOp::Float, ty, self.expr(float, depth)),
                1 => Expr::cast(CastOp::SignedToFloat, ty, self.expr(int, depth)),
                2 => Expr::cast(CastOp::UnsignedToFloat, ty, self.expr(int, depth)),
                _ => Expr::cast(CastOp::Bits, ty, self.expr(Ty::Int(self.program.bits_of(ty) as u8), depth)),
            },
        }
    }

    fn leaf(&mut self, ty: Ty) -> Expr {
        if self.old == Some(ty) && self.rng.one_in(3) {
            return Expr::Old;
        }
        if ty == Ty::Int(32) && self.rng.one_in(6) {
            return Expr::CurrentThread;
        }
        if ty == Ty::Ptr {
            match self.rng.below(4) {
                0 if !self.program.objects.is_empty() => {
                    return Expr::Object(ObjectId::new(self.rng.below(self.program.objects.len())), small(self.rng));
                }
                1 => return Expr::Func(FuncId::new(self.rng.below(self.program.functions.len()))),
                _ => (),
            }
        }
        match self.reg_of(ty) {
            Some(reg) if !self.rng.one_in(3) => Expr::Reg(reg),
            _ => Expr::Const(ty, bits(self.rng, self.program, ty)),
        }
    }
}
