//! Proofs thread by thread: right ones are confirmed, and whatever is wrong with one is found.

use crate::systems::{Builder, is_safe, number, old, pc, ranges, ranges_hold, reachable};
use base::Budget;
use claim::modular::{Ints, Invariants, Lemma, Modular};
use formula::{Formula, Linear};
use system::System;

fn check(proof: &Modular, system: &System) -> Result<(), String> {
    confirm::modular::check(proof, system, &Budget::unlimited())
}
#[track_caller]
fn refused(proof: &Modular, system: &System, why: &str) {
    let found = check(proof, system).expect_err("a wrong proof");
    assert!(found.contains(why), "refused, but because: {found}");
}
fn proof(order: &[usize], lemmas: Vec<Lemma>) -> Modular {
    Modular { ints: Ints::Machine, order: order.to_vec(), ranges: Vec::new(), lemmas, main: None }
}
fn lemma(level: usize, formula: Formula) -> Lemma {
    Lemma { level, formula, invariants: None }
}
fn at_most(var: &Linear, most: i128) -> Formula {
    Formula::le(var, &number(most))
}

/// A reader waits for a flag, then asserts that the data is 5.
fn flag(flag_first: bool) -> (System, Linear, Linear) {
    let mut b = Builder::new();
    let (x, flag) = (b.var("x", 0), b.var("flag", 0));
    let reader = b.thread("reader", 3);
    b.edge(reader, 0, 1, Formula::is(&flag, 1), &[]);
    b.assertion(reader, 1, 2, Formula::is(&x, 5));
    let writer = b.thread("writer", 3);
    let (first, second) = if flag_first { ((&flag, 1), (&x, 5)) } else { ((&x, 5), (&flag, 1)) };
    b.edge(writer, 0, 1, Formula::True, &[(first.0, number(first.1))]);
    b.edge(writer, 1, 2, Formula::True, &[(second.0, number(second.1))]);
    (b.done(), x, flag)
}

#[test]
fn a_flag_is_proved_by_two_lemmas() {
    let (system, x, flag) = flag(false);
    let stays = lemma(0, Formula::le(&old(&system, &flag), &flag));
    let right = lemma(0, Formula::or([Formula::is(&flag, 0), Formula::is(&x, 5)]));
    assert_eq!(check(&proof(&[0, 1], vec![stays.clone(), right.clone()]), &system), Ok(()));
    assert_eq!(check(&proof(&[0, 1], vec![right.clone(), stays.clone()]), &system), Ok(()));

    refused(&proof(&[0, 1], vec![]), &system, "the property");
    refused(&proof(&[0, 1], vec![stays.clone()]), &system, "the property");
    // The flag could go down again, and the data with it.
    refused(&proof(&[0, 1], vec![right.clone()]), &system, "the property");
    refused(&proof(&[1, 0], vec![stays.clone(), right.clone()]), &system, "lemma 2");
    refused(&proof(&[0, 1], vec![stays.clone(), lemma(0, Formula::is(&x, 5))]), &system, "lemma 2");
    let weaker = lemma(0, Formula::or([Formula::is(&flag, 0), Formula::le(&number(4), &x)]));
    refused(&proof(&[0, 1], vec![stays.clone(), weaker]), &system, "the property");
    refused(&proof(&[0, 1], vec![lemma(0, Formula::False)]), &system, "lemma 1");
    refused(&proof(&[0, 1], vec![stays.clone(), lemma(1, right.formula.clone())]), &system, "level 1");
    // Turned round.
    refused(&proof(&[0, 1], vec![lemma(0, Formula::le(&flag, &old(&system, &flag)))]), &system, "lemma 1");
    for order in [&[0][..], &[0, 0], &[0, 1, 2], &[], &[0, 2]] {
        refused(&proof(order, vec![stays.clone(), right.clone()]), &system, "order");
    }
}

#[test]
fn an_unsafe_program_has_no_proof() {
    let (system, x, flag) = flag(true);
    assert!(!is_safe(&system, &reachable(&system)));
    let claims = [
        vec![],
        vec![lemma(0, Formula::or([Formula::is(&flag, 0), Formula::is(&x, 5)]))],
        // True, and not enough.
        vec![lemma(0, Formula::le(&old(&system, &x), &x)), lemma(0, Formula::le(&old(&system, &flag), &flag))],
        // As if the writer were there at once.
        vec![lemma(0, Formula::or([Formula::is(&old(&system, &flag), 0), Formula::is(&x, 5)]))],
    ];
    for claim in claims {
        for order in [[0, 1], [1, 0]] {
            for with_ranges in [false, true] {
                let mut proof = proof(&order, claim.clone());
                if with_ranges {
                    proof.ranges = ranges(&system);
                }
                assert!(check(&proof, &system).is_err(), "{proof:?}");
            }
        }
    }
}

/// `c` counts from 1 to 3, `b` adds it up twice, `a` adds that up twice and asserts what comes of it.
struct Chain {
    system: System,
    a: Linear,
    b: Linear,
    c: Linear,
}

fn chain(cyclic: bool, most: i128) -> Chain {
    let mut builder = Builder::new();
    let (a, b, c) = (builder.var("a", 0), builder.var("b", 0), builder.var("c", 1));
    for (name, sum, part) in [("top", &a, &b), ("middle", &b, &c)] {
        let thread = builder.thread(name, 4);
        builder.edge(thread, 0, 1, Formula::True, &[(sum, sum.plus(part))]);
        builder.edge(thread, 1, 2, Formula::True, &[(sum, sum.plus(part))]);
        if name == "top" {
            builder.assertion(thread, 2, 3, at_most(&a, most));
        }
    }
    let bottom = builder.thread("bottom", 3);
    let more = [(&c, c.plus_constant(1))];
    match cyclic {
        true => {
            builder.edge(bottom, 0, 0, at_most(&c, 2), &more);
            builder.edge(bottom, 0, 1, at_most(&c, 2).not(), &[]);
        }
        false => {
            builder.edge(bottom, 0, 1, Formula::True, &more);
            builder.edge(bottom, 1, 2, Formula::True, &more);
        }
    }
    Chain { system: builder.done(), a, b, c }
}

#[test]
fn a_chain_is_proved_level_by_level() {
    let Chain { system, a, b, c } = chain(false, 12);
    let (low, high) = (lemma(1, at_most(&c, 3)), lemma(0, at_most(&b, 6)));
    let right = proof(&[0, 1, 2], vec![low.clone(), high.clone()]);
    assert_eq!(check(&right, &system), Ok(()));

    refused(&proof(&[0, 1, 2], vec![high.clone(), low.clone()]), &system, "lemma 1 (b <= 6)");
    refused(&proof(&[0, 1, 2], vec![high.clone()]), &system, "lemma 1 (b <= 6)");
    refused(&proof(&[0, 1, 2], vec![low.clone()]), &system, "the property");
    refused(&proof(&[0, 1, 2], vec![lemma(1, at_most(&c, 2)), high.clone()]), &system, "lemma 1 (c <= 2)");
    refused(&proof(&[0, 1, 2], vec![lemma(1, at_most(&c, 4)), high.clone()]), &system, "lemma 2 (b <= 6)");
    refused(&proof(&[0, 1, 2], vec![low.clone(), lemma(0, at_most(&b, 5))]), &system, "lemma 2 (b <= 5)");
    refused(&proof(&[0, 1, 2], vec![low.clone(), lemma(0, at_most(&b, 7))]), &system, "the property");
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert!(check(&Modular { order: order.to_vec(), ..right.clone() }, &system).is_err(), "{order:?}");
    }
    // A lemma is about the threads after its level: at level 0 the one in the middle moves too.
    let still = Formula::eq(&b, &old(&system, &b));
    assert_eq!(check(&proof(&[0, 1, 2], vec![low.clone(), lemma(1, still.clone()), high.clone()]), &system), Ok(()));
    refused(&proof(&[0, 1, 2], vec![low.clone(), lemma(0, still)]), &system, "lemma 2");
    // What the first thread does itself is no lemma's business, and no lemma may use what comes after it.
    refused(&proof(&[0, 1, 2], vec![lemma(0, at_most(&a, 12)), low, high]), &system, "lemma 1 (a <= 12)");
    // The bound is exact.
    refused(&right, &chain(false, 11).system, "the property");
}

#[test]
fn ranges_alone_can_be_the_proof() {
    let Chain { system, .. } = chain(false, 12);
    let known = ranges(&system);
    let right = Modular { ranges: known.clone(), ..proof(&[0, 1, 2], vec![]) };
    assert_eq!(check(&right, &system), Ok(()));
    // Each end a little tighter: confirmed only if it is true.
    let states = reachable(&system);
    let mut found = (0, 0);
    for (thread, by_location) in known.iter().enumerate() {
        for (location, stated) in by_location.iter().enumerate() {
            for var in 0..stated.as_ref().map_or(0, Vec::len) {
                for end in 0..3 {
                    let mut wrong = right.clone();
                    match (end, &mut wrong.ranges[thread][location]) {
                        (0, Some(ranges)) => ranges[var].low = ranges[var].least().map_or(i128::MIN, |low| low + 1),
                        (1, Some(ranges)) => ranges[var].high = ranges[var].most().map_or(i128::MAX, |high| high - 1),
                        (_, place) => *place = None,
                    }
                    let true_of_all = states.iter().all(|state| ranges_hold(&system, &wrong.ranges, state));
                    let confirmed = check(&wrong, &system).is_ok();
                    assert!(true_of_all || !confirmed, "{thread} {location} {var} {end}");
                    if confirmed { found.0 += 1 } else { found.1 += 1 }
                }
            }
        }
    }
    assert!(found.1 > 100, "{found:?}");
    // Tables of another shape.
    refused(&Modular { ranges: known[..2].to_vec(), ..right.clone() }, &system, "ranges");
    let mut short = right.clone();
    short.ranges[1].pop();
    refused(&short, &system, "ranges");
    let mut narrow = right;
    narrow.ranges[1][0].as_mut().unwrap().pop();
    refused(&narrow, &system, "ranges");
}

#[test]
fn a_thread_with_a_cycle_needs_invariants() {
    let Chain { system, b, c, .. } = chain(true, 12);
    let holds =
        |before: Formula, during: Formula| Some(Invariants { before: vec![before; 3], during: vec![during; 3] });
    let with = |invariants| {
        let low = Lemma { invariants, ..lemma(1, at_most(&c, 3)) };
        proof(&[0, 1, 2], vec![low, lemma(0, at_most(&b, 6))])
    };
    let bound = at_most(&c, 3);
    assert_eq!(check(&with(holds(bound.clone(), bound.clone())), &system), Ok(()));

    refused(&with(None), &system, "has a cycle");
    refused(&with(holds(Formula::True, bound.clone())), &system, "starts");
    refused(&with(holds(bound.clone(), Formula::True)), &system, "need not hold");
    refused(&with(holds(Formula::False, Formula::False)), &system, "at first");
    refused(&with(holds(at_most(&c, 2), bound.clone())), &system, "not kept");
    refused(&with(holds(bound.clone(), at_most(&c, 2))), &system, "starts");
    let still = Formula::and([bound.clone(), Formula::eq(&c, &old(&system, &c))]);
    refused(&with(holds(bound.clone(), still)), &system, "not kept");
    refused(&with(holds(Formula::le(&c, &old(&system, &c)), bound.clone())), &system, "not part of the state");
    let short = Some(Invariants { before: vec![bound.clone(); 2], during: vec![bound.clone(); 3] });
    refused(&with(short), &system, "not those of the locations");
    // Where the thread is last, the others' cycles do not matter: it is the first that is asked about.
    let first = Modular { main: holds(Formula::True, Formula::True), ..proof(&[2, 1, 0], vec![]) };
    refused(&first, &system, "need not hold");
}

/// `middle` waits until `c` is 2, then sets `b`; `top` asserts that `c` is 2 where `b` is set.  With `reset` it sets `c` back before.
fn waiting(reset: bool) -> (System, Linear, Linear) {
    let mut builder = Builder::new();
    let (b, c) = (builder.var("b", 0), builder.var("c", 0));
    let top = builder.thread("top", 4);
    let back = if reset { vec![(&c, number(0))] } else { vec![] };
    builder.edge(top, 0, 1, Formula::True, &back);
    builder.edge(top, 1, 2, Formula::is(&b, 1), &[]);
    builder.assertion(top, 2, 3, Formula::le(&number(2), &c));
    let middle = builder.thread("middle", 3);
    builder.edge(middle, 0, 1, Formula::is(&c, 2), &[]);
    builder.edge(middle, 1, 2, Formula::True, &[(&b, number(1))]);
    let bottom = builder.thread("bottom", 3);
    builder.edge(bottom, 0, 1, Formula::True, &[(&c, c.plus_constant(1))]);
    builder.edge(bottom, 1, 2, Formula::True, &[(&c, c.plus_constant(1))]);
    (builder.done(), b, c)
}

#[test]
fn moves_are_known_before_the_start_only_where_nobody_else_interferes() {
    let (system, b, c) = waiting(false);
    let grows = |level| lemma(level, Formula::le(&old(&system, &c), &c));
    let both = lemma(0, Formula::or([Formula::is(&b, 0), Formula::le(&number(2), &c)]));
    assert_eq!(check(&proof(&[0, 1, 2], vec![grows(1), grows(0), both.clone()]), &system), Ok(()));
    refused(&proof(&[0, 1, 2], vec![both.clone()]), &system, "lemma 1");
    refused(&proof(&[0, 1, 2], vec![grows(0), both.clone()]), &system, "lemma 1");
    // What is known of the environment of another level does not help.
    refused(&proof(&[0, 1, 2], vec![both.clone(), grows(1)]), &system, "lemma 1");
    // True of the environment, but not transitive: it says nothing about what happens before the start.
    let of_one_move = Formula::or([grows(1).formula, Formula::is(&pc(&system, 2), 2)]);
    refused(&proof(&[0, 1, 2], vec![lemma(1, of_one_move), both]), &system, "lemma 2");

    // The first thread interferes.
    let (system, b, c) = waiting(true);
    assert!(!is_safe(&system, &reachable(&system)));
    let grows = lemma(1, Formula::le(&old(&system, &c), &c));
    assert_eq!(
        check(&proof(&[0, 1, 2], vec![grows.clone()]), &system).unwrap_err(),
        "the property: it can be violated"
    );
    let both = lemma(0, Formula::or([Formula::is(&b, 0), Formula::le(&number(2), &c)]));
    refused(&proof(&[0, 1, 2], vec![grows, both]), &system, "lemma 2");
}

#[test]
fn without_an_answer_there_is_no_confirmation() {
    let (system, x, flag) = flag(false);
    let right = proof(&[0, 1], vec![lemma(0, Formula::or([Formula::is(&flag, 0), Formula::is(&x, 5)]))]);
    let budget = Budget::unlimited();
    budget.cancel();
    assert!(confirm::modular::check(&right, &system, &budget).is_err());
    let with_ranges = Modular { ranges: ranges(&system), ..right };
    assert!(confirm::modular::check(&with_ranges, &system, &budget).is_err());
}

#[test]
fn inputs_and_strange_variables_are_no_part_of_formulas() {
    let (system, _, _) = flag(false);
    for var in [formula::Var::input(0), formula::Var(1000)] {
        refused(&proof(&[0, 1], vec![lemma(0, at_most(&var.into(), 9))]), &system, "not part of the state");
    }
}
