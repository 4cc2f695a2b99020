//! A walk over the operands of an instruction.

use llvm::{Call, Op, Operand};

/// Calls `f` for each operand.  Those of a `phi` are used at the end of other blocks.
pub fn for_each<'a>(op: &'a Op, f: &mut impl FnMut(&'a Operand)) {
    match op {
        Op::Ret(value) => value.iter().for_each(f),
        Op::Br(_) | Op::Unreachable | Op::LandingPad | Op::Fence(_) | Op::Unsupported(_) | Op::Refused(_) => (),
        Op::Phi { incoming } => incoming.iter().for_each(|(value, _)| f(value)),
        Op::CondBr { cond, .. } => f(cond),
        Op::Switch { value, .. } => f(value),
        Op::IndirectBr { addr, .. } => f(addr),
        Op::CallBr { call, .. } | Op::Invoke { call, .. } | Op::Call(call) => of_call(call, f),
        Op::Resume(value) | Op::Freeze(value) | Op::FNeg(value) | Op::Cast { value, .. } => f(value),
        Op::Binary { lhs, rhs, .. } | Op::Icmp { lhs, rhs, .. } | Op::Fcmp { lhs, rhs, .. } => {
            f(lhs);
            f(rhs);
        }
        Op::ExtractElement { vector, index } => {
            f(vector);
            f(index);
        }
        Op::InsertElement { vector, element, index } => {
            f(vector);
            f(element);
            f(index);
        }
        Op::ShuffleVector { a, b, .. } => {
            f(a);
            f(b);
        }
        Op::ExtractValue { aggregate, .. } => f(aggregate),
        Op::InsertValue { aggregate, element, .. } => {
            f(aggregate);
            f(element);
        }
        Op::Alloca { count, .. } => count.iter().for_each(f),
        Op::Load { addr, .. } => f(addr),
        Op::Store { value, addr, .. } | Op::AtomicRmw { value, addr, .. } => {
            f(value);
            f(addr);
        }
        Op::CmpXchg { addr, expected, new, .. } => {
            f(addr);
            f(expected);
            f(new);
        }
        Op::Gep { base, indices, .. } => {
            f(base);
            indices.iter().for_each(f);
        }
        Op::Select { cond, then, otherwise, .. } => {
            f(cond);
            f(then);
            f(otherwise);
        }
        Op::VaArg { list } => f(list),
    }
}

fn of_call<'a>(call: &'a Call, f: &mut impl FnMut(&'a Operand)) {
    f(&call.callee);
    call.args.iter().for_each(|arg| f(&arg.value));
}
