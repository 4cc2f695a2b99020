//! Horn systems with known answers; each answer's evidence is checked, and for the unsafe ones the length of the path.

use base::{Budget, IdVec};
use formula::{Formula, Linear, Var};
use smt::{Application, Horn, HornAnswer, HornOptions, Predicate};
use std::time::Duration;

fn budget() -> Budget {
    Budget::new(Some(Duration::from_secs(60)), None)
}
fn v(number: u32) -> Linear {
    Linear::var(Var(number))
}
fn n(value: i128) -> Linear {
    Linear::constant(value)
}
fn solve(horn: &Horn) -> HornAnswer {
    solve_with(horn, &HornOptions::default())
}
fn solve_with(horn: &Horn, options: &HornOptions) -> HornAnswer {
    let answer = horn.solve(options, &budget());
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

/// x and y start at 0; x counts to the end, y by two each time; at the end y must not be `bad`.
fn counter(end: i128, bad: i128) -> Horn {
    let mut horn = Horn::new();
    let at = horn.add_predicate("loop", 2);
    horn.add_rule(Some(Application::new(at, [n(0), n(0)])), vec![], Formula::True);
    let state = || vec![Application::new(at, [v(0), v(1)])];
    let next = Application::new(at, [v(0).plus_constant(1), v(1).plus_constant(2)]);
    horn.add_rule(Some(next), state(), Formula::lt(&v(0), &n(end)));
    horn.add_rule(None, state(), Formula::and([Formula::eq(&v(0), &n(end)), Formula::eq(&v(1), &n(bad))]));
    horn
}

#[test]
fn a_counter_that_is_safe() {
    assert!(matches!(solve(&counter(10, 21)), HornAnswer::Safe(_)));
}

#[test]
fn a_counter_that_is_not() {
    assert_eq!(path(&counter(4, 8)), [0, 1, 1, 1, 1, 2]);
    assert_eq!(path(&counter(0, 0)), [0, 2]);
}

#[test]
fn two_counters_to_a_thousand_need_global_guidance() {
    let mut horn = Horn::new();
    let at = horn.add_predicate("loop", 2);
    horn.add_rule(Some(Application::new(at, [n(0), n(0)])), vec![], Formula::True);
    let state = || vec![Application::new(at, [v(0), v(1)])];
    let next = Application::new(at, [v(0).plus_constant(1), v(1).plus_constant(1)]);
    horn.add_rule(Some(next), state(), Formula::lt(&v(0), &n(1000)));
    horn.add_rule(None, state(), Formula::and([Formula::eq(&v(0), &n(1000)), Formula::ne(&v(1), &n(1000))]));
    let answer = solve_with(&horn, &HornOptions { global: true, ..HornOptions::default() });
    assert!(matches!(answer, HornAnswer::Safe(_)), "{answer:?}");
}

/// Peterson's algorithm; locations of the two threads are in the names of the predicates, `flags` is whether flags are looked at.
fn peterson(flags: bool) -> Horn {
    let mut horn = Horn::new();
    // flag0, flag1, turn; four locations: 0 set flag, 1 set turn, 2 wait, 3 critical.
    let mut at: Vec<Vec<Predicate>> = Vec::new();
    for a in 0..4 {
        at.push((0..4).map(|b| horn.add_predicate(format!("at{a}{b}"), 3)).collect());
    }
    horn.add_rule(Some(Application::new(at[0][0], [n(0), n(0), n(0)])), vec![], Formula::True);
    for a in 0..4 {
        for b in 0..4 {
            for thread in 0..2u32 {
                let own = if thread == 0 { a } else { b };
                let mut state = [v(0), v(1), v(2)];
                let mut condition = Formula::True;
                match own {
                    0 => state[thread as usize] = n(1),
                    1 => state[2] = n(1 - i128::from(thread)),
                    2 => {
                        let free = Formula::eq(&v(1 - thread), &n(0));
                        let mine = Formula::eq(&v(2), &n(i128::from(thread)));
                        condition = if flags { Formula::or([free, mine]) } else { mine };
                        // Without looking at the flag the other may have gone.
                        if !flags {
                            condition = Formula::or([condition, Formula::eq(&v(1 - thread), &n(1))]);
                        }
                    }
                    _ => state[thread as usize] = n(0),
                }
                let (next_a, next_b) = if thread == 0 { ((a + 1) % 4, b) } else { (a, (b + 1) % 4) };
                let body = vec![Application::new(at[a][b], [v(0), v(1), v(2)])];
                horn.add_rule(Some(Application::new(at[next_a][next_b], state)), body, condition);
            }
        }
    }
    horn.add_rule(None, vec![Application::new(at[3][3], [v(0), v(1), v(2)])], Formula::True);
    horn
}

#[test]
fn peterson_is_safe() {
    assert!(matches!(solve(&peterson(true)), HornAnswer::Safe(_)));
}

#[test]
fn peterson_with_a_wrong_wait_is_not() {
    // Start, three steps of each, the violation.
    assert_eq!(path(&peterson(false)).len(), 8);
}

#[test]
fn a_violation_with_two_premises() {
    // Doubling by adding two facts: 8 needs 1, 2, 4.
    let mut horn = Horn::new();
    let at = horn.add_predicate("number", 1);
    horn.add_rule(Some(Application::new(at, [n(1)])), vec![], Formula::True);
    let body = vec![Application::new(at, [v(0)]), Application::new(at, [v(1)])];
    horn.add_rule(Some(Application::new(at, [v(0).plus(&v(1))])), body, Formula::True);
    horn.add_rule(None, vec![Application::new(at, [v(0)])], Formula::eq(&v(0), &n(8)));
    match solve(&horn) {
        HornAnswer::Unsafe(derivation) => assert_eq!(derivation.rules().last(), Some(&2)),
        other => panic!("{other:?}"),
    }
    horn.rules[2].condition = Formula::le(&v(0), &n(0));
    assert!(matches!(solve(&horn), HornAnswer::Safe(_)));
}

#[test]
fn what_cannot_be_derived_is_nowhere() {
    let mut horn = Horn::new();
    let (never, impossible, unused) =
        (horn.add_predicate("never", 1), horn.add_predicate("impossible", 1), horn.add_predicate("unused", 0));
    horn.add_rule(Some(Application::new(unused, [])), vec![], Formula::True);
    let contradiction = Formula::and([Formula::lt(&v(0), &v(1)), Formula::lt(&v(1), &v(0))]);
    horn.add_rule(Some(Application::new(impossible, [v(0)])), vec![], contradiction);
    horn.add_rule(None, vec![Application::new(never, [v(0)])], Formula::True);
    horn.add_rule(None, vec![Application::new(impossible, [v(0)])], Formula::True);
    assert!(matches!(solve(&horn), HornAnswer::Safe(_)));
}

#[test]
fn wrong_evidence_is_refused() {
    let horn = counter(4, 8);
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
    horn.add_rule(Some(Application::new(at[0], [v(0), v(1)])), vec![], condition);
    let state = |at: Predicate| vec![Application::new(at, [v(0), v(1)])];
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
