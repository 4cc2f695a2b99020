//! Damaged texts, a few thousand with a fixed seed; `fuzz ll` and `fuzz ir` do this for as long as one likes.

use fuzz::readers::{Options, Reader, ir_corpus, llvm_corpus, run};
use std::path::Path;
use std::time::Duration;

fn check(reader: Reader, corpus: &[String]) {
    let out = std::env::temp_dir();
    let time = Duration::from_secs(10);
    let summary = run(&Options { reader, seed: 7, time, cases: 2000, out }, corpus);
    assert!(summary.failures.is_empty(), "{}", summary.failures.join("\n"));
    assert!(summary.accepted > 0 && summary.ran > 0, "nothing gets through: {summary:?}");
}

#[test]
fn damaged_programs() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    check(Reader::Ir, &ir_corpus(&tests.join("ir")));
}

#[test]
fn damaged_llvm_text() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    check(Reader::Llvm, &llvm_corpus(&tests.join("c"), 30));
}
