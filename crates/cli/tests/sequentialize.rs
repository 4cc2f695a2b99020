//! `unbraid sequentialize` as a command; what it prints is tested in `crates/emit`.

mod support;

use support::Folder;

const PROGRAM: &str = "\
#include <assert.h>
#include <pthread.h>
int n;
void *worker(void *arg) {
    while (n < 3) { n++; }  /* a comment */
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    assert(n != 2);
}
";

#[test]
fn the_program_is_written_where_it_was_asked_for() {
    let folder = Folder::new();
    folder.write("p.c", PROGRAM);
    let shown = folder.run("sequentialize p.c --rounds 2 --unwind 3");
    assert_eq!(shown.status, Some(0));
    assert!(shown.stdout.contains("static void thread_1_worker(void)"), "{}", shown.stdout);
    // The user's lines are quoted, without ending the comment they stand in.
    assert!(shown.stdout.contains("/* p.c:5: while (n < 3) { n++; }  / * a comment * / */"), "{}", shown.stdout);
    assert!(shown.stdout.contains("p.c:5: once more round the loop"), "{}", shown.stdout);
    assert_eq!(shown.stdout.matches("    one_round();\n").count(), 2);
    assert!(!shown.stderr.contains("--rounds"), "{}", shown.stderr);
    let written = folder.run("sequentialize p.c --rounds 2 --unwind 3 -o seq.c");
    assert_eq!((written.status, written.stdout.as_str()), (Some(0), ""));
    assert_eq!(std::fs::read_to_string(folder.path.join("seq.c")).unwrap(), shown.stdout);
}

#[test]
fn bounds_that_were_not_given_are_named() {
    let folder = Folder::new();
    folder.write("p.c", PROGRAM);
    let ran = folder.run("sequentialize p.c");
    assert!(ran.stderr.contains("--rounds 3 --unwind 2"), "{}", ran.stderr);
    assert!(ran.stderr.contains("cut off"), "{}", ran.stderr);
    assert_eq!(folder.run("sequentialize p.c --rounds 0").status, Some(1));
}

#[test]
fn each_verifier_gets_its_own_words() {
    let folder = Folder::new();
    folder.write("p.c", PROGRAM);
    for (name, assume) in [
        ("cbmc", "__CPROVER_assume(condition)"),
        ("esbmc", "__ESBMC_assume(condition)"),
        ("cpachecker", "__VERIFIER_assume(condition)"),
        ("svcomp", "assume_abort_if_not(condition)"),
    ] {
        let ran = folder.run(&format!("sequentialize p.c --for {name}"));
        assert!(ran.stdout.contains(&format!("#define assume(condition) {assume}\n")), "{}", ran.stdout);
    }
    assert_eq!(folder.run("sequentialize p.c --for nobody").status, Some(1));
}

#[test]
fn what_cannot_be_said_is_refused() {
    let folder = Folder::new();
    folder.write("asm.c", "int main(void) { int x; __asm__(\"mov $1, %0\" : \"=r\"(x)); return x; }");
    let ran = folder.run("sequentialize asm.c -o seq.c");
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(5), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("asm.c:1:"), "{}", ran.stderr);
    assert!(!folder.path.join("seq.c").exists());
    folder.write("wrong.c", "int main(void) { return x; }");
    assert_eq!(folder.run("sequentialize wrong.c").status, Some(2));
    folder.write("fine.c", "int main(void) { return 0; }");
    assert_eq!(folder.run("sequentialize fine.c -o no/such/folder.c").status, Some(2));
}
