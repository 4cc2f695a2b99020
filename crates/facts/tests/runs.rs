//! Facts against executions: programs are run in the interpreter with random schedules and inputs, and every state and step
//! must be as the facts say.  A fact that is wrong on a run would be a wrong verdict one day.
//!
//! The programs are those of `tests/ir`.  `RUNS=DIRECTORY cargo test --release -p facts --test runs` takes the `.ir` files of a
//! directory instead, for instance what `unbraid ir` prints for a suite of C programs; `SEED` and `ROUNDS` choose other runs
//! and more of them.

use base::{BitSet, Id, Rng};
use facts::{Facts, Point, RootId, Threads};
use ir::InstKind;
use ir::interp::{Choice, Code, End, Machine, Next, Open, Pc, StateStore, Stepped, Tid};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

const STEPS: usize = 1500;

#[test]
fn facts_hold_on_runs() {
    let number = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let directory = std::env::var("RUNS")
        .map_or_else(|_| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ir"), PathBuf::from);
    let mut paths = Vec::new();
    collect(&directory, &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "no .ir files in {}", directory.display());
    let (seed, rounds) = (number("SEED", 1), number("ROUNDS", 6));
    let mut wrong = Vec::new();
    let mut steps = 0;
    for path in &paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let lines = text.lines().map(|line| if line.starts_with("test ") { "" } else { line });
        let text = lines.collect::<Vec<_>>().join("\n");
        // Files about errors of the parser or of validation are not programs.
        let Ok(program) = ir::text::parse(&text, "test") else { continue };
        if !ir::validate::validate(&program).is_empty() {
            continue;
        }
        let facts = Facts::compute(&program);
        let code = Code::new(&program);
        for round in 0..rounds {
            let mut run = Run::new(&facts, &code, seed.wrapping_mul(1_000_003).wrapping_add(round));
            match run.go() {
                Ok(count) => steps += count,
                Err(message) => {
                    wrong.push(format!("{}: {message}", path.display()));
                    break;
                }
            }
        }
    }
    println!("{} programs, {steps} steps", paths.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn collect(directory: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "ir") {
            paths.push(path);
        }
    }
}

struct Run<'a> {
    facts: &'a Facts,
    code: &'a Code<'a>,
    random: Rng,
    machine: Machine<'a>,
    /// Who started each thread.
    root: HashMap<Tid, RootId>,
    /// What each thread may still do, as was said at some earlier moment.
    promised: HashMap<Tid, BitSet>,
}

impl<'a> Run<'a> {
    fn new(facts: &'a Facts, code: &'a Code<'a>, seed: u64) -> Self {
        Run {
            facts,
            code,
            random: Rng::new(seed),
            machine: Machine::new(code),
            root: HashMap::from([(0, Threads::FIRST)]),
            promised: HashMap::new(),
        }
    }

    fn go(&mut self) -> Result<usize, String> {
        // Some runs keep to one thread for long, others switch at every step.
        let patience = 1 + self.random.below(12);
        let mut current = 0;
        for count in 0..STEPS {
            self.check_state()?;
            let ready = ready(&self.machine);
            if ready.is_empty() {
                return Ok(count);
            }
            if self.random.below(8) == 0 {
                self.check_movers(&ready)?;
            }
            if !ready.contains(&current) || self.random.below(patience) == 0 {
                current = ready[self.random.below(ready.len())];
            }
            if !self.step(current)? {
                return Ok(count);
            }
        }
        Ok(STEPS)
    }

    fn point(&self, pc: Pc) -> Point {
        self.code.points[pc as usize]
    }

    fn describe(&self, point: Point) -> String {
        let function = &self.code.program.functions[point.func];
        format!("{} {}.{}", function.name, function.blocks[point.block].name, point.inst)
    }

    fn running(&self) -> Vec<Tid> {
        (0..self.machine.thread_count()).filter(|tid| self.machine.is_running(*tid)).collect()
    }

    /// What the facts say of the places the threads are at.
    fn check_state(&mut self) -> Result<(), String> {
        let running = self.running();
        let mut holders: HashMap<usize, Tid> = HashMap::new();
        for a in &running {
            let p = self.point(self.machine.pc(*a));
            self.check_ranges(*a, p)?;
            let inside = !self.facts.atomic.surely_inside(p) || self.machine.in_atomic(*a);
            must(inside, || format!("{} is not inside an atomic section", self.describe(p)))?;
            for b in running.iter().filter(|b| *b != a) {
                let q = self.point(self.machine.pc(*b));
                let together = || format!("{} and {} are together", self.describe(p), self.describe(q));
                must(self.facts.parallel.together(p, q), together)?;
            }
            let alone = running.len() > 1 && self.facts.parallel.alone(p);
            must(!alone, || format!("{} is not alone", self.describe(p)))?;
            let Some(site) = self.facts.sites.at_point(p) else { continue };
            for lock in self.facts.locks.held(site).iter() {
                let known = &self.facts.locks.all[facts::LockId::new(lock)];
                if let Some(other) = holders.insert(lock, *a) {
                    return Err(format!("{} holds a lock that thread {other} holds too", self.describe(p)));
                }
                let address = known.address(&self.machine).ok_or("a lock of an object that is not there")?;
                let location = self.machine.locate(address, 1).map_err(|e| e.describe().to_string())?;
                let is_free = || format!("{} holds a lock that is free", self.describe(p));
                must(self.machine.read(location, 1) != 0, is_free)?;
            }
        }
        if !running.is_empty() && self.random.below(20) == 0 {
            let tid = running[self.random.below(running.len())];
            self.promise(tid);
        }
        Ok(())
    }

    /// Are the registers that are about to be read within their ranges?
    fn check_ranges(&self, tid: Tid, point: Point) -> Result<(), String> {
        let function = &self.code.program.functions[point.func];
        for (reg, _) in self.facts.values[point.func].uses_at(point) {
            let ir::Ty::Int(bits) = function.ty(*reg) else { continue };
            let value = self.machine.register(tid, *reg);
            let range = self.facts.intervals.at(&self.facts.values, point, *reg);
            let name = &function.regs[*reg].name;
            let outside = || format!("{}: %{name} is {value}, not in {range:?}", self.describe(point));
            must(bits > 64 || range.is_some_and(|range| range.contains(value)), outside)?;
        }
        Ok(())
    }

    /// Notes what the thread may still do, to hold it to that.
    fn promise(&mut self, tid: Tid) {
        let mut all = BitSet::new();
        let depth = self.machine.depth(tid);
        for (i, pc) in self.machine.stack(tid).enumerate() {
            let point = self.point(pc);
            // Those that wait stand at their call and go on after it.
            let inst = point.inst as usize + usize::from(i + 1 < depth);
            all.union_with(self.facts.future.sites(point.func, point.block, inst));
        }
        match self.promised.get_mut(&tid) {
            Some(known) => _ = known.intersect_with(&all),
            None => _ = self.promised.insert(tid, all),
        }
    }

    fn step(&mut self, tid: Tid) -> Result<bool, String> {
        let point = self.point(self.machine.pc(tid));
        let site = self.facts.sites.at_point(point);
        self.check_access(tid, point)?;
        if let (Some(site), Some(promised)) = (site, self.promised.get(&tid))
            && !promised.contains(site.index())
        {
            return Err(format!("{} was not in the future of its thread", self.describe(point)));
        }
        let before: Vec<bool> = (0..self.machine.thread_count()).map(|t| self.machine.is_running(t)).collect();
        let random = &mut self.random;
        let result = self.machine.step(tid, &mut |choice| choose(random, choice));
        for new in 0..self.machine.thread_count() {
            if self.machine.is_running(new) && !before.get(new).copied().unwrap_or(false) {
                let root = self.facts.threads.root_at(point);
                self.root.insert(new, root.ok_or_else(|| format!("{} starts a thread", self.describe(point)))?);
                match self.promised.get(&tid).cloned() {
                    Some(promised) => _ = self.promised.insert(new, promised),
                    None => _ = self.promised.remove(&new),
                }
            }
        }
        self.check_alive()?;
        match result {
            Stepped::Done => Ok(true),
            Stepped::Blocked | Stepped::Ended(_) if !self.facts.movers.may_stop(point) => {
                Err(format!("{} has stopped: {result:?}", self.describe(point)))
            }
            Stepped::Blocked | Stepped::Violated | Stepped::Ended(_) | Stepped::Unsupported(_) => Ok(false),
        }
    }

    fn check_alive(&self) -> Result<(), String> {
        if !self.machine.is_running(0) {
            return Ok(());
        }
        let first = self.point(self.machine.pc(0));
        for root in self.running().iter().filter(|tid| **tid != 0).map(|tid| self.root[tid]) {
            let alive = || format!("a thread of {root} is alive at {}", self.describe(first));
            must(self.facts.parallel.alive(first).contains(root.index()), alive)?;
        }
        Ok(())
    }

    /// Was the access foreseen?
    fn check_access(&self, tid: Tid, point: Point) -> Result<(), String> {
        let (address, size, reads, writes) = match self.machine.next(tid) {
            Next::Access { address, size, write, .. } => {
                let is_update = matches!(self.code.program.kind(point), Some(InstKind::Update { .. }));
                (address, size, !write || is_update, write)
            }
            Next::Free { address } => (address, 1, false, true),
            _ => return Ok(()),
        };
        let Ok(location) = self.machine.locate(address, size) else { return Ok(()) };
        let Some((object, offset)) = self.machine.object_at(location) else { return Ok(()) };
        let region = self.facts.regions.of(object, self.code).ok_or("an allocation nobody knows")?;
        let mut wrong = None;
        self.facts.cells.at(region, offset, size, &mut |cell| {
            let content = self.machine.read(location, size as u32);
            if let Some(range) = self.facts.intervals.cell(cell)
                && (u64::from(range.bits) != size * 8 || !range.contains(content))
            {
                wrong = Some(format!("{}: finds {content}, not in {range:?}", self.describe(point)));
            }
        });
        // Freeing looks at no content.
        if let (Some(wrong), false) = (wrong, matches!(self.code.program.kind(point), Some(InstKind::Free { .. }))) {
            return Err(wrong);
        }
        let name = || self.facts.regions.name(self.code.program, region);
        let unforeseen = || format!("{} touches {} at {offset}, unforeseen", self.describe(point), name());
        must(!reads || self.facts.foresaw(point, region, offset, size, false), unforeseen)?;
        must(!writes || self.facts.foresaw(point, region, offset, size, true), unforeseen)
    }

    /// Do steps of two threads that stand next to each other change places as their movers say?
    fn check_movers(&mut self, ready: &[Tid]) -> Result<(), String> {
        if ready.len() < 2 {
            return Ok(());
        }
        let a = ready[self.random.below(ready.len())];
        let b = ready[self.random.below(ready.len())];
        if a == b || self.both_name_threads(a, b) {
            return Ok(());
        }
        let point = self.point(self.machine.pc(a));
        if matches!(self.code.program.kind(point), Some(InstKind::AtomicBegin)) {
            // Moves right because nothing can follow; as a section it is what its steps are.
            return Ok(());
        }
        let mover = self.facts.movers.mover(point);
        let salt = self.random.next();
        for (first, second, claimed) in [(a, b, mover.is_right()), (b, a, mover.is_left())] {
            if !claimed {
                continue;
            }
            let mut there = self.machine.clone();
            let mut back = self.machine.clone();
            let one = follow(&mut there, &[first, second], salt);
            let other = follow(&mut back, &[second, first], salt);
            let (Some(one), Some(other)) = (one, other) else { continue };
            let same = match (&one[..], &other[..]) {
                // A violation must not depend on what comes before it.
                ([Stepped::Done, Stepped::Violated], other) => other == [Stepped::Violated],
                ([Stepped::Done, Stepped::Done], [Stepped::Done, Stepped::Done]) => {
                    let mut store = StateStore::new();
                    store.save(&mut there).0 == store.save(&mut back).0
                }
                ([Stepped::Done, Stepped::Done], [.., Stepped::Ended(End::Halted)]) => true,
                ([Stepped::Done, Stepped::Done], _) => false,
                _ => true,
            };
            let (this, next) = (self.describe(point), self.describe(self.point(self.machine.pc(b))));
            let stays =
                || format!("{this} is {mover:?} mover but does not change places with {next}: {one:?} {other:?}");
            must(same, stays)?;
        }
        Ok(())
    }

    /// Threads are named in the order they start, and names are used again, as are names of objects between threads whose
    /// numbers differ by sixteen: then states differ in names only.
    fn both_name_threads(&self, a: Tid, b: Tid) -> bool {
        let names = |tid| match self.code.program.kind(self.point(self.machine.pc(tid))) {
            Some(kind) => kind.is_thread_op() || matches!(kind, InstKind::AtomicBegin),
            None => self.machine.is_detached(tid),
        };
        names(a) && names(b) || a % 16 == b % 16
    }
}

fn must(holds: bool, why: impl Fn() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}

fn ready(machine: &Machine) -> Vec<Tid> {
    let owner = machine.atomic_owner();
    (0..machine.thread_count()).filter(|tid| machine.enabled(*tid) && owner.is_none_or(|owner| owner == *tid)).collect()
}

/// The last thread's place is gone once it is released.
fn runs(machine: &Machine, tid: Tid) -> bool {
    tid < machine.thread_count() && machine.is_running(tid)
}

/// Takes the threads one step each, with inputs that depend on the place only; `None` if that cannot be interpreted.
fn follow(machine: &mut Machine, order: &[Tid], salt: u64) -> Option<Vec<Stepped>> {
    let mut steps = Vec::new();
    for tid in order {
        if !runs(machine, *tid) || machine.atomic_owner().is_some_and(|owner| owner != *tid) {
            steps.push(Stepped::Blocked);
            return Some(steps);
        }
        let mut choose = |choice: Choice| u128::from(salt.wrapping_mul(u64::from(choice.pc) + 1) % 3);
        let mut step = machine.step(*tid, &mut choose);
        // An atomic section is one step; one that waits or goes on for long tells nothing here.
        for _ in 0..200 {
            if step == Stepped::Done && runs(machine, *tid) && machine.in_atomic(*tid) {
                step = machine.step(*tid, &mut choose);
            }
        }
        if matches!(step, Stepped::Unsupported(_)) || runs(machine, *tid) && machine.in_atomic(*tid) {
            return None;
        }
        let goes_on = step == Stepped::Done;
        steps.push(step);
        if !goes_on {
            break;
        }
    }
    Some(steps)
}

fn choose(random: &mut Rng, choice: Choice) -> u128 {
    let value = match random.below(10) {
        0..6 => random.below(3) as u128,
        6 => u128::MAX - random.below(3) as u128,
        7 => random.below(20) as u128,
        _ if choice.what != Open::Input => 0,
        _ => u128::from(random.next()) * u128::from(random.next()),
    };
    ir::mask(value, choice.bits)
}
