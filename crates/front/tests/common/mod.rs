//! What the tests of the front end share: files that go away by themselves.
#![allow(dead_code)]

use front::{Loaded, Options};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for a test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("unbraid-front-test-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file of the test");
        path
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn load_with(files: &[(&str, &str)], options: &Options) -> Result<Loaded, Vec<String>> {
    let folder = Folder::new();
    let paths: Vec<PathBuf> = files.iter().map(|(name, text)| folder.file(name, text)).collect();
    let prefix = format!("{}/", folder.0.display());
    let loaded = front::load(&paths, options)
        .map_err(|errors| errors.iter().map(|error| error.to_string().replace(&prefix, "")).collect::<Vec<_>>())?;
    let wrong = ir::validate::validate(&loaded.program);
    let wrong: Vec<String> = wrong.iter().map(|wrong| wrong.describe(&loaded.program)).collect();
    assert!(wrong.is_empty(), "the program is not valid: {wrong:?}");
    Ok(loaded)
}
