//! Runs the tests that are data: `tests/ir/<area>/*.ir`.
//!
//! A file starts with lines `test <command> [arguments]`, then comes a program in the text form of `docs/ir.md`.  What a
//! command must find stands as a comment on the line concerned, `; key: value`; several on one line are separated by
//! another `;`.  Comments that start with `;;` are prose.  Annotations are correct and complete: one that is wrong,
//! missing, or of a key that no command of the file reads, fails.
//!
//! A command that prints has its expected output at the end of the file, in lines that start with `;>`, the first of them
//! the command line.  `BLESS=1 cargo test -p filetests` rewrites those blocks and nothing else.
//! `ONLY=text/tour cargo test -p filetests` runs the files whose path contains that.
//!
//! To add a command: write `test_<command>.rs` with a type that implements [`Command`], and add it to [`COMMANDS`].
//! The program it gets is valid unless it says otherwise.  A command about facts usually computes a list of
//! `(line, text)` and hands it to [`Case::check_annotations`]; the line of an instruction comes from [`Case::line_of`].

mod case;
mod test_cat;
mod test_facts;
mod test_link;
mod test_passes;
mod test_print;
mod test_splice;
mod test_validate;

pub use case::{Annotation, Case, Failure};

use case::{File, block_text};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// What a command has to say: nothing, or output that must equal the expected block.
pub type Outcome = Result<Option<String>, Vec<Failure>>;

/// One `test <command>`.
pub trait Command: Sync {
    fn name(&self) -> &'static str;
    /// Must the program parse and be valid before `run` sees it?  Without this, `run` gets no program.
    fn validate_first(&self) -> bool {
        true
    }
    /// The keys of annotations it reads.
    fn keys(&self) -> &'static [&'static str] {
        &[]
    }
    fn run(&self, case: &Case) -> Outcome;
}

/// All commands.
pub const COMMANDS: &[&dyn Command] = &[
    &test_cat::Cat,
    &test_link::Link,
    &test_passes::Prepare,
    &test_passes::System,
    &test_passes::Unfold,
    &test_print::Print,
    &test_splice::Splice,
    &test_validate::Validate,
    &test_facts::LOOPS,
    &test_facts::POINTS_TO,
    &test_facts::CELLS,
    &test_facts::SHARED,
    &test_facts::SITES,
    &test_facts::FUTURE,
    &test_facts::LOCKS,
    &test_facts::TOGETHER,
    &test_facts::MOVERS,
    &test_facts::INTERVALS,
    &test_facts::INPUTS,
    &test_facts::LIVE,
];

/// What became of a directory of tests.
#[derive(Default)]
pub struct Report {
    pub files: usize,
    pub commands: usize,
    /// One line per failure, `path:line: message`.
    pub failures: Vec<String>,
}

/// Runs every `.ir` file below `root` whose path contains `only`.
pub fn run_directory(root: &Path, only: &str, bless: bool) -> Report {
    let mut paths = Vec::new();
    let mut report = Report::default();
    if let Err(error) = collect(root, &mut paths) {
        report.failures.push(format!("{}: {error}", root.display()));
    }
    paths.retain(|path| path.to_string_lossy().contains(only));
    paths.sort();
    for path in &paths {
        let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
        report.files += 1;
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let blessed = run_file(&name, &text, bless, &mut report);
                if let Some(blessed) = blessed.filter(|blessed| *blessed != text)
                    && let Err(error) = std::fs::write(path, blessed)
                {
                    report.failures.push(format!("{name}: {error}"));
                }
            }
            Err(error) => report.failures.push(format!("{name}: {error}")),
        }
    }
    if paths.is_empty() {
        report.failures.push(format!("{}: no test files", root.display()));
    }
    report
}

/// The `.ir` files below a directory.
pub fn collect(directory: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "ir") {
            paths.push(path);
        }
    }
    Ok(())
}

/// Runs all commands of one file; with `bless`, returns the file's text with its blocks as they came out.
pub fn run_file(name: &str, text: &str, bless: bool, report: &mut Report) -> Option<String> {
    let file = match File::read(name, text) {
        Ok(file) => file,
        Err(failure) => {
            report.failures.push(failure.display(name));
            return None;
        }
    };
    let failures_before = report.failures.len();
    let mut blocks = String::new();
    let mut readable = Vec::new();
    for (line, words) in &file.tests {
        report.commands += 1;
        let mut fail = |failures: Vec<Failure>| {
            for failure in failures {
                let failure = Failure { line: failure.line.or(Some(*line)), ..failure };
                report.failures.push(format!("{} (test {})", failure.display(name), words.join(" ")));
            }
        };
        let Some(command) = COMMANDS.iter().find(|command| command.name() == words[0]) else {
            fail(vec![Failure::new(None, "unknown command")]);
            continue;
        };
        readable.extend(command.keys());
        let outcome = file.case(words, command.validate_first()).and_then(|case| {
            // A panic in one file must not hide the others.
            catch_unwind(AssertUnwindSafe(|| command.run(&case)))
                .unwrap_or_else(|_| Err(vec![Failure::new(None, "panicked, see above")]))
        });
        match outcome {
            Err(failures) => fail(failures),
            Ok(None) => (),
            Ok(Some(printed)) => {
                let block = block_text(words, &printed);
                if !bless && file.block(words) != Some(&block) {
                    fail(vec![Failure::new(None, format!("printed this (BLESS=1 takes it over):\n{block}"))]);
                }
                blocks.push_str(&block);
            }
        }
    }
    for annotation in &file.annotations {
        if !readable.contains(&annotation.key.as_str()) {
            let message = format!("no command of this file reads `{}:`", annotation.key);
            report.failures.push(Failure::new(Some(annotation.line), message).display(name));
        }
    }
    for block in &file.blocks {
        if !file.tests.iter().any(|(_, words)| block.starts_with(&block_text(words, ""))) {
            report.failures.push(format!("{name}: a block `;>` belongs to no command of this file"));
        }
    }
    // A command that failed has printed nothing, and its old block is better than none.
    let passed = report.failures.len() == failures_before;
    (bless && passed && !blocks.is_empty()).then(|| {
        let program = text.find("\n;>").map_or(text.trim_end(), |at| text[..at].trim_end());
        format!("{program}\n\n{blocks}")
    })
}
