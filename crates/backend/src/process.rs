//! Runs a command with all it starts as one group, so that all of it can be ended together.

use crate::tools::Output;
use base::{Budget, Folder, Spent};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often the clock and the process are looked at.
const LOOK: Duration = Duration::from_millis(5);
/// This much of the output is read, from its end: verdicts stand there.
const LONGEST_OUTPUT: u64 = 16 << 20;

/// The groups that are running: a process that ends in a hurry takes them along.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends everything that was started here and removes its files.  For a process that is about to exit.
pub fn end_all() {
    running().drain(..).for_each(kill_group);
    Folder::remove_all();
}

/// Ends a group of processes.
fn kill_group(group: u32) {
    // The shell's own `kill` knows groups everywhere.  A group that has ended already is no failure.
    let command = format!("kill -s KILL -- -{group}");
    let _ = Command::new("sh").args(["-c", &command]).stderr(Stdio::null()).status();
}

/// A group that is ended when this is dropped, whatever the reason.
struct Group {
    child: Child,
}

impl Drop for Group {
    fn drop(&mut self) {
        let group = self.child.id();
        // Also when the command has ended: it may have left others behind.
        kill_group(group);
        let _ = self.child.wait();
        running().retain(|other| *other != group);
    }
}

/// Runs a command of the shell to its end, or until the budget is spent.  The error says why there is no output.
pub fn run(command: &str, budget: &Budget) -> Result<Output, String> {
    let failed = |error: io::Error| format!("it cannot be run: {error}");
    // The output goes to a file: a pipe would be held open by whatever the command leaves behind.
    let folder = Folder::new().map_err(failed)?;
    let path = folder.file("output");
    let output = File::create(&path).map_err(failed)?;
    let errors = output.try_clone().map_err(failed)?;
    let child = Command::new("sh")
        .args(["-c", command])
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .process_group(0)
        .spawn()
        .map_err(failed)?;
    running().push(child.id());
    let mut group = Group { child };
    let status = loop {
        if let Some(status) = group.child.try_wait().map_err(failed)? {
            break status.code();
        }
        match budget.spent() {
            Some(Spent::Time) => return Err("it was stopped by the limit of time".into()),
            Some(Spent::Memory) => return Err("it was stopped by the limit of memory".into()),
            Some(Spent::Cancelled) => return Err("it was stopped".into()),
            None => std::thread::sleep(LOOK),
        }
    };
    drop(group);
    Ok(Output { status, text: end_of(&path).map_err(failed)? })
}

/// The end of a file, as text.
fn end_of(path: &PathBuf) -> io::Result<String> {
    use std::io::Seek;
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(io::SeekFrom::Start(length.saturating_sub(LONGEST_OUTPUT)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
