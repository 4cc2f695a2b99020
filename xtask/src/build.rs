//! Finds the binary to measure: built here, or given.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// The release binary, up to date; or the given one as it is.
pub fn binary(given: Option<&Path>) -> Result<PathBuf, String> {
    if let Some(path) = given {
        return path.canonicalize().map_err(|error| format!("{}: {error}", path.display()));
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--package", "cli"])
        .current_dir(root())
        .status()
        .map_err(|error| format!("cargo cannot be run: {error}"))?;
    if !status.success() {
        return Err("the release binary cannot be built".into());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join("release/unbraid"))
}

/// Tells one build from another.
pub fn identity(binary: &Path) -> String {
    let Ok(data) = std::fs::metadata(binary) else { return "none".into() };
    let modified = data.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    format!("{}-{}", data.len(), modified.map_or(0, |age| age.as_secs()))
}
