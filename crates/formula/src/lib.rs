//! Formulas of linear arithmetic over mathematical integers: pure data, with the little rewriting that keeps them small.
//!
//! What the symbolic engines learn, what their proofs state and what the checker of those proofs reads is written in this
//! language.  Every variable is an integer; truth values of a program are 0 and 1.  Formulas are in negation normal form
//! by construction: [`Formula::not`] pushes the negation down to the literals.

mod display;
pub mod interval;
mod linear;
mod node;
mod width;

pub use display::{Names, Shown};
pub use linear::{Atom, Choice, Linear, Quotient, gcd};
pub use node::Formula;
pub use width::{TooWide, within_width};

base::id!(
    /// A variable; who made it knows what it stands for.
    pub struct Var, "v"
);

/// From here on variables are inputs: nobody else makes that many.
const FIRST_INPUT: u32 = 1 << 30;

impl Var {
    /// The input with this number, of whatever step it is that has inputs: not part of a state.
    pub const fn input(number: usize) -> Var {
        Var(FIRST_INPUT + number as u32)
    }
    pub fn as_input(self) -> Option<usize> {
        self.0.checked_sub(FIRST_INPUT).map(|number| number as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x() -> Linear {
        Linear::var(Var(0))
    }
    fn y() -> Linear {
        Linear::var(Var(1))
    }
    fn shown(formula: &Formula) -> String {
        formula.display(&|var| ["x", "y"][base::Id::index(var)].to_string()).to_string()
    }

    #[test]
    fn atoms_are_normalised() {
        // 2x - 4y <= 5 iff x - 2y <= 2
        let atom = Formula::le(&x().scale(2).plus_multiple(&y(), -4), &Linear::constant(5));
        assert_eq!(shown(&atom), "x <= 2*y + 2");
        assert_eq!(Formula::eq(&x().scale(2), &Linear::constant(5)), Formula::False);
        assert_eq!(Formula::eq(&x(), &y()), Formula::eq(&y(), &x()));
        assert_eq!(shown(&Formula::le(&Linear::constant(3), &x())), "x >= 3");
        assert_eq!(shown(&Formula::le(&Linear::constant(3), &x()).not()), "x <= 2");
    }

    #[test]
    fn constants_and_opposites_are_decided() {
        let atom = Formula::lt(&x(), &y());
        assert_eq!(Formula::and([atom.clone(), atom.not()]), Formula::False);
        assert_eq!(Formula::or([atom.clone(), atom.not(), Formula::False]), Formula::True);
        let equal = Formula::eq(&x(), &y());
        assert_eq!(Formula::and([equal.clone(), equal.not()]), Formula::False);
    }

    #[test]
    fn substitution_agrees_with_evaluation() {
        let choice = Linear::choice(Formula::le(&x(), &y()), x().floor_div(3), y().floor_mod(4));
        let formula =
            Formula::or([Formula::eq(&choice, &Linear::constant(1)), Formula::divides(3, x().plus(&y())).not()]);
        for a in -5..6 {
            for b in -5..6 {
                let value = |var: Var| if var == Var(0) { a } else { b };
                let replaced = formula.substitute(&mut |var| Some(Linear::constant(value(var))));
                assert_eq!(replaced, Formula::of(formula.eval(&value)), "x = {a}, y = {b}");
                assert_eq!(formula.not().eval(&value), !formula.eval(&value));
            }
        }
    }
}
