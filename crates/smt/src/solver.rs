//! An incremental solver.

use crate::encode::Encoder;
use crate::{encode, watch};
use base::Budget;
use formula::{Formula, Linear, Var};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};
use z3::ast::Bool;
use z3::{Params, SatResult};

/// Values beyond this are not read, so that terms over the others can be computed.
const LARGEST: u128 = 1 << 66;

/// Most questions are answered within this many of Z3's steps, some milliseconds; only for the others somebody must watch
/// the budget, which takes longer than most questions do.
const QUICK: u32 = 200_000;

/// Z3 gives up after so many steps; 0 is never.
fn limit(z3: &z3::Solver, steps: u32) {
    let mut params = Params::new();
    params.set_u32("rlimit", steps);
    z3.set_params(&params);
}

/// What Z3 sets itself for linear arithmetic without quantifiers, but only where it can look at all formulas first: 4 to 28
/// times faster on the executions of sequential programs.  (Naming the logic does the same, at some cost for small questions.)
fn configure(z3: &z3::Solver) {
    let mut params = Params::new();
    params.set_u32("relevancy", 0);
    params.set_bool("arith.propagate_eqs", false);
    z3.set_params(&params);
}

/// Holds formulas and answers whether they are satisfiable together.  Stays in the thread that made it.
pub struct Solver {
    z3: z3::Solver,
    encoder: Encoder,
    /// What is asserted, oldest first.
    asserted: Vec<Formula>,
    /// For each formula that was assumed the constant that implies it.
    switches: FxHashMap<Formula, Bool>,
    /// How much there was of each when the scope was opened.
    scopes: Vec<Scope>,
    /// The formulas that have a switch, oldest first.
    switched: Vec<Formula>,
    /// Switches made so far, for fresh names.
    made: usize,
}

struct Scope {
    asserted: usize,
    switched: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    Sat(Model),
    /// The positions of assumptions that cannot hold together with what is asserted.  None of them can be left out, as
    /// far as the budget lasted to find out.
    Unsat(Vec<usize>),
    /// The budget was spent, or Z3 gave up.
    Unknown,
}

/// A value for each variable.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Model {
    values: FxHashMap<Var, i128>,
}

impl Model {
    /// Variables that do not matter are 0.
    pub fn value(&self, var: Var) -> i128 {
        self.values.get(&var).copied().unwrap_or(0)
    }
    pub fn set(&mut self, var: Var, value: i128) {
        self.values.insert(var, value);
    }
    pub fn eval(&self, formula: &Formula) -> bool {
        formula.eval(&|var| self.value(var))
    }
    pub fn eval_term(&self, term: &Linear) -> i128 {
        term.eval(&|var| self.value(var))
    }
}

impl FromIterator<(Var, i128)> for Model {
    fn from_iter<I: IntoIterator<Item = (Var, i128)>>(values: I) -> Self {
        Model { values: values.into_iter().collect() }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    pub fn new() -> Self {
        let z3 = z3::Solver::new();
        configure(&z3);
        // Inside of a scope Z3 answers incrementally from the first question on; outside, a new solver takes five times as long.
        z3.push();
        limit(&z3, QUICK);
        Solver {
            z3,
            encoder: Encoder::default(),
            asserted: Vec::new(),
            switches: FxHashMap::default(),
            scopes: Vec::new(),
            switched: Vec::new(),
            made: 0,
        }
    }
    /// A solver that holds one formula.
    pub fn of(formula: &Formula) -> Self {
        let mut solver = Solver::new();
        solver.assert(formula);
        solver
    }

    pub fn assert(&mut self, formula: &Formula) {
        if *formula != Formula::True {
            let term = self.encoder.formula(formula);
            self.z3.assert(&term);
            self.asserted.push(formula.clone());
        }
    }
    /// What is asserted now, as one formula.
    pub fn asserted(&self) -> Formula {
        Formula::and(self.asserted.iter().cloned())
    }
    pub fn push(&mut self) {
        self.z3.push();
        self.scopes.push(Scope { asserted: self.asserted.len(), switched: self.switched.len() });
    }
    /// Forgets what was asserted since the matching `push`.
    pub fn pop(&mut self) {
        let scope = self.scopes.pop().expect("each pop has its push");
        self.z3.pop(1);
        self.asserted.truncate(scope.asserted);
        for formula in self.switched.drain(scope.switched..) {
            self.switches.remove(&formula);
        }
    }

    /// Can what is asserted hold together with the assumptions?
    pub fn check(&mut self, assumptions: &[Formula], budget: &Budget) -> Answer {
        self.answer(assumptions, true, budget)
    }
    /// The same, for those who do not want the core: it is not minimised.
    pub fn check_roughly(&mut self, assumptions: &[Formula], budget: &Budget) -> Answer {
        self.answer(assumptions, false, budget)
    }

    fn answer(&mut self, assumptions: &[Formula], minimise: bool, budget: &Budget) -> Answer {
        let start = Instant::now();
        let switches: Vec<Bool> = assumptions.iter().map(|formula| self.switch(formula)).collect();
        match self.ask(&switches, budget) {
            None => Answer::Unknown,
            Some(Found::Model(model)) => Answer::Sat(model),
            Some(Found::Core(core)) if minimise => {
                // A core is worth some time, but not out of proportion.
                let time = (start.elapsed() * 2).max(Duration::from_millis(100));
                Answer::Unsat(positions(&switches, &self.minimise(core, time, budget)))
            }
            Some(Found::Core(core)) => Answer::Unsat(positions(&switches, &core)),
        }
    }

    /// Is there no way to make what is asserted true together with the formula?  `None` if that was not found out.
    pub fn refutes(&mut self, formula: &Formula, budget: &Budget) -> Option<bool> {
        if *formula == Formula::False {
            return Some(true);
        }
        self.push();
        self.assert(formula);
        let found = self.ask(&[], budget);
        self.pop();
        found.map(|found| matches!(found, Found::Core(_)))
    }
    /// Does the formula follow from what is asserted?
    pub fn implies(&mut self, formula: &Formula, budget: &Budget) -> Option<bool> {
        self.refutes(&formula.not(), budget)
    }

    /// The constant that stands for the assumption.
    fn switch(&mut self, formula: &Formula) -> Bool {
        if let Some(known) = self.switches.get(formula) {
            return known.clone();
        }
        let switch = Bool::new_const(format!("switch!{}", self.made));
        self.made += 1;
        let term = self.encoder.formula(formula);
        self.z3.assert(switch.implies(&term));
        self.switches.insert(formula.clone(), switch.clone());
        self.switched.push(formula.clone());
        switch
    }

    fn ask(&mut self, switches: &[Bool], budget: &Budget) -> Option<Found> {
        let z3 = &self.z3;
        let check = || if switches.is_empty() { z3.check() } else { z3.check_assumptions(switches) };
        if budget.spent().is_some() {
            return None;
        }
        let mut answer = check();
        if answer == SatResult::Unknown {
            limit(z3, 0);
            let watched = watch::watched(budget, check);
            limit(z3, QUICK);
            answer = watched?;
        }
        match answer {
            SatResult::Sat => read_model(&z3.get_model()?).map(Found::Model),
            SatResult::Unsat => Some(Found::Core(z3.get_unsat_core())),
            SatResult::Unknown => None,
        }
    }

    /// Leaves out one after the other as long as the rest is still contradictory.
    fn minimise(&mut self, mut core: Vec<Bool>, time: Duration, budget: &Budget) -> Vec<Bool> {
        let budget = budget.within(time);
        let mut at = 0;
        while at < core.len() {
            let mut rest = core.clone();
            rest.remove(at);
            match self.ask(&rest, &budget) {
                Some(Found::Core(smaller)) => {
                    // Those before `at` are needed, so that they are still in it.
                    core.retain(|switch| smaller.contains(switch));
                }
                Some(Found::Model(_)) => at += 1,
                None => break,
            }
        }
        core
    }
}

enum Found {
    Model(Model),
    Core(Vec<Bool>),
}

fn positions(switches: &[Bool], core: &[Bool]) -> Vec<usize> {
    let mut seen = Vec::new();
    // An assumption that is there twice is needed once.
    for switch in core {
        seen.extend(switches.iter().position(|other| other == switch));
    }
    seen.sort_unstable();
    seen
}

/// `None` if a value is too large for us.
pub fn read_model(model: &z3::Model) -> Option<Model> {
    let mut values = FxHashMap::default();
    for declaration in model {
        let Some(var) = encode::named(&declaration.name()).filter(|_| declaration.arity() == 0) else { continue };
        let constant = declaration.apply(&[]).as_int()?;
        let value = model.get_const_interp(&constant)?.as_i128()?;
        if value.unsigned_abs() > LARGEST {
            return None;
        }
        values.insert(var, value);
    }
    Some(Model { values })
}
