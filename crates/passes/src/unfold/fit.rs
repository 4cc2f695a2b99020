//! Calls through pointers: to which functions they go, and what happens with those that do not quite fit.
//!
//! C lets the latter compile, and the interpreter makes them: arguments beyond the parameters are dropped, missing ones are zero, values
//! are passed on as their bits, a result that nobody returns is zero.  What it does with a value that has more bits than its new
//! type is nobody's meaning: reaching such a call is not supported.

use super::walk::Walk;
use base::Pos;
use facts::Point;
use ir::{BinOp, Callee, CastOp, Expr, FuncId, InstKind, Program, Reg, Term, Ty};

/// What is not supported where by the facts no execution comes.
pub const EXCLUDED: &str = "what the facts exclude";

/// A function that a call or spawn may go to.
pub(super) struct Candidate {
    /// The condition under which it does; `None` if it surely does.
    pub when: Option<Expr>,
    pub func: FuncId,
    /// Not if the facts exclude it.
    pub possible: bool,
}

impl Walk<'_> {
    /// The functions a call or spawn may go to.
    pub(super) fn candidates(&self, point: Point, callee: &Callee) -> Vec<Candidate> {
        match callee {
            Callee::Direct(func) | Callee::Indirect(Expr::Func(func)) => {
                vec![Candidate { when: None, func: *func, possible: true }]
            }
            Callee::Indirect(target) => {
                let callees = self.facts.points_to.callees(point);
                let others = self.shapes.addressed.iter().filter(|func| !callees.contains(func));
                let candidate = |func: FuncId, possible: bool| Candidate {
                    when: Some(Expr::bin(BinOp::Eq, target.clone(), Expr::Func(func))),
                    func,
                    possible,
                };
                let all = callees.iter().map(|func| candidate(*func, true));
                all.chain(others.map(|func| candidate(*func, false))).collect()
            }
        }
    }

    /// Ends the current block with a choice among the candidates; each way is filled by `f`, which ends its block.
    pub(super) fn for_each_candidate(
        &mut self,
        candidates: Vec<Candidate>,
        pos: Pos,
        f: &mut dyn FnMut(&mut Self, FuncId),
    ) {
        let state = self.state.clone();
        for Candidate { when, func, possible } in candidates {
            self.state = state.clone();
            let Some(cond) = when else { return f(self, func) };
            let (then, other) = (self.open_block(), self.open_block());
            self.finish_block(Term::Branch { cond, then, other }, pos, None);
            self.current = then;
            if possible {
                f(self, func)
            } else {
                self.excluded(pos)
            }
            self.current = other;
        }
        // A call through something that is no function ends the execution.
        self.finish_block(Term::Unreachable, pos, None);
    }

    /// Ends the block where by the facts no execution comes: the program says so itself, so that nobody need believe it.
    pub(super) fn excluded(&mut self, pos: Pos) {
        self.refuse(EXCLUDED.into(), pos, None);
    }

    /// Ends the block: a call that has no meaning.
    pub(super) fn does_not_fit(&mut self, func: FuncId, point: Point, pos: Pos) {
        let what = format!("a call of {} with values that do not fit", self.program.functions[func].name);
        self.refuse(what, pos, Some(point));
    }

    /// The arguments of the call or spawn at the point as the function takes them; `None` if they cannot be.
    pub(super) fn fitting(&self, point: Point, func: FuncId, args: &[Expr]) -> Option<Vec<Expr>> {
        let types = self.argument_types(point);
        let callee = &self.program.functions[func];
        let params = callee.params.iter().enumerate().map(|(i, param)| {
            let wanted = callee.ty(*param);
            match (args.get(i), types.get(i)) {
                (Some(arg), Some(ty)) => convert(self.program, arg.clone(), *ty, wanted),
                _ => Some(Expr::Const(wanted, 0)),
            }
        });
        params.collect()
    }

    /// The types of the arguments that are given at the point.
    fn argument_types(&self, point: Point) -> Vec<Ty> {
        let original = &self.program.functions[point.func];
        let Some(InstKind::Call { args, .. } | InstKind::Spawn { args, .. }) = self.program.kind(point) else {
            return Vec::new();
        };
        args.iter().map(|arg| original.type_of(self.program, arg, None)).collect()
    }

    /// Computes the arguments that the function does not take.
    pub(super) fn compute_others(&mut self, point: Point, func: FuncId, args: &[Expr], pos: Pos) {
        let taken = self.program.functions[func].params.len();
        for (arg, ty) in args.iter().zip(self.argument_types(point)).skip(taken) {
            self.compute(arg.clone(), ty, pos);
        }
    }

    /// What the register gets that takes the result of a function; `None` if that cannot be said.
    pub(super) fn result(&self, dst: Reg, func: FuncId, value: Option<Expr>) -> Option<Expr> {
        let wanted = self.regs[dst].ty;
        match (value, self.program.functions[func].result) {
            (Some(value), Some(ty)) => convert(self.program, value, ty, wanted),
            _ => Some(Expr::Const(wanted, 0)),
        }
    }
}

/// The same bits as a value of another type, that has room for them.
fn convert(program: &Program, value: Expr, from: Ty, to: Ty) -> Option<Expr> {
    if from == to {
        return Some(value);
    }
    let (from_bits, to_bits) = (program.bits_of(from), program.bits_of(to));
    if from_bits > to_bits {
        return None;
    }
    let (number, wide) = (Ty::Int(from_bits as u8), Ty::Int(to_bits as u8));
    let value = match from {
        Ty::Int(_) => value,
        Ty::Ptr => Expr::cast(CastOp::PtrToInt, number, value),
        Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => Expr::cast(CastOp::Bits, number, value),
    };
    let value = if from_bits == to_bits { value } else { Expr::cast(CastOp::ZExt, wide, value) };
    let value = match to {
        Ty::Int(_) => value,
        Ty::Ptr => Expr::cast(CastOp::IntToPtr, to, value),
        Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => Expr::cast(CastOp::Bits, to, value),
    };
    Some(ir::fold::fold(program, value))
}
