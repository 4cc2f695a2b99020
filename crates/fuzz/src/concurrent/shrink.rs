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
        for change in changes(&best) {
            attempts += 1;
            let mut smaller = best.clone();
            change(&mut smaller);
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
    let objects: usize = program.objects.values().map(|object| 1 + object.init.len()).sum();
    let of_block = |block: &Block| {
        let term = match &block.term {
            Term::Jump(_) | Term::Return(_) => 1,
            Term::Unreachable => 0,
            Term::Branch { .. } => 8,
            Term::Switch { cases, .. } => 12 + cases.len(),
            Term::ExitThread(_) | Term::Halt => 2,
        };
        1 + term + block.insts.iter().map(|inst| 10 + weight(&inst.kind)).sum::<usize>()
    };
    let blocks = program.functions.values().flat_map(|function| function.blocks.values());
    objects + program.functions.len() + blocks.map(of_block).sum::<usize>()
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

/// A way in which a program may become smaller; nothing happens where what it is about is gone by now.
type Change = Box<dyn Fn(&mut Program)>;

fn in_block(func: FuncId, block: BlockId, change: impl Fn(&mut Block) + 'static) -> Change {
    Box::new(move |program| {
        let blocks = &mut program.functions[func].blocks;
        if block.index() < blocks.len() {
            change(&mut blocks[block]);
        }
    })
}

fn in_inst(func: FuncId, block: BlockId, index: usize, change: impl Fn(&mut InstKind) + 'static) -> Change {
    in_block(func, block, move |block| {
        if let Some(inst) = block.insts.get_mut(index) {
            change(&mut inst.kind);
        }
    })
}

fn changes(program: &Program) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    for (func, function) in program.functions.iter() {
        let zero = Term::Return(function.result.map(|ty| Expr::Const(ty, 0)));
        all.push(Box::new(move |program| empty(&mut program.functions[func])));
        for (id, block) in function.blocks.iter() {
            let leave = zero.clone();
            all.push(in_block(func, id, |block| block.insts.clear()));
            all.push(in_block(func, id, move |block| block.term = leave.clone()));
            all.push(Box::new(move |program| skip(&mut program.functions[func], id)));
            all.extend([0, 1].map(|n| in_block(func, id, move |block| go_to(block, n))));
            if let Term::Switch { cases, .. } = &block.term {
                // A case of a switch is like the default.
                all.extend((0..cases.len()).rev().map(|n| {
                    in_block(func, id, move |block| match &mut block.term {
                        Term::Switch { cases, .. } if n < cases.len() => _ = cases.remove(n),
                        _ => (),
                    })
                }));
            }
            for index in (0..block.insts.len()).rev() {
                all.push(in_block(func, id, move |block| {
                    if index < block.insts.len() {
                        block.insts.remove(index);
                    }
                }));
            }
        }
    }
    for (func, function) in program.functions.iter() {
        for (id, block) in function.blocks.iter() {
            for (index, inst) in block.insts.iter().enumerate() {
                all.push(in_inst(func, id, index, |inst| match inst {
                    InstKind::Update { dst, .. }
                    | InstKind::Call { dst, .. }
                    | InstKind::Spawn { dst, .. }
                    | InstKind::Join { dst, .. } => *dst = None,
                    _ => (),
                }));
                if let Some(Callee::Indirect(_)) = inst.kind.callee() {
                    // Calls, or starts, this function instead of one that is found at run time.
                    all.extend(program.functions.ids().map(|to| {
                        in_inst(func, id, index, move |inst| {
                            if let Some(callee) = inst.callee_mut() {
                                *callee = Callee::Direct(to);
                            }
                        })
                    }));
                }
                let mut count = 0;
                inst.kind.for_each_expr(&mut |_| count += 1);
                for n in 0..count {
                    for part in [None, Some(0), Some(1)] {
                        all.push(Box::new(move |program| simplify(program, (func, id, index), n, part)));
                    }
                }
            }
        }
    }
    all.extend(program.objects.ids().map(|id| -> Change { Box::new(move |program| program.objects[id].init.clear()) }));
    all
}

/// Nothing is left but the return.
fn empty(function: &mut Function) {
    let Some(mut first) = function.blocks.values().next().cloned() else { return };
    first.insts.clear();
    first.term = Term::Return(function.result.map(|ty| Expr::Const(ty, 0)));
    function.blocks = IdVec::from_vec(vec![first]);
}

fn go_to(block: &mut Block, n: usize) {
    let mut targets = Vec::new();
    block.term.for_each_target(&mut |to| targets.push(to));
    if let Some(to) = targets.get(n) {
        block.term = Term::Jump(*to);
    }
}

/// An empty block is skipped.
fn skip(function: &mut Function, block: BlockId) {
    let Some(Block { insts, term: Term::Jump(to), .. }) = function.blocks.get(block) else { return };
    let (true, to) = (insts.is_empty(), *to) else { return };
    for (_, other) in function.blocks.iter_mut() {
        other.term.for_each_target_mut(&mut |target| {
            if *target == block {
                *target = to;
            }
        });
    }
    drop_unreached_blocks(function);
}

/// Replaces the n-th expression of an instruction by a constant, or by one of its last two parts.
fn simplify(program: &mut Program, (func, block, index): (FuncId, BlockId, usize), n: usize, part: Option<usize>) {
    let types = program.clone();
    let mut blocks = program.functions[func].blocks.iter_mut();
    let Some(inst) = blocks.find(|(id, _)| *id == block).and_then(|(_, block)| block.insts.get_mut(index)) else {
        return;
    };
    let old = match &inst.kind {
        InstKind::Update { ty, .. } => Some(*ty),
        _ => None,
    };
    let mut at = 0;
    inst.kind.for_each_expr_mut(&mut |expr| {
        if at == n {
            let zero = Expr::Const(types.functions[func].type_of(&types, expr, old), 0);
            let parts: Vec<Expr> = expr.children().cloned().collect();
            *expr = match (part, parts.as_slice()) {
                (None, _) => zero,
                (Some(part), [.., first, second]) => [first, second][part].clone(),
                (Some(_), _) => expr.clone(),
            };
        }
        at += 1;
    });
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
