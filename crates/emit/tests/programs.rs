//! Prints the C programs of `tests/c` as sequential ones, compiles them without a warning, and runs them.
//!
//! A driver (`native/driver.c`) supplies the guesses.  Where the schedule of a bug is known, following it must call
//! `reach_error`; random schedules must find the bug in most programs that have one, and none in the others.  So the whole way
//! from C to the sequential program is compared with what the files of `tests/c` say about themselves.
//!
//! `ONLY=mutex/ cargo test -p emit --test programs` runs the files whose path contains that, `ONLY=/` all of them.  Without it
//! there is a selection, by their names: about one in three with several threads, one in seven with one thread.

use base::{Folder, parallel};
use emit::{Flavour, Options};
use front::model::LinkOptions;
use ir::{DataModel, Program};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bugs that need more than 3 rounds of 2 times round each loop, or are found sooner with more: rounds, unwinding.
const DEEPER: [(&str, u32, u32); 8] = [
    ("families/long-3-unsafe.c", 4, 2),
    ("families/ring-2-unsafe.c", 4, 2),
    ("functions/recursion-wrong.c", 1, 9),
    ("keys/destructor-of-main-on-return.c", 2, 4),
    ("stdlib/numbers-wrong.c", 1, 9),
    ("string/compare-wrong.c", 1, 9),
    ("string/search-wrong.c", 1, 9),
    ("string/tokens-wrong.c", 1, 9),
];

const VIOLATED: i32 = 10;
const PRUNED: i32 = 3;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c").canonicalize().expect("there are tests")
}

fn native(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native").join(name).display().to_string()
}

fn folder_file(folder: &Folder, name: &str) -> String {
    folder.file(name).display().to_string()
}

fn load(file: &Path, data_model: DataModel) -> Result<Program, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let options = front::Options {
        data_model,
        link: LinkOptions::from_words(text.lines().find_map(|line| line.strip_prefix("//@ args:")).unwrap_or("")),
        ..front::Options::default()
    };
    match front::load(&[file.to_path_buf()], &options) {
        Ok(loaded) => Ok(loaded.program),
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}

fn print(program: &Program, rounds: u32, unwind: u32, flavour: Flavour) -> Result<String, String> {
    let facts = facts::Facts::compute(program);
    let bounds = passes::Bounds::new(unwind);
    let unfolded = passes::unfold(program, &facts, ir::Goal::Assertion, &bounds, &base::Budget::unlimited())
        .map_err(|_| "spent")?;
    let labels = passes::labels(&unfolded, &facts::Facts::compute(&unfolded.program));
    let options = Options { rounds, flavour, source: &|_, _| None, heading: "A test.", check_layouts: true };
    let all = |errors: Vec<base::Diagnostic>| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    emit::emit(&unfolded, &labels, &options).map_err(all)
}

fn gcc(args: &[&str]) -> Result<(), String> {
    let output = Command::new("gcc").args(args).output().map_err(|error| format!("gcc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(text.lines().take(5).collect::<Vec<_>>().join("\n")) }
}

const STRICT: [&str; 4] = ["-std=gnu11", "-Wall", "-Wextra", "-Werror"];

/// Compiles the text, without warnings, and links it with the driver.
fn build(folder: &Folder, driver: &str, text: &str) -> Result<String, String> {
    let (source, binary) = (folder_file(folder, "seq.c"), folder_file(folder, "seq"));
    std::fs::write(&source, text).unwrap();
    let header = native("driver.h");
    let mut args = STRICT.to_vec();
    args.extend(["-fno-strict-aliasing", "-include", &header, &source, driver, "-lm", "-o", &binary]);
    gcc(&args)?;
    Ok(binary)
}

fn build_driver(folder: &Folder) -> String {
    let driver = folder_file(folder, "driver.o");
    let source = native("driver.c");
    gcc(&["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-c", &source, "-o", &driver]).expect("the driver compiles");
    driver
}

fn run(binary: &str, args: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(binary).args(args).output().expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// Calls `check` for each file, several at a time.
fn for_each_program(check: impl Fn(&Path, &str, usize) -> Result<(), String> + Sync) {
    let root = root();
    let only = std::env::var("ONLY").ok();
    let mut files = base::files(&root, "c").unwrap();
    let name = |file: &Path| file.strip_prefix(&root).unwrap_or(file).display().to_string();
    let concurrent = |file: &Path| {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.contains("pthread_create") || text.contains("thrd_create")
    };
    files.retain(|file| match &only {
        Some(only) => name(file).contains(only),
        // The same files whichever others there are.
        None => name(file).bytes().map(u32::from).sum::<u32>() % if concurrent(file) { 3 } else { 7 } == 0,
    });
    assert!(!files.is_empty(), "no files in {}", root.display());
    let files: Vec<(usize, PathBuf)> = files.into_iter().enumerate().collect();
    let mut failures = Vec::new();
    let check = |(number, file): &(usize, PathBuf)| check(file, &name(file), *number);
    parallel::each(&files, parallel::processors(), check, |(_, file), result| {
        failures.extend(result.err().map(|message| format!("{}: {message}", name(file))));
    });
    assert!(failures.is_empty(), "{} of {} files fail:\n{}", failures.len(), files.len(), failures.join("\n"));
}

/// The schedule of a lost update, by hand: main stops before the joins, the first thread after its read, the second runs.
#[test]
fn a_known_schedule_reproduces_the_bug() {
    let folder = Folder::new().unwrap();
    let driver = build_driver(&folder);
    let program = load(&root().join("mutex/lost-update.c"), DataModel::Lp64).unwrap();
    let text = print(&program, 3, 2, Flavour::SvComp).unwrap();
    let binary = build(&folder, &driver, &text).unwrap();
    assert_eq!(run(&binary, &["follow", "2", "1", "2", "2", "2", "3"]).0, Some(VIOLATED));
    // One after the other: nothing is lost.
    assert_eq!(run(&binary, &["follow", "2", "2", "2", "3"]).0, Some(PRUNED));
    // A join that would wait is pruned, and so is a label that does not exist.
    assert_eq!(run(&binary, &["follow", "3"]).0, Some(PRUNED));
    assert_eq!(run(&binary, &["follow", "4"]).0, Some(PRUNED));
    // The same with a lock around: the update cannot be lost.
    let program = load(&root().join("mutex/lost-update-locked.c"), DataModel::Lp64).unwrap();
    let text = print(&program, 3, 2, Flavour::SvComp).unwrap();
    let binary = build(&folder, &driver, &text).unwrap();
    let (status, said) = run(&binary, &["search", "200000", "1"]);
    assert_ne!(status, Some(VIOLATED), "{said}");
}

/// Random schedules find most of the bugs that are there (some take luck, or more rounds), and no others.
#[test]
fn random_schedules_agree_with_the_files() {
    let shared = Folder::new().unwrap();
    let driver = build_driver(&shared);
    let (found, refused, missed) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    for_each_program(|file, name, _| {
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
        let safe = text.contains("//@ assert: safe");
        let (_, rounds, unwind) = DEEPER.into_iter().find(|(deep, ..)| *deep == name).unwrap_or((name, 3, 2));
        let program = load(file, DataModel::Lp64)?;
        let text = match print(&program, rounds, unwind, Flavour::SvComp) {
            // What is refused is refused at its place.
            Err(why) if why.contains("error: not supported: ") => {
                refused.fetch_add(1, Ordering::Relaxed);
                return Ok(());
            }
            text => text?,
        };
        let folder = Folder::new().unwrap();
        let binary = build(&folder, &driver, &text)?;
        let (status, said) = run(&binary, &["search", if safe { "5000" } else { "50000" }, "7"]);
        match (safe, status) {
            (true, Some(0 | PRUNED)) => (),
            (false, Some(VIOLATED)) => _ = found.fetch_add(1, Ordering::Relaxed),
            (true, Some(VIOLATED)) => return Err(format!("a violation is invented: {said}")),
            (false, Some(0 | PRUNED)) => missed.lock().unwrap().push(format!("{name}: {said}")),
            (_, other) => return Err(format!("the sequential program ends with {other:?}")),
        }
        Ok(())
    });
    let (found, refused, missed) = (found.into_inner(), refused.into_inner(), missed.into_inner().unwrap());
    assert!(2 * refused <= found, "{refused} are refused, {found} found");
    assert!(3 * missed.len() <= found, "{found} found, {} missed:\n{}", missed.len(), missed.join("\n"));
}

/// All flavours and both data models, by turns.
#[test]
fn every_flavour_compiles_without_warnings() {
    for_each_program(|file, _, number| {
        let folder = Folder::new().unwrap();
        let source = folder_file(&folder, "seq.c");
        let (data_model, bits) = if number % 8 < 4 { (DataModel::Ilp32, "-m32") } else { (DataModel::Lp64, "-m64") };
        let program = match load(file, data_model) {
            // There are programs that a machine of 32 bits cannot have.
            Err(error) if error.contains("is not supported on this target") => return Ok(()),
            other => other?,
        };
        let text = match print(&program, 2, 1, Flavour::ALL[number % 4]) {
            Err(why) if why.contains("error: not supported: ") => return Ok(()),
            text => text?,
        };
        std::fs::write(&source, &text).unwrap();
        let mut args = STRICT.to_vec();
        args.extend(["-fsyntax-only", bits, &source]);
        gcc(&args)?;
        // The same program gives the same text.
        assert_eq!(text, print(&program, 2, 1, Flavour::ALL[number % 4])?);
        Ok(())
    });
}
