//! Tidies a control-flow graph: jumps over empty blocks, branches on values just decided, straight lines made one block.

use base::{BitSet, Id, IdVec};
use ir::fold::{fold_blocks, fold_terms};
use ir::{Block, BlockId, Expr, Function, Inst, InstKind, Reg, Term};

/// `own` is the number of blocks that stand for blocks of the source; the others, made for edges and loops, are put beside
/// the ones that lead to them.
pub fn tidy(function: &mut Function, own: usize) {
    place_beside(function, own);
    fold_terms(function);
    thread_decisions(function);
    skip_empty(function);
    asserts(function);
    skip_empty(function);
    fold_blocks(function);
}

fn place_beside(function: &mut Function, own: usize) {
    let mut order = Vec::with_capacity(function.blocks.len());
    let mut placed = vec![false; function.blocks.len()];
    for start in function.blocks.ids() {
        let mut work = vec![start];
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut placed[id.0 as usize], true) {
                continue;
            }
            order.push(id);
            let mut next = Vec::new();
            function.blocks[id].term.for_each_target(&mut |to| next.push(to));
            work.extend(next.into_iter().rev().filter(|to| to.0 as usize >= own));
        }
    }
    renumber(function, &order);
}

/// `a && b` sets a register in two blocks and branches on it in a third.  Branch where it is set instead.
fn thread_decisions(function: &mut Function) {
    let reads = function.reads();
    for id in function.blocks.ids() {
        let Term::Jump(next) = function.blocks[id].term else { continue };
        if next == id || !function.blocks[next].insts.is_empty() {
            continue;
        }
        let Term::Branch { cond, then, other } = &function.blocks[next].term else { continue };
        let (Expr::Reg(reg), then, other) = (cond, *then, *other) else { continue };
        if reads[*reg] != 1 || then == next || other == next {
            continue;
        }
        let Some(Inst { kind: InstKind::Assign { dst, .. }, .. }) = function.blocks[id].insts.last() else { continue };
        if dst != reg {
            continue;
        }
        // Where it is asked again before it is set, it is still needed.
        if comes_unset(function, *reg, [then, other], next) {
            continue;
        }
        let pos = function.blocks[next].term_pos;
        let block = &mut function.blocks[id];
        let Some(Inst { kind: InstKind::Assign { value, .. }, pos: set }) = block.insts.pop() else { continue };
        block.term = match value {
            Expr::Const(_, value) => Term::Jump(if value == 0 { other } else { then }),
            cond => Term::Branch { cond, then, other },
        };
        block.term_pos = if set.is_none() { pos } else { set };
    }
}

/// Does control come from one of the blocks to another one without setting the register?
fn comes_unset(function: &Function, reg: Reg, from: [BlockId; 2], to: BlockId) -> bool {
    let mut seen = BitSet::new();
    let mut work = from.to_vec();
    while let Some(block) = work.pop() {
        let sets = function.blocks[block].insts.iter().any(|inst| inst.kind.dst() == Some(reg));
        if block == to {
            return true;
        }
        if seen.insert(block.index()) && !sets {
            function.blocks[block].term.for_each_target(&mut |next| work.push(next));
        }
    }
    false
}

/// Makes jumps to blocks that only jump go where those go.
fn skip_empty(function: &mut Function) {
    let next = |at: BlockId| match &function.blocks[at] {
        Block { insts, term: Term::Jump(to), .. } if insts.is_empty() => Some(*to),
        _ => None,
    };
    let goal = |start: BlockId| {
        let mut at = start;
        for _ in function.blocks.ids() {
            match next(at) {
                Some(to) => at = to,
                None => return at,
            }
        }
        // An empty loop stays what it is.
        start
    };
    let goals: IdVec<BlockId, BlockId> = function.blocks.ids().map(goal).collect();
    for (_, block) in function.blocks.iter_mut() {
        block.term.for_each_target_mut(&mut |to| *to = goals[*to]);
    }
    fold_terms(function);
}

/// `if (!c) fail` is `assert c`.
fn asserts(function: &mut Function) {
    let fails = |block: &Block| match (&block.insts[..], &block.term) {
        ([Inst { kind: InstKind::Assert { cond, check, message }, pos }], Term::Halt) if *cond == Expr::bool(false) => {
            Some((*check, message.clone(), *pos))
        }
        _ => None,
    };
    for id in function.blocks.ids() {
        let Term::Branch { cond, then, other } = &function.blocks[id].term else { continue };
        let (then, other) = (*then, *other);
        let (cond, (check, message, pos), next) = match (fails(&function.blocks[then]), fails(&function.blocks[other]))
        {
            (None, Some(failure)) => (cond.clone(), failure, then),
            (Some(failure), None) => {
                let fold = super::fold::Fold { regs: &function.regs, pointer_bits: 64 };
                (fold.not(cond.clone()), failure, other)
            }
            _ => continue,
        };
        let block = &mut function.blocks[id];
        block.insts.push(Inst { kind: InstKind::Assert { cond, check, message }, pos });
        block.term = Term::Jump(next);
    }
}

/// Brings the blocks into the order of the list, which has all of them.
fn renumber(function: &mut Function, order: &[BlockId]) {
    let mut new_id = IdVec::filled(BlockId(0), function.blocks.len());
    let mut old: Vec<Option<Block>> = std::mem::take(&mut function.blocks).into_values().map(Some).collect();
    for &id in order {
        if let Some(block) = old[id.0 as usize].take() {
            new_id[id] = function.blocks.push(block);
        }
    }
    for (_, block) in function.blocks.iter_mut() {
        block.term.for_each_target_mut(&mut |to| *to = new_id[*to]);
    }
}
