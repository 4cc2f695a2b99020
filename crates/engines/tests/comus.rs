//! CoMuS on the families on which it was measured: the verdicts, and how often it asks for them.

use base::{Budget, Folder};
use claim::{Outcome, Replay, Unwatched, replay};
use engines::{Command, Observer, Problem, SWITCH, find};
use families::{Family, Parameters};
use ir::Spec;
use ir::interp::Code;
use std::time::Duration;

/// How often the checker was asked.
struct Calls(u64);

impl Observer for Calls {
    fn statistic(&mut self, name: &'static str, value: u64) {
        if name == "checker calls" {
            self.0 = value;
        }
    }
}

/// The program of this family and number of threads is decided rightly, with so many calls.
#[track_caller]
fn decides(family: Family, threads: usize, safe: bool, command: &str, most_calls: u64) {
    let written = families::generate(&Parameters::new(family, threads, safe)).expect("a program");
    let folder = Folder::new().expect("a folder");
    let file = folder.file("family.c");
    std::fs::write(&file, written.text).expect("a file");
    let program = front::load(&[file], &front::Options::default()).expect("a program in C").program;
    let code = Code::new(&program);
    let problem = Problem::new(&code, Spec::default());
    let mut engine = Command::parse(command).and_then(|command| command.make()).expect("an engine");
    let (budget, mut calls) = (Budget::new(Some(Duration::from_secs(60)), None), Calls(0));
    let right = match engine.run(&problem, &budget, &mut calls) {
        Outcome::Safe(_) => safe,
        Outcome::Unsafe(trace) => !safe && matches!(replay(&code, &trace, &mut Unwatched), Replay::Violated(_)),
        Outcome::Unknown(reason) => panic!("{command}: {reason:?}"),
    };
    assert!(right && calls.0 <= most_calls, "{command}: {} calls", calls.0);
}

#[test]
fn chains() {
    decides(Family::Chain, 8, true, "comus", 1);
    decides(Family::Chain, 8, true, "comus ranges=off", 1);
    decides(Family::Chain, 4, false, "comus", 20);
}

#[test]
fn rings() {
    decides(Family::Ring, 2, true, "comus", 60);
    decides(Family::Ring, 3, true, "comus", 600);
    decides(Family::Ring, 3, false, "comus", 40);
}

#[test]
fn sums_of_matrices() {
    decides(Family::Matrix, 2, true, "comus", 15);
    decides(Family::Matrix, 2, true, "comus ranges=off", 100);
    decides(Family::Matrix, 4, true, "comus", 40);
    decides(Family::Matrix, 3, false, "comus", 20);
}

#[test]
fn triangles_of_pascal() {
    decides(Family::Pascal, 4, true, "comus", 60);
    decides(Family::Pascal, 4, true, "comus ranges=off", 60);
}

#[test]
fn each_switch_can_be_turned() {
    let options = find("comus").map(|entry| (entry.options)()).expect("comus");
    for about in options.iter().filter(|about| about.values == SWITCH) {
        let other = if about.default == "on" { "off" } else { "on" };
        decides(Family::Ring, 2, true, &format!("comus {}={other}", about.name), 200);
    }
}
