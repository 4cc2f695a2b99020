//! Which way each register and each piece of memory keeps its number (`values::Mode`).
//!
//! A number that is only ever copied, added, subtracted, multiplied by constants and compared with `==` and `!=`, and whose
//! arithmetic may wrap, is kept as a ring number: nothing needs to be wrapped.  A number that is looked at in unsigned
//! operations, and in no signed ones, is kept unsigned; all others signed.  Votes go back along the flow of values: from what
//! is done with a value to where it came from.  All of this is about simple systems, not about right ones.

use super::memory::{Addressed, MOST_PIECES, PieceId};
use super::values::Mode;
use base::{Id, IdVec, Interval};
use claim::modular::Ints;
use facts::intervals::Range;
use facts::{Facts, Point};
use ir::{Access, BinOp, CastOp, Expr, Function, InstKind, Program, Reg, Term, Ty, UnOp};
use passes::{ThreadId, Unfolded};

/// What is done with a number, on any way that it goes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Uses {
    /// Something that a ring number is not good for.
    exact: bool,
    signed: bool,
    unsigned: bool,
}

const EXACT: Uses = Uses { exact: true, signed: false, unsigned: false };
const SIGNED: Uses = Uses { exact: true, signed: true, unsigned: false };
const UNSIGNED: Uses = Uses { exact: true, signed: false, unsigned: true };

impl Uses {
    fn join(&mut self, other: Uses) -> bool {
        let before = *self;
        self.exact |= other.exact;
        self.signed |= other.signed;
        self.unsigned |= other.unsigned;
        *self != before
    }
}

pub struct Modes {
    /// By thread, the number of its first register.
    first: IdVec<ThreadId, usize>,
    first_piece: usize,
    first_result: usize,
    modes: Vec<Mode>,
    /// What the facts know of registers and pieces.
    known: Vec<Option<Range>>,
}

impl Modes {
    pub fn register(&self, thread: ThreadId, reg: Reg) -> Mode {
        self.modes[self.first[thread] + reg.index()]
    }
    pub fn piece(&self, piece: PieceId) -> Mode {
        self.modes[self.first_piece + piece.index()]
    }
    pub fn result(&self, thread: ThreadId) -> Mode {
        self.modes[self.first_result + thread.index()]
    }
    /// The range of a register or piece that the facts know of, in its mode; nothing is known of ring numbers.
    pub fn register_range(&self, thread: ThreadId, reg: Reg) -> Option<Interval> {
        self.known(self.first[thread] + reg.index(), self.register(thread, reg))
    }
    pub fn piece_range(&self, piece: PieceId) -> Option<Interval> {
        self.known(self.first_piece + piece.index(), self.piece(piece))
    }
    fn known(&self, node: usize, mode: Mode) -> Option<Interval> {
        match mode {
            Mode::Signed => self.known[node].map(|range| range.signed),
            Mode::Unsigned => self.known[node].map(|range| range.unsigned),
            Mode::Ring => None,
        }
    }
}

/// Where the value of an expression goes.
#[derive(Clone, Copy)]
enum Goal<'g> {
    Into(&'g [usize]),
    /// It is used like this.
    Used(Uses),
    /// It is compared with another for being equal.
    Compared,
}

struct Votes<'a> {
    unfolded: &'a Unfolded,
    facts: &'a Facts,
    memory: &'a Addressed,
    modes: Modes,
    uses: Vec<Uses>,
    /// Arithmetic that may wrap goes into it.
    wraps: Vec<bool>,
    /// By node, where its value goes.
    flows: Vec<Vec<usize>>,
    function: &'a Function,
    thread: ThreadId,
    /// The nodes that `old` stands for, within an update.
    old: Vec<usize>,
    old_ty: Option<Ty>,
}

pub fn choose(unfolded: &Unfolded, facts: &Facts, memory: &Addressed, ints: Ints) -> Modes {
    let program = &unfolded.program;
    let mut first = IdVec::new();
    let mut count = 0;
    for thread in unfolded.threads.values() {
        first.push(count);
        count += program.functions[thread.func].regs.len();
    }
    let first_piece = count;
    let first_result = first_piece + memory.pieces.len();
    count = first_result + unfolded.threads.len();
    let modes = Modes { first, first_piece, first_result, modes: vec![Mode::Signed; count], known: vec![None; count] };
    let mut votes = Votes {
        unfolded,
        facts,
        memory,
        modes,
        uses: vec![Uses::default(); count],
        wraps: vec![false; count],
        flows: vec![Vec::new(); count],
        function: &program.functions[program.entry],
        thread: ThreadId::FIRST,
        old: Vec::new(),
        old_ty: None,
    };
    // The facts are about numbers that wrap.
    if ints == Ints::Mathematical {
        return votes.modes;
    }
    votes.known_ranges();
    votes.collect();
    votes.decide()
}

impl<'a> Votes<'a> {
    fn node(&self, reg: Reg) -> usize {
        self.modes.first[self.thread] + reg.index()
    }

    fn program(&self) -> &'a Program {
        &self.unfolded.program
    }

    fn known_ranges(&mut self) {
        let Votes { unfolded, facts, memory, .. } = *self;
        for (thread, instance) in unfolded.threads.iter() {
            let values = &facts.values[instance.func];
            for (id, value) in values.values.iter() {
                let node = self.modes.first[thread] + value.reg.index();
                if let Some(range) = facts.intervals.value(instance.func, id) {
                    self.grow(node, range);
                }
            }
        }
        for (id, piece) in memory.pieces.iter() {
            let region = facts.regions.all.iter().find(|(_, region)| memory.is_region(piece.object, region.kind));
            let Some((region, _)) = region else { continue };
            let mut cells = Vec::new();
            facts.cells.at(region, piece.offset, piece.size, &mut |cell| cells.push(cell));
            cells.dedup();
            if let [cell] = cells[..]
                && let Some(range) = facts.intervals.cell(cell)
                && u64::from(range.bits) == piece.size * 8
            {
                let node = self.modes.first_piece + id.index();
                self.grow(node, range);
            }
        }
    }

    fn grow(&mut self, node: usize, range: Range) {
        let known = &mut self.modes.known[node];
        *known = Some(known.map_or(range, |known| known.join(range)));
    }

    fn collect(&mut self) {
        let unfolded = self.unfolded;
        for (thread, instance) in unfolded.threads.iter() {
            self.thread = thread;
            self.function = &unfolded.program.functions[instance.func];
            for (block, data) in self.function.blocks.iter() {
                for (i, inst) in data.insts.iter().enumerate() {
                    self.instruction(Point::new(instance.func, block, i), &inst.kind);
                }
                match &data.term {
                    Term::Return(Some(value)) | Term::ExitThread(Some(value)) => {
                        self.see(value, Goal::Into(&[self.modes.first_result + thread.index()]));
                    }
                    Term::Switch { value, .. } => self.see(value, Goal::Compared),
                    Term::Branch { cond, .. } => self.see(cond, Goal::Used(EXACT)),
                    Term::Return(None) | Term::ExitThread(None) | Term::Jump(_) | Term::Halt | Term::Unreachable => (),
                }
            }
        }
    }

    fn instruction(&mut self, point: Point, kind: &InstKind) {
        if let Some(access) = kind.access() {
            let pieces = self.touched(point, &access);
            self.see(access.addr, Goal::Used(EXACT));
            (self.old, self.old_ty) = (pieces.clone(), Some(access.ty));
            if let InstKind::Update { when: Some(when), .. } = kind {
                self.see(when, Goal::Used(EXACT));
            }
            if let InstKind::Store { value: written, .. } | InstKind::Update { set: Some(written), .. } = kind {
                self.see(written, Goal::Into(&pieces));
            }
            (self.old, self.old_ty) = (Vec::new(), None);
            self.flow(pieces, kind.dst());
        } else if let InstKind::Assign { dst, value } = kind {
            self.see(value, Goal::Into(&[self.node(*dst)]));
        } else if let InstKind::Spawn { args, .. } = kind {
            let unfolded = self.unfolded;
            let child = kind.direct_callee().and_then(|func| unfolded.thread_of(func));
            for (i, arg) in args.iter().enumerate() {
                let param = child.and_then(|child| {
                    let param = unfolded.program.functions[unfolded.threads[child].func].params.get(i)?;
                    Some(self.modes.first[child] + param.index())
                });
                self.see(
                    arg,
                    param.as_ref().map_or(Goal::Used(EXACT), |param| Goal::Into(std::slice::from_ref(param))),
                );
            }
        } else {
            // Nothing more is known of what the others do with a number.
            kind.for_each_expr(&mut |expr| self.see(expr, Goal::Used(EXACT)));
            if let InstKind::Join { dst, .. } = kind {
                self.flow(self.modes.first_result..self.flows.len(), *dst);
            }
        }
    }

    /// The register gets one of these.
    fn flow(&mut self, from: impl IntoIterator<Item = usize>, dst: Option<Reg>) {
        if let Some(dst) = dst.map(|dst| self.node(dst)) {
            from.into_iter().for_each(|node| self.flows[node].push(dst));
        }
    }

    /// The pieces that an access may touch.  One that touches several at a time takes numbers apart.
    fn touched(&self, point: Point, access: &Access<'_>) -> Vec<usize> {
        let Votes { unfolded, facts, memory, .. } = self;
        let size = self.program().size_of(access.ty);
        let address = facts.points_to.address(point);
        let places = address.and_then(|at| memory.places(MOST_PIECES, unfolded, facts, at, size)).unwrap_or_default();
        let pieces = places.iter().filter_map(|(object, offset)| memory.pieces_at(*object, *offset, size)).flatten();
        pieces.map(|piece| self.modes.first_piece + piece.index()).collect()
    }

    fn ty(&self, expr: &Expr) -> Ty {
        self.function.type_of(self.program(), expr, self.old_ty)
    }

    fn leaf(&mut self, node: usize, goal: Goal<'_>) {
        match goal {
            Goal::Into(dsts) => self.flows[node].extend(dsts),
            Goal::Used(uses) => _ = self.uses[node].join(uses),
            Goal::Compared => (),
        }
    }

    fn see(&mut self, expr: &Expr, goal: Goal<'_>) {
        match expr {
            Expr::Const(..) | Expr::Object(..) | Expr::Func(_) | Expr::CurrentThread => (),
            Expr::Reg(reg) => self.leaf(self.node(*reg), goal),
            Expr::Old => self.old.clone().into_iter().for_each(|node| self.leaf(node, goal)),
            Expr::Un(UnOp::Not | UnOp::Neg, inner) => {
                self.arithmetic(expr, goal);
                self.see(inner, goal);
            }
            Expr::Un(_, inner) => self.see(inner, Goal::Used(EXACT)),
            Expr::Select(parts) => {
                self.see(&parts[0], Goal::Used(EXACT));
                self.see(&parts[1], goal);
                self.see(&parts[2], goal);
            }
            Expr::Cast(op, _, inner) => match op {
                CastOp::Trunc => self.see(inner, goal),
                CastOp::ZExt => self.see(inner, Goal::Used(UNSIGNED)),
                CastOp::SExt => self.see(inner, Goal::Used(SIGNED)),
                _ => self.see(inner, Goal::Used(EXACT)),
            },
            Expr::Bin(op, left, right) => {
                let is_constant = |expr: &Expr| matches!(expr, Expr::Const(..));
                let goal = match op {
                    BinOp::Add | BinOp::Sub => goal,
                    BinOp::Mul if is_constant(left) || is_constant(right) => goal,
                    BinOp::Shl if is_constant(right) => goal,
                    BinOp::Eq | BinOp::Ne => Goal::Compared,
                    BinOp::ULt | BinOp::ULe | BinOp::UDiv | BinOp::URem | BinOp::LShr => Goal::Used(UNSIGNED),
                    BinOp::SLt | BinOp::SLe | BinOp::SDiv | BinOp::SRem | BinOp::AShr => Goal::Used(SIGNED),
                    _ => Goal::Used(EXACT),
                };
                if matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl) {
                    self.arithmetic(expr, goal);
                }
                self.see(left, goal);
                self.see(right, goal);
            }
        }
    }

    /// Notes where the result of an operation goes if it may wrap, signed and unsigned.
    fn arithmetic(&mut self, expr: &Expr, goal: Goal<'_>) {
        let Goal::Into(dsts) = goal else { return };
        let Ty::Int(bits @ 2..=64) = self.ty(expr) else { return };
        let fits = |mode| {
            let range = self.unwrapped(expr, mode);
            range.is_some_and(|range| mode.range(bits.into()).contains(range))
        };
        if !fits(Mode::Signed) && !fits(Mode::Unsigned) {
            dsts.iter().for_each(|dst| self.wraps[*dst] = true);
        }
    }

    /// The range of a sum or multiple before it wraps, of operands that are signed or unsigned.
    fn unwrapped(&self, expr: &Expr, mode: Mode) -> Option<Interval> {
        let of_node = |node: usize| self.modes.known(node, mode);
        let all = |expr: &Expr| match self.ty(expr) {
            Ty::Int(bits @ 1..=64) => Some(mode.range(bits.into())),
            _ => None,
        };
        match expr {
            Expr::Const(ty, value) => {
                let bits = self.program().bits_of(*ty);
                Some(Interval::exactly(match mode {
                    Mode::Signed => ir::signed(*value, bits),
                    Mode::Unsigned | Mode::Ring => i128::try_from(*value).ok()?,
                }))
            }
            Expr::Reg(reg) => of_node(self.node(*reg)).or(all(expr)),
            Expr::Old => match self.old[..] {
                [node] => of_node(node).or(all(expr)),
                _ => all(expr),
            },
            Expr::Un(UnOp::Neg, inner) => self.unwrapped(inner, mode).map(|range| range.times(-1)),
            Expr::Bin(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), left, right) => {
                let (a, b) = (self.unwrapped(left, mode)?, self.unwrapped(right, mode)?);
                Some(match op {
                    BinOp::Add => a.plus(b),
                    BinOp::Sub => a.minus(b),
                    _ => a.product(b),
                })
            }
            Expr::Bin(BinOp::Shl, left, right) => match **right {
                Expr::Const(_, by @ 0..63) => self.unwrapped(left, mode).map(|range| range.times(1 << by)),
                _ => None,
            },
            Expr::Cast(CastOp::ZExt, _, inner) => match self.ty(inner) {
                Ty::Int(bits @ 1..64) => {
                    self.unwrapped(inner, Mode::Unsigned).or(Some(Interval::unsigned(bits.into())))
                }
                _ => all(expr),
            },
            Expr::Cast(CastOp::SExt, _, inner) if mode == Mode::Signed => self.unwrapped(inner, mode),
            _ => all(expr),
        }
    }

    fn decide(mut self) -> Modes {
        // Back along the flow: what is done with a value concerns where it came from.
        let mut changed = true;
        while changed {
            changed = false;
            for node in (0..self.uses.len()).rev() {
                for i in 0..self.flows[node].len() {
                    let uses = self.uses[self.flows[node][i]];
                    changed |= self.uses[node].join(uses);
                }
            }
        }
        // Forward: a copy of a number that was not wrapped is none that was.
        let mut work: Vec<usize> = (0..self.uses.len()).filter(|node| self.wraps[*node]).collect();
        while let Some(node) = work.pop() {
            if self.uses[node].exact {
                continue;
            }
            for i in 0..self.flows[node].len() {
                let to = self.flows[node][i];
                if !std::mem::replace(&mut self.wraps[to], true) {
                    work.push(to);
                }
            }
        }
        for (node, uses) in self.uses.iter().enumerate() {
            self.modes.modes[node] = match uses {
                _ if self.wraps[node] && !uses.exact => Mode::Ring,
                Uses { unsigned: true, signed: false, .. } => Mode::Unsigned,
                _ => Mode::Signed,
            };
        }
        self.forget_what_crosses();
        self.modes
    }

    /// Where numbers that are different signed and unsigned go from the one to the other, the range that is known there cannot be
    /// told from the one that is known here: it would have to be believed.
    fn forget_what_crosses(&mut self) {
        let crosses = |modes: &Modes, node: usize| {
            let known = modes.known(node, modes.modes[node]).zip(modes.known[node]);
            known.is_none_or(|(range, known)| !Interval::unsigned(known.bits - 1).contains(range))
        };
        for (from, to) in self.flows.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to))) {
            let modes = &mut self.modes;
            if matches!(
                (modes.modes[from], modes.modes[to]),
                (Mode::Signed, Mode::Unsigned) | (Mode::Unsigned, Mode::Signed)
            ) && crosses(modes, from)
                && crosses(modes, to)
            {
                modes.known[to] = None;
            }
        }
    }
}
