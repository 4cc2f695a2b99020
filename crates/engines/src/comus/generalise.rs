//! What is learnt from a question whose answer is no: a lemma about all moves of the environment, as general as is cheap.
//!
//! The goal is a conjunction of literals.  Those that are not needed are left out, first those that speak of the state
//! before the move (without them the lemma is an invariant of the whole program).  Then each bound `t >= c` that is left is
//! moved to the largest value that `t` can have, so that the lemma says `t <= maximum` whatever the question was.

use super::knowledge::Lemma;
use super::level::{Builder, LevelProgram, Question};
use super::search::{Search, Stop};
use super::space::Fresh;
use checkers::is_on;
use formula::{Formula, Linear, Var};
use smt::{Answer, Solver};

impl Search<'_> {
    /// The question has been answered with no: the environment of the level cannot do what was asked for.
    pub fn learn(&mut self, level: usize, below: &Question) -> Result<(), Stop> {
        let asked = below.goal.conjuncts();
        let mut goal = asked.to_vec();
        let shown = self.shown.take();
        if let (Some(shown), true) = (&shown, self.settings.generalise && self.settings.checker_invariants)
            && let Some(needed) = self.needed_for(&shown.judged, &goal)
        {
            // What the checker found out shows this much, too.
            goal = needed;
        }
        if self.settings.generalise {
            let space = self.knowledge.space;
            goal.sort_by_key(|part| {
                let vars = part.vars();
                let old = vars.iter().filter(|var| space.is_old(**var)).count();
                let pcs = vars.iter().filter(|var| self.knowledge.is_pc(space.base(**var))).count();
                std::cmp::Reverse((old, pcs, part.size()))
            });
            goal = self.needed(below, goal)?;
            if self.settings.maximise {
                self.widen(below, &mut goal)?;
            }
        }
        self.add_lemma(level, below, &goal)?;
        if self.settings.inductive_properties {
            self.preserved(level, below, asked)?;
        }
        Ok(())
    }

    /// The program of the question for this goal, in which nothing is promised.
    fn built(&self, below: &Question, goal: &[Formula]) -> LevelProgram {
        Builder { knowledge: &self.knowledge, question: below, promises: &[] }.build(goal)
    }

    /// The goal cannot be reached: that is known from now on.
    fn add_lemma(&mut self, level: usize, below: &Question, goal: &[Formula]) -> Result<(), Stop> {
        let invariants = match self.knowledge.acyclic[below.level] {
            true => None,
            // The proof carries invariants for exactly this lemma.
            false => {
                let built = self.built(below, goal);
                match self.check(&built, below)? {
                    None => self.shown.take().map(|shown| shown.invariants),
                    Some(_) => return Err(Stop::Checker("the checker contradicts itself".into())),
                }
            }
        };
        self.know(level, goal, invariants);
        Ok(())
    }

    fn know(&mut self, level: usize, goal: &[Formula], invariants: Option<claim::modular::Invariants>) {
        let formula = Formula::and(goal.iter().cloned()).not();
        let transitive = self.settings.stable_lemmas && self.is_transitive(level, &formula);
        let lemma = Lemma { transitive, formula };
        self.note_lemma(level, &lemma);
        self.knowledge.add(level, lemma, invariants);
    }

    /// The parts of the goal that what is known where it is judged contradicts.
    fn needed_for(&mut self, judged: &Formula, goal: &[Formula]) -> Option<Vec<Formula>> {
        let space = self.knowledge.space;
        let mut solver = Solver::of(judged);
        let after: Vec<Formula> = goal.iter().filter(|part| !space.mentions_old(part)).cloned().collect();
        for parts in [after, goal.to_vec()] {
            if let Answer::Unsat(core) = solver.check(&parts, self.budget) {
                return Some(core.into_iter().map(|place| parts[place].clone()).collect());
            }
        }
        None
    }

    /// Leaves out what the answer does not need.
    fn needed(&mut self, below: &Question, mut goal: Vec<Formula>) -> Result<Vec<Formula>, Stop> {
        let space = self.knowledge.space;
        let after: Vec<Formula> = goal.iter().filter(|part| !space.mentions_old(part)).cloned().collect();
        let first = (self.settings.invariants_first && after.len() < goal.len()).then_some(after);
        if self.knowledge.acyclic[below.level] && self.judge.other.is_none() && self.settings.quick {
            // First without the state before the move: what holds then is an invariant.
            for parts in first.into_iter().chain([goal.clone()]) {
                let mut fresh = Fresh::after(&Formula::and(parts.iter().cloned()), space);
                let switches: Vec<Var> = parts.iter().map(|_| fresh.var()).collect();
                let switched = |(part, switch): (&Formula, &Var)| is_on(*switch).implies(part.clone());
                let switched: Vec<Formula> = parts.iter().zip(&switches).map(switched).collect();
                let built = self.built(below, &switched);
                self.count_call(below)?;
                if let Some(needed) = self.judge.needed(&built.program, &switches, self.budget) {
                    return Ok(needed.into_iter().map(|place| parts[place].clone()).collect());
                }
            }
            return Ok(goal);
        }
        if let Some(parts) = first.filter(|parts| !parts.is_empty())
            && self.refuted(below, &parts)?
        {
            goal = parts;
        }
        let mut place = 0;
        while place < goal.len() && goal.len() > 1 {
            let part = goal.remove(place);
            if !self.refuted(below, &goal)? {
                goal.insert(place, part);
                place += 1;
            }
        }
        Ok(goal)
    }

    /// Whether this goal cannot be reached either.
    fn refuted(&mut self, below: &Question, goal: &[Formula]) -> Result<bool, Stop> {
        if !self.settings.quick {
            let question = Question { goal: Formula::and(goal.iter().cloned()), ..below.clone() };
            return Ok(self.reach(&question)?.is_none());
        }
        let built = self.built(below, goal);
        match self.check(&built, below) {
            Ok(path) => Ok(path.is_none()),
            // Giving up one generalisation is no reason to give up all.
            Err(Stop::Checker(_)) => Ok(false),
            Err(stop) => Err(stop),
        }
    }

    /// Conditions on what the environment writes that its moves preserve.
    fn preserved(&mut self, level: usize, below: &Question, asked: &[Formula]) -> Result<(), Stop> {
        let space = self.knowledge.space;
        for part in asked {
            let vars = part.vars();
            let only_before = vars.iter().all(|var| space.is_old(*var));
            if !only_before || !self.tried.insert((level, part.clone())) {
                continue;
            }
            let goal = vec![part.clone(), space.at_rest(part).not()];
            if self.refuted(below, &goal)? {
                self.add_lemma(level, below, &goal)?;
            }
        }
        Ok(())
    }

    /// Moves the bounds to where they are tight.
    fn widen(&mut self, below: &Question, goal: &mut [Formula]) -> Result<(), Stop> {
        for place in 0..goal.len() {
            let Formula::Le(term) = goal[place].clone() else { continue };
            let others = [&goal[..place], &goal[place + 1..]].concat();
            // The goal is `term <= 0`, and cannot be reached: what is the least that can?
            let Some(least) = self.least(below, &others, &term)? else { continue };
            goal[place] = Formula::at_most_zero(term.plus_constant(1 - least));
        }
        Ok(())
    }

    /// The least value of the term where the other parts of the goal are reached.
    fn least(&mut self, below: &Question, others: &[Formula], term: &Linear) -> Result<Option<i128>, Stop> {
        let built = self.built(below, others);
        self.count_call(below)?;
        let space = self.knowledge.space;
        let objective =
            term.substitute(&mut |var| space.is_old(var).then(|| Linear::var(space.start(space.base(var))))).scale(-1);
        Ok(self.judge.maximise(&built.program, &objective, self.budget).map(|most| -most))
    }

    /// Whether any number of moves, if nobody else moves, is as good as one.
    fn is_transitive(&mut self, level: usize, lemma: &Formula) -> bool {
        let space = self.knowledge.space;
        if !space.mentions_old(lemma) {
            return true;
        }
        let first = lemma.rename(&mut |var| if space.is_old(var) { var } else { space.start(var) });
        let second = lemma.rename(&mut |var| if space.is_old(var) { space.start(space.base(var)) } else { var });
        let changes = |var: Var| self.knowledge.changes(level, var);
        // What the environment does not change is the same at all three moments.
        let framed =
            |formula: &Formula| formula.rename(&mut |var| if changes(space.base(var)) { var } else { space.base(var) });
        let twice = Formula::and([framed(&first), framed(&second), framed(lemma).not()]);
        matches!(Solver::of(&twice).check(&[], self.budget), Answer::Unsat(_))
    }
}
