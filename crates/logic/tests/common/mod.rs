//! What the tests share: random numbers, and the operations as the interpreter computes them.

#![allow(dead_code, reason = "each test uses a part")]

use base::Rng;
use ir::eval;
use ir::{BinOp, Ty, UnOp};
use logic::{Lit, Solver, Term, Terms};

/// Corner values as often as others.
pub fn value(random: &mut Rng, width: u32) -> u128 {
    let any = u128::from(random.next()) << 64 | u128::from(random.next());
    let value = match random.below(8) {
        0 => random.below(4) as u128,
        1 => u128::MAX - random.below(3) as u128,
        // Around the sign.
        2 | 3 => (1u128 << (width - 1)).wrapping_add(random.below(5) as u128).wrapping_sub(2),
        4 => 1u128 << random.below(width as usize),
        5 => any >> random.below(128),
        _ => any,
    };
    mask(value, width)
}

pub fn mask(value: u128, width: u32) -> u128 {
    if width == 128 { value } else { value & ((1 << width) - 1) }
}

/// Variables by number, each with the sign it has.
pub type Clause = Vec<(usize, bool)>;

/// Does an assignment, a bit for each variable, satisfy all clauses?
pub fn holds(clauses: &[Clause], assignment: u32) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|&(variable, sign)| (assignment >> variable & 1 == 1) == sign))
}

pub fn with_sign(lit: Lit, sign: bool) -> Lit {
    if sign { lit } else { !lit }
}

/// Random literals of so many variables, told to the solver as a clause.
pub fn random_clause(random: &mut Rng, length: usize, lits: &[Lit], solver: &mut Solver) -> Clause {
    let clause: Clause = (0..length).map(|_| (random.below(lits.len()), random.one_in(2))).collect();
    solver.clause(&clause.iter().map(|&(variable, sign)| with_sign(lits[variable], sign)).collect::<Vec<_>>());
    clause
}

pub type Unary = (UnOp, fn(&mut Terms, Term) -> Term);
pub type Binary = (BinOp, fn(&mut Terms, Term, Term) -> Term);

pub const UNARY: [Unary; 7] = [
    (UnOp::Not, Terms::not),
    (UnOp::Neg, Terms::neg),
    (UnOp::PopCount, Terms::popcount),
    (UnOp::LeadingZeros, Terms::leading_zeros),
    (UnOp::TrailingZeros, Terms::trailing_zeros),
    (UnOp::ByteSwap, Terms::byte_swap),
    (UnOp::BitReverse, Terms::bit_reverse),
];

pub const BINARY: [Binary; 19] = [
    (BinOp::Add, Terms::add),
    (BinOp::Sub, Terms::sub),
    (BinOp::Mul, Terms::mul),
    (BinOp::UDiv, Terms::udiv),
    (BinOp::URem, Terms::urem),
    (BinOp::SDiv, Terms::sdiv),
    (BinOp::SRem, Terms::srem),
    (BinOp::Shl, Terms::shl),
    (BinOp::LShr, Terms::lshr),
    (BinOp::AShr, Terms::ashr),
    (BinOp::And, Terms::and),
    (BinOp::Or, Terms::or),
    (BinOp::Xor, Terms::xor),
    (BinOp::Eq, Terms::eq),
    (BinOp::Ne, Terms::ne),
    (BinOp::ULt, Terms::ult),
    (BinOp::ULe, Terms::ule),
    (BinOp::SLt, Terms::slt),
    (BinOp::SLe, Terms::sle),
];

pub fn unary(op: UnOp, width: u32, value: u128) -> u128 {
    eval::unary(op, Ty::Int(width as u8), width, value)
}

/// None where the interpreter has no value either.
pub fn binary(op: BinOp, width: u32, left: u128, right: u128) -> Option<u128> {
    eval::binary(op, Ty::Int(width as u8), width, left, right).ok()
}
