//! Random formulas, compared with trying all values.

mod common;

use base::{Budget, Id, Rng};
use common::{all_values, formula, holds, limits, term, variable};
use formula::{Formula, Linear, Var};
use smt::{Answer, Application, Bound, Horn, HornAnswer, Model, Solver, project, project_under, simplify};

const VARS: usize = 3;
const LOW: i128 = -4;
const HIGH: i128 = 4;

fn budget() -> Budget {
    Budget::new(Some(std::time::Duration::from_secs(120)), None)
}

#[test]
fn satisfiability_and_models() {
    let mut random = Rng::new(1);
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..400 {
        let formula =
            Formula::and([formula(&mut random, VARS, 3), formula(&mut random, VARS, 2), limits(0..VARS, LOW, HIGH)]);
        let expected = all_values(VARS, LOW, HIGH).iter().any(|values| holds(&formula, values));
        match Solver::of(&formula).check(&[], &budget()) {
            Answer::Sat(model) => {
                assert!(expected && model.eval(&formula), "round {round}: {formula:?}");
                sat += 1;
            }
            Answer::Unsat(_) => {
                assert!(!expected, "round {round}: {formula:?}");
                unsat += 1;
            }
            Answer::Unknown => panic!("round {round}"),
        }
    }
    assert!(sat > 50 && unsat > 50, "{sat} {unsat}");
}

#[test]
fn cores_are_contradictory_and_minimal() {
    let mut random = Rng::new(2);
    let mut cores = 0;
    for round in 0..200 {
        let mut solver = Solver::of(&limits(0..VARS, LOW, HIGH));
        solver.assert(&formula(&mut random, VARS, 1));
        let assumptions: Vec<Formula> = (0..6).map(|_| formula(&mut random, VARS, 1)).collect();
        let Answer::Unsat(core) = solver.check(&assumptions, &budget()) else { continue };
        cores += 1;
        let together = |parts: &[usize]| {
            let all = Formula::and(parts.iter().map(|at| assumptions[*at].clone()).chain([solver.asserted()]));
            all_values(VARS, LOW, HIGH).iter().any(|values| holds(&all, values))
        };
        assert!(!together(&core), "round {round}");
        for left_out in &core {
            let rest: Vec<usize> = core.iter().copied().filter(|at| at != left_out).collect();
            assert!(together(&rest), "round {round}: {left_out} is not needed in {core:?}");
        }
    }
    assert!(cores > 50, "{cores}");
}

#[test]
fn scopes_are_forgotten() {
    let mut solver = Solver::of(&Formula::le(&Linear::constant(3), &variable(0)));
    let low = Formula::le(&variable(0), &Linear::constant(2));
    let high = Formula::le(&Linear::constant(10), &variable(0));
    assert_eq!(solver.check(&[high.clone(), low.clone()], &budget()), Answer::Unsat(vec![1]));
    solver.push();
    solver.assert(&high);
    let five = Formula::le(&variable(0), &Linear::constant(5));
    assert_eq!(solver.check(&[five.clone(), five.clone()], &budget()), Answer::Unsat(vec![0]));
    solver.assert(&low);
    assert_eq!(solver.check(&[], &budget()), Answer::Unsat(vec![]));
    solver.pop();
    assert!(matches!(solver.check(&[five], &budget()), Answer::Sat(model) if (3..=5).contains(&model.value(Var(0)))));
}

#[test]
fn projection_is_exact() {
    let mut random = Rng::new(3);
    // The first two stay.
    let keep = |var: Var| var.index() < 2;
    let mut proper = 0;
    for round in 0..300 {
        let vars = 2 + 1 + (round % 2);
        let formula = Formula::and([formula(&mut random, vars, 3), limits(2..vars, LOW, HIGH)]);
        let projected = project(&formula, &keep, &budget()).unwrap_or_else(|| panic!("round {round}: {formula:?}"));
        assert!(projected.vars().into_iter().all(keep), "round {round}");
        for kept in all_values(2, -6, 6) {
            let expected =
                all_values(vars - 2, LOW, HIGH).iter().any(|rest| holds(&formula, &[kept.as_slice(), rest].concat()));
            assert_eq!(holds(&projected, &kept), expected, "round {round}: {kept:?} {formula:?} {projected:?}");
        }
        proper += usize::from(!matches!(projected, Formula::True | Formula::False));
    }
    assert!(proper > 100, "{proper}");
}

#[test]
fn projection_without_limits_is_exact() {
    // Two eliminated variables without bounds; what is found by trying must be there, what is claimed must have a solution.
    let mut random = Rng::new(4);
    let keep = |var: Var| var.index() < 1;
    for round in 0..150 {
        let formula = formula(&mut random, 3, 3);
        let projected = project(&formula, &keep, &budget()).unwrap_or_else(|| panic!("round {round}: {formula:?}"));
        for value in -12..=12 {
            let fixed = formula.substitute(&mut |var| (var == Var(0)).then(|| Linear::constant(value)));
            let expected = matches!(Solver::of(&fixed).check(&[], &budget()), Answer::Sat(_));
            assert_eq!(holds(&projected, &[value]), expected, "round {round}: {value} {formula:?} {projected:?}");
        }
    }
}

#[test]
fn projection_around_a_model_contains_it_and_no_more_than_there_is() {
    let mut random = Rng::new(5);
    let keep = |var: Var| var.index() < 2;
    let mut done = 0;
    for round in 0..300 {
        let formula = Formula::and([formula(&mut random, 4, 3), limits(2..4, LOW, HIGH)]);
        let Answer::Sat(model) = Solver::of(&formula).check(&[], &budget()) else { continue };
        let around = project_under(&formula, &keep, &model).unwrap_or_else(|| panic!("round {round}"));
        assert!(model.eval(&around), "round {round}");
        for kept in all_values(2, -6, 6).into_iter().filter(|kept| holds(&around, kept)) {
            let possible =
                all_values(2, LOW, HIGH).iter().any(|rest| holds(&formula, &[kept.as_slice(), rest].concat()));
            assert!(possible, "round {round}: {kept:?} {formula:?} {around:?}");
        }
        done += 1;
    }
    assert!(done > 100, "{done}");
}

#[test]
fn simplified_formulas_mean_the_same_in_the_context() {
    let mut random = Rng::new(6);
    let (mut before, mut after) = (0, 0);
    for round in 0..150 {
        let (formula, context) = (formula(&mut random, VARS, 3), formula(&mut random, VARS, 2));
        let bounded = Formula::and([context, limits(0..VARS, LOW, HIGH)]);
        let simple = simplify(&formula, &bounded, &budget());
        for values in all_values(VARS, LOW, HIGH).iter().filter(|values| holds(&bounded, values)) {
            assert_eq!(holds(&simple, values), holds(&formula, values), "round {round}: {formula:?} {simple:?}");
        }
        assert!(simple.size() <= formula.size(), "round {round}");
        before += formula.size();
        after += simple.size();
    }
    assert!(after * 2 < before, "{before} {after}");
}

#[test]
fn maxima_are_those_found_by_trying() {
    let mut random = Rng::new(7);
    let mut seen = [0; 2];
    for round in 0..200 {
        let formula = Formula::and([formula(&mut random, VARS, 3), limits(0..VARS, LOW, HIGH)]);
        let objective = term(&mut random, VARS, 1);
        let values = all_values(VARS, LOW, HIGH);
        let reached = values.iter().filter(|values| holds(&formula, values));
        let expected = reached.map(|values| objective.eval(&|var| values[var.index()])).max();
        let found = Solver::of(&formula).maximise(&objective, &budget());
        assert_eq!(
            found,
            Some(expected.map_or(Bound::Empty, Bound::Value)),
            "round {round}: {formula:?} {objective:?}"
        );
        seen[usize::from(expected.is_some())] += 1;
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

#[test]
fn maxima_without_limits_are_maxima() {
    let mut random = Rng::new(8);
    let mut seen = [0; 3];
    for round in 0..200 {
        let formula = formula(&mut random, VARS, 3);
        let objective = term(&mut random, VARS, 1);
        let mut solver = Solver::of(&formula);
        let above = |value: i128| Formula::lt(&Linear::constant(value), &objective);
        let kind = match solver.maximise(&objective, &budget()).unwrap_or_else(|| panic!("round {round}")) {
            Bound::Value(value) => {
                let reached = Formula::eq(&objective, &Linear::constant(value));
                assert!(matches!(solver.check(&[reached], &budget()), Answer::Sat(_)), "round {round}");
                assert_eq!(solver.refutes(&above(value), &budget()), Some(true), "round {round}");
                0
            }
            Bound::Unbounded => {
                assert_eq!(solver.refutes(&above(1_000_000), &budget()), Some(false), "round {round}");
                1
            }
            Bound::Empty => {
                assert_eq!(solver.refutes(&Formula::True, &budget()), Some(true), "round {round}");
                2
            }
        };
        seen[kind] += 1;
    }
    assert!(seen.iter().all(|count| *count > 5), "{seen:?}");
}

#[test]
fn models_are_complete() {
    let model = Model::from_iter([(Var(1), 7)]);
    assert_eq!((model.value(Var(0)), model.eval_term(&variable(1).plus(&variable(0)))), (0, 7));
}

#[test]
fn large_numbers_are_given_up_or_right() {
    // 2^40 x + 2^31 y + 1 <= z <= 2^45 x, and y from 0 below 2^40: the coefficients are multiplied.
    let (x, y, z) = (variable(0), variable(1), variable(2));
    let low = x.scale(1 << 40).plus_multiple(&y, 1 << 31).plus_constant(1);
    let parts = [Formula::le(&low, &z), Formula::le(&z, &x.scale(1 << 45)), Formula::between(0, &y, (1 << 40) - 1)];
    let formula = Formula::and(parts);
    for keep in [0, 1, 2] {
        let short = budget().within(std::time::Duration::from_secs(2));
        let Some(projected) = project(&formula, &|var| var == Var(keep), &short) else { continue };
        for value in [-(1i128 << 50), -1, 0, 1, 2, 1 << 20, 1 << 50] {
            let fixed = formula.substitute(&mut |var| (var == Var(keep)).then(|| Linear::constant(value)));
            let expected = match Solver::of(&fixed).check(&[], &budget()) {
                Answer::Sat(_) => true,
                Answer::Unsat(_) => false,
                // Its model has too large values.
                Answer::Unknown => continue,
            };
            assert_eq!(projected.eval(&|_| value), expected, "{keep} = {value}: {projected:?}");
        }
    }
}

/// Random rules: whatever Spacer says, its evidence must hold, and where it says "safe" its invariants are evidence.
#[test]
fn horn_systems_have_evidence() {
    let mut random = Rng::new(7);
    let (mut safe, mut found) = (0, 0);
    for round in 0..120 {
        let mut horn = Horn::new();
        let at: Vec<_> = (0..4).map(|n| horn.add_predicate(format!("p{n}"), 2)).collect();
        let application = |random: &mut Rng| {
            let predicate = at[random.below(4)];
            Application::new(predicate, [0, 1].map(|_| term(random, VARS, 0)))
        };
        for _ in 0..6 {
            let head = application(&mut random);
            let body = (random.below(3) != 0).then(|| application(&mut random));
            let condition = Formula::and([formula(&mut random, VARS, 2), limits(0..VARS, LOW, HIGH)]);
            horn.add_rule(Some(head), body, condition);
        }
        let body = application(&mut random);
        horn.add_rule(None, Some(body), formula(&mut random, VARS, 2));
        match horn.solve(&Budget::new(Some(std::time::Duration::from_secs(2)), None)) {
            HornAnswer::Safe(invariants) => {
                assert_eq!(horn.holds_with(&invariants, &budget()), Some(true), "round {round}");
                safe += 1;
            }
            HornAnswer::Unsafe(derivation) => {
                assert!(horn.derives(&derivation), "round {round}");
                found += 1;
            }
            HornAnswer::Unknown(why) => assert!(!why.contains("do not hold"), "round {round}: {why}\n{horn:?}"),
        }
    }
    assert!(safe > 30 && found > 5, "{safe} {found}");
}
