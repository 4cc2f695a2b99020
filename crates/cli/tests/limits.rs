//! Limits of time and memory: what a session of `tests/cli` cannot measure.

mod support;

use serde_json::Value;
use std::time::Instant;
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
}
