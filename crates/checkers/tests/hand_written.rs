//! Small programs whose answers are plain.

use base::Budget;
use base::IdVec;
use checkers::{
    Acyclic, Arc, Auto, Checked, Checker, Explored, Node, Sequential, Spacer, Statement, execute, explore, replay,
};
use formula::{Formula, Linear, Var};

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

/// A program over x and y with these arcs between nodes that are numbers; 0 is the entry.
fn program(arcs: Vec<(u32, u32, Vec<Statement>)>) -> Sequential {
    let nodes = arcs.iter().map(|(from, to, _)| from.max(to) + 1).max().unwrap_or(1);
    let arc = |(from, to, statements): (u32, u32, Vec<Statement>)| Arc {
        from: Node(from),
        to: Node(to),
        statements,
        note: format!("from {from} to {to}"),
    };
    Sequential {
        vars: vec![(X, "x".into()), (Y, "y".into())],
        nodes: (0..nodes).map(|node| format!("at_{node}")).collect::<IdVec<_, _>>(),
        entry: Node(0),
        edges: arcs.into_iter().map(arc).collect(),
    }
}

/// x counts to 3 by steps of 1 while y is chosen below it; at the end x is claimed to be at most `bound`.
fn counting(bound: i128) -> Sequential {
    use Statement::*;
    program(vec![
        (0, 1, vec![Assign(X, Linear::constant(0))]),
        (
            1,
            1,
            vec![Assume(at_most(x(), 2)), Assign(X, x().plus_constant(1)), Havoc(Y), Assume(Formula::lt(&y(), &x()))],
        ),
        (1, 2, vec![Assert(at_most(x(), bound)), Assert(Formula::le(&y(), &x()))]),
    ])
}

#[test]
fn a_path_is_executed_or_refused() {
    let program = counting(2);
    let choices = vec![vec![], vec![0], vec![1], vec![-2], vec![]];
    let path = execute(&program, &[0, 1, 1, 1, 2], &Default::default(), &choices).unwrap();
    assert_eq!((path.failing, path.states.len()), (0, 6));
    assert_eq!((path.states[5][&X], path.states[5][&Y]), (3, -2));
    assert_eq!(replay(&program, &path), Ok(()));
    let mut other = path.clone();
    other.states[2].insert(X, 7);
    assert!(replay(&program, &other).is_err());
    let mut other = path.clone();
    other.choices[1][0] = 5;
    assert_eq!(replay(&program, &other), Err("assumption 3 of arc 1 does not hold".into()));
    let refused = |arcs: &[usize]| execute(&program, arcs, &Default::default(), &[]).unwrap_err();
    assert_eq!(refused(&[0, 1]), "no assertion fails");
    assert_eq!(refused(&[1]), "arc 1 leaves n1, the execution is at n0");
    assert_eq!(refused(&[0, 9]), "there is no arc 9");
}

#[test]
fn all_executions_of_a_small_range_are_followed() {
    let Explored::Unsafe(path) = explore(&counting(2), -2..3, 10_000) else { panic!("x becomes 3") };
    assert_eq!(replay(&counting(2), &path), Ok(()));
    // y is not bounded at first.
    let Explored::Unsafe(path) = explore(&counting(3), -2..3, 10_000) else { panic!("y may be 2 at first") };
    assert_eq!((path.arcs.as_slice(), path.failing), ([0, 2].as_slice(), 1));
    assert_eq!(explore(&counting(3), -2..1, 10_000), Explored::Safe);
    assert_eq!(explore(&counting(3), -2..1, 5), Explored::TooMany);
}

#[test]
fn a_program_is_readable_as_c() {
    use Statement::*;
    let mut program = counting(2);
    program.vars[1].1 = "y@0".into();
    let test = Formula::divides(3, x());
    program.edges.push(Arc {
        from: Node(2),
        to: Node(3),
        statements: vec![Assume(test.clone()), Assign(X, x().floor_div(2))],
        note: "even".into(),
    });
    program.edges.push(Arc { from: Node(2), to: Node(3), statements: vec![Assume(test.not())], note: "odd".into() });
    program.edges.push(Arc {
        from: Node(3),
        to: Node(3),
        statements: vec![Assert(at_most(x(), 7))],
        note: String::new(),
    });
    program.nodes.push("at_3".into());
    let text = checkers::to_c(&program, &["Counting.".into()]).unwrap();
    let expected = "\
long x;
long y_0; // y@0

int main(void)
{
    y_0 = __VERIFIER_nondet_long();
    // from 0 to 1
    x = 0;
    while (1) {
        if (__VERIFIER_nondet_int()) {
            // from 1 to 1
            assume_abort_if_not(x <= 2);
            x = x + 1;
            y_0 = __VERIFIER_nondet_long();
            assume_abort_if_not(y_0 + 1 <= x);
        } else {
            // from 1 to 2
            if (!(x <= 2)) reach_error();
            if (!(y_0 <= x)) reach_error();
            break;
        }
    }
    if ((x) % 3 == 0) {
        // even
        x = floor_div(x, 2);
    } else {
        // odd
    }
    while (1) {
        if (!(x <= 7)) reach_error();
    }
}
";
    assert!(text.ends_with(expected), "{text}");
    assert!(text.starts_with("// Counting.\n"), "{text}");
    program.edges[0].statements.push(Assume(at_most(x(), 1 << 64)));
    assert_eq!(checkers::to_c(&program, &[]), Err("-18446744073709551616 is not a `long` of C".into()));
}

#[test]
fn ways_that_join_keep_their_values_apart() {
    use Statement::*;
    let equal = Formula::eq(&x(), &y());
    // On one way both are the same choice, on the other they differ.
    let program = |second: i128| {
        let set = |var, value| Assign(var, Linear::constant(value));
        program(vec![
            (0, 1, vec![Havoc(X), Assign(Y, x())]),
            (0, 1, vec![set(X, 1), set(Y, second)]),
            (1, 2, vec![Assert(equal.clone())]),
        ])
    };
    for checker in [&mut Acyclic as &mut dyn Checker, &mut Spacer::default(), &mut Auto::default()] {
        let Checked::Unsafe(path) = checker.check(&program(2), &Budget::unlimited()) else {
            panic!("{} overlooks the second way", checker.name())
        };
        assert_eq!(path.arcs, [1, 2]);
        assert!(matches!(checker.check(&program(1), &Budget::unlimited()), Checked::Safe(_)));
    }
}

#[test]
fn counting_is_decided() {
    let mut spacer = Spacer::default();
    let Checked::Unsafe(path) = spacer.check(&counting(2), &Budget::unlimited()) else { panic!("x becomes 3") };
    assert_eq!(replay(&counting(2), &path), Ok(()));
    let mut program = counting(3);
    program.edges[2].statements.truncate(1);
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
