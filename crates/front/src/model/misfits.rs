//! Calls through pointers that do not fit the function they reach.
//!
//! C lets them compile.  What the callee then finds in its registers is nobody's meaning: an argument that was not passed, the
//! upper bits of a narrow one, a list of variable arguments where it takes none, or none where it takes one.  The program
//! itself says that such a call is not supported: it compares the pointer with the functions that do not fit, of those that
//! it may point to, before the call.  The same goes for functions that are none of the program's, where a variable that nobody
//! defines may hold one.

use super::signature::{is_list, sign_is_lost};
use crate::lower::entry::CONTENT;
use base::Pos;
use facts::Facts;
use facts::cfg::Point;
use ir::{BinOp, Block, BlockId, Callee, Expr, FuncId, Input, Inst, InstKind, Program, Term};

pub fn refuse_misfits(program: &mut Program) {
    let undefined = undefined_variables(program);
    if undefined.is_empty() && !may_misfit(program) {
        return;
    }
    let facts = Facts::without_numbers(program);
    let addressed = program.addressed_functions();
    for id in program.functions.ids() {
        // Blocks that are split here go on in new ones, which are not looked at again.
        for block in program.functions[id].blocks.ids() {
            for index in (0..program.functions[id].blocks[block].insts.len()).rev() {
                let mut point = Point { func: id, block, inst: index as u32 };
                let kind = &program.functions[id].blocks[block].insts[index].kind;
                let Some(Callee::Indirect(target)) = kind.callee() else { continue };
                let may_be_anything = match target {
                    Expr::Reg(reg) => {
                        let value = facts.values[id].used(point, *reg);
                        value.is_none_or(|value| facts.points_to.value(id, value).anywhere())
                    }
                    _ => true,
                };
                let is = |id: &FuncId| Expr::bin(BinOp::Eq, target.clone(), Expr::Func(*id));
                let unknown = (may_be_anything && !undefined.is_empty()).then(|| {
                    let is_null = Expr::bin(BinOp::Eq, target.clone(), Expr::null());
                    let known = addressed.iter().map(is).fold(is_null, |left, right| Expr::bin(BinOp::Or, left, right));
                    Expr::bin(BinOp::Eq, known, Expr::bool(false))
                });
                let reached = facts.points_to.callees(point);
                let wrong: Vec<FuncId> = reached.iter().copied().filter(|to| !fits(program, id, kind, *to)).collect();
                let misfit = wrong.iter().map(is).reduce(|left, right| Expr::bin(BinOp::Or, left, right));
                if let Some(cond) = misfit {
                    let names: Vec<&str> = wrong.iter().map(|id| program.functions[*id].name.as_str()).collect();
                    let what = format!("a call of {} with values that do not fit", names.join(" or "));
                    let own = program.functions[wrong[0]].pos;
                    point = refuse(program, point, cond, what, own);
                }
                if let Some(cond) = unknown {
                    let what = format!("a call of what {undefined} may hold, declared but not defined");
                    refuse(program, point, cond, what, Pos::NONE);
                }
            }
        }
    }
}

/// The variables that are declared but not defined and hold any value at first: an execution that ended where it calls one
/// of them, since that is none of the program's functions, would hide what comes then.
fn undefined_variables(program: &Program) -> String {
    let content = |inst: &Inst| {
        let InstKind::Havoc { input: Input::Choice(what), .. } = &inst.kind else { return None };
        what.strip_prefix(CONTENT).map(str::to_string)
    };
    let mut names: Vec<String> = program.insts().filter_map(content).collect();
    names.sort();
    names.dedup();
    if names.len() > 3 { "a variable".to_string() } else { names.join(" or ") }
}

/// Is there a call that would not fit some function whose address is taken?
fn may_misfit(program: &Program) -> bool {
    let addressed = program.addressed_functions();
    program.functions.iter().any(|(id, function)| {
        let mut insts = function.blocks.values().flat_map(|block| &block.insts);
        insts.any(|inst| addressed.iter().any(|to| !fits(program, id, &inst.kind, *to)))
    })
}

/// Does a call or start, if it is one through a pointer, fit the function?
fn fits(program: &Program, caller: FuncId, kind: &InstKind, to: FuncId) -> bool {
    let (args, dst) = if let InstKind::Call { dst, callee: Callee::Indirect(_), args } = kind {
        (args, *dst)
    } else if let InstKind::Spawn { callee: Callee::Indirect(_), args, .. } = kind {
        (args, None)
    } else {
        return true;
    };
    let (caller, callee) = (&program.functions[caller], &program.functions[to]);
    let has_list = matches!(args.last(), Some(Expr::Reg(reg)) if is_list(&caller.regs[*reg].name));
    let takes_list = callee.params.last().is_some_and(|param| is_list(&callee.regs[*param].name));
    let given = args.len() - usize::from(has_list);
    let wanted = callee.params.len() - usize::from(takes_list);
    // A list that is missing is an empty one.
    let counts = if takes_list { given == wanted } else { given >= wanted };
    let same_registers =
        |from: ir::Ty, to: ir::Ty| from.is_float() == to.is_float() && !sign_is_lost(program, from, to);
    let passed =
        |(arg, param): (&Expr, &ir::Reg)| same_registers(caller.type_of(program, arg, None), callee.ty(*param));
    let returned = dst.is_none_or(|dst| callee.result.is_some_and(|given| same_registers(given, caller.ty(dst))));
    counts && returned && args.iter().zip(&callee.params).take(wanted).all(passed)
}

/// Ends the execution before the call if the condition holds; returns where the call is now.
fn refuse(program: &mut Program, at: Point, cond: Expr, what: String, own: Pos) -> Point {
    let function = &mut program.functions[at.func];
    let index = at.inst as usize;
    let inst = &function.blocks[at.block].insts[index];
    // What the model calls has no position of its own.
    let pos = if inst.pos.is_none() { own } else { inst.pos };
    let block = &mut function.blocks[at.block];
    let rest = Block {
        name: format!("{}.fits.{index}", block.name),
        insts: block.insts.split_off(index),
        term: std::mem::replace(&mut block.term, Term::Unreachable),
        term_pos: block.term_pos,
    };
    let refusal = Block {
        name: format!("{}.misfit.{index}", block.name),
        insts: vec![Inst { kind: InstKind::Unsupported { what }, pos }],
        term: Term::Unreachable,
        term_pos: pos,
    };
    let (other, then): (BlockId, BlockId) = (function.blocks.push(rest), function.blocks.push(refusal));
    let block = &mut function.blocks[at.block];
    block.term = Term::Branch { cond, then, other };
    block.term_pos = pos;
    Point::new(at.func, other, 0)
}
