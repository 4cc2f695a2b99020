//! `auto` and its table, and options that go with some engines only.

mod support;

use serde_json::Value;
use support::{Folder, Ran};

const SAFE: &str = "int main(void) { return 0; }\n";
const UNSAFE: &str = "#include <assert.h>\nint main(void) { assert(0); }\n";

/// An input of 32 bits that is computed with: the explicit engine tries some values and then says so.
const OPEN: &str = "\
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x * x * x != 12167007);
}
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("safe.c", SAFE);
    folder.write("unsafe.c", UNSAFE);
    folder.write("open.c", OPEN);
    folder
}

#[test]
fn the_engine_that_answered_is_named() {
    let folder = folder();
    let ran = folder.run("check --portfolio two safe.c");
    ran.expect(2, "UNKNOWN(input error)").complains("two: error: the portfolio cannot be read");
    folder.write("two", "explicit 0s 100% 100%\nexplicit after:explicit 100% 100%\n");
    for options in ["", "--engine explicit", "--portfolio two"] {
        for (file, verdict, status) in [("safe.c", "SAFE", 0), ("unsafe.c", "UNSAFE(unreach-call)", 10)] {
            let ran = folder.run(&format!("check {options} {file}"));
            ran.expect(status, verdict);
            assert!(
                ran.stdout.contains("\nengine explicit, ") || ran.stdout.starts_with("engine explicit, "),
                "{ran:#?}"
            );
        }
        let ran = folder.run(&format!("check --json {options} unsafe.c"));
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(json["answered_by"], "explicit", "{json:#}");
        assert_eq!(json["engine"], if options.contains("explicit") { "explicit" } else { "auto" });
        assert!(json["statistics"]["runs"].is_u64(), "{json:#}");
        assert!(json["phases"]["engine"].is_f64(), "{json:#}");
    }
}

#[test]
fn when_nobody_knows_everybody_says_why() {
    let folder = folder();
    folder.write("two", "explicit 0s 100% 100%\nexplicit after:explicit 100% 100%\n");
    let ran = folder.run("check --timeout 60s --portfolio two open.c");
    assert_eq!(ran.status, Some(5), "{ran:#?}");
    assert!(ran.last_line().starts_with("UNKNOWN(inputs not exhausted: "), "{ran:#?}");
    ran.complains("note: engine explicit: inputs not exhausted: ");
    let ran = folder.run("check --json --timeout 60s --portfolio two open.c");
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&json["answered_by"], &json["reason_kind"]), (&Value::Null, &Value::from("inputs")), "{json:#}");
    assert!(json["statistics"]["explicit.runs"].is_u64(), "{json:#}");
    // One engine alone needs no note about itself.
    let ran = folder.run("check --timeout 60s --engine explicit open.c");
    assert!(!ran.stderr.contains("engine explicit"), "{ran:#?}");
}

#[test]
fn the_table_can_be_printed_and_read_back() {
    let folder = folder();
    let shown = folder.run("check --show-portfolio");
    assert_eq!((shown.status, shown.stderr.as_str()), (Some(0), ""));
    folder.write("mine", &shown.stdout);
    folder.run("check --portfolio mine unsafe.c").expect(10, "UNSAFE(unreach-call)");
    folder.write("wrong", shown.stdout.replace("\nexplicit ", "\n\nnobody "));
    let line = 1 + shown.stdout.lines().position(|line| line.starts_with("explicit ")).unwrap() + 1;
    let message = format!("wrong:{line}: error: engine `nobody` does not exist");
    folder.run("check --portfolio wrong safe.c").expect(2, "UNKNOWN(input error)").complains(&message);
}

#[test]
fn an_engine_is_asked_for_with_its_options() {
    let folder = folder();
    let shown = folder.run("check --show-engines");
    assert_eq!((shown.status, shown.stderr.as_str()), (Some(0), ""));
    assert!(shown.stdout.contains("\n  rounds=N "), "{}", shown.stdout);
    let run = |engine: &str| Ran::from(folder.command("check unsafe.c --engine").arg(engine).output().unwrap());
    let ran = run("lazy rounds=2 unwind=3");
    ran.expect(10, "UNSAFE(unreach-call)");
    assert!(ran.stdout.contains("engine lazy rounds=2 unwind=3, "), "{ran:#?}");
    let refused = run("lazy patience=2");
    assert_eq!((refused.status, refused.stdout.as_str()), (Some(1), ""), "{refused:#?}");
    refused.complains("engine lazy has no option `patience`; it has rounds, unwind");
}

#[test]
fn options_without_a_use_are_refused() {
    let folder = folder();
    for (words, complaint) in [
        ("check --engine explicit --rounds 2 safe.c", "engine explicit has no use for --rounds"),
        ("check --engine explicit --unwind 2 safe.c", "engine explicit has no use for --unwind"),
        ("check --unwind 0 safe.c", "0 is not in 1.."),
        ("check --unwind many safe.c", "invalid value"),
        ("check --engine explicit --portfolio p safe.c", "--portfolio is for --engine auto"),
        ("check --show-portfolio --portfolio p", "cannot be used with"),
    ] {
        let ran = folder.run(words);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""), "`{words}`: {ran:#?}");
        ran.complains(complaint);
    }
}
