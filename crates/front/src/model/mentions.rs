//! Which functions are mentioned, and where.

use base::Pos;
use ir::{Expr, FuncId, InitValue, Inst, Program};

/// Which functions have their address taken somewhere.
pub fn address_taken(program: &Program) -> Vec<bool> {
    let mut taken = vec![false; program.functions.len()];
    program.addressed_functions().into_iter().for_each(|func| taken[func.0 as usize] = true);
    taken
}

/// Where the address of the function is first taken, in the order of the program.
pub fn first_mention(program: &Program, wanted: FuncId) -> Pos {
    let mentions = |inst: &&Inst| !inst.pos.is_none() && inst.kind.any(&mut |part| *part == Expr::Func(wanted));
    let objects = program
        .objects
        .values()
        .filter(|object| object.init.iter().any(|init| matches!(init.value, InitValue::Function(id) if id == wanted)));
    let pos = program.insts().find(mentions).map(|inst| inst.pos);
    pos.or_else(|| objects.map(|object| object.pos).find(|pos| !pos.is_none())).unwrap_or(Pos::NONE)
}

/// Which functions are called, started or have their address taken somewhere.
pub fn mentioned(program: &Program) -> Vec<bool> {
    let mut mentioned = address_taken(program);
    let callees = program.insts().filter_map(|inst| inst.kind.direct_callee());
    callees.for_each(|id| mentioned[id.0 as usize] = true);
    mentioned
}
