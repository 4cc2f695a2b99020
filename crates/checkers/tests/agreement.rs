//! Random programs: the checkers agree with each other and with the exhaustive exploration of a small range.

mod random;

use base::{Budget, Rng};
use checkers::{Acyclic, Checked, Checker, Sequential, Spacer, certify, is_on, replay};
use formula::{Formula, Linear, Var};
use random::explore::{Explored, explore};
use smt::Bound;
use std::time::Duration;

/// Counts of answers.
#[derive(Default, Debug)]
struct Count {
    safe: u32,
    unsafe_: u32,
    unknown: u32,
}

/// Compares an answer with what was explored: a failing execution counts by itself, a proof must not hide any.
fn compare(program: &Sequential, explored: &Explored, checked: &Checked, count: &mut Count) {
    match checked {
        Checked::Safe(_) => {
            assert!(!matches!(explored, Explored::Unsafe(_)), "{explored:?}\n{program:#?}");
            count.safe += 1;
        }
        Checked::Unsafe(path) => {
            assert_eq!(replay(program, path), Ok(()), "{program:#?}");
            count.unsafe_ += 1;
        }
        Checked::Unknown(_) => count.unknown += 1,
    }
}

#[test]
fn acyclic_programs() {
    let mut random = Rng::new(1);
    let mut count = Count::default();
    for number in 0..4000 {
        let program = match number % 2 {
            0 => random::program(&mut random, false),
            _ => random::layered(&mut random),
        };
        let explored = explore(&program, random::RANGE, 20_000);
        compare(&program, &explored, &Acyclic.check(&program, &Budget::unlimited()), &mut count);
    }
    assert!(count.safe > 500 && count.unsafe_ > 500 && count.unknown == 0, "{count:?}");
}

#[test]
fn acyclic_programs_as_clauses() {
    let mut random = Rng::new(4);
    let mut count = Count::default();
    let budget = Budget::unlimited();
    for _ in 0..300 {
        let program = random::program(&mut random, false);
        let checked = Spacer::default().check(&program, &budget);
        let same = match (&checked, Acyclic.check(&program, &budget)) {
            (Checked::Safe(Some(invariants)), Checked::Safe(_)) => certify(&program, invariants, &budget) == Ok(()),
            (Checked::Unsafe(_), Checked::Unsafe(_)) | (Checked::Unknown(_), _) => true,
            _ => false,
        };
        assert!(same, "{checked:?}\n{program:#?}");
        compare(&program, &Explored::TooMany, &checked, &mut count);
    }
    assert!(count.safe > 50 && count.unsafe_ > 50 && count.unknown < 10, "{count:?}");
}

#[test]
fn cyclic_programs() {
    let mut random = Rng::new(5);
    let mut count = Count::default();
    for number in 0..400 {
        let program = random::program(&mut random, true);
        let explored = explore(&program, random::RANGE, 20_000);
        let mut spacer = Spacer { large_blocks: number % 4 > 0 };
        let checked = spacer.check(&program, &Budget::unlimited().within(Duration::from_secs(2)));
        if let Checked::Safe(invariants) = &checked {
            let invariants = invariants.as_ref().expect("Spacer gives invariants");
            assert_eq!(certify(&program, invariants, &Budget::unlimited()), Ok(()));
        }
        compare(&program, &explored, &checked, &mut count);
    }
    assert!(count.safe > 80 && count.unsafe_ > 80 && count.unknown < 10, "{count:?}");
}

#[test]
fn the_guards_that_are_needed_suffice() {
    let mut random = Rng::new(2);
    let budget = Budget::unlimited();
    let (mut with_some, mut too_many) = (0, 0);
    for _ in 0..1500 {
        let program = random::program(&mut random, false);
        // Each guard with a switch of its own.
        let first = base::Id::index(program.first_free());
        let switches: Vec<Var> = (0..program.graph.edges.len()).map(|edge| base::Id::new(first + edge)).collect();
        let guarded = |on: &dyn Fn(usize, &Formula) -> Formula| {
            let mut program = program.clone();
            for (number, edge) in program.graph.edges.iter_mut().enumerate() {
                edge.step.guard = on(number, &edge.step.guard);
            }
            program
        };
        let switched = guarded(&|edge, guard| Formula::or([is_on(switches[edge]).not(), guard.clone()]));
        let needed = match Acyclic.check_with(&switched, &switches, &budget) {
            Ok(needed) => needed,
            Err(Checked::Unsafe(path)) => {
                assert_eq!(replay(&program, &replayed(&program, &path)), Ok(()));
                assert!(matches!(Acyclic.check(&program, &budget), Checked::Unsafe(_)));
                continue;
            }
            Err(other) => panic!("{other:?}"),
        };
        let without = |kept: &dyn Fn(usize) -> bool| {
            let fewer = guarded(&|edge, guard| if kept(edge) { guard.clone() } else { Formula::True });
            Acyclic.check(&fewer, &budget)
        };
        assert_eq!(without(&|at| needed.contains(&at)), Checked::Safe(None), "{program:#?}");
        for left_out in &needed {
            let rest = without(&|at| needed.contains(&at) && at != *left_out);
            too_many += u32::from(!matches!(rest, Checked::Unsafe(_)));
        }
        with_some += u32::from(!needed.is_empty());
    }
    // The solver spends a limited time on leaving some out.
    assert!(with_some > 30 && too_many * 20 < with_some, "{with_some}, {too_many}");
}

/// The path as one of the program without switches.
fn replayed(program: &Sequential, path: &checkers::Path) -> checkers::Path {
    checkers::execute(program, &path.edges, &path.states[0], &path.choices).expect("it is a path with all guards")
}

#[test]
fn the_maximum_is_reached_and_not_passed() {
    let mut random = Rng::new(3);
    let budget = Budget::unlimited();
    let (mut values, mut unbounded) = (0, 0);
    for _ in 0..600 {
        let program = random::program(&mut random, false);
        let objective = Linear::var(Var(0)).scale(2).plus_constant(1);
        // The program that fails only where this does not hold.
        let asserting = |claim: Formula| {
            let mut program = program.clone();
            for edge in &mut program.graph.edges {
                edge.step.fails = Formula::and([edge.step.fails.clone(), claim.not()]);
            }
            Acyclic.check(&program, &budget)
        };
        match Acyclic.maximise(&program, &objective, &budget).expect("small programs are decided") {
            Bound::Value(value) => {
                let most = Linear::constant(value);
                assert_eq!(asserting(Formula::le(&objective, &most)), Checked::Safe(None), "{program:#?}");
                assert!(matches!(asserting(Formula::lt(&objective, &most)), Checked::Unsafe(_)), "{program:#?}");
                values += 1;
            }
            Bound::Empty => assert_eq!(asserting(Formula::False), Checked::Safe(None), "{program:#?}"),
            Bound::Unbounded => {
                let far = asserting(Formula::le(&objective, &Linear::constant(1_000_000)));
                assert!(matches!(far, Checked::Unsafe(_)), "{program:#?}");
                unbounded += 1;
            }
        }
    }
    assert!(values > 50, "{values} values, {unbounded} without a bound");
}
