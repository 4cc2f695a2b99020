//! A conjunction of simple literals that holds in a model and implies a formula.
//!
//! Only what mentions the variables of interest is taken apart; the rest stays whole, which keeps what is learnt general.

use crate::Model;
use base::Id;
use formula::{Atom, Formula, Linear, Var};
use rustc_hash::{FxHashMap, FxHashSet};

pub struct Cube {
    /// The variables of interest: those asked for, and those made to stand for quotients of them.
    pub vars: FxHashSet<Var>,
    /// With values for the variables that were made.
    pub model: Model,
    /// Parts without variables of interest, as they were.
    pub rest: Vec<Formula>,
    /// `Le`, `Eq` and `Divides`, in which these variables are nowhere inside of an atom.
    pub literals: Vec<Formula>,
    quotients: FxHashMap<(Linear, i128), Var>,
    next: usize,
}

impl Cube {
    /// A cube that implies the formula, which the model satisfies.
    pub fn of(formula: &Formula, vars: FxHashSet<Var>, model: Model) -> Self {
        let mut cube = Cube::new(vars, model);
        cube.make_room(|visit| formula.visit_vars(visit));
        cube.add(formula);
        cube
    }
    fn new(vars: FxHashSet<Var>, model: Model) -> Self {
        let next = vars.iter().map(|var| var.index() + 1).max().unwrap_or(0);
        Cube { vars, model, rest: Vec::new(), literals: Vec::new(), quotients: FxHashMap::default(), next }
    }
    /// New variables come after those that are visited.
    pub fn make_room(&mut self, visit: impl FnOnce(&mut dyn FnMut(Var))) {
        visit(&mut |var| self.next = self.next.max(var.index() + 1));
    }

    fn add(&mut self, formula: &Formula) {
        if !self.concerns(|visit| formula.visit_vars(visit)) {
            self.rest.push(formula.clone());
            return;
        }
        match formula {
            Formula::True | Formula::False => {}
            Formula::And(parts) => parts.iter().for_each(|part| self.add(part)),
            Formula::Or(parts) => {
                let holds = parts.iter().filter(|part| self.model.eval(part));
                // One that says little about the variables leaves more of them.
                let part = holds.min_by_key(|part| (self.occurrences(part), part.size()));
                self.add(part.expect("the model satisfies the formula"));
            }
            Formula::Le(term) => {
                let literal = Formula::at_most_zero(self.flat(term));
                self.push(literal);
            }
            Formula::Eq(term) => {
                let literal = Formula::is_zero(self.flat(term));
                self.push(literal);
            }
            Formula::Ne(term) => {
                let sign = if self.model.eval_term(term) < 0 { 1 } else { -1 };
                let literal = Formula::at_most_zero(self.flat(term).scale(sign).plus_constant(1));
                self.push(literal);
            }
            Formula::Divides(divisor, term) => {
                let literal = Formula::divides(*divisor, self.flat(term));
                self.push(literal);
            }
            Formula::NotDivides(divisor, term) => {
                let term = self.flat(term);
                let remainder = self.remainder(term, *divisor);
                self.push(Formula::le(&Linear::constant(1), &remainder));
            }
        }
    }
    fn push(&mut self, literal: Formula) {
        if literal != Formula::True {
            self.literals.push(literal);
        }
    }

    /// The term without variables of interest inside of atoms, equal to it where the cube holds.
    pub fn flat(&mut self, term: &Linear) -> Linear {
        let mut sum = Linear::constant(term.offset());
        for (atom, factor) in term.terms() {
            let whole = Linear::atom(atom.clone());
            let flat = match atom {
                Atom::Var(_) => whole,
                _ if !self.concerns(|visit| whole.visit_vars(visit)) => whole,
                Atom::Choice(choice) if self.model.eval(&choice.condition) => {
                    self.add(&choice.condition);
                    self.flat(&choice.then)
                }
                Atom::Choice(choice) => {
                    self.add(&choice.condition.not());
                    self.flat(&choice.other)
                }
                Atom::Div(quotient) => {
                    let dividend = self.flat(&quotient.dividend);
                    Linear::var(self.quotient(dividend, quotient.divisor))
                }
                Atom::Mod(quotient) => {
                    let dividend = self.flat(&quotient.dividend);
                    self.remainder(dividend, quotient.divisor)
                }
            };
            sum = sum.plus_multiple(&flat, *factor);
        }
        sum
    }

    /// A variable for the quotient, of interest as well.
    fn quotient(&mut self, dividend: Linear, divisor: i128) -> Var {
        let key = (dividend, divisor);
        if let Some(known) = self.quotients.get(&key) {
            return *known;
        }
        let var = Var::new(self.next);
        self.next += 1;
        self.vars.insert(var);
        self.model.set(var, self.model.eval_term(&key.0).div_euclid(divisor));
        let rest = key.0.plus_multiple(&Linear::var(var), -divisor);
        self.push(Formula::le(&Linear::constant(0), &rest));
        self.push(Formula::le(&rest, &Linear::constant(divisor - 1)));
        self.quotients.insert(key, var);
        var
    }
    fn remainder(&mut self, dividend: Linear, divisor: i128) -> Linear {
        let quotient = self.quotient(dividend.clone(), divisor);
        dividend.plus_multiple(&Linear::var(quotient), -divisor)
    }

    fn concerns(&self, visit: impl FnOnce(&mut dyn FnMut(Var))) -> bool {
        let mut found = false;
        visit(&mut |var| found |= self.vars.contains(&var));
        found
    }
    fn occurrences(&self, formula: &Formula) -> usize {
        let mut count = 0;
        formula.visit_vars(&mut |var| count += usize::from(self.vars.contains(&var)));
        count
    }
}
