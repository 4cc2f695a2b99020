//! The solver: a worklist of instructions, each run again when something it reads has grown.

use super::PointsTo;
use super::index::{self, Index};
use super::memory::Memory;
use super::target::{ANY, Offsets, Target, Targets};
use super::written::written_before;
use crate::rules::{Rule, Rules};
use crate::{Functions, Origin, Point, RegionId, RegionKind, Regions, Reuse, ValueId, Values};
use base::{BitSet, Id, IdVec};
use ir::{BinOp, Callee, CastOp, Expr, FuncId, InitValue, InstKind, Program, Term, Ty, UnOp};
use rustc_hash::FxHashSet;

pub struct Solver<'p> {
    functions: Functions<'p>,
    program: &'p Program,
    values: &'p IdVec<FuncId, Values>,
    regions: &'p Regions,
    reuse: &'p Reuse,
    rules: Rules,
    /// The rules of a function count once something may call it.
    active: IdVec<FuncId, bool>,
    /// Rules that call a function and want its result.
    callers: IdVec<FuncId, Vec<u32>>,
    /// Rules that load from a region.
    loaders: IdVec<RegionId, Vec<u32>>,
    /// All rules that load, for what is stored to an unknown place.
    all_loaders: Vec<u32>,
    wild_loaders: Vec<u32>,
    joiners: Vec<u32>,
    known_edges: FxHashSet<(u32, u32, u8)>,
    indices: IdVec<FuncId, IdVec<ValueId, Option<Index>>>,
    /// Loads that surely find something stored.
    written: IdVec<FuncId, FxHashSet<Point>>,
    memory: Memory,
    address_taken: Vec<FuncId>,
    /// What the own handle of a thread may be: that of any.
    handles: Targets,
    /// The answer, as far as it has been found.
    found: PointsTo,
}

impl<'p> Solver<'p> {
    pub fn new(functions: Functions<'p>, regions: &'p Regions, reuse: &'p Reuse) -> Self {
        let Functions { program, values, .. } = functions;
        let matters = |point: Point| match program.kind(point) {
            Some(kind) => kind.dst().is_some() || kind.access().is_some() || kind.callee().is_some(),
            None => matches!(program.block(point).term, Term::Return(Some(_)) | Term::ExitThread(Some(_))),
        };
        let rules = Rules::new(functions, program.functions.ids(), matters);
        let rules_where = |holds: &dyn Fn(&InstKind) -> bool| {
            let is_so = |rule: &Rule| matches!(rule, Rule::At(point) if program.kind(*point).is_some_and(holds));
            (0..).zip(&rules.all).filter(|(_, rule)| is_so(rule)).map(|(number, _)| number).collect()
        };
        let count = program.functions.len();
        let mut solver = Solver {
            functions,
            program,
            values,
            regions,
            reuse,
            active: IdVec::filled(false, count),
            callers: IdVec::filled(Vec::new(), count),
            loaders: IdVec::filled(Vec::new(), regions.all.len()),
            all_loaders: rules_where(&|kind| kind.access().is_some_and(|access| access.reads)),
            wild_loaders: Vec::new(),
            joiners: rules_where(&|kind| matches!(kind, InstKind::Join { .. })),
            rules,
            known_edges: FxHashSet::default(),
            indices: values.values().map(|v| IdVec::filled(None, v.values.len())).collect(),
            written: program.functions.ids().map(|func| written_before(functions, func)).collect(),
            memory: Memory::new(regions.all.len()),
            address_taken: program.addressed_functions(),
            handles: handles(regions),
            found: PointsTo {
                values: values.values().map(|v| IdVec::filled(Targets::default(), v.values.len())).collect(),
                results: IdVec::filled(Targets::default(), count),
                ..PointsTo::default()
            },
        };
        solver.set_up();
        solver
    }

    pub fn solve(mut self) -> PointsTo {
        while let Some((number, rule)) = self.rules.pop() {
            self.run(number, rule);
        }
        self.finish()
    }

    /// The initial contents of memory and of parameters nobody passes.
    fn set_up(&mut self) {
        let program = self.program;
        for (object, data) in program.objects.iter() {
            let region = self.regions.of_object(object);
            for init in &data.init {
                let offsets = Offsets::exact(i64::try_from(init.offset).unwrap_or(i64::MAX));
                let value = match &init.value {
                    InitValue::Object(to, by) => Targets::one(self.regions.of_object(*to), Offsets::exact(*by)),
                    InitValue::Function(func) => Targets::starts_of([self.regions.of_function(*func)]),
                    InitValue::Scalar(_, 0) => continue,
                    // A number for whoever reads it: how many bytes make it up does not matter.
                    InitValue::Scalar(..) | InitValue::Bytes(_) => Targets::number(),
                };
                self.memory.store(&Target { region, offsets }, init.bytes(program, &|_| 0).len() as u64, &value);
            }
        }
        for (func, values) in self.values.iter() {
            for (id, value) in values.values.iter() {
                match &value.origin {
                    Origin::Unwritten => self.found.values[func][id] = Targets::zero(),
                    // The first thread has no arguments; a program that gives it some gets any.
                    Origin::Param(_) if func == program.entry => self.found.values[func][id] = Targets::anything(),
                    Origin::Param(_) | Origin::Inst(..) | Origin::Meet(..) => (),
                }
            }
        }
        self.activate(program.entry);
    }

    fn activate(&mut self, func: FuncId) {
        if self.active.get(func) == Some(&false) {
            self.active[func] = true;
            self.rules.start(func);
        }
    }

    fn grow_value(&mut self, func: FuncId, value: ValueId, by: &Targets) {
        if self.found.values[func][value].join(by) {
            self.rules.grown(func, value);
        }
    }

    fn run(&mut self, number: u32, rule: Rule) {
        match rule {
            Rule::Meet(func, value) => {
                let Origin::Meet(_, operands) = &self.values[func].values[value].origin else { return };
                for (_, operand) in operands {
                    let from = self.found.values[func][*operand].clone();
                    self.grow_value(func, value, &from);
                }
            }
            Rule::At(point) => match self.program.kind(point) {
                Some(kind) => self.run_inst(number, point, kind),
                None => self.run_term(point, &self.program.block(point).term),
            },
        }
    }

    fn run_term(&mut self, point: Point, term: &Term) {
        if let Term::Return(Some(value)) = term {
            let value = self.eval(point, value, None);
            if self.found.results[point.func].join(&value) {
                self.rules.wake(&self.callers[point.func]);
            }
        } else if let Term::ExitThread(Some(value)) = term {
            let value = self.eval(point, value, None);
            self.grow_thread_result(&value);
        }
    }

    fn grow_thread_result(&mut self, by: &Targets) {
        if self.found.thread_result.join(by) {
            self.rules.wake(&self.joiners);
        }
    }

    fn run_inst(&mut self, rule: u32, point: Point, kind: &InstKind) {
        let result = match kind {
            InstKind::Assign { value, .. } => self.eval(point, value, None),
            InstKind::Load { ty, addr, .. } => {
                let addr = self.eval(point, addr, None);
                self.load(rule, point, &addr, *ty)
            }
            InstKind::Store { ty, addr, value, .. } => {
                let addr = self.eval(point, addr, None);
                let value = self.eval(point, value, None);
                self.store(&addr, *ty, &value);
                return;
            }
            InstKind::Update { ty, addr, set, .. } => {
                let addr = self.eval(point, addr, None);
                let old = self.load(rule, point, &addr, *ty);
                self.found.found.insert(point, old.clone());
                if let Some(set) = set {
                    let value = self.eval(point, set, Some((&old, *ty)));
                    self.store(&addr, *ty, &value);
                }
                old
            }
            InstKind::Havoc { .. } => Targets::anything(),
            InstKind::Alloc { .. } => {
                let taken = self.reuse.at(point).into_iter().flat_map(BitSet::iter).map(RegionId::new);
                Targets::starts_of(self.regions.of_point(point).into_iter().chain(taken))
            }
            InstKind::Call { callee, args, .. } => {
                let mut result = Targets::default();
                for func in self.enter(rule, point, callee, args) {
                    result.join(&self.found.results[func]);
                }
                result
            }
            InstKind::Spawn { callee, args, .. } => {
                for arg in args {
                    let arg = self.eval(point, arg, None);
                    add_regions(&arg, self.regions, &mut self.found.handed_to_threads);
                }
                for func in self.enter(rule, point, callee, args) {
                    let result = self.found.results[func].clone();
                    self.grow_thread_result(&result);
                }
                Targets::starts_of(self.regions.of_point(point))
            }
            InstKind::Join { .. } => {
                // A thread may also end without a result.
                Targets { zero: true, ..self.found.thread_result.clone() }
            }
            InstKind::Free { .. } | InstKind::Assume { .. } | InstKind::Assert { .. } => return,
            InstKind::Detach { .. } | InstKind::AtomicBegin | InstKind::AtomicEnd => return,
            InstKind::Fence { .. } | InstKind::Unsupported { .. } => return,
        };
        if let Some(value) = self.values[point.func].written(point) {
            self.grow_value(point.func, value, &result);
        }
    }

    /// Passes the arguments to all functions that a call or spawn may lead to; it is run again when their results grow.
    fn enter(&mut self, rule: u32, point: Point, callee: &Callee, args: &[Expr]) -> Vec<FuncId> {
        let args: Vec<Targets> = args.iter().map(|arg| self.eval(point, arg, None)).collect();
        let found = self.resolve(point, callee);
        for func in &found {
            self.activate(*func);
            for value in self.values[*func].values.ids() {
                let Origin::Param(i) = self.values[*func].values[value].origin else { break };
                self.grow_value(*func, value, args.get(i).unwrap_or(&Targets::anything()));
            }
            if self.known_edges.insert((rule, func.0, 0)) {
                self.callers[*func].push(rule);
            }
        }
        found
    }

    fn resolve(&mut self, point: Point, callee: &Callee) -> Vec<FuncId> {
        let mut found = match callee {
            Callee::Direct(func) => vec![*func],
            Callee::Indirect(address) => {
                let address = self.eval(point, address, None);
                let kinds = address.iter().map(|target| self.regions.all[target.region].kind);
                let function = |kind| if let RegionKind::Function(func) = kind { Some(func) } else { None };
                let mut found: Vec<FuncId> = kinds.filter_map(function).collect();
                if address.anywhere() {
                    found.extend(&self.address_taken);
                }
                found
            }
        };
        found.sort_unstable();
        found.dedup();
        self.found.callees.insert(point, found.clone());
        found
    }

    fn load(&mut self, rule: u32, point: Point, addr: &Targets, ty: Ty) -> Targets {
        let size = self.program.size_of(ty);
        let mut result = self.memory.anywhere.clone();
        let written = self.written[point.func].contains(&point);
        for target in addr.iter().filter(|target| self.regions.have(target, size)) {
            // What was stored to a block may be gone once it is used again.
            let written = written && !self.reuse.taken.contains(target.region.index());
            let written = written || self.regions.all[target.region].initialised;
            self.memory.load(target, size, written, &mut result);
            if self.known_edges.insert((rule, target.region.0, 1)) {
                self.loaders[target.region].push(rule);
            }
        }
        if addr.anywhere() {
            if self.known_edges.insert((rule, 0, 2)) {
                self.wild_loaders.push(rule);
            }
            result.join(&self.memory.everything);
            result.join(&Targets::anything());
        }
        result
    }

    fn store(&mut self, addr: &Targets, ty: Ty, value: &Targets) {
        let size = self.program.size_of(ty);
        let stored_nothing = value.is_empty() && !value.number && !value.wild;
        if stored_nothing {
            return;
        }
        for target in addr.iter() {
            if self.regions.have(target, size) && self.memory.store(target, size, value) {
                self.rules.wake(&self.loaders[target.region]);
            }
        }
        if self.memory.everything.join(&value.blurred()) {
            self.rules.wake(&self.wild_loaders);
        }
        if addr.anywhere() && self.memory.store_anywhere(value) {
            self.rules.wake(&self.all_loaders);
        }
    }

    /// What an expression may mean; `old` is what an update found.
    fn eval(&mut self, at: Point, expr: &Expr, old: Option<(&Targets, Ty)>) -> Targets {
        match expr {
            Expr::Const(_, 0) => Targets::zero(),
            Expr::Const(..) => Targets::number(),
            Expr::Reg(reg) => match self.values[at.func].used(at, *reg) {
                Some(value) => self.found.values[at.func][value].clone(),
                None => Targets::anything(),
            },
            Expr::Object(object, by) => Targets::one(self.regions.of_object(*object), Offsets::exact(*by)),
            Expr::Func(func) => Targets::starts_of([self.regions.of_function(*func)]),
            Expr::CurrentThread => self.handles.clone(),
            Expr::Old => old.map_or_else(Targets::anything, |(targets, _)| targets.clone()),
            // A count, or a truth value.
            Expr::Un(UnOp::PopCount | UnOp::LeadingZeros | UnOp::TrailingZeros | UnOp::FIsNan, _) => {
                Targets::anything()
            }
            Expr::Un(_, inner) => {
                let inner = self.eval(at, inner, old);
                mixed(&inner, &inner)
            }
            Expr::Bin(op, left, right) => self.eval_bin(at, *op, left, right, old),
            Expr::Cast(op, ty, inner) => {
                let value = self.eval(at, inner, old);
                match op {
                    CastOp::ZExt | CastOp::SExt | CastOp::Bits => value,
                    CastOp::Trunc | CastOp::PtrToInt | CastOp::IntToPtr => self.cut(value, *ty),
                    CastOp::Float | CastOp::FloatToSigned | CastOp::FloatToUnsigned => mixed(&value, &value),
                    CastOp::SignedToFloat | CastOp::UnsignedToFloat => mixed(&value, &value),
                }
            }
            Expr::Select(parts) => {
                let mut value = self.eval(at, &parts[1], old);
                value.join(&self.eval(at, &parts[2], old));
                value
            }
        }
    }

    fn eval_bin(&mut self, at: Point, op: BinOp, left: &Expr, right: &Expr, old: Option<(&Targets, Ty)>) -> Targets {
        use BinOp::*;
        if op.is_comparison() {
            return Targets { zero: true, ..Targets::number() };
        }
        let l = self.eval(at, left, old);
        match op {
            PtrAdd => {
                if let (Expr::Const(_, 0), Expr::Const(_, 1..)) = (left, right) {
                    // A field behind a null pointer: no less a literal number than the pointer is.
                    return Targets::number();
                }
                if let Expr::Const(..) = left {
                    // Not an address plus an index, but a number that becomes an address.
                    let r = self.eval(at, right, old);
                    return mixed(&l, &r);
                }
                let by = self.index(at, right, old.map(|(_, ty)| ty), 0).offsets();
                l.map(|target| target.offsets.plus(by))
            }
            Add | Sub => {
                let r = self.eval(at, right, old);
                let old = old.map(|(_, ty)| ty);
                let ty = self.program.functions[at.func].type_of(self.program, left, old);
                // Only the left side holds addresses and it is as wide as they are: the same as adding to a pointer.
                let mut res = if ty == self.program.pointer_int() && r.is_empty() {
                    let by = self.index(at, right, old, 0).offsets();
                    let by = if op == Sub { negated(by) } else { by };
                    l.map(|target| target.offsets.plus(by))
                } else {
                    mixed(&l, &r)
                };
                sum_flags(&l, &r, &mut res);
                res
            }
            Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor | FAdd | FSub | FMul | FDiv | FRem
            | FMin | FMax | FCopySign => {
                let r = self.eval(at, right, old);
                mixed(&l, &r)
            }
            Eq | Ne | ULt | ULe | SLt | SLe | FOeq | FOne | FOlt | FOle | FOrd => Targets::anything(),
        }
    }

    /// A value cut to the width of `ty`: an address keeps its offset only if all of it is kept; a handle fits 32 bits.
    fn cut(&self, value: Targets, ty: Ty) -> Targets {
        let bits = self.program.bits_of(ty);
        let pointer = u32::from(self.program.data_model.pointer_bits());
        value.map(|target| match self.regions.all[target.region].kind {
            RegionKind::Thread(_) if bits >= 32 => target.offsets,
            _ if bits >= pointer => target.offsets,
            _ => ANY,
        })
    }

    /// What is known of an integer expression used as an index, after so many definitions have been followed.
    fn index(&mut self, at: Point, expr: &Expr, old: Option<Ty>, followed: u32) -> Index {
        let (program, values) = (self.program, &self.values[at.func]);
        let function = &program.functions[at.func];
        index::evaluate(program, function, expr, old, &mut |reg| {
            let any = Index::any(program.bits_of(function.ty(reg)));
            let Some(value) = values.used(at, reg) else { return any };
            if let Some(found) = self.indices[at.func][value] {
                return found;
            }
            // Also ends the search should a value depend on itself.
            self.indices[at.func][value] = Some(any);
            let mut found = any;
            if let Some((at, InstKind::Assign { value, .. })) = values.definition(program, at, reg)
                && followed < DEEPEST
            {
                found = self.index(at, value, None, followed + 1);
            }
            self.indices[at.func][value] = Some(found);
            found
        })
    }

    fn finish(mut self) -> PointsTo {
        for func in self.program.functions.ids() {
            for (point, kind) in self.functions.insts(func) {
                let accessed = kind.address();
                let Some(address) = accessed.or(kind.handle()) else { continue };
                let targets = self.eval(point, address, None);
                self.found.wild_access |= accessed.is_some() && targets.anywhere();
                self.found.addresses.insert(point, targets);
            }
        }
        for region in self.regions.all.ids() {
            let mut held = BitSet::new();
            self.memory.held(region).for_each(|targets| add_regions(targets, self.regions, &mut held));
            self.found.contents.push(held);
        }
        self.found
    }
}

/// How deep definitions are followed.
const DEEPEST: u32 = 32;

/// The result of an operation that keeps nothing of the operands' offsets.
fn mixed(left: &Targets, right: &Targets) -> Targets {
    let mut res = left.blurred();
    res.join(&right.blurred());
    let numbers = left.may_be_number() && right.may_be_number();
    Targets { zero: numbers, number: numbers, wild: numbers, ..res }
}

/// What else a sum may be besides an address: adding 0 changes nothing, other numbers give a computed one.
fn sum_flags(left: &Targets, right: &Targets, res: &mut Targets) {
    let is_number = |side: &Targets| side.number || side.wild;
    let computed = is_number(left) && is_number(right);
    res.zero = left.zero && right.zero || computed;
    res.number = left.zero && right.number || right.zero && left.number || computed;
    res.wild = left.zero && right.wild || right.zero && left.wild || computed;
}

fn add_regions(of: &Targets, regions: &Regions, to: &mut BitSet) {
    of.iter().for_each(|target| _ = to.insert(target.region.index()));
    if of.all {
        regions.all.ids().for_each(|region| _ = to.insert(region.index()));
    }
}

fn handles(regions: &Regions) -> Targets {
    let is_thread = |region: &RegionId| matches!(regions.all[*region].kind, RegionKind::Thread(_));
    Targets::starts_of(regions.all.ids().filter(is_thread))
}

fn negated(offsets: Offsets) -> Offsets {
    Offsets::new(-i128::from(offsets.base), u128::from(offsets.stride))
}
