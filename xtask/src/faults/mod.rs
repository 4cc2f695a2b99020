//! `cargo xtask faults`: do the checks of proofs notice what is wrong with engines and passes?
//!
//! A copy of the workspace gets faults (`instrument`), some thousands in one build, each of which can be switched on.  Then `fuzz
//! faults` has programs decided that are unsafe, with one fault after the other: a claim that one is safe must be refused.

mod instrument;

use crate::build;
use instrument::{Fault, instrument};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Where faults are put: whatever the check of proofs need not believe.
const CRATES: [&str; 5] = ["facts", "passes", "system", "engines", "checkers"];

/// So often faults are taken out again where the compiler does not like them.
const MOST_ROUNDS: usize = 20;

#[derive(clap::Args)]
pub struct Args {
    /// Only make and build the copy
    #[arg(long)]
    build: bool,
    /// Options of `fuzz faults` (--count 300, --seed 1, --only TEXT, ...)
    #[arg(last = true)]
    rest: Vec<String>,
}

/// True if no wrong claim got through.
pub fn run(args: &Args) -> Result<bool, String> {
    let root = build::root();
    let copy = root.join("target/faults/copy");
    make_copy(&root, &copy)?;
    let mut without: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let mut rounds = 0;
    let faults = loop {
        let faults = put_in(&root, &copy, &without)?;
        let errors = compile(&root, &copy)?;
        if errors.is_empty() {
            break faults;
        }
        println!("{} places do not compile with faults", errors.len());
        let mut news = false;
        for (file, line) in &errors {
            news |= without.entry(file.clone()).or_default().insert(*line);
        }
        // What the error is about may come later.
        for (file, line) in errors.iter().filter(|_| !news) {
            without.entry(file.clone()).or_default().extend(*line..line + 40);
        }
        rounds += 1;
        if rounds > MOST_ROUNDS {
            return Err("the copy cannot be built".into());
        }
    };
    println!("{} faults", faults.len());
    let list = root.join("target/faults/list.tsv");
    let text: String = faults.iter().fold(String::new(), |mut text, (file, fault)| {
        _ = writeln!(text, "{}\t{file}:{}\t{}", fault.number, fault.line, fault.what);
        text
    });
    write_if_new(&list, &text)?;
    if args.build {
        return Ok(true);
    }
    let programs = root.join("target/faults/programs");
    // What was found out about another build is worth nothing.
    _ = fs::remove_file(programs.join("asked.tsv"));
    fs::create_dir_all(&programs).map_err(|error| error.to_string())?;
    let status = Command::new(root.join("target/faults/build/release/fuzz"))
        .arg("faults")
        .args(["--programs".as_ref(), programs.as_os_str(), "--list".as_ref(), list.as_os_str()])
        .args(["--out".as_ref(), root.join("target/faults/result.tsv").as_os_str()])
        .args(&args.rest)
        .env("LD_LIBRARY_PATH", root.join(".z3/lib"))
        .status()
        .map_err(|error| format!("fuzz cannot be run: {error}"))?;
    match status.code() {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        _ => Err("fuzz failed".into()),
    }
}

fn tracked(root: &Path) -> Result<Vec<String>, String> {
    let listed = Command::new("git").args(["ls-files", "-co", "--exclude-standard"]).current_dir(root).output();
    let listed = listed.map_err(|error| format!("git cannot be run: {error}"))?;
    Ok(String::from_utf8_lossy(&listed.stdout).lines().map(String::from).collect())
}

fn make_copy(root: &Path, copy: &Path) -> Result<(), String> {
    let wanted =
        |file: &str| ["crates/", "xtask/", "tests/c/", "Cargo", ".cargo/"].iter().any(|part| file.starts_with(part));
    let files = tracked(root)?;
    for file in files.iter().filter(|file| wanted(file) && !has_faults(file) && root.join(file).is_file()) {
        copy_if_new(&root.join(file), &copy.join(file))?;
    }
    let link = copy.join(".z3");
    if !link.exists() {
        std::os::unix::fs::symlink(root.join(".z3"), &link).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Whether faults are put into the file.
fn has_faults(file: &str) -> bool {
    CRATES.iter().any(|name| file.starts_with(&format!("crates/{name}/src/"))) && file.ends_with(".rs")
}

/// Puts faults into the copy, except in these lines.
fn put_in(
    root: &Path,
    copy: &Path,
    without: &BTreeMap<String, BTreeSet<usize>>,
) -> Result<Vec<(String, Fault)>, String> {
    let none = BTreeSet::new();
    let mut all = Vec::new();
    for file in tracked(root)?.into_iter().filter(|file| has_faults(file)) {
        let Ok(text) = fs::read_to_string(root.join(&file)) else { continue };
        let first = all.len() + 1;
        let (text, faults) =
            instrument(&text, first, without.get(&file).unwrap_or(&none)).map_err(|why| format!("{file}: {why}"))?;
        // Numbers must not depend on what does not compile.
        write_if_new(&copy.join(&file), &text)?;
        all.extend(faults.into_iter().map(|fault| (file.clone(), fault)));
    }
    Ok(all)
}

/// Builds the copy; the places that do not compile.
fn compile(root: &Path, copy: &Path) -> Result<BTreeSet<(String, usize)>, String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "build",
            "--release",
            "--keep-going",
            "--package",
            "fuzz",
            "--features",
            "faults",
            "--message-format",
            "json",
        ])
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", root.join("target/faults/build"))
        .env("RUSTFLAGS", "--cap-lints warn")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .output()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    let mut places = BTreeSet::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let message = &message["message"];
        if message["level"] != "error" {
            continue;
        }
        let notes = message["children"].as_array().into_iter().flatten();
        let spans = notes.chain([message]).filter_map(|part| part["spans"].as_array()).flatten();
        for span in spans {
            if let (Some(file), Some(first), Some(last)) =
                (span["file_name"].as_str(), span["line_start"].as_u64(), span["line_end"].as_u64())
            {
                places.extend((first..=last.min(first + 30)).map(|line| (file.to_string(), line as usize)));
            }
        }
    }
    if places.is_empty() && !output.status.success() {
        return Err(format!("the copy cannot be built: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(places)
}

fn copy_if_new(from: &Path, to: &Path) -> Result<(), String> {
    let bytes = fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
    write_bytes_if_new(to, &bytes)
}

fn write_if_new(to: &Path, text: &str) -> Result<(), String> {
    write_bytes_if_new(to, text.as_bytes())
}

/// What stays the same need not be built again.
fn write_bytes_if_new(to: &Path, bytes: &[u8]) -> Result<(), String> {
    if fs::read(to).is_ok_and(|before| before == bytes) {
        return Ok(());
    }
    let fail = |error: std::io::Error| format!("{}: {error}", to.display());
    to.parent().map_or(Ok(()), fs::create_dir_all).map_err(fail)?;
    fs::write(to, bytes).map_err(fail)
}
