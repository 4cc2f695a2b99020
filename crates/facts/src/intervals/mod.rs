//! Intervals: the numbers an integer register or a cell of memory can hold.
//!
//! An abstract interpretation over values (`values`) and cells (`cells`), to a post-fixpoint with widening to thresholds:
//! the constants the program compares with.  Registers are followed with the flow, because each value is written in one
//! place and conditions that dominate a use narrow it (`conditions`).  Memory is followed without: a cell's range is the
//! hull of what it holds at first and of everything any thread ever stores to it.  That is what makes it right for threads:
//! whatever the others do in between, a load finds a number of that hull.
//!
//! **Sound** because the range of each value and cell includes the result of each way it can be written, given the ranges
//! of what goes in; calls and spawns pass arguments, returns pass results, contexts are not told apart.  Numbers are machine
//! numbers of up to 64 bits, in signed and unsigned order at once, and wrap (`range`).  Rests on `points_to` for which cells
//! an access touches.

mod conditions;
mod contents;
mod range;

pub use range::Range;

use crate::rules::{Rule, Rules};
use crate::{CellId, Facts, Origin, Point, ValueId, Values};
use base::{Id, IdVec, Interval};
use conditions::{Condition, Conditions};
use contents::contents;
use ir::{BlockId, CastOp, Expr, FuncId, InstKind, Program, Reg, Term, Ty};
use range::WIDEST;
use rustc_hash::FxHashMap;

/// By default nothing is known of any number.
#[derive(Clone, Default, Debug)]
pub struct Intervals {
    values: IdVec<FuncId, IdVec<ValueId, Option<Range>>>,
    cells: IdVec<CellId, Option<Range>>,
    /// What conditions add at a use, only where they add something.
    at_use: FxHashMap<(Point, Reg), Range>,
}

impl Intervals {
    /// What the register holds wherever the value is looked at; `None` if it is no integer of at most 64 bits, or never
    /// written in any execution.
    pub fn value(&self, func: FuncId, value: ValueId) -> Option<Range> {
        self.values.get(func).and_then(|values| values[value])
    }

    /// What a register holds as the instruction reads it.
    pub fn at(&self, values: &IdVec<FuncId, Values>, point: Point, reg: Reg) -> Option<Range> {
        if let Some(range) = self.at_use.get(&(point, reg)) {
            return Some(*range);
        }
        self.value(point.func, values[point.func].used(point, reg)?)
    }

    /// The numbers a cell can hold, as wide as the accesses to it; `None` if it is accessed in different ways, or never.
    pub fn cell(&self, cell: CellId) -> Option<Range> {
        self.cells.get(cell).copied().flatten()
    }
}

/// Something whose range grows, with how often it has.
#[derive(Clone, Debug, Default)]
struct Node {
    range: Option<Range>,
    grown: u32,
}

/// So many times a range grows before it is widened.
const PATIENCE: u32 = 4;
/// So many times in all before it is given up; in large programs the smaller number.
const GIVE_UP: (u32, u32) = (8, 40);
/// A program of more instructions than this is large.
const LARGE: usize = 3000;

struct Solver<'a> {
    program: &'a Program,
    facts: &'a Facts,
    rules: Rules,
    callers: IdVec<FuncId, Vec<u32>>,
    loaders: IdVec<CellId, Vec<u32>>,
    conditions: IdVec<FuncId, Conditions<'a>>,
    values: IdVec<FuncId, IdVec<ValueId, Node>>,
    results: IdVec<FuncId, Node>,
    /// Of cells whose content is followed.
    cells: IdVec<CellId, Node>,
    thresholds: Vec<i128>,
    give_up: u32,
}

/// From all other facts but `inputs`.
pub fn compute(program: &Program, facts: &Facts) -> Intervals {
    let mut solver = Solver::new(program, facts);
    while let Some((_, rule)) = solver.rules.pop() {
        solver.run(rule);
    }
    solver.finish()
}

impl<'a> Solver<'a> {
    fn new(program: &'a Program, facts: &'a Facts) -> Self {
        let Facts { cfgs, values, .. } = facts;
        let rules = Rules::new(facts.basis(program).functions(), facts.calls.functions(), |_| true);
        let of_function = |func| Conditions::new(program, func, &cfgs[func], &values[func]);
        let mut solver = Solver {
            program,
            facts,
            give_up: if rules.all.len() > LARGE { GIVE_UP.0 } else { GIVE_UP.1 },
            rules,
            callers: IdVec::filled(Vec::new(), program.functions.len()),
            loaders: IdVec::filled(Vec::new(), facts.cells.all.len()),
            conditions: program.functions.ids().map(of_function).collect(),
            values: values.values().map(|v| IdVec::filled(Node::default(), v.values.len())).collect(),
            results: IdVec::filled(Node::default(), program.functions.len()),
            cells: contents(program, facts).into_values().map(|range| Node { range, grown: 0 }).collect(),
            thresholds: thresholds(program),
        };
        solver.set_up();
        solver
    }

    fn set_up(&mut self) {
        let (program, Facts { values, calls, .. }) = (self.program, self.facts);
        for func in calls.functions() {
            for (id, value) in values[func].values.iter() {
                let unknown = match &value.origin {
                    // Registers nobody wrote are zero or anything; arguments nobody passes likewise.
                    Origin::Unwritten => true,
                    Origin::Param(_) => func == program.entry,
                    Origin::Inst(..) | Origin::Meet(..) => false,
                };
                if let (true, Some(bits)) = (unknown, width(program, program.functions[func].ty(value.reg))) {
                    self.values[func][id].range = Some(Range::any(bits));
                }
            }
            self.rules.start(func);
        }
        for number in 0..self.rules.all.len() as u32 {
            // Conditions on the way may speak of other values, whose growth makes them weaker.
            let conditions: Vec<&Condition> = match self.rules.all[number as usize] {
                Rule::Meet(func, value) => {
                    let Origin::Meet(block, operands) = &values[func].values[value].origin else { continue };
                    let conditions = &self.conditions[func];
                    let of_operand = |(from, operand): &(BlockId, ValueId)| {
                        let on_edge = conditions.on_edge.get(&(*from, *block)).into_iter().flatten();
                        let on_edge = on_edge.filter(|(of, _)| of == operand).map(|(_, condition)| condition);
                        conditions.of[*operand].iter().chain(on_edge).collect::<Vec<_>>()
                    };
                    operands.iter().flat_map(of_operand).collect()
                }
                Rule::At(point) => {
                    for callee in self.callees(point) {
                        self.callers[*callee].push(number);
                    }
                    for cell in self.facts.access(point).into_iter().flat_map(|access| access.reads.iter()) {
                        self.loaders[CellId::new(cell)].push(number);
                    }
                    let uses = values[point.func].uses_at(point).iter();
                    uses.flat_map(|(_, value)| &self.conditions[point.func].of[*value]).collect()
                }
            };
            for Condition { other, at, .. } in conditions {
                other.for_each_reg(&mut |reg| {
                    let used = values[at.func].used(*at, reg);
                    used.iter().for_each(|other| self.rules.reads(at.func, *other, number));
                });
            }
        }
    }

    fn callees(&self, point: Point) -> &'a [FuncId] {
        self.facts.points_to.callees(point)
    }

    fn grow_value(&mut self, func: FuncId, value: ValueId, by: Option<Range>) {
        if grow(&mut self.values[func][value], by, &self.thresholds, self.give_up) {
            self.rules.grown(func, value);
        }
    }

    fn run(&mut self, rule: Rule) {
        let (program, values) = (self.program, &self.facts.values);
        let point = match rule {
            Rule::Meet(func, value) => {
                let Origin::Meet(block, operands) = &values[func].values[value].origin else { return };
                if width(program, program.functions[func].ty(values[func].values[value].reg)).is_none() {
                    return;
                }
                for (from, operand) in operands {
                    let range = self.on_edge(func, *operand, *from, *block);
                    self.grow_value(func, value, range);
                }
                return;
            }
            Rule::At(point) => point,
        };
        let Some(kind) = program.kind(point) else {
            if let Term::Return(Some(value)) = &program.block(point).term
                && let Some(range) = self.eval(point, value, None)
                && grow(&mut self.results[point.func], Some(range), &self.thresholds, self.give_up)
            {
                self.rules.wake(&self.callers[point.func]);
            }
            return;
        };
        let dst = kind.dst().and_then(|dst| width(program, program.functions[point.func].ty(dst)));
        let result = match kind {
            InstKind::Assign { value, .. } => self.eval(point, value, None),
            InstKind::Load { ty, .. } => self.load(point, *ty),
            InstKind::Store { ty, value, .. } => {
                let value = self.eval(point, value, None);
                self.store(point, *ty, value);
                None
            }
            InstKind::Update { ty, set, .. } => {
                let old = self.load(point, *ty);
                if let Some(set) = set {
                    let value = self.eval(point, set, Some((*ty, old)));
                    self.store(point, *ty, value);
                }
                old
            }
            InstKind::Havoc { .. } | InstKind::Join { .. } => dst.map(Range::any),
            // A handle is a positive number.
            InstKind::Spawn { args, .. } => {
                self.pass(point, args);
                dst.map(|bits| Range::signed(bits, Interval::at_least(1)))
            }
            InstKind::Call { args, .. } => {
                self.pass(point, args);
                let returned = |callee: &FuncId| {
                    // A pointer may call a function of another type than it was meant for.
                    let fits = program.functions[*callee].result.and_then(|ty| width(program, ty)) == dst;
                    if fits { self.results[*callee].range } else { dst.map(Range::any) }
                };
                self.callees(point).iter().filter_map(returned).reduce(Range::join)
            }
            InstKind::Alloc { .. } | InstKind::Assume { .. } | InstKind::Assert { .. } => None,
            InstKind::Free { .. } | InstKind::Detach { .. } | InstKind::AtomicBegin | InstKind::AtomicEnd => None,
            InstKind::Fence { .. } | InstKind::Unsupported { .. } => None,
        };
        if let (Some(bits), Some(range)) = (dst, result)
            && let Some(value) = values[point.func].written(point)
        {
            let range = if range.bits == bits { range } else { Range::any(bits) };
            self.grow_value(point.func, value, Some(range));
        }
    }

    fn pass(&mut self, point: Point, args: &[Expr]) {
        let (program, values) = (self.program, &self.facts.values);
        let ranges: Vec<Option<Range>> = args.iter().map(|arg| self.eval(point, arg, None)).collect();
        for callee in self.callees(point) {
            for (id, value) in values[*callee].values.iter() {
                let Origin::Param(i) = value.origin else { break };
                let Some(bits) = width(program, program.functions[*callee].ty(value.reg)) else { continue };
                let ty = args.get(i).map(|arg| program.functions[point.func].type_of(program, arg, None));
                let fits = ty.and_then(|ty| width(program, ty)) == Some(bits);
                let passed = if fits { ranges[i] } else { Some(Range::any(bits)) };
                self.grow_value(*callee, id, passed);
            }
        }
    }

    fn load(&self, point: Point, ty: Ty) -> Option<Range> {
        let bits = width(self.program, ty)?;
        let whole = self.program.size_of(ty) as u32 * 8;
        let found = |cell: CellId| match self.cells[cell].range {
            Some(range) if range.bits == whole && range.bits == bits => range,
            Some(range) if range.bits == whole => Range::cast(CastOp::Trunc, range, bits),
            _ => Range::any(bits),
        };
        self.facts.access(point)?.reads.iter().map(CellId::new).map(found).reduce(Range::join)
    }

    fn store(&mut self, point: Point, ty: Ty, value: Option<Range>) {
        let Some(access) = self.facts.access(point) else { return };
        for cell in access.writes.iter().map(CellId::new) {
            let Some(Range { bits, .. }) = self.cells[cell].range else { continue };
            let by = match (width(self.program, ty), value) {
                (Some(_), None) => continue,
                (Some(from), Some(range)) if from == bits => range,
                (Some(_), Some(range)) if range.bits < bits => Range::cast(CastOp::ZExt, range, bits),
                _ => Range::any(bits),
            };
            if grow(&mut self.cells[cell], Some(by), &self.thresholds, self.give_up) {
                self.rules.wake(&self.loaders[cell]);
            }
        }
    }

    /// The range of an integer expression; `None` if nothing reaches it yet, or it is no integer.
    fn eval(&self, at: Point, expr: &Expr, old: Option<(Ty, Option<Range>)>) -> Option<Range> {
        self.evaluated(at, expr, old, true)
    }

    /// The same, with what conditions say of registers or without that.
    fn evaluated(&self, at: Point, expr: &Expr, old: Option<(Ty, Option<Range>)>, narrowed: bool) -> Option<Range> {
        let function = &self.program.functions[at.func];
        let width = |expr: &Expr| width(self.program, function.type_of(self.program, expr, old.map(|(ty, _)| ty)));
        let eval = |expr: &Expr| self.evaluated(at, expr, old, narrowed);
        let bits = width(expr)?;
        match expr {
            Expr::Const(_, value) => Some(Range::exact(bits, *value)),
            Expr::Reg(reg) => {
                let value = self.facts.values[at.func].used(at, *reg)?;
                if narrowed { self.at_place(at, value) } else { self.values[at.func][value].range }
            }
            Expr::Old => old.and_then(|(_, range)| range),
            Expr::CurrentThread => Some(Range::signed(bits, Interval::at_least(1))),
            Expr::Object(..) | Expr::Func(_) => None,
            Expr::Un(op, inner) if width(inner) == Some(bits) => Some(Range::un(*op, eval(inner)?)),
            Expr::Bin(op, left, right) if op.is_comparison() => {
                let of_numbers = width(left).and(op.comparison());
                let Some(comparison) = of_numbers else { return Some(Range::any(bits)) };
                let outcome = Range::compare(comparison, eval(left)?, eval(right)?);
                Some(outcome.map_or(Range::any(bits), |truth| Range::exact(bits, u128::from(truth))))
            }
            Expr::Bin(op, left, right) => {
                let (a, b) = (eval(left)?, eval(right)?);
                Some(if a.bits == b.bits { Range::bin(*op, a, b) } else { Range::any(bits) })
            }
            Expr::Cast(op, _, inner) if width(inner).is_some() => Some(Range::cast(*op, eval(inner)?, bits)),
            Expr::Un(..) | Expr::Cast(..) => Some(Range::any(bits)),
            Expr::Select(parts) => {
                let [cond, then, other] = parts.as_ref();
                // An alternative is narrowed where it is the very thing that was compared.
                let branch = |branch: &Expr, holds: bool| {
                    let range = eval(branch)?;
                    let Expr::Bin(op, left, right) = cond else { return Some(range) };
                    let with = if branch == &**left { eval(right) } else { None };
                    match with.filter(|with| with.bits == range.bits).zip(op.comparison()) {
                        Some((with, comparison)) => {
                            range.given(if holds { comparison } else { comparison.negated() }, with)
                        }
                        None => Some(range),
                    }
                };
                match eval(cond)?.constant() {
                    Some(0) => eval(other),
                    Some(_) => eval(then),
                    None => branch(then, true).into_iter().chain(branch(other, false)).reduce(Range::join),
                }
            }
        }
    }

    /// A value where it is used, narrowed by the conditions that hold there.
    fn at_place(&self, at: Point, value: ValueId) -> Option<Range> {
        let conditions = &self.conditions[at.func];
        let mut here = conditions.of[value].iter().filter(|condition| conditions.holds_at(condition, at));
        here.try_fold(self.values[at.func][value].range?, |range, condition| self.narrow(range, condition))
    }

    fn on_edge(&self, func: FuncId, value: ValueId, from: BlockId, to: BlockId) -> Option<Range> {
        // Where the function starts no condition has been passed.
        if to == ir::Function::ENTRY && from == to {
            return self.values[func][value].range;
        }
        let end = Point::new(func, from, self.program.functions[func].blocks[from].insts.len());
        let on_edge = self.conditions[func].on_edge.get(&(from, to)).into_iter().flatten();
        let mut of_value = on_edge.filter(|(of, _)| *of == value);
        of_value.try_fold(self.at_place(end, value)?, |range, (_, condition)| self.narrow(range, condition))
    }

    fn narrow(&self, range: Range, condition: &Condition) -> Option<Range> {
        // Evaluated without conditions, lest two that speak of each other go round.  Not yet known is not the same as
        // anything: the use will be looked at again.
        let other = self.evaluated(condition.at, condition.other, None, false);
        let wide = condition.widening.iter().fold(range, |wide, (op, bits)| Range::cast(*op, wide, *bits));
        let Some(other) = other.filter(|other| other.bits == wide.bits) else { return Some(range) };
        let wide = wide.given(condition.comparison, other)?;
        match condition.widening.as_slice() {
            [] => Some(wide),
            [(CastOp::ZExt, _)] => range.within(false, wide.unsigned),
            [(CastOp::SExt, _)] => range.within(true, wide.signed),
            // Chains of casts are rare; what they say is left out.
            _ => Some(range),
        }
    }

    fn finish(self) -> Intervals {
        let mut at_use = FxHashMap::default();
        for rule in &self.rules.all {
            let Rule::At(point) = *rule else { continue };
            for (reg, value) in self.facts.values[point.func].uses_at(point) {
                if let Some(range) = self.at_place(point, *value)
                    && self.values[point.func][*value].range != Some(range)
                {
                    at_use.insert((point, *reg), range);
                }
            }
        }
        let ranges = |nodes: &IdVec<ValueId, Node>| nodes.values().map(|node| node.range).collect();
        let cells = self.cells.values().map(|node| node.range).collect();
        Intervals { values: self.values.values().map(ranges).collect(), cells, at_use }
    }
}

/// The width of an integer that is followed.
fn width(program: &Program, ty: Ty) -> Option<u32> {
    match ty {
        Ty::Int(_) => Some(program.bits_of(ty)).filter(|bits| *bits <= WIDEST),
        Ty::Ptr | Ty::F32 | Ty::F64 | Ty::F80 | Ty::F128 => None,
    }
}

/// Lets the node take in `by`; tells whether it has grown.
fn grow(node: &mut Node, by: Option<Range>, thresholds: &[i128], give_up: u32) -> bool {
    let Some(by) = by else { return false };
    let next = match node.range {
        None => by,
        Some(range) => {
            let joined = range.join(by);
            if joined == range {
                return false;
            }
            match node.grown {
                0..PATIENCE => joined,
                times if times < give_up => range.widened(joined, thresholds),
                _ => Range::any(range.bits),
            }
        }
    };
    node.grown += 1;
    node.range = Some(next);
    true
}

/// The numbers at which ranges may end: constants of comparisons with their neighbours, in both readings, and a few more.
fn thresholds(program: &Program) -> Vec<i128> {
    const MOST: usize = 4000;
    const LARGEST: u128 = u64::MAX as u128;
    let mut found = vec![-1, 0, 1];
    let mut add = |value: u128, bits: u32| {
        for value in [value as i128, ir::signed(value, bits)] {
            found.extend([value - 1, value, value + 1]);
        }
    };
    for function in program.functions.values() {
        function.for_each_expr(&mut |expr| {
            expr.for_each(&mut |expr| {
                let Expr::Bin(op, left, right) = expr else { return };
                for side in [left, right].into_iter().filter(|_| op.is_comparison()) {
                    if let Expr::Const(ty @ Ty::Int(_), value @ ..=LARGEST) = **side {
                        add(value, program.bits_of(ty));
                    }
                }
            });
        });
        for block in function.blocks.values() {
            if let Term::Switch { cases, .. } = &block.term {
                cases.iter().for_each(|(case, _)| add(*case, WIDEST));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST);
    found
}
