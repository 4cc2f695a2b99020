//! May some mutex of a program be of another kind than normal, without a call that sets the kind?
//!
//! An initialiser such as PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP is just a number in memory, and reaches a mutex in as many
//! ways as numbers do.  So this asks the other way round: can it be shown that nothing but normal kinds gets there?
//! Layouts say where mutexes are.  A write through a pointer to such a layout is seen to miss the kind, or what it writes is
//! looked at.  A pointer that leads to a mutex although its layout does not say so is *blind*: any write through one but
//! that of zero counts.  Which pointers are blind is found by following values through the whole program, without
//! regard to the order of its steps; memory is two places, one for pointers to `void` and one for all others.
//!
//! Indices are trusted to stay within the arrays that they are for.

use super::library::MUTEX_KIND;
use super::mentions;
use super::mutex_places::{Address, Base, Places};
use ir::{Callee, Expr, FuncId, Function, InitValue, Inst, InstKind, Layout, ObjectId, Program, Reg, Term, Ty};
use rustc_hash::FxHashSet;

/// Functions that get a mutex, or attributes of one, with the argument that points to it.
const USERS: &[(&str, usize)] = &[
    ATTRIBUTES,
    ("pthread_mutex_init", 0),
    ("pthread_mutex_lock", 0),
    ("pthread_mutex_trylock", 0),
    ("pthread_mutex_timedlock", 0),
    ("pthread_mutex_clocklock", 0),
    ("pthread_mutex_unlock", 0),
    ("pthread_cond_wait", 1),
    ("pthread_cond_timedwait", 1),
    ("pthread_cond_clockwait", 1),
    ("mtx_lock", 0),
    ("mtx_trylock", 0),
    ("mtx_timedlock", 0),
    ("mtx_unlock", 0),
    ("cnd_wait", 1),
    ("cnd_timedwait", 1),
];

const ATTRIBUTES: (&str, usize) = ("pthread_mutex_init", 1);

/// Library functions that write nothing to a mutex that they get a pointer to, or what belongs there.
const HARMLESS: &[&str] = &["pthread_", "mtx_", "cnd_", "sem_", "thrd_", "free", "bzero", "printf", "fprintf", "puts"];

pub fn may_differ(program: &Program) -> bool {
    let used = |name: &str| program.function_named(name).is_some_and(|id| program.functions[id].blocks.is_empty());
    if !USERS.iter().any(|(name, _)| used(name)) {
        return false;
    }
    let mut search = Search::new(program);
    loop {
        search.changed = false;
        search.starts();
        for (id, function) in program.functions.iter() {
            search.function(id, function);
        }
        if search.found || !search.changed {
            return search.found;
        }
    }
}

struct Search<'p> {
    program: &'p Program,
    places: Places<'p>,
    /// What registers point to, as far as layouts say.
    pointees: Vec<Vec<Option<&'p Layout>>>,
    blind: Vec<Vec<bool>>,
    blind_results: Vec<bool>,
    /// Registers and objects of which only their use tells that there is a mutex; what such a register gets is such, too.
    by_use: Vec<Vec<bool>>,
    suspects: FxHashSet<ObjectId>,
    address_taken: Vec<bool>,
    /// Pointers to mutexes are in memory as pointers to `void`, or as something else.
    in_void_memory: bool,
    in_other_memory: bool,
    /// Pointers from such memory are used as ones to mutexes.
    from_void_memory: bool,
    from_other_memory: bool,
    /// A thread may end with a pointer to a mutex, which another gets by joining it.
    ends_with_mutex: bool,
    changed: bool,
    found: bool,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program) -> Self {
        let functions = || program.functions.values();
        let pointees = functions().map(|function| {
            let mut known: Vec<Option<&Layout>> = function.regs.values().map(|reg| pointee(&reg.layout)).collect();
            for inst in function.blocks.values().flat_map(|block| &block.insts) {
                if let InstKind::Alloc { dst, layout: Some(layout), .. } = &inst.kind {
                    let known = &mut known[dst.0 as usize];
                    // Variable arguments are read as whatever the callee takes them for.
                    *known = if is_variable_arguments(layout) { None } else { known.or(Some(layout)) };
                }
            }
            known
        });
        Search {
            program,
            places: Places::new(program, MUTEX_KIND.of(program.data_model)),
            pointees: pointees.collect(),
            blind: functions().map(|function| vec![false; function.regs.len()]).collect(),
            blind_results: vec![false; program.functions.len()],
            by_use: functions().map(|function| vec![false; function.regs.len()]).collect(),
            suspects: FxHashSet::default(),
            address_taken: mentions::address_taken(program),
            in_void_memory: false,
            in_other_memory: false,
            from_void_memory: false,
            from_other_memory: false,
            ends_with_mutex: false,
            changed: false,
            found: false,
        }
    }

    // ---- what memory holds at the start ----

    fn starts(&mut self) {
        for (id, object) in self.program.objects.iter() {
            for init in &object.init {
                let at = init.offset as i64;
                match &init.value {
                    InitValue::Scalar(_, 0) => (),
                    InitValue::Scalar(ty, bits) => {
                        let len = self.program.size_of(*ty);
                        self.found |= !is_normal(*bits) && self.object_kind_at(id, at, len, &[]);
                    }
                    InitValue::Bytes(bytes) => {
                        for (i, byte) in bytes.iter().enumerate() {
                            self.found |=
                                !is_normal(u128::from(*byte)) && self.object_kind_at(id, at + i as i64, 1, &[]);
                        }
                    }
                    InitValue::Object(other, inner) => {
                        let place = self.places.leaf(&object.layout, at, &[]);
                        if self.is_used_from(place) {
                            self.use_tells(self.program.entry, &Expr::Object(*other, *inner), self.room());
                        }
                        if self.object_leads(*other, *inner) {
                            self.goes_to_memory(place);
                        }
                    }
                    InitValue::Function(_) => (),
                }
            }
        }
    }

    fn object_kind_at(&self, id: ObjectId, at: i64, len: u64, strides: &[u64]) -> bool {
        let layout = &self.program.objects[id].layout;
        self.suspects.contains(&id) || self.places.touches_kind(layout, at, len, strides)
    }

    fn object_leads(&self, id: ObjectId, at: i64) -> bool {
        self.suspects.contains(&id) || self.places.leads_to_mutex(&self.program.objects[id].layout, at)
    }

    // ---- where pointers go ----

    fn pointee(&self, id: FuncId, reg: Reg) -> Option<&'p Layout> {
        self.pointees[id.0 as usize][reg.0 as usize]
    }

    fn is_blind(&self, id: FuncId, reg: Reg) -> bool {
        self.blind[id.0 as usize][reg.0 as usize]
    }

    fn set_blind(&mut self, id: FuncId, reg: Reg) {
        let blind = &mut self.blind[id.0 as usize][reg.0 as usize];
        self.changed |= !*blind;
        *blind = true;
    }

    /// May the value be a pointer to a mutex, or to something with one in it?
    fn leads(&self, id: FuncId, expr: &Expr) -> bool {
        let address = Address::of(expr);
        match address.base {
            Base::Object(object) => self.object_leads(object, address.at),
            Base::Reg(reg) => {
                let leads = |layout| self.places.element_leads_to_mutex(layout, address.at);
                self.is_blind(id, reg) || self.pointee(id, reg).is_some_and(leads)
            }
            Base::Computed => match expr {
                Expr::Bin(op, ..) if op.is_comparison() => false,
                Expr::Select(parts) => parts[1..].iter().any(|part| self.leads(id, part)),
                _ => expr.children().any(|child| self.leads(id, child)),
            },
        }
    }

    /// A value goes into a register.
    fn flows(&mut self, from: FuncId, value: &Expr, to: FuncId, reg: Reg) {
        if self.is_by_use(to, reg) || self.tells(to, reg) {
            self.use_tells(from, value, self.room());
        }
        if self.is_blind(to, reg) || !self.leads(from, value) {
            return;
        }
        // What the register's layout says about it is true where the value's says the same, or nothing.
        let address = Address::of(value);
        let known = match address.base {
            Base::Object(object) => Some(&self.program.objects[object].layout),
            Base::Reg(reg) => self.pointee(from, reg).filter(|_| !self.is_blind(from, reg)),
            Base::Computed => None,
        };
        // A pointer to the first member may be one to the whole, unless the layout is a record's of the program.
        let agrees = |told: &Layout| match known {
            Some(known) => {
                let whole = matches!(told, Layout::Named(_)) || self.places.has_mutex(told);
                whole && self.places.agrees(known, address.at, told)
            }
            None => self.places.has_mutex(told),
        };
        if !self.pointee(to, reg).is_some_and(agrees) {
            self.set_blind(to, reg);
        }
    }

    /// A pointer to a mutex is stored where layouts say that there is a pointer of this kind, or say nothing.
    fn goes_to_memory(&mut self, place: Option<&Layout>) {
        match place {
            Some(Layout::Pointer(Some(layout))) if self.places.has_mutex(layout) => (),
            Some(Layout::Pointer(None)) => {
                self.changed |= !self.in_void_memory;
                self.in_void_memory = true;
            }
            _ => {
                self.changed |= !self.in_other_memory;
                self.in_void_memory = true;
                self.in_other_memory = true;
            }
        }
    }

    fn place(&self, id: FuncId, addr: &Expr) -> Option<&'p Layout> {
        let address = Address::of(addr);
        match address.base {
            Base::Object(object) => {
                let layout = &self.program.objects[object].layout;
                self.places.leaf(layout, address.at, &address.strides)
            }
            Base::Reg(reg) if !self.is_blind(id, reg) => {
                self.places.element_leaf(self.pointee(id, reg)?, address.at, &address.strides)
            }
            Base::Reg(_) | Base::Computed => None,
        }
    }

    fn function(&mut self, id: FuncId, function: &'p Function) {
        for block in function.blocks.values() {
            for inst in &block.insts {
                self.inst(id, function, inst);
            }
            let Term::Return(Some(value)) = &block.term else { continue };
            if !self.blind_results[id.0 as usize] && self.leads(id, value) {
                self.blind_results[id.0 as usize] = true;
                // It may be what a thread begins with.
                self.ends_with_mutex |= self.address_taken[id.0 as usize];
                self.changed = true;
            }
        }
    }

    fn inst(&mut self, id: FuncId, function: &'p Function, inst: &Inst) {
        match &inst.kind {
            InstKind::Assign { dst, value } => self.flows(id, value, id, *dst),
            InstKind::Load { dst, ty, addr, .. } => self.load(id, *dst, *ty, addr),
            InstKind::Store { ty, addr, value, .. } => {
                if self.writes_kind(id, addr, *ty) {
                    self.found |= !self.is_normal_value(id, function, value);
                }
                self.stored(id, *ty, addr, value);
            }
            InstKind::Update { dst, ty, addr, set, .. } => {
                self.found |= set.is_some() && self.writes_kind(id, addr, *ty);
                if let Some(value) = set {
                    self.stored(id, *ty, addr, value);
                }
                if let Some(dst) = dst {
                    self.load(id, *dst, *ty, addr);
                }
            }
            InstKind::Call { dst, callee, args } | InstKind::Spawn { dst, callee, args } => {
                self.call(id, *dst, callee, args);
                self.library_use(id, callee, args);
            }
            InstKind::Havoc { .. }
            | InstKind::Assume { .. }
            | InstKind::Assert { .. }
            | InstKind::Alloc { .. }
            | InstKind::Free { .. }
            | InstKind::Join { .. }
            | InstKind::Detach { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd
            | InstKind::Fence { .. }
            | InstKind::Unsupported { .. } => (),
        }
    }

    fn stored(&mut self, id: FuncId, ty: Ty, addr: &Expr, value: &Expr) {
        let place = self.place(id, addr);
        if ty == Ty::Ptr && self.is_used_from(place) {
            self.use_tells(id, value, self.room());
        }
        if self.leads(id, value) {
            self.goes_to_memory(place);
        }
    }

    /// May a pointer that is stored there be used as one to a mutex?
    fn is_used_from(&self, place: Option<&Layout>) -> bool {
        match place {
            Some(Layout::Pointer(Some(layout))) => self.from_other_memory && !self.places.has_mutex(layout),
            _ => self.from_other_memory || self.from_void_memory,
        }
    }

    fn load(&mut self, id: FuncId, dst: Reg, ty: Ty, addr: &Expr) {
        let told = self.tells(id, dst);
        let wide = ty == Ty::Ptr || self.program.size_of(ty) >= self.program.data_model.pointer_bytes();
        if !wide {
            return;
        }
        let place = self.place(id, addr);
        let void = matches!(place, None | Some(Layout::Pointer(None)));
        if told || self.is_by_use(id, dst) {
            let used = match place {
                Some(Layout::Pointer(Some(layout))) if self.places.has_mutex(layout) => None,
                _ if void => Some(&mut self.from_void_memory),
                _ => Some(&mut self.from_other_memory),
            };
            if let Some(used) = used {
                self.changed |= !*used;
                *used = true;
            }
        }
        if told {
            return;
        }
        if let Some(Layout::Pointer(Some(layout))) = place
            && self.places.has_mutex(layout)
        {
            self.set_blind(id, dst);
        }
        if self.in_other_memory || void && ty == Ty::Ptr && self.in_void_memory {
            self.set_blind(id, dst);
        }
    }

    /// Calls of the library tell what is a mutex, and what are attributes of one.
    fn library_use(&mut self, id: FuncId, callee: &Callee, args: &[Expr]) {
        let Callee::Direct(callee) = callee else { return };
        let callee = &self.program.functions[*callee];
        for (name, at) in USERS.iter().filter(|(name, _)| callee.blocks.is_empty() && callee.name == *name) {
            if let Some(arg) = args.get(*at) {
                let room = if (*name, *at) == ATTRIBUTES { 4 } else { self.room() };
                self.use_tells(id, arg, room);
            }
        }
    }

    /// How large something is at least that has a mutex with a kind in it.
    fn room(&self) -> u64 {
        MUTEX_KIND.of(self.program.data_model).unsigned_abs() + 4
    }

    /// A value that is used as a pointer to a mutex, or to something with one, whatever its layout tells.
    fn use_tells(&mut self, id: FuncId, pointer: &Expr, room: u64) {
        let address = Address::of(pointer);
        match address.base {
            Base::Object(object) => {
                let data = &self.program.objects[object];
                // One that has no room for a kind has none.
                if data.size >= room && !self.places.leads_to_mutex(&data.layout, address.at) {
                    self.changed |= self.suspects.insert(object);
                }
            }
            Base::Reg(reg) => {
                if !self.tells(id, reg) {
                    self.by_use[id.0 as usize][reg.0 as usize] = true;
                    self.set_blind(id, reg);
                }
            }
            Base::Computed => match pointer {
                Expr::Select(parts) => parts[1..].iter().for_each(|part| self.use_tells(id, part, room)),
                Expr::Cast(_, _, inner) => self.use_tells(id, inner, room),
                _ => (),
            },
        }
    }

    /// Does the register's layout tell of a mutex?
    fn tells(&self, id: FuncId, reg: Reg) -> bool {
        self.pointee(id, reg).is_some_and(|layout| self.places.has_mutex(layout))
    }

    fn is_by_use(&self, id: FuncId, reg: Reg) -> bool {
        self.by_use[id.0 as usize][reg.0 as usize]
    }

    fn call(&mut self, id: FuncId, dst: Option<Reg>, callee: &Callee, args: &[Expr]) {
        match callee {
            Callee::Direct(callee) if self.program.functions[*callee].blocks.is_empty() => {
                self.library(id, dst, &self.program.functions[*callee].name, args);
            }
            Callee::Direct(callee) => {
                self.pass(id, args, *callee);
                self.returned(id, dst, self.blind_results[callee.0 as usize]);
            }
            Callee::Indirect(_) => {
                for callee in self.program.functions.ids() {
                    if self.address_taken[callee.0 as usize] {
                        self.pass(id, args, callee);
                        self.returned(id, dst, self.blind_results[callee.0 as usize]);
                    }
                }
            }
        }
    }

    /// Arguments become parameters; what is known of a parameter is known of what is passed.
    fn pass(&mut self, id: FuncId, args: &[Expr], callee: FuncId) {
        let params = &self.program.functions[callee].params;
        for (arg, param) in args.iter().zip(params) {
            self.flows(id, arg, callee, *param);
        }
    }

    fn returned(&mut self, id: FuncId, dst: Option<Reg>, blind: bool) {
        if let Some(dst) = dst.filter(|_| blind)
            && !self.tells(id, dst)
        {
            self.set_blind(id, dst);
        }
    }

    fn library(&mut self, id: FuncId, dst: Option<Reg>, name: &str, args: &[Expr]) {
        let given = |this: &Self, at: usize| args.get(at).is_some_and(|arg| this.leads(id, arg));
        match name {
            "pthread_create" => self.start(id, args.get(2), args.get(3)),
            "thrd_create" => self.start(id, args.get(1), args.get(2)),
            "pthread_exit" => {
                self.changed |= given(self, 0) && !self.ends_with_mutex;
                self.ends_with_mutex |= given(self, 0);
            }
            "pthread_join" => {
                if let Some(to) = args.get(1).filter(|_| self.ends_with_mutex) {
                    self.goes_to_memory(self.place(id, to));
                }
            }
            "pthread_setspecific" | "tss_set" => {
                if given(self, 1) {
                    self.goes_to_memory(Some(&Layout::Pointer(None)));
                }
                // A destructor gets it.
                self.start(id, None, args.get(1));
            }
            "pthread_getspecific" | "tss_get" => self.returned(id, dst, self.in_void_memory),
            "memset" => self.found |= given(self, 0) && !matches!(args.get(1), Some(Expr::Const(_, 0))),
            // What is read from a mutex may be written anywhere.
            "memcpy" | "memmove" | "mempcpy" => self.found |= given(self, 0),
            "realloc" | "reallocarray" => self.returned(id, dst, given(self, 0)),
            _ if HARMLESS.iter().any(|harmless| name.starts_with(harmless)) => (),
            _ => self.found |= (0..args.len()).any(|at| given(self, at)),
        }
    }

    fn start(&mut self, id: FuncId, function: Option<&Expr>, arg: Option<&Expr>) {
        let Some(arg) = arg else { return };
        match function {
            Some(Expr::Func(function)) => self.pass(id, std::slice::from_ref(arg), *function),
            _ => self.call(id, None, &Callee::Indirect(Expr::null()), std::slice::from_ref(arg)),
        }
    }

    // ---- what is written ----

    /// May the write touch the kind of a mutex?
    fn writes_kind(&self, id: FuncId, addr: &Expr, ty: Ty) -> bool {
        let len = self.program.size_of(ty);
        let address = Address::of(addr);
        match address.base {
            Base::Object(object) => self.object_kind_at(object, address.at, len, &address.strides),
            Base::Reg(reg) if self.is_blind(id, reg) => true,
            Base::Reg(reg) => match self.pointee(id, reg) {
                Some(layout) => self.places.element_touches_kind(layout, address.at, len, &address.strides),
                None => false,
            },
            Base::Computed => self.leads(id, addr),
        }
    }

    /// Is the value, where a mutex has its kind, that of a normal one?
    fn is_normal_value(&self, id: FuncId, function: &Function, value: &Expr) -> bool {
        match value {
            Expr::Const(_, bits) => is_normal(*bits),
            Expr::Reg(reg) if !function.params.contains(reg) => {
                let insts = || function.blocks.values().flat_map(|block| &block.insts);
                let mut sources = insts().filter(|inst| inst.kind.dst() == Some(*reg)).peekable();
                sources.peek().is_some() && sources.all(|inst| self.loads_normal(id, inst))
            }
            _ => false,
        }
    }

    /// Is it a load from a mutex's kind, which is normal if all are, or from a place that always holds a normal one?
    fn loads_normal(&self, id: FuncId, inst: &Inst) -> bool {
        let InstKind::Load { ty, addr, .. } = &inst.kind else { return false };
        let len = self.program.size_of(*ty);
        let address = Address::of(addr);
        match address.base {
            Base::Object(object) if self.object_kind_at(object, address.at, len, &address.strides) => true,
            Base::Object(object) if self.program.objects[object].constant => {
                self.holds_normal(object, address.at, len, &address.strides)
            }
            Base::Reg(reg) if !self.is_blind(id, reg) => self
                .pointee(id, reg)
                .is_some_and(|layout| self.places.element_touches_kind(layout, address.at, len, &address.strides)),
            Base::Object(_) | Base::Reg(_) | Base::Computed => false,
        }
    }

    /// Does the object hold only normal kinds, or nothing, where it is read?
    fn holds_normal(&self, object: ObjectId, at: i64, len: u64, strides: &[u64]) -> bool {
        let is_read = |from: u64, size: u64| {
            let (from, size, len) = (from as i64, size as i64, len as i64);
            match strides {
                [] => at < from + size && from < at + len,
                [stride] if *stride > 0 => {
                    let behind = (from - at).rem_euclid(*stride as i64);
                    behind < len || behind + size > *stride as i64
                }
                _ => true,
            }
        };
        self.program.objects[object].init.iter().all(|init| match &init.value {
            InitValue::Scalar(ty, bits) => is_normal(*bits) || !is_read(init.offset, self.program.size_of(*ty)),
            InitValue::Bytes(bytes) => {
                let at = |i: usize| init.offset.saturating_add(i as u64);
                bytes.iter().enumerate().all(|(i, byte)| is_normal(u128::from(*byte)) || !is_read(at(i), 1))
            }
            InitValue::Object(..) | InitValue::Function(_) => {
                !is_read(init.offset, self.program.data_model.pointer_bytes())
            }
        })
    }
}

/// PTHREAD_MUTEX_NORMAL, or PTHREAD_MUTEX_ADAPTIVE_NP, which differs in speed only.
fn is_normal(kind: u128) -> bool {
    matches!(kind, 0 | 3)
}

fn pointee(layout: &Option<Layout>) -> Option<&Layout> {
    match layout {
        Some(Layout::Pointer(Some(layout))) => Some(layout),
        _ => None,
    }
}

/// Is it what lowering makes of the variable arguments of a call?
fn is_variable_arguments(layout: &Layout) -> bool {
    matches!(layout, Layout::Struct { fields, .. } if fields.first().is_some_and(|field| field.name == "arg1"))
}
