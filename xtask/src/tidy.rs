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
        check_paths(&name, &text, &mut found);
        if name.ends_with(".rs") {
            check_rust(&name, &text, &mut found);
            check_clocks(&name, &text, &mut found);
            check_arms(&name, &text, &mut found);
        }
    }
    check_crates(root, &mut found)?;
    check_dependencies(root, &files, &mut found)?;
    found.sort();
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

fn check_rust(name: &str, text: &str, found: &mut Vec<String>) {
    if !text.starts_with("//!") {
        found.push(format!("{name}:1: the file does not say what it is for (`//!`)"));
    }
    let lines = text.lines().count();
    if lines > LONGEST {
        found.push(format!("{name}: {lines} lines; no file has more than {LONGEST}"));
    }
    // Written so that this file does not complain about itself.
    let forbidden = [concat!("todo", "!("), concat!("unimplemented", "!("), concat!("#[", "ignore")];
    find(name, text, &forbidden, "has no place here", found);
}

/// Complains about each line with one of these texts in it.
fn find(name: &str, text: &str, forbidden: &[&str], why: &str, found: &mut Vec<String>) {
    for (number, line) in (1..).zip(text.lines()) {
        let there = forbidden.iter().filter(|forbidden| line.contains(**forbidden));
        found.extend(there.map(|forbidden| format!("{name}:{number}: `{forbidden}` {why}")));
    }
}

/// What decides must not depend on the time, unless through the budget.
fn check_clocks(name: &str, text: &str, found: &mut Vec<String>) {
    let timeless = ["engines", "system", "checkers", "passes", "facts"];
    if !timeless.iter().any(|folder| name.starts_with(&format!("crates/{folder}/src/"))) {
        return;
    }
    for (number, line) in (1..).zip(text.lines()) {
        for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| ["Instant", "SystemTime"].contains(word)) {
            found.push(format!("{name}:{number}: `{word}` is a clock; ask the budget (`base::Budget`, `base::Pace`)"));
        }
    }
}

/// A match over instructions says something of each kind, so that a new one is overlooked nowhere.  Goes by the indentation
/// that rustfmt gives.
fn check_arms(name: &str, text: &str, found: &mut Vec<String>) {
    // The fuzzer is a test; what it leaves out it does not draw.
    if !name.starts_with("crates/") || !name.contains("/src/") || name.starts_with("crates/fuzz/") {
        return;
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
            matches.pop().into_iter().for_each(|inner| inner.judge(name, found));
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
    matches.into_iter().for_each(|inner| inner.judge(name, found));
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
    fn judge(self, name: &str, found: &mut Vec<String>) {
        let others = self.others.into_iter().filter(|_| self.instructions);
        found.extend(others.map(|line| format!("{name}:{line}: an arm for all other instructions; name them")));
    }
}

/// Paths of somebody's machine mean nothing to others.
fn check_paths(name: &str, text: &str, found: &mut Vec<String>) {
    let forbidden = [concat!("/ho", "me/"), concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")];
    find(name, text, &forbidden, "is a path of one machine", found);
}

/// The table of crates has a row for each, with what its manifest says that it depends on; and what a crate depends on stands
/// below it.
fn check_crates(root: &Path, found: &mut Vec<String>) -> Result<(), String> {
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
    check_table(page, &text, &manifests, found);
    Ok(())
}

fn check_table(page: &str, text: &str, manifests: &[(String, String)], found: &mut Vec<String>) {
    let mut rows: Vec<(&str, &str)> = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split(" | ").collect();
        if let Some((name, [_, needs])) = cells.split_first()
            && let Some(name) = name.strip_prefix("| `crates/")
        {
            rows.push((name.trim_end_matches('`'), needs.trim_end_matches(" |")));
        }
    }
    for (name, manifest) in manifests {
        let Some(at) = rows.iter().position(|(row, _)| row == name) else {
            found.push(format!("{page}: has no row for crates/{name}"));
            continue;
        };
        let ours = |other: &String| manifests.iter().any(|(name, _)| name == other);
        let mut needed: Vec<String> = dependencies(manifest).into_iter().filter(ours).collect();
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
    for (row, _) in rows.iter().filter(|(row, _)| !manifests.iter().any(|(name, _)| name == row)) {
        found.push(format!("{page}: there is no crates/{row}"));
    }
}

/// What a manifest lists under `[dependencies]`.
fn dependencies(manifest: &str) -> Vec<String> {
    let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let listed = lines.take_while(|line| !line.starts_with('['));
    listed
        .filter_map(|line| line.split(['=', '.', ' ']).next())
        .filter(|name| !name.is_empty())
        .map(String::from)
        .collect()
}

/// The page on dependencies knows every one that is not our own.
fn check_dependencies(root: &Path, files: &[PathBuf], found: &mut Vec<String>) -> Result<(), String> {
    let page = "docs/dependencies.md";
    let text = fs::read_to_string(root.join(page)).map_err(|error| format!("{page}: {error}"))?;
    let manifests = files.iter().filter(|file| file.file_name().is_some_and(|name| name == "Cargo.toml"));
    for manifest in manifests {
        let content = fs::read_to_string(manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
        let mut within = false;
        for line in content.lines() {
            if line.starts_with('[') {
                within = line.ends_with("dependencies]");
                continue;
            }
            let name = line.split(['=', '.', ' ']).next().unwrap_or("");
            let ours = root.join("crates").join(name).is_dir();
            if within && !name.is_empty() && !name.starts_with('#') && !ours && !text.contains(&format!("`{name}`")) {
                found.push(format!("{page}: does not mention {name}"));
            }
        }
    }
    found.dedup();
    Ok(())
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
        let mut found = Vec::new();
        check_rust("a.rs", concat!("fn f() { todo", "!() }"), &mut found);
        check_paths("b.md", concat!("see /ho", "me/me"), &mut found);
        assert_eq!(found.len(), 3, "{found:?}");
    }

    #[test]
    fn arms_for_all_other_instructions_are_seen() {
        let complaints = |name: &str, text: &str| {
            let mut found = Vec::new();
            check_arms(name, text, &mut found);
            found
        };
        let rest = "match kind {\n    InstKind::Load { .. } => match x {\n        1 => 2,\n        _ => 3,\n    },\n    _ => 4,\n}\n";
        assert_eq!(complaints("crates/a/src/a.rs", rest).len(), 1);
        assert!(complaints("crates/a/src/a.rs", rest)[0].starts_with("crates/a/src/a.rs:6:"));
        assert!(complaints("crates/a/tests/a.rs", rest).is_empty());
        let first = "let a = match inst {\n    _ if b => 1,\n    Some(InstKind::Load { .. }) => 2,\n    Some(_) => 3,\n    None => 4,\n};";
        assert_eq!(complaints("crates/a/src/a.rs", first).len(), 2);
        let term = "match term {\n    Term::Jump(_)\n    | Term::Halt => 1,\n    _ => 2,\n}";
        assert_eq!(complaints("crates/a/src/a.rs", term).len(), 1);
        let named = "match kind {\n    InstKind::Load { .. } => 1,\n    InstKind::Store { .. } | InstKind::Free { .. } => 2,\n}";
        assert!(complaints("crates/a/src/a.rs", named).is_empty());
        let op = "match op {\n    Op::Jump(_) => 1,\n    _ => 2,\n}";
        assert_eq!(complaints("crates/ir/src/a.rs", op).len(), 1);
        assert!(complaints("crates/front/src/a.rs", op).is_empty());
    }

    #[test]
    fn clocks_in_engines_are_seen() {
        let complaints = |name: &str, text: &str| {
            let mut found = Vec::new();
            check_clocks(name, text, &mut found);
            found
        };
        assert_eq!(complaints("crates/engines/src/a.rs", "use std::time::{Duration, Instant};").len(), 1);
        assert_eq!(complaints("crates/facts/src/a.rs", "let now = std::time::SystemTime::now();").len(), 1);
        assert!(complaints("crates/facts/src/a.rs", "fn Instantiate() {}\nuse std::time::Duration;").is_empty());
        assert!(complaints("crates/base/src/budget.rs", "use std::time::Instant;").is_empty());
        assert!(complaints("crates/engines/examples/a.rs", "use std::time::Instant;").is_empty());
    }

    #[test]
    fn the_table_of_crates_is_compared_with_the_manifests() {
        let manifest = |text: &str| {
            format!("[package]\nname = \"x\"\n\n[dependencies]\n{text}\n[dev-dependencies]\nc.workspace = true\n")
        };
        let manifests =
            [("a".to_string(), manifest("b.workspace = true\nserde = \"1\"\n")), ("b".to_string(), manifest(""))];
        let complaints = |page: &str| {
            let mut found = Vec::new();
            check_table("page", page, &manifests, &mut found);
            found
        };
        assert!(complaints("| `crates/a` | first | `b` |\n| `crates/b` | second | - |").is_empty());
        assert_eq!(complaints("| `crates/a` | first | - |\n| `crates/b` | second | - |").len(), 1);
        assert_eq!(complaints("| `crates/b` | second | - |\n| `crates/a` | first | `b` |").len(), 1);
        assert_eq!(complaints("| `crates/a` | first | `b` |\n| `crates/c` | third | - |").len(), 2);
    }
}
