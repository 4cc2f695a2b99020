//! Running other programs, but not for ever.

use std::io::ErrorKind;
use std::process::Command;
use std::time::{Duration, Instant};

/// What became of a program.
pub enum Ran {
    /// It ended well, and wrote this.
    Output(String),
    Failed(String),
    TimedOut,
}

/// Runs a command and collects its standard output.
pub fn run(command: Command, limit: Duration) -> Ran {
    let program = command.get_program().to_string_lossy().into_owned();
    match base::process::run(command, None, Some(Instant::now() + limit)) {
        Ok(output) if output.status.success() => Ran::Output(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(output) => {
            let errors = String::from_utf8_lossy(&output.stderr);
            let first = errors.lines().find(|line| line.contains("error")).unwrap_or_default();
            Ran::Failed(format!("{} {first}", output.status))
        }
        Err(error) if error.kind() == ErrorKind::TimedOut => Ran::TimedOut,
        Err(error) => Ran::Failed(format!("{program}: {error}")),
    }
}

/// Can this command be run at all?
pub fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version");
    matches!(run(command, Duration::from_secs(20)), Ran::Output(_))
}
