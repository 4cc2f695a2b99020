//! Which functions are mentioned, and where.

use base::Pos;
use ir::{Expr, FuncId, InitValue, Inst, Program};

/// Calls `f` for each function whose address an expression mentions.
fn for_each_address(expr: &Expr, f: &mut impl FnMut(FuncId)) {
    expr.for_each(&mut |expr| {
        if let Expr::Func(id) = expr {
            f(*id);
        }
    });
}

/// Which functions have their address taken somewhere.
pub fn address_taken(program: &Program) -> Vec<bool> {
    let mut taken = vec![false; program.functions.len()];
    let mut mark = |id: FuncId| {
        if let Some(slot) = taken.get_mut(id.0 as usize) {
            *slot = true;
        }
    };
    for function in program.functions.values() {
        function.for_each_expr(&mut |expr| for_each_address(expr, &mut mark));
    }
    for init in program.objects.values().flat_map(|object| &object.init) {
        if let InitValue::Function(id) = init.value {
            mark(id);
        }
    }
    taken
}

/// Where the address of the function is first taken, in the order of the program.
pub fn first_mention(program: &Program, wanted: FuncId) -> Pos {
    let mentions = |inst: &&Inst| {
        let mut found = false;
        inst.kind.for_each_expr(&mut |expr| for_each_address(expr, &mut |id| found |= id == wanted));
        found && !inst.pos.is_none()
    };
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
    for id in program.insts().filter_map(|inst| inst.kind.direct_callee()) {
        if let Some(slot) = mentioned.get_mut(id.0 as usize) {
            *slot = true;
        }
    }
    mentioned
}
