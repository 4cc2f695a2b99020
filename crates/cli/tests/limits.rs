//! Limits of time and memory, signals, closed pipes: what a session of `tests/cli` cannot measure.

mod support;

use serde_json::Value;
use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::Folder;

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
    folder.write("unsafe.c", "#include <assert.h>\nint n;\nint main(void) { n = 1; assert(n == 2); }\n");
    folder.write("endless.c", ENDLESS);
    folder
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
