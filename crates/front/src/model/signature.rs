//! Makes calls fit the functions they call.
//!
//! The user's declaration of a library function may differ from the model's (old preprocessed files, no declaration at
//! all), and C lets a call through the wrong type compile.  Arguments are converted as registers of the machine would
//! be: cut off or filled with zeros, extra ones dropped.  Missing ones are anything where the program's own functions take them;
//! the model's get zero.

use base::Pos;
use ir::fold::fold;
use ir::{BinOp, Callee, CastOp, Expr, FuncId, Function, Input, Inst, InstKind, Program, Reg, RegData, Ty};

/// The types of the parameters and of the result.
pub type Signature = (Vec<Ty>, Option<Ty>);

pub fn signature(function: &Function) -> Signature {
    (function.params.iter().map(|reg| function.ty(*reg)).collect(), function.result)
}

/// The value as one of type `to`.
fn convert(program: &Program, value: Expr, from: Ty, to: Ty) -> Expr {
    let pointer = program.pointer_int();
    match (from, to) {
        (from, to) if from == to => value,
        (Ty::Int(a), Ty::Int(b)) => Expr::cast(if a < b { CastOp::ZExt } else { CastOp::Trunc }, to, value),
        (Ty::Ptr, _) => convert(program, Expr::cast(CastOp::PtrToInt, pointer, value), pointer, to),
        (_, Ty::Ptr) => Expr::cast(CastOp::IntToPtr, Ty::Ptr, convert(program, value, from, pointer)),
        (Ty::Int(_), _) => Expr::cast(CastOp::SignedToFloat, to, value),
        (_, Ty::Int(_)) => Expr::cast(CastOp::FloatToSigned, to, value),
        (_, _) => Expr::cast(CastOp::Float, to, value),
    }
}

/// The register with the list of variable arguments is called so, in who makes it and in who takes it.  No name of C has dots.
pub const LIST: &str = "variable.arguments";

pub fn is_list(name: &str) -> bool {
    name.starts_with(LIST)
}

/// Is it an integer that one side extends by its sign or by zeros, and nobody knows by which?  The machine fills with zeros
/// what has 32 bits.
pub fn sign_is_lost(program: &Program, from: Ty, to: Ty) -> bool {
    matches!(from, Ty::Int(2..32)) && program.bits_of(to) > program.bits_of(from)
}

/// Inputs for the parameters of a function of the program's own that get no arguments.
fn add_missing(program: &Program, caller: &mut Function, id: FuncId, args: &mut Vec<Expr>, out: &mut Vec<Inst>) {
    let callee = &program.functions[id];
    if callee.model {
        return;
    }
    for param in callee.params.iter().skip(args.len()) {
        // A list that is missing is an empty one.
        if !is_list(&callee.regs[*param].name) {
            let dst = fresh_reg(caller, "missing", callee.ty(*param));
            let input = Input::Uninit("missing argument".to_string());
            out.push(Inst { kind: InstKind::Havoc { dst, input }, pos: Pos::NONE });
            args.push(Expr::Reg(dst));
        }
    }
}

/// Arguments for parameters of the given types.
fn fit_args(program: &Program, caller: &Function, args: &[Expr], params: &[Ty]) -> Vec<Expr> {
    let fit = |(i, ty): (usize, &Ty)| match args.get(i) {
        Some(arg) => fold(program, convert(program, arg.clone(), caller.type_of(program, arg, None), *ty)),
        None => Expr::Const(*ty, 0),
    };
    params.iter().enumerate().map(fit).collect()
}

/// Parameters of this name are asked only whether they are 0, so a conversion must not lose that.
pub const TRUTH: &str = "truth";

fn truth(program: &Program, caller: &Function, arg: &Expr, to: Ty) -> Expr {
    let from = caller.type_of(program, arg, None);
    if from == to {
        return arg.clone();
    }
    let op = if from.is_float() { BinOp::FOeq } else { BinOp::Eq };
    let is_zero = Expr::bin(op, arg.clone(), Expr::Const(from, 0));
    fold(program, Expr::select(is_zero, Expr::Const(to, 0), Expr::Const(to, 1)))
}

/// Adapts all direct calls in `caller` to the functions they call.
pub fn fit_calls(program: &mut Program, caller: FuncId) {
    let misfit = |inst: &Inst| {
        let InstKind::Call { dst, callee: Callee::Direct(id), args } = &inst.kind else { return false };
        let (params, result) = signature(&program.functions[*id]);
        let function = &program.functions[caller];
        args.len() != params.len()
            || args.iter().zip(&params).any(|(arg, ty)| function.type_of(program, arg, None) != *ty)
            || dst.is_some_and(|dst| Some(function.ty(dst)) != result)
    };
    if !program.functions[caller].blocks.values().any(|block| block.insts.iter().any(misfit)) {
        return;
    }
    let mut function = program.functions[caller].clone();
    for block in function.blocks.ids() {
        let insts = std::mem::take(&mut function.blocks[block].insts);
        let mut out = Vec::with_capacity(insts.len());
        for inst in insts {
            if let InstKind::Call { dst, callee: Callee::Direct(id), args } = &inst.kind {
                fit_call(program, &mut function, *dst, *id, args, inst.pos, &mut out);
            } else {
                out.push(inst);
            }
        }
        function.blocks[block].insts = out;
    }
    program.functions[caller] = function;
}

/// Adapts a call of the function `id`.
pub fn fit_call(
    program: &Program,
    caller: &mut Function,
    dst: Option<Reg>,
    id: FuncId,
    args: &[Expr],
    pos: Pos,
    out: &mut Vec<Inst>,
) {
    let (params, result) = signature(&program.functions[id]);
    let mut given = args.to_vec();
    add_missing(program, caller, id, &mut given, out);
    let args = &given;
    let own = !program.functions[id].model;
    let narrow = |(arg, param): (&Expr, &Ty)| sign_is_lost(program, caller.type_of(program, arg, None), *param);
    let lost = |(dst, given)| sign_is_lost(program, given, caller.ty(dst));
    if own && (args.iter().zip(&params).any(narrow) || dst.zip(result).is_some_and(lost)) {
        // What the model calls has no position of its own.
        let pos = if pos.is_none() { program.functions[id].pos } else { pos };
        let what = format!("a call of {} that widens a value narrower than an `int`", program.functions[id].name);
        out.push(Inst { kind: InstKind::Unsupported { what }, pos });
    }
    let mut fitted = fit_args(program, caller, args, &params);
    for (i, param) in program.functions[id].params.iter().enumerate() {
        if let Some(arg) = args.get(i).filter(|_| program.functions[id].regs[*param].name == TRUTH) {
            fitted[i] = truth(program, caller, arg, params[i]);
        }
    }
    let args = fitted;
    let call = |dst| Inst { kind: InstKind::Call { dst, callee: Callee::Direct(id), args }, pos };
    match (dst, result) {
        (Some(wanted), Some(given)) if caller.ty(wanted) != given => {
            let plain = fresh_reg(caller, "result", given);
            out.push(call(Some(plain)));
            let value = convert(program, Expr::Reg(plain), given, caller.ty(wanted));
            out.push(Inst { kind: InstKind::Assign { dst: wanted, value }, pos });
        }
        // The caller looks at a result that is not there.
        (Some(wanted), None) => {
            out.push(call(None));
            let input = Input::Extern(program.functions[id].name.trim_end_matches(".model").to_string());
            out.push(Inst { kind: InstKind::Havoc { dst: wanted, input }, pos });
        }
        (dst, _) => out.push(call(dst)),
    }
}

/// A new temporary with a name of its own.
pub fn fresh_reg(function: &mut Function, stem: &str, ty: Ty) -> Reg {
    let mut number = function.regs.len();
    let mut name = format!("{stem}.{number}");
    while function.regs.values().any(|reg| reg.name == name) {
        number += 1;
        name = format!("{stem}.{number}");
    }
    function.regs.push(RegData { name, ty, layout: None, user: false })
}
