//! `--explain` and `--emit-dir`: what engines do and why, told as it happens or written down with the programs they make.

use crate::answer::about_file;
use crate::check::Plan;
use crate::progress::Display;
use base::Diagnostic;
use portfolio::{Follower, Row};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file with the course of the run.
const COURSE: &str = "run.txt";

/// Someone who tells and writes down.
pub struct Trail<'a, 'd> {
    /// Where explanations are told as they come.
    told: Option<&'a Mutex<&'d mut dyn Display>>,
    written: Option<Mutex<Written>>,
    /// Several engines run, which are told apart by name.
    several: bool,
}

/// The folder and what is in it.
struct Written {
    folder: PathBuf,
    course: File,
    /// The first thing that went wrong: nothing is written after it.
    error: Option<Diagnostic>,
}

impl<'a, 'd> Trail<'a, 'd> {
    pub fn begin(plan: &Plan, several: bool, display: &'a Mutex<&'d mut dyn Display>) -> Result<Self, Diagnostic> {
        let written = plan.args.modular.emit_dir.as_deref().map(Written::begin).transpose()?.map(Mutex::new);
        // Engines explain only if they are asked to, by --explain, by --emit-dir, or by a row of the portfolio.
        let told = (plan.args.modular.explain || written.is_none()).then_some(display);
        Ok(Trail { told, written, several })
    }

    /// Why not everything could be written.
    pub fn error(&self) -> Option<Diagnostic> {
        held(self.written.as_ref()?).error.clone()
    }
}

impl Follower for Trail<'_, '_> {
    fn program(&self, _: &Row, name: &str, text: &str) {
        let Some(written) = &self.written else { return };
        let name = format!("{}.c", file_name(name));
        let mut written = held(written);
        let path = written.folder.join(&name);
        written.attempt(&path, |_| fs::write(&path, text));
        written.line(&name);
    }

    fn explain(&self, row: &Row, text: &str) {
        let name = if self.several { format!("{row}: ") } else { String::new() };
        let lines: Vec<String> = text.lines().map(|line| format!("{name}{line}")).collect();
        let text = lines.join("\n");
        if let Some(display) = self.told {
            held(display).explain(&text);
        }
        if let Some(written) = &self.written {
            held(written).line(&text);
        }
    }
}

impl Written {
    fn begin(folder: &Path) -> Result<Self, Diagnostic> {
        let failed = |error: io::Error| about_file(folder, format!("the programs cannot be written there: {error}"));
        fs::create_dir_all(folder).map_err(failed)?;
        let course = File::create(folder.join(COURSE)).map_err(failed)?;
        Ok(Written { folder: folder.into(), course, error: None })
    }

    /// Writes at once: the process may end at any moment.
    fn line(&mut self, text: &str) {
        let path = self.folder.join(COURSE);
        self.attempt(&path, |course| writeln!(course, "{text}"));
    }

    fn attempt(&mut self, path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) {
        if self.error.is_some() {
            return;
        }
        if let Err(error) = write(&mut self.course) {
            self.error = Some(about_file(path, format!("not everything could be written: {error}")));
        }
    }
}

/// A name that is no path, whatever the threads are called.
fn file_name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.#".contains(c);
    name.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
