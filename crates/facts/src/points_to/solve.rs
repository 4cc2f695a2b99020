//! The solver: a worklist of instructions, each run again when something it reads has grown.

use super::PointsTo;
use super::index::{self, Index};
use super::memory::Memory;
use super::target::{ANY, Offsets, Targets};
use super::written::written_before;
use crate::cfg::{Cfg, Point, Points};
use crate::queue::Queue;
use crate::regions::{RegionId, RegionKind, Regions};
use crate::reuse::Reuse;
use crate::values::{Origin, ValueId, Values};
use base::{BitSet, Id, IdVec};
use ir::{BinOp, Callee, CastOp, Expr, FuncId, InitValue, InstKind, Program, Term, Ty, UnOp};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is run again when its inputs grow.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// An instruction, or with `inst == insts.len()` a terminator.
    At(Point),
    Meet(FuncId, ValueId),
}

pub struct Solver<'p> {
    program: &'p Program,
    points: &'p Points,
    cfgs: &'p IdVec<FuncId, Cfg>,
    values: &'p IdVec<FuncId, Values>,
    regions: &'p Regions,
    reuse: &'p Reuse,
    rules: Vec<Rule>,
    /// The rules of each function: they count once something may call it.
    rules_of: IdVec<FuncId, std::ops::Range<u32>>,
    active: IdVec<FuncId, bool>,
    /// Rules that read a value.
    readers: IdVec<FuncId, IdVec<ValueId, Vec<u32>>>,
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
    targets: IdVec<FuncId, IdVec<ValueId, Targets>>,
    results: IdVec<FuncId, Targets>,
    thread_result: Targets,
    memory: Memory,
    callees: FxHashMap<usize, Vec<FuncId>>,
    /// Calls for which nothing was found, so that any function may be meant.
    lost_calls: FxHashSet<u32>,
    address_taken: Vec<FuncId>,
    handed: BitSet,
    /// What the own handle of a thread may be: that of any.
    handles: Targets,
    /// What updates find.
    found: FxHashMap<usize, Targets>,
    queue: Queue,
}

impl<'p> Solver<'p> {
    pub fn new(
        program: &'p Program,
        points: &'p Points,
        cfgs: &'p IdVec<FuncId, Cfg>,
        values: &'p IdVec<FuncId, Values>,
        regions: &'p Regions,
        reuse: &'p Reuse,
    ) -> Self {
        let per_value = |v: &Values| v.values.len();
        let mut solver = Solver {
            program,
            points,
            cfgs,
            values,
            regions,
            reuse,
            rules: Vec::new(),
            rules_of: IdVec::new(),
            active: IdVec::filled(false, program.functions.len()),
            readers: values.values().map(|v| IdVec::filled(Vec::new(), per_value(v))).collect(),
            callers: IdVec::filled(Vec::new(), program.functions.len()),
            loaders: IdVec::filled(Vec::new(), regions.all.len()),
            all_loaders: Vec::new(),
            wild_loaders: Vec::new(),
            joiners: Vec::new(),
            known_edges: FxHashSet::default(),
            indices: values.values().map(|v| IdVec::filled(None, per_value(v))).collect(),
            written: program
                .functions
                .ids()
                .map(|func| written_before(program, func, &cfgs[func], &values[func]))
                .collect(),
            targets: values.values().map(|v| IdVec::filled(Targets::none(), per_value(v))).collect(),
            results: IdVec::filled(Targets::none(), program.functions.len()),
            thread_result: Targets::none(),
            memory: Memory::new(regions.all.len()),
            callees: FxHashMap::default(),
            lost_calls: FxHashSet::default(),
            address_taken: address_taken(program),
            handed: BitSet::new(),
            handles: handles(regions),
            found: FxHashMap::default(),
            queue: Queue::new(0),
        };
        solver.set_up();
        solver
    }

    pub fn solve(mut self) -> PointsTo {
        loop {
            while let Some(rule) = self.queue.pop() {
                self.run(rule);
            }
            if !self.find_lost_calls() {
                break;
            }
        }
        self.finish()
    }

    /// Makes the rules, the initial contents of memory and of parameters nobody passes.
    fn set_up(&mut self) {
        let program = self.program;
        for (object, data) in program.objects.iter() {
            let region = self.regions.of_object(object);
            for init in &data.init {
                let offset = Offsets::exact(i64::try_from(init.offset).unwrap_or(i64::MAX));
                let (value, size) = match &init.value {
                    InitValue::Object(to, by) => {
                        let to = Targets::one(self.regions.of_object(*to), Offsets::exact(*by));
                        (to, program.data_model.pointer_bytes())
                    }
                    InitValue::Function(func) => (
                        Targets::one(self.regions.of_function(*func), Offsets::exact(0)),
                        program.data_model.pointer_bytes(),
                    ),
                    InitValue::Scalar(_, 0) => continue,
                    InitValue::Scalar(ty, _) => (Targets::number(), program.size_of(*ty)),
                    // A number for whoever reads it: how many bytes make it up does not matter.
                    InitValue::Bytes(bytes) => (Targets::number(), bytes.len() as u64),
                };
                self.memory.store(region, offset, size, &value);
            }
        }
        for (func, function) in program.functions.iter() {
            let first = self.rules.len() as u32;
            for (id, value) in self.values[func].values.iter() {
                match &value.origin {
                    Origin::Unwritten => self.targets[func][id] = Targets::anything(),
                    // The first thread has no arguments; a program that gives it some gets any.
                    Origin::Param(_) if func == program.entry => self.targets[func][id] = Targets::anything(),
                    Origin::Param(_) | Origin::Inst(..) => (),
                    Origin::Meet(_, operands) => {
                        let rule = self.rules.len() as u32;
                        self.rules.push(Rule::Meet(func, id));
                        operands.iter().for_each(|(_, operand)| self.readers[func][*operand].push(rule));
                    }
                }
            }
            for block_id in &self.cfgs[func].order {
                let block = &function.blocks[*block_id];
                for i in 0..=block.insts.len() {
                    let kind = block.insts.get(i).map(|inst| &inst.kind);
                    let relevant = match kind {
                        Some(kind) => kind.dst().is_some() || kind.access().is_some() || kind.callee().is_some(),
                        None => matches!(block.term, Term::Return(Some(_)) | Term::ExitThread(Some(_))),
                    };
                    if !relevant {
                        continue;
                    }
                    let rule = self.rules.len() as u32;
                    self.rules.push(Rule::At(Point::new(func, *block_id, i)));
                    for (_, value) in self.values[func].uses_at(*block_id, i) {
                        self.readers[func][*value].push(rule);
                    }
                    if kind.and_then(InstKind::access).is_some_and(|access| access.reads) {
                        self.all_loaders.push(rule);
                    }
                    if matches!(kind, Some(InstKind::Join { .. })) {
                        self.joiners.push(rule);
                    }
                }
            }
            self.rules_of.push(first..self.rules.len() as u32);
        }
        self.queue = Queue::new(self.rules.len());
        self.activate(program.entry);
    }

    fn activate(&mut self, func: FuncId) {
        if self.active.get(func) == Some(&false) {
            self.active[func] = true;
            self.queue.start(self.rules_of[func].clone());
        }
    }

    fn grow_value(&mut self, func: FuncId, value: ValueId, by: &Targets) {
        if self.targets[func][value].join(by) {
            self.queue.wake(&self.readers[func][value]);
        }
    }

    fn run(&mut self, rule: u32) {
        match self.rules[rule as usize] {
            Rule::Meet(func, value) => {
                let Origin::Meet(_, operands) = &self.values[func].values[value].origin else { return };
                for (_, operand) in operands {
                    let from = self.targets[func][*operand].clone();
                    self.grow_value(func, value, &from);
                }
            }
            Rule::At(point) => {
                let block = &self.program.functions[point.func].blocks[point.block];
                match block.insts.get(point.inst as usize) {
                    Some(inst) => self.run_inst(rule, point, &inst.kind),
                    None => self.run_term(point, &block.term),
                }
            }
        }
    }

    fn run_term(&mut self, point: Point, term: &Term) {
        if let Term::Return(Some(value)) = term {
            let value = self.eval(point, value, None);
            if self.results[point.func].join(&value) {
                self.queue.wake(&self.callers[point.func]);
            }
        } else if let Term::ExitThread(Some(value)) = term {
            let value = self.eval(point, value, None);
            self.grow_thread_result(&value);
        }
    }

    fn grow_thread_result(&mut self, by: &Targets) {
        if self.thread_result.join(by) {
            self.queue.wake(&self.joiners);
        }
    }

    fn run_inst(&mut self, rule: u32, point: Point, kind: &InstKind) {
        let written = self.values[point.func].written(point.block, point.inst as usize);
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
                self.found.insert(self.points.of(point), old.clone());
                if let Some(set) = set {
                    let value = self.eval(point, set, Some((&old, *ty)));
                    self.store(&addr, *ty, &value);
                }
                old
            }
            InstKind::Havoc { .. } => Targets::anything(),
            InstKind::Alloc { .. } => {
                let Some(region) = self.regions.of_point(point) else { return };
                let mut result = Targets::one(region, Offsets::exact(0));
                for taken in self.reuse.at(self.points.of(point)).into_iter().flat_map(BitSet::iter) {
                    result.join(&Targets::one(RegionId::new(taken), Offsets::exact(0)));
                }
                result
            }
            InstKind::Call { callee, args, .. } => {
                let mut result = Targets::none();
                for func in self.enter(rule, point, callee, args) {
                    result.join(&self.results[func]);
                }
                result
            }
            InstKind::Spawn { callee, args, .. } => {
                for arg in args {
                    let arg = self.eval(point, arg, None);
                    add_regions(&arg, self.regions, &mut self.handed);
                }
                for func in self.enter(rule, point, callee, args) {
                    let result = self.results[func].clone();
                    self.grow_thread_result(&result);
                }
                match self.regions.of_point(point) {
                    Some(region) => Targets::one(region, Offsets::exact(0)),
                    None => return,
                }
            }
            InstKind::Join { .. } => {
                // A thread may also end without a result.
                let mut result = self.thread_result.clone();
                result.zero = true;
                result
            }
            InstKind::Free { .. }
            | InstKind::Assume { .. }
            | InstKind::Assert { .. }
            | InstKind::Detach { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd
            | InstKind::Fence { .. }
            | InstKind::Unsupported { .. } => return,
        };
        if let Some(value) = written {
            self.grow_value(point.func, value, &result);
        }
    }

    /// Passes the arguments to all functions that a call or spawn may lead to; it is run again when their results grow.
    fn enter(&mut self, rule: u32, point: Point, callee: &Callee, args: &[Expr]) -> Vec<FuncId> {
        let args: Vec<Targets> = args.iter().map(|arg| self.eval(point, arg, None)).collect();
        let found = self.resolve(rule, point, callee, args.len());
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

    fn resolve(&mut self, rule: u32, point: Point, callee: &Callee, args: usize) -> Vec<FuncId> {
        let mut found = match callee {
            Callee::Direct(func) => vec![*func],
            Callee::Indirect(address) => {
                let address = self.eval(point, address, None);
                let mut found: Vec<FuncId> =
                    address.iter().filter_map(|target| self.regions.as_function(target.region)).collect();
                if address.anywhere() || self.lost_calls.contains(&rule) {
                    let program = self.program;
                    let fits = |func: &&FuncId| program.functions[**func].params.len() == args;
                    found.extend(self.address_taken.iter().filter(fits));
                }
                found
            }
        };
        found.sort_unstable();
        found.dedup();
        self.callees.insert(self.points.of(point), found.clone());
        found
    }

    /// Indirect calls for which nothing was found may, to be careful, reach any function that fits.
    fn find_lost_calls(&mut self) -> bool {
        let mut any = false;
        for rule in 0..self.rules.len() as u32 {
            let Rule::At(point) = self.rules[rule as usize] else { continue };
            if !self.active[point.func] {
                continue;
            }
            let block = &self.program.functions[point.func].blocks[point.block];
            let Some(inst) = block.insts.get(point.inst as usize) else { continue };
            let Some(callee) = inst.kind.callee() else { continue };
            let nothing = self.callees.get(&self.points.of(point)).is_none_or(Vec::is_empty);
            if matches!(callee, Callee::Indirect(_)) && nothing && self.lost_calls.insert(rule) {
                self.queue.wake(&[rule]);
                any = true;
            }
        }
        any
    }

    fn load(&mut self, rule: u32, point: Point, addr: &Targets, ty: Ty) -> Targets {
        let size = self.program.size_of(ty);
        let mut result = self.memory.anywhere.clone();
        let written = self.written[point.func].contains(&point);
        for target in addr.iter() {
            if !self.regions.have(target, size) {
                continue;
            }
            let region = &self.regions.all[target.region];
            // What was stored to a block may be gone once it is used again.
            let written = written && !self.reuse.taken.contains(target.region.index());
            self.memory.load((target.region, region), target.offsets, size, written, &mut result);
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
            if self.regions.have(target, size) && self.memory.store(target.region, target.offsets, size, value) {
                self.queue.wake(&self.loaders[target.region]);
            }
        }
        if self.memory.everything.join(&value.blurred()) {
            self.queue.wake(&self.wild_loaders);
        }
        if addr.anywhere() && self.memory.store_anywhere(value) {
            self.queue.wake(&self.all_loaders);
        }
    }

    /// What an expression may mean; `old` is what an update found.
    fn eval(&mut self, at: Point, expr: &Expr, old: Option<(&Targets, Ty)>) -> Targets {
        match expr {
            Expr::Const(_, 0) => Targets::zero(),
            Expr::Const(..) => Targets::number(),
            Expr::Reg(reg) => match self.values[at.func].used(at.block, at.inst as usize, *reg) {
                Some(value) => self.targets[at.func][value].clone(),
                None => Targets::anything(),
            },
            Expr::Object(object, by) => Targets::one(self.regions.of_object(*object), Offsets::exact(*by)),
            Expr::Func(func) => Targets::one(self.regions.of_function(*func), Offsets::exact(0)),
            Expr::CurrentThread => self.handles.clone(),
            Expr::Old => old.map_or_else(Targets::anything, |(targets, _)| targets.clone()),
            Expr::Un(op, inner) => match op {
                UnOp::PopCount | UnOp::LeadingZeros | UnOp::TrailingZeros | UnOp::FIsNan => Targets::anything(),
                UnOp::Not
                | UnOp::Neg
                | UnOp::ByteSwap
                | UnOp::BitReverse
                | UnOp::FNeg
                | UnOp::FAbs
                | UnOp::FSqrt
                | UnOp::FFloor
                | UnOp::FCeil
                | UnOp::FTrunc
                | UnOp::FRound
                | UnOp::FRint => {
                    let inner = self.eval(at, inner, old);
                    mixed(&inner, &inner)
                }
            },
            Expr::Bin(op, left, right) => self.eval_bin(at, *op, left, right, old),
            Expr::Cast(op, ty, inner) => {
                let value = self.eval(at, inner, old);
                match op {
                    CastOp::ZExt | CastOp::SExt | CastOp::Bits => value,
                    CastOp::Trunc | CastOp::PtrToInt | CastOp::IntToPtr => self.cut(value, *ty),
                    CastOp::Float
                    | CastOp::FloatToSigned
                    | CastOp::FloatToUnsigned
                    | CastOp::SignedToFloat
                    | CastOp::UnsignedToFloat => mixed(&value, &value),
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
            let mut truth = Targets::number();
            truth.zero = true;
            return truth;
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
            let Some(value) = values.used(at.block, at.inst as usize, reg) else { return any };
            if let Some(found) = self.indices[at.func][value] {
                return found;
            }
            // Also ends the search should a value depend on itself.
            self.indices[at.func][value] = Some(any);
            let mut found = any;
            if let Origin::Inst(block, inst) = values.values[value].origin
                && let InstKind::Assign { value, .. } = &function.blocks[block].insts[inst as usize].kind
                && followed < DEEPEST
            {
                found = self.index(Point { func: at.func, block, inst }, value, None, followed + 1);
            }
            self.indices[at.func][value] = Some(found);
            found
        })
    }

    fn finish(mut self) -> PointsTo {
        let mut addresses = FxHashMap::default();
        let mut wild_access = false;
        for (func, function) in self.program.functions.iter() {
            for (point, kind) in self.cfgs[func].insts(func, function) {
                let accessed = kind.address();
                let Some(address) = accessed.or(kind.handle()) else { continue };
                let targets = self.eval(point, address, None);
                wild_access |= accessed.is_some() && targets.anywhere();
                addresses.insert(self.points.of(point), targets);
            }
        }
        let contents = self
            .regions
            .all
            .ids()
            .map(|region| {
                let mut held = BitSet::new();
                self.memory.held(region).for_each(|targets| add_regions(targets, self.regions, &mut held));
                held
            })
            .collect();
        PointsTo {
            values: self.targets,
            results: self.results,
            thread_result: self.thread_result,
            addresses,
            found: self.found,
            callees: self.callees,
            contents,
            handed_to_threads: self.handed,
            wild_access,
            points: self.points.clone(),
        }
    }
}

/// How deep definitions are followed.
const DEEPEST: u32 = 32;

/// The result of an operation that keeps nothing of the operands' offsets.
fn mixed(left: &Targets, right: &Targets) -> Targets {
    let mut res = left.blurred();
    res.join(&right.blurred());
    let numbers = left.may_be_number() && right.may_be_number();
    res.zero = numbers;
    res.number = numbers;
    res.wild = numbers;
    res
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
    let mut all = Targets::none();
    let threads = regions.all.iter().filter(|(_, region)| matches!(region.kind, RegionKind::Thread(_)));
    threads.for_each(|(region, _)| _ = all.join(&Targets::one(region, Offsets::exact(0))));
    all
}

fn negated(offsets: Offsets) -> Offsets {
    Offsets::new(-i128::from(offsets.base), u128::from(offsets.stride))
}

/// Functions whose address occurs anywhere but as the callee of a direct call.
fn address_taken(program: &Program) -> Vec<FuncId> {
    let mut taken = BitSet::new();
    for object in program.objects.values() {
        for init in &object.init {
            if let InitValue::Function(func) = init.value {
                taken.insert(func.index());
            }
        }
    }
    let mut see = |expr: &Expr| {
        expr.for_each(&mut |expr| {
            if let Expr::Func(func) = expr {
                taken.insert(func.index());
            }
        });
    };
    for block in program.functions.values().flat_map(|function| function.blocks.values()) {
        block.insts.iter().for_each(|inst| inst.kind.for_each_expr(&mut see));
        block.term.for_each_expr(&mut see);
    }
    taken.iter().map(FuncId::new).collect()
}
