//! Claims of safety by complete unrolling: true ones are confirmed, false ones and those with bounds that are too small are not.

mod common;

use base::Budget;
use claim::{Proof, Unrolling};
use common::Loaded;
use ir::Program;
use ir::interp::Code;
use std::path::Path;
use std::time::Duration;

const BOUNDS: Unrolling = Unrolling { unwind: 1, loops: Vec::new(), counted: 1 << 10, threads: 50, size: 100_000 };

/// What is wrong with the claim that a program is safe within bounds.
fn refused(program: &Program, unwind: u32) -> Option<String> {
    refused_within(program, Unrolling { unwind, ..BOUNDS })
}

fn refused_within(program: &Program, bounds: Unrolling) -> Option<String> {
    let budget = Budget::new(Some(Duration::from_secs(10)), None);
    let why = confirm::check(&Proof::Unrolling(bounds), &Code::new(program), &budget).err()?.to_string();
    // Out of time, on a machine that is busy.
    Some(budget.spent().map_or(why, |spent| format!("more than can be looked at: {spent}")))
}

/// Why a safe program may go unconfirmed with four times round each loop: it does more than that, or something that is refused.
const HONEST: [&str; 4] = ["more than", "looks at handles", "not supported", "may go anywhere"];

#[test]
fn programs_in_c() {
    let (mut safe, mut confirmed, mut open, mut wrong) = (0, 0, Vec::new(), Vec::new());
    for Loaded { name, text, program } in common::programs_in_c() {
        if text.starts_with("//@ assert: unsafe") {
            let fine = (1..=3).all(|unwind| refused(&program, unwind).is_some());
            wrong.extend((!fine).then(|| format!("{name}: confirmed, though it is not safe")));
            continue;
        }
        safe += 1;
        match refused(&program, 4) {
            None => confirmed += 1,
            Some(why) if HONEST.iter().any(|honest| why.contains(honest)) => open.push(format!("{name}: {why}")),
            Some(why) => wrong.push(format!("{name}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(5 * confirmed > 4 * safe, "only {confirmed} of {safe} programs are confirmed:\n{}", open.join("\n"));
}

/// The programs beside this file.  Lines `;? NAME=text / unwind=2 => confirmed` say what must come of the program with the text in
/// the place of the name and these bounds: it is confirmed, refused, or refused with these words (`...` stands for any others).
#[test]
fn written_programs() {
    let mut cases = 0;
    for file in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unrolling")).expect("a folder") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("a text");
        for case in text.lines().filter_map(|line| line.strip_prefix(";? ")) {
            let (settings, expected) = case.split_once(" => ").expect("what is expected");
            let (mut bounds, mut program) = (BOUNDS, text.clone());
            for (name, value) in settings.split(" / ").map(|setting| setting.split_once('=').expect("NAME=text")) {
                let number = || value.parse().expect("a number");
                match name {
                    "unwind" => bounds.unwind = number() as u32,
                    "threads" => bounds.threads = number(),
                    "size" => bounds.size = number(),
                    _ => program = program.replace(name, value),
                }
            }
            let program = ir::text::parse(&program, "test.ir").expect("a program");
            assert_eq!(ir::validate(&program), [], "{case}");
            let said = refused_within(&program, bounds).unwrap_or("confirmed".into());
            let fits = match expected.strip_prefix("...") {
                Some(words) => said.contains(words),
                None => said == expected || expected == "refused" && said != "confirmed",
            };
            assert!(fits, "{case}: {said}");
            cases += 1;
        }
    }
    assert!(cases >= 19, "only {cases} cases");
}
