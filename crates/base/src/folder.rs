//! Folders for files that nobody needs for long, and what is in others.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

/// Those in use: a process that ends in a hurry takes them along.
static IN_USE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A folder that goes away with its contents.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    pub fn new() -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("unbraid-{}-{count}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => {
                    IN_USE.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
                    return Ok(Folder { path });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
                Err(error) => return Err(error),
            }
        }
    }
    pub fn path(&self) -> &Path {
        &self.path
    }
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Removes all that are in use.  For a process that is about to exit.
    pub fn remove_all() {
        for path in IN_USE.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // A folder that stays behind does no harm, and there is nobody to tell.
            let _ = fs::remove_dir_all(path);
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        IN_USE.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.path);
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// The files with this extension in a folder and those inside it, in order.
pub fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path, extension)?);
        } else if path.extension().is_some_and(|other| other == extension) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
