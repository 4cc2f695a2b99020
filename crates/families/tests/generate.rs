//! What holds of every program that is generated, whatever it computes.  That the verdicts are right is for the engines
//! to say, on the programs of `tests/c/families`.

use clap::ValueEnum;
use families::{Claimant, Family, Parameters, generate};

/// Every sensible choice of parameters for small programs.
fn all() -> Vec<Parameters> {
    let mut list = Vec::new();
    for family in Family::value_variants() {
        for threads in 2..=5 {
            let usual = Parameters::new(*family, threads, true);
            for parameters in [
                usual.clone(),
                Parameters { place: Claimant::Main, scalars: true, ..usual.clone() },
                Parameters { iterations: Some(3), ..usual.clone() },
                Parameters { endless: true, ..usual },
            ] {
                list.extend([None, Some(1), Some(2)].map(|shuffle| Parameters { shuffle, ..parameters.clone() }));
            }
        }
    }
    list
}

/// The lines of one function.
fn body<'t>(text: &'t str, function: &str) -> &'t str {
    let start = text.find(&format!("void *{function}(")).expect("it is defined");
    let end = text[start..].find("\n}\n").expect("it ends");
    &text[start..start + end]
}

#[test]
fn the_first_of_the_order_makes_the_claim() {
    let mut count = 0;
    for parameters in all() {
        let Ok(program) = generate(&parameters) else { continue };
        count += 1;
        assert_eq!(program.order.len(), parameters.threads);
        for (index, function) in program.order.iter().enumerate() {
            let claims = body(&program.text, function).contains("assert(");
            assert_eq!(claims, index == 0 && parameters.place == Claimant::Thread, "{}", parameters.options());
            let number = &function[1..];
            assert!(program.text.contains(&format!("pthread_create(&id{number}, 0, {function}, 0);")));
            assert!(program.text.contains(&format!("pthread_join(id{number}, 0);")));
        }
        assert_eq!(program.text.matches("assert(").count(), 1, "{}", parameters.options());
    }
    assert!(count > 150, "{count}");
}

#[test]
fn twins_differ_by_a_line_or_two() {
    for safe in all() {
        let parameters = Parameters { safe: false, ..safe.clone() };
        let (Ok(safe), Ok(twin)) = (generate(&safe), generate(&parameters)) else { continue };
        let code =
            |text: &str| text.lines().filter(|line| !line.starts_with("//")).map(String::from).collect::<Vec<_>>();
        let (safe, twin) = (code(&safe.text), code(&twin.text));
        assert_eq!(safe.len(), twin.len());
        let different = safe.iter().zip(&twin).filter(|(a, b)| a != b).count();
        // One line, or two that change places, once for each cell or level if there are no loops over them.
        assert!((1..=2 * parameters.threads).contains(&different), "{}: {different}", parameters.options());
    }
}

#[test]
fn a_shuffle_changes_names_and_creation_only() {
    let natural = generate(&Parameters::new(Family::Chain, 8, true)).unwrap();
    let shuffled =
        |seed| generate(&Parameters { shuffle: Some(seed), ..Parameters::new(Family::Chain, 8, true) }).unwrap();
    let program = shuffled(1);
    assert_ne!(program.order, natural.order);
    assert_ne!(program.order, shuffled(2).order);
    assert_eq!(program, shuffled(1));
    let sorted = |mut order: Vec<String>| {
        order.sort();
        order
    };
    assert_eq!(sorted(program.order.clone()), natural.order);
    // Each adds the variable of the next in the order.
    for pair in program.order.windows(2) {
        let sum = format!("v{} += v{};", &pair[0][1..], &pair[1][1..]);
        assert!(body(&program.text, &pair[0]).contains(&sum), "{sum}");
    }
    let creations: Vec<&str> = program.text.lines().filter(|line| line.contains("pthread_create")).collect();
    let numbered: Vec<&str> = natural.text.lines().filter(|line| line.contains("pthread_create")).collect();
    assert_ne!(creations, numbered);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |change: fn(&mut Parameters), family: Family| {
        let mut parameters = Parameters::new(family, 3, true);
        change(&mut parameters);
        generate(&parameters).expect_err("it makes no sense")
    };
    assert_eq!(refused(|p| p.threads = 1, Family::Ring), "ring needs at least two threads");
    assert_eq!(refused(|p| p.columns = Some(0), Family::Matrix), "a matrix has at least one column");
    assert_eq!(refused(|p| p.columns = Some(2), Family::Pascal), "pas has no columns to choose; only mat has");
    assert!(refused(|p| p.endless = true, Family::Longest).contains("computes its table once"));
    assert!(refused(|p| p.iterations = Some(0), Family::Chain).contains("at least once"));
    assert!(refused(|p| p.threads = 40, Family::Chain).contains("overflow 32 bits"));
    assert!(refused(|p| p.place = Claimant::Main, Family::Peterson).contains("main has nothing to claim"));
}
