//! Validates an unfolded program: whatever the original can do, the unfolded one can do too, or it comes to a cut.
//!
//! `passes::unfold` inlines, unwinds, puts constants in and leaves out what is dead.  None of that is believed here.  The two
//! programs are walked side by side: at each place of the unfolded one it is known where the original stands (a stack of
//! points), which registers of the original have which value in terms of those of the unfolded one, and which of the latter are
//! constants (`state`).  Where the unfolded program touches memory, asks for an input, starts a thread, decides or
//! ends, the original must be about to do the very same thing (`steps`).  What only concerns registers is followed on either
//! side without the other: that cannot go wrong unnoticed, since whatever is computed from them is compared in the end.
//!
//! Where ways join, only what holds on all of them is kept, until nothing changes any more; so loops need no special care.
//!
//! **What may be added.**  The unfolded program may decide more often than the original, as long as both ways go on as the
//! original does; it may stop at a cut or at something unsupported, which whoever uses it must show to be out of reach.
//! Objects live on when their function returns.
//!
//! **What is taken from the unfolded program as a hint**: where an instruction comes from, and whose registers are whose.  If
//! they are wrong, the walk goes wrong, and the program is refused.
//!
//! **Rounds of loops that are left out** must change nothing (`rounds`).
//!
//! **What is believed of `passes`.**  What `rounds` says about locks, that
//! the places of freed blocks which an allocation may get are those listed (`unfold::reuse`), and which threads need no
//! handle of another one (`facts::handles`).

mod rounds;
mod state;
mod steps;

use crate::{comes_back, ensure};
use base::{BitSet, Id, IdVec};
use ir::interp::Point;
use ir::{BlockId, Callee, Expr, FuncId, Function, InstKind, Program};
use passes::{ThreadId, Unfolded};
use rounds::Heads;
use rustc_hash::FxHashMap;
use state::State;
use std::cell::Cell;
use std::collections::BTreeSet;

/// Shows that the unfolded program does all that the original does; the error says where it may not.
pub fn check(program: &Program, unfolded: &Unfolded) -> Result<(), String> {
    let same = unfolded.program.data_model == program.data_model
        && unfolded.program.handle_names == program.handle_names
        && program.objects.iter().all(|(id, object)| unfolded.program.objects.get(id) == Some(object));
    ensure(same, "the unfolded program has other objects")?;
    let first = unfolded.threads.get(ThreadId::FIRST).ok_or("the unfolded program has no thread")?;
    ensure(
        first.original == program.entry && unfolded.program.entry == first.func,
        "the unfolded program begins elsewhere",
    )?;
    let mut validator = Validator {
        program,
        unfolded,
        addressed: program.addressed_functions(),
        started: FxHashMap::default(),
        entries: IdVec::new(),
        news: IdVec::new(),
        meeting: Meeting::Nearest,
        together: Cell::new(0),
        heads: match unfolded.keeps_loops {
            true => FxHashMap::default(),
            false => program.functions.iter().map(|(id, function)| (id, rounds::heads(function))).collect(),
        },
    };
    validator.threads()
}

/// So many steps ahead the original is followed by itself.
const FAR: usize = 500;

/// So often a place that both come to is looked at, and that is done so often for a block.
const MOST_TIMES: usize = 4;
const PATIENCE: u32 = 20;

/// Where a thread is started, and what is known of its arguments.
#[derive(Clone)]
struct Started {
    site: Point,
    known: Vec<Option<Expr>>,
}

/// Where the original is looked at when ways meet.  Each is better for some programs, and worse for others.
#[derive(Clone, Copy, PartialEq)]
enum Meeting {
    /// At the nearest place that both come to.
    Nearest,
    /// In a loop, also at places that are more than a round ahead.
    Further,
    /// Where the block is said to start, if a way comes there by itself, also if the ways have met before.
    AtStarts,
}

struct Validator<'p> {
    program: &'p Program,
    unfolded: &'p Unfolded,
    /// Only they can be called through a pointer.
    addressed: Vec<FuncId>,
    /// By the function of the unfolded program.
    started: FxHashMap<FuncId, Started>,
    /// By block of the thread that is walked: what holds where it begins.
    entries: IdVec<BlockId, Option<State>>,
    /// How often that has changed.
    news: IdVec<BlockId, u32>,
    meeting: Meeting,
    /// How many steps the programs took together.
    together: Cell<u64>,
    /// The loops of the original, where rounds of them may be left out.
    heads: FxHashMap<FuncId, Heads>,
}

impl Validator<'_> {
    fn threads(&mut self) -> Result<(), String> {
        // A thread comes after the one that starts it.
        for (thread, instance) in self.unfolded.threads.iter() {
            let known = match self.started.get(&instance.func) {
                Some(started) => started.known.clone(),
                None if thread == ThreadId::FIRST => Vec::new(),
                // Nobody starts it.
                None => continue,
            };
            let mut state = State::at_start(self.program, self.unfolded, *instance, &known);
            self.note_head(&mut state);
            let started = self.started.clone();
            let mut attempt = |meeting: Meeting| {
                (self.meeting, self.started) = (meeting, started.clone());
                self.thread(instance.func, state.clone())
            };
            let walked = attempt(Meeting::Nearest)
                .or_else(|why| attempt(Meeting::Further).or_else(|_| attempt(Meeting::AtStarts)).map_err(|_| why));
            walked.map_err(|why| {
                let name = &self.unfolded.program.functions[instance.func].name;
                format!("unfolding of {name}: {why}")
            })?;
        }
        Ok(())
    }

    fn thread(&mut self, func: FuncId, start: State) -> Result<(), String> {
        let function = &self.unfolded.program.functions[func];
        self.entries = IdVec::filled(None, function.blocks.len());
        self.news = IdVec::filled(0, function.blocks.len());
        let mut work = BTreeSet::new();
        // Where control went from blocks in which the programs took no step together.
        let mut idle: FxHashMap<BlockId, Vec<BlockId>> = FxHashMap::default();
        self.arrive(Point::new(func, Function::ENTRY, 0), start, &mut work)?;
        while let Some(block) = work.pop_first() {
            let before = self.together.get();
            let Some(mut state) = self.entries[block].clone() else { continue };
            let data = &function.blocks[block];
            let (mut point, mut went) = (Point::new(func, block, 0), Vec::new());
            let mut goes_on = true;
            while let Some(inst) = data.insts.get(point.inst as usize).filter(|_| goes_on) {
                let step = self.instruction(&mut state, point, &inst.kind);
                goes_on = step.map_err(|why| format!("{block}, instruction {}: {why}", point.inst))?;
                point.inst += 1;
            }
            if goes_on {
                for (to, state) in self.terminator(state, point).map_err(|why| format!("end of {block}: {why}"))? {
                    went.push(to);
                    let arrived = self.arrive(Point::new(func, to, 0), state, &mut work);
                    arrived.map_err(|why| format!("from {block} to {to}: {why}"))?;
                }
            }
            _ = if self.together.get() == before { idle.insert(block, went) } else { idle.remove(&block) };
        }
        self.check_idle(&idle)
    }

    /// The unfolded program must not go on for ever where the original waits for it.
    fn check_idle(&self, idle: &FxHashMap<BlockId, Vec<BlockId>>) -> Result<(), String> {
        for (block, went) in idle {
            let mut seen = BitSet::new();
            let mut work = went.clone();
            while let Some(next) = work.pop() {
                if next == *block {
                    let state = self.entries[next].as_ref();
                    // So does the original, by itself.
                    if state.is_some_and(|state| self.ahead(state).len() == FAR) {
                        break;
                    }
                    return Err(format!("at {next} nothing of the original is done any more"));
                }
                if seen.insert(next.index()) {
                    work.extend(idle.get(&next).into_iter().flatten());
                }
            }
        }
        Ok(())
    }

    /// Control comes to the block in this state.
    fn arrive(&mut self, at: Point, mut state: State, work: &mut BTreeSet<BlockId>) -> Result<(), String> {
        self.note_constants(&mut state);
        if let (Meeting::AtStarts, Some(start)) = (self.meeting, self.unfolded.starts.get(&(at.func, at.block))) {
            let steps = self.ahead(&state).iter().position(|place| place.last() == Some(start));
            (0..steps.unwrap_or(0)).for_each(|_| _ = self.step_alone(&mut state));
        }
        let news = match &self.entries[at.block] {
            None => Some(state),
            Some(before) => self.meet(at, before, &state)?,
        };
        if news.is_some() {
            self.entries[at.block] = news;
            self.news[at.block] += 1;
            work.insert(at.block);
        }
        Ok(())
    }

    /// What holds on both ways to a block; `None` if that is what is known already.
    fn meet(&self, at: Point, before: &State, state: &State) -> Result<Option<State>, String> {
        ensure(before.taking == state.taking, "a place is taken on one way only")?;
        let here = before.place() == state.place();
        let merged = match here && before.callee == state.callee {
            true => before.common(state),
            // If both stopped at the call, it would be forgotten on which way which function is called.
            false => {
                let start = self.unfolded.starts.get(&(at.func, at.block));
                let most =
                    if self.meeting == Meeting::Further && self.news[at.block] < PATIENCE { MOST_TIMES } else { 0 };
                match self.meet_ahead(before, state, start, most) {
                    Err(_) if here => before.common(state),
                    merged => merged?,
                }
            }
        };
        Ok((merged != *before).then_some(merged))
    }

    /// The original is ahead on one of the ways: it goes on to a place that both come to, the one that the block is said to
    /// start at, or else the nearest.
    fn meet_ahead(&self, one: &State, other: &State, start: Option<&Point>, most: usize) -> Result<State, String> {
        let (ours, theirs) = (self.ahead(one), self.ahead(other));
        let mut number: FxHashMap<&[Point], usize> = FxHashMap::default();
        ours.iter().enumerate().for_each(|(i, place)| _ = number.entry(place).or_insert(i));
        let common = theirs.iter().enumerate().filter_map(|(i, place)| Some((*number.get(place.as_slice())?, i)));
        let common = common.filter(|(i, k)| i + k > 0);
        let Some(nearest) = common.min_by_key(|(i, k)| (theirs[*k].last() != start, i + k)) else {
            let (one, other) = (self.shown(one), self.shown(other));
            return Err(format!("the original is at {one} on one way, at {other} on another"));
        };
        let after = |state: &State, steps: usize| {
            let mut state = state.clone();
            (0..steps).for_each(|_| _ = self.step_alone(&mut state));
            state
        };
        // In a loop it may be there more than once: where both know the same is best.
        let times = |places: &[Vec<Point>]| -> Vec<usize> {
            (0..places.len()).filter(|i| places[*i] == theirs[nearest.1]).take(most).collect()
        };
        let pairs = times(&ours).into_iter().flat_map(|i| times(&theirs).into_iter().map(move |k| (i, k)));
        let met = pairs.filter(|(i, k)| i + k > 0).map(|(i, k)| (i + k, after(one, i).common(&after(other, k))));
        let best = met.max_by_key(|(steps, met)| (met.knows(), std::cmp::Reverse(*steps)));
        Ok(best.map_or_else(|| after(one, nearest.0).common(&after(other, nearest.1)), |(_, met)| met))
    }

    /// The places that the original comes to from here by itself, this one first.
    fn ahead(&self, state: &State) -> Vec<Vec<Point>> {
        let mut state = state.clone();
        let mut places = vec![state.place()];
        while places.len() < FAR && self.step_alone(&mut state) {
            places.push(state.place());
        }
        places
    }

    /// A thread is started there, with these arguments.
    fn start(&mut self, site: Point, callee: &Callee, original: FuncId, args: &[Expr]) -> Result<(), String> {
        let Callee::Direct(func) = callee else { return Err("a thread without a function of its own".into()) };
        let thread = self.unfolded.thread_of(*func).ok_or("a thread that is not listed")?;
        ensure(self.unfolded.threads[thread].original == original, "the thread runs another function")?;
        let parent = self.unfolded.thread_of(site.func).ok_or("a thread that is not listed starts another")?;
        let again = thread <= parent || comes_back(&self.unfolded.program.functions[site.func], site.block);
        ensure(!again, "a thread may be started twice")?;
        let is_shared = |object: &ir::ObjectId| !self.unfolded.program.objects[*object].thread_local;
        let known = args.iter().map(|arg| match arg {
            Expr::Const(..) | Expr::Func(_) => Some(arg.clone()),
            // The copy of a thread-local object is that of whoever starts the thread.
            Expr::Object(object, _) if is_shared(object) => Some(arg.clone()),
            _ => None,
        });
        let known: Vec<Option<Expr>> = known.collect();
        let started = self.started.entry(*func).or_insert(Started { site, known: known.clone() });
        ensure(started.site == site, "a thread is started in two places")?;
        // On another way there, less may be known.
        for (before, now) in started.known.iter_mut().zip(known) {
            if *before != now {
                *before = None;
            }
        }
        Ok(())
    }

    /// Is it an object that only the unfolded program has?
    fn is_added(&self, object: ir::ObjectId) -> bool {
        object.index() >= self.program.objects.len()
    }

    fn inst(&self, point: Point) -> Option<&InstKind> {
        self.program.inst(point).map(|inst| &inst.kind)
    }

    /// Where the original is, in words.
    fn shown(&self, state: &State) -> String {
        let name = |func: FuncId| &self.program.functions[func].name;
        let place = |point: &Point| format!("{} {} {}", name(point.func), point.block, point.inst);
        state.place().iter().map(place).collect::<Vec<_>>().join(" > ")
    }
}
