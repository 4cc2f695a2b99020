//! Runs every file below `tests/ir`.

use std::io::Write;
use std::path::Path;

#[test]
fn ir_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/ir");
    let only = std::env::var("ONLY").unwrap_or_default();
    let bless = std::env::var("BLESS").is_ok_and(|value| value == "1");
    let report = filetests::run_directory(&root, &only, bless);
    // Past the test harness, which would swallow the count of a passing test.
    let (files, commands, failures) = (report.files, report.commands, report.failures.len());
    writeln!(std::io::stderr(), "tests/ir: {files} files, {commands} commands, {failures} failures").ok();
    for failure in &report.failures {
        println!("tests/ir/{failure}");
    }
    assert!(report.failures.is_empty(), "{failures} failures, listed above");
}
