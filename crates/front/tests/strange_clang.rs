//! A compiler that hangs, dies or talks nonsense.
//!
//! One test, because a script that was just written cannot be run while another thread of this process starts a program.
#![cfg(unix)]

mod common;

use common::*;
use front::Options;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

/// What becomes of a file when this script is the compiler.
fn compiled_by(script: &str) -> Vec<String> {
    let folder = Folder::new();
    let path = folder.file("clang.sh", format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a script");
    let options = Options { clang: Some(path), limit: Some(Duration::from_millis(300)), ..Options::default() };
    load_with(&[("a.c", "int main(void) {}")], &options).map(|_| ()).expect_err("this is no compiler")
}

#[test]
fn a_strange_compiler_is_survived() {
    let start = Instant::now();
    for script in ["sleep 60", "exec sleep 60", "exec >&- 2>&-; exec sleep 60"] {
        let found = compiled_by(script);
        assert!(found[0].contains("did not finish in time"), "{found:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(compiled_by("exit 1"), ["a.c: error: clang failed without a message"]);
    let found = compiled_by("kill -SEGV $$");
    assert!(found[0].starts_with("a.c: error: "), "{found:?}");
    let found = compiled_by("echo nonsense");
    assert!(found[0].starts_with("a.c: error: "), "{found:?}");
}
