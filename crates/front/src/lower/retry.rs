//! Spurious failures of weak compare-exchanges, where they change nothing.
//!
//! A weak compare-exchange may fail although the values agree: it leaves memory alone and says no, by a free choice.  Most
//! stand in loops that try again, and there the choice only makes the work harder: an execution in which the thread comes
//! to a place H, fails spuriously and is back at H, with the same values in all registers that will be read, is also an
//! execution in which the thread waited at H meanwhile.  So the choice can go (is always no) if there is such an H:
//!
//! * after the failure, control comes to H through assignments and decided branches only, since the content of the cell
//!   was the expected value;
//! * each way to the compare-exchange passes through H, and from there on the thread only reads and computes;
//! * no register that is live at H is written on the way from H to the compare-exchange, and each has at H, after the
//!   failure, the value it had at the compare-exchange.
//!
//! This holds for the question which states can be reached.  An execution that fails for ever is lost.

use base::{BitSet, Id};
use facts::Cfg;
use ir::fold::fold;
use ir::liveness::Liveness;
use ir::{BinOp, BlockId, Expr, Function, Input, InstKind, Program, Reg, Term};
use rustc_hash::FxHashMap;

/// What the choice is called.
pub const SPURIOUS_FAILURE: &str = "a compare-exchange fails spuriously";

/// No loop that tries again is longer.
const LONGEST_WALK: usize = 200;

/// Takes the choice out of loops that just try again.
pub fn drop_spurious_failures(program: &mut Program) {
    for id in program.functions.ids() {
        let places = choices(&program.functions[id]);
        if places.is_empty() {
            continue;
        }
        let mut function = program.functions[id].clone();
        for at in places {
            let live = Liveness::compute(&function);
            if let Some(fails) = (Retry { program, function: &function, live: &live, at }).changes_nothing() {
                never(program, &mut function, fails);
            }
        }
        program.functions[id] = function;
        ir::tidy::tidy(program, id);
    }
}

/// A place in a function: before an instruction of a block, or before its end.
type Position = (BlockId, usize);

fn choices(function: &Function) -> Vec<Position> {
    let is_it = |input: &Input| matches!(input, Input::Choice(name) if name == SPURIOUS_FAILURE);
    let is_choice = |kind: &InstKind| matches!(kind, InstKind::Havoc { input, .. } if is_it(input));
    let places = function.blocks.iter().flat_map(|(id, block)| (0..block.insts.len()).map(move |i| (id, i)));
    places.filter(|(id, i)| is_choice(&function.blocks[*id].insts[*i].kind)).collect()
}

/// Puts "no" for the choice.
fn never(program: &Program, function: &mut Function, fails: Reg) {
    function.for_each_expr_mut(&mut |expr| {
        if expr.any(&mut |part| *part == Expr::Reg(fails)) {
            expr.map_regs(&mut |reg| if reg == fails { Expr::bool(false) } else { Expr::Reg(reg) });
            *expr = fold(program, expr.take());
        }
    });
    for inst in function.blocks.iter_mut().flat_map(|(_, block)| &mut block.insts) {
        if inst.kind.dst() == Some(fails) {
            inst.kind = InstKind::Assign { dst: fails, value: Expr::bool(false) };
        }
    }
}

struct Retry<'a> {
    program: &'a Program,
    function: &'a Function,
    live: &'a Liveness,
    /// The choice.
    at: Position,
}

/// What registers hold, in terms of what they held at the compare-exchange.
type Values = FxHashMap<Reg, Expr>;

impl Retry<'_> {
    /// The register of the choice, if its being yes changes nothing.
    fn changes_nothing(&self) -> Option<Reg> {
        let (block, index) = self.at;
        let insts = &self.function.blocks[block].insts;
        let InstKind::Havoc { dst: fails, .. } = insts.get(index)?.kind else { return None };
        let InstKind::Update { dst: old, when: None, set: Some(set), .. } = &insts.get(index + 1)?.kind else {
            return None;
        };
        let expected = expected(set, fails)?;
        let written_once = |reg: Reg| self.function.insts().filter(|inst| inst.kind.dst() == Some(reg)).count() == 1;
        if !written_once(fails) {
            return None;
        }
        let mut values = Values::default();
        values.insert(fails, Expr::bool(true));
        if let Some(old) = old {
            values.insert(*old, expected);
        }
        self.walk(values).then_some(fails)
    }

    /// Goes on from the failure and tries each place it comes to.
    fn walk(&self, mut values: Values) -> bool {
        let (mut block, mut index) = (self.at.0, self.at.1 + 2);
        for _ in 0..LONGEST_WALK {
            if (index == 0 || (block, index) == self.at) && self.is_waiting((block, index), &values) {
                return true;
            }
            let data = &self.function.blocks[block];
            if (block, index) == self.at {
                return false;
            }
            let Some(inst) = data.insts.get(index) else {
                let next = match &data.term {
                    Term::Jump(to) => *to,
                    Term::Branch { cond, then, other } => match self.value(cond, &values) {
                        Expr::Const(_, 0) => *other,
                        Expr::Const(..) => *then,
                        _ => return false,
                    },
                    Term::Switch { .. } | Term::Return(_) | Term::ExitThread(_) | Term::Halt | Term::Unreachable => {
                        return false;
                    }
                };
                (block, index) = (next, 0);
                continue;
            };
            if let InstKind::Assign { dst, value } = &inst.kind {
                let value = self.value(value, &values);
                values.insert(*dst, value);
            } else if !matches!(inst.kind, InstKind::Fence { .. }) {
                return index != 0 && self.is_waiting((block, index), &values);
            }
            index += 1;
        }
        false
    }

    fn value(&self, expr: &Expr, values: &Values) -> Expr {
        let mut expr = expr.clone();
        expr.map_regs(&mut |reg| values.get(&reg).cloned().unwrap_or(Expr::Reg(reg)));
        fold(self.program, expr)
    }

    /// Is this an H of the kind the head of the file speaks of?
    fn is_waiting(&self, place: Position, values: &Values) -> bool {
        let Some(written) = self.written_since(place) else { return false };
        let aliases = self.aliases();
        let same = |reg: Reg| match values.get(&reg) {
            None => true,
            Some(Expr::Reg(other)) => {
                *other == reg || aliases.contains(&(*other, reg)) || aliases.contains(&(reg, *other))
            }
            Some(_) => false,
        };
        let live = self.live_at(place);
        live.iter().map(Reg::new).all(|reg| !written.contains(&reg) && same(reg))
    }

    fn live_at(&self, (block, index): Position) -> BitSet {
        let mut found = BitSet::new();
        self.live.walk_back(self.function, block, |at, before, _| {
            if at == index {
                found.clone_from(before);
            }
        });
        found
    }

    /// Registers that hold the same value at the compare-exchange: copies made before it in its block.
    fn aliases(&self) -> Vec<(Reg, Reg)> {
        let (block, index) = self.at;
        let mut found: Vec<(Reg, Reg)> = Vec::new();
        for inst in &self.function.blocks[block].insts[..index] {
            if let Some(dst) = inst.kind.dst() {
                found.retain(|(a, b)| *a != dst && *b != dst);
            }
            if let InstKind::Assign { dst, value: Expr::Reg(from) } = &inst.kind
                && dst != from
            {
                found.push((*dst, *from));
            }
        }
        found
    }

    /// The registers that may be written on the way from the place to the compare-exchange; `None` if the way may avoid
    /// the place, or if the thread does more on it than read and compute.
    fn written_since(&self, place: Position) -> Option<Vec<Reg>> {
        let (home, index) = self.at;
        let (block, from) = place;
        if block == home && index < from {
            return None;
        }
        let cfg = Cfg::new(self.function);
        if block != home && reaches(&cfg, &[Function::ENTRY], home, block) {
            return None;
        }
        let mut written = Vec::new();
        let mut look = |block: BlockId, from: usize, to: usize| {
            let insts = self.function.blocks[block].insts.get(from..to)?;
            for inst in insts {
                only_reads(&inst.kind).then_some(())?;
                written.extend(inst.kind.dst());
            }
            Some(())
        };
        if block == home {
            look(home, from, index)?;
            return Some(written);
        }
        look(block, from, self.function.blocks[block].insts.len())?;
        look(home, 0, index)?;
        for other in self.function.blocks.ids().filter(|other| *other != block) {
            let between = reaches(&cfg, &cfg.successors[block], other, block)
                && reaches(&cfg, &cfg.successors[other], home, block);
            match between {
                // The compare-exchange could be tried again without coming to the place.
                true if other == home => return None,
                true => look(other, 0, self.function.blocks[other].insts.len())?,
                false => (),
            }
        }
        Some(written)
    }
}

/// The expected value in `select(fails, old, select(old == expected, new, old))`.
fn expected(set: &Expr, fails: Reg) -> Option<Expr> {
    let Expr::Select(parts) = set else { return None };
    let [Expr::Reg(choice), Expr::Old, Expr::Select(inner)] = &**parts else { return None };
    let [Expr::Bin(BinOp::Eq, left, right), _, Expr::Old] = &**inner else { return None };
    match (&**left, &**right) {
        (Expr::Old, value @ (Expr::Reg(_) | Expr::Const(..))) if *choice == fails => Some(value.clone()),
        _ => None,
    }
}

/// Does the instruction leave everything but registers alone?
fn only_reads(kind: &InstKind) -> bool {
    use InstKind::*;
    matches!(kind, Assign { .. } | Load { .. } | Havoc { .. } | Assume { .. } | Assert { .. } | Fence { .. })
}

/// Can control come from the start of one of `from` to the start of `to` without entering `avoid`?
fn reaches(cfg: &Cfg, from: &[BlockId], to: BlockId, avoid: BlockId) -> bool {
    let mut seen = vec![false; cfg.successors.len()];
    let mut todo = from.to_vec();
    while let Some(block) = todo.pop() {
        if block == avoid || std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        if block == to {
            return true;
        }
        todo.extend(&cfg.successors[block]);
    }
    false
}
