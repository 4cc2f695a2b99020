//! CoMuS: modular proofs by learned environments.
//!
//! After "Modular Verification of Concurrent Programs via Sequential Model Checking" (Rasin, Grumberg, Shoham, ATVA 2018) and
//! Rasin's thesis.  Threads are put in an order.  The first is checked as a sequential program in which the others are one
//! function, `env_move`, that at first may do anything to what they write.  A failing path that needs a move of the
//! environment becomes a question to the threads below, which are checked in the same way, one level down; what cannot
//! happen is learnt as a lemma of `env_move`.  `docs/comus.md` has the algorithm, why it is sound and what was measured.

mod generalise;
mod judge;
mod knowledge;
mod level;
mod order;
mod reach;
mod search;
mod space;
mod switches;
mod walked;

use crate::options::{Configured, Setting, Tell};
use crate::symbolic::{self, Steps};
use crate::{Engine, Observer, Problem, Symbolic};
use base::{Budget, Pos};
use checkers::Foreign;
use claim::modular::Ints;
use claim::{Outcome, Reason};
use ir::Program;
use search::{Search, Stop};
use system::{Options, translate};

/// The engine, with ways to run, each of which can be switched off to see what it is worth.  The table of the options says which
/// are on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Comus {
    pub ints: Ints,
    /// The names of the threads from the first level down, instead of an order found from the data flow.
    pub order: Vec<String>,
    /// The command of the checker that decides the sequential programs, instead of those that are built in, and what it
    /// prints when an assertion can fail or none can.
    pub checker: Option<String>,
    pub checker_unsafe: Option<String>,
    pub checker_safe: Option<String>,
    pub tell: Tell,
    /// Ranges of the variables are known from the beginning.
    pub ranges: bool,
    /// Lemmas are made as general as is cheap.
    pub generalise: bool,
    /// Bounds in lemmas are moved to where they are tight.
    pub maximise: bool,
    /// Before everything else a lemma is tried without the state before the move.
    pub invariants_first: bool,
    /// A failing path is used again up to where a promise was made on it.
    pub reuse_paths: bool,
    /// Lemmas that any number of moves respects hold before the start of a computation, too.
    pub stable_lemmas: bool,
    /// What was learnt for one question is kept for the next.
    pub keep_lemmas: bool,
    /// What the environment neither changes nor reads is eliminated from questions (query invariants and replaced constants
    /// of section 8.2, exactly).
    pub eliminate: bool,
    /// A lemma's generalisation may use the checker once, not ask the levels below (quick generalisation, section 8.3).
    pub quick: bool,
    /// Conditions on the state before a move are tried as properties that moves preserve (section 8.2).
    pub inductive_properties: bool,
    /// Where the checker gives invariants, lemmas are read off them.
    pub checker_invariants: bool,
    /// Questions are projected exactly where that is quick, not only around the path.
    pub exact_projection: bool,
    /// Attempts are given up after some calls and begun again in another way, with what was learnt.
    pub restarts: bool,
    /// The checker of the user.
    foreign: Option<Foreign>,
    /// Of the checker, in all.
    calls: u64,
}

impl Configured for Comus {
    const NAME: &'static str = "comus";
    const WHAT: &'static str = "proves thread by thread";
    const OPTIONS: &'static [Setting<Comus>] = switches::OPTIONS;
    fn prepare(&mut self) -> Result<(), String> {
        let texts = (self.checker_unsafe.as_deref(), self.checker_safe.as_deref());
        self.foreign = match &self.checker {
            Some(command) => Some(Foreign::new(command, texts.0, texts.1)?),
            None if texts != (None, None) => {
                return Err("checker-unsafe and checker-safe are about a checker, and none is given".into());
            }
            None => None,
        };
        Ok(())
    }
}

impl Engine for Comus {
    fn decide(&mut self, problem: &Problem<'_>, budget: &Budget, observer: &mut dyn Observer) -> Outcome {
        let ints = self.ints;
        symbolic::decide(ints, problem, budget, &mut |ints, made| self.attempt(ints, made, budget, observer))
    }

    fn ints(&self) -> Ints {
        self.ints
    }

    /// An order that names no threads of the program; programs that the engine has no use for have no threads to name.
    fn misfit(&self, program: &Program, budget: &Budget) -> Option<String> {
        if self.order.is_empty() {
            return None;
        }
        let translated = translate(program, &Options::from(self.ints), budget).ok()?;
        order::given(&translated.system, &self.order).err().map(|why| format!("order: {why}"))
    }
}

impl Comus {
    /// The steps to a violation, or else what there is to say.
    fn attempt(
        &mut self,
        ints: Ints,
        made: &Symbolic,
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Result<Steps, Outcome> {
        let system = &made.prepared.system;
        let order = match order::given(system, &self.order) {
            Ok(order) => order.unwrap_or_else(|| order::found(system)),
            Err(what) => return Err(Outcome::Unknown(Reason::Unsupported { what, pos: Pos::NONE })),
        };
        if self.tell >= Tell::Course {
            observer.explain(&order::describe(system, &order));
            observer.explain(&format!("integers: {}", symbolic::words(ints)));
        }
        let ranges = made.prepared.ranges.clone().filter(|_| self.ranges);
        let mut search = Search::new(system, order, ranges, self.clone(), budget, observer);
        search.calls = self.calls;
        search.judge.other = self.foreign.clone();
        let answer = search.attempts();
        search.tell_statistics();
        self.calls = search.calls;
        Err(match answer {
            Ok(Some(steps)) => return Ok(steps),
            Ok(None) => Outcome::Safe(search.proof(ints)),
            Err(Stop::Spent(spent)) => Outcome::Unknown(Reason::Budget(spent)),
            Err(Stop::Checker(why)) => Outcome::Unknown(Reason::Approximation(why)),
            Err(Stop::Calls) => Outcome::Unknown(Reason::Approximation("no lemma was general enough".into())),
        })
    }
}
