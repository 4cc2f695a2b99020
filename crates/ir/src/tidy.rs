//! Tidies a function after splicing: copies through temporaries, constants that travel by one, and results that nobody
//! reads.  The user's variables are left alone, because traces show them.

use crate::fold::{fold, fold_blocks};
use crate::program::*;

/// Tidies one function; every execution of the new one is one of the old one without some local steps.
pub fn tidy(program: &mut Program, id: FuncId) {
    let mut function = std::mem::take(&mut program.functions[id]);
    carry_constants(program, &mut function);
    fold_blocks(&mut function);
    join_copies(&mut function);
    drop_dead(&mut function);
    drop_unused_registers(&mut function, |data| data.user);
    program.functions[id] = function;
}

/// Replaces temporaries by the constant they were given earlier in the same block.
fn carry_constants(program: &Program, function: &mut Function) {
    let mut known: Vec<Option<Expr>> = vec![None; function.regs.len()];
    let mut live: Vec<Reg> = Vec::new();
    for block in function.blocks.ids() {
        live.drain(..).for_each(|reg| known[reg.0 as usize] = None);
        let block = &mut function.blocks[block];
        for inst in &mut block.insts {
            if !live.is_empty() {
                inst.kind.for_each_expr_mut(&mut |expr| put(program, &known, expr));
            }
            if let Some(dst) = inst.kind.dst() {
                known[dst.0 as usize] = None;
            }
            if let InstKind::Assign { dst, value: value @ (Expr::Const(..) | Expr::Func(_)) } = &inst.kind
                && !function.regs[*dst].user
            {
                known[dst.0 as usize] = Some(value.clone());
                live.push(*dst);
            }
        }
        if !live.is_empty() {
            block.term.for_each_expr_mut(&mut |expr| put(program, &known, expr));
        }
    }
}

fn put(program: &Program, known: &[Option<Expr>], expr: &mut Expr) {
    if expr.any(&mut |part| matches!(part, Expr::Reg(reg) if known[reg.0 as usize].is_some())) {
        expr.map_regs(&mut |reg| known[reg.0 as usize].clone().unwrap_or(Expr::Reg(reg)));
        *expr = fold(program, expr.take());
    }
}

/// Turns `%t = havoc`, `%x = %t` into `%x = havoc` where nothing else reads the temporary.
fn join_copies(function: &mut Function) {
    let reads = function.reads();
    let regs = &function.regs;
    let passes = |reg: Reg, to: Reg| reads[reg] == 1 && !regs[reg].user && regs[reg].ty == regs[to].ty;
    for (_, block) in function.blocks.iter_mut() {
        let mut kept: Vec<Inst> = Vec::with_capacity(block.insts.len());
        for inst in std::mem::take(&mut block.insts) {
            if let InstKind::Assign { dst, value: Expr::Reg(from) } = &inst.kind
                && passes(*from, *dst)
                && let Some(made) = kept.last_mut().and_then(|last| last.kind.dst_mut())
                && *made == *from
            {
                *made = *dst;
            } else {
                kept.push(inst);
            }
        }
        block.insts = kept;
    }
}

/// Drops assignments to temporaries that nobody reads, and the results of other instructions that nobody reads.
fn drop_dead(function: &mut Function) {
    let mut reads = function.reads();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        let regs = &function.regs;
        for (_, block) in function.blocks.iter_mut() {
            block.insts.retain_mut(|inst| {
                let Some(dst) = inst.kind.dst() else { return true };
                if reads[dst] != 0 || regs[dst].user {
                    return true;
                }
                if let InstKind::Assign { value, .. } = &inst.kind
                    && !value.can_fault()
                {
                    value.for_each_reg(&mut |reg| reads[reg] -= 1);
                    changed = true;
                    return false;
                }
                // An input of the user's is kept: those who replay a trace count on its place in the order.
                if let InstKind::Havoc { input: Input::Choice(_) | Input::Extern(_) | Input::Uninit(_), .. } = inst.kind
                {
                    return false;
                }
                // All others do more than give a result, or may be an error.
                if let InstKind::Update { dst, .. }
                | InstKind::Call { dst, .. }
                | InstKind::Spawn { dst, .. }
                | InstKind::Join { dst, .. } = &mut inst.kind
                {
                    *dst = None;
                }
                true
            });
        }
    }
}

/// Removes registers that no instruction mentions, except those for which `keep` holds.
pub fn drop_unused_registers(function: &mut Function, keep: impl Fn(&RegData) -> bool) {
    let reads = function.reads();
    let mut used: Vec<bool> = function.regs.iter().map(|(reg, data)| reads[reg] != 0 || keep(data)).collect();
    let written = function.insts().filter_map(|inst| inst.kind.dst());
    written.chain(function.params.iter().copied()).for_each(|reg| used[reg.0 as usize] = true);
    if used.iter().all(|used| *used) {
        return;
    }
    let new = function.regs.keep(&used);
    function.params.iter_mut().for_each(|reg| *reg = new[*reg]);
    let insts = function.blocks.iter_mut().flat_map(|(_, block)| &mut block.insts);
    insts.filter_map(|inst| inst.kind.dst_mut()).for_each(|dst| *dst = new[*dst]);
    function.for_each_expr_mut(&mut |expr| expr.map_regs(&mut |reg| Expr::Reg(new[reg])));
}
