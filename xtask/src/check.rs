//! Runs `unbraid check` on one program and reads what it says.

use crate::run::run;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What it is told in every case.
pub struct Settings<'a> {
    pub binary: &'a Path,
    pub engine: &'a str,
    pub timeout: &'a str,
    pub memory: &'a str,
}

/// What came of it.
pub struct Said {
    /// SAFE, UNSAFE, UNKNOWN or ERROR.
    pub verdict: String,
    pub reason_kind: String,
    pub reason: String,
    pub seconds: f64,
    /// All that was printed.
    pub json: serde_json::Value,
}

impl Said {
    /// An error if the command line was refused: it is so for every program.
    pub fn unless_refused(self) -> Result<Self, String> {
        match self.reason_kind == "status 1" {
            true => Err(self.reason.strip_prefix("error: ").unwrap_or(&self.reason).to_string()),
            false => Ok(self),
        }
    }
    pub fn statistic(&self, name: &str) -> Option<u64> {
        self.json["statistics"][name].as_u64()
    }
}

/// Decides a program with further options.
pub fn check(settings: &Settings<'_>, options: &[String], program: &Path) -> Result<Said, String> {
    let Settings { binary, engine, timeout, memory } = settings;
    let mut command = Command::new(binary);
    command.args(["check", "--json", "--engine", engine, "--timeout", timeout, "--memory", memory]);
    command.args(options).arg(program);
    let ran = run(command, patience(timeout)?)?;
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
    let text = |name: &str| json[name].as_str().unwrap_or_default().replace(['\t', '\n'], " ");
    let error = || "ERROR".to_string();
    let (verdict, reason_kind, reason) = match ran.status {
        Some(0 | 5 | 10) => (text("verdict"), text("reason_kind"), text("reason")),
        Some(2) => {
            let first = json["errors"][0]["message"].as_str().unwrap_or("no message");
            let reason = format!("line {}: {first}", json["errors"][0]["line"]).replace(['\t', '\n'], " ");
            (error(), text("reason_kind"), reason)
        }
        Some(status) => {
            let complaint = ran.stderr.lines().next().unwrap_or_default().replace('\t', " ");
            (error(), format!("status {status}"), complaint)
        }
        None => (error(), "hang".into(), text("reason")),
    };
    Ok(Said { verdict, reason_kind, reason, seconds: ran.wall.as_secs_f64(), json })
}

/// Twice the time and some, after which a process is stuck.
fn patience(timeout: &str) -> Result<Duration, String> {
    Ok(base::quantity::duration(timeout)? * 2 + Duration::from_secs(10))
}
