//! Bends a program in small random ways: what comes out is valid, but no longer like anything a compiler makes.
//!
//! Locks are given back by nobody, loops are entered in the middle, atomic sections end elsewhere, pointers miss their
//! objects.  Whatever it is, it has a meaning, and everyone must agree on it.

use base::{Id, IdVec, Pos, Rng};
use ir::program::*;
use ir::validate;

/// Applies about `count` changes, each of which leaves the program valid.
pub fn bend(program: &mut Program, count: usize, rng: &mut Rng) {
    for _ in 0..count {
        let before = program.clone();
        change(program, rng);
        if !validate(program).is_empty() {
            *program = before;
        }
    }
}

fn change(program: &mut Program, rng: &mut Rng) {
    if rng.chance(4) {
        return change_object(program, rng);
    }
    if rng.chance(4) {
        return begin_elsewhere(program, rng);
    }
    let objects = program.objects.len();
    let pointer_bits = u32::from(program.data_model.pointer_bits());
    let func = FuncId::new(rng.below(program.functions.len()));
    let function = &mut program.functions[func];
    let blocks = function.blocks.len();
    let block = BlockId::new(rng.below(blocks));
    let count = function.blocks[block].insts.len();
    let at = rng.below(count);
    let insts = &mut function.blocks[block].insts;
    match rng.weighted(&[8, 5, 5, 6, 20, 5, 8, 6, 3, 4]) {
        0 if count > 0 => {
            insts.remove(at);
        }
        1 if count > 1 && at > 0 => insts.swap(at - 1, at),
        2 if count > 0 => {
            let copy = insts[at].clone();
            insts.insert(rng.below(count + 1), copy);
        }
        3 if count > 0 => {
            let moved = insts.remove(at);
            let to = BlockId::new(rng.below(blocks));
            let length = function.blocks[to].insts.len();
            function.blocks[to].insts.insert(rng.below(length + 1), moved);
        }
        4 if count > 0 => {
            let regs = function.regs.len();
            insts[at].kind.for_each_expr_mut(&mut |expr| change_expr(expr, regs, objects, rng));
        }
        5 if count > 0 => {
            let regs = function.regs.len();
            if let Some(dst) = insts[at].kind.dst_mut() {
                *dst = Reg::new(rng.below(regs));
            }
        }
        6 => change_term(function, block, rng),
        7 if count > 0 => change_inst(&mut insts[at].kind, pointer_bits, rng),
        8 => {
            let kind = match rng.below(6) {
                0 | 1 => InstKind::AtomicBegin,
                2 | 3 => InstKind::AtomicEnd,
                4 => InstKind::Fence { order: Order::SeqCst },
                _ => InstKind::Unsupported { what: "bent".into() },
            };
            insts.insert(rng.below(count + 1), Inst { kind, pos: Pos::NONE });
        }
        9 => {
            let regs = function.regs.len();
            function.blocks[block].term.for_each_expr_mut(&mut |expr| change_expr(expr, regs, objects, rng));
        }
        _ => (),
    }
}

/// The program begins in a function that has no registers, and calls another one before what it began with.
fn begin_elsewhere(program: &mut Program, rng: &mut Rng) {
    let (func, entry) = (FuncId::new(rng.below(program.functions.len())), program.entry);
    if program.functions[entry].regs.is_empty() || !program.functions[entry].params.is_empty() {
        return;
    }
    let function = &program.functions[func];
    let args = function.params.iter().map(|param| match function.ty(*param) {
        ty @ Ty::Int(_) => Expr::Const(ty, rng.below(3) as u128),
        ty => Expr::Const(ty, 0),
    });
    let call =
        |func, args| Inst { kind: InstKind::Call { dst: None, callee: Callee::Direct(func), args }, pos: Pos::NONE };
    let result = program.functions[entry].result;
    let block = |name: &str, insts, term| Block { name: name.into(), insts, term, term_pos: Pos::NONE };
    let blocks = vec![
        block("b0", Vec::new(), Term::Jump(BlockId(1))),
        block("b1", vec![call(func, args.collect())], Term::Jump(BlockId(2))),
        block("b2", vec![call(entry, Vec::new())], Term::Return(result.map(|ty| Expr::Const(ty, 0)))),
    ];
    program.entry = program.functions.push(Function {
        name: format!("begin{}", program.functions.len()),
        params: Vec::new(),
        result,
        regs: IdVec::new(),
        blocks: IdVec::from_vec(blocks),
        model: false,
        pos: Pos::NONE,
    });
}

fn change_object(program: &mut Program, rng: &mut Rng) {
    let object = ObjectId::new(rng.below(program.objects.len()));
    let object = &mut program.objects[object];
    match rng.below(3) {
        0 => object.thread_local = !object.thread_local,
        1 => object.constant = !object.constant,
        _ => object.init.clear(),
    }
}

/// Changes one place in the expression.
fn change_expr(expr: &mut Expr, regs: usize, objects: usize, rng: &mut Rng) {
    let children = expr.children().count();
    match expr {
        Expr::Const(Ty::Int(bits), value) => *value = mask((rng.below(5) as i128 - 1) as u128, u32::from(*bits)),
        Expr::Reg(reg) if rng.chance(40) => *reg = Reg::new(rng.below(regs)),
        Expr::Object(object, _) if rng.chance(30) => *object = ObjectId::new(rng.below(objects)),
        Expr::Object(_, offset) if rng.chance(40) => *offset += [1, 2, 4, -1, -4][rng.below(5)],
        Expr::Bin(op, ..) if rng.chance(25) => *op = other_operator(*op, rng),
        Expr::Bin(_, left, right) if rng.chance(33) => std::mem::swap(left, right),
        _ => {
            if let Some(child) = expr.children_mut().nth(rng.below(children)) {
                change_expr(child, regs, objects, rng);
            }
        }
    }
}

fn other_operator(op: BinOp, rng: &mut Rng) -> BinOp {
    use BinOp::*;
    let among: &[BinOp] = match op {
        Eq | Ne | ULt | ULe | SLt | SLe => &[Eq, Ne, ULt, ULe, SLt, SLe],
        Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor => {
            &[Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor]
        }
        _ => return op,
    };
    among[rng.below(among.len())]
}

fn change_term(function: &mut Function, block: BlockId, rng: &mut Rng) {
    let blocks = function.blocks.len();
    let result = function.result;
    let any = BlockId::new(rng.below(blocks));
    let term = &mut function.blocks[block].term;
    match rng.weighted(&[6, 3, 1, 1, 1, 1]) {
        0 => {
            let mut left = rng.below(2);
            term.for_each_target_mut(&mut |to| {
                if left == 0 {
                    *to = any;
                }
                left = left.wrapping_sub(1);
            });
        }
        1 => {
            if let Term::Branch { then, other, .. } = term {
                std::mem::swap(then, other);
            }
        }
        2 => *term = Term::Halt,
        3 => *term = Term::ExitThread(None),
        4 => *term = Term::Return(result.map(|ty| Expr::Const(ty, 0))),
        _ => {
            if let Term::Branch { cond, then, other } = term {
                let value = Expr::cast(CastOp::ZExt, Ty::Int(32), cond.clone());
                *term = Term::Switch { value, cases: vec![(0, *other), (3, any)], default: *then };
            }
        }
    }
}

/// Pointers have so many bits.
fn change_inst(inst: &mut InstKind, bits: u32, rng: &mut Rng) {
    let pointer = Ty::Int(bits as u8);
    match inst {
        // A pointer that has been moved, perhaps before its object, or as its number.
        InstKind::Store { ty: ty @ Ty::Ptr, value, .. } => {
            let by = Expr::Const(pointer, mask([4i128, 8, -4, -8][rng.below(4)] as u128, bits));
            if rng.chance(50) {
                *value = Expr::bin(BinOp::PtrAdd, value.clone(), by.clone());
            }
            if rng.chance(60) {
                *value = Expr::cast(CastOp::PtrToInt, pointer, value.clone());
                *ty = pointer;
                if rng.chance(60) {
                    *value = Expr::bin(BinOp::Add, value.clone(), by);
                }
            }
        }
        InstKind::Store { ty, value, .. } => {
            // A smaller or larger access to the same place.
            if let Ty::Int(bits) = *ty {
                let to = [8, 16, 24, 32, 64][rng.below(5)];
                let op = if to < bits { CastOp::Trunc } else { CastOp::SExt };
                if to != bits {
                    *value = Expr::cast(op, Ty::Int(to), value.clone());
                    *ty = Ty::Int(to);
                }
            }
        }
        InstKind::Update { when, set, role, ty, .. } => {
            match rng.below(4) {
                0 => *when = None,
                1 => *set = None,
                2 => (),
                _ => *when = Some(Expr::bin(BinOp::Ne, Expr::Old, Expr::Const(*ty, 0))),
            }
            *role = Role::Plain;
        }
        InstKind::Alloc { zeroed, kind, size, .. } => match rng.below(3) {
            0 => *zeroed = false,
            1 => *kind = if *kind == AllocKind::Heap { AllocKind::Stack } else { AllocKind::Heap },
            _ => {
                if let Expr::Const(_, size) = size {
                    *size = rng.below(9) as u128;
                }
            }
        },
        InstKind::Assert { cond, .. } if rng.chance(30) => *inst = InstKind::Assume { cond: cond.clone() },
        InstKind::Join { handle, .. } if rng.chance(50) => *inst = InstKind::Detach { handle: handle.clone() },
        InstKind::Call { callee, args, .. } if rng.chance(50) => {
            *inst = InstKind::Spawn { dst: None, callee: callee.clone(), args: args.clone() };
        }
        InstKind::Call { callee, .. } => {
            if let Callee::Direct(func) = *callee {
                *callee = Callee::Indirect(Expr::Func(func));
            }
        }
        InstKind::Spawn { callee, args, .. } => {
            *inst = InstKind::Call { dst: None, callee: callee.clone(), args: args.clone() };
        }
        _ => (),
    }
}
