//! Systems of constrained Horn clauses: unknown relations, rules that they obey, and rules that say what must not be.

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
    pub body: Vec<Application>,
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

/// Applications of rules, each after those whose results it uses; the last one is of a rule without a head.
/// If all rules have at most one application in their bodies, this is a path from a start to the violation.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Derivation {
    pub steps: Vec<Derived>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Derived {
    pub rule: usize,
    /// For each application of the body, in order, the step that derives it.
    pub premises: Vec<usize>,
    /// Values for the variables of the rule.
    pub model: Model,
}

#[derive(Clone, Debug, Default)]
pub struct HornOptions {
    /// Spacer's global guidance: sees that lemmas form a sequence.  Decides some loops that count far, and costs time elsewhere.
    pub global: bool,
    pub seed: u32,
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
    pub fn add_rule(&mut self, head: Option<Application>, body: Vec<Application>, condition: Formula) -> usize {
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
    pub fn solve(&self, options: &HornOptions, budget: &Budget) -> HornAnswer {
        spacer::solve(self, options, budget)
    }

    /// Do all rules hold with these formulas for the predicates?  `None` if that was not found out.
    pub fn holds_with(&self, invariants: &IdVec<Predicate, Formula>, budget: &Budget) -> Option<bool> {
        let mut solver = Solver::new();
        for rule in &self.rules {
            let instance = |application: &Application| application.instance(&invariants[application.predicate]);
            let body = rule.body.iter().map(instance).chain([rule.condition.clone()]);
            let head = rule.head.as_ref().map_or(Formula::False, instance);
            if !solver.refutes(&Formula::and(body.chain([head.not()])), budget)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Is each step what its rule says, on the values of the steps before?
    pub fn derives(&self, derivation: &Derivation) -> bool {
        let mut known: Vec<Option<(Predicate, Vec<i128>)>> = Vec::new();
        for step in &derivation.steps {
            let Some(rule) = self.rules.get(step.rule) else { return false };
            let fact = |application: &Application| (application.predicate, application.values(&step.model));
            let used = |(application, premise): (&Application, &usize)| {
                known.get(*premise).and_then(Option::as_ref) == Some(&fact(application))
            };
            if !step.model.eval(&rule.condition)
                || rule.body.len() != step.premises.len()
                || !rule.body.iter().zip(&step.premises).all(used)
            {
                return false;
            }
            known.push(rule.head.as_ref().map(fact));
        }
        derivation.steps.last().is_some_and(|step| self.rules[step.rule].head.is_none())
    }

    /// The values of the rule's variables with which it leads from these facts to that one.
    pub(crate) fn apply(
        &self,
        rule: &Rule,
        premises: &[&[i128]],
        conclusion: &[i128],
        solver: &mut Solver,
        budget: &Budget,
    ) -> Option<Model> {
        let conclusions = rule.head.iter().map(|head| (head, conclusion));
        let mut parts = vec![rule.condition.clone()];
        for (application, values) in rule.body.iter().zip(premises.iter().copied()).chain(conclusions) {
            let pairs = application.arguments.iter().zip(values);
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
    /// Without steps that the last one does not need.
    pub(crate) fn trimmed(self) -> Derivation {
        let mut needed = vec![false; self.steps.len()];
        if let Some(last) = needed.last_mut() {
            *last = true;
        }
        for at in (0..self.steps.len()).rev() {
            if needed[at] {
                self.steps[at].premises.iter().for_each(|premise| needed[*premise] = true);
            }
        }
        let mut renumbered = vec![0; self.steps.len()];
        let mut steps = Vec::new();
        for (at, mut step) in self.steps.into_iter().enumerate().filter(|(at, _)| needed[*at]) {
            renumbered[at] = steps.len();
            step.premises.iter_mut().for_each(|premise| *premise = renumbered[*premise]);
            steps.push(step);
        }
        Derivation { steps }
    }
    /// The rules in the order of the steps.
    pub fn rules(&self) -> Vec<usize> {
        self.steps.iter().map(|step| step.rule).collect()
    }
}
