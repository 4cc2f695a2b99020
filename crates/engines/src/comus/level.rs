//! The sequential program of a level: one thread, with the threads below it abstracted by `env_move` and those above it by
//! what is known to hold always.
//!
//! At level k the thread is the k-th of the order; its *environment* are the threads after it.  The program answers: is there a
//! computation of this thread and its environment, reachable in the whole program, that starts in a state s and ends in a
//! state s' with `goal(s, s')`?  Each cut-point of the thread becomes up to four locations of the program, called nodes here:
//!
//! | node | before the start | |
//! |---|---|---|
//! | `prefix` | all other threads may have moved since the thread came here | → `ready` |
//! | `ready` | the thread moves on (→ `prefix`), or the computation starts here (→ `active`) | |
//! | `active` | the environment moves: `env_move`, promises are asserted before | → `moved` |
//! | `moved` | the goal is judged; the thread moves on (→ `active`) | |
//!
//! The question of the whole program, can an assertion fail, starts at the initial state: without prefix.

use super::knowledge::{Knowledge, Lemma};
use crate::symbolic::{Steps, own_step};
use base::IdVec;
use checkers::Sequential;
use formula::{Formula, Linear, Var};
use std::collections::BTreeSet;
use system::{Edge, Graph, Location, LocationData, Step, ThreadId, location_value};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question {
    pub level: usize,
    /// Over the values at the start (as old) and now.
    pub goal: Formula,
    /// The computation starts in the initial state, not anywhere.
    pub initially: bool,
}

/// A condition at a cut-point of the thread from which the environment can reach what the question asks for.
#[derive(Clone, Debug)]
pub struct Promise {
    pub at: Location,
    /// Over the values at the start (as old) and now.
    pub condition: Formula,
    /// How, from there.
    pub steps: Steps,
}

/// What an edge of the program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// The thread moves along its edge.
    Own(usize),
    /// The computation starts.
    Start,
    /// The environment moves.
    Env(Location),
    /// What comes before the start, and the judgement.
    Other,
}

/// A level's program, with what its edges are.
pub struct LevelProgram {
    pub program: Sequential,
    pub moves: Vec<Move>,
    /// By location where the thread arrives: before the start (if that is asked) and after it.
    pub places: Vec<(Option<Location>, Location)>,
    /// Where the goal is judged.
    pub judge: Location,
}

/// Builds programs.
pub struct Builder<'a> {
    pub knowledge: &'a Knowledge<'a>,
    pub question: &'a Question,
    pub promises: &'a [Promise],
}

struct Nodes {
    prefix: Option<(Location, Location)>,
    active: Location,
    moved: Location,
}

impl Builder<'_> {
    /// The program with these conjuncts of the goal, which need not be all of them.
    pub fn build(&self, goal: &[Formula]) -> LevelProgram {
        let knowledge = self.knowledge;
        let (system, space) = (knowledge.system, knowledge.space);
        let thread_id = knowledge.order[self.question.level];
        let thread = &system.threads[thread_id];
        let mentioned = self.mentioned(goal);
        let mut locations = IdVec::<Location, LocationData>::new();
        let mut node = |name: String| locations.push(LocationData::named(name));
        let entry = node("begin".into());
        let nodes: IdVec<Location, Nodes> = thread
            .graph
            .locations
            .iter()
            .map(|(_, data)| Nodes {
                prefix: (!self.question.initially)
                    .then(|| (node(format!("prefix_{}", data.name)), node(format!("ready_{}", data.name)))),
                active: node(format!("active_{}", data.name)),
                moved: node(format!("moved_{}", data.name)),
            })
            .collect();
        let judge = node("judge".into());
        let done = node("done".into());
        let (mut edges, mut notes, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        let mut add = |from, to, step, note: String, kind| {
            edges.push(Edge { from, to, step });
            notes.push(note);
            moves.push(kind);
        };

        let begin = system.threads.values().fold(Step::default().assume(&system.initial), |step, t| {
            step.assign(t.pc, &Linear::constant(location_value(t.graph.entry)))
        });
        let first = &nodes[thread.graph.entry];
        match first.prefix {
            Some((prefix, _)) => add(entry, prefix, begin, "the initial state".into(), Move::Other),
            None => {
                let begin = self.remember(begin, &mentioned);
                add(entry, first.active, begin, "the initial state".into(), Move::Start);
            }
        }
        for (location, data) in thread.graph.locations.iter() {
            let here = &nodes[location];
            let env = |step: Step, below: bool| self.interference(step, thread_id, location, below, &mentioned);
            if let Some((prefix, ready)) = here.prefix {
                let others = env(Step::default(), false);
                add(prefix, ready, others, "the other threads move".into(), Move::Other);
                let start = self.remember(Step::default(), &mentioned);
                add(ready, here.active, start, "the computation starts here".into(), Move::Start);
            }
            let promises = self.promises.iter().filter(|promise| promise.at == location);
            let kept = promises
                .fold(Step::default(), |step, promise| step.check(&space.since_start(&promise.condition).not()));
            let note = format!("env_move at {}", data.name);
            add(here.active, here.moved, env(kept, true), note, Move::Env(location));
            add(here.moved, judge, Step::default(), String::new(), Move::Other);
        }
        for (index, edge) in thread.graph.edges.iter().enumerate() {
            let step = own_step(system, thread_id, edge);
            let note = format!("{}: {}", thread.name, system.show_edge(thread_id, edge));
            if let (Some((_, ready)), Some((prefix, _))) = (nodes[edge.from].prefix, nodes[edge.to].prefix) {
                add(ready, prefix, step.clone(), note.clone(), Move::Own(index));
            }
            add(nodes[edge.from].moved, nodes[edge.to].active, step, note, Move::Own(index));
        }
        let reached = goal.iter().fold(Step::default(), |step, part| step.assume(&space.since_start(part)));
        add(judge, done, reached.check(&Formula::False), "the goal is reached".into(), Move::Other);

        let program = Sequential::new(Graph { locations, entry, edges }, notes, |var| space.name(system, var));
        let places = nodes.values().map(|node| (node.prefix.map(|(prefix, _)| prefix), node.active)).collect();
        LevelProgram { program, moves, places, judge }
    }

    /// The variables that anything but a range speaks of.
    fn mentioned(&self, goal: &[Formula]) -> BTreeSet<Var> {
        let knowledge = self.knowledge;
        let space = knowledge.space;
        let thread = &knowledge.system.threads[knowledge.order[self.question.level]];
        let mut mentioned = BTreeSet::new();
        let mut visit = |var: Var| {
            // Switches are no variables of the system.
            if space.has(var) {
                mentioned.insert(space.base(var));
            }
        };
        thread.graph.edges.iter().for_each(|edge| edge.step.mentioned().into_iter().for_each(&mut visit));
        goal.iter().for_each(|part| part.visit_vars(&mut visit));
        self.promises.iter().for_each(|promise| promise.condition.visit_vars(&mut visit));
        knowledge.lemmas[self.question.level].iter().for_each(|lemma| lemma.formula.visit_vars(&mut visit));
        knowledge.invariants.iter().for_each(|invariant| invariant.visit_vars(&mut visit));
        visit(thread.pc);
        mentioned
    }

    /// Remembers where the computation starts.
    fn remember(&self, step: Step, mentioned: &BTreeSet<Var>) -> Step {
        let space = self.knowledge.space;
        mentioned.iter().fold(step, |step, var| step.assign(space.start(*var), &(*var).into()))
    }

    /// Moves of the threads below (`env_move`), or of all others.
    fn interference(&self, step: Step, thread: ThreadId, at: Location, below: bool, mentioned: &BTreeSet<Var>) -> Step {
        let knowledge = self.knowledge;
        let (space, level) = (knowledge.space, self.question.level);
        let changed = mentioned.iter().copied().filter(|var| knowledge.changes_at(level, at, *var, below));
        let changed: Vec<Var> = changed.collect();
        // Before the start threads above may move in between.
        let undisturbed = |lemma: &Lemma| {
            lemma.transitive
                && !lemma.formula.vars().into_iter().any(|var| knowledge.changes_above_at(level, at, space.base(var)))
        };
        let lemmas = || knowledge.lemmas[level].iter().filter(|lemma| below || undisturbed(lemma));
        let mut copied = BTreeSet::new();
        for lemma in lemmas() {
            lemma.formula.visit_vars(&mut |var| {
                if space.is_old(var) {
                    copied.insert(space.base(var));
                }
            });
        }
        let step = copied.into_iter().fold(step, |step, var| step.assign(space.old(var), &var.into()));
        let step = changed.iter().fold(step, |step, var| step.havoc(*var, knowledge.system.name(*var)));
        let ranges = changed.iter().map(|var| knowledge.range_at(thread, at, *var));
        let known = lemmas().map(|lemma| lemma.formula.clone()).chain(knowledge.invariants.iter().cloned());
        step.assume(&Formula::and(ranges.chain(known)))
    }
}
