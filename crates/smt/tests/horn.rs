//! Horn systems with known answers; each answer's evidence is checked, and for the unsafe ones the length of the path.

#[path = "common/systems.rs"]
mod systems;

use base::{Budget, IdVec};
use formula::{Formula, Var};
use smt::{Application, Horn, HornAnswer, Predicate};
use std::time::Duration;
use systems::{counter, may_enter, n, peterson, v};

fn budget() -> Budget {
    Budget::new(Some(Duration::from_secs(60)), None)
}
fn solve(horn: &Horn) -> HornAnswer {
    let answer = horn.solve(&budget());
    match &answer {
        HornAnswer::Safe(invariants) => assert_eq!(horn.holds_with(invariants, &budget()), Some(true)),
        HornAnswer::Unsafe(derivation) => assert!(horn.derives(derivation)),
        HornAnswer::Unknown(_) => {}
    }
    answer
}
fn path(horn: &Horn) -> Vec<usize> {
    match solve(horn) {
        HornAnswer::Unsafe(derivation) => derivation.rules(),
        other => panic!("{other:?}"),
    }
}

/// y grows by two each time and must not be `bad` in the end.
fn by_twos(end: i128, bad: i128) -> Horn {
    counter(end, 2, Formula::eq(&v(1), &n(bad)))
}

#[test]
fn a_counter_that_is_safe() {
    assert!(matches!(solve(&by_twos(10, 21)), HornAnswer::Safe(_)));
}

#[test]
fn a_counter_that_is_not() {
    assert_eq!(path(&by_twos(4, 8)), [0, 1, 1, 1, 1, 2]);
    assert_eq!(path(&by_twos(0, 0)), [0, 2]);
}

#[test]
fn peterson_is_safe() {
    assert!(matches!(solve(&peterson(may_enter)), HornAnswer::Safe(_)));
}

#[test]
fn peterson_with_a_wrong_wait_is_not() {
    // Without looking whether the flag is down the other may have gone.
    let wrong = |own: usize| Formula::or([Formula::eq(&v(2), &n(own as i128)), Formula::eq(&v(1 - own as u32), &n(1))]);
    // Start, three steps of each, the violation.
    assert_eq!(path(&peterson(wrong)).len(), 8);
}

#[test]
fn what_cannot_be_derived_is_nowhere() {
    let mut horn = Horn::new();
    let (never, impossible, unused) =
        (horn.add_predicate("never", 1), horn.add_predicate("impossible", 1), horn.add_predicate("unused", 0));
    horn.add_rule(Some(Application::new(unused, [])), None, Formula::True);
    let contradiction = Formula::and([Formula::lt(&v(0), &v(1)), Formula::lt(&v(1), &v(0))]);
    horn.add_rule(Some(Application::new(impossible, [v(0)])), None, contradiction);
    horn.add_rule(None, Some(Application::new(never, [v(0)])), Formula::True);
    horn.add_rule(None, Some(Application::new(impossible, [v(0)])), Formula::True);
    assert!(matches!(solve(&horn), HornAnswer::Safe(_)));
}

#[test]
fn wrong_evidence_is_refused() {
    let horn = by_twos(4, 8);
    let everything: IdVec<Predicate, Formula> = IdVec::filled(Formula::True, 1);
    assert_eq!(horn.holds_with(&everything, &budget()), Some(false));
    let HornAnswer::Unsafe(derivation) = solve(&horn) else { panic!("unsafe") };
    let mut shorter = derivation.clone();
    shorter.steps.remove(3);
    assert!(!horn.derives(&shorter));
    let mut other = derivation;
    other.steps[2].model.set(Var(0), 3);
    assert!(!horn.derives(&other));
}

/// No fact can be derived, which is found only when conditions are looked at: what follows from it holds nowhere.
fn without_facts(condition: Formula) -> Horn {
    let mut horn = Horn::new();
    let names = ["first", "second", "third"];
    let at = names.map(|name| horn.add_predicate(name, 2));
    horn.add_rule(Some(Application::new(at[0], [v(0), v(1)])), None, condition);
    let state = |at: Predicate| Some(Application::new(at, [v(0), v(1)]));
    horn.add_rule(Some(Application::new(at[1], [v(0), v(1)])), state(at[0]), Formula::True);
    horn.add_rule(Some(Application::new(at[2], [v(1), v(0)])), state(at[1]), Formula::lt(&v(0), &n(5)));
    horn.add_rule(Some(Application::new(at[1], [v(0).plus_constant(1), v(1)])), state(at[2]), Formula::True);
    horn.add_rule(None, state(at[2]), Formula::lt(&v(0), &v(1)));
    horn
}

#[test]
fn facts_whose_conditions_contradict_themselves() {
    let twice = |var: u32| v(var).plus(&v(var));
    let conditions = [
        Formula::and([Formula::lt(&v(0), &n(0)), Formula::lt(&n(0), &v(0))]),
        Formula::and([Formula::lt(&v(0), &v(1)), Formula::lt(&v(1), &v(0))]),
        Formula::eq(&twice(0), &twice(1).plus_constant(1)),
        Formula::and([Formula::eq(&v(2), &n(3)), Formula::lt(&v(2), &n(0))]),
        Formula::and([Formula::eq(&v(2), &n(3)), Formula::ne(&v(2), &n(3))]),
    ];
    for condition in conditions {
        let answer = solve(&without_facts(condition.clone()));
        assert!(matches!(answer, HornAnswer::Safe(_)), "{condition:?}: {answer:?}");
    }
}
