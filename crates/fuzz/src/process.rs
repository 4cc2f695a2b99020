//! Running other programs, but not for ever.

use std::any::Any;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What became of a program.
pub enum Ran {
    /// It ended well, and wrote this.
    Output(String),
    Failed(String),
    TimedOut,
}

/// Runs a command and collects its standard output.
pub fn run(command: &mut Command, limit: Duration) -> Ran {
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) => return Ran::Failed(format!("{}: {error}", command.get_program().to_string_lossy())),
    };
    // Pipes are emptied as they fill, or a talkative program would wait for us.
    let (output, errors) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < limit => std::thread::sleep(Duration::from_millis(2)),
            Ok(None) => {
                _ = child.kill();
                _ = child.wait();
                return Ran::TimedOut;
            }
            Err(error) => return Ran::Failed(error.to_string()),
        }
    };
    let output = output.join().unwrap_or_default();
    let errors = errors.join().unwrap_or_default();
    if status.success() {
        Ran::Output(output)
    } else {
        let first = errors.lines().find(|line| line.contains("error")).unwrap_or_default();
        Ran::Failed(format!("{status} {first}"))
    }
}

/// Reads all that comes, on the side.
fn drain(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// What a panic says.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
}

/// Can this command be run at all?
pub fn is_installed(program: &str) -> bool {
    matches!(run(Command::new(program).arg("--version"), Duration::from_secs(20)), Ran::Output(_))
}
