//! Damaged texts, a few thousand with a fixed seed; `fuzz ll` and `fuzz ir` do this for as long as one likes.

use fuzz::readers::{corpus, corpus::Kind, run_here, try_one};

fn check(kind: Kind, count: u64) {
    let texts = corpus::texts(kind, 20);
    assert!(!texts.is_empty(), "there is nothing to damage");
    match run_here(kind, 7, count, &texts) {
        Ok(counts) => assert!(counts.ran > 0, "nothing gets through: {counts:?}"),
        Err(finding) => panic!("{}\n{}", finding.what, finding.text),
    }
}

#[test]
fn damaged_programs() {
    check(Kind::Ir, 1500);
}

#[test]
fn damaged_llvm_text() {
    check(Kind::Llvm, 600);
}

/// Each thread leaves behind an object of 1 MB, of which nothing was ever written.
#[test]
fn large_objects_that_end_again_and_again() {
    let text = "func worker(%arg: ptr) -> ptr {\nb0:\n  %own = alloc stack 1048576 \"own\"\n  return null\n}\n\
                func main() -> i32 {\nb0:\n  spawn worker(null)\n  jump b0\n}\n";
    assert_eq!(try_one(Kind::Ir, text).map(|came| format!("{came:?}")), Ok("Ran".into()));
}
