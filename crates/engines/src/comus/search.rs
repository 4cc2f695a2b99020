//! A run: what it knows, whom it asks, what it tells.

use super::knowledge::{Knowledge, Lemma};
use super::level::{LevelProgram, Question};
use super::{Comus, judge};
use crate::options::Tell;
use crate::symbolic::Steps;
use crate::{Observer, Progress};
use base::{Budget, Id, Pace, Spent};
use checkers::Checked;
use claim::Proof;
use claim::modular::{Ints, Invariants, Modular};
use formula::Formula;
use rustc_hash::FxHashSet;
use std::time::Duration;
use system::ranges::Known;
use system::{Location, System, ThreadId};

/// The calls of the first attempt; each gets half as many again as the one before.
const FIRST: u64 = 300;

/// Why a run ends without an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Spent(Spent),
    /// The checker or the solver gave no answer.
    Checker(String),
    /// This attempt has had its calls.
    Calls,
}

/// What a checker knows of a safe program.
pub struct Shown {
    pub invariants: Invariants,
    /// What holds wherever the goal is judged, over the start (as old) and now.
    pub judged: Formula,
}

/// A run.
pub struct Search<'a> {
    pub knowledge: Knowledge<'a>,
    pub settings: Comus,
    pub judge: judge::Judge,
    pub budget: &'a Budget,
    observer: &'a mut dyn Observer,
    /// Questions that were put to the checker, in all and when this attempt must end.
    pub calls: u64,
    pub most_calls: u64,
    pub attempts: u64,
    promises: u64,
    /// What shows that the last safe program is safe, if the checker said so.
    pub shown: Option<Shown>,
    /// The same of the first level.
    pub main: Option<Invariants>,
    /// Conditions that were tried as properties that moves preserve.
    pub tried: FxHashSet<(usize, Formula)>,
    pace: Pace,
}

impl<'a> Search<'a> {
    pub fn new(
        system: &'a System,
        order: Vec<ThreadId>,
        ranges: Option<Known>,
        settings: Comus,
        budget: &'a Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Search {
            knowledge: Knowledge::new(system, order, ranges),
            settings,
            judge: judge::Judge::default(),
            budget,
            observer,
            calls: 0,
            most_calls: u64::MAX,
            attempts: 0,
            promises: 0,
            shown: None,
            main: None,
            tried: FxHashSet::default(),
            pace: Pace::new(Duration::from_millis(200)),
        }
    }

    /// The steps to a failing assertion, or `None` if none can fail.  Which path the checker finds first decides how long it
    /// takes, so no attempt gets more than its share.
    pub fn attempts(&mut self) -> Result<Option<Steps>, Stop> {
        let failed = self.knowledge.system.failed;
        let goal = Formula::is(&failed.into(), 1);
        let question = Question { level: 0, goal, initially: true };
        let exact = self.settings.exact_projection;
        let mut calls = FIRST;
        loop {
            self.attempts += 1;
            if self.attempts > 1 {
                self.note_attempt();
            }
            self.most_calls = if self.settings.restarts { self.calls + calls } else { u64::MAX };
            match self.reach(&question) {
                Err(Stop::Calls) => {}
                answer => return answer,
            }
            // What was learnt stays; promises are forgotten, and questions are put in the other way.
            self.settings.exact_projection = exact ^ (self.attempts % 2 == 1);
            calls += calls / 2;
        }
    }

    /// What a finished run has to show.
    pub fn proof(&mut self, ints: Ints) -> Proof {
        let knowledge = &self.knowledge;
        Proof::Modular(Box::new(Modular {
            ints,
            order: knowledge.order.iter().map(|thread| thread.index()).collect(),
            ranges: knowledge.ranges.as_ref().map(system::ranges::table).unwrap_or_default(),
            lemmas: knowledge.history.clone(),
            main: self.main.take(),
        }))
    }

    /// The checker's invariants as a proof has them.
    pub fn show(&self, built: &LevelProgram, invariants: &checkers::Invariants) -> Shown {
        let space = self.knowledge.space;
        let at = |node: Location| {
            invariants[node].rename(&mut |var| if space.is_start(var) { space.old(space.base(var)) } else { var })
        };
        let before = |node: &(Option<Location>, Location)| node.0.map_or(Formula::True, at);
        Shown {
            invariants: Invariants {
                before: built.places.iter().map(before).collect(),
                during: built.places.iter().map(|node| at(node.1)).collect(),
            },
            judged: at(built.judge),
        }
    }

    pub fn count_call(&mut self, question: &Question) -> Result<(), Stop> {
        self.calls += 1;
        if self.pace.is_due() {
            let known = self.knowledge.history.len();
            let detail = format!("{known} lemmas, {} promises, at level {}", self.promises, question.level);
            self.observer.progress(&Progress { what: "checker calls", count: self.calls, detail });
        }
        match self.budget.spent() {
            Some(spent) => Err(Stop::Spent(spent)),
            None if self.calls > self.most_calls => Err(Stop::Calls),
            None => Ok(()),
        }
    }

    pub fn tell_statistics(&mut self) {
        let knowledge = &self.knowledge;
        self.observer.statistic("checker calls", self.calls);
        self.observer.statistic("lemmas", knowledge.history.len() as u64);
        self.observer.statistic("promises", self.promises);
        self.observer.statistic("attempts", self.attempts);
        self.observer.statistic("threads", knowledge.order.len() as u64);
        let edges: usize = knowledge.system.threads.values().map(|thread| thread.graph.edges.len()).sum();
        self.observer.statistic("edges", edges as u64);
    }

    /// Hands a program that is about to be checked to whoever wants to read it.
    pub fn emit(&mut self, built: &LevelProgram, question: &Question) {
        if self.settings.tell < Tell::Programs {
            return;
        }
        let thread = &self.knowledge.system.threads[self.knowledge.order[question.level]];
        let header = vec![
            format!("Checker call {}: thread {} at level {}.", self.calls, thread.name, question.level),
            format!("Can a state be reached with: {}", self.in_words(&question.goal)),
        ];
        let name = format!("{:04}-level{}-{}", self.calls, question.level, thread.name);
        let text = checkers::to_c(&built.program, &header).unwrap_or_else(|why| format!("/* {why} */\n"));
        self.observer.program(&name, &text);
    }

    pub fn note_lemma(&mut self, level: usize, lemma: &Lemma) {
        self.tell(|search| {
            format!("lemma on the environment of {}: {}", search.at(level), search.in_words(&lemma.formula))
        });
    }
    pub fn note_promise(&mut self, level: usize, at: Location, condition: &Formula) {
        self.promises += 1;
        self.tell(|search| {
            let knowledge = &search.knowledge;
            let place = &knowledge.system.threads[knowledge.order[level]].graph.locations[at].name;
            format!("promise to {} at {place}: {}", search.at(level), search.in_words(condition))
        });
    }
    /// What the checker said of the program it was given last.
    pub fn note_checked(&mut self, question: &Question, checked: &Checked) {
        self.tell(|search| {
            let said = match checked {
                Checked::Safe(_) => "safe".into(),
                Checked::Unsafe(path) => format!("a path of {} steps", path.edges.len()),
                Checked::Unknown(why) => format!("no answer: {why}"),
            };
            format!("check of {}: {said}", search.at(question.level))
        });
    }
    /// Another attempt begins, with what was learnt.
    pub fn note_attempt(&mut self) {
        self.tell(|search| format!("attempt {}, with {} lemmas", search.attempts, search.knowledge.history.len()));
    }

    /// A level with its thread, as told to people.
    fn at(&self, level: usize) -> String {
        format!("{} at level {level}", self.knowledge.system.threads[self.knowledge.order[level]].name)
    }
    fn in_words(&self, formula: &Formula) -> String {
        formula.display(&|var| self.knowledge.space.name(self.knowledge.system, var)).to_string()
    }
    /// Tells something to whoever wants to follow, after the number of the last call, by which the programs are named.
    fn tell(&mut self, text: impl FnOnce(&Self) -> String) {
        if self.settings.tell >= Tell::Course {
            let text = format!("{:04} {}", self.calls, text(self));
            self.observer.explain(&text);
        }
    }
}
