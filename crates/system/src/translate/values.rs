//! Numbers of the machine as integers.
//!
//! A number of `w` bits is kept in one of three ways:
//!
//! * *signed*: the integer it is, read as a signed number;
//! * *unsigned*: likewise;
//! * *ring*: any integer that is congruent to it modulo `2^w`.
//!
//! In the first two the system is exact: where the result of an operation may leave the range of the type, the wrap is
//! written down.  In the third sums, differences and multiples are left as they are, which keeps terms linear; two such
//! numbers are equal in the machine if and only if the modulus divides their difference.  Ring numbers are turned into the
//! others exactly (by a remainder), so which numbers are ring numbers (`modes`) is a question of taste, not of soundness.

pub use super::meaning::{Home, Mode};
use super::ranges::Ranges;
use base::{IdVec, Interval, Pos};
use claim::modular::Ints;
use formula::{Formula, Linear, Var};

/// What a register holds.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// An `i1`.
    Truth(Formula),
    Number(Number),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Number {
    pub term: Linear,
    pub mode: Mode,
    pub bits: u32,
}

impl Value {
    /// What a term of so many bits stands for, in the mode.
    pub fn of(term: Linear, mode: Mode, bits: u32) -> Value {
        match bits {
            1 => Value::Truth(Formula::is(&term, 1)),
            bits => Value::Number(Number { term, mode, bits }),
        }
    }
}

impl Number {
    pub fn constant(value: u128, bits: u32) -> Number {
        Number { term: Linear::constant(ir::signed(value, bits)), mode: Mode::Signed, bits }
    }
}

#[derive(Clone, Debug)]
pub struct VarInfo {
    pub name: String,
    pub home: Home,
    pub range: Interval,
    pub mode: Mode,
    pub bits: u32,
}

/// The variables made so far, and what had to be approximated.
#[derive(Default)]
pub struct Vars {
    pub all: IdVec<Var, VarInfo>,
    pub ints: Ints,
    pub notes: Vec<(Pos, String)>,
}

impl Vars {
    /// Whether numbers do not wrap.
    pub fn math(&self) -> bool {
        self.ints == Ints::Mathematical
    }

    pub fn note(&mut self, pos: Pos, what: &str) {
        if !self.notes.iter().any(|(at, other)| *at == pos && other == what) {
            self.notes.push((pos, what.to_string()));
        }
    }

    /// A term of any size as a number of the type: exactly, unless numbers do not wrap.
    pub fn wrap(&self, ranges: &Ranges, term: Linear, bits: u32, mode: Mode) -> Linear {
        if self.math() || mode == Mode::Ring {
            return term;
        }
        let range = ranges.of(self, &term);
        let home = mode.range(bits);
        let Interval { low: least, high: most } = home;
        let modulus = 1i128 << bits;
        if home.contains(range) {
            return term;
        }
        if Interval::between(least - modulus, most + modulus).contains(range) {
            let mut res = term.clone();
            if range.low < least {
                let below = ranges.le_zero(self, term.plus_constant(1 - least));
                res = Linear::choice(below, term.plus_constant(modulus), res);
            }
            if range.high > most {
                let above = ranges.le_zero(self, term.scale(-1).plus_constant(most + 1));
                res = Linear::choice(above, term.plus_constant(-modulus), res);
            }
            return res;
        }
        term.plus_constant(-least).floor_mod(modulus).plus_constant(least)
    }

    /// A number kept in another way.
    pub fn convert(&self, ranges: &Ranges, number: &Number, mode: Mode) -> Linear {
        if number.mode == mode || mode == Mode::Ring || self.math() {
            return number.term.clone();
        }
        self.wrap(ranges, number.term.clone(), number.bits, mode)
    }

    /// Where two numbers of the same type are equal.
    pub fn equal(&self, ranges: &Ranges, a: &Number, b: &Number) -> Formula {
        let ring = a.mode == Mode::Ring || b.mode == Mode::Ring;
        if ring && !self.math() {
            let apart = a.term.minus(&b.term);
            return ranges.decide(self, Formula::divides(1 << a.bits, apart));
        }
        let other = self.convert(ranges, b, a.mode);
        ranges.eq_zero(self, a.term.minus(&other))
    }
}
