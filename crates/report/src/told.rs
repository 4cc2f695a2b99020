//! A proof of "safe" as people read it: for each thread what it relies on and what it guarantees.

use base::{Budget, Id, Interval, Pos};
use claim::modular::{Ints, Invariants, Modular, Product};
use claim::{Followed, Proof};
use formula::{Formula, Linear};
use ir::Program;
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use system::{Location, System, ThreadId, VarKind};

/// A proof in words.
#[derive(Serialize)]
pub struct Told {
    /// What it consists of.
    summary: String,
    /// By level, where it is one thread by thread.
    threads: Vec<Thread>,
    /// By combination of locations, where it is an invariant by them.
    combinations: Vec<Known>,
}

#[derive(Serialize)]
struct Thread {
    name: String,
    /// Where it starts.
    entry: String,
    /// What it relies on: of whom, and what.
    environment: Vec<String>,
    relies_on: Vec<String>,
    /// By place, what is known of the variables that it looks at there.
    ranges: Vec<Known>,
    /// What it guarantees, with its environment, to the threads above it.
    guarantees: Vec<Guarantee>,
    /// By place, what shows that it is safe.
    invariants: Vec<Known>,
}

#[derive(Serialize)]
struct Guarantee {
    lemma: String,
    /// By place, what shows it.
    invariants: Vec<Known>,
}

/// What is known at a place.
#[derive(Serialize)]
struct Known {
    at: String,
    holds: String,
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.holds)
    }
}

/// The proof in words, in the names of the program.
pub fn tell(proof: &Proof, program: &Program, budget: &Budget) -> Told {
    let mut told = Told { summary: describe_proof(proof), threads: Vec::new(), combinations: Vec::new() };
    match proof {
        Proof::ClosedStates(_) | Proof::Unrolling(_) => {}
        Proof::Modular(proof) => {
            if let Some(system) = prepared(program, proof.ints, budget) {
                let teller = Teller { program, system: &system };
                told.threads = (0..proof.order.len()).map(|level| teller.thread(proof, level)).collect();
            }
        }
        Proof::Product(proof) => {
            if let Some(system) = prepared(program, proof.ints, budget) {
                told.combinations = Teller { program, system: &system }.combinations(proof);
            }
        }
    }
    told
}

/// The system that the proof is about.
fn prepared(program: &Program, ints: Ints, budget: &Budget) -> Option<System> {
    let translated = system::translate(program, &ints.into(), budget).ok()?;
    Some(system::prepare(&translated.system, budget).system)
}

/// What a proof of "safe" consists of, in words.
pub fn describe_proof(proof: &Proof) -> String {
    match proof {
        Proof::ClosedStates(states) => {
            let some = states.followed.iter().filter(|followed| matches!(followed, Followed::Only(_))).count();
            format!(
                "a closed set of {} states, at {some} of which not every thread is followed; a thread runs alone for at most \
                 {} instructions",
                states.store.len(),
                states.patience
            )
        }
        Proof::Unrolling(bounds) => {
            let own = match bounds.loops.len() {
                0 => String::new(),
                1 => ", one loop with a bound of its own".to_string(),
                several => format!(", {several} loops with bounds of their own"),
            };
            format!(
                "all schedules of the complete unrolling: no loop goes round more than {} times where nothing known decides it{own}, \
                 and there are at most {} threads and {} instructions",
                bounds.unwind, bounds.threads, bounds.size
            )
        }
        Proof::Modular(proof) => {
            format!(
                "a proof thread by thread, with {} lemmas about what the threads do to each other{}",
                proof.lemmas.len(),
                describe_ints(proof.ints)
            )
        }
        Proof::Product(proof) => {
            format!(
                "an inductive invariant for each of {} combinations of locations of the threads{}",
                proof.states.len(),
                describe_ints(proof.ints)
            )
        }
    }
}

/// What a proof takes integers for, where that is not simply what they are.
fn describe_ints(ints: Ints) -> &'static str {
    match ints {
        Ints::Machine => "",
        Ints::Unwrapped => ", which also shows that no signed sum wraps",
        Ints::Mathematical => ", for integers without limits, which those of C are not",
    }
}

struct Teller<'p> {
    program: &'p Program,
    system: &'p System,
}

impl Teller<'_> {
    fn formula(&self, formula: &Formula) -> String {
        formula.display(&|var| self.system.name_in_move(var)).to_string()
    }
    fn place(&self, thread: ThreadId, location: Location) -> String {
        let data = &self.system.threads[thread].graph.locations[location];
        match self.program.files.get(data.pos.file) {
            Some(file) if data.pos != Pos::NONE => format!("{} ({file}:{})", data.name, data.pos.line),
            _ => data.name.clone(),
        }
    }

    fn thread(&self, proof: &Modular, level: usize) -> Thread {
        let count = self.system.vars.len();
        let id = ThreadId::new(proof.order[level]);
        let name = |thread: &usize| self.system.threads[ThreadId::new(*thread)].name.clone();
        let mut relies_on = Vec::new();
        let mut guarantees = Vec::new();
        for (number, lemma) in proof.lemmas.iter().enumerate() {
            let always = lemma.formula.vars().iter().all(|var| var.index() < count);
            let text =
                format!("{}. {}{}", number + 1, self.formula(&lemma.formula), if always { ", always" } else { "" });
            if lemma.level == level {
                relies_on.push(text.clone());
            }
            if lemma.level + 1 == level {
                let invariants = lemma.invariants.iter().flat_map(|all| self.invariants(id, all)).collect();
                guarantees.push(Guarantee { lemma: text, invariants });
            }
        }
        let main = proof.main.iter().filter(|_| level == 0);
        Thread {
            name: name(&proof.order[level]),
            entry: self.place(id, self.system.threads[id].graph.entry),
            environment: proof.order[level + 1..].iter().map(name).collect(),
            relies_on,
            ranges: self.ranges(proof, id),
            guarantees,
            invariants: main.flat_map(|all| self.invariants(id, all)).collect(),
        }
    }

    fn invariants(&self, thread: ThreadId, invariants: &Invariants) -> Vec<Known> {
        let mut all = Vec::new();
        for location in self.system.threads[thread].graph.locations.ids() {
            for (kind, by_location) in [("before", &invariants.before), ("during", &invariants.during)] {
                match by_location.get(location.index()) {
                    None | Some(Formula::True) => {}
                    Some(formula) => {
                        let at = format!("{}, {kind}", self.place(thread, location));
                        all.push(Known { at, holds: self.formula(formula) });
                    }
                }
            }
        }
        all
    }

    /// What is known of variables beyond their types where the thread looks at them.
    fn ranges(&self, proof: &Modular, thread: ThreadId) -> Vec<Known> {
        let Some(by_location) = proof.ranges.get(thread.index()) else { return Vec::new() };
        let mut told = Vec::new();
        for (location, ranges) in self.system.threads[thread].graph.locations.ids().zip(by_location) {
            let Some(ranges) = ranges else { continue };
            let mut read = vec![false; self.system.vars.len()];
            for edge in self.system.threads[thread].graph.edges.iter().filter(|edge| edge.from == location) {
                edge.step.visit_reads(&mut |var| read[var.index()] = true);
            }
            let known = self.system.vars.iter().zip(ranges).filter(|((var, data), range)| {
                let variable = matches!(data.kind, VarKind::Shared | VarKind::Local(_));
                variable && read[var.index()] && **range != data.range
            });
            let known = known.map(|((var, _), range)| self.formula(&within(&Linear::var(var), *range)));
            let known: Vec<String> = known.collect();
            if !known.is_empty() {
                told.push(Known { at: self.place(thread, location), holds: known.join(" && ") });
            }
        }
        told
    }

    fn combinations(&self, proof: &Product) -> Vec<Known> {
        let combination = |places: &[usize]| {
            let one = |(thread, place): (ThreadId, &usize)| {
                format!("{} at {}", self.system.threads[thread].name, self.place(thread, Location::new(*place)))
            };
            self.system.threads.ids().zip(places).map(one).collect::<Vec<_>>().join(", ")
        };
        let known =
            |(places, formula): &(Vec<usize>, Formula)| Known { at: combination(places), holds: self.formula(formula) };
        proof.states.iter().map(known).collect()
    }
}

fn within(term: &Linear, range: Interval) -> Formula {
    range.constant().map_or_else(|| Formula::within(range, term), |value| Formula::eq(term, &Linear::constant(value)))
}

impl Told {
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", self.summary);
        if !self.threads.is_empty() {
            out += "\nA lemma holds of everything that the threads it is about do, in any number of steps, from any state that can be reached:\n";
            out += "old(x) is the value of x before, x the one after. The number says in which order the lemmas were proved, each with those before.\n";
            out += "An invariant \"before\" holds when the thread arrives there, \"during\" when it does so after the moves in question have begun.\n";
        }
        for thread in &self.threads {
            out += &format!("\n{}, from {}\n", thread.name, thread.entry);
            let environment = thread.environment.join(", ");
            list(&mut out, 2, &format!("relies on, of {environment}"), &thread.relies_on);
            list(&mut out, 2, "knows of the numbers it looks at", &thread.ranges);
            let with = if environment.is_empty() { String::new() } else { format!(", together with {environment}") };
            if !thread.guarantees.is_empty() {
                out += &format!("  guarantees{with}:\n");
            }
            for guarantee in &thread.guarantees {
                out += &format!("    {}\n", guarantee.lemma);
                list(&mut out, 6, "shown by", &guarantee.invariants);
            }
            list(&mut out, 2, "violates nothing, shown by", &thread.invariants);
        }
        list(&mut out, 0, "\nInvariants", &self.combinations);
        out
    }

    pub fn json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// A heading with lines below, if there are any.
fn list(out: &mut String, indent: usize, heading: &str, lines: &[impl fmt::Display]) {
    if !lines.is_empty() {
        *out += &format!("{:indent$}{heading}:\n", "");
    }
    lines.iter().for_each(|line| *out += &format!("{:indent$}  {line}\n", ""));
}
