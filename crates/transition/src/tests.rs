//! Random steps: what the algebra says of them, compared with running them on numbers.

use crate::{Edge, Graph, Input, Joined, Live, Location, LocationData, Step};
use base::Rng;
use formula::{Formula, Linear, Var};

const VARS: u32 = 3;
const VALUES: std::ops::Range<i128> = -1..3;

fn term(random: &mut Rng, inputs: usize) -> Linear {
    let mut sum = Linear::constant(random.number(-1, 1));
    for _ in 0..random.below(3) {
        let number = random.below(VARS as usize + inputs);
        let var = if number < VARS as usize { Var(number as u32) } else { Var::input(number - VARS as usize) };
        sum = sum.plus_multiple(&Linear::var(var), random.number(-1, 1));
    }
    if random.below(4) > 0 {
        return sum;
    }
    // Large enough to get a name, when it is put into others.
    let other = sum.plus_constant(1).floor_mod(3);
    let some = Linear::choice(Formula::le(&sum, &Linear::constant(0)), other.clone().floor_div(2), other.clone());
    Linear::choice(Formula::le(&other, &Linear::constant(0)), some.plus(&sum), some.floor_mod(2))
}

fn condition(random: &mut Rng, inputs: usize) -> Formula {
    let (a, b) = (term(random, inputs), term(random, inputs));
    match random.below(3) {
        0 => Formula::eq(&a, &b),
        1 => Formula::ne(&a, &b),
        _ => Formula::le(&a, &b),
    }
}

fn step(random: &mut Rng) -> Step {
    let inputs = random.below(3);
    let mut step = Step::default();
    for _ in 0..inputs {
        step.inputs.push(Input { name: "in".into(), range: base::Interval::ALL, named: false });
    }
    for _ in 0..random.below(4) {
        let holds = condition(random, inputs);
        let var = Var(random.below(VARS as usize) as u32);
        step = match random.below(5) {
            0 => step.assume(&holds),
            1 => step.check(&Formula::or([holds, condition(random, inputs)])),
            _ => step.assign(var, &term(random, inputs)),
        };
    }
    step
}

type Numbers = Vec<i128>;

/// What a step does: it fails, cannot be taken, or leads to a state.
#[derive(PartialEq, Debug)]
enum Ran {
    Failed,
    Blocked,
    To(Numbers),
}

fn run(step: &Step, state: &[i128], inputs: &[i128]) -> Ran {
    let value = |var: Var| var.as_input().map_or_else(|| state[var.0 as usize], |input| inputs[input]);
    if step.fails.eval(&value) {
        return Ran::Failed;
    }
    if !step.guard.eval(&value) {
        return Ran::Blocked;
    }
    let mut after = state.to_vec();
    step.updates.iter().for_each(|(var, term)| after[var.0 as usize] = term.eval(&value));
    Ran::To(after)
}

/// All tuples of this many values.
fn tuples(count: usize) -> Vec<Numbers> {
    tuples_of(VALUES, count)
}

fn tuples_of(values: std::ops::Range<i128>, count: usize) -> Vec<Numbers> {
    (0..count).fold(vec![Vec::new()], |all, _| {
        all.iter().flat_map(|some| values.clone().map(move |value| [some.as_slice(), &[value]].concat())).collect()
    })
}

/// The values of names follow from the guard: those that make it, or the failure, true.
fn with_names(step: &Step, state: &[i128], chosen: &[i128]) -> Ran {
    let mut inputs: Numbers = Vec::new();
    let mut chosen = chosen.iter().copied();
    for input in &step.inputs {
        inputs.push(if input.named { 0 } else { chosen.next().expect("one value for each choice") });
    }
    let names: Vec<usize> = (0..step.inputs.len()).filter(|input| step.inputs[*input].named).collect();
    let mut tries = tuples_of(-12..13, names.len()).into_iter().map(|values| {
        names.iter().zip(values).for_each(|(name, value)| inputs[*name] = value);
        run(step, state, &inputs)
    });
    tries.find(|ran| *ran != Ran::Blocked).unwrap_or(Ran::Blocked)
}

#[test]
fn two_steps_as_one_do_what_they_do_one_after_the_other() {
    let mut random = Rng::new(1);
    let (mut passed, mut failed, mut named) = (0, 0, 0);
    for _ in 0..300 {
        let (first, second) = (step(&mut random), step(&mut random));
        let both = first.then(&second);
        let names = both.inputs.iter().filter(|input| input.named).count();
        if names > 1 {
            continue;
        }
        named += names;
        for state in tuples(VARS as usize).into_iter().step_by(5) {
            for chosen in tuples(first.inputs.len() + second.inputs.len()).into_iter().step_by(7) {
                let (one, two) = chosen.split_at(first.inputs.len());
                let expected = match run(&first, &state, one) {
                    Ran::To(between) => run(&second, &between, two),
                    other => other,
                };
                assert_eq!(with_names(&both, &state, &chosen), expected, "{first:?}\n{second:?}\n{both:?}");
                passed += u32::from(matches!(expected, Ran::To(_)));
                failed += u32::from(expected == Ran::Failed);
            }
        }
    }
    assert!(passed > 1000 && failed > 100 && named > 5, "{passed} {failed} {named}");
}

#[test]
fn the_same_step_twice_chooses_twice() {
    let input = || Step::default().havoc(Var(0), "in".into());
    let kept = Step::default().assign(Var(1), &Linear::var(Var(0)));
    let both = input().then(&kept).then(&input());
    assert_eq!(both.inputs.len(), 2);
    assert_eq!(run(&both, &[0, 0, 0], &[5, 7]), Ran::To(vec![7, 5, 0]));
}

#[test]
fn forwards_and_backwards_agree_with_running() {
    let mut random = Rng::new(2);
    for _ in 0..300 {
        let step = step(&mut random);
        let after = condition(&mut random, 0);
        for state in tuples(VARS as usize).into_iter().step_by(3) {
            for chosen in tuples(step.inputs.len()).into_iter().step_by(3) {
                let value = |var: Var| var.as_input().map_or_else(|| state[var.0 as usize], |input| chosen[input]);
                let holds = |state: &[i128]| after.eval(&|var| state[var.0 as usize]);
                let ran = run(&step, &state, &chosen);
                let reaches = matches!(&ran, Ran::To(there) if holds(there));
                assert_eq!(step.pre(&after).eval(&value) && ran != Ran::Failed, reaches);
                let escapes = ran == Ran::Failed || matches!(&ran, Ran::To(there) if !holds(there));
                assert_eq!(step.escape(&after).eval(&value), escapes);
                let inputs: Vec<Linear> = chosen.iter().copied().map(Linear::constant).collect();
                let result = step.post(&mut |var| Some(Linear::constant(state[var.0 as usize])), &inputs);
                match ran {
                    Ran::Failed => assert_eq!(result.fails, Formula::True),
                    Ran::Blocked => assert_eq!((result.fails, result.possible), (Formula::False, Formula::False)),
                    Ran::To(there) => {
                        assert_eq!((result.fails, result.possible), (Formula::False, Formula::True));
                        for (var, value) in result.values {
                            assert_eq!(value.as_constant(), Some(there[var.0 as usize]));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn what_a_failure_does_not_depend_on_is_not_live() {
    let edge = |from, to, step| Edge { from: Location(from), to: Location(to), step };
    let positive = Formula::lt(&Linear::constant(0), &Linear::var(Var(0)));
    let graph = Graph {
        locations: (0..4).map(|number| LocationData::named(format!("l{number}"))).collect(),
        entry: Location(0),
        edges: vec![
            edge(0, 1, Step::default().assign(Var(0), &Linear::var(Var(1))).assign(Var(2), &Linear::var(Var(0)))),
            edge(1, 2, Step::default().check(&positive)),
            edge(1, 3, Step::default()),
        ],
    };
    let live = Live::of(&graph);
    assert_eq!((live.vars(Location(0)), live.vars(Location(1))), (vec![Var(1)], vec![Var(0)]));
    assert!(live.has(Location(1)) && !live.has(Location(2)) && !live.has(Location(3)));
    assert_eq!(Joined::all(&graph).len(), 3);
}
