//! Validates a translation (`system::translate`): whatever the unfolded program can do between its cut-points, the system can.
//!
//! Every thread is followed from each of its locations to the next along all paths, by code of its own (`paths`, `values`).
//! States belong together if every variable of the system stands for what it says it stands for (`system::meaning`): a number of
//! the machine as it is read with or without sign, or an integer congruent to it; of registers those that are still read.
//! For each path there must be an edge that can be taken whenever the path can, and leads to a state that belongs to where
//! the path leads; and the variables must stay in the ranges that the system declares.  One question to the solver shows it
//! for each path, in which the inputs of the edge have the values that the path has there.
//!
//! What the meaning says otherwise (which cut-points, where an access goes, what an input was) is a hint: where it is wrong
//! the check fails.
//!
//! What is *not* shown here: that no switch is needed between cut-points; that of an object allocated in a loop no old
//! address is left.

mod paths;
mod pointers;
mod values;

use crate::modular::boxes;
use base::{Budget, IdVec, Interval};
use facts::Point;
use formula::interval::refine;
use formula::{Formula, Linear, Var};
use ir::{BlockId, Expr, FuncId, Function, InstKind, Program, Term};
use passes::{ThreadId, Unfolded};
use paths::{End, Path};
use pointers::Pointers;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Solver;
use system::meaning::{Addressed, Chosen, Home, Meaning, Mode, Origin, Place, WayBack};
use system::ranges::Known;
use system::{Edge, Location, System};
use values::Number;

/// The handle of a thread of an unfolded program.
fn handle(thread: ThreadId) -> i128 {
    i128::from(thread.0) + 1
}

/// What is looked at: one location of one thread.
struct Setting<'a> {
    unfolded: &'a Unfolded,
    system: &'a System,
    meaning: &'a Meaning,
    budget: &'a Budget,
    by_home: &'a FxHashMap<Home, Var>,
    thread: ThreadId,
    func: FuncId,
    location: Location,
    pointers: &'a Pointers,
    /// The thread's locations by where they are.
    cuts: FxHashMap<(BlockId, usize), Location>,
    /// By instruction the expressions whose values edges choose freely.
    wanted: FxHashMap<(BlockId, usize), Vec<Expr>>,
    solver: &'a mut Solver,
}

impl<'a> Setting<'a> {
    fn program(&self) -> &'a Program {
        &self.unfolded.program
    }
    fn function(&self) -> &'a Function {
        &self.program().functions[self.func]
    }
    fn memory(&self) -> &'a Addressed {
        &self.meaning.memory
    }
    fn place(&self) -> Place {
        self.meaning.places[self.thread][self.location]
    }
    fn point(&self, (block, inst): (BlockId, usize)) -> Point {
        Point::new(self.func, block, inst)
    }
    fn var(&self, home: Home) -> Option<Var> {
        self.by_home.get(&home).copied()
    }
    /// Whether the thread may come to the block again.
    fn is_repeated(&self, block: BlockId) -> bool {
        reaches_itself(self.function(), block)
    }
    /// Whether the thread's result may be a value.
    fn returns(&self, thread: ThreadId) -> bool {
        let function = &self.program().functions[self.unfolded.threads[thread].func];
        function.blocks.values().any(|block| matches!(block.term, Term::Return(Some(_)) | Term::ExitThread(Some(_))))
    }
    fn shown(&self) -> String {
        let thread = &self.system.threads[self.thread];
        format!("{} at {}", thread.name, thread.graph.locations[self.location].name)
    }

    /// The formula cannot hold at the end of the path.
    fn must_be_impossible(&mut self, path: &Path, formula: Formula, what: &str) -> Result<(), String> {
        let parts = formula.conjuncts();
        let mut ranges = path.ranges.clone();
        if parts.contains(&Formula::False) || !refine(&mut ranges, &formula) {
            return Ok(());
        }
        let mut vars: FxHashSet<Var> = formula.vars();
        path.guard.iter().for_each(|part| part.visit_vars(&mut |var| _ = vars.insert(var)));
        self.solver.push();
        for var in vars {
            let range = match var.as_input() {
                Some(input) => path.inputs[input],
                None => path.before[var],
            };
            self.solver.assert(&Formula::within(range, &var.into()));
            self.solver.assert(&self.pointers.always(var));
        }
        path.guard.iter().for_each(|part| self.solver.assert(part));
        let answer = self.solver.refutes(&formula, self.budget);
        self.solver.pop();
        match answer {
            Some(true) => Ok(()),
            Some(false) => Err(format!("{what}, from {}", self.shown())),
            None => Err("could not be established: the solver has no answer".into()),
        }
    }
}

fn reaches_itself(function: &Function, block: BlockId) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![block];
    while let Some(next) = work.pop() {
        let mut found = false;
        function.blocks[next].term.for_each_target(&mut |to| {
            found |= to == block;
            if seen.insert(to) {
                work.push(to);
            }
        });
        if found {
            return true;
        }
    }
    false
}

/// Shows that the system, as it was walked (`system::Options::raw`), does whatever the unfolded program does.
pub fn check(translated: &system::Translated, budget: &Budget) -> Result<(), String> {
    let known = system::ranges::ranges(&translated.system, budget).ok_or("its ranges are not known")?;
    check_with(translated, &known, budget)
}

fn check_with(translated: &system::Translated, known: &Known, budget: &Budget) -> Result<(), String> {
    let (unfolded, system, meaning) = (translated.unfolded(), &translated.system, &translated.meaning);
    boxes::check_known(known, system, budget)?;
    let mut by_home = FxHashMap::default();
    for (var, stands) in meaning.vars.iter() {
        if by_home.insert(stands.home, var).is_some() {
            return Err("two variables for one thing".into());
        }
    }
    if (meaning.vars.len(), meaning.places.len()) != (system.vars.len(), system.threads.len()) {
        return Err("not the meaning of this system".into());
    }
    started_once(unfolded)?;
    check_memory(unfolded, &meaning.memory)?;
    let mut solver = Solver::new();
    check_initial(unfolded, system, meaning, &mut solver, budget)?;
    let bits = u32::from(unfolded.program.data_model.pointer_bits());
    let mut garbage = FxHashSet::default();
    for (var, stands) in meaning.vars.iter() {
        if let Home::Cell(piece) = stands.home
            && initial_content(unfolded, &meaning.memory, piece)?.is_none()
        {
            garbage.insert(var);
        }
    }
    // A number that is never larger than that of a thread may be a handle.
    let handles = Interval::between(0, unfolded.threads.len() as i128);
    let small = |var: Var| known[ThreadId::FIRST].values().flatten().all(|ranges| handles.contains(ranges[var]));
    let is_pointer = |var: Var| meaning.vars[var].bits == bits || (meaning.vars[var].bits > 1 && small(var));
    let pointers = pointers::analyse(system, &meaning.memory, known, is_pointer, |var| garbage.contains(&var));
    for thread in unfolded.threads.ids() {
        let places = &meaning.places[thread];
        let entry = system.threads[thread].graph.entry;
        if places[entry] != Place::Start {
            return Err(format!("{} does not start where it starts", system.threads[thread].name));
        }
        let cuts = places.iter().filter_map(|(location, place)| match place {
            Place::Before(block, inst) => Some(((*block, *inst), location)),
            Place::Start | Place::Ended | Place::Failed | Place::Wraps => None,
        });
        let mut setting = Setting {
            unfolded,
            system,
            meaning,
            budget,
            by_home: &by_home,
            thread,
            func: unfolded.threads[thread].func,
            pointers: &pointers,
            location: entry,
            cuts: cuts.collect(),
            wanted: wanted(&meaning.ways_back[thread]),
            solver: &mut solver,
        };
        check_thread(&mut setting, known)?;
    }
    Ok(())
}

/// A thread is started by one instruction, once.
fn started_once(unfolded: &Unfolded) -> Result<(), String> {
    let mut started = FxHashSet::default();
    for (thread, data) in unfolded.threads.iter() {
        let function = &unfolded.program.functions[data.func];
        for (block, content) in function.blocks.iter() {
            for inst in &content.insts {
                if !matches!(inst.kind, InstKind::Spawn { .. }) {
                    continue;
                }
                let child = inst.kind.direct_callee().and_then(|func| unfolded.thread_of(func));
                let child = child.ok_or("a thread whose function is not known")?;
                if child == ThreadId::FIRST
                    || child == thread
                    || !started.insert(child)
                    || reaches_itself(function, block)
                {
                    return Err("a thread that is started more than once".into());
                }
            }
        }
    }
    Ok(())
}

/// Objects are apart from each other, and pieces of one object too.
fn check_memory(unfolded: &Unfolded, memory: &Addressed) -> Result<(), String> {
    for (object, stored) in memory.objects.iter() {
        if stored.size.is_some_and(|size| i128::from(size) > memory.room / 4) {
            return Err("an object that is too large".into());
        }
        let mut end = 0;
        for piece in memory.pieces_of(object).map(|piece| memory.pieces[piece]) {
            if piece.object != object || piece.offset < end {
                return Err("pieces of memory overlap".into());
            }
            end = piece.offset + piece.size;
        }
        let pointer_bits = u32::from(unfolded.program.data_model.pointer_bits());
        if memory.pointer(object, 0) + memory.room > 1 << (pointer_bits - 1) {
            return Err("an address that is no number of its type".into());
        }
        if memory.locate(memory.pointer(object, 0)) != Some((object, 0)) {
            return Err("two objects in one place".into());
        }
        let size = match stored.kind {
            system::meaning::Kind::Static(id) | system::meaning::Kind::ThreadLocal(id, _) => {
                Some(unfolded.program.objects[id].size)
            }
            system::meaning::Kind::Function(_) => Some(0),
            system::meaning::Kind::Allocated(point) => {
                let inst = unfolded.program.functions[point.func].blocks[point.block].insts.get(point.inst as usize);
                let Some(InstKind::Alloc { size, .. }) = inst.map(|inst| &inst.kind) else {
                    return Err("an object that nobody allocates".into());
                };
                match size {
                    Expr::Const(_, size) => u64::try_from(*size).ok(),
                    _ => None,
                }
            }
        };
        if stored.size.is_some() && stored.size != size {
            return Err("an object of another size".into());
        }
    }
    Ok(())
}

/// The first state of the program belongs to a first state of the system.
fn check_initial(
    unfolded: &Unfolded,
    system: &System,
    meaning: &Meaning,
    solver: &mut Solver,
    budget: &Budget,
) -> Result<(), String> {
    // What is open at first, and what nobody looks at before it is written.
    let (mut fixed, mut open, mut idle) = (FxHashMap::default(), FxHashSet::default(), FxHashSet::default());
    for (var, stands) in meaning.vars.iter() {
        match stands.home {
            Home::Cell(piece) => match initial_content(unfolded, &meaning.memory, piece)? {
                Some(bits) => {
                    let value = match stands.mode {
                        Mode::Unsigned => bits as i128,
                        Mode::Signed | Mode::Ring => ir::signed(bits, stands.bits),
                    };
                    fixed.insert(var, value);
                }
                None => _ = open.insert(var),
            },
            Home::Register(..) | Home::Argument(..) | Home::Result(_) => _ = idle.insert(var),
            Home::Started(_) | Home::Ended(_) | Home::Failed => _ = fixed.insert(var, 0),
            Home::Pc(thread) => {
                _ = fixed.insert(var, system::location_value(system.threads[thread].graph.entry));
            }
            Home::Input => return Err("an input is not part of a state".into()),
        }
    }
    let declared = system.vars.iter().map(|(var, data)| Formula::within(data.range, &var.into()));
    for part in system.initial.conjuncts().into_iter().chain(declared) {
        let rest = part.substitute(&mut |var| fixed.get(&var).map(|value| Linear::constant(*value)));
        let vars = rest.vars();
        solver.push();
        for var in vars.iter().filter(|var| open.contains(var)) {
            let stands = meaning.vars[*var];
            let home = match stands.mode {
                Mode::Unsigned => Interval::unsigned(stands.bits),
                Mode::Signed | Mode::Ring => Interval::signed(stands.bits),
            };
            solver.assert(&Formula::within(home, &(*var).into()));
        }
        // Each of the idle ones can be what it must, by itself.
        let fine = match vars.iter().any(|var| idle.contains(var)) {
            true => vars.len() == 1 && solver.refutes(&rest, budget) == Some(false),
            false => solver.refutes(&rest.not(), budget) == Some(true),
        };
        solver.pop();
        if !fine {
            return Err("the system does not start as the program does".into());
        }
    }
    Ok(())
}

/// The bits that a piece holds at first; `None` if they may be anything.
fn initial_content(
    unfolded: &Unfolded,
    memory: &Addressed,
    piece: system::meaning::PieceId,
) -> Result<Option<u128>, String> {
    use system::meaning::Kind;
    let program = &unfolded.program;
    let piece = memory.pieces[piece];
    let bytes = match memory.objects[piece.object].kind {
        Kind::Static(id) | Kind::ThreadLocal(id, _) => {
            program.objects[id].initial_bytes(program, &|value| match value {
                ir::InitValue::Object(id, offset) => memory.pointer(memory.object(Kind::Static(*id)), *offset) as u128,
                ir::InitValue::Function(func) => memory.pointer(memory.object(Kind::Function(*func)), 0) as u128,
                ir::InitValue::Scalar(..) | ir::InitValue::Bytes(_) => 0,
            })
        }
        Kind::Allocated(point) => {
            let inst = program.functions[point.func].blocks[point.block].insts.get(point.inst as usize);
            match matches!(inst.map(|inst| &inst.kind), Some(InstKind::Alloc { zeroed: true, .. })) {
                true => Vec::new(),
                false => return Ok(None),
            }
        }
        Kind::Function(_) => return Err("a variable for a function".into()),
    };
    let byte = |offset: u64| bytes.get(offset as usize).copied().unwrap_or(0);
    Ok(Some((0..piece.size).rev().fold(0, |value, offset| value << 8 | u128::from(byte(piece.offset + offset)))))
}

/// By instruction, the expressions whose values edges choose freely.
fn wanted(ways_back: &[WayBack]) -> FxHashMap<(BlockId, usize), Vec<Expr>> {
    let mut wanted: FxHashMap<(BlockId, usize), Vec<Expr>> = FxHashMap::default();
    for way in ways_back {
        for origin in &way.origins {
            if let (Chosen::Value(Some(expr)), Some(at)) = (&origin.what, way.path.get(origin.step)) {
                let exprs = wanted.entry((at.block, at.inst)).or_default();
                if !exprs.contains(expr) {
                    exprs.push(expr.clone());
                }
            }
        }
    }
    wanted
}

fn check_thread(cx: &mut Setting<'_>, known: &Known) -> Result<(), String> {
    let locations: Vec<Location> = cx.meaning.places[cx.thread].ids().collect();
    let mut from: IdVec<Location, Vec<(End, Path)>> = IdVec::new();
    let mut failed = Vec::new();
    for &location in &locations {
        if cx.budget.spent().is_some() {
            return Err("the budget is spent".into());
        }
        cx.location = location;
        // Where nobody comes, as the ranges show, nothing has to be shown.
        let paths = known[cx.thread][location].as_ref().map(|ranges| paths::all(cx, ranges.clone()));
        from.push(paths.unwrap_or(Ok(Vec::new())).unwrap_or_else(|why| {
            failed.push((location, why));
            Vec::new()
        }));
    }
    // Of the others it is shown that no path leads there.
    for (location, why) in failed {
        if location == cx.system.threads[cx.thread].graph.entry {
            return Err(why);
        }
        for (start, paths) in from.iter() {
            cx.location = start;
            for (_, path) in paths.iter().filter(|(end, _)| *end == End::Arrives(location)) {
                cx.must_be_impossible(path, Formula::True, &why)?;
            }
        }
    }
    let live = live(&from);
    for (location, paths) in from.iter() {
        cx.location = location;
        for (end, path) in paths {
            covered(cx, *end, path, &live)?;
        }
    }
    Ok(())
}

/// By location, the registers that are still read.
fn live(from: &IdVec<Location, Vec<(End, Path)>>) -> IdVec<Location, FxHashSet<ir::Reg>> {
    let reads = |paths: &Vec<(End, Path)>| paths.iter().flat_map(|(_, path)| path.reads.iter().copied()).collect();
    let mut live: IdVec<Location, FxHashSet<ir::Reg>> = from.values().map(reads).collect();
    loop {
        let mut changed = false;
        for (location, paths) in from.iter() {
            for (end, path) in paths {
                let End::Arrives(to) = end else { continue };
                let kept: Vec<ir::Reg> =
                    live[*to].iter().copied().filter(|reg| !path.registers.contains_key(reg)).collect();
                for reg in kept {
                    changed |= live[location].insert(reg);
                }
            }
        }
        if !changed {
            return live;
        }
    }
}

/// Some edge does what the path does.
fn covered(
    cx: &mut Setting<'_>,
    end: End,
    path: &Path,
    live: &IdVec<Location, FxHashSet<ir::Reg>>,
) -> Result<(), String> {
    let system = cx.system;
    let graph = &system.threads[cx.thread].graph;
    let places = &cx.meaning.places[cx.thread];
    let mut uncovered = vec![Formula::True];
    for (edge, way) in graph.edges.iter().zip(&cx.meaning.ways_back[cx.thread]) {
        if edge.from != cx.location || way.path.len() > path.steps.len() {
            continue;
        }
        if !way.path.iter().zip(&path.steps).all(|(theirs, ours)| (theirs.block, theirs.inst) == *ours) {
            continue;
        }
        let fails = edge.step.update(system.failed) == Some(&Linear::constant(1));
        let whole = way.path.len() == path.steps.len();
        let fits = match (places[edge.to], end) {
            (Place::Wraps, _) => fails,
            (Place::Failed, End::Fails) => whole && fails,
            (Place::Ended, End::Ends) => whole,
            (_, End::Arrives(to)) => whole && to == edge.to,
            _ => false,
        };
        if !fits {
            continue;
        }
        let Some(inputs) = way.origins.iter().map(|origin| chosen(path, origin)).collect::<Option<Vec<_>>>() else {
            continue;
        };
        if inputs.len() != edge.step.inputs.len() {
            continue;
        }
        let taken = does(cx, path, edge, &inputs, end, live, fails);
        uncovered.push(taken.not());
    }
    // A path that changes nothing and leads back needs none.
    if end == End::Arrives(cx.location) {
        let nothing = Edge { from: cx.location, to: cx.location, step: system::Step::default() };
        uncovered.push(does(cx, path, &nothing, &[], end, live, false).not());
    }
    cx.must_be_impossible(path, Formula::and(uncovered), "a path without an edge")
}

/// The value that the path has for the input.
fn chosen(path: &Path, origin: &Origin) -> Option<Linear> {
    let number = match &origin.what {
        Chosen::Havoc => path.havocs.iter().find(|(step, _)| *step == origin.step).map(|(_, number)| number),
        Chosen::Content(piece) => {
            let found = path.contents.iter().find(|(step, of, _)| (step, of) == (&origin.step, piece));
            found.map(|(_, _, number)| number)
        }
        Chosen::Value(expr) => {
            let found = path.values.iter().find(|(step, of, _)| *step == origin.step && Some(of) == expr.as_ref());
            found.map(|(_, _, number)| number)
        }
    }?;
    Some(match (origin.mode, number.bits) {
        (Mode::Unsigned, _) | (_, 1) => path.unsigned(number),
        (Mode::Signed | Mode::Ring, _) => path.signed(number),
    })
}

/// When the edge with these inputs does what the path does.
fn does(
    cx: &Setting<'_>,
    path: &Path,
    edge: &Edge,
    inputs: &[Linear],
    end: End,
    live: &IdVec<Location, FxHashSet<ir::Reg>>,
    fails: bool,
) -> Formula {
    let see = &mut |var: Var| var.as_input().map(|input| inputs[input].clone());
    let mut parts = edge.step.guard.substitute(see).conjuncts();
    parts.retain(|part| !path.guard.contains(part));
    if fails {
        return Formula::and(parts);
    }
    for (var, stands) in cx.meaning.vars.iter() {
        let ours = match stands.home {
            Home::Cell(piece) => path.pieces.get(&piece),
            Home::Register(thread, _) if thread != cx.thread => None,
            Home::Register(_, reg) => match end {
                End::Arrives(to) if live[to].contains(&reg) => path.registers.get(&reg),
                // Nobody reads it any more.
                End::Arrives(_) | End::Ends | End::Fails => continue,
            },
            home @ (Home::Argument(..) | Home::Started(_) | Home::Ended(_) | Home::Result(_)) => path.flags.get(&home),
            Home::Pc(_) | Home::Failed | Home::Input => continue,
        };
        let theirs = edge.step.update(var).map_or_else(|| var.into(), |value| value.substitute(see));
        let unchanged = Number::new(var.into(), stands.bits);
        let ours = ours.unwrap_or(&unchanged);
        if ours.bits != stands.bits && ours.term.as_constant() != Some(0) {
            return Formula::False;
        }
        parts.push(match (stands.mode, stands.bits) {
            (Mode::Ring, bits) if bits > 1 => path.same(&Number::new(theirs.clone(), bits), ours),
            (Mode::Signed, bits) if bits > 1 => Formula::eq(&theirs, &path.signed(ours)),
            _ => Formula::eq(&theirs, &path.unsigned(ours)),
        });
        let declared = cx.system.vars[var].range;
        if edge.step.writes(var) && !declared.contains(formula::interval::evaluate(&theirs, &path.ranges)) {
            parts.push(Formula::within(declared, &theirs));
        }
    }
    Formula::and(parts)
}
