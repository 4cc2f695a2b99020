//! `cargo xtask tidy`: what no compiler checks.

use crate::build;
use std::fs;
use std::path::{Path, PathBuf};

/// The longest file, in lines.
const LONGEST: usize = 900;

/// True if there is nothing to complain about.
pub fn run() -> Result<bool, String> {
    let complaints = complaints(&build::root())?;
    complaints.iter().for_each(|complaint| eprintln!("{complaint}"));
    if complaints.is_empty() {
        println!("tidy");
    }
    Ok(complaints.is_empty())
}

fn complaints(root: &Path) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    collect(root, &mut files)?;
    let mut found = Vec::new();
    for file in &files {
        let name = file.strip_prefix(root).unwrap_or(file).display().to_string();
        // What is not text is not ours to read.
        let Ok(text) = fs::read_to_string(file) else { continue };
        found.extend(check_paths(&name, &text));
        if name.ends_with(".rs") {
            found.extend([check_rust(&name, &text), check_clocks(&name, &text), check_arms(&name, &text)].concat());
        }
    }
    found.extend(check_crates(root)?);
    found.extend(check_dependencies(root, &files)?);
    found.sort();
    found.dedup();
    Ok(found)
}

/// All files of the project; what is built or hidden is not.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if ["target", "out", ".git", ".z3", "Cargo.lock"].contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn check_rust(name: &str, text: &str) -> Vec<String> {
    // Written so that this file does not complain about itself.
    let forbidden = [concat!("todo", "!("), concat!("unimplemented", "!("), concat!("#[", "ignore")];
    let mut found = find(name, text, &forbidden, "has no place here");
    if !text.starts_with("//!") {
        found.push(format!("{name}:1: the file does not say what it is for (`//!`)"));
    }
    let lines = text.lines().count();
    if lines > LONGEST {
        found.push(format!("{name}: {lines} lines; no file has more than {LONGEST}"));
    }
    found
}

/// Complains about each line with one of these texts in it.
fn find(name: &str, text: &str, forbidden: &[&str], why: &str) -> Vec<String> {
    let complain = |(number, line): (usize, &str)| {
        let there = forbidden.iter().filter(|forbidden| line.contains(**forbidden));
        there.map(|forbidden| format!("{name}:{number}: `{forbidden}` {why}")).collect::<Vec<_>>()
    };
    (1..).zip(text.lines()).flat_map(complain).collect()
}

/// What decides must not depend on the time, unless through the budget.
fn check_clocks(name: &str, text: &str) -> Vec<String> {
    let timeless = ["engines", "system", "checkers", "passes", "facts"];
    let mut found = Vec::new();
    if !timeless.iter().any(|folder| name.starts_with(&format!("crates/{folder}/src/"))) {
        return found;
    }
    for (number, line) in (1..).zip(text.lines()) {
        for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| ["Instant", "SystemTime"].contains(word)) {
            found.push(format!("{name}:{number}: `{word}` is a clock; ask the budget (`base::Budget`, `base::Pace`)"));
        }
    }
    found
}

/// A match over instructions says something of each kind, so that a new one is overlooked nowhere.  Goes by the indentation
/// that rustfmt gives.
fn check_arms(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    // The fuzzer is a test; what it leaves out it does not draw.
    if !name.starts_with("crates/") || !name.contains("/src/") || name.starts_with("crates/fuzz/") {
        return found;
    }
    // LLVM's operations have the name of the interpreter's.
    let of_llvm = ["crates/llvm/", "crates/front/", "crates/logic/"].iter().any(|folder| name.starts_with(folder));
    let kinds: &[&str] = if of_llvm { &["InstKind::", "Term::"] } else { &["InstKind::", "Term::", "Op::"] };
    let mut matches: Vec<Match> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.trim_start();
        let depth = line.len() - code.len();
        if code.is_empty() {
            continue;
        }
        while matches.last().is_some_and(|inner| depth < inner.arms) {
            found.extend(matches.pop().into_iter().flat_map(|inner| inner.judge(name)));
        }
        if let Some(inner) = matches.last_mut().filter(|inner| inner.arms == depth) {
            let pattern = code.trim_start_matches("| ");
            let bare = pattern.trim_start_matches("Some(").trim_start_matches(['&', '(']);
            inner.instructions |= kinds.iter().any(|kind| bare.starts_with(kind));
            if ["_ =>", "_ if ", "Some(_) =>", "Some(_) |"].iter().any(|any| pattern.starts_with(any)) {
                inner.others.push(number);
            }
        }
        if code.ends_with('{') && code.split(|c: char| !c.is_alphanumeric()).any(|word| word == "match") {
            matches.push(Match { arms: depth + 4, instructions: false, others: Vec::new() });
        }
    }
    found.extend(matches.into_iter().flat_map(|inner| inner.judge(name)));
    found
}

/// A match that is being read.
struct Match {
    /// How far its arms are indented.
    arms: usize,
    /// Do some of them name kinds of instructions?
    instructions: bool,
    /// The lines of arms for whatever else there is.
    others: Vec<usize>,
}

impl Match {
    fn judge(self, name: &str) -> impl Iterator<Item = String> {
        let others = self.others.into_iter().filter(move |_| self.instructions);
        others.map(move |line| format!("{name}:{line}: an arm for all other instructions; name them"))
    }
}

/// Paths of somebody's machine mean nothing to others.
fn check_paths(name: &str, text: &str) -> Vec<String> {
    let forbidden = [concat!("/ho", "me/"), concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")];
    find(name, text, &forbidden, "is a path of one machine")
}

/// The table of crates has a row for each, with what its manifest says that it depends on; and what a crate depends on stands
/// below it.
fn check_crates(root: &Path) -> Result<Vec<String>, String> {
    let page = "docs/architecture.md";
    let text = fs::read_to_string(root.join(page)).map_err(|error| format!("{page}: {error}"))?;
    let mut manifests = Vec::new();
    let folder = root.join("crates");
    for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?.flatten() {
        // A folder without a manifest is no crate.
        if let Ok(manifest) = fs::read_to_string(entry.path().join("Cargo.toml")) {
            manifests.push((entry.file_name().to_string_lossy().into_owned(), manifest));
        }
    }
    Ok(check_table(page, &text, &manifests))
}

fn check_table(page: &str, text: &str, manifests: &[(String, String)]) -> Vec<String> {
    let rows = text.lines().filter_map(|line| {
        let (name, cells) = line.strip_prefix("| `crates/")?.split_once("` | ")?;
        Some((name, cells.split_once(" | ")?.1.trim_end_matches(" |")))
    });
    let rows: Vec<(&str, &str)> = rows.collect();
    let mut found = Vec::new();
    for (name, manifest) in manifests {
        let Some(at) = rows.iter().position(|(row, _)| row == name) else {
            found.push(format!("{page}: has no row for crates/{name}"));
            continue;
        };
        let ours = |other: &String| manifests.iter().any(|(name, _)| name == other);
        let mut needed: Vec<String> = dependencies(manifest, "[dependencies]").into_iter().filter(ours).collect();
        needed.sort();
        for other in &needed {
            if rows[..at].iter().any(|(row, _)| row == other) {
                found.push(format!("{page}: crates/{name} depends on crates/{other}, which stands above it"));
            }
        }
        // Some say it in words.
        if !["all below", "what it compares"].iter().any(|words| rows[at].1.contains(words)) {
            let mut said: Vec<String> = rows[at].1.split('`').skip(1).step_by(2).map(String::from).collect();
            said.sort();
            if said != needed {
                let (said, needed) = (said.join(", "), needed.join(", "));
                found.push(format!("{page}: crates/{name} depends on {needed}, the page says {said}"));
            }
        }
    }
    let gone = rows.iter().filter(|(row, _)| !manifests.iter().any(|(name, _)| name == row));
    found.extend(gone.map(|(row, _)| format!("{page}: there is no crates/{row}")));
    found
}

/// What a manifest lists under headings that end like this.
fn dependencies(manifest: &str, heading: &str) -> Vec<String> {
    let mut within = false;
    let listed = manifest.lines().filter(|line| {
        if line.starts_with('[') {
            within = line.ends_with(heading);
        }
        within && line.starts_with(|c: char| c.is_ascii_alphabetic())
    });
    listed.filter_map(|line| line.split(['=', '.', ' ']).next()).map(String::from).collect()
}

/// The page on dependencies knows every one that is not our own.
fn check_dependencies(root: &Path, files: &[PathBuf]) -> Result<Vec<String>, String> {
    let page = "docs/dependencies.md";
    let text = fs::read_to_string(root.join(page)).map_err(|error| format!("{page}: {error}"))?;
    let mut found = Vec::new();
    for manifest in files.iter().filter(|file| file.file_name().is_some_and(|name| name == "Cargo.toml")) {
        let content = fs::read_to_string(manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
        let known = |name: &String| root.join("crates").join(name).is_dir() || text.contains(&format!("`{name}`"));
        let unknown = dependencies(&content, "dependencies]").into_iter().filter(|name| !known(name));
        found.extend(unknown.map(|name| format!("{page}: does not mention {name}")));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_house_is_tidy() {
        let found = complaints(&build::root()).unwrap();
        assert!(found.is_empty(), "\n{}", found.join("\n"));
    }

    #[test]
    fn untidiness_is_seen() {
        assert_eq!(check_rust("a.rs", concat!("fn f() { todo", "!() }")).len(), 2);
        assert_eq!(check_paths("b.md", concat!("see /ho", "me/me")).len(), 1);
    }

    #[test]
    fn arms_for_all_other_instructions_are_seen() {
        let rest = "match kind {\n    InstKind::Load { .. } => match x {\n        1 => 2,\n        _ => 3,\n    },\n    _ => 4,\n}\n";
        assert_eq!(check_arms("crates/a/src/a.rs", rest).len(), 1);
        assert!(check_arms("crates/a/src/a.rs", rest)[0].starts_with("crates/a/src/a.rs:6:"));
        assert!(check_arms("crates/a/tests/a.rs", rest).is_empty());
        let first = "let a = match inst {\n    _ if b => 1,\n    Some(InstKind::Load { .. }) => 2,\n    Some(_) => 3,\n    None => 4,\n};";
        assert_eq!(check_arms("crates/a/src/a.rs", first).len(), 2);
        let term = "match term {\n    Term::Jump(_)\n    | Term::Halt => 1,\n    _ => 2,\n}";
        assert_eq!(check_arms("crates/a/src/a.rs", term).len(), 1);
        let named = "match kind {\n    InstKind::Load { .. } => 1,\n    InstKind::Store { .. } | InstKind::Free { .. } => 2,\n}";
        assert!(check_arms("crates/a/src/a.rs", named).is_empty());
        let op = "match op {\n    Op::Jump(_) => 1,\n    _ => 2,\n}";
        assert_eq!(check_arms("crates/ir/src/a.rs", op).len(), 1);
        assert!(check_arms("crates/front/src/a.rs", op).is_empty());
    }

    #[test]
    fn clocks_in_engines_are_seen() {
        assert_eq!(check_clocks("crates/engines/src/a.rs", "use std::time::{Duration, Instant};").len(), 1);
        assert_eq!(check_clocks("crates/facts/src/a.rs", "let now = std::time::SystemTime::now();").len(), 1);
        assert!(check_clocks("crates/facts/src/a.rs", "fn Instantiate() {}\nuse std::time::Duration;").is_empty());
        assert!(check_clocks("crates/base/src/budget.rs", "use std::time::Instant;").is_empty());
        assert!(check_clocks("crates/engines/examples/a.rs", "use std::time::Instant;").is_empty());
    }

    #[test]
    fn the_table_of_crates_is_compared_with_the_manifests() {
        let manifest = |text: &str| {
            format!("[package]\nname = \"x\"\n\n[dependencies]\n{text}\n[dev-dependencies]\nc.workspace = true\n")
        };
        let manifests =
            [("a".to_string(), manifest("b.workspace = true\nserde = \"1\"\n")), ("b".to_string(), manifest(""))];
        let complaints = |page: &str| check_table("page", page, &manifests);
        assert!(complaints("| `crates/a` | first | `b` |\n| `crates/b` | second | - |").is_empty());
        assert_eq!(complaints("| `crates/a` | first | - |\n| `crates/b` | second | - |").len(), 1);
        assert_eq!(complaints("| `crates/b` | second | - |\n| `crates/a` | first | `b` |").len(), 1);
        assert_eq!(complaints("| `crates/a` | first | `b` |\n| `crates/c` | third | - |").len(), 2);
    }
}
