//! Horn systems solved by Spacer.
//!
//! Z3's transformations of rules are switched off: with them the answer speaks of other predicates than the question.
//! Invariants are the covers at infinity, but for predicates without facts: of those Spacer tells nothing, and their cover says
//! that everything holds.  Rules whose conditions Z3 simplifies to false give no facts either.  Derivations are read from the proof, whose facts are ground, and each step is
//! found again among our rules by a question of its own, so that nothing hangs on how Z3 names or rewrites rules.

mod bounded;
mod proof;

use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::horn::{Application, Horn, HornAnswer, Predicate, Rule};
use crate::solver::{Answer, Solver};
use crate::watch::watched;
use base::{Budget, IdVec};
use formula::{Formula, Var};
use rustc_hash::FxHashSet;
use z3::ast::{Ast, Bool, Dynamic, Int, forall_const};
use z3::{Fixedpoint, FuncDecl, Params, SatResult, Sort};

const ERROR: &str = "error!";
const NOT_INVARIANT: &str = "Spacer's invariants do not hold";

pub fn solve(horn: &Horn, budget: &Budget) -> HornAnswer {
    let derivable = derivable_with(horn, &vec![true; horn.rules.len()]);
    let mut query = Query::new(horn);
    for rule in horn.rules.iter().filter(|rule| useful(rule, &derivable)) {
        query.add(rule);
    }
    let goal = bool_of(&query.error.apply(&[]));
    match watched(budget, || query.fixedpoint.query(&goal)) {
        None => HornAnswer::Unknown("out of budget".to_string()),
        Some(SatResult::Unknown) => HornAnswer::Unknown(query.fixedpoint.get_reason_unknown()),
        Some(SatResult::Unsat) => {
            let said = query.confirmed(horn, &derivable, budget);
            // Only now are the conditions worth a question each.
            match matches!(&said, HornAnswer::Unknown(why) if why == NOT_INVARIANT) {
                true => query.confirmed(horn, &derivable_with(horn, &can_hold(horn, budget)), budget),
                false => said,
            }
        }
        Some(SatResult::Sat) => {
            let derivation = match query.fixedpoint.get_answer() {
                Some(answer) => proof::read(horn, &answer, budget),
                None => None,
            };
            match derivation.or_else(|| bounded::search(horn, budget)).filter(|derivation| horn.derives(derivation)) {
                Some(derivation) => HornAnswer::Unsafe(derivation),
                None => HornAnswer::Unknown("Spacer's derivation could not be found again".to_string()),
            }
        }
    }
}

/// By rule: can its condition hold, as far as is known?
fn can_hold(horn: &Horn, budget: &Budget) -> Vec<bool> {
    let can_hold = |rule: &Rule| !matches!(Solver::of(&rule.condition).check(&[], budget), Answer::Unsat(_));
    horn.rules.iter().map(can_hold).collect()
}

/// Predicates with a fact, if only those rules are used whose conditions can hold.  Of the others Spacer tells nothing.
fn derivable_with(horn: &Horn, can_hold: &[bool]) -> FxHashSet<Predicate> {
    let mut found = FxHashSet::default();
    loop {
        let before = found.len();
        for (rule, can_hold) in horn.rules.iter().zip(can_hold) {
            if *can_hold && useful(rule, &found) {
                found.extend(rule.head.as_ref().map(|head| head.predicate));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn useful(rule: &Rule, derivable: &FxHashSet<Predicate>) -> bool {
    rule.condition != Formula::False && rule.body.as_ref().is_none_or(|body| derivable.contains(&body.predicate))
}

struct Query {
    fixedpoint: Fixedpoint,
    predicates: IdVec<Predicate, FuncDecl>,
    error: FuncDecl,
    encoder: Encoder,
}

impl Query {
    fn new(horn: &Horn) -> Self {
        let fixedpoint = Fixedpoint::new();
        let mut params = Params::new();
        params.set_symbol("engine", "spacer");
        for transformation in ["xform.slice", "xform.inline_linear", "xform.inline_eager"] {
            params.set_bool(transformation, false);
        }
        fixedpoint.set_params(&params);
        let (int, bool) = (Sort::int(), Sort::bool());
        let declare = |at: Predicate| {
            let domain = vec![&int; horn.predicates[at].arity];
            FuncDecl::new(proof::name(at), &domain, &bool)
        };
        let predicates: IdVec<Predicate, FuncDecl> = horn.predicates.ids().map(declare).collect();
        let error = FuncDecl::new(ERROR, &[], &bool);
        predicates.values().for_each(|predicate| fixedpoint.register_relation(predicate));
        fixedpoint.register_relation(&error);
        Query { fixedpoint, predicates, error, encoder: Encoder::default() }
    }

    fn add(&mut self, rule: &Rule) {
        let mut body: Vec<Bool> = rule.body.iter().map(|application| self.application(application)).collect();
        body.push(self.encoder.formula(&rule.condition));
        let head = match &rule.head {
            Some(application) => self.application(application),
            None => bool_of(&self.error.apply(&[])),
        };
        let clause = Bool::and(&body).implies(&head);
        let mut vars: Vec<Var> = Vec::new();
        rule.visit_vars(&mut |var| vars.push(var));
        vars.sort_unstable();
        vars.dedup();
        let bound: Vec<Int> = vars.into_iter().map(|var| self.encoder.var(var)).collect();
        let bound: Vec<&dyn Ast> = bound.iter().map(|var| var as &dyn Ast).collect();
        let clause = if bound.is_empty() { clause } else { forall_const(&bound, &[], &clause) };
        self.fixedpoint.add_rule(&clause, None);
    }

    fn application(&mut self, application: &Application) -> Bool {
        let arguments: Vec<Int> = application.arguments.iter().map(|argument| self.encoder.linear(argument)).collect();
        let arguments: Vec<&dyn Ast> = arguments.iter().map(|argument| argument as &dyn Ast).collect();
        bool_of(&self.predicates[application.predicate].apply(&arguments))
    }

    /// The invariants, if they are some.
    fn confirmed(&self, horn: &Horn, derivable: &FxHashSet<Predicate>, budget: &Budget) -> HornAnswer {
        let Some(invariants) = self.invariants(derivable) else {
            return HornAnswer::Unknown("Spacer's invariants are not linear".to_string());
        };
        match horn.holds_with(&invariants, budget) {
            Some(true) => HornAnswer::Safe(invariants),
            Some(false) => HornAnswer::Unknown(NOT_INVARIANT.to_string()),
            None => HornAnswer::Unknown("out of budget".to_string()),
        }
    }

    fn invariants(&self, derivable: &FxHashSet<Predicate>) -> Option<IdVec<Predicate, Formula>> {
        let invariant = |predicate: Predicate| {
            if !derivable.contains(&predicate) {
                return Some(Formula::False);
            }
            let cover = self.fixedpoint.get_cover_delta(-1, &self.predicates[predicate])?;
            Decoder::new(&|at| Some(Horn::parameter(at))).formula(&Dynamic::from_ast(&cover))
        };
        self.predicates.ids().map(invariant).collect()
    }
}

fn bool_of(term: &Dynamic) -> Bool {
    term.as_bool().expect("predicates are true or false")
}
