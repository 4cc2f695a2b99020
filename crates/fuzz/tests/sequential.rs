//! Programs without threads: interpreted and run, for both data models.

use fuzz::process::is_installed;
use fuzz::sequential::csmith::{self, Compared};
use fuzz::sequential::{is_runnable, outputs};
use ir::DataModel;
use std::path::{Path, PathBuf};

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("unbraid-{name}-{}", std::process::id()))
}

fn compare_all(data_model: DataModel) -> Result<(), Box<dyn std::error::Error>> {
    let bits = data_model.pointer_bits();
    if !is_runnable(data_model) {
        eprintln!("skipped: programs of {bits} bits cannot be compiled and run here");
        return Ok(());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/seq");
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "c")
            && let Err(why) = outputs::compare(&path, data_model, &scratch(&format!("seq{bits}")))
        {
            wrong.push(format!("{}, {bits} bits: {why}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[test]
fn hand_written_programs_of_64_bits() -> Result<(), Box<dyn std::error::Error>> {
    compare_all(DataModel::Lp64)
}

#[test]
fn hand_written_programs_of_32_bits() -> Result<(), Box<dyn std::error::Error>> {
    compare_all(DataModel::Ilp32)
}

#[test]
fn a_few_programs_of_csmith() -> Result<(), Box<dyn std::error::Error>> {
    if !is_installed("csmith") || !is_runnable(DataModel::Lp64) {
        eprintln!("skipped: csmith or a compiler is not installed");
        return Ok(());
    }
    let folder = scratch("csmith");
    std::fs::create_dir_all(&folder)?;
    let mut same = 0;
    for seed in 1..=8 {
        match csmith::compare(seed, DataModel::Lp64, 2_000_000, &folder) {
            Compared::Same => same += 1,
            Compared::LeftOut | Compared::Unsupported(_) => (),
            Compared::Differs(why) => panic!("seed {seed}: {why} (the program is in {})", folder.display()),
        }
    }
    assert!(same > 0, "no program was compared");
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
