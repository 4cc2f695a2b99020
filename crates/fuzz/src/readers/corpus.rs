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
        for file in files(folder, "ir") {
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
    let snippets = files("crates/llvm/tests/common", "ll").into_iter();
    let mut texts: Vec<String> = snippets.filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    let sources = files("tests/c", "c");
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

/// The files with an extension in a folder and those inside it; none where it is not there.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    base::files(&root.join(folder), extension).unwrap_or_default()
}
