//! Random concurrent programs in small numbers, and the programs on which someone was once wrong.

use fuzz::concurrent::campaign::{Campaign, Summary};
use fuzz::concurrent::{bounded, compare, kept, run, systems, unrolling};
use std::path::Path;
use std::time::Duration;

/// Enough for most of the programs.
const TIME: Duration = Duration::from_millis(100);

fn campaign(seed: u64, count: u64) -> Campaign {
    Campaign::new(seed, count, std::env::temp_dir().join("unbraid-fuzz"))
}

/// The summary as text, if all agree.
fn agreed(summary: &Summary) -> String {
    let text = summary.print();
    assert!(summary.disagreements.is_empty(), "{:?}\n{text}", summary.disagreements);
    text
}

#[test]
fn everyone_agrees_on_random_programs() {
    let summary = run::run(&campaign(2024, 200), TIME);
    let (text, compared, violated) = (agreed(&summary), summary.compared, summary.get("", "unsafe"));
    assert!(violated * 5 >= compared, "too few programs are unsafe\n{text}");
    assert!((compared - violated) * 5 >= compared, "too few programs are safe\n{text}");
    for (way, _) in &bounded::WAYS[..2] {
        assert!(summary.get(way, "decided") * 2 >= compared, "the bounded engine decides too few\n{text}");
    }
    let states = ["not reduced", "reduced"].map(|how| summary.get("", &format!("states of the engine, {how}")));
    assert!(states[1] * 2 < states[0], "reduction does not reduce\n{text}");
}

#[test]
fn everyone_agrees_on_programs_that_were_once_decided_wrongly() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/once-wrong");
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path)?;
        let program = ir::text::parse(&text, &name).map_err(|errors| format!("{name}: {errors:?}"))?;
        assert_eq!(ir::validate(&program), [], "{name}");
        let judged = compare::judge(&program, TIME);
        assert!(judged.is_ok(), "{name}: {judged:?}");
    }
    Ok(())
}

#[test]
fn unrollings_are_confirmed_when_they_are_complete() {
    let summary = unrolling::run(&campaign(2024, 150), 4);
    let (text, safe) = (agreed(&summary), summary.get("", "safe"));
    assert!(safe * 5 < summary.compared * 4, "too few programs are unsafe\n{text}");
    assert!(summary.get("", "confirmed") * 2 > safe, "too few programs are confirmed\n{text}");
}

#[test]
fn programs_unfolded_with_their_loops_kept_agree() {
    let summary = kept::run(&campaign(2025, 200), TIME);
    let text = agreed(&summary);
    for decided in kept::decided(&summary) {
        assert!(decided * 10 >= summary.compared, "too few programs with loops are compared\n{text}");
    }
}

#[test]
fn systems_do_what_their_programs_do() {
    let summary = systems::run(&campaign(2026, 150), 10 * TIME);
    let text = agreed(&summary);
    for (decided, exact) in systems::decided_and_exact(&summary) {
        assert!(decided * 10 >= summary.compared * 7, "too few programs are decided\n{text}");
        assert!(exact * 2 >= summary.compared, "too few programs are translated exactly\n{text}");
    }
}
