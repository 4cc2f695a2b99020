//! Options of proofs thread by thread: what is told, what is written, what is refused.

mod support;

use serde_json::Value;
use std::process::Command;
use support::{Folder, Ran};

/// One thread waits for the data of the other.
const HANDOVER: &str = "\
#include <assert.h>
#include <pthread.h>
int data, ready, seen;
void *giver(void *arg) {
    data = 7;
    ready = 1;
    return arg;
}
void *taker(void *arg) {
    if (ready == 1) {
        seen = data;
        assert(seen == EXPECTED);
    }
    return arg;
}
int main(void) {
    pthread_t g, t;
    pthread_create(&g, 0, giver, 0);
    pthread_create(&t, 0, taker, 0);
    pthread_join(g, 0);
    pthread_join(t, 0);
    return 0;
}
";

/// Adding one always makes it larger, but not in C.
const SUCCESSOR: &str = "\
#include <assert.h>
#include <pthread.h>
unsigned __VERIFIER_nondet_uint(void);
unsigned x;
void *worker(void *arg) { return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    x = __VERIFIER_nondet_uint();
    assert(x + 1 > x);
}
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("safe.c", HANDOVER.replace("EXPECTED", "7"));
    folder.write("unsafe.c", HANDOVER.replace("EXPECTED", "8"));
    folder.write("successor.c", SUCCESSOR);
    folder
}

fn comus(folder: &Folder, words: &str) -> Ran {
    folder.run(&format!("check --engine comus --timeout 60s {words}"))
}

/// The command line is refused, with nothing on standard output.
#[track_caller]
fn refused(ran: &Ran, complaint: &str) {
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""), "{ran:#?}");
    ran.complains(complaint);
}

#[test]
fn a_run_is_explained() {
    let folder = folder();
    let ran = comus(&folder, "--explain --comus no-ranges unsafe.c");
    ran.expect(10, "UNSAFE(unreach-call)");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines[0], "order of the threads, each with those it reads from:", "{ran:#?}");
    assert!(lines[1].starts_with("  0  main: "), "{ran:#?}");
    let numbered = |line: &&str| line.len() > 4 && line[..4].bytes().all(|byte| byte.is_ascii_digit());
    assert!(lines.iter().filter(|line| numbered(line)).any(|line| line.contains(" check of main at level 0: ")));
    assert!(lines.iter().filter(|line| numbered(line)).any(|line| line.contains(" promise to ")), "{ran:#?}");
    let ran = comus(&folder, "--explain --comus no-ranges safe.c");
    assert!(ran.stderr.lines().any(|line| line.contains(" lemma on the environment of ")), "{ran:#?}");
    // Lemmas speak of the variables of the program.
    assert!(ran.stderr.lines().any(|line| line.contains(" lemma ") && line.contains("data")), "{ran:#?}");
    let silent = comus(&folder, "--comus no-ranges unsafe.c");
    assert!(!silent.stderr.contains("promise"), "{silent:#?}");
}

#[test]
fn programs_are_written_and_compile() {
    let folder = folder();
    let ran = comus(&folder, "--emit-dir new/folder --comus no-ranges unsafe.c");
    ran.expect(10, "UNSAFE(unreach-call)");
    let emitted = folder.path.join("new/folder");
    let course = std::fs::read_to_string(emitted.join("run.txt")).unwrap();
    assert!(course.starts_with("order of the threads"), "{course}");
    let programs: Vec<&str> = course.lines().filter(|line| line.ends_with(".c")).collect();
    assert_eq!(programs[0], "0001-level0-main.c");
    let files = std::fs::read_dir(&emitted).unwrap().count();
    assert_eq!(files, programs.len() + 1, "{course}");
    let calls = course.lines().filter(|line| line.contains(" check of ")).count();
    assert_eq!(calls, programs.len(), "{course}");
    for program in programs {
        let output = Command::new("gcc")
            .args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", program])
            .current_dir(&emitted)
            .output()
            .unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let ran = folder.run("check --engine product --timeout 60s --emit-dir product unsafe.c");
    ran.expect(10, "UNSAFE(unreach-call)");
    assert!(folder.path.join("product/1-product-unwrapped.c").exists());
}

#[test]
fn a_folder_that_cannot_be_written_to_is_an_error() {
    let folder = folder();
    folder.write("file", "");
    let ran = comus(&folder, "--emit-dir file unsafe.c");
    ran.expect(2, "UNKNOWN(input error)").complains("file: error: the programs cannot be written there");
}

#[test]
fn threads_have_an_order() {
    let folder = folder();
    let ran = comus(&folder, "--explain --order giver,taker unsafe.c");
    ran.expect(10, "UNSAFE(unreach-call)").complains("  1  giver: ").complains("  2  taker: ");
    let ran = comus(&folder, "--explain --order taker,giver,main unsafe.c");
    ran.expect(10, "UNSAFE(unreach-call)").complains("  0  taker: ").complains("  2  main: ");
    refused(&comus(&folder, "--order taker,nobody unsafe.c"), "no thread nobody: there are main, giver, taker");
    refused(&comus(&folder, "--order taker,taker unsafe.c"), "the order names thread taker twice");
    refused(&comus(&folder, "--json --order nobody unsafe.c"), "no thread nobody");
}

#[test]
fn optimisations_can_be_switched() {
    let folder = folder();
    let many = "no-ranges,no-generalise,maximise=off,no-invariants-first,no-reuse-paths,no-stable-lemmas";
    comus(&folder, &format!("--comus {many} unsafe.c")).expect(10, "UNSAFE(unreach-call)");
    comus(&folder, "--comus inductive=on --comus exact-projection unsafe.c").expect(10, "UNSAFE(unreach-call)");
    let calls = |words: &str| {
        let ran = comus(&folder, &format!("--json {words} safe.c"));
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        json["statistics"]["checker calls"].as_u64().unwrap()
    };
    assert!(calls("") < calls("--comus no-ranges"));
    refused(&comus(&folder, "--comus no-colour safe.c"), "`colour` is not a switch of comus; there are ranges, ");
    refused(&comus(&folder, "--comus quick=maybe safe.c"), "neither on nor off");
    let shown = folder.run("check --show-switches");
    assert_eq!((shown.status, shown.stderr.as_str()), (Some(0), ""));
    for line in shown.stdout.lines() {
        let [name, state, _, ..] = line.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{line}") };
        let other = if state == "on" { "off" } else { "on" };
        comus(&folder, &format!("--comus {name}={other} unsafe.c")).expect(10, "UNSAFE(unreach-call)");
    }
}

#[test]
fn mathematical_integers_are_told() {
    let folder = folder();
    let ran = comus(&folder, "--ints math unsafe.c");
    ran.expect(10, "UNSAFE(unreach-call)");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[lines.len() - 2], "integers: mathematical (not C's)", "{ran:#?}");
    let ran = comus(&folder, "--ints math --quiet unsafe.c");
    assert_eq!(ran.stdout, "integers: mathematical (not C's)\nUNSAFE(unreach-call)\n");
    for (words, integers) in [("--ints math", "mathematical"), ("--ints machine", "machine"), ("", "machine")] {
        let ran = comus(&folder, &format!("--json {words} unsafe.c"));
        let json: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!((&json["integers"], &json["verdict"]), (&integers.into(), &"UNSAFE".into()), "{json:#}");
    }
    // C's integers wrap around.
    for engine in ["comus", "product"] {
        let check = format!("check --engine {engine} --timeout 60s");
        let machine = folder.run(&format!("{check} successor.c"));
        machine.expect(10, "UNSAFE(unreach-call)");
        assert!(!machine.stdout.contains("integers: "), "{machine:#?}");
        let math = folder.run(&format!("{check} --ints math successor.c"));
        assert!(math.status != Some(10) && math.stdout.contains("integers: mathematical"), "{math:#?}");
    }
}

#[test]
fn a_foreign_checker_decides_the_programs() {
    let folder = folder();
    let run = |command: &str, more: &[&str], file: &str| {
        let mut process = folder.command("check --engine comus --timeout 60s --comus no-ranges --explain");
        Ran::from(process.args(["--checker", command]).args(more).arg(file).output().unwrap())
    };
    // The file is C, and it is there.  Who says that everything can fail is asked for a path, which there is here.
    let fails = run("gcc -fsyntax-only -xc {file} && exit 10", &[], "unsafe.c");
    assert!(fails.stderr.contains("0001 check of main at level 0: a path of "), "{fails:#?}");
    // Believed as far as the method goes, but what comes of it is confirmed by others.
    let lies = run("true {file}", &[], "unsafe.c");
    assert!(matches!(lies.status, Some(5)), "{lies:#?}");
    lies.complains("0001 check of main at level 0: safe");
    let says = run("echo fine {file}", &["--checker-safe", "fine", "--checker-unsafe", "wrong"], "safe.c");
    says.complains("0001 check of main at level 0: safe");
    let silent = run("exit 3; {file}", &[], "safe.c");
    assert_eq!(silent.status, Some(5), "{silent:#?}");
    assert!(silent.last_line().contains("exit status 3"), "{silent:#?}");
    refused(&run("true", &[], "safe.c"), "{file} is missing");
}

#[test]
fn options_without_a_use_are_refused() {
    let folder = folder();
    for (words, complaint) in [
        ("--engine explicit --order main", "engine explicit has no use for --order"),
        ("--engine product --order main", "engine product has no use for --order"),
        ("--engine lazy --comus no-ranges", "engine lazy has no use for --comus"),
        ("--engine explicit --explain", "engine explicit has no use for --explain"),
        ("--engine lazy --emit-dir out", "engine lazy has no use for --emit-dir"),
        ("--engine explicit --ints math", "engine explicit has no use for --ints"),
        ("--ints math", "the verdict of comus ints=math speaks of other integers than that of "),
        ("--engine comus --ints roman", "roman"),
        ("--engine comus --checker-safe fine", "--checker"),
    ] {
        refused(&folder.run(&format!("check {words} safe.c")), complaint);
    }
    assert!(!folder.path.join("out").exists());
}

#[test]
fn a_proof_is_written_in_the_names_of_the_program() {
    let folder = folder();
    let read = |name: &str| std::fs::read_to_string(folder.path.join(name)).unwrap_or_default();
    comus(&folder, "--proof why.txt safe.c").expect(0, "SAFE");
    let text = read("why.txt");
    for part in ["thread by thread", "\ngiver, from ", "\ntaker, from ", "\nmain, from ", "(safe.c:", "guarantees"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let ran = comus(&folder, "--json safe.c");
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    let threads = answer["proof"]["threads"].as_array().unwrap();
    assert_eq!(threads.len(), 3, "{}", answer["proof"]);
    assert!(threads.iter().any(|thread| thread["name"] == "giver"));

    folder.run("check --engine product --timeout 60s --proof all.txt safe.c").expect(0, "SAFE");
    assert!(read("all.txt").contains("giver at "), "{}", read("all.txt"));
    folder.run("check --engine explicit --timeout 60s --proof states.txt safe.c").expect(0, "SAFE");
    assert!(read("states.txt").starts_with("a closed set of"));
    // There is none.
    comus(&folder, "--proof none.txt unsafe.c").expect(10, "UNSAFE(unreach-call)");
    assert_eq!(read("none.txt"), "");
    // The verdict stands though it cannot be written.
    comus(&folder, "--proof no/such/folder.txt safe.c").expect(0, "SAFE").complains("cannot be written");
}
