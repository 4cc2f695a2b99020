//! The sequential program of a level: one thread, with the threads below it abstracted by `env_move` and those above it by
//! what is known to hold always.
//!
//! At level k the thread is the k-th of the order; its *environment* are the threads after it.  The program answers: is there a
//! computation of this thread and its environment, reachable in the whole program, that starts in a state s and ends in a
//! state s' with `goal(s, s')`?  Each cut-point of the thread becomes up to four nodes:
//!
//! | node | before the start | |
//! |---|---|---|
//! | `prefix` | all other threads may have moved since the thread came here | → `ready` |
//! | `ready` | the thread moves on (→ `prefix`), or the computation starts here (→ `active`) | |
//! | `active` | the environment moves: `env_move`, promises are asserted before | → `moved` |
//! | `moved` | the goal is judged; the thread moves on (→ `active`) | |
//!
//! The question of the whole program, can an assertion fail, starts at the initial state: without prefix.

use super::Steps;
use super::knowledge::{Knowledge, Lemma};
use super::space::Space;
use base::IdVec;
use checkers::{Arc, Node, Sequential, Statement};
use formula::{Formula, Linear, Var};
use rustc_hash::FxHashSet;
use system::{Edge, Location, System, ThreadId, location_value};

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

/// What an arc of the program is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Everything is set up.
    Begin,
    /// Others move before the start.
    Prefix(Location),
    /// The thread moves along its edge.
    Own(usize),
    /// The computation starts.
    Start(Location),
    /// The environment moves.
    Env(Location),
    /// On to the judgement.
    Arrive,
    /// Is the goal reached?
    Judge,
}

/// A level's program, with what its arcs are.
pub struct LevelProgram {
    pub program: Sequential,
    pub moves: Vec<Move>,
    /// The conjuncts of the goal are the first statements of the last arc, in order.
    pub judged: usize,
    /// By location where the thread arrives: before the start (if that is asked) and after it.
    pub places: Vec<(Option<Node>, Node)>,
    /// Where the goal is judged.
    pub judge: Node,
}

/// Builds programs.
pub struct Builder<'a> {
    pub knowledge: &'a Knowledge<'a>,
    pub question: &'a Question,
    pub promises: &'a [Promise],
}

struct Nodes {
    prefix: Option<(Node, Node)>,
    active: Node,
    moved: Node,
}

impl Builder<'_> {
    /// The program with these conjuncts of the goal, which need not be all of them.
    pub fn build(&self, goal: &[Formula]) -> LevelProgram {
        let knowledge = self.knowledge;
        let (system, space) = (knowledge.system, knowledge.space);
        let thread_id = knowledge.order[self.question.level];
        let thread = &system.threads[thread_id];
        let mentioned = self.mentioned(goal);
        let mut names = IdVec::<Node, String>::new();
        let entry = names.push("begin".into());
        let nodes: IdVec<Location, Nodes> = thread
            .locations
            .iter()
            .map(|(_, data)| Nodes {
                prefix: (!self.question.initially)
                    .then(|| (names.push(format!("prefix_{}", data.name)), names.push(format!("ready_{}", data.name)))),
                active: names.push(format!("active_{}", data.name)),
                moved: names.push(format!("moved_{}", data.name)),
            })
            .collect();
        let judge = names.push("judge".into());
        let done = names.push("done".into());
        let mut arcs = Vec::new();
        let mut moves = Vec::new();
        let mut add = |from, to, statements, note: String, kind| {
            arcs.push(Arc { from, to, statements, note });
            moves.push(kind);
        };

        let mut begin = vec![Statement::Assume(system.initial.clone())];
        begin.extend(
            system.threads.values().map(|t| Statement::Assign(t.pc, Linear::constant(location_value(t.entry)))),
        );
        let first = &nodes[thread.entry];
        match first.prefix {
            Some((prefix, _)) => add(entry, prefix, begin, "the initial state".into(), Move::Begin),
            None => {
                begin.extend(self.remember(&mentioned));
                add(entry, first.active, begin, "the initial state".into(), Move::Begin);
            }
        }
        for (location, data) in thread.locations.iter() {
            let here = &nodes[location];
            let env = |statements: &mut Vec<Statement>, below: bool| {
                self.interference(statements, thread_id, location, below, &mentioned)
            };
            if let Some((prefix, ready)) = here.prefix {
                let mut statements = Vec::new();
                env(&mut statements, false);
                add(prefix, ready, statements, "the other threads move".into(), Move::Prefix(location));
                let start = self.remember(&mentioned);
                add(ready, here.active, start, "the computation starts here".into(), Move::Start(location));
            }
            let mut statements = Vec::new();
            for promise in self.promises.iter().filter(|promise| promise.at == location) {
                statements.push(Statement::Assert(space.since_start(&promise.condition).not()));
            }
            env(&mut statements, true);
            add(here.active, here.moved, statements, format!("env_move at {}", data.name), Move::Env(location));
            add(here.moved, judge, Vec::new(), String::new(), Move::Arrive);
        }
        for (index, edge) in thread.edges.iter().enumerate() {
            let step = own_step(system, space, thread_id, edge);
            let note = format!("{}: {}", thread.name, system.show_edge(thread_id, edge));
            if let (Some((_, ready)), Some((prefix, _))) = (nodes[edge.from].prefix, nodes[edge.to].prefix) {
                add(ready, prefix, step.clone(), note.clone(), Move::Own(index));
            }
            add(nodes[edge.from].moved, nodes[edge.to].active, step, note, Move::Own(index));
        }
        let mut statements: Vec<Statement> =
            goal.iter().map(|part| Statement::Assume(space.since_start(part))).collect();
        statements.push(Statement::Assert(Formula::False));
        add(judge, done, statements, "the goal is reached".into(), Move::Judge);

        let mut vars: Vec<Var> = Vec::new();
        for arc in &arcs {
            for statement in &arc.statements {
                statement.visit_reads(&mut |var| vars.push(var));
                vars.extend(statement.written());
            }
        }
        vars.sort_unstable();
        vars.dedup();
        let vars = vars.into_iter().map(|var| (var, space.name(system, var))).collect();
        let program = Sequential { vars, nodes: names, entry, edges: arcs };
        let places = nodes.values().map(|node| (node.prefix.map(|(prefix, _)| prefix), node.active)).collect();
        LevelProgram { program, moves, judged: goal.len(), places, judge }
    }

    /// The variables that anything but a range speaks of.
    fn mentioned(&self, goal: &[Formula]) -> FxHashSet<Var> {
        let knowledge = self.knowledge;
        let space = knowledge.space;
        let thread = &knowledge.system.threads[knowledge.order[self.question.level]];
        let mut mentioned = FxHashSet::default();
        let mut visit = |var: Var| {
            mentioned.insert(space.base(var));
        };
        for edge in &thread.edges {
            edge.guard.visit_vars(&mut visit);
            for (var, value) in &edge.updates {
                visit(*var);
                value.visit_vars(&mut visit);
            }
        }
        goal.iter().for_each(|part| part.visit_vars(&mut visit));
        self.promises.iter().for_each(|promise| promise.condition.visit_vars(&mut visit));
        knowledge.lemmas[self.question.level].iter().for_each(|lemma| lemma.formula.visit_vars(&mut visit));
        knowledge.invariants.iter().for_each(|invariant| invariant.visit_vars(&mut visit));
        visit(thread.pc);
        mentioned
    }

    /// Remembers where the computation starts.
    fn remember(&self, mentioned: &FxHashSet<Var>) -> Vec<Statement> {
        let space = self.knowledge.space;
        sorted(mentioned).map(|var| Statement::Assign(space.start(var), var.into())).collect()
    }

    /// Moves of the threads below (`env_move`), or of all others.
    fn interference(
        &self,
        statements: &mut Vec<Statement>,
        thread: ThreadId,
        at: Location,
        below: bool,
        mentioned: &FxHashSet<Var>,
    ) {
        let knowledge = self.knowledge;
        let (space, level) = (knowledge.space, self.question.level);
        let changed: Vec<Var> = sorted(mentioned).filter(|var| knowledge.changes_at(level, at, *var, below)).collect();
        // Before the start threads above may move in between.
        let undisturbed = |lemma: &Lemma| {
            lemma.transitive
                && !lemma.formula.vars().into_iter().any(|var| knowledge.changes_above_at(level, at, space.base(var)))
        };
        let lemmas = || knowledge.lemmas[level].iter().filter(|lemma| below || undisturbed(lemma));
        let mut copied = FxHashSet::default();
        for lemma in lemmas() {
            lemma.formula.visit_vars(&mut |var| {
                if space.is_old(var) {
                    copied.insert(space.base(var));
                }
            });
        }
        statements.extend(sorted(&copied).map(|var| Statement::Assign(space.old(var), var.into())));
        statements.extend(changed.iter().map(|var| Statement::Havoc(*var)));
        let ranges = changed.iter().map(|var| knowledge.range_at(thread, at, *var));
        let known = lemmas().map(|lemma| lemma.formula.clone()).chain(knowledge.invariants.iter().cloned());
        let known = ranges.chain(known).filter(|formula| *formula != Formula::True);
        statements.extend(known.map(Statement::Assume));
    }
}

fn sorted(vars: &FxHashSet<Var>) -> impl Iterator<Item = Var> + use<> {
    let mut all: Vec<Var> = vars.iter().copied().collect();
    all.sort_unstable();
    all.into_iter()
}

/// The statements of an edge.
pub fn own_step(system: &System, space: Space, thread: ThreadId, edge: &Edge) -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    for input in &edge.inputs {
        statements.push(Statement::Havoc(*input));
        statements.push(Statement::Assume(system.in_range(*input)));
    }
    statements.push(Statement::Assume(edge.guard.clone()));
    // All new values are computed from old ones: those that are read after they are written go through a variable of their own.
    let mut later = Vec::new();
    for (place, (var, value)) in edge.updates.iter().enumerate() {
        let mut read_later = false;
        for (_, other) in &edge.updates[place + 1..] {
            other.visit_vars(&mut |read| read_later |= read == *var);
        }
        match read_later {
            true => {
                statements.push(Statement::Assign(space.next(*var), value.clone()));
                later.push(Statement::Assign(*var, space.next(*var).into()));
            }
            false => statements.push(Statement::Assign(*var, value.clone())),
        }
    }
    statements.extend(later);
    let to = Linear::constant(location_value(edge.to));
    statements.push(Statement::Assign(system.threads[thread].pc, to));
    statements.retain(|statement| *statement != Statement::Assume(Formula::True));
    statements
}
