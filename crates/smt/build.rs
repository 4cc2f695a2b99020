//! Finds Z3's library, or says what to do.  `z3-sys` links it; here it is also put where cargo looks for the libraries of what it runs,
//! so that tests and examples of every crate find it whatever folder they are built in.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    // Set in .cargo/config.toml.
    let Some(folder) = std::env::var_os("Z3_LIBRARY_PATH_OVERRIDE").map(PathBuf::from) else {
        println!("cargo::error=where Z3 is, is said in .cargo/config.toml of the project: run cargo inside it");
        return;
    };
    let library = folder.join("libz3.so");
    println!("cargo::rerun-if-changed={}", library.display());
    if !library.exists() {
        println!("cargo::error=there is no Z3 in {}: run `./setup --tools` once", folder.display());
        return;
    }
    let Some(out) = std::env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    match link_all(&folder, &out) {
        // Only folders inside the target folder are put on the path of libraries.
        Ok(()) => println!("cargo::rustc-link-search=native={}", out.display()),
        Err(error) => println!("cargo::error=linking what is in {}: {error}", folder.display()),
    }
}

/// All names that the library has: it is linked by one and loaded by another.
fn link_all(folder: &Path, out: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = out.join(entry.file_name());
        if !entry.file_name().to_string_lossy().starts_with("libz3.so") {
            continue;
        }
        if name.symlink_metadata().is_ok() {
            std::fs::remove_file(&name)?;
        }
        std::os::unix::fs::symlink(entry.path(), &name)?;
    }
    Ok(())
}
