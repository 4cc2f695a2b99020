//! Damaged texts, a few thousand with a fixed seed; `fuzz ll` and `fuzz ir` do this for as long as one likes.

use fuzz::readers::{corpus, corpus::Kind, run_here};

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
