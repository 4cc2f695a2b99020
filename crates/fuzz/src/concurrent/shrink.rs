//! Makes a program that shows a mistake as small as it goes, by deleting whatever it still shows it without.

use base::{Id, IdVec};
use ir::fold::drop_unreached_blocks;
use ir::program::*;
use ir::tidy::drop_unused_registers;
use ir::unused::drop_unreached;
use ir::validate;

/// The smallest program found for which `shows` still holds.
pub fn shrink(program: &Program, shows: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut attempts = 0;
    loop {
        let before = size(&best);
        for candidate in candidates(&best) {
            attempts += 1;
            let mut smaller = best.clone();
            apply(&mut smaller, &candidate);
            if size(&smaller) < size(&best) && validate(&smaller).is_empty() && shows(&smaller) {
                best = smaller;
            }
        }
        let tidied = tidy(&best);
        if validate(&tidied).is_empty() && shows(&tidied) {
            best = tidied;
        }
        if size(&best) == before || attempts > 100_000 {
            return best;
        }
    }
}

/// What is compared: fewer instructions first, then simpler ones.
fn size(program: &Program) -> usize {
    let mut size = program.objects.len() + program.functions.len();
    for object in program.objects.values() {
        size += object.init.len();
    }
    for function in program.functions.values() {
        size += function.blocks.len();
        for block in function.blocks.values() {
            size += block.insts.iter().map(|inst| 10 + weight(&inst.kind)).sum::<usize>();
            size += match &block.term {
                Term::Jump(_) | Term::Return(_) => 1,
                Term::Unreachable => 0,
                Term::Branch { .. } => 8,
                Term::Switch { cases, .. } => 12 + cases.len(),
                Term::ExitThread(_) | Term::Halt => 2,
            };
        }
    }
    size
}

fn weight(inst: &InstKind) -> usize {
    let mut weight = usize::from(inst.dst().is_some());
    inst.for_each_expr(&mut |expr| weight += expr_weight(expr));
    weight
}

fn expr_weight(expr: &Expr) -> usize {
    let own = match expr {
        Expr::Const(_, bits) => usize::from(*bits != 0),
        Expr::Object(_, offset) => 1 + usize::from(*offset != 0),
        Expr::Reg(_) | Expr::Func(_) | Expr::CurrentThread | Expr::Old => 1,
        Expr::Un(..) | Expr::Cast(..) | Expr::Bin(..) => 2,
        Expr::Select(_) => 3,
    };
    own + expr.children().map(expr_weight).sum::<usize>()
}

#[derive(Clone, Copy)]
enum Candidate {
    EmptyFunction(FuncId),
    EmptyBlock(FuncId, BlockId),
    DropInst(FuncId, BlockId, usize),
    /// Replaces the n-th expression of an instruction by a constant, or by its first part.
    Simplify(FuncId, BlockId, usize, usize, Simpler),
    DropDst(FuncId, BlockId, usize),
    Goto(FuncId, BlockId, usize),
    Leave(FuncId, BlockId),
    DropInit(ObjectId),
    /// Calls, or starts, this function instead of one that is found at run time.
    Direct(FuncId, BlockId, usize, FuncId),
    /// A case of a switch, by its number, is like the default.
    DropCase(FuncId, BlockId, usize),
    /// An empty block is skipped.
    Thread(FuncId, BlockId),
}

#[derive(Clone, Copy)]
enum Simpler {
    Zero,
    Left,
    Right,
}

fn candidates(program: &Program) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (func, function) in program.functions.iter() {
        all.push(Candidate::EmptyFunction(func));
        for (id, block) in function.blocks.iter() {
            all.push(Candidate::EmptyBlock(func, id));
            all.push(Candidate::Leave(func, id));
            all.push(Candidate::Thread(func, id));
            all.extend([0, 1].map(|n| Candidate::Goto(func, id, n)));
            if let Term::Switch { cases, .. } = &block.term {
                all.extend((0..cases.len()).rev().map(|n| Candidate::DropCase(func, id, n)));
            }
            for index in (0..block.insts.len()).rev() {
                all.push(Candidate::DropInst(func, id, index));
            }
        }
    }
    for (func, function) in program.functions.iter() {
        for (id, block) in function.blocks.iter() {
            for (index, inst) in block.insts.iter().enumerate() {
                all.push(Candidate::DropDst(func, id, index));
                if let Some(Callee::Indirect(_)) = inst.kind.callee() {
                    all.extend(program.functions.ids().map(|to| Candidate::Direct(func, id, index, to)));
                }
                let mut count = 0;
                inst.kind.for_each_expr(&mut |_| count += 1);
                for n in 0..count {
                    for simpler in [Simpler::Zero, Simpler::Left, Simpler::Right] {
                        all.push(Candidate::Simplify(func, id, index, n, simpler));
                    }
                }
            }
        }
    }
    all.extend(program.objects.ids().map(Candidate::DropInit));
    all
}

fn apply(program: &mut Program, candidate: &Candidate) {
    let function_of = |program: &Program, func: FuncId| program.functions[func].clone();
    match *candidate {
        Candidate::EmptyFunction(func) => {
            let function = &mut program.functions[func];
            let Some(mut first) = function.blocks.values().next().cloned() else { return };
            first.insts.clear();
            first.term = Term::Return(function.result.map(|ty| Expr::Const(ty, 0)));
            function.blocks = IdVec::from_vec(vec![first]);
        }
        Candidate::EmptyBlock(func, block) => {
            if let Some(block) = block_mut(program, func, block) {
                block.insts.clear();
            }
        }
        Candidate::DropInst(func, block, index) => {
            if let Some(block) = block_mut(program, func, block)
                && index < block.insts.len()
            {
                block.insts.remove(index);
            }
        }
        Candidate::DropDst(func, block, index) => {
            if let Some(inst) = block_mut(program, func, block).and_then(|block| block.insts.get_mut(index)) {
                match &mut inst.kind {
                    InstKind::Update { dst, .. }
                    | InstKind::Call { dst, .. }
                    | InstKind::Spawn { dst, .. }
                    | InstKind::Join { dst, .. } => *dst = None,
                    _ => (),
                }
            }
        }
        Candidate::Simplify(func, block, index, n, simpler) => {
            let function = function_of(program, func);
            let types = program.clone();
            let Some(inst) = block_mut(program, func, block).and_then(|block| block.insts.get_mut(index)) else {
                return;
            };
            let old = match &inst.kind {
                InstKind::Update { ty, .. } => Some(*ty),
                _ => None,
            };
            let mut at = 0;
            inst.kind.for_each_expr_mut(&mut |expr| {
                if at == n {
                    let ty = function.type_of(&types, expr, old);
                    let left_or_right = match (&mut *expr, simpler) {
                        (Expr::Bin(_, left, _), Simpler::Left) => Some((**left).clone()),
                        (Expr::Bin(_, _, right), Simpler::Right) => Some((**right).clone()),
                        (Expr::Select(parts), Simpler::Left) => Some(parts[1].clone()),
                        (Expr::Select(parts), Simpler::Right) => Some(parts[2].clone()),
                        (_, Simpler::Zero) => Some(Expr::Const(ty, 0)),
                        _ => None,
                    };
                    if let Some(simple) = left_or_right {
                        *expr = simple;
                    }
                }
                at += 1;
            });
        }
        Candidate::Goto(func, block, n) => {
            if let Some(block) = block_mut(program, func, block) {
                let mut targets = Vec::new();
                block.term.for_each_target(&mut |to| targets.push(to));
                if let Some(to) = targets.get(n) {
                    block.term = Term::Jump(*to);
                }
            }
        }
        Candidate::Leave(func, block) => {
            let result = program.functions[func].result;
            if let Some(block) = block_mut(program, func, block) {
                block.term = Term::Return(result.map(|ty| Expr::Const(ty, 0)));
            }
        }
        Candidate::Direct(func, block, index, to) => {
            if let Some(inst) = block_mut(program, func, block).and_then(|block| block.insts.get_mut(index))
                && let Some(callee) = inst.kind.callee_mut()
            {
                *callee = Callee::Direct(to);
            }
        }
        Candidate::DropCase(func, block, n) => {
            if let Some(block) = block_mut(program, func, block)
                && let Term::Switch { cases, .. } = &mut block.term
                && n < cases.len()
            {
                cases.remove(n);
            }
        }
        Candidate::DropInit(object) => program.objects[object].init.clear(),
        Candidate::Thread(func, block) => {
            let Some(here) = block_mut(program, func, block) else { return };
            let (true, Term::Jump(to)) = (here.insts.is_empty(), here.term.clone()) else { return };
            for (_, other) in program.functions[func].blocks.iter_mut() {
                other.term.for_each_target_mut(&mut |target| {
                    if *target == block {
                        *target = to;
                    }
                });
            }
            drop_unreached_blocks(&mut program.functions[func]);
        }
    }
}

fn block_mut(program: &mut Program, func: FuncId, block: BlockId) -> Option<&mut Block> {
    let function = &mut program.functions[func];
    (block.index() < function.blocks.len()).then(|| &mut function.blocks[block])
}

/// Without blocks that nothing leads to, and without registers, functions and objects that nobody uses.
fn tidy(program: &Program) -> Program {
    let mut program = program.clone();
    for (_, function) in program.functions.iter_mut() {
        drop_unreached_blocks(function);
        drop_unused_registers(function, |_| false);
    }
    drop_unreached(&mut program);
    program
}
