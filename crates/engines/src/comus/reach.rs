//! Answering questions about computations of a thread and its environment (algorithms 4.1 and 7.1 of the thesis).
//!
//! A level's program that is safe says no.  A failing path says yes if the environment does not move on it; else its last
//! move of the environment is put as a question to the level below: whether the environment can go from where the path has
//! it to where the rest of the path needs it.  If it cannot, `env_move` learns why (`generalise`); if it can, the condition
//! under which it can becomes a *promise*, asserted before the move, and the program is checked again.
//!
//! Two things differ from the thesis.  Questions relate the state before the move to the state after it in one formula,
//! from which everything that the environment neither changes nor reads has been eliminated; and the answer yes is not a
//! formula but the steps of the computation, from which the asker computes the condition for what it really needs.

use super::level::{Builder, LevelProgram, Move, Promise, Question};
use super::search::{Search, Stop};
use super::space::Fresh;
use super::walked::{Walked, implicant};
use crate::symbolic::Steps;
use checkers::{Checked, Path, Values};
use formula::{Formula, Var};
use smt::{Answer, Model, Solver};
use system::ThreadId;

/// What a failing path needs of the environment.
struct Need {
    /// The edge of the path's last move of the environment that changes anything.
    edge: usize,
    /// What must hold after it, over the start (as old) and now.
    after: Formula,
    /// The steps from there.
    steps: Steps,
    /// Values of the inputs in `after`.
    inputs: Vec<(Var, i128)>,
}

/// A path to be run again.
struct Start {
    edges: Vec<usize>,
    values: Values,
    choices: Vec<Vec<i128>>,
}

impl Search<'_> {
    /// The steps of a computation as asked for, or `None` if there is none.
    pub fn reach(&mut self, question: &Question) -> Result<Option<Steps>, Stop> {
        let mut promises: Vec<Promise> = Vec::new();
        let goal = question.goal.conjuncts();
        let mut again: Option<Start> = None;
        loop {
            let built = Builder { knowledge: &self.knowledge, question, promises: &promises }.build(goal);
            let known = again
                .take()
                .and_then(|start| checkers::execute(&built.program, &start.edges, &start.values, &start.choices).ok());
            let path = match known {
                Some(path) => path,
                None => match self.check(&built, question)? {
                    None => {
                        if question.initially {
                            self.main = self.shown.take().map(|shown| shown.invariants);
                        }
                        return Ok(None);
                    }
                    Some(path) => path,
                },
            };
            let (target, steps) = self.target(&built, &path, question, &promises);
            let need = match self.need(&built, &path, question, target, steps) {
                Ok(need) => need,
                Err(steps) => return Ok(Some(steps)),
            };
            if let Some((promise, start)) = self.look_below(&built, &path, question, need)? {
                promises.push(promise);
                again = start;
            }
        }
    }

    /// Asks the checker; `None` if the program is safe.
    pub fn check(&mut self, built: &LevelProgram, question: &Question) -> Result<Option<Path>, Stop> {
        self.count_call(question)?;
        self.emit(built, question);
        let checked = self.judge.check(&built.program, self.budget);
        self.note_checked(question, &checked);
        match checked {
            Checked::Safe(invariants) => {
                self.shown = invariants.map(|invariants| self.show(built, &invariants));
                Ok(None)
            }
            Checked::Unsafe(path) => Ok(Some(path)),
            Checked::Unknown(why) => Err(self.no_answer(why)),
        }
    }

    /// What the path's end says is reached, and how it goes on from there.
    fn target(&self, built: &LevelProgram, path: &Path, question: &Question, promises: &[Promise]) -> (Formula, Steps) {
        let (Some(&last), Some(state)) = (path.edges.last(), path.states.last()) else {
            return (question.goal.clone(), Steps::new());
        };
        let space = self.knowledge.space;
        let value = |var: Var| state.get(&var).copied().unwrap_or(0);
        match built.moves[last] {
            Move::Env(at) => {
                let made: Vec<_> = promises.iter().filter(|promise| promise.at == at).collect();
                let condition = |promise: &Promise| space.since_start(&promise.condition);
                let holds = made.iter().find(|promise| condition(promise).checked_eval(&value) == Some(true));
                // If none surely does, one has numbers that are too wide, which ends the work here.
                let holds = holds.or_else(|| made.iter().find(|promise| condition(promise).eval(&value)));
                let promise = holds.expect("env_move fails where it is promised");
                (promise.condition.clone(), promise.steps.clone())
            }
            Move::Own(_) | Move::Start | Move::Other => (question.goal.clone(), Steps::new()),
        }
    }

    /// Goes back from the end of the path to the last move of the environment; where there is none the answer is the steps.
    fn need(
        &mut self,
        built: &LevelProgram,
        path: &Path,
        question: &Question,
        target: Formula,
        steps: Steps,
    ) -> Result<Need, Steps> {
        let thread = self.knowledge.order[question.level];
        let mut fresh = Fresh::after(&target, self.knowledge.space);
        let mut need = Need { edge: 0, after: target, steps, inputs: Vec::new() };
        let start = path.edges.iter().position(|&edge| built.moves[edge] == Move::Start);
        let start = start.expect("nothing fails before the start");
        let (mut backwards, mut last_move) = (Steps::new(), None);
        for place in (start + 1..path.edges.len()).rev() {
            match built.moves[path.edges[place]] {
                Move::Env(_) if place + 1 < path.edges.len() && self.moved(path, place, question.level) => {
                    last_move = Some(place);
                    break;
                }
                Move::Own(edge) => {
                    let (before, inputs) = self.knowledge.precondition((thread, edge), &need.after, &mut fresh);
                    need.after = before;
                    let chosen = path.choices[place].iter().copied();
                    need.inputs.extend(inputs.into_iter().zip(chosen));
                    backwards.push((thread, edge));
                }
                Move::Env(_) | Move::Start | Move::Other => {}
            }
        }
        let steps: Steps = backwards.into_iter().rev().chain(std::mem::take(&mut need.steps)).collect();
        match last_move {
            Some(edge) => Ok(Need { edge, steps, ..need }),
            None => Err(steps),
        }
    }

    /// Whether the environment changed anything on this arc of the path.
    fn moved(&self, path: &Path, place: usize, level: usize) -> bool {
        let (before, after) = (&path.states[place], &path.states[place + 1]);
        before.iter().any(|(var, value)| {
            self.knowledge.space.is_now(*var)
                && self.knowledge.changes(level, *var)
                && after.get(var).is_some_and(|now| now != value)
        })
    }

    /// Puts the question to the level below.  Learns from no; from yes makes a promise.
    fn look_below(
        &mut self,
        built: &LevelProgram,
        path: &Path,
        question: &Question,
        need: Need,
    ) -> Result<Option<(Promise, Option<Start>)>, Stop> {
        let level = question.level;
        let space = self.knowledge.space;
        let Move::Env(at) = built.moves[path.edges[need.edge]] else {
            unreachable!("found as a move of the environment")
        };

        // What the path says up to the move.
        let mut symbolic = Walked::new(space, path);
        let edges = &built.program.graph.edges;
        for place in 0..need.edge {
            symbolic.run(&edges[path.edges[place]].step, &path.choices[place]);
        }
        symbolic.does_not_fail(&edges[path.edges[need.edge]].step);

        // With what must hold after it: one formula over the states before and after the move, and much that is to go.
        let relevant = match self.settings.eliminate {
            true => self.knowledge.relevant_below(level),
            false => self.knowledge.system.vars.ids().collect(),
        };
        let mut parts = symbolic.conditions.clone();
        for &var in &relevant {
            let before = symbolic.value(var);
            parts.push(Formula::eq(&space.old(var).into(), &before));
            let value = symbolic.model.eval_term(&before);
            symbolic.model.set(space.old(var), value);
        }
        let changes = |var: Var| self.knowledge.changes(level, var);
        for (var, value) in need.inputs.iter().copied() {
            symbolic.model.set(var, value);
        }
        for (&var, &value) in &path.states[need.edge + 1] {
            if space.is_now(var) && changes(var) {
                symbolic.model.set(var, value);
            }
        }
        let after = need.after.substitute(&mut |var| match () {
            () if space.is_old(var) => Some(symbolic.value(space.start(space.base(var)))),
            () if space.is_now(var) && !changes(var) => Some(symbolic.value(var)),
            () => None,
        });
        parts.push(after);
        let (whole, model) = (Formula::and(parts), symbolic.model.clone());
        if !model.eval(&whole) {
            return Err(Stop::Checker("a path of the checker does not hold together".into()));
        }

        // A move of length zero may do.
        let moves = |var: Var| space.is_now(var) && changes(var);
        let at_rest = whole.rename(&mut |var| if moves(var) { space.old(var) } else { var });
        let steps = match self.satisfiable(&at_rest)? {
            true => Steps::new(),
            false => {
                let below =
                    Question { level: level + 1, goal: self.relation(&whole, &model, level)?, initially: false };
                let answer = self.reach(&below)?;
                if answer.is_none() {
                    self.learn(level, &below)?;
                }
                if !self.settings.keep_lemmas {
                    self.knowledge.forget_below(level);
                }
                let Some(steps) = answer else { return Ok(None) };
                steps
            }
        };
        let condition = self.before_steps(&steps, &need.after)?;
        let steps = steps.into_iter().chain(need.steps).collect();
        self.note_promise(level, at, &condition);
        let reuses = self.settings.reuse_paths;
        let start = reuses.then(|| self.same_way(symbolic, &path.edges[..=need.edge], &condition)).flatten();
        Ok(Some((Promise { at, condition, steps }, start)))
    }

    /// The path up to the move, with values for which it breaks the promise (counterexample reuse, section 8.1).
    fn same_way(&mut self, mut symbolic: Walked<'_>, edges: &[usize], promise: &Formula) -> Option<Start> {
        let space = self.knowledge.space;
        let there = promise.substitute(&mut |var| {
            Some(symbolic.value(if space.is_old(var) { space.start(space.base(var)) } else { var }))
        });
        let conditions = symbolic.conditions.iter().cloned().chain([there]);
        let Answer::Sat(model) = Solver::of(&Formula::and(conditions)).check(&[], self.budget) else { return None };
        let values = symbolic.first.iter().map(|(var, first)| (*var, model.value(*first))).collect();
        let choices = symbolic.chosen.iter().map(|run| run.iter().map(|var| model.value(*var)).collect()).collect();
        Some(Start { edges: edges.to_vec(), values, choices })
    }

    /// The relation between the states before and after the move, with everything else eliminated: exactly where that is
    /// quick, else for the part of it around the model.
    fn relation(&mut self, whole: &Formula, model: &Model, level: usize) -> Result<Formula, Stop> {
        let space = self.knowledge.space;
        let changes = |var: Var| self.knowledge.changes(level, var);
        let eliminate = self.settings.eliminate;
        let keep = |var: Var| space.is_old(var) || space.is_now(var) && (changes(var) || !eliminate);
        let exact = self.settings.exact_projection.then(|| self.project(whole, &keep, 200)).flatten();
        let relation = match exact {
            Some(relation) => relation,
            None => {
                let solved = smt::substitute_equalities(implicant(whole, model), &keep);
                smt::project_under(&solved, &keep, model).ok_or_else(too_large)?
            }
        };
        let relation = space.frame(&relation, &changes);
        Ok(smt::simplify(&relation, &Formula::True, self.budget))
    }

    /// The exact projection, if it is quick and not larger than this.
    fn project(&self, formula: &Formula, keep: &dyn Fn(Var) -> bool, largest: usize) -> Option<Formula> {
        let budget = self.budget.within(std::time::Duration::from_millis(500));
        smt::project(formula, keep, &budget).filter(|formula| formula.size() <= largest)
    }

    pub fn satisfiable(&mut self, formula: &Formula) -> Result<bool, Stop> {
        match Solver::of(formula).check(&[], self.budget) {
            Answer::Sat(_) => Ok(true),
            Answer::Unsat(_) => Ok(false),
            Answer::Unknown => Err(self.no_answer("the solver gives no answer".into())),
        }
    }

    /// Neither yes nor no: for want of time, or for this reason.
    fn no_answer(&self, why: String) -> Stop {
        self.budget.spent().map_or(Stop::Checker(why), Stop::Spent)
    }

    /// From where the steps lead to states as described.
    fn before_steps(&mut self, steps: &[(ThreadId, usize)], after: &Formula) -> Result<Formula, Stop> {
        let mut fresh = Fresh::after(after, self.knowledge.space);
        let mut condition = after.clone();
        for step in steps.iter().rev() {
            (condition, _) = self.knowledge.precondition(*step, &condition, &mut fresh);
        }
        let space = self.knowledge.space;
        let keep = |var: Var| space.is_now(var) || space.is_old(var);
        if condition.vars().into_iter().all(keep) {
            return Ok(condition);
        }
        // Some choice of the inputs: all of them if that is quick, else those of a model.
        if let Some(exact) = self.project(&condition, &keep, 500) {
            return Ok(exact);
        }
        match Solver::of(&condition).check(&[], self.budget) {
            Answer::Sat(model) => {
                smt::project_under(&implicant(&condition, &model), &keep, &model).ok_or_else(too_large)
            }
            Answer::Unsat(_) => Err(Stop::Checker("a promise that nothing keeps".into())),
            Answer::Unknown => Err(Stop::Checker("the solver gives no answer".into())),
        }
    }
}

fn too_large() -> Stop {
    Stop::Checker("numbers grow too large".into())
}
