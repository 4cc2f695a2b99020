//! A foreign model checker that is a few lines of shell.

use backend::{Backend, Said};
use base::{Budget, IdVec};
use checkers::{Arc, Auto, Checked, Checker, Foreign, Node, Sequential, Statement, replay};
use formula::{Formula, Linear, Var};

/// Counts up from 0 as often as it likes, and claims to stay below `bound`.
fn counting(bound: i128, loops: bool) -> Sequential {
    let x = Linear::var(Var(0));
    let up = vec![Statement::Assign(Var(0), x.plus_constant(1))];
    let claim = vec![Statement::Assert(Formula::lt(&x, &Linear::constant(bound)))];
    let arc = |from, to, statements| Arc { from: Node(from), to: Node(to), statements, note: String::new() };
    Sequential {
        vars: vec![(Var(0), "x".into())],
        nodes: ["start", "up", "end"].into_iter().map(String::from).collect::<IdVec<_, _>>(),
        entry: Node(0),
        edges: vec![
            arc(0, 1, vec![Statement::Assign(Var(0), Linear::constant(0))]),
            arc(1, if loops { 1 } else { 2 }, up),
            arc(1, 2, claim.clone()),
            arc(2, 2, claim),
        ]
        .into_iter()
        .filter(|arc| loops || arc.from != arc.to)
        .collect(),
    }
}

fn foreign(command: &str) -> Foreign {
    Foreign::new(Backend::new(command, None, None).unwrap())
}

#[test]
fn no_is_believed_and_silence_is_no_answer() {
    let budget = Budget::unlimited();
    let program = counting(5, true);
    // The tool sees the program.
    assert_eq!(foreign("grep -q 'x = x + 1;' {file}").check(&program, &budget), Checked::Safe(None));
    let mut silent = foreign("grep -q 'y = y + 1;' {file}");
    assert!(matches!(silent.check(&program, &budget), Checked::Unknown(why) if why.contains("exit status 1")));
    assert_eq!(foreign("exit 10; {file}").verdict(&program, &budget), Said::Violated);
}

#[test]
fn yes_needs_a_path_of_our_own() {
    let budget = Budget::unlimited();
    for bound in [1, 5, 40] {
        let program = counting(bound, true);
        let Checked::Unsafe(path) = foreign("exit 10; {file}").check(&program, &budget) else { panic!("{bound}") };
        assert_eq!(replay(&program, &path), Ok(()));
        assert_eq!(path.states.last().unwrap()[&Var(0)], bound);
    }
    // The tool is wrong.
    let mut program = counting(0, true);
    program.edges.retain(|arc| arc.from != Node(1) || arc.to == Node(1));
    let claim = Statement::Assert(Formula::le(&Linear::constant(0), &Linear::var(Var(0))));
    program.edges.push(Arc { from: Node(1), to: Node(2), statements: vec![claim], note: String::new() });
    program.edges.retain(|arc| arc.from != Node(2));
    assert!(matches!(Auto::default().check(&program, &budget), Checked::Safe(Some(_))));
    let checked = foreign("exit 10; {file}").check(&program, &budget);
    assert!(matches!(&checked, Checked::Unknown(why) if why.contains("not so over the integers")), "{checked:?}");
}

#[test]
fn programs_without_cycles_are_asked_at_once() {
    let budget = Budget::unlimited();
    let program = counting(0, false);
    let Checked::Unsafe(path) = foreign("exit 10; {file}").check(&program, &budget) else { panic!() };
    assert_eq!(path.arcs, [0, 2]);
    assert_eq!(Auto::default().check(&counting(1, false), &budget), Checked::Safe(None));
}
