//! Where the original stands at a place of the unfolded program, and what the registers of both have to do with each other.

use super::rounds::{self, Round};
use ir::interp::Point;
use ir::{BlockId, Expr, FuncId, Function, Program, Reg};
use passes::{ActivationId, Instance, Unfolded};
use rustc_hash::FxHashMap;

/// What would become larger counts as not known.
pub const LARGEST: usize = 2_000;

/// What a register of the original holds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Value {
    /// A constant.
    pub constant: Option<Expr>,
    /// The same in terms of the registers of the unfolded program.
    pub expr: Option<Expr>,
}

impl Value {
    pub fn new(expr: Option<Expr>) -> Self {
        match expr {
            Some(expr) if is_constant(&expr) => Value { constant: Some(expr), expr: None },
            expr => Value { constant: None, expr },
        }
    }
    pub fn is(&self, expr: &Expr) -> bool {
        self.forms().any(|form| form == expr)
    }
    /// Ways to say it.
    pub fn forms(&self) -> impl Iterator<Item = &Expr> {
        self.constant.iter().chain(&self.expr)
    }
    /// What is known whichever of two ways was taken.
    pub fn common(&self, other: &Value) -> Value {
        let same = |one: &Option<Expr>, other: &Option<Expr>| one.clone().filter(|_| one == other);
        Value { constant: same(&self.constant, &other.constant), expr: same(&self.expr, &other.expr) }
    }
}

/// An activation of a function of the original.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// What it does next; for those that wait, the call.
    pub point: Point,
    /// Whose registers of the unfolded program are for it: a hint.
    pub activation: Option<ActivationId>,
    pub values: FxHashMap<Reg, Value>,
}

/// How far the unfolded program is with taking the place of a freed block.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Taking {
    /// In which register the pointer to it is.
    pub block: Option<Reg>,
    /// In which that to an object is that was never written, and the size of that.
    pub unwritten: Option<(Reg, u128)>,
    /// The register that was read from there last.
    pub content: Option<Reg>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The function of the unfolded program.
    pub thread: FuncId,
    /// The innermost last.
    pub frames: Vec<Frame>,
    /// Registers of the unfolded program that hold a constant.
    pub known: FxHashMap<Reg, Expr>,
    /// About the call through a pointer that comes next: which function it goes to, and which it does not.
    pub callee: Option<FuncId>,
    pub not: Vec<FuncId>,
    /// The unfolded program is about to take the place of a freed block.
    pub taking: Option<Taking>,
    /// The loops that the original is in, where rounds of them may be left out.
    pub rounds: Vec<Round>,
    /// What registers of the unfolded program were assigned, as long as that can be said.
    pub copies: FxHashMap<Reg, Expr>,
}

/// Does it have the same value wherever it is evaluated by a thread?
pub fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Const(..) | Expr::Object(..) | Expr::Func(_))
}

pub fn mentions(expr: &Expr, reg: Reg) -> bool {
    expr.any(&mut |part| *part == Expr::Reg(reg))
}

impl State {
    pub fn at_start(program: &Program, unfolded: &Unfolded, thread: Instance, known: &[Option<Expr>]) -> Self {
        let original = &program.functions[thread.original];
        let params = &unfolded.program.functions[thread.func].params;
        let mut frame = Frame::new(program, thread.original);
        frame.activation = Some(ActivationId(0));
        for (param, own) in original.params.iter().zip(params) {
            frame.values.insert(*param, Value::new(Some(Expr::Reg(*own))));
        }
        let given = params.iter().zip(known).filter_map(|(param, known)| Some((*param, known.clone()?)));
        let mut known: FxHashMap<Reg, Expr> = given.collect();
        // The other registers of both programs are zero.
        let regs = &unfolded.program.functions[thread.func].regs;
        let is_zero = |reg: &Reg| !params.contains(reg) && regs.get(*reg).map(|own| own.ty) == Some(original.ty(*reg));
        for (reg, value) in frame.values.iter_mut().filter(|(reg, value)| value.expr.is_none() && is_zero(reg)) {
            value.expr = Some(Expr::Reg(*reg));
            known.extend(value.constant.clone().map(|zero| (*reg, zero)));
        }
        State {
            thread: thread.func,
            frames: vec![frame],
            known,
            callee: None,
            not: Vec::new(),
            taking: None,
            rounds: Vec::new(),
            copies: FxHashMap::default(),
        }
    }

    pub fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a thread that has not ended has a frame")
    }

    pub fn point(&self) -> Point {
        self.frames.last().expect("a thread that has not ended has a frame").point
    }

    pub fn place(&self) -> Vec<Point> {
        self.frames.iter().map(|frame| frame.point).collect()
    }

    /// A call has ended, and with it the loops in it.
    pub fn forget_rounds(&mut self) {
        let depth = self.frames.len();
        self.rounds.retain(|round| round.depth() <= depth);
    }

    /// Control goes to a block of the same function.
    pub fn jump(&mut self, to: BlockId) {
        self.top().point = Point::new(self.point().func, to, 0);
    }

    pub fn advance(&mut self) {
        self.top().point.inst += 1;
        self.callee = None;
        self.not.clear();
    }

    /// Of how many registers of the original it is known what they hold.
    pub fn knows(&self) -> usize {
        let values = self.frames.iter().flat_map(|frame| frame.values.values());
        values.filter(|value| value.constant.is_some() || value.expr.is_some()).count()
    }

    /// What holds in both states, which are at the same place.
    pub fn common(&self, other: &State) -> State {
        let mut common = self.clone();
        common.known.retain(|reg, value| other.known.get(reg) == Some(value));
        for (frame, theirs) in common.frames.iter_mut().zip(&other.frames) {
            frame.activation.take_if(|activation| Some(*activation) != theirs.activation);
            frame.values.retain(|reg, value| {
                *value = theirs.values.get(reg).map_or_else(Value::default, |theirs| value.common(theirs));
                *value != Value::default()
            });
        }
        common.callee.take_if(|callee| Some(*callee) != other.callee);
        common.not.retain(|func| other.not.contains(func));
        common.copies.retain(|reg, value| other.copies.get(reg) == Some(value));
        common.rounds = rounds::common(&self.rounds, &other.rounds);
        common
    }

    /// The expression with each register replaced by what it was assigned: what is equal then is the same.
    pub fn resolved(&self, expr: &Expr) -> Expr {
        let mut expr = expr.clone();
        expr.map_regs(&mut |reg| match self.copies.get(&reg) {
            Some(value) if value.nodes() < LARGEST => self.resolved(value),
            _ => Expr::Reg(reg),
        });
        expr
    }

    pub fn same(&self, one: &Expr, other: &Expr) -> bool {
        one == other || self.resolved(one) == self.resolved(other)
    }

    /// The unfolded program writes a register: what was said by means of it is not known any more.
    pub fn overwrite(&mut self, reg: Reg) {
        self.known.remove(&reg);
        self.rounds.iter_mut().for_each(|round| round.overwrite(reg));
        self.copies.retain(|copy, value| *copy != reg && !mentions(value, reg));
        for frame in &mut self.frames {
            frame.values.retain(|_, value| {
                if value.expr.as_ref().is_some_and(|expr| mentions(expr, reg)) {
                    value.expr = None;
                }
                *value != Value::default()
            });
        }
    }
}

impl Frame {
    /// A call begins: registers are zero.
    pub fn new(program: &Program, func: FuncId) -> Self {
        let function = &program.functions[func];
        let zero = |(reg, data): (Reg, &ir::RegData)| (reg, Value::new(Some(Expr::Const(data.ty, 0))));
        let values = function.regs.iter().map(zero).collect();
        Frame { point: Point::new(func, Function::ENTRY, 0), activation: None, values }
    }
}
