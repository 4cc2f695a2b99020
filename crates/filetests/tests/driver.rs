//! The driver itself: a mistake in a test file must not switch the test off.

use filetests::{Report, run_directory, run_file};
use std::path::Path;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let mut report = Report::default();
    run_file("t.ir", text, false, &mut report);
    assert_eq!(report.failures, expected);
}

const MAIN: &str = "func main() {\nb0:\n  halt\n}\n";

#[test]
fn headers() {
    check(&format!("test cat\n{MAIN}"), &[]);
    check(MAIN, &["t.ir:1: the first line must be `test <command>`"]);
    check(&format!("test\n{MAIN}"), &["t.ir:1: `test` needs a command"]);
    check(&format!("test cat\ntest dog\n{MAIN}"), &["t.ir:2: unknown command (test dog)"]);
    check(&format!("test cat loudly\n{MAIN}"), &["t.ir:1: the only argument is `canonical` (test cat loudly)"]);
}

#[test]
fn programs() {
    check("test cat\nfunc main() {\nb0:\n  jump b1\n}", &["t.ir:4: there is no block b1 here (test cat)"]);
    check("test cat\nfunc main() {\n}", &["t.ir:2: a function needs at least one block (test cat)"]);
    check(
        "test cat canonical\ntarget 64\nentry main\nfunc main() {\nb0:\n   halt\n}",
        &["t.ir:6: the printer writes `halt` (test cat canonical)"],
    );
}

#[test]
fn annotations() {
    let line = |comment: &str| format!("test validate\nfunc main() {{\nb0:\n  assume null {comment}\n  halt\n}}");
    let error = "the condition must be i1, this is ptr";
    check(&line(&format!("; error: {error}")), &[]);
    check(&line(&format!("; note ; error: {error}")), &[]);
    check(&line(""), &[&format!("t.ir:4: found `error: {error}`, which is not expected (test validate)")]);
    check(
        &line(&format!(";; error: {error}")),
        &[&format!("t.ir:4: found `error: {error}`, which is not expected (test validate)")],
    );
    check(
        &line("; error: something"),
        &[
            &format!("t.ir:4: found `error: {error}`, which is not expected (test validate)"),
            "t.ir:4: expected `error: something`, which is not found (test validate)",
        ],
    );
    check(&line(&format!("; error: {error} ; eror: x")), &["t.ir:4: no command of this file reads `eror:`"]);
    // A `;` in a string starts no comment.
    check("test validate\nfunc main() {\nb0:\n  unsupported \"; error: x\"\n  halt\n}", &[]);
}

#[test]
fn blocks() {
    let printed = ";> test print\n;> target 64\n;> entry main\n;>\n;> func main() {\n;> b0:\n;>   halt\n;> }\n";
    check(&format!("test print\n{MAIN}\n{printed}"), &[]);
    let stale = format!("test print\n{MAIN}\n;> test print\n;> target 32\n");
    check(&stale, &[&format!("t.ir:1: printed this (BLESS=1 takes it over):\n{printed} (test print)")]);
    let mut report = Report::default();
    let blessed = run_file("t.ir", &stale, true, &mut report);
    assert_eq!(blessed, Some(format!("test print\n{MAIN}\n{printed}")));
    assert_eq!(run_file("t.ir", &format!("test cat\n{MAIN}"), true, &mut report), None);
    assert!(report.failures.is_empty());
    check(
        &format!("test cat\n{MAIN}\n;> test print\n;> target 64\n"),
        &["t.ir: a block `;>` belongs to no command of this file"],
    );
}

#[test]
fn nothing_to_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let report = run_directory(&root, "", false);
    assert_eq!((report.files, report.failures.len()), (0, 1));
    assert!(report.failures[0].ends_with("no test files"));
}
