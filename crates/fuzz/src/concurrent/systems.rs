//! Systems made from random programs, searched state by state and compared with what is known of the programs.
//!
//! Where the translation notes nothing it must be exact: the same verdict, and every violation replays in the interpreter.
//! Where it does, a system without a violation still means a program without one.  The same is asked of the system that
//! `system::prepare` makes of it, which is what proofs are about.  And the translation must be validated (`confirm::translation`).

use super::campaign::{Campaign, Summary};
use super::compare::{self, Disagreement};
use super::gone;
use super::plain::Verdict;
use base::{Budget, Id, Interval};
use claim::modular::Ints;
use claim::{Replay, Unwatched, replay};
use confirm::Refusal;
use formula::Var;
use ir::Program;
use ir::interp::Code;
use passes::Bounds;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;
use system::{Edge, Options, Refused, System, Taken, ThreadId, Translated, VarData, VarKind, translate};

/// Systems with more states are left undecided.
const STATES: usize = 40_000;
/// So many values of an input, or of what a variable is at first, are tried; of others a few.
const VALUES: i128 = 256;
/// So many combinations of inputs of one step are tried.
const COMBINATIONS: usize = 1 << 12;

/// The ways in which programs are translated.
const WAYS: [&str; 4] = ["exact", "default", "loops kept at once", "unwound"];
/// What is searched: the system as it was translated, and made ready for proofs.
const FORMS: [&str; 2] = ["", ", prepared"];
/// Those that are looked at when time is short: the system that the engines work on, in both forms.
pub const FEW: [usize; 1] = [1];

fn options(way: usize) -> Options {
    let bounds = |bounds: Bounds| Bounds { threads: 20, size: 20_000, ..bounds };
    match way {
        0 => Options { bounds: bounds(Bounds::keeping_loops(100)), exact_differences: true, ..Options::default() },
        1 => Options { bounds: bounds(Bounds::keeping_loops(100)), ..Options::default() },
        2 => Options { bounds: bounds(Bounds::keeping_loops(0)), exact_differences: true, ..Options::default() },
        _ => Options { bounds: bounds(Bounds::new(2)), exact_differences: true, ..Options::default() },
    }
}

/// A state: nothing where a variable has not been looked at yet.
type State = Rc<[Option<i128>]>;

/// What the search found.
enum Found {
    Safe,
    /// No violation, but not everything was looked at.
    Nothing,
    /// The steps, and what was found out about the first state.
    Violation(Vec<Taken>, FxHashMap<Var, i128>),
    /// A state that the ranges exclude.
    OutOfRange(String),
}

/// Where a state came from: the state before, the step, and what it found out about the first state.
type Origin = (usize, Taken, Vec<(Var, i128)>);

struct SystemSearch<'s> {
    system: &'s System,
    states: Vec<(State, Option<Origin>)>,
    known: FxHashMap<State, usize>,
    queue: VecDeque<usize>,
    complete: bool,
}

/// A few values, or all.
fn values(range: Interval, complete: &mut bool) -> Vec<i128> {
    let range = range.intersect(Interval::signed(64)).unwrap_or(range);
    let Interval { low, high } = range;
    if high - low < VALUES {
        return (low..=high).collect();
    }
    *complete = false;
    let mut some: Vec<i128> =
        [low, -2, -1, 0, 1, 2, 3, 7, high].into_iter().filter(|value| range.has(*value)).collect();
    some.dedup();
    some
}

impl<'s> SystemSearch<'s> {
    fn new(system: &'s System) -> Self {
        let (states, known, queue) = (Vec::new(), FxHashMap::default(), VecDeque::new());
        SystemSearch { system, states, known, queue, complete: true }
    }

    fn run(mut self, translated: &Translated, check_ranges: bool) -> Found {
        let system = self.system;
        let open: Vec<Var> = translated.open().collect();
        let at_first = |(var, data): (Var, &VarData)| match data.kind {
            // A prepared system has other locations.
            VarKind::Pc(thread) => Some(system::location_value(system.threads[thread].graph.entry)),
            VarKind::Shared | VarKind::Local(_) if open.contains(&var) => None,
            VarKind::Shared | VarKind::Local(_) => Some(translated.initial(var).unwrap_or(0)),
        };
        let first: State = system.vars.iter().map(at_first).collect();
        self.add(first, None);
        while let Some(number) = self.queue.pop_front() {
            if self.states.len() > STATES {
                self.complete = false;
                break;
            }
            let state = Rc::clone(&self.states[number].0);
            if check_ranges && let Some(wrong) = self.out_of_range(&state) {
                return Found::OutOfRange(wrong);
            }
            for (id, thread) in system.threads.iter() {
                let here = state[thread.pc.index()];
                for (index, edge) in thread.graph.edges.iter().enumerate() {
                    if here != Some(system::location_value(edge.from)) {
                        continue;
                    }
                    if let Some(last) = self.step(number, &state, id, index, edge) {
                        return self.violation(last);
                    }
                }
            }
        }
        if self.complete { Found::Safe } else { Found::Nothing }
    }

    fn out_of_range(&self, state: &State) -> Option<String> {
        self.system.vars.iter().zip(state.iter()).find_map(|((_, data), value)| {
            let value = (*value)?;
            (!data.range.has(value)).then(|| format!("{} is {value}", data.name))
        })
    }

    fn add(&mut self, state: State, from: Option<Origin>) -> usize {
        if let Some(number) = self.known.get(&state) {
            return *number;
        }
        self.states.push((Rc::clone(&state), from));
        self.known.insert(state, self.states.len() - 1);
        self.queue.push_back(self.states.len() - 1);
        self.states.len() - 1
    }

    /// All ways to take an edge; the state in which it fails, if it does.
    fn step(&mut self, number: usize, state: &State, thread: ThreadId, index: usize, edge: &Edge) -> Option<usize> {
        let step = &edge.step;
        let mut needed: Vec<Var> = Vec::new();
        // What is only written need not be known.
        step.visit_reads(&mut |var| needed.push(var));
        needed.retain(|var| state[var.index()].is_none());
        needed.sort_unstable();
        needed.dedup();
        needed.extend((0..step.inputs.len()).map(Var::input));
        let mut choices: Vec<Vec<(Var, i128)>> = vec![Vec::new()];
        for var in needed {
            let range = var.as_input().map_or_else(|| self.system.vars[var].range, |input| step.inputs[input].range);
            let values = values(range, &mut self.complete);
            if choices.len() * values.len() > COMBINATIONS {
                self.complete = false;
                return None;
            }
            choices = choices
                .iter()
                .flat_map(|choice| values.iter().map(|value| [choice.as_slice(), &[(var, *value)]].concat()))
                .collect();
        }
        for chosen in choices {
            let chosen_map: FxHashMap<Var, i128> = chosen.iter().copied().collect();
            let value = |var: Var| state.get(var.index()).copied().flatten().unwrap_or_else(|| chosen_map[&var]);
            if !step.guard.eval(&value) {
                continue;
            }
            let mut after: Vec<Option<i128>> = state.to_vec();
            for (var, value) in &chosen {
                if let Some(place) = after.get_mut(var.index()) {
                    *place = Some(*value);
                }
            }
            for (var, term) in &step.updates {
                after[var.index()] = Some(term.eval(&value));
            }
            after[self.system.threads[thread].pc.index()] = Some(system::location_value(edge.to));
            let fails = after[self.system.failed.index()] == Some(1);
            let (inputs, first): (Vec<_>, Vec<_>) =
                chosen.iter().copied().partition(|(var, _)| var.as_input().is_some());
            let inputs = inputs.into_iter().map(|(_, value)| value).collect();
            let taken = Taken { thread, edge: index, inputs };
            let next = self.add(after.into(), Some((number, taken, first)));
            if fails {
                return Some(next);
            }
        }
        None
    }

    fn violation(&self, last: usize) -> Found {
        let mut steps = Vec::new();
        let mut first = FxHashMap::default();
        let mut number = last;
        while let Some((before, taken, opened)) = &self.states[number].1 {
            steps.push(taken.clone());
            first.extend(opened.iter().copied());
            number = *before;
        }
        steps.reverse();
        Found::Violation(steps, first)
    }
}

/// What came of one program in one way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Said {
    Safe,
    Unsafe,
    /// No violation among the states that were looked at.
    Nothing,
    /// A violation that is none, as far as the translation says it may be.
    Spurious,
    Refused(String),
}

/// What the search of both forms found, and whether the translation was exact.
fn check_way(program: &Program, way: usize, known: Verdict, time: Duration) -> Result<Vec<(Said, bool)>, Disagreement> {
    let budget = Budget::new(Some(time), None);
    let refused = |why: String| Ok(vec![(Said::Refused(why), false); FORMS.len()]);
    let translated = match translate(program, &options(way), &budget) {
        Ok(translated) => translated,
        Err(Refused::Spent(_)) => return refused("time".into()),
        Err(Refused::Unsupported(note)) => return refused(note.what),
    };
    let exact = translated.notes.is_empty();
    let first = check_form(program, way, 0, &translated, &translated.system, known)?;
    let prepared = system::prepare(&translated.system, &Budget::new(Some(time), None));
    let second = check_form(program, way, 1, &translated, &prepared.system, known)?;
    Ok(vec![(first, exact), (second, exact)])
}

fn check_form(
    program: &Program,
    way: usize,
    form: usize,
    translated: &Translated,
    system: &System,
    known: Verdict,
) -> Result<Said, Disagreement> {
    let disagree = |kind: &str, detail: String| {
        Err(Disagreement { kind: format!("system ({}{}): {kind}", WAYS[way], FORMS[form]), detail })
    };
    let exact = translated.notes.is_empty();
    let excused = || !exact || gone::is_touched(program);
    Ok(match SystemSearch::new(system).run(translated, exact) {
        Found::OutOfRange(what) if excused() => Said::Refused(what),
        Found::OutOfRange(what) => return disagree("a range does not hold", what),
        Found::Nothing => Said::Nothing,
        Found::Safe if known == Verdict::Unsafe => return disagree("safe, but the program is not", String::new()),
        Found::Safe => Said::Safe,
        // The steps of a prepared system are several of the program's; the engines' traces show how they replay.
        Found::Violation(..) if form == 1 => match known {
            Verdict::Unsafe | Verdict::Unknown => Said::Unsafe,
            Verdict::Safe if excused() => Said::Spurious,
            Verdict::Safe => return disagree("unsafe, but the program is safe", String::new()),
        },
        Found::Violation(steps, first) => {
            let code = Code::new(program);
            let initial = |var: Var| {
                let nearest = translated.system.vars[var].range.nearest(0);
                first.get(&var).copied().unwrap_or(nearest)
            };
            let followed = translated.trace(&code, &initial, &steps);
            let replayed = followed.and_then(|trace| match replay(&code, &trace, &mut Unwatched) {
                Replay::Violated(_) => Ok(()),
                Replay::Diverged(why) => Err(why),
            });
            match replayed {
                Ok(()) if known == Verdict::Safe => {
                    return disagree("a violation replays, but the program is safe", String::new());
                }
                Ok(()) => Said::Unsafe,
                Err(_) if excused() => Said::Spurious,
                Err(why) => return disagree("a violation does not replay", why),
            }
        }
    })
}

/// Searches the systems of some of the ways, of a program of which this is known.
pub fn check_ways(
    program: &Program,
    ways: &[usize],
    known: Verdict,
    time: Duration,
) -> Result<Vec<(Said, bool)>, Disagreement> {
    let said = ways.iter().map(|way| check_way(program, *way, known, time)).collect::<Result<Vec<_>, _>>();
    said.map(|said| said.concat())
}

/// The system that proofs are about must be validated.
fn validate(program: &Program, ints: Ints) -> Result<(), Disagreement> {
    let budget = Budget::new(Some(Duration::from_secs(10)), None);
    let Ok(raw) = translate(program, &Options { raw: true, ..ints.into() }, &budget) else { return Ok(()) };
    match confirm::translation::check(&raw, &budget) {
        Err(Refusal::Wrong(why)) if budget.spent().is_none() => {
            Err(Disagreement { kind: format!("system ({ints:?}): the translation is not validated"), detail: why })
        }
        _ => Ok(()),
    }
}

/// What was found out about one program: by way and form, what was said and whether the translation was exact.
pub fn check(program: &Program, time: Duration) -> Result<Option<Vec<(Said, bool)>>, Disagreement> {
    for ints in [Ints::Machine, Ints::Unwrapped] {
        validate(program, ints)?;
    }
    let Some(known) = compare::known(program) else { return Ok(None) };
    let ways: Vec<usize> = (0..WAYS.len()).collect();
    check_ways(program, &ways, known, time).map(Some)
}

/// The names of all systems that are searched, by way and form.
fn names() -> impl Iterator<Item = String> {
    WAYS.iter().flat_map(|way| FORMS.iter().map(move |form| format!("{way}{form}")))
}

const EXACT: &str = "nothing noted";

/// For each system that is searched, how many were decided, and how many translations were exact.
pub fn decided_and_exact(summary: &Summary) -> Vec<(u64, u64)> {
    let count = |name: &str, said: Said| summary.get(name, &format!("{said:?}"));
    let both = |name: String| (count(&name, Said::Safe) + count(&name, Said::Unsafe), summary.get(&name, EXACT));
    names().map(both).collect()
}

pub fn run(campaign: &Campaign, time: Duration) -> Summary {
    campaign.run(
        "systems",
        |case| check(&case.program, time),
        |all, _, summary| {
            for (name, (said, exact)) in names().zip(all) {
                summary.count(&name, &format!("{said:?}"), 1);
                summary.count(&name, EXACT, u64::from(exact));
            }
        },
    )
}
