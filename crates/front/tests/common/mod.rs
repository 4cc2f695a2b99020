//! What the tests of the front end share: files that go away by themselves, and programs run by the interpreter.
#![allow(dead_code)]

use front::{Loaded, Options};
use ir::interp::{Code, End, Machine, Stepped};
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

pub fn load(name: &str, text: &str) -> Loaded {
    match load_with(&[(name, text)], &Options::default()) {
        Ok(loaded) => loaded,
        Err(errors) => panic!("{errors:?}"),
    }
}

/// The text of the program, without positions.
pub fn text_of(loaded: &Loaded) -> String {
    let text = ir::text::print(&loaded.program);
    let without = |line: &str| match line.rfind(" !") {
        Some(at) if line[at + 2..].starts_with(|c: char| c.is_ascii_digit()) => line[..at].to_string(),
        _ => line.to_string(),
    };
    text.lines().map(|line| without(line) + "\n").collect()
}

pub fn ir(name: &str, text: &str) -> String {
    text_of(&load(name, text))
}

/// The lines of one function.
pub fn function<'a>(text: &'a str, name: &str) -> &'a str {
    let start = text.find(&format!("func {name}(")).unwrap_or_else(|| panic!("no function {name} in\n{text}"));
    let end = text[start..].find("\n}").map_or(text.len(), |at| start + at + 2);
    &text[start..end]
}

/// Checks that the lines occur in the text, in this order.
pub fn has_lines(text: &str, lines: &[&str]) {
    let mut rest = text.lines().map(str::trim);
    for line in lines {
        assert!(rest.any(|found| found == *line), "no line `{line}` (after those before it) in\n{text}");
    }
}

/// Runs a program that has one thread and no inputs.
pub fn run(loaded: &Loaded) -> Stepped {
    let code = Code::new(&loaded.program);
    let mut machine = Machine::new(&code);
    for _ in 0..1_000_000 {
        match machine.step(0, &mut |_| 0) {
            Stepped::Done => (),
            step => return step,
        }
    }
    panic!("the program does not end");
}

/// The program must end without a violation.
pub fn ends_well(loaded: &Loaded) {
    let step = run(loaded);
    assert_eq!(step, Stepped::Ended(End::Halted), "{}", ir::text::print(&loaded.program));
}
