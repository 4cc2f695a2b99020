//! Random concurrent programs in small numbers, and the programs on which someone was once wrong.

use fuzz::concurrent::campaign::Campaign;
use fuzz::concurrent::{compare, kept, run, systems, unrolling};
use std::path::Path;
use std::time::Duration;

/// Enough for most of the programs.
const TIME: Duration = Duration::from_millis(100);

fn campaign(seed: u64, count: u64) -> Campaign {
    Campaign::new(seed, count, std::env::temp_dir().join("unbraid-fuzz"))
}

#[test]
fn everyone_agrees_on_random_programs() {
    let summary = run::run(&campaign(2024, 200), TIME);
    let (text, compared) = (summary.print(), summary.found.compared);
    assert!(summary.found.disagreements.is_empty(), "{:?}\n{text}", summary.found.disagreements);
    assert!(summary.unsafe_ * 5 >= compared, "too few programs are unsafe\n{text}");
    assert!((compared - summary.unsafe_) * 5 >= compared, "too few programs are safe\n{text}");
    for tally in &summary.bounded[..2] {
        assert!((tally.safe + tally.unsafe_) * 2 >= compared, "the bounded engine decides too few\n{text}");
    }
    assert!(summary.engine_states[1] * 2 < summary.engine_states[0], "reduction does not reduce\n{text}");
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
    let text = summary.print();
    assert!(summary.found.disagreements.is_empty(), "{:?}\n{text}", summary.found.disagreements);
    assert!(summary.safe * 5 < summary.found.compared * 4, "too few programs are unsafe\n{text}");
    assert!(summary.confirmed * 2 > summary.safe, "too few programs are confirmed\n{text}");
}

#[test]
fn programs_unfolded_with_their_loops_kept_agree() {
    let summary = kept::run(&campaign(2025, 200), TIME);
    let text = summary.print();
    assert!(summary.found.disagreements.is_empty(), "{:?}\n{text}", summary.found.disagreements);
    for decided in summary.decided {
        assert!(decided * 10 >= summary.found.compared, "too few programs with loops are compared\n{text}");
    }
}

#[test]
fn systems_do_what_their_programs_do() {
    let summary = systems::run(&campaign(2026, 150), 10 * TIME);
    let text = summary.print();
    assert!(summary.found.disagreements.is_empty(), "{:?}\n{text}", summary.found.disagreements);
    for way in 0..summary.exact.len() {
        assert!(summary.decided(way) * 10 >= summary.found.compared * 7, "too few programs are decided\n{text}");
        assert!(summary.exact[way] * 2 >= summary.found.compared, "too few programs are translated exactly\n{text}");
    }
}
