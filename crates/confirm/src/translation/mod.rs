//! Validates a translation (`system::translate`): whatever the unfolded program can do between its cut-points, the system can.
//!
//! Every thread is followed from each of its locations to the next along all paths, by code of its own (`paths`, `values`).
//! States belong together if every variable of the system stands for what it says it stands for (`system::meaning`): a number of
//! the machine as it is read with or without sign, or an integer congruent to it; of registers those that are still read.
//! For each path there must be an edge that can be taken whenever the path can, and leads to a state that belongs to where
//! the path leads; and the variables must stay in the ranges that the system declares.  One question to the solver shows it
//! for each path, in which the inputs of the edge have the values that the path has there.
//!
//! Where what is known at a location does not show it, the path by which the thread came there is looked at as well
//! (`history`).
//!
//! What the meaning says otherwise (which cut-points, where an access goes, what an input was) is a hint: where it is wrong
//! the check fails.
//!
//! What is *not* shown here: that no switch is needed between cut-points; that of an object allocated in a loop no old
//! address is left.

mod history;
mod paths;
mod pointers;
mod start;
mod values;

use crate::modular::boxes;
use crate::{Refusal, SPENT, ensure};
use base::{Budget, IdVec, Pos};
use facts::Point;
use formula::interval::refine;
use formula::{Formula, Linear, Var};
use history::{Frame, Open};
use ir::{Expr, FuncId, Function, Program, Reg, Term};
use passes::{ThreadId, Unfolded};
use paths::{End, Path};
use pointers::Pointers;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Solver;
use system::meaning::{Addressed, Chosen, Home, Meaning, Mode, Origin, Place, WayBack};
use system::ranges::Known;
use system::{Edge, Location, System};
use values::Number;

/// So many questions of a thread are left open until all its paths are known.
const MOST_OPEN: usize = 50;

const NO_ANSWER: &str = "could not be established: the solver has no answer";

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
    cuts: FxHashMap<Point, Location>,
    /// By instruction the expressions whose values edges choose freely.
    wanted: FxHashMap<Point, Vec<Expr>>,
    /// By location, the registers that are still read.
    live: IdVec<Location, FxHashSet<Reg>>,
    /// What has to be shown with more than is known at a location.
    open: Vec<Open>,
    solver: &'a mut Solver,
}

/// What was to be shown.
struct Doubt {
    what: String,
    /// The place, if nothing is known of what it is about, so that no more can be said.
    unknown: Option<Pos>,
}

impl From<&str> for Doubt {
    fn from(what: &str) -> Self {
        Doubt { what: what.into(), unknown: None }
    }
}

impl From<&Refusal> for Doubt {
    fn from(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::Wrong(what) => Doubt { what: what.clone(), unknown: None },
            Refusal::Unsupported { what, pos } => Doubt { what: what.clone(), unknown: Some(*pos) },
        }
    }
}

impl Doubt {
    fn refusal(self, place: &str) -> Refusal {
        match self.unknown {
            Some(pos) => Refusal::Unsupported { what: self.what, pos },
            None => Refusal::Wrong(format!("{}, from {place}", self.what)),
        }
    }
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
    fn var(&self, home: Home) -> Option<Var> {
        self.by_home.get(&home).copied()
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

    /// The formula cannot hold at the end of the path; if that does not follow from what is known where the path begins, it is
    /// left open.
    fn must_be_impossible(&mut self, path: &Path, formula: Formula, what: impl Into<Doubt>) -> Result<(), Refusal> {
        let mut ranges = path.ranges.clone();
        if formula.conjuncts().contains(&Formula::False) || !refine(&mut ranges, &formula) {
            return Ok(());
        }
        self.solver.push();
        Frame::last(self.location, path, &formula).assert(self);
        let mut answer = self.solver.refutes(&formula, self.budget);
        let mut path = path.clone();
        if answer == Some(false) {
            let closer = path.closer_bounds(self.solver, self.budget);
            if !closer.is_empty() {
                answer = self.solver.refutes(&formula, self.budget);
                path.guard.extend(closer);
            }
        }
        self.solver.pop();
        match answer {
            Some(true) => Ok(()),
            Some(false) if self.open.len() < MOST_OPEN => {
                self.open.push(Open { location: self.location, path, formula, doubt: what.into() });
                Ok(())
            }
            Some(false) => Err(what.into().refusal(&self.shown())),
            None => Err(Refusal::Wrong(NO_ANSWER.into())),
        }
    }
}

/// Shows that the system, as it was walked (`system::Options::raw`), does whatever the unfolded program does.
pub fn check(translated: &system::Translated, budget: &Budget) -> Result<(), Refusal> {
    let (unfolded, system, meaning) = (translated.unfolded(), &translated.system, &translated.meaning);
    let known = &system::ranges::ranges(system, budget).ok_or("its ranges are not known")?;
    boxes::check_known(known, system, budget)?;
    let mut by_home = FxHashMap::default();
    for (var, stands) in meaning.vars.iter() {
        ensure(by_home.insert(stands.home, var).is_none(), "two variables for one thing")?;
    }
    let fits = (meaning.vars.len(), meaning.places.len()) == (system.vars.len(), system.threads.len());
    ensure(fits, "not the meaning of this system")?;
    start::started_once(unfolded)?;
    start::objects_apart(translated)?;
    let mut solver = Solver::new();
    let open = start::first_state(translated, &mut solver, budget)?;
    let pointers = pointers::analyse(translated, known, &open);
    for thread in unfolded.threads.ids() {
        let places = &meaning.places[thread];
        let entry = system.threads[thread].graph.entry;
        if places[entry] != Place::Start {
            return Err(format!("{} does not start where it starts", system.threads[thread].name).into());
        }
        let cuts = places.iter().filter_map(|(location, place)| match place {
            Place::Before(point) => Some((*point, location)),
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
            live: IdVec::new(),
            open: Vec::new(),
            solver: &mut solver,
        };
        check_thread(&mut setting, known)?;
    }
    Ok(())
}

/// By instruction, the expressions whose values edges choose freely.
fn wanted(ways_back: &[WayBack]) -> FxHashMap<Point, Vec<Expr>> {
    let mut wanted: FxHashMap<Point, Vec<Expr>> = FxHashMap::default();
    for (way, origin) in ways_back.iter().flat_map(|way| way.origins.iter().map(move |origin| (way, origin))) {
        if let (Chosen::Value(Some(expr)), Some(at)) = (&origin.what, way.path.get(origin.step)) {
            let exprs = wanted.entry(at.point).or_default();
            if !exprs.contains(expr) {
                exprs.push(expr.clone());
            }
        }
    }
    wanted
}

fn check_thread(cx: &mut Setting<'_>, known: &Known) -> Result<(), Refusal> {
    let locations: Vec<Location> = cx.meaning.places[cx.thread].ids().collect();
    let mut from: IdVec<Location, Vec<(End, Path)>> = IdVec::new();
    let mut failed = Vec::new();
    for &location in &locations {
        cx.budget.check().map_err(|_| SPENT)?;
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
    cx.live = live(&from);
    for (location, paths) in from.iter() {
        cx.location = location;
        paths.iter().try_for_each(|(end, path)| covered(cx, *end, path))?;
    }
    let open = std::mem::take(&mut cx.open);
    open.into_iter().try_for_each(|open| open.shown(cx, &from))
}

/// By location, the registers that are still read.
fn live(from: &IdVec<Location, Vec<(End, Path)>>) -> IdVec<Location, FxHashSet<Reg>> {
    let reads = |paths: &Vec<(End, Path)>| paths.iter().flat_map(|(_, path)| path.reads.iter().copied()).collect();
    let mut live: IdVec<Location, FxHashSet<Reg>> = from.values().map(reads).collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (location, (end, path)) in from.iter().flat_map(|(from, paths)| paths.iter().map(move |path| (from, path)))
        {
            let End::Arrives(to) = end else { continue };
            let kept: Vec<Reg> = live[*to].iter().copied().filter(|reg| !path.registers.contains_key(reg)).collect();
            kept.into_iter().for_each(|reg| changed |= live[location].insert(reg));
        }
    }
    live
}

/// Some edge does what the path does.
fn covered(cx: &mut Setting<'_>, end: End, path: &Path) -> Result<(), Refusal> {
    let system = cx.system;
    let graph = &system.threads[cx.thread].graph;
    let places = &cx.meaning.places[cx.thread];
    let mut uncovered = vec![Formula::True];
    for (edge, way) in graph.edges.iter().zip(&cx.meaning.ways_back[cx.thread]) {
        let along = || way.path.iter().zip(&path.steps).all(|(theirs, ours)| theirs.point == *ours);
        if edge.from != cx.location || way.path.len() > path.steps.len() || !along() {
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
        let inputs = fits.then(|| way.origins.iter().map(|origin| chosen(path, origin)).collect::<Option<Vec<_>>>());
        if let Some(inputs) = inputs.flatten().filter(|inputs| inputs.len() == edge.step.inputs.len()) {
            let guard = edge.step.guard.substitute(&mut |var| var.as_input().map(|input| inputs[input].clone()));
            uncovered.extend(path.bounds_if(guard.conjuncts()));
            uncovered.push(does(cx, path, edge, &inputs, end, fails).not());
        }
    }
    // A path that changes nothing and leads back needs none.
    if end == End::Arrives(cx.location) {
        let nothing = Edge { from: cx.location, to: cx.location, step: system::Step::default() };
        uncovered.push(does(cx, path, &nothing, &[], end, false).not());
    }
    cx.must_be_impossible(path, Formula::and(uncovered), "a path without an edge")
}

/// The value that the path has for the input.
fn chosen(path: &Path, origin: &Origin) -> Option<Linear> {
    let (.., number) = path.chosen.iter().find(|(step, what, _)| (step, what) == (&origin.step, &origin.what))?;
    Some(match (origin.mode, number.bits) {
        (Mode::Unsigned, _) | (_, 1) => path.unsigned(number),
        (Mode::Signed | Mode::Ring, _) => path.signed(number),
    })
}

/// When the edge with these inputs does what the path does.
fn does(cx: &Setting<'_>, path: &Path, edge: &Edge, inputs: &[Linear], end: End, fails: bool) -> Formula {
    let see = &mut |var: Var| var.as_input().map(|input| inputs[input].clone());
    let mut parts = edge.step.guard.substitute(see).conjuncts().to_vec();
    parts.retain(|part| !path.guard.contains(part));
    if fails {
        return Formula::and(parts);
    }
    for (var, stands) in cx.meaning.vars.iter() {
        let ours = match stands.home {
            Home::Cell(piece) => path.pieces.get(&piece),
            Home::Register(thread, _) if thread != cx.thread => None,
            Home::Register(_, reg) => match end {
                End::Arrives(to) if cx.live[to].contains(&reg) => path.registers.get(&reg),
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
