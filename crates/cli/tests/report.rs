//! What a reader sees of a counterexample: each `tests/report/*.c` is checked, and what is printed must be the `.txt` beside
//! it.  `BLESS=1 cargo test -p cli --test report` rewrites those.

mod support;

use std::path::Path;
use std::process::Command;
use support::UNBRAID;

#[test]
fn counterexamples() {
    let root = support::root();
    let bless = std::env::var("BLESS").is_ok_and(|value| value == "1");
    let mut failures = Vec::new();
    for file in support::files(&root.join("tests/report"), "c") {
        let shown = report(&root, &file);
        let expected = file.with_extension("txt");
        let known = std::fs::read_to_string(&expected).unwrap_or_default();
        if shown == known {
            continue;
        }
        if bless {
            std::fs::write(&expected, shown).unwrap();
        } else {
            failures.push(format!("{}:\n{shown}", expected.display()));
        }
    }
    assert!(failures.is_empty(), "{}\n(BLESS=1 rewrites them)", failures.join("\n"));
}

#[test]
fn the_example_of_the_readme_is_real() {
    let root = support::root();
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let shown = report(&root, &root.join("tests/report/lost-update.c"));
    let indented: String = shown.lines().map(|line| format!("    {line}").trim_end().to_string() + "\n").collect();
    assert!(readme.contains(&indented), "the README does not show\n{indented}");
}

/// The output, with what differs from run to run left out.
fn report(root: &Path, file: &Path) -> String {
    let name = file.strip_prefix(root).unwrap();
    let output =
        Command::new(UNBRAID).args(["check", "--timeout", "60s"]).arg(name).current_dir(root).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let text = text.replace(UNBRAID, "unbraid");
    text.lines().filter(|line| !line.starts_with("engine ")).map(|line| format!("{line}\n")).collect()
}
