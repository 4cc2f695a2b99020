//! A foreign model checker that is a few lines of shell.

mod random;

use backend::Said;
use base::Budget;
use checkers::{Acyclic, Checked, Checker, Foreign, Sequential, Spacer, replay};
use formula::{Formula, Linear, Var};
use random::sequential;
use transition::Step;

/// Counts up from 0 as often as it likes, and claims to stay below `bound`.
fn counting(bound: i128, loops: bool) -> Sequential {
    let x = Linear::var(Var(0));
    let up = Step::default().assign(Var(0), &x.plus_constant(1));
    let claim = Step::default().check(&Formula::lt(&x, &Linear::constant(bound)));
    let mut edges = vec![
        (0, 1, Step::default().assign(Var(0), &Linear::constant(0)), ""),
        (1, if loops { 1 } else { 2 }, up, ""),
        (1, 2, claim.clone(), ""),
    ];
    edges.extend(loops.then_some((2, 2, claim, "")));
    sequential(&["x"], edges)
}

fn foreign(command: &str) -> Foreign {
    Foreign::new(command, None, None).unwrap()
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
    let x = Linear::var(Var(0));
    let program = sequential(
        &["x"],
        vec![
            (0, 1, Step::default().assign(Var(0), &Linear::constant(0)), ""),
            (1, 1, Step::default().assign(Var(0), &x.plus_constant(1)), ""),
            (1, 2, Step::default().check(&Formula::le(&Linear::constant(0), &x)), ""),
        ],
    );
    assert!(matches!(Spacer::default().check(&program, &budget), Checked::Safe(Some(_))));
    let checked = foreign("exit 10; {file}").check(&program, &budget);
    assert!(matches!(&checked, Checked::Unknown(why) if why.contains("not so over the integers")), "{checked:?}");
}

#[test]
fn programs_without_cycles_are_asked_at_once() {
    let budget = Budget::unlimited();
    let program = counting(0, false);
    let Checked::Unsafe(path) = foreign("exit 10; {file}").check(&program, &budget) else { panic!() };
    assert_eq!(path.edges, [0, 2]);
    assert_eq!(Acyclic.check(&counting(1, false), &budget), Checked::Safe(None));
}
