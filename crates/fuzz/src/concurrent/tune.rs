//! Gives assertions values that make them interesting.
//!
//! An assertion forbids a local one value.  Which values it can have is found by the naive enumerator; then the value is
//! either one that can be had but is among the last to be found, so that only few executions violate the assertion, or
//! one that cannot.  So both verdicts are common, and neither is obvious.

use crate::naive::{self, Asserted, Frame, Observer, Value, Verdict};
use base::Rng;
use ir::program::*;
use std::collections::BTreeMap;

/// Values per assertion, in the order they were found, by the assertion's message.
type Seen = BTreeMap<String, Vec<u128>>;

/// Chooses the forbidden values by the assertions' messages; `None` if the program has more states than `limit`.
pub fn tune(program: &Program, limit: usize, rng: &mut Rng) -> Option<BTreeMap<String, i32>> {
    let seen = values(program, limit)?;
    let reachable: Vec<&String> = seen.keys().collect();
    // At most one assertion is to fail: with several the first failure hides the others.
    let failing = if rng.chance(50) { rng.pick(&reachable).map(|name| name.to_string()) } else { None };
    let mut chosen = BTreeMap::new();
    for message in messages(program) {
        let known = seen.get(&message).cloned().unwrap_or_default();
        let value = if failing.as_ref() == Some(&message) {
            let last = known.len() - 1;
            // The later it was found the better.
            let index = last - rng.below(known.len().min(2));
            known[index] as u32 as i32
        } else {
            let free: Vec<i32> = (-1..6).filter(|value| !known.contains(&u128::from(*value as u32))).collect();
            rng.pick(&free).copied().unwrap_or(77)
        };
        chosen.insert(message, value);
    }
    Some(chosen)
}

/// Puts the values in.
pub fn apply(program: &mut Program, chosen: &BTreeMap<String, i32>) {
    let blocks = program.functions.iter_mut().flat_map(|(_, function)| function.blocks.iter_mut());
    for inst in blocks.flat_map(|(_, block)| &mut block.insts) {
        if let InstKind::Assert { cond: Expr::Bin(BinOp::Ne, _, right), message, .. } = &mut inst.kind
            && let Some(value) = chosen.get(message)
        {
            **right = Expr::int(32, i128::from(*value));
        }
    }
}

fn messages(program: &Program) -> Vec<String> {
    let message = |inst: &Inst| match &inst.kind {
        InstKind::Assert { message, .. } => Some(message.clone()),
        _ => None,
    };
    program.insts().filter_map(message).collect()
}

fn values(program: &Program, limit: usize) -> Option<Seen> {
    let mut collect = Collect { program, seen: Seen::new() };
    let answer = naive::search(program, limit, &mut collect);
    (!matches!(answer.verdict, Verdict::GaveUp(_))).then_some(collect.seen)
}

struct Collect<'p> {
    program: &'p Program,
    seen: Seen,
}

impl Observer for Collect<'_> {
    fn assertion(&mut self, frame: &Frame) -> Asserted {
        let Some(InstKind::Assert { cond: Expr::Bin(BinOp::Ne, left, _), message, .. }) = frame.inst(self.program)
        else {
            return Asserted::Look;
        };
        if let Expr::Reg(reg) = **left
            && let Value::Number(value) = frame.regs[&reg]
        {
            let values = self.seen.entry(message.clone()).or_default();
            if !values.contains(&value) {
                values.push(value);
            }
        }
        Asserted::Pass
    }
}
