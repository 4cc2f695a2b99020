//! Inputs: for a nondeterministic value that is only ever compared with constants, a few values that stand for all.
//!
//! For each `havoc` we follow its value through copies, widening casts and meets.  If every use is a comparison of the value
//! (perhaps widened) with a constant, or a `switch` over it, the execution depends on the value only through the outcomes of
//! those comparisons.  The constants cut the values, in unsigned order, into classes within which all outcomes are the same:
//! `v < c` cuts before `c`, `v <= c` after it, `v == c` on both sides, and there is a further cut at the sign bit where a
//! signed comparison or a cast is involved.  The first value of each class makes a *complete* set: replacing the input by the
//! representative of its class changes no step of any thread.
//!
//! Widening keeps the low bits and maps each half of the values (sign bit clear, set) to consecutive numbers, signed and
//! unsigned.  So a comparison of the widened value with `c` cuts a half where the value whose bits are the low bits of `c`
//! would be cut, or at its ends, or not at all.
//!
//! Any other use is allowed too if the value is known to be one of a few by the time it is reached (`intervals`: an
//! assumption or branch has cut it down): then all of those are in the set as well, and the others never get there.
//!
//! A value nobody uses, or that is only returned to callers who ignore it, is represented by 0; an `i1` by both its values.
//! Everything else has no such set: `None`.
//!
//! What a load finds where nothing was written is an input as well; where it is only carried (`carried`) it is represented by 0.

use crate::carried;
use crate::rules::{Rule, Rules};
use crate::{Basis, Calls, Facts, Point, ValueId};
use base::IdVec;
use ir::{BinOp, BlockId, Expr, FuncId, Function, InstKind, Program, Reg, Relation, Term, Ty};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// By default nothing is known of any input.
#[derive(Clone, Default, Debug)]
pub struct Inputs {
    /// By point of a `havoc`, or of a load.
    sets: FxHashMap<Point, Vec<u128>>,
}

impl Inputs {
    /// From all other facts.
    pub fn compute(program: &Program, facts: &Facts) -> Self {
        let basis = facts.basis(program);
        let is_input = |kind: &InstKind| matches!(kind, InstKind::Havoc { .. });
        let asks = |func: &FuncId| basis.functions().insts(*func).any(|(_, kind)| is_input(kind));
        let asking: Vec<FuncId> = program.functions.ids().filter(asks).collect();
        let rules = Rules::new(basis.functions(), asking.iter().copied(), |_| true);
        let users = Users { basis, facts, rules, ignored: ignored_results(program, &facts.calls) };
        let carried = carried::loads(program, facts).into_iter();
        let mut res = Inputs { sets: carried.map(|load| (load, vec![0])).collect() };
        for func in asking {
            for (point, _) in basis.functions().insts(func).filter(|(_, kind)| is_input(kind)) {
                let value = facts.values[func].written(point);
                let set = value.and_then(|value| users.representatives(func, value));
                res.sets.extend(set.map(|set| (point, set)));
            }
        }
        res
    }

    /// A complete set of values for the `havoc` at the place, or for what the load there finds unwritten, ascending; `None` if
    /// there is no such (small) set.
    pub fn representatives(&self, func: FuncId, block: BlockId, inst: usize) -> Option<&[u128]> {
        self.sets.get(&Point::new(func, block, inst)).map(Vec::as_slice)
    }
}

/// The constants a value is compared with, cut to its own width.
#[derive(Default)]
struct Cuts {
    /// Compared for equality.
    equal: BTreeSet<u128>,
    /// First values of classes by order.
    starts: BTreeSet<u128>,
    /// Some comparison or cast sees the sign.
    signed: bool,
    /// There is a comparison.
    any: bool,
    /// Values that must stand for themselves.
    each: BTreeSet<u128>,
}

/// As many values as this are enumerated one by one.
const MOST_VALUES: u128 = 256;

/// Who uses each value.
struct Users<'a> {
    basis: Basis<'a>,
    facts: &'a Facts,
    /// Those who read a value are its users.
    rules: Rules,
    /// Functions at whose results nobody looks.
    ignored: IdVec<FuncId, bool>,
}

impl Users<'_> {
    fn representatives(&self, func: FuncId, value: ValueId) -> Option<Vec<u128>> {
        let ty = self.basis.program.functions[func].ty(self.facts.values[func].values[value].reg);
        let bits = self.basis.program.bits_of(ty);
        if ty == Ty::BOOL {
            let mut users = self.rules.readers(func, value);
            let used = users.any(|user| !matches!(user, Rule::Meet(_, meet) if meet == value));
            return Some(if used { vec![0, 1] } else { vec![0] });
        }
        let mut cuts = Cuts::default();
        let mut seen = vec![value];
        let mut next = 0;
        while let Some(value) = seen.get(next).copied() {
            next += 1;
            for user in self.rules.readers(func, value) {
                let flows_to = match user {
                    Rule::Meet(_, meet) => Some(meet),
                    Rule::At(point) => match self.use_at(point, value, bits, &mut cuts) {
                        Some(flows_to) => flows_to,
                        None => {
                            self.enumerate(point, value, bits, &mut cuts)?;
                            None
                        }
                    },
                };
                if let Some(to) = flows_to.filter(|to| !seen.contains(to)) {
                    seen.push(to);
                }
            }
        }
        if ty.is_float() && (cuts.any || !cuts.each.is_empty()) {
            return None;
        }
        Some(cuts.representatives(bits))
    }

    /// Takes all values that can be there at the use, if they are few.
    fn enumerate(&self, point: Point, value: ValueId, bits: u32, cuts: &mut Cuts) -> Option<()> {
        let reg = self.facts.values[point.func].values[value].reg;
        let range = self.facts.intervals.at(&self.facts.values, point, reg)?;
        cuts.each.extend(range.values(MOST_VALUES)?.into_iter().map(|value| ir::mask(value, bits)));
        Some(())
    }

    /// Notes what one step does with the value and returns what it flows to, if to anything; `None` if it does more than
    /// compare.
    fn use_at(&self, point: Point, value: ValueId, bits: u32, cuts: &mut Cuts) -> Option<Option<ValueId>> {
        let values = &self.facts.values[point.func];
        let reg = values.values[value].reg;
        let kind = self.basis.program.kind(point);
        if let Some(InstKind::Assign { value, .. }) = kind
            && flows(value, reg, bits, cuts)
        {
            return Some(values.written(point));
        }
        match (kind, &self.basis.program.block(point).term) {
            (None, Term::Switch { value, cases, .. }) if is_widened(value, reg) => {
                cuts.signed |= matches!(value, Expr::Cast(..));
                cuts.any = true;
                cuts.equal.extend(cases.iter().map(|(case, _)| ir::mask(*case, bits)));
                Some(None)
            }
            (None, Term::Return(_) | Term::ExitThread(_)) if self.ignored[point.func] => Some(None),
            _ => {
                let mut fine = true;
                self.basis.for_each_expr_at(point, &mut |expr| fine &= compared_only(expr, reg, bits, cuts));
                fine.then_some(None)
            }
        }
    }
}

/// The functions whose result reaches nobody: no call keeps it, and if it is a thread's, no join does.
fn ignored_results(program: &Program, calls: &Calls) -> IdVec<FuncId, bool> {
    let mut ignored = IdVec::filled(true, program.functions.len());
    let keeps_result = |point: &Point| program.kind(*point).is_some_and(|kind| kind.dst().is_some());
    for (_, targets) in calls.calls.iter().filter(|(point, _)| keeps_result(point)) {
        targets.iter().for_each(|target| ignored[*target] = false);
    }
    if program.insts().any(|inst| matches!(inst.kind, InstKind::Join { dst: Some(_), .. })) {
        calls.spawns.iter().flat_map(|(_, targets)| targets).for_each(|target| ignored[*target] = false);
        // A thread may also end, with a result, inside a function it has called.
        let exits =
            |function: &Function| function.blocks.values().any(|block| matches!(block.term, Term::ExitThread(Some(_))));
        for (func, _) in program.functions.iter().filter(|(_, function)| exits(function)) {
            ignored[func] = false;
        }
    }
    ignored
}

/// The register itself, or widened.
fn is_widened(expr: &Expr, reg: Reg) -> bool {
    *expr.unwidened() == Expr::Reg(reg)
}

/// Is the expression's value the register's, perhaps widened, on some condition that at most compares it?
fn flows(expr: &Expr, reg: Reg, bits: u32, cuts: &mut Cuts) -> bool {
    if is_widened(expr, reg) {
        cuts.signed |= matches!(expr, Expr::Cast(..));
        return true;
    }
    let Expr::Select(parts) = expr else { return false };
    let [cond, then, other] = parts.as_ref();
    let then_flows = flows(then, reg, bits, cuts);
    let other_flows = flows(other, reg, bits, cuts);
    compared_only(cond, reg, bits, cuts)
        && (then_flows || other_flows)
        && (then_flows || compared_only(then, reg, bits, cuts))
        && (other_flows || compared_only(other, reg, bits, cuts))
}

/// Does the register occur in the expression only in comparisons with constants?  Notes the constants.
fn compared_only(expr: &Expr, reg: Reg, bits: u32, cuts: &mut Cuts) -> bool {
    if let Expr::Bin(op, left, right) = expr {
        match (&**left, &**right) {
            (value, Expr::Const(_, constant)) if is_widened(value, reg) => {
                return cuts.note(*op, value, *constant, false, bits);
            }
            (Expr::Const(_, constant), value) if is_widened(value, reg) => {
                return cuts.note(*op, value, *constant, true, bits);
            }
            _ => (),
        }
    }
    *expr != Expr::Reg(reg) && expr.children().all(|child| compared_only(child, reg, bits, cuts))
}

impl Cuts {
    /// Notes a comparison of the value (perhaps widened) with a constant, which stands on the left if `flipped`; says no to
    /// any other operation.
    fn note(&mut self, op: BinOp, value: &Expr, constant: u128, flipped: bool, bits: u32) -> bool {
        let Some(comparison) = op.comparison() else { return false };
        let at = ir::mask(constant, bits);
        let after = (at < ir::mask(u128::MAX, bits)).then_some(at + 1);
        let comparison = if flipped { comparison.mirrored() } else { comparison };
        match comparison.relation {
            Relation::Equal | Relation::Different => _ = self.equal.insert(at),
            Relation::Less | Relation::AtLeast => _ = self.starts.insert(at),
            Relation::AtMost | Relation::Greater => self.starts.extend(after),
        }
        self.signed |= comparison.signed || matches!(value, Expr::Cast(..));
        self.any = true;
        true
    }

    /// One value of each class, ascending.
    fn representatives(&self, bits: u32) -> Vec<u128> {
        let last = ir::mask(u128::MAX, bits);
        if !self.any && self.each.is_empty() {
            return vec![0];
        }
        let mut found = self.starts.clone();
        found.extend(&self.each);
        found.extend(&self.equal);
        if self.starts.is_empty() && !self.signed {
            // Equalities only: the constants, and one value that is none of them.
            found.extend((0..=last).find(|value| !found.contains(value)));
            return found.into_iter().collect();
        }
        found.extend(self.equal.iter().filter(|c| **c < last).map(|c| c + 1));
        found.insert(0);
        if self.signed {
            found.insert((last >> 1) + 1);
        }
        found.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Cuts;
    use ir::{BinOp, BinOp::*, Expr, Reg};

    /// Every value of 4 bits has a representative with the same outcomes.
    #[test]
    fn sets_are_complete() {
        let holds = |op: BinOp, a: u128, b: u128| match op {
            Eq => a == b,
            Ne => a != b,
            ULt => a < b,
            ULe => a <= b,
            SLt => ir::signed(a, 4) < ir::signed(b, 4),
            SLe => ir::signed(a, 4) <= ir::signed(b, 4),
            _ => false,
        };
        let ops = [Eq, Ne, ULt, ULe, SLt, SLe];
        for first in 0..ops.len() * 2 * 16 {
            for second in 0..ops.len() * 2 * 16 {
                let mut cuts = Cuts::default();
                let tests = [first, second].map(|n| (ops[n / 32], n / 16 % 2 == 1, (n % 16) as u128));
                for (op, flipped, constant) in tests {
                    assert!(cuts.note(op, &Expr::Reg(Reg(0)), constant, flipped, 4));
                }
                let outcomes = |value: u128| {
                    tests.map(|(op, flipped, c)| if flipped { holds(op, c, value) } else { holds(op, value, c) })
                };
                let found = cuts.representatives(4);
                for value in 0..16 {
                    let same = found.iter().any(|other| outcomes(*other) == outcomes(value));
                    assert!(same, "{value} is not represented by {found:?} for {tests:?}");
                }
            }
        }
    }
}
