//! The texts that are damaged: small, and with every construct in some of them.

use front::Options;
use ir::DataModel;
use std::path::{Path, PathBuf};

/// What is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Llvm,
    Ir,
}

/// Larger texts are left out: they only make every case slower.
const LARGEST: usize = 60_000;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All texts; for LLVM at most `most` of C's tests, compiled now.
pub fn texts(kind: Kind, most: usize) -> Vec<String> {
    let mut texts = match kind {
        Kind::Llvm => llvm(most),
        Kind::Ir => ir_texts(),
    };
    texts.retain(|text| text.len() <= LARGEST);
    texts
}

fn ir_texts() -> Vec<String> {
    let mut texts = Vec::new();
    for folder in ["tests/ir", "crates/fuzz/tests/once-wrong"] {
        for file in files(&root().join(folder), "ir") {
            if let Ok(text) = std::fs::read_to_string(file) {
                // The commands of the file tests are no part of the program.
                let lines = text.lines().filter(|line| !line.starts_with("test "));
                texts.push(lines.collect::<Vec<_>>().join("\n"));
            }
        }
    }
    texts
}

fn llvm(most: usize) -> Vec<String> {
    let snippets = files(&root().join("crates/llvm/tests/common"), "ll").into_iter();
    let mut texts: Vec<String> = snippets.filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    let sources = files(&root().join("tests/c"), "c");
    // A few of each folder, spread over all of them.
    let step = (sources.len() / most.max(1)).max(1);
    for (index, file) in sources.iter().step_by(step).enumerate() {
        let data_model = if index % 4 == 3 { DataModel::Ilp32 } else { DataModel::Lp64 };
        // Most without debug information: it is most of the text, and says the same things again and again.
        let clang_args = if index % 3 == 0 { vec![] } else { vec!["-g0".to_string()] };
        let clang = ["clang-19", "clang-16", "clang-14"][index % 3];
        let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
            .map(|folder| folder.join(clang))
            .find(|path| path.exists());
        let options = Options { data_model, clang_args, clang: found, ..Options::default() };
        if let Ok(text) = front::to_llvm(file, &options) {
            texts.push(text);
        }
    }
    texts
}

/// The files with an extension in a folder and those inside it, in order.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut work = vec![folder.to_path_buf()];
    while let Some(folder) = work.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                work.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
