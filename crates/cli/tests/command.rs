//! The command line: exit status, last line, JSON, limits, signals, replay.

mod support;

use serde_json::Value;
use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::{Folder, Ran};

const SAFE: &str = "int main(void) { return 0; }\n";

const UNSAFE: &str = "\
#include <assert.h>
#include <pthread.h>
int n;
void *worker(void *arg) {
    n = n + 1;
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == STEPS);
}
";

/// More states than anyone can look at.
const ENDLESS: &str = "\
#include <pthread.h>
unsigned x, y;
void *worker(void *arg) { while (1) { x++; y = y + x; } return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    while (1) { y++; x = x ^ y; }
}
";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("safe.c", SAFE);
    folder.write("unsafe.c", UNSAFE.replace("STEPS", "2"));
    folder.write("steps.c", UNSAFE);
    folder.write("endless.c", ENDLESS);
    folder
}

#[test]
fn verdicts_and_exit_status() {
    let folder = folder();
    folder.run("check safe.c").expect(0, "SAFE");
    folder.run("check unsafe.c").expect(10, "UNSAFE(unreach-call)");
    folder.run("check --engine explicit --property unreach-call --64 safe.c").expect(0, "SAFE");
    folder.run("check --32 unsafe.c").expect(10, "UNSAFE(unreach-call)");
    folder.run("check -DSTEPS=2 steps.c").expect(10, "UNSAFE(unreach-call)");
    folder.run("check -DSTEPS=2 -USTEPS -DSTEPS=n steps.c").expect(0, "SAFE");
}

/// A thread that may be joined before it is detached.
const DETACHED: &str = "\
target 64
global @g7: i32
entry main

func main() -> i32 {
  temp %v9: i32
b0:
  %v9 = spawn worker1(null)
  spawn worker1(null)
  store i32 @g7, %v9
  detach %v9
  return 0
}

func worker1(temp %v0: ptr) -> ptr {
  temp %v9: i32
b0:
  %v9 = load i32 @g7
  branch %v9 != 0, b1, b2
b1:
  join %v9
  assert false \"reached\"
  jump b2
b2:
  return null
}
";

/// What one engine is told must not change its verdicts.
#[test]
fn options_of_an_engine() {
    let folder = folder();
    folder.write("detached.ir", DETACHED);
    for options in ["reduce=off", "reduce=off patience=1", "patience=1"] {
        let mut command = folder.command("check detached.ir --quiet --engine");
        let output = command.arg(format!("explicit {options}")).output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "UNSAFE(unreach-call)\n", "{options}");
    }
}

#[test]
fn quiet_is_one_line() {
    let folder = folder();
    for (file, verdict) in [("safe.c", "SAFE\n"), ("unsafe.c", "UNSAFE(unreach-call)\n")] {
        let ran = folder.run(&format!("check --quiet {file}"));
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), (verdict, ""));
    }
}

#[test]
fn several_files_are_linked() {
    let folder = Folder::new();
    folder.write("a.c", "#include <assert.h>\nint f(void);\nint main(void) { assert(f() == 1); return 0; }\n");
    folder.write("b.c", "int f(void) { return 1; }\n");
    folder.write("c.c", "int f(void) { return 2; }\n");
    folder.run("check a.c b.c").expect(0, "SAFE");
    folder.run("check a.c c.c").expect(10, "UNSAFE(unreach-call)");
}

#[test]
fn functions_without_a_body() {
    let folder = Folder::new();
    folder.write("a.c", "#include <assert.h>\nint f(void);\nint main(void) { assert(f() != 77); return 0; }\n");
    folder.run("check a.c").expect(10, "UNSAFE(unreach-call)").complains("f");
    let ran = folder.run("check --extern error a.c");
    assert_eq!(ran.status, Some(5), "{ran:#?}");
}

#[test]
fn wrong_usage() {
    let folder = folder();
    for words in [
        "",
        "check",
        "frobnicate",
        "check --no-such-option safe.c",
        "check --engine impact safe.c",
        "check --engine nobody safe.c",
        "check --property nothing-at-all safe.c",
        "check --timeout soon safe.c",
        "check --memory much safe.c",
        "check --32 --64 safe.c",
        "replay safe.c",
        "replay safe.c --schedule nonsense",
    ] {
        let ran = folder.run(words);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""), "`{words}`: {ran:#?}");
        assert!(!ran.stderr.is_empty());
    }
    folder.run("check --engine impact safe.c").complains("does not exist yet");
}

#[test]
fn help_and_version() {
    let folder = Folder::new();
    for words in ["--help", "--version", "help", "check --help", "replay --help", "ir --help"] {
        let ran = folder.run(words);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""), "`{words}`");
        assert!(!ran.stdout.is_empty());
    }
    assert!(folder.run("--version").stdout.starts_with("unbraid "));
}

#[test]
fn properties() {
    let folder = folder();
    folder.run("check --property no-data-race safe.c").expect(5, "UNKNOWN(property not supported: no-data-race)");
    folder.write("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    folder.write("race.prp", "CHECK( init(main()), LTL(G ! data-race) )\n");
    folder.write("odd.prp", "what is this\n");
    folder.run("check --spec reach.prp unsafe.c").expect(10, "UNSAFE(unreach-call)");
    folder.run("check --propertyfile race.prp safe.c").expect(5, "UNKNOWN(property not supported: no-data-race)");
    folder.run("check --property odd.prp safe.c").expect(2, "UNKNOWN(input error)").complains("odd.prp:1:1: error:");
    folder.run("check --property gone.prp safe.c").expect(2, "UNKNOWN(input error)").complains("gone.prp: error:");
}

#[test]
fn json_is_one_object() {
    let folder = folder();
    folder.write("bad.c", "int main(void) { return }\n");
    let cases = [("safe.c", "SAFE", 0), ("unsafe.c", "UNSAFE", 10), ("bad.c", "UNKNOWN", 2), ("gone.c", "UNKNOWN", 2)];
    for (file, verdict, status) in cases {
        let ran = folder.run(&format!("check --json {file}"));
        let json: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:#?}"));
        assert_eq!(json["verdict"], verdict, "{json:#}");
        assert_eq!(json["exit_status"], status);
        assert_eq!(ran.status, Some(status));
        assert_eq!(json["property"], "unreach-call");
        assert_eq!(json["files"][0], file);
    }
    let ran = folder.run("check --json unsafe.c");
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["violation"]["line"], 14);
    assert_eq!(json["violation"]["thread"], "main");
    assert!(json["steps"].as_array().unwrap().iter().any(|step| step["thread"] == "worker#2"));
    let ran = folder.run("check --json bad.c");
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["errors"][0]["line"], 1);
}

#[test]
fn a_time_limit_is_kept() {
    let folder = folder();
    for (limit, json) in [(1000, ""), (1000, "--json"), (3000, "")] {
        // A tenth, and a little for starting the process.  A machine that is busy with other tests gets three attempts.
        let in_time = || {
            let start = Instant::now();
            let ran = folder.run(&format!("check --engine explicit --timeout {limit}ms {json} endless.c"));
            let took = start.elapsed().as_millis();
            assert_eq!(ran.status, Some(5), "{ran:#?}");
            assert!(ran.stdout.contains("timeout"), "{ran:#?}");
            assert!(limit <= took + 20, "{took} ms instead of {limit}");
            took <= limit + limit / 10 + 50
        };
        assert!((0..3).any(|_| in_time()), "{limit} ms were not kept");
    }
    folder.run("check --engine lazy --timeout 1s endless.c").expect(5, "UNKNOWN(timeout)");
}

#[test]
fn a_memory_limit_is_kept() {
    let folder = folder();
    let limit = 150 << 20;
    let ran = folder.run(&format!("check --engine explicit --timeout 60s --memory {limit} --json endless.c"));
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.status, &json["reason"]), (Some(5), &Value::from("memory")), "{json:#}");
    let used = json["memory_bytes"].as_u64().unwrap();
    assert!(used < limit + limit / 10, "{used} bytes instead of {limit}");
    folder.run("check --engine explicit --timeout 60s --memory 150M endless.c").expect(5, "UNKNOWN(memory)");
}

#[test]
fn an_interruption_is_answered() {
    let folder = folder();
    for signal in ["-INT", "-TERM"] {
        let mut child = folder
            .command("check --engine explicit --timeout 60s endless.c")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(700));
        let killed = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), text.lines().last()), (Some(5), Some("UNKNOWN(interrupted)")));
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let folder = folder();
    for words in ["check unsafe.c", "check --json unsafe.c", "ir unsafe.c"] {
        let mut child = folder.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut text = String::new();
        child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        let status = child.wait().unwrap();
        assert!(matches!(status.code(), Some(0 | 10)), "`{words}`: {status:?} {text}");
        assert_eq!(text, "", "`{words}`");
    }
}

#[test]
fn a_saved_trace_is_replayed() {
    let folder = folder();
    let found = folder.run("check -DSTEPS=2 --trace trace.json steps.c");
    found.expect(10, "UNSAFE(unreach-call)");
    assert!(found.stdout.contains("replay steps.c --trace trace.json\n"), "{found:#?}");
    // The macro is known to the trace.
    let again = folder.run("replay steps.c --trace trace.json");
    again.expect(10, "UNSAFE(unreach-call)");
    let story = |ran: &Ran| ran.stdout.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    assert_eq!(story(&found), story(&again));
    // A program in which the trace leads nowhere.
    let ran = folder.run("replay safe.c --trace trace.json");
    assert_eq!(ran.status, Some(5), "{ran:#?}");
    assert!(ran.last_line().starts_with("UNKNOWN(the trace does not reproduce: "), "{ran:#?}");
    // A line more above the violation.
    folder.write("moved.c", format!("\n{UNSAFE}"));
    folder.run("replay moved.c --trace trace.json").expect(10, "UNSAFE(unreach-call)").complains("moved.c:15:5: note:");
}

#[test]
fn traces_that_are_none() {
    let folder = folder();
    folder.run("check --trace trace.json unsafe.c").expect(10, "UNSAFE(unreach-call)");
    let text = std::fs::read_to_string(folder.path.join("trace.json")).unwrap();
    folder.write("newer.json", text.replace("\"version\": 2", "\"version\": 99"));
    folder.write("other.json", "{\"format\": \"something\", \"version\": 2}");
    folder.write("garbage.json", [0u8, 255, 7]);
    for (file, words) in [
        ("newer.json", "version 99"),
        ("other.json", "not a trace"),
        ("garbage.json", "not a trace"),
        ("gone.json", "cannot be read"),
    ] {
        let ran = folder.run(&format!("replay unsafe.c --trace {file}"));
        ran.expect(2, "UNKNOWN(input error)").complains(words);
    }
    // The verdict stands even if the trace cannot be saved.
    folder.run("check --trace no/such/folder/t.json unsafe.c").expect(10, "UNSAFE(unreach-call)").complains("t.json");
}

#[test]
fn the_printed_command_replays() {
    let folder = folder();
    for words in ["check unsafe.c", "check --32 unsafe.c", "check -DSTEPS=2 steps.c"] {
        let ran = folder.run(words);
        let line = ran.stdout.lines().find_map(|line| line.strip_prefix("replay: ")).expect("a command");
        let (_, command) = line.split_once(" replay ").expect("the command is replay");
        folder.run(&format!("replay {command}")).expect(10, "UNSAFE(unreach-call)");
    }
}

#[test]
fn threads_side_by_side() {
    let folder = folder();
    let ran = folder.run("check --trace-format columns unsafe.c");
    ran.expect(10, "UNSAFE(unreach-call)");
    assert!(ran.stdout.lines().next().unwrap().contains("| worker#1"), "{ran:#?}");
}

#[test]
fn printed_programs_can_be_read_back() {
    let folder = folder();
    let printed = folder.run("ir unsafe.c");
    assert_eq!(printed.status, Some(0));
    folder.write("unsafe.ir", &printed.stdout);
    folder.run("check unsafe.ir").expect(10, "UNSAFE(unreach-call)");
    assert_eq!(folder.run("ir unsafe.ir").stdout, printed.stdout);
}

/// Calls itself as often as it is told to: that has no end in a function of its own for each thread.
const RECURSIVE: &str = "\
extern int __VERIFIER_nondet_int(void);
static void again(void) { if (__VERIFIER_nondet_int()) again(); }
int main(void) { again(); return 0; }
";

#[test]
fn programs_of_threads_can_be_checked_as_they_are_printed() {
    let folder = folder();
    let printed = folder.run("ir --threads unsafe.c");
    assert!(printed.stdout.contains("func worker.thread2("), "{printed:#?}");
    folder.write("threads.ir", &printed.stdout);
    folder.run("check threads.ir").expect(10, "UNSAFE(unreach-call)");
    folder.write("recursive.c", RECURSIVE);
    let printed = folder.run("ir --threads recursive.c");
    assert!(printed.stdout.contains(";; cut: recursive.c:2: one more call"), "{printed:#?}");
    folder.write("recursive.ir", &printed.stdout);
    assert_eq!(folder.run("check --engine explicit recursive.ir").status, Some(5));
}
