//! Small programs whose answers are plain.

mod random;

use base::Budget;
use checkers::{Acyclic, Checked, Checker, Sequential, Spacer, execute, replay};
use formula::{Formula, Linear, Var};
use random::explore::{Explored, explore};
use random::{any, sequential, step};
use transition::Step;

const X: Var = Var(0);
const Y: Var = Var(1);

fn x() -> Linear {
    Linear::var(X)
}
fn y() -> Linear {
    Linear::var(Y)
}
fn at_most(term: Linear, bound: i128) -> Formula {
    Formula::le(&term, &Linear::constant(bound))
}

/// A program over x and y.
fn program(edges: Vec<(u32, u32, Step)>) -> Sequential {
    sequential(&["x", "y"], edges.into_iter().map(|(from, to, step)| (from, to, step, "")).collect())
}

/// x counts to 3 by steps of 1 while y is chosen below it; at the end x is claimed to be at most `bound`.
fn counting(bound: i128) -> Sequential {
    let up = step().assume(&at_most(x(), 2)).assign(X, &x().plus_constant(1));
    program(vec![
        (0, 1, step().assign(X, &Linear::constant(0))),
        (1, 1, any(up, Y).assume(&Formula::lt(&y(), &x()))),
        (1, 2, step().check(&at_most(x(), bound)).check(&Formula::le(&y(), &x()))),
    ])
}

#[test]
fn a_path_is_executed_or_refused() {
    let program = counting(2);
    let choices = vec![vec![], vec![0], vec![1], vec![-2], vec![]];
    let path = execute(&program, &[0, 1, 1, 1, 2], &Default::default(), &choices).unwrap();
    assert_eq!(path.states.len(), 5);
    assert_eq!((path.states[4][&X], path.states[4][&Y]), (3, -2));
    assert_eq!(replay(&program, &path), Ok(()));
    let mut other = path.clone();
    other.states[2].insert(X, 7);
    assert!(replay(&program, &other).is_err());
    let mut other = path.clone();
    other.choices[1][0] = 5;
    assert_eq!(replay(&program, &other), Err("edge 1 cannot be taken".into()));
    let refused = |edges: &[usize]| execute(&program, edges, &Default::default(), &[]).unwrap_err();
    assert_eq!(refused(&[0, 1]), "nothing fails");
    assert_eq!(refused(&[1]), "edge 1 leaves l1, the execution is at l0");
    assert_eq!(refused(&[0, 9]), "there is no edge 9");
}

#[test]
fn all_executions_of_a_small_range_are_followed() {
    let Explored::Unsafe(path) = explore(&counting(2), -2..3, 10_000) else { panic!("x becomes 3") };
    assert_eq!(replay(&counting(2), &path), Ok(()));
    // y is not bounded at first.
    let Explored::Unsafe(path) = explore(&counting(3), -2..3, 10_000) else { panic!("y may be 2 at first") };
    assert_eq!(path.edges, [0, 2]);
    assert_eq!(explore(&counting(3), -2..1, 10_000), Explored::Safe);
    assert_eq!(explore(&counting(3), -2..1, 5), Explored::TooMany);
}

#[test]
fn a_program_is_readable_as_c() {
    let test = Formula::divides(3, x());
    let mut program = sequential(
        &["x", "y@0"],
        vec![
            (0, 1, step().assign(X, &Linear::constant(0)), "from 0 to 1"),
            (1, 1, any(step().assume(&at_most(x(), 2)), Y).assume(&Formula::lt(&y(), &x())), "from 1 to 1"),
            (1, 2, step().check(&at_most(x(), 2)).assign(X, &y()).assign(Y, &x().plus_constant(1)), "from 1 to 2"),
            (2, 3, step().assume(&test).assign(X, &x().floor_div(2)), "even"),
            (2, 3, step().assume(&test.not()), "odd"),
            (3, 3, step().check(&at_most(x(), 7)), ""),
            (3, 3, step().assign(X, &x().plus_constant(1)).assign(Y, &x()), ""),
        ],
    );
    // At once, not one after the other.
    program.graph.edges[6].step.updates = vec![(X, y()), (Y, x())];
    let text = checkers::to_c(&program, &["Counting.".into()]).unwrap();
    assert!(text.ends_with(include_str!("readable.c")), "{text}");
    assert!(text.starts_with("// Counting.\n"), "{text}");
    program.graph.edges[0].step = step().assume(&at_most(x(), 1 << 64));
    assert_eq!(checkers::to_c(&program, &[]), Err("-18446744073709551616 is not a `long` of C".into()));
}

#[test]
fn ways_that_join_keep_their_values_apart() {
    let equal = Formula::eq(&x(), &y());
    // On one way both are the same choice, on the other they differ.
    let program = |second: i128| {
        program(vec![
            (0, 1, any(step(), X).assign(Y, &x())),
            (0, 1, step().assign(X, &Linear::constant(1)).assign(Y, &Linear::constant(second))),
            (1, 2, step().check(&equal)),
        ])
    };
    for (name, checker) in [("acyclic", &mut Acyclic as &mut dyn Checker), ("spacer", &mut Spacer::default())] {
        let Checked::Unsafe(path) = checker.check(&program(2), &Budget::unlimited()) else {
            panic!("{name} overlooks the second way")
        };
        assert_eq!(path.edges, [1, 2]);
        assert!(matches!(checker.check(&program(1), &Budget::unlimited()), Checked::Safe(_)));
    }
}

#[test]
fn counting_is_decided() {
    let mut spacer = Spacer::default();
    let Checked::Unsafe(path) = spacer.check(&counting(2), &Budget::unlimited()) else { panic!("x becomes 3") };
    assert_eq!(replay(&counting(2), &path), Ok(()));
    let mut program = counting(3);
    program.graph.edges[2].step = step().check(&at_most(x(), 3));
    let Checked::Safe(Some(invariants)) = spacer.check(&program, &Budget::unlimited()) else {
        panic!("x is at most 3")
    };
    assert_eq!(checkers::certify(&program, &invariants, &Budget::unlimited()), Ok(()));
    // Others are refused.
    let anything = invariants.values().map(|_| Formula::True).collect();
    assert!(checkers::certify(&program, &anything, &Budget::unlimited()).is_err());
    let nothing = invariants.values().map(|_| Formula::False).collect();
    assert!(checkers::certify(&program, &nothing, &Budget::unlimited()).is_err());
    assert!(matches!(Acyclic.check(&program, &Budget::unlimited()), Checked::Unknown(_)));
}
