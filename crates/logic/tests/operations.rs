//! Each operation at each width against the interpreter's arithmetic, in three ways: folded from constants, evaluated,
//! and solved.

mod common;

use base::{Budget, Rng};
use common::{BINARY, UNARY, binary, mask, unary, value};
use ir::BinOp;
use logic::{Answer, Solver, Term, Terms};

fn widths() -> impl Iterator<Item = u32> {
    (1..=64).chain([80, 128])
}

fn is_large(op: BinOp) -> bool {
    matches!(op, BinOp::Mul | BinOp::UDiv | BinOp::URem | BinOp::SDiv | BinOp::SRem)
}

/// Operands that are variables, and what they are to be.
struct Case {
    operands: Vec<(Term, u128)>,
    result: Term,
    expected: u128,
    what: String,
}

fn check_evaluation(terms: &Terms, case: &Case) {
    let found = terms.evaluate(case.result, &mut |variable| {
        case.operands.iter().find(|(operand, _)| *operand == variable).expect("an operand").1
    });
    assert_eq!(found, case.expected, "evaluated: {}", case.what);
}

/// All cases in one solver, each under its own assumptions.
fn check_solver(terms: &mut Terms, cases: &[Case]) {
    let mut solver = Solver::new();
    for case in cases {
        let mut assumptions = Vec::new();
        for &(operand, value) in &case.operands {
            let value = terms.constant(terms.width(operand), value);
            let same = terms.eq(operand, value);
            assumptions.push(solver.literal(terms, same));
        }
        let bits = solver.literals(terms, case.result);
        assert_eq!(solver.solve(&assumptions, &Budget::unlimited()), Answer::Satisfiable, "{}", case.what);
        assert_eq!(solver.value_of(terms, case.result), case.expected, "read from the model: {}", case.what);
        for (bit, &lit) in bits.iter().enumerate() {
            assert_eq!(solver.value(lit), case.expected >> bit & 1 == 1, "bit {bit} of {}", case.what);
        }
        let expected = terms.constant(terms.width(case.result), case.expected);
        let other = terms.ne(case.result, expected);
        assumptions.push(solver.literal(terms, other));
        assert_eq!(solver.solve(&assumptions, &Budget::unlimited()), Answer::Unsatisfiable, "{}", case.what);
    }
}

#[test]
fn unary_operations_are_the_interpreters() {
    let mut random = Rng::new(1);
    for width in widths() {
        let mut terms = Terms::new();
        let mut cases = Vec::new();
        let x = terms.variable(width, "x");
        for (op, build) in UNARY {
            for round in 0..20 {
                let value = value(&mut random, width);
                let expected = unary(op, width, value);
                let what = format!("{op:?} of {value:#x} at width {width}");
                let constant = terms.constant(width, value);
                let folded = build(&mut terms, constant);
                assert_eq!(terms.as_constant(folded), Some(expected), "folded: {what}");
                let result = build(&mut terms, x);
                assert_eq!(terms.width(result), width);
                let case = Case { operands: vec![(x, value)], result, expected, what };
                check_evaluation(&terms, &case);
                if round < 2 {
                    cases.push(case);
                }
            }
        }
        check_solver(&mut terms, &cases);
    }
}

#[test]
fn binary_operations_are_the_interpreters() {
    let mut random = Rng::new(2);
    for width in widths() {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable(width, "x"), terms.variable(width, "y"));
        for (op, build) in BINARY {
            // A solver for each operation: to answer, it assigns everything it was ever told of.
            let mut cases = Vec::new();
            for round in 0..30 {
                let (left, right) = (value(&mut random, width), value(&mut random, width));
                let Some(expected) = binary(op, width, left, right) else { continue };
                let what = format!("{left:#x} {op:?} {right:#x} at width {width}");
                let (a, b) = (terms.constant(width, left), terms.constant(width, right));
                let folded = build(&mut terms, a, b);
                assert_eq!(terms.as_constant(folded), Some(expected), "folded: {what}");
                // With both, with one and with the other operand known when the term is made.
                let forms = [
                    (build(&mut terms, x, y), vec![(x, left), (y, right)]),
                    (build(&mut terms, x, b), vec![(x, left)]),
                    (build(&mut terms, a, y), vec![(y, right)]),
                ];
                for (form, (result, operands)) in forms.into_iter().enumerate() {
                    let what = format!("{what}, form {form}");
                    let case = Case { operands, result, expected, what };
                    check_evaluation(&terms, &case);
                    // Wide multipliers and dividers take time: there, one form each.  Constant divisors have a circuit of
                    // their own.
                    let small = width <= 24 || !is_large(op);
                    let by_constant = form == 1 && round < 2 && is_large(op);
                    if by_constant || round == 0 && (small || width as usize % 3 == form) {
                        cases.push(case);
                    }
                }
            }
            check_solver(&mut terms, &cases);
        }
    }
}

/// Shift amounts may have another width than what is shifted.
#[test]
fn shift_amounts_of_other_widths_count_modulo_the_width() {
    let mut random = Rng::new(3);
    let shifts = BINARY.into_iter().filter(|(op, _)| matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr));
    for (op, build) in shifts {
        for _ in 0..60 {
            let (width, amount_width) = (1 + random.below(128) as u32, 1 + random.below(128) as u32);
            let mut terms = Terms::new();
            let (x, y) = (terms.variable(width, "x"), terms.variable(amount_width, "y"));
            let (left, right) = (value(&mut random, width), value(&mut random, amount_width));
            let expected = binary(op, width, left, right).expect("a shift has a value");
            let result = build(&mut terms, x, y);
            let what = format!("{left:#x} {op:?} {right:#x} at widths {width} and {amount_width}");
            let case = Case { operands: vec![(x, left), (y, right)], result, expected, what };
            check_evaluation(&terms, &case);
            if amount_width <= 20 {
                check_solver(&mut terms, &[case]);
            }
        }
    }
}

#[test]
fn slices_and_extensions_move_bits() {
    let mut random = Rng::new(4);
    for width in widths() {
        let mut terms = Terms::new();
        let x = terms.variable(width, "x");
        let mut cases = Vec::new();
        for _ in 0..10 {
            let value = value(&mut random, width);
            let operands = vec![(x, value)];
            let wider = width + random.below(129 - width as usize) as u32;
            let result = terms.zext(x, wider);
            cases.push(Case { operands: operands.clone(), result, expected: value, what: "zext".into() });
            let result = terms.sext(x, wider);
            let negative = value >> (width - 1) & 1 == 1;
            let expected = if negative { mask(u128::MAX, wider) ^ mask(u128::MAX, width) | value } else { value };
            cases.push(Case { operands: operands.clone(), result, expected, what: "sext".into() });
            let low = random.below(width as usize) as u32;
            let part = 1 + random.below((width - low) as usize) as u32;
            let result = terms.extract(x, low, part);
            let expected = mask(value >> low, part);
            cases.push(Case { operands: operands.clone(), result, expected, what: "extract".into() });
            if width <= 64 {
                let result = terms.concat(x, x);
                cases.push(Case { operands, result, expected: value << width | value, what: "concat".into() });
            }
        }
        for case in &cases {
            check_evaluation(&terms, case);
        }
        cases.truncate(8);
        check_solver(&mut terms, &cases);
    }
}
