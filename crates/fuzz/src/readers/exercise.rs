//! Everything that is done to a text on its way to a verdict, for any text at all.

use super::corpus::Kind;
use base::{Budget, Rng};
use engines::explicit::Explicit;
use engines::{Engine, Problem, Unobserved};
use facts::Facts;
use front::Options;
use ir::interp::{Code, Machine, Stepped};
use ir::{Program, Spec};
use std::time::Duration;

/// How far a text came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Came {
    /// It was refused with a message.
    Refused,
    /// It became a program, which was run.
    Ran,
}

/// Reads the text and does with the program what can be done; the error says what is not as it should be.
pub fn exercise(kind: Kind, text: &str) -> Result<Came, String> {
    let program = match kind {
        Kind::Llvm => match front::read_llvm(text, "damaged.ll", &Options::default()) {
            Ok(loaded) => loaded.program,
            Err(errors) if errors.is_empty() => return Err("refused without a message".into()),
            Err(_) => return Ok(Came::Refused),
        },
        Kind::Ir => match ir::text::parse(text, "damaged.ir") {
            Ok(program) => program,
            Err(_) => return Ok(Came::Refused),
        },
    };
    if let Some(wrong) = ir::validate(&program).first() {
        return match kind {
            // Whatever comes out of the front end is valid.
            Kind::Llvm => Err(format!("the front end makes an invalid program: {}", wrong.describe(&program))),
            Kind::Ir => Ok(Came::Refused),
        };
    }
    round_trip(&program)?;
    run(&program);
    Ok(Came::Ran)
}

fn round_trip(program: &Program) -> Result<(), String> {
    let printed = ir::text::print(program);
    match ir::text::parse(&printed, "printed.ir") {
        Ok(again) if again == *program => Ok(()),
        Ok(_) => Err("the program prints as another one".into()),
        Err(error) => Err(format!("the printed program is refused: {error}")),
    }
}

/// A short run with random schedules and inputs, then the facts and a moment of search.
fn run(program: &Program) {
    let statics: u64 = program.objects.values().map(|object| object.size).sum();
    let code = Code::new(program);
    let mut rng = Rng::new(7);
    let mut machine = Machine::new(&code);
    for _ in 0..3000 {
        let running: Vec<usize> = (0..machine.thread_count())
            .filter(|thread| machine.is_running(*thread) && machine.enabled(*thread))
            .collect();
        let owner = machine.atomic_owner();
        let Some(thread) = owner.or_else(|| rng.pick(&running).copied()) else { break };
        let input = if rng.chance(50) { u128::from(rng.next()) } else { rng.below(3) as u128 };
        match machine.step(thread, &mut |choice| ir::mask(input, choice.bits)) {
            Stepped::Done => (),
            Stepped::Blocked | Stepped::Violated | Stepped::Ended(_) | Stepped::Unsupported(_) => break,
        }
    }
    // A state is as large as its static objects; searching among huge ones is no test of the reader.
    if statics < 1 << 20 {
        Facts::compute(program);
        let budget = Budget::new(Some(Duration::from_millis(20)), Some(3 << 30));
        Explicit::default().run(&Problem::new(&code, Spec::default()), &budget, &mut Unobserved);
    }
}
