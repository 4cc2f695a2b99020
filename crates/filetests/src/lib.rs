//! Runs the tests that are data: `tests/ir/<area>/*.ir`.
//!
//! A file starts with lines `test <command> [arguments]`, then comes a program in the text form of `docs/ir.md`.  What a
//! command must find stands as a comment on the line concerned, `; key: value`; several on one line are separated by
//! another `;`.  Comments that start with `;;` are prose.  Annotations are correct and complete: one that is wrong,
//! missing, or of a key that no command of the file reads, fails.
//!
//! A command that prints has its expected output at the end of the file, in lines that start with `;>`, the first of them
//! the command line; `print` has the canonical text of a program that is written in some other way.  `BLESS=1 cargo test -p filetests` rewrites those blocks and nothing else.
//! `ONLY=text/tour cargo test -p filetests` runs the files whose path contains that.
//!
//! To add a command: write a function that runs it in `test_<command>.rs`, and add it to [`COMMANDS`].
//! The program it gets is valid unless it asks for text.  A command about facts says what it found and where, which is compared
//! with the annotations ([`Case::check_annotations`]); the line of an instruction comes from [`Case::line_of`].

mod case;
mod test_cat;
mod test_facts;
mod test_link;
mod test_passes;
mod test_splice;
mod test_validate;

pub use case::{Annotation, Case, Failure};

use case::{File, block_text, fail, invalid};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use test_facts::View;

/// What a command has to say: nothing, or output that must equal the expected block.
pub type Outcome = Result<Option<String>, Vec<Failure>>;

/// One `test <command>`.
pub struct Command {
    name: &'static str,
    /// The keys of annotations it reads.
    keys: &'static [&'static str],
    run: Run,
}

/// What a command works on.
enum Run {
    /// The text, of which nobody has asked yet whether it is a program.
    Text(fn(&Case) -> Outcome),
    /// A valid program.
    Program(fn(&Case) -> Outcome),
    /// The facts of a valid program, of which those it has found are compared with the annotations.
    Facts(fn(&mut View)),
}

const fn command(name: &'static str, keys: &'static [&'static str], run: Run) -> Command {
    Command { name, keys, run }
}

/// All commands.
pub const COMMANDS: &[Command] = &[
    command("cat", &[], Run::Program(test_cat::cat)),
    command("link", &[], Run::Text(test_link::link)),
    command("prepare", &[], Run::Program(test_passes::prepare)),
    command("system", &[], Run::Program(test_passes::system)),
    command("unfold", &[], Run::Program(test_passes::unfold)),
    command("print", &[], Run::Program(|case| Ok(Some(ir::text::print(case.program()))))),
    command("splice", &[], Run::Program(test_splice::splice)),
    command("validate", &["error", "error-anywhere"], Run::Text(test_validate::validate)),
    command("loops", &["loop"], Run::Facts(test_facts::loops)),
    command("points-to", &["address", "handle", "value", "calls"], Run::Facts(test_facts::points_to)),
    command("cells", &["cells"], Run::Facts(test_facts::cells)),
    command("shared", &["shared", "escapes"], Run::Facts(test_facts::shared)),
    command("sites", &["site"], Run::Facts(test_facts::sites)),
    command("future", &["id", "future"], Run::Facts(test_facts::future)),
    command("locks", &["lock", "held"], Run::Facts(test_facts::locks)),
    command("together", &["id", "together", "races"], Run::Facts(test_facts::together)),
    command("movers", &["mover", "switch"], Run::Facts(test_facts::movers)),
    command("intervals", &["range", "content"], Run::Facts(test_facts::intervals)),
    command("inputs", &["values"], Run::Facts(test_facts::inputs)),
    command("live", &["live"], Run::Facts(test_facts::live)),
];

impl Command {
    fn run(&self, case: &Case) -> Outcome {
        match self.run {
            Run::Text(run) | Run::Program(run) => run(case),
            Run::Facts(find) => test_facts::compare(case, self.keys, find),
        }
    }
}

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
    let mut report = Report::default();
    let mut paths = base::files(root, "ir").unwrap_or_else(|error| {
        report.failures.push(format!("{}: {error}", root.display()));
        Vec::new()
    });
    paths.retain(|path| path.to_string_lossy().contains(only));
    for path in &paths {
        let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
        report.files += 1;
        let done = std::fs::read_to_string(path).and_then(|text| {
            let blessed = run_file(&name, &text, bless, &mut report).filter(|blessed| *blessed != text);
            blessed.map_or(Ok(()), |blessed| std::fs::write(path, blessed))
        });
        report.failures.extend(done.err().map(|error| format!("{name}: {error}")));
    }
    if paths.is_empty() {
        report.failures.push(format!("{}: no test files", root.display()));
    }
    report
}

/// Runs all commands of one file; with `bless`, returns the file's text with its blocks as they came out.
pub fn run_file(name: &str, text: &str, bless: bool, report: &mut Report) -> Option<String> {
    let file = File::read(name, text).map_err(|failure| report.failures.push(failure.display(name))).ok()?;
    let failures_before = report.failures.len();
    let mut blocks = String::new();
    let mut readable = Vec::new();
    for (line, words) in &file.tests {
        report.commands += 1;
        let mut told = |failures: Vec<Failure>| {
            for failure in failures {
                let failure = Failure { line: failure.line.or(Some(*line)), ..failure };
                report.failures.push(format!("{} (test {})", failure.display(name), words.join(" ")));
            }
        };
        let Some(command) = COMMANDS.iter().find(|command| command.name == words[0]) else {
            told(vec![Failure::new(None, "unknown command")]);
            continue;
        };
        readable.extend(command.keys);
        let outcome = file.case(words, !matches!(command.run, Run::Text(_))).and_then(|case| {
            // A panic in one file must not hide the others.
            catch_unwind(AssertUnwindSafe(|| command.run(&case))).unwrap_or_else(|_| fail("panicked, see above"))
        });
        match outcome {
            Err(failures) => told(failures),
            Ok(None) => (),
            Ok(Some(printed)) => {
                let block = block_text(words, &printed);
                if !bless && file.block(words) != Some(&block) {
                    told(vec![Failure::new(None, format!("printed this (BLESS=1 takes it over):\n{block}"))]);
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
