//! Folding: expressions whose value is known, branches that go one way, blocks that nothing reaches.
//!
//! Splicing puts constants where a callee had parameters; this takes out what they decide, so that joining a thread with
//! a null pointer for its result is a `join` and nothing else.

use crate::eval;
use crate::program::*;

/// The expression with everything folded that is known.
pub fn fold(program: &Program, mut expr: Expr) -> Expr {
    expr.children_mut().for_each(|child| *child = fold(program, child.take()));
    fold_node(program, expr)
}

/// Folds the outermost operator only; its operands are folded already.
pub fn fold_node(program: &Program, expr: Expr) -> Expr {
    match &expr {
        Expr::Un(op, inner) => {
            if let Expr::Const(ty, value) = **inner {
                let result = if *op == UnOp::FIsNan { Ty::BOOL } else { ty };
                return Expr::Const(result, eval::unary(*op, ty, program.bits_of(ty), value));
            }
        }
        Expr::Bin(op, left, right) => {
            if let (Expr::Const(ty, a), Expr::Const(_, b)) = (&**left, &**right)
                && *op != BinOp::PtrAdd
                && let Ok(value) = eval::binary(*op, *ty, program.bits_of(*ty), *a, *b)
            {
                return Expr::Const(if op.is_comparison() { Ty::BOOL } else { *ty }, value);
            }
            if let Some(known) = fold_choice(program, *op, left, right) {
                return known;
            }
            return fold_address(program, *op, expr);
        }
        Expr::Cast(op, ty, inner) => {
            if let Expr::Const(from, value) = **inner {
                let (from_bits, to_bits) = (program.bits_of(from), program.bits_of(*ty));
                return Expr::Const(*ty, eval::cast(*op, from, from_bits, *ty, to_bits, value));
            }
        }
        Expr::Select(parts) => {
            if let Expr::Const(_, cond) = parts[0] {
                return parts[if cond != 0 { 1 } else { 2 }].clone();
            }
        }
        Expr::Const(..) | Expr::Reg(_) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread | Expr::Old => (),
    }
    expr
}

/// Comparisons of a choice between two constants with a third: `select(c, 0, 1) != 0` is `!c`.
fn fold_choice(program: &Program, op: BinOp, left: &Expr, right: &Expr) -> Option<Expr> {
    let (Expr::Select(parts), Expr::Const(ty, with)) = (left, right) else { return None };
    let [cond, Expr::Const(_, then), Expr::Const(_, other)] = &**parts else { return None };
    if !op.is_comparison() || cond.can_fault() {
        return None;
    }
    let compare = |value: u128| eval::binary(op, *ty, program.bits_of(*ty), value, *with).ok().map(|bit| bit != 0);
    Some(match (compare(*then)?, compare(*other)?) {
        (true, true) => Expr::bool(true),
        (true, false) => cond.clone(),
        (false, true) => negate(cond.clone()),
        (false, false) => Expr::bool(false),
    })
}

fn negate(cond: Expr) -> Expr {
    match cond {
        Expr::Bin(BinOp::Eq, left, right) => Expr::Bin(BinOp::Ne, left, right),
        Expr::Bin(BinOp::Ne, left, right) => Expr::Bin(BinOp::Eq, left, right),
        other => other.negate(),
    }
}

/// Sums and comparisons of addresses of static objects.
fn fold_address(program: &Program, op: BinOp, expr: Expr) -> Expr {
    let Expr::Bin(_, left, right) = &expr else { return expr };
    match (op, &**left, &**right) {
        (BinOp::PtrAdd, Expr::Object(object, at), Expr::Const(ty, value)) => {
            let sum = i128::from(*at) + signed(*value, program.bits_of(*ty));
            i64::try_from(sum).map_or(expr.clone(), |sum| Expr::Object(*object, sum))
        }
        (BinOp::PtrAdd, _, Expr::Const(_, 0)) => (**left).clone(),
        (BinOp::Eq, Expr::Func(one), Expr::Func(other)) => Expr::bool(one == other),
        (BinOp::Ne, Expr::Func(one), Expr::Func(other)) => Expr::bool(one != other),
        (BinOp::Eq | BinOp::Ne, address, Expr::Const(_, 0)) | (BinOp::Eq | BinOp::Ne, Expr::Const(_, 0), address)
            if never_null(program, address) =>
        {
            Expr::bool(op == BinOp::Ne)
        }
        _ => expr,
    }
}

fn never_null(program: &Program, address: &Expr) -> bool {
    match address {
        Expr::Func(_) => true,
        Expr::Object(id, offset) => {
            program.objects.get(*id).is_some_and(|object| u64::try_from(*offset).is_ok_and(|at| at <= object.size))
        }
        _ => false,
    }
}

/// Makes branches on constants jumps.
pub fn fold_terms(function: &mut Function) {
    for (_, block) in function.blocks.iter_mut() {
        if let Some(to) = block.term.only_target() {
            block.term = Term::Jump(to);
        }
    }
}

/// Makes branches on constants jumps, removes blocks that nothing reaches and joins blocks that follow one another.
pub fn fold_blocks(function: &mut Function) {
    fold_terms(function);
    join_chains(function);
    drop_unreached_blocks(function);
}

/// How many terminators of reached blocks name each block; the entry counts once more.
fn entries(function: &Function) -> Vec<u32> {
    let mut count = vec![0; function.blocks.len()];
    let mut todo = vec![Function::ENTRY];
    while let Some(block) = todo.pop() {
        let seen = &mut count[block.0 as usize];
        *seen += 1;
        if *seen == 1 {
            function.blocks[block].term.for_each_target(&mut |to| todo.push(to));
        }
    }
    count
}

/// Appends to each block the one it jumps to, if nothing else goes there.
fn join_chains(function: &mut Function) {
    if function.blocks.is_empty() {
        return;
    }
    let count = entries(function);
    for block in function.blocks.ids() {
        if count[block.0 as usize] == 0 {
            continue;
        }
        while let Term::Jump(next) = function.blocks[block].term
            && next != block
            && next != Function::ENTRY
            && count[next.0 as usize] == 1
        {
            let next = &mut function.blocks[next];
            let mut insts = std::mem::take(&mut next.insts);
            // The emptied block is reached by nothing and will be dropped.
            let term = std::mem::replace(&mut next.term, Term::Unreachable);
            let term_pos = next.term_pos;
            let here = &mut function.blocks[block];
            here.insts.append(&mut insts);
            (here.term, here.term_pos) = (term, term_pos);
        }
    }
}

/// Removes the blocks that nothing reaches.
pub fn drop_unreached_blocks(function: &mut Function) {
    if function.blocks.is_empty() {
        return;
    }
    let reached: Vec<bool> = entries(function).into_iter().map(|count| count != 0).collect();
    let new = function.blocks.keep(&reached);
    for (_, block) in function.blocks.iter_mut() {
        block.term.for_each_target_mut(&mut |to| *to = new[*to]);
    }
}
