//! A derivation found by growing length, where the proof cannot be read.

use crate::horn::{Derivation, Derived, Horn};
use crate::{Answer, Model, Solver};
use base::{Budget, Id};
use formula::{Formula, Linear, Var};

/// The shortest path of rules to a violation.  `None` when the budget is spent.
/// Ends only with the budget if there is no violation.
pub fn search(horn: &Horn, budget: &Budget) -> Option<Derivation> {
    let mut unrolling = Unrolling::new(horn);
    let mut solver = Solver::new();
    for steps in 1.. {
        solver.assert(&unrolling.step(steps - 1));
        let violated = Formula::eq(&Linear::var(unrolling.at(steps)), &Linear::constant(unrolling.error()));
        match solver.check(&[violated], budget) {
            Answer::Sat(model) => return Some(unrolling.derivation(steps, &model)),
            Answer::Unsat(_) => {}
            Answer::Unknown => return None,
        }
    }
    None
}

/// Variables of a path: for each place where it is (a predicate, by number) and the arguments there, for each step the
/// rule and the rule's variables.
struct Unrolling<'h> {
    horn: &'h Horn,
    arguments: usize,
    /// As many as any rule has.
    own: usize,
}

impl<'h> Unrolling<'h> {
    fn new(horn: &'h Horn) -> Self {
        let arguments = horn.predicates.values().map(|relation| relation.arity).max().unwrap_or(0);
        let mut own = 0;
        for rule in &horn.rules {
            rule.visit_vars(&mut |var| own = own.max(var.index() + 1));
        }
        Unrolling { horn, arguments, own }
    }
    fn first(&self, place: usize) -> usize {
        place * (2 + self.arguments + self.own)
    }
    fn at(&self, place: usize) -> Var {
        Var::new(self.first(place))
    }
    fn rule(&self, place: usize) -> Var {
        Var::new(self.first(place) + 1)
    }
    fn argument(&self, place: usize, number: usize) -> Linear {
        Linear::var(Var::new(self.first(place) + 2 + number))
    }
    fn own(&self, place: usize, var: Var) -> Var {
        Var::new(self.first(place) + 2 + self.arguments + var.index())
    }
    fn start(&self) -> i128 {
        -1
    }
    fn error(&self) -> i128 {
        self.horn.predicates.len() as i128
    }

    /// The step from a place to the next.
    fn step(&mut self, place: usize) -> Formula {
        let is = |var: Var, value: i128| Formula::eq(&Linear::var(var), &Linear::constant(value));
        let rules = self.horn.rules.iter().enumerate().map(|(number, rule)| {
            let own = |term: &Linear| term.substitute(&mut |var| Some(Linear::var(self.own(place, var))));
            let (from, to) = (rule.body.as_ref(), rule.head.as_ref());
            let mut parts =
                vec![is(self.rule(place), number as i128), rule.condition.rename(&mut |var| self.own(place, var))];
            parts.push(is(self.at(place), from.map_or(self.start(), |from| from.predicate.index() as i128)));
            parts.push(is(self.at(place + 1), to.map_or(self.error(), |to| to.predicate.index() as i128)));
            for (end, application) in [(place, from), (place + 1, to)] {
                for (at, argument) in
                    application.iter().flat_map(|application| application.arguments.iter().enumerate())
                {
                    parts.push(Formula::eq(&self.argument(end, at), &own(argument)));
                }
            }
            Formula::and(parts)
        });
        let step = Formula::or(rules);
        if place == 0 { Formula::and([step, is(self.at(0), self.start())]) } else { step }
    }

    fn derivation(&self, steps: usize, model: &Model) -> Derivation {
        let step = |place: usize| {
            let rule = model.value(self.rule(place)) as usize;
            let mut values = Model::default();
            self.horn.rules[rule].visit_vars(&mut |var| values.set(var, model.value(self.own(place, var))));
            Derived { rule, model: values }
        };
        Derivation { steps: (0..steps).map(step).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::horn::Application;

    #[test]
    fn the_shortest_path_is_found() {
        // Up by one or by three, from 0 to 7.
        let mut horn = Horn::new();
        let at = horn.add_predicate("number", 1);
        let x = Linear::var(Var(0));
        let number = |term: Linear| Application::new(at, [term]);
        horn.add_rule(Some(number(Linear::constant(0))), None, Formula::True);
        horn.add_rule(Some(number(x.plus_constant(1))), Some(number(x.clone())), Formula::True);
        horn.add_rule(Some(number(x.plus_constant(3))), Some(number(x.clone())), Formula::True);
        horn.add_rule(None, Some(number(x.clone())), Formula::eq(&x, &Linear::constant(7)));
        let found = search(&horn, &Budget::unlimited()).expect("there is one");
        assert!(horn.derives(&found));
        let mut rules = found.rules();
        rules.sort_unstable();
        assert_eq!(rules, [0, 1, 2, 2, 3]);
    }
}
