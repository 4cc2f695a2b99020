//! Makes one of the checks on programs, C or text, and says what came of it and how long it took.
//!
//! * `checks [--32] runs FILE...`: runs them, as before a proof is believed;
//! * `checks [--32] unfolding FILE...`: validates how they are unfolded, with loops kept, and unwound;
//! * `checks [--32] translation FILE...`: validates how they are translated;
//! * `checks [--32] unrolling UNWIND SECONDS FILE...`: checks the claim that they are safe within bounds.

use base::Budget;
use claim::Proof;
use claim::modular::Ints;
use facts::Facts;
use ir::interp::Code;
use ir::{DataModel, Goal, Program};
use passes::Bounds;
use std::fmt::Display;
use std::time::{Duration, Instant};

fn main() {
    let (options, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let data_model = if options.iter().any(|arg| arg == "--32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    let number = |at: usize| words[at].parse::<u32>().expect("a number");
    let first_file = if words[0] == "unrolling" { 3 } else { 1 };
    for file in &words[first_file..] {
        let Some(program) = load(file, data_model) else { continue };
        match words[0].as_str() {
            "runs" => {
                let check = || confirm::runs::check(&Code::new(&program), &Budget::unlimited());
                tell(file, check);
            }
            "unfolding" => unfolding(file, &program),
            "translation" => translation(file, &program),
            "unrolling" => {
                let claim = Proof::Unrolling((&Bounds::new(number(1))).into());
                let budget = Budget::new(Some(Duration::from_secs(number(2).into())), None);
                tell(file, || confirm::check(&claim, &Code::new(&program), &budget));
            }
            other => panic!("{other} is no check"),
        }
    }
}

/// `None` if it cannot be read, which is said.
fn load(file: &str, data_model: DataModel) -> Option<Program> {
    if file.ends_with(".ir") {
        let text = std::fs::read_to_string(file).expect("a file");
        return Some(ir::text::parse(&text, file).expect("a program"));
    }
    let loaded = front::load(&[file.into()], &front::Options { data_model, ..front::Options::default() });
    loaded.map_err(|errors| println!("{file}: cannot be read: {:?}", errors.first())).ok().map(|loaded| loaded.program)
}

fn tell<E: Display>(what: &str, check: impl FnOnce() -> Result<(), E>) {
    let start = Instant::now();
    let said = check().err().map_or("fine".into(), |why| why.to_string());
    println!("{what}\t{said}\t{:.1} ms", start.elapsed().as_secs_f64() * 1000.0);
}

fn unfolding(file: &str, program: &Program) {
    let facts = Facts::compute(program);
    for bounds in [Bounds::keeping_loops(64), Bounds::keeping_loops(2), Bounds::keeping_loops(0), Bounds::new(2)] {
        let kind = if bounds.keep { "loops kept" } else { "unwound" };
        let unfolded = passes::unfold(program, &facts, Goal::Assertion, &bounds, &Budget::unlimited());
        let unfolded = unfolded.expect("without limits");
        tell(&format!("{file}\t{kind}"), || confirm::unfolding::check(program, &unfolded));
    }
}

fn translation(file: &str, program: &Program) {
    let budget = Budget::new(Some(Duration::from_secs(20)), None);
    for (ints, name) in [(Ints::Machine, "wrapping"), (Ints::Unwrapped, "not wrapping")] {
        let options = system::Options { raw: true, ..ints.into() };
        match system::translate(program, &options, &budget) {
            Ok(translated) => tell(&format!("{file}\t{name}"), || confirm::translation::check(&translated, &budget)),
            Err(_) => println!("{file}\t{name}\trefused"),
        }
    }
}
