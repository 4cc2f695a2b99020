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
    for (number, line) in (1..).zip(text.lines()) {
        for word in forbidden {
            if line.contains(word) {
                found.push(format!("{name}:{number}: `{word}` has no place here"));
            }
        }
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

/// Paths of somebody's machine mean nothing to others.
fn check_paths(name: &str, text: &str, found: &mut Vec<String>) {
    let forbidden = [concat!("/ho", "me/"), concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/Us", "ers/")];
    for (number, line) in (1..).zip(text.lines()) {
        for path in forbidden {
            if line.contains(path) {
                found.push(format!("{name}:{number}: `{path}` is a path of one machine"));
            }
        }
    }
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
