//! Makes random concurrent programs: small ones, whose states can all be enumerated, with something of everything.

use super::idioms::{self, behind, binary, element};
use super::source::*;
use base::Rng;
use ir::DataModel;

/// Every function has the same locals: a parameter, some numbers, a pointer of each kind, some thread handles.
pub const PARAM: Local = 0;
pub const INTS: [Local; 4] = [1, 2, 3, 4];
pub const INT_POINTER: Local = 5;
pub const RECORD_POINTER: Local = 6;
pub const LOCK_POINTER: Local = 7;
pub const FUNCTION_POINTER: Local = 8;
pub const HANDLES: [Local; 3] = [9, 10, 11];
/// A counter of its own for each depth of loops, so that nested loops end.
pub const COUNTERS: [Local; 3] = [12, 13, 14];
/// Which lock of an array of locks is held.
const LOCK_INDEX: Local = 15;
pub const WORKER_POINTER: Local = 16;
/// For what needs more than one pointer to a record.
pub const OTHER_RECORDS: [Local; 2] = [17, 18];

/// Whether pointers to freed blocks are compared with new ones.  The oracle never gives out the place of a freed block again:
/// as long as that can be seen, this must be false.
pub const COMPARE_FREED: bool = false;

/// A random program.
pub fn generate(rng: &mut Rng) -> Source {
    let mut make = Generator::new(rng);
    make.globals();
    let helpers = make.rng.weighted(&[5, 3, 2]);
    let workers = if make.rng.chance(35) { 1 } else { 2 };
    make.layout_functions(workers, helpers);
    for helper in make.helpers() {
        make.helper(helper);
    }
    make.threads(workers);
    make.source
}

pub struct Generator<'r> {
    pub rng: &'r mut Rng,
    pub source: Source,
    /// The function that statements are made for.
    function: usize,
    /// Loops around the statement.
    loops: usize,
    /// Locks are not taken inside locks too often, and never in atomic sections.
    locked: u32,
    pub(super) in_atomic: bool,
    /// A loop is around the statement that `break` and `continue` can be about.
    pub(super) breakable: bool,
    /// Pointers that were given a value on the way.
    pub(super) ready: Vec<Local>,
    pub(super) workers: usize,
    /// A table of the bodies of threads.
    pub(super) worker_table: Option<usize>,
    /// A helper that calls the function it is given.
    pub(super) caller: Option<usize>,
    /// Where the handle of the last worker is kept for others to join it.
    pub(super) kept_handle: Option<usize>,
    /// The first worker starts it, not main.
    pub(super) grandchild: bool,
}

impl<'r> Generator<'r> {
    fn new(rng: &'r mut Rng) -> Self {
        let data_model = if rng.chance(25) { DataModel::Ilp32 } else { DataModel::Lp64 };
        let (globals, record, functions, forbidden) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Generator {
            rng,
            source: Source { idiom: "", data_model, globals, record, functions, forbidden },
            function: 0,
            loops: 0,
            locked: 0,
            in_atomic: false,
            breakable: false,
            ready: Vec::new(),
            workers: 0,
            worker_table: None,
            caller: None,
            kept_handle: None,
            grandchild: false,
        }
    }

    /// Functions that take and return a number.
    pub(super) fn helpers(&self) -> Vec<usize> {
        let functions = self.source.functions.iter().enumerate();
        let helpers = functions
            .filter(|(_, function)| function.kind == FunctionKind::Helper && function.locals[PARAM] == Shape::INT);
        helpers.map(|(index, _)| index).collect()
    }

    fn int_shape(&mut self) -> Shape {
        let bits = [32, 32, 32, 8, 16, 64][self.rng.below(6)];
        Shape::Int { bits, signed: self.rng.chance(60) }
    }

    /// Adds a global and returns its number.
    pub fn global(&mut self, shape: Shape) -> usize {
        self.source.globals.push(Global { shape, thread_local: false, init: Init::Zero });
        self.source.globals.len() - 1
    }

    fn globals(&mut self) {
        let fields = self.rng.within(2, 3);
        for _ in 0..fields {
            let shape = match self.rng.weighted(&[6, 2, 2, 1]) {
                0 => self.int_shape(),
                1 => Shape::Pointer(To::Record),
                2 => Shape::Pointer(To::Int),
                _ => Shape::Lock,
            };
            self.source.record.push(shape);
        }
        // Lists need a field that leads on.
        if self.rng.chance(20) {
            self.source.record[0] = Shape::Pointer(To::Record);
        }
        // Every program can rely on a number, a lock and a field that is a number.
        self.source.record.push(Shape::INT);
        let shape = self.int_shape();
        self.global(shape);
        self.global(Shape::INT);
        self.global(Shape::Lock);
        for _ in 0..self.rng.within(0, 3) {
            let shape = match self.rng.weighted(&[4, 3, 3, 3, 3, 3, 1, 1, 1]) {
                0 => self.int_shape(),
                1 => Shape::Array(Box::new(self.int_shape()), if self.rng.chance(60) { 2 } else { 4 }),
                2 => Shape::Record,
                3 => Shape::Mix,
                4 => Shape::Pointer(To::Int),
                5 => Shape::Pointer(To::Record),
                6 => Shape::Pointer(To::Lock),
                7 => Shape::Array(Box::new(Shape::Lock), 2),
                _ => Shape::Array(Box::new(Shape::Record), 2),
            };
            let is_int = matches!(shape, Shape::Int { .. });
            let global = self.global(shape);
            if is_int && self.rng.chance(25) {
                self.source.globals[global].thread_local = true;
            }
        }
        for global in 0..self.source.globals.len() {
            self.source.globals[global].init = self.init(global);
        }
    }

    fn init(&mut self, global: usize) -> Init {
        let wanted = match &self.source.globals[global].shape {
            Shape::Int { .. } if self.rng.chance(20) => return Init::Number(self.rng.within(1, 3) as i32),
            Shape::Pointer(to) => to.shape(),
            _ => None,
        };
        let Some(wanted) = wanted else { return Init::Zero };
        let targets: Vec<usize> = (0..self.source.globals.len())
            .filter(|other| self.source.globals[*other].shape == wanted && !self.source.globals[*other].thread_local)
            .collect();
        if self.rng.chance(60)
            && let Some(target) = self.rng.pick(&targets)
        {
            return Init::Address(*target);
        }
        Init::Zero
    }

    /// Makes the functions with empty bodies: calls need to know them.
    fn layout_functions(&mut self, workers: usize, helpers: usize) {
        self.workers = workers;
        let kinds = std::iter::once(FunctionKind::Main)
            .chain(std::iter::repeat_n(FunctionKind::Worker, workers))
            .chain(std::iter::repeat_n(FunctionKind::Helper, helpers));
        for kind in kinds {
            let param = match kind {
                FunctionKind::Main | FunctionKind::Helper => Shape::INT,
                FunctionKind::Worker if self.rng.chance(70) => Shape::Pointer(To::Int),
                FunctionKind::Worker => Shape::Pointer(To::Record),
            };
            let locals = locals(param);
            let mut cells = Vec::new();
            if self.rng.chance(30) {
                cells.push(Shape::INT);
            }
            if self.rng.chance(15) {
                cells.push(if self.rng.chance(50) { Shape::Record } else { Shape::Mix });
            }
            self.source.functions.push(Function { kind, locals, cells, body: Vec::new() });
        }
        if helpers > 0 && self.rng.chance(60) {
            let global = self.global(Shape::Pointer(To::Function));
            if self.rng.chance(70) {
                let target = self.rng.within(1 + workers, workers + helpers);
                self.source.globals[global].init = Init::Function(target);
            }
        }
        if helpers > 1 && self.rng.chance(60) {
            self.function_table(vec![1 + workers, 2 + workers]);
        }
        if helpers > 0 && self.rng.chance(30) {
            self.caller = Some(idioms::caller(self));
        }
    }

    /// A function that an idiom brings along.
    pub fn add_function(&mut self, kind: FunctionKind, param: Shape, body: Vec<Stmt>) -> usize {
        self.source.functions.push(Function { kind, locals: locals(param), cells: Vec::new(), body });
        self.source.functions.len() - 1
    }

    fn threads(&mut self, workers: usize) {
        // The bodies of the threads, and what main looks at when they are done.
        let mut bodies: Vec<Vec<Stmt>> = Vec::new();
        let mut end = Vec::new();
        let mut bases = Vec::new();
        if self.rng.chance(55) {
            let idiom = idioms::pick(self);
            bases = idiom.threads;
            end = idiom.end;
            if self.rng.chance(20) {
                end.clear();
            }
        }
        for worker in 0..workers {
            self.enter(1 + worker);
            let mut body = match bases.get(worker) {
                Some(base) => base.clone(),
                None if !bases.is_empty() && self.rng.chance(40) => bases[self.rng.below(bases.len())].clone(),
                None => Vec::new(),
            };
            let extra = if body.is_empty() { self.rng.within(4, 9) } else { self.rng.weighted(&[3, 4, 3, 2]) };
            self.sprinkle(&mut body, extra, 0);
            if self.rng.chance(20) {
                let result = if self.rng.chance(50) { PARAM } else { INT_POINTER };
                body.push(Stmt::Return(Expr::Local(result)));
            }
            bodies.push(body);
        }
        if workers == 2 && self.kept_handle.is_none() && self.rng.chance(12) {
            self.start_from_first(&mut bodies[0]);
        }
        let mut main = Vec::new();
        self.enter(0);
        // Main is the other thread of an idiom where there is only one worker.
        let middle = if bases.len() > workers { bases.swap_remove(workers) } else { Vec::new() };
        self.main(&mut main, workers, middle, end);
        self.source.functions[0].body = main;
        for (worker, body) in bodies.into_iter().enumerate() {
            self.source.functions[1 + worker].body = body;
        }
    }

    fn main(&mut self, main: &mut Vec<Stmt>, workers: usize, middle: Vec<Stmt>, end: Vec<Stmt>) {
        let quiet = !middle.is_empty();
        // What comes before the threads is kept simple: a program that stops there tests nothing.
        for _ in 0..self.rng.weighted(&[5, 3, 2]) {
            if self.rng.chance(60) {
                self.with_int_place(main, |make, place| Stmt::Write(place, make.number()));
            } else {
                self.pointer_stmt(main);
            }
        }
        // Sometimes both threads run the same function, sometimes a third one does.
        let same = workers == 2 && self.kept_handle.is_none() && self.rng.chance(25);
        let spawned = match workers {
            _ if self.grandchild => 1,
            1 if !quiet && self.kept_handle.is_none() && self.rng.chance(50) => 2,
            workers => workers,
        };
        // Threads that a loop starts, their handles in an array.
        let in_array = self.kept_handle.is_none() && self.rng.chance(15);
        let array = in_array.then(|| self.global(Shape::Array(Box::new(Shape::Handle), 3)));
        if let Some(array) = array {
            let mut body = Vec::new();
            self.spawn(&mut body, HANDLES[0], 1);
            body.push(Stmt::Write(handle_in(array), Expr::Local(HANDLES[0])));
            main.push(Stmt::Repeat(COUNTERS[0], spawned as i32, body));
        }
        let one_by_one = if array.is_some() { 0 } else { spawned };
        for (n, handle) in HANDLES.iter().take(one_by_one).enumerate() {
            let worker = if same { 1 } else { 1 + n % workers };
            self.spawn(main, *handle, worker);
        }
        let kept = self.kept_handle.filter(|_| !self.grandchild && spawned > 1);
        if let Some(global) = kept {
            main.push(Stmt::Write(idioms::var(global), Expr::Local(HANDLES[spawned - 1])));
        }
        main.extend(middle);
        if self.rng.chance(if quiet { 20 } else { 40 }) {
            let count = self.rng.within(1, 2);
            self.sprinkle(main, count, spawned);
        }
        let mut joined = 0;
        if let Some(array) = array
            && self.rng.chance(85)
        {
            let read = Stmt::Read(HANDLES[1], handle_in(array));
            let result = self.rng.chance(40).then_some(INT_POINTER);
            let mut body = vec![read, Stmt::Join(HANDLES[1], result)];
            self.use_result(&mut body, result);
            main.push(Stmt::Repeat(COUNTERS[0], self.rng.within(1, spawned) as i32, body));
            joined = spawned;
        }
        for handle in HANDLES.iter().take(one_by_one - usize::from(kept.is_some())) {
            match self.rng.weighted(&[72, 8, 15, 5]) {
                0 => {
                    let result = self.rng.chance(20).then_some(INT_POINTER);
                    main.push(Stmt::Join(*handle, result));
                    self.use_result(main, result);
                    joined += 1;
                }
                1 => {
                    let any = INTS[1];
                    main.push(Stmt::Havoc(any, 1));
                    main.push(Stmt::If(Expr::Local(any), vec![Stmt::Join(*handle, None)], vec![]));
                }
                2 => (),
                _ => main.push(Stmt::Detach(*handle)),
            }
        }
        if self.grandchild
            && let Some(global) = self.kept_handle
        {
            main.push(Stmt::Read(HANDLES[2], idioms::var(global)));
            if self.rng.chance(70) {
                main.push(Stmt::Join(HANDLES[2], None));
            }
        }
        main.extend(end);
        if joined > 0 || self.rng.chance(50) {
            self.observe(main);
        }
        if joined < spawned && self.rng.chance(60) {
            main.push(Stmt::ExitThread);
        }
    }

    /// Looks at what a thread left behind the pointer that it returned.
    fn use_result(&mut self, out: &mut Vec<Stmt>, result: Option<Local>) {
        if let Some(result) = result
            && self.rng.chance(70)
        {
            let local = self.int();
            let then = vec![Stmt::Read(local, behind(result)), self.assertion(local)];
            out.push(Stmt::If(Expr::Local(result), then, vec![]));
        }
    }

    /// From here on statements are made for this function.
    pub(super) fn enter(&mut self, function: usize) {
        self.function = function;
        self.ready.clear();
        if self.source.functions[function].kind == FunctionKind::Worker {
            self.ready.push(PARAM);
        }
    }

    pub(super) fn spawn(&mut self, out: &mut Vec<Stmt>, handle: Local, worker: usize) {
        let to = match self.source.functions[worker].locals[PARAM] {
            Shape::Pointer(to) => to,
            _ => To::Int,
        };
        let pointer = if to == To::Record { RECORD_POINTER } else { INT_POINTER };
        let mut arg = Expr::Null;
        if self.rng.chance(75)
            && let Some(place) = self.addressable(to)
        {
            out.push(Stmt::AddressOf(pointer, place));
            arg = Expr::Local(pointer);
        } else if self.rng.chance(80) {
            out.push(Stmt::Alloc(pointer, to));
            arg = Expr::Local(pointer);
        }
        if self.rng.chance(12) {
            self.spawn_through_table(out, handle, worker, arg);
        } else {
            out.push(Stmt::Spawn(handle, Callee::Named(worker), arg));
        }
    }

    fn helper(&mut self, helper: usize) {
        self.enter(helper);
        let mut body = Vec::new();
        let count = self.rng.within(1, 2);
        // Recursion, to a small depth.
        if self.rng.chance(30) {
            let bounded = binary(BinOp::And, binary(BinOp::Sub, PARAM, 1), 1);
            let call = Stmt::Call(Some(INTS[3]), Callee::Named(helper), bounded);
            body.push(Stmt::If(binary(BinOp::SLt, 0, PARAM), vec![call], vec![]));
        }
        self.sprinkle(&mut body, count, 0);
        body.push(Stmt::Return(self.number()));
        self.source.functions[helper].body = body;
    }

    /// Inserts random statements at random places, from the first one of these on.
    fn sprinkle(&mut self, body: &mut Vec<Stmt>, count: usize, first: usize) {
        let in_order = body.len() <= first;
        for _ in 0..count {
            let mut stmts = Vec::new();
            self.stmt(&mut stmts, 2);
            let first = first.min(body.len());
            let at = if in_order { body.len() } else { self.rng.within(first, body.len()) };
            body.splice(at..at, stmts);
        }
    }

    /// Statements inside of a loop.
    fn round(&mut self, depth: u32, most: usize) -> Vec<Stmt> {
        let was = std::mem::replace(&mut self.breakable, true);
        let body = self.block(depth, most);
        self.breakable = was;
        body
    }

    pub(super) fn block(&mut self, depth: u32, most: usize) -> Vec<Stmt> {
        let mut out = Vec::new();
        for _ in 0..self.rng.within(1, most) {
            self.stmt(&mut out, depth);
        }
        out
    }

    pub fn int(&mut self) -> Local {
        INTS[self.rng.below(3)]
    }

    /// A new assertion about a local.
    pub fn assertion(&mut self, local: Local) -> Stmt {
        self.source.forbidden.push(0);
        Stmt::Assert(self.source.forbidden.len() - 1, local)
    }

    /// Reads something and asserts something about it.
    pub fn observe(&mut self, out: &mut Vec<Stmt>) {
        let local = self.int();
        if let Some(place) = self.int_place() {
            out.push(Stmt::Read(local, place));
            out.push(self.assertion(local));
        }
    }

    /// A number that stays small.
    pub(super) fn number(&mut self) -> Expr {
        let local = self.int();
        let constant = |make: &mut Self| make.rng.below(4) as i32;
        match self.rng.weighted(&[50, 20, 10, 5, 5, 3, 3, 2, 2, 1, 4]) {
            0 => constant(self).into(),
            1 => local.into(),
            2 => binary(BinOp::And, binary(BinOp::Add, local, 1), 3),
            3 => binary(BinOp::Xor, local, 1),
            4 => binary(BinOp::And, local, constant(self)),
            5 => binary(BinOp::Sub, 0, local),
            6 => {
                let condition = self.condition();
                Expr::Choose(Box::new([condition, local.into(), constant(self).into()]))
            }
            7 => binary(BinOp::AShr, local, 1),
            8 => binary(BinOp::Or, binary(BinOp::SRem, local, 3), constant(self)),
            9 => binary(BinOp::SDiv, 2, local),
            _ => self.arithmetic(),
        }
    }

    /// Any operation on two locals; what comes out may be large, and there may be nothing.
    pub fn arithmetic(&mut self) -> Expr {
        const OPS: [BinOp; 8] =
            [BinOp::Mul, BinOp::SDiv, BinOp::SRem, BinOp::UDiv, BinOp::URem, BinOp::Shl, BinOp::AShr, BinOp::LShr];
        let op = self.rng.one_of(&OPS);
        let (left, right) = (Expr::Local(self.int()), self.second());
        let left = if self.rng.chance(30) { Expr::Const(self.rng.one_of(&[-7, -1, 5, 12])) } else { left };
        binary(op, left, right)
    }

    /// What a number is divided by, or shifted: also one that only ranges, or only a path, tell.
    fn second(&mut self) -> Expr {
        let (local, small) = (self.int(), self.rng.below(4) as i32);
        match self.rng.weighted(&[70, 10, 10, 10]) {
            0 => local.into(),
            1 => binary(BinOp::Or, local, small),
            2 => binary(BinOp::And, local, small),
            _ => {
                let decided = binary(BinOp::SLt, binary(BinOp::And, local, 1), small);
                Expr::Choose(Box::new([decided, small.into(), Expr::Const(3)]))
            }
        }
    }

    pub(super) fn condition(&mut self) -> Expr {
        let local = self.int();
        let constant = self.rng.chance(75);
        let other = if constant { Expr::Const(self.rng.below(3) as i32) } else { Expr::Local(self.int()) };
        let ops = [BinOp::Eq, BinOp::Eq, BinOp::Ne, BinOp::Ne, BinOp::SLt, BinOp::SLe, BinOp::ULt, BinOp::ULe];
        let op = self.rng.one_of(&ops);
        match self.rng.weighted(&[85, 10, 5]) {
            0 => binary(op, local, other),
            1 => local.into(),
            _ => {
                let pointer = if self.rng.chance(50) { INT_POINTER } else { RECORD_POINTER };
                binary(BinOp::Ne, pointer, Expr::Null)
            }
        }
    }

    /// A place that satisfies, found by walking down from random globals, cells and pointers.
    pub(super) fn place(&mut self, wanted: impl Fn(&Shape) -> bool, derefs: bool) -> Option<Lvalue> {
        for _ in 0..12 {
            let cells = self.source.functions[self.function].cells.len();
            let derefs = derefs && !self.ready.is_empty();
            let bases = [10, if cells > 0 { 2 } else { 0 }, if derefs { 5 } else { 0 }];
            let base = match self.rng.weighted(&bases) {
                0 => Base::Global(self.rng.below(self.source.globals.len())),
                1 => Base::Cell(self.rng.below(cells)),
                _ => self.deref(),
            };
            let mut place = Lvalue { base, path: Vec::new() };
            while let Some(shape) = self.source.shape_of(&self.source.functions[self.function], &place) {
                if wanted(&shape) {
                    return Some(place);
                }
                let select = match shape {
                    Shape::Array(_, count) => Select::Index(self.index(count)),
                    Shape::Record | Shape::Mix => Select::Field(self.rng.below(self.source.fields(&shape).len())),
                    Shape::Int { .. } | Shape::Pointer(_) | Shape::Lock | Shape::Handle => break,
                };
                place.path.push(select);
            }
        }
        None
    }

    fn deref(&mut self) -> Base {
        let local = self.ready[self.rng.below(self.ready.len())];
        let to_int = self.source.functions[self.function].locals[local] == Shape::Pointer(To::Int);
        if to_int && self.rng.chance(15) {
            let shape = if self.rng.chance(50) { Shape::HALF } else { Shape::BYTE };
            return Base::DerefAs(local, shape);
        }
        Base::Deref(local)
    }

    fn index(&mut self, count: u32) -> Index {
        match self.rng.weighted(&[5, 5, 1]) {
            0 => Index::Const(self.rng.below(count.min(2) as usize) as u32),
            1 => Index::Masked(self.int(), count.min(4) - 1),
            _ => Index::Raw(self.int()),
        }
    }

    pub fn int_place(&mut self) -> Option<Lvalue> {
        self.place(|shape| matches!(shape, Shape::Int { .. }), true)
    }

    pub(super) fn pointer_place(&mut self, to: To) -> Option<Lvalue> {
        self.place(|shape| *shape == Shape::Pointer(to), true)
    }

    pub(super) fn lock_place(&mut self) -> Option<Lvalue> {
        if self.rng.chance(20) {
            return Some(behind(LOCK_POINTER));
        }
        self.place(|shape| *shape == Shape::Lock, true)
    }

    /// A place whose address such a pointer can hold.
    pub(super) fn addressable(&mut self, to: To) -> Option<Lvalue> {
        let wanted = to.shape()?;
        self.place(|shape| *shape == wanted, false)
    }

    /// One random statement, with what it needs before it.
    fn stmt(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let nest = u32::from(depth > 0);
        let is_helper = self.source.functions[self.function].kind == FunctionKind::Helper;
        let helpers = u32::from(!self.helpers().is_empty() && !is_helper);
        let callers = if self.caller.is_some() { helpers } else { 0 };
        let (breakable, outside) = (u32::from(self.breakable), u32::from(!self.in_atomic));
        // How often, and what; the number is how deep statements inside may be nested.
        type Make<'r> = fn(&mut Generator<'r>, &mut Vec<Stmt>, u32);
        let kinds: [(u32, Make<'r>); 28] = [
            (16, |make, out, _| make.with_int_place(out, |make, place| Stmt::Read(make.int(), place))),
            (16, |make, out, _| make.with_int_place(out, |make, place| Stmt::Write(place, make.number()))),
            (8, |make, out, _| make.observe(out)),
            (4, |make, out, _| {
                let value = if make.rng.chance(20) { make.pointers_equal() } else { make.number() };
                out.push(Stmt::Set(make.int(), value));
            }),
            (6, |make, out, _| {
                make.with_atomic_place(out, |make, place| {
                    let local = make.rng.chance(70).then(|| make.int());
                    Stmt::FetchAdd(local, place, Expr::Const(if make.rng.chance(70) { 1 } else { -1 }))
                });
            }),
            (4, |make, out, _| {
                make.with_atomic_place(out, |make, place| {
                    Stmt::CompareSwap(make.int(), place, make.number(), make.number())
                });
            }),
            (2, |make, out, _| {
                make.with_atomic_place(out, |make, place| Stmt::Exchange(make.int(), place, make.number()));
            }),
            (3, |make, out, _| {
                make.with_int_place(out, |make, place| {
                    let new = make.rng.chance(60).then(|| make.number());
                    Stmt::Wait(place, Expr::Const(make.rng.below(2) as i32), new)
                });
            }),
            (10 * nest, Self::critical_section),
            (10 * nest, |make, out, depth| {
                let (condition, then) = (make.condition(), make.block(depth, 2));
                let other = if make.rng.chance(30) { make.block(depth, 1) } else { Vec::new() };
                out.push(Stmt::If(condition, then, other));
            }),
            (4 * nest, |make, out, depth| {
                let Some(counter) = COUNTERS.get(make.loops) else { return };
                make.loops += 1;
                let body = make.round(depth, 2);
                make.loops -= 1;
                out.push(Stmt::Repeat(*counter, make.rng.within(1, 3) as i32, body));
            }),
            // Spins.
            (3 * nest, |make, out, depth| {
                let local = make.int();
                let Some(place) = make.int_place() else { return };
                let constant = Expr::Const(make.rng.below(2) as i32);
                let op = if make.rng.chance(70) { BinOp::Eq } else { BinOp::Ne };
                let after = if make.rng.chance(20) { make.round(depth, 1) } else { Vec::new() };
                out.push(Stmt::While(vec![Stmt::Read(local, place)], binary(op, local, constant), after));
            }),
            (4 * nest, |make, out, depth| {
                let body = make.inside_section(|make| make.block(depth, 3));
                out.push(Stmt::Atomic(body));
            }),
            (3, |make, out, _| out.push(Stmt::Havoc(make.int(), [1, 1, 1, 2, 3][make.rng.below(5)]))),
            (2, |make, out, _| out.push(Stmt::Assume(make.condition()))),
            (10, |make, out, _| make.pointer_stmt(out)),
            (4, |make, out, _| make.heap_stmt(out)),
            (5 * helpers, |make, out, _| {
                let (helper, arg) = (make.any_helper(), make.number());
                out.push(Stmt::Call(Some(make.int()), Callee::Named(helper), arg));
            }),
            (3 * helpers, |make, out, _| make.call_pointer(out)),
            // Ends early.
            (2 * nest, |make, out, _| out.push(Stmt::If(make.condition(), vec![make.ending()], vec![]))),
            (nest, |make, out, depth| {
                let body = if make.rng.chance(50) { make.round(depth, 2) } else { Vec::new() };
                let forever = Stmt::While(vec![], Expr::Const(1), body);
                let sometimes = make.rng.chance(70);
                out.push(if sometimes { Stmt::If(make.condition(), vec![forever], vec![]) } else { forever });
            }),
            (2 * nest, |make, out, depth| {
                let value = make.number();
                // In C a `break` would be the switch's.
                let was = std::mem::replace(&mut make.breakable, false);
                let cases = (0..make.rng.within(1, 3)).map(|case| (case as i32, make.block(depth, 1))).collect();
                let default = if make.rng.chance(50) { make.block(depth, 1) } else { Vec::new() };
                make.breakable = was;
                out.push(Stmt::Switch(value, cases, default));
            }),
            // A semaphore.
            (2, |make, out, _| {
                make.with_int_place(out, |make, place| match make.rng.chance(60) {
                    true => Stmt::Take(place, 1, -1),
                    false => Stmt::FetchAdd(None, place, Expr::Const(1)),
                });
            }),
            (6 * breakable, |make, out, _| make.leave_loop(out)),
            (2 * nest * outside, Self::half_section),
            (2, |make, out, _| make.copy_record(out)),
            (2 * outside, |make, out, _| make.stray_lock(out)),
            (4 * callers, |make, out, _| make.pass_function(out)),
        ];
        let (_, make) = kinds[self.rng.weighted(&kinds.map(|(weight, _)| weight))];
        make(self, out, depth.saturating_sub(1));
    }

    /// What is made in an atomic section.
    pub(super) fn inside_section<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let was = (self.in_atomic, self.breakable);
        (self.in_atomic, self.breakable) = (true, false);
        let made = make(self);
        (self.in_atomic, self.breakable) = was;
        made
    }

    pub(super) fn with_int_place(&mut self, out: &mut Vec<Stmt>, make: impl FnOnce(&mut Self, Lvalue) -> Stmt) {
        let place = self.int_place();
        out.extend(place.map(|place| make(self, place)));
    }

    /// C has no atomic operations on 64 bits on every 32-bit machine.
    fn with_atomic_place(&mut self, out: &mut Vec<Stmt>, make: impl FnOnce(&mut Self, Lvalue) -> Stmt) {
        let widest = self.source.data_model.pointer_bits();
        let place = self.place(|shape| matches!(shape, Shape::Int { bits, .. } if *bits <= widest), true);
        out.extend(place.map(|place| make(self, place)));
    }

    fn pointers_equal(&mut self) -> Expr {
        let op = if self.rng.chance(50) { BinOp::Eq } else { BinOp::Ne };
        let is_worker = self.source.functions[self.function].kind == FunctionKind::Worker;
        if is_worker {
            let same = match self.source.functions[self.function].locals[PARAM] {
                Shape::Pointer(To::Record) => RECORD_POINTER,
                _ => INT_POINTER,
            };
            return binary(op, PARAM, same);
        }
        binary(op, INT_POINTER, Expr::Null)
    }

    fn critical_section(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        if self.in_atomic || self.locked > 1 {
            return;
        }
        let Some(mut lock) = self.lock_place() else { return };
        // What the lock is found by must be the same when it is given back: it is kept in locals of its own.
        for select in &mut lock.path {
            if let Select::Index(Index::Masked(local, _) | Index::Raw(local)) = select {
                if let Some(place) = self.int_place() {
                    out.push(Stmt::Read(LOCK_INDEX, place));
                }
                *local = LOCK_INDEX;
            }
        }
        match lock.base {
            Base::Deref(LOCK_POINTER) => {
                if self.rng.chance(20)
                    && let Some(place) = self.pointer_place(To::Lock)
                {
                    out.push(Stmt::Read(LOCK_POINTER, place));
                } else if let Some(place) = self.addressable(To::Lock) {
                    out.push(Stmt::AddressOf(LOCK_POINTER, place));
                }
            }
            Base::Deref(PARAM) | Base::Global(_) | Base::Cell(_) => (),
            Base::Deref(_) | Base::DerefAs(..) => return,
        }
        self.locked += 1;
        let body = self.block(depth, 3);
        self.locked -= 1;
        if !sets_lock_locals(&body) {
            out.push(Stmt::Lock(lock.clone()));
            out.extend(body);
            out.push(Stmt::Unlock(lock));
        }
    }

    fn ending(&mut self) -> Stmt {
        if self.in_atomic || self.locked > 0 {
            return Stmt::Halt;
        }
        match self.rng.below(3) {
            0 => Stmt::Halt,
            1 => Stmt::ExitThread,
            _ => match self.source.functions[self.function].kind {
                FunctionKind::Main | FunctionKind::Helper => Stmt::Return(Expr::Const(0)),
                FunctionKind::Worker => Stmt::Return(Expr::Null),
            },
        }
    }
}

/// The locals of every function.
fn locals(param: Shape) -> Vec<Shape> {
    let mut locals = vec![param];
    locals.extend(INTS.map(|_| Shape::INT));
    locals.extend([To::Int, To::Record, To::Lock, To::Function].map(Shape::Pointer));
    locals.extend(HANDLES.map(|_| Shape::Handle));
    locals.extend(COUNTERS.map(|_| Shape::INT));
    locals.push(Shape::INT);
    locals.push(Shape::Pointer(To::Worker));
    locals.extend(OTHER_RECORDS.map(|_| Shape::Pointer(To::Record)));
    locals
}

/// The handle that a loop over an array of handles is at.
fn handle_in(array: usize) -> Lvalue {
    element(array, Index::Raw(COUNTERS[0]))
}

/// Does it set what a lock around it may be found by?
fn sets_lock_locals(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match stmt {
        Stmt::AddressOf(LOCK_POINTER, _) | Stmt::Read(LOCK_POINTER | LOCK_INDEX, _) => true,
        Stmt::If(_, then, other) => sets_lock_locals(then) || sets_lock_locals(other),
        Stmt::Switch(_, cases, default) => {
            cases.iter().any(|(_, body)| sets_lock_locals(body)) || sets_lock_locals(default)
        }
        Stmt::Repeat(_, _, body) | Stmt::Atomic(body) => sets_lock_locals(body),
        Stmt::While(before, _, after) => sets_lock_locals(before) || sets_lock_locals(after),
        _ => false,
    })
}
