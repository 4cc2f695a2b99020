//! A compiler that hangs, dies or talks nonsense.
//!
//! One test, because a script that was just written cannot be run while another thread of this process starts a program.
#![cfg(unix)]

use front::Options;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// What becomes of a file when this script is the compiler.
fn compiled_by(script: &str, folder: &Path) -> String {
    let (file, clang) = (folder.join("a.c"), folder.join("clang.sh"));
    std::fs::write(&file, "int main(void) {}").expect("a file of the test");
    std::fs::write(&clang, format!("#!/bin/sh\n{script}\n")).expect("a script");
    std::fs::set_permissions(&clang, std::fs::Permissions::from_mode(0o755)).expect("a script");
    let options = Options { clang: Some(clang), limit: Some(Duration::from_millis(300)), ..Options::default() };
    let errors = front::load(&[file], &options).map(|_| ()).expect_err("this is no compiler");
    errors[0].to_string().replace(&format!("{}/", folder.display()), "")
}

#[test]
fn a_strange_compiler_is_survived() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("strange-clang-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let start = Instant::now();
    for script in ["sleep 60", "exec sleep 60", "exec >&- 2>&-; exec sleep 60"] {
        let found = compiled_by(script, &folder);
        assert!(found.contains("did not finish in time"), "{found}");
    }
    assert!(start.elapsed() < Duration::from_secs(20));
    assert_eq!(compiled_by("exit 1", &folder), "a.c: error: clang failed without a message");
    for script in ["kill -SEGV $$", "echo nonsense"] {
        let found = compiled_by(script, &folder);
        assert!(found.starts_with("a.c: error: "), "{found}");
    }
    assert!(front::load(&[], &Options::default()).is_err());
    std::fs::remove_dir_all(&folder).expect("it was made here");
}
