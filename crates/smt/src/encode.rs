//! Formulas as Z3's terms.

use base::Id;
use formula::{Atom, Formula, Linear, Var};
use rustc_hash::FxHashMap;
use z3::ast::{Bool, Int};

/// What was translated before.  Variables and literals are kept, since they come again; Z3 itself shares the rest.
#[derive(Default)]
pub struct Encoder {
    vars: FxHashMap<Var, Int>,
    atoms: FxHashMap<Atom, Int>,
    literals: FxHashMap<Formula, Bool>,
}

/// Before the number of a variable in Z3's name for it.  Z3's own names have an exclamation mark.
const PREFIX: &str = "v";

/// The variable with this name.
pub fn named(name: &str) -> Option<Var> {
    let digits = name.strip_prefix(PREFIX)?;
    digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit())).map(Var::new)
}

impl Encoder {
    pub fn var(&mut self, var: Var) -> Int {
        self.vars.entry(var).or_insert_with(|| Int::new_const(format!("{PREFIX}{}", var.index()))).clone()
    }

    pub fn linear(&mut self, term: &Linear) -> Int {
        let mut sum = Vec::with_capacity(term.terms().len() + 1);
        for (atom, factor) in term.terms() {
            let atom = self.atom(atom);
            sum.push(if *factor == 1 { atom } else { Int::mul(&[number(*factor), atom]) });
        }
        if term.offset() != 0 || sum.is_empty() {
            sum.push(number(term.offset()));
        }
        match sum.len() {
            1 => sum.remove(0),
            _ => Int::add(&sum),
        }
    }

    fn atom(&mut self, atom: &Atom) -> Int {
        if let Atom::Var(var) = atom {
            return self.var(*var);
        }
        if let Some(known) = self.atoms.get(atom) {
            return known.clone();
        }
        let made = match atom {
            Atom::Var(var) => self.var(*var),
            Atom::Choice(choice) => {
                let (then, other) = (self.linear(&choice.then), self.linear(&choice.other));
                self.formula(&choice.condition).ite(&then, &other)
            }
            // Z3 rounds so that the remainder is not negative, which for positive divisors is rounding down.
            Atom::Div(quotient) => self.linear(&quotient.dividend).div(number(quotient.divisor)),
            Atom::Mod(quotient) => self.linear(&quotient.dividend).modulo(number(quotient.divisor)),
        };
        self.atoms.insert(atom.clone(), made.clone());
        made
    }

    pub fn formula(&mut self, formula: &Formula) -> Bool {
        match formula {
            Formula::True => return Bool::from_bool(true),
            Formula::False => return Bool::from_bool(false),
            Formula::And(parts) => return Bool::and(&parts.iter().map(|part| self.formula(part)).collect::<Vec<_>>()),
            Formula::Or(parts) => return Bool::or(&parts.iter().map(|part| self.formula(part)).collect::<Vec<_>>()),
            Formula::Le(_) | Formula::Eq(_) | Formula::Ne(_) | Formula::Divides(..) | Formula::NotDivides(..) => {}
        }
        if let Some(known) = self.literals.get(formula) {
            return known.clone();
        }
        let zero = Int::from_i64(0);
        let made = match formula {
            Formula::Le(term) => self.without_offset(term).le(number(-term.offset())),
            Formula::Eq(term) => self.without_offset(term).eq(number(-term.offset())),
            Formula::Ne(term) => self.without_offset(term).eq(number(-term.offset())).not(),
            Formula::Divides(divisor, term) => self.linear(term).modulo(number(*divisor)).eq(zero),
            Formula::NotDivides(divisor, term) => self.linear(term).modulo(number(*divisor)).eq(zero).not(),
            Formula::True | Formula::False | Formula::And(_) | Formula::Or(_) => unreachable!("returned above"),
        };
        self.literals.insert(formula.clone(), made.clone());
        made
    }

    /// Z3 likes constants on the right.
    fn without_offset(&mut self, term: &Linear) -> Int {
        self.linear(&term.plus_constant(-term.offset()))
    }
}

pub fn number(value: i128) -> Int {
    match i64::try_from(value) {
        Ok(value) => Int::from_i64(value),
        Err(_) => Int::from_i128(value),
    }
}
