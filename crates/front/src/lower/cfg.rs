//! Tidies a control-flow graph: jumps over empty blocks, branches on values just decided, straight lines made one block.

use base::{IdVec, Pos};
use ir::{Block, BlockId, Expr, Function, Inst, InstKind, Reg, Term};
use rustc_hash::FxHashMap;

/// `own` is the number of blocks that stand for blocks of the source; the others, made for edges and loops, are put beside
/// the ones that lead to them.
pub fn tidy(function: &mut Function, own: usize) {
    place_beside(function, own);
    fold_terms(function);
    thread_decisions(function);
    skip_empty(function);
    keep_reachable(function);
    asserts(function);
    skip_empty(function);
    merge_lines(function);
    keep_reachable(function);
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
            function.blocks[id].term.for_each_target(&mut |to| {
                if to.0 as usize >= own {
                    next.push(to);
                }
            });
            work.extend(next.into_iter().rev());
        }
    }
    renumber(function, &order);
}

fn fold_terms(function: &mut Function) {
    for (_, block) in function.blocks.iter_mut() {
        let to = if let Term::Switch { cases, default, .. } = &block.term
            && cases.is_empty()
        {
            Some(*default)
        } else {
            block.term.only_target()
        };
        if let Some(to) = to {
            block.term = Term::Jump(to);
        }
    }
}

/// How often each register is read.
fn reads(function: &Function) -> FxHashMap<Reg, u32> {
    let mut reads = FxHashMap::default();
    let mut count = |expr: &Expr| expr.for_each_reg(&mut |reg| *reads.entry(reg).or_insert(0) += 1);
    for block in function.blocks.values() {
        for inst in &block.insts {
            inst.kind.for_each_expr(&mut count);
        }
        block.term.for_each_expr(&mut count);
    }
    reads
}

/// `a && b` sets a register in two blocks and branches on it in a third.  Branch where it is set instead.
fn thread_decisions(function: &mut Function) {
    let reads = reads(function);
    for id in function.blocks.ids() {
        let Term::Jump(next) = function.blocks[id].term else { continue };
        if next == id || !function.blocks[next].insts.is_empty() {
            continue;
        }
        let Term::Branch { cond, then, other } = &function.blocks[next].term else { continue };
        let (Expr::Reg(reg), then, other) = (cond, *then, *other) else { continue };
        if reads.get(reg) != Some(&1) || then == next || other == next {
            continue;
        }
        let Some(Inst { kind: InstKind::Assign { dst, .. }, .. }) = function.blocks[id].insts.last() else { continue };
        if dst != reg {
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

/// Makes jumps to blocks that only jump go where those go.
fn skip_empty(function: &mut Function) {
    let count = function.blocks.len();
    let mut goal: IdVec<BlockId, BlockId> = function.blocks.ids().collect();
    let next = |block: &Block| {
        let Term::Jump(to) = block.term else { return None };
        block.insts.is_empty().then_some(to)
    };
    // 0: not looked at, 1: on the way, 2: known.
    let mut state = vec![0u8; count];
    for start in function.blocks.ids() {
        let mut path = Vec::new();
        let mut at = start;
        while state[at.0 as usize] == 0 {
            state[at.0 as usize] = 1;
            path.push(at);
            match next(&function.blocks[at]) {
                Some(to) => at = to,
                None => break,
            }
        }
        // An empty loop stays what it is.
        let end = if state[at.0 as usize] == 2 { goal[at] } else { at };
        for block in path {
            state[block.0 as usize] = 2;
            goal[block] = end;
        }
    }
    for (_, block) in function.blocks.iter_mut() {
        match &mut block.term {
            Term::Jump(to) => *to = goal[*to],
            Term::Branch { then, other, .. } => {
                *then = goal[*then];
                *other = goal[*other];
            }
            Term::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, to)| *to = goal[*to]);
                *default = goal[*default];
            }
            Term::Return(_) | Term::ExitThread(_) | Term::Halt | Term::Unreachable => (),
        }
    }
    fold_terms(function);
}

fn predecessors(function: &Function) -> IdVec<BlockId, u32> {
    let mut count = IdVec::filled(0, function.blocks.len());
    if !function.blocks.is_empty() {
        count[Function::ENTRY] += 1;
    }
    for block in function.blocks.values() {
        block.term.for_each_target(&mut |to| count[to] += 1);
    }
    count
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

/// Appends a block to the only one that jumps to it.
fn merge_lines(function: &mut Function) {
    let count = predecessors(function);
    let mut gone = vec![false; function.blocks.len()];
    for id in function.blocks.ids() {
        if gone[id.0 as usize] {
            continue;
        }
        while let Term::Jump(next) = function.blocks[id].term {
            if next == id || next == Function::ENTRY || count[next] != 1 || gone[next.0 as usize] {
                break;
            }
            gone[next.0 as usize] = true;
            let empty = Block { name: String::new(), insts: Vec::new(), term: Term::Unreachable, term_pos: Pos::NONE };
            let name = std::mem::take(&mut function.blocks[next].name);
            let taken = std::mem::replace(&mut function.blocks[next], Block { name, ..empty });
            let block = &mut function.blocks[id];
            block.insts.extend(taken.insts);
            block.term = taken.term;
            block.term_pos = taken.term_pos;
        }
    }
}

fn keep_reachable(function: &mut Function) {
    let mut reached = vec![false; function.blocks.len()];
    let mut work = vec![Function::ENTRY];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    while let Some(id) = work.pop() {
        function.blocks[id].term.for_each_target(&mut |to| {
            if !std::mem::replace(&mut reached[to.0 as usize], true) {
                work.push(to);
            }
        });
    }
    let order: Vec<BlockId> = function.blocks.ids().filter(|id| reached[id.0 as usize]).collect();
    renumber(function, &order);
}

/// Keeps the blocks of the list, in its order; jumps lead only to those.
fn renumber(function: &mut Function, order: &[BlockId]) {
    let mut new_id = IdVec::filled(BlockId(0), function.blocks.len());
    let mut blocks: Vec<Option<Block>> = Vec::with_capacity(function.blocks.len());
    for (_, block) in function.blocks.iter_mut() {
        let empty = Block { name: String::new(), insts: Vec::new(), term: Term::Unreachable, term_pos: Pos::NONE };
        blocks.push(Some(std::mem::replace(block, empty)));
    }
    let mut kept = IdVec::new();
    for &id in order {
        if let Some(block) = blocks[id.0 as usize].take() {
            new_id[id] = kept.push(block);
        }
    }
    for (_, block) in kept.iter_mut() {
        match &mut block.term {
            Term::Jump(to) => *to = new_id[*to],
            Term::Branch { then, other, .. } => {
                *then = new_id[*then];
                *other = new_id[*other];
            }
            Term::Switch { cases, default, .. } => {
                cases.iter_mut().for_each(|(_, to)| *to = new_id[*to]);
                *default = new_id[*default];
            }
            Term::Return(_) | Term::ExitThread(_) | Term::Halt | Term::Unreachable => (),
        }
    }
    function.blocks = kept;
}
