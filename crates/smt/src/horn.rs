//! Systems of constrained Horn clauses: unknown relations, rules that they obey, and rules that say what must not be.  A rule
//! uses one fact at most, as the steps of a sequential program do.

use crate::{Answer, Model, Solver, spacer};
use base::{Budget, Id, IdVec};
use formula::{Formula, Linear, Var};

base::id!(
    /// An unknown relation over integers.
    pub struct Predicate, "p"
);

/// A predicate with its arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Application {
    pub predicate: Predicate,
    pub arguments: Vec<Linear>,
}

/// Where the body and the condition hold, the head does.  The variables are the rule's own.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// None: this must not be.
    pub head: Option<Application>,
    pub body: Option<Application>,
    pub condition: Formula,
}

#[derive(Clone, Default, Debug)]
pub struct Horn {
    pub predicates: IdVec<Predicate, Relation>,
    pub rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
pub struct Relation {
    /// For people only.
    pub name: String,
    pub arity: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub enum HornAnswer {
    /// For each predicate a formula over its parameters, [`Horn::parameter`], with which all rules hold.  Checked.
    Safe(IdVec<Predicate, Formula>),
    /// How the rules lead to what must not be.  Checked.
    Unsafe(Derivation),
    Unknown(String),
}

/// A path from a start to the violation: applications of rules, each of which uses the result of the one before; the last one is
/// of a rule without a head.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Derivation {
    pub steps: Vec<Derived>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    pub rule: usize,
    /// Values for the variables of the rule.
    pub model: Model,
}

impl Application {
    pub fn new(predicate: Predicate, arguments: impl IntoIterator<Item = Linear>) -> Self {
        Application { predicate, arguments: arguments.into_iter().collect() }
    }
    /// What the formula, over parameters, says of the arguments.
    pub fn instance(&self, formula: &Formula) -> Formula {
        formula.substitute(&mut |var| self.arguments.get(var.index()).cloned())
    }
    pub fn values(&self, model: &Model) -> Vec<i128> {
        self.arguments.iter().map(|argument| model.eval_term(argument)).collect()
    }
}

impl Rule {
    pub fn visit_vars(&self, visit: &mut dyn FnMut(Var)) {
        for application in self.head.iter().chain(&self.body) {
            application.arguments.iter().for_each(|argument| argument.visit_vars(visit));
        }
        self.condition.visit_vars(visit);
    }
}

impl Horn {
    pub fn new() -> Self {
        Horn::default()
    }
    pub fn add_predicate(&mut self, name: impl Into<String>, arity: usize) -> Predicate {
        self.predicates.push(Relation { name: name.into(), arity })
    }
    /// Rules are numbered in the order in which they are added.
    pub fn add_rule(&mut self, head: Option<Application>, body: Option<Application>, condition: Formula) -> usize {
        for application in head.iter().chain(&body) {
            assert_eq!(
                application.arguments.len(),
                self.predicates[application.predicate].arity,
                "as many as parameters"
            );
        }
        self.rules.push(Rule { head, body, condition });
        self.rules.len() - 1
    }
    /// The variable that stands for this argument of a predicate in what [`HornAnswer::Safe`] says of it.
    pub fn parameter(at: usize) -> Var {
        Var::new(at)
    }

    /// Decides the system with Z3's engine Spacer.
    pub fn solve(&self, budget: &Budget) -> HornAnswer {
        spacer::solve(self, budget)
    }

    /// Do all rules hold with these formulas for the predicates?  `None` if that was not found out.
    pub fn holds_with(&self, invariants: &IdVec<Predicate, Formula>, budget: &Budget) -> Option<bool> {
        let mut solver = Solver::new();
        for rule in &self.rules {
            let instance = |application: &Application| application.instance(&invariants[application.predicate]);
            let body = rule.body.as_ref().map_or(Formula::True, instance);
            let head = rule.head.as_ref().map_or(Formula::False, instance);
            if !solver.refutes(&Formula::and([body, rule.condition.clone(), head.not()]), budget)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Is each step what its rule says, on the values of the step before?
    pub fn derives(&self, derivation: &Derivation) -> bool {
        let mut known = None;
        for (at, step) in derivation.steps.iter().enumerate() {
            let Some(rule) = self.rules.get(step.rule) else { return false };
            let fact = |application: &Application| (application.predicate, application.values(&step.model));
            let starts = at == 0 || known.is_some();
            if !starts || rule.body.as_ref().map(fact) != known || !step.model.eval(&rule.condition) {
                return false;
            }
            known = rule.head.as_ref().map(fact);
        }
        known.is_none() && !derivation.steps.is_empty()
    }

    /// The values of the rule's variables with which it leads from this fact to that one.
    pub(crate) fn apply(
        &self,
        rule: &Rule,
        premise: &[i128],
        conclusion: &[i128],
        solver: &mut Solver,
        budget: &Budget,
    ) -> Option<Model> {
        let mut parts = vec![rule.condition.clone()];
        for (application, values) in [(&rule.body, premise), (&rule.head, conclusion)] {
            let pairs = application.iter().flat_map(|application| &application.arguments).zip(values);
            parts.extend(pairs.map(|(argument, value)| Formula::eq(argument, &Linear::constant(*value))));
        }
        solver.push();
        solver.assert(&Formula::and(parts));
        let answer = solver.check(&[], budget);
        solver.pop();
        match answer {
            Answer::Sat(model) => Some(model),
            Answer::Unsat(_) | Answer::Unknown => None,
        }
    }
}

impl Derivation {
    /// The rules in the order of the steps.
    pub fn rules(&self) -> Vec<usize> {
        self.steps.iter().map(|step| step.rule).collect()
    }
}
