//! `--backend`: a foreign verifier that is a few lines of shell reads the sequential program.

mod support;

use support::Folder;

const LOST: &str = "\
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
    assert(n == 2);
}
";

/// Runs `unbraid check` with words that have blanks in them.
fn check(folder: &Folder, words: &[&str]) -> support::Ran {
    support::Ran::from(folder.command("check --engine lazy --timeout 60s").args(words).output().unwrap())
}

#[test]
fn what_a_foreign_verifier_says() {
    let folder = Folder::new();
    folder.write("lost.c", LOST);
    // The file is C, and it is there.
    let looks = "gcc -fsyntax-only -xc {file} && grep -q reach_error {file} && exit 10";
    let ran = check(&folder, &["--rounds", "2", "--unwind", "1", "--backend", looks, "lost.c"]);
    ran.complains("found a violation with up to 2 rounds and 1 unwinding");
    assert!(matches!(ran.status, Some(5 | 10)), "{ran:#?}");
    let ran = check(&folder, &["--rounds", "3", "--unwind", "2", "--backend", "exit 10; {file}", "lost.c"]);
    ran.expect(10, "UNSAFE(unreach-call)");
    // With one round there is no violation, whoever says so.
    let ran = check(&folder, &["--rounds", "1", "--unwind", "1", "--backend", "exit 10; {file}", "lost.c"]);
    assert_eq!(ran.status, Some(5), "{ran:#?}");
    assert!(ran.last_line().contains("which is not confirmed"), "{ran:#?}");
    let ran = check(&folder, &["--rounds", "1", "--unwind", "1", "--backend", "true {file}", "lost.c"]);
    ran.expect(5, "UNKNOWN(no violation with up to 1 round and 1 unwinding (by true {file}))");
    let options = ["--rounds", "1", "--unwind", "1", "--backend", "echo fine {file}"];
    let ran = check(&folder, &[&options[..], &["--backend-safe", "fine", "lost.c"]].concat());
    ran.expect(5, "UNKNOWN(no violation with up to 1 round and 1 unwinding (by echo fine {file}))");
}

#[test]
fn wrong_usage() {
    let folder = Folder::new();
    folder.write("lost.c", LOST);
    for (words, complaint) in [
        (&["--backend", "cbmc", "lost.c"][..], "{file} is missing"),
        (&["--rounds", "0", "--backend", "cbmc {file}", "lost.c"][..], "--rounds 0 has none"),
        (&["--backend-safe", "fine", "lost.c"][..], "--backend"),
    ] {
        let ran = check(&folder, words);
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""), "{words:?}: {ran:#?}");
        ran.complains(complaint);
    }
    let output = folder.command("check lost.c").args(["--backend", "cbmc {file}"]).output().unwrap();
    support::Ran::from(output).complains("--backend is for --engine lazy");
}
