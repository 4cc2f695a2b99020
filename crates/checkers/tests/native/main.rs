//! Programs written as C are compiled, without a warning, and run: what they reach is what the interpreter reaches.

#[path = "../random/mod.rs"]
mod random;

use base::Rng;
use checkers::{Sequential, to_c};
use random::explore::{Explored, explore};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn compile(arguments: &[&str], text: &str) {
    let output = Command::new("gcc").args(arguments).output().unwrap();
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
}

/// How many of `runs` random executions fail.
fn failing_runs(program: &Sequential, folder: &Path, runs: u32) -> u32 {
    let text = to_c(program, &["A random program.".into()]).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_string();
    std::fs::write(file("program.c"), &text).unwrap();
    let strict = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-c", &file("program.c"), "-o", &file("strict.o")];
    compile(&strict, &text);
    // A loop may have no end.
    let ticking = text.replace("while (1) {", "while (1) { tick();").replace("goto ", "tick(); goto ");
    std::fs::write(file("program.c"), format!("void tick(void);\n{ticking}")).unwrap();
    let renamed = ["-Dmain=program", "-Dabort=stop", "-D__assert_fail=fail", "-O1", "-c"];
    compile(&[renamed.as_slice(), &[&file("program.c"), "-o", &file("program.o")]].concat(), &text);
    let harness = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/native/harness.c");
    compile(&["-O1", harness, &file("program.o"), "-o", &file("run")], &text);
    let output = Command::new(file("run")).arg(runs.to_string()).output().unwrap();
    String::from_utf8_lossy(&output.stdout).trim().parse().unwrap()
}

#[test]
fn what_is_written_as_c_reaches_what_the_interpreter_reaches() {
    let folder = folder("native");
    let mut random = Rng::new(7);
    let (mut safe, mut missed, mut found) = (0, 0, 0);
    for number in 0..50 {
        let program = match number % 3 {
            0 => random::layered(&mut random),
            kind => random::program(&mut random, kind == 1),
        };
        match (explore(&program, random::RANGE, 50_000), failing_runs(&program, &folder, 20_000)) {
            (Explored::Safe, 0) => safe += 1,
            (Explored::Safe, _) => panic!("{}", to_c(&program, &[]).unwrap()),
            (Explored::Unsafe(_), 0) => missed += 1,
            (Explored::Unsafe(_), _) => found += 1,
            (Explored::TooMany, _) => {}
        }
    }
    // Random runs miss little in programs this small.
    assert!(safe > 8 && found > 8 && missed * 8 < found, "{safe} safe, {found} found, {missed} missed");
}
