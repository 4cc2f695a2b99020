//! A verifier that is a few lines of shell.

use backend::{Backend, BoundedSearch, Bounds, Finding};
use base::{Budget, Spent};
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// Searches with this command; the sequential program has its bounds in the first line.
fn search(command: &str, rounds: Option<u32>, unwind: Option<u32>, budget: &Budget) -> (Finding, Vec<Bounds>) {
    let backend = Backend::new(command, None, None).unwrap();
    let tried = RefCell::new(Vec::new());
    let emit = |bounds: Bounds| {
        tried.borrow_mut().push(bounds);
        Ok(format!("// rounds={} unwind={}\n", bounds.rounds, bounds.unwind))
    };
    let finding = BoundedSearch { backend: &backend, rounds, unwind, emit: &emit }.run(budget);
    (finding, tried.into_inner())
}

fn bounds(rounds: u32, unwind: u32) -> Bounds {
    Bounds { rounds, unwind }
}

#[test]
fn bounds_that_are_given_are_tried_once() {
    let unlimited = Budget::unlimited();
    let (finding, tried) = search("grep -q 'rounds=2 unwind=3' {file} && exit 10", Some(2), Some(3), &unlimited);
    assert_eq!((finding, tried), (Finding::Violated(bounds(2, 3)), vec![bounds(2, 3)]));
    let (finding, _) = search("test -f {file}", Some(2), Some(3), &unlimited);
    assert_eq!(finding, Finding::NotViolated(bounds(2, 3), None));
    assert_eq!(bounds(2, 1).to_string(), "2 rounds and 1 unwinding");
}

#[test]
fn bounds_grow_until_something_is_found() {
    let unlimited = Budget::unlimited();
    let (finding, tried) = search("grep -q unwind=4 {file} && exit 10; exit 0", None, None, &unlimited);
    assert_eq!(finding, Finding::Violated(bounds(3, 4)));
    assert_eq!(tried.len(), 3);
    // One bound given, the other grows.
    let (finding, tried) = search(": {file}; exit 0", Some(2), None, &unlimited);
    assert_eq!(finding, Finding::NotViolated(bounds(2, 16), None));
    assert!(tried.iter().all(|bounds| bounds.rounds == 2));
}

#[test]
fn a_verifier_that_fails_says_nothing() {
    let (finding, _) = search("echo 'no such option'; false {file}", None, None, &Budget::unlimited());
    assert_eq!(finding, Finding::Nothing("exit status 1: no such option".into()));
    let (finding, _) = search("no-such-program-at-all {file}", None, None, &Budget::unlimited());
    assert!(matches!(finding, Finding::Nothing(why) if why.starts_with("exit status 127: ")));
    // What was covered before is still worth telling.
    let (finding, _) = search("grep -q unwind=1$ {file}", None, None, &Budget::unlimited());
    assert!(matches!(finding, Finding::NotViolated(covered, Some(_)) if covered == bounds(1, 1)));
    assert!(Backend::new("cbmc file.c", None, None).is_err());
}

#[test]
fn a_program_that_cannot_be_written_is_no_answer() {
    let backend = Backend::new("true {file}", None, None).unwrap();
    let emit = |_: Bounds| Err("floats cannot be written".to_string());
    let finding =
        BoundedSearch { backend: &backend, rounds: None, unwind: None, emit: &emit }.run(&Budget::unlimited());
    assert_eq!(finding, Finding::Nothing("floats cannot be written".into()));
}

#[test]
fn a_verifier_and_its_children_end_with_the_time() {
    let marker = std::env::temp_dir().join(format!("unbraid-fake-{}", std::process::id()));
    let start = Instant::now();
    let budget = Budget::new(Some(Duration::from_millis(300)), None);
    // A child in the background, which would leave a mark after the time.
    let command = format!("(sleep 2; touch {}) & sleep 60; true {{file}}", marker.display());
    let (finding, _) = search(&command, None, None, &budget);
    assert_eq!(finding, Finding::Spent(Spent::Time));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    std::thread::sleep(Duration::from_secs(3));
    assert!(!marker.exists(), "a child of the verifier is still alive");
}

#[test]
fn a_verifier_that_ends_takes_its_children_along() {
    let start = Instant::now();
    let (finding, _) = search("sleep 60 & exit 10; true {file}", Some(1), Some(1), &Budget::unlimited());
    assert_eq!(finding, Finding::Violated(bounds(1, 1)));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
