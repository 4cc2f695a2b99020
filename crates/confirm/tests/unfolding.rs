//! What `passes::unfold` makes of the test programs is validated; what is made from it by leaving out or exchanging is not.

mod common;

use base::Budget;
use common::Loaded;
use facts::Facts;
use ir::{BinOp, BlockId, Expr, FuncId, Function, Goal, Inst, InstKind, Program, Term, Ty};
use passes::{Bounds, ThreadId, Unfolded};

fn unfold(program: &Program, bounds: &Bounds) -> Unfolded {
    let budget = Budget::unlimited();
    passes::unfold(program, &Facts::compute(program), Goal::Assertion, bounds, &budget).expect("without limits")
}

/// Makes something wrong in the unfolded program, if that is possible there.
type Fault = fn(&mut Function, BlockId, usize) -> Option<()>;

fn inst(function: &mut Function, block: BlockId, at: usize) -> Option<&mut InstKind> {
    function.blocks[block].insts.get_mut(at).map(|inst| &mut inst.kind)
}

/// The end of a block, if two ways go on from there that are both to be taken.
fn branch(function: &mut Function, block: BlockId, at: usize) -> Option<&mut Term> {
    let is_end = function.blocks[block].insts.len() == at && goes_on(function, block);
    Some(&mut function.blocks[block].term).filter(|term| is_end && matches!(term, Term::Branch { .. }))
}

/// Leaves one side of what is assumed, if that is a disjunction.
fn keep_side(kind: Option<&mut InstKind>, side: fn(Expr, Expr) -> Expr) -> Option<()> {
    let InstKind::Assume { cond } = kind? else { return None };
    let Expr::Bin(BinOp::Or, left, right) = cond.clone() else { return None };
    *cond = side(*left, *right);
    Some(())
}

/// Do all ways from the block lead on?
fn goes_on(function: &Function, block: BlockId) -> bool {
    let mut all = true;
    function.blocks[block].term.for_each_target(&mut |to| all &= !is_doomed(function, to));
    all
}

/// Do all ways from the block lead to something that is not supported, or to a cut, so that what it does before does not matter?
fn is_doomed(function: &Function, block: BlockId) -> bool {
    is_doomed_within(function, block, 8)
}

fn is_doomed_within(function: &Function, block: BlockId, blocks: u32) -> bool {
    let data = &function.blocks[block];
    let unsupported = data.insts.iter().any(|inst| matches!(inst.kind, InstKind::Unsupported { .. }));
    let (mut any, mut all) = (false, true);
    // Ways back do not count: the loop may go on.
    data.term.for_each_target(&mut |to| {
        (any, all) = (true, all && to > block && blocks > 0 && is_doomed_within(function, to, blocks - 1))
    });
    unsupported || matches!(data.term, Term::Unreachable) || any && all
}

/// Nearly all of them change what the program does, wherever they are put.
const FAULTS: [(&str, Fault); 12] = [
    ("an access, input or section left out", |function, block, at| {
        // Without what it read the program would take another way, which is not supported.
        let goes_on = goes_on(function, block);
        let kind = inst(function, block, at)?;
        let counts = kind.access().is_some() && goes_on
            || kind.nesting() != 0
            || matches!(kind, InstKind::Havoc { .. } | InstKind::Join { .. } | InstKind::Assert { .. });
        counts.then(|| _ = function.blocks[block].insts.remove(at))
    }),
    ("a fence where something was", |function, block, at| {
        let kind = inst(function, block, at)?;
        let counts = matches!(kind, InstKind::Store { .. } | InstKind::Assert { .. });
        counts.then(|| *kind = InstKind::Fence { order: ir::Order::SeqCst })
    }),
    ("another value stored", |function, block, at| {
        let kind = inst(function, block, at)?;
        let InstKind::Store { value: Expr::Const(Ty::Int(_), value), .. } = kind else { return None };
        *value ^= 1;
        Some(())
    }),
    ("another address", |function, block, at| {
        let (InstKind::Store { addr, .. } | InstKind::Load { addr, .. }) = inst(function, block, at)? else {
            return None;
        };
        let Expr::Object(_, offset) = addr else { return None };
        *offset += 1;
        Some(())
    }),
    ("an assumption too many", |function, block, at| {
        let counts = matches!(inst(function, block, at)?, InstKind::Store { .. });
        let data = &mut function.blocks[block];
        let never = Inst { kind: InstKind::Assume { cond: Expr::bool(false) }, pos: data.term_pos };
        counts.then(|| data.insts.insert(at, never))
    }),
    ("the other way", |function, block, at| {
        let Term::Branch { then, other, .. } = branch(function, block, at)? else { return None };
        (then != other).then(|| std::mem::swap(then, other))
    }),
    ("a way left out", |function, block, at| {
        let term = branch(function, block, at)?;
        let Term::Branch { then, other, .. } = *term else { return None };
        (then != other).then(|| *term = Term::Jump(other))
    }),
    ("the end come early", |function, block, at| branch(function, block, at).map(|term| *term = Term::Halt)),
    ("a change not noted", |function, block, at| {
        let InstKind::Assign { dst, .. } = *inst(function, block, at)? else { return None };
        let value = Expr::bool(false);
        let notes = function.regs[dst].name.starts_with("changed");
        notes.then(|| function.blocks[block].insts[at].kind = InstKind::Assign { dst, value })
    }),
    ("a register not compared", |function, block, at| keep_side(inst(function, block, at), |left, _| left)),
    ("memory not compared", |function, block, at| keep_side(inst(function, block, at), |_, right| right)),
    ("two inputs in one", |function, block, at| {
        let InstKind::Havoc { dst, .. } = *inst(function, block, at)? else { return None };
        let value = Expr::Const(function.ty(dst), 0);
        function.blocks[block].insts[at].kind = InstKind::Assign { dst, value };
        Some(())
    }),
];

/// The blocks that control can come to before something is not supported.
fn reached(function: &Function) -> Vec<BlockId> {
    let mut reached = vec![Function::ENTRY];
    let mut next = 0;
    while let Some(block) = reached.get(next).map(|block| &function.blocks[*block]) {
        next += 1;
        if !block.insts.iter().any(|inst| matches!(inst.kind, InstKind::Unsupported { .. })) {
            block.term.for_each_target(&mut |to| {
                if !reached.contains(&to) {
                    reached.push(to);
                }
            });
        }
    }
    reached
}

/// The functions of the threads that are started before something is not supported.
fn started(unfolded: &Unfolded) -> Vec<FuncId> {
    let mut started = vec![unfolded.threads[ThreadId::FIRST].func];
    for thread in unfolded.threads.values() {
        for block in unfolded.program.functions[thread.func].blocks.values() {
            let supported = |inst: &&Inst| !matches!(inst.kind, InstKind::Unsupported { .. });
            started.extend(block.insts.iter().take_while(supported).filter_map(|inst| inst.kind.direct_callee()));
        }
    }
    started
}

/// Faults that are not refused.
fn accepted(program: &Program, unfolded: &mut Unfolded, most: usize) -> (usize, Vec<String>) {
    let (mut tried, mut wrong) = (0, Vec::new());
    for func in started(unfolded) {
        let good = unfolded.program.functions[func].clone();
        let places: usize = good.blocks.values().map(|block| block.insts.len() + 1).sum();
        let every = places.div_ceil(most);
        let reached = reached(&good);
        for (what, fault) in FAULTS {
            let all = good.blocks.iter().flat_map(|(id, block)| (0..=block.insts.len()).map(move |at| (id, at)));
            for (block, at) in all.skip(tried % every).step_by(every) {
                let function = &mut unfolded.program.functions[func];
                if reached.contains(&block) && !is_doomed(function, block) && fault(function, block, at).is_some() {
                    tried += 1;
                    if confirm::unfolding::check(program, unfolded).is_ok() {
                        wrong.push(format!("{what}, {}, {block} {at}", good.name));
                    }
                }
                unfolded.program.functions[func] = good.clone();
            }
        }
    }
    (tried, wrong)
}

#[test]
fn programs_in_c() {
    let (mut tried, mut passed) = (0, Vec::new());
    let mut wrong = Vec::new();
    for Loaded { name, program, .. } in common::programs_in_c() {
        for (kind, bounds) in [("bounded", Bounds::new(3)), ("keeping loops", Bounds::keeping_loops(64))] {
            let mut unfolded = unfold(&program, &bounds);
            if let Err(why) = confirm::unfolding::check(&program, &unfolded) {
                wrong.push(format!("{name}, {kind}: {why}"));
            }
            // Where blocks take the places of others something is believed.
            if unfolded.reuses.is_empty() {
                let (faults, accepted) = accepted(&program, &mut unfolded, 20);
                tried += faults;
                passed.extend(accepted.into_iter().map(|what| format!("{name}, {kind}: {what}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} programs\n{}", wrong.len(), wrong.join("\n"));
    // Some faults make no difference: ways that meet again at once, steps before something that is not supported.
    assert!(400 * passed.len() < tried, "{} of {tried} faults accepted\n{}", passed.len(), passed.join("\n"));
}
